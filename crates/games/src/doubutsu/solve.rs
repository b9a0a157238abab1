//! Solves the whole game: the value and the distance of every open position.
//!
//! Retrograde analysis by distance with one byte for each position. A byte is either the distance,
//! once known (odd if won, even if lost), or the number of moves that do not lose yet. The first
//! pass counts those moves by looking at the position alone, without its successors: as nothing
//! can be pinned or blocked, the moves after which the own lion can be captured are known from the
//! squares the enemy attacks. So positions won at once are never stored and never reached back
//! from. Then, ply by ply, every position lost in `d` makes the positions before it won in `d + 1`,
//! and every position won in `d` takes one from the counts before it; a count that comes to nothing
//! is lost in `d + 1`. What still has a count in the end is drawn.
//!
//! A position stands for its mirror image too. The rule that keeps the counts right: a symmetric
//! position counts two mirrored moves once, and from a symmetric position only one of two mirrored
//! predecessors is told.

use super::cells::{Cells, equal_bytes};
use super::index::{BlockView, Index};
use super::piece::ENEMY_CAMP;
use super::ring::Ring;
use super::rules::{Options, Position};
use super::safety::safe_moves;
use super::unmoves::{MOST, for_each_predecessor};
use kanzen_index::with_fast_bits;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Cells from here on are counts of moves, the ones below are distances.
const COUNT: u8 = 200;

/// The final mark of a drawn position.
pub const DRAWN: u8 = u8::MAX;

/// Why a game could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The memory for the positions could not be had.
    #[error("no memory for {0} positions")]
    Memory(u32, #[source] io::Error),
    /// A distance does not fit in a cell.
    #[error("a win takes more than {COUNT} plies")]
    TooFar,
}

/// The distances of all positions of an index.
pub struct Solution {
    cells: Cells,
}

impl Solution {
    /// A distance for each position by its number: odd if the mover wins, even if the mover
    /// loses, or [`DRAWN`].
    pub fn cell(&self, number: u32) -> u8 {
        self.cells.get(number)
    }

    /// All cells.
    pub fn bytes(&mut self) -> &[u8] {
        self.cells.bytes()
    }
}

/// Positions a thread works on at a time.
const CHUNK: usize = 1 << 16;

/// Positions of one ply that a thread lists before it gives up: a scan for them is then quicker.
const LIST: usize = 1 << 17;

/// Solves the game under `options` for all positions of an index over the open positions.
pub fn solve(index: &Index, options: &Options, threads: usize) -> Result<Solution, SolveError> {
    let mut cells =
        Cells::new(index.len() as usize).map_err(|error| SolveError::Memory(index.len(), error))?;
    for_each_chunk(index, threads, |chunk| {
        with_fast_bits(|| first_cells(index, options, &cells, chunk))
    });
    let mut frontiers = (0..threads).map(|_| Frontier::new()).collect::<Vec<_>>();
    let mut scan = true;
    let mut empty = 0;
    for distance in 0.. {
        if distance >= COUNT {
            return Err(SolveError::TooFar);
        }
        let lists: Vec<Vec<u32>> =
            frontiers.iter_mut().map(|frontier| std::mem::take(&mut frontier.list)).collect();
        // The first cells also hold the distances 0 to 2.
        scan |= distance <= 2;
        let t = std::time::Instant::now();
        expand(
            index,
            options,
            &cells,
            distance,
            &mut frontiers,
            if scan { None } else { Some(&lists) },
        );
        let found = frontiers.iter().map(|frontier| frontier.fired).sum::<usize>();
        let ev = frontiers.iter().map(|frontier| frontier.events).sum::<usize>();
        if std::env::var("TRACE").is_ok() {
            eprintln!("{distance} {found} {ev} scan {scan} {:?}", t.elapsed());
        }
        scan = frontiers.iter().any(|frontier| frontier.list.len() == LIST);
        empty = if found == 0 { empty + 1 } else { 0 };
        if distance > 2 && empty == 2 {
            break;
        }
        for (frontier, mut list) in frontiers.iter_mut().zip(lists) {
            list.clear();
            frontier.spare = list;
        }
    }
    for cell in cells.bytes() {
        if *cell >= COUNT {
            *cell = DRAWN;
        }
    }
    Ok(Solution { cells })
}

