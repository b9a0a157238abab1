//! From the rule as stated to the rule as published: what changes if images count as undoing.
//!
//! The published table bars the first move that leads to an image of the board before, under any
//! symmetry of the square. That differs from the rule only where a board has a move to an image of
//! a board before it without undoing the move from there. Then the board is its own image but for
//! two lines of cells: the line of the move before and the line of the move after. A step changes
//! the colour of a cell, as on a chessboard, and a symmetry does not: so the hole is its own image,
//! or both moves were the hole's and all pieces are. Few boards are like that, and the opponent's set
//! and the hole alone exclude most rows of them.
//!
//! The published table counts a state for each move that leads back to an image of a board before,
//! and so do we, under either rule: the states of both are the same, and only values differ.
//!
//! The boards before and at such moves are valued anew by their moves, then all boards before those
//! that changed, and so on until nothing changes. What is consistent in the end is right: wins and
//! losses by induction over their plies, draws because nobody has a way out.

use super::board::{ALL, Board, CELLS, Direction, SIDE, Symmetry, cells};
use super::census::{Census, states};
use super::index::Row;
use super::rules::{Ostle, State, SymmetricBars, Undo};
use super::states::Space;
use super::tiers::{Part, Tier};
use super::undo::{self, unmoves};
use super::word::{Facts, Gather, MAX_PLIES, Packed};
use kanzen_core::{Game, Next, Outcome};
use kanzen_index::{Work, run_with_fast_bits};
use kanzen_solve::Progress;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// A board: its tier and its number.
type Place = (usize, u32);

/// The boards on which the two bars differ, for some board before.
pub struct Concerned {
    /// Those boards.
    pub boards: BTreeSet<Place>,
    /// The boards before, whose moves to them are worth something else.
    pub before: BTreeSet<Place>,
}

impl Concerned {
    /// Finds all boards that are concerned.
    #[must_use]
    pub fn find(space: &Space, progress: &dyn Progress) -> Concerned {
        let boards = space.tiers.all().iter().map(|tier| u64::from(tier.size())).sum();
        progress.begin("looking for boards like their images", boards);
        let mut concerned = Concerned { boards: BTreeSet::new(), before: BTreeSet::new() };
        for (number, tier) in space.tiers.all().iter().enumerate() {
            for part in &tier.parts {
                let rows = (0..part.index.rows().count()).into_par_iter().with_max_len(64);
                let found: Vec<(u32, Vec<Place>)> = rows
                    .flat_map_iter(|row| {
                        progress.advance(part.index.ranks().count().into());
                        run_with_fast_bits(NearlySymmetric { part, row })
                    })
                    .map(|(at, board)| (at, before(space, &board)))
                    .filter(|(_, before)| !before.is_empty())
                    .collect();
                for (at, before) in found {
                    concerned.boards.insert((number, at));
                    concerned.before.extend(before);
                }
            }
        }
        progress.end();
        concerned
    }
}

/// The boards before a board, from which the two bars forbid different moves on it.
fn before(space: &Space, board: &Board) -> Vec<Place> {
    let bars = SymmetricBars::new(space.tiers.least(), board);
    let mut found = Vec::new();
    unmoves(board, |unmove| {
        let [exact, symmetric] =
            [Ostle::undoing(&unmove.before, unmove.mv), bars.after(&unmove.before)];
        let place = |barred| space.place(&State { board: *board, barred });
        if exact != symmetric && place(exact) != place(symmetric) {
            let (tier, number, _) = space.place(&State::free(unmove.before));
            found.push((tier, number));
        }
    });
    found
}

/// The boards of a row that can be concerned, with their numbers.
struct NearlySymmetric<'a> {
    part: &'a Part,
    row: u32,
}

impl Work for NearlySymmetric<'_> {
    type Output = Vec<(u32, Board)>;

    #[inline(always)]
    fn run<const ISA: usize>(self) -> Vec<(u32, Board)> {
        let Part { index, first } = self.part;
        let row = index.rows().row(self.row);
        let mut found = Vec::new();
        let symmetries: Vec<(Symmetry, u32)> = Symmetry::all()
            .skip(1)
            .filter(|&symmetry| is_near(row, symmetry, row.set))
            .map(|symmetry| (symmetry, row.set ^ symmetry.set(row.set)))
            .collect();
        if symmetries.is_empty() {
            return found;
        }
        for rank in 0..index.ranks().count() {
            let Some(board) = index.board_in(row, rank) else { continue };
            for &(symmetry, changed) in &symmetries {
                if is_near(row, symmetry, board.mine)
                    && in_two_lines(changed | board.mine ^ symmetry.set(board.mine))
                    && leads_near(&board, symmetry)
                {
                    found.push((first + self.row * index.ranks().count() + rank, board));
                    break;
                }
            }
        }
        found
    }
}

/// Whether a symmetry may be the one by which a board of a row with this set of pieces is concerned.
#[inline(always)]
fn is_near(row: &Row, symmetry: Symmetry, pieces: u32) -> bool {
    let changed = pieces ^ symmetry.set(pieces);
    match symmetry.cell(row.hole) == row.hole {
        true => in_two_lines(changed),
        false => changed == 0,
    }
}

