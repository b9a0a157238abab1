//! max^n: everybody plays for the outcome they like best.
//!
//! With a strict order of preference for each player, every position has one
//! value: among the values of the moves, the one that the mover likes best. A
//! recursion over values must look at every move of a player who does not win.
//! Instead we ask whether the value lies in a set of outcomes. For the mover's
//! order o1 > o2 > o3 > o4 the value is among the best r of them if and only
//! if that of some move is; and any set of outcomes is told apart from the
//! others by at most three such thresholds. So each question leads to
//! questions of the same kind, and one move answers it with yes.

use super::sight::{Sight, after, mover};
use super::{Outcomes, SearchError, Searcher};
use crate::rules::Player;

/// Whom each player would rather see win, if not oneself.
///
/// Everybody likes a win best, then a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TieBreak {
    preferred: [Player; 3],
}

impl TieBreak {
    /// All eight. Number n: bit p - 1 says that player p prefers the second
    /// player after it to the next.
    pub const ALL: [TieBreak; 8] = {
        use Player::{One, Three, Two};
        let mut all = [TieBreak { preferred: [Two, Three, One] }; 8];
        let mut number = 0;
        while number < 8 {
            if number & 1 != 0 {
                all[number].preferred[0] = Three;
            }
            if number & 2 != 0 {
                all[number].preferred[1] = One;
            }
            if number & 4 != 0 {
                all[number].preferred[2] = Two;
            }
            number += 1;
        }
        all
    };

    /// The tie-break in which players 1, 2 and 3 prefer these opponents;
    /// `None` if a player is named its own.
    pub fn new(preferred: [Player; 3]) -> Option<TieBreak> {
        TieBreak::ALL.into_iter().find(|tie_break| tie_break.preferred == preferred)
    }

    /// The opponent that a player would rather see win.
    pub fn preferred(&self, player: Player) -> Player {
        self.preferred[player as usize]
    }

    /// The outcomes as a player likes them, the best first.
    fn order(&self, player: Player) -> [Outcomes; 4] {
        let preferred = self.preferred(player);
        let last = if player.next() == preferred { preferred.next() } else { player.next() };
        [Some(player), None, Some(preferred), Some(last)].map(Outcomes::only)
    }
}

/// Whether `possible` lies within `goal` or apart from it.
fn is_settled(possible: Outcomes, goal: Outcomes) -> bool {
    possible.within(goal) || possible.within(goal.others())
}

impl Searcher {
    /// A set that holds the value, and lies within `goal` or apart from it.
    pub(super) fn narrow(
        &mut self,
        sets: [u64; 3],
        goal: Outcomes,
    ) -> Result<Outcomes, SearchError> {
        let moves = match self.table.look(sets) {
            Sight::Decided(outcome) => return Ok(outcome),
            Sight::Open(moves) => moves,
        };
        let mut possible = moves.possible;
        if is_settled(possible, goal) {
            return Ok(possible);
        }
        let key = self.table.key(sets);
        if let Some(known) = self.maxn.get(&key) {
            possible = possible.and(known);
            if is_settled(possible, goal) {
                return Ok(possible);
            }
        }
        self.visit()?;
        let mover = mover(sets);
        let order = self.maxn_tie_break.order(mover);
        let mut best = Outcomes::NONE;
        for (outcome, worse) in order.into_iter().zip(&order[1..]) {
            best = best.or(outcome);
            // A threshold is of use only between an outcome that is possible
            // and a next one of the other kind.
            let next = worse_possible(&order, possible, *worse);
            if possible.and(best).is_empty()
                || next.is_none_or(|next| is_settled(possible.and(best).or(next), goal))
            {
                continue;
            }
            let mut some = !moves.rest.is_empty() && moves.rest.within(best);
            for &cell in moves.cells() {
                if some {
                    break;
                }
                some = self.narrow(after(sets, mover, cell), best)?.within(best);
            }
            possible = possible.and(if some { best } else { best.others() });
            if is_settled(possible, goal) {
                break;
            }
        }
        self.maxn.set(key, possible);
        Ok(possible)
    }
}

/// The first outcome from `worse` on that is possible.
fn worse_possible(order: &[Outcomes; 4], possible: Outcomes, worse: Outcomes) -> Option<Outcomes> {
    order
        .iter()
        .copied()
        .skip_while(|&outcome| outcome != worse)
        .find(|outcome| outcome.within(possible))
}
