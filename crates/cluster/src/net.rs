//! Connections between processes: two for each pair, one for messages and one to know that the other
//! is there.
//!
//! Who connects and who listens prove to each other that they know the secret, without sending it:
//! each answers the other's random challenge. What else comes to the port is dropped. Nothing is
//! encrypted.

use crate::news::Line;
use kanzen_solve::SolveError;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a connection begins with.
const MAGIC: &[u8; 8] = b"KANZEN1\n";
/// How long a greeting may take.
const GREETING: Duration = Duration::from_secs(3);
/// How often a process says that it is there, and how long the others believe it without a word.
const BEAT: Duration = Duration::from_secs(1);
const SILENCE: Duration = Duration::from_secs(20);
/// Between two attempts to connect, at the most.
const RETRY: Duration = Duration::from_millis(100);
/// How often a process that waits looks whether another has come.
const LOOK: Duration = Duration::from_millis(5);

/// What a process says on the connection for that: that it is there, that it is done, and that another
/// is lost.
const HERE: u8 = b'.';
const DONE: u8 = b'Q';
const LOST: u8 = b'L';

/// What a connection is for.
const MESSAGES: u8 = 0;
const WATCH: u8 = 1;

/// Who takes part, and who this is.
#[derive(Clone, Debug)]
pub(crate) struct Party<'a> {
    pub(crate) hosts: &'a [String],
    pub(crate) index: usize,
    /// What all must know.
    pub(crate) secret: &'a [u8],
    /// What is done: the game, its options, and the number of threads.
    pub(crate) work: &'a str,
    /// How long to wait for the others.
    pub(crate) patience: Duration,
}

/// The connections of a process: none to itself.
pub(crate) struct Connections {
    pub(crate) messages: Vec<Option<TcpStream>>,
    watch: Vec<Option<TcpStream>>,
}

