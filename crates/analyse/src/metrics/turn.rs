//! What a player has to choose from at a turn.

use crate::Atlas;
use kanzen_core::{Best, Next, Outcome, Value};
use kanzen_index::Indexed;

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
        let game = atlas.game();
        let endless = game.endless().value(game, position).outcome();
        if let Some(outcome) = game.over(position) {
            return Turn { outcome, endless, moves: Vec::new(), keeping: 0 };
        }
        let mut moves = Vec::new();
        game.successors(position, |next| moves.push((atlas.move_value(next), next)));
        let order = Best::new(game, position);
        moves.sort_by(|(one, _), (other, _)| order.compare(*other, *one));
        let best = moves.first().map_or(endless, |(value, _)| value.outcome());
        let keeping = moves.iter().take_while(|(value, _)| value.outcome() == best).count();
        Turn { outcome: best, endless, moves, keeping }
    }
}
