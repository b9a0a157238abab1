//! Tables of Musashi: written, interrupted, resumed, probed, with distances and without.

use kanzen_analyse::{Finding, LineEnd};
use kanzen_registry::{AnyGame, AnySolved, Entry, GameError, SolveReport, Store};
use kanzen_solve::{Job, Progress, Silent, SolveError};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

fn game() -> Box<dyn AnyGame> {
    kanzen_musashi::BOARD25.build(&[]).unwrap()
}

/// The rows of a finding.
fn rows(findings: &[Finding], name: &str) -> Vec<Value> {
    kanzen_show::json(findings)[name].as_array().unwrap().clone()
}

fn find(solved: &dyn AnySolved, kind: &str, most: usize) -> Vec<Value> {
    rows(&solved.find(kind, most, &Silent).unwrap(), &kind.replace('-', "_"))
}

fn examples(row: &Value) -> impl Iterator<Item = &str> {
    row["examples"].as_array().unwrap().iter().map(|example| example.as_str().unwrap())
}

fn solve(
    dir: &Path,
    store: Store,
    threads: usize,
    cancel: &AtomicBool,
    progress: &dyn Progress,
) -> Result<SolveReport, GameError> {
    let interval = Duration::from_secs(3600);
    let job = Job {
        threads,
        memory: 1 << 30,
        level: Some(1),
        interval,
        cancel,
        progress,
        machines: None,
    };
    game().solve(dir, Some(store), &job)
}

/// Asks to stop when some part of the work begins.
struct StopAt<'a> {
    part: usize,
    begun: AtomicUsize,
    cancel: &'a AtomicBool,
}

impl Progress for StopAt<'_> {
    fn begin(&self, _: &str, _: u64) {
        if self.begun.fetch_add(1, Ordering::Relaxed) == self.part {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
    fn advance(&self, _: u64) {}
    fn note(&self, _: &str) {}
    fn end(&self) {}
}

fn stopped(dir: &Path, store: Store, part: usize) -> GameError {
    let cancel = AtomicBool::new(false);
    let stop = StopAt { part, begun: AtomicUsize::new(0), cancel: &cancel };
    solve(dir, store, 2, &cancel, &stop).unwrap_err()
}

fn value(solved: &dyn AnySolved, position: &str) -> String {
    let answer = solved.probe(Some(position)).unwrap();
    assert_eq!(answer.best_play, None, "two players");
    answer.verdict().unwrap().to_string()
}

#[test]
fn a_stopped_solve_goes_on_to_the_same_table() {
    for store in [Store::Distance, Store::Value] {
        let whole = tempfile::tempdir().unwrap();
        let report = solve(whole.path(), store, 1, &AtomicBool::new(false), &Silent).unwrap();
        assert_eq!(report.start, "win in 31");
        let expected = std::fs::read(&report.table).unwrap();

        // Stops in round 3, then in round 12, then while the table is written.
        let dir = tempfile::tempdir().unwrap();
        for part in [3, 8, 7] {
            let error = stopped(dir.path(), store, part);
            assert!(matches!(error, GameError::Solve(SolveError::Cancelled)), "{error}");
        }
        let report = solve(dir.path(), store, 2, &AtomicBool::new(false), &Silent).unwrap();
        assert_eq!(report.start, "win in 31");
        assert!(std::fs::read(&report.table).unwrap() == expected, "the tables differ");
        let mut left: Vec<String> = std::fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["musashi25.kanzen", "musashi25.lock"]);
        let solved = game().open(dir.path()).unwrap();
        assert_eq!(solved.store(), store);
        match store {
            Store::Distance => with_distances(&*solved),
            _ => without_distances(&*solved),
        }
        claims(&*solved, &BOARD25);
    }
}

