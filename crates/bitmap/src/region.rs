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
    pub(crate) branches: Vec<Tile>,
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
            branches: vec![Tile::EMPTY; branches_needed(mixed)],
            news: Vec::new(),
        }
    }

    /// Counts a tile's bits: each as often as symmetries leave it in place, so
    /// that the sum divided by the number of symmetries that leave the king in
    /// place is the number of positions up to symmetry (Burnside's lemma).
    #[inline(always)]
    pub(crate) fn census(
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
        if king.valid == Tile::FULL {
            self.tally.add(weight, tile);
        } else {
            let mut valid = *tile;
            valid.and(&king.valid);
            self.tally.add(weight, &valid);
        }
        for &g in &king.stabiliser {
            let symmetry = &plan.symmetries[g];
            if symmetry.tile(number) == number {
                let mut fixed = *tile;
                fixed.and(symmetry.fixed());
                fixed.and(&king.valid);
                let mut low = [0; LOW + 1];
                fixed.count_by_weight(1, &mut low);
                for (w, n) in low.into_iter().enumerate() {
                    counts[weight + w] += n;
                }
            }
        }
    }
}
