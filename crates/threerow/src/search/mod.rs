//! The value of one position, without a table.
//!
//! With three players 'best play' has several meanings, so every answer names
//! its [`Meaning`]:
//!
//! - **forced**: the player who can force a win against the other two acting
//!   together, or nobody;
//! - **not losing**: whether a player can at least avoid a loss against the
//!   other two acting together;
//! - **max^n**: everyone prefers a win to a draw to a loss and has a stated
//!   preference about who wins if not oneself;
//! - **equilibria**: all outcomes of subgame-perfect play, where a player who
//!   loses anyhow may let either opponent win, and may choose anew at every
//!   position of the tree.
//!
//! Each is reduced to questions with the answers yes and no ('does the value
//! lie in this set of outcomes?'), and each question about a position to such
//! questions about the positions after it. That prunes far more than a
//! recursion over values: one move often settles a question that all moves
//! would be needed to settle a value. What threats decide holds
//! under every meaning, and is looked at first. Answers are remembered up to symmetry.

mod equilibrium;
mod force;
mod maxn;
mod meaning;
mod memo;
mod sight;

use thiserror::Error;

pub use self::maxn::TieBreak;
pub use self::meaning::{Meaning, UnknownMeaning};
use self::memo::Memo;
use self::sight::Table;
use super::rules::{Board, Player};
use super::shape::Shape;

/// A set of outcomes: bit 0 for a draw, bits 1 to 3 for a win of that player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcomes(u8);

impl Outcomes {
    /// No outcome.
    pub const NONE: Outcomes = Outcomes(0);
    /// Every outcome.
    pub const ALL: Outcomes = Outcomes(0b1111);
    /// A draw.
    pub const DRAW: Outcomes = Outcomes(1);

    /// The outcome in which `winner` wins, or nobody.
    #[inline]
    pub fn only(winner: Option<Player>) -> Outcomes {
        winner.map_or(Outcomes::DRAW, |player| Outcomes(1 << player.number()))
    }

    /// Those in this set or in the other.
    #[inline]
    pub fn or(self, other: Outcomes) -> Outcomes {
        Outcomes(self.0 | other.0)
    }

    /// Those in both sets.
    #[inline]
    pub fn and(self, other: Outcomes) -> Outcomes {
        Outcomes(self.0 & other.0)
    }

    /// Those not in this set.
    #[inline]
    pub fn others(self) -> Outcomes {
        Outcomes(!self.0 & Outcomes::ALL.0)
    }

    /// Whether all of this set are in the other.
    #[inline]
    pub fn within(self, other: Outcomes) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether there is no outcome.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The winners of the set, nobody (a draw) first.
    pub fn winners(self) -> impl Iterator<Item = Option<Player>> {
        let all = [None].into_iter().chain(Player::ALL.map(Some));
        all.filter(move |winner| Outcomes::only(*winner).within(self))
    }
}

/// An answer, as its meaning has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Under [`Meaning::Forced`] and [`Meaning::MaxN`]: the winner, or nobody.
    Winner(Option<Player>),
    /// Under [`Meaning::NotLosing`]: whether the player can avoid a loss.
    Safe(bool),
    /// Under [`Meaning::Equilibria`]: what may happen.
    Outcomes(Outcomes),
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SearchError {
    /// The search met more positions than it was allowed to.
    #[error("no answer within {limit} positions")]
    Limit {
        /// The most positions that were allowed.
        limit: u64,
    },
    /// A board of another shape than the searcher's.
    #[error("the board is not of the searcher's shape")]
    Shape,
}

/// Searches positions of one shape; remembers what it finds.
#[derive(Debug, Clone)]
pub struct Searcher {
    table: Table,
    limit: u64,
    nodes: u64,
    force: Memo<force::Known>,
    maxn: Memo<Outcomes>,
    maxn_tie_break: TieBreak,
    equilibrium: Memo<equilibrium::Known>,
}

impl Searcher {
    /// A searcher for boards of this shape.
    pub fn new(shape: Shape) -> Searcher {
        Searcher::with_limit(shape, u64::MAX)
    }

