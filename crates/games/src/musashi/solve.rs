//! From the rules to a table.
//!
//! A table has a tier for each map of the engine, with the positions where brown is to move: a
//! position with black to move has at most eight moves, and is worth what the best of them leads
//! to. The last tiers are empty; their counts are the census, for each number of brown pieces with
//! black to move and with brown to move.

use super::rules::{Musashi, Player, Position};
use super::solved::SolvedMusashi;
use crate::any::{AnyGame, AnySolved, SolveJob, SolveReport};
use crate::{GameError, store};
use kanzen_analyse::{Finding, check};
use kanzen_bitmap::deltas::distance;
use kanzen_bitmap::{
    Census, Deltas, Options, Progress as Share, ResumeError, Round, Solver, SolverError, Watch,
};
use kanzen_core::{Drawing, Game, Kit, Value, Verdict, perft};
use kanzen_index::Indexed;
use kanzen_solve::{Plan, SolveError};
use kanzen_table::{DONT_CARE, Identity, Scheme, Table, TableError, TableWriter};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Musashi on a board, under its name.
#[derive(Clone, Debug)]
pub struct NamedMusashi {
    game: Musashi,
    name: &'static str,
}

impl NamedMusashi {
    /// Gives the game on a board its name.
    #[must_use]
    pub fn new(game: Musashi, name: &'static str) -> NamedMusashi {
        NamedMusashi { game, name }
    }

    fn position(&self, text: Option<&str>) -> Result<Position, GameError> {
        Ok(match text {
            Some(text) => self.game.parse(text)?,
            None => self.game.start(),
        })
    }
}

impl AnyGame for NamedMusashi {
    fn identity(&self) -> Identity {
        Identity {
            game: self.name.to_owned(),
            variant: Default::default(),
            index_version: Musashi::INDEX_VERSION,
        }
    }

    fn start(&self) -> String {
        self.game.write(&self.game.start())
    }

    /// Measured: 4 to 5 nanoseconds a placement in all rounds together and as much for the table,
    /// and less than a bit of each on disk, in the table and in the file of rounds.
    fn plan(&self, threads: usize) -> Plan {
        let index = self.game.board().index();
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let cells = index.kings().len() as u64 * index.size();
        Plan {
            positions: 2 * cells,
            memory: Solver::memory(index.graph()) + (64 << 20),
            disk: cells / 4 + (1 << 24),
            seconds: 1e-8 * cells as f64 / threads as f64,
        }
    }

    fn solve(&self, job: &SolveJob<'_>) -> Result<SolveReport, GameError> {
        let identity = self.identity();
        let needed = self.plan(job.threads).memory;
        if needed > job.memory {
            return Err(SolveError::Memory { needed, allowed: job.memory }.into());
        }
        let path = store::table_path(&job.dir, &identity);
        let _lock = store::lock(&job.dir, &identity)?;
        let files = Files {
            checkpoint: store::checkpoint_path(&job.dir, &identity),
            rounds: path.with_extension("rounds"),
        };
        let (mut solver, deltas) = files.begin(&self.game, job.threads)?;
        let mut watch = Watcher {
            job,
            files: &files,
            deltas: &deltas,
            saved: Instant::now(),
            cost: Duration::ZERO,
            shown: 0,
            failure: None,
        };
        let finished = solver.run(Some(&deltas), &mut watch);
        if let Some(error) = watch.failure {
            return Err(error.into());
        }
        if !finished {
            return Err(SolveError::Cancelled.into());
        }
        let census = solver.census().clone();
        drop(solver);
        let bytes = self.write_table(&census, &deltas, &path, job)?;
        files.remove()?;
        let solved = SolvedMusashi::new(self.game, Table::open(&path)?);
        let start = self.game.start();
        let value = solved.value(&start)?;
        let verdict = Verdict::new(value, self.game.endless(&start));
        Ok(SolveReport { table: path, bytes, start: verdict.to_string() })
    }

    fn open(&self, dir: &Path) -> Result<Box<dyn AnySolved>, GameError> {
        let path = store::existing_table(dir, &self.identity())?;
        let table = Table::open(&path)?;
        table.expect(&self.identity())?;
        Ok(Box::new(SolvedMusashi::new(self.game, table)))
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, GameError> {
        Ok(perft(&self.game, &self.position(position)?, depth))
    }

    fn check(&self, samples: u64, seed: u64) -> Vec<Finding> {
        check(&self.game, samples, seed)
    }

    fn draw(&self, position: Option<&str>) -> Result<Drawing, GameError> {
        Ok(self.game.draw(&self.position(position)?))
    }

    fn kit(&self) -> &'static Kit {
        self.game.kit()
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        self.game.compose(drawing)
    }
}

