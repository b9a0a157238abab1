//! All values of a game in memory, for passes over every position.

use crate::Solved;
use crate::codes::{Codes, TierCodes};
use crate::solved::seen;
use kanzen_core::{Best, Next, Value};
use kanzen_index::{Indexed, Place, Sight, with_fast_bits};
use kanzen_solve::{HOLE, Progress};
use kanzen_table::TableError;
use rayon::prelude::*;
use std::sync::Arc;

/// Indices that a thread takes at a time.
const CHUNK: u64 = 4096;

/// A game with the values of all its positions.
pub struct Atlas<'g, G> {
    game: &'g G,
    codes: Arc<Codes>,
    /// Which share of the positions passes visit, and of how many.
    share: (u64, u64),
}

impl<G: Indexed> Solved<G> {
    /// Reads the whole table.
    pub fn atlas(&self, progress: &dyn Progress) -> Result<Atlas<'_, G>, TableError> {
        Ok(Atlas { game: self.game(), codes: self.codes(progress)?, share: (0, 1) })
    }
}

impl<'g, G: Indexed> Atlas<'g, G> {
    /// The game.
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// Passes visit only a share of the positions, of so many.
    #[must_use]
    pub fn share(self, share: u64, of: u64) -> Atlas<'g, G> {
        Atlas { share: (share, of), ..self }
    }

    /// The codes of all tiers.
    pub fn codes(&self) -> &[TierCodes] {
        &self.codes
    }

    /// The value of a position.
    #[inline]
    pub fn value(&self, position: &G::Position) -> Value {
        self.look(position).0
    }

    /// The value of a position, and its place if the rules alone do not tell the value.
    #[inline]
    pub(crate) fn look(&self, position: &G::Position) -> (Value, Option<Place>) {
        if let Some(value) = seen(self.game, position) {
            return (value, None);
        }
        if self.game.has_place(position) {
            let place = self.game.locate(position);
            return (self.codes[place.tier].value(place.index), Some(place));
        }
        let value = match self.game.sight(position) {
            Sight::Value(value) => value,
            Sight::Moves => self.best_move(position),
            // Only a table of something else lacks such a position.
            Sight::Table => Value::OPEN,
        };
        (value, None)
    }

    /// What a move that leads to `next` is worth to its mover.
    #[inline]
    pub fn move_value(&self, next: Next<G::Position>) -> Value {
        next.value(|child| self.value(&child))
    }

    /// The value of the best move.
    #[inline]
    pub(crate) fn best_move(&self, position: &G::Position) -> Value {
        let mut best = Best::new(self.game, position);
        self.game.successors(position, |next| best.see(self.move_value(next)));
        best.value().unwrap_or(Value::OPEN)
    }

    /// Visits every position of a tier, or a share of them, on all cores. Each thread begins with what `new` makes;
    /// `merge` joins two results, that of the lower indices first.
    pub fn pass<T: Send>(
        &self,
        tier: usize,
        what: &str,
        progress: &dyn Progress,
        new: impl Fn() -> T + Sync,
        visit: impl Fn(&mut T, u64, &G::Position, Value) + Sync,
        merge: impl Fn(T, T) -> T + Sync + Send,
    ) -> T {
        let codes = &self.codes[tier];
        let size = codes.len() as u64;
        let (share, of) = self.share;
        progress.begin(what, size / of);
        let result = (0..size.div_ceil(CHUNK))
            .into_par_iter()
            .filter(|chunk| (chunk + tier as u64) % of == share)
            .map(|chunk| {
                let range = chunk * CHUNK..size.min((chunk + 1) * CHUNK);
                progress.advance(range.end - range.start);
                let mut result = new();
                let places = range.filter(|&index| codes.code(index) != HOLE);
                with_fast_bits(|| {
                    self.game.positions(tier, places, |index, position| {
                        visit(&mut result, index, &position, codes.value(index));
                    });
                });
                result
            })
            .reduce(&new, merge);
        progress.end();
        result
    }

    /// The place of a position that has one.
    pub(crate) fn place(&self, position: &G::Position) -> Option<Place> {
        self.game.has_place(position).then(|| self.game.locate(position))
    }
}
