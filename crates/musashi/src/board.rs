//! The three boards, as pictures: `o` is a point, `-`, `|`, `/`, `\` are parts of lines, and `X` is
//! a crossing of two lines that is no point.

use kanzen_bitmap::{Graph, GraphError, Index};
use kanzen_index::Tier;
use std::sync::LazyLock;

/// The board of the standard game.
const PICTURE_33: &str = r"
o-o-o-o-o   o
|\|/|\|/|  /|
o-o-o-o-o o-o
|/|\|/|\|/|\|
o-o-o-o-o-o-o
|\|/|\|/|\|/|
o-o-o-o-o o-o
|/|\|/|\|  \|
o-o-o-o-o   o
";

/// A variant with fewer diagonals.
const PICTURE_31: &str = r"
o-o-o-o-o   o
| |/|\| |  /|
o-o-o-o-o o |
|/| | |\|/|\|
o-o-o-o-o-o o
|\| | |/|\|/|
o-o-o-o-o o |
| |\|/| |  \|
o-o-o-o-o   o
";

/// The square alone, known as Yasukari Musashi.
const PICTURE_25: &str = r"
o-o-o-o-o
|\|/|\|/|
o-o-o-o-o
|/|\|/|\|
o-o-o-o-o
|\|/|\|/|
o-o-o-o-o
|/|\|/|\|
o-o-o-o-o
";

/// The number of rows of every board.
pub const ROWS: u8 = 5;

/// A board: where its points are, and how they are joined.
#[derive(Debug, Clone)]
pub struct Board {
    columns: u8,
    /// Column and row of each point, in reading order.
    places: Vec<(u8, u8)>,
    index: Index,
    tiers: Vec<Tier>,
}

static BOARDS: LazyLock<[Board; 3]> = LazyLock::new(|| {
    [PICTURE_33, PICTURE_31, PICTURE_25].map(|picture| match Board::from_picture(picture) {
        Ok(board) => board,
        Err(error) => unreachable!("the pictures are right: {error}"),
    })
});

