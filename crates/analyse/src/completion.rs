//! The values that a table leaves out, put back.

use crate::solved::seen;
use kanzen_core::{Next, Value};
use kanzen_index::{Indexed, Sight, with_fast_bits};
use kanzen_solve::HOLE;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Indices that a thread takes at a time.
const CHUNK: u64 = 4096;
/// The mark of a value that is still to be found from the moves.
const MISSING: u16 = HOLE - 1;

/// The codes of a tier on their way to be complete.
pub(crate) struct Completion<'g, G> {
    game: &'g G,
    tier: usize,
    codes: Vec<AtomicU16>,
}

impl<'g, G: Indexed> Completion<'g, G> {
    /// Begins with the codes of a table; those it leaves out are anything.
    pub(crate) fn new(game: &'g G, tier: usize, codes: Vec<u16>) -> Completion<'g, G> {
        let codes = codes.into_iter().map(AtomicU16::new).collect();
        Completion { game, tier, codes }
    }

    /// The codes to look at, each as often as it is.
    pub(crate) fn work(&self) -> u64 {
        let passes = if G::FAR_SIGHT { 2 } else { 1 };
        passes * self.codes.len() as u64
    }

    /// All codes. `earlier` has those of the tiers before this one; `done` is told of the work.
    pub(crate) fn complete(self, earlier: &[Vec<u16>], done: impl Fn(u64) + Sync) -> Vec<u16> {
        self.for_each_chunk(&done, |range| {
            let mut next = range.start;
            self.game.positions(self.tier, range.clone(), |index, position| {
                (next..index).for_each(|hole| self.codes[hole as usize].store(HOLE, Relaxed));
                next = index + 1;
                match self.game.sight(&position) {
                    Sight::Value(value) => self.codes[index as usize].store(value.code(), Relaxed),
                    Sight::Moves => self.codes[index as usize].store(MISSING, Relaxed),
                    Sight::Table => {}
                }
            });
            (next..range.end).for_each(|hole| self.codes[hole as usize].store(HOLE, Relaxed));
        });
        if G::FAR_SIGHT {
            self.for_each_chunk(&done, |range| {
                let missing =
                    range.filter(|&index| self.codes[index as usize].load(Relaxed) == MISSING);
                self.game.positions(self.tier, missing, |index, position| {
                    self.codes[index as usize]
                        .store(self.best_move(&position, earlier).code(), Relaxed);
                });
            });
        }
        self.codes.into_iter().map(AtomicU16::into_inner).collect()
    }

    fn for_each_chunk(
        &self,
        done: impl Fn(u64) + Sync,
        work: impl Fn(std::ops::Range<u64>) + Sync,
    ) {
        let size = self.codes.len() as u64;
        (0..size.div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
            let range = chunk * CHUNK..size.min((chunk + 1) * CHUNK);
            done(range.end - range.start);
            with_fast_bits(|| work(range));
        });
    }

    /// The value of a position by its moves. What is missing on the way is found and kept; another
    /// thread may find the same.
    fn best_move(&self, position: &G::Position, earlier: &[Vec<u16>]) -> Value {
        let mut best: Option<Value> = None;
        self.game.successors(position, |next| {
            let value = match next {
                Next::Over(outcome) => Value::ended(outcome, 1),
                Next::Position(child) => self.value(&child, earlier).before_move(),
            };
            best = best.max(Some(value));
        });
        best.unwrap_or(Value::Open)
    }

    fn value(&self, position: &G::Position, earlier: &[Vec<u16>]) -> Value {
        if let Some(value) = seen(self.game, position) {
            return value;
        }
        if !self.game.has_place(position) {
            return match self.game.sight(position) {
                Sight::Value(value) => value,
                _ => self.best_move(position, earlier),
            };
        }
        let place = self.game.locate(position);
        if place.tier != self.tier {
            return Value::from_code(earlier[place.tier][place.index as usize]);
        }
        let cell = &self.codes[place.index as usize];
        match cell.load(Relaxed) {
            MISSING => {
                let value = self.best_move(position, earlier);
                cell.store(value.code(), Relaxed);
                value
            }
            code => Value::from_code(code),
        }
    }
}
