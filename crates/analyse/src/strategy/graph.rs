//! The positions that the winner may let arise, with what they lead to.

use super::{Field, Key};
use hashbrown::HashTable;
use kanzen_core::Value;
use kanzen_index::Indexed;
use kanzen_solve::Progress;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// A slower move is added if it brings at most so many new positions.
const FEW: usize = 24;
/// No moves are added to a graph of so many positions.
const MANY: usize = 2_000_000;
/// How many nodes are made before it is told.
const TOLD: usize = 1 << 16;

/// The first node is the root. With a position of the winner come answers to it, unless after its
/// quickest move nothing needs an answer; with one of the loser all that need one.
pub struct Graph<'a, 'g, G> {
    field: Field<'a, 'g, G>,
    progress: &'a dyn Progress,
    pub keys: Vec<Key>,
    /// Whether the winner is to move.
    pub won: Vec<bool>,
    /// What each node leads to.
    pub children: Lists,
    /// The numbers of the keys, until the graph is linked.
    numbers: HashTable<u32>,
    /// Whether a new position of the winner comes with all its quickest moves, or with one.
    is_wide: bool,
}

/// An answer: the loser's position that it leads to, and those of the winner that can arise then.
struct Way<P> {
    lost: Key,
    needs: Vec<(Key, P)>,
}

impl<'a, 'g, G: Indexed> Graph<'a, 'g, G> {
    pub fn new(field: Field<'a, 'g, G>, progress: &'a dyn Progress) -> Graph<'a, 'g, G> {
        let (keys, won, children, numbers) = Default::default();
        Graph { field, progress, keys, won, children, numbers, is_wide: true }
    }

    /// The number of a position that is in the graph.
    fn find(&self, key: Key) -> Option<u32> {
        self.numbers.find(key.hash(), |&number| self.keys[number as usize] == key).copied()
    }

    /// Whether a position is new; it is in the graph then.
    fn insert(&mut self, key: Key, won: bool) -> bool {
        if self.find(key).is_some() {
            return false;
        }
        self.keys.push(key);
        self.won.push(won);
        let (number, keys) = (self.keys.len() as u32 - 1, &self.keys);
        self.numbers.insert_unique(key.hash(), number, |&number| keys[number as usize].hash());
        if keys.len().is_multiple_of(TOLD) {
            self.progress.note(&format!("{} positions may be in it", keys.len()));
            self.progress.advance(0);
        }
        true
    }

    /// Adds the first position and all that may arise.
    pub fn add_root(&mut self, root: &G::Position) {
        let value = self.field.atlas.value(root);
        let Some(key) = self.field.key(root, value) else { return };
        match value {
            Value::Win(_) => {
                self.insert(key, true);
                self.answer(vec![*root], usize::MAX);
            }
            _ => {
                self.add(&self.way(key, root), usize::MAX);
            }
        }
    }

    /// Adds an answer and what comes with it, unless this is more than `most` new positions: then
    /// nothing is added. Tells whether it is there.
    fn add(&mut self, way: &Way<G::Position>, most: usize) -> bool {
        let mut open = Vec::new();
        let before = self.keys.len();
        self.take(way, &mut open);
        let is_there = self.answer(open, before.saturating_add(most));
        if !is_there {
            self.forget(before);
        }
        is_there
    }

    /// Answers some positions of the winner, and all that arise by that. Gives up if there are more
    /// than `most` positions in the graph.
    fn answer(&mut self, mut open: Vec<G::Position>, most: usize) -> bool {
        while let Some(position) = open.pop().filter(|_| self.keys.len() <= most) {
            let mut ways = self.quickest(&position);
            if !self.is_wide {
                let narrow = ways.into_iter().min_by_key(|way| self.new_with(way));
                ways = narrow.into_iter().collect();
            }
            ways.iter().for_each(|way| self.take(way, &mut open));
        }
        self.keys.len() <= most
    }

    /// Adds an answer, and puts those of the winner's positions on a list that are new.
    fn take(&mut self, way: &Way<G::Position>, open: &mut Vec<G::Position>) {
        if self.insert(way.lost, false) {
            for &(key, position) in &way.needs {
                if self.insert(key, true) {
                    open.push(position);
                }
            }
        }
    }

    /// An answer; what it needs is left out if it is in the graph, since it has come with it.
    fn way(&self, lost: Key, position: &G::Position) -> Way<G::Position> {
        let mut needs = Vec::new();
        if self.find(lost).is_none() {
            self.field.replies(position, |child, key| needs.push((key, child)));
        }
        Way { lost, needs }
    }

