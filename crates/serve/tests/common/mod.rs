//! A directory of small solved games.

use kanzen_games::{SolveJob, Store};
use kanzen_solve::Silent;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

/// Solves a game.
pub fn solve(dir: &Path, game: &str, options: &[&str]) {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    let game = kanzen_games::find(game).unwrap().build(&options).unwrap();
    game.solve(&SolveJob {
        dir: dir.to_owned(),
        threads: 0,
        memory: 4 << 30,
        level: 3,
        store: Store::Distance,
        interval: Duration::from_secs(600),
        cancel: &NEVER,
        progress: &Silent,
    })
    .unwrap();
}

/// Solved games that take seconds, in a directory of their own.
pub static SOLVED: LazyLock<TempDir> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), "mutorere", &[]);
    solve(dir.path(), "simpei", &["pieces=3"]);
    solve(dir.path(), "threerow", &[]);
    solve(dir.path(), "musashi25", &[]);
    dir
});
