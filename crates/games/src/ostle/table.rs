//! The table: three facts of each board, in one block.
//!
//! A block of the file holds 16,384 boards: their best values, then their values without the single
//! best move, then those moves, and a quarter that is not used. So a probe touches one block, and
//! equal things stand together, which compresses well. Boards that the mover wins at once are not
//! stored, and a second value only where there is a single best move that can be barred.

use super::board::Board;
use super::census::Census;
use super::look::Look;
use super::rules::State;
use super::states::Space;
use super::word::Facts;
use kanzen_core::Value;
use kanzen_table::{DONT_CARE, Table, TableError, TableWriter};
use std::ops::Range;

/// Boards in a block.
const BOARDS: u64 = 1 << 14;
/// Cells of the table for each board.
const CELLS: u64 = 4;
/// The first code of moves: their number is added.
const MOVES: u16 = 0x4000;

/// A value as people and other tables have it.
#[must_use]
pub fn value(plies: u8) -> Value {
    match plies {
        0 => Value::Open,
        _ if plies % 2 == 1 => Value::Win(plies.into()),
        _ => Value::Loss(plies.into()),
    }
}

/// The plies of a value.
#[must_use]
pub fn plies(value: Value) -> u8 {
    match value {
        Value::Open => 0,
        Value::Win(plies) | Value::Loss(plies) => plies.min(u8::MAX.into()) as u8,
    }
}

/// Writes a tier, and its census as two tiers without cells: states, then boards.
pub fn write_tier(
    writer: &mut TableWriter,
    name: &str,
    facts: &[Facts],
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
        let (best, rest) = out.split_at_mut(BOARDS as usize);
        let (second, rest) = rest.split_at_mut(BOARDS as usize);
        let (moves, _) = rest.split_at_mut(BOARDS as usize);
        let facts = facts[first as usize..].iter();
        for (((facts, best), second), mv) in facts.zip(best).zip(second).zip(moves) {
            if facts.best() == 1 || facts.best() == u8::MAX {
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
    let size = (facts.len() as u64).div_ceil(BOARDS) * BOARDS * CELLS;
    writer.tier(name, size, &codes, fill, |cells| done(cells / CELLS))?;
    writer.tier(
        &format!("{name}: states"),
        0,
        &counted(&census.states, &code),
        |_, _| (),
        |_| (),
    )?;
    writer.tier(&format!("{name}: boards"), 0, &counted(&census.boards, &code), |_, _| (), |_| ())
}

/// Table tiers for each tier of the game.
pub const TIERS: usize = 3;

/// The place of a tier in the table: the one with most pieces comes first, because it is the one in
/// memory when a solve is done.
#[must_use]
pub fn table_tier(space: &Space, tier: usize) -> usize {
    TIERS * (space.tiers.all().len() - 1 - tier)
}

/// The facts at a number of a tier, for a board that is not won at once.
pub fn facts(table: &Table, space: &Space, tier: usize, number: u32) -> Result<Facts, TableError> {
    let tier = table_tier(space, tier);
    let (block, at) = (u64::from(number) / BOARDS, u64::from(number) % BOARDS);
    let cell = |part: u64| {
        let code = table.code(tier, block * BOARDS * CELLS + part * BOARDS + at)?;
        Ok::<u16, TableError>(code.unwrap_or_default())
    };
    let best = plies(Value::from_code(cell(0)?));
    match cell(2)?.wrapping_sub(MOVES) {
        0 => Ok(Facts::new(best, 0, 0)),
        mv => Ok(Facts::new(best, plies(Value::from_code(cell(1)?)), mv as u8)),
    }
}

/// The value of a state of a board that is not won at once.
pub fn state_value(table: &Table, space: &Space, state: &State) -> Result<Value, TableError> {
    let (tier, number, barred) = space.place(state);
    Ok(value(facts(table, space, tier, number)?.value(barred)))
}

/// The numbers of the boards of a tier with a best value, in order.
pub fn with_best(
    table: &Table,
    space: &Space,
    tier: usize,
    value: Value,
) -> Result<Vec<u32>, TableError> {
    let cells = table.with_code(table_tier(space, tier), value.code())?;
    let is_best = |cell: &u64| (cell / BOARDS).is_multiple_of(CELLS);
    let number = |cell: u64| (cell / (BOARDS * CELLS) * BOARDS + cell % BOARDS) as u32;
    let mut found: Vec<u32> = cells.into_iter().filter(is_best).map(number).collect();
    // A cell that does not matter repeats the one before it.
    let shape = &space.tiers.all()[tier];
    found.retain(|&number| {
        let wins = |board: &Board| {
            board.theirs.count_ones() == space.tiers.least() && Look::at(board).takes()
        };
        shape.board(number).is_some_and(|board| !wins(&board))
    });
    Ok(found)
}
