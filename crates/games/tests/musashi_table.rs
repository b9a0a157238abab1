//! Tables of Musashi: written, interrupted, resumed, probed.

use kanzen_games::musashi::{Board, Musashi, NamedMusashi};
use kanzen_games::{AnyGame, GameError, Judgement, SolveJob, SolveReport};
use kanzen_solve::{Progress, Silent, SolveError};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

fn game() -> NamedMusashi {
    NamedMusashi::new(Musashi::new(Board::board25()), "musashi25")
}

fn solve(
    dir: &Path,
    threads: usize,
    cancel: &AtomicBool,
    progress: &dyn Progress,
) -> Result<SolveReport, GameError> {
    game().solve(&SolveJob {
        dir: dir.to_owned(),
        threads,
        memory: 1 << 30,
        level: 1,
        interval: Duration::from_secs(3600),
        cancel,
        progress,
    })
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

#[test]
fn a_stopped_solve_goes_on_to_the_same_table() {
    let whole = tempfile::tempdir().unwrap();
    let report = solve(whole.path(), 1, &AtomicBool::new(false), &Silent).unwrap();
    assert_eq!(report.start, "win in 31");
    let expected = std::fs::read(&report.table).unwrap();

    // Stops in round 3, then in round 12, then while the table is written.
    let dir = tempfile::tempdir().unwrap();
    for part in [3, 8, 7] {
        let cancel = AtomicBool::new(false);
        let stop = StopAt { part, begun: AtomicUsize::new(0), cancel: &cancel };
        let error = solve(dir.path(), 2, &cancel, &stop).unwrap_err();
        assert!(matches!(error, GameError::Solve(SolveError::Cancelled)), "{error}");
    }
    let report = solve(dir.path(), 2, &AtomicBool::new(false), &Silent).unwrap();
    assert!(std::fs::read(&report.table).unwrap() == expected, "the tables differ");
    let mut left: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["musashi25.kanzen", "musashi25.lock"]);
    probes(dir.path());
}

fn probes(dir: &Path) {
    let solved = game().open(dir).unwrap();
    let plies = |position: &str| match solved.probe(Some(position)).unwrap().value {
        Judgement::Two(verdict) => verdict.to_string(),
        _ => unreachable!("two players"),
    };
    assert_eq!(plies("Xo.../oo.../...../...../..... black"), "loss in 0");
    assert_eq!(plies("Xo.../o..../.o.../...../..... brown"), "win in 1");
    assert_eq!(plies("Xoooo/ooooo/ooooo/ooooo/ooooo brown"), "loss");
    assert_eq!(plies("X..../...../...../...../..... black"), "win");
    let line = solved.line(None).unwrap();
    assert_eq!((line.moves.len(), line.end), (31, "the game is over"));
    let longest = solved.find("longest", 100, &Silent).unwrap().json;
    assert_eq!((&longest[0]["plies"], &longest[0]["positions"]), (&37.into(), &31.into()));
    let examples = longest[0]["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 31);
    for example in examples {
        let example = example.as_str().unwrap();
        assert_eq!(example.matches('o').count(), 5 + usize::from(example.ends_with("brown")));
        assert_eq!(plies(example), "win in 37");
    }
    let expected = include_str!("data/musashi_board25.csv");
    let rows = solved.stats().unwrap().json;
    for (line, row) in expected.lines().skip(1).zip(rows["rows"].as_array().unwrap()) {
        let head = ["brown", "black_wins_black_to_move", "black_wins_brown_to_move"];
        let head = head.map(|key| row[key].to_string());
        let wins = row["brown_wins"].as_array().unwrap().iter().map(ToString::to_string);
        let cells: Vec<String> = head.into_iter().chain(wins).collect();
        assert_eq!(line, cells.join(","));
    }
}

/// Every position of the table against the rules, without the engine.
#[test]
#[ignore = "long: run by ./test long"]
fn board25_verifies() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), 0, &AtomicBool::new(false), &Silent).unwrap();
    let report = game().open(dir.path()).unwrap().verify(&Silent).unwrap();
    assert!(report.passed, "{:?}", report.problems);
    assert_eq!(2 * report.positions, 104_940_576);
}