impl NamedMusashi {
    fn write_table(
        &self,
        census: &Census,
        deltas: &Deltas,
        path: &Path,
        job: &SolveJob<'_>,
    ) -> Result<u64, GameError> {
        let index = self.game.board().index();
        let mut writer = TableWriter::create(path, self.identity(), Scheme::Plies, job.level)?;
        job.progress.begin("writing the table", index.kings().len() as u64 * index.size());
        let codes: [u16; 256] = std::array::from_fn(|code| stored(code as u8).code());
        for (map, &king) in index.kings().iter().enumerate() {
            let won: Vec<u64> = census.won_in_map(map).collect();
            let open = census.positions_in_map(map) - won.iter().sum::<u64>();
            let mut counts = vec![(Value::Open.code(), open)];
            counts.extend((1..).zip(&won).map(|(code, &n)| (stored(code).code(), n)));
            counts.retain(|&(_, n)| n > 0);
            let blocks = Blocks::new(deltas, map);
            let failure = Mutex::new(None);
            let fill = |range: std::ops::Range<u64>, out: &mut [u16]| {
                let size = index.block_size() as u64;
                let block = (range.start / size) as usize;
                if !index.has_canonical(map, block) {
                    return out.fill(DONT_CARE);
                }
                match blocks.codes(block) {
                    Ok(block) => {
                        let first = (range.start % size) as usize;
                        for (out, &code) in out.iter_mut().zip(&block[first..]) {
                            *out = codes[usize::from(code)];
                        }
                    }
                    Err(error) => {
                        *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    }
                }
            };
            let name = format!("king on {}, brown to move", self.game.name(king));
            writer.tier(&name, index.size(), &counts, fill, |n| job.progress.advance(n))?;
            if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
                return Err(SolveError::io(path.with_extension("rounds"))(error).into());
            }
            if job.cancel.load(Ordering::Relaxed) {
                return Err(SolveError::Cancelled.into());
            }
        }
        write_census(&mut writer, census)?;
        job.progress.end();
        Ok(writer.finish()?)
    }
}

/// What a code of the engine means to brown, who is to move.
fn stored(code: u8) -> Value {
    distance(code).map_or(Value::Open, Value::Win)
}

/// Writes the census as tiers without cells.
fn write_census(writer: &mut TableWriter, census: &Census) -> Result<(), TableError> {
    for row in census.rows() {
        for turn in [Player::Black, Player::Brown] {
            let (name, open, first) = match turn {
                Player::Black => ("black", row.king_wins_king_to_move, 0),
                Player::Brown => ("brown", row.king_wins_pieces_to_move, 1),
            };
            let value = |plies: usize| match turn {
                Player::Black => Value::Loss(plies as u16),
                Player::Brown => Value::Win(plies as u16),
            };
            let mut counts = vec![(Value::Open.code(), open)];
            let plies = row.pieces_win.iter().enumerate().skip(first).step_by(2);
            counts.extend(plies.map(|(plies, &n)| (value(plies).code(), n)));
            let name = format!("{} brown pieces, {name} to move", row.pieces);
            writer.tier(&name, 0, &counts, |_, _| (), |_| ())?;
        }
    }
    Ok(())
}

/// A block's codes, once they are known.
type Slot = Arc<OnceLock<io::Result<Vec<u8>>>>;

/// The last few blocks of a map, each made once though many threads ask for parts of it.
struct Blocks<'a> {
    deltas: &'a Deltas,
    map: usize,
    recent: Mutex<VecDeque<(usize, Slot)>>,
}

impl<'a> Blocks<'a> {
    /// How many blocks are kept: more than there are threads asking at a time.
    const KEPT: usize = 64;

    fn new(deltas: &'a Deltas, map: usize) -> Blocks<'a> {
        Blocks { deltas, map, recent: Mutex::default() }
    }

    fn codes(&self, block: usize) -> io::Result<Codes> {
        let slot = {
            let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            match recent.iter().find(|(number, _)| *number == block) {
                Some((_, slot)) => Arc::clone(slot),
                None => {
                    let slot = Slot::default();
                    recent.push_back((block, Arc::clone(&slot)));
                    if recent.len() > Self::KEPT {
                        recent.pop_front();
                    }
                    slot
                }
            }
        };
        match slot.get_or_init(|| self.deltas.codes(self.map, block)) {
            Ok(_) => Ok(Codes(slot)),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }
}

/// A block's codes that are known.
struct Codes(Slot);

impl std::ops::Deref for Codes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self.0.get() {
            Some(Ok(codes)) => codes,
            _ => &[],
        }
    }
}

