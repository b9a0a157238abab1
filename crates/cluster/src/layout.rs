//! How the cells of a tier are spread: in shards, whose number does not depend on that of the workers.

use crate::deal::deal;
use kanzen_solve::Sharded;
use std::ops::Range;
use std::sync::Arc;

/// The fewest shards of a large tier.
const SHARDS: u64 = 256;
/// The fewest cells of a shard: 2 to the power of this.
const LEAST_BITS: u32 = 10;
const ONE_BITS: u32 = 15;
/// The most cells of a tier that is one shard.
pub(crate) const ONE: u64 = 1 << ONE_BITS;
/// The most cells of a shard, so that their numbers, and those of the moves to them, have 32 bits.
const MOST_BITS: u32 = 28;

/// The shards of a tier, and who owns them.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    size: u64,
    bits: u32,
    /// The worker that owns a shard, and its place among those of its owner.
    owners: Arc<[(u32, u32)]>,
}

impl Layout {
    /// Spreads so many cells over so many workers, in turn.
    pub(crate) fn new(size: u64, workers: usize) -> Layout {
        Layout::with(size, MOST_BITS, |shard| shard % workers)
    }

    /// Spreads the cells of a tier, so that few moves lead from one worker to another.
    pub(crate) fn by_moves(game: &dyn Sharded, tier: usize, workers: usize) -> Layout {
        let layout = Layout::new(game.tiers()[tier].size, workers);
        match deal(game, tier, &layout.ranges(), workers) {
            Some(owners) => Layout::with(layout.size, MOST_BITS, |shard| owners[shard]),
            None => layout,
        }
    }

    /// All cells in one shard of this worker.
    pub(crate) fn whole(size: u64, owner: usize) -> Layout {
        Layout::of_bits(size, size.max(2).next_power_of_two().ilog2(), |_| owner)
    }

    /// Shards of at most 2 to the power of `most` cells, each of the worker that is told.
    fn with(size: u64, most: u32, owner: impl Fn(usize) -> usize) -> Layout {
        let bits = match size {
            0..=ONE => ONE_BITS,
            _ => (size / SHARDS).ilog2().max(LEAST_BITS),
        };
        Layout::of_bits(size, bits.min(most), owner)
    }

    fn of_bits(size: u64, bits: u32, owner: impl Fn(usize) -> usize) -> Layout {
        let mut counts = Vec::new();
        let owners = (0..size.div_ceil(1 << bits) as usize).map(|shard| {
            let owner = owner(shard);
            counts.resize(counts.len().max(owner + 1), 0);
            counts[owner] += 1;
            (owner as u32, counts[owner] - 1)
        });
        Layout { size, bits, owners: owners.collect() }
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn shards(&self) -> usize {
        self.owners.len()
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

    /// The cells of all shards.
    pub(crate) fn ranges(&self) -> Vec<Range<u64>> {
        (0..self.shards()).map(|shard| self.range(shard)).collect()
    }

    /// The number of cells of a shard.
    pub(crate) fn cells(&self, shard: usize) -> usize {
        let range = self.range(shard);
        (range.end - range.start) as usize
    }

    /// The worker that owns a shard.
    pub(crate) fn owner(&self, shard: usize) -> usize {
        self.owners[shard].0 as usize
    }

    /// The shards of a worker.
    pub(crate) fn own(&self, worker: usize) -> Vec<usize> {
        (0..self.shards()).filter(|&shard| self.owner(shard) == worker).collect()
    }

    /// The place of a shard among those of a worker, if it is one of them.
    #[inline]
    pub(crate) fn local(&self, shard: usize, worker: usize) -> Option<usize> {
        let &(owner, local) = self.owners.get(shard)?;
        (owner as usize == worker).then_some(local as usize)
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
            let whole = Layout::whole(size, first % workers);
            assert_eq!((whole.shards(), whole.owner(0)), (1, first % workers));
            let layout = Layout::with(size, most, |shard| (shard * shard + first) % workers);
            let mut owned = vec![0; layout.shards()];
            for worker in 0..workers {
                for (local, shard) in layout.own(worker).into_iter().enumerate() {
                    assert_eq!(layout.local(shard, worker), Some(local));
                    assert_eq!(layout.local(shard, worker + 1), None);
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
        assert_eq!(huge.local(1 << 16, 0), None);
    }
}
