//! Lines of points that a player wants to fill, as sets.

/// The sets of these points.
///
/// ```
/// assert_eq!(kanzen_parts::lines(&[&[0, 1, 2], &[0, 3]]), [0b0111, 0b1001]);
/// ```
pub fn lines(points: &[&[u8]]) -> Vec<u32> {
    points.iter().map(|line| line.iter().fold(0, |set, point| set | 1 << point)).collect()
}

/// All lines of `length` cells in a row on a grid whose cells are numbered row by row: across, down,
/// and both diagonals, in this order.
///
/// ```
/// assert_eq!(kanzen_parts::grid_lines(3, 3, 3).len(), 8);
/// ```
pub fn grid_lines(columns: i32, rows: i32, length: i32) -> Vec<u32> {
    let mut lines = Vec::new();
    for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for first in 0..columns * rows {
            let (column, row) = (first % columns, first / columns);
            let (end, bottom) = (column + right * (length - 1), row + down * (length - 1));
            if (0..columns).contains(&end) && bottom < rows {
                let cell = |at: i32| first + at * (right + columns * down);
                lines.push((0..length).fold(0, |set, at| set | 1 << cell(at)));
            }
        }
    }
    lines
}

/// Whether a set fills one of the lines.
#[inline]
pub fn has_line(lines: &[u32], set: u32) -> bool {
    lines.iter().any(|line| set & line == *line)
}
