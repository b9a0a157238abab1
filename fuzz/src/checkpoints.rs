//! What unfinished solves leave, in other hands.

use crate::{SMALL, build, files, number, scratch, take};
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

/// Files by their names.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A game, its table, and what its solve leaves when it is stopped here and there.
pub struct Subject {
    game: Box<dyn AnyGame>,
    table: Vec<u8>,
    /// The files that are left.
    pub left: Vec<Files>,
}

fn solve(game: &dyn AnyGame, dir: &Path, stop_after: u64) -> Result<Vec<u8>, GameError> {
    let progress = Stopper { left: AtomicU64::new(stop_after), stop: AtomicBool::new(false) };
    // What is not stopped need not write down more.
    let interval = if stop_after == u64::MAX { Duration::MAX } else { Duration::ZERO };
    let job =
        Job { threads: 1, interval, cancel: &progress.stop, progress: &progress, ..Job::default() };
    game.solve(dir, None, &job)?;
    Ok(std::fs::read(table_path(dir, &game.identity())).unwrap())
}

impl Subject {
    /// Solves a game, and stops the solve here and there.
    ///
    /// # Panics
    /// If it leaves no checkpoint.
    pub fn new(game: Box<dyn AnyGame>) -> Subject {
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

    /// A small game of every engine but that of Sixteen Musashi, whose smallest board takes a while.
    pub fn all() -> Vec<Subject> {
        SMALL.iter().map(|&game| Subject::new(build(game))).collect()
    }

    /// Puts files where a solve will find them, and solves.
    fn resume(&self, files: &Files) -> Result<Vec<u8>, GameError> {
        let dir = scratch();
        for (name, bytes) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        solve(&*self.game, dir.path(), u64::MAX)
    }

    /// Goes on with a solve from these files. Tells whether it was refused.
    ///
    /// # Panics
    /// If there is another table then, or another error.
    pub fn go_on(&self, files: &Files) -> bool {
        match self.resume(files) {
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

/// Writes bytes over those from a place on; what is longer grows.
fn overwrite(file: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let at = at % (file.len() + 1);
    let end = (at + bytes.len()).min(file.len());
    file.splice(at..end, bytes.iter().copied());
}

/// The same to what a file of cells or blocks holds, all checksums being right. None if it is no such file.
fn forge(file: &[u8], at: usize, bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut rest, mut pieces) = (file, Vec::new());
    while !rest.is_empty() {
        let length = number(&mut rest, 4);
        take(&mut rest, 4);
        pieces.push(take(&mut rest, length).to_vec());
    }
    // The first piece says what the file is of, and is compared.
    let nth = 1 + at % pieces.len().checked_sub(1).filter(|&more| more > 0)?;
    let mut held = zstd::bulk::decompress(&pieces[nth], 1 << 22).ok()?;
    overwrite(&mut held, at, bytes);
    pieces[nth] = zstd::bulk::compress(&held, 1).ok()?;
    let (mut forged, mut chain) = (Vec::new(), 0);
    for piece in pieces {
        let length = (piece.len() as u32).to_le_bytes();
        chain = crc32c::crc32c_append(crc32c::crc32c_append(chain, &length), &piece);
        forged.extend([length, chain.to_le_bytes()].concat());
        forged.extend(piece);
    }
    Some(forged)
}

thread_local! {
    static SUBJECTS: Vec<Subject> = Subject::all();
}

/// Bytes for a game, for files that it left and for one of them; then where it is changed, and to what. Damage ends in a
/// refusal or in the same table. What a forged file says may be believed, but ends in an answer or an error too.
pub fn target(mut bytes: &[u8]) {
    SUBJECTS.with(|subjects| {
        let choice = number(&mut bytes, 1);
        let subject = &subjects[choice / 2 % subjects.len()];
        let mut files = subject.left[number(&mut bytes, 1) % subject.left.len()].clone();
        let nth = number(&mut bytes, 1) % files.len();
        let at = number(&mut bytes, 2);
        let Some(file) = files.values_mut().nth(nth) else { return };
        if choice.is_multiple_of(2) {
            overwrite(file, at, bytes);
            let _ = subject.go_on(&files);
        } else if let Some(forged) = forge(file, at, bytes) {
            *file = forged;
            let _ = subject.resume(&files);
        }
    });
}
