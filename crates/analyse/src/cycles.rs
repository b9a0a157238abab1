//! Simple cycles: endless play in which each side has a single move that goes on, over and over.

use crate::bits::visit;
use crate::{Atlas, Found};
use kanzen_core::{Next, Value};
use kanzen_index::{Indexed, Place};
use kanzen_machine::AtomicBits;
use kanzen_solve::Progress;
use std::collections::BTreeMap;
use std::iter::{once, successors};

impl<G: Indexed> Atlas<'_, G> {
    /// The positions of a tier that lie on simple cycles, by the period of the cycle in plies. A
    /// position comes back when an image of it arises, as its mover sees it.
    pub fn cycles(
        &self,
        tier: usize,
        keep: usize,
        progress: &dyn Progress,
    ) -> BTreeMap<u64, Found<G::Position>> {
        let links = self.forced_round(tier, progress);
        let mut found: BTreeMap<u64, Found<G::Position>> = BTreeMap::new();
        for (index, period) in periods(&links) {
            let position = self.game().position(Place { tier, index });
            position
                .iter()
                .for_each(|position| found.entry(period).or_default().see(position, keep));
        }
        found
    }

    /// The positions of a tier that have a forced drawing move and may lie on a cycle, with the indices
    /// that these moves lead to. A position that no such move leads to lies on none, and without it
    /// others have none that leads to them: those are taken away, round after round.
    fn forced_round(&self, tier: usize, progress: &dyn Progress) -> Vec<(u64, u64)> {
        let none = || AtomicBits::new(self.codes()[tier].len() as u64);
        let (mut forced, mut led_to) = (none(), none());
        let see = |(): &mut (), index, position: &G::Position, value: Value| {
            if value.is_endless()
                && let Some(next) = self.forced(tier, position)
            {
                forced.set(index);
                led_to.set(next);
            }
        };
        self.pass(tier, "looking for cycles", progress, || (), see, |(), ()| ());
        let mut count = forced.count();
        loop {
            forced.keep(&led_to);
            let before = std::mem::replace(&mut count, forced.count());
            // The last few are better sorted out at once.
            if before - count <= before / 16 {
                break;
            }
            led_to.clear();
            visit(&forced, self.game(), tier, |_, position| {
                self.forced(tier, position).into_iter().for_each(|next| {
                    led_to.set(next);
                });
            });
        }
        let link = |index| {
            let position = self.game().position(Place { tier, index })?;
            Some((index, self.forced(tier, &position)?))
        };
        forced.numbers(0..u64::MAX).filter_map(link).collect()
    }

    /// The index that the only drawing move leads to, if there is one and it stays in the tier.
    fn forced(&self, tier: usize, position: &G::Position) -> Option<u64> {
        let (mut drawing, mut only) = (0, None);
        self.game().successors(position, |next| {
            if drawing < 2 && self.move_value(next).is_endless() {
                drawing += 1;
                only = Some(next);
            }
        });
        let child = only.filter(|_| drawing == 1).and_then(Next::position)?;
        self.place(&child).filter(|place| place.tier == tier).map(|place| place.index)
    }
}

/// The nodes on cycles of a graph in which every node has at most one link, with the length of
/// their cycle. The links come in the order of their nodes, and so do the results.
fn periods(links: &[(u64, u64)]) -> Vec<(u64, u64)> {
    const NONE: usize = usize::MAX;
    // For each link the one that goes on from there, both by their numbers.
    let number = |node| links.binary_search_by_key(&node, |&(from, _)| from).unwrap_or(NONE);
    let next: Vec<usize> = links.iter().map(|&(_, to)| number(to)).collect();
    // For each link the walk that came to it first, by the number of the link it began with.
    let mut walks = vec![NONE; links.len()];
    let mut found = Vec::new();
    for start in 0..links.len() {
        let mut at = start;
        while at != NONE && walks[at] == NONE {
            walks[at] = start;
            at = next[at];
        }
        if at != NONE && walks[at] == start {
            let rest = successors(Some(next[at]), |&at| Some(next[at])).take_while(|&on| on != at);
            let cycle: Vec<usize> = once(at).chain(rest).collect();
            found.extend(cycle.iter().map(|&at| (links[at].0, cycle.len() as u64)));
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::periods;

    #[test]
    fn cycles_of_a_small_graph() {
        // 1 -> 1; 2 -> 3 -> 4 -> 2 with 5 leading in; 6 -> 7, which leads nowhere.
        let links = [(1, 1), (2, 3), (3, 4), (4, 2), (5, 3), (6, 7)];
        assert_eq!(periods(&links), [(1, 1), (2, 3), (3, 3), (4, 3)]);
    }
}
