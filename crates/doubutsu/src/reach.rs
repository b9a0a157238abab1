//! The positions that can arise in play from the start, and after how many plies at the earliest.
//!
//! A search by breadth: a bit for each open position says whether it has arisen, and another whether
//! it arose at the last ply, so that a scan finds those to go on from. Play ends where the game is
//! over, so only open positions are gone on from; positions won or lost at once are counted in a
//! bit map over all placements.

use super::index::Index;
use super::rules::{MOST_MOVES, Options, Position};
use super::scan::{Chunks, Team, take_each_set};
use kanzen_machine::{AtomicBits, Map, Ring};
use std::io;
use std::sync::atomic::AtomicU64;

type Bits = AtomicBits<Map<AtomicU64>>;

/// What can arise from the start.
pub struct Reach {
    /// A bit for each open position.
    arisen: Bits,
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
        let arisen = Bits::mapped(open.len())?;
        let mut frontier = Bits::mapped(open.len())?;
        let mut next = Bits::mapped(open.len())?;
        let over = Bits::mapped(all.len())?;
        let start = open.rank(&Position::start()).expect("the start is an open position");
        arisen.set(start);
        frontier.set(start);
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
                    open_ring: Ring::new(0),
                    over_ring: Ring::new(0),
                };
                let mut after = [Position::start(); MOST_MOVES];
                while let Some(chunk) = chunks.take() {
                    take_each_set(open, frontier.words(), chunk, |position| {
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
        self.arisen.get(number)
    }
}

/// Marks the positions that arise at one ply.
struct Worker<'a> {
    open: &'a Index,
    all: &'a Index,
    arisen: &'a Bits,
    next: &'a Bits,
    over: &'a Bits,
    arising: Arising,
    open_ring: Ring<u32, 32>,
    over_ring: Ring<u32, 32>,
}

impl Worker<'_> {
    #[inline(always)]
    fn arrive(&mut self, position: &Position) {
        if let Some(number) = self.open.rank(position) {
            self.arisen.prefetch(number);
            if let Some(ready) = self.open_ring.push(number) {
                self.mark_open(ready);
            }
        } else {
            let number = self.all.rank_inside(position);
            self.over.prefetch(number);
            if let Some(ready) = self.over_ring.push(number) {
                self.mark_over(ready);
            }
        }
    }

    #[inline(always)]
    fn mark_open(&mut self, number: u32) {
        if self.arisen.set(number) {
            self.next.set(number);
            self.arising.open += 1;
        }
    }

    #[inline(always)]
    fn mark_over(&mut self, number: u32) {
        self.arising.over += u64::from(self.over.set(number));
    }

    fn finish(mut self) -> Arising {
        self.open_ring.drain().for_each(|ready| self.mark_open(ready));
        self.over_ring.drain().for_each(|ready| self.mark_over(ready));
        self.arising
    }
}
