//! The columns of a data set.

use crate::ExportError;
use kanzen_core::{Outcome, Value};
use kanzen_registry::arrays::Wanted;
use std::str::FromStr;

/// A fact that each row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The number of the position.
    Index,
    /// The number of its tier.
    Tier,
    /// Its notation.
    Position,
    /// Its board, a byte a cell.
    Board,
    /// Its outcome for the side to move.
    Outcome,
    /// Plies to the end of the game.
    Plies,
    /// How many positions the row stands for.
    Orbit,
    /// How many moves it has.
    Moves,
    /// How many of these are best.
    Best,
}

impl Column {
    /// All of them.
    pub const ALL: [Column; 9] = [
        Column::Index,
        Column::Tier,
        Column::Position,
        Column::Board,
        Column::Outcome,
        Column::Plies,
        Column::Orbit,
        Column::Moves,
        Column::Best,
    ];

    /// What a data set has unless somebody says otherwise.
    pub const USUAL: [Column; 6] = [
        Column::Index,
        Column::Tier,
        Column::Position,
        Column::Outcome,
        Column::Plies,
        Column::Orbit,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Column::Index => "index",
            Column::Tier => "tier",
            Column::Position => "position",
            Column::Board => "board",
            Column::Outcome => "outcome",
            Column::Plies => "plies",
            Column::Orbit => "orbit",
            Column::Moves => "moves",
            Column::Best => "best",
        }
    }

    /// What it tells, for the data card.
    pub fn about(self) -> &'static str {
        match self {
            Column::Index => "the number of the position in the table",
            Column::Tier => "the number of its tier",
            Column::Position => "the position, in the game's notation",
            Column::Board => "the board, a byte a cell",
            Column::Outcome => "under best play, for the side to move: 1 win, 0 draw, -1 loss",
            Column::Plies => {
                "plies to the end of the game under best play; nothing (-1 in NumPy files) if it never ends or the distance was not kept"
            }
            Column::Orbit => {
                "how many positions the row stands for: its images under the symmetries; weigh by it"
            }
            Column::Moves => "how many legal moves there are",
            Column::Best => "how many of them are best: same outcome, same distance",
        }
    }

    /// The names of all, for people.
    pub(crate) fn names() -> String {
        Column::ALL.map(Column::name).join(", ")
    }

    /// What must be found of a position for some columns.
    pub(crate) fn wanted(columns: impl IntoIterator<Item = Column>) -> Wanted {
        let mut wanted = Wanted::default();
        for column in columns {
            match column {
                Column::Index | Column::Tier => {}
                Column::Position => wanted.text = true,
                Column::Board => wanted.board = true,
                Column::Outcome | Column::Plies => wanted.value = true,
                Column::Orbit => wanted.orbit = true,
                Column::Moves | Column::Best => wanted.moves = true,
            }
        }
        wanted
    }
}

impl FromStr for Column {
    type Err = ExportError;

    fn from_str(name: &str) -> Result<Column, ExportError> {
        let found = Column::ALL.into_iter().find(|column| column.name() == name.trim());
        found.ok_or_else(|| ExportError::Column(name.to_owned()))
    }
}

/// The outcome of a code as a number: 1, 0 or -1.
pub(crate) fn outcome(code: u16) -> i8 {
    match Value::from_code(code).outcome() {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

/// The plies of a code.
pub(crate) fn plies(code: u16) -> Option<u16> {
    Value::from_code(code).plies()
}
