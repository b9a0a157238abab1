//! Ranked draws: against the plain twin, through every command that uses them, and what is refused.

use kanzen_analyse::{Solved, Values, plain_draws};
use kanzen_core::{Pressure, Value};
use kanzen_games::all;
use kanzen_games::mutorere::MuTorere;
use kanzen_games::simpei::Simpei;
use kanzen_index::{Indexed, Place};
use kanzen_registry::opponent::Opponent;
use kanzen_registry::{AnyGame, GameError};
use kanzen_solve::{Job, Silent, plain};
use kanzen_table::{Table, TableWriter};
use std::path::Path;

fn game(name: &str, options: &[&str]) -> Box<dyn AnyGame> {
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    all().find(name).unwrap().build(&options).unwrap()
}

/// Solves a game and ranks its draws.
fn ranked(name: &str, options: &[&str], dir: &Path) -> Box<dyn AnyGame> {
    let game = game(name, options);
    game.solve(dir, None, &Job::default()).unwrap();
    game.rank_draws(dir, &Job::default()).unwrap();
    game
}

fn compare_with_twin<G: Indexed + Clone + 'static>(rules: G, name: &str, options: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let game = ranked(name, options, dir.path());
    let files = std::fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().path());
    let files: Vec<_> = files.collect();
    let ending = |ending: &str| files.iter().find(|path| path.extension().unwrap() == ending);
    let table = Table::open(ending("kanzen").unwrap()).unwrap();
    let mut solved = Solved::new(rules.clone(), table).unwrap();
    solved.take_draws(Table::open(ending("draws").unwrap()).unwrap()).unwrap();
    let values = plain(&rules);
    let mut count = [0_u64; 3];
    for (tier, ranks) in plain_draws(&rules, &values).into_iter().enumerate() {
        for (index, rank) in (0..).zip(ranks) {
            let place = Place { tier, index };
            if let Some(Value::Draw(1..)) = values[tier][index as usize] {
                let position = rules.position(place).unwrap();
                assert_eq!(solved.pressure(&position).unwrap(), rank, "{}", rules.write(&position));
                count[rank.map_or(2, |rank| usize::from(!rank.own))] += 1;
            }
        }
    }
    let report = game.rank_draws(dir.path(), &Job::default()).unwrap();
    assert_eq!([report.pressing, report.pressed], count[..2]);
    assert_eq!(report.draws, count.iter().sum::<u64>());
    assert!(report.pressing > 0 && report.pressed > 0, "{report:?}");
}

#[test]
fn draws_are_ranked_as_by_the_plain_twin() {
    compare_with_twin(MuTorere::default(), "mutorere", &[]);
    compare_with_twin(Simpei::new(3, false), "simpei", &["pieces=3"]);
}

