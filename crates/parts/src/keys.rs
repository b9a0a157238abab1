//! Positions as numbers.
//!
//! A position is known by one of its images: that with the least sets of points, found without
//! branches for eight symmetries at once. Boards are numbered by their [men](Arrangements); where pieces stand
//! on one another, a column without gaps, read with digits 1 and 2, is a number in bijective base 2.

use crate::arrangements::Arrangements;
use crate::{Board, Position, Rules, Turn, Turns};
use kanzen_index::{Work, run_with_fast_bits};

/// Symmetries that are looked up at once.
const LANES: usize = 8;

#[derive(Clone, Debug)]
pub(crate) struct Keys {
    /// Where symmetries take the points of a byte: a table a byte, for some symmetries after others.
    images: Vec<[[u32; LANES]; 256]>,
    bytes: usize,
    boards: Boards,
    /// The number of boards with their counts, and of keys.
    limits: [u64; 2],
    turns: Turns,
    /// The number of pieces from which on colours are alike.
    alike: u32,
}

/// How boards are numbered.
#[derive(Clone, Debug)]
enum Boards {
    Men(Arrangements),
    /// Where pieces stand on one another, in so many columns of this height.
    Columns {
        columns: u32,
        height: u32,
    },
}

impl Keys {
    /// # Panics
    /// If there are 2^64 keys or more.
    pub fn new<R: Rules + ?Sized>(rules: &R, board: &Board) -> Keys {
        let points = board.points();
        let (turns, counts) = (rules.turns(), rules.counts().unwrap_or(1));
        let (boards, number) = if board.is_stacks() {
            let height = board.row() as u32;
            let columns = points as u32 / height;
            let boards = Boards::Columns { columns, height };
            (boards, u64::from(counts).checked_mul(1 << (columns * (height + 1))))
        } else {
            let ranges = |count| {
                let [x, o] = rules.men_at(count);
                [x, o, rules.neutral()]
            };
            let men = Arrangements::new(points, (0..counts).map(ranges));
            let number = men.limit();
            (Boards::Men(men), Some(number))
        };
        let keys = number.and_then(|number| Some((number, number.checked_mul(sides(turns))?)));
        let (number, limit) = keys.expect("a game made of parts has less than 2^64 keys");
        let bytes = points.div_ceil(8);
        let symmetries = board.symmetries();
        let images =
            symmetries.chunks(LANES).flat_map(|some| (0..bytes).map(move |byte| (some, byte)));
        let table = |(some, byte): (&[Vec<usize>], usize)| {
            let mut table = [[0; LANES]; 256];
            for bits in 1..256_usize {
                table[bits] = table[bits & (bits - 1)];
                for (lane, image) in table[bits].iter_mut().enumerate() {
                    // Lanes that are left over repeat the first symmetry.
                    let to = some.get(lane).unwrap_or(&some[0]);
                    let to = to.get(8 * byte + bits.trailing_zeros() as usize);
                    *image |= to.map_or(0, |&to| 1 << to);
                }
            }
            table
        };
        Keys {
            images: images.map(table).collect(),
            bytes,
            boards,
            limits: [number, limit],
            turns,
            alike: rules.alike_from().unwrap_or(u32::MAX),
        }
    }

    /// All keys are less than this.
    pub fn limit(&self) -> u64 {
        self.limits[1]
    }

    #[inline]
    pub fn key(&self, position: &Position) -> u64 {
        self.whole(position, [position.x, position.o, position.neutral])
    }

    /// The key of the image that is least.
    #[inline]
    pub fn least(&self, position: &Position) -> u64 {
        // Where X is to move, the key is less.
        let exchanges = position.turn == Turn::O && self.is_alike(position);
        let position = if exchanges { position.exchanged() } else { *position };
        run_with_fast_bits(Least { keys: self, position })
    }

    /// Whether the position is the same with colours exchanged.
    #[inline]
    pub fn is_alike(&self, position: &Position) -> bool {
        self.alike != u32::MAX && position.all().count_ones() >= self.alike
    }

