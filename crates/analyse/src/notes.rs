//! What a search for a smallest proof tree has learnt, in 16 bytes a position: there are millions.

use kanzen_index::Place;
use rustc_hash::FxHashMap;

/// What is known of a position's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// It has at least this many positions.
    pub(crate) least: u64,
    /// It has just so many.
    pub(crate) exact: bool,
}

/// What is known of the trees of positions, by their places.
#[derive(Default)]
pub(crate) struct Notes(FxHashMap<u64, u64>);

impl Notes {
    pub(crate) fn get(&self, place: Place) -> Option<Known> {
        let note = self.0.get(&key(place))?;
        Some(Known { least: note >> 1, exact: note & 1 == 1 })
    }

    pub(crate) fn insert(&mut self, place: Place, known: Known) {
        let least = known.least.min(u64::MAX >> 1);
        self.0.insert(key(place), least << 1 | u64::from(known.exact));
    }
}

/// A place as one number: no game has as many tiers, and no memory the values of a tier as large.
fn key(place: Place) -> u64 {
    debug_assert!(place.tier < 1 << 16 && place.index < 1 << 48);
    (place.tier as u64) << 48 | place.index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_give_back_what_they_are_given() {
        let mut notes = Notes::default();
        let places = [(0, 7), (1, 7), (65_535, (1 << 48) - 1)];
        let places = places.map(|(tier, index)| Place { tier, index });
        for (place, least) in places.into_iter().zip(0..) {
            notes.insert(place, Known { least, exact: least == 1 });
        }
        assert_eq!(notes.get(places[0]), Some(Known { least: 0, exact: false }));
        assert_eq!(notes.get(places[1]), Some(Known { least: 1, exact: true }));
        assert_eq!(notes.get(places[2]), Some(Known { least: 2, exact: false }));
        assert_eq!(notes.get(Place { tier: 2, index: 7 }), None);
    }
}
