//! Quixo's tiers: boards by their numbers of marked cubes.
//!
//! With `o` cubes of the side to move and `x` of the other, a move of a marked cube leads to `x` and
//! `o`, and one of a blank cube to `x` and `o + 1`. So the boards with `o` and `x` are solved together
//! with those with `x` and `o`, after all that have a marked cube more.

use crate::rules::{Position, Quixo};
use kanzen_core::Text;
use kanzen_index::{Group, Indexed, PairIndex, Place, Tier, binomial};
use std::sync::{Arc, OnceLock};

/// One more than the most cubes.
const COUNTS: usize = 26;

/// The tiers, and an index for each pair of numbers, made when it is first needed.
#[derive(Clone, Debug)]
pub struct Tiers {
    group: Group,
    tiers: Vec<Tier>,
    /// The larger and the smaller number of marked cubes of each tier.
    pairs: Vec<(u32, u32)>,
    /// By the cubes of the side to move and of the other: the tier, and the index.
    numbers: Vec<usize>,
    halves: Arc<[OnceLock<PairIndex>]>,
}

impl Tiers {
    /// All boards with at least `from` marked cubes.
    pub fn new(group: Group, from: u32) -> Tiers {
        let cells = group.points();
        let orbits: Vec<u64> = (0..=cells).map(|members| orbits(&group, members)).collect();
        let size = |mine: u32, theirs: u32| {
            orbits[mine as usize] * binomial((cells - mine).into(), theirs.into())
        };
        let both = |marked: u32| (marked.div_ceil(2)..=marked).map(move |a| (a, marked - a));
        let pairs: Vec<(u32, u32)> = (from..=cells).rev().flat_map(both).collect();
        let tier = |&(a, b): &(u32, u32)| {
            let second = if a == b { 0 } else { size(b, a) };
            Tier::new(format!("{a}+{b}"), size(a, b) + second, a > 0)
        };
        let tiers = pairs.iter().map(tier).collect();
        let mut numbers = vec![0; COUNTS * COUNTS];
        for (number, &(a, b)) in pairs.iter().enumerate() {
            [(a, b), (b, a)].iter().for_each(|&(a, b)| numbers[at(a, b)] = number);
        }
        let halves = (0..COUNTS * COUNTS).map(|_| OnceLock::new()).collect();
        Tiers { group, tiers, pairs, numbers, halves }
    }

    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The fewest marked cubes.
    pub fn fewest(&self) -> u32 {
        self.pairs.last().map_or(0, |(a, b)| a + b)
    }

    /// The index of boards with so many cubes of the side to move and of the other.
    #[inline]
    fn half(&self, mine: u32, theirs: u32) -> &PairIndex {
        self.halves[at(mine, theirs)].get_or_init(|| {
            if theirs == 0 {
                return PairIndex::new(self.group.clone(), mine, 0);
            }
            // All with as many cubes of the side to move share its sets.
            self.half(mine, 0).beside(theirs)
        })
    }

    #[inline]
    fn tier(&self, mine: u32, theirs: u32) -> usize {
        self.numbers[at(mine, theirs)]
    }
}

/// Where the tables have what belongs to two numbers of cubes.
#[inline]
fn at(mine: u32, theirs: u32) -> usize {
    mine as usize * COUNTS + theirs as usize
}

/// How many sets with so many members there are up to symmetry: by Burnside's lemma, the mean of the
/// numbers of sets that the symmetries leave alone.
fn orbits(group: &Group, members: u32) -> u64 {
    let fixed = (0..group.order()).map(|symmetry| {
        // Sets that stay are unions of cycles.
        let mut ways = vec![0_u64; members as usize + 1];
        ways[0] = 1;
        let mut seen = 0_u32;
        for point in 0..group.points() {
            let (mut at, mut length) = (1_u32 << point, 0);
            while seen & at == 0 {
                seen |= at;
                length += 1;
                at = group.image(symmetry, at);
            }
            if length > 0 {
                (length..ways.len()).rev().for_each(|size| ways[size] += ways[size - length]);
            }
        }
        ways[members as usize]
    });
    fixed.sum::<u64>() / group.order() as u64
}

impl Indexed for Quixo {
    const INDEX_VERSION: u32 = 1;
    const UNMOVES: bool = true;

    fn tiers(&self) -> &[Tier] {
        &self.tiers.tiers
    }

    /// A blank cube that is marked is one more of the other side's, when it is to move.
    fn leads_to(&self, tier: usize) -> Vec<usize> {
        let (a, b) = self.tiers.pairs[tier];
        let next = [(b, a + 1), (a, b + 1)].map(|(a, b)| (a.max(b), a.min(b)));
        let leads = |(_, pair): &(usize, &(u32, u32))| next.contains(pair);
        self.tiers.pairs.iter().enumerate().take(tier).filter(leads).map(|(tier, _)| tier).collect()
    }

    fn tier_title(&self, tier: usize) -> Text {
        let (a, b) = self.tiers.pairs[tier];
        Text::new(format!("{a} and {b} marked cubes"), format!("印{a}個と{b}個"))
    }

    #[inline]
    fn tier(&self, &(mine, theirs): &Position) -> usize {
        self.tiers.tier(mine.count_ones(), theirs.count_ones())
    }

    #[inline(always)]
    fn locate(&self, &(mine, theirs): &Position) -> Place {
        let (a, b) = (mine.count_ones(), theirs.count_ones());
        let tier = self.tiers.tier(a, b);
        let first = if a >= b { 0 } else { self.tiers.half(b, a).size() };
        Place { tier, index: first + self.tiers.half(a, b).index(mine, theirs) }
    }

    #[inline]
    fn position(&self, place: Place) -> Option<Position> {
        let &(a, b) = self.tiers.pairs.get(place.tier)?;
        let first = self.tiers.half(a, b);
        match place.index.checked_sub(first.size()) {
            None => first.sets(place.index),
            Some(_) if a == b => None,
            Some(index) => self.tiers.half(b, a).sets(index),
        }
    }

    #[inline]
    fn orbit(&self, &(mine, theirs): &Position) -> u32 {
        self.tiers.half(mine.count_ones(), theirs.count_ones()).orbit(mine, theirs)
    }

    #[inline]
    fn predecessors(&self, position: &Position, each: impl FnMut(Position)) {
        self.before(position, each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_are_as_large_as_their_indices() {
        for (size, from) in [(3, 0), (4, 13), (5, 24)] {
            let game = Quixo::new(size, from);
            for (tier, &(a, b)) in game.tiers.pairs.iter().enumerate() {
                let halves = [(a, b), (b, a)].map(|(a, b)| game.tiers.half(a, b).size());
                let sum = if a == b { halves[0] } else { halves[0] + halves[1] };
                assert_eq!(game.tiers()[tier].size, sum, "{a}+{b}");
                assert_eq!([game.tiers.tier(a, b), game.tiers.tier(b, a)], [tier, tier]);
            }
        }
    }
}
