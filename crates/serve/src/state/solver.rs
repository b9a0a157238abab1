//! Solving in the background what is quick to solve.

use crate::state::site::Site;
use kanzen_registry::QUICK_SECONDS;
use kanzen_solve::{Job, Progress};
use kanzen_study::record;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use utoipa::ToSchema;

/// The solves that were asked for.
#[derive(Default)]
pub struct Solves(Mutex<Vec<(&'static str, Arc<Work>)>>);

/// Where a solve is.
#[derive(Default)]
pub struct Work {
    what: Mutex<String>,
    done: AtomicU64,
    total: AtomicU64,
    state: Mutex<State>,
}

#[derive(Clone, Default, PartialEq)]
enum State {
    #[default]
    Waiting,
    Running,
    Done,
    Failed(String),
}

/// The state of a solve as it is shown.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Solving {
    /// `waiting`, `running`, `done` or `failed`.
    pub state: &'static str,
    /// What is being done, or why it failed.
    pub what: String,
    /// The share of this part that is done, from 0 to 1.
    pub share: f64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress for Work {
    fn begin(&self, what: &str, total: u64) {
        *lock(&self.what) = what.to_owned();
        self.done.store(0, Relaxed);
        self.total.store(total, Relaxed);
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Relaxed);
    }

    fn note(&self, text: &str) {
        let mut what = lock(&self.what);
        let begun = what.split(", ").next().unwrap_or_default().to_owned();
        *what = format!("{begun}, {text}");
    }

    fn end(&self) {}
}

impl Work {
    /// Where it is now.
    pub fn now(&self) -> Solving {
        let (state, what) = match &*lock(&self.state) {
            State::Waiting => ("waiting", String::new()),
            State::Running => ("running", lock(&self.what).clone()),
            State::Done => ("done", String::new()),
            State::Failed(why) => ("failed", why.clone()),
        };
        let total = self.total.load(Relaxed).max(1) as f64;
        Solving { state, what, share: (self.done.load(Relaxed) as f64 / total).min(1.0) }
    }
}

impl Solves {
    /// The solve of a game in its default variant, if one was asked for and is not done.
    pub fn of(&self, game: &str) -> Option<Solving> {
        let works = lock(&self.0);
        let (_, work) = works.iter().find(|(name, _)| *name == game)?;
        Some(work.now()).filter(|now| now.state != "done")
    }

    /// Whether a solve is at work now.
    pub fn running(&self) -> bool {
        lock(&self.0).iter().any(|(_, work)| work.now().state == "running")
    }

    /// Whether something is still to be solved.
    pub fn busy(&self) -> bool {
        lock(&self.0).iter().any(|(_, work)| matches!(work.now().state, "waiting" | "running"))
    }
}

/// Solves every quick game that has no table, one after the other, on a thread of its own.
pub fn solve_quick(site: Arc<Site>, cancel: &'static AtomicBool) {
    std::thread::spawn(move || {
        let Some(dir) = site.tables.dir() else { return };
        let mut queue = Vec::new();
        for entry in site.tables.registry().entries() {
            let Ok(variant) = site.tables.variant(entry.name, &[]) else { continue };
            if !variant.has_table() && variant.plan().seconds < QUICK_SECONDS {
                let work = Arc::new(Work::default());
                lock(&site.solves.0).push((entry.name, Arc::clone(&work)));
                queue.push((variant.plan().seconds, variant, work));
            }
        }
        queue.sort_by(|a, b| a.0.total_cmp(&b.0));
        // A core is left for those who look at what is solved already.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for (_, variant, work) in queue {
            if cancel.load(Relaxed) {
                return;
            }
            *lock(&work.state) = State::Running;
            let threads = cores.saturating_sub(1).max(1);
            let memory = site.room;
            let job = Job { threads, memory, cancel, progress: &*work, ..Job::default() };
            let result = record::solve(&*variant.game, dir, None, &job);
            let game = variant.entry.name;
            *lock(&work.state) = match result {
                Ok((_, seconds)) => {
                    tracing::info!(game, seconds, "solved");
                    State::Done
                }
                Err(error) => {
                    tracing::warn!(game, %error, "not solved");
                    State::Failed(error.to_string())
                }
            };
            site.tables.look();
            site.tables.changed();
        }
    });
}
