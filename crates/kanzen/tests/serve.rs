//! The server and the game in the terminal, as their users start them.

use assert_cmd::Command;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A server that runs on a port of its own.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(dir: &Path, arguments: &[&str]) -> Server {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kanzen"))
            .env("KANZEN_DIR", dir)
            .args(["serve", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        Server { child, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    /// Interrupts it, and waits for its end.
    fn stop(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
        self.child.wait().unwrap().code()
    }
}

#[test]
fn serve_solves_quick_games_in_the_background_and_stops_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(dir.path(), &["--solve", "quick"]);
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    let start = Instant::now();
    // The quickest game comes first; while others are solved, it can be looked at.
    while !server.get("/api/v1/mutorere").starts_with("HTTP/1.1 200") {
        assert!(start.elapsed() < Duration::from_secs(60), "mutorere is not solved");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(server.get("/mutorere").contains("It is a draw"));
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn clients_that_say_nothing_do_not_keep_others_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(dir.path(), &[]);
    let silent: Vec<TcpStream> = (0..300)
        .map(|number| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            if number % 2 == 0 {
                stream.write_all(b"GET / HT").unwrap();
            }
            stream
        })
        .collect();
    let start = Instant::now();
    assert!(server.get("/api/v1/games").starts_with("HTTP/1.1 200"));
    assert!(start.elapsed() < Duration::from_secs(5));
    drop(silent);
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_port_in_use_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_kanzen"))
        .env("KANZEN_DIR", dir.path())
        .args(["serve", "--port", &port])
        .assert()
        .failure();
    let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(error.contains(&port), "{error}");
}

#[test]
fn play_in_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let kanzen = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kanzen"));
        command.env("KANZEN_DIR", dir.path()).args(arguments);
        command
    };
    kanzen(&["solve", "mutorere"]).assert().success();
    let play = |arguments: &[&str], input: &str| {
        let arguments = [&["play", "mutorere"], arguments].concat();
        let output = kanzen(&arguments).write_stdin(input).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let game = play(&["--against", "perfect"], "moves\nhint\n0-8\nback\nnonsense\n1\nquit\n");
    assert!(game.contains("   1  0-8") && game.contains("draw"), "{game}");
    assert!(game.contains("2. "), "the opponent has answered: {game}");
    assert!(game.contains("'nonsense' is not a move here"), "{game}");
    let second = play(&["--side", "2", "--against", "trickster"], "");
    assert!(second.contains("1. "), "the opponent begins: {second}");
    let unknown = kanzen(&["play", "mutorere", "--against", "god"]).assert().failure();
    let error = String::from_utf8_lossy(&unknown.get_output().stderr).into_owned();
    assert!(error.contains("trickster"), "{error}");
}

/// The request of a batch of the hardest positions: empty boards on which everything is searched.
fn batch(positions: usize) -> String {
    let board = "...../...../...../...../.....";
    let body = serde_json::json!({ "positions": vec![board; positions] }).to_string();
    format!(
        "POST /api/v1/threerow/batch?o=rows%3D5&o=columns%3D5 HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn an_attacker_does_not_shut_others_out() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(dir.path(), &[]);
    let mut attackers = Vec::new();
    for number in 0..600 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let request = match number % 3 {
            // Asks for much, and reads nothing.
            0 => "GET /assets/0/kanzen.css HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50),
            // Much work; whoever asked goes away after a while.
            1 => batch(1000),
            _ => "GET /".to_owned(),
        };
        // The server may have closed it to make room.
        let _ = stream.set_write_timeout(Some(Duration::from_millis(200)));
        let _ = stream.write_all(request.as_bytes());
        attackers.push(stream);
        if number % 50 == 0 {
            let start = Instant::now();
            assert!(server.get("/api/v1/games").starts_with("HTTP/1.1 200"), "after {number}");
            assert!(start.elapsed() < Duration::from_secs(5), "after {number}");
        }
    }
    drop(attackers);
    let start = Instant::now();
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(server.stop(), Some(0));
}
