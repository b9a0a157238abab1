//! The index of one ply.
//!
//! A state is a number made of three: the orbit of player 1's set under the
//! symmetries of the board (only sets without a line), the rank of player 2's
//! set among the cells that player 1 left, and the rank of player 3's set
//! among the cells that both left. All states of an orbit form a *block*;
//! within it, all states that share player 2's set form a *unit*. A block is
//! padded to whole words, so that blocks can be solved apart.
//!
//! Where player 1's set has symmetries of its own, a block holds some boards
//! several times, as mirror images of one another. They have equal values, and
//! the census counts them once.

use crate::rules::{Board, stones};
use crate::shape::Shape;
use crate::symmetry::Symmetries;
use kanzen_index::{Subsets, binomial, deposit, extract};

/// What the index of every ply needs.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) shape: Shape,
    pub(super) symmetries: Symmetries,
    pub(super) lines: Vec<u64>,
    /// By size, the sets of cells that a player can have.
    sets: Vec<Subsets>,
}

impl Frame {
    pub(super) fn new(shape: Shape) -> Frame {
        Frame {
            shape,
            symmetries: Symmetries::new(&shape),
            lines: shape.lines(),
            sets: (0..=shape.cells().div_ceil(3)).map(|k| Subsets::new(shape.cells(), k)).collect(),
        }
    }

    /// The rank of a set of `size` cells.
    #[inline(always)]
    pub(super) fn rank(&self, set: u32, size: u32) -> u32 {
        self.sets[size as usize].rank(set)
    }

    /// The sets of `size` among the first `cells` cells, by rank.
    pub(super) fn sets(&self, cells: u32, size: u32) -> &[u32] {
        &self.sets[size as usize].masks()[..binomial(cells.into(), size.into()) as usize]
    }
}

/// A set of player 1 that has a line: it belongs to no orbit.
const CLOSED: u32 = u32::MAX;

/// The index of the states after a given number of plies.
#[derive(Debug, Clone)]
pub struct Tier {
    plies: u32,
    stones: [u32; 3],
    /// The least set of each orbit of player 1's sets, ascending.
    orbits: Vec<u32>,
    /// By rank of player 1's set: the orbit and, in the lowest three bits, a
    /// symmetry that takes the set to the least of its orbit.
    homes: Vec<u32>,
    units: u64,
    unit_states: u64,
    plane_words: usize,
}

impl Tier {
    pub(super) fn new(frame: &Frame, plies: u32) -> Tier {
        let cells = frame.shape.cells();
        let stones = stones(plies);
        let least = |set: u64| {
            let images = frame.symmetries.iter().map(|symmetry| symmetry.set(set));
            images.zip(0u32..).min().unwrap_or((set, 0))
        };
        let sets = || frame.sets(cells, stones[0]).iter().copied().map(u64::from);
        let is_open = |set: &u64| !frame.shape.has_line(*set);
        let orbits: Vec<u32> = sets()
            .filter(is_open)
            .filter(|&set| least(set).0 == set)
            .map(|set| set as u32)
            .collect();
        let home = |set: u64| {
            let (image, symmetry) = least(set);
            orbits
                .binary_search(&(image as u32))
                .map_or(CLOSED, |orbit| (orbit as u32) << 3 | symmetry)
        };
        let homes = sets().map(|set| if is_open(&set) { home(set) } else { CLOSED }).collect();
        let left = cells - stones[0];
        let units = binomial(left.into(), stones[1].into());
        let unit_states = binomial((left - stones[1]).into(), stones[2].into());
        // A word to spare lets a reader fetch two words at any place.
        let plane_words = (units * unit_states / 64 + 1) as usize + 1;
        Tier { plies, stones, orbits, homes, units, unit_states, plane_words }
    }

    /// The number of plies.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The stones of each player.
    pub fn stones(&self) -> [u32; 3] {
        self.stones
    }

    /// The number of indices. Some belong to no open board: padding, and boards
    /// on which player 2 or 3 has a line.
    pub fn len(&self) -> u64 {
        self.blocks() as u64 * self.block_len()
    }

    /// Whether there are no indices, which happens where every set of player 1
    /// has a line.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn blocks(&self) -> usize {
        self.orbits.len()
    }

    fn block_len(&self) -> u64 {
        self.plane_words as u64 * 64
    }

    /// The words of one of a block's two planes.
    pub(super) fn plane_words(&self) -> usize {
        self.plane_words
    }

    /// The two planes of a block among the packed values of the ply.
    #[inline]
    pub(super) fn planes<'a>(&self, packed: &'a [u64], block: usize) -> &'a [u64] {
        &packed[2 * block * self.plane_words..][..2 * self.plane_words]
    }

    /// The states of a unit.
    pub(super) fn unit_states(&self) -> u64 {
        self.unit_states
    }

    /// The units of a block.
    pub(super) fn units(&self) -> u64 {
        self.units
    }

    /// The least set of an orbit.
    pub(super) fn orbit_set(&self, block: usize) -> u64 {
        u64::from(self.orbits[block])
    }

    /// The orbit of a set of player 1 and the symmetry that takes the set to
    /// the least of it; `None` if the set has a line.
    #[inline]
    pub(super) fn home(&self, frame: &Frame, set: u64) -> Option<(usize, usize)> {
        let home = self.homes[frame.rank(set as u32, self.stones[0]) as usize];
        (home != CLOSED).then_some(((home >> 3) as usize, (home & 7) as usize))
    }

    /// The index of a board of this ply on which player 1 has no line.
    pub(super) fn locate(&self, frame: &Frame, sets: [u64; 3]) -> Option<u64> {
        let (block, number) = self.home(frame, sets[0])?;
        let symmetry = frame.symmetries.get(number);
        let [first, second, third] = sets.map(|set| symmetry.set(set) as u32);
        let unit = u64::from(frame.rank(extract(second, !first), self.stones[1]));
        let state = u64::from(frame.rank(extract(third, !(first | second)), self.stones[2]));
        Some(block as u64 * self.block_len() + unit * self.unit_states + state)
    }

    /// The board of an index, if it is an open one.
    pub(super) fn board(&self, frame: &Frame, index: u64) -> Option<Board> {
        let block = usize::try_from(index / self.block_len()).ok()?;
        let within = index % self.block_len();
        if block >= self.blocks() || within >= self.units * self.unit_states {
            return None;
        }
        let [unit, state] = [within / self.unit_states, within % self.unit_states];
        let first = self.orbits[block];
        let second = deposit(frame.sets[self.stones[1] as usize].mask(unit as u32), !first);
        let third =
            deposit(frame.sets[self.stones[2] as usize].mask(state as u32), !(first | second));
        let sets = [first, second, third].map(u64::from);
        Board::new(frame.shape, sets).ok().filter(Board::is_open)
    }
}
