//! Tiers: the parts of a game's position space that are solved one after the other.

use kanzen_core::Game;

/// A part of the position space, for instance all positions with a given number of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// A short name, unique in the game.
    pub name: String,
    /// Indices run from 0 to one less than this.
    pub size: u64,
    /// Whether a move can lead to a position of the same tier. If not, one pass solves the tier.
    pub loops: bool,
}

/// Where a position stands in a game's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The number of the tier.
    pub tier: usize,
    /// The index in the tier.
    pub index: u64,
}

/// A game whose positions, up to symmetry, are numbered.
pub trait Indexed: Game {
    /// Changes when the same position gets another number, so that old tables are not misread.
    const INDEX_VERSION: u32;

    /// Whether [`predecessors`](Indexed::predecessors) is given. If not, the engine derives them
    /// by a forward pass, which takes memory for every edge.
    const UNMOVES: bool = false;

    /// The tiers in the order in which they are solved: a move leads to the same tier or to an
    /// earlier one.
    fn tiers(&self) -> &[Tier];

    /// The place of a position: the same for all its images.
    fn locate(&self, position: &Self::Position) -> Place;

    /// The tier of a position; override it where the number of the tier is quicker to tell than
    /// the whole place.
    fn tier(&self, position: &Self::Position) -> usize {
        self.locate(position).tier
    }

    /// The position at a place, or none if the place stands for nothing. The inverse of
    /// [`locate`](Indexed::locate) up to symmetry.
    fn position(&self, place: Place) -> Option<Self::Position>;

    /// The number of different images of a position under the game's symmetries.
    fn orbit(&self, position: &Self::Position) -> u32 {
        let images: Vec<_> =
            (0..self.symmetries()).map(|symmetry| self.image(position, symmetry)).collect();
        let fixed = images.iter().filter(|image| *image == position).count();
        (images.len() / fixed) as u32
    }

    /// Calls `each` once for every pair of a position of the same tier, not over, and a legal
    /// move of it that leads exactly to `position`.
    fn predecessors(&self, position: &Self::Position, each: impl FnMut(Self::Position)) {
        let _ = (position, each);
    }
}
