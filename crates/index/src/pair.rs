//! The index of positions with two colours of equal pieces, up to symmetry.
//!
//! The mover's set of points decides the symmetry: each set is mapped to the representative of its
//! orbit, the other set goes along and is ranked in the points that are left. The only duplicates
//! come from sets with symmetries of their own; of those, the least index counts and the others
//! stand for nothing.

use crate::{Group, Subsets, Tier, deposit, extract};
use kanzen_core::NotationError;
use std::sync::Arc;

/// Numbers pairs of disjoint sets, `mine` of fixed size and `theirs` of fixed size.
#[derive(Clone, Debug)]
pub struct PairIndex {
    mine: Arc<Mine>,
    theirs: Subsets,
}

/// The mover's sets, up to symmetry.
#[derive(Debug)]
struct Mine {
    group: Group,
    sets: Subsets,
    /// For each of the mover's sets: its orbit, and a symmetry that leads to the representative.
    home: Vec<Home>,
    orbits: Vec<Orbit>,
    /// The symmetries, other than the identity, that fix a representative, orbit after orbit.
    stabilisers: Vec<u8>,
}

/// An orbit and a symmetry in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Home(u32);

impl Home {
    const NONE: Home = Home(u32::MAX);

    fn new(orbit: usize, symmetry: usize) -> Home {
        Home((orbit as u32) << 8 | symmetry as u32)
    }

    #[inline]
    fn orbit(self) -> usize {
        (self.0 >> 8) as usize
    }

