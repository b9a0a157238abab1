//! A game by its rules alone, with the keys of all its positions: they number the positions.

use crate::{Indexed, Keyed, Keys, Place, Tier};
use kanzen_core::{
    Drawing, Endless, Game, Gesture, Kit, Next, NotationError, Outcome, Side, Trace,
};
use std::sync::Arc;

/// A game whose positions are those of a list of keys, one for each set of images.
#[derive(Clone, Debug)]
pub struct Explicit<G> {
    game: G,
    keys: Arc<Keys>,
    tiers: [Tier; 1],
}

impl<G: Keyed> Explicit<G> {
    /// A game with the [least keys](Keyed::least_key) of its positions.
    pub fn new(game: G, keys: Keys) -> Explicit<G> {
        let tiers = [Tier::new("all", keys.len(), true)];
        Explicit { game, keys: Arc::new(keys), tiers }
    }

    /// The keys.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The number of a position, if it is one of the list.
    #[inline]
    fn number(&self, position: &G::Position) -> Option<u64> {
        self.keys.rank(self.game.least_key(position))
    }
}

impl<G: Keyed> Game for Explicit<G> {
    type Position = G::Position;
    type Move = G::Move;

    fn start(&self) -> G::Position {
        self.game.start()
    }

    fn over(&self, position: &G::Position) -> Option<Outcome> {
        self.game.over(position)
    }

    fn moves(&self, position: &G::Position, each: impl FnMut(G::Move)) {
        self.game.moves(position, each);
    }

    fn play(&self, position: &G::Position, mv: G::Move) -> Next<G::Position> {
        self.game.play(position, mv)
    }

    fn successors(&self, position: &G::Position, each: impl FnMut(Next<G::Position>)) {
        self.game.successors(position, each);
    }

    fn wins_at_once(&self, position: &G::Position) -> bool {
        self.game.wins_at_once(position)
    }

    fn endless(&self) -> Endless {
        self.game.endless()
    }

    fn mover(&self, position: &G::Position) -> Side {
        self.game.mover(position)
    }

    fn takes_turns(&self) -> bool {
        self.game.takes_turns()
    }

    fn passed(&self, position: &G::Position) -> Option<G::Position> {
        self.game.passed(position)
    }

    fn symmetries(&self) -> usize {
        self.game.symmetries()
    }

    fn image(&self, position: &G::Position, symmetry: usize) -> G::Position {
        self.game.image(position, symmetry)
    }

    fn parse(&self, text: &str) -> Result<G::Position, NotationError> {
        self.game.parse(text)
    }

    fn examples(&self) -> Vec<String> {
        self.game.examples()
    }

    fn write(&self, position: &G::Position) -> String {
        self.game.write(position)
    }

    fn write_move(&self, position: &G::Position, mv: G::Move) -> String {
        self.game.write_move(position, mv)
    }

    fn draw(&self, position: &G::Position) -> Drawing {
        self.game.draw(position)
    }

    fn trace(&self, position: &G::Position, mv: G::Move) -> Trace {
        self.game.trace(position, mv)
    }

    fn draw_end(&self, position: &G::Position, mv: G::Move) -> Drawing {
        self.game.draw_end(position, mv)
    }

    fn gesture(&self, position: &G::Position, mv: G::Move) -> Gesture {
        self.game.gesture(position, mv)
    }

    fn kit(&self) -> &'static Kit {
        self.game.kit()
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        self.game.compose(drawing)
    }

    fn sets(&self, position: &G::Position) -> Option<(u32, u32)> {
        self.game.sets(position)
    }

    fn with_sets(&self, mine: u32, theirs: u32) -> Option<Result<G::Position, NotationError>> {
        self.game.with_sets(mine, theirs)
    }
}

impl<G: Keyed> Indexed for Explicit<G> {
    const INDEX_VERSION: u32 = G::KEY_VERSION;

    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    fn has_place(&self, position: &G::Position) -> bool {
        self.number(position).is_some()
    }

    /// A position that is not of the list has a place beyond all others.
    #[inline]
    fn locate(&self, position: &G::Position) -> Place {
        Place { tier: 0, index: self.number(position).unwrap_or(u64::MAX) }
    }

    #[inline]
    fn tier(&self, _: &G::Position) -> usize {
        0
    }

    fn position(&self, place: Place) -> Option<G::Position> {
        self.game.with_key(self.keys.get(place.index)?)
    }

    #[inline]
    fn positions(
        &self,
        _: usize,
        indices: impl Iterator<Item = u64>,
        mut each: impl FnMut(u64, G::Position),
    ) {
        let mut cursor = self.keys.cursor();
        for index in indices.take_while(|&index| index < self.keys.len()) {
            if let Some(position) = self.game.with_key(cursor.get(index)) {
                each(index, position);
            }
        }
    }
}
