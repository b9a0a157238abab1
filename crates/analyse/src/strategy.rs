//! A small winning strategy as a graph: every position is answered once, however often it arises.
//!
//! To find the smallest is hard; here is a good one with a bound below.
//!
//! The graph of what can arise if the winner plays its quickest moves is put in the order of smallest
//! proof trees. A position of the winner may be answered by whatever comes before all positions that it
//! arises from, so that no strategy goes round in circles. The first strategy answers by the smallest
//! trees. Then, again and again, a position of the loser is given up if all that it answers can be
//! answered by others at the cost of fewer new positions: those of the strategy are free. When this ends,
//! slower moves of the winner are added to the graph, where the strategy is and where they bring few
//! new positions; and all is done once more.
//!
//! A bound below is the closure of what cannot be avoided: all moves of the loser, and the winner's
//! moves where there is only one.

use crate::Atlas;
use kanzen_core::{Next, Value};
use kanzen_index::{Indexed, Place};
use kanzen_solve::Progress;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// A winning strategy.
pub struct Strategy<G: Indexed> {
    /// The positions with the winner to move (unless it wins at once), and its moves.
    pub answers: HashMap<Place, (G::Position, G::Move)>,
    /// The positions with the loser to move.
    pub lost: HashSet<Place>,
    /// No strategy has fewer positions.
    pub least: u64,
}

impl<G: Indexed> Strategy<G> {
    /// The number of positions of both kinds.
    pub fn positions(&self) -> u64 {
        (self.answers.len() + self.lost.len()) as u64
    }
}

/// How often slower moves are added and the strategy is sought anew.
const ROUNDS: usize = 2;
/// A slower move is added if it brings at most so many new positions.
const FEW: usize = 60;
/// No moves are added to a graph of so many positions.
const MANY: usize = 20_000_000;
/// How many nodes are made before it is told.
const TOLD: usize = 1 << 16;
/// Most of what can be gained is gained in so many sweeps.
const SWEEPS: usize = 12;
/// A position that answers more than this is kept, and so is one behind which there are more
/// positions than the second.
const MOST_ANSWERED: usize = 40;
const MOST_BEHIND: usize = 5_000;
/// Rivals that are tried for an answer, those with the smallest trees first.
const RIVALS: usize = 6;

impl<G: Indexed> Atlas<'_, G> {
    /// A small strategy for the winner of a position; none if it is neither won nor lost.
    pub fn strategy(&self, root: &G::Position, progress: &dyn Progress) -> Option<Strategy<G>> {
        if self.value(root) == Value::Open {
            return None;
        }
        progress.begin("looking for a small strategy", (ROUNDS * SWEEPS) as u64);
        let Some(mut graph) = Graph::new(self, root, progress) else {
            // Won at once, or over: there is nothing to answer.
            return Some(Strategy { answers: HashMap::new(), lost: HashSet::new(), least: 0 });
        };
        graph.close(0, usize::MAX);
        let mut best: Option<Vec<Chosen>> = None;
        for round in 0..ROUNDS {
            let mut choice = Choice::new(&graph);
            for sweep in 0..SWEEPS {
                let better = choice.sweep(sweep % 2 == 1);
                progress.note(&format!("{} are in it", choice.size));
                progress.advance(if better { 1 } else { (SWEEPS - sweep) as u64 });
                if !better {
                    break;
                }
            }
            let chosen = choice.chosen();
            if round + 1 < ROUNDS {
                graph.add_slower_moves(&chosen);
            }
            if best.as_ref().is_none_or(|best| chosen.len() < best.len()) {
                best = Some(chosen);
            }
        }
        progress.end();
        Some(graph.strategy(&best?, self.unavoidable(root)))
    }

    /// How many positions every strategy has.
    fn unavoidable(&self, root: &G::Position) -> u64 {
        let mut seen = HashSet::new();
        let mut open = vec![(*root, self.value(root))];
        while let Some((position, value)) = open.pop() {
            let Some(place) = self.decisive(&position, value) else { continue };
            if !seen.insert(place) {
                continue;
            }
            match value {
                Value::Win(_) => {
                    let mut places = HashMap::new();
                    self.lost_children(&position, |_, child, place, value| {
                        places.insert(place, (child, value));
                    });
                    if places.len() == 1 {
                        open.extend(places.into_values());
                    }
                }
                _ => self.game().successors(&position, |next| {
                    if let Next::Position(child) = next {
                        open.push((child, self.value(&child)));
                    }
                }),
            }
        }
        seen.len() as u64
    }

    /// The place of a position that belongs to a strategy: not one that wins at once or is over.
    fn decisive(&self, position: &G::Position, value: Value) -> Option<Place> {
        match value {
            Value::Open | Value::Win(1) | Value::Loss(0) => None,
            _ => self.place(position),
        }
    }

    /// Calls `each` with the moves that keep a win and go on to a position with a place.
    fn lost_children(
        &self,
        position: &G::Position,
        mut each: impl FnMut(G::Move, G::Position, Place, Value),
    ) {
        let game = self.game();
        game.moves(position, |mv| {
            if let Next::Position(child) = game.play(position, mv)
                && let value @ Value::Loss(_) = self.value(&child)
                && let Some(place) = self.place(&child)
            {
                each(mv, child, place, value);
            }
        });
    }
}