fn for_each_chunk(index: &Index, threads: usize, work: impl Fn(Range<u32>) + Sync) {
    let next = AtomicUsize::new(0);
    let len = index.len() as usize;
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let start = next.fetch_add(CHUNK, Relaxed);
                    if start >= len {
                        break;
                    }
                    work(start as u32..len.min(start + CHUNK) as u32);
                }
            });
        }
    });
}

/// Fills the cells of a chunk from a look at each position alone.
#[inline(always)]
fn first_cells(index: &Index, options: &Options, cells: &Cells, chunk: Range<u32>) {
    let mut word = 0;
    index.for_each_position(chunk.clone(), |number, block, position| {
        let cell = first_cell(options, block, &position);
        word |= u64::from(cell) << (number % 8 * 8);
        if number % 8 == 7 || number + 1 == chunk.end {
            cells.words()[number as usize / 8].store(word, Relaxed);
            word = 0;
        }
    });
}

/// The distance of a position if it is seen at once, else the number of its moves that do not
/// expose the lion.
#[inline(always)]
fn first_cell(options: &Options, block: &BlockView<'_>, position: &Position) -> u8 {
    if position.lion_escapes() & ENEMY_CAMP != 0 {
        return 1;
    }
    if block.may_be_symmetric() && position.is_symmetric() {
        return first_cell_symmetric(options, position);
    }
    let count = safe_moves(options, position);
    if count > 0 {
        COUNT + count as u8
    } else if position.count_moves(options) > 0 {
        2
    } else {
        0
    }
}

/// As [`first_cell`] for a symmetric position, where two mirrored moves count once.
#[cold]
fn first_cell_symmetric(options: &Options, position: &Position) -> u8 {
    let (mut moves, mut safe, mut symmetric) = (0, 0, 0);
    position.for_each_move(options, |_, next| {
        moves += 1;
        if next.attacked() & next.enemy_lion().bit() == 0 {
            safe += 1;
            symmetric += u8::from(next.is_symmetric());
        }
    });
    match (moves, safe) {
        (0, _) => 0,
        (_, 0) => 2,
        _ => COUNT + (safe + symmetric) / 2,
    }
}

/// What a thread finds while it goes back from the positions of one distance.
struct Frontier {
    /// The positions one ply farther, as long as there are less than [`LIST`].
    list: Vec<u32>,
    /// The list of the ply before, to be used again.
    spare: Vec<u32>,
    /// Positions gone back from.
    fired: usize,
    events: usize,
    /// The predecessors of one position.
    before: [Position; MOST],
    ring: Ring,
}

impl Frontier {
    fn new() -> Frontier {
        Frontier {
            list: Vec::with_capacity(LIST),
            spare: Vec::with_capacity(LIST),
            fired: 0,
            events: 0,
            before: [Position::start(); MOST],
            ring: Ring::new(),
        }
    }

    #[inline(always)]
    fn found(&mut self, number: u32) {
        if self.list.len() < LIST {
            self.list.push(number);
        }
    }
}

/// Goes back from all positions of a distance: those listed, or else those a scan finds.
fn expand(
    index: &Index,
    options: &Options,
    cells: &Cells,
    distance: u8,
    frontiers: &mut [Frontier],
    lists: Option<&[Vec<u32>]>,
) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for (thread, frontier) in frontiers.iter_mut().enumerate() {
            let next = &next;
            scope.spawn(move || {
                frontier.list = std::mem::take(&mut frontier.spare);
                frontier.fired = 0;
                frontier.events = 0;
                let worker = Worker { index, options, cells, distance };
                with_fast_bits(|| match (lists, distance % 2 == 0) {
                    (Some(lists), true) => {
                        worker.go_back_from_list::<true>(&lists[thread], frontier)
                    }
                    (Some(lists), false) => {
                        worker.go_back_from_list::<false>(&lists[thread], frontier)
                    }
                    (None, true) => worker.go_back_from_scan::<true>(next, frontier),
                    (None, false) => worker.go_back_from_scan::<false>(next, frontier),
                });
            });
        }
    });
}

