//! Three-player three-in-a-row: golden numbers, and every way to a value
//! against a plain recursion over all boards.

mod threerow_plain;

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use kanzen_threerow::layers::{Counts, Layer, LayerError, Solver};
use kanzen_threerow::notation::{cell_name, parse_cell};
use kanzen_threerow::shape::bits;
use kanzen_threerow::symmetry::Symmetries;
use kanzen_threerow::{
    Answer, Board, Meaning, Outcomes, Player, SearchError, Searcher, Shape, TieBreak, census,
    claims,
};
use proptest::prelude::*;
use threerow_plain::Plain;

fn shape(rows: u8, columns: u8) -> Shape {
    Shape::new(rows, columns).unwrap()
}

/// All layers, by ply.
fn solve(shape: Shape, threads: usize) -> Vec<(Layer, Counts)> {
    let mut layers = Vec::new();
    let solver = Solver::new(shape, threads).unwrap();
    let keep = |layer: &Layer, counts: &Counts| {
        layers.push((layer.clone(), *counts));
        Ok::<(), LayerError>(())
    };
    solver.solve(None, &AtomicBool::new(false), &|_| {}, keep).unwrap();
    layers.reverse();
    layers
}

/// A random open board after `plies` moves at most, from arbitrary numbers.
fn random_board(shape: Shape, plies: u32, choices: &[u32]) -> Board {
    let mut board = Board::empty(shape);
    for &choice in choices.iter().take(plies as usize) {
        let open = board.moves().filter_map(|cell| board.play(cell)).filter(Board::is_open);
        let open: Vec<Board> = open.collect();
        match open.get(choice as usize % open.len().max(1)) {
            Some(next) => board = *next,
            None => break,
        }
    }
    board
}

#[test]
fn census_of_4x4_is_the_papers() {
    let shape = shape(4, 4);
    let layers = solve(shape, 2);
    let golden = include_str!("data/three_player_4x4_states.csv");
    let mut lines = 0;
    for line in golden.lines().skip(1) {
        let fields: Vec<u64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        let plies = fields[0] as u32;
        assert_eq!(census::boards(&shape, plies), u128::from(fields[1]));
        assert_eq!(census::boards_up_to_symmetry(&shape, plies), u128::from(fields[2]));
        assert_eq!(layers[plies as usize].1.open(), fields[3]);
        assert_eq!(census::open_up_to_symmetry(&shape, plies), Some(fields[3]));
        lines += 1;
    }
    assert_eq!(lines, 17);
    assert_eq!(layers[0].1.winners, [1, 0, 0, 0], "nobody can force a win on 4x4");
    assert_eq!(layers[3].1.winners[1], 21, "boards after three moves that player 1 wins");
}

#[test]
fn search_agrees_with_every_layer_of_4x4() {
    let shape = shape(4, 4);
    let solver = Solver::new(shape, 1).unwrap();
    let mut searcher = Searcher::new(shape);
    for (layer, counts) in solve(shape, 1) {
        let (mut open, mut step) = (0u64, 1);
        if counts.open() > 20_000 {
            step = layer.tier().len() / 20_000 * 2 + 1;
        }
        for index in (0..layer.tier().len()).step_by(step as usize) {
            if let Some(board) = solver.board(layer.tier(), index) {
                let winner = searcher.forced(&board).unwrap();
                assert_eq!(winner.map_or(0, Player::number), layer.value(index), "{board}");
                open += 1;
            }
        }
        assert!(open > 0);
    }
}

