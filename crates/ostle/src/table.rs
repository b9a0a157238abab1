//! The table: three facts of each board, in one block.
//!
//! A block of the file holds 256 boards: their best values, then their values without the single
//! best move, then those moves, and a quarter that is not used. So a probe touches one block, and
//! equal things stand together, which compresses well. Boards that the mover wins at once are not
//! stored, and a second value only where there is a single best move that can be barred.

use super::board::Board;
use super::census::Census;
use super::look::Look;
use super::rules::State;
use super::states::Space;
use super::tiers::{self, Tier};
use super::word::{Facts, Packed};
use kanzen_core::Value;
use kanzen_index::{Work, run_with_fast_bits};
use kanzen_solve::huge_pages;
use kanzen_table::{DONT_CARE, Neighbours, Problem, Table, TableError, TableWriter};
use rayon::prelude::*;
use std::ops::Range;

/// Cells of the table for each board.
const CELLS: u64 = 4;
/// Cells of a block in new tables: a probe of all moves reads about twenty blocks.
pub const BLOCK_CELLS: u64 = 1 << 10;
/// From what a cell is guessed: the boards before, and the fact packed before of the same board. Moves
/// are packed before second values, which are there only if there is a move.
#[must_use]
pub fn neighbours() -> Neighbours {
    let half = (BLOCK_CELLS / CELLS / 2) as usize;
    Neighbours {
        parts: CELLS as usize,
        packed: vec![0, 2, 1],
        distances: vec![1, 2, half],
        ranks: 12,
        unless: Some(MOVES),
    }
}

/// The first code of moves: their number is added.
const MOVES: u16 = 0x4000;

/// The greatest number of a move: of five pieces and the hole, in four directions.
const MOST_MOVES: u16 = 4 * 6;

/// A value as people and other tables have it.
#[must_use]
pub fn value(plies: u8) -> Value {
    match plies {
        0 => Value::OPEN,
        _ if plies % 2 == 1 => Value::Win(plies.into()),
        _ => Value::Loss(plies.into()),
    }
}

/// The plies of a value.
#[must_use]
pub fn plies(value: Value) -> u8 {
    match value {
        Value::Draw(_) => 0,
        Value::Win(plies) | Value::Loss(plies) => plies.min(u8::MAX.into()) as u8,
    }
}

/// The scheme of tables whose codes are those of values, and moves: three facts of each board, one of
/// them a move that may be barred.
pub const BARRED: &str = "barred";

/// Writes a tier, and its census: states, then boards.
pub fn write_tier<F: Copy + Into<Facts> + Sync>(
    writer: &mut TableWriter,
    name: &str,
    facts: &[F],
    census: &Census,
    done: impl Fn(u64),
) -> Result<(), TableError> {
    let code = |plies: usize| value(plies as u8).code();
    let counted = |counts: &[u64], code: &dyn Fn(usize) -> u16| -> Vec<(u16, u64)> {
        let counts = counts.iter().enumerate().filter(|&(_, &n)| n > 0);
        counts.map(|(at, &n)| (code(at), n)).collect()
    };
    let stored: Vec<u64> = census.boards.iter().zip(&census.second).map(|(a, b)| a + b).collect();
    let mut codes = counted(&stored, &code);
    codes.extend(counted(&census.moves, &|number| MOVES + number as u16));
    let fill = |range: Range<u64>, out: &mut [u16]| {
        let first = range.start / CELLS;
        let boards = out.len() / CELLS as usize;
        let (best, rest) = out.split_at_mut(boards);
        let (second, rest) = rest.split_at_mut(boards);
        let (moves, _) = rest.split_at_mut(boards);
        let facts = facts[first as usize..].iter();
        for (((&facts, best), second), mv) in facts.zip(best).zip(second).zip(moves) {
            let facts: Facts = facts.into();
            if facts.best() == 1 || facts.best() == NOTHING.best() {
                continue;
            }
            *best = value(facts.best()).code();
            *mv = MOVES + u16::from(facts.best_move());
            if facts.best_move() != 0 {
                *second = value(facts.second()).code();
            }
        }
    };
    debug_assert_eq!(DONT_CARE, u16::MAX, "what is not filled does not matter");
    let size = (facts.len() as u64 * CELLS).next_multiple_of(BLOCK_CELLS);
    writer.tier(name, size, &codes, fill, |cells| done(cells / CELLS))?;
    writer.count(format!("{name}: states"), &counted(&census.states, &code));
    writer.count(format!("{name}: boards"), &counted(&census.boards, &code));
    Ok(())
}

/// Refuses a table that has not the shape of the game.
pub fn expect_shape(table: &Table, space: &Space) -> Result<(), TableError> {
    let size =
        |tier: &Tier| (u64::from(tier.size()) * CELLS).next_multiple_of(table.meta().block_cells);
    let sizes: Vec<u64> = space.tiers.all().iter().rev().map(size).collect();
    let is_code = |code: u16| is_move(code) || code == value(stored_plies(code)).code();
    table.expect_shape(&[BARRED], &sizes, is_code)?;
    if table.meta().census.len() != 2 * sizes.len() {
        let problem = Problem::Malformed("its census is not that of its tiers".to_owned());
        return Err(TableError { path: table.path().to_owned(), problem });
    }
    Ok(())
}

/// The plies of a value by its code; none if it is the code of something else.
fn stored_plies(code: u16) -> u8 {
    if code < MOVES { plies(Value::from_code(code)).min(NOTHING.best() - 1) } else { 0 }
}

