//! Doubutsu Shogi solved whole, and the numbers of Tanaka's paper. One solve serves all tests.

use kanzen_core::Value;
use kanzen_games::doubutsu::census;
use kanzen_games::doubutsu::index::{Domain, Index};
use kanzen_games::doubutsu::probe::Probe;
use kanzen_games::doubutsu::reach::Reach;
use kanzen_games::doubutsu::rules::{Options, Position};
use kanzen_games::doubutsu::solve::{Solution, solve};
use std::sync::LazyLock;

const THREADS: usize = 2;

struct World {
    open: Index,
    all: Index,
    solution: Solution,
    reach: Reach,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let open = Index::new(Domain::Open);
    let all = Index::new(Domain::All);
    let solution = solve(&open, &Options::default(), THREADS).unwrap();
    let reach = Reach::new(&open, &all, &Options::default(), THREADS).unwrap();
    World { open, all, solution, reach }
});

impl World {
    fn probe(&self) -> Probe<'_> {
        Probe { index: &self.open, options: Options::default(), solution: &self.solution }
    }
}

#[test]
fn placements_by_hand() {
    let expected = [638_668_800, 638_668_800, 242_161_920, 44_098_560, 4_134_240, 190_080, 3_564];
    assert_eq!(census::placements_by_hand(&WORLD.all), expected);
    assert_eq!(expected.iter().sum::<u64>(), 1_567_925_964);
}

#[test]
fn what_can_arise() {
    let open: u64 = WORLD.reach.by_ply.iter().map(|ply| ply.open).sum();
    let over: u64 = WORLD.reach.by_ply.iter().map(|ply| ply.over).sum();
    assert_eq!((open + over, open), (246_803_167, 99_485_568));
}

#[test]
fn the_start_is_lost() {
    let probe = WORLD.probe();
    let start = Position::start();
    assert_eq!(probe.value(&start), Value::Loss(78));
    let mut moves: Vec<Value> = start
        .moves(&probe.options)
        .iter()
        .map(|(_, next)| probe.value(next).before_move())
        .collect();
    moves.sort();
    assert_eq!(moves, [Value::Loss(76), Value::Loss(78), Value::Loss(78), Value::Loss(78)]);
    let (plies, positions) = census::longest(&probe, &WORLD.reach, THREADS);
    assert_eq!(plies, 173);
    assert!(!positions.is_empty());
}

#[test]
fn legal_moves_as_in_table_2() {
    let counts = census::legal_moves(&WORLD.probe(), &WORLD.reach, THREADS);
    let table = include_str!("data/doubutsu_legal_moves.csv");
    let mut rows = 0;
    for line in table.lines().skip(1) {
        let row: Vec<u64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(counts[row[0] as usize][..], row[1..4], "{} legal moves", row[0]);
        rows += 1;
    }
    assert_eq!(counts.len(), rows);
    assert_eq!(counts[38], [0, 0, 34]);
    let total = |column: usize| counts.iter().map(|row| row[column]).sum::<u64>();
    assert_eq!([total(2), total(1), total(0)], [56_474_473, 2_682_700, 40_328_395]);
    let moves: u64 =
        counts.iter().zip(0..).map(|(row, moves)| row.iter().sum::<u64>() * moves).sum();
    let mean = moves as f64 / 99_485_568.0;
    assert!((mean - 9.435_256_67).abs() < 5e-9, "{mean}");
}

#[test]
fn zugzwangs() {
    let zugzwangs = census::zugzwangs(&WORLD.probe(), &WORLD.reach, THREADS);
    assert_eq!(zugzwangs, census::Zugzwangs { all: 21_839, symmetric: 71 });
}

#[test]
fn chick_drops_on_the_last_row() {
    let probe = WORLD.probe();
    assert_eq!(census::last_row_drop_only(&probe, &WORLD.reach, THREADS).len(), 68);
    let options = Options { last_row_chick_drop: false, ..Options::default() };
    let solution = solve(&WORLD.open, &options, THREADS).unwrap();
    let banned = Probe { index: &WORLD.open, options, solution: &solution };
    assert_eq!(census::changed(&probe, &banned, &WORLD.reach, THREADS), 4_301);
    assert_eq!(banned.value(&Position::start()), Value::Loss(78));
}
