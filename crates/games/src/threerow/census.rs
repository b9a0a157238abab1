//! Counts of boards by formula, without looking at a single one.
//!
//! Up to symmetry they follow from Burnside's lemma: the number of orbits is
//! the mean, over the symmetries, of the number of boards that each leaves as
//! they are. Such a board has one owner for all cells of a cycle of the
//! symmetry, so it is counted by sharing out cycles instead of cells.

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
    let sum: u128 = symmetries
        .iter()
        .map(|symmetry| fixed(&cycles(shape, symmetry), plies))
        .sum();
    sum / symmetries.count() as u128
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
        assert_eq!(
            (0..3)
                .map(|plies| boards(&shape, plies))
                .collect::<Vec<_>>(),
            [1, 9, 72]
        );
        assert_eq!(boards_up_to_symmetry(&shape, 1), 3);
        assert_eq!(boards_up_to_symmetry(&shape, 2), 12);
        assert_eq!(boards(&shape, 9), 1680);
        assert_eq!(boards(&shape, 10), 0);
        assert_eq!(
            boards(&Shape::new(7, 7).unwrap(), 49),
            3_906_583_985_640_867_002_010
        );
    }
}
