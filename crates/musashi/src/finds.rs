//! Remarkable positions: the longest wins of brown, the positions in which brown is stuck, and those
//! with the most brown pieces that black wins.

use super::board::Board;
use super::rules::{Musashi, Player, Position};
use super::solved::SolvedMusashi;
use kanzen_analyse::{Cell, Column, Finding, Kind, ValueError, Values, columns, row};
use kanzen_core::{Game, Outcome, Text, Value, Words};
use kanzen_registry::{GameError, SolvedGame, Store, kinds};
use kanzen_solve::Progress;
use std::collections::{BTreeMap, BTreeSet};

/// The kinds that can be asked for.
pub(super) const KINDS: &[Kind] = &[
    Kind::LONGEST,
    Kind::new(
        "most-brown",
        "The positions with the most brown pieces that black wins.",
        "黒が勝つ局面のうち茶の駒が最も多いもの。",
    ),
    Kind::new(
        "stuck",
        "The positions in which brown, to move, cannot and loses.",
        "茶番で茶が動けずに負ける局面。",
    ),
];

/// The number of brown pieces.
pub(super) const BROWN: Column = Column::new("brown", "brown", "茶");

fn examples<'a>(
    game: &Musashi,
    positions: impl IntoIterator<Item = &'a Position>,
    most: usize,
) -> Cell {
    Cell::Positions(positions.into_iter().take(most).map(|position| game.write(position)).collect())
}

/// The longest wins, brown to move, by number of pieces. Without distances in the table there are
/// counts, but no examples.
pub(super) fn longest(
    solved: &SolvedMusashi,
    most: usize,
    progress: &dyn Progress,
) -> Result<Finding, GameError> {
    let mut finding = kinds::longest();
    let rows: Vec<_> =
        solved.census().map(|(_, brown_to_move)| brown_to_move.wins_by_plies).collect();
    let plies = rows.iter().flatten().filter(|&(_, &n)| n > 0).map(|(&plies, _)| plies).max();
    let Some(plies) = plies else { return Ok(finding) };
    let mut found = Vec::new();
    if solved.store() == Store::Distance {
        progress.note("reading the table");
        found = solved.with_code(Value::Win(plies).code())?;
    }
    for (brown, by_plies) in rows.iter().enumerate() {
        let Some(&count) = by_plies.get(&plies).filter(|&&n| n > 0) else { continue };
        let tier = Text::new(format!("{brown} brown pieces"), format!("茶{brown}個"));
        let same = found.iter().filter(|position| pieces(position) == brown);
        finding.add(row![tier, Outcome::Win, plies, count, examples(solved.game(), same, most)]);
    }
    Ok(finding)
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

pub(super) fn stuck(game: &Musashi, most: usize) -> Finding {
    let caption =
        Words::new("Brown, to move, is stuck and loses.", "茶番で茶が動けずに負ける局面。");
    let heads = [BROWN, columns::POSITIONS, columns::EXAMPLES];
    let mut finding = Finding::new("stuck", caption, &heads);
    for (brown, positions) in stuck_positions(game).into_iter().rev() {
        finding.add(row![brown, positions.len(), examples(game, &positions, most)]);
    }
    finding
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
pub(super) fn most_brown(
    solved: &SolvedMusashi,
    most: usize,
    progress: &dyn Progress,
) -> Result<Finding, GameError> {
    if solved.store() == Store::None {
        return Err(ValueError::CensusOnly.into());
    }
    let game = solved.game();
    progress.note("reading the table");
    let lost = solved.with_code(Value::OPEN.code())?;
    let stuck = stuck_positions(game);
    let is_stuck = |p: &Position| stuck.get(&pieces(p)).is_some_and(|set| set.contains(p));
    let free: Vec<Position> = lost.iter().copied().filter(|p| !is_stuck(p)).collect();
    let brown_to_move = free.iter().map(pieces).max().unwrap_or(0);
    let mut free: Vec<Position> = free.into_iter().filter(|p| pieces(p) == brown_to_move).collect();
    free.sort();

    let rows: Vec<_> = solved.census().collect();
    let black_to_move = rows.iter().rposition(|(black, _)| black.draws > 0).unwrap_or(0);
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

    let mut finding = Finding::new(
        "most_brown",
        Words::new(
            "The most brown pieces at which black wins.",
            "黒が勝つ局面のうち茶の駒が最も多いもの。",
        ),
        &[
            Column::new("to_move", "to move", "手番"),
            BROWN,
            Column::new("captured", "captured at once", "一度に取る数"),
            columns::POSITIONS,
            columns::EXAMPLES,
        ],
    );
    for (captured, positions) in by_captures {
        let black = Words::new("black", "黒");
        let shown = examples(game, &positions, most);
        finding.add(row![black, black_to_move, captured, positions.len(), shown]);
    }
    let brown = Words::new("brown", "茶");
    let shown = examples(game, &free, most);
    finding.add(row![brown, brown_to_move, Cell::Nothing, free.len(), shown]);
    Ok(finding)
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
