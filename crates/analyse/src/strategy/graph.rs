//! The positions that the winner may let arise, with what they lead to.

use super::{Field, Key};
use kanzen_core::Value;
use kanzen_index::Indexed;
use kanzen_solve::Progress;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// A slower move is added if it brings at most so many new positions.
const FEW: usize = 24;
/// No moves are added to a graph of so many positions.
const MANY: usize = 2_500_000;
/// How many nodes are made before it is told.
const TOLD: usize = 1 << 16;

/// The first node is the root. With a position of the winner comes one that it leads to at the least,
/// with one of the loser all that need an answer.
pub struct Graph<'a, 'g, G> {
    field: Field<'a, 'g, G>,
    progress: &'a dyn Progress,
    pub keys: Vec<Key>,
    /// Whether the winner is to move.
    pub won: Vec<bool>,
    /// What each node leads to.
    pub children: Lists,
    /// The numbers of the keys, until the graph is linked.
    numbers: FxHashMap<Key, u32>,
    /// Whether a new position of the winner comes with all its quickest moves, or with one.
    is_wide: bool,
}

impl<'a, 'g, G: Indexed> Graph<'a, 'g, G> {
    pub fn new(field: Field<'a, 'g, G>, progress: &'a dyn Progress) -> Graph<'a, 'g, G> {
        let (keys, won, children, numbers) = Default::default();
        Graph { field, progress, keys, won, children, numbers, is_wide: true }
    }

    /// The number of a position, and whether it is new.
    fn number(&mut self, key: Key, won: bool) -> (u32, bool) {
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
            self.won.push(won);
            if self.keys.len().is_multiple_of(TOLD) {
                self.progress.note(&format!("{} positions may be in it", self.keys.len()));
                self.progress.advance(0);
            }
        }
        (number, number == next)
    }

    /// Adds a position and what comes with it, unless this is more than `most` new positions: then
    /// nothing is added. Tells whether the position is there.
    pub fn add(&mut self, position: &G::Position, most: usize) -> bool {
        let before = self.keys.len();
        let value = self.field.atlas.value(position);
        let Some(key) = self.field.key(position, value) else { return false };
        let mut open = Vec::new();
        if self.number(key, matches!(value, Value::Win(_))).1 {
            open.push(*position);
        }
        while let Some(position) = open.pop() {
            self.expand(&position, &mut open);
            if self.keys.len() - before > most {
                self.won.truncate(before);
                for key in self.keys.drain(before..) {
                    self.numbers.remove(&key);
                }
                return false;
            }
        }
        true
    }

    /// Adds what a position leads to, and puts what is new by that on a list.
    fn expand(&mut self, position: &G::Position, open: &mut Vec<G::Position>) {
        let (field, mut next) = (self.field, Vec::new());
        let quickest = match field.atlas.value(position) {
            Value::Win(plies) => Some(plies - 1),
            _ => None,
        };
        match quickest {
            Some(quickest) => field.winning_moves(position, |_, child, key, plies| {
                if plies == quickest {
                    next.push((child, key));
                }
            }),
            None => field.replies(position, |child, key| next.push((child, key))),
        }
        if quickest.is_some() && !self.is_wide {
            next = next
                .into_iter()
                .min_by_key(|(child, key)| self.new_with(child, *key))
                .into_iter()
                .collect();
        }
        for (child, key) in next {
            if self.number(key, quickest.is_none()).1 {
                open.push(child);
            }
        }
    }

    /// How many new positions a position of the loser and its replies would bring.
    fn new_with(&self, position: &G::Position, key: Key) -> usize {
        if self.numbers.contains_key(&key) {
            return 0;
        }
        let mut new = 1;
        let count = |_, key| new += usize::from(!self.numbers.contains_key(&key));
        self.field.replies(position, count);
        new
    }

    /// Forgets all positions but the root and some others, and all links.
    pub fn keep_only(&mut self, kept: impl Iterator<Item = Key>) {
        let kept: FxHashSet<Key> = kept.chain(self.keys.first().copied()).collect();
        self.children = Lists::default();
        let nodes = std::mem::take(&mut self.keys).into_iter().zip(std::mem::take(&mut self.won));
        for (key, won) in nodes.filter(|(key, _)| kept.contains(key)) {
            self.number(key, won);
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
            let mut next = Vec::new();
            self.field.winning_moves(&position, |_, child, key, _| next.push((child, key)));
            for (child, key) in next {
                let is_open = self.keys.len() < MANY && !refused.contains(&key);
                if is_open && !self.add(&child, FEW) {
                    refused.insert(key);
                }
            }
        }
    }

    /// Finds what all nodes lead to: every winning move to a node, the slower ones too.
    pub fn link(&mut self) {
        let links = |(key, &won): (&Key, &bool)| {
            let mut links = Vec::new();
            let mut link = |key| {
                let number = self.numbers.get(&key).copied();
                links.extend(number.filter(|number| !links.contains(number)));
            };
            match self.field.position(*key) {
                Some(position) if won => {
                    self.field.winning_moves(&position, |_, _, key, _| link(key));
                }
                Some(position) => self.field.replies(&position, |_, key| link(key)),
                None => {}
            }
            links
        };
        let mut children = Lists::default();
        for (keys, won) in self.keys.chunks(TOLD).zip(self.won.chunks(TOLD)) {
            let found: Vec<Vec<u32>> = keys.par_iter().zip(won.par_iter()).map(links).collect();
            found.iter().for_each(|links| children.push(links.iter().copied()));
        }
        self.children = children;
        self.numbers = FxHashMap::default();
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

    /// No lists yet, with room for so many of so many numbers in all.
    pub fn with_capacity(lists: usize, numbers: usize) -> Lists {
        let mut first = Vec::with_capacity(lists + 1);
        first.push(0);
        Lists { first, all: Vec::with_capacity(numbers) }
    }

    /// How many numbers there are in all.
    pub fn numbers(&self) -> usize {
        self.all.len()
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
