//! Games that need no index: a position is written as a number, and the engine does the rest.

use kanzen_core::Game;

/// A game whose positions can be written as numbers, its *keys*: all that the engine for games
/// without an index asks for beside the rules.
///
/// Keys need not be dense. Where all of them are less than a few billion, the engine marks them in
/// a bit map, which is its fastest way; else it sorts them.
///
/// ```
/// use kanzen_core::{Drawing, Game, Next, NotationError, Outcome, Trace};
/// use kanzen_index::Keyed;
///
/// /// One or two of the stones are taken; who takes the last one wins.
/// struct Heap;
///
/// impl Game for Heap {
///     type Position = u8;
///     type Move = u8;
///     fn start(&self) -> u8 { 7 }
///     fn over(&self, left: &u8) -> Option<Outcome> { (*left == 0).then_some(Outcome::Loss) }
///     fn moves(&self, left: &u8, each: impl FnMut(u8)) { (1..=2.min(*left)).for_each(each) }
///     fn play(&self, left: &u8, take: u8) -> Next<u8> { Next::Position(left - take) }
/// #   fn parse(&self, text: &str) -> Result<u8, NotationError> {
/// #       text.parse().map_err(|_| NotationError::shape("a number", text))
/// #   }
/// #   fn write(&self, left: &u8) -> String { left.to_string() }
/// #   fn write_move(&self, _: &u8, take: u8) -> String { take.to_string() }
/// #   fn draw(&self, _: &u8) -> Drawing { Drawing::cells(1, 1) }
/// #   fn trace(&self, _: &u8, _: u8) -> Trace { Trace::default() }
///     // Notation and drawing are left out here.
/// }
///
/// impl Keyed for Heap {
///     fn key_limit(&self) -> u128 { 8 }
///     fn key(&self, left: &u8) -> u128 { (*left).into() }
///     fn with_key(&self, key: u128) -> Option<u8> { u8::try_from(key).ok() }
/// }
/// assert_eq!(Heap.with_key(Heap.key(&5)), Some(5));
/// ```
pub trait Keyed: Game {
    /// Changes when the same position gets another key, so that old tables are not misread.
    const KEY_VERSION: u32 = 1;

    /// All keys are less than this.
    fn key_limit(&self) -> u128;

    /// The key of a position: different for different positions.
    fn key(&self, position: &Self::Position) -> u128;

    /// The position of a key, or none if the key stands for nothing.
    fn with_key(&self, key: u128) -> Option<Self::Position>;

    /// The key that stands for a position and all its images: the least of theirs, or that of any one
    /// that is chosen in the same way from all. Override it where that is quicker than making them.
    fn least_key(&self, position: &Self::Position) -> u128 {
        let images = 1..self.symmetries();
        let own = self.key(position);
        images.map(|symmetry| self.key(&self.image(position, symmetry))).fold(own, u128::min)
    }
}