/// The files of an unfinished solve.
struct Files {
    /// The engine's state and the directory of the rounds.
    checkpoint: PathBuf,
    /// What was new in each round.
    rounds: PathBuf,
}

impl Files {
    /// Resumes a solve, or begins it.
    fn begin(&self, game: &Musashi, threads: usize) -> Result<(Solver, Deltas), SolveError> {
        let options = Options { threads, isa: None };
        let graph = game.board().graph();
        let mut open = File::options();
        open.read(true).write(true).create(true);
        if self.checkpoint.exists() {
            let rounds =
                open.truncate(false).open(&self.rounds).map_err(SolveError::io(&self.rounds))?;
            return self.resume(graph, options, rounds);
        }
        let solver = Solver::new(graph, options).map_err(|error| self.solver_error(error))?;
        let rounds =
            open.truncate(true).open(&self.rounds).map_err(SolveError::io(&self.rounds))?;
        let deltas = Deltas::new(&solver, rounds);
        Ok((solver, deltas))
    }

    fn resume(
        &self,
        graph: &kanzen_bitmap::Graph,
        options: Options,
        rounds: File,
    ) -> Result<(Solver, Deltas), SolveError> {
        let bad =
            |problem: String| SolveError::Checkpoint { path: self.checkpoint.clone(), problem };
        let read = |error: io::Error| bad(error.to_string());
        let file = File::open(&self.checkpoint).map_err(SolveError::io(&self.checkpoint))?;
        let mut file = BufReader::new(file);
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(read)?;
        let length = u64::from_le_bytes(length);
        let mut directory = Vec::new();
        (&mut file).take(length).read_to_end(&mut directory).map_err(read)?;
        let solver = Solver::resume(graph, options, file).map_err(|error| match error {
            ResumeError::Solver(error) => self.solver_error(error),
            error => bad(error.to_string()),
        })?;
        let deltas = Deltas::resume(&solver, rounds, &mut &directory[..]).map_err(read)?;
        Ok((solver, deltas))
    }

    fn solver_error(&self, error: SolverError) -> SolveError {
        match error {
            SolverError::Threads(error) => SolveError::Threads(error),
            SolverError::Memory { bytes, source } => SolveError::Io {
                path: self.checkpoint.clone(),
                source: io::Error::new(source.kind(), format!("{bytes} bytes of memory: {source}")),
            },
            error => SolveError::Io {
                path: self.checkpoint.clone(),
                source: io::Error::other(error.to_string()),
            },
        }
    }

    /// Saves under another name first, so that there is always a whole checkpoint.
    fn save(&self, solver: &Solver, deltas: &Deltas) -> Result<(), SolveError> {
        let temporary = self.checkpoint.with_extension("checkpoint-new");
        let write = || {
            let mut directory = Vec::new();
            deltas.save(&mut directory)?;
            let mut file = BufWriter::new(File::create(&temporary)?);
            file.write_all(&(directory.len() as u64).to_le_bytes())?;
            file.write_all(&directory)?;
            solver.save(&mut file)?;
            file.into_inner()?.sync_all()?;
            fs::rename(&temporary, &self.checkpoint)
        };
        write().map_err(SolveError::io(&self.checkpoint))
    }

    fn remove(&self) -> Result<(), SolveError> {
        for path in [&self.checkpoint, &self.rounds] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(SolveError::io(path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Shows progress, saves now and then, and stops when asked to.
struct Watcher<'a> {
    job: &'a SolveJob<'a>,
    files: &'a Files,
    deltas: &'a Deltas,
    /// When the last checkpoint was complete.
    saved: Instant,
    /// How long it took.
    cost: Duration,
    /// Thousandths of the round that were shown.
    shown: u64,
    failure: Option<SolveError>,
}

impl Watcher<'_> {
    /// A checkpoint is due: not more often than asked for, and not for more than a twentieth of
    /// the time.
    fn is_due(&self) -> bool {
        self.saved.elapsed() >= self.job.interval.max(20 * self.cost)
    }

    fn after(&mut self, solver: &Solver) -> Result<ControlFlow<()>, SolveError> {
        self.deltas.check().map_err(SolveError::io(&self.files.rounds))?;
        let stop = self.job.cancel.load(Ordering::Relaxed);
        if stop || self.is_due() || solver.is_finished() {
            let begin = Instant::now();
            self.files.save(solver, self.deltas)?;
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

    fn after_round(&mut self, solver: &Solver, _: &Round) -> ControlFlow<()> {
        self.after(solver).unwrap_or_else(|error| {
            self.failure = Some(error);
            ControlFlow::Break(())
        })
    }
}
