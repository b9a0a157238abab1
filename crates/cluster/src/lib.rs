//! Solving a game on several processes and machines, on timely dataflow.
//!
//! The cells of a tier are spread over shards, and the shards over workers; what the frontier engine
//! does to a cell becomes a message to the worker that owns it. Tables are the same to the last byte
//! as those of one machine.

mod deal;
mod forecast;
#[cfg(any(test, fuzzing))]
mod foreign;
#[cfg(test)]
mod hostile;
mod layout;
mod message;
mod net;
mod news;
mod plan;
mod report;
mod state;
mod store;
mod worker;

pub use forecast::{Forecast, Foresight};
#[cfg(fuzzing)]
pub use foreign::messages;

use kanzen_solve::{Checkpoint, Job, Machines, Sharded, SolveError};
use net::Party;
use news::{Line, Wait};
use plan::Plan;
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use store::Store;
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use worker::Hand;

/// Processes that solve a game together, and this one among them.
#[derive(Clone, Debug)]
pub struct Cluster {
    hosts: Vec<String>,
    index: usize,
    secret: Vec<u8>,
    patience: Duration,
    figures: Arc<Mutex<Vec<Figures>>>,
}

/// What a process has done.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Figures {
    /// The number of the process.
    pub host: usize,
    /// Positions that told their predecessors.
    pub positions: u64,
    /// Bytes that it sent to others.
    pub bytes: u64,
    /// Seconds for which its threads waited for others, on average.
    pub waited: f64,
    /// Seconds in all.
    pub seconds: f64,
}

/// A new secret for processes that this one starts.
pub fn secret() -> String {
    let bytes = [net::challenge(), net::challenge()].concat();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Cluster {
    /// The process with this number among those with these addresses, all of which know the secret.
    ///
    /// # Errors
    /// If there is no such process, or others can come by the network and there is no secret.
    pub fn new(hosts: Vec<String>, index: usize, secret: Vec<u8>) -> Result<Cluster, String> {
        if index >= hosts.len() {
            let last = hosts.len().saturating_sub(1);
            return Err(format!("index {index} is not one of the hosts, 0 to {last}"));
        }
        for (number, host) in hosts.iter().enumerate() {
            if hosts[..number].contains(host) {
                return Err(format!("host {host} is there twice"));
            }
            let port = host.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
            if port.is_none_or(|port| port == 0) {
                return Err(format!("'{host}' is not an address such as 10.0.0.7:2100"));
            }
        }
        let here = |host: &String| host.starts_with("127.") || host.starts_with("localhost:");
        if secret.is_empty() && !hosts.iter().all(here) {
            return Err("processes on other machines need a secret".to_owned());
        }
        let patience = Duration::from_secs(60);
        Ok(Cluster { hosts, index, secret, patience, figures: Arc::default() })
    }

    /// As long as this the process waits for the others to come.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Cluster {
        Cluster { patience, ..self }
    }

    /// What each process has done, if this is the first and has solved something.
    pub fn figures(&self) -> Vec<Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what the workers have said of themselves.
    fn keep(&self, line: &Line, threads: usize, seconds: f64) {
        let reports = line.figures();
        let figures = reports.chunks(threads).enumerate().map(|(host, workers)| Figures {
            host,
            positions: workers.iter().map(|worker| worker.positions).sum(),
            bytes: workers.iter().map(|worker| worker.bytes).sum(),
            waited: workers.iter().map(|worker| worker.waited as f64 / 1e3).sum::<f64>()
                / threads as f64,
            seconds,
        });
        *self.figures.lock().unwrap_or_else(PoisonError::into_inner) = figures.collect();
    }
}

impl Machines for Cluster {
    fn index(&self) -> usize {
        self.index
    }

    fn count(&self) -> usize {
        self.hosts.len()
    }