/// Every open board of a small shape, up to symmetry: each meaning by search,
/// and the forced winner by layers, against the plain recursion.
fn compare_with_plain(shape: Shape) {
    let mut plain = Plain::new(shape);
    plain.explore();
    let symmetries = Symmetries::new(&shape);
    let solver = Solver::new(shape, 2).unwrap();
    let layers = solve(shape, 2);
    let mut searcher = Searcher::new(shape);
    let mut counts = vec![[0u64; 4]; shape.cells() as usize + 1];
    let mut boards = Vec::new();
    for (&sets, values) in plain.values() {
        let board = Board::new(shape, sets).unwrap();
        let (layer, _) = &layers[board.plies() as usize];
        let index = solver.locate(layer.tier(), &board).unwrap();
        assert_eq!(layer.value(index), values.forced, "{board}");
        if symmetries.least(sets) == sets {
            counts[board.plies() as usize][values.forced as usize] += 1;
            boards.push((board, *values));
        }
    }
    for (count, (_, found)) in counts.iter().zip(&layers) {
        assert_eq!(*count, found.winners);
    }
    for meaning in Meaning::all() {
        for (board, values) in &boards {
            let expected = match meaning {
                Meaning::Forced => Answer::Winner(Player::from_number(values.forced)),
                Meaning::NotLosing(player) => Answer::Safe(values.safe[player as usize]),
                Meaning::MaxN(tie_break) => {
                    let number =
                        TieBreak::ALL.iter().position(|other| *other == tie_break).unwrap();
                    Answer::Winner(Player::from_number(values.max_n[number]))
                }
                Meaning::Equilibria => {
                    let winners = (0..4).filter(|winner| values.equilibria >> winner & 1 == 1);
                    let outcomes =
                        winners.map(|winner| Outcomes::only(Player::from_number(winner)));
                    Answer::Outcomes(outcomes.fold(Outcomes::NONE, Outcomes::or))
                }
            };
            assert_eq!(searcher.answer(board, meaning).unwrap(), expected, "{board} {meaning}");
        }
    }
}

#[test]
fn every_board_of_3x3_agrees_with_the_plain_recursion() {
    compare_with_plain(shape(3, 3));
}

#[test]
fn every_board_of_3x4_agrees_with_the_plain_recursion() {
    compare_with_plain(shape(3, 4));
}

#[test]
fn a_search_from_scratch_agrees_with_one_that_remembers() {
    // The boards above are asked with a memory full of answers; here without.
    let shape = shape(3, 4);
    let mut plain = Plain::new(shape);
    plain.explore();
    for (&sets, values) in plain.values().filter(|(sets, _)| sets[0].count_ones() < 2) {
        let board = Board::new(shape, sets).unwrap();
        let mut searcher = Searcher::new(shape);
        assert_eq!(searcher.forced(&board).unwrap().map_or(0, Player::number), values.forced);
        let outcomes = searcher.equilibria(&board).unwrap();
        let numbers = outcomes.winners().map(|winner| 1 << winner.map_or(0, Player::number));
        assert_eq!(numbers.sum::<u8>(), values.equilibria);
    }
}

#[test]
fn layers_do_not_depend_on_threads_or_on_a_restart() {
    for shape in [shape(3, 4), shape(4, 3), shape(3, 5)] {
        let one = solve(shape, 1);
        for threads in [2, 5] {
            for (left, right) in one.iter().zip(solve(shape, threads)) {
                assert!(left.0.words() == right.0.words() && left.1 == right.1);
            }
        }
        let solver = Solver::new(shape, 2).unwrap();
        let stored = solver.restore(6, one[6].0.words().to_vec()).unwrap();
        let mut plies = Vec::new();
        let check = |layer: &Layer, counts: &Counts| {
            assert!(layer.words() == one[counts.plies as usize].0.words());
            assert_eq!(*counts, one[counts.plies as usize].1);
            plies.push(counts.plies);
            Ok::<(), LayerError>(())
        };
        solver.solve(Some(stored), &AtomicBool::new(false), &|_| {}, check).unwrap();
        assert_eq!(plies, [5, 4, 3, 2, 1, 0]);
    }
}

