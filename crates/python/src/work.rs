//! Work that takes time: without the interpreter's lock, with news of its progress, and an ear for
//! Ctrl-C.
//!
//! The work runs on a thread of its own and in a pool of its own, so that it also runs in a process
//! that was forked from one in which a pool was at work.

use kanzen::solve::Progress;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often somebody looks at progress and signals.
const EVERY: Duration = Duration::from_millis(100);

/// Where the work is.
#[derive(Default)]
struct News {
    what: Mutex<(String, String)>,
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress for News {
    fn begin(&self, what: &str, total: u64) {
        if let Ok(mut now) = self.what.lock() {
            *now = (what.to_owned(), String::new());
        }
        self.done.store(0, Relaxed);
        self.total.store(total, Relaxed);
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Relaxed);
    }

    fn note(&self, text: &str) {
        if let Ok(mut now) = self.what.lock() {
            text.clone_into(&mut now.1);
        }
    }

    fn end(&self) {
        self.done.store(self.total.load(Relaxed), Relaxed);
    }
}

impl News {
    /// Tells the news to a function `show(what, note, done, total)`.
    fn tell(&self, py: Python<'_>, show: &Py<PyAny>) -> PyResult<()> {
        let (what, note) = self.what.lock().map(|now| now.clone()).unwrap_or_default();
        if !what.is_empty() {
            show.call1(py, (what, note, self.done.load(Relaxed), self.total.load(Relaxed)))?;
        }
        Ok(())
    }
}

/// Does some work. `show` hears of its progress; Ctrl-C sets the flag that the work is given, and
/// is raised when the work has stopped.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    show: Option<&Py<PyAny>>,
    threads: usize,
    job: impl FnOnce(&dyn Progress, &AtomicBool) -> T + Send,
) -> PyResult<T> {
    let (news, cancel) = (News::default(), AtomicBool::new(false));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let (result, raised) = py.detach(|| {
        thread::scope(|scope| {
            let (done, finished) = channel();
            let (news, cancel, pool) = (&news, &cancel, &pool);
            let worker = scope.spawn(move || {
                let result = pool.install(|| job(news, cancel));
                // Nobody waits only if the process ends.
                let _ = done.send(());
                result
            });
            let mut raised = None;
            while finished.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout)
                && !worker.is_finished()
            {
                if raised.is_some() {
                    continue;
                }
                let listen = |py: Python<'_>| {
                    py.check_signals()?;
                    show.map_or(Ok(()), |show| news.tell(py, show))
                };
                if let Err(error) = Python::attach(listen) {
                    cancel.store(true, Relaxed);
                    raised = Some(error);
                }
            }
            (worker.join(), raised)
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    if let Some(show) = show {
        news.tell(py, show)?;
    }
    result.map_err(|_| {
        PyRuntimeError::new_err("the work ended by a fault of Kanzen: please report it")
    })
}
