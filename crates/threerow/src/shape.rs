//! The empty board: its size, its cells and its lines.
//!
//! A set of cells is a `u64`, cell `row * columns + column` at the bit of that
//! number, rows counted from the top. A line of three is found by shifting the
//! set along one of the four directions and masking with the cells where a
//! line in that direction may begin, so neither test needs a loop over lines.

pub use kanzen_machine::members as bits;
use thiserror::Error;

/// The number of cells in a row that wins.
pub const LENGTH: u32 = 3;

/// The fewest rows or columns of a board.
pub const SMALLEST: u8 = 3;

/// The most rows or columns of a board.
pub const LARGEST: u8 = 7;

/// A size that no board has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a board of {rows} rows and {columns} columns: both must be {SMALLEST} to {LARGEST}")]
pub struct ShapeError {
    /// The rows asked for.
    pub rows: u8,
    /// The columns asked for.
    pub columns: u8,
}

/// The size of a board, with what its lines need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    rows: u8,
    columns: u8,
    /// For each direction, the step from a cell of a line to the next and the
    /// cells where a line begins.
    directions: [(u32, u64); 4],
}

impl Shape {
    /// A board of `rows` by `columns`, each 3 to 7.
    pub fn new(rows: u8, columns: u8) -> Result<Shape, ShapeError> {
        let sizes = SMALLEST..=LARGEST;
        if !sizes.contains(&rows) || !sizes.contains(&columns) {
            return Err(ShapeError { rows, columns });
        }
        let reach = LENGTH as u8 - 1;
        let starts = |rows: std::ops::Range<u8>, first: std::ops::Range<u8>| {
            let cells = rows.flat_map(|row| first.clone().map(move |column| (row, column)));
            cells.fold(0u64, |set, (row, column)| {
                set | 1 << (u32::from(row) * u32::from(columns) + u32::from(column))
            })
        };
        let width = u32::from(columns);
        Ok(Shape {
            rows,
            columns,
            directions: [
                (1, starts(0..rows, 0..columns - reach)),
                (width, starts(0..rows - reach, 0..columns)),
                (width + 1, starts(0..rows - reach, 0..columns - reach)),
                (width - 1, starts(0..rows - reach, reach..columns)),
            ],
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// The number of cells.
    pub fn cells(&self) -> u32 {
        u32::from(self.rows) * u32::from(self.columns)
    }

    /// The set of all cells.
    pub fn full(&self) -> u64 {
        (1 << self.cells()) - 1
    }

    /// The number of the cell at `row` and `column`, both from 0 at the top left.
    pub fn cell(&self, row: u8, column: u8) -> u32 {
        debug_assert!(row < self.rows && column < self.columns);
        u32::from(row) * u32::from(self.columns) + u32::from(column)
    }

    /// Whether `set` holds three in a row.
    #[inline]
    pub fn has_line(&self, set: u64) -> bool {
        let begins = |&(step, starts): &(u32, u64)| set & set >> step & set >> (2 * step) & starts;
        self.directions.iter().map(begins).fold(0, |all, one| all | one) != 0
    }

    /// The cells that would complete a line of `set`, whether they are empty
    /// or not.
    #[inline]
    pub fn completing(&self, set: u64) -> u64 {
        let mut cells = 0;
        for &(step, starts) in &self.directions {
            let (first, second, third) = (set & starts, set >> step & starts, set >> (2 * step));
            cells |= second & third | (first & third) << step | (first & second) << (2 * step);
        }
        cells
    }

    /// All lines, each as a set of three cells.
    pub fn lines(&self) -> Vec<u64> {
        let mut lines = Vec::new();
        for (step, starts) in self.directions {
            for cell in bits(starts) {
                lines.push((1 | 1 << step | 1 << (2 * step)) << cell);
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_other_sizes() {
        for (rows, columns) in [(2, 3), (3, 8), (0, 0), (255, 4)] {
            assert_eq!(Shape::new(rows, columns), Err(ShapeError { rows, columns }));
        }
    }

    #[test]
    fn lines_are_the_lines_of_the_rule_book() {
        for rows in SMALLEST..=LARGEST {
            for columns in SMALLEST..=LARGEST {
                let shape = Shape::new(rows, columns).unwrap();
                let mut plain = Vec::new();
                for row in 0..i32::from(rows) {
                    for column in 0..i32::from(columns) {
                        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                            let end = (row + 2 * down, column + 2 * right);
                            if (0..i32::from(rows)).contains(&end.0)
                                && (0..i32::from(columns)).contains(&end.1)
                            {
                                plain.push((0..3).fold(0u64, |set, k| {
                                    let (r, c) = (row + k * down, column + k * right);
                                    set | 1 << shape.cell(r as u8, c as u8)
                                }));
                            }
                        }
                    }
                }
                let mut lines = shape.lines();
                lines.sort_unstable();
                plain.sort_unstable();
                assert_eq!(lines, plain);
            }
        }
    }

    #[test]
    fn shifts_agree_with_lines() {
        let shape = Shape::new(3, 4).unwrap();
        let lines = shape.lines();
        for set in 0..1u64 << 12 {
            assert_eq!(shape.has_line(set), lines.iter().any(|line| set & line == *line));
            let mut cells = 0;
            for line in &lines {
                for cell in bits(*line) {
                    if (line & !(1 << cell)) & !set == 0 {
                        cells |= 1 << cell;
                    }
                }
            }
            assert_eq!(shape.completing(set), cells);
        }
    }
}
