//! What can arise from the start, and how soon: a breadth-first search over the index.

use kanzen_core::Next;
use kanzen_index::{Indexed, Place, with_fast_bits};
use kanzen_solve::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions that a thread takes at a time.
const CHUNK: usize = 1024;

/// The positions that can arise, up to symmetry.
pub struct Reach {
    /// For each number of plies, how many positions arise then and not sooner.
    pub by_ply: Vec<u64>,
    /// For each tier, how many of its positions arise.
    pub by_tier: Vec<u64>,
    arisen: Vec<Vec<AtomicU64>>,
}

impl Reach {
    /// Searches from the start. Positions without a place (over, or won at once, in some games)
    /// are neither counted nor gone through.
    pub fn new<G: Indexed>(game: &G, progress: &dyn Progress) -> Reach {
        let tiers = game.tiers();
        let bits = |size: u64| (0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let mut reach = Reach {
            by_ply: Vec::new(),
            by_tier: vec![0; tiers.len()],
            arisen: tiers.iter().map(|tier| bits(tier.size)).collect(),
        };
        progress.begin("going through the game", tiers.iter().map(|tier| tier.size).sum());
        let start = game.start();
        let mut frontier = Vec::new();
        if game.has_place(&start) {
            frontier.push(game.locate(&start));
            reach.mark(frontier[0]);
        }
        while !frontier.is_empty() {
            reach.by_ply.push(frontier.len() as u64);
            frontier.iter().for_each(|place| reach.by_tier[place.tier] += 1);
            progress.advance(frontier.len() as u64);
            frontier = reach.next(game, &frontier);
        }
        progress.end();
        reach
    }

    /// How many positions arise.
    pub fn positions(&self) -> u64 {
        self.by_ply.iter().sum()
    }

    /// Whether the position at a place arises.
    pub fn contains(&self, place: Place) -> bool {
        let word = &self.arisen[place.tier][place.index as usize / 64];
        word.load(Relaxed) >> (place.index % 64) & 1 == 1
    }

    /// Marks a place; true if it was not marked before.
    fn mark(&self, place: Place) -> bool {
        let bit = 1 << (place.index % 64);
        self.arisen[place.tier][place.index as usize / 64].fetch_or(bit, Relaxed) & bit == 0
    }

    /// The places that arise from these for the first time.
    fn next<G: Indexed>(&self, game: &G, frontier: &[Place]) -> Vec<Place> {
        let chunks = frontier.par_chunks(CHUNK).map(|places| {
            let mut fresh = Vec::new();
            with_fast_bits(|| {
                for position in places.iter().filter_map(|&place| game.position(place)) {
                    game.successors(&position, |next| {
                        if let Next::Position(child) = next
                            && game.has_place(&child)
                        {
                            let place = game.locate(&child);
                            if self.mark(place) {
                                fresh.push(place);
                            }
                        }
                    });
                }
            });
            fresh
        });
        chunks.flatten_iter().collect()
    }
}
