//! Searching a solved game for remarkable positions.

use crate::Atlas;
use kanzen_core::Value;
use kanzen_index::Indexed;
use kanzen_solve::HOLE;

/// Positions that share what was looked for.
#[derive(Clone, Debug)]
pub struct Found<P> {
    /// How many there are, up to symmetry.
    pub count: u64,
    /// The first of them in the order of the index.
    pub examples: Vec<P>,
}

impl<P> Default for Found<P> {
    fn default() -> Found<P> {
        Found { count: 0, examples: Vec::new() }
    }
}

impl<P: Copy> Found<P> {
    /// Counts a position, and keeps it if there is room.
    pub fn see(&mut self, position: &P, keep: usize) {
        self.count += 1;
        if self.examples.len() < keep {
            self.examples.push(*position);
        }
    }

    /// Both together; examples of this one come first.
    pub fn merge(mut self, other: Found<P>, keep: usize) -> Found<P> {
        self.count += other.count;
        let room = keep.saturating_sub(self.examples.len());
        self.examples.extend(other.examples.into_iter().take(room));
        self
    }
}

impl<G: Indexed> Atlas<'_, G> {
    /// The positions of a tier with a given value; at most `keep` are returned.
    pub fn with_value(&self, tier: usize, wanted: Value, keep: usize) -> Found<G::Position> {
        let wanted = wanted.code();
        self.with_code(tier, |code| code == wanted, keep)
    }

    /// The drawn positions of a tier; at most `keep` are returned.
    pub fn draws(&self, tier: usize, keep: usize) -> Found<G::Position> {
        let drawn = |code| code != HOLE && matches!(Value::from_code(code), Value::Draw(_));
        self.with_code(tier, drawn, keep)
    }

    fn with_code(
        &self,
        tier: usize,
        wanted: impl Fn(u16) -> bool,
        keep: usize,
    ) -> Found<G::Position> {
        let codes = &self.codes()[tier];
        let indices = (0..codes.len() as u64).filter(|&index| wanted(codes.code(index)));
        let mut found = Found::default();
        self.game().positions(tier, indices, |_, position| found.see(&position, keep));
        found
    }
}
