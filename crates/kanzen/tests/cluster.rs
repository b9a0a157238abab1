//! Several processes: the same table, whatever happens to one of them.

use assert_cmd::Command;
use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn kanzen(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kanzen"));
    command.env("KANZEN_DIR", dir).args(arguments);
    command
}

fn stdout(dir: &Path, arguments: &[&str]) -> String {
    let output = kanzen(dir, arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

/// The table in a directory.
fn table(dir: &Path) -> Vec<u8> {
    let mut files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let table = files.find(|path| path.extension() == Some("kanzen".as_ref()));
    fs::read(table.expect("a table")).unwrap()
}

/// Solves a game by one, two and three processes.
fn solve_together(game: &[&str]) {
    let solves = ["1", "2", "3"].map(|processes| {
        let dir = tempfile::tempdir().unwrap();
        let more = ["--processes", processes, "--threads", "1"];
        let told = stdout(dir.path(), &[&["solve"], game, &more].concat());
        let (start, _) = told.split_once(';').expect("the value of the start comes first");
        (dir, start.to_owned())
    });
    let starts = solves.each_ref().map(|(_, start)| start);
    assert!(starts[0] == starts[1] && starts[0] == starts[2], "{starts:?}");
    let dirs = solves.each_ref().map(|(dir, _)| dir);
    let tables = dirs.each_ref().map(|dir| table(dir.path()));
    assert!(tables[0] == tables[1] && tables[0] == tables[2], "{game:?}");
    let left = fs::read_dir(dirs[1].path()).unwrap().map(|entry| entry.unwrap().path());
    assert!({ left }.all(|path| path.extension() != Some("checkpoint".as_ref())), "{game:?}");
}

#[test]
fn several_processes_make_the_same_table() {
    for game in [
        &["quixo", "-o", "size=3"][..],
        &["tictactoe", "-o", "goal=misere"],
        &["hare-and-hounds", "-o", "endless=hare"],
        &["mutorere"],
    ] {
        solve_together(game);
    }
}

#[test]
fn few_moves_lead_to_another_process() {
    let dir = tempfile::tempdir().unwrap();
    for (game, most) in [(&["doubutsu"][..], 0.2), (&["ostle", "-o", "pieces=8"], 0.25)] {
        let more = ["--estimate", "--processes", "2", "--threads", "1", "--json"];
        let told = stdout(dir.path(), &[&["solve"], game, &more].concat());
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        // Dealt in turn, half of them do.
        let crossing = told["crossing"].as_f64().unwrap();
        assert!(0.01 < crossing && crossing < most, "{game:?}: {crossing}");
    }
}

#[test]
#[ignore = "long: three solves of half a minute"]
fn several_processes_make_the_same_table_of_ostle() {
    solve_together(&["ostle", "-o", "pieces=8"]);
}

/// Network namespaces of this test's own, one for each host, and one with a bridge that joins them. The
/// network of the machine is not touched.
struct Net {
    hosts: usize,
}

impl Net {
    /// None where the machine does not allow it.
    fn new(hosts: usize) -> Option<Net> {
        let net = Net { hosts };
        let hub = net.hub();
        let mut well =
            ip(&format!("netns add {hub}")) && ip(&format!("-n {hub} link add hub type bridge"));
        well = well && ip(&format!("-n {hub} link set hub up"));
        for host in 0..hosts {
            let name = net.name(host);
            let steps = [
                format!("netns add {name}"),
                format!("link add eth netns {name} type veth peer name to{host} netns {hub}"),
                format!("-n {hub} link set to{host} master hub up"),
                format!("-n {name} address add 10.77.0.{}/24 dev eth", host + 1),
                format!("-n {name} link set eth up"),
            ];
            well = well && steps.iter().all(|step| ip(step));
        }
        well.then_some(net)
    }

    fn name(&self, host: usize) -> String {
        format!("kanzen-{}-{host}", std::process::id())
    }

    fn hub(&self) -> String {
        self.name(self.hosts)
    }

    /// Cuts a host off, or joins it again.
    fn set(&self, host: usize, state: &str) {
        assert!(ip(&format!("-n {} link set to{host} {state}", self.hub())));
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        (0..=self.hosts).for_each(|host| {
            ip(&format!("netns del {}", self.name(host)));
        });
    }
}

/// Runs `ip`. Tells whether it did what it was asked to.
fn ip(arguments: &str) -> bool {
    let mut command = std::process::Command::new("ip");
    let ended = command.args(arguments.split(' ')).stderr(Stdio::null()).status();
    ended.is_ok_and(|status| status.success())
}

/// Some hosts on this machine, with a secret of their own.
struct Hosts {
    dir: tempfile::TempDir,
    addresses: Vec<String>,
    net: Option<Net>,
}

impl Hosts {
    fn new(count: usize) -> Hosts {
        let listeners: Vec<TcpListener> =
            (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let addresses: Vec<String> =
            listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect();
        Hosts::at(addresses, None)
    }

    /// Hosts in namespaces of their own.
    fn apart(net: Net) -> Hosts {
        let address = |host: usize| format!("10.77.0.{}:2100", host + 1);
        Hosts::at((0..net.hosts).map(address).collect(), Some(net))
    }

    fn at(addresses: Vec<String>, net: Option<Net>) -> Hosts {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("hosts"), addresses.join("\n")).unwrap();
        fs::write(dir.path().join("secret"), "0123456789abcdef").unwrap();
        fs::write(dir.path().join("wrong"), "fedcba9876543210").unwrap();
        Hosts { dir, addresses, net }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Starts a host; its words go to a file.
    fn start(&self, game: &[&str], index: usize, secret: &str) -> Child {
        let log = fs::File::create(self.path(&format!("log-{index}"))).unwrap();
        let program = env!("CARGO_BIN_EXE_kanzen");
        let mut command =
            std::process::Command::new(if self.net.is_some() { "ip" } else { program });
        if let Some(net) = &self.net {
            command.args(["netns", "exec", &net.name(index), program]);
        }
        command
            .env("KANZEN_DIR", self.path("tables"))
            .args([&["cluster"], game].concat())
            .args(["--threads", "1", "--wait", "5", "--index", &index.to_string()])
            .arg("--hosts")
            .arg(self.path("hosts"))
            .arg("--secret-file")
            .arg(self.path(secret))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap()
    }

    fn log(&self, index: usize) -> String {
        fs::read_to_string(self.path(&format!("log-{index}"))).unwrap()
    }
}

fn signal(child: &Child, name: &str) {
    // It may have ended, but it is still there until somebody waits for it.
    let sent = std::process::Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits for the end of a process, for so long at the most. Tells whether it was well.
fn end(child: &mut Child, most: Duration) -> Option<bool> {
    let until = Instant::now() + most;
    while Instant::now() < until {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status.success());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
}

/// A game that takes some seconds.
const GAME: [&str; 3] = ["quixo", "-o", "size=4"];

/// What is done to a host that is cut off; to others, a signal.
const CUT: &str = "cut off";

/// Lets three hosts work, and does something to one of them at a moment. Tells whether the others have
/// noticed: they have not if they were done.
fn strike(hosts: &Hosts, victim: usize, moment: Duration, how: &str) -> bool {
    let mut all: Vec<Child> = (0..3).map(|index| hosts.start(&GAME, index, "secret")).collect();
    std::thread::sleep(moment);
    match &hosts.net {
        Some(net) if how == CUT => net.set(victim, "down"),
        _ => signal(&all[victim], how),
    }
    let patience = Duration::from_secs(if how == "-KILL" { 5 } else { 30 });
    let since = Instant::now();
    let mut noticed = true;
    for index in (0..3).filter(|&index| index != victim) {
        let ended = end(&mut all[index], Duration::from_secs(40));
        let log = hosts.log(index);
        if ended == Some(true) {
            noticed = false;
            continue;
        }
        assert_eq!(ended, Some(false), "host {index}, {how}: {log}");
        assert!(log.contains(&format!("host {victim} ({})", hosts.addresses[victim])), "{log}");
        assert!(!log.contains("panicked"), "{log}");
        // On a busy machine it may not even have come.
        let working = !log.contains("cannot be reached") && !log.contains("has not come");
        if working {
            assert!(log.contains("the same command goes on"), "{log}");
            assert!(since.elapsed() < patience, "{how}: {:?}", since.elapsed());
        }
    }
    if let Some(net) = hosts.net.as_ref().filter(|_| how == CUT) {
        // Who is cut off misses the others.
        let ended = end(&mut all[victim], Duration::from_secs(40));
        assert_eq!(ended, Some(!noticed), "{}", hosts.log(victim));
        net.set(victim, "up");
    }
    let _ = all[victim].kill();
    let _ = all[victim].wait();
    noticed
}

#[test]
fn a_host_that_is_killed_or_frozen_is_named_and_the_rest_goes_on_later() {
    let alone = tempfile::tempdir().unwrap();
    stdout(alone.path(), &[&["solve"], &GAME[..]].concat());
    let hosts = Hosts::new(3);
    // Killed at several moments, then frozen, then left alone.
    let blows = [(800, "-KILL"), (1100, "-KILL"), (1400, "-KILL"), (900, "-STOP")];
    suffer(&hosts, blows.map(|(moment, how)| (moment as usize / 100 % 3, moment, how)));
    // With fewer hosts than before.
    let two = hosts.addresses[..2].join("\n");
    fs::write(hosts.path("hosts"), two).unwrap();
    go_on(&hosts, 2, alone.path());
}

/// Lets so many hosts go on to the end, and compares their table with that of one process.
fn go_on(hosts: &Hosts, count: usize, alone: &Path) {
    let mut all: Vec<Child> = (0..count).map(|index| hosts.start(&GAME, index, "secret")).collect();
    for (index, host) in all.iter_mut().enumerate() {
        let ended = end(host, Duration::from_secs(300));
        assert_eq!(ended, Some(true), "{}", hosts.log(index));
    }
    assert!(table(&hosts.path("tables")) == table(alone));
}

/// Lets hosts work and be struck: victims, milliseconds after the beginning, and what happens.
fn suffer<const N: usize>(hosts: &Hosts, blows: [(usize, u64, &str); N]) {
    for (victim, mut moment, how) in blows {
        while !strike(hosts, victim, Duration::from_millis(moment), how) {
            // They were done already: once more from the beginning, and sooner.
            let _ = fs::remove_dir_all(hosts.path("tables"));
            moment /= 2;
            assert!(moment > 20, "{}", hosts.log(victim));
        }
    }
}

#[test]
fn a_host_on_a_network_of_its_own_is_killed_frozen_and_cut_off() {
    let Some(net) = Net::new(3) else {
        return eprintln!("skipped: this machine allows no network namespaces");
    };
    let alone = tempfile::tempdir().unwrap();
    stdout(alone.path(), &[&["solve"], &GAME[..]].concat());
    let hosts = Hosts::apart(net);
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let mut random = kanzen::analyse::Random::new(time.as_nanos() as u64);
    let blows = ["-KILL", "-STOP", CUT]
        .map(|how| (random.below(3) as usize, 500 + random.below(1500), how));
    eprintln!("victims, moments, and what happens: {blows:?}");
    suffer(&hosts, blows);
    go_on(&hosts, 3, alone.path());
}

#[test]
fn strangers_are_refused() {
    let game = ["quixo", "-o", "size=3"];
    let hosts = Hosts::new(2);
    let mut first = hosts.start(&game, 0, "secret");
    std::thread::sleep(Duration::from_millis(300));
    // A port scan.
    for garbage in [&b"GET / HTTP/1.0\r\n\r\n"[..], b"KANZEN1\n", b"\0\xff\0\xff", b""] {
        if let Ok(mut stream) = TcpStream::connect(&hosts.addresses[0]) {
            let _ = stream.write_all(garbage);
        }
    }
    let mut wrong = hosts.start(&game, 1, "wrong");
    assert_eq!(end(&mut wrong, Duration::from_secs(30)), Some(false));
    assert!(hosts.log(1).contains("secret"), "{}", hosts.log(1));
    let mut other = hosts.start(&["quixo"], 1, "secret");
    assert_eq!(end(&mut other, Duration::from_secs(30)), Some(false));
    assert!(hosts.log(1).contains("another game"), "{}", hosts.log(1));
    // A second run of the same job.
    let second =
        kanzen(&hosts.path("tables"), &["solve", "quixo", "-o", "size=3"]).assert().failure();
    let error = String::from_utf8(second.get_output().stderr.clone()).unwrap();
    assert!(error.contains("another solve is at work"), "{error}");
    let mut right = hosts.start(&game, 1, "secret");
    assert_eq!(end(&mut right, Duration::from_secs(60)), Some(true), "{}", hosts.log(1));
    assert_eq!(end(&mut first, Duration::from_secs(60)), Some(true), "{}", hosts.log(0));
}

#[test]
fn what_is_wrong_is_named() {
    let hosts = Hosts::new(2);
    let error = |arguments: &[&str]| {
        let all = [&["cluster", "quixo", "-o", "size=3"], arguments].concat();
        let failed = kanzen(&hosts.path("tables"), &all).assert().failure();
        String::from_utf8(failed.get_output().stderr.clone()).unwrap()
    };
    let file = hosts.path("hosts");
    let file = file.to_str().unwrap();
    let secret = hosts.path("secret");
    let secret = secret.to_str().unwrap();
    assert!(
        error(&["--hosts", file, "--index", "2"])
            .contains("index 2 is not one of the hosts, 0 to 1")
    );
    assert!(error(&["--hosts", secret, "--index", "0"]).contains("is not an address such as"));
    assert!(error(&["--hosts", "/nowhere", "--index", "0"]).contains("/nowhere"));
    let alone = error(&["--hosts", file, "--index", "0", "--secret-file", secret, "--wait", "1"]);
    assert!(alone.contains("host 1") && alone.contains("has not come within 1 s"), "{alone}");
    fs::write(hosts.path("far"), "192.0.2.1:2100\n192.0.2.2:2100\n").unwrap();
    let far = hosts.path("far");
    let open = error(&["--hosts", far.to_str().unwrap(), "--index", "0"]);
    assert!(open.contains("need a secret") && open.contains("--secret-file"), "{open}");
    let musashi = kanzen(&hosts.path("tables"), &["solve", "musashi25", "--processes", "2"]);
    let failed = { musashi }.assert().failure();
    let text = String::from_utf8(failed.get_output().stderr.clone()).unwrap();
    assert!(text.contains("on one machine alone"), "{text}");
}

#[test]
fn several_processes_check_a_table_as_one_does() {
    use kanzen::core::Value;
    let dir = tempfile::tempdir().unwrap();
    let verify = |more: &[&str]| {
        let all = [&["verify", "simpei", "-o", "pieces=3"], more].concat();
        let output = kanzen(dir.path(), &all).output().unwrap();
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), text)
    };
    stdout(dir.path(), &["solve", "simpei", "-o", "pieces=3"]);
    let right = verify(&["--json"]);
    assert_eq!(right.0, Some(0), "{right:?}");
    assert_eq!(verify(&["--json", "--processes", "3"]), right);

    // A table with wrong values, here and there.
    let game = kanzen::games::simpei::Simpei::new(3, false);
    let mut wrong = kanzen::solve::solve(&game, &Default::default(), None).unwrap();
    let lost = |code: &&mut u16| matches!(Value::from_code(**code), Value::Loss(4..100));
    let some = wrong.tiers[0].iter_mut().filter(lost).step_by(997);
    let changed = some.map(|code| *code += 4).count();
    let path = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let path = { path }.find(|path| path.extension() == Some("kanzen".as_ref())).unwrap();
    let identity = kanzen::table::Table::open(&path).unwrap().meta().identity.clone();
    let quiet = &kanzen::solve::Silent;
    kanzen::analyse::write_table(&game, &wrong, &path, identity, 1, quiet).unwrap();
    let alone = verify(&["--json"]);
    let report: serde_json::Value = serde_json::from_str(&alone.1[0]).unwrap();
    assert_eq!(alone.0, Some(1), "{alone:?}");
    assert!(changed > 10 && report["wrong"].as_u64() >= Some(changed as u64), "{alone:?}");
    assert_eq!(report["problems"].as_array().map(Vec::len), Some(10));
    assert_eq!(verify(&["--json", "--processes", "3"]), alone);

    // A share on each machine.
    let files = ["1/2", "2/2"].map(|share| {
        let (code, [found, _]) = verify(&["--share", share]);
        assert_eq!(code, Some(1));
        let file = dir.path().join(share.replace('/', "-of-"));
        fs::write(&file, found).unwrap();
        file.to_str().unwrap().to_owned()
    });
    assert_eq!(verify(&["--json", "--sum", &files[1], &files[0]]), alone);
    let (code, [_, error]) = verify(&["--sum", &files[0], &files[0]]);
    assert_ne!(code, Some(0));
    assert!(error.contains("the shares 1/2 1/2, not all of one division"), "{error}");
    assert!(verify(&["--share", "3/2"]).1[1].contains("a share is such as 1/2"));
}
