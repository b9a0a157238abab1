//! What anybody may send: bytes at random, and messages with some bytes changed. A message that is wrong
//! is named or left out, and nothing panics. As often as `KANZEN_TRIES` says, from `KANZEN_SEED`.

use crate::foreign::{KINDS, messages, receive, state};
use crate::message::{Block, Kind};
use crate::net::{Party, listen};
use crate::news::Line;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// Numbers at random (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16) % bound
    }

    fn bytes(&mut self, most: u64) -> Vec<u8> {
        (0..self.below(most)).map(|_| self.below(256) as u8).collect()
    }
}

/// Tries something with every seed.
fn try_all(short: u64, mut attempt: impl FnMut(&mut Random)) {
    let told = |name: &str| std::env::var(name).ok().map(|number| number.parse::<u64>().unwrap());
    let first = told("KANZEN_SEED").unwrap_or(0);
    for seed in first..first + told("KANZEN_TRIES").unwrap_or(short) {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let run = std::panic::AssertUnwindSafe(|| attempt(&mut random));
        assert!(std::panic::catch_unwind(run).is_ok(), "KANZEN_SEED={seed}");
    }
}

/// A message that may be right, or nearly.
fn block(random: &mut Random) -> Block {
    let kind = KINDS[random.below(7) as usize];
    let mut body = random.bytes(400);
    match random.below(4) {
        0 => {}
        // Small numbers name cells and shards that are there.
        1 => body.iter_mut().skip(2).step_by(4).for_each(|byte| *byte = 0),
        2 => body = vec![0; 2 * random.below(1 << 12) as usize],
        _ if kind == Kind::Report => {
            body = serde_json::to_vec(&crate::report::Report::default()).unwrap();
            let at = random.below(body.len() as u64) as usize;
            body[at] = random.below(256) as u8;
        }
        _ => body.fill(0xff),
    }
    let (tier, shard) = match random.below(8) {
        0 => (random.below(1 << 32) as u32, random.below(1 << 32) as u32),
        _ => (random.below(4) as u32, random.below(90) as u32),
    };
    Block { to: 0, kind, tier, round: 3 + random.below(2) as u16, shard, body }
}

#[test]
fn no_message_makes_a_worker_panic() {
    try_all(300, |random| {
        let [cells, who, phase] = [80_000, 9, 3].map(|bound| random.below(bound));
        let state = state(cells, who, phase, || random.below(40) as u16);
        receive(state, (0..40).map(|_| block(random)));
    });
}

/// What is kept is tried every time.
#[test]
fn no_message_that_is_kept_makes_a_worker_panic() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/messages");
    let mut tried = 0;
    // A package of this crate alone has none.
    for entry in std::fs::read_dir(kept).into_iter().flatten() {
        messages(&std::fs::read(entry.unwrap().path()).unwrap());
        tried += 1;
    }
    assert!(tried > 0 || !std::path::Path::new(kept).exists());
}

#[test]
fn no_greeting_makes_a_host_panic_or_lets_a_stranger_in() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let hosts = [listener.local_addr().unwrap().to_string(), "127.0.0.1:9".to_owned()];
    try_all(100, |random| {
        let party = Party {
            hosts: &hosts,
            index: 0,
            secret: b"0123456789abcdef",
            work: "nim",
            patience: Duration::from_secs(1),
        };
        let mut stranger = TcpStream::connect(&hosts[0]).unwrap();
        let mut words = random.bytes(200);
        if random.below(2) == 0 {
            words.splice(..0, *b"KANZEN1\n");
        }
        stranger.write_all(&words).unwrap();
        stranger.shutdown(std::net::Shutdown::Write).unwrap();
        let mut all = party.nobody();
        let (met, _) = listener.accept().unwrap();
        assert!(party.greet(met, &mut all).is_err());
        drop(stranger.read_to_end(&mut Vec::new()));
    });
}

#[test]
fn no_word_makes_a_watch_panic() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let names = ["host 0", "host 1"].map(str::to_owned);
    try_all(100, |random| {
        let mut other = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let mut words = random.bytes(50);
        words
            .iter_mut()
            .filter(|word| **word % 4 > 0)
            .for_each(|word| *word = b".QL"[usize::from(*word % 3)]);
        other.write_all(&words).unwrap();
        drop(other);
        let (line, _wait) = Line::new(Duration::from_secs(1));
        listen(stream, 1, &names, &line);
        let done = words.iter().find(|word| **word != b'.') == Some(&b'Q');
        assert!(done || line.lost().is_some_and(|who| who.contains("host 1")), "{words:?}");
    });
}
