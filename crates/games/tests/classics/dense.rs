//! A solver for one byte a key: the plain passes again, for a game whose positions fill its keys.

use kanzen_core::{Next, Value};
use kanzen_index::Keyed;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A byte for each key: that of a position which is the least of its images tells its value.
pub struct Dense {
    cells: Vec<AtomicU8>,
    /// The plies after which the last position is first reached from the start.
    pub farthest: usize,
}

/// No position, or not the least image.
const NONE: u8 = 0;
/// In the upper bit: it can be reached from the start.
const REACHED: u8 = 0x80;

/// Values are written by their codes; nothing is as long as 60 plies.
fn write(value: Value) -> u8 {
    u8::try_from(value.code() + 1).unwrap()
}

fn read(cell: u8) -> Option<Value> {
    (cell & !REACHED).checked_sub(1).map(|code| Value::from_code(code.into()))
}

impl Dense {
    fn get(&self, key: u128) -> u8 {
        self.cells[key as usize].load(Relaxed)
    }

    /// The value of a position.
    pub fn value<G: Keyed>(&self, game: &G, position: &G::Position) -> Option<Value> {
        read(self.get(game.least_key(position)))
    }

    /// All positions up to symmetry (all that can be reached) with values and whether they are ended.
    pub fn positions<G: Keyed>(
        &self,
        game: &G,
        reached: bool,
    ) -> impl Iterator<Item = (G::Position, Value, bool)> {
        (0..self.cells.len() as u128).filter_map(move |key| {
            let cell = self.get(key);
            let value = read(cell).filter(|_| !reached || cell & REACHED != 0)?;
            let position = game.with_key(key)?;
            Some((position, value, game.over(&position).is_some()))
        })
    }
}

fn children<G: Keyed>(game: &G, key: u32, mut each: impl FnMut(u128)) {
    let position = game.with_key(key.into()).unwrap();
    game.successors(&position, |next| match next {
        Next::Position(child) => each(game.least_key(&child)),
        _ => panic!("the end of the game is a position"),
    });
}

/// Solves all positions, and marks those that can be reached from the start.
pub fn solve<G: Keyed>(game: &G) -> Dense {
    let limit = u32::try_from(game.key_limit()).unwrap();
    let first = |key: u32| {
        let position = game.with_key(key.into()).filter(|at| game.least_key(at) == key.into());
        position.map_or(NONE, |position| {
            write(game.over(&position).map_or(Value::OPEN, |outcome| Value::new(outcome, 0)))
        })
    };
    let cells = (0..limit).into_par_iter().map(|key| AtomicU8::new(first(key))).collect();
    let mut dense = Dense { cells, farthest: 0 };
    let is_open = |key: &u32| dense.get((*key).into()) == write(Value::OPEN);
    let mut open: Vec<u32> = (0..limit).into_par_iter().filter(is_open).collect();
    for plies in 1.. {
        let found = |key: &u32| {
            let (mut win, mut loss) = (false, true);
            children(game, *key, |child| {
                let value = read(dense.get(child));
                win |= matches!(value, Some(Value::Loss(fewer)) if fewer < plies);
                loss &= matches!(value, Some(Value::Win(fewer)) if fewer < plies);
            });
            let value = if win { Value::Win(plies) } else { Value::Loss(plies) };
            if win || loss {
                dense.cells[*key as usize].store(write(value), Relaxed);
            }
            !(win || loss)
        };
        let before = open.len();
        open = open.into_par_iter().filter(found).collect();
        if open.len() == before {
            break;
        }
    }
    let mark = |key: u128| dense.cells[key as usize].fetch_or(REACHED, Relaxed) & REACHED == 0;
    let start = game.least_key(&game.start());
    mark(start);
    let (mut level, mut farthest) = (vec![start as u32], 0);
    loop {
        let next = level.par_iter().flat_map_iter(|&key| {
            let mut next = Vec::new();
            children(game, key, |child| {
                if mark(child) {
                    next.push(child as u32);
                }
            });
            next
        });
        level = next.collect();
        if level.is_empty() {
            break;
        }
        farthest += 1;
    }
    dense.farthest = farthest;
    dense
}
