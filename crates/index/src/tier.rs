//! Tiers: the parts of a game's position space that are solved one after the other.

use kanzen_core::{Game, Text, Value};

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

impl Tier {
    /// A tier of so many indices.
    pub fn new(name: impl Into<String>, size: u64, loops: bool) -> Tier {
        Tier { name: name.into(), size, loops }
    }
}

/// Where a position stands in a game's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The number of the tier.
    pub tier: usize,
    /// The index in the tier.
    pub index: u64,
}

/// How the value of a position is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The rules tell it.
    Value(Value),
    /// It is that of the best move.
    Moves,
    /// It must be looked up.
    Table,
}

/// What the engine's first pass finds in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstLook {
    /// Its value, of no more than 2 plies.
    Value(Value),
    /// The number of its moves to positions that have a place. Every other move leads to a
    /// position that wins at once.
    Moves(u32),
}

/// A game whose positions, up to symmetry, are numbered.
pub trait Indexed: Game {
    /// Changes when the same position gets another number, so that old tables are not misread.
    const INDEX_VERSION: u32;

    /// Whether [`predecessors`](Indexed::predecessors) is given. If not, the engine derives them
    /// by a forward pass, which takes memory for every edge.
    const UNMOVES: bool = false;

    /// Whether [`wins_at_once`](Game::wins_at_once) is quicker than finding a position's place: the
    /// engine then asks it first.
    const QUICK_WINS: bool = false;

    /// Whether [`sight`](Indexed::sight) tells more than the end of the game and a win at once.
    const FAR_SIGHT: bool = false;

    /// The tiers in the order in which they are solved: a move leads to the same tier or to an
    /// earlier one.
    fn tiers(&self) -> &[Tier];

    /// The earlier tiers that moves from a tier may lead to: all of them, unless told. While a tier is
    /// solved, the values of no others need be at hand.
    fn leads_to(&self, tier: usize) -> Vec<usize> {
        (0..tier).collect()
    }

    /// The name of a tier for people.
    fn tier_title(&self, tier: usize) -> Text {
        match &*self.tiers()[tier].name {
            "all" => Text::new("all", "全体"),
            name => Text::same(name),
        }
    }

    /// Whether a position has a place. A game may leave out positions that are over or win at
    /// once if it tells [`first_look`](Indexed::first_look), and any whose value it tells by
    /// [`sight`](Indexed::sight) and that no position with a place has a move to.
    fn has_place(&self, position: &Self::Position) -> bool {
        let _ = position;
        true
    }

    /// The place of a position that has one: the same for all its images.
    fn locate(&self, position: &Self::Position) -> Place;

    /// The tier of a position; override it where the number of the tier is quicker to tell than
    /// the whole place.
    fn tier(&self, position: &Self::Position) -> usize {
        self.locate(position).tier
    }

    /// The position at a place, or none if the place stands for nothing. The inverse of
    /// [`locate`](Indexed::locate) up to symmetry.
    fn position(&self, place: Place) -> Option<Self::Position>;

    /// Calls `each` with every one of these indices of a tier that stands for a position, and with
    /// the position; override it where positions in a row are quicker to find than one alone.
    #[inline]
    fn positions(
        &self,
        tier: usize,
        indices: impl Iterator<Item = u64>,
        mut each: impl FnMut(u64, Self::Position),
    ) {
        for index in indices {
            if let Some(position) = self.position(Place { tier, index }) {
                each(index, position);
            }
        }
    }

    /// How the value of a position is found: tables leave out all that is not [`Sight::Table`].
    /// Chains of positions that are seen by their moves must come to an end.
    #[inline]
    fn sight(&self, position: &Self::Position) -> Sight {
        match self.over(position) {
            Some(outcome) => Sight::Value(Value::new(outcome, 0)),
            None if self.wins_at_once(position) => Sight::Value(Value::Win(1)),
            None => Sight::Table,
        }
    }

    /// Whether a table stores the value of a position, which is known: whether its
    /// [`sight`](Indexed::sight) is [`Sight::Table`]; override it where the value makes that quicker to
    /// tell.
    #[inline]
    fn is_stored(&self, position: &Self::Position, value: Value) -> bool {
        let _ = value;
        self.sight(position) == Sight::Table
    }

    /// What the engine's first pass needs to know of a position, in a tier that no move leaves, if
    /// the game can tell without making the moves. Else the engine makes them.
    #[inline]
    fn first_look(&self, position: &Self::Position) -> Option<FirstLook> {
        let _ = position;
        None
    }

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
