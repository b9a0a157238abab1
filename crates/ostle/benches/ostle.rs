//! Ostle: probes. Needs the table: `kanzen solve ostle --dir DIR`, then
//! `KANZEN_DIR=DIR cargo bench -p kanzen-ostle --bench ostle`; with `KANZEN_PIECES=8`, that of fewer pieces.

use divan::Bencher;
use kanzen_analyse::{Random, Values};
use kanzen_ostle::{Ostle, SolvedOstle, State, Undo};
use kanzen_table::Table;
use std::path::Path;
use std::sync::LazyLock;

static SOLVED: LazyLock<SolvedOstle> = LazyLock::new(|| {
    let dir = std::env::var_os("KANZEN_DIR").expect("KANZEN_DIR names the directory of tables");
    let pieces = std::env::var("KANZEN_PIECES").ok();
    let name =
        pieces.as_ref().map_or("ostle".to_owned(), |pieces| format!("ostle-pieces-{pieces}"));
    let table = Table::open(&Path::new(&dir).join(name).with_extension("kanzen"));
    let table = table.expect("kanzen solve ostle comes first");
    let pieces = pieces.map_or(10, |pieces| pieces.parse().expect("a number of pieces"));
    SolvedOstle::new(Ostle::new(4, pieces, Undo::Exact), table)
});

/// Boards of all tiers, so many that their blocks are not in the table's cache.
fn states(count: usize) -> Vec<State> {
    let tiers = SOLVED.game().board_tiers();
    let mut random = Random::new(1);
    let draw = || {
        let tier = &tiers[random.below(tiers.len() as u64) as usize];
        tier.board(random.below(tier.size().into()) as u32).map(State::free)
    };
    std::iter::repeat_with(draw).flatten().take(count).collect()
}

#[divan::bench(sample_count = 20_000)]
fn value_of_a_random_state(bencher: Bencher) {
    let mut states = states(100_000).into_iter().cycle();
    bencher.bench_local(|| SOLVED.value(&states.next().expect("a cycle")).expect("a good table"));
}

#[divan::bench(sample_count = 20_000)]
fn probe_of_a_random_state_with_all_moves(bencher: Bencher) {
    let mut states = states(100_000).into_iter().cycle();
    bencher.bench_local(|| {
        let state = states.next().expect("a cycle");
        let moves = SOLVED.moves(&state).expect("a good table");
        let best = moves.first().map(|mv| mv.value);
        assert_eq!(best, Some(SOLVED.value(&state).expect("a good table")));
    });
}

fn main() {
    divan::main();
}
