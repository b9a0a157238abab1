//! The board of a small game: points with names and places, lines between them, symmetries.

use crate::symmetry::{closure, isometries};
use crate::{OUTSIDE, Position, points};
use kanzen_core::{Spot, SpotShape};
use kanzen_index::Group;

/// Up to 32 points.
///
/// The symmetries are found by themselves: all maps that keep distances and lines. A game in which
/// not all of them count says so by [`keeping`](Board::keeping).
///
/// ```
/// use kanzen_parts::Board;
/// assert_eq!(Board::grid(3, 3).group().order(), 8);
/// let pawns = Board::grid(3, 4).keeping(|from, to| from / 3 == to / 3);
/// assert_eq!(pawns.group().order(), 2, "pawns know up from down");
/// assert_eq!(Board::ring(8).group().order(), 16);
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    /// The points, then the places outside.
    spots: Vec<Spot>,
    points: usize,
    edges: Vec<(usize, usize)>,
    near: Vec<u32>,
    row: usize,
    stacks: bool,
    symmetries: Vec<Vec<usize>>,
    group: Group,
}

impl Board {
    fn new(spots: Vec<Spot>, edges: Vec<(usize, usize)>, row: usize) -> Board {
        let places: Vec<(f64, f64)> =
            spots.iter().map(|spot| (spot.x.into(), spot.y.into())).collect();
        let symmetries = isometries(&places, &edges);
        let group = Group::new(&symmetries);
        let mut near = vec![0; spots.len()];
        for &(a, b) in &edges {
            near[a] |= 1 << b;
            near[b] |= 1 << a;
        }
        Board { points: spots.len(), spots, edges, near, row, stacks: false, symmetries, group }
    }

    /// Square cells, row by row from the top left: `a1`, `b1`, …
    pub fn grid(columns: u8, rows: u8) -> Board {
        let spots = kanzen_core::Drawing::cells(columns, rows).spots;
        Board::new(spots, Vec::new(), columns.into())
    }

    /// Points with lines to all neighbours, also diagonally, row by row from the top left. The rows
    /// are numbered from the bottom: `a5`, `b5`, … on a board of five rows.
    ///
    /// ```
    /// let board = kanzen_parts::Board::net(5, 5);
    /// assert_eq!((board.name(0), board.near(0)), ("a5", 0b1100010));
    /// assert_eq!(board.group().order(), 8);
    /// ```
    pub fn net(columns: u8, rows: u8) -> Board {
        let grid = Board::grid(columns, rows);
        let ahead = grid.toward(&[(1, 0), (-1, 1), (0, 1), (1, 1)]);
        let edges = ahead.iter().enumerate();
        let edges = edges.flat_map(|(from, &to)| points(to).map(move |to| (from, to.into())));
        let spot = |point: u8| {
            let (column, row) = (point % columns, point / columns);
            let name = format!("{}{}", char::from(b'a' + column), rows - row);
            Spot::new(column.into(), row.into(), SpotShape::Point, name)
        };
        Board::new((0..columns * rows).map(spot).collect(), edges.collect(), columns.into())
    }

    /// Columns in which pieces stand on one another, each from the bottom: `a1`, `a2`, … The only
    /// symmetry is the mirror image.
    pub fn stacks(columns: u8, height: u8) -> Board {
        let spot = |column: u8, level: u8| {
            let name = format!("{}{}", char::from(b'a' + column), level + 1);
            Spot::new(column.into(), (height - 1 - level).into(), SpotShape::Cell, name)
        };
        let cells =
            (0..columns).flat_map(|column| (0..height).map(move |level| spot(column, level)));
        let board = Board::new(cells.collect(), Vec::new(), height.into());
        let height = usize::from(height);
        Board { stacks: true, ..board.keeping(|from, to| from % height == to % height) }
    }

    /// Points at these places, with these lines between them. They are named by their numbers.
    pub fn graph(points: &[(f32, f32)], edges: &[(usize, usize)]) -> Board {
        let points = points.iter().enumerate();
        let spots = points.map(|(name, &(x, y))| Spot::new(x, y, SpotShape::Point, name));
        Board::new(spots.collect(), edges.to_vec(), usize::MAX)
    }

