//! Verification: every entry of a table against its successors' entries.
//!
//! If every value is what the best move makes of it, the table is right: wins and losses by
//! induction over their plies, and the open positions because nobody can force a way out of them.
//! Values that the table leaves out are put back first, and verified like all others.
//! The work is done with the rules and the index alone, not with the engine or its un-moves.

use crate::solved::seen;
use crate::{Solved, TierCensus};
use kanzen_core::{Game, Next, Value};
use kanzen_index::{Indexed, Place, with_fast_bits};
use kanzen_solve::Progress;
use kanzen_table::TableError;
use rayon::prelude::*;

/// Disagreements that are kept.
const KEPT: usize = 10;

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    /// Positions checked.
    pub positions: u64,
    /// How many disagree with their successors.
    pub wrong: u64,
    /// The first of them.
    pub disagreements: Vec<Disagreement>,
    /// Tiers whose census is not what the table says.
    pub miscounted: Vec<String>,
}

impl Verification {
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
        const CHUNK: u64 = 4096;
        let tiers = self.game().tiers();
        let codes = self.codes()?;
        let mut result = Verification::default();
        progress.begin("verifying", tiers.iter().map(|tier| tier.size).sum());
        for (tier, shape) in tiers.iter().enumerate() {
            let part = (0..shape.size.div_ceil(CHUNK))
                .into_par_iter()
                .map(|chunk| {
                    let range = chunk * CHUNK..shape.size.min((chunk + 1) * CHUNK);
                    progress.advance(range.end - range.start);
                    with_fast_bits(|| self.verify_range(tier, range, &codes))
                })
                .reduce(Part::default, Part::merge);
            result.positions += part.census.positions;
            result.wrong += part.wrong;
            let room = KEPT.saturating_sub(result.disagreements.len());
            result.disagreements.extend(part.disagreements.into_iter().take(room));
            let mut stated = TierCensus::of(&self.table().meta().tiers[tier]);
            stated.tier.clear();
            if part.census != stated {
                result.miscounted.push(shape.name.clone());
            }
        }
        progress.end();
        Ok(result)
    }

    fn verify_range(&self, tier: usize, range: std::ops::Range<u64>, codes: &[Vec<u16>]) -> Part {
        let game = self.game();
        let value = |position: &G::Position| {
            seen(game, position).unwrap_or_else(|| {
                let place = game.locate(position);
                Value::from_code(codes[place.tier][place.index as usize])
            })
        };
        let mut part = Part::default();
        game.positions(tier, range, |index, position| {
            let place = Place { tier, index };
            let found = value(&position);
            part.census.add(found, 1);
            if seen(game, &position).is_some() {
                return;
            }
            let mut best: Option<Value> = None;
            game.successors(&position, |next| {
                let worth = match next {
                    Next::Over(outcome) => Value::ended(outcome, 1),
                    Next::Position(child) => value(&child).before_move(),
                };
                best = best.max(Some(worth));
            });
            let expected = best.unwrap_or(Value::Open);
            if found != expected {
                part.wrong += 1;
                if part.disagreements.len() < KEPT {
                    part.disagreements.push(Disagreement {
                        place,
                        position: Game::write(game, &position),
                        found,
                        expected,
                    });
                }
            }
        });
        part
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
        self.disagreements.truncate(KEPT);
        self.census.merge(&other.census);
        self
    }
}
