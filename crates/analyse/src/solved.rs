//! A game together with its table.

use crate::codes::{Codes, TierCodes};
use crate::completion::Completion;
use crate::{ValueError, Values};
use kanzen_core::{Best, Pressure, Value};
use kanzen_index::{Indexed, Sight, Work, run_with_fast_bits};
use kanzen_solve::{HOLE, Progress, Solution, SolveError, Together};
use kanzen_table::{DONT_CARE, Identity, Packers, Table, TableError, TableWriter};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// A solved game: gives the value of any position.
pub struct Solved<G> {
    game: G,
    table: Table,
    /// How the draws stand, if somebody has ranked them.
    pub(crate) draws: Option<Table>,
    /// The codes of all tiers, as long as somebody has them.
    codes: Mutex<Weak<Codes>>,
}

impl<G: Indexed> Solved<G> {
    /// A game with a table of it, which is refused if it has not the shape of the game.
    pub fn new(game: G, table: Table) -> Result<Solved<G>, TableError> {
        let sizes: Vec<u64> = game.tiers().iter().map(|tier| tier.size).collect();
        table.expect_shape(&[PLIES], &sizes, Value::is_code)?;
        Ok(Solved { game, table, draws: None, codes: Mutex::default() })
    }

    /// Opens a game's table, and refuses one that is of another game.
    pub fn open(game: G, path: &Path, identity: &Identity) -> Result<Solved<G>, TableError> {
        let table = Table::open(path)?;
        table.expect(identity)?;
        Solved::new(game, table)
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The codes of all tiers, with those that the table leaves out. To find these takes a while;
    /// who needs the codes again and again should hold on to them.
    pub fn codes(&self, progress: &dyn Progress) -> Result<Arc<Codes>, TableError> {
        let mut known = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(codes) = known.upgrade() {
            return Ok(codes);
        }
        let mut complete = Codes::new();
        for tier in 0..self.game.tiers().len() {
            let codes =
                self.complete(tier, TierCodes::read(&self.table, tier)?, &complete, progress);
            let codes = match codes {
                Some(codes) => codes,
                // A table that is wrong may not list all of its values.
                None => {
                    let codes = TierCodes::read_words(&self.table, tier)?;
                    let codes = self.complete(tier, codes, &complete, progress);
                    codes.expect("words have room for all values")
                }
            };
            complete.push(codes);
        }
        let codes = Arc::new(complete);
        *known = Arc::downgrade(&codes);
        Ok(codes)
    }

    /// Puts the codes back that the table leaves out; none if there is no room for one.
    fn complete(
        &self,
        tier: usize,
        codes: TierCodes,
        earlier: &[TierCodes],
        progress: &dyn Progress,
    ) -> Option<TierCodes> {
        let completion = Completion::new(&self.game, tier, codes, earlier);
        progress.begin("reading the table", completion.work());
        let codes = completion.complete(|done| progress.advance(done));
        progress.end();
        codes
    }
}

impl<G: Indexed> Values for Solved<G> {
    type Game = G;

    fn game(&self) -> &G {
        &self.game
    }

    fn value(&self, position: &G::Position) -> Result<Value, ValueError> {
        let stored = |position: &G::Position| {
            if !self.game.has_place(position) {
                return Err(ValueError::Unreachable(self.game.write(position)));
            }
            let place = self.game.locate(position);
            let code = self.table.code(place.tier, place.index)?;
            let missing = || ValueError::Missing(self.game.write(position));
            code.map(Value::from_code).ok_or_else(missing)
        };
        value(&self.game, position, &stored)
    }

