//! Remarkable positions: the longest wins of brown, the positions in which brown is stuck, and those
//! with the most brown pieces that black wins.

use super::board::Board;
use super::rules::{Musashi, Player, Position};
use super::solved::SolvedMusashi;
use crate::GameError;
use crate::any::{Report, Sheet, Store};
use kanzen_core::{Game, Value};
use kanzen_solve::Progress;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The kinds that can be asked for.
pub(super) const KINDS: &str = "longest, most-brown, stuck";

/// Finds positions of a kind.
pub(super) fn find(
    solved: &SolvedMusashi,
    what: &str,
    most: usize,
    progress: &dyn Progress,
) -> Result<Report, GameError> {
    match what {
        "longest" => longest(solved, most, progress),
        "most-brown" => most_brown(solved, most, progress),
        "stuck" => Ok(stuck(solved.game(), most)),
        _ => Err(GameError::NoAnswer(format!("cannot find '{what}': allowed are {KINDS}"))),
    }
}

/// The longest wins, brown to move, by number of pieces. Without distances in the table there are
/// counts, but no examples.
fn longest(
    solved: &SolvedMusashi,
    most: usize,
    progress: &dyn Progress,
) -> Result<Report, GameError> {
    let mut sheet =
        Sheet::new("longest wins of brown", &["plies", "brown", "positions", "example"]);
    let rows: Vec<_> = solved.census().map(|(_, brown_to_move)| brown_to_move.by_plies).collect();
    let plies = rows.iter().flatten().filter(|&(_, &n)| n > 0).map(|(&plies, _)| plies).max();
    let Some(plies) = plies else {
        return Ok(Report { json: json!([]), sheets: vec![sheet] });
    };
    let counts = rows.iter().map(|by_plies| by_plies.get(&plies).copied().unwrap_or(0));
    let counts: Vec<(usize, u64)> = counts.enumerate().filter(|&(_, n)| n > 0).collect();
    let mut found = Vec::new();
    if solved.has() == Store::Distance {
        progress.note("reading the table");
        found = solved.with_code(Value::Win(plies).code())?;
        found.sort_by_key(|position| position.brown.count_ones());
        found.truncate(most);
    }
    let examples: Vec<String> = found.iter().map(|p| solved.game().write(p)).collect();
    for &(brown, n) in &counts {
        let same = found.iter().zip(&examples).filter(|(p, _)| pieces(p) == brown);
        let same: Vec<String> = same.map(|(_, text)| text.clone()).collect();
        rows_of(&mut sheet, &[plies.to_string(), brown.to_string(), n.to_string()], &same);
    }
    let by_brown = counts.iter().map(|&(brown, n)| json!({ "brown": brown, "positions": n }));
    let json = json!([{
        "plies": plies,
        "positions": counts.iter().map(|&(_, n)| n).sum::<u64>(),
        "by_brown": by_brown.collect::<Vec<_>>(),
        "examples": examples,
    }]);
    Ok(Report { json, sheets: vec![sheet] })
}

/// Every position up to symmetry in which brown is to move and cannot, by number of pieces. The
/// rules alone tell them: no line may lead from a piece to an empty point, so the parts into which
/// the king cuts the board are each full or empty.
pub(super) fn stuck_positions(game: &Musashi) -> BTreeMap<usize, BTreeSet<Position>> {
    let board = game.board();
    let mut by_brown: BTreeMap<usize, BTreeSet<Position>> = BTreeMap::new();
    for king in 0..board.points() as u8 {
        let parts = parts_without(board, king);
        for chosen in 0_u32..1 << parts.len() {
            let chosen = parts.iter().enumerate().filter(|&(i, _)| chosen >> i & 1 == 1);
            let brown = chosen.fold(0, |set, (_, part)| set | part);
            let position = canonical(game, Position { king, brown, turn: Player::Brown });
            by_brown.entry(pieces(&position)).or_default().insert(position);
        }
    }
    by_brown
}

