//! What a failing disk, a kill or too little memory can do, and what must not come of it: no panic, no table that
//! differs. Everything is tried as often as `KANZEN_TRIES` says, else a few times. What strangers may send is tried in the
//! folder `fuzz`.

mod faults;
mod kills;
mod power;

use kanzen_fuzz::{SMALL_OSTLE, files, pick, registry, scratch, tries};
use std::ffi::OsString;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Command, Stdio};

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
