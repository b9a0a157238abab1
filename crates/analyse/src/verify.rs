//! Verification: every entry of a table against its successors' entries.
//!
//! If every value is what the best move makes of it, the table is right: wins and losses by
//! induction over their plies, and the open positions because nobody can force a way out of them.
//! Values that the table leaves out are put back first, and verified like all others.
//! The work is done with the rules and the index alone, not with the engine or its un-moves.

use crate::solved::seen;
use crate::{Atlas, Solved, TierCensus};
use kanzen_core::{Game, Value};
use kanzen_index::{Indexed, Place};
use kanzen_solve::Progress;
use kanzen_table::TableError;

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    /// Positions checked.
    pub positions: u64,
    /// How many disagree with their successors.
    pub wrong: u64,
    /// The first of them.
    pub disagreements: Vec<Disagreement>,
    /// What the tiers hold, by what was checked.
    pub tiers: Vec<TierCensus>,
    /// Tiers whose census is not what the table says.
    pub miscounted: Vec<String>,
}

impl Verification {
    /// Disagreements that are kept.
    pub const KEPT: usize = 10;

    /// Whether nothing was found.
    pub fn passed(&self) -> bool {
        self.wrong == 0 && self.miscounted.is_empty()
    }
}

/// A position whose entry does not follow from its successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Where it is.
    pub place: Place,
    /// The position in the game's notation.
    pub position: String,
    /// What the table says.
    pub found: Value,
    /// What its moves say.
    pub expected: Value,
}

impl<G: Indexed> Solved<G> {
    /// Verifies every entry.
    pub fn verify(&self, progress: &dyn Progress) -> Result<Verification, TableError> {
        let all = self.verify_share(0, 1, progress)?;
        Ok(Verification { miscounted: self.miscounted(&all.tiers), ..all })
    }

    /// Verifies a share of the entries, of so many; the tiers can be compared with the table when all
    /// shares are added up.
    pub fn verify_share(
        &self,
        share: u64,
        of: u64,
        progress: &dyn Progress,
    ) -> Result<Verification, TableError> {
        let tiers = self.game().tiers();
        let atlas = self.atlas(progress)?.share(share, of);
        let mut result = Verification::default();
        for (tier, shape) in tiers.iter().enumerate() {
            let visit = |part: &mut Part, index, position: &G::Position, value| {
                part.census.add(value, 1);
                atlas.verify(part, Place { tier, index }, position, value);
            };
            let what = format!("verifying {}", shape.name);
            let part = atlas.pass(tier, &what, progress, Part::default, visit, Part::merge);
            result.positions += part.census.positions;
            result.wrong += part.wrong;
            let room = Verification::KEPT.saturating_sub(result.disagreements.len());
            result.disagreements.extend(part.disagreements.into_iter().take(room));
            result.tiers.push(TierCensus { tier: shape.name.clone(), ..part.census });
        }
        Ok(result)
    }

    /// The tiers that hold something else than the table says.
    pub fn miscounted(&self, tiers: &[TierCensus]) -> Vec<String> {
        let stated = self.table().meta().tiers.iter().map(TierCensus::of);
        let mut found = tiers.iter();
        let pairs = self.game().tiers().iter().zip(stated);
        let wrong = pairs.filter(|(shape, stated)| {
            let stated = TierCensus { tier: shape.name.clone(), ..stated.clone() };
            found.next() != Some(&stated)
        });
        wrong.map(|(shape, _)| shape.name.clone()).collect()
    }
}

impl<G: Indexed> Atlas<'_, G> {
    fn verify(&self, part: &mut Part, place: Place, position: &G::Position, found: Value) {
        let expected = match seen(self.game(), position) {
            Some(value) => value,
            None => self.best_move(position),
        };
        if found == expected {
            return;
        }
        part.wrong += 1;
        if part.disagreements.len() < Verification::KEPT {
            part.disagreements.push(Disagreement {
                place,
                position: Game::write(self.game(), position),
                found,
                expected,
            });
        }
    }
}

/// The result of a range of indices.
#[derive(Default)]
struct Part {
    wrong: u64,
    disagreements: Vec<Disagreement>,
    census: TierCensus,
}

impl Part {
    fn merge(mut self, other: Part) -> Part {
        self.wrong += other.wrong;
        self.disagreements.extend(other.disagreements);
        self.disagreements.sort_by_key(|wrong| wrong.place);
        self.disagreements.truncate(Verification::KEPT);
        self.census.merge(&other.census);
        self
    }
}