#[test]
fn a_solve_reports_its_progress_and_stops_when_told() {
    let solver = Solver::new(shape(3, 4), 2).unwrap();
    let last = std::sync::Mutex::new(None);
    let total = solver.estimate().indices;
    let progress = |progress: kanzen_threerow::layers::Progress| {
        assert!(progress.done <= progress.total && progress.total == total);
        let mut last = last.lock().unwrap();
        *last = Some(progress.done.max(last.unwrap_or(0)));
    };
    let keep = |_: &Layer, _: &Counts| Ok::<(), LayerError>(());
    solver.solve(None, &AtomicBool::new(false), &progress, keep).unwrap();
    assert_eq!(*last.lock().unwrap(), Some(total));

    let cancel = AtomicBool::new(false);
    let stop = |_: &Layer, counts: &Counts| {
        cancel.store(counts.plies == 8, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    };
    assert_eq!(solver.solve(None, &cancel, &|_| {}, stop), Err(LayerError::Cancelled));
}

#[test]
fn layers_refuse_what_does_not_fit() {
    assert!(matches!(Solver::new(shape(5, 5), 1), Err(LayerError::TooLarge { cells: 25 })));
    let solver = Solver::new(shape(3, 3), 1).unwrap();
    assert!(matches!(
        solver.restore(4, vec![0; 3]),
        Err(LayerError::Length { plies: 4, found: 3, .. })
    ));
    assert!(matches!(
        solver.restore(10, Vec::new()),
        Err(LayerError::NoPly { plies: 10, cells: 9 })
    ));
    let tier = solver.tier(4).unwrap();
    assert_eq!(solver.board(&tier, u64::MAX), None);
    assert_eq!(solver.locate(&tier, &Board::empty(shape(3, 3))), None);
    assert_eq!(solver.locate(&solver.tier(0).unwrap(), &Board::empty(shape(3, 4))), None);
}

#[test]
fn values_stream_in_the_order_of_indices() {
    for (layer, _) in solve(shape(3, 4), 1) {
        let values: Vec<u8> = layer.values().collect();
        assert_eq!(values.len() as u64, layer.tier().len());
        assert!((0..).zip(&values).all(|(index, value)| layer.value(index) == *value));
    }
}

#[test]
fn boards_after_three_moves_that_player_1_wins() {
    let found = claims::third_ply_wins(shape(4, 4)).unwrap();
    assert_eq!((found.pairs, found.up_to_symmetry), (22, 21));
    let names =
        |shape: &Shape, cells| bits(cells).map(|cell| cell_name(shape, cell)).collect::<Vec<_>>();
    assert_eq!(names(&shape(4, 4), found.first_cells), ["(2,2)", "(3,2)", "(2,3)", "(3,3)"]);

    let found = claims::third_ply_wins(shape(5, 4)).unwrap();
    assert_eq!((found.pairs, found.up_to_symmetry), (220, 209));
    let middle = ["(2,2)", "(3,2)", "(2,3)", "(3,3)", "(2,4)", "(3,4)"];
    assert_eq!(names(&shape(5, 4), found.first_cells), middle);
}

#[test]
fn the_papers_remark_on_5x4() {
    let shape = shape(5, 4);
    let play = |board: Board, name: &str| board.play(parse_cell(&shape, name).unwrap()).unwrap();
    let board = play(play(Board::empty(shape), "(2,2)"), "(3,3)");
    let mut searcher = Searcher::new(shape);
    for (cell, winner) in searcher.forced_moves(&board).unwrap() {
        let expected = (cell_name(&shape, cell) == "(2,4)").then_some(Player::One);
        assert_eq!(winner, expected, "3 at {}", cell_name(&shape, cell));
    }
    let board = play(board, "(2,4)");
    let wins = searcher
        .forced_moves(&board)
        .unwrap()
        .into_iter()
        .filter(|(_, winner)| *winner == Some(Player::One));
    assert_eq!(wins.map(|(cell, _)| cell_name(&shape, cell)).collect::<Vec<_>>(), ["(3,2)"]);
}

#[test]
fn nobody_can_force_a_win_on_any_empty_board() {
    for rows in 3..=7 {
        for columns in 3..=7 {
            let shape = shape(rows, columns);
            let mut searcher = Searcher::new(shape);
            assert_eq!(searcher.forced(&Board::empty(shape)), Ok(None));
            assert!(searcher.nodes() < 5_000);
            let safe = Player::ALL
                .map(|player| searcher.not_losing(&Board::empty(shape), player).unwrap());
            assert_eq!(safe, [rows == 3 && columns == 3; 3], "only 3x3 is a draw for everyone");
        }
    }
}

#[test]
fn max_n_of_the_empty_5x5_depends_on_the_tie_break() {
    let shape = shape(5, 5);
    let mut searcher = Searcher::new(shape);
    // The last tie-break takes millions of positions: see the long tests.
    let quick = &TieBreak::ALL[..7];
    let values =
        quick.iter().map(|tie_break| searcher.max_n(&Board::empty(shape), *tie_break).unwrap());
    let draw = None;
    let expected =
        [draw, draw, Some(Player::One), Some(Player::One), draw, draw, Some(Player::Two)];
    assert_eq!(values.collect::<Vec<_>>(), expected);
}

#[test]
fn a_search_gives_up_at_its_limit() {
    let shape = shape(5, 5);
    let mut searcher = Searcher::with_limit(shape, 1_000);
    let board = Board::empty(shape);
    assert_eq!(searcher.equilibria(&board), Err(SearchError::Limit { limit: 1_000 }));
    assert_eq!(searcher.forced(&board), Ok(None));
    assert_eq!(searcher.forced(&Board::empty(Shape::new(4, 5).unwrap())), Err(SearchError::Shape));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_board_up_to_5x5_takes_few_positions(
        (rows, columns) in (3u8..=5, 3u8..=5),
        plies in 0u32..=25,
        choices in prop::collection::vec(any::<u32>(), 25),
    ) {
        let shape = shape(rows, columns);
        let board = random_board(shape, plies, &choices);
        let mut searcher = Searcher::with_limit(shape, 100_000);
        prop_assert!(searcher.forced(&board).is_ok(), "{}", board);
    }

    #[test]
    fn meanings_agree_where_they_must(
        plies in 4u32..=16,
        choices in prop::collection::vec(any::<u32>(), 16),
    ) {
        let shape = shape(4, 4);
        let board = random_board(shape, plies, &choices);
        let mut searcher = Searcher::new(shape);
        let forced = searcher.forced(&board).unwrap();
        let outcomes = searcher.equilibria(&board).unwrap();
        prop_assert!(!outcomes.is_empty());
        // A forced win is the one case of a single outcome that is a win.
        match forced {
            Some(_) => prop_assert_eq!(outcomes, Outcomes::only(forced)),
            None => prop_assert!(outcomes == Outcomes::DRAW || outcomes.winners().count() > 1),
        }
        for tie_break in TieBreak::ALL {
            let winner = searcher.max_n(&board, tie_break).unwrap();
            prop_assert!(Outcomes::only(winner).within(outcomes));
        }
        for player in Player::ALL {
            let safe = searcher.not_losing(&board, player).unwrap();
            prop_assert!(safe || forced != Some(player));
            prop_assert!(!safe || forced.is_none_or(|winner| winner == player));
            if safe {
                prop_assert!(outcomes.within(Outcomes::DRAW.or(Outcomes::only(Some(player)))));
            }
        }
    }

    #[test]
    fn symmetric_boards_have_equal_values_and_indices_are_inverse(
        plies in 0u32..=12,
        choices in prop::collection::vec(any::<u32>(), 12),
    ) {
        let shape = shape(4, 3);
        let board = random_board(shape, plies, &choices);
        let solver = Solver::new(shape, 1).unwrap();
        let tier = solver.tier(board.plies()).unwrap();
        let symmetries = Symmetries::new(&shape);
        let mut values = BTreeSet::new();
        let mut searcher = Searcher::new(shape);
        for symmetry in symmetries.iter() {
            let image = Board::new(shape, board.sets().map(|set| symmetry.set(set))).unwrap();
            let index = solver.locate(&tier, &image).unwrap();
            prop_assert!(index < tier.len());
            let back = solver.board(&tier, index).unwrap();
            prop_assert_eq!(symmetries.least(back.sets()), symmetries.least(board.sets()));
            prop_assert_eq!(solver.locate(&tier, &back), Some(index));
            values.insert(searcher.forced(&image).unwrap());
        }
        prop_assert_eq!(values.len(), 1);
    }

    #[test]
    fn notation_is_read_back_and_nothing_panics(text in "[0-4/x]{0,30}", plies in 0u32..=20,
        choices in prop::collection::vec(any::<u32>(), 20)) {
        let shape = shape(4, 5);
        if let Ok(board) = Board::parse(shape, &text) {
            prop_assert_eq!(board.to_string(), text);
        }
        let board = random_board(shape, plies, &choices);
        prop_assert_eq!(Board::parse(shape, &board.to_string()), Ok(board));
    }
}