    /// The quickest answers to a position.
    fn quickest(&self, position: &G::Position) -> Vec<Way<G::Position>> {
        let value = self.field.atlas.value(position);
        let mut ways: Vec<Way<_>> = Vec::new();
        self.field.choices(position, |_, child, lost, plies| {
            if Value::Loss(plies).before_move() == value {
                ways.push(self.way(lost, &child));
            }
        });
        ways
    }

    /// How many new positions an answer brings at the least.
    fn new_with(&self, way: &Way<G::Position>) -> usize {
        if self.find(way.lost).is_some() {
            return 0;
        }
        1 + way.needs.iter().filter(|(key, _)| self.find(*key).is_none()).count()
    }

    /// Forgets the last positions, so that there are `count`.
    fn forget(&mut self, count: usize) {
        while self.keys.len() > count {
            let (key, number) = (self.keys[self.keys.len() - 1], self.keys.len() as u32 - 1);
            if let Ok(entry) = self.numbers.find_entry(key.hash(), |&other| other == number) {
                entry.remove();
            }
            self.keys.pop();
            self.won.pop();
        }
    }

    /// Forgets all positions but the root and some others, and all links.
    pub fn keep_only(&mut self, kept: impl Iterator<Item = Key>) {
        let kept: FxHashSet<Key> = kept.chain(self.keys.first().copied()).collect();
        self.children = Lists::default();
        let nodes = std::mem::take(&mut self.keys).into_iter().zip(std::mem::take(&mut self.won));
        for (key, won) in nodes.filter(|(key, _)| kept.contains(key)) {
            self.insert(key, won);
        }
    }

    /// Adds slower moves of the winner to the positions there are, from the first or the last on:
    /// there may not be room for those of all.
    pub fn add_slower_moves(&mut self, from_the_last: bool) {
        self.is_wide = false;
        let mut refused = FxHashSet::default();
        let count = self.keys.len();
        for place in 0..count {
            let own = if from_the_last { count - 1 - place } else { place };
            let Some(position) = self.field.position(self.keys[own]).filter(|_| self.won[own])
            else {
                continue;
            };
            let mut ways = Vec::new();
            self.field.choices(&position, |_, child, lost, _| {
                if self.find(lost).is_none() && !refused.contains(&lost) {
                    ways.push(self.way(lost, &child));
                }
            });
            for way in ways {
                if self.keys.len() < MANY && !self.add(&way, FEW) {
                    refused.insert(way.lost);
                }
            }
        }
    }

    /// Finds what all nodes lead to: every winning move to a node, the slower ones too.
    pub fn link(&mut self) {
        let links = |(key, &won): (&Key, &bool)| {
            let mut links = Vec::new();
            match self.field.position(*key) {
                Some(position) if won => {
                    self.field.choices(&position, |_, _, key, _| links.extend(self.find(key)));
                }
                Some(position) => {
                    self.field.replies(&position, |_, key| links.extend(self.find(key)));
                }
                None => {}
            }
            links.sort_unstable();
            links.dedup();
            links
        };
        let mut children = Lists::default();
        for (keys, won) in self.keys.chunks(TOLD).zip(self.won.chunks(TOLD)) {
            let found: Vec<Vec<u32>> = keys.par_iter().zip(won.par_iter()).map(links).collect();
            found.iter().for_each(|links| children.push(links.iter().copied()));
        }
        self.children = children;
        self.numbers = HashTable::new();
    }

    /// The quickest answer to a position.
    pub fn quickest_answer(&self, own: Key) -> Option<Key> {
        let mut best = None;
        self.field.winning_moves(&self.field.position(own)?, |_, _, key, plies| {
            best = best.into_iter().chain([(plies, key)]).min();
        });
        best.map(|(_, key)| key)
    }
}

/// Lists of numbers, one after the other.
pub struct Lists {
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists { first: vec![0], all: Vec::new() }
    }
}

impl Lists {
    pub fn get(&self, list: u32) -> &[u32] {
        let [first, end] = [0, 1].map(|more| self.first[list as usize + more] as usize);
        &self.all[first..end]
    }

    pub fn push(&mut self, list: impl Iterator<Item = u32>) {
        self.all.extend(list);
        self.first.push(self.all.len() as u32);
    }

    fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// For each number the lists that it is in; there are as many numbers as lists.
    pub fn inverse(&self) -> Lists {
        let count = self.len();
        let mut first = vec![0_u32; count + 1];
        for &number in &self.all {
            first[number as usize + 1] += 1;
        }
        for number in 0..count {
            first[number + 1] += first[number];
        }
        let mut next = first.clone();
        let mut all = vec![0; self.all.len()];
        for list in 0..count as u32 {
            for &number in self.get(list) {
                let place = &mut next[number as usize];
                all[*place as usize] = list;
                *place += 1;
            }
        }
        Lists { first, all }
    }
}
