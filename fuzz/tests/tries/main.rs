//! What an attacker can send, tried as often as `KANZEN_TRIES` says, else a few times, and from a seed that a failure names
//! (`KANZEN_SEED`). `./test long` tries more often by some orders of magnitude.

mod checkpoints;
mod corpus;
mod tables;
mod words;

use kanzen::analyse::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

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

/// Tries something with every seed; none may panic, or take longer than minutes. (What takes one may take
/// several where others work too.)
fn try_all(what: &str, count: u64, mut attempt: impl FnMut(&mut Random)) {
    static AT: AtomicU64 = AtomicU64::new(u64::MAX);
    let first = std::env::var("KANZEN_SEED").map_or(0, |seed| seed.parse().unwrap());
    let name = what.to_owned();
    std::thread::spawn(move || {
        let mut before = u64::MAX;
        loop {
            std::thread::sleep(Duration::from_secs(300));
            let now = AT.load(Relaxed);
            if now == u64::MAX {
                return;
            }
            if now == before {
                eprintln!("{name}: seed {now} takes more than five minutes");
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
