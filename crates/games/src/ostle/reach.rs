//! How far every state is from the start: breadth-first, over all states.
//!
//! A state allows all moves of its board but the barred one. So the first state of a board that is
//! reached fires all moves but one, and any other state fires that one: each move fires once. A
//! state with a barred move is reached by the undone move only, hence once, and is counted as it is
//! reached; a board needs a bit for its state with nothing barred, and remembers the move that its
//! first state withholds: two bytes in all. Boards with symmetries of their own are few, and are
//! looked after one by one.

use super::board::{Board, Direction};
use super::ring::Ring;
use super::rules::{Move, Ostle, State, Undo};
use super::states::Space;
use super::tiers::BLOCK;
use super::undo;
use kanzen_core::{Game, Next};
use kanzen_index::{Work, extract, run_with_fast_bits};
use kanzen_solve::{Progress, SolveError, huge_pages, prefetch};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};
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

/// A board without symmetries, as far as the search knows it.
///
/// | bits | content |
/// | --- | --- |
/// | 0-4 | the ply of its first state, plus 1; 0 if it was not reached |
/// | 5-9 | the move that this state withholds |
/// | 10 | whether its state with nothing barred was reached |
/// | 11-15 | the ply at which the withheld move is free, plus 1 |
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell(u16);

impl Cell {
    fn first(self) -> u16 {
        self.0 & 31
    }

    fn withheld(self) -> u8 {
        (self.0 >> 5 & 31) as u8
    }

    fn is_free(self) -> bool {
        self.0 >> 10 & 1 == 1
    }

    fn release(self) -> u16 {
        self.0 >> 11
    }

    /// Reaches a state at a ply. Returns the same cell if it was reached before.
    fn reach(self, barred: u8, ply: u16) -> Cell {
        if barred == 0 && self.is_free() {
            return self;
        }
        let free = u16::from(barred == 0) << 10;
        if self.first() == 0 {
            return Cell(self.0 | free | (ply + 1) | u16::from(barred) << 5);
        }
        let releases = self.withheld() != 0 && self.release() == 0;
        Cell(self.0 | free | if releases { (ply + 1) << 11 } else { 0 })
    }
}

/// A symmetric board: the states that were reached, and the moves that were made, a bit each.
#[derive(Clone, Copy)]
struct Symmetric {
    /// The ply of the first of them.
    first: u16,
    states: u32,
    made: u32,
}

/// The search.
struct Search<'a> {
    game: Ostle,
    space: &'a Space,
    cells: Vec<Vec<AtomicU16>>,
    symmetric: Mutex<HashMap<(usize, u32), Symmetric>>,
    /// States of symmetric boards that the last ply reached.
    next: Mutex<Vec<(usize, u32, u8)>>,
    /// States that the last ply reached.
    count: AtomicU64,
}

/// Searches from the start of the game that the rules state.
fn reach(
    space: &Space,
    boards: &[Board],
    progress: &dyn Progress,
    cancel: &AtomicBool,
) -> Result<Reached, SolveError> {
    let cells = space.tiers.all().iter().map(|tier| {
        let size = tier.size() as usize;
        let mut cells = Vec::with_capacity(size);
        huge_pages(cells.spare_capacity_mut());
        cells.resize_with(size, || AtomicU16::new(0));
        cells
    });
    let search = Search {
        game: space.game(Undo::Exact),
        space,
        cells: cells.collect(),
        symmetric: Mutex::default(),
        next: Mutex::default(),
        count: AtomicU64::new(0),
    };
    search.visit(&search.game.start(), 0);
    let mut states = vec![search.count.swap(0, Relaxed)];
    let blocks: Vec<(usize, u32)> = space
        .tiers
        .all()
        .iter()
        .enumerate()
        .flat_map(|(tier, shape)| (0..shape.blocks()).map(move |block| (tier, block)))
        .collect();
    for ply in 0..=MAX_PLIES {
        progress.begin(&format!("ply {ply}"), blocks.len() as u64);
        let symmetric = std::mem::take(&mut *lock(&search.next));
        symmetric.into_iter().for_each(|state| search.expand_symmetric(state, ply));
        blocks.par_iter().with_max_len(SPAN).for_each(|&(tier, block)| {
            if !cancel.load(Relaxed) {
                run_with_fast_bits(Expand { search: &search, tier, block, ply });
            }
            progress.advance(1);
        });
        progress.end();
        if cancel.load(Relaxed) {
            return Err(SolveError::Cancelled);
        }
        match search.count.swap(0, Relaxed) {
            0 => {
                let plies = boards.iter().map(|board| search.plies(board)).collect();
                return Ok(Reached { states, unreachable: search.unreachable(), plies });
            }
            count => states.push(count),
        }
    }
    Err(SolveError::TooManyPlies { limit: MAX_PLIES })
}

