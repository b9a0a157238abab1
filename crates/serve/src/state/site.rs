//! What all requests share: tables, rendered pages, the work in the background.

use crate::http::errors::Trouble;
use crate::http::limits;
use crate::pages::facts::Exhibit;
use crate::state::background::{Background, Queue};
use crate::state::counts::Counts;
use crate::state::patience::Waiting;
use crate::state::solver::Solves;
use crate::state::tables::Tables;
use axum::body::Bytes;
use kanzen_core::Language;
use kanzen_study::puzzle::Puzzle;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A rendered answer, as it is kept.
#[derive(Clone)]
pub struct Kept {
    /// The bytes.
    pub body: Bytes,
    /// A number that tells these bytes from others.
    pub tag: u64,
}

/// What a rendered answer is kept under: the address, the language, and the state of the tables.
pub type Key = (String, Language, u64);

#[derive(Clone)]
struct Weight;

impl Weighter<Key, Kept> for Weight {
    fn weight(&self, key: &Key, kept: &Kept) -> u64 {
        (key.0.len() + kept.body.len() + 64) as u64
    }
}

/// What all requests share.
pub struct Site {
    /// The games and their tables.
    pub tables: Tables,
    /// Solves in the background.
    pub solves: Solves,
    /// Remarkable positions, found in the background.
    pub galleries: Background<Vec<Exhibit>>,
    /// Puzzles, made in the background.
    pub puzzles: Background<Vec<Puzzle>>,
    /// What was asked for by kind, found in the background.
    pub findings: Background<serde_json::Value>,
    /// Answers since the start.
    pub counts: Counts,
    /// Rendered pages and answers.
    pub kept: Pantry,
    quick: Lane,
    bulk: Lane,
}

/// A way for work, with room for some to be done at a time and for some to wait.
#[derive(Clone)]
struct Lane {
    workers: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl Lane {
    fn new(workers: usize, places: usize) -> Lane {
        Lane {
            workers: Arc::new(Semaphore::new(workers)),
            places: Arc::new(Semaphore::new(places)),
        }
    }
}

/// The cache of rendered answers.
pub struct Pantry(Cache<Key, Kept, Weight>);

impl Pantry {
    /// A kept answer.
    pub fn get(&self, key: &Key) -> Option<Kept> {
        self.0.get(key)
    }

    /// Keeps an answer.
    pub fn insert(&self, key: Key, kept: Kept) {
        self.0.insert(key, kept);
    }
}

impl Site {
    /// A site over a directory of tables.
    pub fn new(tables: Tables) -> Site {
        let queue = Queue::default();
        Site {
            tables,
            solves: Solves::default(),
            galleries: Background::new(&queue),
            puzzles: Background::new(&queue),
            findings: Background::new(&queue),
            counts: Counts::default(),
            kept: Pantry(Cache::with_weighter(20_000, limits::CACHE, Weight)),
            quick: Lane::new(limits::WORKERS, limits::QUEUE),
            bulk: Lane::new(limits::BULK_WORKERS, limits::BULK_QUEUE),
        }
    }

    /// How many answers are worked on or wait for it.
    pub fn at_work(&self) -> usize {
        let taken = |lane: &Lane, places| places - lane.places.available_permits();
        taken(&self.quick, limits::QUEUE) + taken(&self.bulk, limits::BULK_QUEUE)
    }

    /// Does work that may read a table or search, away from the threads that serve connections.
    ///
    /// # Errors
    /// If the work fails or takes too long, or too much waits to be done.
    pub async fn work<T: Send + 'static>(
        self: &Arc<Site>,
        work: impl FnOnce(&Arc<Site>) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        self.work_in(self.quick.clone(), work).await
    }

    /// The same for much work at once: it waits for its like, and others do not wait for it.
    ///
    /// # Errors
    /// As [`Site::work`].
    pub async fn work_in_bulk<T: Send + 'static>(
        self: &Arc<Site>,
        work: impl FnOnce(&Arc<Site>) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        self.work_in(self.bulk.clone(), work).await
    }

    async fn work_in<T: Send + 'static>(
        self: &Arc<Site>,
        lane: Lane,
        work: impl FnOnce(&Arc<Site>) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let site = Arc::clone(self);
        let done = async move {
            let _place = lane.places.try_acquire_owned().map_err(|_| Trouble::Busy)?;
            let permit = lane.workers.acquire_owned().await.map_err(|_| Trouble::Busy)?;
            // Dropped when the client is gone or the time is over: the work hears of it.
            let waiting = Waiting::default();
            let sign = waiting.sign();
            let work = tokio::task::spawn_blocking(move || {
                // The permit is held by the work itself: who gives up waiting does not free it.
                let _permit = permit;
                sign.during(|| work(&site))
            });
            work.await.map_err(|_| Trouble::Fault)?
        };
        tokio::time::timeout(limits::TIME, done).await.map_err(|_| Trouble::Busy)?
    }
}
