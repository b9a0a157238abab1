//! The symmetries of the board, as maps of sets of cells.
//!
//! A square board has eight, any other four.

use super::shape::{LARGEST, Shape};
use kanzen_index::Images;

/// One symmetry of a board.
#[derive(Debug, Clone)]
pub struct Symmetry {
    /// The image of each cell.
    cells: Vec<u32>,
    sets: Images<u64, BYTES>,
}

/// The bytes of the set of all cells of the largest board.
const BYTES: usize = (LARGEST as usize * LARGEST as usize).div_ceil(8);

impl Symmetry {
    fn new(cells: Vec<u32>) -> Symmetry {
        let sets = Images::new(|cell| cells.get(cell).map_or(0, |image| 1 << image));
        Symmetry { cells, sets }
    }

    /// The image of a set.
    #[inline]
    pub fn set(&self, set: u64) -> u64 {
        self.sets.of(set)
    }

    /// The image of a cell.
    #[inline]
    pub fn cell(&self, cell: u32) -> u32 {
        self.cells[cell as usize]
    }
}

/// The symmetries of a board, the identity first.
#[derive(Debug, Clone)]
pub struct Symmetries(Vec<Symmetry>);

impl Symmetries {
    /// The symmetries of a board of this shape.
    pub fn new(shape: &Shape) -> Symmetries {
        let (rows, columns) = (shape.rows(), shape.columns());
        let turns: &[bool] = if rows == columns { &[false, true] } else { &[false] };
        let mut all = Vec::new();
        for &transpose in turns {
            for flip_rows in [false, true] {
                for flip_columns in [false, true] {
                    let image = |row: u8, column: u8| {
                        let row = if flip_rows { rows - 1 - row } else { row };
                        let column = if flip_columns { columns - 1 - column } else { column };
                        if transpose { shape.cell(column, row) } else { shape.cell(row, column) }
                    };
                    let cells =
                        (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
                    all.push(Symmetry::new(
                        cells.map(|(row, column)| image(row, column)).collect(),
                    ));
                }
            }
        }
        Symmetries(all)
    }

    /// The symmetries, the identity first.
    pub fn iter(&self) -> std::slice::Iter<'_, Symmetry> {
        self.0.iter()
    }

    /// The number of symmetries: 4 or 8.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The symmetry of this number.
    pub fn get(&self, number: usize) -> &Symmetry {
        &self.0[number]
    }

    /// The least image of three sets, compared in order.
    pub fn least(&self, sets: [u64; 3]) -> [u64; 3] {
        let images = self.0.iter().map(|symmetry| sets.map(|set| symmetry.set(set)));
        images.min().unwrap_or(sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_form_a_group_that_keeps_lines() {
        for (rows, columns) in [(3, 3), (4, 5), (5, 4), (6, 6), (7, 7)] {
            let shape = Shape::new(rows, columns).unwrap();
            let symmetries = Symmetries::new(&shape);
            assert_eq!(symmetries.count(), if rows == columns { 8 } else { 4 });
            let mut lines = shape.lines();
            lines.sort_unstable();
            let mut maps = std::collections::BTreeSet::new();
            for symmetry in symmetries.iter() {
                let mut images: Vec<_> = lines.iter().map(|&line| symmetry.set(line)).collect();
                images.sort_unstable();
                assert_eq!(images, lines);
                maps.insert(symmetry.cells.clone());
            }
            assert_eq!(maps.len(), symmetries.count());
            for first in symmetries.iter() {
                for second in symmetries.iter() {
                    let both: Vec<u32> =
                        first.cells.iter().map(|&cell| second.cell(cell)).collect();
                    assert!(maps.contains(&both));
                }
            }
            assert!((0..shape.cells()).all(|cell| symmetries.get(0).cell(cell) == cell));
        }
    }
}
