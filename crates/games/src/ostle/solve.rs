//! From the rules to a table: tier by tier, with checkpoints.
//!
//! A checkpoint holds the facts of finished tiers, and the words of the current one before a round:
//! two cells of 16 bits for each board. Of a finished tier only the best values stay in memory.

use super::census::Census;
use super::engine::{Engine, Values, no_values};
use super::notation::{KIT, compose};
use super::rules::{Ostle, State, Undo};
use super::solved::SolvedOstle;
use super::symmetric::{self, Concerned};
use super::table;
use super::tiers::Tier;
use super::word::Facts;
use crate::any::{AnyGame, AnySolved, SolveJob, SolveReport};
use crate::{GameError, Options, store};
use kanzen_analyse::{Finding, check};
use kanzen_core::{Drawing, Game, Kit, Outcome, Verdict, perft};
use kanzen_index::Indexed;
use kanzen_solve::{Checkpoint, Plan, SolveError, State as Stand};
use kanzen_table::{Identity, Scheme, Table, TableError, TableWriter};
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Ostle with the options that were chosen.
#[derive(Clone, Debug)]
pub struct NamedOstle {
    game: Ostle,
    identity: Identity,
}

impl NamedOstle {
    /// The game with its options `pieces` and `undo`.
    #[must_use]
    pub fn from_options(options: &Options) -> NamedOstle {
        let undo = match options.get("undo") {
            "symmetric" => Undo::Symmetric,
            "allowed" => Undo::Allowed,
            _ => Undo::Exact,
        };
        let defaults = [("pieces", "10"), ("undo", "exact")];
        let variant = defaults.into_iter().filter_map(|(name, default)| {
            let value = options.get(name);
            (value != default).then(|| (name.to_owned(), value.to_owned()))
        });
        NamedOstle {
            game: Ostle::new(4, options.number("pieces"), undo),
            identity: Identity {
                game: "ostle".to_owned(),
                variant: variant.collect(),
                index_version: Ostle::INDEX_VERSION,
            },
        }
    }

    /// The table under the bar as stated; it is solved if there is none.
    fn stated(&self, job: &SolveJob<'_>) -> Result<Table, GameError> {
        let mut identity = self.identity.clone();
        identity.variant.remove("undo");
        let stated = NamedOstle { game: self.game.with(Undo::Exact), identity };
        let path = store::table_path(&job.dir, &stated.identity);
        if !path.exists() {
            stated.solve(job)?;
        }
        let table = Table::open(&path)?;
        table.expect(&stated.identity)?;
        Ok(table)
    }

    fn position(&self, text: Option<&str>) -> Result<State, GameError> {
        Ok(match text {
            Some(text) => self.game.parse(text)?,
            None => self.game.start(),
        })
    }
}

impl AnyGame for NamedOstle {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn start(&self) -> String {
        self.game.write(&self.game.start())
    }

    /// Measured on a busy machine: 1.3 microseconds a board and thread in all, and a byte a board in a
    /// checkpoint, two while a tier is being solved.
    fn plan(&self, threads: usize) -> Plan {
        const FIXED: u64 = 128 << 20;
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let sizes: Vec<u64> =
            self.game.space().tiers.all().iter().map(|tier| tier.size().into()).collect();
        let positions: u64 = sizes.iter().sum();
        let last = sizes.last().copied().unwrap_or(0);
        let solve = 4 * last + (positions - last);
        let memory = match self.game.undo() {
            Undo::Symmetric => solve.max(3 * positions),
            Undo::Exact | Undo::Allowed => solve,
        };
        Plan {
            positions,
            memory: FIXED + memory,
            disk: 3 * positions,
            seconds: 1.3e-6 * positions as f64 / threads as f64,
        }
    }

    /// Higher levels take long for 11 GB of cells.
    fn level(&self) -> i32 {
        3
    }

    fn solve(&self, job: &SolveJob<'_>) -> Result<SolveReport, GameError> {
        let needed = self.plan(job.threads).memory;
        if needed > job.memory {
            return Err(SolveError::Memory { needed, allowed: job.memory }.into());
        }
        let _lock = store::lock(&job.dir, &self.identity)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads).build();
        let path = store::table_path(&job.dir, &self.identity);
        let pool = pool.map_err(SolveError::from)?;
        let mut run = Run::new(self, job);
        let bytes = match self.game.undo() {
            Undo::Symmetric => {
                let stated = self.stated(job)?;
                pool.install(|| run.write_symmetric(&stated, &path))?
            }
            Undo::Exact | Undo::Allowed => {
                let last = pool.install(|| run.solve())?;
                pool.install(|| run.write_table(last, &path))?
            }
        };
        let solved = SolvedOstle::new(self.game.clone(), Table::open(&path)?);
        let value = solved.value(&self.game.start())?;
        let start = Verdict::new(value, Outcome::Draw).to_string();
        Ok(SolveReport { table: path, bytes, start })
    }

    fn open(&self, dir: &Path) -> Result<Box<dyn AnySolved>, GameError> {
        let path = store::existing_table(dir, &self.identity)?;
        let table = Table::open(&path)?;
        table.expect(&self.identity)?;
        Ok(Box::new(SolvedOstle::new(self.game.clone(), table)))
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
        &KIT
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        Some(compose(drawing))
    }
}

/// A solve.
struct Run<'a> {
    game: &'a Ostle,
    identity: &'a Identity,
    job: &'a SolveJob<'a>,
    checkpoint: Checkpoint,
    /// When the last checkpoint was complete.
    saved: Instant,
    /// How long it took.
    cost: Duration,
}

impl<'a> Run<'a> {
    fn new(named: &'a NamedOstle, job: &'a SolveJob<'a>) -> Run<'a> {
        let dir = store::checkpoint_path(&job.dir, &named.identity);
        Run {
            game: &named.game,
            identity: &named.identity,
            job,
            checkpoint: Checkpoint::new(dir, named.identity.to_string()),
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
            let mut engine = Engine::new(tiers, tier, &values, bar);
            if let Some(round) = round.take() {
                let size = Engine::saved_size(shape);
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
        let (identity, level) = (self.identity.clone(), self.job.level);
        let writer = TableWriter::create(path, identity, Scheme::Barred, level)?;
        Ok(writer.blocks_of(table::BLOCK_CELLS))
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