impl Party<'_> {
    fn name(&self, index: usize) -> String {
        format!("host {index} ({})", self.hosts[index])
    }

    /// Connects to all others, and waits for them to connect.
    pub(crate) fn connect(&self) -> Result<Connections, SolveError> {
        let own = &self.hosts[self.index];
        let fail = |what: &str| SolveError::Engine(format!("{}: {what}", self.name(self.index)));
        let listener = TcpListener::bind(own)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .map_err(|error| fail(&format!("cannot listen there: {error}")))?;
        let mut all = self.nobody();
        let until = Instant::now() + self.patience;
        for other in 0..self.index {
            for kind in [MESSAGES, WATCH] {
                let stream = self.reach(other, kind, until)?;
                all.of(kind)[other] = Some(stream);
            }
        }
        while let Some(missing) = self.missing(&all) {
            match listener.accept() {
                // Whoever cannot greet is not one of us.
                Ok((stream, _)) => {
                    if let Ok((other, kind, stream)) = self.greet(stream, &mut all) {
                        all.of(kind)[other] = Some(stream);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() > until {
                        let seconds = self.patience.as_secs();
                        let text =
                            format!("{} has not come within {seconds} s", self.name(missing));
                        return Err(SolveError::Engine(text));
                    }
                    std::thread::sleep(LOOK);
                }
                Err(error) => return Err(fail(&format!("cannot listen there: {error}"))),
            }
        }
        Ok(all)
    }

    /// No connections yet.
    pub(crate) fn nobody(&self) -> Connections {
        let empty = || (0..self.hosts.len()).map(|_| None).collect::<Vec<Option<TcpStream>>>();
        Connections { messages: empty(), watch: empty() }
    }

    /// Somebody who has not connected yet.
    fn missing(&self, all: &Connections) -> Option<usize> {
        let here = |other: &usize| all.messages[*other].is_some() && all.watch[*other].is_some();
        (self.index + 1..self.hosts.len()).find(|other| !here(other))
    }

    /// Connects to another process.
    fn reach(&self, other: usize, kind: u8, until: Instant) -> Result<TcpStream, SolveError> {
        let mut nap = LOOK;
        loop {
            let problem = match self.try_reach(other, kind) {
                Ok(stream) => return Ok(stream),
                Err(problem) => problem,
            };
            // A refusal will not change.
            let refused = problem.kind() == io::ErrorKind::PermissionDenied;
            if refused || Instant::now() > until {
                let name = self.name(other);
                return Err(SolveError::Engine(format!("{name} cannot be reached: {problem}")));
            }
            std::thread::sleep(nap);
            nap = (2 * nap).min(RETRY);
        }
    }

    fn try_reach(&self, other: usize, kind: u8) -> io::Result<TcpStream> {
        let unknown = || io::Error::other("there is no such address");
        let address = self.hosts[other].to_socket_addrs()?.next().ok_or_else(unknown)?;
        let mut stream = TcpStream::connect_timeout(&address, GREETING)?;
        prepare(&stream)?;
        let mine = challenge();
        stream.write_all(&[&MAGIC[..], &mine].concat())?;
        let (mut theirs, mut proof) = ([0; 16], [0; 32]);
        stream.read_exact(&mut theirs)?;
        stream.read_exact(&mut proof)?;
        if !same(&proof, &self.proof(b"listens", &mine, &theirs, &[])) {
            return Err(refused("it does not know the secret"));
        }
        let mut hello = vec![kind];
        for word in [self.index, self.hosts.len()] {
            hello.extend_from_slice(&(word as u32).to_le_bytes());
        }
        hello.extend_from_slice(blake3::hash(self.work.as_bytes()).as_bytes());
        let proof = self.proof(b"connects", &mine, &theirs, &hello);
        stream.write_all(&[&hello[..], &proof].concat())?;
        let mut answer = [0; 1];
        stream.read_exact(&mut answer)?;
        match answer[0] {
            0 => {}
            1 => return Err(refused("it does not know this secret")),
            2 => return Err(refused("it works on another game, with other options or threads")),
            _ => return Err(refused("somebody with the same index is there already")),
        }
        stream.set_read_timeout(None)?;
        Ok(stream)
    }

    /// Greets somebody who has connected: who it is, and what for.
    pub(crate) fn greet(
        &self,
        mut stream: TcpStream,
        all: &mut Connections,
    ) -> io::Result<(usize, u8, TcpStream)> {
        stream.set_nonblocking(false)?;
        prepare(&stream)?;
        let (mut magic, mut theirs) = ([0; 8], [0; 16]);
        stream.read_exact(&mut magic)?;
        if magic != *MAGIC {
            return Err(refused("this is something else"));
        }
        stream.read_exact(&mut theirs)?;
        let mine = challenge();
        stream.write_all(&[&mine[..], &self.proof(b"listens", &theirs, &mine, &[])].concat())?;
        let (mut hello, mut proof) = ([0; 41], [0; 32]);
        stream.read_exact(&mut hello)?;
        stream.read_exact(&mut proof)?;
        let word = |at: usize| {
            u32::from_le_bytes([hello[at], hello[at + 1], hello[at + 2], hello[at + 3]]) as usize
        };
        let (kind, other, hosts) = (hello[0], word(1), word(5));
        let answer = if !same(&proof, &self.proof(b"connects", &theirs, &mine, &hello)) {
            1
        } else if hello[9..] != *blake3::hash(self.work.as_bytes()).as_bytes()
            || hosts != self.hosts.len()
            || kind > WATCH
        {
            2
        } else if other <= self.index || other >= hosts || all.of(kind)[other].is_some() {
            3
        } else {
            0
        };
        stream.write_all(&[answer])?;
        if answer != 0 {
            return Err(refused("it was refused"));
        }
        stream.set_read_timeout(None)?;
        Ok((other, kind, stream))
    }

    /// What only those can know who know the secret.
    fn proof(&self, role: &[u8], connects: &[u8], listens: &[u8], hello: &[u8]) -> [u8; 32] {
        let key = blake3::derive_key("kanzen cluster 1", self.secret);
        *blake3::keyed_hash(&key, &[role, connects, listens, hello].concat()).as_bytes()
    }
}

impl Connections {
    fn of(&mut self, kind: u8) -> &mut Vec<Option<TcpStream>> {
        if kind == MESSAGES { &mut self.messages } else { &mut self.watch }
    }

    /// Watches all others, until somebody is lost or the returned value is dropped.
    pub(crate) fn watch(&mut self, party: &Party<'_>, line: &Arc<Line>) -> Watch {
        let names: Arc<[String]> = (0..party.hosts.len()).map(|index| party.name(index)).collect();
        let done = Arc::new(AtomicBool::new(false));
        let (mut beats, mut ends) = (Vec::new(), Vec::new());
        for (other, stream) in std::mem::take(&mut self.watch).into_iter().enumerate() {
            let Some(stream) = stream else { continue };
            let Ok(reading) = stream.try_clone() else {
                line.lose(format!("{} cannot be watched", names[other]));
                continue;
            };
            ends.extend(stream.try_clone());
            let (line, names) = (line.clone(), names.clone());
            let (written, told, over) = (line.clone(), names.clone(), done.clone());
            std::thread::spawn(move || listen(reading, other, &names, &line));
            beats.push(std::thread::spawn(move || beat(stream, &written, &told, &over)));
        }
        Watch { done, beats, ends }
    }
}

