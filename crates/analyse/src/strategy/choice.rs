//! Which answers to choose in a graph so that few positions of the winner arise.
//!
//! The graph is put in the order of smallest proof trees. A position of the winner may be answered by
//! whatever comes before all positions that it arises from, so that no strategy goes round in circles.
//! The first strategy answers by the smallest trees. Then, again and again, a position of the loser is
//! given up if all that it answers can be answered by others at the cost of fewer new positions: those
//! of the strategy are free.
//!
//! When this ends, it begins anew with an order in which positions cost the less the more strategies
//! they have been in: what many needed is likely to be used by more.

use super::Answers;
use super::graph::{Graph, Lists};
use kanzen_index::Indexed;
use kanzen_solve::Progress;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How often it begins anew.
pub const TURNS: usize = 6;
/// What a position costs that has been in all strategies, and how fast costs change.
const LEAST_COST: f32 = 0.01;
const CHANGE: f32 = 0.4;
/// Most of what can be gained is gained in so many sweeps.
const SWEEPS: usize = 12;
/// A position that answers more than this is kept, and so is one behind which there are more
/// positions than the second.
const MOST_ANSWERED: usize = 40;
const MOST_BEHIND: usize = 5_000;
/// Rivals that are tried for an answer, those with the smallest trees first.
const RIVALS: usize = 6;

/// The answers of the smallest strategy that was found in a graph.
pub fn choose<G: Indexed>(graph: &Graph<'_, '_, G>, progress: &dyn Progress) -> Answers {
    let parents = graph.children.inverse();
    // In which turns each node was in the strategy, a bit for each.
    let mut past = vec![0_u8; graph.won.len()];
    let mut best: Option<Answers> = None;
    for turn in 0..TURNS {
        let costs: [f32; 1 << TURNS] = std::array::from_fn(|past| cost(past, turn));
        let cost = |node: usize| costs[usize::from(past[node])];
        let mut choice = Choice::new(&graph.won, &graph.children, &parents, cost);
        for sweep in 0..SWEEPS {
            if !choice.sweep(sweep % 2 == 1) {
                break;
            }
        }
        choice.chosen().for_each(|node| past[node as usize] |= 1 << turn);
        let most = best.as_ref().map_or(usize::MAX, Answers::len);
        if choice.size < most {
            best = Some(choice.answers(graph));
        }
        progress.note(&format!("{} answers", choice.size.min(most)));
        progress.advance(1);
    }
    best.unwrap_or_default()
}

/// What a node costs after some turns: the less the more strategies it has been in.
fn cost(past: usize, turns: usize) -> f32 {
    (0..turns).fold(1.0, |cost, turn| {
        let aim = if past >> turn & 1 == 1 { LEAST_COST } else { 1.0 };
        cost + CHANGE * (aim - cost)
    })
}

/// The rank of each node in the order of smallest proof trees, [`NONE`] if it has none. The size of
/// a tree is the sum of the costs of the winner's positions.
///
/// As Knuth's generalisation of Dijkstra's algorithm finds them: a node of the loser comes after all
/// its children, one of the winner after the first of them.
fn ranks(won: &[bool], children: &Lists, parents: &Lists, cost: impl Fn(usize) -> f32) -> Vec<u32> {
    let count = won.len();
    let mut ranks = vec![NONE; count];
    let mut next = 0;
    let mut missing: Vec<u32> =
        (0..count as u32).map(|node| children.get(node).len() as u32).collect();
    let mut trees: Vec<f32> =
        (0..count).map(|node| if won[node] { cost(node) } else { 0.0 }).collect();
    // Sizes are not negative, so that their bits are in the order of the numbers.
    let leaves = (0..count).filter(|&node| missing[node] == 0);
    let mut ready: BinaryHeap<Reverse<(u32, u32)>> =
        leaves.map(|node| Reverse((trees[node].to_bits(), node as u32))).collect();
    while let Some(Reverse((_, node))) = ready.pop() {
        ranks[node as usize] = next;
        next += 1;
        for &parent in parents.get(node) {
            let at = parent as usize;
            if missing[at] == 0 {
                continue;
            }
            trees[at] += trees[node as usize];
            missing[at] = if won[at] { 0 } else { missing[at] - 1 };
            if missing[at] == 0 {
                ready.push(Reverse((trees[at].to_bits(), parent)));
            }
        }
    }
    ranks
}

/// A choice of answers.
struct Choice<'a> {
    won: &'a [bool],
    children: &'a Lists,
    parents: &'a Lists,
    /// The order of the nodes.
    ranks: Vec<u32>,
    /// The child that answers each of the winner's nodes, [`NONE`] if any quick one does.
    answer: Vec<u32>,
    /// How often each node is used by others of the strategy; 0 if it is not in it.
    uses: Vec<u32>,
    /// The first rank in the strategy that each of the winner's arises from, or one before it.
    limit: Vec<u32>,
    /// How many of the winner's nodes are in the strategy.
    size: usize,
    /// What has been changed, for the way back.
    changes: Vec<Change>,
}

