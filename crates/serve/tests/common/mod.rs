//! A directory of small solved games.

use kanzen_solve::Job;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// Solves a game.
pub fn solve(dir: &Path, game: &str, options: &[&str]) {
    let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    let game = kanzen_games::all().find(game).unwrap().build(&options).unwrap();
    let job = Job { memory: 4 << 30, level: Some(3), ..Job::default() };
    game.solve(dir, None, &job).unwrap();
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
