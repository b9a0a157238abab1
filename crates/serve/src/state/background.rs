//! Work that takes a while, done when somebody first asks for it, one piece at a time, and kept: in
//! memory, and in a file beside the table.

use crate::http::limits;
use crate::state::priority::go_last;
use crate::state::tables::Variant;
use kanzen_study::kept::Kept;
use kanzen_table::lacking;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Results that are kept at the most.
const KEPT: usize = 64;

/// Results of one kind.
pub struct Background<T> {
    name: &'static str,
    made: Arc<Mutex<HashMap<Key, Option<Arc<T>>>>>,
    queue: Queue,
}

/// Who does the work.
#[derive(Clone)]
pub enum Queue {
    /// A thread that does one piece of work after the other.
    Thread(SyncSender<Box<dyn FnOnce() + Send>>),
    /// Whoever asks, at once: there are no threads in a browser.
    Asker,
}

impl Queue {
    /// A thread for it.
    pub fn thread() -> Queue {
        let (send, receive) = sync_channel::<Box<dyn FnOnce() + Send>>(limits::BACKGROUND);
        std::thread::spawn(move || {
            go_last();
            // What the work does on several threads goes last too.
            let pool = rayon::ThreadPoolBuilder::new().start_handler(|_| go_last()).build();
            receive.into_iter().for_each(|work| match &pool {
                Ok(pool) => pool.install(work),
                Err(_) => work(),
            });
        });
        Queue::Thread(send)
    }
}

/// What a result is of: a game with its options, a number that tells several apart, and the state
/// of the tables.
type Key = (&'static str, Vec<(&'static str, &'static str)>, u64, u64);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Default + Serialize + DeserializeOwned + Send + Sync + 'static> Background<T> {
    /// No results yet; they will be made in this queue, and kept under this name.
    pub fn new(name: &'static str, queue: &Queue) -> Background<T> {
        Background { name, made: Arc::default(), queue: queue.clone() }
    }

    /// The result; none while it is being made or, if too much is to be made, not begun.
    pub fn get(
        &self,
        variant: &Variant,
        number: u64,
        generation: u64,
        make: impl FnOnce() -> T + Send + 'static,
    ) -> Option<Arc<T>> {
        let key = (variant.entry.name, variant.options.clone(), number, generation);
        let mut made = lock(&self.made);
        if let Some(result) = made.get(&key) {
            return result.clone();
        }
        // What was made of older tables is of no use; what is being made stays.
        made.retain(|known, result| known.3 == generation || result.is_none());
        if made.len() >= KEPT {
            made.retain(|_, result| result.is_none());
        }
        let queue = match &self.queue {
            Queue::Thread(queue) => queue,
            Queue::Asker => {
                drop(made);
                let result = Arc::new(make());
                // What was made while a part of the table was still on its way is nothing.
                if !lacking() {
                    lock(&self.made).insert(key, Some(Arc::clone(&result)));
                }
                return Some(result);
            }
        };
        // Options may say how positions are written, so that tables share them and results do not.
        let options = variant.options.iter().map(|(name, value)| format!(" {name}={value}"));
        let name = format!("{} {number}{}", self.name, options.collect::<String>());
        let beside = variant.path().and_then(|table| Kept::beside(&table).ok());
        if let Some(result) = beside.as_ref().and_then(|kept| kept.read::<T>(&name)) {
            let result = Arc::new(result);
            made.insert(key, Some(Arc::clone(&result)));
            return Some(result);
        }
        let (all, wanted) = (Arc::clone(&self.made), key.clone());
        let work = move || {
            // Work that fails leaves an empty result, not a page that waits for ever.
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(make));
            let made = result.as_ref().ok().and_then(|made| serde_json::to_value(made).ok());
            // What is empty may be so because of a fault that is gone the next time.
            let empty = |made: &Json| made.is_null() || made.as_array().is_some_and(Vec::is_empty);
            if let (Some(made), Some(kept)) = (made.filter(|made| !empty(made)), beside)
                && let Err(error) = kept.write(&name, &made)
            {
                tracing::info!(%error, "what was made of a table is not kept beside it");
            }
            lock(&all).insert(wanted, Some(Arc::new(result.unwrap_or_default())));
        };
        if queue.try_send(Box::new(work)).is_ok() {
            made.insert(key, None);
        }
        None
    }
}
