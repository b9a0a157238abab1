//! The codes of a tier that is done: in memory, or read as they are needed, since a tier may be larger than
//! the memory.

use crate::checkpoint::Chunks;
use crate::{Checkpoint, SolveError};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Cells that are kept behind the last that was read: threads read nearly in order.
const KEPT: u64 = 1 << 23;

/// The codes of a tier.
pub enum Codes<'a> {
    /// All of them.
    Memory(&'a [u16]),
    /// A window into a file.
    Disk(Window<'a>),
}

/// What was read last of a tier in a file.
pub struct Window<'a> {
    checkpoint: &'a Checkpoint,
    tier: usize,
    kept: u64,
    open: Mutex<Option<Open>>,
}

/// A file that is read.
struct Open {
    rest: Chunks,
    /// The chunks that are kept, with their first cells.
    chunks: VecDeque<(u64, Vec<u16>)>,
    /// The first cell that was not read yet.
    end: u64,
}

impl<'a> Codes<'a> {
    pub(crate) fn on_disk(checkpoint: &'a Checkpoint, tier: usize) -> Codes<'a> {
        Codes::Disk(Window { checkpoint, tier, kept: KEPT, open: Mutex::new(None) })
    }

    /// Reads the codes of a range.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(&self, range: Range<u64>, codes: &mut [u16]) -> Result<(), SolveError> {
        match self {
            Codes::Memory(all) => {
                codes.copy_from_slice(&all[range.start as usize..range.end as usize]);
                Ok(())
            }
            Codes::Disk(window) => window.read(range, codes),
        }
    }

    /// Calls `each` with all codes, some at a time and in order.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn scan(&self, mut each: impl FnMut(&[u16])) -> Result<(), SolveError> {
        match self {
            Codes::Memory(all) => each(all),
            Codes::Disk(window) => {
                for chunk in window.checkpoint.tier_chunks(window.tier)? {
                    each(&chunk?);
                }
            }
        }
        Ok(())
    }
}

impl Window<'_> {
    fn read(&self, range: Range<u64>, codes: &mut [u16]) -> Result<(), SolveError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // Who reads what is not kept any more makes all begin again: slow, but right.
        let kept = |open: &Open| open.chunks.front().is_none_or(|&(first, _)| first <= range.start);
        let mut file = match open.take().filter(|open| kept(open) && open.is_at(range.start)) {
            Some(file) => file,
            None => {
                let rest = self.checkpoint.tier_chunks(self.tier)?;
                Open { rest, chunks: VecDeque::new(), end: 0 }
            }
        };
        while file.end < range.end {
            let Some(chunk) = file.rest.next() else {
                return Err(self.checkpoint.damaged(&format!("tier-{}-done", self.tier)));
            };
            let (first, chunk) = (file.end, chunk?);
            file.end += chunk.len() as u64;
            file.chunks.push_back((first, chunk));
            let old = |&(first, ref chunk): &(u64, Vec<u16>)| {
                first + (chunk.len() as u64) + self.kept < file.end
                    && first + chunk.len() as u64 <= range.start
            };
            while file.chunks.front().is_some_and(old) {
                file.chunks.pop_front();
            }
        }
        for (first, chunk) in &file.chunks {
            let from = range.start.max(*first);
            let to = range.end.min(first + chunk.len() as u64);
            if from < to {
                let [start, end] = [from - range.start, to - range.start].map(|at| at as usize);
                let [first, last] = [from - first, to - first].map(|at| at as usize);
                codes[start..end].copy_from_slice(&chunk[first..last]);
            }
        }
        *open = Some(file);
        Ok(())
    }
}

impl Open {
    /// Whether a cell is kept or still to come.
    fn is_at(&self, cell: u64) -> bool {
        self.chunks.front().map_or(self.end, |&(first, _)| first) <= cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_gives_what_was_written_in_any_order() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint::new(dir.path().join("part"), "game 1");
        let cells: Vec<u16> = (0..3_000_000_u32).map(|i| (i.wrapping_mul(i) >> 7) as u16).collect();
        checkpoint.write_tier(0, None, cells.iter().copied()).unwrap();
        let open = Mutex::new(None);
        let codes = Codes::Disk(Window { checkpoint: &checkpoint, tier: 0, kept: 1000, open });
        let mut all: Vec<u16> = Vec::new();
        codes.scan(|some| all.extend(some)).unwrap();
        assert!(all == cells);
        let size = cells.len() as u64;
        for first in [0, 70_000, 500_000, 524_288, 1, 2_900_000, 1_500_000, 3_000_000] {
            let range = first..size.min(first + 600_000);
            let mut found = vec![0; (range.end - range.start) as usize];
            codes.read(range.clone(), &mut found).unwrap();
            assert!(found == cells[range.start as usize..range.end as usize], "{range:?}");
        }
        assert!(codes.read(size..size + 1, &mut [0]).is_err());
    }
}
