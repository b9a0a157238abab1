//! How far every state is from the start: breadth-first, over all states.
//!
//! This is counted as the paper does: the search itself knows no bar on undoing, so that a board is as
//! far as any of its states, and makes all its moves once. A state is a board and what the published
//! bar forbids after the move that led there. A move is forbidden only after its undone one, hence
//! such a state is reached once, and is counted as it is reached; a board remembers its distance and
//! whether its state with nothing barred was reached, in a byte. Boards with symmetries of their own,
//! and those on which the published bar differs from the rule, are few: their states are counted in
//! the end, from the distances of the boards before.

use super::board::{Board, Direction, Symmetry};
use super::rules::{Move, Ostle, State, SymmetricBars, Undo};
use super::states::Space;
use super::symmetric::Concerned;
use super::tiers::BLOCK;
use super::undo::unmoves;
use kanzen_core::Game;
use kanzen_machine::{Ring, Work, filled, prefetch, run_with_fast_bits};
use kanzen_solve::{Progress, SolveError};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The most plies that a cell can tell.
const MAX_PLIES: u16 = 30;

/// Blocks that a thread takes at a time.
const SPAN: usize = 16;

/// What can arise from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// States up to symmetry, by their distance from the start.
    pub states: Vec<u64>,
    /// Boards up to symmetry that cannot arise.
    pub unreachable: Vec<Board>,
    /// The distances of the boards that were asked for, whatever is barred on them.
    pub plies: Vec<Option<u16>>,
}

/// A board, as far as the search knows it.
///
/// | bits | content |
/// | --- | --- |
/// | 0-4 | its distance plus 1; 0 if it was not reached |
/// | 5 | whether its state with nothing barred was reached; of an odd board, by a removal |
/// | 6 | whether it is odd: its states are counted in the end |
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell(u8);

impl Cell {
    const FREE: u8 = 1 << 5;
    const ODD: u8 = 1 << 6;

    fn first(self) -> u16 {
        u16::from(self.0 & 31)
    }

    fn is_odd(self) -> bool {
        self.0 & Cell::ODD != 0
    }

    /// Reaches a board at a ply.
    fn reach(self, how: How, ply: u16) -> Cell {
        let free = match how {
            How::Barred => 0,
            How::Free if self.is_odd() => 0,
            How::Free | How::Removal => Cell::FREE,
        };
        let first = if self.first() == 0 { ply as u8 + 1 } else { 0 };
        Cell(self.0 | free | first)
    }
}

/// How a move leads to a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// It can be undone, which is barred.
    Barred,
    /// It cannot be undone, and removes nothing.
    Free,
    /// It removes a piece.
    Removal,
}

/// The search.
struct Search<'a> {
    space: &'a Space,
    cells: Vec<Vec<AtomicU8>>,
    /// When removals first led to odd boards.
    removals: Mutex<HashMap<(usize, u32), u16>>,
    /// States that the last ply reached.
    count: AtomicU64,
}

/// Searches from the start.
fn reach(
    space: &Space,
    boards: &[Board],
    progress: &dyn Progress,
    cancel: &AtomicBool,
) -> Result<Reached, SolveError> {
    let tiers = space.tiers.all().iter();
    let cells = tiers.map(|tier| filled(tier.size() as usize, AtomicU8::default));
    let search = Search {
        space,
        cells: cells.collect(),
        removals: Mutex::default(),
        count: AtomicU64::new(0),
    };
    let odd = odd_boards(space, progress);
    for &(tier, number) in &odd {
        search.cells[tier][number as usize].store(Cell::ODD, Relaxed);
    }
    let start = space.game(Undo::Symmetric).start();
    let (tier, number, _) = space.place(&start);
    search.cells[tier][number as usize].fetch_or(1, Relaxed);
    // The start itself is no board after a move.
    let mut states = vec![1];
    let blocks: Vec<(usize, u32)> = space
        .tiers
        .all()
        .iter()
        .enumerate()
        .flat_map(|(tier, shape)| (0..shape.blocks()).map(move |block| (tier, block)))
        .collect();
    for ply in 0..=MAX_PLIES {
        progress.begin(&format!("ply {ply}"), blocks.len() as u64);
        let fired = AtomicBool::new(false);
        blocks.par_iter().with_max_len(SPAN).for_each(|&(tier, block)| {
            if !cancel.load(Relaxed)
                && run_with_fast_bits(Expand { search: &search, tier, block, ply })
            {
                fired.store(true, Relaxed);
            }
            progress.advance(1);
        });
        progress.end();
        if cancel.load(Relaxed) {
            return Err(SolveError::Cancelled);
        }
        if !fired.load(Relaxed) {
            search.count_odd(&odd, (tier, number), &mut states);
            while states.last() == Some(&0) {
                states.pop();
            }
            let plies = boards.iter().map(|board| search.plies(board)).collect();
            return Ok(Reached { states, unreachable: search.unreachable(), plies });
        }
        states.push(search.count.swap(0, Relaxed));
    }
    Err(SolveError::TooManyPlies { limit: MAX_PLIES })
}

