//! The meanings of 'best play', and their names.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::TieBreak;
use crate::rules::Player;

/// What 'best play' means.
///
/// The names are `forced`, `not-losing-P`, `maxn-XYZ` and `equilibria`, with P
/// the player who avoids a loss, and X, Y and Z the opponents whom players 1,
/// 2 and 3 would rather see win (`maxn-231`: each prefers the next).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Meaning {
    /// Who can force a win against the other two together.
    #[default]
    Forced,
    /// Whether this player can avoid a loss against the other two together.
    NotLosing(Player),
    /// max^n with these preferences.
    MaxN(TieBreak),
    /// All outcomes of subgame-perfect play.
    Equilibria,
}

impl Meaning {
    /// All meanings.
    pub fn all() -> impl Iterator<Item = Meaning> {
        let safe = Player::ALL.map(Meaning::NotLosing);
        let max_n = TieBreak::ALL.map(Meaning::MaxN);
        [Meaning::Forced].into_iter().chain(safe).chain(max_n).chain([Meaning::Equilibria])
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Meaning::Forced => formatter.write_str("forced"),
            Meaning::NotLosing(player) => write!(formatter, "not-losing-{}", player.number()),
            Meaning::MaxN(tie_break) => {
                let [first, second, third] =
                    Player::ALL.map(|player| tie_break.preferred(player).number());
                write!(formatter, "maxn-{first}{second}{third}")
            }
            Meaning::Equilibria => formatter.write_str("equilibria"),
        }
    }
}

/// A name that no meaning has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{name:?} is no meaning of best play: expected forced, not-losing-1 to -3, equilibria, \
     or maxn-XYZ with the opponents that players 1, 2 and 3 prefer (as in maxn-231)"
)]
pub struct UnknownMeaning {
    /// The name.
    pub name: String,
}

impl FromStr for Meaning {
    type Err = UnknownMeaning;

    fn from_str(name: &str) -> Result<Meaning, UnknownMeaning> {
        let found = Meaning::all().find(|meaning| meaning.to_string() == name);
        found.ok_or_else(|| UnknownMeaning { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        assert_eq!(Meaning::all().count(), 13);
        for meaning in Meaning::all() {
            assert_eq!(meaning.to_string().parse(), Ok(meaning));
        }
        for name in ["", "maxn", "maxn-123", "maxn-2311", "not-losing-4", "Forced"] {
            assert!(name.parse::<Meaning>().is_err());
        }
    }
}
