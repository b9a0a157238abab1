//! The positions that can arise in play from the start, and after how many plies at the earliest.
//!
//! A search by breadth: the positions of one ply are found by a scan, their successors get the
//! next. Play ends where the game is over, so only open positions are gone on from; positions won
//! or lost at once are counted in a bit map over all placements.

use super::cells::Cells;
use super::index::Index;
use super::rules::{Options, Position};
use super::scan::{Chunks, for_each_equal};
use std::io;
use std::thread;

/// What can arise from the start.
pub struct Reach {
    /// For each open position 1 + the earliest ply at which it can arise, or 0.
    cells: Cells,
    /// By ply, how many open positions and how many positions where the game is over arise first.
    pub by_ply: Vec<Arising>,
}

/// How many positions arise first at a ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arising {
    /// Positions from which play goes on.
    pub open: u64,
    /// Positions won or lost at once.
    pub over: u64,
}

impl Reach {
    /// Searches from the start. `open` and `all` are the indices over the two domains.
    pub fn new(open: &Index, all: &Index, options: &Options, threads: usize) -> io::Result<Reach> {
        let cells = Cells::new(open.len() as usize)?;
        let over = Cells::new(all.len().div_ceil(8) as usize)?;
        let start = open.rank(&Position::start()).expect("the start is an open position");
        cells.exchange(start, 0, 1);
        let mut by_ply = vec![Arising { open: 1, over: 0 }];
        loop {
            let ply = by_ply.len() as u8;
            let chunks = Chunks::new(open.len());
            let work = || {
                let mut arising = Arising::default();
                while let Some(chunk) = chunks.take() {
                    for_each_equal(open, &cells, chunk, ply, |_, _, position| {
                        position.for_each_move(options, |_, next| {
                            match open.rank(&next) {
                                Some(number) => {
                                    arising.open += u64::from(cells.get(number) == 0 && cells.exchange(number, 0, ply + 1));
                                }
                                None => {
                                    let number = all.rank_inside(&next);
                                    arising.over += u64::from(over.set_bit(number));
                                }
                            }
                        });
                    });
                }
                arising
            };
            let arising = thread::scope(|scope| {
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                workers.into_iter().fold(Arising::default(), |sum, worker| {
                    let found = worker.join().expect("a worker does not panic");
                    Arising { open: sum.open + found.open, over: sum.over + found.over }
                })
            });
            if arising == Arising::default() {
                return Ok(Reach { cells, by_ply });
            }
            by_ply.push(arising);
        }
    }

    /// The earliest ply at which an open position can arise.
    #[inline(always)]
    pub fn ply(&self, number: u32) -> Option<u8> {
        self.cells.get(number).checked_sub(1)
    }

    /// Can an open position arise?
    #[inline(always)]
    pub fn contains(&self, number: u32) -> bool {
        self.cells.get(number) != 0
    }
}