impl Ostle {
    /// Searches from the start, and tells how far some boards are.
    pub fn reach(
        &self,
        boards: &[Board],
        progress: &dyn Progress,
        cancel: &AtomicBool,
    ) -> Result<Reached, SolveError> {
        reach(self.space(), boards, progress, cancel)
    }
}

/// The boards with symmetries of their own, and those on which the two bars differ.
fn odd_boards(space: &Space, progress: &dyn Progress) -> Vec<(usize, u32)> {
    let mut odd = Concerned::find(space, progress).boards;
    for (number, tier) in space.tiers.all().iter().enumerate() {
        for part in &tier.parts {
            let (rows, columns) = (part.index.rows(), part.index.ranks().count());
            let symmetric = (0..rows.count()).into_par_iter().flat_map_iter(|at| {
                let row = rows.row(at);
                let ranks = if row.is_plain() { 0..0 } else { 0..columns };
                ranks.filter_map(move |rank| {
                    let board = part.index.board_in(row, rank)?;
                    let is_symmetric = board.stabiliser().nth(1).is_some();
                    is_symmetric.then_some((number, part.first + at * columns + rank))
                })
            });
            odd.extend(symmetric.collect::<Vec<_>>());
        }
    }
    odd.into_iter().collect()
}

impl Search<'_> {
    fn cell(&self, tier: usize, number: u32) -> Cell {
        Cell(self.cells[tier][number as usize].load(Relaxed))
    }

    /// The cell of a board that a move leads to.
    #[inline(always)]
    fn aim(&self, board: &Board, how: How) -> Visit {
        let tier = self.space.tiers.tier_of(board);
        let part = self.space.tiers.all()[tier].part_with(board.mine.count_ones());
        Visit { tier: tier as u8, how, number: part.first + part.index.locate(board) }
    }

    /// Reaches a board at a ply. Returns whether a state is new that is not counted in the end.
    #[inline(always)]
    fn land(&self, Visit { tier, how, number }: Visit, ply: u16) -> bool {
        let cell = &self.cells[usize::from(tier)][number as usize];
        let reach = |old: u8| {
            let new = Cell(old).reach(how, ply).0;
            (new != old).then_some(new)
        };
        let old = match cell.fetch_update(Relaxed, Relaxed, reach) {
            Ok(old) | Err(old) => Cell(old),
        };
        let freed = how != How::Barred && old.0 & Cell::FREE == 0;
        if old.is_odd() {
            if freed && how == How::Removal {
                let mut removals = self.removals.lock().unwrap_or_else(PoisonError::into_inner);
                removals.insert((tier.into(), number), ply);
            }
            return false;
        }
        freed || how == How::Barred
    }

    /// Counts the states of odd boards by the distances of the boards before them.
    fn count_odd(&self, odd: &[(usize, u32)], start: (usize, u32), states: &mut Vec<u64>) {
        let removals = self.removals.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |mut counts: Vec<u64>, &(tier, number): &(usize, u32)| {
            let Some(board) = self.space.tiers.all()[tier].board(number) else { return counts };
            let bars = SymmetricBars::new(self.space.tiers.least(), &board);
            let mut plies: BTreeMap<u8, u16> = BTreeMap::new();
            let mut arrive = |barred: Option<Move>, ply: u16| {
                let (_, _, barred) = self.space.place(&State { board, barred });
                let least = plies.entry(barred).or_insert(ply);
                *least = ply.min(*least);
            };
            unmoves(&board, |unmove| {
                let (tier, number, _) = self.space.place(&State::free(unmove.before));
                let first = self.cell(tier, number).first();
                if first > 0 {
                    arrive(bars.after(&unmove.before), first);
                }
            });
            if let Some(&ply) = removals.get(&(tier, number)) {
                arrive(None, ply);
            }
            if (tier, number) == start {
                plies.remove(&0);
            }
            for ply in plies.into_values() {
                counts[usize::from(ply)] += 1;
            }
            counts
        };
        let none = || vec![0; usize::from(MAX_PLIES) + 2];
        let sum = |mut a: Vec<u64>, b: Vec<u64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let counts = odd.par_iter().fold(none, count).reduce(none, sum);
        states.resize(counts.len(), 0);
        states.iter_mut().zip(counts).for_each(|(all, odd)| *all += odd);
    }

    fn unreachable(&self) -> Vec<Board> {
        let missing = |tier: usize, number: u32| {
            let board = self.space.tiers.all()[tier].board(number)?;
            (self.cell(tier, number).first() == 0).then_some(board)
        };
        let tiers = self.cells.iter().enumerate();
        tiers
            .flat_map(|(tier, cells)| {
                let numbers = (0..cells.len() as u32).into_par_iter();
                numbers.filter_map(|number| missing(tier, number)).collect::<Vec<Board>>()
            })
            .collect()
    }

    /// The distance of a board from the start.
    fn plies(&self, board: &Board) -> Option<u16> {
        let (tier, number, _) = self.space.place(&State::free(*board));
        self.cell(tier, number).first().checked_sub(1)
    }
}