fn stuck(game: &Musashi, most: usize) -> Report {
    let mut sheet =
        Sheet::new("brown, to move, is stuck and loses", &["brown", "positions", "example"]);
    let mut list = Vec::new();
    for (brown, positions) in stuck_positions(game).into_iter().rev() {
        let examples: Vec<String> = positions.iter().take(most).map(|p| game.write(p)).collect();
        let n = positions.len();
        rows_of(&mut sheet, &[brown.to_string(), n.to_string()], &examples);
        list.push(json!({ "brown": brown, "positions": n, "examples": examples }));
    }
    Report { json: json!(list), sheets: vec![sheet] }
}

/// The parts of the board that hang together when the king's point is taken out.
fn parts_without(board: &Board, king: u8) -> Vec<u64> {
    let mut parts: Vec<u64> = Vec::new();
    for point in (0..board.points() as u8).filter(|&point| point != king) {
        if parts.iter().any(|part| part >> point & 1 == 1) {
            continue;
        }
        let mut part = 1_u64 << point;
        loop {
            let joined = board.graph().lines().iter().filter(|&&(a, b)| a != king && b != king);
            let grown = joined.fold(part, |set, &(a, b)| {
                if (set >> a | set >> b) & 1 == 1 { set | 1 << a | 1 << b } else { set }
            });
            if grown == part {
                break;
            }
            part = grown;
        }
        parts.push(part);
    }
    parts
}

/// The positions with the most brown pieces that black wins: with brown to move, apart from those in
/// which brown is stuck; and with black to move, with the number of pieces that the king captures at
/// once.
fn most_brown(
    solved: &SolvedMusashi,
    most: usize,
    progress: &dyn Progress,
) -> Result<Report, GameError> {
    if solved.has() == Store::None {
        let problem = "the table has only the census: solve again with --store value or distance";
        return Err(GameError::NoAnswer(problem.to_owned()));
    }
    let game = solved.game();
    progress.note("reading the table");
    let lost = solved.with_code(Value::Open.code())?;
    let stuck = stuck_positions(game);
    let is_stuck = |p: &Position| stuck.get(&pieces(p)).is_some_and(|set| set.contains(p));
    let free: Vec<Position> = lost.iter().copied().filter(|p| !is_stuck(p)).collect();
    let brown_to_move = free.iter().map(pieces).max().unwrap_or(0);
    let mut free: Vec<Position> = free.into_iter().filter(|p| pieces(p) == brown_to_move).collect();
    free.sort();

    let rows: Vec<_> = solved.census().collect();
    let black_to_move = rows.iter().rposition(|(black, _)| black.open > 0).unwrap_or(0);
    let mut fewest: BTreeMap<Position, usize> = BTreeMap::new();
    for after in lost.iter().filter(|p| pieces(p) <= black_to_move) {
        let missing = black_to_move - pieces(after);
        for (position, captured) in black_before(game, after) {
            if captured == missing {
                let known = fewest.entry(position).or_insert(captured);
                *known = captured.min(*known);
            }
        }
    }
    let mut by_captures: BTreeMap<usize, Vec<Position>> = BTreeMap::new();
    for (&position, &captured) in &fewest {
        by_captures.entry(captured).or_default().push(position);
    }

    let mut sheet = Sheet::new(
        "the most brown pieces at which black wins",
        &["to move", "brown", "captured at once", "positions", "example"],
    );
    let texts = |list: &[Position]| -> Vec<String> {
        list.iter().take(most).map(|p| game.write(p)).collect()
    };
    let mut captures = Vec::new();
    for (captured, positions) in &by_captures {
        let examples = texts(positions);
        let numbers = [black_to_move, *captured, positions.len()].map(|n| n.to_string());
        let cells: Vec<String> = ["black".to_owned()].into_iter().chain(numbers).collect();
        rows_of(&mut sheet, &cells, &examples);
        captures.push(json!({
            "captured": captured, "positions": positions.len(), "examples": examples,
        }));
    }
    let examples = texts(&free);
    let cells = ["brown".to_owned(), brown_to_move.to_string(), "-".to_owned()];
    let cells: Vec<String> = cells.into_iter().chain([free.len().to_string()]).collect();
    rows_of(&mut sheet, &cells, &examples);
    let json = json!({
        "black_to_move": {
            "brown": black_to_move, "positions": fewest.len(), "captures": captures,
        },
        "brown_to_move": {
            "brown": brown_to_move, "positions": free.len(), "examples": examples,
        },
    });
    Ok(Report { json, sheets: vec![sheet] })
}

