//! The board: points, the lines pieces move along, the sandwiches in which
//! pieces are captured, and the symmetries that change nothing.

/// The most points a board may have.
pub const MAX_POINTS: usize = 40;

/// What is wrong with a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// There are no points, or too many.
    #[error("a board has 1 to {MAX_POINTS} points, not {0}")]
    Points(usize),
    /// A line or a sandwich names a point that is not there.
    #[error("point {point} does not exist: the board has {points} points")]
    NoSuchPoint {
        /// The point named.
        point: u8,
        /// How many points there are.
        points: usize,
    },
    /// A line joins a point to itself, or is given twice.
    #[error("line {0}-{1} is a loop or given twice")]
    Line(u8, u8),
    /// An end of a sandwich is not joined to its middle, or the same end is
    /// part of two sandwiches around the same middle.
    #[error("sandwich {0}-{1}-{2}: an end is not joined to the middle, or used twice")]
    Sandwich(u8, u8, u8),
    /// A symmetry is not a permutation of the points that maps lines to lines
    /// and sandwiches to sandwiches.
    #[error("symmetry number {0} does not map the board onto itself")]
    Symmetry(usize),
}

/// A permutation of the points: entry `p` is where point `p` goes.
pub type Permutation = Vec<u8>;

/// A checked board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    points: usize,
    lines: Vec<(u8, u8)>,
    sandwiches: Vec<[u8; 3]>,
    symmetries: Vec<Permutation>,
}

impl Graph {
    /// A board from its lines, its sandwiches `[end, middle, end]`, and some
    /// symmetries, which are completed to a group.
    ///
    /// # Errors
    /// Says which part of the description contradicts itself.
    pub fn new(
        points: usize,
        lines: &[(u8, u8)],
        sandwiches: &[[u8; 3]],
        generators: &[Permutation],
    ) -> Result<Self, GraphError> {
        if points == 0 || points > MAX_POINTS {
            return Err(GraphError::Points(points));
        }
        let named =
            lines.iter().flat_map(|&(a, b)| [a, b]).chain(sandwiches.iter().flatten().copied());
        for point in named {
            if usize::from(point) >= points {
                return Err(GraphError::NoSuchPoint { point, points });
            }
        }
        let mut sorted: Vec<_> = lines.iter().map(|&(a, b)| ordered(a, b)).collect();
        sorted.sort_unstable();
        for (i, &(a, b)) in sorted.iter().enumerate() {
            if a == b || sorted.get(i + 1) == Some(&(a, b)) {
                return Err(GraphError::Line(a, b));
            }
        }
        let mut bread: Vec<_> = sandwiches.iter().map(|&s| ordered_sandwich(s)).collect();
        bread.sort_unstable();
        for (i, &[a, m, b]) in bread.iter().enumerate() {
            let joined = |end| sorted.binary_search(&ordered(end, m)).is_ok();
            let used = |end| {
                let mut others = bread.iter().enumerate().filter(|&(j, _)| j != i);
                others.any(|(_, o)| o[1] == m && (o[0] == end || o[2] == end))
            };
            if a == b || !joined(a) || !joined(b) || used(a) || used(b) {
                return Err(GraphError::Sandwich(a, m, b));
            }
        }
        let mut graph = Self { points, lines: sorted, sandwiches: bread, symmetries: Vec::new() };
        for (i, g) in generators.iter().enumerate() {
            if !graph.is_symmetry(g) {
                return Err(GraphError::Symmetry(i));
            }
        }
        graph.symmetries = generate_group(points, generators);
        Ok(graph)
    }

    fn is_symmetry(&self, g: &[u8]) -> bool {
        let mut image = g.to_vec();
        image.sort_unstable();
        if image.len() != self.points || image.iter().enumerate().any(|(i, &p)| i != usize::from(p))
        {
            return false;
        }
        let to = |p: u8| g[usize::from(p)];
        self.lines.iter().all(|&(a, b)| self.lines.binary_search(&ordered(to(a), to(b))).is_ok())
            && self.sandwiches.iter().all(|&[a, m, b]| {
                let s = ordered_sandwich([to(a), to(m), to(b)]);
                self.sandwiches.binary_search(&s).is_ok()
            })
    }

