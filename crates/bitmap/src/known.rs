//! How many positions are known to be lost, where.
//!
//! The lost positions themselves are not kept, so what a round adds to them is
//! found by counting: what a region holds now, less what it held before. While
//! much changes, that is counted for whole regions, which is quick; a region of
//! which only a few tiles change gets a count for each of its tiles.

use crate::flags::FLAGS;
use crate::layout::LOW;
use crate::region::{REGION, REGION_WEIGHTS};
use rayon::prelude::*;

/// The counts of a tile by weight; symmetries count some bits several times.
type TileCounts = [u16; LOW + 1];

/// The counts of a region by weight.
pub(crate) type RegionCounts = [u32; REGION_WEIGHTS];

/// What is known of one king's lost positions.
#[derive(Debug, Clone)]
pub(crate) struct KnownMap {
    /// For each region the counts by weight.
    regions: Vec<RegionCounts>,
    /// For each region whether its tiles' counts are right.
    fine: Vec<bool>,
    tiles: Vec<TileCounts>,
    /// The tiles with all positions lost: they cannot change any more.
    full: Vec<u64>,
}

/// What is known of a region.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    region: &'a mut RegionCounts,
    pub(crate) fine: &'a mut bool,
    tiles: &'a mut [TileCounts],
    pub(crate) full: &'a mut [u64],
}

impl KnownMap {
    pub(crate) fn new(tiles: usize) -> Self {
        let regions = tiles.div_ceil(REGION);
        Self {
            regions: vec![[0; REGION_WEIGHTS]; regions],
            fine: vec![false; regions],
            tiles: vec![[0; LOW + 1]; tiles],
            full: vec![0; tiles.div_ceil(FLAGS)],
        }
    }

    /// The bytes for a map of so many tiles.
    pub(crate) fn memory(tiles: u64) -> u64 {
        let regions = tiles.div_ceil(REGION as u64);
        regions * (size_of::<RegionCounts>() as u64 + 1)
            + tiles * size_of::<TileCounts>() as u64
            + tiles.div_ceil(8)
    }

    /// The counts of each region: all that must be saved.
    pub(crate) fn region_counts(&self) -> &[RegionCounts] {
        &self.regions
    }

    /// Goes on from saved counts.
    pub(crate) fn restore(&mut self, counts: Vec<RegionCounts>) {
        let tiles = self.tiles.len();
        *self = Self { regions: counts, ..Self::new(tiles) };
    }

    /// The regions one by one.
    pub(crate) fn regions_mut(&mut self) -> impl IndexedParallelIterator<Item = Known<'_>> {
        let size = self.tiles.len().min(REGION);
        self.regions
            .par_iter_mut()
            .zip(self.fine.par_iter_mut())
            .zip(self.tiles.par_chunks_mut(size))
            .zip(self.full.par_chunks_mut(size.div_ceil(FLAGS)))
            .map(|(((region, fine), tiles), full)| Known { region, fine, tiles, full })
    }
}

impl Known<'_> {
    /// Records the counts of the whole region, and turns `counts` into the gain.
    #[inline(always)]
    pub(crate) fn set_region(&mut self, counts: &mut [u64; REGION_WEIGHTS]) {
        for (known, now) in self.region.iter_mut().zip(counts) {
            let before = std::mem::replace(known, *now as u32);
            *now -= u64::from(before);
        }
        *self.fine = false;
    }

    /// Records the counts of a tile, and adds its gain to that of the region.
    /// In a region whose tiles were not counted yet, the gain is the whole count.
    #[inline(always)]
    pub(crate) fn set_tile(
        &mut self,
        tile: usize,
        low: &[u64; LOW + 1],
        counts: &mut [u64; REGION_WEIGHTS],
    ) {
        let weight = tile.count_ones() as usize;
        for (w, (known, &now)) in self.tiles[tile].iter_mut().zip(low).enumerate() {
            let before = std::mem::replace(known, now as u16);
            counts[weight + w] += now - if *self.fine { u64::from(before) } else { 0 };
        }
    }

    /// Ends a row of [`set_tile`](Self::set_tile)s: all of the region's, if
    /// `whole`. Turns `counts` into the gain.
    #[inline(always)]
    pub(crate) fn end_tiles(&mut self, whole: bool, counts: &mut [u64; REGION_WEIGHTS]) {
        if whole {
            self.set_region(counts);
            *self.fine = true;
        } else {
            for (known, gain) in self.region.iter_mut().zip(counts) {
                *known += *gain as u32;
            }
        }
    }
}
