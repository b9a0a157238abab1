//! What an analysis finds: a table of facts whose cells know what they are.
//!
//! A finding is made once, by one function from positions to rows. How it looks as text, JSON, CSV,
//! Markdown or HTML, and in which language, is decided elsewhere, once for all findings.

use kanzen_core::{Outcome, Text, Verdict, Words};

/// A column of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name for programs.
    pub name: &'static str,
    /// Its head for people.
    pub title: Words,
}

impl Column {
    /// A column of its own.
    pub const fn new(name: &'static str, en: &'static str, ja: &'static str) -> Column {
        Column { name, title: Words::new(en, ja) }
    }
}

/// Columns that many findings have.
pub mod columns {
    use super::Column;

    /// The part of the game.
    pub const TIER: Column = Column::new("tier", "tier", "段階");
    /// How many positions.
    pub const POSITIONS: Column = Column::new("positions", "positions", "局面数");
    /// Some of them.
    pub const EXAMPLES: Column = Column::new("examples", "for example", "例");
    /// Win, draw or loss for the side to move.
    pub const VALUE: Column = Column::new("value", "value", "値");
    /// Plies to the end of the game.
    pub const PLIES: Column = Column::new("plies", "plies", "手数");
    /// Plies from the start of the game.
    pub const PLY: Column = Column::new("ply", "ply", "手目");
    /// Legal moves.
    pub const MOVES: Column = Column::new("moves", "moves", "手の数");
    /// Legal moves, on average.
    pub const MEAN_MOVES: Column =
        Column::new("mean_moves", "moves to choose from, on average", "合法手数の平均");
    /// Won positions.
    pub const WINS: Column = Column::new("wins", "wins", "勝ち");
    /// Drawn positions.
    pub const DRAWS: Column = Column::new("draws", "draws", "引き分け");
    /// Lost positions.
    pub const LOSSES: Column = Column::new("losses", "losses", "負け");
    /// The longest win or loss.
    pub const LONGEST: Column = Column::new("longest", "longest", "最長手数");
    /// A move.
    pub const MOVE: Column = Column::new("move", "move", "手");
    /// Those that look the same to both sides.
    pub const SELF_SYMMETRIC: Column = Column::new("self_symmetric", "self-symmetric", "自己対称");
}

/// A cell of a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// It does not apply.
    Nothing,
    /// A whole number.
    Count(u64),
    /// A number for each of 0, 1, 2, …
    Counts(Vec<u64>),
    /// A mean.
    Number(f64),
    /// A share of a whole, from 0 to 1.
    Share(f64),
    /// Win, draw or loss.
    Outcome(Outcome),
    /// The same, with its distance.
    Verdict(Verdict),
    /// Words.
    Word(Text),
    /// What the game itself writes: a move, the name of a point.
    Name(String),
    /// Several of these: a line of moves.
    Names(Vec<String>),
    /// Positions.
    Positions(Vec<String>),
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::Count(count as u64)
    }
}

impl From<u16> for Cell {
    fn from(count: u16) -> Cell {
        Cell::Count(count.into())
    }
}

impl From<Outcome> for Cell {
    fn from(outcome: Outcome) -> Cell {
        Cell::Outcome(outcome)
    }
}

impl From<Verdict> for Cell {
    fn from(verdict: Verdict) -> Cell {
        Cell::Verdict(verdict)
    }
}

impl From<Text> for Cell {
    fn from(text: Text) -> Cell {
        Cell::Word(text)
    }
}

impl From<Words> for Cell {
    fn from(words: Words) -> Cell {
        Cell::Word(words.into())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Cell {
        cell.map_or(Cell::Nothing, T::into)
    }
}

/// A table of facts.
///
/// ```
/// use kanzen_analyse::{Finding, columns, row};
/// use kanzen_core::Words;
/// let caption = Words::new("How many positions are won.", "勝ちの局面数。");
/// let mut finding = Finding::new("won", caption, &[columns::PLIES, columns::WINS]);
/// finding.add(row![3_u64, 120_u64]);
/// assert_eq!(finding.rows.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its name among the findings of its kind, for programs.
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub caption: Text,
    /// What its columns hold.
    pub columns: Vec<Column>,
    /// A cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

impl Finding {
    /// A finding without rows.
    pub fn new(name: &'static str, caption: impl Into<Text>, columns: &[Column]) -> Finding {
        Finding { name, caption: caption.into(), columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row, with a cell for each column.
    pub fn add(&mut self, row: Vec<Cell>) {
        debug_assert_eq!(row.len(), self.columns.len(), "{}", self.name);
        self.rows.push(row);
    }

    /// The finding with one more row.
    #[must_use]
    pub fn with(mut self, row: Vec<Cell>) -> Finding {
        self.add(row);
        self
    }
}

/// A row of a [`Finding`](crate::Finding): anything that can be made a [`Cell`](crate::Cell).
///
/// ```
/// use kanzen_analyse::{Cell, row};
/// use kanzen_core::Outcome;
/// assert_eq!(row![Outcome::Win, 7_u64], [Cell::Outcome(Outcome::Win), Cell::Count(7)]);
/// ```
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($crate::Cell::from($cell)),*] };
}
