//! Simpei's tiers: one for each number of pieces on the board, solved from the full board down.

use super::board::symmetries;
use super::rules::{Position, Simpei};
use super::unmoves::steps_back;
use kanzen_core::Text;
use kanzen_index::{Group, Indexed, PairIndex, Place, Tier};

impl Simpei {
    /// The game with this many pieces a side (2 to [`Simpei::PIECES`]), with the first piece
    /// placed freely or, as in the official game, on an upper centre hole.
    pub fn new(pieces_a_side: u32, free_first_move: bool) -> Simpei {
        let group = Group::new(&symmetries());
        let all = 2 * pieces_a_side;
        let indices: Vec<PairIndex> = (0..=all)
            .map(|pieces| PairIndex::new(group.clone(), pieces / 2, pieces.div_ceil(2)))
            .collect();
        let tiers = (0..=all)
            .rev()
            .map(|pieces| indices[pieces as usize].tier(format!("{pieces} pieces"), pieces == all))
            .collect();
        Simpei { pieces_a_side, free_first_move, group, tiers, indices }
    }

    #[inline]
    pub(super) fn index_for(&self, position: &Position) -> &PairIndex {
        &self.indices[position.pieces() as usize]
    }
}

impl Indexed for Simpei {
    const INDEX_VERSION: u32 = 1;
    const UNMOVES: bool = true;
    const QUICK_WINS: bool = true;

    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    #[inline]
    fn tier(&self, position: &Position) -> usize {
        (self.all_pieces() - position.pieces()) as usize
    }

    #[inline]
    fn tier_title(&self, tier: usize) -> Text {
        let name = &self.tiers()[tier].name;
        Text::new(name, name.replace(" pieces", "個"))
    }

    fn locate(&self, position: &Position) -> Place {
        Place {
            tier: self.tier(position),
            index: self.index_for(position).index(position.mine, position.theirs),
        }
    }

    #[inline]
    fn position(&self, place: Place) -> Option<Position> {
        let pieces = (self.all_pieces() as usize).checked_sub(place.tier)?;
        let (mine, theirs) = self.indices[pieces].sets(place.index)?;
        Some(Position { mine, theirs })
    }

    #[inline]
    fn orbit(&self, position: &Position) -> u32 {
        self.index_for(position).orbit(position.mine, position.theirs)
    }

    #[inline]
    fn predecessors(&self, position: &Position, each: impl FnMut(Position)) {
        if position.pieces() == self.all_pieces() {
            steps_back(position, each);
        }
    }
}
