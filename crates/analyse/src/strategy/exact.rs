//! What every strategy needs, and the smallest strategy where that can be found.
//!
//! A position of the winner needs what all its answers have in common, and so on: a bound below. To
//! that come positions that have to be answered by something new: if what may answer them has
//! nothing in common, the fewest new positions of each add up.
//!
//! The smallest strategy is found by trying all answers of the position that needs the most, the
//! cheapest first, as long as the bound stays below the best strategy known.

use super::{Answers, Field, Key};
use kanzen_core::Value;
use kanzen_index::Indexed;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Strategies with more answers are not searched for smaller ones.
const SMALL: usize = 100;
/// The search is given up after so many steps.
const STEPS: u32 = 20_000;

/// An answer: the position of the loser that it leads to, and the winner's that can arise from it.
struct Way {
    answer: Key,
    /// In ascending order.
    needs: Vec<Key>,
}

/// The winner's positions and all their answers, found when they are asked for.
pub struct Web<'a, 'g, G> {
    field: Field<'a, 'g, G>,
    first: Vec<Key>,
    ways: FxHashMap<Key, Rc<[Way]>>,
}

impl<'a, 'g, G: Indexed> Web<'a, 'g, G> {
    pub fn new(field: Field<'a, 'g, G>, root: &G::Position) -> Web<'a, 'g, G> {
        let value = field.atlas.value(root);
        let first = match (value, field.key(root, value)) {
            (Value::Win(_), key) => key.into_iter().collect(),
            (_, Some(_)) => needs(field, root),
            (_, None) => Vec::new(),
        };
        Web { field, first, ways: FxHashMap::default() }
    }

    fn ways(&mut self, own: Key) -> Rc<[Way]> {
        let field = self.field;
        let find = || {
            let mut ways: Vec<Way> = Vec::new();
            if let Some(position) = field.position(own) {
                field.winning_moves(&position, |_, child, answer, _| {
                    if ways.iter().all(|way| way.answer != answer) {
                        ways.push(Way { answer, needs: needs(field, &child) });
                    }
                });
            }
            ways.into()
        };
        self.ways.entry(own).or_insert_with(find).clone()
    }

    /// No strategy has fewer answers than this.
    pub fn least(&mut self) -> usize {
        let mut needed = FxHashSet::default();
        let mut open = self.first.clone();
        while let Some(own) = open.pop() {
            if !needed.insert(own) {
                continue;
            }
            let ways = self.ways(own);
            if let Some((first, others)) = ways.split_first() {
                let common =
                    |key: &&Key| others.iter().all(|way| way.needs.binary_search(key).is_ok());
                open.extend(first.needs.iter().filter(common));
            }
        }
        let mut own: Vec<Key> = needed.iter().copied().collect();
        own.sort_unstable();
        needed.len() + self.least_new(&own, &needed).0
    }

    /// How many new positions are needed at the least to answer some, and the one that needs the most.
    fn least_new(&mut self, own: &[Key], there: &FxHashSet<Key>) -> (usize, Option<Key>) {
        let (mut sum, mut hardest) = (0, None);
        let mut touched = FxHashSet::default();
        for &own in own {
            let ways = self.ways(own);
            let new = |way: &Way| way.needs.iter().filter(|key| !there.contains(key)).count();
            let fewest = ways.iter().map(new).min().unwrap_or(0);
            if hardest.is_none_or(|(most, _)| fewest > most) {
                hardest = Some((fewest, own));
            }
            let all = || ways.iter().flat_map(|way| &way.needs).filter(|key| !there.contains(key));
            if fewest > 0 && all().all(|key| !touched.contains(key)) {
                sum += fewest;
                touched.extend(all().copied());
            }
        }
        (sum, hardest.map(|(_, own)| own))
    }

    /// Looks for a strategy with fewer than `size` answers: none if that takes too long, else the
    /// smallest if there is one.
    pub fn smallest(&mut self, size: usize) -> Option<Option<Answers>> {
        if size > SMALL {
            return None;
        }
        let first: FxHashSet<Key> = self.first.iter().copied().collect();
        let mut search = Search { web: self, answers: Answers::new(), size, best: None, steps: 0 };
        search.go(&first)?;
        Some(search.best)
    }
}

/// The winner's positions that the loser's moves lead to.
fn needs<G: Indexed>(field: Field<'_, '_, G>, lost: &G::Position) -> Vec<Key> {
    let mut needs = Vec::new();
    field.replies(lost, |_, key| needs.push(key));
    needs.sort_unstable();
    needs.dedup();
    needs
}

struct Search<'w, 'a, 'g, G> {
    web: &'w mut Web<'a, 'g, G>,
    answers: Answers,
    /// What has to be beaten.
    size: usize,
    best: Option<Answers>,
    steps: u32,
}

impl<G: Indexed> Search<'_, '_, '_, G> {
    /// Tries all ways to answer what is there; none if that takes too long.
    fn go(&mut self, there: &FxHashSet<Key>) -> Option<()> {
        self.steps += 1;
        if self.steps > STEPS {
            return None;
        }
        let mut open: Vec<Key> =
            there.iter().filter(|own| !self.answers.contains_key(own)).copied().collect();
        open.sort_unstable();
        let (new, hardest) = self.web.least_new(&open, there);
        if there.len() + new >= self.size {
            return Some(());
        }
        let Some(own) = hardest else {
            self.size = there.len();
            self.best = Some(self.answers.clone());
            return Some(());
        };
        let ways = self.web.ways(own);
        let mut order: Vec<(usize, &Way)> = ways
            .iter()
            .map(|way| (way.needs.iter().filter(|key| !there.contains(key)).count(), way))
            .collect();
        order.sort_by_key(|&(new, _)| new);
        for (new, way) in order {
            if there.len() + new < self.size && !self.leads_to(&way.needs, own) {
                self.answers.insert(own, way.answer);
                let mut more = there.clone();
                more.extend(&way.needs);
                let done = self.go(&more);
                self.answers.remove(&own);
                done?;
            }
        }
        Some(())
    }

    /// Whether a position arises again by the answers so far.
    fn leads_to(&mut self, from: &[Key], to: Key) -> bool {
        let (mut seen, mut open) = (FxHashSet::default(), from.to_vec());
        while let Some(own) = open.pop() {
            if own == to {
                return true;
            }
            if let Some(answer) = self.answers.get(&own).filter(|_| seen.insert(own)).copied() {
                let ways = self.web.ways(own);
                let way = ways.iter().find(|way| way.answer == answer);
                open.extend(way.iter().flat_map(|way| &way.needs));
            }
        }
        false
    }
}
