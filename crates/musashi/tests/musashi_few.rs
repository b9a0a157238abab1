//! The tables of all three boards against a solver that shares nothing with the program's, for few
//! brown pieces; and a claim of the paper about BOARD31 that cannot be.

mod musashi_plain;

use musashi_plain::{Board, Few, Placement};
use std::collections::BTreeSet;

/// Compares the rows of a table with those of the plain solver.
fn compare(board: &str, most: usize, table: &str) -> Few {
    let few = Few::solve(Board::read(board), most);
    for line in table.lines().skip(1).take(most + 1) {
        let cells: Vec<u64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let pieces = cells[0] as usize;
        assert_eq!(few.row(pieces, cells.len() - 3), cells[1..], "{board}, {pieces} pieces");
    }
    few
}

#[test]
fn board25_with_up_to_5_pieces() {
    compare("board25", 5, include_str!("data/musashi_board25.csv"));
}

/// The paper says of BOARD31 as of BOARD33 that black to move wins against up to 12 brown pieces, by
/// a capture of 4 or more. It also says that brown to move loses to at most 5 pieces unless stuck,
/// with 30, 24 or 6. So a capture that wins must leave at most 5, or the 6 that are stuck: and at
/// most 9 pieces can be there before.
#[test]
fn black_wins_against_9_pieces_at_the_most_on_board31() {
    let few = compare("board31", 5, include_str!("data/musashi_board31.csv"));
    let before = |pieces: usize, captured: u32| -> BTreeSet<Placement> {
        let lost = few.lost_by_brown(pieces);
        lost.iter().flat_map(|&after| few.board.before(after, captured)).collect()
    };
    // The 6 stuck pieces fill what is right of the square, and the king stands between.
    let right = (0..).zip(&few.board.columns).filter(|&(_, &column)| column > 4);
    let stuck = (few.board.neck, right.fold(0_u64, |set, (point, _)| set | 1 << point));
    assert_eq!(stuck.1.count_ones(), 6);
    let before_stuck = |captured| few.board.before(stuck, captured).len();
    assert!(before_stuck(2) > 0);
    assert_eq!((before_stuck(4), before_stuck(6)), (0, 0));
    // 12 leaves 6 at the least, 11 leaves 5, 10 leaves 4 or the stuck 6.
    assert_eq!(before(5, 6).len(), 0);
    assert_eq!(before(4, 6).len(), 0);
    // 9 leaves 5 or 3, and these are as many as the table has.
    let nine: BTreeSet<Placement> = before(5, 4).union(&before(3, 6)).copied().collect();
    assert_eq!(nine.len(), 7204);
    assert!(!before(5, 4).is_empty());
}

#[test]
#[ignore = "long: run by ./test long"]
fn board31_with_up_to_7_pieces() {
    compare("board31", 7, include_str!("data/musashi_board31.csv"));
}

/// Also the longest wins of the standard board, which have 5 and 7 pieces.
#[test]
#[ignore = "long: run by ./test long"]
fn board33_with_up_to_7_pieces() {
    compare("board33", 7, include_str!("data/musashi_board33.csv"));
}
