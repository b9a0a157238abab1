//! Teeko against its page: every number of the sixteen variants.

use kanzen_analyse::check;
use kanzen_core::{Game, Next, Outcome, Value};
use kanzen_games::classics::{tapatan, teeko};
use kanzen_index::{Explicit, Indexed, PairIndex, Place, binomial};
use kanzen_parts::{Board, BoardGame, Numbered, Turn};
use kanzen_registry::Entry;
use kanzen_solve::{Checkpoint, Job, Solution, enumerate, solve};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const DROPS: [&str; 8] = [
    "standard",
    "alternate",
    "one-move-alternate",
    "two-move-alternate",
    "three-move-alternate",
    "one-move-standard",
    "two-move-standard",
    "three-move-standard",
];

/// What is said of a position, and its value.
type Facts = BTreeMap<String, String>;

fn variant(
    entry: &Entry,
    make: fn(&kanzen_registry::Options) -> BoardGame,
    options: &[String],
) -> BoardGame {
    make(&entry.options(options).unwrap())
}

fn by_rules(goals: &str, drops: &str) -> BoardGame {
    let options = [format!("goals={goals}"), format!("drops={drops}")];
    variant(&teeko::ENTRY, teeko::game, &options)
}

fn game(goals: &str, drops: &str) -> Numbered {
    Numbered::new(by_rules(goals, drops), 4)
}

/// Facts of the page; those of the moving phase have no kind of drops.
fn expected(goals: &str, drops: &str) -> Facts {
    let lines = include_str!("data/teeko.csv").lines().skip(1);
    let facts = lines.filter_map(|line| {
        let rest = line.strip_prefix(&format!("{goals};{drops};"))?;
        rest.split_once(';').map(|(fact, value)| (fact.to_owned(), value.to_owned()))
    });
    facts.collect()
}

/// Facts that are expected and not found, or found otherwise.
fn assert_facts(expected: &Facts, found: &Facts, name: &str) {
    assert!(!expected.is_empty(), "{name}");
    for (fact, value) in expected {
        assert_eq!(found.get(fact), Some(value), "{name}: {fact}");
    }
}

/// Solves a game; the moving phase is taken from a game that differs by its drops only.
fn solution(game: &Numbered, moving: Option<&Solution>) -> Solution {
    let dir = tempfile::tempdir().unwrap();
    let checkpoint = Checkpoint::new(dir.path(), "teeko");
    if let Some(moving) = moving {
        checkpoint.write_tier(0, None, moving.tiers[0].iter().copied()).unwrap();
        checkpoint.write_state(1, None).unwrap();
    }
    let job = Job { memory: 300 << 20, ..Job::default() };
    solve(game, &job, moving.map(|_| &checkpoint)).unwrap()
}

/// A value for Black: who wins and in how many plies.
fn for_black(value: Value, mover: Turn) -> String {
    match (value, mover) {
        (Value::Draw(_), _) => "D".to_owned(),
        (Value::Win(plies), Turn::X) | (Value::Loss(plies), Turn::O) => format!("B {plies}"),
        (Value::Win(plies), Turn::O) | (Value::Loss(plies), Turn::X) => format!("R {plies}"),
    }
}

/// The start, and what it comes to after the first drop.
fn openings(game: &Numbered, solution: &Solution) -> Facts {
    let start = game.start();
    let value = solution.value(game, &start);
    let mut facts = Facts::from([("start".to_owned(), for_black(value, start.turn))]);
    game.moves(&start, |drop| {
        let Some(next) = game.play(&start, drop).position() else { return };
        let name = game.write_move(&start, drop).replace("B@", "");
        let value = for_black(solution.value(game, &next), next.turn);
        facts.insert(format!("after {name}"), value);
    });
    facts
}

