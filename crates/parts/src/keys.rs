//! Positions as numbers.
//!
//! The key of a board is a sum over its pieces: the digit of a piece (1 for X, 2 for O, 3 for a
//! neutral one) times the weight of its point. Weights are powers of 3 (of 4 with neutral pieces).
//! Where pieces stand on one another, they are powers of 2: a column without gaps, read with digits 1
//! and 2, is a number in bijective base 2. The sums are looked up a byte of points at a time, in
//! tables for each symmetry, so that the least key of all images needs no image.

use crate::{Board, Position, Rules, Turn, Turns};

#[derive(Clone, Debug)]
pub(crate) struct Keys {
    /// For each symmetry and each byte of points, the sum of the weights where they go.
    sums: Vec<[u64; 256]>,
    bytes: usize,
    weights: Vec<u64>,
    /// The number of digits of a point; 2 where pieces stand on one another.
    base: u64,
    /// The height of columns where pieces stand on one another.
    height: usize,
    /// The sets of points that some digits in a row stand for, by their number.
    parts: Vec<[u8; 4]>,
    turns: Turns,
    counts: u8,
    /// The number of pieces from which on colours are alike.
    alike: u32,
    /// Keys of boards are less than this.
    boards: u64,
}

impl Keys {
    pub fn new<R: Rules + ?Sized>(rules: &R, board: &Board) -> Keys {
        let points = board.points();
        let (base, height): (u64, usize) = match (board.is_stacks(), rules.neutral()) {
            (true, _) => (2, board.row()),
            (false, true) => (4, usize::MAX),
            (false, false) => (3, usize::MAX),
        };
        // A column takes a bit more than it has cells.
        let weight = |point: usize| base.pow((point + point / height) as u32);
        let weights: Vec<u64> = (0..points).map(weight).collect();
        let bytes = points.div_ceil(8);
        let sums = board.symmetries().iter().flat_map(|image| {
            let weights = &weights;
            (0..bytes).map(move |byte| {
                let mut sums = [0; 256];
                for bits in 1..256_usize {
                    let point = image.get(8 * byte + bits.trailing_zeros() as usize);
                    sums[bits] = sums[bits & (bits - 1)] + point.map_or(0, |&to| weights[to]);
                }
                sums
            })
        });
        Keys {
            sums: sums.collect(),
            bytes,
            boards: weight(points),
            weights,
            base,
            height,
            parts: parts(base),
            turns: rules.turns(),
            counts: rules.counts().unwrap_or(1),
            alike: rules.alike_from().unwrap_or(u32::MAX),
        }
    }

    /// All keys are less than this.
    pub fn limit(&self) -> u64 {
        self.boards * u64::from(self.counts) * self.sides()
    }

    fn sides(&self) -> u64 {
        if self.turns == Turns::Written { 2 } else { 1 }
    }

    #[inline]
    pub fn key(&self, position: &Position) -> u64 {
        self.whole(position, Keys::board(&self.sums[..self.bytes], position))
    }

    /// The least key of the images.
    #[inline]
    pub fn least(&self, position: &Position) -> u64 {
        // Where X is to move, the key is less.
        let exchanges = position.turn == Turn::O && self.is_alike(position);
        let position = &if exchanges { position.exchanged() } else { *position };
        let boards = self.sums.chunks_exact(self.bytes).map(|sums| Keys::board(sums, position));
        self.whole(position, boards.fold(u64::MAX, u64::min))
    }

    /// Whether the position is the same with colours exchanged.
    #[inline]
    pub fn is_alike(&self, position: &Position) -> bool {
        self.alike != u32::MAX && position.all().count_ones() >= self.alike
    }

    /// The key of a position whose board has this one.
    #[inline]
    fn whole(&self, position: &Position, board: u64) -> u64 {
        let side = u64::from(self.turns == Turns::Written && position.turn == Turn::O);
        let rest = u64::from(position.count) * self.sides() + side;
        rest * self.boards + board
    }

