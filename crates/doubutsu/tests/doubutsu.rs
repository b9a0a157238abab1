//! Doubutsu Shogi solved whole, and the numbers of Tanaka's paper. One solve serves all tests.

use kanzen_analyse::TierCodes;
use kanzen_core::Value;
use kanzen_doubutsu::index::{Domain, Index};
use kanzen_doubutsu::mates::{self, Reading};
use kanzen_doubutsu::notation::{parse, write_move};
use kanzen_doubutsu::probe::Probe;
use kanzen_doubutsu::reach::Reach;
use kanzen_doubutsu::rules::Position;
use kanzen_doubutsu::scan::Team;
use kanzen_doubutsu::{Doubutsu, Options, census};
use kanzen_solve::{Job, Silent, solve};
use std::sync::LazyLock;

const THREADS: usize = 2;
const TEAM: Team<'static> = Team { threads: THREADS, progress: &Silent };

struct World {
    game: Doubutsu,
    all: Index,
    codes: TierCodes,
    reach: Reach,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let game = Doubutsu::new(Options::default());
    let all = Index::new(Domain::All);
    let codes = codes(&game);
    let reach = Reach::new(game.index(), &all, game.options(), TEAM).unwrap();
    World { game, all, codes, reach }
});

impl World {
    fn probe(&self) -> Probe<'_> {
        Probe { game: &self.game, codes: &self.codes }
    }
}

fn codes(game: &Doubutsu) -> TierCodes {
    let job = Job { threads: THREADS, memory: u64::MAX, ..Job::default() };
    solve(game, &job, None).unwrap().tiers.remove(0).into()
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

/// The moves of a position that are worth `Loss` or `Win` to the mover, with their plies, best first.
fn decided(text: &str) -> Vec<(String, Value)> {
    let state = parse(text).unwrap();
    let moves = state.position.moves(WORLD.game.options());
    let mut moves: Vec<_> = moves
        .iter()
        .map(|(played, next)| {
            (write_move(&state, *played), WORLD.probe().value(next).before_move())
        })
        .filter(|(_, value)| *value != Value::OPEN)
        .collect();
    moves.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    moves
}

/// The winning moves of a position with their plies.
fn winning(text: &str) -> Vec<(String, u16)> {
    let wins = decided(text).into_iter().filter_map(|(name, value)| match value {
        Value::Win(plies) => Some((name, plies)),
        _ => None,
    });
    wins.collect()
}

fn named(moves: &[(&str, u16)]) -> Vec<(String, u16)> {
    moves.iter().map(|&(name, plies)| (name.to_owned(), plies)).collect()
}

#[test]
fn the_start_is_lost_as_in_section_4_1() {
    assert_eq!(WORLD.probe().value(&Position::start()), Value::Loss(78));
    let moves = decided("S/gle/-c-/-C-/ELG/-");
    let expected = [("Gc4-c3", 78), ("Lb4-a3", 78), ("Lb4-c3", 78), ("Cb3xb2", 76)];
    let expected = expected.map(|(name, plies)| (name.to_owned(), Value::Loss(plies)));
    assert_eq!(moves, expected);
    // The replies: plies from the reply, one less than from the first move.
    assert_eq!(winning("G/gle/-C-/---/ELG/C"), named(&[("Ec1xb2", 75)]));
    assert_eq!(winning("G/gle/-c-/-CG/EL-/-"), named(&[("Ga1-a2", 77)]));
    assert_eq!(winning("G/gle/-c-/-CL/E-G/-"), named(&[("Cb2xb3", 77), ("Ga1-a2", 77)]));
    assert_eq!(
        winning("G/gle/-c-/LC-/E-G/-"),
        named(&[("Cb2xb3", 77), ("Ga1-a2", 77), ("Lb1-c2", 81)])
    );
    // After the giraffe goes forth, the other giraffe, and back: plies from there.
    assert_eq!(
        winning("G/-le/gc-/-C-/ELG/-"),
        named(&[("Cb2xb3", 75), ("Ga2-a1", 79), ("Lb1-a1", 79), ("Lb1-c2", 79)])
    );
}

#[test]
fn the_longest_win() {
    let (plies, positions) = census::longest(&WORLD.probe(), &WORLD.reach, TEAM);
    assert_eq!(plies, 173);
    assert!(positions.iter().all(|position| WORLD.probe().value(position) == Value::Win(173)));
}

#[test]
fn legal_moves_as_in_table_2() {
    let counts = census::legal_moves(&WORLD.probe(), &WORLD.reach, TEAM);
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
    let zugzwangs = census::zugzwangs(&WORLD.probe(), &WORLD.reach, TEAM);
    let symmetric = zugzwangs.iter().filter(|zugzwang| zugzwang.is_symmetric);
    assert_eq!((zugzwangs.len(), symmetric.clone().count()), (21_839, 71));
    for zugzwang in symmetric {
        let place = |position| WORLD.game.index().rank(position);
        assert_eq!(place(&zugzwang.position), place(&zugzwang.position.turned()));
    }
}

#[test]
fn chick_drops_on_the_last_row() {
    assert_eq!(census::last_row_drop_only(&WORLD.probe(), &WORLD.reach, TEAM).len(), 68);
}

#[test]
#[ignore = "long: run by ./test long"]
fn without_chick_drops_on_the_last_row() {
    let banned = Doubutsu::new(Options { last_row_chick_drop: false, ..Options::default() });
    let codes = codes(&banned);
    let banned = Probe { game: &banned, codes: &codes };
    assert_eq!(census::changed(&WORLD.probe(), &banned, &WORLD.reach, TEAM), 4_301);
    assert_eq!(banned.value(&Position::start()), Value::Loss(78));
}

#[test]
#[ignore = "long: run by ./test long"]
fn mates_as_in_table_3() {
    let mates = |reading| {
        let (index, options) = (WORLD.game.index(), WORLD.game.options());
        mates::mates(index, options, reading, &WORLD.reach, 3, TEAM).unwrap()
    };
    let table = include_str!("data/doubutsu_mates.csv");
    let expected: Vec<u64> = table
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap().1.parse().unwrap())
        .collect();
    let found = mates(Reading::Table);
    assert_eq!(found.counts, expected);
    // The longest are as long as they are said to be, and every move of theirs gives check; the last
    // threat may be to reach the camp.
    assert!(!found.longest.is_empty());
    for (position, line) in &found.longest {
        assert_eq!(line.len(), 2 * expected.len() - 1);
        let mut position = *position;
        for (ply, &played) in line.iter().enumerate() {
            position = position.after(played);
            let checks =
                position.in_check() || ply + 1 == line.len() && position.turned().has_try();
            assert!(ply % 2 == 1 || checks, "ply {ply}: {position:?}");
        }
    }
}