/// The counts of a tier, raw and up to symmetry.
fn counts(game: &Numbered, solution: &Solution, tier: usize) -> Facts {
    const CHUNK: u64 = 1 << 16;
    let size = game.tiers()[tier].size;
    type Tally = BTreeMap<(u8, u16), [u64; 2]>;
    let join = |mut all: Tally, part: Tally| {
        for (value, [raw, sym]) in part {
            let counts = all.entry(value).or_default();
            *counts = [counts[0] + raw, counts[1] + sym];
        }
        all
    };
    let part = |chunk: u64| {
        let mut tally = Tally::new();
        let indices = chunk * CHUNK..size.min((chunk + 1) * CHUNK);
        game.positions(tier, indices, |index, position| {
            let value = match solution.at(Place { tier, index }).unwrap() {
                Value::Win(plies) => (0, plies),
                Value::Draw(_) => (1, 0),
                Value::Loss(plies) => (2, plies),
            };
            // Of the full board, the page counts what Black and Red see alike once.
            let raw = u64::from(game.orbit(&position)) / if tier == 0 { 2 } else { 1 };
            let counts = tally.entry(value).or_default();
            *counts = [counts[0] + raw, counts[1] + 1];
        });
        tally
    };
    let tally = (0..size.div_ceil(CHUNK)).into_par_iter().map(part).reduce(Tally::new, join);
    let mut facts = Facts::new();
    for (at, how) in ["raw", "sym"].into_iter().enumerate() {
        let name = format!("{} {how}", game.tiers()[tier].name);
        let count = |wanted: &dyn Fn(u8, u16) -> bool| -> u64 {
            let found = tally.iter().filter(|((outcome, plies), _)| wanted(*outcome, *plies));
            found.map(|(_, counts)| counts[at]).sum()
        };
        let [won, drawn, lost] = [0, 1, 2].map(|outcome| count(&|found, _| found == outcome));
        facts.insert(name.clone(), format!("{won}/{drawn}/{lost}"));
        let ended = count(&|outcome, plies| outcome == 2 && plies == 0);
        facts.insert(format!("{name} lost at the end"), ended.to_string());
        for plies in 0..100 {
            let found = count(&|outcome, found| outcome != 1 && found == plies);
            facts.insert(format!("{name} in {plies} plies"), found.to_string());
        }
        let all = [binomial(25, 4) * binomial(21, 4), 9_469_965][at];
        facts.insert(format!("{name} excluded"), (all - won - drawn - lost).to_string());
    }
    facts
}

/// Compares variants of a goal set with the page.
fn assert_variants(goals: &str, drops: &[&str]) {
    let first = game(goals, drops[0]);
    let moving = solution(&first, None);
    assert_facts(&expected(goals, ""), &counts(&first, &moving, 0), &format!("{goals} goals"));
    for (number, drops) in drops.iter().enumerate() {
        let game = game(goals, drops);
        let own = (number > 0).then(|| solution(&game, Some(&moving)));
        let solution = own.as_ref().unwrap_or(&moving);
        let mut found = openings(&game, solution);
        if ["standard", "alternate"].contains(drops) {
            (1..9).for_each(|tier| found.extend(counts(&game, solution, tier)));
        }
        assert_facts(&expected(goals, drops), &found, &format!("{goals} goals, {drops}"));
    }
}

#[test]
fn every_pair_of_sets_is_numbered() {
    let index = PairIndex::new(Board::net(5, 5).group().clone(), 4, 4);
    let sets = (0..index.size()).into_par_iter().filter(|&number| index.sets(number).is_some());
    assert_eq!(sets.count(), 9_469_965);
    let game = game("44", "standard");
    let drops = game.tiers()[1..].iter().enumerate().map(|(at, tier)| {
        let places = (0..tier.size).map(|index| Place { tier: at + 1, index });
        places.filter(|&place| game.position(place).is_some()).count()
    });
    assert_eq!(drops.sum::<usize>(), 2_627_064);
}

#[test]
fn numbers_of_the_page_with_58_goals_come_out() {
    assert_variants("58", &["standard", "alternate", "one-move-standard"]);
}

#[test]
#[ignore = "takes a minute"]
fn every_number_of_the_page_comes_out() {
    ["44", "58"].iter().for_each(|goals| assert_variants(goals, &DROPS));
}

