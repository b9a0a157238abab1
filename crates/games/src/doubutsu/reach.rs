//! The positions that can arise in play from the start, and after how many plies at the earliest.
//!
//! A search by breadth: the positions of one ply are found by a scan, their successors get the
//! next. Play ends where the game is over, so only open positions are gone on from; positions won
//! or lost at once are counted in a bit map over all placements.

use super::cells::Cells;
use super::index::Index;
use super::ring::Ring;
use super::rules::{MOST_MOVES, Options, Position};
use super::scan::{Chunks, Team, for_each_equal};
use std::io;

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
    pub fn new(open: &Index, all: &Index, options: &Options, team: Team<'_>) -> io::Result<Reach> {
        let cells = Cells::new(open.len() as usize)?;
        let over = Cells::new(all.len().div_ceil(8) as usize)?;
        let start = open.rank(&Position::start()).expect("the start is an open position");
        cells.exchange(start, 0, 1);
        let mut by_ply = vec![Arising { open: 1, over: 0 }];
        loop {
            let ply = by_ply.len() as u8;
            let work = |chunks: &Chunks<'_>| {
                let mut worker = Worker {
                    open,
                    all,
                    cells: &cells,
                    over: &over,
                    ply,
                    arising: Arising::default(),
                    open_ring: Ring::new(),
                    over_ring: Ring::new(),
                };
                let mut next = [Position::start(); MOST_MOVES];
                while let Some(chunk) = chunks.take() {
                    for_each_equal(open, &cells, chunk, ply, |_, _, position| {
                        let mut count = 0;
                        position.for_each_move(options, |_, position| {
                            next[count % MOST_MOVES] = position;
                            count += 1;
                        });
                        next[..count].iter().for_each(|next| worker.arrive(next));
                    });
                }
                worker.finish()
            };
            let what = format!("what can arise, ply {ply}");
            let arising = team.share(&what, open.len(), work).into_iter().fold(
                Arising::default(),
                |sum, found| Arising { open: sum.open + found.open, over: sum.over + found.over },
            );
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

/// Marks the positions that arise at one ply.
struct Worker<'a> {
    open: &'a Index,
    all: &'a Index,
    cells: &'a Cells,
    over: &'a Cells,
    ply: u8,
    arising: Arising,
    open_ring: Ring,
    over_ring: Ring,
}

impl Worker<'_> {
    #[inline(always)]
    fn arrive(&mut self, position: &Position) {
        if let Some(number) = self.open.rank(position) {
            self.cells.prefetch(number);
            if let Some(ready) = self.open_ring.exchange(number) {
                self.mark_open(ready);
            }
        } else {
            let number = self.all.rank_inside(position);
            self.over.prefetch(number / 8);
            if let Some(ready) = self.over_ring.exchange(number) {
                self.mark_over(ready);
            }
        }
    }

    #[inline(always)]
    fn mark_open(&mut self, number: u32) {
        let new = self.cells.get(number) == 0 && self.cells.exchange(number, 0, self.ply + 1);
        self.arising.open += u64::from(new);
    }

    #[inline(always)]
    fn mark_over(&mut self, number: u32) {
        self.arising.over += u64::from(self.over.set_bit(number));
    }

    fn finish(mut self) -> Arising {
        std::mem::take(&mut self.open_ring).drain().for_each(|ready| self.mark_open(ready));
        std::mem::take(&mut self.over_ring).drain().for_each(|ready| self.mark_over(ready));
        self.arising
    }
}
