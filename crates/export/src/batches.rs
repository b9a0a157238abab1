//! The rows of an export, batch by batch.

use crate::order::{Order, mix};
use crate::{Column, ExportError, Filter};
use kanzen_registry::Arrays;
use kanzen_registry::arrays::{Rows, Wanted, place};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;

/// Numbers that a thread looks at in a row.
const CHUNK: u64 = 1 << 15;

/// What to export.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// The columns; the usual ones if there are none.
    pub columns: Vec<Column>,
    /// Which positions.
    pub filter: Filter,
    /// So many of them by chance, in a random order; all if none.
    pub sample: Option<u64>,
    /// Chooses other positions.
    pub seed: u64,
    /// Shares of a training, a validation and a test set.
    pub split: Option<Split>,
    /// A new file begins after about so many bytes; never if none.
    pub shard_bytes: Option<u64>,
}

impl Export {
    /// The columns.
    pub fn columns(&self) -> &[Column] {
        if self.columns.is_empty() { &Column::USUAL } else { &self.columns }
    }

    /// The rows, in batches of some ten thousand.
    pub fn batches<'a>(&self, arrays: &'a dyn Arrays) -> Batches<'a> {
        let tiers = arrays.tiers();
        let (mut ranges, mut start) = (Vec::new(), 0);
        for (number, tier) in tiers.iter().enumerate() {
            if self.filter.allows_tier(number) {
                ranges.push(start..start + tier.size);
            }
            start += tier.size;
        }
        let size = ranges.iter().map(|range| range.end - range.start).sum();
        let columns = self.columns().iter().copied().chain(self.filter.columns());
        Batches {
            arrays,
            filter: self.filter.clone(),
            wanted: Column::wanted(columns),
            cells: arrays.cells().count(),
            order: self.sample.map(|_| Order::new(size, mix(self.seed))),
            left: self.sample.unwrap_or(u64::MAX),
            ranges,
            size,
            next: 0,
            ready: VecDeque::new(),
        }
    }
}

/// Shares of the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split([f64; 3]);

impl Split {
    /// The names of the sets.
    pub const NAMES: [&'static str; 3] = ["train", "validation", "test"];

    /// Shares of a training, a validation and a test set.
    ///
    /// # Errors
    /// If they do not add up to 1.
    pub fn new(shares: [f64; 3]) -> Result<Split, ExportError> {
        let whole: f64 = shares.iter().sum();
        let fits = shares.iter().all(|share| (0.0..=1.0).contains(share));
        if fits && (whole - 1.0).abs() < 1e-6 { Ok(Split(shares)) } else { Err(ExportError::Split) }
    }

    /// The shares.
    pub fn shares(self) -> [f64; 3] {
        self.0
    }

    /// The set of a number: always the same for a seed, whatever else is exported.
    pub(crate) fn set(self, number: u64, seed: u64) -> usize {
        let chance = mix(number ^ mix(seed ^ 0x5eed)) as f64 / 2_f64.powi(64);
        if chance < self.0[0] {
            0
        } else if chance < self.0[0] + self.0[1] {
            1
        } else {
            2
        }
    }
}

/// The rows of an export.
pub struct Batches<'a> {
    arrays: &'a dyn Arrays,
    filter: Filter,
    wanted: Wanted,
    cells: usize,
    /// The order of a sample.
    order: Option<Order>,
    /// Rows that are still wanted.
    left: u64,
    /// The numbers of the tiers that are looked at.
    ranges: Vec<Range<u64>>,
    /// How many numbers these are.
    size: u64,
    /// How many of them were looked at.
    next: u64,
    ready: VecDeque<Rows>,
}

impl Batches<'_> {
    /// How many numbers will be looked at, at the most.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many numbers were looked at.
    pub fn seen(&self) -> u64 {
        self.next
    }

    fn number(&self, at: u64) -> u64 {
        let mut at = self.order.map_or(at, |order| order.at(at));
        for range in &self.ranges {
            let size = range.end - range.start;
            if at < size {
                return range.start + at;
            }
            at -= size;
        }
        u64::MAX
    }

    fn look(&self, at: Range<u64>) -> Result<Rows, ExportError> {
        let rows = self.arrays.rows(&mut at.map(|at| self.number(at)), self.wanted)?;
        let tiers = self.arrays.tiers();
        let tier = |number| place(tiers, number).map_or(0, |place| place.tier);
        let keep: Vec<bool> =
            (0..rows.numbers.len()).map(|row| self.filter.keeps(&rows, row, tier)).collect();
        Ok(select(rows, self.cells, &keep))
    }

    /// Looks at the next chunks, on all cores.
    fn fill(&mut self) -> Result<(), ExportError> {
        let threads = rayon::current_num_threads() as u64;
        // Who wants few rows has no use for many chunks.
        let chunk = self.left.clamp(256, CHUNK);
        let end = self.size.min(self.next + 2 * threads * chunk);
        let chunks: Vec<Range<u64>> = (self.next..end)
            .step_by(chunk as usize)
            .map(|start| start..end.min(start + chunk))
            .collect();
        let found: Vec<Rows> =
            chunks.into_par_iter().map(|at| self.look(at)).collect::<Result<_, _>>()?;
        self.next = end;
        self.ready.extend(found);
        Ok(())
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Rows, ExportError>;

    fn next(&mut self) -> Option<Result<Rows, ExportError>> {
        loop {
            if self.left == 0 {
                return None;
            }
            if let Some(rows) = self.ready.pop_front() {
                let count = rows.numbers.len() as u64;
                if count == 0 {
                    continue;
                }
                let keep: Vec<bool> = (0..count).map(|row| row < self.left).collect();
                self.left -= self.left.min(count);
                return Some(Ok(select(rows, self.cells, &keep)));
            }
            if self.next >= self.size {
                return None;
            }
            if let Err(error) = self.fill() {
                self.left = 0;
                return Some(Err(error));
            }
        }
    }
}

/// Those rows that are to be kept; `cells` is the number of bytes of a board.
pub(crate) fn select(rows: Rows, cells: usize, keep: &[bool]) -> Rows {
    let kept: Vec<usize> = (0..keep.len()).filter(|&row| keep[row]).collect();
    if kept.len() == keep.len() {
        return rows;
    }
    let mut some = Rows {
        numbers: pick(&rows.numbers, &kept),
        codes: pick(&rows.codes, &kept),
        orbits: pick(&rows.orbits, &kept),
        moves: pick(&rows.moves, &kept),
        best: pick(&rows.best, &kept),
        ..Rows::default()
    };
    if !rows.ends.is_empty() {
        for &row in &kept {
            let start = row.checked_sub(1).map_or(0, |before| rows.ends[before]);
            some.text += &rows.text[start..rows.ends[row]];
            some.ends.push(some.text.len());
        }
    }
    if !rows.boards.is_empty() {
        for &row in &kept {
            some.boards.extend_from_slice(&rows.boards[row * cells..][..cells]);
        }
    }
    some
}

/// Some elements of a column; none if the column is empty.
fn pick<T: Copy>(column: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().filter_map(|&row| column.get(row).copied()).collect()
}