/// With 58 goals Black wins two variants; if he may not begin in the centre, he does not.
#[test]
fn only_the_centre_wins() {
    for drops in ["standard", "one-move-standard"] {
        let facts = expected("58", drops);
        let winning = facts
            .iter()
            .filter(|(fact, value)| fact.starts_with("after ") && value.starts_with('B'));
        assert!(winning.map(|(fact, _)| &**fact).eq(["after c3"]), "{drops}");
        assert!(facts.values().any(|value| value == "D"));
    }
}

#[test]
fn every_variant_is_consistent_with_itself() {
    for goals in ["44", "58"] {
        for drops in DROPS {
            let game = game(goals, drops);
            assert_eq!(check(&game, 2000, 7), [], "{goals} {drops}");
            assert_eq!(game.takes_turns(), drops == "standard");
        }
    }
}

#[test]
fn positions_and_moves_are_written_as_on_the_page() {
    let game = game("58", "one-move-alternate");
    let mut position = game.start();
    assert_eq!(game.write(&position), "...../...../...../...../..... r");
    let mut seen = Vec::new();
    for (mv, again) in [
        ("B@c3", false),
        ("R@a1", true),
        ("b2", false),
        ("e5", false),
        ("b3", false),
        ("e4", false),
        ("a5", false),
        ("d1", false),
        ("c3-d4", false),
    ] {
        let mut found = None;
        game.moves(&position, |step| {
            if game.write_move(&position, step) == mv {
                found = Some(step);
            }
        });
        let next = game.play(&position, found.expect(mv));
        assert_eq!(matches!(next, Next::Again(_)), again, "{mv}");
        position = next.position().unwrap();
        assert_eq!(game.parse(&game.write(&position)), Ok(position));
        seen.push(game.write(&position));
    }
    assert_eq!(seen[0], "...../...../..B../...../..... b");
    assert_eq!(seen[1], "...../...../..B../...../R.... b");
    assert_eq!(seen[8], "B...R/...BR/.B.../.B.../R..R. r");
    for (text, problem) in [
        ("...../...../..B../...../..... r", "it is not this player who chooses"),
        ("BBBB./...../..R../R.R../R.... b", "the side to move has a goal"),
        ("BBBB./B..../..R../R.R../R.... b", "men of B: expected 0 to 4, found 5"),
        ("X..../...../...../...../..... b", "allowed are ., B, R and /"),
    ] {
        let error = game.parse(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
    let ended = game.parse("BBBB./...../..R../R.R../R.... r").unwrap();
    assert_eq!(game.over(&ended), Some(Outcome::Loss));
}

/// A game by its rules alone has the same values.
fn assert_same_by_rules(rules: BoardGame, men: u32) -> u64 {
    let game = Numbered::new(rules.clone(), men);
    let job = Job::default();
    let numbered = solve(&game, &job, None).unwrap();
    let keys = enumerate(&rules, &job, None).unwrap();
    let explicit = Explicit::new(rules, keys);
    let solution = solve(&explicit, &job, None).unwrap();
    let size = explicit.tiers()[0].size;
    (0..size).into_par_iter().for_each(|index| {
        let place = Place { tier: 0, index };
        let position = explicit.position(place).unwrap();
        let found = solution.at(place).unwrap();
        assert_eq!(numbered.value(&game, &position), found, "{}", game.write(&position));
    });
    size
}

#[test]
fn tapatan_has_the_same_values_by_rules_alone() {
    let sizes = ["loses", "passes"].map(|blocked| {
        let options = [format!("blocked={blocked}")];
        let rules = variant(&tapatan::ENTRY, tapatan::game, &options);
        assert_eq!(check(&Numbered::new(rules.clone(), 3), 2000, 7), []);
        assert_same_by_rules(rules, 3)
    });
    assert_eq!(sizes.iter().collect::<BTreeSet<_>>().len(), 1);
}

#[test]
#[ignore = "takes minutes and gigabytes"]
fn teeko_has_the_same_values_by_rules_alone() {
    for drops in ["standard", "three-move-standard"] {
        assert!(assert_same_by_rules(by_rules("58", drops), 4) > 10_000_000);
    }
}
