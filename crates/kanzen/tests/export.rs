//! Tables as data sets, by the command line.

use assert_cmd::Command;
use std::path::Path;

fn kanzen(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kanzen"));
    command.env("KANZEN_DIR", dir).current_dir(dir).args(arguments);
    command
}

#[test]
fn data_sets_are_written_with_their_cards() {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| kanzen(dir.path(), arguments).assert().success();
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    run(&["solve", "mutorere"]);

    run(&["export", "mutorere", "--to", "all.csv"]);
    let all = read("all.csv");
    assert_eq!(all.lines().next(), Some("index,tier,position,outcome,plies,orbit"));
    assert_eq!(all.lines().count(), 1 + 46);
    assert!(read("all.csv.md").contains("Mū tōrere"));

    run(&["export", "mutorere", "--to", "won.csv", "--where", "outcome = win and plies <= 3"]);
    let columns = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    for row in read("won.csv").lines().skip(1).map(columns) {
        assert!(row[3] == "1" && row[4].parse::<u16>().unwrap() <= 3, "{row:?}");
    }

    run(&["export", "mutorere", "--to", "ten.csv", "--sample", "10", "--columns", "position"]);
    let mut ten: Vec<String> = read("ten.csv").lines().skip(1).map(str::to_owned).collect();
    assert!(ten.iter().all(|position| all.contains(position)));
    ten.sort();
    ten.dedup();
    assert_eq!(ten.len(), 10);

    run(&["export", "mutorere", "--to", "sets", "--split", "0.5,0.25,0.25", "--format", "csv"]);
    let rows = |set: &str| read(&format!("sets/{set}-00000.csv")).lines().count() - 1;
    assert_eq!(["train", "validation", "test"].map(rows).iter().sum::<usize>(), 46);

    run(&["export", "mutorere", "--to", "all.parquet", "--json"]);
    let bytes = std::fs::read(dir.path().join("all.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    kanzen(dir.path(), &["solve", "mutorere"]).assert().success();
    for (arguments, expected) in [
        (vec!["--to", "a.csv", "--columns", "colour"], "allowed are index"),
        (vec!["--to", "a.csv", "--where", "plies over 3"], "not a condition"),
        (vec!["--to", "a.csv", "--split", "0.5,0.6"], "add up to 1"),
        (vec!["--to", "a.xlsx"], "must end in"),
        (vec!["--to", "none/a.csv"], "none/a.csv"),
        (vec!["--to", "a.npy"], "no room"),
    ] {
        let arguments = [vec!["export", "mutorere"], arguments].concat();
        let output = kanzen(dir.path(), &arguments).assert().failure();
        let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(error.contains(expected) && !error.contains("panicked"), "{error}");
    }
}
