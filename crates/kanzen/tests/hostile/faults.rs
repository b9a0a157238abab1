//! Disks that fail, are full or read-only, and too little memory.

use crate::{files, program, scratch, tries};
use kanzen::analyse::Random;
use std::path::Path;
use std::process::{Command, Output};

fn run(dir: &Path, arguments: &[&str]) -> Output {
    program(dir, arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!error.contains("panicked"), "{error}");
    error
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// A solve of each engine with few calls, and its table.
const SOLVES: [(&[&str], &str); 5] = [
    (&["solve", "mutorere"], "mutorere.kanzen"),
    (&["solve", "three-mens-morris"], "three-mens-morris.kanzen"),
    (&["solve", "small-ostle"], "small-ostle.kanzen"),
    (&["solve", "threerow", "-o", "rows=3", "-o", "columns=3"], "threerow-columns-3-rows-3.kanzen"),
    (&["solve", "musashi25"], "musashi25.kanzen"),
];

/// Calls of the file system, and what can go wrong with each.
const CALLS: [(&str, &[&str]); 9] = [
    ("openat", &["EMFILE", "EROFS"]),
    ("write", &["ENOSPC", "EDQUOT"]),
    ("fsync", &["EIO"]),
    ("fdatasync", &["EIO"]),
    ("rename", &["EIO"]),
    ("unlink", &["EIO"]),
    ("mkdir", &["ENOSPC"]),
    ("flock", &["EIO"]),
    ("lseek", &["EIO"]),
];

/// A solve under `strace`, which traces some calls, may do more to them, and tells what it saw.
fn traced(dir: &Path, solve: &[&str], calls: &str, plan: Option<&str>) -> (Output, String) {
    let trace = dir.join("trace");
    let real = program(dir, &[solve, &["--threads", "1", "--checkpoint", "0"]].concat());
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e"]).arg(format!("trace={calls}"));
    strace.args(plan.into_iter().flat_map(|plan| ["-e", plan]));
    strace.arg("-o").arg(&trace).arg(real.get_program()).args(real.get_args());
    strace.envs(real.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = strace.output().unwrap();
    (output, std::fs::read_to_string(&trace).unwrap_or_default())
}

/// An error, and the end of the process, at every call of the file system; at some of them, if there is no time for all.
#[test]
fn an_error_at_any_call_is_told_and_the_next_solve_is_right() {
    if !has("strace") {
        eprintln!("skipped: there is no strace");
        return;
    }
    let most = tries(240).div_ceil(SOLVES.len() as u64);
    let mut faults = 0;
    for (solve, table) in SOLVES {
        let reference = scratch();
        let all = CALLS.map(|(call, _)| call).join(",");
        let (output, trace) = traced(reference.path(), solve, &all, None);
        assert!(output.status.success(), "{}", said(&output));
        let expected = std::fs::read(reference.path().join(table)).unwrap();
        let mut plans = Vec::new();
        for (call, errors) in CALLS {
            let happens = trace.matches(&format!(" {call}(")).count();
            let ends = errors.iter().map(|error| format!("error={error}"));
            let ends: Vec<String> = ends.chain(["signal=KILL".to_owned()]).collect();
            for at in 1..=happens {
                plans.extend(
                    ends.iter().map(|end| (call, format!("inject={call}:{end}:when={at}"))),
                );
            }
        }
        // A plan may come to nothing, as each thread counts its own calls.
        let (before, planned) = (faults, plans.len());
        let mut random = Random::new(1);
        while faults - before < most && !plans.is_empty() {
            let (call, plan) = plans.swap_remove(random.below(plans.len() as u64) as usize);
            let dir = scratch();
            let (output, hit) = traced(dir.path(), solve, call, Some(&plan));
            let dead = hit.contains("killed by SIGKILL");
            if !dead && !hit.contains("INJECTED") {
                continue;
            }
            faults += 1;
            let told = said(&output);
            // The message itself may be what cannot be written.
            let silent = told.is_empty() && call != "write";
            assert!(output.status.success() || dead || !silent, "{plan}: silent");
            let after = run(dir.path(), solve);
            assert!(after.status.success(), "{plan}: {}", said(&after));
            let found = std::fs::read(dir.path().join(table)).unwrap();
            assert!(found == expected, "{plan}: another table");
        }
        eprintln!("{}: {} of {planned} faults", solve[1], faults - before);
        assert!(faults > before, "{}: nothing went wrong", solve[1]);
    }
    assert!(faults > 50, "{faults}");
}

/// A small disk in memory, gone with this value.
struct Disk(tempfile::TempDir);

impl Disk {
    /// None where one may not make disks.
    fn new(options: &str) -> Option<Disk> {
        let dir = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(dir.path());
        let made = mount.output().is_ok_and(|output| output.status.success());
        if !made {
            eprintln!("skipped: this needs the right to mount a disk");
        }
        made.then_some(Disk(dir))
    }

    fn change(&self, options: &str) {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,{options}")]).arg(self.0.path());
        assert!(mount.status().unwrap().success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_or_read_only_disk_is_told_and_the_old_table_stays() {
    const SOLVE: [&str; 4] = ["solve", "simpei", "-o", "pieces=3"];
    const AGAIN: [&str; 5] = ["solve", "simpei", "-o", "pieces=3", "--again"];
    const TABLE: &str = "simpei-pieces-3.kanzen";
    let reference = scratch();
    assert!(run(reference.path(), &SOLVE).status.success());
    let expected = std::fs::read(reference.path().join(TABLE)).unwrap();
    // From room for nothing to room for all but the last page: the table beside its checkpoint.
    let Some(disk) = Disk::new("size=64m") else { return };
    let dir = disk.0.path();
    assert!(run(dir, &SOLVE).status.success());
    let ballast = dir.join("ballast");
    let mut refused = 0;
    for free in [0, 1, 2, 8, 32, 128, 512, 1024, 2048] {
        let _ = std::fs::remove_file(&ballast);
        disk.change(&format!("size={}k", 64 << 10));
        let used: u64 = files(dir).values().map(|bytes| (bytes.len() as u64).div_ceil(4096)).sum();
        disk.change(&format!("size={}k", 4 * (used + free + 1)));
        let output = run(dir, &AGAIN);
        if !output.status.success() {
            refused += 1;
            let told = said(&output);
            assert!(told.contains("No space left"), "{free} pages: {told}");
        }
        assert!(std::fs::read(dir.join(TABLE)).unwrap() == expected, "{free} pages");
    }
    assert!(refused > 3, "{refused}");
    disk.change(&format!("size={}k", 64 << 10));
    assert!(run(dir, &SOLVE).status.success());
    disk.change("ro");
    let output = run(dir, &AGAIN);
    assert!(!output.status.success() && said(&output).contains("Read-only"));
    assert!(run(dir, &SOLVE).status.success(), "solved already");
    assert!(run(dir, &["probe", "simpei", "-o", "pieces=3"]).status.success());
    disk.change("rw");
}

/// With ever less memory a solve succeeds or says what is missing.
#[test]
fn too_little_memory_is_told() {
    let (mut told, mut solved) = (0, 0);
    for megabytes in [20, 40, 80, 120, 200, 1000] {
        let dir = scratch();
        let run = |arguments: &[&str]| {
            let real = program(dir.path(), arguments);
            let limited = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes << 10);
            let mut limit = Command::new("sh");
            limit.args(["-c", &limited]).arg(real.get_program()).args(real.get_args());
            limit.env("KANZEN_DIR", dir.path()).output().unwrap()
        };
        // With less than this the system cannot even load the program.
        if !run(&["--version"]).status.success() {
            continue;
        }
        for game in [&["simpei", "-o", "pieces=3"][..], &["musashi25"]] {
            let output = run(&[&["solve", "--threads", "2"], game].concat());
            let error = said(&output);
            if output.status.success() {
                solved += 1;
                continue;
            }
            told += 1;
            assert!(output.status.code().is_some(), "{megabytes} MB: {}: {error}", output.status);
            assert!(error.contains("memory") || error.contains("threads"), "{megabytes}: {error}");
        }
    }
    eprintln!("{told} told, {solved} solved");
    assert!(told > 0 && solved > 0);
}

/// A server with ever less memory answers, or ends and says why. The program itself takes 33 megabytes, without which
/// the system does not begin it.
#[test]
fn a_server_with_too_little_memory_says_so() {
    for megabytes in [40, 60, 200, 1000] {
        let dir = scratch();
        let real = program(dir.path(), &["serve", "--port", "0"]);
        let limited =
            format!("ulimit -v {}; exec timeout -s INT -k 10 2 \"$0\" \"$@\"", megabytes << 10);
        let mut limit = Command::new("sh");
        limit.args(["-c", &limited]).arg(real.get_program()).args(real.get_args());
        let output = limit.env("KANZEN_DIR", dir.path()).output().unwrap();
        let listened = String::from_utf8_lossy(&output.stdout).contains("Kanzen is at http");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        eprintln!("{megabytes} MB: {}", if listened { "it listens" } else { error.trim() });
        assert!(listened || !error.is_empty(), "{megabytes} MB: {}", output.status);
        assert!(!error.contains("panicked"), "{megabytes} MB: {error}");
    }
}