/// Whether a code is that of a move.
fn is_move(code: u16) -> bool {
    (MOVES..=MOVES + MOST_MOVES).contains(&code)
}

/// The number of the move that a code stands for; none if it stands for something else.
fn move_number(code: u16) -> u8 {
    if is_move(code) { (code - MOVES) as u8 } else { 0 }
}

/// The boards in a block of a table.
pub fn boards(table: &Table) -> u64 {
    table.meta().block_cells / CELLS
}

/// The facts of a block of boards, by their order. Those of a board that is won at once are
/// anything.
pub fn block_facts(cells: &[u16]) -> impl Iterator<Item = Facts> + '_ {
    let boards = cells.len() / CELLS as usize;
    let part = move |number: usize| cells.iter().skip(number * boards).take(boards);
    let facts = part(0).zip(part(1)).zip(part(2));
    facts.map(|((best, second), &mv)| {
        let [best, second] = [best, second].map(|&code| stored_plies(code));
        Facts::new(best, second, move_number(mv))
    })
}

/// The facts of every board of a tier.
pub fn read_tier(
    table: &Table,
    space: &Space,
    tier: usize,
    done: impl Fn(u64) + Sync,
) -> Result<Vec<Packed>, TableError> {
    let shape = &space.tiers.all()[tier];
    // They are read in no order, which small pages make slow.
    let mut facts = Vec::with_capacity(shape.size() as usize);
    huge_pages(facts.spare_capacity_mut());
    facts.resize(shape.size() as usize, Packed::from(NOTHING));
    let share = boards(table) as usize;
    table.fill(table_tier(space, tier), &mut facts, share, |cells, out| {
        out.iter_mut().zip(block_facts(cells)).for_each(|(out, facts)| *out = facts.into());
        done(out.len() as u64);
    })?;
    facts.par_chunks_mut(tiers::BLOCK as usize).zip(0..shape.blocks()).for_each(
        |(facts, block)| {
            run_with_fast_bits(Complete { space, shape, block, facts });
        },
    );
    Ok(facts)
}

/// Fills in what a table does not store: boards that are won at once, and numbers that stand for
/// nothing.
struct Complete<'a> {
    space: &'a Space,
    shape: &'a Tier,
    block: u32,
    facts: &'a mut [Packed],
}

impl Work for Complete<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const ISA: usize>(self) {
        let stored = self.facts.to_vec();
        self.facts.fill(NOTHING.into());
        for (number, board) in self.shape.boards(self.block) {
            let at = (number - self.block * tiers::BLOCK) as usize;
            let last = board.theirs.count_ones() == self.space.tiers.least();
            self.facts[at] = match last && Look::at(&board).takes() {
                true => Facts::new(1, 0, 0).into(),
                false => stored[at],
            };
        }
    }
}

/// The facts of a number that stands for nothing.
const NOTHING: Facts = Facts(u8::MAX as u32);

/// The place of a tier in the table: the one with most pieces comes first, because it is the one in
/// memory when a solve is done.
#[must_use]
pub fn table_tier(space: &Space, tier: usize) -> usize {
    space.tiers.all().len() - 1 - tier
}

/// The facts at a number of a tier, for a board that is not won at once; none if the table lacks it.
pub fn facts(
    table: &Table,
    space: &Space,
    tier: usize,
    number: u32,
) -> Result<Option<Facts>, TableError> {
    let tier = table_tier(space, tier);
    let boards = boards(table);
    let cell = |part: u64| cell(boards, number, part);
    let Some([best, mv]) = table.codes_beside(tier, [cell(0), cell(2)])? else { return Ok(None) };
    let best = stored_plies(best);
    Ok(match move_number(mv) {
        0 => Some(Facts::new(best, 0, 0)),
        mv => table.code(tier, cell(1))?.map(|code| Facts::new(best, stored_plies(code), mv)),
    })
}

/// The cell of a board's fact, in a table with so many boards in a block.
fn cell(boards: u64, number: u32, part: u64) -> u64 {
    let (block, at) = (u64::from(number) / boards, u64::from(number) % boards);
    (block * CELLS + part) * boards + at
}

/// The value of a state of a board that is not won at once.
pub fn state_value(
    table: &Table,
    space: &Space,
    state: &State,
) -> Result<Option<Value>, TableError> {
    let (tier, number, barred) = space.place(state);
    if barred == 0 {
        let cell = cell(boards(table), number, 0);
        let best = table.code(table_tier(space, tier), cell)?;
        return Ok(best.map(|code| value(stored_plies(code))));
    }
    Ok(facts(table, space, tier, number)?.map(|facts| value(facts.value(barred))))
}

/// The numbers of the boards of a tier with a best value, in order.
pub fn with_best(
    table: &Table,
    space: &Space,
    tier: usize,
    value: Value,
) -> Result<Vec<u32>, TableError> {
    let cells = table.with_code(table_tier(space, tier), value.code())?;
    let boards = boards(table);
    let is_best = |cell: &u64| (cell / boards).is_multiple_of(CELLS);
    let number = |cell: u64| (cell / (boards * CELLS) * boards + cell % boards) as u32;
    let mut found: Vec<u32> = cells.into_iter().filter(is_best).map(number).collect();
    // A cell that does not matter may have any code.
    let shape = &space.tiers.all()[tier];
    found.retain(|&number| {
        let wins = |board: &Board| {
            board.theirs.count_ones() == space.tiers.least() && Look::at(board).takes()
        };
        shape.board(number).is_some_and(|board| !wins(&board))
    });
    Ok(found)
}