    #[inline]
    fn symmetry(self) -> usize {
        (self.0 & 255) as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Orbit {
    representative: u32,
    /// Its part of the list of stabilisers.
    first: u32,
    last: u32,
}

impl PairIndex {
    /// Numbers the placements of `mine` and `theirs` pieces on the points of the group.
    pub fn new(group: Group, mine: u32, theirs: u32) -> PairIndex {
        let subsets: Subsets = Subsets::new(group.points(), mine);
        let mut home = vec![Home::NONE; subsets.count() as usize];
        let mut orbits = Vec::new();
        let mut stabilisers = Vec::new();
        for (rank, &set) in subsets.masks().iter().enumerate() {
            if home[rank] != Home::NONE {
                continue;
            }
            let first = stabilisers.len() as u32;
            for symmetry in 0..group.order() {
                let image = group.image(symmetry, set);
                if image == set && symmetry != 0 {
                    stabilisers.push(symmetry as u8);
                }
                let entry = &mut home[subsets.rank(image) as usize];
                if *entry == Home::NONE {
                    let back = (0..group.order())
                        .find(|&back| group.image(back, image) == set)
                        .expect("a group has inverses");
                    *entry = Home::new(orbits.len(), back);
                }
            }
            orbits.push(Orbit { representative: set, first, last: stabilisers.len() as u32 });
        }
        let theirs = Subsets::new(group.points() - mine, theirs);
        let mine = Arc::new(Mine { group, sets: subsets, home, orbits, stabilisers });
        PairIndex { mine, theirs }
    }

    /// The same sets of the mover beside another number of pieces of the other side.
    #[must_use]
    pub fn beside(&self, theirs: u32) -> PairIndex {
        let free = self.mine.group.points() - self.mine.sets.size();
        PairIndex { mine: self.mine.clone(), theirs: Subsets::new(free, theirs) }
    }

    /// Indices run from 0 to one less than this.
    pub fn size(&self) -> u64 {
        self.mine.orbits.len() as u64 * u64::from(self.theirs.count())
    }

    /// The symmetries.
    pub fn group(&self) -> &Group {
        &self.mine.group
    }

    /// Two disjoint sets as they are, if they have the right sizes.
    pub fn check(&self, (mine, theirs): (u32, u32)) -> Result<(u32, u32), NotationError> {
        for (set, subsets, whose) in
            [(mine, &self.mine.sets, "the side to move"), (theirs, &self.theirs, "the other side")]
        {
            let (expected, found) = (subsets.size(), set.count_ones());
            if expected != found {
                return Err(NotationError::Count {
                    what: format!("pieces of {whose}"),
                    expected: expected.to_string(),
                    found: found as usize,
                });
            }
        }
        Ok((mine, theirs))
    }

    /// All positions with these numbers of pieces as a tier.
    pub fn tier(&self, name: impl Into<String>, loops: bool) -> Tier {
        Tier { name: name.into(), size: self.size(), loops }
    }

    /// The index of two disjoint sets of the right sizes.
    #[inline]
    pub fn index(&self, mine: u32, theirs: u32) -> u64 {
        let Mine { group, sets, home, orbits, .. } = &*self.mine;
        let home = home[sets.rank(mine) as usize];
        let theirs = group.image(home.symmetry(), theirs);
        let orbit = orbits[home.orbit()];
        let free = !orbit.representative;
        let mut least = self.theirs.rank(extract(theirs, free));
        for &fixing in self.stabiliser(orbit) {
            let image = group.image(fixing.into(), theirs);
            least = least.min(self.theirs.rank(extract(image, free)));
        }
        home.orbit() as u64 * u64::from(self.theirs.count()) + u64::from(least)
    }

    /// The two sets with this index, or none if the index is a duplicate or too large.
    #[inline]
    pub fn sets(&self, index: u64) -> Option<(u32, u32)> {
        let count = u64::from(self.theirs.count());
        let orbit = *self.mine.orbits.get((index / count) as usize)?;
        let rank = (index % count) as u32;
        let free = !orbit.representative;
        let theirs = deposit(self.theirs.mask(rank), free);
        let least = self.stabiliser(orbit).iter().all(|&fixing| {
            let image = self.mine.group.image(fixing.into(), theirs);
            self.theirs.rank(extract(image, free)) >= rank
        });
        least.then_some((orbit.representative, theirs))
    }

    /// The number of different images of two sets. Given a pair as [`sets`](PairIndex::sets)
    /// returns it or any image of one.
    #[inline]
    pub fn orbit(&self, mine: u32, theirs: u32) -> u32 {
        let Mine { group, sets, home, orbits, .. } = &*self.mine;
        let home = home[sets.rank(mine) as usize];
        let stabiliser = self.stabiliser(orbits[home.orbit()]);
        if stabiliser.is_empty() {
            return group.order() as u32;
        }
        let theirs = group.image(home.symmetry(), theirs);
        let fixing = stabiliser
            .iter()
            .filter(|&&fixing| group.image(fixing.into(), theirs) == theirs)
            .count();
        group.order() as u32 / (fixing as u32 + 1)
    }

    fn stabiliser(&self, orbit: Orbit) -> &[u8] {
        &self.mine.stabilisers[orbit.first as usize..orbit.last as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The square's eight symmetries on 3x3 points, found by composing two of them.
    fn square() -> Group {
        let turn: Vec<usize> = (0..9).map(|p| 3 * (p % 3) + 2 - p / 3).collect();
        let mirror: Vec<usize> = (0..9).map(|p| 3 * (p / 3) + 2 - p % 3).collect();
        let mut all: Vec<Vec<usize>> = vec![(0..9).collect()];
        while all.len() < 8 {
            let mut next: Vec<usize> = all[all.len() - 1].iter().map(|&p| turn[p]).collect();
            if all.len() == 4 {
                next = mirror.clone();
            }
            all.push(next);
        }
        Group::new(&all)
    }

    #[test]
    fn every_pair_has_one_index_and_every_index_one_orbit() {
        let group = square();
        for (mine, theirs) in [(0, 0), (1, 1), (2, 3), (4, 4), (3, 0), (0, 3)] {
            let index = PairIndex::new(group.clone(), mine, theirs);
            let mut orbits: HashMap<u64, u32> = HashMap::new();
            for a in (0u32..512).filter(|a| a.count_ones() == mine) {
                for b in (0u32..512).filter(|b| b.count_ones() == theirs && a & b == 0) {
                    let number = index.index(a, b);
                    *orbits.entry(number).or_default() += 1;
                    for s in 0..8 {
                        assert_eq!(index.index(group.image(s, a), group.image(s, b)), number);
                    }
                    let (x, y) = index.sets(number).expect("an index of a pair stands for it");
                    assert!((0..8).any(|s| (group.image(s, x), group.image(s, y)) == (a, b)));
                    assert_eq!(index.orbit(a, b), index.orbit(x, y));
                }
            }
            for number in 0..index.size() {
                match index.sets(number) {
                    Some((a, b)) => {
                        assert_eq!(index.index(a, b), number);
                        assert_eq!(orbits[&number], index.orbit(a, b));
                    }
                    None => assert!(!orbits.contains_key(&number)),
                }
            }
            assert_eq!(index.sets(index.size()), None);
        }
    }
}
