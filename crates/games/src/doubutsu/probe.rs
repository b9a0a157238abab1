//! The value of any position, looked up in a solution.

use super::index::Index;
use super::rules::{Ending, Options, Position};
use super::solve::{DRAWN, Solution};
use kanzen_core::Value;

/// A solution together with what is needed to read it.
#[derive(Clone, Copy)]
pub struct Probe<'a> {
    /// The index over the open positions.
    pub index: &'a Index,
    /// The rules under which the game was solved.
    pub options: Options,
    /// The distances.
    pub solution: &'a Solution,
}

impl Probe<'_> {
    /// The value of the position with a number.
    #[inline]
    pub fn stored(&self, number: u32) -> Value {
        match self.solution.cell(number) {
            DRAWN => Value::Open,
            plies if plies % 2 == 0 => Value::Loss(plies.into()),
            plies => Value::Win(plies.into()),
        }
    }

    /// The value of any position. One whose value is not stored follows from a look at it or, if
    /// the mover's lion is in the enemy's camp, at its moves.
    pub fn value(&self, position: &Position) -> Value {
        match (position.ending(), self.index.rank(position)) {
            (Some(Ending::WonAtOnce), _) => Value::Win(1),
            (Some(Ending::LostAtOnce), _) => Value::Loss(0),
            (None, Some(number)) => self.stored(number),
            (None, None) => self.best_move(position).unwrap_or(Value::Loss(0)),
        }
    }

    /// The value of the best move; nothing if there is no move.
    fn best_move(&self, position: &Position) -> Option<Value> {
        let mut best = None;
        position.for_each_move(&self.options, |_, next| {
            best = best.max(Some(self.value(&next).before_move()));
        });
        best
    }
}
