//! Sixteen Musashi against the paper's numbers.

use kanzen_bitmap::{Census, Isa, Options, Place, Sink, Solver, Tile};
use kanzen_core::Game;
use kanzen_musashi::{Board, Musashi};
use serde_json::Value;
use std::sync::OnceLock;

/// The boards against a description made independently.
#[test]
fn boards_are_the_papers() {
    let text = include_str!("data/musashi_boards.json");
    let boards: Value = serde_json::from_str(text).unwrap();
    for (name, board) in [
        ("board33", Board::standard()),
        ("board31", Board::board31()),
        ("board25", Board::board25()),
    ] {
        let described = &boards[name];
        let points = described["points"].as_array().unwrap();
        assert_eq!(points.len(), board.points());
        let point = |id: &Value| {
            let place = points.iter().find(|p| p["id"] == *id).unwrap();
            let number = |key: &str| place[key].as_u64().unwrap() as u8;
            board.point(number("column"), number("row")).unwrap()
        };
        let sets = |key: &str| {
            let mut sets: Vec<Vec<u8>> = described[key]
                .as_array()
                .unwrap()
                .iter()
                .map(|list| {
                    let mut list: Vec<u8> = list.as_array().unwrap().iter().map(point).collect();
                    let last = list.len() - 1;
                    if list[0] > list[last] {
                        list.reverse();
                    }
                    list
                })
                .collect();
            sets.sort();
            sets
        };
        let lines: Vec<Vec<u8>> = board.graph().lines().iter().map(|&(a, b)| vec![a, b]).collect();
        assert_eq!(sets("lines"), lines, "{name}");
        let sandwiches: Vec<Vec<u8>> =
            board.graph().sandwiches().iter().map(|s| s.to_vec()).collect();
        assert_eq!(sets("sandwiches"), sandwiches, "{name}");
    }
}

/// The census as a table in the form of the data files.
fn table(census: &Census) -> String {
    let rows = census.rows();
    let mut text = "brown,black_wins_black_to_move,black_wins_brown_to_move".to_owned();
    for distance in 0..rows[0].pieces_win.len() {
        text += &format!(",brown_wins_{distance}");
    }
    text.push('\n');
    for row in rows {
        let counts = [row.pieces as u64, row.king_wins_king_to_move, row.king_wins_pieces_to_move];
        let cells: Vec<String> = counts.iter().chain(&row.pieces_win).map(u64::to_string).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// Waits for a position with brown to move to be found won.
struct Wait {
    place: Place,
    round: OnceLock<usize>,
}

impl Sink for Wait {
    fn region(&self, round: usize, king: usize, region: usize, tiles: &[Tile]) {
        let (tile, low) = ((self.place.index >> 12) as usize, (self.place.index & 0xfff) as usize);
        let here = king == self.place.king && region == tile / tiles.len();
        if here && tiles[tile % tiles.len()].bit(low) {
            assert_eq!(self.round.set(round), Ok(()), "found twice");
        }
    }
}

/// Solves a board; also returns the distance of the start.
fn solve(board: &'static Board, isa: Option<Isa>, threads: usize) -> (Solver, Option<usize>) {
    let mut solver = Solver::new(board.graph(), Options { threads, isa }).unwrap();
    let start = Musashi::new(board).start();
    let place = board.index().locate(start.king, start.brown).unwrap();
    let wait = Wait { place, round: OnceLock::new() };
    assert!(solver.run(Some(&wait), &mut ()));
    (solver, wait.round.get().map(|round| 2 * round + 1))
}

#[test]
fn board25_in_every_cell() {
    for isa in Isa::available() {
        for threads in [1, 2] {
            let (solver, start) = solve(Board::board25(), Some(isa), threads);
            assert_eq!(start, Some(31));
            let expected = include_str!("data/musashi_board25.csv").replace('\r', "");
            assert_eq!(table(solver.census()), expected, "{isa}, {threads} threads");
            let both_turns = 2 * solver.census().positions().iter().sum::<u64>();
            assert_eq!(both_turns, 104_940_576);
        }
    }
}

/// The paper's facts about BOARD31; the table is this program's own, which the portable kernels and
/// those for wider vectors must both give.
#[test]
#[ignore = "long: run by ./test long"]
fn board31_in_every_cell() {
    for isa in [Isa::best(), Isa::Portable] {
        let (solver, start) = solve(Board::board31(), Some(isa), 0);
        assert_eq!(start, Some(17));
        let census = solver.census();
        assert_eq!(2 * census.positions().iter().sum::<u64>(), 33_287_831_552);
        assert_eq!((census.at_distance(49), census.at_distance(51)), (1, 0));
        let stuck: Vec<usize> = black_wins_brown_to_move(census).collect();
        assert_eq!(stuck, [0, 1, 2, 3, 4, 5, 6, 24, 30]);
        assert_eq!(table(census), include_str!("data/musashi_board31.csv"), "{isa}");
    }
}

/// The paper's facts about BOARD33, and this program's own table, as for BOARD31.
#[test]
#[ignore = "long: run by ./test long"]
fn board33_in_every_cell() {
    for isa in [Isa::best(), Isa::Portable] {
        let (solver, start) = solve(Board::standard(), Some(isa), 0);
        assert_eq!(start, Some(35));
        let census = solver.census();
        assert_eq!(2 * census.positions().iter().sum::<u64>(), 141_737_590_784);
        let longest: Vec<(usize, u64)> = census
            .rows()
            .iter()
            .map(|row| (row.pieces, row.pieces_win[57]))
            .filter(|&(_, positions)| positions > 0)
            .collect();
        assert_eq!(longest, [(5, 4), (7, 1)]);
        assert_eq!(census.at_distance(59), 0);
        let stuck: Vec<usize> = black_wins_brown_to_move(census).collect();
        assert_eq!(stuck, [0, 1, 2, 3, 4, 5, 6, 8, 24, 32]);
        let black_to_move = census.rows().into_iter().rev().find(|r| r.king_wins_king_to_move > 0);
        assert_eq!(black_to_move.map(|row| row.pieces), Some(12));
        assert_eq!(table(census), include_str!("data/musashi_board33.csv"), "{isa}");
    }
}

fn black_wins_brown_to_move(census: &Census) -> impl Iterator<Item = usize> {
    let rows = census.rows().into_iter();
    rows.filter(|row| row.king_wins_pieces_to_move > 0).map(|row| row.pieces)
}
