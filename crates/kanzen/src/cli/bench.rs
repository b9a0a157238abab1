//! What this machine does, beside one that was measured.

use super::args::Bench;
use super::commands::{CANCEL, catch_interrupts};
use anyhow::{Result, bail};
use kanzen_analyse::Random;
use kanzen_machine::{Isa, machine_memory, threads};
use kanzen_registry::{AnySolved, Registry};
use kanzen_show::units;
use kanzen_solve::Job;
use serde_json::json;
use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Where the figures come from that this machine's stand beside.
const RECORDED: &str = "2026-11-18, 2 cores of an Intel Xeon (AVX-512), 24 GB";
/// Gigabytes a second that all cores read, and nanoseconds of a look at a random place.
const READING: f64 = 16.0;
const LOOKING: f64 = 203.0;

/// A game with options, the seconds of its solve, and the microseconds of a probe.
type Solves = (&'static str, &'static [&'static str], f64, f64);

/// The solves: of every engine, what takes seconds at the most.
const SOLVES: [Solves; 5] = [
    ("simpei", &["pieces=3"], 0.26, 12.5),
    ("six-mens-morris", &[], 1.74, 9.8),
    ("quixo", &[], 2.52, 26.2),
    ("musashi25", &[], 0.49, 15.4),
    ("threerow", &[], 0.6, 12.0),
];

/// Words of memory that are read, and places that are looked at.
const WORDS: usize = 1 << 25;
const LOOKS: usize = 1 << 22;
/// Times that memory is read, of which the best counts.
const TRIES: usize = 5;
/// Random positions that are probed.
const PROBES: usize = 2000;

/// A figure beside the recorded one.
struct Figure {
    what: String,
    found: f64,
    recorded: f64,
    unit: &'static str,
    /// Whether a larger figure is the better one.
    more: bool,
}

impl Figure {
    /// How many times as fast as the recorded one.
    fn speed(&self) -> f64 {
        if self.more { self.found / self.recorded } else { self.recorded / self.found }
    }
}

/// A directory that goes away.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Measures, and prints a line for each figure.
pub fn run(registry: &Registry, given: &Bench, out: &mut impl Write) -> Result<ExitCode> {
    catch_interrupts()?;
    let scratch =
        Scratch(std::env::temp_dir().join(format!("kanzen-bench-{}", std::process::id())));
    let cores = threads(given.threads);
    let machine = format!(
        "{cores} {}, {} of memory, {}",
        if cores == 1 { "core" } else { "cores" },
        units::bytes(machine_memory().unwrap_or(0)),
        Isa::best()
    );
    if !given.json {
        writeln!(out, "{machine}; kanzen {}\n", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "{:38}{:>12}{:>12}   faster", "", "here", "recorded")?;
    }
    let mut figures = Vec::new();
    let mut show = |figure: Figure, out: &mut dyn Write| -> Result<()> {
        if CANCEL.load(Relaxed) {
            bail!("stopped");
        }
        if !given.json {
            let [found, recorded] =
                [figure.found, figure.recorded].map(|number| short(number, figure.unit));
            writeln!(out, "{:38}{found:>12}{recorded:>12}{:>9.2}", figure.what, figure.speed())?;
            out.flush()?;
        }
        figures.push(figure);
        Ok(())
    };
    let memory = Memory::new();
    let what = "reading memory, all cores".to_owned();
    let found = memory.reading(cores);
    show(Figure { what, found, recorded: READING, unit: "GB/s", more: true }, out)?;
    let what = "a look at a random place in 256 MB".to_owned();
    let found = memory.looking();
    show(Figure { what, found, recorded: LOOKING, unit: "ns", more: false }, out)?;
    drop(memory);
    for (name, options, seconds, micros) in SOLVES {
        let Ok(entry) = registry.find(name) else { continue };
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let words: String = options.iter().map(|option| format!(" -o {option}")).collect();
        let game = entry.build(&options)?;
        let job = Job { threads: given.threads, cancel: &CANCEL, ..Job::default() };
        let start = Instant::now();
        game.solve(&scratch.0, None, &job)?;
        let (what, found) = (format!("solve {name}{words}"), start.elapsed().as_secs_f64());
        show(Figure { what, found, recorded: seconds, unit: "s", more: false }, out)?;
        let (what, found) = (format!("probe {name}{words}"), probing(&*game.open(&scratch.0)?)?);
        show(Figure { what, found, recorded: micros, unit: "µs", more: false }, out)?;
    }
    let solves = figures.iter().filter(|figure| figure.unit == "s");
    let logs: Vec<f64> = solves.map(|figure| figure.speed().ln()).collect();
    let speed = (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp();
    if given.json {
        let list: Vec<_> = figures
            .iter()
            .map(|it| json!({ "what": it.what, "found": it.found, "recorded": it.recorded, "unit": it.unit }))
            .collect();
        let recorded_on = RECORDED;
        let all = json!({ "machine": machine, "recorded_on": recorded_on, "figures": list, "speed": speed });
        writeln!(out, "{all}")?;
    } else {
        writeln!(out, "\nRecorded on {RECORDED}; other work at the same time slows both down.")?;
        // A registry of other games has none of the solves.
        if !logs.is_empty() {
            writeln!(
                out,
                "This machine solves at {speed:.2} times that speed: {}.",
                verdict(speed)
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn verdict(speed: f64) -> &'static str {
    match speed {
        ..0.5 => "much slower, or busy",
        ..0.85 => "slower, or busy",
        ..1.18 => "about the same",
        ..2.0 => "faster",
        _ => "much faster",
    }
}

/// A number with three digits that count, and its unit.
fn short(number: f64, unit: &str) -> String {
    let digits = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.digits$} {unit}")
}

/// Microseconds that the value of a random position and of all its moves takes, in the median.
fn probing(solved: &dyn AnySolved) -> Result<f64> {
    let mut random = Random::new(1);
    let mut times = Vec::with_capacity(PROBES);
    let start = solved.probe(None)?.position;
    for _ in 0..PROBES {
        let position = solved.sample(&mut random).unwrap_or_else(|| start.clone());
        let begun = Instant::now();
        black_box(solved.probe(Some(&position))?);
        times.push(begun.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_unstable_by(f64::total_cmp);
    Ok(times[PROBES / 2])
}

/// Memory to be read: each word names the next place to look at, and all of them are one round.
struct Memory(Vec<u64>);

impl Memory {
    fn new() -> Memory {
        let next = |place: usize| (place.wrapping_mul(1_664_525) + 1_013_904_223) % WORDS;
        Memory((0..WORDS).map(|place| next(place) as u64).collect())
    }

    /// Gigabytes a second.
    fn reading(&self, cores: usize) -> f64 {
        let part = WORDS.div_ceil(cores);
        let once = |_| {
            let start = Instant::now();
            std::thread::scope(|scope| {
                for words in self.0.chunks(part) {
                    scope.spawn(|| black_box(words.iter().fold(0, |sum, word| sum ^ word)));
                }
            });
            (8 * WORDS) as f64 / start.elapsed().as_secs_f64() / 1e9
        };
        (0..TRIES).map(once).fold(0.0, f64::max)
    }

    /// Nanoseconds until the word at a random place is there.
    fn looking(&self) -> f64 {
        let start = Instant::now();
        black_box((0..LOOKS).fold(0, |place, _| self.0[place] as usize));
        start.elapsed().as_secs_f64() * 1e9 / LOOKS as f64
    }
}