impl Ostle {
    /// Searches from the start, with the bar on undoing as the rules state it, and tells how far
    /// some boards are.
    pub fn reach(
        &self,
        boards: &[Board],
        progress: &dyn Progress,
        cancel: &AtomicBool,
    ) -> Result<Reached, SolveError> {
        reach(self.space(), boards, progress, cancel)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Search<'_> {
    /// Reaches a state at a ply.
    fn visit(&self, state: &State, ply: u16) {
        if let Some(visit) = self.aim(&state.board, state.barred, ply) {
            self.count.fetch_add(self.land(visit, ply).into(), Relaxed);
        }
    }

    /// The cell of a state; none if its board may be symmetric, which is looked after at once.
    #[inline(always)]
    fn aim(&self, board: &Board, barred: Option<Move>, ply: u16) -> Option<Visit> {
        let tier = self.space.tiers.tier_of(board);
        let part = self.space.tiers.all()[tier].part_with(board.mine.count_ones());
        let index = &part.index;
        let key = index.rows().key(board.hole, board.theirs);
        if !key.is_plain() {
            self.visit_symmetric(&State { board: *board, barred }, ply);
            return None;
        }
        let (row, symmetry) = (index.rows().row(key.row()), key.symmetry());
        let mine = symmetry.set(board.mine);
        let rank = index.ranks().rank(extract(mine, row.free()));
        let number = part.first + key.row() * index.ranks().count() + rank;
        let barred = barred.map_or(0, |mv| {
            undo::number(&Board { mine, theirs: row.set, hole: row.hole }, mv.image(symmetry))
        });
        Some(Visit { tier: tier as u8, barred, number })
    }

    /// Reaches a state of a board without symmetries. Returns whether it is new.
    #[inline(always)]
    fn land(&self, Visit { tier, barred, number }: Visit, ply: u16) -> bool {
        let cell = &self.cells[usize::from(tier)][number as usize];
        let reach = |old: u16| {
            let new = Cell(old).reach(barred, ply).0;
            (new != old).then_some(new)
        };
        cell.fetch_update(Relaxed, Relaxed, reach).is_ok() || barred != 0
    }

    /// Reaches a state of a board whose row is symmetric, and which may be so itself.
    #[cold]
    fn visit_symmetric(&self, state: &State, ply: u16) {
        let (tier, number, barred) = self.space.place(state);
        if state.board.stabiliser().nth(1).is_none() {
            let visit = Visit { tier: tier as u8, barred, number };
            self.count.fetch_add(self.land(visit, ply).into(), Relaxed);
            return;
        }
        let mut boards = lock(&self.symmetric);
        let new = Symmetric { first: ply, states: 0, made: 0 };
        let known = boards.entry((tier, number)).or_insert(new);
        if known.states >> barred & 1 == 0 {
            known.states |= 1 << barred;
            self.count.fetch_add(1, Relaxed);
            lock(&self.next).push((tier, number, barred));
        }
    }

    /// Makes the moves of a symmetric board that a state allows, one of each set of images.
    fn expand_symmetric(&self, (tier, number, barred): (usize, u32, u8), ply: u16) {
        let Some(board) = self.space.tiers.all()[tier].board(number) else { return };
        for mv in Ostle::all_moves(&board) {
            let images: Vec<u8> =
                board.stabiliser().map(|s| undo::number(&board, mv.image(s))).collect();
            let own = undo::number(&board, mv);
            let first = images.iter().all(|&image| image >= own);
            let allowed = images.iter().any(|&image| image != barred);
            let mut boards = lock(&self.symmetric);
            let Some(known) = boards.get_mut(&(tier, number)) else { continue };
            if !first || !allowed || known.made >> own & 1 == 1 {
                continue;
            }
            known.made |= 1 << own;
            drop(boards);
            self.make(&board, mv, ply);
        }
    }

    /// Makes a move from a board at a ply.
    fn make(&self, board: &Board, mv: Move, ply: u16) {
        if let Next::Position(next) = self.game.play(&State::free(*board), mv) {
            self.visit(&next, ply + 1);
        }
    }

    /// Makes the moves of all boards of a block of which a state was reached at a ply.
    #[inline(always)]
    fn expand(&self, tier: usize, block: u32, ply: u16) {
        let shape = &self.space.tiers.all()[tier];
        let cells = &self.cells[tier];
        let end = cells.len().min(((block + 1) * BLOCK) as usize);
        let nowhere = Visit { tier: 0, barred: 0, number: 0 };
        let mut visits = Visits { search: self, ply: ply + 1, ring: Ring::new(nowhere), new: 0 };
        let mut after = Vec::with_capacity(64);
        for number in block * BLOCK..end as u32 {
            let cell = Cell(cells[number as usize].load(Relaxed));
            let (first, release) = (cell.first() == ply + 1, cell.release() == ply + 1);
            if !first && !release {
                continue;
            }
            let Some(board) = shape.board(number) else { continue };
            let withheld = undo::numbered(&board, cell.withheld());
            if first {
                let least = self.space.tiers.least();
                steps(&board, withheld.filter(|_| !release), &mut after);
                for (Board { mine, theirs, hole }, barred) in after.drain(..) {
                    if mine.count_ones().min(theirs.count_ones()) >= least
                        && let next = (Board { mine: theirs, theirs: mine, hole })
                        && let Some(visit) = self.aim(&next, barred, ply + 1)
                    {
                        visits.begin(visit);
                    }
                }
            } else if let Some(mv) = withheld {
                self.make(&board, mv, ply);
            }
        }
        self.count.fetch_add(visits.finish(), Relaxed);
    }

    fn unreachable(&self) -> Vec<Board> {
        let symmetric = lock(&self.symmetric);
        let missing = |tier: usize, number: u32| {
            let board = self.space.tiers.all()[tier].board(number)?;
            let unseen = Cell(self.cells[tier][number as usize].load(Relaxed)).first() == 0;
            (unseen && !symmetric.contains_key(&(tier, number))).then_some(board)
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
        match lock(&self.symmetric).get(&(tier, number)) {
            Some(known) => Some(known.first),
            None => Cell(self.cells[tier][number as usize].load(Relaxed)).first().checked_sub(1),
        }
    }
}

/// Adds the boards after all moves but a withheld one, still seen by their mover, and the moves
/// that undo them: as the rules play them, by operations on sets.
#[inline(always)]
fn steps(board: &Board, withheld: Option<Move>, after: &mut Vec<(Board, Option<Move>)>) {
    let (pieces, empty) = (board.pieces(), board.empty());
    let withheld = withheld.unwrap_or(Move { cell: u8::MAX, direction: Direction::Up });
    for direction in Direction::ALL {
        let back = direction.back();
        let mut alone = board.mine & back.shift(empty);
        let mut others = board.mine & !alone;
        while alone != 0 {
            let piece = alone & alone.wrapping_neg();
            alone ^= piece;
            let mine = board.mine ^ piece ^ direction.shift(piece);
            after.push((Board { mine, ..*board }, None));
        }
        while others != 0 {
            let cell = others.trailing_zeros() as u8;
            others &= others - 1;
            let (mut run, mut last) = (0, 1 << cell);
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
            if !stays || last & board.mine != 0 {
                after.push((next, None));
            } else if withheld != (Move { cell, direction }) {
                let back = Move { cell: head.trailing_zeros() as u8, direction: back };
                after.push((next, Some(back)));
            }
        }
        let to = direction.shift(1 << board.hole);
        if to & empty != 0 && withheld != (Move { cell: board.hole, direction }) {
            let hole = to.trailing_zeros() as u8;
            after.push((Board { hole, ..*board }, Some(Move { cell: hole, direction: back })));
        }
    }
}

/// A state that a move leads to, of a board without symmetries.
#[derive(Clone, Copy)]
struct Visit {
    tier: u8,
    barred: u8,
    number: u32,
}

/// The visits of a thread.
struct Visits<'e, 'a> {
    search: &'e Search<'a>,
    ply: u16,
    ring: Ring<Visit>,
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
    fn finish(self) -> u64 {
        let new = self.ring.rest().filter(|&visit| self.search.land(visit, self.ply));
        self.new + new.count() as u64
    }
}

/// The work of a ply on a block.
struct Expand<'e, 'a> {
    search: &'e Search<'a>,
    tier: usize,
    block: u32,
    ply: u16,
}

impl Work for Expand<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.search.expand(self.tier, self.block, self.ply);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_solve::Silent;
    use std::collections::HashSet;

    /// Against a search over explicit states that knows nothing of cells.
    #[test]
    fn agrees_with_a_plain_search() {
        for total in [3, 4] {
            let space = Space::new(1, total);
            let game = space.game(Undo::Exact);
            let mut seen = HashSet::from([space.place(&game.start())]);
            let mut frontier = vec![game.start()];
            let mut plies = HashMap::new();
            let mut states = Vec::new();
            while !frontier.is_empty() {
                states.push(frontier.len() as u64);
                let mut next = Vec::new();
                for state in &frontier {
                    plies
                        .entry(Ostle::least_image(&state.board).0)
                        .or_insert(states.len() as u16 - 1);
                    game.successors(state, |after| {
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
