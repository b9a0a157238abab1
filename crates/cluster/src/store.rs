//! What the workers keep on the disk, in a directory that all of them see.
//!
//! A finished tier is one file, the same that a solve on one machine keeps. While a tier is solved,
//! each worker writes the pieces of its shards that have changed since the last round that it wrote;
//! `rounds.json`, which the first worker writes when all have, names the rounds whose pieces make up
//! the state. So a restart may have any number of workers.

use kanzen_machine::files;
use kanzen_solve::{Blocks, CHUNK as BLOCK, Checkpoint, SolveError, State, bytes_of, cells_of};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

/// Rounds whose pieces are kept before the whole state is written again.
const MOST_PARTS: usize = 64;
const ROUNDS: &str = "rounds.json";

/// Where a tier stands that is being solved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Point {
    key: String,
    tier: usize,
    /// The round that comes next.
    pub(crate) round: u16,
    /// The rounds whose pieces make up the state, and how many workers wrote them.
    parts: Vec<(u16, usize)>,
    /// What each round has settled: positions, and their hash.
    digests: Vec<(u16, u64, u64)>,
}

/// The directory of a solve.
pub(crate) struct Store {
    checkpoint: Checkpoint,
    dir: PathBuf,
    key: String,
    point: Mutex<Point>,
    /// The thread of the first worker that writes tiers that are done.
    writing: Mutex<Option<JoinHandle<Result<(), SolveError>>>>,
}

impl Store {
    pub(crate) fn new(checkpoint: &Checkpoint) -> Store {
        let (dir, key) = (checkpoint.dir().to_owned(), checkpoint.key().to_owned());
        Store {
            checkpoint: checkpoint.clone(),
            dir,
            key,
            point: Mutex::default(),
            writing: Mutex::default(),
        }
    }

