//! Unfinished solves whose files are damaged: a refusal, or the same table as ever.

use crate::{SMALL, build, confined, damage, files, pick, scratch, tries, try_all};
use kanzen::analyse::Random;
use kanzen::registry::{AnyGame, GameError, table_path};
use kanzen::solve::{Job, Progress, SolveError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Stops a solve after so much news of it.
struct Stopper {
    left: AtomicU64,
    stop: AtomicBool,
}

impl Stopper {
    fn count(&self) {
        if self.left.fetch_sub(1, Relaxed) <= 1 {
            self.stop.store(true, Relaxed);
        }
    }
}

impl Progress for Stopper {
    fn begin(&self, _: &str, _: u64) {
        self.count();
    }
    fn advance(&self, _: u64) {
        self.count();
    }
    fn note(&self, _: &str) {}
    fn end(&self) {}
}

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A game, its table, and what its solve leaves when it is stopped here and there.
struct Subject {
    game: Box<dyn AnyGame>,
    table: Vec<u8>,
    left: Vec<Files>,
}

fn solve(game: &dyn AnyGame, dir: &Path, stop_after: u64) -> Result<Vec<u8>, GameError> {
    let progress = Stopper { left: AtomicU64::new(stop_after), stop: AtomicBool::new(false) };
    let interval = Duration::ZERO;
    let job =
        Job { threads: 1, interval, cancel: &progress.stop, progress: &progress, ..Job::default() };
    game.solve(dir, None, &job)?;
    Ok(std::fs::read(table_path(dir, &game.identity())).unwrap())
}

impl Subject {
    fn new(game: Box<dyn AnyGame>) -> Subject {
        let table = solve(&*game, scratch().path(), u64::MAX).unwrap();
        let mut left: Vec<Files> = Vec::new();
        for stop_after in (1..40).chain([60, 80, 120, 200, 400]) {
            let dir = scratch();
            if solve(&*game, dir.path(), stop_after).is_ok() {
                break;
            }
            let found = files(dir.path());
            if left.last() != Some(&found) {
                left.push(found);
            }
        }
        // A lock alone is no checkpoint.
        left.retain(|files| files.len() > 1);
        assert!(!left.is_empty(), "{} leaves no checkpoint", game.identity());
        Subject { game, table, left }
    }

    /// Puts files where a solve will find them, and solves.
    fn go_on(&self, files: &Files) -> Result<Vec<u8>, GameError> {
        let dir = scratch();
        for (name, bytes) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        solve(&*self.game, dir.path(), u64::MAX)
    }

    /// Damages files of an unfinished solve, and goes on with it. Tells whether it was refused.
    fn attempt(&self, random: &mut Random) -> bool {
        let mut files = pick(random, &self.left).clone();
        let names: Vec<PathBuf> = files.keys().cloned().collect();
        let name = pick(random, &names);
        match random.below(8) {
            // A file of another time, tier or place under this name; one that is missing.
            0 => drop(files.remove(name)),
            1 => drop(files.insert(name.clone(), files[pick(random, &names)].clone())),
            2 => {
                let other = pick(random, &self.left).get(name).cloned();
                other.map(|bytes| files.insert(name.clone(), bytes));
            }
            _ => damage(random, files.get_mut(name).unwrap()),
        }
        match self.go_on(&files) {
            Ok(table) => {
                assert!(table == self.table, "{}: another table", self.game.identity());
                false
            }
            Err(GameError::Solve(SolveError::Checkpoint { problem, .. })) => {
                assert!(!problem.is_empty());
                true
            }
            Err(error) => panic!("{}: {error}", self.game.identity()),
        }
    }
}

fn attempt_all(subjects: &[Subject], what: &str, count: u64) {
    for subject in subjects {
        for files in &subject.left {
            assert!(subject.go_on(files).unwrap() == subject.table, "undamaged, it goes on");
        }
    }
    let mut refused = 0;
    try_all(what, count, |random| {
        refused += u64::from(pick(random, subjects).attempt(random));
    });
    eprintln!("{refused} of them were refused, the others gave the same table");
    assert!(refused > 0);
}

#[test]
fn a_damaged_checkpoint_is_refused_or_gives_the_same_table() {
    if confined("checkpoints::a_damaged_checkpoint_is_refused_or_gives_the_same_table") {
        let subjects: Vec<Subject> = SMALL.iter().map(|&game| Subject::new(build(game))).collect();
        attempt_all(&subjects, "damaged checkpoints", tries(400));
    }
}

/// The engine of Sixteen Musashi has files of its own, and its smallest board takes a while.
#[test]
fn damaged_rounds_are_refused_or_give_the_same_table() {
    if confined("checkpoints::damaged_rounds_are_refused_or_give_the_same_table") {
        let subjects = [Subject::new(build(("musashi25", &[])))];
        attempt_all(&subjects, "damaged rounds", tries(400).div_ceil(100));
    }
}
