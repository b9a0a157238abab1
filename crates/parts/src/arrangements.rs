//! Boards as numbers, by what the position counts and how many men there are: boards with as many of
//! each kind follow one another, in the order of the points where the men of X, of O and of nobody
//! stand.

use kanzen_index::{binomial, deposit, extract};
use std::ops::RangeInclusive;

/// The most points of a board, and one more.
const POINTS: usize = 33;
/// The most points of a board whose sets are kept, 256 KB of them.
const SMALL: u32 = 16;

/// How many men X, O and nobody may have.
pub(crate) type Ranges = [RangeInclusive<u32>; 3];

/// All boards on which X, O and nobody have so many men.
#[derive(Clone, Debug)]
pub(crate) struct Arrangements {
    points: u32,
    /// For each count the number of its first choice of men, and how many men there may be.
    counts: Vec<(u32, Ranges)>,
    /// The choices: a count, and three numbers of men.
    choices: Vec<(u8, [u32; 3])>,
    /// The number of each choice's first board, and the number of all boards.
    firsts: Vec<u64>,
    /// `ways[k][n]`: the ways to choose k of n points.
    ways: Box<[[u64; POINTS]; POINTS]>,
    /// The sets of a small board by their numbers of members, in the order of the bit masks.
    sets: Vec<Vec<u32>>,
}

impl Arrangements {
    /// # Panics
    /// If there are 2^64 boards or more.
    pub fn new(points: usize, by_count: impl IntoIterator<Item = Ranges>) -> Arrangements {
        let points = points as u32;
        let ways: [[u64; POINTS]; POINTS] =
            std::array::from_fn(|k| std::array::from_fn(|n| binomial(n as u64, k as u64)));
        let (mut counts, mut choices) = (Vec::new(), Vec::new());
        for (count, ranges) in (0..).zip(by_count) {
            let [x, o, neutral] = ranges.map(|range| *range.start()..=points.min(*range.end()));
            counts.push((choices.len() as u32, [x.clone(), o.clone(), neutral.clone()]));
            for men in x.flat_map(|x| o.clone().map(move |o| (x, o))) {
                choices.extend(neutral.clone().map(|neutral| (count, [men.0, men.1, neutral])));
            }
        }
        let mut sets = vec![Vec::new(); POINTS];
        if points <= SMALL {
            (0..1_u32 << points).for_each(|set| sets[set.count_ones() as usize].push(set));
        }
        let (firsts, ways) = (vec![0], Box::new(ways));
        let mut all = Arrangements { points, counts, choices, firsts, ways, sets };
        let mut end = 0_u64;
        for (_, men) in &all.choices {
            let mut sizes = all.sizes(*men).into_iter();
            let boards = sizes.try_fold(1_u64, |product, size| product.checked_mul(size));
            let sum = boards.and_then(|boards| end.checked_add(boards));
            end = sum.expect("a game made of parts has less than 2^64 boards");
            all.firsts.push(end);
        }
        all
    }

    /// All numbers are less than this.
    pub fn limit(&self) -> u64 {
        self.firsts.last().copied().unwrap_or(0)
    }

    /// The number of a board; none if there are too many or too few men.
    #[inline(always)]
    pub fn number(&self, count: u8, sets: [u32; 3]) -> Option<u64> {
        let men = sets.map(u32::count_ones);
        let (first, ranges) = self.counts.get(usize::from(count))?;
        let mut choice = 0;
        for (men, range) in men.iter().zip(ranges) {
            if !range.contains(men) {
                return None;
            }
            let (least, most) = (range.start(), range.end());
            choice = choice * (most - least + 1) + men - least;
        }
        let (mut free, mut number) = (self.all(), 0);
        for (set, size) in sets.into_iter().zip(self.sizes(men)) {
            number = number * size + self.rank(extract(set, free));
            free &= !set;
        }
        Some(self.firsts[(first + choice) as usize] + number)
    }

    /// The count and the board with a number below the limit.
    pub fn board(&self, number: u64) -> (u8, [u32; 3]) {
        let choice = self.firsts.partition_point(|&first| first <= number) - 1;
        let (count, men) = self.choices[choice];
        let [_, o_size, neutral_size] = self.sizes(men);
        let number = number - self.firsts[choice];
        let (number, neutral) = (number / neutral_size, number % neutral_size);
        let ranks = [number / o_size, number % o_size, neutral];
        let mut free = self.all();
        let sets = [0, 1, 2].map(|kind| {
            let set = deposit(self.subset(men[kind], ranks[kind]), free);
            free &= !set;
            set
        });
        (count, sets)
    }

    fn all(&self) -> u32 {
        (1_u64 << self.points).wrapping_sub(1) as u32
    }

    /// The ways to put so many men of each kind where those before leave room.
    #[inline(always)]
    fn sizes(&self, men: [u32; 3]) -> [u64; 3] {
        let (mut free, mut sizes) = (self.points, [0; 3]);
        for (size, men) in sizes.iter_mut().zip(men) {
            *size = self.ways[men as usize][free as usize];
            free = free.saturating_sub(men);
        }
        sizes
    }

    /// The number of a set among those with as many members, in the order of the bit masks.
    #[inline(always)]
    fn rank(&self, mut set: u32) -> u64 {
        let (mut rank, mut members) = (0, 0);
        while set != 0 {
            members += 1;
            rank += self.ways[members][set.trailing_zeros() as usize];
            set &= set - 1;
        }
        rank
    }

    /// The set with so many members and this number.
    fn subset(&self, members: u32, mut rank: u64) -> u32 {
        if let Some(&set) = self.sets[members as usize].get(rank as usize) {
            return set;
        }
        let (mut set, mut point) = (0, self.points as usize);
        for members in (1..=members as usize).rev() {
            point = (0..point).rev().find(|&point| self.ways[members][point] <= rank).unwrap_or(0);
            rank -= self.ways[members][point];
            set |= 1 << point;
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_board_and_every_board_a_number() {
        let kinds = [
            (Arrangements::new(6, [[0..=9, 0..=9, 0..=0]]), 3_u64.pow(6)),
            (Arrangements::new(5, [[0..=5, 0..=5, 0..=5]]), 4_u64.pow(5)),
            (Arrangements::new(16, [[4..=4, 4..=4, 2..=2]]), 1820 * 495 * 28),
            (
                Arrangements::new(7, [[2..=3, 0..=1, 1..=1], [0..=0, 0..=0, 0..=1]]),
                21 * 5 + 21 * 5 * 4 + 35 * 4 + 35 * 4 * 3 + 1 + 7,
            ),
        ];
        for (men, boards) in kinds {
            assert_eq!(men.limit(), boards);
            for number in (0..boards).step_by(if boards > 10_000 { 997 } else { 1 }) {
                let (count, sets) = men.board(number);
                assert_eq!(men.number(count, sets), Some(number), "{sets:?}");
                assert_eq!((sets[0] & sets[1]) | (sets[2] & (sets[0] | sets[1])), 0);
            }
        }
        let few = Arrangements::new(5, [[0..=2, 0..=2, 0..=0]]);
        assert_eq!((few.number(0, [0b111, 0, 0]), few.number(1, [0, 0, 0])), (None, None));
        let most = Arrangements::new(32, [[0..=32, 0..=32, 0..=0]]);
        assert_eq!(most.limit(), 3_u64.pow(32));
        let (count, sets) = most.board(1 << 50);
        assert_eq!(most.number(count, sets), Some(1 << 50));
    }
}
