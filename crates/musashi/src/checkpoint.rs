//! What an unfinished solve leaves on disk, and when.
//!
//! The checkpoint is one file that ends with a checksum of all of it: a signature, the name of what
//! is solved, the distance of the start, the directory of the rounds, and the engine's state. The
//! rounds are in a file beside it, each piece with its checksum in the directory.

use super::rules::Musashi;
use kanzen_bitmap::{
    Deltas, Options, Place, Progress as Share, ResumeError, Round, Sink, Solver, SolverError, Tile,
    Watch,
};
use kanzen_core::Game;
use kanzen_machine::files::{self, Checked};
use kanzen_registry::Files;
use kanzen_solve::{Job, SolveError};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Begins a checkpoint of this version.
const SIGNATURE: [u8; 8] = *b"KZKING02";

/// Names the engine, with the version of what its checkpoints hold.
const ENGINE: &str = "bitmap 1";

/// The files of an unfinished solve.
pub(super) struct Scratch {
    /// Names the game, the version of its index, and the engine.
    key: String,
    /// The engine's state and the directory of the rounds, if they are kept.
    checkpoint: PathBuf,
    /// What was new in each round.
    pub(super) rounds: PathBuf,
}

/// A solve that has begun.
pub(super) struct Begun {
    pub(super) solver: Solver,
    /// The rounds, if they are kept.
    pub(super) deltas: Option<Deltas>,
    /// Plies to brown's win from the start, if that is known already.
    pub(super) start: Option<u16>,
}

impl Scratch {
    /// The files beside a table.
    pub(super) fn new(files: &Files) -> Scratch {
        let key = files.key(ENGINE);
        Scratch { key, checkpoint: files.checkpoint(), rounds: files.path("rounds") }
    }

    /// Resumes a solve, or begins it; `rounds` are kept if distances are wanted.
    pub(super) fn begin(
        &self,
        game: &Musashi,
        threads: usize,
        rounds: bool,
    ) -> Result<Begun, SolveError> {
        let options = Options { threads, isa: None };
        let graph = game.board().graph();
        if self.checkpoint.exists() {
            return self.resume(graph, options, rounds);
        }
        let solver = Solver::new(graph, options).map_err(solver_error)?;
        let deltas =
            if rounds { Some(Deltas::new(&solver, self.open_rounds(true)?)) } else { None };
        Ok(Begun { solver, deltas, start: None })
    }

    fn open_rounds(&self, truncate: bool) -> Result<File, SolveError> {
        let mut open = File::options();
        open.read(true).write(true).create(true).truncate(truncate);
        open.open(&self.rounds).map_err(SolveError::io(&self.rounds))
    }

    fn resume(
        &self,
        graph: &kanzen_bitmap::Graph,
        options: Options,
        rounds: bool,
    ) -> Result<Begun, SolveError> {
        let bad =
            |problem: String| SolveError::Checkpoint { path: self.checkpoint.clone(), problem };
        let read = |error: io::Error| bad(error.to_string());
        let mut file = files::open_checked(&self.checkpoint).map_err(read)?;
        let mut signature = [0; SIGNATURE.len()];
        file.read_exact(&mut signature).map_err(read)?;
        if signature != SIGNATURE {
            return Err(bad("it is of another version".to_owned()));
        }
        let key = get(&mut file).map_err(read)?;
        if key != self.key.as_bytes() {
            let key = String::from_utf8_lossy(&key).into_owned();
            return Err(bad(format!("it is of {key}, not of {}", self.key)));
        }
        let mut start = [0; 2];
        file.read_exact(&mut start).map_err(read)?;
        let directory = get(&mut file).map_err(read)?;
        if rounds && directory.is_empty() {
            return Err(bad("it has no distances: go on without them".to_owned()));
        }
        let solver = Solver::resume(graph, options, file).map_err(|error| match error {
            ResumeError::Solver(error) => solver_error(error),
            error => bad(error.to_string()),
        })?;
        let deltas = if rounds {
            let file = self.open_rounds(false)?;
            Some(Deltas::resume(&solver, file, &mut &directory[..]).map_err(read)?)
        } else {
            None
        };
        let start = Some(u16::from_le_bytes(start)).filter(|&plies| plies > 0);
        Ok(Begun { solver, deltas, start })
    }

    fn save(
        &self,
        solver: &Solver,
        deltas: Option<&Deltas>,
        start: Option<u16>,
    ) -> Result<(), SolveError> {
        let mut directory = Vec::new();
        if let Some(deltas) = deltas {
            deltas.save(&mut directory).map_err(SolveError::io(&self.rounds))?;
        }
        files::replace(&self.checkpoint, |file| {
            let mut file = Checked::new(file);
            file.write_all(&SIGNATURE)?;
            put(&mut file, self.key.as_bytes())?;
            file.write_all(&start.unwrap_or(0).to_le_bytes())?;
            put(&mut file, &directory)?;
            solver.save(&mut file)?;
            file.finish()
        })
        .map_err(SolveError::io(&self.checkpoint))
    }