/// A node of a graph that is in the strategy, and its answer if that is the winner's.
struct Chosen {
    node: u32,
    answer: Option<u32>,
}

/// A place in 64 bits: there are many.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key(u64);

impl Key {
    const TIERS: u64 = 1 << 16;

    fn of(place: Place) -> Key {
        Key(place.index * Key::TIERS + place.tier as u64)
    }

    fn place(self) -> Place {
        Place { tier: (self.0 % Key::TIERS) as usize, index: self.0 / Key::TIERS }
    }
}

/// A position that may be in a strategy.
struct Node {
    key: Key,
    /// The plies to the end.
    plies: u16,
    /// Whether the winner is to move.
    won: bool,
    /// Its children in the list of all; none as long as they are not known.
    children: Option<(u32, u32)>,
    /// Whether all that can arise from it by the winner's quickest moves is in the graph.
    is_closed: bool,
}

/// The positions that the winner may let arise; the first is the root.
struct Graph<'a, 'g, G: Indexed> {
    atlas: &'a Atlas<'g, G>,
    progress: &'a dyn Progress,
    nodes: Vec<Node>,
    numbers: HashMap<Key, u32>,
    children: Vec<u32>,
}

impl<'a, 'g, G: Indexed> Graph<'a, 'g, G> {
    fn new(
        atlas: &'a Atlas<'g, G>,
        root: &G::Position,
        progress: &'a dyn Progress,
    ) -> Option<Graph<'a, 'g, G>> {
        let (nodes, numbers, children) = Default::default();
        let mut graph = Graph { atlas, progress, nodes, numbers, children };
        graph.node(root, atlas.value(root))?;
        Some(graph)
    }

    /// The number of a position; none if it does not belong to a strategy.
    fn node(&mut self, position: &G::Position, value: Value) -> Option<u32> {
        let key = Key::of(self.atlas.decisive(position, value)?);
        let (won, plies) = match value {
            Value::Win(plies) => (true, plies),
            Value::Loss(plies) => (false, plies),
            Value::Open => return None,
        };
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.nodes.push(Node { key, plies, won, children: None, is_closed: false });
            if self.nodes.len().is_multiple_of(TOLD) {
                self.progress.note(&format!("{} may be in it", self.nodes.len()));
                self.progress.advance(0);
            }
        }
        Some(number)
    }

    fn children(&self, node: u32) -> &[u32] {
        let (first, end) = self.nodes[node as usize].children.unwrap_or_default();
        &self.children[first as usize..end as usize]
    }

    /// Finds the children of a node: all moves of the loser, or the winner's moves that win.
    fn expand(&mut self, node: u32) {
        let Node { key, won, children, .. } = self.nodes[node as usize];
        let (atlas, mut next) = (self.atlas, Vec::new());
        let Some(position) = atlas.game().position(key.place()).filter(|_| children.is_none())
        else {
            return;
        };
        match won {
            true => atlas.lost_children(&position, |_, child, _, value| next.push((child, value))),
            false => atlas.game().successors(&position, |after| {
                if let Next::Position(child) = after {
                    next.push((child, atlas.value(&child)));
                }
            }),
        }
        let first = self.children.len();
        for (child, value) in next {
            if let Some(number) = self.node(&child, value)
                && !self.children[first..].contains(&number)
            {
                self.children.push(number);
            }
        }
        self.nodes[node as usize].children = Some((first as u32, self.children.len() as u32));
    }

    /// Finds all that can arise from a node by the winner's quickest moves, unless these are more
    /// than `most` nodes that are not closed yet.
    fn close(&mut self, node: u32, most: usize) {
        let (mut open, mut seen) = (vec![node], HashSet::new());
        while let Some(node) = open.pop() {
            if self.nodes[node as usize].is_closed || !seen.insert(node) {
                continue;
            }
            if seen.len() > most {
                return;
            }
            self.expand(node);
            let Node { plies, won, .. } = self.nodes[node as usize];
            let quick = |&child: &u32| !won || self.nodes[child as usize].plies < plies;
            open.extend(self.children(node).iter().copied().filter(quick));
        }
        seen.into_iter().for_each(|node| self.nodes[node as usize].is_closed = true);
    }

    /// Adds the slower moves of the winner where a strategy is.
    fn add_slower_moves(&mut self, chosen: &[Chosen]) {
        for own in chosen.iter().filter(|chosen| chosen.answer.is_some()) {
            for child in self.children(own.node).to_vec() {
                if self.nodes.len() < MANY {
                    self.close(child, FEW);
                }
            }
        }
    }

    /// The strategy that a choice makes.
    fn strategy(&self, chosen: &[Chosen], least: u64) -> Strategy<G> {
        let mut strategy = Strategy { answers: HashMap::new(), lost: HashSet::new(), least };
        for &Chosen { node, answer } in chosen {
            let place = self.nodes[node as usize].key.place();
            if !self.nodes[node as usize].won {
                strategy.lost.insert(place);
            } else if let Some(answer) = answer
                && let Some(position) = self.atlas.game().position(place)
            {
                let answer = self.nodes[answer as usize].key.place();
                self.atlas.lost_children(&position, |mv, _, child, _| {
                    if child == answer {
                        strategy.answers.insert(place, (position, mv));
                    }
                });
            }
        }
        strategy
    }
}

