//! From the rule as stated to the rule as published: what changes if images count as undoing.
//!
//! The published table bars the first move that leads to an image of the board before, under any
//! symmetry of the square. That differs from the rule only where a board has a move to an image of
//! a board before it without undoing the move from there. Then the board is its own image but for
//! two lines of cells: the line of the move before and the line of the move after. Few boards are,
//! and the opponent's set and the hole alone exclude whole rows of them.
//!
//! The boards before and at such moves are valued anew by their moves, then all boards before those
//! that changed, and so on until nothing changes. What is consistent in the end is right: wins and
//! losses by induction over their plies, draws because nobody has a way out.

use super::board::{ALL, Board, Direction, SIDE, Symmetry, cells};
use super::census::{Census, states};
use super::index::Row;
use super::rules::{Ostle, State, Undo};
use super::states::Space;
use super::tiers::{Part, Tier};
use super::undo::{self, unmoves};
use super::word::{Facts, MAX_PLIES};
use kanzen_core::{Game, Next, Outcome};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// A board: its tier and its number.
type Place = (usize, u32);

/// The boards on which the two bars differ, for some board before.
pub struct Concerned {
    /// Those boards.
    pub boards: BTreeSet<Place>,
    /// The boards before, whose moves to them are worth something else.
    before: BTreeSet<Place>,
}

impl Concerned {
    /// Finds all boards that are concerned.
    #[must_use]
    pub fn find(space: &Space) -> Concerned {
        let [exact, symmetric] = [Undo::Exact, Undo::Symmetric].map(|undo| space.game(undo));
        let mut concerned = Concerned { boards: BTreeSet::new(), before: BTreeSet::new() };
        for (number, tier) in space.tiers.all().iter().enumerate() {
            for part in &tier.parts {
                let rows = 0..part.index.rows().count();
                let found: Vec<(u32, Board)> =
                    rows.into_par_iter().flat_map_iter(|row| nearly_symmetric(part, row)).collect();
                for (at, board) in found {
                    unmoves(&board, |unmove| {
                        let bar = |game: &Ostle| {
                            let barred = game.bar(&unmove.before, unmove.mv, &board);
                            space.place(&State { board, barred })
                        };
                        if bar(&exact) != bar(&symmetric) {
                            concerned.boards.insert((number, at));
                            let (tier, at, _) = space.place(&State::free(unmove.before));
                            concerned.before.insert((tier, at));
                        }
                    });
                }
            }
        }
        concerned
    }
}

/// The boards of a row that some symmetry changes in at most two lines.
fn nearly_symmetric(part: &Part, number: u32) -> Vec<(u32, Board)> {
    let row = part.index.rows().row(number);
    let symmetries: Vec<(Symmetry, u32)> = Symmetry::all()
        .skip(1)
        .map(|symmetry| (symmetry, changed(row, symmetry)))
        .filter(|&(_, changed)| in_two_lines(changed))
        .collect();
    if symmetries.is_empty() {
        return Vec::new();
    }
    let columns = part.index.ranks().count();
    let boards = (0..columns).filter_map(|rank| Some((rank, part.index.board_in(row, rank)?)));
    let is_near = |board: &Board| {
        symmetries
            .iter()
            .any(|&(s, changed)| in_two_lines(changed | board.mine ^ s.set(board.mine)))
    };
    let near = boards.filter(|(_, board)| is_near(board));
    near.map(|(rank, board)| (part.first + number * columns + rank, board)).collect()
}

/// The cells in which a symmetry changes the hole and the opponent's set of a row.
fn changed(row: &Row, symmetry: Symmetry) -> u32 {
    let hole = 1_u32 << row.hole;
    row.set ^ symmetry.set(row.set) | hole ^ symmetry.set(hole)
}

/// Whether two rows or columns have all cells of a set.
fn in_two_lines(set: u32) -> bool {
    const ROW: u32 = (1 << SIDE) - 1;
    const COLUMN: u32 = 0x0010_8421;
    let lines = || (0..SIDE).flat_map(|n| [ROW << (SIDE * n), COLUMN << n]);
    set.count_ones() <= 2 * u32::from(SIDE)
        && lines().any(|first| lines().any(|second| set & !first & !second == 0))
}

