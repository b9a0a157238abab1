//! The server and the game in the terminal, as their users start them.

use assert_cmd::Command;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
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
        self.try_get(path).unwrap()
    }

    fn try_get(&self, path: &str) -> std::io::Result<String> {
        Server::ask(TcpStream::connect(&self.address)?, path)
    }

    /// The same as somebody at another address.
    #[cfg(target_os = "linux")]
    fn try_get_from(&self, address: &str, path: &str) -> std::io::Result<String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let connected = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind(format!("{address}:0").parse().unwrap())?;
            socket.connect(self.address.parse().unwrap()).await?.into_std()
        });
        let stream = connected?;
        stream.set_nonblocking(false)?;
        Server::ask(stream, path)
    }

    fn ask(mut stream: TcpStream, path: &str) -> std::io::Result<String> {
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply)?;
        Ok(reply)
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

/// What a process holds: kilobytes of memory, threads, open files.
#[cfg(target_os = "linux")]
fn holds(id: u32) -> [u64; 3] {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let number = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    let files = std::fs::read_dir(format!("/proc/{id}/fd")).unwrap().count() as u64;
    [number("VmRSS:"), number("Threads:"), files]
}

/// What an attacker does: how many connections it has, and what it sends over each of them.
#[cfg(target_os = "linux")]
type Attack = (&'static str, usize, fn(usize) -> String);

#[cfg(target_os = "linux")]
const ATTACKS: [Attack; 2] = [
    ("2,000 connections and unlimited batches", 2000, |number| match number % 4 {
        0 => much_to_read(),
        1 => batch(1000),
        2 => format!("GET /mutorere/puzzle?seed={number}"),
        _ => "\r\n\0garbage\r\n\r\n".to_owned(),
    }),
    ("1,030 that ask for much and do not read", 1030, |_| much_to_read()),
];

#[cfg(target_os = "linux")]
fn much_to_read() -> String {
    "GET /assets/0/kanzen.css HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20)
}

/// Sends over all connections again and again and reads nothing; a connection that was closed is made anew at once.
/// Returns how much it sent.
#[cfg(target_os = "linux")]
fn attack(address: &str, requests: &[String], stop: &AtomicBool) -> u64 {
    let mut streams: Vec<Option<TcpStream>> = requests.iter().map(|_| None).collect();
    for count in 0.. {
        let number = count as usize % requests.len();
        let stream = &mut streams[number];
        let request = requests[number].as_bytes();
        if stream.as_mut().is_none_or(|stream| stream.write_all(request).is_err()) {
            *stream = TcpStream::connect(address).ok();
            if let Some(stream) = stream {
                let _ = stream.set_write_timeout(Some(Duration::from_millis(50)));
            }
        }
        if stop.load(Relaxed) {
            return count;
        }
    }
    unreachable!("it is stopped")
}

/// The time that a share of all took at the most.
#[cfg(target_os = "linux")]
fn at(share: f64, times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize]
}

