//! Firing: a board whose value is known tells the boards before it.
//!
//! [`quick`] makes the un-moves of a board by operations on sets. The player who moved last is the
//! opponent of the fired board and the mover of the boards before; the other set is their row. So
//! the board is first turned as that row asks. In this view all un-moves that leave the other set
//! alone, which are most, differ only in the rank of one set. Boards with symmetries of their own,
//! under a hundredth, go through [`careful`], which is also the plain twin of [`quick`].

use super::board::{Board, Direction};
use super::look::RUNS;
use super::rules::{Move, Ostle};
use super::tiers::{Part, Tier};
use super::undo::{self, unmoves};
use super::word::Firing;
use kanzen_index::extract;

/// A move that leads to a settled state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// The number of the board before.
    pub number: u32,
    /// The number of the move there, 0 if it cannot be barred.
    pub mv: u8,
}

/// Adds an event for every move that leads to a settled state of the fired board. Without a `bar`
/// no move can be barred.
pub fn careful(tier: &Tier, board: &Board, firing: Firing, bar: bool, events: &mut Vec<Event>) {
    let part = tier.part_with(board.theirs.count_ones());
    let best_move = undo::numbered(board, firing.best_move);
    let mut found = Vec::new();
    unmoves(board, |unmove| {
        let back = Ostle::undoing(&unmove.before, unmove.mv).filter(|_| bar);
        // Where symmetries of the board exchange moves, barring one is as good as barring another.
        let is_best =
            |back: Move| board.stabiliser().any(|symmetry| Some(back.image(symmetry)) == best_move);
        let fires = if back.is_some_and(is_best) { firing.second } else { firing.best };
        if fires {
            images(part, &unmove.before, unmove.mv, back.is_some(), |number, mv, barrable| {
                found.push((number, mv, barrable));
            });
        }
    });
    // A symmetric board has each un-move and its images.
    found.sort_unstable();
    found.dedup();
    events.extend(found.into_iter().map(|(number, _, mv)| Event { number, mv }));
}

/// Calls `each` with the number of a board and every image of a move in the board of that number.
/// Equal images follow one another.
fn images(
    part: &Part,
    before: &Board,
    mv: Move,
    barrable: bool,
    mut each: impl FnMut(u32, Move, u8),
) {
    let (number, symmetry) = part.index.place(before);
    let board = before.image(symmetry);
    for keep in board.stabiliser() {
        let mv = mv.image(symmetry).image(keep);
        each(part.first + number, mv, if barrable { undo::number(&board, mv) } else { 0 });
    }
}

/// As [`careful`], for boards of which it does not matter in which order they are told, quickly.
#[inline(always)]
pub fn quick(tier: &Tier, board: &Board, firing: Firing, bar: bool, events: &mut Vec<Event>) {
    let part = tier.part_with(board.theirs.count_ones());
    let index = &part.index;
    let key = index.rows().key(board.hole, board.mine);
    if !key.is_plain() {
        return careful(tier, board, firing, bar, events);
    }
    if !firing.best {
        // One state is settled: the board before it is the one that the best move brings back.
        if let Some(mv) = undo::numbered(board, firing.best_move)
            && let Some(back) = Ostle::undoing(board, mv)
        {
            let Board { mine, theirs, hole } = Ostle::step(board, mv).board;
            let before = Board { mine: theirs, theirs: mine, hole };
            tell(part, &before, back, bar, events);
        }
        return;
    }
    let symmetry = key.symmetry();
    let best_move = match undo::numbered(board, firing.best_move) {
        Some(mv) => mv.image(symmetry),
        None => NO_MOVE,
    };
    let row = index.rows().row(key.row());
    let (mover, other, hole) = (symmetry.set(board.theirs), row.set, row.hole);
    let pieces = mover | other;
    let free = row.free();
    let empty = free & !mover;
    let first = part.first + key.row() * index.ranks().count();
    // An un-move that leaves the other set alone exchanges two cells of the mover's set.
    let here =
        |mover: u32| Event { number: first + index.ranks().rank(extract(mover, free)), mv: 0 };

    let mut pushes = [0; 4];
    for (d, direction) in Direction::ALL.into_iter().enumerate() {
        // The pieces that have an empty cell behind them.
        let mut came = mover & direction.shift(empty);
        pushes[d] = came & direction.back().shift(pieces);
        while came != 0 {
            let piece = came & came.wrapping_neg();
            came ^= piece;
            events.push(here(mover ^ piece ^ direction.back().shift(piece)));
        }
    }
    for (d, direction) in Direction::ALL.into_iter().enumerate() {
        while pushes[d] != 0 {
            let cell = pushes[d].trailing_zeros() as usize;
            pushes[d] &= pushes[d] - 1;
            let back = direction.back();
            let behind = back.shift(1 << cell);
            let mut head = direction.shift(1 << cell);
            let mut pushed = 1;
            while head & pieces != 0 {
                let run = RUNS[d][cell][pushed];
                let barrable = bar && head & other != 0;
                let undoes = Move { cell: head.trailing_zeros() as u8, direction: back };
                let fires =
                    if barrable && undoes == best_move { firing.second } else { firing.best };
                if fires {
                    if run & other == 0 {
                        events.push(here(mover ^ behind ^ head));
                    } else {
                        let pulled = |side: u32| side & !run | back.shift(side & run);
                        let before = Board { mine: pulled(mover), theirs: pulled(other), hole };
                        let mv = Move { cell: behind.trailing_zeros() as u8, direction };
                        tell(part, &before, mv, barrable, events);
                    }
                }
                head = direction.shift(head);
                pushed += 1;
            }
        }
        let behind = direction.back().shift(1 << hole);
        if behind & empty != 0 {
            let undoes = Move { cell: hole, direction: direction.back() };
            if undoes != best_move || firing.second {
                let cell = behind.trailing_zeros() as u8;
                let before = Board { mine: mover, theirs: other, hole: cell };
                tell(part, &before, Move { cell, direction }, bar, events);
            }
        }
    }
}

