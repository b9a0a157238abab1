//! From the rules to a table.

use super::checkpoint::{Begun, Scratch, Watcher};
use super::rules::Musashi;
use super::solved::{BLACK_WINS, SolvedMusashi};
use super::writer::{Source, VALUE, WIN, write_table};
use kanzen_analyse::{Flaw, PLIES, check};
use kanzen_bitmap::{Sink, Solver};
use kanzen_core::Value;
use kanzen_registry::{Engine, Files, GameError, Store};
use kanzen_solve::{Job, Plan, thread_count};
use kanzen_table::{Problem, Table, TableError};

/// The engine that settles many positions at once, for Musashi.
pub struct Bitmap;

impl Engine<Musashi> for Bitmap {
    type Solved = SolvedMusashi;

    /// Measured: 4 to 5 nanoseconds a placement in all rounds together and less than 2 for the table,
    /// and less than a bit of each on disk, in the table and in the file of rounds.
    fn plan(&self, game: &Musashi, threads: usize) -> Plan {
        let index = game.board().index();
        let cells = index.kings().len() as u64 * index.size();
        let memory = Solver::memory(index.graph()) + (64 << 20);
        Plan {
            positions: 2 * cells,
            memory,
            least: memory,
            disk: cells / 8 + (1 << 24),
            seconds: 7e-9 * cells as f64 / thread_count(threads) as f64,
            guessed: false,
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

    fn solve(
        &self,
        game: &Musashi,
        files: &Files,
        store: Store,
        level: i32,
        job: &Job<'_>,
    ) -> Result<(u64, Value), GameError> {
        let scratch = Scratch::new(files);
        let mut begun = scratch.begin(game, job.threads, store == Store::Distance)?;
        let Begun { solver, deltas, start } = &mut begun;
        let watch = Watcher::new(job, &scratch, game, deltas.as_ref(), *start);
        let sink = deltas.as_ref().map(|deltas| deltas as &dyn Sink);
        let start = watch.run(solver, sink)?;
        let source = Source::new(begun, store);
        let bytes = write_table(game, files, &source, &scratch.rounds, level, job)?;
        scratch.remove()?;
        Ok((bytes, start.map_or(BLACK_WINS, Value::Win)))
    }

    fn open(&self, game: Musashi, table: Table) -> Result<SolvedMusashi, GameError> {
        let index = game.board().index();
        let meta = table.meta();
        // A table of the census alone has no tiers.
        let maps = if meta.tiers.is_empty() { 0 } else { index.kings().len() };
        let is_code = |code| match (&*meta.scheme, Value::from_code(code)) {
            (VALUE, _) => code <= WIN,
            (_, Value::OPEN) => true,
            (_, value) => matches!(value, Value::Win(plies) if plies < 2 * 256),
        };
        table.expect_shape(&[PLIES, VALUE], &vec![index.size(); maps], is_code)?;
        if meta.census.len() < 2 * game.board().points() {
            let problem = Problem::Malformed("its census has too few parts".to_owned());
            return Err(TableError { path: table.path().to_owned(), problem }.into());
        }
        Ok(SolvedMusashi::new(game, table))
    }

    fn check(&self, game: &Musashi, samples: u64, seed: u64) -> Vec<Flaw> {
        check(game, samples, seed)
    }
}
