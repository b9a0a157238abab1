//! Checkpoints: what a solve has found so far, in a directory of its own.
//!
//! `state.json` says where the solve stands and is written last; `tier-N-R` holds the cells of tier
//! N as they were before round R. A file is written under another name and renamed when it is
//! whole, and older files are removed after that, so that a crash at any time leaves a checkpoint
//! that is whole.

use crate::SolveError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Cells in a compressed chunk.
const CHUNK: usize = 1 << 19;

/// Where a solve stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Names the game, its variant and the version of its index.
    pub key: String,
    /// The tier being solved; the ones before it are done.
    pub tier: usize,
    /// The next round of that tier; none if it has not begun.
    pub round: Option<u16>,
}

/// A directory that holds the state of a solve.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    dir: PathBuf,
    key: String,
}

impl Checkpoint {
    /// The checkpoint of the game, variant and index version that `key` names.
    pub fn new(dir: impl Into<PathBuf>, key: impl Into<String>) -> Checkpoint {
        Checkpoint { dir: dir.into(), key: key.into() }
    }

    /// Removes the checkpoint, if there is one.
    pub fn remove(&self) -> Result<(), SolveError> {
        match fs::remove_dir_all(&self.dir) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(SolveError::io(&self.dir)(error))
            }
            _ => Ok(()),
        }
    }

    /// Where the solve stands, if there is a checkpoint.
    pub fn state(&self) -> Result<Option<State>, SolveError> {
        let path = self.dir.join("state.json");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SolveError::io(path)(error)),
        };
        let state: State = serde_json::from_str(&text)
            .map_err(|error| problem(&path, format!("unreadable ({error})")))?;
        if state.key != self.key {
            let text = format!("it is of {}, not of {}", state.key, self.key);
            return Err(problem(&path, text));
        }
        Ok(Some(state))
    }

    /// Writes the cells of a tier as they are before a round; none if the tier is done.
    pub fn write_tier(
        &self,
        tier: usize,
        round: Option<u16>,
        cells: impl Iterator<Item = u16>,
    ) -> Result<(), SolveError> {
        fs::create_dir_all(&self.dir).map_err(SolveError::io(&self.dir))?;
        let path = self.tier_path(tier, round);
        let temporary = path.with_extension("new");
        write_cells(&temporary, cells)
            .and_then(|()| fs::rename(&temporary, &path))
            .map_err(SolveError::io(&path))
    }

    /// Says where the solve stands, and drops the cells of older rounds.
    pub fn write_state(&self, tier: usize, round: Option<u16>) -> Result<(), SolveError> {
        let state = State { key: self.key.clone(), tier, round };
        let path = self.dir.join("state.json");
        let temporary = self.dir.join("state.new");
        let text = serde_json::to_string_pretty(&state).expect("a state is plain data");
        fs::create_dir_all(&self.dir)
            .and_then(|()| fs::write(&temporary, text))
            .and_then(|()| fs::rename(&temporary, &path))
            .map_err(SolveError::io(&path))?;
        let keep = |name: &str| {
            name == "state.json"
                || (0..tier).any(|done| name == file_name(done, None))
                || round.is_some() && name == file_name(tier, round)
        };
        for entry in fs::read_dir(&self.dir).map_err(SolveError::io(&self.dir))? {
            let entry = entry.map_err(SolveError::io(&self.dir))?;
            if !entry.file_name().to_str().is_some_and(keep) {
                fs::remove_file(entry.path()).map_err(SolveError::io(entry.path()))?;
            }
        }
        Ok(())
    }

    /// Reads what [`write_tier`](Checkpoint::write_tier) wrote.
    pub fn read_tier(
        &self,
        tier: usize,
        round: Option<u16>,
        size: u64,
    ) -> Result<Vec<u16>, SolveError> {
        let mut cells = Vec::new();
        self.scan_tier(tier, round, size, |some| cells.extend(some))?;
        Ok(cells)
    }

    /// Calls `each` with what [`write_tier`](Checkpoint::write_tier) wrote, some cells at a time
    /// and in order: for tiers that are too large to have in memory twice.
    pub fn scan_tier(
        &self,
        tier: usize,
        round: Option<u16>,
        size: u64,
        mut each: impl FnMut(&[u16]),
    ) -> Result<(), SolveError> {
        let path = self.tier_path(tier, round);
        let mut found = 0;
        let count = |cells: &[u16]| {
            found += cells.len() as u64;
            each(cells);
        };
        read_cells(&path, count).map_err(|error| problem(&path, error.to_string()))?;
        if found != size {
            return Err(problem(&path, format!("{found} cells instead of {size}")));
        }
        Ok(())
    }

    fn tier_path(&self, tier: usize, round: Option<u16>) -> PathBuf {
        self.dir.join(file_name(tier, round))
    }
}

