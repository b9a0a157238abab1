//! What is printed for people: it fits their terminals, and errors help them on.

use assert_cmd::Command;
use kanzen::games;
use kanzen::registry::{Entry, GameError, QUICK_SECONDS};
use kanzen::show::Sheet;
use kanzen::solve::{Job, Silent};
use kanzen_core::Language;
use std::path::Path;
use unicode_width::UnicodeWidthStr;

/// The columns that tables may take.
const COLUMNS: usize = 100;
/// Games of more positions are solved elsewhere; their kinds are those of smaller ones.
const MANY: u64 = 150_000;

/// The program with a data directory of its own.
fn kanzen(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kanzen"));
    command.env("KANZEN_DIR", dir).args(arguments);
    command
}

fn stdout(dir: &Path, arguments: &[&str], input: &str) -> String {
    let output = kanzen(dir, arguments).write_stdin(input).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

/// Expects a failure, and returns what it says on standard error.
fn error(dir: &Path, arguments: &[&str]) -> String {
    let output = kanzen(dir, arguments).assert().failure();
    String::from_utf8(output.get_output().stderr.clone()).unwrap()
}

#[track_caller]
fn expect_narrow(what: &str, text: &str) {
    for line in text.lines() {
        let wide = line.width();
        assert!(wide <= COLUMNS, "{what}: {wide} columns:\n{line}\nof\n{text}");
    }
}

/// Solves a variant and looks at everything that is said of it.
fn expect_narrow_findings(entry: &Entry, options: &[&str]) -> usize {
    let dir = tempfile::tempdir().unwrap();
    let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    let game = entry.build(&options).unwrap();
    game.solve(dir.path(), None, &Job::default()).unwrap();
    let solved = game.open(dir.path()).unwrap();
    let mut findings = vec![("stats".to_owned(), solved.stats().unwrap())];
    for kind in kanzen::study::find::kinds(&*solved) {
        let found = kanzen::study::find::find(&*solved, kind.name, 5, &Silent);
        findings.push((kind.name.to_owned(), found.unwrap()));
    }
    for (kind, findings) in &findings {
        for finding in findings {
            for language in [Language::English, Language::Japanese] {
                let text = Sheet::new(finding, language).text_within(language, COLUMNS);
                expect_narrow(&format!("{} {options:?} {kind}", entry.name), &text);
            }
        }
    }
    findings.len()
}

#[test]
fn stats_and_findings_of_every_quick_game_fit_100_columns() {
    let registry = games::all();
    let (mut games, mut kinds) = (0, 0);
    for entry in registry.entries() {
        let plan = entry.build(&[]).unwrap().plan(0);
        if plan.seconds < QUICK_SECONDS && plan.positions < MANY {
            kinds += expect_narrow_findings(entry, &[]);
            games += 1;
        }
    }
    for (name, options) in [
        ("simpei", &["pieces=2"][..]),
        ("quixo", &["size=3"]),
        ("threerow", &["rows=3", "columns=3"]),
        ("tictactoe", &[]),
        ("hexapawn", &[]),
    ] {
        kinds += expect_narrow_findings(registry.find(name).unwrap(), options);
        games += 1;
    }
    assert!(games >= 6 && kinds >= 60, "{games} games, {kinds} kinds");
}

#[test]
fn the_program_prints_findings_and_kinds_within_100_columns() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    stdout(dir, &["solve", "mutorere"], "");
    let kinds = stdout(dir, &["find", "mutorere"], "");
    expect_narrow("find", &kinds);
    let names = kinds.lines().filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 5, "{kinds}");
    expect_narrow("stats", &stdout(dir, &["stats", "mutorere"], ""));
    for kind in names {
        expect_narrow(kind, &stdout(dir, &["find", "mutorere", kind], ""));
    }
}