/// Adds the boards after all moves, still seen by their mover: as the rules play them, by operations
/// on sets.
#[inline(always)]
fn steps(board: &Board, after: &mut Vec<(Board, How)>) {
    let (pieces, empty) = (board.pieces(), board.empty());
    for direction in Direction::ALL {
        let back = direction.back();
        let mut alone = board.mine & back.shift(empty);
        let mut others = board.mine & !alone;
        while alone != 0 {
            let piece = alone & alone.wrapping_neg();
            alone ^= piece;
            let mine = board.mine ^ piece ^ direction.shift(piece);
            after.push((Board { mine, ..*board }, How::Free));
        }
        while others != 0 {
            let (mut run, mut last) = (0, others & others.wrapping_neg());
            others ^= last;
            let mut head = direction.shift(last);
            while head & pieces != 0 {
                run |= last;
                last = head;
                head = direction.shift(head);
            }
            // The last piece of the run stays on the board, or leaves it.
            let stays = head & empty != 0;
            let moved = if stays { run | last } else { run };
            let pushed = |side: u32| side & !(run | last) | direction.shift(side & moved);
            let next = Board { mine: pushed(board.mine), theirs: pushed(board.theirs), ..*board };
            let how = match stays {
                true if last & board.mine != 0 => How::Free,
                true => How::Barred,
                false => How::Removal,
            };
            after.push((next, how));
        }
        let to = direction.shift(1 << board.hole);
        if to & empty != 0 {
            let hole = to.trailing_zeros() as u8;
            after.push((Board { hole, ..*board }, How::Barred));
        }
    }
}

/// Keeps one of the boards that symmetries of a board exchange.
#[cold]
fn one_of_images(board: &Board, after: &mut Vec<(Board, How)>) {
    let symmetries: Vec<Symmetry> = board.stabiliser().collect();
    after.retain(|(next, _)| symmetries.iter().all(|&symmetry| next.image(symmetry) >= *next));
}