/// A change of a choice, with what was before.
enum Change {
    More(u32),
    Less(u32),
    Limit(u32, u32),
    Answer(u32, u32),
}

/// No node, and a rank behind all others.
const NONE: u32 = u32::MAX;
/// The node that the strategy is for.
const ROOT: u32 = 0;

impl<'a> Choice<'a> {
    /// The answers with the smallest trees.
    fn new(
        won: &'a [bool],
        children: &'a Lists,
        parents: &'a Lists,
        cost: impl Fn(usize) -> f32,
    ) -> Choice<'a> {
        let ranks = ranks(won, children, parents, cost);
        let first = |node| {
            let children = children.get(node).iter().copied();
            children.min_by_key(|&child| ranks[child as usize]).unwrap_or(NONE)
        };
        let mut choice = Choice {
            answer: (0..won.len() as u32).map(first).collect(),
            ranks,
            won,
            children,
            parents,
            uses: vec![0; won.len()],
            limit: vec![NONE; won.len()],
            size: 0,
            changes: Vec::new(),
        };
        choice.size = choice.take_as_chosen();
        choice
    }

    /// Whether a node may answer one of the winner's.
    fn is_allowed(&self, own: u32, answer: u32) -> bool {
        self.ranks[answer as usize] < self.limit[own as usize]
    }

    /// Takes the root and what it needs, by the answers there are.
    fn take_as_chosen(&mut self) -> usize {
        let (mut size, mut open) = (0, vec![ROOT]);
        while let Some(node) = open.pop() {
            self.uses[node as usize] += 1;
            if self.uses[node as usize] == 1 {
                size += self.weight(node);
                open.extend_from_slice(self.used(node));
            }
        }
        size
    }

    /// What a node adds to the size.
    fn weight(&self, node: u32) -> usize {
        usize::from(self.won[node as usize])
    }

    /// What a node of the strategy uses.
    fn used(&self, node: u32) -> &[u32] {
        match self.won[node as usize] {
            true if self.answer[node as usize] != NONE => {
                std::slice::from_ref(&self.answer[node as usize])
            }
            _ => self.children.get(node),
        }
    }

    /// The nodes of the strategy.
    fn chosen(&self) -> impl Iterator<Item = u32> {
        (0..self.uses.len() as u32).filter(|&node| self.uses[node as usize] > 0)
    }

    /// The answers, by the keys of the graph.
    fn answers<G: Indexed>(&self, graph: &Graph<'_, '_, G>) -> Answers {
        let key = |node: u32| graph.keys[node as usize];
        let answer = |own: u32| match self.answer[own as usize] {
            NONE => graph.quickest_answer(key(own)),
            answer => Some(key(answer)),
        };
        let own = self.chosen().filter(|&node| self.won[node as usize]);
        own.filter_map(|own| Some((key(own), answer(own)?))).collect()
    }

    /// Tries to give up every node of the loser, in one order or the other. Tells whether any was.
    fn sweep(&mut self, from_the_root: bool) -> bool {
        self.limit.fill(NONE);
        let mut lost: Vec<u32> = self.chosen().filter(|&node| !self.won[node as usize]).collect();
        lost.sort_unstable_by_key(|&node| self.ranks[node as usize]);
        for &node in &lost {
            for &child in self.children.get(node) {
                let limit = &mut self.limit[child as usize];
                *limit = self.ranks[node as usize].min(*limit);
            }
        }
        if from_the_root {
            lost.reverse();
        }
        let mut better = false;
        for node in lost {
            if self.uses[node as usize] > 0 {
                let gained = self.give_up(node);
                if gained.is_none() {
                    self.undo(0);
                }
                self.changes.clear();
                self.size -= gained.unwrap_or(0);
                better |= gained.is_some();
            }
        }
        better
    }

    /// Answers otherwise all that a node of the loser answers. Returns how much smaller the
    /// strategy is; none if it is not, and then the changes have to be undone.
    fn give_up(&mut self, node: u32) -> Option<usize> {
        let answered =
            |&&own: &&u32| self.uses[own as usize] > 0 && self.answer[own as usize] == node;
        let answered: Vec<u32> = self.parents.get(node).iter().filter(answered).copied().collect();
        let is_forced = |&own: &u32| self.children.get(own).len() < 2;
        if answered.is_empty() || answered.len() > MOST_ANSWERED || answered.iter().any(is_forced) {
            return None;
        }
        let freed: usize = answered.iter().map(|_| self.give_back(node)).sum();
        let mut budget = Some(freed).filter(|&freed| freed <= MOST_BEHIND)?.checked_sub(1)?;
        // First those that are answered for nothing: they bring nothing that others could use.
        let mut open = Vec::new();
        for own in answered {
            let children = self.children.get(own).iter();
            let mut allowed = children.filter(|&&child| {
                child != node && self.is_allowed(own, child) && self.uses[child as usize] > 0
            });
            match allowed.next().copied() {
                Some(free) => {
                    self.set_answer(own, free);
                    self.take(free, 0)?;
                }
                None => open.push(own),
            }
        }
        for own in open {
            budget -= self.answer_best(own, node, budget)?;
        }
        Some(budget + 1)
    }

    /// Answers a node of the winner, but not by `except`, by the rival that needs the fewest new
    /// nodes. Returns how many; none if all need more than `budget`.
    fn answer_best(&mut self, own: u32, except: u32, budget: usize) -> Option<usize> {
        let rivals = self.children.get(own).iter().copied();
        let mut rivals: Vec<u32> =
            rivals.filter(|&child| child != except && self.is_allowed(own, child)).collect();
        rivals.sort_unstable_by_key(|&child| self.dearness(child));
        let mark = self.changes.len();
        let mut best: Option<(usize, u32)> = None;
        for rival in rivals.into_iter().take(RIVALS) {
            let most = best.map_or(Some(budget), |(fewest, _)| fewest.checked_sub(1));
            let Some(most) = most else { break };
            self.set_answer(own, rival);
            if let Some(new) = self.take(rival, most) {
                best = Some((new, rival));
            }
            self.undo(mark);
        }
        let (_, rival) = best?;
        self.set_answer(own, rival);
        self.take(rival, budget)
    }

    /// What is there comes first, then what has a small tree.
    fn dearness(&self, node: u32) -> (bool, u32) {
        (self.uses[node as usize] == 0, self.ranks[node as usize])
    }

    fn set_answer(&mut self, own: u32, answer: u32) {
        self.changes.push(Change::Answer(own, self.answer[own as usize]));
        self.answer[own as usize] = answer;
    }

    fn set_limit(&mut self, own: u32, limit: u32) {
        self.changes.push(Change::Limit(own, self.limit[own as usize]));
        self.limit[own as usize] = limit;
    }

    /// Uses a node once more, with what that needs. Returns how many nodes are new by that; none if
    /// they are more than `most`, or an answer would come after what its node arises from.
    fn take(&mut self, node: u32, most: usize) -> Option<usize> {
        let (mut new, mut open) = (0, vec![node]);
        while let Some(node) = open.pop() {
            let at = node as usize;
            self.uses[at] += 1;
            self.changes.push(Change::More(node));
            if self.uses[at] > 1 {
                continue;
            }
            new += self.weight(node);
            if new > most {
                return None;
            }
            if self.won[at] {
                let children = self.children.get(node).iter().copied();
                if children.len() > 0 {
                    let allowed = children.filter(|&child| self.is_allowed(node, child));
                    let best = allowed.min_by_key(|&child| self.dearness(child))?;
                    self.set_answer(node, best);
                    open.push(best);
                }
            } else {
                let rank = self.ranks[at];
                for &child in self.children.get(node) {
                    if self.limit[child as usize] > rank {
                        self.set_limit(child, rank);
                        let answer = self.answer[child as usize];
                        if self.uses[child as usize] > 0
                            && answer != NONE
                            && !self.is_allowed(child, answer)
                        {
                            return None;
                        }
                    }
                    open.push(child);
                }
            }
        }
        Some(new)
    }

    /// Uses a node once less. Returns how many nodes are no longer in the strategy.
    fn give_back(&mut self, node: u32) -> usize {
        let (mut gone, mut open) = (0, vec![node]);
        while let Some(node) = open.pop() {
            self.uses[node as usize] -= 1;
            self.changes.push(Change::Less(node));
            if self.uses[node as usize] == 0 {
                gone += self.weight(node);
                open.extend_from_slice(self.used(node));
                if self.won[node as usize] {
                    self.set_limit(node, NONE);
                }
            }
        }
        gone
    }

    /// Goes back to where there were so many changes.
    fn undo(&mut self, mark: usize) {
        for change in self.changes.drain(mark..).rev() {
            match change {
                Change::More(node) => self.uses[node as usize] -= 1,
                Change::Less(node) => self.uses[node as usize] += 1,
                Change::Limit(own, limit) => self.limit[own as usize] = limit,
                Change::Answer(own, answer) => self.answer[own as usize] = answer,
            }
        }
    }
}
