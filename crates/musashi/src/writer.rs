//! The table of a solve.
//!
//! A table has a tier for each map of the engine, with the positions where brown is to move: a
//! position with black to move has at most eight moves, and is worth what the best of them leads
//! to. Beside them is the census, for each number of brown pieces with black to move and with brown to
//! move. A table of the census alone has no tiers.

use super::checkpoint::Begun;
use super::rules::{Musashi, Player};
use kanzen_analyse::PLIES;
use kanzen_bitmap::deltas::{KING_WINS, distance};
use kanzen_bitmap::{Census, Deltas, Recount, Rows, Solver, Tile};
use kanzen_core::Value;
use kanzen_registry::GameError;
use kanzen_registry::{Files, Store};
use kanzen_solve::{Job, SolveError};
use kanzen_table::{BLOCK_CELLS, Problem, TableWriter, by_rank};
use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// The scheme of tables without distances: 0 is open, 1 a loss, 2 a win.
pub(super) const VALUE: &str = "value";
/// The code of a win in a table of values.
pub(super) const WIN: u16 = 2;

/// Where a table's cells come from.
pub(super) enum Source {
    /// The rounds in which the positions were found won.
    Distances { census: Census, deltas: Deltas },
    /// The positions found won.
    Values(Solver),
    /// No cells.
    Census(Census),
}

impl Source {
    /// What a finished solve has for a table. Its maps are kept for values only: their memory is
    /// needed elsewhere.
    pub(super) fn new(begun: Begun, store: Store) -> Source {
        match (store, begun.deltas) {
            (Store::None, _) => Source::Census(begun.solver.census().clone()),
            (_, None) => Source::Values(begun.solver),
            (_, Some(deltas)) => {
                Source::Distances { census: begun.solver.census().clone(), deltas }
            }
        }
    }

    fn census(&self) -> &Census {
        match self {
            Source::Distances { census, .. } | Source::Census(census) => census,
            Source::Values(solver) => solver.census(),
        }
    }

    fn scheme(&self) -> &'static str {
        match self {
            Source::Values(_) => VALUE,
            _ => PLIES,
        }
    }

    /// What a code of the engine is in the table.
    fn code(&self, code: u8) -> u16 {
        match (self, distance(code)) {
            (_, None) => Value::OPEN.code(),
            (Source::Values(_), Some(_)) => WIN,
            (_, Some(plies)) => Value::Win(plies).code(),
        }
    }

    /// How many positions of a map have each code, up to symmetry.
    fn counts(&self, map: usize) -> Vec<(u16, u64)> {
        let census = self.census();
        let won: Vec<u64> = census.won_in_map(map).collect();
        let open = census.positions_in_map(map) - won.iter().sum::<u64>();
        let mut counts: Vec<(u16, u64)> = vec![(self.code(KING_WINS), open)];
        for (code, &n) in (1..).zip(&won).filter(|&(_, &n)| n > 0) {
            let code = self.code(code);
            match counts.iter_mut().find(|(known, _)| *known == code) {
                Some((_, sum)) => *sum += n,
                None => counts.push((code, n)),
            }
        }
        counts.retain(|&(_, n)| n > 0);
        by_rank(&counts)
    }

    /// The ranks of a block's cells, given that of each code of the engine. What is won is counted
    /// once more.
    fn ranks(
        &self,
        map: usize,
        block: usize,
        rank: &[u8; 256],
        out: &mut [u8],
        recount: &Recount<'_>,
    ) -> io::Result<()> {
        match self {
            Source::Distances { deltas, .. } => {
                deltas.numbers(map, block, rank, out, |round, bits| {
                    recount.add_bytes(round.into(), block, bits);
                })?
            }
            Source::Values(solver) => {
                let won = solver.won(map).chunks(out.len() / Tile::BITS).nth(block);
                let won = won.unwrap_or_default();
                recount.add(0, block, won.iter().copied());
                values(won, rank[usize::from(KING_WINS)], rank[1], out);
            }
            Source::Census(_) => {}
        }
        Ok(())
    }

    /// Whether the cells that were written are those that the census counted.
    fn agrees(&self, recount: &Recount<'_>) -> bool {
        match self {
            Source::Distances { census, .. } => recount.agrees(census),
            Source::Values(solver) => recount.agrees_in_all(solver.census()),
            Source::Census(_) => true,
        }
    }
}