    /// Removes what a finished solve does not need.
    pub(super) fn remove(&self) -> Result<(), SolveError> {
        [&self.checkpoint, &self.rounds]
            .into_iter()
            .try_for_each(|path| files::remove(path).map_err(SolveError::io(path)))
    }
}

fn solver_error(error: SolverError) -> SolveError {
    match error {
        SolverError::Threads(error) => SolveError::Threads(error),
        SolverError::Memory { source, .. } => SolveError::NoMemory(source),
        error => SolveError::Engine(error.to_string()),
    }
}

/// Writes bytes after their number.
fn put(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)
}

/// Reads what [`put`] wrote.
fn get(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let mut bytes = Vec::new();
    from.take(u64::from_le_bytes(length)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Shows progress, saves now and then, stops when asked to, and waits for the start to be won.
pub(super) struct Watcher<'a> {
    job: &'a Job<'a>,
    files: &'a Scratch,
    deltas: Option<&'a Deltas>,
    /// Where the start is.
    place: Option<Place>,
    /// Plies to brown's win from there.
    start: Option<u16>,
    /// When the last checkpoint was complete.
    saved: Instant,
    /// How long it took.
    cost: Duration,
    /// Thousandths of the round that were shown.
    shown: u64,
    failure: Option<SolveError>,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(
        job: &'a Job<'a>,
        files: &'a Scratch,
        game: &Musashi,
        deltas: Option<&'a Deltas>,
        start: Option<u16>,
    ) -> Watcher<'a> {
        let first = game.start();
        Watcher {
            job,
            files,
            deltas,
            place: game.board().index().locate(first.king, first.brown),
            start,
            saved: Instant::now(),
            cost: Duration::ZERO,
            shown: 0,
            failure: None,
        }
    }

    /// Runs a solve to its end. Returns the plies to brown's win from the start, if brown wins.
    pub(super) fn run(
        mut self,
        solver: &mut Solver,
        sink: Option<&dyn Sink>,
    ) -> Result<Option<u16>, SolveError> {
        let finished = solver.run(sink, &mut self);
        match self.failure {
            Some(error) => Err(error),
            None if !finished => Err(SolveError::Cancelled),
            None => Ok(self.start),
        }
    }

    /// A checkpoint is due: not more often than asked for, and not for more than a twentieth of
    /// the time.
    fn is_due(&self) -> bool {
        self.saved.elapsed() >= self.job.interval.max(20 * self.cost)
    }

    fn after(&mut self, solver: &Solver, round: &Round) -> Result<ControlFlow<()>, SolveError> {
        if let Some(deltas) = self.deltas {
            deltas.check().map_err(SolveError::io(&self.files.rounds))?;
        }
        if self.start.is_none() && self.place.is_some_and(|place| is_won(solver, place)) {
            self.start = Some(2 * round.number as u16 + 1);
        }
        let stop = self.job.cancel.load(Ordering::Relaxed);
        if stop || self.is_due() || solver.is_finished() {
            let begin = Instant::now();
            self.files.save(solver, self.deltas, self.start)?;
            self.saved = Instant::now();
            self.cost = self.saved - begin;
        }
        Ok(if stop && !solver.is_finished() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }
}

/// Whether brown, to move, is known to win.
fn is_won(solver: &Solver, place: Place) -> bool {
    let index = place.index as usize;
    solver.won(place.king)[index / Tile::BITS].bit(index % Tile::BITS)
}

impl Watch for Watcher<'_> {
    fn progress(&mut self, share: &Share) {
        const UNITS: f64 = 1000.0;
        if self.shown == 0 {
            let left = share
                .left
                .map_or_else(String::new, |left| format!(", about {} s left", left.as_secs()));
            let what = format!("{} plies{left}", 2 * share.round + 1);
            self.job.progress.begin(&what, UNITS as u64);
        }
        let done = (share.share * UNITS) as u64;
        self.job.progress.advance(done - self.shown);
        self.shown = done;
        if share.share >= 1.0 {
            self.job.progress.end();
            self.shown = 0;
        }
    }

    fn after_round(&mut self, solver: &Solver, round: &Round) -> ControlFlow<()> {
        self.after(solver, round).unwrap_or_else(|error| {
            self.failure = Some(error);
            ControlFlow::Break(())
        })
    }
}
