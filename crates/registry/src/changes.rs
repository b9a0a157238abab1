//! What changes from one rule of a game to another.

use crate::GameError;
use crate::any::Whole;
use kanzen_analyse::{PackedCodes, TierCodes};
use kanzen_core::{Outcome, Value, Verdict};
use kanzen_index::Place;
use kanzen_solve::{HOLE, Progress};
use serde::Serialize;
use std::io;

/// Counts of positions: lost, drawn and won under the first rule (rows) and the second (columns).
pub type ByValue = [[u64; 3]; 3];

/// The positions of a game under two rules.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Changes {
    /// All positions.
    pub by_value: ByValue,
    /// Those that can arise under the first rule, if that is known.
    pub arising_by_value: Option<ByValue>,
    /// Positions with the same outcome after another number of plies.
    pub other_plies: u64,
    /// Examples of each change of the outcome.
    pub examples: Vec<Change>,
}

/// A position with another outcome.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The position.
    pub position: String,
    /// Its value under the first rule.
    pub first: Verdict,
    /// Its value under the second.
    pub second: Verdict,
}

impl Changes {
    /// The outcomes in the order of rows and columns.
    pub const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

    /// The row or column of a value.
    pub fn place(value: Value) -> usize {
        value.outcome() as usize
    }

    /// How many positions have another outcome.
    pub fn changed(by_value: &ByValue) -> u64 {
        let all: u64 = by_value.iter().flatten().sum();
        all - (0..3).map(|same| by_value[same][same]).sum::<u64>()
    }

    /// Counts positions with the same pair of values. At most `most` examples of each change are
    /// kept, and `name` is asked for their names.
    pub fn count(
        &mut self,
        values: [Value; 2],
        count: u64,
        most: usize,
        name: impl FnOnce() -> Option<String>,
    ) {
        let [from, to] = values.map(Changes::place);
        self.by_value[from][to] += count;
        if count == 0 || values[0] == values[1] {
            return;
        }
        if from == to {
            self.other_plies += count;
            return;
        }
        let [first, second] = values.map(Verdict::from);
        if self.examples_of(first.value, second.value) < most
            && let Some(position) = name()
        {
            self.examples.push(Change { position, first, second });
        }
    }

    /// Both together, with at most `most` examples of each change.
    pub fn and(mut self, other: Changes, most: usize) -> Changes {
        for (row, more) in self.by_value.iter_mut().zip(other.by_value) {
            row.iter_mut().zip(more).for_each(|(sum, n)| *sum += n);
        }
        self.other_plies += other.other_plies;
        for example in other.examples {
            if self.examples_of(example.first.value, example.second.value) < most {
                self.examples.push(example);
            }
        }
        self
    }

    fn examples_of(&self, first: Outcome, second: Outcome) -> usize {
        let same = |change: &&Change| change.first.value == first && change.second.value == second;
        self.examples.iter().filter(same).count()
    }
}

/// Compares two tables cell by cell; none if they have other cells.
pub(crate) fn of_codes(
    first: &dyn Whole,
    second: &dyn Whole,
    most: usize,
    progress: &dyn Progress,
) -> Result<Option<Changes>, GameError> {
    let packing =
        |error: io::Error| GameError::NoAnswer(format!("values cannot be packed: {error}"));
    let codes = first.codes(progress)?;
    // Only one table's codes are in memory at a time.
    let packed: Vec<PackedCodes> =
        codes.iter().map(PackedCodes::new).collect::<io::Result<_>>().map_err(packing)?;
    drop(codes);
    let reach = first.reach(progress);
    let others = second.codes(progress)?;
    if !packed.iter().map(PackedCodes::len).eq(others.iter().map(TierCodes::len)) {
        return Ok(None);
    }
    let mut changes = Changes::default();
    let mut arising = ByValue::default();
    progress.begin("comparing the tables", packed.iter().map(|codes| codes.len() as u64).sum());
    for (tier, (packed, others)) in packed.iter().zip(others.iter()).enumerate() {
        let mut indices = 0..;
        for block in packed.blocks() {
            let block = block.map_err(packing)?;
            progress.advance(block.len() as u64);
            for (code, index) in block.into_iter().zip(&mut indices) {
                let pair = [code, others.code(index)];
                if pair.contains(&HOLE) {
                    continue;
                }
                let place = Place { tier, index };
                let arises = reach.contains(place);
                let values = pair.map(Value::from_code);
                let [from, to] = values.map(Changes::place);
                arising[from][to] += u64::from(arises);
                let name = || if arises { first.position(place) } else { None };
                changes.count(values, 1, most, name);
            }
        }
    }
    progress.end();
    changes.arising_by_value = Some(arising);
    Ok(Some(changes))
}