/// Writes `other` for the bits that are not set and `won` for those that are.
fn values(tiles: &[Tile], other: u8, won: u8, out: &mut [u8]) {
    thread_local! {
        static SCRATCH: RefCell<(Vec<u8>, Rows)> = RefCell::default();
    }
    SCRATCH.with_borrow_mut(|(bits, rows)| {
        bits.clear();
        bits.extend(tiles.iter().flat_map(|tile| tile.0).flat_map(u64::to_le_bytes));
        rows.clear(bits.len());
        rows.add(bits, won ^ other);
        rows.write(other, out);
    });
}

/// Writes a table; returns its length in bytes. `rounds` is the file that the cells may come from.
pub(super) fn write_table(
    game: &Musashi,
    files: &Files,
    source: &Source,
    rounds: &Path,
    level: i32,
    job: &Job<'_>,
) -> Result<u64, GameError> {
    let index = game.board().index();
    let size = index.size();
    let maps = match source {
        Source::Census(_) => &[],
        _ => index.kings(),
    };
    let mut writer =
        TableWriter::create(&files.table(), files.identity().clone(), source.scheme(), level)?;
    job.progress.begin("writing the table", maps.len() as u64 * size);
    let piece = (index.block_size() as u64).max(BLOCK_CELLS);
    let rounds_done = source.census().won_in_map(0).count();
    for ((map, &king), recount) in maps.iter().enumerate().zip(Recount::all(index, rounds_done)) {
        let counts = source.counts(map);
        // A code that does not occur gets a rank that the writer refuses.
        let rank = std::array::from_fn(|code| {
            let code = source.code(code as u8);
            counts.iter().position(|&(known, _)| known == code).map_or(u8::MAX, |rank| rank as u8)
        });
        let unread = OnceLock::new();
        let fill = |range: std::ops::Range<u64>, out: &mut [u8]| {
            let block = (range.start / piece) as usize;
            if index.has_canonical(map, block) {
                let ranks = source.ranks(map, block, &rank, out, &recount);
                return ranks.map_err(|error| {
                    let told = io::Error::new(error.kind(), error.to_string());
                    let _ = unread.set(error);
                    told
                });
            }
            out.fill(0);
            Ok(())
        };
        let name = format!("king on {}, brown to move", game.name(king));
        let done = |n| job.progress.advance(n);
        let written = writer.tier_of_ranks(&name, size, &counts, piece / BLOCK_CELLS, fill, done);
        // What cannot be read, or was never found, is the fault of the rounds, not of the table.
        if let Some(error) = unread.into_inner() {
            return Err(unreadable(rounds, error).into());
        }
        written.map_err(|error| match error.problem {
            Problem::Unannounced { .. } => {
                GameError::from(wrong(rounds, format!("the {name}: a round that there was not")))
            }
            _ => error.into(),
        })?;
        if !source.agrees(&recount) {
            let problem = format!("the positions with the {name} are not those that were found");
            return Err(wrong(rounds, problem).into());
        }
        if job.cancel.load(Ordering::Relaxed) {
            return Err(SolveError::Cancelled.into());
        }
    }
    write_census(&mut writer, source.census());
    job.progress.end();
    Ok(writer.finish()?)
}

fn wrong(rounds: &Path, problem: String) -> SolveError {
    SolveError::Checkpoint { path: rounds.to_owned(), problem }
}

/// Rounds that are damaged, or that the machine does not give.
fn unreadable(rounds: &Path, error: io::Error) -> SolveError {
    match error.raw_os_error() {
        Some(_) => SolveError::io(rounds)(error),
        None => wrong(rounds, error.to_string()),
    }
}

/// Writes the census.
fn write_census(writer: &mut TableWriter, census: &Census) {
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
            let mut counts = vec![(Value::OPEN.code(), open)];
            let plies = row.pieces_win.iter().enumerate().skip(first).step_by(2);
            counts.extend(plies.map(|(plies, &n)| (value(plies).code(), n)));
            writer.count(format!("{} brown pieces, {name} to move", row.pieces), &counts);
        }
    }
}
