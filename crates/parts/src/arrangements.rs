//! Boards as numbers, by how many men there are: boards with as many of each kind follow one another,
//! in the order of the points where the men of X, of O and of nobody stand.

use kanzen_index::{binomial, deposit, extract};
use std::ops::RangeInclusive;

/// The most points of a board, and one more.
const POINTS: usize = 33;

/// All boards on which X, O and nobody have so many men.
#[derive(Clone, Debug)]
pub(crate) struct Arrangements {
    points: u32,
    ranges: [RangeInclusive<u32>; 3],
    /// For each choice of three numbers of men the first board's number, and the number of all boards.
    firsts: Vec<u64>,
    /// `ways[k][n]`: the ways to choose k of n points.
    ways: Box<[[u64; POINTS]; POINTS]>,
}

impl Arrangements {
    /// # Panics
    /// If there are 2^64 boards or more.
    pub fn new(points: usize, ranges: [RangeInclusive<u32>; 3]) -> Arrangements {
        let points = points as u32;
        let ranges = ranges.map(|range| *range.start()..=points.min(*range.end()));
        let ways: [[u64; POINTS]; POINTS] =
            std::array::from_fn(|k| std::array::from_fn(|n| binomial(n as u64, k as u64)));
        let mut all = Arrangements { points, ranges, firsts: vec![0], ways: Box::new(ways) };
        let choices = all.ranges.iter().map(|range| range.clone().count()).product();
        let mut end = 0_u64;
        for choice in 0..choices {
            let mut sizes = all.sizes(all.counts(choice)).into_iter();
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
    #[inline]
    pub fn number(&self, sets: [u32; 3]) -> Option<u64> {
        let counts = sets.map(u32::count_ones);
        let mut choice = 0;
        for (count, range) in counts.iter().zip(&self.ranges) {
            if !range.contains(count) {
                return None;
            }
            let (least, most) = (range.start(), range.end());
            choice = choice * (most - least + 1) + count - least;
        }
        let (mut free, mut number) = (self.all(), 0);
        for (set, size) in sets.into_iter().zip(self.sizes(counts)) {
            number = number * size + self.rank(extract(set, free));
            free &= !set;
        }
        Some(self.firsts[choice as usize] + number)
    }

    /// The board with a number below the limit.
    pub fn sets(&self, number: u64) -> [u32; 3] {
        let choice = self.firsts.partition_point(|&first| first <= number) - 1;
        let counts = self.counts(choice);
        let [_, o_size, neutral_size] = self.sizes(counts);
        let number = number - self.firsts[choice];
        let (number, neutral) = (number / neutral_size, number % neutral_size);
        let ranks = [number / o_size, number % o_size, neutral];
        let mut free = self.all();
        [0, 1, 2].map(|kind| {
            let set = deposit(self.subset(counts[kind], ranks[kind]), free);
            free &= !set;
            set
        })
    }

    fn all(&self) -> u32 {
        (1_u64 << self.points).wrapping_sub(1) as u32
    }

    /// The numbers of men of a choice.
    fn counts(&self, mut choice: usize) -> [u32; 3] {
        let mut counts = [0; 3];
        for (count, range) in counts.iter_mut().zip(&self.ranges).rev() {
            let several = range.clone().count();
            *count = range.start() + (choice % several) as u32;
            choice /= several;
        }
        counts
    }

    /// The ways to put so many men of each kind where those before leave room.
    #[inline]
    fn sizes(&self, counts: [u32; 3]) -> [u64; 3] {
        let (mut free, mut sizes) = (self.points, [0; 3]);
        for (size, count) in sizes.iter_mut().zip(counts) {
            *size = self.ways[count as usize][free as usize];
            free = free.saturating_sub(count);
        }
        sizes
    }

    /// The number of a set among those with as many members, in the order of the bit masks.
    #[inline]
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
            (Arrangements::new(6, [0..=9, 0..=9, 0..=0]), 3_u64.pow(6)),
            (Arrangements::new(5, [0..=5, 0..=5, 0..=5]), 4_u64.pow(5)),
            (Arrangements::new(16, [4..=4, 4..=4, 2..=2]), 1820 * 495 * 28),
            (
                Arrangements::new(7, [2..=3, 0..=1, 1..=1]),
                21 * 5 + 21 * 5 * 4 + 35 * 4 + 35 * 4 * 3,
            ),
        ];
        for (men, boards) in kinds {
            assert_eq!(men.limit(), boards);
            for number in (0..boards).step_by(if boards > 10_000 { 997 } else { 1 }) {
                let sets = men.sets(number);
                assert_eq!(men.number(sets), Some(number), "{sets:?}");
                assert_eq!((sets[0] & sets[1]) | (sets[2] & (sets[0] | sets[1])), 0);
            }
        }
        assert_eq!(Arrangements::new(5, [0..=2, 0..=2, 0..=0]).number([0b111, 0, 0]), None);
        let most = Arrangements::new(32, [0..=32, 0..=32, 0..=0]);
        assert_eq!(most.limit(), 3_u64.pow(32));
        assert_eq!(most.number(most.sets(1 << 50)), Some(1 << 50));
    }
}
