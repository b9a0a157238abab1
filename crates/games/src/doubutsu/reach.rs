//! The positions that can arise in play from the start, and after how many plies at the earliest.
//!
//! A search by breadth: a bit for each open position says whether it has arisen, and another whether
//! it arose at the last ply, so that a scan finds those to go on from. Play ends where the game is
//! over, so only open positions are gone on from; positions won or lost at once are counted in a
//! bit map over all placements.

use super::cells::Cells;
use super::index::Index;
use super::ring::Ring;
use super::rules::{MOST_MOVES, Options, Position};
use super::scan::{Chunks, Team, take_each_set};
use std::io;

/// What can arise from the start.
pub struct Reach {
    /// A bit for each open position.
    arisen: Cells,
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
        let arisen = Cells::of_bits(open.len())?;
        let mut frontier = Cells::of_bits(open.len())?;
        let mut next = Cells::of_bits(open.len())?;
        let over = Cells::of_bits(all.len())?;
        let start = open.rank(&Position::start()).expect("the start is an open position");
        arisen.set_bit(start);
        frontier.set_bit(start);
        let mut by_ply = vec![Arising { open: 1, over: 0 }];
        loop {
            let work = |chunks: &Chunks<'_>| {
                let mut worker = Worker {
                    open,
                    all,
                    arisen: &arisen,
                    next: &next,
                    over: &over,
                    arising: Arising::default(),
                    open_ring: Ring::new(),
                    over_ring: Ring::new(),
                };
                let mut after = [Position::start(); MOST_MOVES];
                while let Some(chunk) = chunks.take() {
                    take_each_set(open, &frontier, chunk, |position| {
                        let mut count = 0;
                        position.for_each_move(options, |_, position| {
                            after[count % MOST_MOVES] = position;
                            count += 1;
                        });
                        after[..count].iter().for_each(|after| worker.arrive(after));
                    });
                }
                worker.finish()
            };
            let what = format!("what can arise, ply {}", by_ply.len());
            let arising = team.share(&what, open.len(), work).into_iter().fold(
                Arising::default(),
                |sum, found| Arising { open: sum.open + found.open, over: sum.over + found.over },
            );
            if arising == Arising::default() {
                return Ok(Reach { arisen, by_ply });
            }
            by_ply.push(arising);
            std::mem::swap(&mut frontier, &mut next);
        }
    }

    /// Can an open position arise?
    #[inline(always)]
    pub fn contains(&self, number: u32) -> bool {
        self.arisen.bit(number)
    }
}

/// Marks the positions that arise at one ply.
struct Worker<'a> {
    open: &'a Index,
    all: &'a Index,
    arisen: &'a Cells,
    next: &'a Cells,
    over: &'a Cells,
    arising: Arising,
    open_ring: Ring,
    over_ring: Ring,
}

impl Worker<'_> {
    #[inline(always)]
    fn arrive(&mut self, position: &Position) {
        if let Some(number) = self.open.rank(position) {
            self.arisen.prefetch(number / 8);
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
        if self.arisen.set_bit(number) {
            self.next.set_bit(number);
            self.arising.open += 1;
        }
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
