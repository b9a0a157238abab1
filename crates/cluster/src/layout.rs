//! How the cells of a tier are spread: in shards, whose number does not depend on that of the workers.

use std::ops::Range;

/// The fewest shards of a large tier.
const SHARDS: u64 = 256;
/// The fewest cells of a shard: 2 to the power of this.
const LEAST_BITS: u32 = 10;
/// The most cells of a tier that is one shard: 2 to the power of this.
const ONE_BITS: u32 = 15;
const ONE: u64 = 1 << ONE_BITS;
/// The most cells of a shard, so that their numbers, and those of the moves to them, have 32 bits.
const MOST_BITS: u32 = 28;

/// The shards of a tier, and who owns them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    size: u64,
    bits: u32,
    workers: usize,
    /// The worker that owns the first shard.
    first: usize,
}

impl Layout {
    /// Spreads so many cells over so many workers.
    pub(crate) fn new(size: u64, workers: usize) -> Layout {
        Layout::with(size, workers, MOST_BITS)
    }

    /// The same with at most 2 to the power of `most` cells in a shard.
    fn with(size: u64, workers: usize, most: u32) -> Layout {
        let bits = match size {
            0..=ONE => ONE_BITS,
            _ => (size / SHARDS).ilog2().max(LEAST_BITS),
        };
        Layout { size, bits: bits.min(most), workers, first: 0 }
    }

    /// All cells in one shard.
    pub(crate) fn whole(size: u64, workers: usize) -> Layout {
        let bits = size.max(2).next_power_of_two().ilog2();
        Layout { bits, ..Layout::new(size, workers) }
    }

    /// The same cells with the first shard at this worker.
    pub(crate) fn from(self, first: usize) -> Layout {
        Layout { first, ..self }
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn shards(&self) -> usize {
        self.size.div_ceil(1 << self.bits) as usize
    }

    /// The shard of a cell, and its place there.
    #[inline]
    pub(crate) fn place(&self, index: u64) -> (usize, u32) {
        ((index >> self.bits) as usize, (index & ((1 << self.bits) - 1)) as u32)
    }

    /// The cells of a shard.
    pub(crate) fn range(&self, shard: usize) -> Range<u64> {
        let first = (shard as u64) << self.bits;
        first..self.size.min(first + (1 << self.bits))
    }

    /// The number of cells of a shard.
    pub(crate) fn cells(&self, shard: usize) -> usize {
        let range = self.range(shard);
        (range.end - range.start) as usize
    }

    /// The worker that owns a shard.
    #[inline]
    pub(crate) fn owner(&self, shard: usize) -> usize {
        (shard + self.first) % self.workers
    }

    /// The shards of a worker.
    pub(crate) fn own(&self, worker: usize) -> impl Iterator<Item = usize> + use<> {
        (self.start(worker)..self.shards()).step_by(self.workers)
    }

    /// The shard of a worker with this place among its own.
    #[inline]
    pub(crate) fn global(&self, worker: usize, local: usize) -> usize {
        self.start(worker) + local * self.workers
    }

    /// The first shard of a worker.
    #[inline]
    fn start(&self, worker: usize) -> usize {
        let ahead = worker + self.workers - self.first;
        if ahead >= self.workers { ahead - self.workers } else { ahead }
    }

    /// The place of a shard among those of its owner.
    #[inline]
    pub(crate) fn local(&self, shard: usize) -> usize {
        shard / self.workers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_one_owner() {
        let sizes = [(1, 1, 28), (5000, 3, 28), (1 << 20, 7, 28), (40_000_003, 2, 28)];
        // As in a tier so large that its shards must be more than usual.
        let many = [(40_000_003, 2, 12), (1 << 20, 7, 10)];
        for (first, (size, workers, most)) in (0..).zip(sizes.into_iter().chain(many)) {
            let whole = Layout::whole(size, workers).from(first % workers);
            assert_eq!((whole.shards(), whole.owner(0)), (1, first % workers));
            let layout = Layout::with(size, workers, most).from(first % workers);
            let mut owned = vec![0; layout.shards()];
            for worker in 0..workers {
                for (local, shard) in layout.own(worker).enumerate() {
                    assert_eq!((layout.owner(shard), layout.local(shard)), (worker, local));
                    owned[shard] += 1;
                }
            }
            assert!(owned.iter().all(|&owners| owners == 1));
            assert_eq!(
                (0..layout.shards()).map(|shard| layout.cells(shard) as u64).sum::<u64>(),
                size
            );
            for index in [0, size / 2, size - 1] {
                let (shard, offset) = layout.place(index);
                assert_eq!(layout.range(shard).start + u64::from(offset), index);
            }
        }
        assert!((256..=512).contains(&Layout::new(1 << 35, 2).shards()));
        let huge = Layout::new(1 << 44, 2);
        assert_eq!(huge.place((1 << 44) - 1), ((1 << 16) - 1, (1 << 28) - 1));
        assert!((256..=512).contains(&Layout::new(999_999_999, 2).shards()));
    }
}