/// A checkpoint without rounds cannot become a table with distances.
#[test]
fn distances_cannot_be_added_to_a_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    stopped(dir.path(), Store::Value, 3);
    let error =
        solve(dir.path(), Store::Distance, 2, &AtomicBool::new(false), &Silent).unwrap_err();
    assert!(error.to_string().contains("it has no distances: go on without them"), "{error}");
}

#[test]
fn the_census_alone() {
    let dir = tempfile::tempdir().unwrap();
    let report = solve(dir.path(), Store::None, 2, &AtomicBool::new(false), &Silent).unwrap();
    assert_eq!(report.start, "win in 31");
    assert!(report.bytes < 100_000, "{} bytes", report.bytes);
    let solved = game().open(dir.path()).unwrap();
    assert_eq!(solved.store(), Store::None);
    census(&*solved, BOARD25.table);
    let longest = find(&*solved, "longest", 100);
    assert_eq!((&longest[0]["plies"], &longest[0]["examples"]), (&json!(37), &json!([])));
    for error in [
        solved.probe(None).err(),
        solved.line(None).err(),
        solved.find("most-brown", 5, &Silent).err(),
        solved.verify(&Silent).err(),
    ] {
        assert!(error.unwrap().to_string().contains("only the census"));
    }
}

fn with_distances(solved: &dyn AnySolved) {
    assert_eq!(value(solved, "Xo.../oo.../...../...../..... black"), "loss in 0");
    assert_eq!(value(solved, "Xo.../o..../.o.../...../..... brown"), "win in 1");
    assert_eq!(value(solved, "Xoooo/ooooo/ooooo/ooooo/ooooo brown"), "loss");
    assert_eq!(value(solved, "X..../...../...../...../..... black"), "win");
    let line = solved.line(None).unwrap();
    assert_eq!((line.moves.len(), line.end), (31, LineEnd::Over));
    let longest = find(solved, "longest", 100);
    assert_eq!(by_brown(&longest, 37), [(5, 31)]);
    assert_eq!(examples(&longest[0]).count(), 31);
    for example in examples(&longest[0]) {
        assert_eq!(example.matches('o').count(), 5 + usize::from(example.ends_with("brown")));
        assert_eq!(value(solved, example), "win in 37");
    }
}

/// The numbers of brown pieces with which brown's longest win takes so many plies, and of positions.
fn by_brown(longest: &[Value], plies: u64) -> Vec<(u64, u64)> {
    let row = |row: &Value| {
        assert_eq!((&row["value"], &row["plies"]), (&json!("win"), &json!(plies)));
        let tier = row["tier"].as_str().unwrap().strip_suffix(" brown pieces").unwrap();
        (tier.parse().unwrap(), row["positions"].as_u64().unwrap())
    };
    longest.iter().map(row).collect()
}

fn without_distances(solved: &dyn AnySolved) {
    assert_eq!(value(solved, "Xo.../oo.../...../...../..... black"), "loss in 0");
    assert_eq!(value(solved, "Xoooo/ooooo/ooooo/ooooo/ooooo brown"), "loss");
    assert_eq!(value(solved, "X..../...../...../...../..... black"), "win");
    let start = solved.probe(None).unwrap();
    assert_eq!(start.words(), "win");
    assert_eq!(start.moves[0].words(), "win");
    // A move that ends the game is seen without a table.
    let last = solved.probe(Some("Xo.../o..../.o.../...../..... brown")).unwrap();
    assert_eq!(last.moves[0].words(), "win in 1");
    let line = solved.line(None).unwrap();
    assert_eq!((line.moves.len(), line.end), (0, LineEnd::Unknown));
    let line = solved.line(Some("X..../...../...../...../....o black")).unwrap();
    assert_eq!(line.end, LineEnd::Repeats);
}

/// What the paper says about a board.
struct Claims {
    table: &'static str,
    /// Numbers of brown pieces with which brown can be stuck.
    stuck: &'static [u64],
    /// The most pieces, besides, at which brown to move loses.
    brown_to_move: u64,
    /// The most pieces at which black to move wins; on BOARD31 the paper says 12, which cannot be
    /// (see `musashi_few.rs`).
    black_to_move: u64,
}

