//! Whether somebody still waits for an answer. Work that nobody waits for should end soon.

use crate::http::errors::Trouble;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

thread_local! {
    /// Whether the one whom this thread works for has gone.
    static GONE: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The side that waits: when it is dropped, the work is told.
#[derive(Default)]
pub struct Waiting(Arc<AtomicBool>);

impl Waiting {
    /// What tells the work.
    pub fn sign(&self) -> Sign {
        Sign(Arc::clone(&self.0))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The side that works.
pub struct Sign(Arc<AtomicBool>);

impl Sign {
    /// Does work during which [`ask`] knows whether somebody waits.
    pub fn during<T>(self, work: impl FnOnce() -> T) -> T {
        GONE.with(|gone| *gone.borrow_mut() = Some(self.0));
        let done = work();
        GONE.with(|gone| *gone.borrow_mut() = None);
        done
    }
}

/// Asks whether to go on with the work of this thread.
///
/// # Errors
/// If nobody waits for it any more.
pub fn ask() -> Result<(), Trouble> {
    let gone = GONE.with(|gone| gone.borrow().as_ref().is_some_and(|gone| gone.load(Relaxed)));
    if gone { Err(Trouble::Busy) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_hears_that_nobody_waits() {
        let waiting = Waiting::default();
        let sign = waiting.sign();
        assert!(ask().is_ok(), "work that nobody ordered goes on");
        sign.during(|| {
            assert!(ask().is_ok());
            drop(waiting);
            assert!(ask().is_err());
        });
        assert!(ask().is_ok());
    }
}
