//! How many positions have which value.

use kanzen_core::Value;
use kanzen_table::{Counted, Meta, TierMeta};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The values of all positions up to symmetry, tier by tier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Census {
    /// The tiers, in the order of the table.
    pub tiers: Vec<TierCensus>,
}

/// The values of a tier.
///
/// ```
/// use kanzen_analyse::TierCensus;
/// use kanzen_core::Value;
/// let mut census = TierCensus::default();
/// census.add(Value::Win(3), 10);
/// census.add(Value::OPEN, 2);
/// assert_eq!((census.positions, census.draws, census.longest()), (12, 2, Some(3)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierCensus {
    /// The tier's name.
    pub tier: String,
    /// Positions up to symmetry.
    pub positions: u64,
    /// Won for the side to move.
    pub wins: u64,
    /// Drawn, by the rules or by endless play.
    pub draws: u64,
    /// Lost for the side to move.
    pub losses: u64,
    /// Those of all three without a forced end.
    pub endless: u64,
    /// Plies of the longest win, if there is one.
    pub longest_win: Option<u16>,
    /// Plies of the longest loss, if there is one.
    pub longest_loss: Option<u16>,
    /// Wins by plies.
    pub wins_by_plies: BTreeMap<u16, u64>,
    /// Draws by the rules, by plies.
    pub draws_by_plies: BTreeMap<u16, u64>,
    /// Losses by plies.
    pub losses_by_plies: BTreeMap<u16, u64>,
}

impl TierCensus {
    /// Counts more positions of a value.
    pub fn add(&mut self, value: Value, count: u64) {
        self.positions += count;
        match value {
            Value::Win(_) => self.wins += count,
            Value::Draw(_) => self.draws += count,
            Value::Loss(_) => self.losses += count,
        }
        if value.is_endless() {
            self.endless += count;
        }
        let Some(plies) = value.plies() else { return };
        let by_plies = match value {
            Value::Win(_) => {
                self.longest_win = self.longest_win.max(Some(plies));
                &mut self.wins_by_plies
            }
            Value::Draw(_) => &mut self.draws_by_plies,
            Value::Loss(_) => {
                self.longest_loss = self.longest_loss.max(Some(plies));
                &mut self.losses_by_plies
            }
        };
        *by_plies.entry(plies).or_default() += count;
    }
}

impl TierCensus {
    /// Adds another census.
    pub fn merge(&mut self, other: &TierCensus) {
        self.positions += other.positions;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.endless += other.endless;
        self.longest_win = self.longest_win.max(other.longest_win);
        self.longest_loss = self.longest_loss.max(other.longest_loss);
        let maps = [
            (&mut self.wins_by_plies, &other.wins_by_plies),
            (&mut self.draws_by_plies, &other.draws_by_plies),
            (&mut self.losses_by_plies, &other.losses_by_plies),
        ];
        for (sum, more) in maps {
            more.iter().for_each(|(&plies, count)| *sum.entry(plies).or_default() += count);
        }
    }

    /// The census in the description of a table's tier.
    pub fn of(tier: &TierMeta) -> TierCensus {
        TierCensus::of_counts(&tier.name, &tier.codes, &tier.counts)
    }

    /// What was counted beside the cells of a table.
    pub fn of_counted(counted: &Counted) -> TierCensus {
        TierCensus::of_counts(&counted.name, &counted.codes, &counted.counts)
    }

    fn of_counts(name: &str, codes: &[u16], counts: &[u64]) -> TierCensus {
        let mut census = TierCensus { tier: name.to_owned(), ..TierCensus::default() };
        for (&code, &count) in codes.iter().zip(counts).filter(|&(_, &count)| count > 0) {
            census.add(Value::from_code(code), count);
        }
        census
    }

    /// Plies to the end of a won or lost position, on average.
    pub fn mean_plies(&self) -> f64 {
        let counts = self.wins_by_plies.iter().chain(&self.losses_by_plies);
        let plies: u64 = counts.map(|(&plies, &count)| u64::from(plies) * count).sum();
        let decided = self.wins_by_plies.values().chain(self.losses_by_plies.values());
        plies as f64 / decided.sum::<u64>().max(1) as f64
    }

    /// The longest win or loss.
    pub fn longest(&self) -> Option<u16> {
        self.longest_win.max(self.longest_loss)
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