/// Lists one after the other.
struct Lists {
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    fn get(&self, list: u32) -> &[u32] {
        let [first, end] = [0, 1].map(|more| self.first[list as usize + more] as usize);
        &self.all[first..end]
    }

    /// For each number the lists that it is in, of as many lists as there are numbers.
    fn inverse<'l>(numbers: usize, list: impl Fn(u32) -> &'l [u32]) -> Lists {
        let mut first = vec![0_u32; numbers + 1];
        for number in (0..numbers as u32).flat_map(&list) {
            first[*number as usize + 1] += 1;
        }
        for number in 0..numbers {
            first[number + 1] += first[number];
        }
        let mut next = first.clone();
        let mut all = vec![0; first[numbers] as usize];
        for at in 0..numbers as u32 {
            for &number in list(at) {
                let place = &mut next[number as usize];
                all[*place as usize] = at;
                *place += 1;
            }
        }
        Lists { first, all }
    }
}

/// The nodes of a graph all of whose children are known, in the order of smallest proof trees.
struct Ordered {
    /// Their numbers in the graph.
    nodes: Vec<u32>,
    /// The sizes of the trees.
    trees: Vec<f32>,
}

impl Ordered {
    /// As Knuth's generalisation of Dijkstra's algorithm finds them: a node of the loser comes after
    /// all its children, one of the winner after the first of them.
    fn new<G: Indexed>(graph: &Graph<'_, '_, G>) -> Ordered {
        let count = graph.nodes.len();
        let parents = Lists::inverse(count, |node| graph.children(node));
        let mut missing: Vec<u32> =
            (0..count as u32).map(|node| graph.children(node).len() as u32).collect();
        let mut trees = vec![1.0_f32; count];
        let mut is_done = vec![false; count];
        // Sizes are positive, so that their bits are in the order of the numbers.
        let leaves =
            (0..count).filter(|&node| missing[node] == 0 && graph.nodes[node].children.is_some());
        let mut ready: BinaryHeap<Reverse<(u32, u32)>> =
            leaves.map(|node| Reverse((1.0_f32.to_bits(), node as u32))).collect();
        let mut ordered = Ordered { nodes: Vec::new(), trees: Vec::new() };
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
                missing[at] = if graph.nodes[at].won { 0 } else { missing[at] - 1 };
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
    fn new<G: Indexed>(graph: &Graph<'_, '_, G>) -> Choice {
        let ordered = Ordered::new(graph);
        let count = ordered.nodes.len();
        let mut rank = vec![NONE; graph.nodes.len()];
        (0..).zip(&ordered.nodes).for_each(|(at, &node)| rank[node as usize] = at);
        let mut children = Lists { first: vec![0], all: Vec::new() };
        let (mut won, mut answer) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for &node in &ordered.nodes {
            let ranks = graph.children(node).iter().map(|&child| rank[child as usize]);
            children.all.extend(ranks.clone().filter(|&child| child != NONE));
            children.first.push(children.all.len() as u32);
            won.push(graph.nodes[node as usize].won);
            answer.push(ranks.min().unwrap_or(NONE));
        }
        let parents = Lists::inverse(count, |node| children.get(node));
        let mut choice = Choice {
            root: rank[0],
            ordered,
            won,
            children,
            parents,
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
                size += 1;
                open.extend_from_slice(self.used(node));
            }
        }
        size
    }

    /// What a node of the strategy uses.
    fn used(&self, node: u32) -> &[u32] {
        match self.won[node as usize] {
            true if self.answer[node as usize] == NONE => &[],
            true => std::slice::from_ref(&self.answer[node as usize]),
            false => self.children.get(node),
        }
    }

    /// The nodes of the strategy in the graph.
    fn chosen(&self) -> Vec<Chosen> {
        let used = (0..self.uses.len()).filter(|&node| self.uses[node] > 0);
        let chosen = used.map(|node| {
            let answer = match self.won[node] && self.answer[node] != NONE {
                true => Some(self.ordered.nodes[self.answer[node] as usize]),
                false => None,
            };
            Chosen { node: self.ordered.nodes[node], answer }
        });
        chosen.collect()
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

    /// Answers otherwise all that a node of the loser answers. Returns how many nodes are saved; none
    /// if that is none, and then the changes have to be undone.
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
            new += 1;
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
                });
                self.set_answer(node, best.unwrap_or(NONE));
                open.extend(best);
            } else {
                for place in 0..self.children.get(node).len() {
                    let child = self.children.get(node)[place];
                    if self.limit[child as usize] > node {
                        self.set_limit(child, node);
                        let answer = self.answer[child as usize];
                        if self.uses[child as usize] > 0 && answer != NONE && answer >= node {
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
                gone += 1;
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
