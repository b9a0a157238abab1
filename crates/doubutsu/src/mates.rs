//! Mates: wins by an unbroken series of checks, table 3 of the paper.
//!
//! A byte for each open position says in how many plies its mover mates or is mated. The mated in 0
//! are seen from the positions themselves. From then on a step goes back from the newly mated to
//! those who mate them, and from these to the positions that may now be mated, which are looked at
//! with all their moves. Only what is new is gone back from, so it is over in seconds.

use super::cells::Cells;
use super::index::Index;
use super::reach::Reach;
use super::rules::{Ending, Move, Options, Position};
use super::scan::{Chunks, Team, for_each_equal};
use super::unmoves::for_each_predecessor;
use std::io;

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

/// The mates among the positions that can arise.
pub struct Mates {
    /// The number of mates in 1, 3, 5, ... plies.
    pub counts: Vec<u64>,
    /// Some of the longest, each with its line.
    pub longest: Vec<(Position, Vec<Move>)>,
}

/// Finds all mates, and at most so many examples of the longest.
pub fn mates(
    index: &Index,
    options: &Options,
    reading: Reading,
    reach: &Reach,
    most: usize,
    team: Team<'_>,
) -> io::Result<Mates> {
    let search = Search { index, options, reading, cells: Cells::new(index.len() as usize)?, team };
    search.mated_at_once();
    let (mut counts, mut longest) = (Vec::new(), Vec::new());
    for plies in (0..).step_by(2) {
        search.before(plies, |_, _| true);
        let found = search.found(plies + 1, reach, most);
        if found.all == 0 {
            break;
        }
        counts.push(found.arising);
        if found.arising > 0 {
            longest = found.examples;
        }
        search.before(plies + 1, |position, plies| search.is_mated(position, plies));
    }
    let with_line = |number| {
        let block = index.block_of(number);
        let position = block.position((number - block.start) as usize);
        (position, search.line(position))
    };
    Ok(Mates { counts, longest: longest.into_iter().map(with_line).collect() })
}

struct Search<'a> {
    index: &'a Index,
    options: &'a Options,
    reading: Reading,
    cells: Cells,
    team: Team<'a>,
}

/// The positions with a number of plies.
#[derive(Default)]
struct Found {
    all: u64,
    /// How many of them can arise.
    arising: u64,
    /// The first of these.
    examples: Vec<u32>,
}

impl Search<'_> {
    fn in_parallel<T: Send>(&self, plies: u8, work: impl Fn(&Chunks<'_>) -> T + Sync) -> Vec<T> {
        self.team.share(&format!("mates in {plies} plies"), self.index.len(), work)
    }

    /// Finds the positions whose every move loses at once.
    fn mated_at_once(&self) {
        self.in_parallel(0, |chunks| {
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
        self.in_parallel(plies + 1, |chunks| {
            while let Some(chunk) = chunks.take() {
                for_each_equal(self.index, &self.cells, chunk, cell(plies), |_, position| {
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

    /// The positions that have `plies`, with at most so many examples.
    fn found(&self, plies: u8, reach: &Reach, most: usize) -> Found {
        let parts = self.in_parallel(plies, |chunks| {
            let mut found = Found::default();
            while let Some(chunk) = chunks.take() {
                for_each_equal(self.index, &self.cells, chunk, cell(plies), |number, _| {
                    found.all += 1;
                    if reach.contains(number) {
                        found.arising += 1;
                        if found.examples.len() < most {
                            found.examples.push(number);
                        }
                    }
                });
            }
            found
        });
        let mut sum = parts.into_iter().fold(Found::default(), |mut sum, part| {
            sum.examples.extend(part.examples);
            Found { all: sum.all + part.all, arising: sum.arising + part.arising, ..sum }
        });
        sum.examples.sort_unstable();
        sum.examples.truncate(most);
        sum
    }

    /// The moves from a mate to its end, with the longest defence.
    fn line(&self, mut position: Position) -> Vec<Move> {
        let mut line = Vec::new();
        let at =
            |position: &Position| self.index.rank(position).map(|number| self.cells.get(number));
        let Some(first @ 1..) = at(&position) else { return line };
        // A mate has its plies in its cell.
        for left in (0..first).rev() {
            let mut best = None;
            position.for_each_move(self.options, |played, next| {
                if best.is_none() && at(&next) == Some(cell(left)) {
                    best = Some((played, next));
                }
            });
            let Some((played, next)) = best else { break };
            line.push(played);
            position = next;
        }
        line
    }
}
