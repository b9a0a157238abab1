//! Work that takes a while, done when somebody first asks for it, one piece at a time for each game,
//! and kept.

use crate::state::tables::Variant;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Results that are kept at the most.
const KEPT: usize = 64;

/// Results of one kind.
pub struct Background<T> {
    made: Arc<Mutex<HashMap<Key, Option<Arc<T>>>>>,
    /// Whose turn it is, for each game.
    turns: Mutex<HashMap<&'static str, Arc<Mutex<()>>>>,
}

/// What a result is of: a game with its options, a number that tells several apart, and the state
/// of the tables.
type Key = (&'static str, Vec<(&'static str, &'static str)>, u64, u64);

impl<T> Default for Background<T> {
    fn default() -> Background<T> {
        Background { made: Arc::default(), turns: Mutex::default() }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Default + Send + Sync + 'static> Background<T> {
    /// The result; none while it is being made.
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
        made.insert(key.clone(), None);
        let made = Arc::clone(&self.made);
        let turn = Arc::clone(lock(&self.turns).entry(variant.entry.name).or_default());
        std::thread::spawn(move || {
            let turn = lock(&turn);
            // Work that fails leaves an empty result, not a page that waits for ever.
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(make));
            drop(turn);
            lock(&made).insert(key, Some(Arc::new(result.unwrap_or_default())));
        });
        None
    }
}
