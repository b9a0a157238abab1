//! How well a player plays: how many plies ahead it sees.

use kanzen_core::Value;

/// A level of play.
///
/// A full search of so many plies tells exactly the wins and losses that take no longer, so the
/// values of a table tell what such a player sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Sees wins and losses of up to this many plies, and takes the rest to be alike.
    Sees(u16),
    /// Sees everything.
    Perfect,
}

impl Level {
    /// The levels that are compared, the weakest first.
    pub const ALL: [Level; 8] = [
        Level::Sees(0),
        Level::Sees(1),
        Level::Sees(2),
        Level::Sees(3),
        Level::Sees(4),
        Level::Sees(5),
        Level::Sees(6),
        Level::Perfect,
    ];

    /// How many of the moves look best, of moves whose values are given from the best to the
    /// worst: these come first, and the player picks one of them by chance.
    ///
    /// ```
    /// use kanzen_analyse::metrics::Level;
    /// use kanzen_core::Value;
    /// let moves = [Value::Win(5), Value::OPEN, Value::Loss(4), Value::Loss(2)];
    /// let chosen = |level: Level| level.chosen(moves.into_iter());
    /// assert_eq!([0, 1, 2, 4, 5].map(|plies| chosen(Level::Sees(plies))), [4, 4, 3, 2, 1]);
    /// assert_eq!(chosen(Level::Perfect), 1);
    /// ```
    pub fn chosen(self, mut moves: impl Iterator<Item = Value>) -> usize {
        let Some(best) = moves.next() else { return 0 };
        let others = match self {
            Level::Sees(sight) if !seen(best, sight) => {
                moves.take_while(|&value| !seen(value, sight)).count()
            }
            // All draws are as good.
            _ => {
                moves.take_while(|&value| value == best || is_draw(value) && is_draw(best)).count()
            }
        };
        1 + others
    }
}

fn is_draw(value: Value) -> bool {
    matches!(value, Value::Draw(_))
}

/// Whether a win or a loss takes no more than so many plies.
fn seen(value: Value, sight: u16) -> bool {
    match value {
        Value::Win(plies) | Value::Loss(plies) => plies <= sight,
        _ => false,
    }
}
