//! What a position is worth.

use serde::Serialize;
use std::cmp::Ordering;

/// How a game ends, from the point of view of the player named by the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The game is lost.
    Loss,
    /// Nobody wins.
    Draw,
    /// The game is won.
    Win,
}

impl Outcome {
    /// The same ending seen by the other player.
    ///
    /// ```
    /// use kanzen_core::Outcome;
    /// assert_eq!(Outcome::Win.flip(), Outcome::Loss);
    /// assert!(Outcome::Draw > Outcome::Loss);
    /// ```
    pub fn flip(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// The word for it: `win`, `draw` or `loss`.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        }
    }
}

/// The value of a position for the side to move, as retrograde analysis finds it.
///
/// ```
/// use kanzen_core::{Outcome, Value, Verdict};
/// let lost = Value::Loss(4);
/// assert_eq!(lost.before_move(), Value::Win(5), "a move to a lost position wins");
/// assert!(Value::Win(3) > Value::Win(5), "sooner is better");
/// assert_eq!(Verdict::new(lost, Outcome::Draw).to_string(), "loss in 4");
/// ```
///
/// The number counts plies to the end of the game. [`Value::Open`] is what no side can bring to
/// an end: a draw, unless the game says that endless play is won by somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in this many plies.
    Win(u16),
    /// Nobody can force the end (or the game has ended in a draw).
    Open,
    /// The side to move loses in this many plies.
    Loss(u16),
}

impl Value {
    /// The number of plies that fit in a code.
    pub const MAX_PLIES: u16 = 0x3fff;

    /// Stands for the plies of a win or loss whose distance nobody kept: more than any game lasts.
    /// Values near it are unknown too, so that one can be counted on from another.
    pub const UNKNOWN: u16 = Value::MAX_PLIES / 2;

    /// A small number for the value: 0 is open, wins are even, losses odd.
    ///
    /// ```
    /// use kanzen_core::Value;
    /// assert_eq!([Value::Open, Value::Win(1), Value::Loss(2)].map(Value::code), [0, 4, 5]);
    /// assert_eq!(Value::from_code(5), Value::Loss(2));
    /// ```
    pub fn code(self) -> u16 {
        match self {
            Value::Open => 0,
            Value::Win(plies) => 2 * plies + 2,
            Value::Loss(plies) => 2 * plies + 1,
        }
    }

    /// The value that has this code.
    pub fn from_code(code: u16) -> Value {
        match code {
            0 => Value::Open,
            _ if code.is_multiple_of(2) => Value::Win(code / 2 - 1),
            _ => Value::Loss(code / 2),
        }
    }

    /// What a move is worth to its mover if it leads to a position of this value.
    pub fn before_move(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Open => Value::Open,
            Value::Loss(plies) => Value::Win(plies + 1),
        }
    }

    /// The value of a finished game.
    pub fn ended(outcome: Outcome, plies: u16) -> Value {
        match outcome {
            Outcome::Win => Value::Win(plies),
            Outcome::Draw => Value::Open,
            Outcome::Loss => Value::Loss(plies),
        }
    }
}

/// Better for the side to move is greater: a fast win, a slow win, open, a slow loss, a fast loss.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        fn key(value: Value) -> i32 {
            match value {
                Value::Win(plies) => i32::from(u16::MAX) - i32::from(plies),
                Value::Open => 0,
                Value::Loss(plies) => i32::from(plies) - i32::from(u16::MAX),
            }
        }
        key(*self).cmp(&key(*other))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A value as people read it: who wins, and in how many plies where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Verdict {
    /// The outcome for the side to move.
    pub value: Outcome,
    /// Plies to the end; none if the game goes on for ever, or nobody kept the distance.
    pub plies: Option<u16>,
}

impl Verdict {
    /// Reads a value in a game where endless play is worth `endless` to the side to move.
    ///
    /// ```
    /// use kanzen_core::{Outcome, Value, Verdict};
    /// let endless_is_won = Verdict::new(Value::Open, Outcome::Win);
    /// assert_eq!(endless_is_won.to_string(), "win");
    /// ```
    pub fn new(value: Value, endless: Outcome) -> Verdict {
        let known = |plies| Some(plies).filter(|&plies| plies < Value::UNKNOWN);
        match value {
            Value::Win(plies) => Verdict { value: Outcome::Win, plies: known(plies) },
            Value::Loss(plies) => Verdict { value: Outcome::Loss, plies: known(plies) },
            Value::Open => Verdict { value: endless, plies: None },
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.plies {
            Some(plies) => write!(f, "{} in {plies}", self.value.word()),
            None => f.write_str(self.value.word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip_and_moves_alternate() {
        for code in 0..1000 {
            let value = Value::from_code(code);
            assert_eq!(value.code(), code);
            assert_eq!(Verdict::new(value, Outcome::Draw).plies.is_none(), code == 0);
        }
        assert_eq!(Value::Loss(4).before_move(), Value::Win(5));
        assert_eq!(Value::Win(1).before_move(), Value::Loss(2));
    }

    #[test]
    fn better_is_greater() {
        let best_first =
            [Value::Win(1), Value::Win(3), Value::Open, Value::Loss(8), Value::Loss(2)];
        assert!(best_first.is_sorted_by(|a, b| a > b));
    }
}
