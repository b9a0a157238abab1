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
    let mut costs = vec![1.0_f32; graph.won.len()];
    let mut best: Option<Answers> = None;
    for _ in 0..TURNS {
        let mut choice = Choice::new(graph, &costs);
        for sweep in 0..SWEEPS {
            if !choice.sweep(sweep % 2 == 1) {
                break;
            }
        }
        choice.learn(&mut costs);
        let most = best.as_ref().map_or(usize::MAX, Answers::len);
        if choice.size < most {
            best = Some(choice.answers(graph));
        }
        progress.note(&format!("{} answers", choice.size.min(most)));
        progress.advance(1);
    }
    best.unwrap_or_default()
}

/// The nodes of a graph in the order of smallest proof trees.
struct Ordered {
    /// Their numbers in the graph.
    nodes: Vec<u32>,
    /// The sizes of the trees: the sums of the costs of the winner's positions.
    trees: Vec<f32>,
}

impl Ordered {
    /// As Knuth's generalisation of Dijkstra's algorithm finds them: a node of the loser comes after
    /// all its children, one of the winner after the first of them.
    fn new(won: &[bool], children: &Lists, costs: &[f32]) -> Ordered {
        let count = won.len();
        let parents = children.inverse();
        let mut missing: Vec<u32> =
            (0..count as u32).map(|node| children.get(node).len() as u32).collect();
        let mut trees: Vec<f32> =
            won.iter().zip(costs).map(|(&won, &cost)| if won { cost } else { 0.0 }).collect();
        let mut is_done = vec![false; count];
        // Sizes are not negative, so that their bits are in the order of the numbers.
        let leaves = (0..count).filter(|&node| missing[node] == 0 && !won[node]);
        let mut ready: BinaryHeap<Reverse<(u32, u32)>> =
            leaves.map(|node| Reverse((trees[node].to_bits(), node as u32))).collect();
        let (nodes, sizes) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut ordered = Ordered { nodes, trees: sizes };
        while let Some(Reverse((_, node))) = ready.pop() {
            if std::mem::replace(&mut is_done[node as usize], true) {
                continue;
            }
            let tree = trees[node as usize];
            ordered.nodes.push(node);
            ordered.trees.push(tree);
            for &parent in parents.get(node) {
                let at = parent as usize;
                if missing[at] == 0 {
                    continue;
                }
                trees[at] += tree;
                missing[at] = if won[at] { 0 } else { missing[at] - 1 };
                if missing[at] == 0 {
                    ready.push(Reverse((trees[at].to_bits(), parent)));
                }
            }
        }
        ordered
    }
}

/// A choice of answers. Nodes are numbered in order.
struct Choice {
    ordered: Ordered,
    root: u32,
    won: Vec<bool>,
    children: Lists,
    parents: Lists,
    /// The child that answers each of the winner's nodes.
    answer: Vec<u32>,
    /// How often each node is used by others of the strategy; 0 if it is not in it.
    uses: Vec<u32>,
    /// The first node of the strategy that each of the winner's arises from, or one before it.
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

/// No node.
const NONE: u32 = u32::MAX;

impl Choice {
    /// The answers with the smallest trees.
    fn new<G: Indexed>(graph: &Graph<'_, '_, G>, costs: &[f32]) -> Choice {
        let ordered = Ordered::new(&graph.won, &graph.children, costs);
        let count = ordered.nodes.len();
        let mut rank = vec![NONE; graph.won.len()];
        (0..).zip(&ordered.nodes).for_each(|(at, &node)| rank[node as usize] = at);
        let mut children = Lists::with_capacity(count, graph.children.numbers());
        let (mut won, mut answer) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for &node in &ordered.nodes {
            let ranks = graph.children.get(node).iter().map(|&child| rank[child as usize]);
            children.push(ranks.clone().filter(|&child| child != NONE));
            won.push(graph.won[node as usize]);
            answer.push(ranks.min().unwrap_or(NONE));
        }
        let mut choice = Choice {
            root: rank[0],
            ordered,
            won,
            parents: children.inverse(),
            children,
            answer,
            uses: vec![0; count],
            limit: vec![NONE; count],
            size: 0,
            changes: Vec::new(),
        };
        choice.size = choice.take_as_chosen();
        choice
    }

    /// Takes the root and what it needs, by the answers there are.
    fn take_as_chosen(&mut self) -> usize {
        let (mut size, mut open) = (0, vec![self.root]);
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
            true => std::slice::from_ref(&self.answer[node as usize]),
            false => self.children.get(node),
        }
    }

    /// The answers, by the keys of the graph.
    fn answers<G: Indexed>(&self, graph: &Graph<'_, '_, G>) -> Answers {
        let key = |node: u32| graph.keys[self.ordered.nodes[node as usize] as usize];
        let used = (0..self.uses.len() as u32)
            .filter(|&node| self.uses[node as usize] > 0 && self.won[node as usize]);
        used.map(|node| (key(node), key(self.answer[node as usize]))).collect()
    }

    /// Makes nodes of the strategy cheaper, and others dearer.
    fn learn(&self, costs: &mut [f32]) {
        costs.iter_mut().for_each(|cost| *cost += CHANGE * (1.0 - *cost));
        for (&node, _) in self.ordered.nodes.iter().zip(&self.uses).filter(|(_, uses)| **uses > 0) {
            costs[node as usize] -= CHANGE * (1.0 - LEAST_COST);
        }
    }

    /// Tries to give up every node of the loser, in one order or the other. Tells whether any was.
    fn sweep(&mut self, from_the_root: bool) -> bool {
        self.limit.fill(NONE);
        let mut lost: Vec<u32> = (0..self.uses.len() as u32)
            .filter(|&node| self.uses[node as usize] > 0 && !self.won[node as usize])
            .collect();
        for &node in &lost {
            for &child in self.children.get(node) {
                let limit = &mut self.limit[child as usize];
                *limit = node.min(*limit);
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
                child != node && child < self.limit[own as usize] && self.uses[child as usize] > 0
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
        let limit = self.limit[own as usize];
        let rivals = self.children.get(own).iter().copied();
        let mut rivals: Vec<u32> =
            rivals.filter(|&child| child != except && child < limit).collect();
        rivals.sort_unstable_by_key(|&child| (self.uses[child as usize] == 0, child));
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
                let limit = self.limit[at];
                let children = self.children.get(node).iter().copied();
                let allowed = children.filter(|&child| child < limit);
                let best = allowed.min_by_key(|&child| {
                    let is_new = self.uses[child as usize] == 0;
                    (is_new, if is_new { self.ordered.trees[child as usize].to_bits() } else { 0 })
                })?;
                self.set_answer(node, best);
                open.push(best);
            } else {
                for place in 0..self.children.get(node).len() {
                    let child = self.children.get(node)[place];
                    if self.limit[child as usize] > node {
                        self.set_limit(child, node);
                        if self.uses[child as usize] > 0 && self.answer[child as usize] >= node {
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
