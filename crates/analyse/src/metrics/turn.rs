//! What a player has to choose from at a turn.

use crate::Atlas;
use kanzen_core::{Next, Outcome, Value, Verdict};
use kanzen_index::Indexed;
use std::cmp::Reverse;

/// A position with its moves.
pub(super) struct Turn<P> {
    /// What the position is worth to the side to move.
    pub(super) outcome: Outcome,
    /// What endless play is worth to it.
    pub(super) endless: Outcome,
    /// The moves, the best first; none if the game is over.
    pub(super) moves: Vec<(Value, Next<P>)>,
    /// How many of them keep what the position is worth: these come first.
    pub(super) keeping: usize,
}

impl<P: Copy> Turn<P> {
    /// The turn at a position.
    pub(super) fn new<G: Indexed<Position = P>>(atlas: &Atlas<'_, G>, position: &P) -> Turn<P> {
        let (game, endless) = (atlas.game(), atlas.game().endless(position));
        let outcome = |value: Value| Verdict::new(value, endless).value;
        if let Some(outcome) = game.over(position) {
            return Turn { outcome, endless, moves: Vec::new(), keeping: 0 };
        }
        let mut moves = Vec::new();
        game.successors(position, |next| moves.push((atlas.move_value(next), next)));
        moves.sort_by_key(|(value, _)| Reverse(*value));
        let best = outcome(moves.first().map_or(Value::Open, |(value, _)| *value));
        let keeping = moves.iter().take_while(|(value, _)| outcome(*value) == best).count();
        Turn { outcome: best, endless, moves, keeping }
    }
}
