//! Counting once more what was found, on its way to a table.
//!
//! The positions of a map are counted up to symmetry by Burnside's lemma, as the solver counts them,
//! but from what was read back. Of the blocks that symmetries map to each other one stands for all.

use crate::census::Census;
use crate::index::Index;
use crate::layout::LOW;
use crate::plan::Plan;
use crate::region::{REGION, count_all};
use crate::tile::Tile;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The positions of a map that were won in each round, counted block by block.
pub struct Recount<'a> {
    index: &'a Index,
    plan: Arc<Plan>,
    king: usize,
    rounds: Vec<AtomicU64>,
}

impl<'a> Recount<'a> {
    /// Begins to count every king's map, for a solve of `rounds` rounds.
    pub fn all(index: &'a Index, rounds: usize) -> impl Iterator<Item = Recount<'a>> {
        let plan = Arc::new(Plan::new(index.graph()));
        (0..index.kings().len()).map(move |king| Recount {
            index,
            plan: Arc::clone(&plan),
            king,
            rounds: (0..rounds).map(|_| AtomicU64::new(0)).collect(),
        })
    }

    /// Adds the positions of a block that a round found won, whose bits are in rising order.
    pub fn add(&self, round: usize, block: usize, tiles: impl Iterator<Item = Tile>) {
        let king = &self.plan.kings[self.king];
        let first = (block * REGION) as u32;
        let found: u64 = (first..)
            .zip(tiles)
            .filter(|(_, tile)| !tile.is_empty())
            .map(|(number, tile)| count_all(&self.plan, king, number, &tile))
            .sum();
        if found > 0
            && let Some(sum) = self.rounds.get(round)
        {
            sum.fetch_add(found * self.index.block_orbit(self.king, block) as u64, Relaxed);
        }
    }

    /// As [`add`](Self::add), for a map in bytes.
    pub fn add_bytes(&self, round: usize, block: usize, map: &[u8]) {
        let tiles = map.chunks_exact(Tile::BITS / 8).map(|bytes| {
            let (words, _) = bytes.as_chunks::<8>();
            Tile(std::array::from_fn(|word| u64::from_le_bytes(words[word])))
        });
        self.add(round, block, tiles);
    }

    /// Whether as many positions were counted in each round as the census has.
    #[must_use]
    pub fn agrees(&self, census: &Census) -> bool {
        let counted = self.counted();
        counted.len() == census.won_in_map(self.king).count()
            && census.won_in_map(self.king).eq(counted)
    }

    /// As [`agrees`](Self::agrees), whatever the rounds.
    #[must_use]
    pub fn agrees_in_all(&self, census: &Census) -> bool {
        census.won_in_map(self.king).sum::<u64>() == self.counted().iter().sum::<u64>()
    }

    /// The positions of each round, up to symmetry.
    #[must_use]
    pub fn counted(&self) -> Vec<u64> {
        let order = self.plan.kings[self.king].stabiliser.len() as u64 + 1;
        self.rounds.iter().map(|n| n.load(Relaxed) / order).collect()
    }
}

const _: () = assert!(Tile::BITS == 1 << LOW);