impl Board {
    /// BOARD33, the standard one.
    #[must_use]
    pub fn standard() -> &'static Board {
        &BOARDS[0]
    }

    /// BOARD31.
    #[must_use]
    pub fn board31() -> &'static Board {
        &BOARDS[1]
    }

    /// BOARD25.
    #[must_use]
    pub fn board25() -> &'static Board {
        &BOARDS[2]
    }

    /// Reads a picture. Sandwiches are the pairs of neighbours on opposite sides of a point; mirror
    /// images and turns of the picture that map lines to lines are the symmetries.
    fn from_picture(picture: &str) -> Result<Board, GraphError> {
        let rows: Vec<&[u8]> =
            picture.lines().filter(|line| !line.is_empty()).map(str::as_bytes).collect();
        let at = |x: i32, y: i32| {
            let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
            let cell = row.and_then(|row| usize::try_from(x).ok().and_then(|x| row.get(x)));
            cell.copied().unwrap_or(b' ')
        };
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let mut places = Vec::new();
        for y in (0..rows.len()).step_by(2) {
            for x in (0..width).step_by(2) {
                if at(x as i32, y as i32) == b'o' {
                    places.push(((x / 2) as u8, (y / 2) as u8));
                }
            }
        }
        let number = |x: i32, y: i32| {
            places.iter().position(|&(c, r)| (i32::from(c) * 2, i32::from(r) * 2) == (x, y))
        };
        let mut lines = Vec::new();
        for (point, &(column, row)) in places.iter().enumerate() {
            for (dx, dy, part) in [(1, 0, b'-'), (0, 1, b'|'), (1, 1, b'\\'), (-1, 1, b'/')] {
                let (mut x, mut y) = (2 * i32::from(column) + dx, 2 * i32::from(row) + dy);
                while at(x, y) == part || (at(x, y) == b'X' && dx != 0 && dy != 0) {
                    x += dx;
                    y += dy;
                }
                let joined = (x, y) != (2 * i32::from(column) + dx, 2 * i32::from(row) + dy);
                if let (true, Some(other)) = (joined, number(x, y)) {
                    lines.push((point as u8, other as u8));
                }
            }
        }
        let sandwiches = sandwiches(&places, &lines);
        let columns = (width as u8).div_ceil(2);
        let symmetries: Vec<Vec<u8>> = images(columns)
            .filter_map(|image| {
                let to = |&(c, r): &(u8, u8)| places.iter().position(|&p| p == image(c, r));
                let permutation: Vec<u8> =
                    places.iter().map(|p| Some(to(p)? as u8)).collect::<Option<_>>()?;
                Graph::new(places.len(), &lines, &sandwiches, std::slice::from_ref(&permutation))
                    .is_ok()
                    .then_some(permutation)
            })
            .collect();
        let graph = Graph::new(places.len(), &lines, &sandwiches, &symmetries)?;
        let index = Index::new(&graph);
        let size = 2 * index.kings().len() as u64 * index.size();
        let tiers = vec![Tier { name: "all".to_owned(), size, loops: true }];
        Ok(Board { columns, places, index, tiers })
    }

    /// The number of points.
    #[must_use]
    pub fn points(&self) -> usize {
        self.places.len()
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// The column and row of each point, in reading order.
    #[must_use]
    pub fn places(&self) -> &[(u8, u8)] {
        &self.places
    }

    /// The point at a column and row, if there is one.
    #[must_use]
    pub fn point(&self, column: u8, row: u8) -> Option<u8> {
        self.places.iter().position(|&place| place == (column, row)).map(|point| point as u8)
    }

    /// Lines, sandwiches and symmetries.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        self.index.graph()
    }

    /// The numbering of the positions with brown to move.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The only tier: all positions.
    pub(super) fn tiers(&self) -> &[Tier] {
        &self.tiers
    }
}

/// The neighbours `a`, `b` of a point that lie straight opposite each other.
fn sandwiches(places: &[(u8, u8)], lines: &[(u8, u8)]) -> Vec<[u8; 3]> {
    let joined = |a: u8, b: u8| lines.contains(&(a, b)) || lines.contains(&(b, a));
    let mut found = Vec::new();
    for middle in 0..places.len() as u8 {
        let ends: Vec<u8> = (0..places.len() as u8).filter(|&p| joined(p, middle)).collect();
        for (i, &a) in ends.iter().enumerate() {
            for &b in &ends[i + 1..] {
                let [(ac, ar), (mc, mr), (bc, br)] = [a, middle, b].map(|p| places[usize::from(p)]);
                if ac + bc == 2 * mc && ar + br == 2 * mr {
                    found.push([a, middle, b]);
                }
            }
        }
    }
    found
}

/// The seven ways to turn or mirror a picture; turns by a right angle are tried on square ones only.
fn images(columns: u8) -> impl Iterator<Item = impl Fn(u8, u8) -> (u8, u8)> {
    let (right, bottom) = (columns - 1, ROWS - 1);
    (1..8_u8).filter(move |way| way & 4 == 0 || columns == ROWS).map(move |way| {
        move |column: u8, row: u8| {
            let column = if way & 1 == 0 { column } else { right - column };
            let row = if way & 2 == 0 { row } else { bottom - row };
            if way & 4 == 0 { (column, row) } else { (row, column) }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_the_right_parts() {
        let parts = |board: &Board| {
            let graph = board.graph();
            let parts = [graph.lines().len(), graph.sandwiches().len(), graph.symmetries().len()];
            (board.points(), parts)
        };
        assert_eq!(parts(Board::standard()), (33, [72, 50, 2]));
        assert_eq!(parts(Board::board31()), (31, [59, 41, 2]));
        assert_eq!(parts(Board::board25()), (25, [56, 40, 8]));
    }
}
