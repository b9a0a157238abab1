//! What an attacker, a failing disk or a loss of power can do, and what must not come of it: no panic,
//! no abort, no table that differs, no wrong answer.
//!
//! Everything is tried as often as `KANZEN_TRIES` says, else a few times, and comes from a seed that a
//! failure names. `./test long` tries more often by some orders of magnitude.

mod checkpoints;
mod faults;
mod forge;
mod kills;
mod tables;
mod words;

use kanzen::analyse::Random;
use kanzen::core::Words;
use kanzen::games::ostle::{Barred, Ostle, Undo};
use kanzen::index::Indexed;
use kanzen::registry::{AnyGame, AnySolved, Entry, Registry, TwoPlayer};
use kanzen::solve::Job;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What is tried again every time.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/corpus");

/// How often something is tried.
fn tries(short: u64) -> u64 {
    let told = std::env::var("KANZEN_TRIES").ok();
    told.map_or(short, |number| number.parse().expect("KANZEN_TRIES is a number"))
}

/// Memory for a test that must not take more, in kilobytes of addresses.
const ROOM: u64 = 8 << 20;

/// Runs a test in a process of its own with little memory: it returns true there, and false in the
/// process that has run it.
fn confined(test: &str) -> bool {
    if std::env::var_os("KANZEN_CONFINED").is_some() {
        return true;
    }
    let limited = format!("ulimit -v {ROOM}; exec \"$0\" --exact {test} --nocapture");
    let mut child = Command::new("sh");
    child.args(["-c", &limited]).arg(std::env::current_exe().unwrap());
    let output = child.env("KANZEN_CONFINED", "1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{test}: {}\n{text}\n{error}", output.status);
    eprint!("{error}");
    false
}

/// Tries something with every seed; none may panic, or take longer than a minute.
fn try_all(what: &str, count: u64, mut attempt: impl FnMut(&mut Random)) {
    static AT: AtomicU64 = AtomicU64::new(u64::MAX);
    let first = std::env::var("KANZEN_SEED").map_or(0, |seed| seed.parse().unwrap());
    let name = what.to_owned();
    std::thread::spawn(move || {
        let mut before = u64::MAX;
        loop {
            std::thread::sleep(Duration::from_secs(60));
            let now = AT.load(Relaxed);
            if now == u64::MAX {
                return;
            }
            if now == before {
                eprintln!("{name}: seed {now} takes more than a minute");
                std::process::abort();
            }
            before = now;
        }
    });
    for seed in first..first + count {
        AT.store(seed, Relaxed);
        let outcome = catch_unwind(AssertUnwindSafe(|| attempt(&mut Random::new(seed))));
        assert!(outcome.is_ok(), "{what}: KANZEN_SEED={seed} KANZEN_TRIES=1 shows it");
    }
    AT.store(u64::MAX, Relaxed);
    eprintln!("{what}: {count} tried");
}

/// A game with few positions for the engine of Ostle.
static SMALL_OSTLE: Entry = Entry::new(
    "small-ostle",
    Words::same("Ostle with two pieces"),
    Words::same("Ostle with one or two pieces a side."),
    |options| {
        let game = Ostle::new(1, 3, Undo::Exact);
        Box::new(TwoPlayer::with_engine(game, Barred, Ostle::INDEX_VERSION, options))
    },
);

/// The games of the program, and small ones for engines that have only large games.
fn registry() -> Registry {
    kanzen::games::all().entries().chain([&SMALL_OSTLE]).collect()
}

/// A small game of every engine: its name and options.
const SMALL: [(&str, &[&str]); 6] = [
    ("mutorere", &[]),
    ("simpei", &["pieces=2"]),
    ("tictactoe", &[]),
    ("three-mens-morris", &[]),
    ("small-ostle", &[]),
    ("threerow", &["rows=3", "columns=3"]),
];

fn build((name, options): (&str, &[&str])) -> Box<dyn AnyGame> {
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    registry().find(name).unwrap().build(&options).unwrap()
}

/// Solves a game here and now.
fn solve(game: &dyn AnyGame, dir: &Path) -> Box<dyn AnySolved> {
    game.solve(dir, None, &Job { threads: 1, ..Job::default() }).unwrap();
    game.open(dir).unwrap()
}

/// The tests are run with overflow checks: a number that wraps is a panic here.
#[test]
fn overflow_is_noticed() {
    let most = std::hint::black_box(u8::MAX);
    assert!(catch_unwind(|| most + std::hint::black_box(1)).is_err());
}

/// The program with the games of [`registry`]: this process, if it is told so by [`program`].
#[test]
fn as_program() {
    if let Some(arguments) = std::env::var_os("KANZEN_ARGUMENTS") {
        let arguments = arguments.into_string().unwrap();
        let arguments = arguments.split('\n').map(OsString::from);
        let code =
            kanzen::run(&registry(), [OsString::from("kanzen")].into_iter().chain(arguments));
        // The status has no number to look at, but success is known.
        std::process::exit(i32::from(code != std::process::ExitCode::SUCCESS));
    }
}

/// The program; another process is one with the games of [`registry`].
fn program(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = if arguments.contains(&SMALL_OSTLE.name) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "as_program", "--nocapture"]);
        command.env("KANZEN_ARGUMENTS", arguments.join("\n"));
        command
    } else {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kanzen"));
        command.args(arguments);
        command
    };
    command.env("KANZEN_DIR", dir).stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    command
}

/// A directory that costs no writes to a disk, where there is such a thing.
fn scratch() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    dir.unwrap()
}

/// All files of a directory and of those in it, with their names from there on.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
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
fn pick<'a, T>(random: &mut Random, from: &'a [T]) -> &'a T {
    &from[random.below(from.len() as u64) as usize]
}

/// Changes bytes as damage and fuzzers do: bits, bytes, runs, cuts, pieces of elsewhere.
fn damage(random: &mut Random, bytes: &mut Vec<u8>) {
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
