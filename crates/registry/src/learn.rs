//! What a newcomer is told of a game: how it is written, what is known, and positions to play through.

use kanzen_core::Words;
use serde::Serialize;

/// What a game says to newcomers beside its rules. All of it may be left out: the start and its moves
/// are shown as examples, and lessons are found by the rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learn {
    /// How moves are written.
    pub moves: Words,
    /// How positions are written.
    pub positions: Words,
    /// What is known of the game, and who found it.
    pub known: Words,
    /// Positions to play through, in order.
    pub lessons: &'static [Lesson],
    /// Whether puzzles ask for the fastest win: where nearly every move wins, a win alone is none.
    pub fastest: bool,
}

impl Learn {
    /// A game that leaves it to its rules.
    pub const NONE: Learn = Learn {
        moves: Words::same(""),
        positions: Words::same(""),
        known: Words::same(""),
        lessons: &[],
        fastest: false,
    };
}

/// A position with something to do.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// The position.
    pub position: &'static str,
    /// What to do, and why it matters.
    pub task: Words,
    /// When it is done.
    pub goal: Goal,
    /// A move that does it.
    pub answer: &'static str,
}

impl Lesson {
    /// A lesson.
    pub const fn new(
        goal: Goal,
        position: &'static str,
        answer: &'static str,
        en: &'static str,
        ja: &'static str,
    ) -> Lesson {
        Lesson { position, task: Words::new(en, ja), goal, answer }
    }
}

/// What a move has to do in a lesson; the rules alone tell whether it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// Be a move.
    Move,
    /// Win at once.
    Win,
    /// Take a piece of somebody else off the board.
    Take,
    /// Leave the next player no way to win at once.
    Guard,
    /// Win with the move after it, whatever the answer.
    Force,
    /// Be the move that is named, since only it shows the rule.
    Named,
}
