//! The commands for designers of games: metrics, sweeps, and the list of what is known.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// The program with a data directory of its own.
fn kanzen(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kanzen"));
    command.env("KANZEN_DIR", dir).args(arguments);
    command
}

fn stdout(dir: &Path, arguments: &[&str]) -> String {
    let output = kanzen(dir, arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

/// A line of JSON each.
fn json(dir: &Path, arguments: &[&str]) -> Vec<Value> {
    stdout(dir, arguments).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Expects a failure, and returns what it says on standard error.
fn error(dir: &Path, arguments: &[&str]) -> String {
    let output = kanzen(dir, arguments).assert().failure();
    let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(!error.contains("panicked"), "{error}");
    error
}

#[test]
fn metrics_by_level_of_play() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    stdout(dir, &["solve", "mutorere"]);
    let found = &json(dir, &["find", "mutorere", "metrics", "--json"])[0];
    let overview = &found["overview"][0];
    assert_eq!((&overview["start"], &overview["pie"]), (&"draw".into(), &"draw".into()));
    assert_eq!((&overview["positions"], &overview["arising"]), (&46.into(), &43.into()));
    let levels = found["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 8);
    for level in levels {
        let share = |name: &str| level[name].as_f64().unwrap();
        let all = share("wins") + share("draws") + share("losses") + share("unfinished");
        assert!((all - 1.0).abs() < 1e-9, "{level}");
        assert!((share("decided") - share("wins") - share("losses")).abs() < 1e-9, "{level}");
    }
    assert_eq!((&levels[7]["level"], &levels[7]["draws"]), (&"perfect".into(), &1.0.into()));
    assert_eq!(found["drama"][7]["lead_changes"], 0.0);
    let skill = found["skill"].as_array().unwrap();
    assert_eq!(skill.len(), 7);
    assert!(skill[0]["score"].as_f64().unwrap() > 0.6, "to win at once is worth something");
    assert_eq!(found["first_moves"].as_array().unwrap().len(), 1);
    let text = stdout(dir, &["find", "mutorere", "metrics"]);
    assert!(text.contains("(exact, up to 1000 plies)"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn a_sweep_solves_what_is_missing_and_compares_all() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let (csv, html) = (dir.join("all.csv"), dir.join("all.html"));
    let sweep = ["sweep", "simpei", "-o", "pieces=2..3", "-o", "first=*"];
    let files = ["--csv", csv.to_str().unwrap(), "--html", html.to_str().unwrap()];
    let text = stdout(dir, &[&sweep[..], &files].concat());
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.contains("\npieces=2 first=free: draw; "), "{text}");
    // The first piece does not change the table.
    assert_eq!(text.lines().filter(|line| line.ends_with(" s")).count(), 2, "{text}");
    let table = std::fs::read_to_string(&csv).unwrap();
    assert!(table.starts_with("pieces,first,value,plies,positions,draw_share,"), "{table}");
    assert_eq!(table.lines().count(), 5);
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("pieces=3 first=free"), "{page}");
    assert!(page.contains("<svg"));
    let again = json(dir, &[&sweep[..], &["--json"]].concat());
    assert_eq!(again.len(), 4);
    assert!(again.iter().all(|line| line["solved"] == true && line["seconds"].is_null()));
    assert_eq!(again[2]["options"]["pieces"], "3");
    let summary = &json(dir, &["stats", "simpei", "-o", "pieces=3", "--json"])[0]["tiers"][7];
    assert_eq!(again[2]["positions"], summary["positions"]);
    // What does not fit is left out, and the rest goes on.
    let tight = ["sweep", "simpei", "-o", "pieces=4,3", "--memory", "30M"];
    let text = stdout(dir, &tight);
    assert!(text.contains("pieces=4: left out: it needs"), "{text}");
    assert!(text.contains("pieces=3: win in 15"), "{text}");
    let lines = json(dir, &[&tight[..], &["--json"]].concat());
    assert_eq!((&lines[0]["solved"], &lines[1]["solved"]), (&false.into(), &true.into()));
}

#[test]
fn what_a_sweep_cannot_vary_is_named_with_what_it_can() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let wrong = |option: &str| error(dir, &["sweep", "simpei", "-o", option]);
    assert!(wrong("pieces=5..9").contains("cannot be '5..9': allowed are 4, 3, 2"));
    assert!(wrong("pieces=3,x").contains("cannot be 'x': allowed are 4, 3, 2"));
    assert!(wrong("size=3").contains("options are first, pieces"));
    assert!(wrong("pieces").contains("name=value"));
    assert!(error(dir, &["sweep", "chess"]).contains("unknown game 'chess'"));
    assert!(error(dir, &["sweep", "threerow", "-o", "rows=3..4"]).contains("three players"));
    let file = error(dir, &["sweep", "mutorere", "--csv", "all.txt"]);
    assert!(file.contains("the name must end in .csv"), "{file}");
    assert!(!dir.join("mutorere.kanzen").exists(), "files are refused before the work");
}

#[test]
fn every_table_is_listed_with_a_digest_of_its_values() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (dir, other) = (dir.path(), other.path());
    assert!(stdout(dir, &["games", "--values"]).contains("there are no tables in"));
    stdout(dir, &["solve", "mutorere"]);
    stdout(dir, &["solve", "simpei", "-o", "pieces=2"]);
    let known = json(dir, &["games", "--values", "--json"]);
    assert_eq!(known.len(), 2);
    assert_eq!((&known[0]["game"], &known[0]["positions"]), (&"mutorere".into(), &46.into()));
    assert_eq!((&known[0]["value"]["value"], &known[0]["longest"]), (&"draw".into(), &5.into()));
    assert_eq!(known[1]["options"][0], "pieces=2");
    // However hard a table is compressed, its values are the same.
    stdout(other, &["solve", "simpei", "-o", "pieces=2", "--level", "1"]);
    let same = &json(other, &["games", "--values", "--json"])[0];
    assert_eq!(same["digest"], known[1]["digest"]);
    assert!(same["digest"].as_str().is_some_and(|digest| digest.len() == 8));
    let text = stdout(dir, &["games", "--values"]);
    assert!(text.contains("simpei -o pieces=2\n  start      0000-0200"), "{text}");
    std::fs::write(dir.join("broken.kanzen"), "nonsense").unwrap();
    let broken = error(dir, &["games", "--values"]);
    assert!(broken.contains("broken.kanzen"), "{broken}");
}
