//! Passes over all positions of an index, shared out among threads.

use super::cells::{Cells, equal_bytes};
use super::index::{BlockView, Index};
use super::rules::Position;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

/// Positions a thread works on at a time: a multiple of the cells in a word.
const CHUNK: u32 = 1 << 16;

/// Hands out the positions of an index in chunks, in ascending order.
pub struct Chunks {
    next: AtomicU32,
    len: u32,
}

impl Chunks {
    /// All positions of an index of `len`.
    pub fn new(len: u32) -> Chunks {
        Chunks { next: AtomicU32::new(0), len }
    }

    /// The next chunk, until there is none.
    pub fn take(&self) -> Option<Range<u32>> {
        let start = self.next.fetch_add(CHUNK, Relaxed);
        // A thread asks at most once in vain, so the counter cannot run over.
        (start < self.len).then(|| start..self.len.min(start.saturating_add(CHUNK)))
    }
}

/// Calls `visit` with every position of a chunk whose cell has a value.
#[inline(always)]
pub fn for_each_equal(
    index: &Index,
    cells: &Cells,
    chunk: Range<u32>,
    value: u8,
    mut visit: impl FnMut(u32, &BlockView<'_>, Position),
) {
    let mut block_number = index.block_number_of(chunk.start);
    let mut block = index.block(block_number);
    for word in chunk.start / 8..chunk.end.div_ceil(8) {
        let mut hits = equal_bytes(cells.words()[word as usize].load(Relaxed), value);
        while hits != 0 {
            let number = word * 8 + hits.trailing_zeros() / 8;
            hits &= hits - 1;
            if number >= chunk.end {
                break;
            }
            while number >= block.start + block.len() as u32 {
                block_number += 1;
                block = index.block(block_number);
            }
            visit(number, &block, block.position((number - block.start) as usize));
        }
    }
}

/// Goes over all positions with `threads` threads, each of which collects into a `T` of its own,
/// and gives what was collected.
pub fn collect<T: Default + Send>(
    index: &Index,
    threads: usize,
    visit: impl Fn(&mut T, u32, &BlockView<'_>, Position) + Sync,
) -> Vec<T> {
    let chunks = Chunks::new(index.len());
    let work = || {
        let mut collected = T::default();
        while let Some(chunk) = chunks.take() {
            index.for_each_position(chunk, |number, block, position| {
                visit(&mut collected, number, block, position)
            });
        }
        collected
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    })
}