    /// A regular polygon of points, clockwise from the top, and last its centre: neighbours are
    /// joined, and all are joined to the centre.
    pub fn ring(corners: usize) -> Board {
        let radius = corners as f32 / 4.0;
        let place = |corner: usize| {
            let angle = std::f32::consts::TAU * corner as f32 / corners as f32;
            // Rounded, so that upright lines are drawn upright.
            [angle.sin(), -angle.cos()].map(|at| ((1.0 + at) * radius * 1e3).round() / 1e3).into()
        };
        let points: Vec<_> = (0..corners).map(place).chain([(radius, radius)]).collect();
        let edges: Vec<_> = (0..corners)
            .flat_map(|corner| [(corner, (corner + 1) % corners), (corner, corners)])
            .collect();
        Board::graph(&points, &edges)
    }

    /// The same board with points named by these letters.
    pub fn named(mut self, letters: &str) -> Board {
        for (spot, letter) in self.spots.iter_mut().zip(letters.chars()) {
            spot.name = letter.to_string();
        }
        self
    }

    /// The same board written without `/`.
    pub fn unbroken(self) -> Board {
        Board { row: usize::MAX, ..self }
    }

    /// The same board with these places outside, for pieces that leave it.
    pub fn outside(mut self, places: &[(f32, f32)]) -> Board {
        let spot = |&(x, y): &(f32, f32)| Spot::new(x, y, SpotShape::Outside, "off");
        self.spots.extend(places.iter().map(spot));
        let left = self.spots.iter().map(|spot| spot.x).fold(0.0, f32::min);
        let top = self.spots.iter().map(|spot| spot.y).fold(0.0, f32::min);
        for spot in &mut self.spots {
            (spot.x, spot.y) = (spot.x - left, spot.y - top);
        }
        self
    }

    /// The same board, but only with symmetries that take every point to one where `keep` allows it.
    pub fn keeping(mut self, keep: impl Fn(usize, usize) -> bool) -> Board {
        self.symmetries.retain(|image| image.iter().enumerate().all(|(from, &to)| keep(from, to)));
        self.group = Group::new(&self.symmetries);
        self
    }

    /// The same board with one more symmetry, and all that come with it.
    pub fn also(mut self, image: impl Fn(usize) -> usize) -> Board {
        self.symmetries.push((0..self.points).map(image).collect());
        self.symmetries = closure(&self.symmetries);
        self.group = Group::new(&self.symmetries);
        self
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// All points without a piece.
    #[inline]
    pub fn free(&self, position: &Position) -> u32 {
        !position.all() & (u64::MAX >> (64 - self.points)) as u32
    }

    /// The points that a line joins to a point.
    #[inline]
    pub fn near(&self, point: u8) -> u32 {
        self.near[usize::from(point)]
    }

    /// For each point, those that one of these steps right and down leads to.
    ///
    /// ```
    /// let ahead = kanzen_parts::Board::grid(2, 2).toward(&[(0, -1), (1, -1)]);
    /// assert_eq!(ahead, [0, 0, 0b11, 0b10]);
    /// ```
    pub fn toward(&self, steps: &[(i8, i8)]) -> Vec<u32> {
        let spots = &self.spots[..self.points];
        let is_step = |from: &Spot, to: &Spot| {
            steps.iter().any(|&(right, down)| {
                (to.x, to.y) == (from.x + f32::from(right), from.y + f32::from(down))
            })
        };
        let reached = |from| {
            let numbered = spots.iter().enumerate();
            numbered.filter(|(_, to)| is_step(from, to)).fold(0, |set, (at, _)| set | 1 << at)
        };
        spots.iter().map(reached).collect()
    }

    /// The symmetries.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The symmetries as permutations: where each takes the points.
    pub(crate) fn symmetries(&self) -> &[Vec<usize>] {
        &self.symmetries
    }

    /// The length of the rows (of the columns, where pieces stand on one another).
    pub(crate) fn row(&self) -> usize {
        self.row
    }

    /// Whether pieces stand on one another.
    pub(crate) fn is_stacks(&self) -> bool {
        self.stacks
    }

    /// The lines of the drawing.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// The spots of the drawing.
    pub(crate) fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// The spot of the drawing for a point, or for a place outside.
    pub(crate) fn spot(&self, point: u8) -> usize {
        match point.checked_sub(OUTSIDE) {
            Some(place) => self.points + usize::from(place),
            None => point.into(),
        }
    }

    /// The name of a point.
    pub fn name(&self, point: u8) -> &str {
        self.spots.get(self.spot(point)).map_or("", |spot| &spot.name)
    }
}