/// Whether a move leads to a board whose image is the board itself but for one line.
fn leads_near(board: &Board, symmetry: Symmetry) -> bool {
    Ostle::all_moves(board).any(|mv| {
        let after = Ostle::step(board, mv).board.image(symmetry);
        let pieces = after.mine ^ board.mine | after.theirs ^ board.theirs;
        in_a_line(pieces | (1 << after.hole) ^ (1 << board.hole))
    })
}

/// Whether a row or a column has all cells of a set.
#[inline(always)]
fn in_a_line(set: u32) -> bool {
    set == 0 || LINES[set.trailing_zeros() as usize].iter().any(|line| set & !line == 0)
}

/// Whether two rows or columns have all cells of a set: a line through its first cell, and a line
/// through the first cell that is left.
#[inline(always)]
fn in_two_lines(set: u32) -> bool {
    set == 0 || LINES[set.trailing_zeros() as usize].iter().any(|line| in_a_line(set & !line))
}

/// The row and the column of each cell.
static LINES: [[u32; 2]; CELLS as usize] = {
    let mut lines = [[0; 2]; CELLS as usize];
    let mut cell = 0;
    while cell < CELLS as usize {
        let (row, column) = (cell / SIDE as usize, cell % SIDE as usize);
        lines[cell] = [((1 << SIDE) - 1) << (row * SIDE as usize), 0x0010_8421 << column];
        cell += 1;
    }
    lines
};

/// Turns the facts of a solve under the rule as stated into those under the published one. Returns
/// the boards whose facts changed.
pub fn propagate(
    space: &Space,
    concerned: &Concerned,
    facts: &mut [Vec<Packed>],
) -> BTreeSet<Place> {
    let game = space.game(Undo::Symmetric);
    let mut changed = BTreeSet::new();
    let mut due: BTreeSet<Place> = concerned.boards.union(&concerned.before).copied().collect();
    while !due.is_empty() {
        let found: Vec<(Place, Board, Facts)> = due
            .par_iter()
            .filter_map(|&(tier, number)| {
                let board = space.tiers.all()[tier].board(number)?;
                let any = concerned.boards.contains(&(tier, number));
                let new = value(&game, space, facts, &board, any);
                let old = Facts::from(facts[tier][number as usize]);
                (new != old).then_some(((tier, number), board, new))
            })
            .collect();
        due.clear();
        for ((tier, number), board, new) in found {
            facts[tier][number as usize] = new.into();
            changed.insert((tier, number));
            all_before(&game, &board, |before| {
                let (tier, number, _) = space.place(&State::free(before));
                due.insert((tier, number));
            });
        }
    }
    changed
}

/// The facts of a board by its moves. Where `any` move may be barred, the single best one counts
/// although it cannot be undone.
fn value(game: &Ostle, space: &Space, facts: &[Vec<Packed>], board: &Board, any: bool) -> Facts {
    let state = State::free(*board);
    let mut gather = Gather::default();
    for mv in Ostle::all_moves(board) {
        let plies = match game.play(&state, mv) {
            Next::Over(Outcome::Win) => return Facts::new(1, 0, 0),
            Next::Over(_) => continue,
            Next::Position(next) | Next::Again(next) => {
                let (tier, number, barred) = space.place(&next);
                match Facts::from(facts[tier][number as usize]).value(barred) {
                    0 | MAX_PLIES => 0,
                    plies => plies + 1,
                }
            }
        };
        let barrable = any || Ostle::undoing(board, mv).is_some();
        gather.add(plies, if barrable { undo::number(board, mv) } else { 0 });
    }
    gather.facts()
}

/// Calls `each` with every board from which a move leads to a board, some more than once.
fn all_before(game: &Ostle, board: &Board, mut each: impl FnMut(Board)) {
    unmoves(board, |unmove| each(unmove.before));
    let most = game.least() + 1;
    let (mover, other) = (board.theirs, board.mine);
    let mut add = |mine: u32, theirs: u32| {
        let fits = mine.count_ones() <= most && theirs.count_ones() <= most;
        if fits && (mine | theirs).count_ones() <= game.total() {
            each(Board { mine, theirs, hole: board.hole });
        }
    };
    for direction in Direction::ALL {
        let back = direction.back();
        // From here a step leads off the board or into the hole.
        let last = ALL & !back.shift(ALL & !(1 << board.hole)) & !(1 << board.hole);
        for cell in cells(last) {
            let end = 1_u32 << cell;
            if end & board.empty() != 0 {
                // The mover's own piece left, from this cell.
                add(mover | end, other);
            }
            // Or a run came up to this cell, and its last piece left.
            let (mut run, mut head) = (0, end);
            while head & board.pieces() != 0 {
                run |= head;
                let behind = back.shift(head);
                if head & mover != 0 && behind & board.empty() != 0 {
                    let pulled = |side: u32| side & !run | back.shift(side & run);
                    add(pulled(mover) | end, pulled(other));
                    add(pulled(mover), pulled(other) | end);
                }
                head = behind;
            }
        }
    }
}

