//! The numbering of states: the number of the board, then that of the barred move.
//!
//! The engine has no need of it; it is for the plain solver and for the check of the game.

use super::board::Board;
use super::rules::{Ostle, State, Undo};
use super::tiers::Tiers;
use super::undo::{self, STATES};
use kanzen_index::{Indexed, Place};

/// The boards and states of a game.
#[derive(Debug)]
pub struct Space {
    /// The boards, by numbers of pieces.
    pub tiers: Tiers,
    states: Vec<kanzen_index::Tier>,
}

impl Space {
    /// All boards with at least `least` pieces a side and at most `total` in all.
    pub fn new(least: u32, total: u32) -> Space {
        let tiers = Tiers::new(least, total);
        let states = tiers.all().iter().map(|tier| kanzen_index::Tier {
            name: tier.name(),
            size: u64::from(tier.size()) * u64::from(STATES),
            loops: true,
        });
        Space { states: states.collect(), tiers }
    }

    /// The game on these boards, under any bar.
    pub fn game(&self, undo: Undo) -> Ostle {
        let total = 2 * self.tiers.least() + self.tiers.all().len() as u32 - 1;
        Ostle::new(self.tiers.least(), total, undo)
    }

    /// The tier of a state, the number of its board, and the number of the barred move on the
    /// board with that number.
    #[inline(always)]
    pub fn place(&self, state: &State) -> (usize, u32, u8) {
        let tier = self.tiers.tier_of(&state.board);
        let part = self.tiers.all()[tier].part_with(state.board.mine.count_ones());
        let (number, symmetry) = part.index.place(&state.board);
        let barred = state.barred.map_or(0, |mv| {
            let (board, mv) = (state.board.image(symmetry), mv.image(symmetry));
            match part.index.rows().key(state.board.hole, state.board.theirs).is_plain() {
                true => undo::number(&board, mv),
                false => least_number(&board, mv),
            }
        });
        (tier, part.first + number, barred)
    }
}

/// The least number that the symmetries of a board give to a move.
pub(super) fn least_number(board: &Board, mv: super::rules::Move) -> u8 {
    let numbers = board.stabiliser().map(|symmetry| undo::number(board, mv.image(symmetry)));
    numbers.min().unwrap_or(0)
}

impl Indexed for Ostle {
    const INDEX_VERSION: u32 = 1;

    fn tiers(&self) -> &[kanzen_index::Tier] {
        &self.space().states
    }

    fn locate(&self, state: &State) -> Place {
        let (tier, number, barred) = self.space().place(state);
        Place { tier, index: u64::from(number) * u64::from(STATES) + u64::from(barred) }
    }

    fn position(&self, place: Place) -> Option<State> {
        let (number, barred) =
            (place.index / u64::from(STATES), (place.index % u64::from(STATES)) as u8);
        let board = self.space().tiers.all().get(place.tier)?.board(number as u32)?;
        if barred == 0 {
            return Some(State::free(board));
        }
        let mv = undo::numbered(&board, barred)?;
        let state = State { board, barred: Some(mv) };
        let can_be_barred = match self.undo() {
            Undo::Exact => Ostle::undoing(&board, mv).is_some(),
            Undo::Symmetric => undo::before(self, &state).is_some(),
            Undo::Allowed => false,
        };
        // A move of the hole must lead to an empty cell.
        let exists = Ostle::all_moves(&board).any(|other| other == mv);
        (exists && can_be_barred && least_number(&board, mv) == barred).then_some(state)
    }
}
