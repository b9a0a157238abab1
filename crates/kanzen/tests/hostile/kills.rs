//! Solves that are ended at any moment, and go on to the same bytes.

use crate::{files, program, scratch, tries};
use kanzen::analyse::Random;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Output};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A solve of each engine that takes a moment: tiers by their distance, a game by its rules alone, bit maps, barred
/// moves, layers, tiers that do not fit the memory and stay on disk, several processes.
const SOLVES: [&[&str]; 7] = [
    &["simpei", "-o", "pieces=3"],
    &["l-game"],
    &["musashi25"],
    &["small-ostle"],
    &["threerow", "-o", "rows=3", "-o", "columns=4"],
    &["quixo", "-o", "from=12", "--memory", "30M", "--threads", "2"],
    &["simpei", "-o", "pieces=3", "--processes", "2", "--threads", "1"],
];

/// What ends a solve, one after the other.
const SIGNALS: [&str; 3] = ["KILL", "INT", "TERM"];

fn begin(dir: &Path, game: &[&str]) -> Child {
    let arguments = [&["solve"], game, &["--checkpoint", "0"]].concat();
    program(dir, &arguments).spawn().unwrap()
}

/// Waits, but not for ever.
fn finish(child: Child) -> Output {
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!error.contains("panicked"), "{error}");
    output
}

/// Whether a process has ended by a signal, or by itself as asked to by one.
fn was_stopped(status: ExitStatus, error: &str) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal().is_some() || status.code() == Some(130) || error.contains("stopped;")
}

/// The only table in a directory.
fn table(dir: &Path) -> Option<(PathBuf, Vec<u8>)> {
    files(dir).into_iter().find(|(name, _)| name.extension().is_some_and(|end| end == "kanzen"))
}

/// What a finished solve may leave.
fn assert_nothing_is_left(dir: &Path) {
    for name in files(dir).into_keys() {
        let name = name.to_string_lossy().into_owned();
        let known = [".kanzen", ".lock", ".solve.json"].iter().any(|end| name.ends_with(end));
        assert!(known, "{name} is left");
    }
}

#[test]
fn a_solve_that_is_killed_goes_on_to_the_same_bytes() {
    let kills = AtomicU64::new(0);
    let wanted = tries(200);
    std::thread::scope(|scope| {
        for (number, game) in SOLVES.iter().enumerate() {
            let share = wanted.div_ceil(SOLVES.len() as u64);
            let kills = &kills;
            scope.spawn(move || kills.fetch_add(kill_often(game, number as u64, share), Relaxed));
        }
    });
    let kills = kills.into_inner();
    eprintln!("{kills} kills");
    assert!(kills >= wanted);
}

/// The largest game of its engine takes a minute.
#[test]
#[ignore = "long: run by ./test long"]
fn doubutsu_that_is_killed_goes_on_to_the_same_bytes() {
    kill_often(&["doubutsu"], 0, 3 * SIGNALS.len() as u64);
}

/// Kills a solve so many times, whenever it has come to its end from the beginning.
fn kill_often(game: &[&str], seed: u64, wanted: u64) -> u64 {
    let dir = scratch();
    let start = Instant::now();
    let output = finish(begin(dir.path(), game));
    assert!(output.status.success(), "{game:?}: {}", String::from_utf8_lossy(&output.stderr));
    let (_, expected) = table(dir.path()).unwrap();
    let mut usual = start.elapsed();
    let mut random = Random::new(seed);
    let (mut kills, mut finished, mut dir) = (0, 0, scratch());
    while kills < wanted || finished == 0 {
        let child = begin(dir.path(), game);
        let start = Instant::now();
        let last = kills >= wanted;
        if !last {
            std::thread::sleep(usual.mul_f64(1.2 * random.below(1000) as f64 / 1000.0));
            let signal = SIGNALS[kills as usize % SIGNALS.len()];
            let kill = format!("kill -{signal} {} 2>/dev/null", child.id());
            std::process::Command::new("sh").args(["-c", &kill]).status().unwrap();
        }
        let output = finish(child);
        let error = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            let (_, found) = table(dir.path()).unwrap();
            assert!(found == expected, "{game:?}: another table after {kills} kills");
            // What was left of the last moments goes with the next solve.
            assert!(finish(begin(dir.path(), game)).status.success());
            assert_nothing_is_left(dir.path());
            (finished, dir) = (finished + 1, scratch());
            usual = usual.min(start.elapsed().max(Duration::from_millis(20)));
        } else {
            assert!(was_stopped(output.status, &error), "{game:?}: {}: {error}", output.status);
            kills += 1;
        }
    }
    eprintln!("{}: {kills} kills, {finished} solves to the end", game[0]);
    kills
}
