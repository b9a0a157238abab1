//! Which tiers are solved together, and by whom: the same on all hosts.

use crate::deal::crossing;
use crate::layout::{Layout, ONE};
use kanzen_solve::Sharded;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Cells of the small tiers that a tier leads to, at the most: all workers keep their values.
pub(crate) const SMALL: u64 = 1 << 24;
/// Cells of a tier that a worker solves alone while others solve other ones, at the most.
const ALONE: u64 = 1 << 19;

/// How the tiers of a game are dealt to workers. All workers of a process share it.
pub(crate) struct Plan {
    game: Arc<dyn Sharded>,
    workers: usize,
    /// The tiers whose values all workers keep.
    small: Vec<bool>,
    /// Each is made when it is asked for.
    layouts: Vec<OnceLock<Layout>>,
}

impl Plan {
    pub(crate) fn new(game: Arc<dyn Sharded>, workers: usize) -> Plan {
        let (small, tiers) = (small_tiers(&*game), game.tiers().len());
        Plan { game, workers, small, layouts: (0..tiers).map(|_| OnceLock::new()).collect() }
    }

    /// How a tier is spread over all workers.
    pub(crate) fn layout(&self, tier: usize) -> Layout {
        let make = || Layout::by_moves(&*self.game, tier, self.workers);
        self.layouts[tier].get_or_init(make).clone()
    }

    /// The share of the moves inside a tier that lead to another process, if that can be told.
    pub(crate) fn crossing(&self, tier: usize, threads: usize) -> Option<f64> {
        let layout = self.layout(tier);
        crossing(&*self.game, tier, &layout.ranges(), |shard| layout.owner(shard) / threads)
    }

    /// Whether all workers keep the values of a tier.
    pub(crate) fn is_small(&self, tier: usize) -> bool {
        self.small[tier]
    }

    fn size(&self, tier: usize) -> u64 {
        self.game.tiers()[tier].size
    }

    /// The tiers from this one on that do not lead to one another and are each solved by a worker alone:
    /// small ones always, larger ones if that gives all workers about as much to do.
    pub(crate) fn group(&self, first: usize) -> Range<usize> {
        let may = |tier: usize| {
            let leads_to = self.game.leads_to(tier);
            self.size(tier) <= ALONE
                && self.small[tier]
                && self.game.has_unmoves()
                && leads_to.into_iter().all(|to| self.small[to] && to < first)
        };
        let all = self.game.tiers().len();
        let most = (first..all).find(|&tier| !may(tier)).unwrap_or(all);
        let is_large = |tier: &usize| self.size(*tier) > ONE;
        let least = (first..most).find(is_large).unwrap_or(most);
        let is_fair = |end: &usize| self.deal(first..*end).1 * self.workers as f64 <= 1.2;
        let end = (least + 1..=most).rev().find(is_fair);
        first..end.unwrap_or(least)
    }

    /// Deals tiers to the workers, and tells the share of the one that has most to do.
    pub(crate) fn deal(&self, tiers: Range<usize>) -> (Vec<(usize, Layout)>, f64) {
        let mut order: Vec<usize> = tiers.collect();
        order.sort_by_key(|&tier| (Reverse(self.size(tier)), tier));
        let mut work = vec![0; self.workers];
        let mut group = Vec::new();
        for tier in order {
            let owner = (0..self.workers).min_by_key(|&worker| work[worker]).unwrap_or(0);
            work[owner] += self.size(tier);
            group.push((tier, Layout::whole(self.size(tier), owner)));
        }
        group.sort_by_key(|&(tier, _)| tier);
        let most = work.iter().max().copied().unwrap_or(0);
        (group, most as f64 / work.iter().sum::<u64>().max(1) as f64)
    }
}

/// Which tiers are so small that all workers keep their values.
fn small_tiers(game: &dyn Sharded) -> Vec<bool> {
    let size = |tier: usize| game.tiers()[tier].size;
    let mut small: Vec<bool> = game.tiers().iter().map(|tier| tier.size <= SMALL).collect();
    for tier in 0..small.len() {
        let needed: Vec<usize> =
            { game.leads_to(tier) }.into_iter().filter(|&to| size(to) <= SMALL).collect();
        if needed.iter().map(|&to| size(to)).sum::<u64>() > SMALL {
            needed.into_iter().for_each(|to| small[to] = false);
        }
    }
    small
}