#[test]
fn ranks_are_verified_and_told() {
    for (name, options) in [
        ("quixo", &[][..]),
        ("picaria", &[]),
        ("three-mens-morris", &[]),
        ("tictactoe", &[]),
        ("pong-hau-ki", &[]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let game = ranked(name, options, dir.path());
        let solved = game.open(dir.path()).unwrap();
        let report = solved.verify(&Silent).unwrap();
        assert!(report.passed && report.draws > Some(0), "{name}: {report:?}");
        assert!(solved.kinds().iter().any(|kind| kind.name == "pressure"), "{name}");
        let findings = solved.find("pressure", 2, &Silent).unwrap();
        assert_eq!(findings.len(), 2, "{name}");
    }
}

#[test]
fn probes_and_opponents_use_the_ranks() {
    let dir = tempfile::tempdir().unwrap();
    let game = ranked("picaria", &[], dir.path());
    let solved = game.open(dir.path()).unwrap();
    let mut random = kanzen_analyse::Random::new(1);
    let mut seen = 0;
    for _ in 0..2000 {
        let position = solved.sample(&mut random).unwrap();
        let answer = solved.probe(Some(&position)).unwrap();
        let drawn = answer.moves.iter().filter(|mv| mv.value == answer.value);
        let drawn: Vec<_> = drawn.collect();
        if answer.verdict().unwrap().value.word() != "draw" || drawn.len() < 2 {
            continue;
        }
        // The best draw presses at least as hard as any other.
        let rank = |pressing: Option<kanzen_registry::Pressing>| {
            pressing.map(|p| Pressure { own: p.own, holding: p.holding, plies: p.plies })
        };
        for pair in drawn.windows(2).filter(|pair| pair[0].plies == pair[1].plies) {
            let [better, worse] = [pair[0], pair[1]].map(|mv| rank(mv.pressure));
            assert!(Pressure::compare(better, worse).is_ge(), "{position}");
            seen += u64::from(better != worse);
        }
        for opponent in [Opponent::Perfect, Opponent::Trickster] {
            let choice = opponent.choose(&*solved, &answer, 1).unwrap().unwrap();
            assert_eq!(choice.pressure, drawn[0].pressure, "{position}");
        }
    }
    assert!(seen > 20, "{seen} draws are told apart");
}

#[test]
fn what_does_not_fit_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |name: &str, options: &[&str]| {
        let game = game(name, options);
        game.solve(dir.path(), None, &Job::default()).unwrap();
        game.rank_draws(dir.path(), &Job::default()).unwrap_err().to_string()
    };
    let endless = refused("hare-and-hounds", &["endless=hare"]);
    assert!(endless.contains("a side wins by it"), "{endless}");
    let unsolved = game("picaria", &[]).rank_draws(dir.path(), &Job::default());
    assert!(matches!(unsolved, Err(GameError::NotSolved { .. })));
    // A table of the draws of another game, or one with ranks that there are not.
    let own = ranked("mutorere", &[], dir.path());
    let path = dir.path().join("mutorere.draws");
    let right = std::fs::read(&path).unwrap();
    ranked("pong-hau-ki", &[], dir.path());
    std::fs::copy(dir.path().join("pong-hau-ki.draws"), &path).unwrap();
    assert!(own.open(dir.path()).is_err());
    std::fs::write(&path, &right).unwrap();
    let table = Table::open(&path).unwrap();
    let forge = |change: fn(u16) -> u16| {
        let tier = &table.meta().tiers[0];
        let codes: Vec<u16> = table.codes(0).unwrap().into_iter().map(change).collect();
        let mut counts = std::collections::BTreeMap::<u16, u64>::new();
        codes.iter().for_each(|&code| *counts.entry(code).or_default() += 1);
        let counts: Vec<(u16, u64)> = counts.into_iter().collect();
        let identity = table.meta().identity.clone();
        let mut writer = TableWriter::create(&path, identity, "pressure", 1).unwrap();
        let fill = |range: std::ops::Range<u64>, out: &mut [u16]| {
            out.copy_from_slice(&codes[range.start as usize..range.end as usize]);
        };
        writer.tier(&tier.name, tier.size, &counts, fill, |_| ()).unwrap();
        writer.finish().unwrap();
    };
    forge(|code| code | 0xfc00);
    let error = own.open(dir.path()).err().unwrap().to_string();
    assert!(error.contains("a code of tier"), "{error}");
    // Ranks that can be but are not so are found by looking at the moves.
    forge(
        |code| if code == 0 { Pressure { own: true, holding: 1, plies: 1 }.code() } else { code },
    );
    let report = own.open(dir.path()).unwrap().verify(&Silent).unwrap();
    assert!(!report.passed && report.wrong > 0, "{report:?}");
    assert!(report.problems[0].contains("the table of draws says"), "{report:?}");
    std::fs::write(&path, &right[..right.len() / 2]).unwrap();
    assert!(own.open(dir.path()).is_err());
    // A new solve does not leave them in the way.
    own.solve(dir.path(), None, &Job::default()).unwrap();
    assert!(own.open(dir.path()).is_ok() && !path.exists());
}
