//! How many events a second and core are exchanged and applied: two processes of one thread solve a
//! made-up game in which every move leads to a cell of the other process.
//!
//! `cargo run --release -p kanzen-cluster --example events [near] [BITS [MOVES]]` tells the processor time of
//! both processes for all events, from finding a target to changing its cell, without what opening and
//! keeping the cells takes. With `near`, every move stays within its process: the rest is what travelling
//! takes.

use kanzen_cluster::Cluster;
use kanzen_core::Value;
use kanzen_index::{Place, Tier};
use kanzen_solve::{Checkpoint, Event, Job, Machines, Opened, SETTLED, Sharded, SolveError};
use std::error::Error;
use std::ops::Range;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A game of one tier whose moves are one-to-one maps of its cells: cell `i` has the predecessors
/// `i * factor + move` in its half, which is that of the other process or the own one.
struct Maps {
    tiers: Vec<Tier>,
    bits: u32,
    moves: u64,
    near: bool,
    /// Processor time when all cells were opened, in ticks.
    opened: AtomicU64,
    /// The same when the last of them fired, and how many have.
    fired: AtomicU64,
    chunks: AtomicU64,
    events: AtomicU64,
}

impl Maps {
    fn new(bits: u32, moves: u64, near: bool) -> Maps {
        let tiers = vec![Tier::new("all", 1 << bits, true)];
        let [opened, fired, chunks, events] = [(); 4].map(|()| AtomicU64::new(0));
        Maps { tiers, bits, moves, near, opened, fired, chunks, events }
    }

    /// Every eighth cell, about, is lost, so that most others are won.
    fn is_lost(index: u64) -> bool {
        index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61 == 0
    }

    /// The bit of a cell's number that tells to which of two workers its shard belongs.
    fn side(&self) -> u32 {
        self.bits - 8
    }
}

impl Sharded for Maps {
    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    fn leads_to(&self, _: usize) -> Vec<usize> {
        Vec::new()
    }

    fn has_unmoves(&self) -> bool {
        true
    }

    fn largest_unit(&self) -> usize {
        1
    }

    fn settle(&self, _: usize, _: Range<u64>, _: &mut [u16]) {}

    fn open(
        &self,
        _: usize,
        range: Range<u64>,
        cells: &mut [u16],
        _: &dyn Fn(Place) -> Option<Value>,
        _: &mut Opened,
    ) -> Result<(), SolveError> {
        for (index, cell) in range.zip(cells) {
            *cell = match Maps::is_lost(index) {
                true => SETTLED | Value::Loss(0).code(),
                false => self.moves as u16,
            };
        }
        Ok(())
    }

    fn fire(&self, _: usize, settled: &[(u64, Value)], events: &mut Vec<Event>) {
        match self.chunks.fetch_add(1, Relaxed) {
            0 => self.opened.store(ticks(), Relaxed),
            chunk if chunk % 64 == 0 => self.fired.store(ticks(), Relaxed),
            _ => {}
        }
        let side = self.side();
        let (low, half) = ((1_u64 << side) - 1, 1_u64 << (self.bits - 1));
        for &(index, value) in settled {
            let units = u16::from(matches!(value, Value::Win(_)));
            let own = index >> side & 1;
            let rest = index >> (side + 1) << side | index & low;
            let to = if self.near { own } else { 1 - own };
            for number in 0..self.moves {
                let factor = 0x5851_f42d_4c95_7f2d_u64.wrapping_add(number << 20);
                let mapped = rest.wrapping_mul(factor).wrapping_add(number) & (half - 1);
                let target = mapped >> side << (side + 1) | to << side | mapped & low;
                events.push(Event { target, units });
            }
        }
        self.events.fetch_add(settled.len() as u64 * self.moves, Relaxed);
    }

    fn is_lasting(&self, _: usize, _: u64) -> bool {
        false
    }

    fn endless(&self, _: usize, _: u64) -> Value {
        Value::OPEN
    }

    /// None: shards are dealt in turn, so that all events travel.
    fn neighbours(&self, _: usize, _: &[(u64, Value)], _: &mut Vec<u64>) {}
}

/// Processor time of this process, in hundredths of a second.
fn ticks() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(") ").next().unwrap_or_default().split(' ');
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (near, numbers): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| *argument == "near");
    let number =
        |at: usize, usual: u64| numbers.get(at).map_or(Ok(usual), |text| text.parse::<u64>());
    let (bits, moves, index) = (number(0, 25)?, number(1, 8)?, number(2, 0)?);
    let hosts = ["127.0.0.1:21987", "127.0.0.1:21988"].map(str::to_owned).to_vec();
    let cluster = Cluster::new(hosts, index as usize, Vec::new())?;
    let mut other = None;
    if index == 0 {
        let mut command = Command::new(std::env::current_exe()?);
        command.args([bits, moves, 1].map(|number| number.to_string())).args(near.iter());
        other = Some(command.spawn()?);
    }
    let dir = std::env::temp_dir().join(format!("kanzen-events-{bits}-{moves}"));
    let checkpoint = Checkpoint::new(&dir, "events");
    let game = Arc::new(Maps::new(bits as u32, moves, !near.is_empty()));
    let job = Job { threads: 1, ..Job::default() };
    cluster.solve(game.clone(), &job, &checkpoint)?;
    let (events, seconds) =
        (game.events.load(Relaxed), game.fired.load(Relaxed) - game.opened.load(Relaxed));
    let seconds = seconds as f64 / 100.0;
    if index == 0 {
        let _ = other.take().map(|mut other| other.wait()).transpose()?;
        checkpoint.remove()?;
        let host = &cluster.figures()[0];
        println!("{} bytes an event", host.bytes as f64 / events as f64);
    }
    println!(
        "process {index}: {events} events in {seconds:.2} s of processor time, {:.1} million a second",
        events as f64 / seconds / 1e6
    );
    Ok(())
}
