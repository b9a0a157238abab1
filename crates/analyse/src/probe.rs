//! A position's value and every move's value.

use crate::Solved;
use kanzen_core::{Next, Value};
use kanzen_index::Indexed;
use kanzen_table::TableError;

/// What a table says of a position.
pub struct Probe<G: Indexed> {
    /// The position's value.
    pub value: Value,
    /// Every legal move, the best first.
    pub moves: Vec<MoveValue<G>>,
}

/// A move and what it is worth to the player who makes it.
pub struct MoveValue<G: Indexed> {
    /// The move.
    pub mv: G::Move,
    /// What it leads to.
    pub next: Next<G::Position>,
    /// Its value for the mover.
    pub value: Value,
}

impl<G: Indexed> Solved<G> {
    /// Looks up a position and all its moves.
    pub fn probe(&self, position: &G::Position) -> Result<Probe<G>, TableError> {
        let mut played = Vec::new();
        self.game().moves(position, |mv| {
            played.push((mv, self.game().play(position, mv)));
        });
        let mut moves = Vec::with_capacity(played.len());
        for (mv, next) in played {
            let value = self.move_value(next)?;
            moves.push(MoveValue { mv, next, value });
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.value));
        Ok(Probe { value: self.value(position)?, moves })
    }

    /// What a move that leads to `next` is worth to its mover.
    pub fn move_value(&self, next: Next<G::Position>) -> Result<Value, TableError> {
        match next {
            Next::Over(outcome) => Ok(Value::ended(outcome, 1)),
            Next::Position(child) => Ok(self.value(&child)?.before_move()),
        }
    }
}
