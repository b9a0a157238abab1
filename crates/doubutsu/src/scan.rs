//! Passes over all positions of an index, shared out among threads.

use super::cells::{Cells, equal_bytes};
use super::index::{BlockView, Index};
use super::rules::Position;
use kanzen_solve::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::thread;

/// Positions a thread works on at a time: a multiple of the bits in a word.
const CHUNK: u32 = 1 << 16;

/// Threads that share passes, and where they tell how far they are.
#[derive(Clone, Copy)]
pub struct Team<'a> {
    /// How many there are.
    pub threads: usize,
    /// Where they tell.
    pub progress: &'a dyn Progress,
}

impl Team<'_> {
    /// Does the work in all threads, which share out the positions of an index of `len` in chunks.
    /// Gives what each has found.
    pub fn share<T: Send>(
        &self,
        what: &str,
        len: u32,
        work: impl Fn(&Chunks<'_>) -> T + Sync,
    ) -> Vec<T> {
        self.progress.begin(what, len.into());
        let chunks = Chunks { next: AtomicU32::new(0), len, progress: self.progress };
        let found = thread::scope(|scope| {
            let workers: Vec<_> =
                (0..self.threads).map(|_| scope.spawn(|| work(&chunks))).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().expect("a worker does not panic"))
                .collect()
        });
        self.progress.end();
        found
    }

    /// Goes over all positions; each thread collects into a `T` of its own.
    pub fn collect<T: Default + Send>(
        &self,
        what: &str,
        index: &Index,
        visit: impl Fn(&mut T, u32, Position) + Sync,
    ) -> Vec<T> {
        self.share(what, index.len(), |chunks| {
            let mut collected = T::default();
            while let Some(chunk) = chunks.take() {
                index.for_each_position(chunk, |number, _, position| {
                    visit(&mut collected, number, position)
                });
            }
            collected
        })
    }
}

/// Hands out the positions of an index in chunks, in ascending order.
pub struct Chunks<'a> {
    next: AtomicU32,
    len: u32,
    progress: &'a dyn Progress,
}

impl Chunks<'_> {
    /// The next chunk, until there is none.
    pub fn take(&self) -> Option<Range<u32>> {
        let start = self.next.fetch_add(CHUNK, Relaxed);
        // A thread asks at most once in vain, so the counter cannot run over.
        let end = (start < self.len).then(|| self.len.min(start.saturating_add(CHUNK)))?;
        self.progress.advance((end - start).into());
        Some(start..end)
    }
}

/// Calls `visit` with every position of a chunk whose cell has a value.
#[inline(always)]
pub fn for_each_equal(
    index: &Index,
    cells: &Cells,
    chunk: Range<u32>,
    value: u8,
    mut visit: impl FnMut(u32, Position),
) {
    let mut walk = Walk::new(index, chunk.start);
    for word in chunk.start / 8..chunk.end.div_ceil(8) {
        let mut hits = equal_bytes(cells.words()[word as usize].load(Relaxed), value);
        while hits != 0 {
            let number = word * 8 + hits.trailing_zeros() / 8;
            hits &= hits - 1;
            if number >= chunk.end {
                break;
            }
            visit(number, walk.position(number));
        }
    }
}

/// Calls `visit` with every position of a chunk whose bit is set, and clears the bits.
#[inline(always)]
pub fn take_each_set(
    index: &Index,
    bits: &[AtomicU64],
    chunk: Range<u32>,
    mut visit: impl FnMut(Position),
) {
    let mut walk = Walk::new(index, chunk.start);
    for word in chunk.start / 64..chunk.end.div_ceil(64) {
        let cell = &bits[word as usize];
        let mut hits = cell.load(Relaxed);
        if hits != 0 {
            cell.store(0, Relaxed);
        }
        while hits != 0 {
            visit(walk.position(word * 64 + hits.trailing_zeros()));
            hits &= hits - 1;
        }
    }
}

/// Goes through an index and gives the positions of rising numbers.
struct Walk<'a> {
    index: &'a Index,
    block_number: usize,
    block: BlockView<'a>,
}

impl<'a> Walk<'a> {
    fn new(index: &'a Index, start: u32) -> Walk<'a> {
        let block_number = index.block_number_of(start);
        Walk { index, block_number, block: index.block(block_number) }
    }

    #[inline(always)]
    fn position(&mut self, number: u32) -> Position {
        while number >= self.block.start + self.block.len() as u32 {
            self.block_number += 1;
            self.block = self.index.block(self.block_number);
        }
        self.block.position((number - self.block.start) as usize)
    }
}