/// The positions from which a move of the king leads to a position with brown to move, with the
/// number of pieces that it captures.
fn black_before(game: &Musashi, after: &Position) -> Vec<(Position, usize)> {
    let graph = game.board().graph();
    let pairs: Vec<u64> =
        graph.sandwiches_around(after.king).map(|(a, b)| 1 << a | 1 << b).collect();
    if pairs.iter().any(|pair| after.brown & pair == *pair) {
        // The king would have captured that pair.
        return Vec::new();
    }
    let mut before = Vec::new();
    for king in graph.neighbours(after.king).filter(|&p| after.brown >> p & 1 == 0) {
        let empty = pairs.iter().filter(|&&pair| (after.brown | 1 << king) & pair == 0);
        let empty: Vec<u64> = empty.copied().collect();
        for chosen in 0_u32..1 << empty.len() {
            let chosen = empty.iter().enumerate().filter(|&(i, _)| chosen >> i & 1 == 1);
            let captured = chosen.fold(0, |set, (_, pair)| set | pair);
            let position = Position { king, brown: after.brown | captured, turn: Player::Black };
            before.push((canonical(game, position), captured.count_ones() as usize));
        }
    }
    before
}

/// The position that stands for all its images.
fn canonical(game: &Musashi, position: Position) -> Position {
    let index = game.board().index();
    let place = index.locate(position.king, position.brown);
    match place.and_then(|place| index.position(place)) {
        Some((king, brown)) => Position { king, brown, ..position },
        None => position,
    }
}

fn pieces(position: &Position) -> usize {
    position.brown.count_ones() as usize
}

/// Adds a row with the first example, and one for each further example.
fn rows_of(sheet: &mut Sheet, cells: &[String], examples: &[String]) {
    let first = examples.first().cloned().unwrap_or_default();
    sheet.row(cells.iter().cloned().chain([first]));
    for example in examples.iter().skip(1) {
        let blank = std::iter::repeat_n(String::new(), cells.len());
        sheet.row(blank.chain([example.clone()]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::Next;

    fn numbers(board: &'static Board) -> Vec<(usize, usize)> {
        let stuck = stuck_positions(&Musashi::new(board));
        stuck.into_iter().map(|(brown, positions)| (brown, positions.len())).rev().collect()
    }

    /// The paper's: 32, 24 and 8 pieces; 30, 24 and 6; 24. Brown without pieces is stuck, too.
    #[test]
    fn brown_is_stuck_where_the_paper_says() {
        assert_eq!(numbers(Board::standard()), [(32, 20), (24, 1), (8, 1), (0, 20)]);
        assert_eq!(numbers(Board::board31()), [(30, 19), (24, 1), (6, 1), (0, 19)]);
        assert_eq!(numbers(Board::board25()), [(24, 6), (0, 6)]);
    }

    #[test]
    fn stuck_positions_have_no_move() {
        for board in [Board::standard(), Board::board31(), Board::board25()] {
            let game = Musashi::new(board);
            for position in stuck_positions(&game).into_values().flatten() {
                assert!(game.over(&position).is_some(), "{}", game.write(&position));
            }
        }
    }

    /// Moves taken back are moves, and no move is forgotten: every move of black from some positions
    /// is found again from behind.
    #[test]
    fn black_moves_and_takes_back() {
        let game = Musashi::new(Board::board25());
        let mut state = 1_u64;
        for _ in 0..2000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let king = (state >> 59) as u8 % 25;
            let brown = state >> 20 & 0x1ff_ffff & !(1 << king);
            let position = canonical(&game, Position { king, brown, turn: Player::Black });
            game.successors(&position, |next| {
                let Next::Position(next) = next else { return };
                let captured = pieces(&position) - pieces(&next);
                assert!(black_before(&game, &next).contains(&(position, captured)));
            });
        }
    }
}
