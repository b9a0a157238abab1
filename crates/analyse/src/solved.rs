//! A game together with its table.

use kanzen_core::Value;
use kanzen_index::{Indexed, Place};
use kanzen_solve::{HOLE, Progress, Solution};
use kanzen_table::{DONT_CARE, Identity, Scheme, Table, TableError, TableWriter};
use std::collections::BTreeMap;
use std::path::Path;

/// A solved game: gives the value of any position.
pub struct Solved<G> {
    game: G,
    table: Table,
}

impl<G: Indexed> Solved<G> {
    /// Opens a game's table, and refuses one that is of another game.
    pub fn open(game: G, path: &Path, identity: &Identity) -> Result<Solved<G>, TableError> {
        let table = Table::open(path)?;
        table.expect(identity)?;
        Ok(Solved { game, table })
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The value of a position.
    pub fn value(&self, position: &G::Position) -> Result<Value, TableError> {
        if let Some(value) = seen(&self.game, position) {
            return Ok(value);
        }
        let Place { tier, index } = self.game.locate(position);
        let code = self.table.code(tier, index)?;
        Ok(Value::from_code(code.unwrap_or(Value::Open.code())))
    }
}

/// The value of a position that the rules alone tell; tables do not store it.
pub(crate) fn seen<G: Indexed>(game: &G, position: &G::Position) -> Option<Value> {
    match game.over(position) {
        Some(outcome) => Some(Value::ended(outcome, 0)),
        None => game.wins_at_once(position).then_some(Value::Win(1)),
    }
}

/// Writes a solution as a table. Returns the length of the file.
pub fn write_table<G: Indexed>(
    game: &G,
    solution: &Solution,
    path: &Path,
    identity: Identity,
    level: i32,
    progress: &dyn Progress,
) -> Result<u64, TableError> {
    let mut writer = TableWriter::create(path, identity, Scheme::Plies, level)?;
    let size = solution.tiers.iter().map(|codes| codes.len() as u64).sum();
    progress.begin("writing the table", size);
    for (tier, codes) in solution.tiers.iter().enumerate() {
        let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
        for &code in codes.iter().filter(|&&code| code != HOLE) {
            *counts.entry(code).or_default() += 1;
        }
        let counts: Vec<(u16, u64)> = counts.into_iter().collect();
        let fill = |range: std::ops::Range<u64>, out: &mut [u16]| {
            for (index, out) in range.zip(out) {
                *out = match codes[index as usize] {
                    HOLE => DONT_CARE,
                    code if shallow(code) && is_seen(game, Place { tier, index }) => DONT_CARE,
                    code => code,
                };
            }
        };
        let name = &game.tiers()[tier].name;
        writer.tier(name, codes.len() as u64, &counts, fill, |done| progress.advance(done))?;
    }
    let length = writer.finish();
    progress.end();
    length
}

/// Whether a code can be that of a position whose value the rules tell.
fn shallow(code: u16) -> bool {
    matches!(Value::from_code(code), Value::Open | Value::Win(0 | 1) | Value::Loss(0))
}

fn is_seen<G: Indexed>(game: &G, place: Place) -> bool {
    game.position(place).is_some_and(|position| seen(game, &position).is_some())
}