    /// How many points there are.
    #[must_use]
    pub fn points(&self) -> usize {
        self.points
    }

    /// The lines, each with its smaller end first, sorted.
    #[must_use]
    pub fn lines(&self) -> &[(u8, u8)] {
        &self.lines
    }

    /// The sandwiches `[end, middle, end]`, sorted, the smaller end first.
    #[must_use]
    pub fn sandwiches(&self) -> &[[u8; 3]] {
        &self.sandwiches
    }

    /// The symmetry group; the identity comes first.
    #[must_use]
    pub fn symmetries(&self) -> &[Permutation] {
        &self.symmetries
    }

    /// The points joined to `point` by a line, in rising order.
    pub fn neighbours(&self, point: u8) -> impl Iterator<Item = u8> + '_ {
        let mut found: Vec<u8> = self
            .lines
            .iter()
            .filter_map(|&(a, b)| {
                if a == point {
                    Some(b)
                } else if b == point {
                    Some(a)
                } else {
                    None
                }
            })
            .collect();
        found.sort_unstable();
        found.into_iter()
    }

    /// The two ends of every sandwich around `middle`.
    pub fn sandwiches_around(&self, middle: u8) -> impl Iterator<Item = (u8, u8)> + '_ {
        self.sandwiches.iter().filter(move |s| s[1] == middle).map(|s| (s[0], s[2]))
    }

    /// For each point the smallest point a symmetry maps it to.
    #[must_use]
    pub fn orbit_minima(&self) -> Vec<u8> {
        (0..self.points)
            .map(|p| self.symmetries.iter().map(|g| g[p]).min().unwrap_or(p as u8))
            .collect()
    }
}

fn ordered(a: u8, b: u8) -> (u8, u8) {
    (a.min(b), a.max(b))
}

fn ordered_sandwich([a, m, b]: [u8; 3]) -> [u8; 3] {
    [a.min(b), m, a.max(b)]
}

fn generate_group(points: usize, generators: &[Permutation]) -> Vec<Permutation> {
    let identity: Permutation = (0..points as u8).collect();
    let mut group = vec![identity];
    let mut next = 0;
    while next < group.len() {
        for g in generators {
            let product: Permutation = group[next].iter().map(|&p| g[usize::from(p)]).collect();
            if !group.contains(&product) {
                group.push(product);
            }
        }
        next += 1;
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completes_the_group() {
        let square = [(0, 1), (1, 2), (2, 3), (3, 0)];
        let turn = vec![1, 2, 3, 0];
        let mirror = vec![1, 0, 3, 2];
        let graph = Graph::new(4, &square, &[], &[turn, mirror]).unwrap();
        assert_eq!(graph.symmetries().len(), 8);
        assert_eq!(graph.orbit_minima(), [0, 0, 0, 0]);
    }

    #[test]
    fn refuses_nonsense() {
        let new = |lines: &[(u8, u8)], s: &[[u8; 3]], g: &[Permutation]| Graph::new(3, lines, s, g);
        assert_eq!(Graph::new(0, &[], &[], &[]), Err(GraphError::Points(0)));
        assert_eq!(new(&[(0, 3)], &[], &[]), Err(GraphError::NoSuchPoint { point: 3, points: 3 }));
        assert_eq!(new(&[(1, 1)], &[], &[]), Err(GraphError::Line(1, 1)));
        assert_eq!(new(&[(0, 1), (1, 0)], &[], &[]), Err(GraphError::Line(0, 1)));
        assert_eq!(new(&[(0, 1)], &[[0, 1, 2]], &[]), Err(GraphError::Sandwich(0, 1, 2)));
        assert_eq!(new(&[(0, 1)], &[], &[vec![2, 1, 0]]), Err(GraphError::Symmetry(0)));
        assert_eq!(new(&[(0, 1)], &[], &[vec![1, 1, 2]]), Err(GraphError::Symmetry(0)));
    }
}
