//! News from workers, which outlive no borrow, to those who wait for them.

use crate::report::Report;
use kanzen_solve::{Job, Progress, SolveError};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Units of progress that are told together.
const UNITS: u64 = 1 << 16;
/// How often the waiting side looks whether it should stop.
const LOOK: Duration = Duration::from_millis(10);

/// What a worker tells of its progress.
enum News {
    Begin(String, u64),
    Advance(u64),
    Note(String),
    End,
}

/// What workers and those who wait for them share.
pub(crate) struct Line {
    news: Sender<News>,
    /// Units that were not told yet.
    units: AtomicU64,
    /// Set when the solve should stop.
    pub(crate) cancel: AtomicBool,
    /// The most time between two rounds that are written down.
    pub(crate) interval: Duration,
    /// Why the others cannot be reached any more.
    lost: Mutex<Option<String>>,
    /// The last reports of all workers.
    figures: Mutex<Vec<Report>>,
}

impl Line {
    pub(crate) fn new(interval: Duration) -> (Arc<Line>, Wait) {
        let (news, heard) = channel();
        let (cancel, lost) = (AtomicBool::new(false), Mutex::default());
        let (units, figures) = (AtomicU64::new(0), Mutex::default());
        let line = Arc::new(Line { news, units, cancel, interval, lost, figures });
        (line.clone(), Wait { line, heard })
    }

    /// Whether the others can still be reached.
    pub(crate) fn alive(&self) -> Result<(), SolveError> {
        self.lost().map_or(Ok(()), |who| Err(SolveError::Lost { who }))
    }

    /// Who cannot be reached any more.
    pub(crate) fn lost(&self) -> Option<String> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says that somebody cannot be reached any more; the first word counts.
    pub(crate) fn lose(&self, who: String) {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(who);
    }

    /// Keeps what the workers say of themselves.
    pub(crate) fn keep(&self, reports: Vec<Report>) {
        *self.figures.lock().unwrap_or_else(PoisonError::into_inner) = reports;
    }

    /// What the workers said last, in their order.
    pub(crate) fn figures(&self) -> Vec<Report> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn tell(&self, news: News) {
        // Who waits has gone only if nobody wants to hear more.
        let _ = self.news.send(news);
    }
}

impl Progress for Line {
    fn begin(&self, what: &str, total: u64) {
        self.tell(News::Begin(what.to_owned(), total));
    }

    fn advance(&self, units: u64) {
        if self.units.fetch_add(units, Relaxed) + units >= UNITS {
            self.tell(News::Advance(self.units.swap(0, Relaxed)));
        }
    }

    fn note(&self, text: &str) {
        self.tell(News::Note(text.to_owned()));
    }

    fn end(&self) {
        self.tell(News::End);
    }
}

/// Where somebody waits for workers.
pub(crate) struct Wait {
    line: Arc<Line>,
    heard: Receiver<News>,
}

impl Wait {
    /// Passes news on until `done` is true.
    pub(crate) fn until(self, job: &Job<'_>, done: impl Fn() -> bool) {
        loop {
            match self.heard.recv_timeout(LOOK) {
                Ok(News::Begin(what, total)) => job.progress.begin(&what, total),
                Ok(News::Advance(units)) => job.progress.advance(units),
                Ok(News::Note(text)) => job.progress.note(&text),
                Ok(News::End) => job.progress.end(),
                Err(RecvTimeoutError::Timeout) if !done() => {}
                Err(_) => return,
            }
            if job.cancel.load(Relaxed) {
                self.line.cancel.store(true, Relaxed);
            }
        }
    }
}