/// No move of any board.
const NO_MOVE: Move = Move { cell: u8::MAX, direction: Direction::Up };

/// Tells one board before a board without symmetries.
#[inline(always)]
fn tell(part: &Part, before: &Board, mv: Move, barrable: bool, events: &mut Vec<Event>) {
    let index = &part.index;
    let key = index.rows().key(before.hole, before.theirs);
    if !key.is_plain() {
        return tell_symmetric(part, before, mv, barrable, events);
    }
    let symmetry = key.symmetry();
    let row = index.rows().row(key.row());
    let mine = symmetry.set(before.mine);
    let number = part.first
        + key.row() * index.ranks().count()
        + index.ranks().rank(extract(mine, row.free()));
    let board = Board { mine, theirs: row.set, hole: row.hole };
    let mv = if barrable { undo::number(&board, mv.image(symmetry)) } else { 0 };
    events.push(Event { number, mv });
}

/// As [`tell`], if the board before may have symmetries of its own: it then has several moves that
/// are images of each other.
#[cold]
fn tell_symmetric(part: &Part, before: &Board, mv: Move, barrable: bool, events: &mut Vec<Event>) {
    let mut found = Vec::new();
    images(part, before, mv, barrable, |number, mv, barrable| found.push((number, mv, barrable)));
    found.sort_unstable();
    found.dedup();
    events.extend(found.into_iter().map(|(number, _, mv)| Event { number, mv }));
}

#[cfg(test)]
mod tests {
    use super::super::tiers::Tiers;
    use super::*;
    use kanzen_analyse::Random;

    #[test]
    fn quick_and_careful_agree() {
        let mut random = Random::new(5);
        for (least, total) in [(1, 4), (2, 6), (4, 9)] {
            let tiers = Tiers::new(least, total);
            for tier in tiers.all() {
                for _ in 0..20_000 {
                    let number = random.below(tier.size().into()) as u32;
                    let Some(board) = tier.board(number) else { continue };
                    let look = super::super::look::Look::at(&board);
                    let barrable: Vec<Move> = look.barrable(&board).collect();
                    let best_move = match random.below(1 + barrable.len() as u64) {
                        0 => 0,
                        n => undo::number(&board, barrable[n as usize - 1]),
                    };
                    for (best, second) in [(true, false), (false, true), (true, true)] {
                        for bar in [true, false] {
                            let best_move = if bar { best_move } else { 0 };
                            let firing = Firing { best, second, best_move };
                            let (mut a, mut b) = (Vec::new(), Vec::new());
                            quick(tier, &board, firing, bar, &mut a);
                            careful(tier, &board, firing, bar, &mut b);
                            a.sort_unstable();
                            b.sort_unstable();
                            assert_eq!(a, b, "{board:?} {firing:?}");
                        }
                    }
                }
            }
        }
    }
}