/// Says that this process is there, and at last why it is not any more.
fn beat(mut stream: TcpStream, line: &Line, names: &[String], over: &AtomicBool) {
    loop {
        let word: &[u8] = match line.lost() {
            _ if over.load(Relaxed) => &[DONE],
            Some(lost) => {
                let index = names.iter().position(|name| lost.starts_with(name.as_str()));
                &[LOST, index.unwrap_or(usize::from(u8::MAX)) as u8]
            }
            None => &[HERE],
        };
        if stream.write_all(word).is_err() || word[0] != HERE {
            return;
        }
        let since = Instant::now();
        while since.elapsed() < BEAT && !over.load(Relaxed) && line.lost().is_none() {
            std::thread::park_timeout(RETRY / 2);
        }
    }
}

/// Hears whether another process is there.
pub(crate) fn listen(mut stream: TcpStream, other: usize, names: &[String], line: &Line) {
    let _ = stream.set_read_timeout(Some(SILENCE));
    let mut word = [0; 1];
    loop {
        match stream.read(&mut word) {
            Ok(1) if word[0] == HERE => {}
            Ok(1) if word[0] == DONE => return,
            Ok(1) if word[0] == LOST && stream.read_exact(&mut word).is_ok() => {
                let who = names.get(usize::from(word[0])).unwrap_or(&names[other]);
                return line.lose(format!("{who} is lost, says {}", names[other]));
            }
            Ok(_) => return line.lose(format!("{} is gone", names[other])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error)
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                let seconds = SILENCE.as_secs();
                let text = format!("{} has said nothing for {seconds} s", names[other]);
                return line.lose(text);
            }
            Err(_) => return line.lose(format!("{} is gone", names[other])),
        }
    }
}

/// A watch over the other processes. When it is dropped, they hear that this one is done.
pub(crate) struct Watch {
    done: Arc<AtomicBool>,
    beats: Vec<JoinHandle<()>>,
    ends: Vec<TcpStream>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Relaxed);
        self.beats.iter().for_each(|beat| beat.thread().unpark());
        // Time for the last word.
        let since = Instant::now();
        while since.elapsed() < RETRY && !self.beats.iter().all(JoinHandle::is_finished) {
            std::thread::sleep(LOOK / 5);
        }
        for stream in &self.ends {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
    }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(GREETING))?;
    stream.set_write_timeout(Some(SILENCE))
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

/// Bytes that nobody can guess: hashes under keys that the system made at random.
pub(crate) fn challenge() -> [u8; 16] {
    let [one, other] = [1, 2].map(|number: u8| RandomState::new().hash_one(number).to_le_bytes());
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&one);
    bytes[8..].copy_from_slice(&other);
    bytes
}

/// Whether two proofs are the same, found in the same time wherever they differ.
fn same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.iter().zip(other).fold(0, |differ, (one, other)| differ | one ^ other) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn free_hosts(count: usize) -> Vec<String> {
        let listeners: Vec<TcpListener> =
            (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect()
    }

    fn party<'a>(hosts: &'a [String], index: usize, secret: &'a [u8], work: &'a str) -> Party<'a> {
        Party { hosts, index, secret, work, patience: Duration::from_secs(2) }
    }

    #[test]
    fn those_who_know_the_secret_meet_and_garbage_does_no_harm() {
        let hosts = free_hosts(3);
        thread::scope(|scope| {
            scope.spawn(|| {
                for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], MAGIC, b""] {
                    thread::sleep(RETRY);
                    let sent =
                        TcpStream::connect(&hosts[0]).map(|mut stream| stream.write_all(garbage));
                    let _ = sent;
                }
            });
            let ends: Vec<_> = (0..3)
                .map(|index| {
                    let hosts = &hosts;
                    scope.spawn(move || {
                        thread::sleep(RETRY * 3 * index as u32);
                        let party = Party {
                            patience: Duration::from_secs(20),
                            ..party(hosts, index, b"x", "nim")
                        };
                        party.connect().map(|all| all.messages.iter().flatten().count())
                    })
                })
                .collect();
            for end in ends {
                assert_eq!(end.join().unwrap().unwrap(), 2);
            }
        });
    }

    #[test]
    fn others_are_refused() {
        for (secret, work, problem) in
            [(&b"y"[..], "nim", "secret"), (b"x", "chess", "another game")]
        {
            let hosts = free_hosts(2);
            thread::scope(|scope| {
                let first = scope.spawn(|| party(&hosts, 0, b"x", "nim").connect().map(|_| ()));
                let error = party(&hosts, 1, secret, work).connect().map(|_| ()).unwrap_err();
                assert!(error.to_string().contains(problem), "{error}");
                let error = first.join().unwrap().unwrap_err().to_string();
                assert!(error.contains("host 1") && error.contains("has not come"), "{error}");
            });
        }
    }
}