    fn pressure(&self, position: &G::Position) -> Result<Option<Pressure>, ValueError> {
        match &self.draws {
            Some(draws) if self.game.has_place(position) && self.game.over(position).is_none() => {
                let place = self.game.locate(position);
                Ok(draws.code(place.tier, place.index)?.and_then(Pressure::from_code))
            }
            _ => Ok(None),
        }
    }
}

/// The value of a position that is over or wins at once.
pub(crate) fn seen<G: Indexed>(game: &G, position: &G::Position) -> Option<Value> {
    match game.over(position) {
        Some(outcome) => Some(Value::new(outcome, 0)),
        None => game.wins_at_once(position).then_some(Value::Win(1)),
    }
}

/// The value of a position: what the rules tell, or the best move, or what `stored` says of it.
fn value<G: Indexed, E>(
    game: &G,
    position: &G::Position,
    stored: &impl Fn(&G::Position) -> Result<Value, E>,
) -> Result<Value, E> {
    match game.sight(position) {
        Sight::Value(value) => Ok(value),
        Sight::Table => stored(position),
        Sight::Moves => best_move(game, position, stored),
    }
}

/// The value of the best move of a position.
fn best_move<G: Indexed, E>(
    game: &G,
    position: &G::Position,
    stored: &impl Fn(&G::Position) -> Result<Value, E>,
) -> Result<Value, E> {
    let mut best = Best::new(game, position);
    let mut failed = None;
    game.successors(position, |next| {
        best.see(next.value(|child| {
            value(game, &child, stored).unwrap_or_else(|error| {
                failed = Some(error);
                Value::OPEN
            })
        }));
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(best.value().unwrap_or(Value::OPEN)),
    }
}

/// The scheme of tables whose codes are those of [`Value`].
pub const PLIES: &str = "plies";

/// Writes a solution as a table. Returns the length of the file.
pub fn write_table<G: Indexed>(
    game: &G,
    solution: &Solution,
    path: &Path,
    identity: Identity,
    level: i32,
    progress: &dyn Progress,
) -> Result<u64, TableError> {
    let mut writer = table_writer(solution, path, identity, level)?;
    write_tiers(&mut writer, game, solution, progress)?;
    writer.finish()
}

// What stands for no position needs no value.
const _: () = assert!(HOLE == DONT_CARE);

/// Begins the table of a solution, together with all processes that found it.
pub fn table_writer(
    solution: &Solution,
    path: &Path,
    identity: Identity,
    level: i32,
) -> Result<TableWriter, TableError> {
    match solution.together() {
        None => TableWriter::create(path, identity, PLIES, level),
        Some(together) => {
            let packers = Arc::new(Processes(together.clone()));
            TableWriter::together(path, identity, PLIES, level, packers)
        }
    }
}

/// Processes as those who pack a table.
struct Processes(Together);

impl Packers for Processes {
    fn count(&self) -> u64 {
        self.0.count() as u64
    }

    fn index(&self) -> u64 {
        self.0.index() as u64
    }

    fn leave(&self, name: &str, blocks: Vec<Vec<u8>>) -> io::Result<()> {
        self.0.leave(name, blocks).map_err(io::Error::other)
    }

    fn fetch(&self, from: u64, name: &str, patience: Duration) -> io::Result<Option<Vec<Vec<u8>>>> {
        self.0.fetch(from as usize, name, patience).map_err(io::Error::other)
    }
}

/// Writes the tiers of a solution into a table.
pub fn write_tiers<G: Indexed>(
    writer: &mut TableWriter,
    game: &G,
    solution: &Solution,
    progress: &dyn Progress,
) -> Result<(), TableError> {
    let size = game.tiers().iter().map(|tier| tier.size).sum();
    progress.begin("writing the table", size);
    let path = writer.path().to_owned();
    for tier in 0..solution.len() {
        let codes = solution.window(tier);
        let failed = |error: SolveError| TableError {
            path: path.clone(),
            problem: io::Error::other(error).into(),
        };
        let mut counts = vec![0_u64; usize::from(HOLE) + 1];
        codes
            .scan(|some| some.iter().for_each(|&code| counts[usize::from(code)] += 1))
            .map_err(failed)?;
        counts.truncate(HOLE.into());
        let counts = counts.into_iter().zip(0..).filter(|&(count, _)| count > 0);
        let counts: Vec<(u16, u64)> = counts.map(|(count, code)| (code, count)).collect();
        let problem = Mutex::new(None);
        let fill = |range: std::ops::Range<u64>, out: &mut [u16]| {
            if let Err(error) = codes.read(range.clone(), out) {
                out.fill(HOLE);
                *problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                return;
            }
            // Without far sight only values at the very end of the game are seen.
            let (first, all) = (range.start, out.to_vec());
            let told = |index: &u64| G::FAR_SIGHT || shallow(all[(index - first) as usize]);
            let indices = range.filter(told);
            run_with_fast_bits(LeaveOut { game, tier, indices, first, codes: out });
        };
        let name = &game.tiers()[tier].name;
        writer.tier(name, solution.size(tier), &counts, fill, |done| progress.advance(done))?;
        if let Some(error) = problem.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failed(error));
        }
    }
    progress.end();
    Ok(())
}

/// Makes [`DONT_CARE`] of the codes of some positions that a table need not store.
struct LeaveOut<'a, G, I> {
    game: &'a G,
    tier: usize,
    indices: I,
    /// The index of the first code.
    first: u64,
    codes: &'a mut [u16],
}

impl<G: Indexed, I: Iterator<Item = u64>> Work for LeaveOut<'_, G, I> {
    type Output = ();

    #[inline(always)]
    fn run<const ISA: usize>(self) {
        let LeaveOut { game, tier, indices, first, codes } = self;
        game.positions(tier, indices, |index, position| {
            let code = &mut codes[(index - first) as usize];
            if !game.is_stored(&position, Value::from_code(*code)) {
                *code = DONT_CARE;
            }
        });
    }
}

/// Whether a code can be that of a position that is over or wins at once.
fn shallow(code: u16) -> bool {
    matches!(Value::from_code(code), Value::Draw(0) | Value::Win(0 | 1) | Value::Loss(0))
}
