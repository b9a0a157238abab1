//! A region: the tiles one task works on, small enough for the second-level
//! cache, and the working memory of such a task.

use crate::layout::LOW;
use crate::lose::branches_needed;
use crate::plan::{KingPlan, Plan};
use crate::tally::Tally;
use crate::tile::Tile;

/// The slots that number the tiles of a region.
pub(crate) const REGION_SLOTS: usize = 8;
/// The most tiles of a region; small maps have fewer.
pub const REGION: usize = 1 << REGION_SLOTS;
/// The numbers of pieces there can be in the slots of a region.
pub(crate) const REGION_WEIGHTS: usize = LOW + REGION_SLOTS + 1;

/// Memory that is used again from region to region.
#[derive(Debug, Clone)]
pub(crate) struct Scratch {
    pub(crate) tally: Tally,
    /// The tiles a move may come from.
    pub(crate) sources: Vec<u32>,
    /// Partial results of captures.
    pub(crate) branches: [Vec<Tile>; 2],
    /// New bits of a region.
    pub(crate) news: Vec<Tile>,
}

impl Scratch {
    pub(crate) fn new(plan: &Plan) -> Self {
        let pairs = plan.kings.iter().map(|k| k.pairs.len()).max().unwrap_or(0);
        let terms = plan.kings.iter().flat_map(|k| &k.groups).flat_map(|g| &g.terms);
        let mixed = terms.map(|t| t.captures.mixed.len()).max().unwrap_or(0);
        Self {
            tally: Tally::new(REGION_SLOTS + 1),
            sources: vec![0; pairs + 1],
            branches: [0; 2].map(|_| vec![Tile::EMPTY; branches_needed(mixed)]),
            news: Vec::new(),
        }
    }

    /// Counts a tile's bits as [`count`] does, but gathers most of them in the
    /// tally, to be drained at the end of the region.
    #[inline(always)]
    pub(crate) fn tally(
        &mut self,
        plan: &Plan,
        king: &KingPlan,
        number: u32,
        within_region: usize,
        tile: &Tile,
        counts: &mut [u64; REGION_WEIGHTS],
    ) {
        if number & king.phantom_tiles != 0 {
            return;
        }
        let weight = within_region.count_ones() as usize;
        match &king.valid {
            None => self.tally.add(weight, tile),
            Some(valid) => self.tally.add(weight, &intersection(tile, valid)),
        }
        let mut low = [0; LOW + 1];
        count_fixed(plan, king, number, tile, &mut low);
        for (w, n) in low.into_iter().enumerate() {
            counts[weight + w] += n;
        }
    }
}

/// Counts a tile's bits by weight: each as often as symmetries leave it in
/// place, so that the sum divided by the number of symmetries that leave the
/// king in place is the number of positions up to symmetry (Burnside's lemma).
#[inline(always)]
pub(crate) fn count(
    plan: &Plan,
    king: &KingPlan,
    number: u32,
    tile: &Tile,
    counts: &mut [u64; LOW + 1],
) {
    if number & king.phantom_tiles != 0 {
        return;
    }
    match &king.valid {
        None => tile.count_by_weight(1, counts),
        Some(valid) => intersection(tile, valid).count_by_weight(1, counts),
    }
    count_fixed(plan, king, number, tile, counts);
}

/// As [`count`], whatever the weight.
pub(crate) fn count_all(plan: &Plan, king: &KingPlan, number: u32, tile: &Tile) -> u64 {
    if number & king.phantom_tiles != 0 {
        return 0;
    }
    let valid = king.valid.as_ref().map_or(*tile, |valid| intersection(tile, valid));
    let fixed = king.stabiliser.iter().map(|&g| &plan.symmetries[g]);
    let fixed = fixed.filter(|symmetry| symmetry.tile(number) == number);
    valid.count()
        + fixed.map(|symmetry| intersection(&valid, symmetry.fixed()).count()).sum::<u64>()
}

/// The part of [`count`] that symmetries other than the identity leave in place.
#[inline(always)]
fn count_fixed(
    plan: &Plan,
    king: &KingPlan,
    number: u32,
    tile: &Tile,
    counts: &mut [u64; LOW + 1],
) {
    for &g in &king.stabiliser {
        let symmetry = &plan.symmetries[g];
        if symmetry.tile(number) == number {
            let mut fixed = intersection(tile, symmetry.fixed());
            if let Some(valid) = &king.valid {
                fixed.and(valid);
            }
            fixed.count_by_weight(1, counts);
        }
    }
}

#[inline(always)]
fn intersection(a: &Tile, b: &Tile) -> Tile {
    let mut both = *a;
    both.and(b);
    both
}
