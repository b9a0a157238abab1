//! What can arise from the start, and how soon: a breadth-first search over the index.

use crate::bits::visit;
use kanzen_index::{Indexed, Place};
use kanzen_machine::AtomicBits;
use kanzen_solve::Progress;

/// The positions that can arise, up to symmetry.
pub struct Reach {
    /// For each number of plies, how many positions arise then and not sooner.
    pub by_ply: Vec<u64>,
    /// For each tier, how many of its positions arise.
    pub by_tier: Vec<u64>,
    arisen: Vec<AtomicBits>,
}

impl Reach {
    /// Searches from the start. Positions without a place (over, or won at once, in some games)
    /// are neither counted nor gone through.
    pub fn new<G: Indexed>(game: &G, progress: &dyn Progress) -> Reach {
        let tiers = game.tiers();
        let none =
            || -> Vec<AtomicBits> { tiers.iter().map(|tier| AtomicBits::new(tier.size)).collect() };
        let count =
            |sets: &[AtomicBits]| -> Vec<u64> { sets.iter().map(AtomicBits::count).collect() };
        let arisen = none();
        let mut frontier = none();
        let mut by_ply = Vec::new();
        progress.begin("going through the game", tiers.iter().map(|tier| tier.size).sum());
        let start = game.start();
        if game.has_place(&start) {
            let Place { tier, index } = game.locate(&start);
            arisen[tier].set(index);
            frontier[tier].set(index);
        }
        loop {
            let new = count(&frontier).iter().sum();
            if new == 0 {
                break;
            }
            by_ply.push(new);
            progress.advance(new);
            let next = none();
            for (tier, frontier) in frontier.iter().enumerate() {
                visit(frontier, game, tier, |_, position| step(game, position, &arisen, &next));
            }
            frontier = next;
        }
        progress.end();
        Reach { by_ply, by_tier: count(&arisen), arisen }
    }

    /// How many positions arise.
    pub fn positions(&self) -> u64 {
        self.by_ply.iter().sum()
    }

    /// Whether the position at a place arises.
    pub fn contains(&self, place: Place) -> bool {
        self.arisen[place.tier].get(place.index)
    }
}

/// Marks what arises from a position for the first time.
fn step<G: Indexed>(game: &G, position: &G::Position, arisen: &[AtomicBits], next: &[AtomicBits]) {
    game.successors(position, |after| {
        if let Some(child) = after.position()
            && game.has_place(&child)
        {
            let Place { tier, index } = game.locate(&child);
            if arisen[tier].set(index) {
                next[tier].set(index);
            }
        }
    });
}
