//! What a solve took, kept beside its table for reports.

use kanzen_core::Text;
use kanzen_machine::files;
use kanzen_registry::{AnyGame, GameError, SolveReport, Store};
use kanzen_show::units;
use kanzen_solve::Job;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Solves a game, writes down what it took, and returns that with the seconds.
///
/// # Errors
/// What the solve returns. A report can do without the record, so nothing is lost if that fails.
pub fn solve(
    game: &dyn AnyGame,
    dir: &Path,
    store: Option<Store>,
    job: &Job<'_>,
) -> Result<(SolveReport, f64), GameError> {
    let start = Instant::now();
    let report = game.solve(dir, store, job)?;
    let seconds = start.elapsed().as_secs_f64();
    let facts = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "seconds": seconds,
        "threads": job.thread_count(),
        "peak_memory": peak_memory(),
        "processor": processor(),
    });
    let _ = files::replace(&path(&report.table), |file| write!(file, "{facts}"));
    Ok((report, seconds))
}

fn path(table: &Path) -> PathBuf {
    table.with_extension("solve.json")
}

/// What is known of a table and of its making, as names and values.
pub fn read(table: &Path) -> Vec<(Text, String)> {
    let text = std::fs::read_to_string(path(table)).unwrap_or_default();
    let known: Value = serde_json::from_str(&text).unwrap_or_default();
    let length = std::fs::metadata(table).ok().map(|meta| meta.len());
    let number = |name: &str| known[name].as_u64();
    let word = |name: &str| known[name].as_str().map(str::to_owned);
    let seconds = known["seconds"].as_f64().map(|seconds| format!("{seconds:.1} s"));
    let facts = [
        (("table", "表"), length.map(units::bytes)),
        (("checksum of the table (CRC-32C)", "表のチェックサム（CRC-32C）"), checksum(table)),
        (("solved by Kanzen", "Kanzenの版"), word("version")),
        (("time", "時間"), seconds),
        (("threads", "スレッド"), number("threads").map(|threads| threads.to_string())),
        (("peak memory", "最大メモリ"), number("peak_memory").map(units::bytes)),
        (("processor", "プロセッサ"), word("processor")),
    ];
    facts.into_iter().filter_map(|((en, ja), value)| Some((Text::new(en, ja), value?))).collect()
}

/// The checksum of a file (CRC-32C); none if it cannot be read.
pub fn checksum(table: &Path) -> Option<String> {
    let mut file = std::fs::File::open(table).ok()?;
    let (mut sum, mut buffer) = (0, vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(format!("{sum:08x}")),
            read => sum = crc32c::crc32c_append(sum, &buffer[..read]),
        }
    }
}

/// The most memory that this process has had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// The name of the processor, where the system tells.
fn processor() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
