//! Quixo against its page and the published counts, and against the plain solver.

use kanzen_analyse::{Solved, check};
use kanzen_core::{Game, NotationError, Value, perft};
use kanzen_index::{Indexed, Place};
use kanzen_quixo::{Position, Quixo};
use kanzen_solve::{Job, Silent, Solution, plain, solve};
use kanzen_table::Table;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn solution(game: &Quixo) -> Solution {
    solve(game, &Job::default(), None).unwrap()
}

/// Won, lost and drawn boards, then the same up to symmetry.
type Counts = [u64; 6];

/// Counts boards by a group of each.
fn count<K: Ord + Send>(
    game: &Quixo,
    value: impl Fn(Place) -> Option<Value> + Sync,
    group: impl Fn(&Position, Value) -> K + Sync,
) -> BTreeMap<K, Counts> {
    let mut all: BTreeMap<K, Counts> = BTreeMap::new();
    for (tier, size) in game.tiers().iter().map(|tier| tier.size).enumerate() {
        let chunks = (0..size.div_ceil(1 << 16)).into_par_iter();
        let parts = chunks.map(|chunk| {
            let mut counts: BTreeMap<K, Counts> = BTreeMap::new();
            let indices = chunk << 16..size.min((chunk + 1) << 16);
            game.positions(tier, indices, |index, position| {
                let value = value(Place { tier, index }).unwrap();
                let kind = match value {
                    Value::Win(_) => 0,
                    Value::Loss(_) => 1,
                    Value::Draw(_) => 2,
                };
                let counts = counts.entry(group(&position, value)).or_default();
                counts[kind] += u64::from(game.orbit(&position));
                counts[kind + 3] += 1;
            });
            counts
        });
        for (key, counts) in parts.collect::<Vec<_>>().into_iter().flatten() {
            all.entry(key).or_default().iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
    }
    all
}

/// The numbers of a table's rows.
fn rows(table: &str) -> impl Iterator<Item = Vec<u64>> {
    table.lines().skip(1).map(|line| line.split(',').map(|n| n.parse().unwrap()).collect())
}

/// The cubes of the other side, and of the side to move.
fn cubes(&(mine, theirs): &Position, _: Value) -> (u64, u64) {
    (theirs.count_ones().into(), mine.count_ones().into())
}

#[test]
fn every_tier_of_3x3_has_its_numbers() {
    let game = Quixo::new(3, 0);
    let solution = solution(&game);
    assert_eq!(solution.value(&game, &game.start()), Value::Win(7));
    let counts = count(&game, |place| solution.at(place), cubes);
    let expected = rows(include_str!("data/quixo3_tiers.csv"));
    let expected: BTreeMap<(u64, u64), Counts> =
        expected.map(|row| ((row[1], row[2]), row[3..9].try_into().unwrap())).collect();
    assert_eq!(counts, expected);
}

#[test]
fn every_number_of_4x4_is_reached() {
    let game = Quixo::new(4, 0);
    let solution = solution(&game);
    assert_eq!(solution.value(&game, &game.start()), Value::Win(21));
    let counts = count(
        &game,
        |place| solution.at(place),
        |position, _| (position.0 | position.1).count_ones(),
    );
    let expected = rows(include_str!("data/quixo4_turned.csv"));
    let expected: BTreeMap<u32, Counts> =
        expected.map(|row| (row[0] as u32, row[1..].try_into().unwrap())).collect();
    assert_eq!(counts, expected);
    for (game, column) in [(Quixo::new(3, 0), 1), (game, 3)] {
        let solution = self::solution(&game);
        let counts = count(
            &game,
            |place| solution.at(place),
            |_, value| match value {
                Value::Win(plies) | Value::Loss(plies) => u64::from(plies),
                Value::Draw(_) => u64::MAX,
            },
        );
        for row in rows(include_str!("data/plies.csv")) {
            let found = counts.get(&row[0]).copied().unwrap_or_default();
            assert_eq!(found[..2], row[column..column + 2], "{} plies", row[0]);
        }
    }
}

/// The published counts of the tiers with at least so many marked cubes.
fn assert_published(from: u32) {
    let game = Quixo::new(5, from);
    // A table that is there already need not be solved again.
    let dir = std::env::var_os("KANZEN_DIR").map(PathBuf::from);
    let path = dir.map(|dir| dir.join(format!("quixo-from-{from}-size-5.kanzen")));
    let counts = match path.filter(|path| path.exists()) {
        Some(path) => {
            let solved = Solved::new(game.clone(), Table::open(&path).unwrap()).unwrap();
            let codes = solved.codes(&Silent).unwrap();
            count(&game, |place| Some(codes[place.tier].value(place.index)), cubes)
        }
        None => {
            let solution = solution(&game);
            count(&game, |place| solution.at(place), cubes)
        }
    };
    let published = rows(include_str!("data/quixo5_tiers.csv"));
    let published: BTreeMap<(u64, u64), [u64; 3]> = published
        .filter(|row| row[0] >= from.into())
        .map(|row| ((row[1], row[2]), row[3..6].try_into().unwrap()))
        .collect();
    let found = counts.into_iter().map(|(key, counts)| (key, [counts[0], counts[1], counts[2]]));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), published);
}

