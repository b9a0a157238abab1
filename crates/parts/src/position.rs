//! A position of a small game, and a step from one to the next.

use kanzen_core::{NotationError, Side};
use std::ops::RangeInclusive;

/// The player whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// The first player.
    #[default]
    X,
    /// The second player.
    O,
}

impl Turn {
    /// The other player.
    pub fn other(self) -> Turn {
        match self {
            Turn::X => Turn::O,
            Turn::O => Turn::X,
        }
    }

    /// The player's side in a drawing.
    pub fn side(self) -> Side {
        match self {
            Turn::X => Side::One,
            Turn::O => Side::Two,
        }
    }

    /// The letter of the player.
    pub fn letter(self) -> char {
        match self {
            Turn::X => 'X',
            Turn::O => 'O',
        }
    }
}

/// Equal pieces of two players, and neutral ones, on at most 32 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The points held by the first player.
    pub x: u32,
    /// The points held by the second player.
    pub o: u32,
    /// The points held by nobody's pieces.
    pub neutral: u32,
    /// Whose turn it is.
    pub turn: Turn,
    /// What else the game needs to know: plies played, men in hand.
    pub count: u8,
}

impl Position {
    /// Pieces of both players, the first to move.
    pub fn new(x: u32, o: u32) -> Position {
        Position { x, o, ..Position::default() }
    }

    /// Pieces as they are written, the first player to move: `X`, `O`, `N` for neutral ones and `.` for
    /// none. Other characters mean nothing.
    ///
    /// ```
    /// use kanzen_parts::Position;
    /// assert_eq!(Position::of("X./OX"), Position::new(0b1001, 0b0100));
    /// ```
    pub fn of(letters: &str) -> Position {
        let letters: Vec<char> =
            letters.chars().filter(|letter| "XON.".contains(*letter)).collect();
        let set = |of: char| {
            let points = (0..32).zip(&letters).filter(|&(_, &letter)| letter == of);
            points.fold(0, |set, (point, _)| set | 1 << point)
        };
        Position { neutral: set('N'), ..Position::new(set('X'), set('O')) }
    }

    /// The points of the side to move.
    #[inline]
    pub fn mine(&self) -> u32 {
        match self.turn {
            Turn::X => self.x,
            Turn::O => self.o,
        }
    }

    /// The points of the other side.
    #[inline]
    pub fn theirs(&self) -> u32 {
        match self.turn {
            Turn::X => self.o,
            Turn::O => self.x,
        }
    }

    /// All points with a piece.
    #[inline]
    pub fn all(&self) -> u32 {
        self.x | self.o | self.neutral
    }

    /// The same board with the other side to move.
    #[inline]
    pub fn passed(self) -> Position {
        Position { turn: self.turn.other(), ..self }
    }

    /// The same with colours exchanged, the side to move too.
    #[inline]
    pub fn exchanged(self) -> Position {
        Position { x: self.o, o: self.x, turn: self.turn.other(), ..self }
    }

    /// The same with other points for the side to move and the other side.
    #[inline]
    pub fn with(self, mine: u32, theirs: u32) -> Position {
        match self.turn {
            Turn::X => Position { x: mine, o: theirs, ..self },
            Turn::O => Position { x: theirs, o: mine, ..self },
        }
    }

    /// A step of the side to move, the other side to move then. An enemy where the piece arrives is
    /// taken.
    ///
    /// ```
    /// use kanzen_parts::{Position, Step};
    /// let after = Position::new(0b001, 0b110).after(Step::go(0, 1));
    /// assert_eq!((after.mine(), after.theirs()), (0b100, 0b010));
    /// ```
    #[inline]
    pub fn after(self, step: Step) -> Position {
        let set =
            |point: Option<u8>| point.map_or(0, |at| 1u32.checked_shl(at.into()).unwrap_or(0));
        let (from, to, take) = (set(step.from), set(step.to), set(step.take));
        let (mine, theirs) = (self.mine() & !from, self.theirs() & !(to | take));
        let next = match step.whose {
            Some(whose) if whose != self.turn => self.with(mine, theirs | to),
            _ => self.with(mine | to, theirs),
        };
        next.passed()
    }

    /// Calls `each` with every step of a piece of the side to move to one of the points that `reach`
    /// tells for the point where it stands.
    ///
    /// ```
    /// use kanzen_parts::{Position, Step};
    /// let mut steps = Vec::new();
    /// Position::new(0b101, 0).slides(|from| 2 << from, |step| steps.push(step));
    /// assert_eq!(steps, [Step::go(0, 1), Step::go(2, 3)]);
    /// ```
    #[inline]
    pub fn slides(&self, reach: impl Fn(u8) -> u32, mut each: impl FnMut(Step)) {
        for from in points(self.mine()) {
            points(reach(from)).for_each(|to| each(Step::go(from, to)));
        }
    }

    /// Whether both players, who are written as these letters, have as many men on the board as they may.
    ///
    /// # Errors
    /// If one has not.
    pub fn men(
        &self,
        letters: [char; 2],
        x: RangeInclusive<u32>,
        o: RangeInclusive<u32>,
    ) -> Result<(), NotationError> {
        for (letter, set, range) in [(letters[0], self.x, x), (letters[1], self.o, o)] {
            if !range.contains(&set.count_ones()) {
                return Err(NotationError::Count {
                    what: format!("men of {letter}"),
                    expected: match (range.start(), range.end()) {
                        (least, most) if least == most => least.to_string(),
                        (least, most) => format!("{least} to {most}"),
                    },
                    found: set.count_ones() as usize,
                });
            }
        }
        Ok(())
    }

    /// Whether the players have put pieces in turn, the first player first.
    pub fn in_turn(&self) -> bool {
        self.x.count_ones() == self.o.count_ones() + u32::from(self.turn == Turn::O)
    }
}

/// Steps to this and greater points lead off the board: to the first place outside, and so on.
pub const OUTSIDE: u8 = 32;

/// What a player does in a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The point that a piece leaves; none if it comes from the hand.
    pub from: Option<u8>,
    /// The point that it reaches; none if the turn is a pass.
    pub to: Option<u8>,
    /// The point where an enemy is taken, if that is elsewhere.
    pub take: Option<u8>,
    /// Whose piece is put, where players may put those of the other.
    pub whose: Option<Turn>,
    /// What else the game needs to know: how a large piece lies.
    pub mark: u8,
}

impl Step {
    /// Nothing is done.
    pub const PASS: Step = Step { from: None, to: None, take: None, whose: None, mark: 0 };

    /// A new piece is put on a point.
    #[inline]
    pub fn put(to: u8) -> Step {
        Step { to: Some(to), ..Step::PASS }
    }

    /// A piece goes from one point to another.
    #[inline]
    pub fn go(from: u8, to: u8) -> Step {
        Step { from: Some(from), to: Some(to), ..Step::PASS }
    }
}

/// The points of a set, in order.
///
/// ```
/// assert!(kanzen_parts::points(0b10100).eq([2, 4]));
/// ```
#[inline]
pub fn points(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        point
    })
}
