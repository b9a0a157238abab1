//! The 25 holes: which touch, which lie in line. Upper world 0-15 (`4 row + column`), lower world
//! 16-24 (`16 + 3 row + column`).

use kanzen_index::deposit;
use std::sync::LazyLock;

/// The number of holes.
pub const HOLES: usize = 25;
/// All holes.
pub const ALL: u32 = (1 << HOLES) - 1;

/// A run of enemy pieces that is caught between the piece just moved and an own piece.
#[derive(Clone, Copy)]
pub struct Sandwich {
    /// The holes of the enemy pieces.
    pub run: u32,
    /// The hole of the own piece that closes the run.
    pub closer: u32,
}

/// What follows from the shape of the board.
pub struct Board {
    /// Holes of the other world that a step reaches.
    pub steps: [u32; HOLES],
    /// Possible sandwiches that begin at a hole.
    pub sandwiches: [Vec<Sandwich>; HOLES],
    /// For each set of own pieces in the upper world: the holes that complete a three.
    upper: Vec<u16>,
    /// The same for the lower world.
    lower: Vec<u16>,
}

/// The one board there is.
pub static BOARD: LazyLock<Board> = LazyLock::new(Board::new);

impl Board {
    /// The holes where one more piece of the set makes a run of exactly three.
    #[inline]
    pub fn completing(&self, set: u32) -> u32 {
        let upper = self.upper[(set & 0xffff) as usize];
        let lower = self.lower[(set >> 16) as usize];
        u32::from(upper) | u32::from(lower) << 16
    }

    /// The holes of the other world next to any hole of the set.
    #[inline]
    pub fn reach(&self, set: u32) -> u32 {
        bits(set).fold(0, |reach, hole| reach | self.steps[hole])
    }

    /// The enemy pieces that a piece just placed on `hole` has sandwiched.
    #[inline]
    pub fn caught(&self, hole: usize, own: u32, enemy: u32) -> u32 {
        self.sandwiches[hole].iter().fold(0, |caught, sandwich| {
            if sandwich.run & !enemy == 0 && own & sandwich.closer != 0 {
                caught | sandwich.run
            } else {
                caught
            }
        })
    }

    fn new() -> Board {
        let mut steps = [0; HOLES];
        for lower in 16..HOLES {
            let (row, column) = ((lower - 16) / 3, (lower - 16) % 3);
            for (r, c) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let upper = 4 * (row + r) + column + c;
                steps[lower] |= 1 << upper;
                steps[upper] |= 1 << lower;
            }
        }
        let sandwiches = std::array::from_fn(|hole| {
            let ends = DIRECTIONS.iter().flat_map(|&direction| [(direction, 2), (direction, 3)]);
            ends.filter_map(|(direction, length)| {
                let ray: Option<Vec<usize>> =
                    (1..=length).map(|step| ahead(hole, direction, step)).collect();
                let (closer, run) = ray?.split_last().map(|(c, r)| (*c, r.to_vec()))?;
                Some(Sandwich {
                    run: run.iter().fold(0, |set, hole| set | 1 << hole),
                    closer: 1 << closer,
                })
            })
            .collect()
        });
        let completing = |world: std::ops::Range<usize>| {
            (0..1u32 << world.len())
                .map(|set| {
                    let own = set << world.start;
                    world
                        .clone()
                        .filter(|hole| own >> hole & 1 == 0 && makes_three(own, *hole))
                        .fold(0, |holes, hole| holes | 1 << (hole - world.start))
                })
                .collect()
        };
        Board { steps, sandwiches, upper: completing(0..16), lower: completing(16..HOLES) }
    }
}

/// The eight directions as (row, column) steps; the first four are the axes of lines.
const DIRECTIONS: [(isize, isize); 8] =
    [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];

/// The hole some steps ahead in a direction, in the same world.
fn ahead(hole: usize, (rows, columns): (isize, isize), steps: isize) -> Option<usize> {
    let (first, side) = if hole < 16 { (0, 4) } else { (16, 3) };
    let (row, column) = ((hole - first) / side, (hole - first) % side);
    let row = row.checked_add_signed(rows * steps)?;
    let column = column.checked_add_signed(columns * steps)?;
    (row < side && column < side).then_some(first + side * row + column)
}

/// Whether a piece on `hole`, together with the set, lies on a maximal run of exactly three.
fn makes_three(set: u32, hole: usize) -> bool {
    let run = |direction| {
        (1..4)
            .map_while(|steps| ahead(hole, direction, steps))
            .take_while(|&other| set >> other & 1 == 1)
            .count()
    };
    DIRECTIONS[..4]
        .iter()
        .any(|&(rows, columns)| run((rows, columns)) + run((-rows, -columns)) == 2)
}

/// The eight symmetries as permutations of the holes; they act on both worlds together.
pub fn symmetries() -> Vec<Vec<usize>> {
    let image = |hole: usize, symmetry: usize| {
        let (first, side) = if hole < 16 { (0, 4) } else { (16, 3) };
        let (mut row, mut column) = ((hole - first) / side, (hole - first) % side);
        if symmetry & 1 != 0 {
            column = side - 1 - column;
        }
        if symmetry & 2 != 0 {
            row = side - 1 - row;
        }
        if symmetry & 4 != 0 {
            (row, column) = (column, row);
        }
        first + side * row + column
    };
    (0..8).map(|symmetry| (0..HOLES).map(|hole| image(hole, symmetry)).collect()).collect()
}

/// The members of a set of holes.
#[inline]
pub fn bits(set: u32) -> impl Iterator<Item = usize> {
    kanzen_machine::members(set).map(|hole| hole as usize)
}

/// Calls `each` for every subset of `set` with `size` members, of which there must be one at least.
#[inline]
pub fn subsets(set: u32, size: u32, each: &mut impl FnMut(u32)) {
    let end = 1 << set.count_ones();
    let mut choice = (1u32 << size) - 1;
    while choice < end {
        each(deposit(choice, set));
        // The next larger number with as many bits.
        let lowest = choice & choice.wrapping_neg();
        let carried = choice + lowest;
        choice = carried | (choice ^ carried) >> (lowest.trailing_zeros() + 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worlds_touch_by_36_edges() {
        let edges: u32 = BOARD.steps.iter().map(|steps| steps.count_ones()).sum();
        assert_eq!(edges, 2 * 36);
    }

    #[test]
    fn three_wins_and_four_does_not() {
        assert_eq!(BOARD.completing(0b0110), 0b1001, "one row, both ends");
        assert_eq!(BOARD.completing(0b1011), 0, "the gap would make four");
        assert_eq!(BOARD.completing(0b011 << 16), 0b100 << 16, "lower world");
        assert_eq!(BOARD.completing(1 << 3 | 1 << 16), 0, "worlds never mix");
    }

    #[test]
    fn subsets_are_counted() {
        let mut count = 0;
        subsets(0b1011_0111, 3, &mut |subset| {
            assert_eq!((subset.count_ones(), subset & !0b1011_0111), (3, 0));
            count += 1;
        });
        assert_eq!(count, 20);
    }
}
