//! How many positions have which value.

use kanzen_core::Value;
use kanzen_table::{Meta, TierMeta};
use serde::Serialize;
use std::collections::BTreeMap;

/// The values of all positions up to symmetry, tier by tier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Census {
    /// The tiers, in the order of the table.
    pub tiers: Vec<TierCensus>,
}

/// The values of a tier.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TierCensus {
    /// The tier's name.
    pub tier: String,
    /// Positions up to symmetry.
    pub positions: u64,
    /// Won for the side to move.
    pub wins: u64,
    /// Without a forced end.
    pub draws: u64,
    /// Lost for the side to move.
    pub losses: u64,
    /// Plies of the longest win, if there is one.
    pub longest_win: Option<u16>,
    /// Plies of the longest loss, if there is one.
    pub longest_loss: Option<u16>,
    /// Wins by plies.
    pub wins_by_plies: BTreeMap<u16, u64>,
    /// Losses by plies.
    pub losses_by_plies: BTreeMap<u16, u64>,
}

impl TierCensus {
    /// Counts more positions of a value.
    pub fn add(&mut self, value: Value, count: u64) {
        self.positions += count;
        match value {
            Value::Open => self.draws += count,
            Value::Win(plies) => {
                self.wins += count;
                self.longest_win = self.longest_win.max(Some(plies));
                *self.wins_by_plies.entry(plies).or_default() += count;
            }
            Value::Loss(plies) => {
                self.losses += count;
                self.longest_loss = self.longest_loss.max(Some(plies));
                *self.losses_by_plies.entry(plies).or_default() += count;
            }
        }
    }
}

impl TierCensus {
    /// Adds another census.
    pub fn merge(&mut self, other: &TierCensus) {
        for (&plies, &count) in &other.wins_by_plies {
            self.add(Value::Win(plies), count);
        }
        for (&plies, &count) in &other.losses_by_plies {
            self.add(Value::Loss(plies), count);
        }
        self.add(Value::Open, other.draws);
    }

    /// The census in the description of a table's tier.
    pub fn of(tier: &TierMeta) -> TierCensus {
        let mut census = TierCensus { tier: tier.name.clone(), ..TierCensus::default() };
        for (&code, &count) in tier.codes.iter().zip(&tier.counts) {
            census.add(Value::from_code(code), count);
        }
        census
    }
}

impl Census {
    /// The census that a table carries in its description.
    pub fn of(meta: &Meta) -> Census {
        Census { tiers: meta.tiers.iter().map(TierCensus::of).collect() }
    }

    /// All tiers together.
    pub fn total(&self) -> TierCensus {
        let mut total = TierCensus { tier: "all".to_owned(), ..TierCensus::default() };
        for tier in &self.tiers {
            total.merge(tier);
        }
        total
    }
}
