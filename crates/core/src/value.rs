//! What a position is worth.

use crate::{Endless, Game};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// How a game ends, from the point of view of the player named by the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

/// The value of a position for the side to move: who wins, and in how many plies the game ends.
///
/// ```
/// use kanzen_core::Value;
/// let lost = Value::Loss(4);
/// assert_eq!(lost.before_move(), Value::Win(5), "a move to a lost position wins");
/// assert!(Value::Win(3) > Value::Win(5), "sooner is better");
/// assert!(Value::OPEN > Value::Loss(90));
/// ```
///
/// A winner plays for the shortest game and a loser for the longest. Whoever holds a draw ends it
/// as soon as the rules allow; see [`Endless`](crate::Endless) for games in which one side would
/// rather go on for ever. Play that never ends has [`Value::ENDLESS`] plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in this many plies.
    Win(u16),
    /// Nobody wins: the rules end the game in this many plies, or it never ends.
    Draw(u16),
    /// The side to move loses in this many plies.
    Loss(u16),
}

impl Value {
    /// The most plies that a value can tell.
    pub const MAX_PLIES: u16 = 0x1ffd;

    /// Stands for the plies of a win or loss whose distance nobody kept.
    pub const UNKNOWN: u16 = 0x1ffe;

    /// Stands for the plies of a game that never ends.
    pub const ENDLESS: u16 = 0x1fff;

    /// A draw by endless play: no side can force the end.
    pub const OPEN: Value = Value::Draw(Value::ENDLESS);

    /// The code of a draw that the rules end at once.
    const ENDED_DRAW: u16 = 2 * Value::ENDLESS + 3;

    /// A small number for the value: 0 is an endless draw, wins are even, losses odd; draws by the
    /// rules come after all of these.
    ///
    /// ```
    /// use kanzen_core::Value;
    /// assert_eq!([Value::OPEN, Value::Win(1), Value::Loss(2)].map(Value::code), [0, 4, 5]);
    /// assert_eq!(Value::Draw(2).code(), Value::Draw(0).code() + 2);
    /// assert_eq!(Value::from_code(5), Value::Loss(2));
    /// ```
    #[inline]
    pub fn code(self) -> u16 {
        match self {
            Value::OPEN => 0,
            Value::Win(plies) => 2 * plies + 2,
            Value::Loss(plies) => 2 * plies + 1,
            Value::Draw(plies) => Value::ENDED_DRAW + plies,
        }
    }

    /// The value that has this code.
    #[inline]
    pub fn from_code(code: u16) -> Value {
        match code {
            0 => Value::OPEN,
            Value::ENDED_DRAW.. => Value::Draw((code - Value::ENDED_DRAW).min(Value::ENDLESS)),
            _ if code.is_multiple_of(2) => Value::Win(code / 2 - 1),
            _ => Value::Loss(code / 2),
        }
    }

    /// Whether a number is the code of a value.
    ///
    /// ```
    /// use kanzen_core::Value;
    /// assert!(Value::is_code(Value::Draw(9).code()) && !Value::is_code(0xffff));
    /// ```
    pub fn is_code(code: u16) -> bool {
        Value::from_code(code).code() == code
    }

    /// What a move is worth to its mover if it leads to a position of this value.
    #[inline]
    pub fn before_move(self) -> Value {
        // A distance that is unknown or has no end stays so.
        let more = |plies: u16| plies + u16::from(plies < Value::UNKNOWN);
        match self {
            Value::Win(plies) => Value::Loss(more(plies)),
            Value::Draw(plies) => Value::Draw(more(plies)),
            Value::Loss(plies) => Value::Win(more(plies)),
        }
    }

    /// The same value for the other player.
    #[inline]
    pub fn flip(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies),
            Value::Draw(plies) => Value::Draw(plies),
            Value::Loss(plies) => Value::Win(plies),
        }
    }

    /// The value of a game that ends in so many plies.
    #[inline]
    pub fn new(outcome: Outcome, plies: u16) -> Value {
        match outcome {
            Outcome::Win => Value::Win(plies),
            Outcome::Draw => Value::Draw(plies),
            Outcome::Loss => Value::Loss(plies),
        }
    }

    /// Who wins.
    #[inline]
    pub fn outcome(self) -> Outcome {
        match self {
            Value::Win(_) => Outcome::Win,
            Value::Draw(_) => Outcome::Draw,
            Value::Loss(_) => Outcome::Loss,
        }
    }

    /// Plies to the end; none if there is no end, or nobody kept the distance.
    pub fn plies(self) -> Option<u16> {
        let (Value::Win(plies) | Value::Draw(plies) | Value::Loss(plies)) = self;
        Some(plies).filter(|&plies| plies < Value::UNKNOWN)
    }

    /// The value to somebody who needs an end: what never ends is open, whoever wins by it.
    #[inline]
    pub fn forced(self) -> Value {
        if self.is_endless() { Value::OPEN } else { self }
    }

    /// Whether best play never ends.
    pub fn is_endless(self) -> bool {
        let (Value::Win(plies) | Value::Draw(plies) | Value::Loss(plies)) = self;
        plies == Value::ENDLESS
    }
}

