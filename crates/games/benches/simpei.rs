//! Simpei: index, un-moves, probes. `cargo bench -p kanzen-games` solves the game once, in seconds.

use divan::Bencher;
use kanzen_analyse::{Random, Solved, Values, write_table};
use kanzen_core::Value;
use kanzen_games::simpei::{Position, Simpei};
use kanzen_index::{Indexed, Place, with_fast_bits};
use kanzen_solve::{Job, Silent, solve};
use kanzen_table::Identity;
use std::sync::LazyLock;

static GAME: LazyLock<Simpei> = LazyLock::new(|| Simpei::new(4, false));

static SOLVED: LazyLock<(tempfile::TempDir, Solved<Simpei>)> = LazyLock::new(|| {
    let job = Job { memory: u64::MAX, ..Job::default() };
    let solution = solve(&*GAME, &job, None).expect("Simpei is small");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("simpei.kanzen");
    let identity = Identity {
        game: "simpei".to_owned(),
        variant: Default::default(),
        index_version: 1,
        rules: None,
    };
    write_table(&*GAME, &solution, &path, identity.clone(), 3, &Silent).expect("room for a table");
    let solved = Solved::open(GAME.clone(), &path, &identity).expect("a good table");
    // Warm: every block has been read once.
    for position in positions(200_000) {
        solved.value(&position).expect("a good table");
    }
    (dir, solved)
});

/// Random positions with all pieces on the board.
fn positions(count: usize) -> Vec<Position> {
    let mut random = Random::new(1);
    let size = GAME.tiers()[0].size;
    let draw = || GAME.position(Place { tier: 0, index: random.below(size) });
    std::iter::repeat_with(draw).flatten().take(count).collect()
}

#[divan::bench]
fn locate_1000(bencher: Bencher) {
    let positions = positions(1000);
    bencher.bench_local(|| {
        with_fast_bits(|| {
            positions.iter().map(|position| GAME.locate(position).index).fold(0, u64::wrapping_add)
        })
    });
}

#[divan::bench]
fn predecessors_of_1000(bencher: Bencher) {
    let positions = positions(1000);
    bencher.bench_local(|| {
        let mut count = 0u64;
        with_fast_bits(|| {
            for position in &positions {
                GAME.predecessors(position, |_| count += 1);
            }
        });
        assert!(count > 0);
        count
    });
}

#[divan::bench]
fn values_of_1000_random_positions(bencher: Bencher) {
    let positions = positions(1000);
    let solved = &SOLVED.1;
    bencher.bench_local(|| {
        let wins = positions
            .iter()
            .filter(|position| matches!(solved.value(position), Ok(Value::Win(_))))
            .count();
        assert!((600..900).contains(&wins), "about three quarters are won");
        wins
    });
}

#[divan::bench]
fn probe_of_100_random_positions_with_all_moves(bencher: Bencher) {
    let positions = positions(100);
    let solved = &SOLVED.1;
    bencher.bench_local(|| {
        for position in &positions {
            let value = solved.value(position).expect("a good table");
            let best = solved.moves(position).expect("a good table").first().map(|mv| mv.value);
            assert_eq!(best, Some(value), "the best move has the position's value");
        }
    });
}

fn main() {
    divan::main();
}