#[test]
fn the_full_boards_of_5x5_are_as_published() {
    assert_published(25);
}

#[test]
#[ignore = "takes a minute"]
fn boards_of_5x5_with_24_marked_cubes_are_as_published() {
    assert_published(24);
}

#[test]
#[ignore = "takes half an hour and 6 gigabytes"]
fn boards_of_5x5_with_22_marked_cubes_are_as_published() {
    assert_published(22);
}

#[test]
fn the_plain_solver_agrees() {
    let game = Quixo::new(3, 0);
    let (solution, plain) = (solution(&game), plain(&game));
    for (tier, size) in game.tiers().iter().map(|tier| tier.size).enumerate() {
        game.positions(tier, 0..size, |index, position| {
            let place = Place { tier, index };
            let text = game.write(&position);
            assert_eq!(solution.at(place), plain[tier][index as usize], "{text}");
        });
    }
}

#[test]
fn rules_index_and_un_moves_fit_together() {
    for (size, from) in [(3, 0), (4, 0), (5, 22)] {
        assert_eq!(check(&Quixo::new(size, from), 1000, 5), [], "{size} from {from}");
    }
    for (size, pushes) in [(3, 20), (4, 32), (5, 44)] {
        let game = Quixo::new(size, 0);
        assert_eq!(perft(&game, &game.start(), 1), pushes);
    }
}

#[test]
fn a_line_of_the_other_side_loses_even_beside_an_own_one() {
    let game = Quixo::new(3, 0);
    // Pushing b3 in at the bottom moves the column up, and both rows are whole.
    let position = game.parse("O.O/XOX/.X.").unwrap();
    let mut found = None;
    game.moves(&position, |mv| {
        if game.write_move(&position, mv) == "b3-b1" {
            found = Some(mv);
        }
    });
    let after = game.play(&position, found.unwrap()).position().unwrap();
    assert_eq!(game.write(&after), "XXX/OOO/.X.");
    assert_eq!(game.over(&after), Some(kanzen_core::Outcome::Win), "for the side to move then");
}

#[test]
fn what_is_no_board_is_refused() {
    let game = Quixo::new(4, 12);
    for (text, problem) in [
        ("", "expected 4 rows of 4 cubes"),
        ("..../..../....", "expected 4 rows of 4 cubes"),
        (".../..../..../.....", "expected 4 rows of 4 cubes"),
        ("..../..../..z./....", "unknown character 'z' at 13"),
        ("OXO./XOX./..../....", "marked cubes: expected at least 12, found 6"),
    ] {
        let error: NotationError = game.parse(text).unwrap_err();
        assert!(error.to_string().contains(problem), "{text}: {error}");
    }
    let start = game.start();
    assert_eq!(game.parse(&game.write(&start)), Ok(start));
    assert_eq!((start.0 | start.1).count_ones(), 12);
}
