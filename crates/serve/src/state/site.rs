//! What all requests share: tables, rendered pages, the work in the background.

#[cfg(feature = "http")]
use crate::http::errors::Trouble;
use crate::http::limits;
use crate::pages::drill::Drilled;
use crate::state::background::{Background, Queue};
use crate::state::solver::{Solvers, Solves};
use crate::state::tables::Tables;
#[cfg(feature = "http")]
use crate::state::{counts::Counts, lane::Lane, patience::Waiting, priority::go_last};
#[cfg(feature = "http")]
use axum::body::Bytes;
#[cfg(feature = "http")]
use kanzen_core::Language;
use kanzen_solve::Job;
use kanzen_study::article::Article;
use kanzen_study::puzzle::Puzzle;
#[cfg(feature = "http")]
use quick_cache::{Weighter, sync::Cache};
#[cfg(feature = "http")]
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A rendered answer, as it is kept.
#[cfg(feature = "http")]
#[derive(Clone)]
pub struct Kept {
    /// The bytes.
    pub body: Bytes,
    /// A number that tells these bytes from others.
    pub tag: u64,
    /// Whether other sites may show it in a frame.
    pub framed: bool,
}

/// What a rendered answer is kept under: the address, the language, and the state of the tables.
#[cfg(feature = "http")]
pub type Key = (String, Language, u64);

#[cfg(feature = "http")]
#[derive(Clone)]
struct Weight;

#[cfg(feature = "http")]
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
    /// Who may begin them on pages.
    pub solvers: Solvers,
    /// Articles about games in English and Japanese, written in the background.
    pub articles: Background<(Article, Article)>,
    /// Puzzles, made in the background.
    pub puzzles: Background<Vec<Puzzle>>,
    /// Winning strategies, found in the background.
    pub drills: Background<Vec<Drilled>>,
    /// What was asked for by kind, found in the background.
    pub findings: Background<serde_json::Value>,
    /// Seconds since 1970.
    pub now: fn() -> u64,
    /// Whether boards can be had in pixels.
    pub pictures: bool,
    /// Answers since the start.
    #[cfg(feature = "http")]
    pub counts: Counts,
    /// Rendered pages and answers.
    #[cfg(feature = "http")]
    pub kept: Pantry,
    /// The most memory that a piece of work in the background may take, in bytes.
    pub room: u64,
    #[cfg(feature = "http")]
    quick: Lane,
    #[cfg(feature = "http")]
    bulk: Lane,
}

/// The cache of rendered answers.
#[cfg(feature = "http")]
pub struct Pantry(Cache<Key, Kept, Weight>);

#[cfg(feature = "http")]
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
    /// A site over tables.
    pub fn new(tables: Tables) -> Site {
        Site::with_memory(tables, Job::default().memory)
    }

    /// A site that keeps to so many bytes of memory: a half for work in the background, a quarter
    /// for the blocks of open tables, and the rest for pages and requests.
    pub fn with_memory(tables: Tables, memory: u64) -> Site {
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let blocks = memory / 4 / limits::OPEN as u64;
        kanzen_table::keep_at_most(blocks.min(limits::BLOCKS) as usize);
        Site { pictures: true, ..Site::with(tables, &Queue::thread(), now, memory) }
    }

    /// A site without threads, which does not know the time by itself.
    pub fn at_once(tables: Tables, now: fn() -> u64) -> Site {
        Site::with(tables, &Queue::Asker, now, Job::default().memory)
    }

    fn with(tables: Tables, queue: &Queue, now: fn() -> u64, memory: u64) -> Site {
        Site {
            tables,
            solves: Solves::default(),
            solvers: Solvers::default(),
            articles: Background::new("article", queue),
            puzzles: Background::new("puzzles", queue),
            drills: Background::new("drill", queue),
            findings: Background::new("find", queue),
            now,
            pictures: false,
            #[cfg(feature = "http")]
            counts: Counts::default(),
            #[cfg(feature = "http")]
            kept: Pantry(Cache::with_weighter(20_000, limits::CACHE.min(memory / 16), Weight)),
            room: memory / 2,
            #[cfg(feature = "http")]
            quick: Lane::new(limits::WORKERS, limits::QUEUE),
            #[cfg(feature = "http")]
            bulk: Lane::new(limits::BULK_WORKERS, limits::BULK_QUEUE),
        }
    }
}

#[cfg(feature = "http")]
impl Site {
    /// How many answers are worked on or wait for it.
    pub fn at_work(&self) -> usize {
        self.quick.taken() + self.bulk.taken()
    }

    /// Does work that may read a table or search, away from the threads that serve connections.
    ///
    /// # Errors
    /// If the work fails or takes too long, or too much waits to be done.
    pub async fn work<T: Send + 'static>(
        self: &Arc<Site>,
        work: impl FnOnce(&Arc<Site>) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        self.work_in(self.quick.clone(), |work| drop(tokio::task::spawn_blocking(work)), work).await
    }

    /// The same for much work at once: it waits for its like, and others do not wait for it.
    ///
    /// # Errors
    /// As [`Site::work`].
    pub async fn work_in_bulk<T: Send + 'static>(
        self: &Arc<Site>,
        work: impl FnOnce(&Arc<Site>) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let last = |work: Box<dyn FnOnce() + Send>| {
            // Without a thread the work is dropped, and whoever waits for it hears of that.
            drop(std::thread::Builder::new().spawn(move || {
                go_last();
                work();
            }));
        };
        self.work_in(self.bulk.clone(), last, work).await
    }

    async fn work_in<T: Send + 'static>(
        self: &Arc<Site>,
        lane: Lane,
        begin: impl FnOnce(Box<dyn FnOnce() + Send>),
        work: impl FnOnce(&Arc<Site>) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let site = Arc::clone(self);
        let done = async move {
            let _place = lane.place().ok_or(Trouble::Busy)?;
            let permit = lane.turn().await.ok_or(Trouble::Busy)?;
            // Dropped when the client is gone or the time is over: the work hears of it.
            let waiting = Waiting::default();
            let sign = waiting.sign();
            let (send, receive) = tokio::sync::oneshot::channel();
            begin(Box::new(move || {
                // The permit is held by the work itself: who gives up waiting does not free it.
                let _permit = permit;
                // Nobody may be there to hear.
                let _ = send.send(sign.during(|| work(&site)));
            }));
            receive.await.map_err(|_| Trouble::Fault)?
        };
        tokio::time::timeout(limits::TIME, done).await.map_err(|_| Trouble::Busy)?
    }
}
