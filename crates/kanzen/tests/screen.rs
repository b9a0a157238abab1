//! The full-screen form in a real terminal: the program runs at one end of a pseudo-terminal, and what
//! it writes is read as a terminal would show it.
#![cfg(unix)]

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long to wait for what must come.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program in a terminal.
struct Session {
    child: Child,
    keyboard: File,
    /// The program's end, which is kept open so that its modes can be asked for after the program.
    line: OwnedFd,
    before: Termios,
    shown: Arc<Mutex<vt100::Parser>>,
}

fn size(columns: u16, lines: u16) -> Winsize {
    Winsize { ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

/// The program with a data directory of its own.
fn kanzen(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kanzen"));
    command.env("KANZEN_DIR", dir).env("TERM", "xterm-256color").env_remove("NO_COLOR");
    command.args(arguments);
    command
}

fn solved(game: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let status = kanzen(dir.path(), &["solve", game]).stdout(Stdio::null()).status().unwrap();
    assert!(status.success());
    dir
}

/// A terminal of 80 columns and 24 lines: the end of the one who sits there, and the program's.
fn terminal() -> (OwnedFd, OwnedFd) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    // A program that had this end, too, would keep the terminal open for itself.
    fcntl_setfd(&master, FdFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    tcsetwinsize(&master, size(80, 24)).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let line = File::options().read(true).write(true).open(name).unwrap();
    (master, line.into())
}

/// Nobody has to send a signal: a program that goes on would keep a core busy for ever.
#[test]
fn a_terminal_that_is_closed_ends_the_program() {
    let dir = solved("mutorere");
    let (master, line) = terminal();
    let end = || Stdio::from(line.try_clone().unwrap());
    let mut command = kanzen(dir.path(), &["probe", "mutorere"]);
    let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    drop((command, line));
    let mut seen = File::from(master);
    assert!(seen.read(&mut [0; 64]).unwrap() > 0, "it has begun");
    drop(seen);
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < PATIENCE, "it goes on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Session {
    /// Starts a command in a terminal of 80 columns and 24 lines.
    fn start(command: Command) -> Session {
        Session::with_input(command, None)
    }

    /// The same, with an input that is no terminal.
    fn with_input(mut command: Command, input: Option<Stdio>) -> Session {
        let (master, line) = terminal();
        let end = || Stdio::from(line.try_clone().unwrap());
        let before = tcgetattr(&line).unwrap();
        command.stdin(input.unwrap_or_else(end)).stdout(end()).stderr(end());
        let child = command.spawn().unwrap();
        let shown = Arc::new(Mutex::new(vt100::Parser::new(24, 80, 0)));
        let keyboard = File::from(master);
        let (mut output, reader) = (keyboard.try_clone().unwrap(), Arc::clone(&shown));
        // It ends with the terminal.
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                reader.lock().unwrap().process(&bytes[..count]);
            }
        });
        Session { child, keyboard, line, before, shown }
    }

    fn text(&self) -> String {
        self.shown.lock().unwrap().screen().contents()
    }

    #[track_caller]
    fn wait_for(&self, part: &str) {
        let begun = Instant::now();
        while !self.text().contains(part) {
            assert!(begun.elapsed() < PATIENCE, "{part:?} does not come:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    fn is_full_screen(&self) -> bool {
        self.shown.lock().unwrap().screen().alternate_screen()
    }

    fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end, and checks that the terminal is as it was.
    #[track_caller]
    fn end(&mut self) -> ExitStatus {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(20));
        };
        let after = tcgetattr(&self.line).unwrap();
        assert_eq!(after.local_modes, self.before.local_modes);
        assert_eq!(after.input_modes, self.before.input_modes);
        assert_eq!(after.output_modes, self.before.output_modes);
        while self.is_full_screen() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(20));
        }
        let shown = self.shown.lock().unwrap();
        assert!(!shown.screen().alternate_screen(), "the screen is left");
        assert!(!shown.screen().hide_cursor(), "the cursor is back");
        status
    }
}

const DOWN: &str = "\x1b[B";
const ENTER: &str = "\r";

#[test]
fn a_game_is_played_and_the_terminal_is_given_back() {
    let dir = solved("tictactoe");
    let mut session = Session::start(kanzen(dir.path(), &["play", "tictactoe"]));
    session.wait_for("your move");
    assert!(session.is_full_screen());
    let raw = tcgetattr(&session.line).unwrap();
    assert_ne!(raw.local_modes, session.before.local_modes, "keys come one by one");
    session.press(DOWN);
    session.press(ENTER);
    session.wait_for("  2. ");
    session.press("?");
    session.wait_for("keys and signs");
    session.press("xq");
    assert_eq!(session.end().code(), Some(0));
}

