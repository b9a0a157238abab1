//! Doubutsu Shogi: probes. Needs the table: `kanzen solve doubutsu --dir DIR`, then
//! `KANZEN_DIR=DIR cargo bench -p kanzen-games --bench doubutsu`.

use divan::Bencher;
use kanzen_analyse::{Random, Solved, Values};
use kanzen_doubutsu::game::State;
use kanzen_doubutsu::{Doubutsu, Options};
use kanzen_index::{Indexed, Place};
use kanzen_table::Identity;
use std::path::Path;
use std::sync::LazyLock;

static SOLVED: LazyLock<Solved<Doubutsu>> = LazyLock::new(|| {
    let dir = std::env::var_os("KANZEN_DIR").expect("KANZEN_DIR names the directory of tables");
    let identity = Identity {
        game: "doubutsu".to_owned(),
        variant: Default::default(),
        index_version: Doubutsu::INDEX_VERSION,
        rules: None,
    };
    let game = Doubutsu::new(Options::default());
    let path = Path::new(&dir).join("doubutsu.kanzen");
    let solved = Solved::open(game, &path, &identity).expect("kanzen solve doubutsu comes first");
    // Warm: every block has been read once.
    for position in positions(solved.game(), 200_000) {
        solved.value(&position).expect("a good table");
    }
    solved
});

fn positions(game: &Doubutsu, count: usize) -> Vec<State> {
    let mut random = Random::new(1);
    let size = game.tiers()[0].size;
    let draw = || game.position(Place { tier: 0, index: random.below(size) });
    std::iter::repeat_with(draw).flatten().take(count).collect()
}

#[divan::bench(sample_count = 20_000)]
fn value_of_a_random_position(bencher: Bencher) {
    let solved = &*SOLVED;
    let mut positions = positions(solved.game(), 100_000).into_iter().cycle();
    bencher
        .bench_local(|| solved.value(&positions.next().expect("a cycle")).expect("a good table"));
}

#[divan::bench(sample_count = 20_000)]
fn probe_of_a_random_position_with_all_moves(bencher: Bencher) {
    let solved = &*SOLVED;
    let mut positions = positions(solved.game(), 100_000).into_iter().cycle();
    bencher.bench_local(|| {
        let position = positions.next().expect("a cycle");
        let value = solved.value(&position).expect("a good table");
        let best = solved.moves(&position).expect("a good table").first().map(|mv| mv.value);
        assert_eq!(best, Some(value), "the best move has the position's value");
    });
}

fn main() {
    divan::main();
}