/// Turns the facts of a solve under the rule as stated into those under the published one. Returns
/// the boards whose facts changed.
pub fn propagate(
    space: &Space,
    concerned: &Concerned,
    facts: &mut [Vec<Facts>],
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
                (new != facts[tier][number as usize]).then_some(((tier, number), board, new))
            })
            .collect();
        due.clear();
        for ((tier, number), board, new) in found {
            facts[tier][number as usize] = new;
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
fn value(game: &Ostle, space: &Space, facts: &[Vec<Facts>], board: &Board, any: bool) -> Facts {
    let state = State::free(*board);
    let score = |plies: u8| match plies {
        0 => 256,
        _ if plies % 2 == 1 => 512 - i32::from(plies),
        _ => i32::from(plies),
    };
    let mut moves = Vec::new();
    for mv in Ostle::all_moves(board) {
        let plies = match game.play(&state, mv) {
            Next::Over(Outcome::Win) => return Facts::new(1, 0, 0),
            Next::Over(_) => continue,
            Next::Position(next) => {
                let (tier, number, barred) = space.place(&next);
                match facts[tier][number as usize].value(barred) {
                    0 | MAX_PLIES => 0,
                    plies => plies + 1,
                }
            }
        };
        moves.push((score(plies), plies, mv));
    }
    moves.sort_unstable_by_key(|&(score, _, _)| std::cmp::Reverse(score));
    match moves[..] {
        [(best, plies, mv), (second, less, _), ..] if best != second => {
            let barrable = any || Ostle::undoing(board, mv).is_some();
            Facts::new(plies, less, if barrable { undo::number(board, mv) } else { 0 })
        }
        [(_, plies, _), ..] => Facts::new(plies, 0, 0),
        [] => Facts::new(0, 0, 0),
    }
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

/// Corrects a census that was counted as under the rule as stated.
pub fn correct(
    census: &mut Census,
    space: &Space,
    number: usize,
    concerned: &Concerned,
    facts: &[Facts],
) {
    let game = space.game(Undo::Symmetric);
    let tier: &Tier = &space.tiers.all()[number];
    for &(_, at) in concerned.boards.iter().filter(|place| place.0 == number) {
        let (Some(board), known) = (tier.board(at), facts[at as usize]) else { continue };
        if known.best() == 1 {
            continue;
        }
        let (free, barred) = states(&board, true);
        let single = u64::from(known.best_move() != 0);
        census.states[usize::from(known.best())] -= u64::from(free) + barred - single;
        census.states[usize::from(known.second())] -= single;
        let mut bars = BTreeSet::new();
        unmoves(&board, |unmove| {
            let barred = game.bar(&unmove.before, unmove.mv, &board);
            bars.insert(space.place(&State { board, barred }).2);
        });
        for barred in bars {
            census.states[usize::from(known.value(barred))] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::solve_in_memory;
    use super::super::table;
    use super::*;
    use kanzen_core::Value;

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
        let mut facts = solve_in_memory(&space.tiers, true).unwrap();
        let concerned = Concerned::find(space);
        let changed = propagate(space, &concerned, &mut facts);
        assert!(!concerned.boards.is_empty() && !changed.is_empty());
        let value = |state: &State| {
            let (tier, number, barred) = space.place(state);
            table::value(facts[tier][number as usize].value(barred))
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
                    best = best.max(Some(match next {
                        Next::Over(outcome) => Value::ended(outcome, 1),
                        Next::Position(next) => value(&next).before_move(),
                    }));
                });
                assert_eq!(Some(value(&state)), best, "{}", game.write(&state));
            }
        }
    }

    #[test]
    fn no_concerned_board_is_missed() {
        let space = &Space::new(3, 6);
        let [exact, symmetric] = [Undo::Exact, Undo::Symmetric].map(|undo| space.game(undo));
        let concerned = Concerned::find(space);
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