fn file_name(tier: usize, round: Option<u16>) -> String {
    match round {
        Some(round) => format!("tier-{tier}-{round}"),
        None => format!("tier-{tier}-done"),
    }
}

fn problem(path: &Path, problem: String) -> SolveError {
    SolveError::Checkpoint { path: path.to_owned(), problem }
}

/// Writes compressed chunks, each with its length and checksum before it. Some are compressed at a
/// time, on all threads.
fn write_cells(path: &Path, cells: impl Iterator<Item = u16>) -> std::io::Result<()> {
    const BATCH: usize = 16;
    let mut file = BufWriter::new(File::create(path)?);
    let mut cells = cells.peekable();
    while cells.peek().is_some() {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH && cells.peek().is_some() {
            let mut bytes = Vec::with_capacity(2 * CHUNK);
            bytes.extend(cells.by_ref().take(CHUNK).flat_map(u16::to_le_bytes));
            batch.push(bytes);
        }
        let packed: Vec<std::io::Result<Vec<u8>>> =
            batch.into_par_iter().map(|bytes| zstd::bulk::compress(&bytes, 1)).collect();
        for packed in packed {
            let packed = packed?;
            file.write_all(&(packed.len() as u32).to_le_bytes())?;
            file.write_all(&crc32c::crc32c(&packed).to_le_bytes())?;
            file.write_all(&packed)?;
        }
    }
    file.into_inner()?.sync_all()
}

/// Calls `each` with the cells of one chunk after the other.
fn read_cells(path: &Path, mut each: impl FnMut(&[u16])) -> std::io::Result<()> {
    let damaged = || std::io::Error::other("damaged");
    let mut file = BufReader::new(File::open(path)?);
    let mut head = [0; 8];
    loop {
        match file.read(&mut head[..1])? {
            0 => return Ok(()),
            _ => file.read_exact(&mut head[1..])?,
        }
        let [length, checksum] =
            [0, 4].map(|at| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes")));
        let mut packed = Vec::new();
        file.by_ref().take(length.into()).read_to_end(&mut packed)?;
        if packed.len() != length as usize || crc32c::crc32c(&packed) != checksum {
            return Err(damaged());
        }
        let bytes = zstd::bulk::decompress(&packed, 2 * CHUNK)?;
        let pairs = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        each(&pairs.collect::<Vec<u16>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_survives_and_damage_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint::new(dir.path().join("part"), "game 1");
        assert_eq!(checkpoint.state().unwrap(), None);
        let cells: Vec<u16> = (0..CHUNK as u32 + 5).map(|i| i.wrapping_mul(i) as u16).collect();
        checkpoint.write_tier(0, Some(3), cells.iter().copied()).unwrap();
        checkpoint.write_state(0, Some(3)).unwrap();
        checkpoint.write_tier(0, Some(4), cells.iter().copied()).unwrap();
        checkpoint.write_state(0, Some(4)).unwrap();
        let size = cells.len() as u64;
        assert_eq!(checkpoint.state().unwrap().unwrap().round, Some(4));
        assert_eq!(checkpoint.read_tier(0, Some(4), size).unwrap(), cells);
        assert!(checkpoint.read_tier(0, Some(3), size).is_err(), "dropped");
        assert!(checkpoint.read_tier(0, Some(4), size + 1).is_err(), "wrong size");

        let other = Checkpoint::new(dir.path().join("part"), "game 2");
        assert!(other.state().unwrap_err().to_string().contains("game 1"));
        let path = dir.path().join("part").join("tier-0-4");
        let mut bytes = fs::read(&path).unwrap();
        bytes[100] ^= 1;
        fs::write(&path, bytes).unwrap();
        let error = checkpoint.read_tier(0, Some(4), size).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
        checkpoint.remove().unwrap();
        checkpoint.remove().unwrap();
        assert_eq!(checkpoint.state().unwrap(), None);
    }
}
