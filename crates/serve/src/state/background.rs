//! Work that takes a while, done when somebody first asks for it, one piece at a time, and kept.

use crate::http::limits;
use crate::state::tables::Variant;
use kanzen_table::lacking;
use std::collections::HashMap;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Results that are kept at the most.
const KEPT: usize = 64;

/// Results of one kind.
pub struct Background<T> {
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
        std::thread::spawn(move || receive.into_iter().for_each(|work| work()));
        Queue::Thread(send)
    }
}

/// What a result is of: a game with its options, a number that tells several apart, and the state
/// of the tables.
type Key = (&'static str, Vec<(&'static str, &'static str)>, u64, u64);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Default + Send + Sync + 'static> Background<T> {
    /// No results yet; they will be made in this queue.
    pub fn new(queue: &Queue) -> Background<T> {
        Background { made: Arc::default(), queue: queue.clone() }
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
        let (all, wanted) = (Arc::clone(&self.made), key.clone());
        let work = move || {
            // Work that fails leaves an empty result, not a page that waits for ever.
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(make));
            lock(&all).insert(wanted, Some(Arc::new(result.unwrap_or_default())));
        };
        if queue.try_send(Box::new(work)).is_ok() {
            made.insert(key, None);
        }
        None
    }
}
