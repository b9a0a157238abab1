//! Equilibria: all outcomes of subgame-perfect play.
//!
//! A mover who loses in any case may choose who wins. If that choice is free
//! at every position of the tree, the outcomes E of a position follow from
//! those of its moves: the mover is sure of the best, over the moves, of the
//! worst outcome of a move (for the mover: win, draw or loss); call that the
//! floor. Then E holds every outcome of any move that is no worse than the
//! floor: let that move turn out so, and each other move as badly as it can.
//!
//! We ask whether E lies within a set Q. For the mover i, with W = {i wins}
//! and WD = {i wins, draw}, and 'some' and 'all' over the moves:
//!
//! - The floor is a win if and only if some move lies within W; then E = W.
//! - Else it is a draw if and only if some move lies within WD; then E is what
//!   all moves together have of WD, and holds the draw.
//! - Else E is what all moves together have.
//!
//! Hence E lies within Q if and only if
//! - (Q holds W and the draw) some move lies within WD, or all within Q;
//! - (Q holds W, not the draw) some move lies within W, or all within Q: were
//!   the floor a draw, a move within WD but not within W would hold the draw;
//! - (Q holds the draw, not W) no move holds W, and some move lies within WD
//!   or all within Q;
//! - (Q holds neither) all lie within Q.

use super::sight::{Sight, after, mover};
use super::{Outcomes, SearchError, Searcher};
use crate::rules::Player;

/// What is known of the outcomes of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// They lie within this set.
    within: Outcomes,
    /// They do not lie within the sets of these numbers.
    not_within: u16,
}

impl Searcher {
    /// Whether all outcomes of equilibria lie within `goal`.
    pub(super) fn within(&mut self, sets: [u64; 3], goal: Outcomes) -> Result<bool, SearchError> {
        let moves = match self.table.look(sets) {
            Sight::Decided(outcome) => return Ok(outcome.within(goal)),
            Sight::Open(moves) => moves,
        };
        let key = self.table.key(sets);
        let mut known =
            self.equilibrium.get(&key).unwrap_or(Known { within: moves.possible, not_within: 0 });
        if known.within.within(goal) {
            return Ok(true);
        }
        let goal = goal.and(known.within);
        if goal.is_empty() || known.not_within >> goal.0 & 1 == 1 {
            return Ok(false);
        }
        self.visit()?;
        let mover = mover(sets);
        let win = Outcomes::only(Some(mover));
        let no_loss = win.or(Outcomes::DRAW);
        let (cells, rest) = (moves.cells(), moves.rest);
        let found = match (win.within(goal), Outcomes::DRAW.within(goal)) {
            (true, true) => {
                self.some_within(sets, mover, cells, rest, no_loss)?
                    || self.all_within(sets, mover, cells, rest, goal)?
            }
            (true, false) => {
                self.some_within(sets, mover, cells, rest, win)?
                    || self.all_within(sets, mover, cells, rest, goal)?
            }
            (false, true) => {
                self.all_within(sets, mover, cells, rest, win.others())?
                    && (self.some_within(sets, mover, cells, rest, no_loss)?
                        || self.all_within(sets, mover, cells, rest, goal)?)
            }
            (false, false) => self.all_within(sets, mover, cells, rest, goal)?,
        };
        // The search below may have learnt nothing about this position itself:
        // every move adds a stone.
        if found {
            known.within = goal;
        } else {
            known.not_within |= 1 << goal.0;
        }
        self.equilibrium.set(key, known);
        Ok(found)
    }

    fn some_within(
        &mut self,
        sets: [u64; 3],
        mover: Player,
        cells: &[u8],
        rest: Outcomes,
        goal: Outcomes,
    ) -> Result<bool, SearchError> {
        if !rest.is_empty() && rest.within(goal) {
            return Ok(true);
        }
        for &cell in cells {
            if self.within(after(sets, mover, cell), goal)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn all_within(
        &mut self,
        sets: [u64; 3],
        mover: Player,
        cells: &[u8],
        rest: Outcomes,
        goal: Outcomes,
    ) -> Result<bool, SearchError> {
        if !rest.within(goal) {
            return Ok(false);
        }
        for &cell in cells {
            if !self.within(after(sets, mover, cell), goal)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