    /// The key of a position with this image of its board; one beyond the limit if it has none.
    #[inline(always)]
    fn whole(&self, position: &Position, image: [u32; 3]) -> u64 {
        let side = u64::from(self.turns == Turns::Written && position.turn == Turn::O);
        let board = match &self.boards {
            Boards::Men(men) => men.number(position.count, image),
            &Boards::Columns { columns, height } => {
                let first = u64::from(position.count) << (columns * (height + 1));
                let spread = |set: u32| {
                    (0..columns).fold(0, |sum, column| {
                        let cells = u64::from(set >> (column * height)) & ((1 << height) - 1);
                        sum | cells << (column * (height + 1))
                    })
                };
                Some(first + spread(image[0]) + 2 * spread(image[1]))
            }
        };
        board.map_or(u64::MAX, |board| side * self.limits[0] + board)
    }

    /// The image with the least sets of X, O and nobody.
    #[inline(always)]
    fn least_image(&self, position: &Position) -> [u32; 3] {
        let Position { x, o, neutral, .. } = *position;
        let mut least = u64::MAX;
        for images in self.images.chunks_exact(self.bytes) {
            let (x, o) = (lanes(images, x), lanes(images, o));
            for lane in 0..LANES {
                least = least.min(u64::from(x[lane]) << 32 | u64::from(o[lane]));
            }
        }
        let (least_x, least_o) = ((least >> 32) as u32, least as u32);
        let mut least_neutral = neutral;
        if neutral != 0 {
            least_neutral = u32::MAX;
            for images in self.images.chunks_exact(self.bytes) {
                let [x, o, neutral] = [x, o, neutral].map(|set| lanes(images, set));
                let same = (0..LANES).filter(|&lane| (x[lane], o[lane]) == (least_x, least_o));
                least_neutral = same.map(|lane| neutral[lane]).fold(least_neutral, u32::min);
            }
        }
        [least_x, least_o, least_neutral]
    }

    /// The position of a key, which need not make sense.
    pub fn position(&self, key: u64) -> Option<Position> {
        if key >= self.limit() {
            return None;
        }
        let (side, board) = (key / self.limits[0], key % self.limits[0]);
        let (count, [x, o, neutral]) = match &self.boards {
            Boards::Men(men) => men.board(board),
            Boards::Columns { columns, height } => {
                let bits = columns * (height + 1);
                ((board >> bits) as u8, stacks(board & ((1 << bits) - 1), *columns, *height)?)
            }
        };
        let turn = if side == 1 { Turn::O } else { Turn::X };
        Some(self.turns.settle(Position { x, o, neutral, turn, count }))
    }
}

/// Finding the key of the least image, which gains much by the instructions of recent processors.
struct Least<'k> {
    keys: &'k Keys,
    position: Position,
}

impl Work for Least<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<const ISA: usize>(self) -> u64 {
        self.keys.whole(&self.position, self.keys.least_image(&self.position))
    }
}

/// How many sides may be to move on the same board.
fn sides(turns: Turns) -> u64 {
    if turns == Turns::Written { 2 } else { 1 }
}

/// Where each of some symmetries takes a set.
#[inline(always)]
fn lanes(images: &[[[u32; LANES]; 256]], set: u32) -> [u32; LANES] {
    let mut all = [0; LANES];
    for (table, byte) in images.iter().zip(set.to_le_bytes()) {
        let image = &table[usize::from(byte)];
        (0..LANES).for_each(|lane| all[lane] |= image[lane]);
    }
    all
}

/// The points of X, O and nobody in columns; none if one is too high.
fn stacks(board: u64, columns: u32, height: u32) -> Option<[u32; 3]> {
    let mut sets = [0; 3];
    for first in (0..columns * height).step_by(height as usize) {
        let mut column = board >> (first + first / height) & ((2 << height) - 1);
        let mut point = first;
        while column > 0 {
            if point == first + height {
                return None;
            }
            let digit = 2 - column % 2;
            sets[digit as usize - 1] |= 1 << point;
            column = (column - digit) / 2;
            point += 1;
        }
    }
    Some(sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Step};
    use std::ops::RangeInclusive;

    #[derive(Clone)]
    struct Any<const NEUTRAL: bool>;

    impl<const N: bool> Rules for Any<N> {
        fn neutral(&self) -> RangeInclusive<u32> {
            0..=if N { 5 } else { 0 }
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