struct Worker<'a> {
    index: &'a Index,
    options: &'a Options,
    cells: &'a Cells,
    distance: u8,
}

impl Worker<'_> {
    #[inline(always)]
    fn go_back_from_list<const LOST: bool>(&self, list: &[u32], frontier: &mut Frontier) {
        for &number in list {
            let block = self.index.block_of(number);
            self.go_back::<LOST>(&block, (number - block.start) as usize, frontier);
        }
        self.drain::<LOST>(frontier);
    }

    #[inline(always)]
    fn go_back_from_scan<const LOST: bool>(&self, next: &AtomicUsize, frontier: &mut Frontier) {
        let len = self.cells.len();
        loop {
            let start = next.fetch_add(CHUNK, Relaxed);
            if start >= len {
                break;
            }
            let mut block_number = self.index.block_number_of(start as u32);
            let mut block = self.index.block(block_number);
            for word in start / 8..(start + CHUNK).min(len).div_ceil(8) {
                let mut hits = equal_bytes(self.cells.words()[word].load(Relaxed), self.distance);
                while hits != 0 {
                    let number = word * 8 + hits.trailing_zeros() as usize / 8;
                    hits &= hits - 1;
                    if number >= len {
                        break;
                    }
                    while number >= block.start as usize + block.len() {
                        block_number += 1;
                        block = self.index.block(block_number);
                    }
                    self.go_back::<LOST>(&block, number - block.start as usize, frontier);
                }
            }
        }
        self.drain::<LOST>(frontier);
    }

    /// Tells the positions before this one of its distance.
    #[inline(always)]
    fn go_back<const LOST: bool>(
        &self,
        block: &BlockView<'_>,
        offset: usize,
        frontier: &mut Frontier,
    ) {
        frontier.fired += 1;
        let position = block.position(offset);
        if !LOST && block.may_be_symmetric() && position.is_symmetric() {
            return self.go_back_symmetric::<LOST>(&position, frontier);
        }
        let mut count = 0;
        for_each_predecessor(&position, self.options, |position| {
            frontier.before[count % MOST] = position;
            count += 1;
        });
        for before in 0..count {
            let number = self.index.rank_inside(&frontier.before[before % MOST]);
            self.tell_later::<LOST>(number, frontier);
        }
    }

    #[cold]
    fn go_back_symmetric<const LOST: bool>(&self, position: &Position, frontier: &mut Frontier) {
        for_each_predecessor(position, self.options, |before| {
            if before <= before.mirrored() {
                self.tell_later::<LOST>(self.index.rank_inside(&before), frontier);
            }
        });
    }

    #[inline(always)]
    fn tell_later<const LOST: bool>(&self, number: u32, frontier: &mut Frontier) {
        frontier.events += 1;
        self.cells.prefetch(number);
        if let Some(ready) = frontier.ring.exchange(number) {
            self.tell::<LOST>(ready, frontier);
        }
    }

    fn drain<const LOST: bool>(&self, frontier: &mut Frontier) {
        for ready in std::mem::take(&mut frontier.ring).drain() {
            self.tell::<LOST>(ready, frontier);
        }
    }

    /// Tells one position that a move from it leads to a position lost (or won) in `distance`.
    #[inline(always)]
    fn tell<const LOST: bool>(&self, number: u32, frontier: &mut Frontier) {
        let cell = self.cells.get(number);
        if cell < COUNT {
            return;
        }
        let known = if LOST {
            self.cells.exchange(number, cell, self.distance + 1)
        } else {
            // No other thread can come between: this was the last move that did not lose.
            self.cells.decrement(number) == COUNT + 1
                && self.cells.exchange(number, COUNT, self.distance + 1)
        };
        if known {
            frontier.found(number);
        }
    }
}