    fn here(&self) -> usize {
        let name = |host: &str| host.rsplit_once(':').map(|(name, _)| name.to_owned());
        let own = name(&self.hosts[self.index]);
        self.hosts.iter().filter(|host| name(host) == own).count()
    }

    fn solve(
        &self,
        game: Arc<dyn Sharded>,
        job: &Job<'_>,
        checkpoint: &Checkpoint,
    ) -> Result<(), SolveError> {
        let threads = job.thread_count();
        let (line, wait) = Line::new(job.interval);
        let locals = ProcessBuilder::new_typed_vector(threads, Hooks::default().refill, None);
        if self.hosts.len() == 1 {
            let builders = locals.into_iter().map(AllocatorBuilder::Process).collect();
            return run(&game, job, checkpoint, builders, &line, wait);
        }
        let work = format!("{}, {threads} threads, deal {}", checkpoint.key(), deal::VERSION);
        let Cluster { hosts, index, secret, patience, .. } = self;
        let party = Party { hosts, index: *index, secret, work: &work, patience: *patience };
        let mut all = party.connect()?;
        let watch = all.watch(&party, &line);
        hush();
        let sockets = std::mem::take(&mut all.messages);
        let (builders, guard) =
            initialize_networking_from_sockets(locals, sockets, *index, threads, Hooks::default())
                .map_err(|error| SolveError::Engine(format!("the network: {error}")))?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let since = Instant::now();
        let end = run(&game, job, checkpoint, builders, &line, wait);
        self.keep(&line, threads, since.elapsed().as_secs_f64());
        match &end {
            Err(error) if !matches!(error, SolveError::Cancelled) => std::mem::forget(guard),
            _ => drop(guard),
        }
        drop(watch);
        end
    }
}

/// Keeps threads that lose their connections from saying so: the watch says it better.
fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let thread = std::thread::current();
            if !thread.name().is_some_and(|name| name.starts_with("timely:")) {
                usual(info);
            }
        }));
    });
}

/// Runs the workers of this process.
fn run(
    game: &Arc<dyn Sharded>,
    job: &Job<'_>,
    checkpoint: &Checkpoint,
    builders: Vec<AllocatorBuilder>,
    line: &Arc<Line>,
    wait: Wait,
) -> Result<(), SolveError> {
    let (game, store) = (game.clone(), Arc::new(Store::new(checkpoint)));
    let plan = OnceLock::new();
    let (own, line) = (line, line.clone());
    let work = move |worker: &mut timely::worker::Worker| {
        let plan = plan.get_or_init(|| Plan::new(game.clone(), worker.peers()));
        let end = Hand::new(worker, &game, plan, &line, &store).run();
        if let Err(error) = &end {
            // Those who did not see the same stop too; and they may never end their dataflow.
            if !matches!(error, SolveError::Cancelled) {
                line.lose(error.to_string());
            }
            worker.installed_dataflows().into_iter().for_each(|flow| worker.drop_dataflow(flow));
        }
        end
    };
    let others: Box<dyn std::any::Any + Send> = Box::new(());
    let workers = timely::execute::execute_from(builders, others, WorkerConfig::default(), work)
        .map_err(SolveError::Engine)?;
    wait.until(job, || workers.guards().iter().all(|worker| worker.is_finished()));
    let ends = workers.join();
    if ends.iter().any(Result::is_err) {
        // A worker whose connection broke has failed: the watch knows soon who is lost.
        for _ in 0..40 {
            own.alive()?;
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    let failed = |problem| Err(SolveError::Engine(format!("a worker has failed: {problem}")));
    let ends = ends.into_iter().map(|end| end.unwrap_or_else(failed));
    let errors: Vec<SolveError> = ends.filter_map(Result::err).collect();
    // Who is lost says less than why.
    let why = |error: &SolveError| !matches!(error, SolveError::Lost { .. });
    let first = errors.iter().position(why).unwrap_or(0);
    errors.into_iter().nth(first).map_or(Ok(()), Err)
}