const BOARD25: Claims = Claims {
    table: include_str!("data/musashi_board25.csv"),
    stuck: &[24],
    brown_to_move: 8,
    black_to_move: 12,
};

const BOARD31: Claims = Claims {
    table: include_str!("data/musashi_board31.csv"),
    stuck: &[30, 24, 6],
    brown_to_move: 5,
    black_to_move: 9,
};

const BOARD33: Claims = Claims {
    table: include_str!("data/musashi_board33.csv"),
    stuck: &[32, 24, 8],
    brown_to_move: 8,
    black_to_move: 12,
};

/// Finds what the paper claims, by a table with values.
fn claims(solved: &dyn AnySolved, expected: &Claims) {
    census(solved, expected.table);
    let most = find(solved, "most-brown", 3);
    let (black, brown) = (to_move(&most, "black"), to_move(&most, "brown"));
    assert!(!black.is_empty() && brown.len() == 1, "{most:?}");
    assert!(black.iter().all(|row| row["brown"] == expected.black_to_move), "{black:?}");
    assert_eq!(brown[0]["brown"], expected.brown_to_move);
    for example in examples(brown[0]) {
        assert_eq!(value(solved, example), "loss");
    }
    let stuck = find(solved, "stuck", 10);
    let numbers: Vec<u64> = stuck.iter().filter_map(|kind| kind["brown"].as_u64()).collect();
    assert_eq!(numbers[..numbers.len() - 1], *expected.stuck);
    for example in stuck.iter().flat_map(examples) {
        assert_eq!(value(solved, example), "loss");
    }
    agrees_with_census(&most, &stuck, solved);
    for captures in black {
        assert!(captures["captured"].as_u64() >= Some(4));
        for example in examples(captures) {
            assert_eq!(value(solved, example), "win");
        }
    }
}

/// The rows with a player to move.
fn to_move<'a>(most: &'a [Value], player: &str) -> Vec<&'a Value> {
    most.iter().filter(|row| row["to_move"] == player).collect()
}

/// The positions found are as many as the engine has counted.
fn agrees_with_census(most: &[Value], stuck: &[Value], solved: &dyn AnySolved) {
    let census = rows(&solved.stats().unwrap(), "census");
    for player in ["black", "brown"] {
        let most = to_move(most, player);
        let brown = &most[0]["brown"];
        let mut found: u64 = most.iter().map(|row| row["positions"].as_u64().unwrap()).sum();
        if player == "brown"
            && let Some(kind) = stuck.iter().find(|kind| kind["brown"] == *brown)
        {
            found += kind["positions"].as_u64().unwrap();
        }
        let row = &census[brown.as_u64().unwrap() as usize];
        assert_eq!(row[format!("black_wins_{player}_to_move")], found, "{player}");
    }
}

fn census(solved: &dyn AnySolved, expected: &str) {
    let census = rows(&solved.stats().unwrap(), "census");
    for (line, row) in expected.lines().skip(1).zip(&census) {
        let head = ["brown", "black_wins_black_to_move", "black_wins_brown_to_move"];
        let head = head.map(|key| row[key].to_string());
        let wins = row["brown_wins"].as_array().unwrap().iter().map(ToString::to_string);
        let cells: Vec<String> = head.into_iter().chain(wins).collect();
        assert_eq!(line, cells.join(","));
    }
}

/// Every position of the table against the rules, without the engine.
#[test]
fn board25_verifies() {
    for store in [Store::Distance, Store::Value] {
        let dir = tempfile::tempdir().unwrap();
        solve(dir.path(), store, 0, &AtomicBool::new(false), &Silent).unwrap();
        let report = game().open(dir.path()).unwrap().verify(&Silent).unwrap();
        assert!(report.passed, "{:?}", report.problems);
        assert_eq!(2 * report.positions, 104_940_576);
    }
}

