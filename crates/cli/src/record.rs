//! What a solve took, kept beside its table for reports.

use crate::output;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn path(table: &Path) -> PathBuf {
    table.with_extension("solve.json")
}

/// Writes down what a solve took. A report can do without, so nothing is lost if it fails.
pub fn write(table: &Path, seconds: f64, threads: usize) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let facts = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "seconds": seconds,
        "threads": if threads == 0 { cores } else { threads },
        "peak_memory": peak_memory(),
        "processor": processor(),
    });
    let _ = std::fs::write(path(table), facts.to_string());
}

/// What is known of a table and of its making, as names and values.
pub fn read(table: &Path, options: &[String]) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut put = |name: &str, value: Option<String>| {
        facts.extend(value.map(|value| (name.to_owned(), value)));
    };
    put("options", Some(options.join(" ")).filter(|text| !text.is_empty()));
    let length = std::fs::metadata(table).ok().map(|meta| meta.len());
    put("table", length.map(output::bytes));
    put("checksum of the table (CRC-32C)", checksum(table));
    let text = std::fs::read_to_string(path(table)).unwrap_or_default();
    let known: Value = serde_json::from_str(&text).unwrap_or_default();
    put("solved by Kanzen", known["version"].as_str().map(str::to_owned));
    put("time", known["seconds"].as_f64().map(|seconds| format!("{seconds:.1} s")));
    put("threads", known["threads"].as_u64().map(|threads| threads.to_string()));
    put("peak memory", known["peak_memory"].as_u64().map(output::bytes));
    put("processor", known["processor"].as_str().map(str::to_owned));
    facts
}

fn checksum(table: &Path) -> Option<String> {
    use std::io::Read;
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
