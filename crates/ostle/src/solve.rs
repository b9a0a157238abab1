//! From the rules to a table: tier by tier, with checkpoints.
//!
//! A checkpoint holds the facts of finished tiers, and the words of the current one before a round:
//! two cells of 16 bits for each board. Of a finished tier only the best values stay in memory.

use super::census::Census;
use super::engine::{Engine as Rounds, Values, no_values};
use super::rules::{Ostle, Undo};
use super::solved::SolvedOstle;
use super::spread::Spread;
use super::symmetric::{self, Concerned};
use super::table;
use super::tiers::Tier;
use super::word::Facts;
use kanzen_analyse::{Flaw, Values as _, check};
use kanzen_core::{Game, Value};
use kanzen_registry::{Engine, Files, GameError, Store};
use kanzen_solve::{Checkpoint, Job, Plan, SolveError, State as Stand, thread_count};
use kanzen_table::{Table, TableError, TableWriter};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Names the engine in its checkpoints, with the version of what they hold.
const ENGINE: &str = "barred 1";

/// The engine for boards on which a move may be barred.
pub struct Barred;

impl Engine<Ostle> for Barred {
    type Solved = SolvedOstle;

    /// Measured on a busy machine: 1.3 microseconds a board and thread in all, and a byte a board in a
    /// checkpoint, two while a tier is being solved.
    fn plan(&self, game: &Ostle, threads: usize) -> Plan {
        const FIXED: u64 = 128 << 20;
        let sizes: Vec<u64> =
            game.space().tiers.all().iter().map(|tier| tier.size().into()).collect();
        let positions: u64 = sizes.iter().sum();
        let last = sizes.last().copied().unwrap_or(0);
        let solve = 4 * last + (positions - last);
        let memory = match game.undo() {
            Undo::Symmetric => solve.max(3 * positions),
            Undo::Exact | Undo::Allowed => solve,
        };
        Plan {
            positions,
            memory: FIXED + memory,
            least: FIXED + memory,
            disk: 3 * positions,
            seconds: 1.3e-6 * positions as f64 / thread_count(threads) as f64,
            guessed: false,
        }
    }

    /// The published bar begins with the table of the bar as stated, on one machine.
    fn spreads(&self, game: &Ostle) -> bool {
        game.undo() != Undo::Symmetric
    }

    /// Higher levels take long for 11 GB of cells.
    fn level(&self) -> i32 {
        3
    }

    fn solve(
        &self,
        game: &Ostle,
        files: &Files,
        _: Store,
        level: i32,
        job: &Job<'_>,
    ) -> Result<(u64, Value), GameError> {
        let threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map_err(SolveError::from)
        };
        let pool = threads(job.threads)?;
        let mut run = Run::new(game, files, level, job);
        let path = files.table();
        let bytes = match game.undo() {
            Undo::Symmetric => {
                // The table under the bar as stated comes first.
                let stated = files.without("undo");
                if !stated.table().exists() {
                    let _lock = stated.lock()?;
                    self.solve(&game.with(Undo::Exact), &stated, Store::Distance, level, job)?;
                }
                let stated = stated.open()?;
                pool.install(|| run.write_symmetric(&stated, &path))?
            }
            Undo::Exact | Undo::Allowed => {
                if let Some(machines) = job.machines {
                    machines.solve(Arc::new(Spread::new(game)), job, &run.checkpoint)?;
                    if machines.index() > 0 {
                        return Err(SolveError::Elsewhere.into());
                    }
                }
                let last = pool.install(|| run.solve())?;
                // The other processes have nothing more to do.
                let here = job.machines.map_or(1, |machines| machines.here());
                let pool = threads(job.thread_count() * here)?;
                pool.install(|| run.write_table(last, &path))?
            }
        };
        let solved = SolvedOstle::new(game.clone(), Table::open(&path)?);
        Ok((bytes, solved.value(&game.start())?))
    }

    fn open(&self, game: Ostle, table: Table) -> Result<SolvedOstle, GameError> {
        table::expect_shape(&table, game.space())?;
        Ok(SolvedOstle::new(game, table))
    }

    fn check(&self, game: &Ostle, samples: u64, seed: u64) -> Vec<Flaw> {
        check(game, samples, seed)
    }
}