/// A table of a large board: one in `$KANZEN_DIR`, if there is one, else made here.
fn large(entry: &Entry, check: impl FnOnce(&dyn AnySolved)) {
    let game = entry.build(&[]).unwrap();
    let dir = std::env::var_os("KANZEN_DIR").map(std::path::PathBuf::from);
    if let Some(solved) = dir.and_then(|dir| game.open(&dir).ok()) {
        return check(&*solved);
    }
    let dir = tempfile::tempdir().unwrap();
    let interval = Duration::from_secs(3600);
    let job = Job { memory: u64::MAX, interval, ..Job::default() };
    game.solve(dir.path(), Some(Store::Distance), &job).unwrap();
    check(&*game.open(dir.path()).unwrap());
}

/// Plays a best line, finds the longest wins, and checks a sample of the table.
fn plays(solved: &dyn AnySolved, start: usize, longest: u64, expected: &[(u64, u64)]) {
    let line = solved.line(None).unwrap();
    assert_eq!((line.moves.len(), line.end), (start, LineEnd::Over));
    let found = find(solved, "longest", 10);
    assert_eq!(by_brown(&found, longest), expected);
    for example in found.iter().flat_map(examples) {
        let line = solved.line(Some(example)).unwrap();
        assert_eq!((line.moves.len() as u64, line.end), (longest, LineEnd::Over));
    }
    let report = solved.verify(&Silent).unwrap();
    assert!(report.passed && report.positions > 10_000, "{:?}", report.problems);
}

#[test]
#[ignore = "long: run by ./test long"]
fn board31_as_the_paper_says() {
    large(&kanzen_musashi::BOARD31, |solved| {
        plays(solved, 17, 49, &[(4, 1)]);
        claims(solved, &BOARD31);
    });
}

#[test]
#[ignore = "long: run by ./test long"]
fn board33_as_the_paper_says() {
    large(&kanzen_musashi::BOARD33, |solved| {
        plays(solved, 35, 57, &[(5, 4), (7, 1)]);
        claims(solved, &BOARD33);
    });
}

/// A flipped bit in a file that an unfinished solve left is noticed, or does no harm.
#[test]
fn damage_never_makes_another_table() {
    for store in [Store::Distance, Store::Value] {
        let whole = tempfile::tempdir().unwrap();
        let report = solve(whole.path(), store, 2, &AtomicBool::new(false), &Silent).unwrap();
        let expected = std::fs::read(&report.table).unwrap();

        let stopped_dir = tempfile::tempdir().unwrap();
        stopped(stopped_dir.path(), store, 12);
        let files: &[&str] = match store {
            Store::Distance => &["musashi25.checkpoint", "musashi25.rounds"],
            _ => &["musashi25.checkpoint"],
        };
        let mut refused = 0;
        for name in files {
            let bytes = std::fs::read(stopped_dir.path().join(name)).unwrap();
            for flip in 0..12 {
                let dir = tempfile::tempdir().unwrap();
                for name in files {
                    std::fs::copy(stopped_dir.path().join(name), dir.path().join(name)).unwrap();
                }
                let mut bytes = bytes.clone();
                // The first bytes are the most delicate; the others stand for all.
                let at = if flip < 4 { 5 * flip } else { bytes.len() / 12 * flip + 7 };
                bytes[at] ^= 1 << (flip % 8);
                std::fs::write(dir.path().join(name), bytes).unwrap();
                match solve(dir.path(), store, 2, &AtomicBool::new(false), &Silent) {
                    Ok(report) => {
                        let same = std::fs::read(report.table).unwrap() == expected;
                        assert!(same, "{name}, byte {at}: another table");
                    }
                    Err(error) => {
                        refused += 1;
                        let error = error.to_string();
                        assert!(error.contains("musashi25."), "{name}, byte {at}: {error}");
                    }
                }
            }
        }
        assert!(refused >= 12, "{refused} refused");
    }
}