    /// A searcher that gives up on a question after looking at `limit`
    /// positions.
    pub fn with_limit(shape: Shape, limit: u64) -> Searcher {
        Searcher {
            table: Table::new(shape),
            limit,
            nodes: 0,
            force: Memo::new(),
            maxn: Memo::new(),
            maxn_tie_break: TieBreak::ALL[0],
            equilibrium: Memo::new(),
        }
    }

    /// Changes the number of positions after which a question is given up.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// The positions looked at for the last answer.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position. One that is over has the value it ended with.
    pub fn answer(&mut self, board: &Board, meaning: Meaning) -> Result<Answer, SearchError> {
        Ok(match meaning {
            Meaning::Forced => Answer::Winner(self.forced(board)?),
            Meaning::NotLosing(player) => Answer::Safe(self.not_losing(board, player)?),
            Meaning::MaxN(tie_break) => Answer::Winner(self.max_n(board, tie_break)?),
            Meaning::Equilibria => Answer::Outcomes(self.equilibria(board)?),
        })
    }

    /// Who can force a win against the other two together, if anybody.
    pub fn forced(&mut self, board: &Board) -> Result<Option<Player>, SearchError> {
        let Some(start) = self.begin(board)? else {
            return Ok(board.winner());
        };
        for player in Player::ALL {
            if self.force(start, player, Outcomes::only(Some(player)))? {
                return Ok(Some(player));
            }
        }
        Ok(None)
    }

    /// Every move of the player to move, with who can force a win after it.
    pub fn forced_moves(
        &mut self,
        board: &Board,
    ) -> Result<Vec<(u32, Option<Player>)>, SearchError> {
        let children = board.moves().filter_map(|cell| Some((cell, board.play(cell)?)));
        children.map(|(cell, child)| Ok((cell, self.forced(&child)?))).collect()
    }

    /// Whether `player` can avoid a loss against the other two together.
    pub fn not_losing(&mut self, board: &Board, player: Player) -> Result<bool, SearchError> {
        let Some(start) = self.begin(board)? else {
            return Ok(board.winner().is_none_or(|winner| winner == player));
        };
        self.force(start, player, Outcomes::only(Some(player)).or(Outcomes::DRAW))
    }

    /// Who wins when all play by these preferences, if anybody.
    pub fn max_n(
        &mut self,
        board: &Board,
        tie_break: TieBreak,
    ) -> Result<Option<Player>, SearchError> {
        let Some(start) = self.begin(board)? else {
            return Ok(board.winner());
        };
        if self.maxn_tie_break != tie_break {
            self.maxn = Memo::new();
            self.maxn_tie_break = tie_break;
        }
        for winner in Player::ALL {
            let outcome = Outcomes::only(Some(winner));
            if self.narrow(start, outcome)?.within(outcome) {
                return Ok(Some(winner));
            }
        }
        Ok(None)
    }

    /// All outcomes of subgame-perfect play.
    pub fn equilibria(&mut self, board: &Board) -> Result<Outcomes, SearchError> {
        let Some(start) = self.begin(board)? else {
            return Ok(Outcomes::only(board.winner()));
        };
        let mut found = Outcomes::NONE;
        for winner in Outcomes::ALL.winners() {
            let outcome = Outcomes::only(winner);
            if !self.within(start, outcome.others())? {
                found = found.or(outcome);
            }
        }
        Ok(found)
    }

    /// The sets of an open board, with the count of positions back at zero;
    /// `None` if somebody has a line.
    fn begin(&mut self, board: &Board) -> Result<Option<[u64; 3]>, SearchError> {
        self.nodes = 0;
        if board.shape() != self.table.shape() {
            return Err(SearchError::Shape);
        }
        Ok(board.is_open().then(|| board.sets()))
    }

    /// Counts one more position.
    fn visit(&mut self) -> Result<(), SearchError> {
        self.nodes += 1;
        if self.nodes > self.limit { Err(SearchError::Limit { limit: self.limit }) } else { Ok(()) }
    }
}
