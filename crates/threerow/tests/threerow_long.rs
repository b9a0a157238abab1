//! Three-player three-in-a-row: what takes a minute or more.

use std::sync::atomic::AtomicBool;

use kanzen_threerow::layers::{Counts, Layer, LayerError, Solver};
use kanzen_threerow::{Board, Outcomes, Player, Searcher, Shape, TieBreak, census};

/// Numbers that look random, the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0) * u128::from(bound)) >> 64) as u64
    }
}

/// All open boards of 4 x 5: the census against the stored table and against a
/// count that solves nothing, and boards of every ply against the search.
#[test]
#[ignore = "long: run by ./test long"]
fn every_open_board_of_4x5() {
    let shape = Shape::new(4, 5).unwrap();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let solver = Solver::new(shape, threads).unwrap();
    let mut searcher = Searcher::new(shape);
    let mut numbers = Numbers(4);
    let mut census = Vec::new();
    let check = |layer: &Layer, counts: &Counts| {
        let tier = layer.tier();
        let (mut tested, mut seen) = (0, 0);
        while tested < 1_000 && seen < 20_000 {
            let index = numbers.below(tier.len());
            seen += 1;
            if let Some(board) = solver.board(tier, index) {
                tested += 1;
                let winner = searcher.forced(&board).unwrap();
                assert_eq!(winner.map_or(0, Player::number), layer.value(index), "{board}");
            }
        }
        assert!(tested > 0, "no open board found at ply {}", counts.plies);
        assert_eq!(Some(counts.open()), census::open_up_to_symmetry(&shape, counts.plies));
        census.push(*counts);
        Ok::<(), LayerError>(())
    };
    solver.solve(None, &AtomicBool::new(false), &|_| {}, check).unwrap();
    census.reverse();

    let mut table = String::from(
        "plies,boards,boards_up_to_symmetry,open_states_up_to_symmetry,nobody,one,two,three\n",
    );
    for counts in &census {
        let boards = census::boards(&shape, counts.plies);
        let distinct = census::boards_up_to_symmetry(&shape, counts.plies);
        let [nobody, one, two, three] = counts.winners;
        table += &format!(
            "{},{boards},{distinct},{},{nobody},{one},{two},{three}\n",
            counts.plies,
            counts.open()
        );
    }
    assert_eq!(table, include_str!("data/threerow_4x5_states.csv"), "the census is\n{table}");
    let open: u64 = census.iter().map(Counts::open).sum();
    let largest = census.iter().map(Counts::open).max();
    assert_eq!((open, largest), (5_789_714_354, Some(1_150_037_287)));
    assert_eq!(census[0].winners, [1, 0, 0, 0], "nobody can force a win");
    assert_eq!(census[3].winners[1], 209, "boards after three moves that player 1 wins");
}

/// The empty 5 x 5 board under the meanings that take more than a moment.
#[test]
#[ignore = "long: run by ./test long"]
fn the_empty_5x5_under_every_meaning() {
    let shape = Shape::new(5, 5).unwrap();
    let mut searcher = Searcher::new(shape);
    let board = Board::empty(shape);
    let values = TieBreak::ALL.map(|tie_break| searcher.max_n(&board, tie_break).unwrap());
    let (one, two) = (Some(Player::One), Some(Player::Two));
    assert_eq!(values, [None, None, one, one, None, None, two, None]);
    assert_eq!(searcher.equilibria(&board), Ok(Outcomes::ALL), "anything may happen");
}
