//! Counts of boards, without solving them.
//!
//! Up to symmetry they follow from Burnside's lemma: the number of orbits is
//! the mean, over the symmetries, of the number of boards that each leaves as
//! they are. Such a board has one owner for all cells of a cycle of the
//! symmetry, so it is counted by sharing out cycles instead of cells. An open
//! board consists of three sets without a line; those of the third player are
//! counted for all rooms that the others may leave at once, by a sum over
//! subsets.

use super::rules::stones;
use super::shape::Shape;
use super::symmetry::{Symmetries, Symmetry};

/// Boards after `plies` moves, lines or no lines; 0 if there are too few cells.
pub fn boards(shape: &Shape, plies: u32) -> u128 {
    fixed(&vec![1; shape.cells() as usize], plies)
}

/// The same up to symmetry.
pub fn boards_up_to_symmetry(shape: &Shape, plies: u32) -> u128 {
    let symmetries = Symmetries::new(shape);
    let sum: u128 = symmetries.iter().map(|symmetry| fixed(&cycles(shape, symmetry), plies)).sum();
    sum / symmetries.count() as u128
}

/// The most cells of a board whose open boards are counted.
pub const MAX_OPEN_CELLS: u32 = 21;

/// Boards after `plies` moves on which nobody has a line, up to symmetry;
/// `None` beyond [`MAX_OPEN_CELLS`].
pub fn open_up_to_symmetry(shape: &Shape, plies: u32) -> Option<u64> {
    if shape.cells() > MAX_OPEN_CELLS || plies > shape.cells() {
        return None;
    }
    let symmetries = Symmetries::new(shape);
    let sum: u64 = symmetries.iter().map(|symmetry| open_fixed(shape, symmetry, plies)).sum();
    Some(sum / symmetries.count() as u64)
}

/// Open boards after `plies` moves that a symmetry leaves as they are.
fn open_fixed(shape: &Shape, symmetry: &Symmetry, plies: u32) -> u64 {
    let all = 1u32 << shape.cells();
    let sets_of = |size: u32| -> Vec<u32> {
        let fits = |&set: &u32| {
            let cells = u64::from(set);
            set.count_ones() == size && symmetry.set(cells) == cells && !shape.has_line(cells)
        };
        (0..all).filter(fits).collect()
    };
    let [first, second, third] = stones(plies).map(sets_of);
    // For every room, the sets of player 3 that fit in it.
    let mut fitting = vec![0u32; all as usize];
    for set in third {
        fitting[set as usize] = 1;
    }
    for cell in 0..shape.cells() {
        for room in (0..all).filter(|room| room >> cell & 1 == 1) {
            fitting[room as usize] += fitting[(room ^ 1 << cell) as usize];
        }
    }
    let of_first = |one: u32| {
        let apart = second.iter().filter(|&&two| one & two == 0);
        apart.map(|two| u64::from(fitting[((all - 1) & !(one | two)) as usize])).sum::<u64>()
    };
    first.into_iter().map(of_first).sum()
}

/// The lengths of the cycles of a symmetry.
fn cycles(shape: &Shape, symmetry: &Symmetry) -> Vec<u32> {
    let mut seen = 0u64;
    let mut lengths = Vec::new();
    for start in 0..shape.cells() {
        let (mut cell, mut length) = (start, 0);
        while seen >> cell & 1 == 0 {
            seen |= 1 << cell;
            cell = symmetry.cell(cell);
            length += 1;
        }
        if length > 0 {
            lengths.push(length);
        }
    }
    lengths
}

/// The ways to give each cycle to a player or to nobody so that every player
/// has as many cells as `plies` moves give.
fn fixed(cycles: &[u32], plies: u32) -> u128 {
    let [first, second, third] = stones(plies).map(|count| count as usize);
    let place = |a: usize, b: usize, c: usize| (a * (second + 1) + b) * (third + 1) + c;
    let mut ways = vec![0u128; place(first, second, third) + 1];
    ways[0] = 1;
    for &length in cycles {
        let length = length as usize;
        // From the largest counts down: a cycle is given once.
        for a in (0..=first).rev() {
            for b in (0..=second).rev() {
                for c in (0..=third).rev() {
                    let from = |given: bool, a, b, c| if given { ways[place(a, b, c)] } else { 0 };
                    let more = from(a >= length, a.wrapping_sub(length), b, c)
                        + from(b >= length, a, b.wrapping_sub(length), c)
                        + from(c >= length, a, b, c.wrapping_sub(length));
                    ways[place(a, b, c)] += more;
                }
            }
        }
    }
    ways[place(first, second, third)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_by_hand() {
        let shape = Shape::new(3, 3).unwrap();
        assert_eq!((0..3).map(|plies| boards(&shape, plies)).collect::<Vec<_>>(), [1, 9, 72]);
        assert_eq!(boards_up_to_symmetry(&shape, 1), 3);
        assert_eq!(boards_up_to_symmetry(&shape, 2), 12);
        assert_eq!(open_up_to_symmetry(&shape, 2), Some(12));
        assert_eq!(open_up_to_symmetry(&shape, 10), None);
        assert_eq!(open_up_to_symmetry(&Shape::new(5, 5).unwrap(), 2), None);
        assert_eq!(boards(&shape, 9), 1680);
        assert_eq!(boards(&shape, 10), 0);
        assert_eq!(boards(&Shape::new(7, 7).unwrap(), 49), 3_906_583_985_640_867_002_010);
    }
}
