//! The values that a table leaves out, put back.

use crate::codes::{MISSING, TierCodes};
use crate::solved::seen;
use kanzen_core::{Best, Value};
use kanzen_index::{Indexed, Sight, Work, run_with_fast_bits};
use kanzen_solve::HOLE;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Indices that a thread takes at a time.
const CHUNK: u64 = 4096;

/// The codes of a tier on their way to be complete.
pub(crate) struct Completion<'a, G> {
    game: &'a G,
    tier: usize,
    codes: TierCodes,
    /// The codes of the tiers before this one.
    earlier: &'a [TierCodes],
    /// Whether a value was found for which the codes have no room.
    unlisted: AtomicBool,
}

impl<'a, G: Indexed> Completion<'a, G> {
    /// Begins with the codes of a table; those it leaves out are anything.
    pub(crate) fn new(
        game: &'a G,
        tier: usize,
        codes: TierCodes,
        earlier: &'a [TierCodes],
    ) -> Completion<'a, G> {
        Completion { game, tier, codes, earlier, unlisted: AtomicBool::new(false) }
    }

    /// The codes to look at, each as often as it is.
    pub(crate) fn work(&self) -> u64 {
        let passes = if G::FAR_SIGHT { 2 } else { 1 };
        passes * self.codes.len() as u64
    }

    /// All codes; none if there is no room for one of them, which the table then does not list.
    /// `done` is told of the work.
    pub(crate) fn complete(self, done: impl Fn(u64) + Sync) -> Option<TierCodes> {
        self.for_each_chunk(&done, |range| run_with_fast_bits(Look { at: &self, range }));
        if G::FAR_SIGHT {
            self.for_each_chunk(&done, |range| {
                let missing = range.filter(|&index| self.codes.code(index) == MISSING);
                self.game.positions(self.tier, missing, |index, position| {
                    self.set(index, self.best_move(&position).code());
                });
            });
        }
        (!self.unlisted.into_inner()).then_some(self.codes)
    }

    fn set(&self, index: u64, code: u16) {
        if !self.codes.set(index, code) {
            self.unlisted.store(true, Relaxed);
        }
    }

    fn for_each_chunk(&self, done: impl Fn(u64) + Sync, work: impl Fn(Range<u64>) + Sync) {
        let size = self.codes.len() as u64;
        (0..size.div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
            let range = chunk * CHUNK..size.min((chunk + 1) * CHUNK);
            done(range.end - range.start);
            work(range);
        });
    }

    /// The value of a position by its moves. What is missing on the way is found and kept; another
    /// thread may find the same.
    fn best_move(&self, position: &G::Position) -> Value {
        let mut best = Best::new(self.game, position);
        self.game.successors(position, |next| {
            best.see(next.value(|child| self.value(&child)));
        });
        best.value().unwrap_or(Value::OPEN)
    }

    fn value(&self, position: &G::Position) -> Value {
        if let Some(value) = seen(self.game, position) {
            return value;
        }
        if !self.game.has_place(position) {
            return match self.game.sight(position) {
                Sight::Value(value) => value,
                Sight::Moves => self.best_move(position),
                // Only a table of something else lacks such a position.
                Sight::Table => Value::OPEN,
            };
        }
        let place = self.game.locate(position);
        if place.tier != self.tier {
            return self.earlier[place.tier].value(place.index);
        }
        match self.codes.code(place.index) {
            MISSING => {
                let value = self.best_move(position);
                self.set(place.index, value.code());
                value
            }
            code => Value::from_code(code),
        }
    }
}

/// Finds what the rules tell of a range of indices, and what is missing there.
struct Look<'a, 'c, G> {
    at: &'a Completion<'c, G>,
    range: Range<u64>,
}

impl<G: Indexed> Work for Look<'_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<const ISA: usize>(self) {
        let Look { at, range } = self;
        let mut next = range.start;
        at.game.positions(at.tier, range.clone(), |index, position| {
            (next..index).for_each(|hole| at.set(hole, HOLE));
            next = index + 1;
            match at.game.sight(&position) {
                Sight::Value(value) => at.set(index, value.code()),
                Sight::Moves => at.set(index, MISSING),
                Sight::Table => {}
            }
        });
        (next..range.end).for_each(|hole| at.set(hole, HOLE));
    }
}
