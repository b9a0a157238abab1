//! What one player can force against the other two together.
//!
//! A player forces the outcome into a set if, on the player's own turn, some
//! move does, and on anybody else's turn every move does.

use super::sight::{Sight, after, mover};
use super::{Outcomes, SearchError, Searcher};
use crate::rules::Player;

/// The questions answered for a position: a bit for each player and goal, and
/// the answers in the same places.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    asked: u8,
    yes: u8,
}

impl Searcher {
    /// Whether `player` can force an outcome in `goal`: a win of the player, or
    /// that and a draw.
    pub(super) fn force(
        &mut self,
        sets: [u64; 3],
        player: Player,
        goal: Outcomes,
    ) -> Result<bool, SearchError> {
        let moves = match self.table.look(sets) {
            Sight::Decided(outcome) => return Ok(outcome.within(goal)),
            Sight::Open(moves) => moves,
        };
        if moves.possible.within(goal) {
            return Ok(true);
        }
        if moves.possible.and(goal).is_empty() {
            return Ok(false);
        }
        let mover = mover(sets);
        let own = mover == player;
        // The moves left out may settle it.
        if !moves.rest.is_empty() && moves.rest.within(goal) == own {
            return Ok(own);
        }
        let key = self.table.key(sets);
        let mut known = self.force.get(&key).unwrap_or_default();
        let question = 1 << (2 * player as u8 + u8::from(Outcomes::DRAW.within(goal)));
        if known.asked & question != 0 {
            return Ok(known.yes & question != 0);
        }
        self.visit()?;
        let mut found = !own;
        for &cell in moves.cells() {
            if self.force(after(sets, mover, cell), player, goal)? == own {
                found = own;
                break;
            }
        }
        known.asked |= question;
        known.yes |= if found { question } else { 0 };
        self.force.set(key, known);
        Ok(found)
    }
}
