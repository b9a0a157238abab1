//! What can arise from the start, and how soon: a breadth-first search over the index.

use kanzen_core::Next;
use kanzen_index::{Indexed, Place, Tier, with_fast_bits};
use kanzen_solve::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words of a bit map that a thread takes at a time.
const CHUNK: usize = 256;

/// The positions that can arise, up to symmetry.
pub struct Reach {
    /// For each number of plies, how many positions arise then and not sooner.
    pub by_ply: Vec<u64>,
    /// For each tier, how many of its positions arise.
    pub by_tier: Vec<u64>,
    arisen: Bits,
}

/// A bit for each place.
struct Bits(Vec<Vec<AtomicU64>>);

impl Bits {
    fn new(tiers: &[Tier]) -> Bits {
        let words = |tier: &Tier| (0..tier.size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Bits(tiers.iter().map(words).collect())
    }

    fn get(&self, place: Place) -> bool {
        let word = &self.0[place.tier][place.index as usize / 64];
        word.load(Relaxed) >> (place.index % 64) & 1 == 1
    }

    /// Sets a bit; true if it was not set before.
    fn set(&self, place: Place) -> bool {
        let bit = 1 << (place.index % 64);
        self.0[place.tier][place.index as usize / 64].fetch_or(bit, Relaxed) & bit == 0
    }

    /// For each tier, how many bits are set.
    fn count(&self) -> Vec<u64> {
        let ones = |words: &Vec<AtomicU64>| {
            words.iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
        };
        self.0.iter().map(ones).collect()
    }
}

impl Reach {
    /// Searches from the start. Positions without a place (over, or won at once, in some games)
    /// are neither counted nor gone through.
    pub fn new<G: Indexed>(game: &G, progress: &dyn Progress) -> Reach {
        let tiers = game.tiers();
        let arisen = Bits::new(tiers);
        let mut frontier = Bits::new(tiers);
        let mut by_ply = Vec::new();
        progress.begin("going through the game", tiers.iter().map(|tier| tier.size).sum());
        let start = game.start();
        if game.has_place(&start) {
            arisen.set(game.locate(&start));
            frontier.set(game.locate(&start));
        }
        loop {
            let count = frontier.count().iter().sum();
            if count == 0 {
                break;
            }
            by_ply.push(count);
            progress.advance(count);
            let next = Bits::new(tiers);
            for tier in 0..tiers.len() {
                step(game, tier, &frontier.0[tier], &arisen, &next);
            }
            frontier = next;
        }
        progress.end();
        Reach { by_ply, by_tier: arisen.count(), arisen }
    }

    /// How many positions arise.
    pub fn positions(&self) -> u64 {
        self.by_ply.iter().sum()
    }

    /// Whether the position at a place arises.
    pub fn contains(&self, place: Place) -> bool {
        self.arisen.get(place)
    }
}

/// Marks what arises from a tier's frontier for the first time.
fn step<G: Indexed>(game: &G, tier: usize, frontier: &[AtomicU64], arisen: &Bits, next: &Bits) {
    frontier.par_chunks(CHUNK).enumerate().for_each(|(chunk, words)| {
        let first = (chunk * CHUNK * 64) as u64;
        let set = (0..).zip(words).flat_map(|(number, word)| {
            let mut word = word.load(Relaxed);
            std::iter::from_fn(move || {
                let bit = u64::from(word.trailing_zeros());
                let found = (word != 0).then_some(64 * number + bit);
                word &= word.wrapping_sub(1);
                found
            })
        });
        with_fast_bits(|| {
            game.positions(tier, set.map(|index| first + index), |_, position| {
                game.successors(&position, |after| {
                    if let Next::Position(child) = after
                        && game.has_place(&child)
                    {
                        let place = game.locate(&child);
                        if arisen.set(place) {
                            next.set(place);
                        }
                    }
                });
            });
        });
    });
}
