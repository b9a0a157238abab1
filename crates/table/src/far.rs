//! Tables that are far away: their bytes are brought piece by piece, when somebody asks for them.
//!
//! To ask for one piece after the other takes a way there and back each. [`gathering`] first lets the
//! work go as far as it can, hears what it lacks, has all of it brought at once, and does it again.

use crate::Source;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Bytes of pieces that are kept in memory; more, and all are forgotten.
const KEPT: usize = 64 << 20;
/// How often work is done again before it must take its pieces one by one.
const ROUNDS: usize = 100;

/// Brings bytes from far away.
pub trait Carrier: Send + Sync {
    /// The bytes of some ranges, in their order.
    ///
    /// # Errors
    /// If they cannot be had, or are not what they were before.
    fn bring(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>>;
}

/// A table that is far away.
pub struct Far {
    name: String,
    length: u64,
    carrier: Box<dyn Carrier>,
    whole: OnceLock<Vec<u8>>,
    pieces: RwLock<Pieces>,
}

#[derive(Default)]
struct Pieces {
    by_offset: BTreeMap<u64, Vec<u8>>,
    bytes: usize,
}

/// What work lacks: a part of a table.
pub type Lack = (Arc<Far>, Range<u64>);

thread_local! {
    /// What the work of this thread lacks; none if it waits for every piece.
    static LACKS: RefCell<Option<Vec<Lack>>> = const { RefCell::new(None) };
}

impl Far {
    /// A table of so many bytes.
    pub fn new(name: impl Into<String>, length: u64, carrier: Box<dyn Carrier>) -> Arc<Far> {
        let (name, whole, pieces) = (name.into(), OnceLock::new(), RwLock::default());
        Arc::new(Far { name, length, carrier, whole, pieces })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Keeps bytes that have come, if they lie inside the table.
    pub fn give(&self, offset: u64, bytes: Vec<u8>) {
        if offset == 0 && bytes.len() as u64 == self.length {
            _ = self.whole.set(bytes);
            return;
        }
        let mut pieces = self.pieces.write().unwrap_or_else(PoisonError::into_inner);
        if pieces.bytes > KEPT {
            *pieces = Pieces::default();
        }
        pieces.bytes += bytes.len();
        if let Some(old) = pieces.by_offset.insert(offset, bytes) {
            pieces.bytes -= old.len();
        }
    }

    /// Copies bytes that are here; false if they are not.
    fn copy(&self, buffer: &mut [u8], offset: u64) -> bool {
        if let Some(whole) = self.whole.get() {
            return whole.read_at(buffer, offset).is_ok();
        }
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner);
        let Some((start, piece)) = pieces.by_offset.range(..=offset).next_back() else {
            return false;
        };
        piece.read_at(buffer, offset - start).is_ok()
    }
}

impl Source for Arc<Far> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        if self.copy(buffer, offset) {
            return Ok(());
        }
        let range = offset..offset.saturating_add(buffer.len() as u64);
        if range.end > self.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let noted = LACKS.with_borrow_mut(|lacks| match lacks {
            Some(lacks) => {
                lacks.push((Arc::clone(self), range.clone()));
                true
            }
            None => false,
        });
        if noted {
            return Err(io::Error::new(io::ErrorKind::WouldBlock, "it is still on its way"));
        }
        let bytes = self.carrier.bring(std::slice::from_ref(&range))?.pop().unwrap_or_default();
        bytes.read_at(buffer, 0)?;
        self.give(offset, bytes);
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn near(&self) -> bool {
        self.whole.get().is_some()
    }
}

/// Does work once, and tells what it lacks of tables that are far away. If that is anything, its result
/// means nothing.
pub fn gather<T>(work: impl FnOnce() -> T) -> (T, Vec<Lack>) {
    let outer = LACKS.replace(Some(Vec::new()));
    let done = work();
    let lacks = LACKS.replace(outer).unwrap_or_default();
    (done, lacks)
}

/// Whether the work of this thread has lacked something so far, so that it is to be done again.
pub fn lacking() -> bool {
    LACKS.with_borrow(|lacks| lacks.as_ref().is_some_and(|lacks| !lacks.is_empty()))
}

/// Does work, and has what it lacks brought, as much at once as can be.
pub fn gathering<T>(work: impl Fn() -> T) -> T {
    // Somebody else gathers.
    if LACKS.with_borrow(Option::is_some) {
        return work();
    }
    for _ in 0..ROUNDS {
        let (done, lacks) = gather(&work);
        if lacks.is_empty() {
            return done;
        }
        if bring(lacks).is_err() {
            break;
        }
    }
    // Whatever is in the way is met again, where it can be told.
    work()
}

fn bring(mut lacks: Vec<Lack>) -> io::Result<()> {
    while let Some((far, _)) = lacks.first() {
        let far = Arc::clone(far);
        let (of_it, others): (Vec<_>, Vec<_>) =
            lacks.into_iter().partition(|(other, _)| Arc::ptr_eq(other, &far));
        lacks = others;
        let mut ranges: Vec<Range<u64>> = of_it.into_iter().map(|(_, range)| range).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges.dedup();
        let brought = far.carrier.bring(&ranges)?;
        for (range, bytes) in ranges.iter().zip(brought) {
            far.give(range.start, bytes);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    struct Truck(Vec<u8>, Arc<Mutex<Vec<usize>>>);

    impl Carrier for Truck {
        fn bring(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
            self.1.lock().unwrap().push(ranges.len());
            let part =
                |range: &Range<u64>| self.0[range.start as usize..range.end as usize].to_vec();
            Ok(ranges.iter().map(part).collect())
        }
    }

    #[test]
    fn pieces_are_brought_together_and_once() {
        let ways = Arc::new(Mutex::new(Vec::new()));
        let bytes: Vec<u8> = (0..200).collect();
        let far = Far::new("a", 200, Box::new(Truck(bytes, Arc::clone(&ways))));
        let read = |offset: u64| {
            let mut byte = [0];
            far.read_at(&mut byte, offset).map(|()| byte[0])
        };
        let all = || [read(5), read(150), read(7), read(5)];
        let read_all = gathering(all).map(|byte| byte.unwrap());
        assert_eq!(read_all, [5, 150, 7, 5]);
        assert_eq!(*ways.lock().unwrap(), [3], "one way for three pieces");
        assert_eq!(read(9).unwrap(), 9);
        assert_eq!(*ways.lock().unwrap(), [3, 1], "what is not gathered is brought at once");
        let (_, lacks) = gather(|| read(60));
        assert_eq!(lacks[0].1, 60..61);
        assert!(read(200).is_err(), "behind the end there is nothing");
    }
}