/// Corrects a census: on boards that are concerned, the states are those of the published table.
pub fn correct<F: Copy + Into<Facts>>(
    census: &mut Census,
    space: &Space,
    number: usize,
    concerned: &Concerned,
    facts: &[F],
) {
    let tier: &Tier = &space.tiers.all()[number];
    for &(_, at) in concerned.boards.iter().filter(|place| place.0 == number) {
        let Some(board) = tier.board(at) else { continue };
        let known: Facts = facts[at as usize].into();
        if known.best() == 1 {
            continue;
        }
        let (free, barred) = states(&board, true);
        let single = u64::from(known.best_move() != 0);
        census.states[usize::from(known.best())] -= u64::from(free) + barred - single;
        census.states[usize::from(known.second())] -= single;
        for barred in published_states(space, &board) {
            census.states[usize::from(known.value(barred))] += 1;
        }
    }
}

/// The barred moves of a board's states in the published table, 0 for none.
pub fn published_states(space: &Space, board: &Board) -> BTreeSet<u8> {
    let bars = SymmetricBars::new(space.tiers.least(), board);
    let mut states = BTreeSet::new();
    unmoves(board, |unmove| {
        let barred = bars.after(&unmove.before);
        states.insert(space.place(&State { board: *board, barred }).2);
    });
    states
}

#[cfg(test)]
mod tests {
    use super::super::engine::solve_in_memory;
    use super::super::table;
    use super::*;
    use kanzen_solve::Silent;

    #[test]
    fn lines_are_rows_and_columns() {
        assert!(in_two_lines(0) && in_two_lines(0b11111) && in_two_lines(0b11111 << 20 | 1 << 7));
        assert!(!in_two_lines(1 | 1 << 6 | 1 << 12) && !in_two_lines(ALL));
    }

    #[test]
    fn all_before_is_the_moves_backwards() {
        let game = Ostle::new(1, 4, Undo::Exact);
        let space = game.space();
        let mut edges = BTreeSet::new();
        let mut backwards = BTreeSet::new();
        for (tier, shape) in space.tiers.all().iter().enumerate().take(2) {
            for number in 0..shape.size() {
                let Some(board) = shape.board(number) else { continue };
                for mv in Ostle::all_moves(&board) {
                    if let Next::Position(next) = game.after(&board, mv) {
                        let (t, n, _) = space.place(&State::free(next));
                        edges.insert(((tier, number), (t, n)));
                    }
                }
                all_before(&game, &board, |before| {
                    let (t, n, _) = space.place(&State::free(before));
                    backwards.insert(((t, n), (tier, number)));
                });
            }
        }
        backwards.retain(|&((tier, _), _)| tier < 2);
        assert_eq!(edges, backwards);
    }

    /// With fewer pieces the bars differ nowhere: a step changes the colour of a cell, as on a
    /// chessboard, and a symmetry does not.
    #[test]
    fn every_state_near_a_concerned_one_is_worth_its_best_move() {
        let game = Ostle::new(3, 6, Undo::Symmetric);
        let space = game.space();
        let solved = solve_in_memory(&space.tiers, true).unwrap();
        let pack = |tier: Vec<Facts>| tier.into_iter().map(Packed::from).collect();
        let mut facts: Vec<Vec<Packed>> = solved.into_iter().map(pack).collect();
        let concerned = Concerned::find(space, &Silent);
        let changed = propagate(space, &concerned, &mut facts);
        assert!(!concerned.boards.is_empty() && !changed.is_empty());
        let value = |state: &State| {
            let (tier, number, barred) = space.place(state);
            table::value(Facts::from(facts[tier][number as usize]).value(barred))
        };
        let near = concerned.boards.iter().chain(&concerned.before).chain(&changed);
        for &(tier, number) in near {
            let board = space.tiers.all()[tier].board(number).unwrap();
            let mut all = vec![State::free(board)];
            unmoves(&board, |unmove| {
                all.push(State { board, barred: game.bar(&unmove.before, unmove.mv, &board) });
            });
            for state in all {
                let mut best = None;
                game.successors(&state, |next| {
                    best = best.max(Some(next.value(|next| value(&next))));
                });
                assert_eq!(Some(value(&state)), best, "{}", game.write(&state));
            }
        }
    }

    #[test]
    fn no_concerned_board_is_missed() {
        let space = &Space::new(3, 6);
        let [exact, symmetric] = [Undo::Exact, Undo::Symmetric].map(|undo| space.game(undo));
        let concerned = Concerned::find(space, &Silent);
        let tier = &space.tiers.all()[0];
        for number in (0..tier.size()).step_by(1997).chain(concerned.boards.iter().map(|at| at.1)) {
            let Some(board) = tier.board(number) else { continue };
            let mut differs = false;
            unmoves(&board, |unmove| {
                let [a, b] = [&exact, &symmetric].map(|game| {
                    let barred = game.bar(&unmove.before, unmove.mv, &board);
                    space.place(&State { board, barred })
                });
                differs |= a != b;
            });
            assert_eq!(differs, concerned.boards.contains(&(0, number)));
        }
    }
}