#[test]
fn every_game_shows_how_positions_are_written() {
    let registry = games::all();
    for entry in registry.entries() {
        let game = entry.build(&[]).unwrap();
        for nonsense in ["nonsense", "", "?", "1", "0/0/0", "🦀 w"] {
            let Err(error) = game.parse(nonsense) else { continue };
            let GameError::Notation(misread) = &error else { panic!("{}: {error}", entry.name) };
            assert!(!misread.examples.is_empty(), "{}: {error}", entry.name);
            for example in &misread.examples {
                game.parse(example).unwrap();
                assert!(error.to_string().contains(example), "{}: {error}", entry.name);
            }
        }
        assert!(game.parse("nonsense").is_err(), "{}", entry.name);
    }
    let examples = |name: &str| {
        let error = registry.find(name).unwrap().build(&[]).unwrap().parse("nonsense");
        let Err(GameError::Notation(misread)) = error else { panic!("{name}") };
        misread.examples
    };
    assert_eq!(examples("doubutsu").len(), 2, "both notations");
    assert!(examples("ostle")[1].contains(" after "), "a barred move, too");
    let dir = tempfile::tempdir().unwrap();
    let message = error(dir.path(), &["perft", "simpei", "1", "12"]);
    assert!(message.contains("written like 0000-0200-0000-0000/000-000-000"), "{message}");
}

#[test]
fn a_misspelt_word_is_answered_by_the_right_one() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    stdout(dir, &["solve", "mutorere"], "");
    for (arguments, meant) in [
        (&["probe", "simpie"][..], "did you mean 'simpei'?"),
        (&["rules", "three-men-morris"], "did you mean 'three-mens-morris'?"),
        (&["solve", "simpei", "-o", "peices=2"], "did you mean 'pieces'?"),
        (&["rules", "ostle", "-o", "undo=symetric"], "did you mean 'symmetric'?"),
        (&["find", "mutorere", "longst"], "did you mean 'longest'?"),
        (&["play", "mutorere", "--against", "trikster"], "did you mean 'trickster'?"),
        (&["play", "mutorere", "--agianst", "club"], "did you mean '--against'?"),
        (&["puzzels", "mutorere"], "puzzles"),
        (&["probe", "mutorere", "--plian"], "did you mean '--plain'?"),
    ] {
        let message = error(dir, arguments);
        assert!(message.contains(meant), "{arguments:?}: {message}");
    }
    let message = error(dir, &["probe", "chess"]);
    assert!(!message.contains("did you mean"), "{message}");
}

#[test]
fn a_number_in_play_is_a_move_or_a_place_in_the_list_and_never_both() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let simpei = |command: &'static str| [command, "simpei", "-o", "pieces=2"];
    stdout(dir, &simpei("solve"), "");
    let game = stdout(dir, &simpei("play"), "moves\nquit\n");
    assert!(game.contains("by its number in the list as #3"), "{game}");
    let listed: Vec<(&str, &str)> = game
        .lines()
        .filter_map(|line| line.trim_start_matches("your move: ").trim().split_once("  "))
        .filter(|(number, _)| number.starts_with('#'))
        .collect();
    let (mark, name) = listed.iter().find(|(mark, name)| mark[1..] != **name).unwrap();
    assert!(name.parse::<u32>().is_ok(), "moves are called by digits: {name}");
    let played = |word: &str| {
        let game = stdout(dir, &simpei("play"), &format!("{word}\nquit\n"));
        game.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(played(mark), played(name), "#3 is the third move of the list");
    assert_ne!(played(mark), played(&mark[1..]), "3 is the move 3");
    // A number that is no move's name is not taken for a place in the list.
    let names: Vec<&str> = listed.iter().map(|(_, name)| *name).collect();
    let free = (1..=listed.len()).map(|n| n.to_string()).find(|n| !names.contains(&&**n));
    if let Some(free) = free {
        let game = stdout(dir, &simpei("play"), &format!("{free}\nquit\n"));
        assert!(game.contains(&format!("'{free}' is not a move here")), "{game}");
    }
    stdout(dir, &["solve", "mutorere"], "");
    let other = stdout(dir, &["play", "mutorere"], "moves\n1\nquit\n");
    assert!(other.contains("   1  0-8") && other.contains("2. Red: "), "{other}");
}
