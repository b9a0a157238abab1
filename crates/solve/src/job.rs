//! How to solve.

use crate::{Machines, Progress, Silent, SolveError};
use kanzen_machine::machine_memory;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Never set.
static NEVER: AtomicBool = AtomicBool::new(false);

/// With what to solve, who may stop it, and who hears of it.
///
/// ```
/// let job = kanzen_solve::Job { threads: 1, ..Default::default() };
/// assert!(job.memory > 0);
/// ```
#[derive(Clone)]
pub struct Job<'a> {
    /// The number of threads; 0 takes all cores.
    pub threads: usize,
    /// The most memory to use, in bytes.
    pub memory: u64,
    /// The level of compression, 1 to 22; none takes what pays for the game.
    pub level: Option<i32>,
    /// The least time between two checkpoints.
    pub interval: Duration,
    /// Set by somebody else when the solve should stop.
    pub cancel: &'a AtomicBool,
    /// Who hears of the progress.
    pub progress: &'a dyn Progress,
    /// The other processes that take part, if there are any.
    pub machines: Option<&'a dyn Machines>,
}

impl Default for Job<'_> {
    /// All cores, four fifths of the machine's memory, a checkpoint a minute, and silence.
    fn default() -> Self {
        Job {
            threads: 0,
            memory: machine_memory().map_or(4 << 30, |all| all / 5 * 4),
            level: None,
            interval: Duration::from_secs(60),
            cancel: &NEVER,
            progress: &Silent,
            machines: None,
        }
    }
}

impl Job<'_> {
    /// The number of threads, none of them 0.
    pub fn thread_count(&self) -> usize {
        kanzen_machine::threads(self.threads)
    }

    /// Does some work on as many threads as the job may have.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, SolveError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        Ok(pool.install(work))
    }
}
