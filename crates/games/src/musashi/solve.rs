//! From the rules to a table.

use super::checkpoint::{Files, Watcher};
use super::rules::{Musashi, Position};
use super::solved::SolvedMusashi;
use super::writer::{Source, write_table};
use crate::any::{AnyGame, AnySolved, SolveJob, SolveReport, Store};
use crate::{GameError, store};
use kanzen_analyse::{Finding, check};
use kanzen_bitmap::{Sink, Solver};
use kanzen_core::{Drawing, Game, Kit, Value, Verdict, perft};
use kanzen_index::Indexed;
use kanzen_solve::{Plan, SolveError};
use kanzen_table::{Identity, Table};
use std::path::Path;

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

    /// Measured: 4 to 5 nanoseconds a placement in all rounds together and less than 2 for the table,
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
            disk: cells / 8 + (1 << 24),
            seconds: 7e-9 * cells as f64 / threads as f64,
        }
    }

    fn stores(&self) -> &'static [Store] {
        &Store::ALL
    }

    /// The cells are so many and so regular that hard work saves little: level 9 makes the table of
    /// BOARD31 half as large and takes five times as long to pack it.
    fn level(&self) -> i32 {
        1
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
            key: identity.to_string(),
            checkpoint: store::checkpoint_path(&job.dir, &identity),
            rounds: path.with_extension("rounds"),
        };
        let mut begun = files.begin(&self.game, job.threads, job.store == Store::Distance)?;
        let watch = Watcher::new(job, &files, &self.game, begun.deltas.as_ref(), begun.start);
        let sink = begun.deltas.as_ref().map(|deltas| deltas as &dyn Sink);
        let start = watch.run(&mut begun.solver, sink)?;
        let source = Source::new(begun, job.store);
        let bytes = write_table(&self.game, identity, &source, &path, &files.rounds, job)?;
        files.remove()?;
        let value = start.map_or(Value::Open, Value::Win);
        let verdict = Verdict::new(value, self.game.endless(&self.game.start()));
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