#[test]
fn a_probe_follows_the_size_of_its_terminal() {
    let dir = solved("mutorere");
    let mut session = Session::start(kanzen(dir.path(), &["probe", "mutorere"]));
    session.wait_for("every move with its value");
    session.wait_for("q  quit");
    session.shown.lock().unwrap().screen_mut().set_size(10, 40);
    tcsetwinsize(&session.line, size(40, 10)).unwrap();
    session.send(Signal::WINCH);
    session.wait_for("This terminal has 40");
    session.press("q");
    assert_eq!(session.end().code(), Some(0));
}

#[test]
fn interrupts_give_the_terminal_back() {
    let dir = solved("tictactoe");
    let start = || {
        let session = Session::start(kanzen(dir.path(), &["play", "tictactoe"]));
        session.wait_for("your move");
        session
    };
    let mut session = start();
    session.press("\x03");
    assert_eq!(session.end().code(), Some(130));
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut session = start();
        session.send(signal);
        assert_eq!(session.end().code(), Some(130), "{signal:?}");
    }
}

#[test]
fn puzzles_are_solved_on_a_screen() {
    let dir = tempfile::tempdir().unwrap();
    let arguments = ["simpei", "-o", "pieces=3"];
    let solve = kanzen(dir.path(), &["solve"]).args(arguments).stdout(Stdio::null()).status();
    assert!(solve.unwrap().success());
    let mut command = kanzen(dir.path(), &["puzzles", "--count", "3"]);
    command.args(arguments);
    let mut session = Session::start(command);
    session.wait_for("puzzle 1 of 3");
    session.press("s");
    session.wait_for("Solution: ");
    session.press("n");
    session.wait_for("puzzle 2 of 3");
    session.press("q");
    assert_eq!(session.end().code(), Some(0));
}

#[test]
fn lines_are_printed_where_they_are_wanted() {
    let dir = solved("tictactoe");
    let probe = |arguments: &[&str]| {
        let mut command = kanzen(dir.path(), &["probe", "tictactoe"]);
        command.args(arguments);
        command
    };
    let mut dumb = probe(&[]);
    dumb.env("TERM", "dumb");
    for (command, expected) in [
        (probe(&["--plain"]), "draw in 9"),
        (probe(&["--json"]), "\"moves\":["),
        (dumb, "draw in 9"),
    ] {
        let mut session = Session::start(command);
        session.wait_for(expected);
        assert_eq!(session.end().code(), Some(0));
        assert!(!session.text().contains("q  quit"), "{}", session.text());
    }
    let play = kanzen(dir.path(), &["play", "tictactoe"]);
    let mut piped = Session::with_input(play, Some(Stdio::null()));
    piped.wait_for("write a move by name or number");
    assert_eq!(piped.end().code(), Some(0));
    let mut wrong = Session::start(probe(&["nonsense"]));
    wrong.wait_for("error:");
    assert_eq!(wrong.end().code(), Some(1));
}

#[test]
fn what_is_longer_than_the_terminal_goes_through_the_pager() {
    let dir = solved("tictactoe");
    let find = |kind: &str, pager: &str| {
        let mut command = kanzen(dir.path(), &["find", "tictactoe", kind]);
        command.env("PAGER", pager);
        Session::start(command)
    };
    let mut paged = find("survey", "sed s/^/paged:/");
    paged.wait_for("paged:");
    assert_eq!(paged.end().code(), Some(0));
    // Whoever has seen enough closes the pager.
    let mut closed = find("survey", "head -n 1");
    assert_eq!(closed.end().code(), Some(0));
    assert!(!closed.text().contains("error"), "{}", closed.text());
    // What fits is printed, and so is everything where there is no pager.
    for (kind, pager, last) in
        [("draws", "sed s/^/paged:/", "151"), ("survey", "no-pager-of-this-name", "OXXXO...O X")]
    {
        let mut printed = find(kind, pager);
        printed.wait_for(last);
        assert_eq!(printed.end().code(), Some(0));
        assert!(!printed.text().contains("paged:"), "{}", printed.text());
    }
}

#[test]
fn a_side_that_moves_again_is_asked_again() {
    let dir = tempfile::tempdir().unwrap();
    let graph = dir.path().join("again.txt");
    let text = "@start s\ns -> +a x\na -> c x\nc -> +e y\ne -> g y\ng -> z x\nx = win\ny = win\nz = loss\n";
    std::fs::write(&graph, text).unwrap();
    let with = |word: &str| {
        let mut command = kanzen(dir.path(), &[word, "--graph"]);
        command.arg(&graph);
        command
    };
    assert!(with("solve").stdout(Stdio::null()).status().unwrap().success());
    let mut session = Session::start(with("play"));
    session.wait_for("Blue to move: your move");
    session.press("/+a\r");
    session.wait_for("  1. ");
    session.wait_for("Blue to move: your move");
    session.press("/c\r");
    // The opponent has moved twice.
    session.wait_for("  4. ");
    session.wait_for("Blue to move: your move");
    session.press("/z\r");
    session.wait_for("Blue has won");
    session.press("q");
    assert_eq!(session.end().code(), Some(0));
}
