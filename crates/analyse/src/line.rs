//! A best line: what happens when both sides play their best moves.

use crate::Solved;
use kanzen_core::{Next, Value};
use kanzen_index::Indexed;
use kanzen_table::TableError;
use std::collections::HashSet;

/// A move of a best line.
pub struct Step<G: Indexed> {
    /// The position before the move.
    pub position: G::Position,
    /// The move.
    pub mv: G::Move,
    /// What it leads to.
    pub next: Next<G::Position>,
    /// The value of the move for its mover.
    pub value: Value,
}

impl<G: Indexed> Solved<G> {
    /// Follows the best moves, the first of equals, to the end of the game or until a position
    /// comes back (which the last step leads to).
    pub fn line(&self, from: &G::Position) -> Result<Vec<Step<G>>, TableError> {
        let mut steps = Vec::new();
        let mut seen = HashSet::from([*from]);
        let mut position = *from;
        while let Some(best) = self.probe(&position)?.moves.into_iter().next() {
            steps.push(Step { position, mv: best.mv, next: best.next, value: best.value });
            match best.next {
                Next::Position(child) if seen.insert(child) => position = child,
                _ => break,
            }
        }
        Ok(steps)
    }
}