/// A board that a move leads to.
#[derive(Clone, Copy)]
struct Visit {
    tier: u8,
    how: How,
    number: u32,
}

/// The visits of a thread.
struct Visits<'e, 'a> {
    search: &'e Search<'a>,
    ply: u16,
    ring: Ring<Visit, 64>,
    /// How many reached something new.
    new: u64,
}

impl Visits<'_, '_> {
    #[inline(always)]
    fn begin(&mut self, visit: Visit) {
        prefetch(&self.search.cells[usize::from(visit.tier)], visit.number as usize);
        if let Some(due) = self.ring.push(visit) {
            self.new += u64::from(self.search.land(due, self.ply));
        }
    }

    /// Ends all visits. Returns how many reached something new.
    #[inline(always)]
    fn finish(mut self) -> u64 {
        let new = self.ring.drain().filter(|&visit| self.search.land(visit, self.ply));
        self.new + new.count() as u64
    }
}

/// The work of a ply on a block: makes the moves of all boards that were reached at that ply. Returns
/// whether there were any.
struct Expand<'e, 'a> {
    search: &'e Search<'a>,
    tier: usize,
    block: u32,
    ply: u16,
}

impl Work for Expand<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<const ISA: usize>(self) -> bool {
        let Expand { search, tier, block, ply } = self;
        let shape = &search.space.tiers.all()[tier];
        let cells = &search.cells[tier];
        let end = cells.len().min(((block + 1) * BLOCK) as usize);
        let nowhere = Visit { tier: 0, how: How::Free, number: 0 };
        let mut visits = Visits { search, ply: ply + 1, ring: Ring::new(nowhere), new: 0 };
        let mut after = Vec::with_capacity(64);
        let least = search.space.tiers.least();
        let mut any = false;
        for number in block * BLOCK..end as u32 {
            let cell = search.cell(tier, number);
            if cell.first() != ply + 1 {
                continue;
            }
            let Some(board) = shape.board(number) else { continue };
            any = true;
            steps(&board, &mut after);
            if cell.is_odd() {
                one_of_images(&board, &mut after);
            }
            for (Board { mine, theirs, hole }, how) in after.drain(..) {
                if mine.count_ones().min(theirs.count_ones()) >= least {
                    visits.begin(search.aim(&Board { mine: theirs, theirs: mine, hole }, how));
                }
            }
        }
        search.count.fetch_add(visits.finish(), Relaxed);
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::Next;
    use kanzen_solve::Silent;
    use std::collections::HashSet;

    /// Against a search over explicit states that knows nothing of cells.
    #[test]
    fn agrees_with_a_plain_search() {
        for total in [3, 4] {
            let space = Space::new(1, total);
            let game = space.game(Undo::Symmetric);
            let mut seen = HashSet::from([space.place(&game.start())]);
            let mut plies = HashMap::new();
            let mut frontier = vec![game.start()];
            let mut states = Vec::new();
            while !frontier.is_empty() {
                states.push(frontier.len() as u64);
                let mut next = Vec::new();
                for State { board, .. } in &frontier {
                    plies.entry(Ostle::least_image(board).0).or_insert(states.len() as u16 - 1);
                    // All moves: the search knows no bar.
                    game.successors(&State::free(*board), |after| {
                        if let Next::Position(after) = after
                            && seen.insert(space.place(&after))
                        {
                            next.push(after);
                        }
                    });
                }
                frontier = next;
            }
            let all: Vec<Board> = space
                .tiers
                .all()
                .iter()
                .flat_map(|tier| (0..tier.size()).filter_map(|number| tier.board(number)))
                .collect();
            let ply = |board: &Board| plies.get(&Ostle::least_image(board).0).copied();
            let expected = Reached {
                states,
                unreachable: all.iter().filter(|board| ply(board).is_none()).copied().collect(),
                plies: all.iter().map(ply).collect(),
            };
            let found = reach(&space, &all, &Silent, &AtomicBool::new(false)).unwrap();
            assert_eq!(found, expected);
        }
    }
}
