//! The value of any position, looked up in the codes of a solution.

use super::game::{Doubutsu, Side, State};
use super::rules::Position;
use kanzen_analyse::TierCodes;
use kanzen_core::Value;
use kanzen_index::{Indexed, Sight};

/// A solved game: the codes of the open positions, complete, from a solve or from a table.
#[derive(Clone, Copy)]
pub struct Probe<'a> {
    /// The game.
    pub game: &'a Doubutsu,
    /// A code for each open position.
    pub codes: &'a TierCodes,
}

impl Probe<'_> {
    /// The value of the open position with a number.
    #[inline]
    pub fn stored(&self, number: u32) -> Value {
        self.codes.value(number.into())
    }

    /// The value of any position. One whose value is not stored follows from a look at it or, if
    /// the mover's lion is in the enemy's camp, at its moves.
    pub fn value(&self, position: &Position) -> Value {
        if let Some(number) = self.game.index().rank(position) {
            return self.stored(number);
        }
        match self.game.sight(&State { turn: Side::Sente, position: *position }) {
            Sight::Value(value) => value,
            _ => self.best_move(position),
        }
    }

    /// The value of the best move.
    fn best_move(&self, position: &Position) -> Value {
        let mut best = None;
        position.for_each_move(self.game.options(), |_, next| {
            best = best.max(Some(self.value(&next).before_move()));
        });
        best.unwrap_or(Value::Loss(0))
    }
}
