//! The working memory of the frontier engine: two bytes for each position.
//!
//! While a position is open its cell counts the moves that have not lost yet; once settled it
//! holds the value. One load tells both, and one compare-and-swap changes both, so that threads
//! need no locks.

use crate::HOLE;
use kanzen_core::Value;
use kanzen_machine::zeros;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

pub(crate) const SETTLED: u16 = 0x8000;

/// The largest count of a cell.
pub const MAX_COUNT: u32 = 0x7fff;

/// The most plies of a settled cell.
pub const MAX_PLIES: u16 = Value::MAX_PLIES;

/// A cell for each position of a tier.
pub(crate) struct Cells(Vec<AtomicU16>);

impl Cells {
    /// Cells that stand for nothing yet.
    pub(crate) fn new(size: usize) -> Cells {
        Cells::from_raw(zeros(size))
    }

    /// Cells as [`raw`](Cells::raw) gave them.
    pub(crate) fn from_raw(raw: Vec<u16>) -> Cells {
        Cells(raw.into_iter().map(AtomicU16::new).collect())
    }

    /// The bits of all cells, for a checkpoint.
    pub(crate) fn raw(&self) -> impl Iterator<Item = u16> {
        self.0.iter().map(|cell| cell.load(Relaxed))
    }

    pub(crate) fn as_slice(&self) -> &[AtomicU16] {
        &self.0
    }

    /// Begins to count the moves of a position.
    pub(crate) fn open(&self, index: u64, count: u32) {
        debug_assert!((1..=MAX_COUNT).contains(&count));
        self.0[index as usize].store(count as u16, Relaxed);
    }

    /// Settles a position for good.
    pub(crate) fn settle(&self, index: u64, value: Value) {
        self.0[index as usize].store(SETTLED | value.code(), Relaxed);
    }

    /// A move is the best there can be: settles the position unless it is settled. Tells whether
    /// this did it.
    #[inline]
    pub(crate) fn take(&self, index: u64, value: Value) -> bool {
        let cell = &self.0[index as usize];
        let old = cell.load(Relaxed);
        let new = SETTLED | value.code();
        // A cell that another thread has counted down meanwhile must be tried again.
        old & SETTLED == 0
            && cell
                .fetch_update(Relaxed, Relaxed, |now| (now & SETTLED == 0).then_some(new))
                .is_ok()
    }

    /// Some moves are of no use, and the last of them leads to `value`: settles the position if no
    /// other is left. Tells whether this did it.
    #[inline]
    pub(crate) fn count_down(&self, index: u64, moves: u16, value: Value) -> bool {
        let cell = &self.0[index as usize];
        let old = cell.load(Relaxed);
        if old & SETTLED != 0 {
            return false;
        }
        let settled = SETTLED | value.code();
        // Only in a checkpoint that is forged are fewer moves left.
        let last = cell.fetch_update(Relaxed, Relaxed, |now| {
            let left = if now <= moves { settled } else { now - moves };
            (now & SETTLED == 0).then_some(left)
        });
        last.is_ok_and(|old| old <= moves)
    }

    /// The value of a settled cell.
    #[inline]
    pub(crate) fn settled(&self, index: u64) -> Option<Value> {
        let cell = self.0[index as usize].load(Relaxed);
        (cell & SETTLED != 0).then(|| Value::from_code(cell & !SETTLED))
    }

    /// The positions of a range that have one of two values.
    pub(crate) fn settled_at(&self, range: Range<u64>, values: [Value; 2]) -> Vec<u64> {
        let [one, other] = values.map(|value| SETTLED | value.code());
        let mut found = vec![0; (range.end - range.start) as usize];
        let mut count = 0;
        for (cell, index) in self.0[range.start as usize..range.end as usize].iter().zip(range) {
            // Written in any case, and kept if it counts: the branch would be a gamble.
            found[count] = index;
            let cell = cell.load(Relaxed);
            count += usize::from((cell == one) | (cell == other));
        }
        found.truncate(count);
        found
    }

    /// The final values as codes; those that are still open are told by `open`.
    pub(crate) fn into_codes(self, open: impl Fn(u64) -> Value) -> Vec<u16> {
        let cells = self.0.into_iter().enumerate();
        cells.map(|(index, cell)| code(index as u64, cell.into_inner(), &open)).collect()
    }

    /// The same one after the other.
    pub(crate) fn codes(&self, open: impl Fn(u64) -> Value) -> impl Iterator<Item = u16> {
        (0..).zip(self.raw()).map(move |(index, cell)| code(index, cell, &open))
    }
}

/// The final value of a cell as a code.
#[inline]
fn code(index: u64, cell: u16, open: impl Fn(u64) -> Value) -> u16 {
    match cell {
        0 => HOLE,
        cell if cell & SETTLED != 0 => cell & !SETTLED,
        _ => open(index).code(),
    }
}