    /// The first tier that is not done, and where that stands.
    pub(crate) fn begin(&self) -> Result<(usize, Option<Point>), SolveError> {
        let tier = match self.checkpoint.state()? {
            Some(State { round: Some(_), .. }) => {
                return Err(SolveError::Checkpoint {
                    path: self.dir.clone(),
                    problem: "a solve on one machine is at work on a tier".to_owned(),
                });
            }
            Some(State { tier, .. }) => tier,
            None => 0,
        };
        let path = self.dir.join(ROUNDS);
        let point: Option<Point> = match std::fs::read(&path) {
            Ok(bytes) => Some(serde_json::from_slice(&bytes).map_err(|error| {
                let problem = format!("unreadable ({error})");
                SolveError::Checkpoint { path: path.clone(), problem }
            })?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(SolveError::io(path)(error)),
        };
        let point = point.filter(|point| point.key == self.key && point.tier == tier);
        *self.lock() = point.clone().unwrap_or_default();
        Ok((tier, point.filter(|point| !point.parts.is_empty())))
    }

    /// Calls `each` with the codes of a tier that is done, some at a time.
    pub(crate) fn scan_done(
        &self,
        tier: usize,
        size: u64,
        each: impl FnMut(&[u16]),
    ) -> Result<(), SolveError> {
        self.checkpoint.scan_tier(tier, None, size, each)
    }

    /// Whether all of the state must be written, not only what has changed.
    pub(crate) fn is_full(&self) -> bool {
        self.lock().parts.len() >= MOST_PARTS
    }

    /// Writes pieces of a worker's shards: shard, first cell, and cells.
    pub(crate) fn write_round(
        &self,
        tier: usize,
        round: u16,
        (worker, workers): (usize, usize),
        pieces: &[(usize, usize, &[u16])],
    ) -> Result<(), SolveError> {
        let blocks = pieces.chunks(BLOCK >> crate::state::PIECE).map(|pieces| {
            let size = pieces.iter().map(|(_, _, cells)| 12 + 2 * cells.len()).sum();
            let mut bytes = Vec::with_capacity(size);
            for (shard, first, cells) in pieces {
                for word in [*shard, *first, cells.len()] {
                    bytes.extend_from_slice(&(word as u32).to_le_bytes());
                }
                bytes.extend(bytes_of(cells));
            }
            bytes
        });
        self.checkpoint.write_blocks(&round_name(tier, round, worker, workers), blocks)
    }

    /// Says that all workers have written a round, or only what it has settled.
    pub(crate) fn round_done(
        &self,
        tier: usize,
        round: u16,
        workers: Option<usize>,
        (found, hash): (u64, u64),
    ) -> Result<(), SolveError> {
        let mut point = self.lock();
        if point.tier != tier || point.key != self.key {
            *point = Point { key: self.key.clone(), tier, ..Point::default() };
        }
        if let Some(&(_, old, old_hash)) = point.digests.iter().find(|known| known.0 == round) {
            if (old, old_hash) != (found, hash) {
                return Err(SolveError::Engine(format!(
                    "the round before {round} settles {found} positions (hash {hash:016x}), and when it was done before, {old} (hash {old_hash:016x}): this machine or one before makes mistakes"
                )));
            }
        } else {
            point.digests.push((round, found, hash));
        }
        let Some(workers) = workers else { return Ok(()) };
        let old = if point.parts.len() >= MOST_PARTS {
            std::mem::take(&mut point.parts)
        } else {
            Vec::new()
        };
        point.parts.push((round, workers));
        point.round = round;
        let path = self.dir.join(ROUNDS);
        let text = serde_json::to_vec(&*point).expect("a state is plain data");
        files::replace(&path, |file| file.write_all(&text)).map_err(SolveError::io(&path))?;
        for (round, workers) in old {
            for worker in 0..workers {
                self.checkpoint.remove_file(&round_name(tier, round, worker, workers))?;
            }
        }
        Ok(())
    }

    /// Calls `each` with shard, first cell and cells of what was written of a tier, in order.
    pub(crate) fn read_rounds(
        &self,
        tier: usize,
        point: &Point,
        mut each: impl FnMut(usize, usize, &[u16]),
    ) -> Result<(), SolveError> {
        for &(round, workers) in &point.parts {
            for worker in 0..workers {
                let name = round_name(tier, round, worker, workers);
                for block in self.blocks(&name)? {
                    let block = block?;
                    let mut rest = &block[..];
                    while let Some((head, after)) = rest.split_at_checked(12) {
                        let word = |at: usize| {
                            let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
                            u32::from_le_bytes(bytes) as usize
                        };
                        let Some((cells, next)) = after.split_at_checked(2 * word(8)) else {
                            return Err(self.checkpoint.damaged(&name));
                        };
                        each(word(0), word(4), &cells_of(cells));
                        rest = next;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the codes of a worker's shards of a tier that is done.
    pub(crate) fn write_part(
        &self,
        tier: usize,
        worker: usize,
        shards: impl Iterator<Item = impl AsRef<[u16]>>,
    ) -> Result<(), SolveError> {
        let mut rest = shards.map(|shard| (0, shard));
        let mut open = rest.next();
        let blocks = std::iter::from_fn(|| {
            let (first, shard) = open.as_mut()?;
            let cells = shard.as_ref();
            let end = cells.len().min(*first + BLOCK);
            let bytes = bytes_of(&cells[*first..end]);
            *first = end;
            if end == cells.len() {
                open = rest.next();
            }
            Some(bytes)
        });
        self.checkpoint.write_blocks(&part_name(tier, worker), blocks)
    }

    /// Writes all codes of tiers that are done, while others go on.
    pub(crate) fn write_done(&self, tiers: Vec<(usize, Vec<u16>)>) -> Result<(), SolveError> {
        self.kept()?;
        let checkpoint = self.checkpoint.clone();
        let write = move || {
            for (tier, codes) in tiers {
                checkpoint.write_tier(tier, None, codes.into_iter())?;
                checkpoint.write_state(tier + 1, None)?;
            }
            Ok(())
        };
        *self.writing.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(std::thread::spawn(write));
        Ok(())
    }

    /// Whether the tiers that are done are written.
    pub(crate) fn is_kept(&self) -> bool {
        let writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        writing.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits until the tiers that are done are written.
    pub(crate) fn kept(&self) -> Result<(), SolveError> {
        let writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner).take();
        let failed = |_| SolveError::Engine("a thread that writes has failed".to_owned());
        writing.map_or(Ok(()), |writing| writing.join().map_err(failed)?)
    }

    /// Makes one file of the parts of a tier that is done; `shards` tells the worker and the cells of
    /// each shard.
    pub(crate) fn join_parts(
        &self,
        tier: usize,
        workers: usize,
        shards: impl Iterator<Item = (usize, usize)>,
    ) -> Result<(), SolveError> {
        let names: Vec<String> = (0..workers).map(|worker| part_name(tier, worker)).collect();
        let blocks = shards.flat_map(|(worker, cells)| vec![worker; cells.div_ceil(BLOCK)]);
        self.checkpoint.join_tier(tier, &names, blocks)?;
        self.checkpoint.write_state(tier + 1, None)
    }

    fn blocks(&self, name: &str) -> Result<Blocks, SolveError> {
        self.checkpoint.read_blocks(name)?.ok_or_else(|| SolveError::Checkpoint {
            path: self.dir.join(name),
            problem: "it is missing".to_owned(),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Point> {
        self.point.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn round_name(tier: usize, round: u16, worker: usize, workers: usize) -> String {
    format!("tier-{tier}-round-{round}-part-{worker}-of-{workers}")
}

fn part_name(tier: usize, worker: usize) -> String {
    format!("tier-{tier}-part-{worker}")
}
