//! Mates: wins by an unbroken series of checks, table 3 of the paper.
//!
//! A byte for each open position says in how many plies its mover mates or is mated. The mated in 0
//! are seen from the positions themselves. From then on a step goes back from the newly mated to
//! those who mate them, and from these to the positions that may now be mated, which are looked at
//! with all their moves. Only what is new is gone back from, so it is over in seconds.

use super::cells::Cells;
use super::index::Index;
use super::reach::Reach;
use super::rules::{Ending, Options, Position};
use super::scan::{Chunks, for_each_equal};
use super::unmoves::for_each_predecessor;
use std::io;
use std::thread;

/// What counts as a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Only an attack on the lion, and only the very last threat may be one to reach the camp. This
    /// gives the numbers of the paper's table.
    Table,
    /// A threat to reach the camp as well, at any time: the words of the paper.
    Words,
}

impl Reading {
    /// Is the mover under a threat?
    fn threatened(self, position: &Position) -> bool {
        position.in_check() || self == Reading::Words && position.turned().has_try()
    }

    /// Does a move to this position lose at once, if all do?
    fn loses_at_once(self, next: &Position, last: bool) -> bool {
        next.ending() == Some(Ending::WonAtOnce)
            || (last || self == Reading::Words) && next.has_try()
    }
}

/// The cell of a mate in `plies` (odd), and of one who is mated in `plies` (even).
const fn cell(plies: u8) -> u8 {
    if plies.is_multiple_of(2) { plies + 2 } else { plies }
}

/// The number of mates in 1, 3, 5, ... plies among the positions that can arise.
pub fn mates(
    index: &Index,
    options: &Options,
    reading: Reading,
    reach: &Reach,
    threads: usize,
) -> io::Result<Vec<u64>> {
    let search =
        Search { index, options, reading, cells: Cells::new(index.len() as usize)?, threads };
    search.mated_at_once();
    let mut counts = Vec::new();
    for plies in (0..).step_by(2) {
        search.before(plies, |_, _| true);
        let found = search.count(plies + 1, reach);
        if found.0 == 0 {
            break;
        }
        counts.push(found.1);
        search.before(plies + 1, |position, plies| search.is_mated(position, plies));
    }
    Ok(counts)
}

struct Search<'a> {
    index: &'a Index,
    options: &'a Options,
    reading: Reading,
    cells: Cells,
    threads: usize,
}

impl Search<'_> {
    fn in_parallel<T: Send>(&self, work: impl Fn(&Chunks) -> T + Sync) -> Vec<T> {
        let chunks = Chunks::new(self.index.len());
        thread::scope(|scope| {
            let workers: Vec<_> =
                (0..self.threads).map(|_| scope.spawn(|| work(&chunks))).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().expect("a worker does not panic"))
                .collect()
        })
    }

    /// Finds the positions whose every move loses at once.
    fn mated_at_once(&self) {
        self.in_parallel(|chunks| {
            while let Some(chunk) = chunks.take() {
                self.index.for_each_position(chunk, |number, _, position| {
                    if self.reading.threatened(&position)
                        && self.every_move(&position, |next| self.reading.loses_at_once(next, true))
                    {
                        self.cells.exchange(number, 0, cell(0));
                    }
                });
            }
        });
    }

    /// Gives the positions before those of `plies` one ply more, if they pass a test.
    fn before(&self, plies: u8, test: impl Fn(&Position, u8) -> bool + Sync) {
        self.in_parallel(|chunks| {
            while let Some(chunk) = chunks.take() {
                for_each_equal(self.index, &self.cells, chunk, cell(plies), |_, _, position| {
                    for_each_predecessor(&position, self.options, |before| {
                        let number = self.index.rank_inside(&before);
                        if self.cells.get(number) == 0 && test(&before, plies + 1) {
                            self.cells.exchange(number, 0, cell(plies + 1));
                        }
                    });
                });
            }
        });
    }

    /// Is the mover mated in `plies`, or sooner?
    fn is_mated(&self, position: &Position, plies: u8) -> bool {
        self.reading.threatened(position)
            && self.every_move(position, |next| {
                self.reading.loses_at_once(next, false)
                    || self.index.rank(next).is_some_and(|number| {
                        let next = self.cells.get(number);
                        next % 2 == 1 && next < plies
                    })
            })
    }

    fn every_move(&self, position: &Position, test: impl Fn(&Position) -> bool) -> bool {
        let mut every = true;
        position.for_each_move(self.options, |_, next| every = every && test(&next));
        every
    }

    /// How many positions have `plies`, and how many of them can arise.
    fn count(&self, plies: u8, reach: &Reach) -> (u64, u64) {
        let parts = self.in_parallel(|chunks| {
            let mut counts = (0, 0);
            while let Some(chunk) = chunks.take() {
                for_each_equal(self.index, &self.cells, chunk, cell(plies), |number, _, _| {
                    counts.0 += 1;
                    counts.1 += u64::from(reach.contains(number));
                });
            }
            counts
        });
        parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}