/// Better for the side to move is greater: a fast win, a slow win, a draw that ends soon, a draw
/// that ends late or never, a slow loss, a fast loss.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        fn key(value: Value) -> i32 {
            match value {
                Value::Win(plies) => 0x8000 - i32::from(plies),
                Value::Draw(plies) => i32::from(Value::ENDLESS - plies),
                Value::Loss(plies) => i32::from(plies) - 0x8000,
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

/// Takes the best of the values that a position's moves have.
///
/// Where endless play is won by the side to move, it would rather have a draw late than soon: on
/// the way to it the other side might be unable to end the game.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    lasting: bool,
    value: Option<Value>,
}

impl Best {
    /// Begins with the moves of a position.
    #[inline]
    pub fn new<G: Game + ?Sized>(game: &G, position: &G::Position) -> Best {
        let lasting = match game.endless() {
            Endless::Draw => false,
            Endless::WonBy(side) => game.mover(position) == side,
        };
        Best { lasting, value: None }
    }

    /// Compares two moves by their values; the better one is greater.
    #[inline]
    pub fn compare(&self, one: Value, other: Value) -> Ordering {
        let order = one.cmp(&other);
        match (one, other) {
            (Value::Draw(_), Value::Draw(_)) if self.lasting => order.reverse(),
            _ => order,
        }
    }

    /// Looks at another move.
    #[inline]
    pub fn see(&mut self, value: Value) {
        if self.value.is_none_or(|best| self.compare(value, best).is_gt()) {
            self.value = Some(value);
        }
    }

    /// The best value so far; none without a move.
    #[inline]
    pub fn value(&self) -> Option<Value> {
        self.value
    }
}

/// A value as people read it: who wins, and in how many plies where that is known.
///
/// ```
/// use kanzen_core::{Value, Verdict};
/// assert_eq!(Verdict::from(Value::Loss(4)).to_string(), "loss in 4");
/// assert_eq!(Verdict::from(Value::OPEN).to_string(), "draw");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Verdict {
    /// The outcome for the side to move.
    pub value: Outcome,
    /// Plies to the end; none if the game goes on for ever, or nobody kept the distance.
    pub plies: Option<u16>,
}

impl From<Value> for Verdict {
    fn from(value: Value) -> Verdict {
        Verdict { value: value.outcome(), plies: value.plies() }
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
        for code in 0..=Value::Draw(Value::MAX_PLIES).code() {
            let value = Value::from_code(code);
            assert_eq!(value.code(), code);
        }
        let most = [Value::Win, Value::Draw, Value::Loss].map(|of| of(Value::ENDLESS).code());
        assert!(most.iter().all(|&code| code < 0x8000), "a bit is left for the engines");
        assert_eq!(Value::Loss(4).before_move(), Value::Win(5));
        assert_eq!(Value::Win(1).before_move(), Value::Loss(2));
        assert_eq!(Value::Draw(1).before_move(), Value::Draw(2));
        for endless in [Value::OPEN, Value::Win(Value::ENDLESS), Value::Loss(Value::ENDLESS)] {
            assert!(endless.before_move().is_endless() && endless.plies().is_none());
        }
        assert_eq!(Value::Win(Value::UNKNOWN).before_move(), Value::Loss(Value::UNKNOWN));
    }

    #[test]
    fn better_is_greater() {
        let best_first = [
            Value::Win(1),
            Value::Win(3),
            Value::Win(Value::ENDLESS),
            Value::Draw(2),
            Value::Draw(7),
            Value::OPEN,
            Value::Loss(Value::ENDLESS),
            Value::Loss(8),
            Value::Loss(2),
        ];
        assert!(best_first.is_sorted_by(|a, b| a > b));
    }
}
