//! Which positions are wanted: conditions on columns, joined by `and`.

use crate::column::{outcome, plies};
use crate::{Column, ExportError};
use kanzen_registry::arrays::Rows;
use std::cmp::Ordering;
use std::str::FromStr;

/// Conditions that must all hold.
///
/// ```
/// let filter: kanzen_export::Filter = "outcome = win and plies >= 20".parse()?;
/// assert!("plies over 20".parse::<kanzen_export::Filter>().is_err());
/// # Ok::<(), kanzen_export::ExportError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter(Vec<Condition>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    column: Column,
    /// The orders of the column's value and the number that are allowed.
    allowed: &'static [Ordering],
    number: i64,
}

/// The signs, longer ones first, and what they allow.
const SIGNS: [(&str, &[Ordering]); 6] = [
    (">=", &[Ordering::Greater, Ordering::Equal]),
    ("<=", &[Ordering::Less, Ordering::Equal]),
    ("!=", &[Ordering::Less, Ordering::Greater]),
    ("=", &[Ordering::Equal]),
    (">", &[Ordering::Greater]),
    ("<", &[Ordering::Less]),
];

impl FromStr for Filter {
    type Err = ExportError;

    fn from_str(text: &str) -> Result<Filter, ExportError> {
        let conditions = text.split(" and ").map(str::trim).filter(|part| !part.is_empty());
        conditions.map(condition).collect::<Result<_, _>>().map(Filter)
    }
}

fn condition(text: &str) -> Result<Condition, ExportError> {
    let wrong = || ExportError::Condition(text.to_owned());
    let split = |&(sign, allowed): &(&str, &'static [Ordering])| {
        text.split_once(sign).map(|(name, number)| (name, allowed, number))
    };
    let (name, allowed, number) = SIGNS.iter().find_map(split).ok_or_else(wrong)?;
    let column: Column = name.parse()?;
    // A second equals sign, as programs write it, changes nothing.
    let number = number.trim_start_matches('=').trim();
    let number = match (column, number) {
        (Column::Position | Column::Board, _) => return Err(wrong()),
        (Column::Outcome, "win") => 1,
        (Column::Outcome, "draw") => 0,
        (Column::Outcome, "loss") => -1,
        (_, number) => number.parse().map_err(|_| wrong())?,
    };
    Ok(Condition { column, allowed, number })
}

impl Filter {
    /// The columns that the conditions ask for.
    pub(crate) fn columns(&self) -> impl Iterator<Item = Column> {
        self.0.iter().map(|condition| condition.column)
    }

    /// Whether a tier may have such positions.
    pub(crate) fn allows_tier(&self, tier: usize) -> bool {
        let mut of_tier = self.0.iter().filter(|condition| condition.column == Column::Tier);
        of_tier.all(|condition| condition.allows(Some(tier as i64)))
    }

    /// Whether a row fulfils the conditions; `tier` tells the tier of a number.
    pub(crate) fn keeps(&self, rows: &Rows, row: usize, tier: impl Fn(u64) -> usize) -> bool {
        self.0.iter().all(|condition| {
            condition.allows(match condition.column {
                Column::Index => Some(rows.numbers[row] as i64),
                Column::Tier => Some(tier(rows.numbers[row]) as i64),
                Column::Outcome => Some(outcome(rows.codes[row]).into()),
                Column::Plies => plies(rows.codes[row]).map(i64::from),
                Column::Orbit => Some(rows.orbits[row].into()),
                Column::Moves => Some(rows.moves[row].into()),
                Column::Best => Some(rows.best[row].into()),
                Column::Position | Column::Board => None,
            })
        })
    }
}

impl Condition {
    fn allows(&self, value: Option<i64>) -> bool {
        value.is_some_and(|value| self.allowed.contains(&value.cmp(&self.number)))
    }
}
