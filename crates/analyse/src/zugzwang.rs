//! Zugzwangs: positions in which whoever is to move loses.

use crate::{Atlas, Found};
use kanzen_core::Value;
use kanzen_index::Indexed;
use kanzen_solve::Progress;

/// The zugzwangs of a tier.
#[derive(Clone, Debug)]
pub struct Zugzwangs<P> {
    /// Lost positions that are lost for the other side too, were it to move.
    pub all: Found<P>,
    /// Those that look the same to both sides, up to symmetry.
    pub symmetric: Found<P>,
}

impl<G: Indexed> Atlas<'_, G> {
    /// Finds the zugzwangs of a tier; a position and its counterpart count as two. A game that
    /// does not say what [passing](kanzen_core::Game::passed) is has none.
    pub fn zugzwangs(
        &self,
        tier: usize,
        keep: usize,
        progress: &dyn Progress,
    ) -> Zugzwangs<G::Position> {
        let new = || Zugzwangs { all: Found::default(), symmetric: Found::default() };
        let lost = |position: &G::Position, value| {
            matches!(value, Value::Loss(_)) && self.game().over(position).is_none()
        };
        let visit = |found: &mut Zugzwangs<G::Position>, index, position: &G::Position, value| {
            if !lost(position, value) {
                return;
            }
            let Some(passed) = self.game().passed(position) else { return };
            if lost(&passed, self.value(&passed)) {
                found.all.see(position, keep);
                let place = self.place(&passed);
                if place.is_some_and(|place| (place.tier, place.index) == (tier, index)) {
                    found.symmetric.see(position, keep);
                }
            }
        };
        let merge = |a: Zugzwangs<_>, b: Zugzwangs<_>| Zugzwangs {
            all: a.all.merge(b.all, keep),
            symmetric: a.symmetric.merge(b.symmetric, keep),
        };
        self.pass(tier, "looking for zugzwangs", progress, new, visit, merge)
    }
}
