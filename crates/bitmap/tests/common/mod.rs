//! Small boards.

use kanzen_bitmap::Graph;

/// A grid with lines along rows, columns and, from every other point, diagonals.
pub fn grid(columns: u8, rows: u8, with_symmetries: bool) -> Graph {
    let point = |c: u8, r: u8| r * columns + c;
    let mut lines = Vec::new();
    let mut sandwiches = Vec::new();
    for r in 0..rows {
        for c in 0..columns {
            let diagonal = (c + r) % 2 == 0;
            for (dc, dr) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let inside = |dc: i8, dr: i8| {
                    let (c, r) = (c.checked_add_signed(dc)?, r.checked_add_signed(dr)?);
                    (c < columns && r < rows).then(|| point(c, r))
                };
                if dc != 0 && dr != 0 && !diagonal {
                    continue;
                }
                if let Some(there) = inside(dc, dr) {
                    lines.push((point(c, r), there));
                    if let Some(back) = inside(-dc, -dr) {
                        sandwiches.push([there, point(c, r), back]);
                    }
                }
            }
        }
    }
    let build = |symmetries: &[Vec<u8>]| {
        Graph::new(usize::from(columns * rows), &lines, &sandwiches, symmetries)
    };
    let points = || (0..rows).flat_map(|r| (0..columns).map(move |c| (c, r)));
    let (right, bottom) = (columns - 1, rows - 1);
    let mut symmetries: Vec<Vec<u8>> = vec![
        points().map(|(c, r)| point(right - c, r)).collect(),
        points().map(|(c, r)| point(c, bottom - r)).collect(),
        points().map(|(c, r)| point(right - c, bottom - r)).collect(),
        points().map(|(c, r)| point(r, c)).collect(),
    ];
    symmetries.retain(|g| with_symmetries && build(std::slice::from_ref(g)).is_ok());
    build(&symmetries).unwrap()
}