    #[inline]
    fn board(sums: &[[u64; 256]], position: &Position) -> u64 {
        let sets = [position.x, position.o, position.neutral].map(u32::to_le_bytes);
        let digits = sums.iter().enumerate().map(|(byte, sums)| {
            let [x, o, neutral] = [0, 1, 2].map(|set: usize| sums[usize::from(sets[set][byte])]);
            x + 2 * o + 3 * neutral
        });
        digits.sum()
    }

    /// The position of a key, which need not make sense.
    pub fn position(&self, key: u64) -> Option<Position> {
        if key >= self.limit() {
            return None;
        }
        let (rest, board) = (key / self.boards, key % self.boards);
        let [_, x, o, neutral] = match self.base {
            2 => self.columns(board)?,
            _ => self.digits(board),
        };
        let turn = if rest % self.sides() == 1 { Turn::O } else { Turn::X };
        let count = (rest / self.sides()) as u8;
        Some(self.turns.settle(Position { x, o, neutral, turn, count }))
    }

    /// The points of each digit.
    fn digits(&self, mut board: u64) -> [u32; 4] {
        let several = self.parts.len() as u64;
        let mut sets = [0; 4];
        for first in (0..self.weights.len()).step_by(together(self.base)) {
            let part = self.parts[(board % several) as usize];
            for (set, part) in sets.iter_mut().zip(part) {
                *set |= u32::from(part) << first;
            }
            board /= several;
        }
        sets
    }

    /// The points of each digit where pieces stand on one another; none if a column is too high.
    fn columns(&self, board: u64) -> Option<[u32; 4]> {
        let mut sets = [0; 4];
        for first in (0..self.weights.len()).step_by(self.height) {
            let mut column = board / self.weights[first] % (2 << self.height);
            let mut point = first;
            while column > 0 {
                if point == first + self.height {
                    return None;
                }
                let digit = 2 - column % 2;
                sets[digit as usize] |= 1 << point;
                column = (column - digit) / 2;
                point += 1;
            }
        }
        Some(sets)
    }
}

/// How many digits are read at once.
fn together(base: u64) -> usize {
    if base == 4 { 4 } else { 5 }
}

/// The sets that so many digits stand for, one for each digit.
fn parts(base: u64) -> Vec<[u8; 4]> {
    let digits = together(base);
    let part = |mut number: u64| {
        let mut sets = [0; 4];
        for point in 0..digits {
            sets[(number % base) as usize] |= 1 << point;
            number /= base;
        }
        sets
    };
    (0..base.pow(digits as u32)).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Step};

    #[derive(Clone)]
    struct Any<const NEUTRAL: bool>;

    impl<const N: bool> Rules for Any<N> {
        fn neutral(&self) -> bool {
            N
        }
        fn steps(&self, _: &Board, _: &Position, _: &mut dyn FnMut(Step)) {}
        fn counts(&self) -> Option<u8> {
            Some(3)
        }
    }

    #[test]
    fn every_key_is_that_of_its_position() {
        let (plain, neutral) = (Any::<false>, Any::<true>);
        let line = Board::grid(5, 1);
        for keys in [Keys::new(&plain, &line), Keys::new(&neutral, &line)] {
            for key in 0..keys.limit() {
                assert_eq!(keys.key(&keys.position(key).unwrap()), key);
            }
            assert_eq!(keys.position(keys.limit()), None);
        }
        assert_eq!(Keys::new(&plain, &line).limit(), 243 * 2 * 3);
        let wide = Keys::new(&plain, &Board::grid(4, 4));
        let some = (0..wide.limit()).step_by(9973);
        some.for_each(|key| assert_eq!(wide.key(&wide.position(key).unwrap()), key));
    }

    #[test]
    fn columns_have_a_key_for_each_way_to_fill_them() {
        let keys = Keys::new(&Any::<false>, &Board::stacks(2, 3));
        let known: Vec<Position> = (0..256).filter_map(|key| keys.position(key)).collect();
        assert_eq!(known.len(), 15 * 15, "a column of three cells has 1 + 2 + 4 + 8 states");
        for position in known {
            assert_eq!(keys.position(keys.key(&position)), Some(position));
            let columns = [position.all() & 7, position.all() >> 3];
            assert!(columns.iter().all(|column| (column + 1).is_power_of_two()), "no gaps");
        }
    }
}
