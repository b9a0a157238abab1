//! What strangers may send, and what must not come of it: no panic, no abort, no wrong answer.
//!
//! A target takes bytes and reads them as one of Kanzen's readers would. The same targets are tried in three ways: with
//! what is kept in `corpus` and with random changes of real files (`tests/tries`), and by libFuzzer, which keeps what leads
//! to code that nothing has led to before (`tests/fuzz.rs`).

pub mod checkpoints;
pub mod commands;
pub mod forge;
pub mod graphs;
pub mod requests;
pub mod tables;
pub mod words;

use kanzen::analyse::Random;
use kanzen::core::Words;
use kanzen::games::ostle::{Barred, Ostle, Undo};
use kanzen::index::Indexed;
use kanzen::registry::{AnyGame, Entry, Registry, TwoPlayer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Reads bytes as a stranger's.
pub type Target = fn(&[u8]);

/// All targets, each with the name of its folder in the corpus.
pub const TARGETS: &[(&str, Target)] = &[
    ("checkpoints", checkpoints::target),
    ("commands", commands::target),
    ("graphs", graphs::target),
    #[cfg(fuzzing)]
    ("messages", kanzen_cluster::messages),
    ("options", words::options),
    ("positions", words::positions),
    ("requests", requests::target),
    ("tables", tables::target),
];

/// What is tried again every time.
pub const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// A game with few positions for the engine of Ostle.
pub static SMALL_OSTLE: Entry = Entry::new(
    "small-ostle",
    Words::same("Ostle with two pieces"),
    Words::same("Ostle with one or two pieces a side."),
    |options| {
        let game = Ostle::new(1, 3, Undo::Exact);
        Box::new(TwoPlayer::with_engine(game, Barred, Ostle::INDEX_VERSION, options))
    },
);

/// The same with so many pieces that its table is packed by context.
pub static PACKED_OSTLE: Entry = Entry::new(
    "packed-ostle",
    Words::same("Ostle with four pieces"),
    Words::same("Ostle with two to four pieces."),
    |options| {
        let game = Ostle::new(2, 4, Undo::Exact);
        Box::new(TwoPlayer::with_engine(game, Barred, Ostle::INDEX_VERSION, options))
    },
);

/// The games of the program, and small ones for engines that have only large games.
pub fn registry() -> Registry {
    kanzen::games::all().entries().chain([&SMALL_OSTLE]).collect()
}

/// A small game of every engine: its name and options.
pub const SMALL: [(&str, &[&str]); 6] = [
    ("mutorere", &[]),
    ("simpei", &["pieces=2"]),
    ("tictactoe", &[]),
    ("three-mens-morris", &[]),
    ("small-ostle", &[]),
    ("threerow", &["rows=3", "columns=3"]),
];

/// A game by its name and options.
///
/// # Panics
/// If there is none.
pub fn build((name, options): (&str, &[&str])) -> Box<dyn AnyGame> {
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    registry().find(name).unwrap().build(&options).unwrap()
}

/// How often something is tried: as often as `KANZEN_TRIES` says, else so often.
///
/// # Panics
/// If that is no number.
pub fn tries(short: u64) -> u64 {
    let told = std::env::var("KANZEN_TRIES").ok();
    told.map_or(short, |number| number.parse().expect("KANZEN_TRIES is a number"))
}

/// A directory that costs no writes to a disk, where there is such a thing.
///
/// # Panics
/// If there is no room for it.
pub fn scratch() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    dir.unwrap()
}

/// All files of a directory and of those in it, with their names from there on.
///
/// # Panics
/// If one cannot be read.
pub fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            all.extend(files(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes)));
        } else {
            all.insert(name, std::fs::read(&path).unwrap());
        }
    }
    all
}

/// Picks one of some.
pub fn pick<'a, T>(random: &mut Random, from: &'a [T]) -> &'a T {
    &from[random.below(from.len() as u64) as usize]
}

/// Takes so many bytes from the front, as many as there are.
pub fn take<'a>(bytes: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (front, rest) = bytes.split_at(count.min(bytes.len()));
    *bytes = rest;
    front
}

/// Takes a number of up to so many bytes from the front.
pub fn number(bytes: &mut &[u8], count: usize) -> usize {
    take(bytes, count).iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

/// Changes bytes as damage does: bits, bytes, runs, cuts, pieces of elsewhere.
pub fn damage(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(3) {
        let length = bytes.len() as u64;
        let at = random.below(length.max(1)) as usize;
        let run = (1 + random.below(16) as usize).min(bytes.len() - at.min(bytes.len()));
        match random.below(7) {
            0 if length > 0 => bytes[at] ^= 1 << random.below(8),
            1 if length > 0 => bytes[at] = *pick(random, &[0, 1, 0x7f, 0x80, 0xff]),
            2 => bytes.truncate(at),
            3 => bytes.resize(bytes.len() + run + 1, random.bits() as u8),
            4 => drop(bytes.drain(at..at + run)),
            5 if length > 0 => bytes[at..at + run].fill(random.bits() as u8),
            _ => {
                let piece = bytes[at..at + run].to_vec();
                let to = random.below(length + 1) as usize;
                bytes.splice(to..to, piece);
            }
        }
    }
}
