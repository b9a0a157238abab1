//! The numbering of all positions: those with black to move, then those with brown to move, each
//! by the king's point and the brown pieces as in the maps of the engine.

use super::rules::{Musashi, Player, Position};
use kanzen_bitmap as bitmap;
use kanzen_index::{Indexed, Place, Tier};

impl Indexed for Musashi {
    const INDEX_VERSION: u32 = 1;

    fn tiers(&self) -> &[Tier] {
        self.board().tiers()
    }

    fn locate(&self, position: &Position) -> Place {
        let index = self.board().index();
        let place = index
            .locate(position.king, position.brown)
            .expect("the king stands on the board, where no brown piece is");
        let map = match position.turn {
            Player::Black => place.king,
            Player::Brown => place.king + index.kings().len(),
        };
        Place { tier: 0, index: map as u64 * index.size() + place.index }
    }

    fn position(&self, place: Place) -> Option<Position> {
        let index = self.board().index();
        let map = usize::try_from(place.index / index.size()).ok()?;
        let kings = index.kings().len();
        let (turn, king) = match map.checked_sub(kings) {
            None => (Player::Black, map),
            Some(king) => (Player::Brown, king),
        };
        let place = bitmap::Place { king, index: place.index % index.size() };
        let (king, brown) = index.position(place)?;
        let canonical = index.locate(king, brown) == Some(place);
        canonical.then_some(Position { king, brown, turn })
    }
}
