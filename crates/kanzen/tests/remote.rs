//! Tables by address: read by ranges and fetched whole, from good servers and from bad ones.

mod common;

use common::{Files, Ranges};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;
use tempfile::TempDir;

fn kanzen(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kanzen"))
        .env("KANZEN_DIR", dir)
        .args(arguments)
        .output()
        .unwrap()
}

fn says(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What is said when something goes wrong.
fn complains(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr.clone()).unwrap()
}

const SIMPEI: [&str; 2] = ["-o", "pieces=3"];

/// Solved games, and the folder that is published of them.
static SOLVED: LazyLock<TempDir> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    says(&kanzen(dir.path(), &["solve", "simpei", SIMPEI[0], SIMPEI[1]]));
    says(&kanzen(dir.path(), &["solve", "tictactoe"]));
    let folder = dir.path().join("published");
    says(&kanzen(dir.path(), &["export", "tables", folder.to_str().unwrap()]));
    dir
});

/// A published folder that a test may spoil, and its server.
fn published() -> (TempDir, Files) {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(SOLVED.path().join("published")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let files = Files::serve(folder.path());
    (folder, files)
}

const TABLE: &str = "simpei-pieces-3.kanzen";

#[test]
fn probes_by_ranges_are_those_of_the_file() {
    let (_folder, files) = published();
    let far = tempfile::tempdir().unwrap();
    let url = files.url();
    let solved = SOLVED.path();
    let mut positions = vec![None];
    let line = says(&kanzen(solved, &["line", "simpei", SIMPEI[0], SIMPEI[1], "--json"]));
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    let moves = line["moves"].as_array().unwrap();
    positions.extend(moves.iter().map(|mv| mv["position"].as_str().map(str::to_owned)));
    for (number, position) in positions.iter().enumerate() {
        let mut arguments = vec!["probe", "simpei", SIMPEI[0], SIMPEI[1], "--json"];
        arguments.extend(position.as_deref());
        let near = says(&kanzen(solved, &arguments));
        arguments.extend(["--from", &url]);
        files.traffic();
        assert_eq!(says(&kanzen(far.path(), &arguments)), near);
        let (requests, bytes) = files.traffic();
        assert!(requests <= 12, "{requests} requests");
        let length = fs::metadata(solved.join(TABLE)).unwrap().len();
        assert!(number > 0 || bytes < length, "{bytes} of {length} bytes");
        // Again: the list and the header, to be sure that the table is still the same.
        assert_eq!(says(&kanzen(far.path(), &arguments)), near);
        assert_eq!(files.traffic().0, 2);
    }
    // Servers that know single ranges only take more requests for the same answer.
    files.know(Ranges::One);
    let other = tempfile::tempdir().unwrap();
    let arguments = ["probe", "simpei", SIMPEI[0], SIMPEI[1], "--json"];
    let near = says(&kanzen(solved, &arguments));
    let arguments = [&arguments[..], &["--from", &url]].concat();
    assert_eq!(says(&kanzen(other.path(), &arguments)), near);
    // A whole line, and a game by rules alone, whose keys come along.
    for arguments in [
        &["line", "simpei", SIMPEI[0], SIMPEI[1], "--json"][..],
        &["probe", "tictactoe", "--json"],
        &["line", "tictactoe", "--json"],
    ] {
        let near = says(&kanzen(solved, arguments));
        let arguments = [arguments, &["--from", &url]].concat();
        assert_eq!(says(&kanzen(far.path(), &arguments)), near);
    }
}

#[test]
fn a_wrong_remote_table_is_told_and_never_answers() {
    let (folder, files) = published();
    let url = files.url();
    let path = folder.path().join(TABLE);
    let good = fs::read(&path).unwrap();
    let probe = || {
        // Nothing is kept from one try to the next.
        let far = tempfile::tempdir().unwrap();
        let arguments = ["probe", "simpei", SIMPEI[0], SIMPEI[1], "--from", &url];
        kanzen(far.path(), &arguments)
    };
    says(&probe());
    // A server that sends whole files only.
    files.know(Ranges::None);
    let said = complains(&probe());
    assert!(said.contains("does not answer requests for a part of a file"), "{said}");
    files.know(Ranges::Many);
    // Shorter, longer, another header, gone.
    fs::write(&path, &good[..good.len() - 1]).unwrap();
    assert!(complains(&probe()).contains("bytes and should have"));
    fs::write(&path, [&good[..], b"!"].concat()).unwrap();
    assert!(complains(&probe()).contains("bytes and should have"));
    let mut other = good.clone();
    other[50] ^= 1;
    fs::write(&path, &other).unwrap();
    assert!(complains(&probe()).contains("it begins differently"));
    fs::remove_file(&path).unwrap();
    assert!(complains(&probe()).contains("it is not there any more"));
    // Every byte behind the header that a probe reads is covered by a checksum or by sense: one that
    // is flipped anywhere gives the same answer, because it was not read, or a complaint.
    fs::write(&path, &good).unwrap();
    let right = says(&probe());
    let mut complaints = 0;
    for at in (64..good.len()).step_by(good.len() / 40) {
        let mut other = good.clone();
        other[at] ^= 0x10;
        fs::write(&path, &other).unwrap();
        let output = probe();
        if output.status.success() {
            assert_eq!(String::from_utf8(output.stdout).unwrap(), right, "byte {at}");
        } else {
            complaints += 1;
        }
    }
    assert!(complaints > 0);
    // A list that is none, none at all, no such table, no server, no address.
    fs::write(folder.path().join("index.json"), "<html>").unwrap();
    assert!(complains(&probe()).contains("not an index of tables"));
    fs::remove_file(folder.path().join("index.json")).unwrap();
    assert!(complains(&probe()).contains("'kanzen export tables' writes one"));
    let (_folder, others) = published();
    let far = tempfile::tempdir().unwrap();
    let output = kanzen(far.path(), &["probe", "ostle", "-o", "pieces=8", "--from", &others.url()]);
    let said = complains(&output);
    assert!(said.contains("there is no table ostle-pieces-8.kanzen"), "{said}");
    assert!(said.contains(TABLE), "{said}");
    others.stop();
    let output = kanzen(far.path(), &["probe", "simpei", "--from", &others.url()]);
    assert!(complains(&output).contains(&others.url()));
    let output = kanzen(far.path(), &["probe", "simpei", "--from", "ftp://x"]);
    assert!(complains(&output).contains("http:// or https://"));
}

#[test]
fn a_table_is_fetched_whole_goes_on_after_a_break_and_is_checked() {
    let (folder, files) = published();
    let url = files.url();
    let far = tempfile::tempdir().unwrap();
    let get = || kanzen(far.path(), &["get", "simpei", SIMPEI[0], SIMPEI[1], "--from", &url]);
    let good = fs::read(folder.path().join(TABLE)).unwrap();
    // The connection breaks; the list is short and comes through.
    let cut = (good.len() / 2) as u64;
    let list = fs::metadata(folder.path().join("index.json")).unwrap().len();
    assert!(list < cut, "{list} {cut}");
    files.cut(cut);
    assert!(complains(&get()).contains("the same command goes on from here"));
    assert!(!far.path().join(TABLE).exists());
    files.cut(u64::MAX);
    files.asked();
    says(&get());
    let asked = files.asked();
    assert!(asked.iter().any(|line| line.starts_with(&format!("/{TABLE} {cut}-"))), "{asked:?}");
    assert_eq!(fs::read(far.path().join(TABLE)).unwrap(), good);
    assert_eq!(fs::read_dir(far.path()).unwrap().count(), 1, "no rest is left");
    let value = says(&kanzen(far.path(), &["probe", "simpei", SIMPEI[0], SIMPEI[1]]));
    assert_eq!(value, says(&kanzen(SOLVED.path(), &["probe", "simpei", SIMPEI[0], SIMPEI[1]])));
    // A server without ranges begins anew, and it is whole all the same.
    fs::remove_file(far.path().join(TABLE)).unwrap();
    files.cut(cut);
    complains(&get());
    files.cut(u64::MAX);
    files.know(Ranges::None);
    says(&get());
    assert_eq!(fs::read(far.path().join(TABLE)).unwrap(), good);
    // Other bytes of the same length are not taken.
    fs::remove_file(far.path().join(TABLE)).unwrap();
    let mut other = good.clone();
    other[100] ^= 1;
    fs::write(folder.path().join(TABLE), other).unwrap();
    assert!(complains(&get()).contains("another hash"));
    assert_eq!(fs::read_dir(far.path()).unwrap().count(), 0, "nothing is left");
}

#[test]
fn a_served_explorer_reads_from_afar() {
    use std::io::{BufRead, BufReader, Read, Write};
    let (_folder, files) = published();
    let far = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kanzen"))
        .env("KANZEN_DIR", far.path())
        .args(["serve", "--port", "0", "--from", &files.url()])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let get = |path: &str| {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        String::from_utf8_lossy(&reply).into_owned()
    };
    let near = says(&kanzen(SOLVED.path(), &["probe", "simpei", SIMPEI[0], SIMPEI[1], "--json"]));
    let near: serde_json::Value = serde_json::from_str(&near).unwrap();
    let page = get("/api/v1/simpei?o=pieces=3");
    let body: serde_json::Value =
        serde_json::from_str(page.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(body["moves"], near["moves"]);
    assert!(
        get("/simpei?o=pieces=3")
            .contains("og:image\" content=\"http://x/api/v1/simpei/board.png?")
    );
    assert!(get("/ostle").starts_with("HTTP/1.1 200"), "a game without a table shows its rules");
    child.kill().unwrap();
    child.wait().unwrap();
}
