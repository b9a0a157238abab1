//! Saving a solve between two rounds, and going on with it.
//!
//! The file is a zstd stream with a checksum: a signature, the board, the census
//! so far, and for each king its map, what changed in the last round, and how
//! many lost positions its regions have. Numbers are little-endian.

use crate::graph::Graph;
use crate::known::RegionCounts;
use crate::solver::{Options, Solver, SolverError};
use std::io::{self, Read, Write};

const SIGNATURE: [u8; 8] = *b"KZBITMP1";

/// Why a solve could not be resumed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The file cannot be read, or is cut off or damaged.
    #[error("the checkpoint cannot be read")]
    Read(#[from] io::Error),
    /// The file is something else.
    #[error("not a checkpoint of this version")]
    Foreign,
    /// The file belongs to another board.
    #[error("the checkpoint belongs to another board")]
    OtherBoard,
    /// The solver could not be made.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

impl Solver {
    /// Writes everything needed to go on.
    ///
    /// # Errors
    /// What the writer returns.
    pub fn save(&self, to: impl Write) -> io::Result<()> {
        let mut out = zstd::stream::Encoder::new(to, 1)?;
        out.include_checksum(true)?;
        out.write_all(&SIGNATURE)?;
        let board = describe(&self.graph);
        put(&mut out, board.len() as u64)?;
        out.write_all(&board)?;
        put(&mut out, self.rounds as u64)?;
        put(&mut out, u64::from(self.finished))?;
        for &n in self.census.rounds().flatten().flatten() {
            put(&mut out, n)?;
        }
        for ((map, changed), known) in self.won.iter().zip(&self.changed).zip(&self.known) {
            out.write_all(map.bytes())?;
            for &word in changed {
                put(&mut out, word)?;
            }
            for &n in known.region_counts().iter().flatten() {
                out.write_all(&n.to_le_bytes())?;
            }
        }
        out.finish()?.flush()
    }

    /// Goes on with a solve that was [saved](Self::save).
    ///
    /// # Errors
    /// If the file is damaged or belongs to something else, or there is too
    /// little memory.
    pub fn resume(graph: &Graph, options: Options, from: impl Read) -> Result<Self, ResumeError> {
        let mut from = zstd::stream::Decoder::new(from).map_err(ResumeError::Read)?;
        let mut signature = [0; SIGNATURE.len()];
        from.read_exact(&mut signature).map_err(|_| ResumeError::Foreign)?;
        if signature != SIGNATURE {
            return Err(ResumeError::Foreign);
        }
        let board = describe(graph);
        let mut saved = vec![0; board.len()];
        if get(&mut from)? != board.len() as u64 {
            return Err(ResumeError::OtherBoard);
        }
        from.read_exact(&mut saved)?;
        if saved != board {
            return Err(ResumeError::OtherBoard);
        }
        let mut solver = Self::new(graph, options)?;
        let rounds = get(&mut from)?;
        solver.finished = get(&mut from)? != 0;
        for _ in 0..rounds {
            let mut counts = |n: usize| (0..n).map(|_| get(&mut from)).collect::<io::Result<_>>();
            let (lost, won) = (counts(graph.points())?, counts(graph.points())?);
            solver.census.push(lost, won, counts(solver.won.len())?);
            solver.rounds += 1;
        }
        for ((map, changed), known) in
            solver.won.iter_mut().zip(&mut solver.changed).zip(&mut solver.known)
        {
            from.read_exact(map.bytes_mut())?;
            for word in changed {
                *word = get(&mut from)?;
            }
            let mut counts: Vec<RegionCounts> = known.region_counts().to_vec();
            for n in counts.iter_mut().flatten() {
                let mut bytes = [0; 4];
                from.read_exact(&mut bytes)?;
                *n = u32::from_le_bytes(bytes);
            }
            known.restore(counts);
        }
        // The checksum is only looked at when the end is read.
        let mut rest = Vec::new();
        if from.take(1).read_to_end(&mut rest)? > 0 {
            return Err(ResumeError::Foreign);
        }
        Ok(solver)
    }
}

/// The board in bytes: equal for equal boards only.
fn describe(graph: &Graph) -> Vec<u8> {
    let mut bytes = vec![graph.points() as u8];
    bytes.push(graph.lines().len() as u8);
    bytes.extend(graph.lines().iter().flat_map(|&(a, b)| [a, b]));
    bytes.push(graph.sandwiches().len() as u8);
    bytes.extend(graph.sandwiches().iter().flatten());
    bytes.extend(graph.symmetries().iter().flatten());
    bytes
}

fn put(out: &mut impl Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

fn get(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