/// One attacker does what it can, for some seconds or as many as `KANZEN_SOAK` says; somebody at another address asks
/// for positions all the while. Then the server gives back what was taken.
#[cfg(target_os = "linux")]
#[test]
fn a_well_behaved_client_is_answered_soon_while_another_attacks() {
    const PAUSE: Duration = Duration::from_millis(10);
    let seconds = std::env::var("KANZEN_SOAK").map_or(5, |seconds| seconds.parse().unwrap());
    let dir = tempfile::tempdir().unwrap();
    kanzen_in(dir.path(), &["solve", "mutorere"]);
    let server = Server::start(dir.path(), &["--log", "off"]);
    assert!(server.get("/mutorere").starts_with("HTTP/1.1 200"));
    std::thread::sleep(Duration::from_secs(2));
    let before = holds(server.child.id());
    for (name, connections, request) in ATTACKS {
        let stop = AtomicBool::new(false);
        let requests: Vec<String> = (0..connections).map(request).collect();
        // How long answers took, and how much later than asked for the machine woke this thread.
        let (mut times, mut late, mut closed) = (Vec::new(), Vec::new(), 0);
        let (wrong, hostile) = std::thread::scope(|scope| {
            let (address, stop) = (&server.address, &stop);
            let half = |part| scope.spawn(move || attack(address, part, stop));
            let attackers: Vec<_> = requests.chunks(connections / 2).map(half).collect();
            let end = Instant::now() + Duration::from_secs(seconds);
            let mut wrong = None;
            while Instant::now() < end && wrong.is_none() {
                // A page that nobody has asked for before, so that it is worked out and rendered.
                let fresh = format!("/mutorere?line=0-8&fresh={connections}-{}", times.len());
                let start = Instant::now();
                match server.try_get_from("127.0.0.2", &fresh).unwrap_or_default() {
                    reply if reply.is_empty() => closed += 1,
                    reply if reply.starts_with("HTTP/1.1 200") => {}
                    reply => wrong = Some(reply),
                }
                times.push(start.elapsed());
                let start = Instant::now();
                std::thread::sleep(PAUSE);
                late.push(start.elapsed().saturating_sub(PAUSE));
            }
            stop.store(true, Relaxed);
            (wrong, attackers.into_iter().map(|attacker| attacker.join().unwrap()).sum::<u64>())
        });
        assert_eq!(wrong, None, "{name}");
        assert!(20 * closed <= times.len(), "{name}: {closed} of {} were closed", times.len());
        let [median, p99, most] = [0.5, 0.99, 1.0].map(|share| at(share, &mut times));
        let late = at(0.99, &mut late);
        eprintln!(
            "{name}: {} requests beside {hostile} hostile ones: median {median:?}, p99 {p99:?}, most {most:?}; \
             the machine is late by {late:?}",
            times.len()
        );
        // An answer passes through a dozen threads, each of which is late where the machine is busy with other things.
        assert!(p99 < Duration::from_millis(200) + 12 * late, "{name}: p99 {p99:?}");
    }
    // What was taken is given back.
    let start = Instant::now();
    loop {
        let after = holds(server.child.id());
        let more = |what: usize| after[what].saturating_sub(before[what]);
        if more(0) < 200 << 10 && more(1) <= 24 && more(2) <= 16 {
            eprintln!("memory (KB), threads and files: {before:?} before, {after:?} after");
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{before:?} became {after:?}");
        std::thread::sleep(Duration::from_millis(500));
    }
    assert_eq!(server.stop(), Some(0));
}

/// Runs the program to its end.
fn kanzen_in(dir: &Path, arguments: &[&str]) {
    Command::new(env!("CARGO_BIN_EXE_kanzen"))
        .env("KANZEN_DIR", dir)
        .args(arguments)
        .assert()
        .success();
}

/// What is no request is refused with the header that other answers have; a server with little memory
/// says what it lacks it for.
#[test]
fn refusals_are_guarded_and_memory_is_bounded() {
    let dir = tempfile::tempdir().unwrap();
    kanzen_in(dir.path(), &["solve", "simpei", "-o", "pieces=3"]);
    let server = Server::start(dir.path(), &["--memory", "1M", "--log", "off"]);
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    for (request, status) in [("nonsense\r\n\r\n", "400"), (&*long, "431")] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let _ = stream.write_all(request.as_bytes());
        let mut reply = vec![0; 1000];
        let count = stream.read(&mut reply).unwrap();
        let reply = String::from_utf8_lossy(&reply[..count]).to_lowercase();
        assert!(reply.starts_with(&format!("http/1.1 {status}")), "{reply}");
        assert!(reply.contains("\r\nx-content-type-options: nosniff\r\n"), "{reply}");
    }
    let all = server.get("/api/v1/simpei/find?o=pieces%3D3&kind=cycles");
    assert!(all.starts_with("HTTP/1.1 503") && all.contains("memory"), "{all}");
    assert!(server.get("/api/v1/simpei?o=pieces%3D3").starts_with("HTTP/1.1 200"));
    assert_eq!(server.stop(), Some(0));
}