/// A solve.
struct Run<'a> {
    game: &'a Ostle,
    files: &'a Files,
    level: i32,
    job: &'a Job<'a>,
    checkpoint: Checkpoint,
    /// When the last checkpoint was complete.
    saved: Instant,
    /// How long it took.
    cost: Duration,
}

impl<'a> Run<'a> {
    fn new(game: &'a Ostle, files: &'a Files, level: i32, job: &'a Job<'a>) -> Run<'a> {
        Run {
            game,
            files,
            level,
            job,
            checkpoint: Checkpoint::new(files.checkpoint(), files.key(ENGINE)),
            saved: Instant::now(),
            cost: Duration::ZERO,
        }
    }

    /// Solves all tiers. Returns the facts of the last one; those of the others are in the
    /// checkpoint.
    fn solve(&mut self) -> Result<Vec<Facts>, SolveError> {
        let tiers = &self.game.space().tiers;
        let last = tiers.all().len() - 1;
        let (first, mut round) = match self.checkpoint.state()? {
            Some(Stand { tier, round, .. }) => (tier, round),
            None => (0, None),
        };
        if first > last {
            return self.read_facts(last);
        }
        let mut values: Vec<Values> = Vec::new();
        for tier in 0..first {
            let size = tiers.all()[tier].size();
            let mut best = no_values(size as usize);
            self.scan(tier, None, size.into(), |word| best.push(Facts(word).best()))?;
            values.push(best);
        }
        let bar = self.game.undo() != Undo::Allowed;
        for tier in first.. {
            let shape = &tiers.all()[tier];
            self.job.progress.begin(&shape.name(), 2 * u64::from(shape.size()));
            let mut engine = Rounds::new(tiers, tier, &values, bar);
            if let Some(round) = round.take() {
                let size = Rounds::saved_size(shape);
                engine =
                    engine.resume(round as u8, |each| self.scan(tier, Some(round), size, each))?;
            }
            while engine.go_on(self.job.progress, &|| self.is_time_to_save())? {
                self.job.progress.note(&format!("ply {}", engine.round()));
                if self.is_time_to_save() {
                    let round = Some(engine.round().into());
                    self.save(tier, round, engine.saved())?;
                    self.checkpoint.write_state(tier, round)?;
                }
                self.stop_if_asked()?;
            }
            self.job.progress.end();
            let facts = engine.into_facts();
            self.save(tier, None, facts.iter().map(|facts| facts.0))?;
            self.checkpoint.write_state(tier + 1, None)?;
            self.stop_if_asked()?;
            if tier == last {
                return Ok(facts);
            }
            let mut best = no_values(facts.len());
            facts.par_iter().map(|facts| facts.best()).collect_into_vec(&mut best);
            values.push(best);
        }
        Ok(Vec::new())
    }

    /// Writes the table, from the tier in memory to the one solved first.
    fn write_table(&self, last: Vec<Facts>, path: &Path) -> Result<u64, GameError> {
        let mut writer = self.writer(path)?;
        let bar = self.game.undo() != Undo::Allowed;
        let concerned = bar.then(|| Concerned::find(self.game.space(), self.job.progress));
        let mut last = Some(last);
        for (number, tier) in self.game.space().tiers.all().iter().enumerate().rev() {
            let facts = last.take().map_or_else(|| self.read_facts(number), Ok)?;
            let mut census = Census::of(tier, &facts, bar);
            if let Some(concerned) = &concerned {
                symmetric::correct(&mut census, self.game.space(), number, concerned, &facts);
            }
            self.write_tier(&mut writer, tier, &facts, &census)?;
        }
        let bytes = writer.finish()?;
        self.checkpoint.remove()?;
        Ok(bytes)
    }

    /// Writes the table of the published bar, given that of the bar as stated.
    fn write_symmetric(&self, stated: &Table, path: &Path) -> Result<u64, GameError> {
        let space = self.game.space();
        let mut facts = Vec::new();
        for (number, tier) in space.tiers.all().iter().enumerate() {
            self.job.progress.begin("reading the table of the bar as stated", tier.size().into());
            let done = |boards| self.job.progress.advance(boards);
            facts.push(table::read_tier(stated, space, number, done)?);
            self.job.progress.end();
            self.stop_if_asked()?;
        }
        let concerned = Concerned::find(space, self.job.progress);
        self.job.progress.note("barring images");
        symmetric::propagate(space, &concerned, &mut facts);
        let mut writer = self.writer(path)?;
        for (number, tier) in space.tiers.all().iter().enumerate().rev() {
            let facts = facts.pop().unwrap_or_default();
            let mut census = Census::of(tier, &facts, true);
            symmetric::correct(&mut census, space, number, &concerned, &facts);
            self.write_tier(&mut writer, tier, &facts, &census)?;
        }
        Ok(writer.finish()?)
    }

    fn writer(&self, path: &Path) -> Result<TableWriter, TableError> {
        let (identity, level) = (self.files.identity().clone(), self.level);
        let writer = TableWriter::create(path, identity, table::BARRED, level)?;
        Ok(writer.blocks_of(table::BLOCK_CELLS).by_context(table::neighbours()))
    }

    fn write_tier<F: Copy + Into<Facts> + Sync>(
        &self,
        writer: &mut TableWriter,
        tier: &Tier,
        facts: &[F],
        census: &Census,
    ) -> Result<(), GameError> {
        self.job.progress.begin("writing the table", tier.size().into());
        let done = |boards| self.job.progress.advance(boards);
        table::write_tier(writer, &tier.name(), facts, census, done)?;
        self.job.progress.end();
        Ok(self.stop_if_asked()?)
    }

    /// Not more often than asked for, and not for more than a twentieth of the time.
    fn is_time_to_save(&self) -> bool {
        let due = self.job.interval.max(20 * self.cost);
        self.job.cancel.load(Relaxed) || self.saved.elapsed() >= due
    }

    fn save(
        &mut self,
        tier: usize,
        round: Option<u16>,
        words: impl Iterator<Item = u32>,
    ) -> Result<(), SolveError> {
        let begin = Instant::now();
        let cells = words.flat_map(|word| [word as u16, (word >> 16) as u16]);
        self.checkpoint.write_tier(tier, round, cells)?;
        self.saved = Instant::now();
        self.cost = self.saved - begin;
        Ok(())
    }

    /// Calls `each` with the `size` words that [`save`](Run::save) saved.
    fn scan(
        &self,
        tier: usize,
        round: Option<u16>,
        size: u64,
        mut each: impl FnMut(u32),
    ) -> Result<(), SolveError> {
        self.checkpoint.scan_tier(tier, round, 2 * size, |cells| {
            for pair in cells.chunks_exact(2) {
                each(u32::from(pair[0]) | u32::from(pair[1]) << 16);
            }
        })
    }

    fn read_facts(&self, tier: usize) -> Result<Vec<Facts>, SolveError> {
        let size = self.game.space().tiers.all()[tier].size();
        let mut facts = Vec::with_capacity(size as usize);
        self.scan(tier, None, size.into(), |word| facts.push(Facts(word)))?;
        Ok(facts)
    }

    fn stop_if_asked(&self) -> Result<(), SolveError> {
        match self.job.cancel.load(Relaxed) {
            true => Err(SolveError::Cancelled),
            false => Ok(()),
        }
    }
}
