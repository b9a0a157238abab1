//! What a small board game must say of itself.

use crate::{Board, LETTERS, LETTERS_COUNTED, Letters, Position, Step, Turn, notation};
use kanzen_core::{Endless, Gesture, Kit, NotationError, Outcome, Trace};
use std::ops::RangeInclusive;

/// How a position tells whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// It is written after the board.
    Written,
    /// It follows from the number of pieces: the first player moves if that is even.
    Counted,
    /// It is always that of X: colours change places with every ply.
    Mine,
}

/// How many men X and O may have on the board.
pub type Men = [RangeInclusive<u32>; 2];

/// The rules of a small board game.
///
/// Only the steps are always needed; what else there is has a default that suits many games.
pub trait Rules: Send + Sync + 'static {
    /// How a position tells whose turn it is.
    fn turns(&self) -> Turns {
        Turns::Written
    }

    /// What it means for the side to move to be stuck: to have no step.
    fn stuck(&self) -> Outcome {
        Outcome::Loss
    }

    /// How many men X and O may have on the board: any number, unless told. The fewer boards there
    /// are, the sooner the game is solved.
    fn men(&self) -> Men {
        [0..=32, 0..=32]
    }

    /// How many men X and O may have while [`Position::count`] is this, where that tells more.
    fn men_at(&self, count: u8) -> Men {
        let _ = count;
        self.men()
    }

    /// How many neutral pieces there may be: none, unless told.
    fn neutral(&self) -> RangeInclusive<u32> {
        0..=0
    }

    /// Calls `each` with every step that the side to move may make, if the game is not decided.
    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step));

    /// Whether there is such a step; override it where the rules tell that more quickly.
    fn has_step(&self, board: &Board, position: &Position) -> bool {
        let mut found = false;
        self.steps(board, position, &mut |_| found = true);
        found
    }

    /// The position in which the game starts: an empty board unless told otherwise.
    fn start(&self) -> Position {
        Position::default()
    }

    /// The outcome for the side to move, if the board decides the game.
    fn decided(&self, position: &Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// Whether some step wins at once, where the rules tell that more quickly than all steps do. The
    /// game is not decided.
    fn wins_at_once(&self, board: &Board, position: &Position) -> Option<bool> {
        let _ = (board, position);
        None
    }

    /// What play that never ends is worth.
    fn endless(&self) -> Endless {
        Endless::Draw
    }

    /// Whether the sides always move in turn. If not, a position with the same [turn](Position::turn)
    /// as the one before is the same side's again.
    fn takes_turns(&self) -> bool {
        true
    }

    /// The number of pieces on the board, if any, from which on both players have the same rights for
    /// good: positions are then the same with colours exchanged, the side to move too.
    fn alike_from(&self) -> Option<u32> {
        None
    }

    /// The position after a step.
    #[inline]
    fn play(&self, position: &Position, step: Step) -> Position {
        position.after(step)
    }

    /// Whether a position with so many [men](Rules::men) makes sense. [`steps`](Rules::steps) is
    /// asked for no other position.
    ///
    /// # Errors
    /// If it does not.
    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let _ = position;
        Ok(())
    }

    /// How many values [`Position::count`] has, if the game makes use of it.
    fn counts(&self) -> Option<u8> {
        None
    }

    /// How a value of [`Position::count`] is written; the same for no two of them.
    fn write_count(&self, count: u8) -> String {
        count.to_string()
    }

    /// The men that X and O have in hand, if a position tells it.
    fn hands(&self, position: &Position) -> Option<[u8; 2]> {
        let _ = position;
        None
    }

    /// The letters of the players in writing.
    fn letters(&self) -> &'static Letters {
        &Letters::XO
    }

    /// Writes a position.
    fn write(&self, board: &Board, position: &Position) -> String {
        notation::write(self, board, position)
    }

    /// Reads a position, which need not make sense.
    ///
    /// # Errors
    /// If the text is not one.
    fn read(&self, board: &Board, text: &str) -> Result<Position, NotationError> {
        notation::read(self, board, text)
    }

    /// Writes a step; no two steps of a position are written alike.
    fn write_step(&self, board: &Board, step: Step) -> String {
        notation::write_step(board, step)
    }

    /// The spots that a step leaves, reaches and changes.
    fn trace(&self, board: &Board, position: &Position, step: Step) -> Trace {
        let _ = position;
        let spot = |point: u8| board.spot(point);
        let also = step.take.into_iter().map(spot).collect();
        Trace { from: step.from.map(spot), to: step.to.map(spot), also }
    }

    /// How a step is made by hand.
    fn gesture(&self, board: &Board, position: &Position, step: Step) -> Gesture {
        Gesture::from(&self.trace(board, position, step))
    }

    /// What the game is played with: one kind of piece for each side.
    fn kit(&self) -> &'static Kit {
        match self.turns() {
            Turns::Written => &LETTERS,
            Turns::Counted => &LETTERS_COUNTED,
            Turns::Mine => &Kit::STONES,
        }
    }
}

impl Turns {
    /// The side to move of a position whose turn was not told.
    pub(crate) fn settle(self, position: Position) -> Position {
        match self {
            Turns::Written => position,
            Turns::Mine => Position { turn: Turn::X, ..position },
            Turns::Counted => {
                let even = position.all().count_ones().is_multiple_of(2);
                Position { turn: if even { Turn::X } else { Turn::O }, ..position }
            }
        }
    }
}

/// An error that says what the rules exclude, unless they allow it.
///
/// # Errors
/// If they do not.
pub fn legal(allowed: bool, problem: &str) -> Result<(), NotationError> {
    if allowed { Ok(()) } else { Err(NotationError::Illegal(problem.to_owned())) }
}
