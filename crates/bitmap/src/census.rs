//! The result by number of pieces and distance.

use crate::graph::Graph;

/// The positions with some number of pieces, up to symmetry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// The number of pieces beside the king.
    pub pieces: usize,
    /// Won by the king's side, king's side to move.
    pub king_wins_king_to_move: u64,
    /// Won by the king's side, pieces' side to move.
    pub king_wins_pieces_to_move: u64,
    /// Won by the pieces' side, entry `d` in `d` plies: even with the king's
    /// side to move, odd with the pieces' side to move.
    pub pieces_win: Vec<u64>,
}

/// The number of positions by number of pieces and distance, up to symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// For each king's map the number of positions by number of pieces.
    maps: Vec<Vec<u64>>,
    positions: Vec<u64>,
    /// For each distance the number of positions by number of pieces.
    by_distance: Vec<Vec<u64>>,
    /// For each round the number of positions found won, by the king's map.
    won_by_map: Vec<Vec<u64>>,
}

impl Census {
    pub(crate) fn new(graph: &Graph) -> Self {
        let maps = positions_by_map(graph);
        let sum = |pieces: usize| maps.iter().map(|counts| counts[pieces]).sum();
        let positions = (0..graph.points()).map(sum).collect();
        Self { maps, positions, by_distance: Vec::new(), won_by_map: Vec::new() }
    }

    /// Records the positions of the next two distances, by number of pieces,
    /// and those of the second by the king's map.
    pub(crate) fn push(&mut self, lost: Vec<u64>, won: Vec<u64>, won_by_map: Vec<u64>) {
        for mut counts in [lost, won] {
            counts.resize(self.positions.len(), 0);
            self.by_distance.push(counts);
        }
        self.won_by_map.push(won_by_map);
    }

    /// What was [pushed](Self::push), round by round.
    pub(crate) fn rounds(&self) -> impl Iterator<Item = [&Vec<u64>; 3]> {
        let (pairs, _) = self.by_distance.as_chunks::<2>();
        pairs.iter().zip(&self.won_by_map).map(|([lost, won], by_map)| [lost, won, by_map])
    }

    /// The number of positions up to symmetry in the map of a king number, with
    /// either side to move.
    #[must_use]
    pub fn positions_in_map(&self, king: usize) -> u64 {
        self.maps.get(king).map_or(0, |counts| counts.iter().sum())
    }

    /// The number of positions in the map of a king number that were found won
    /// by the pieces' side, if it is to move, in each round: in `2 r + 1` plies.
    pub fn won_in_map(&self, king: usize) -> impl Iterator<Item = u64> + '_ {
        self.won_by_map.iter().map(move |counts| counts.get(king).copied().unwrap_or(0))
    }

    /// The number of positions up to symmetry with either side to move, by
    /// number of pieces. Both sides together have twice as many.
    #[must_use]
    pub fn positions(&self) -> &[u64] {
        &self.positions
    }

    /// The number of positions at a distance, whatever the number of pieces.
    #[must_use]
    pub fn at_distance(&self, distance: usize) -> u64 {
        self.by_distance.get(distance).map_or(0, |counts| counts.iter().sum())
    }

    /// The longest distance with any position.
    #[must_use]
    pub fn longest(&self) -> Option<usize> {
        (0..self.by_distance.len()).rev().find(|&d| self.at_distance(d) > 0)
    }

    /// A row for each number of pieces; all have columns up to the longest
    /// distance.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let columns = self.longest().map_or(0, |d| d + 1);
        let row = |pieces: usize, positions: u64| {
            let wins: Vec<u64> = self.by_distance[..columns].iter().map(|c| c[pieces]).collect();
            Row {
                pieces,
                king_wins_king_to_move: positions - wins.iter().step_by(2).sum::<u64>(),
                king_wins_pieces_to_move: positions - wins.iter().skip(1).step_by(2).sum::<u64>(),
                pieces_win: wins,
            }
        };
        self.positions.iter().enumerate().map(|(n, &positions)| row(n, positions)).collect()
    }
}

/// The number of placements up to symmetry of some pieces beside each king that
/// has a map, by number of pieces.
fn positions_by_map(graph: &Graph) -> Vec<Vec<u64>> {
    let minima = graph.orbit_minima();
    let kings = (0..graph.points()).filter(|&king| usize::from(minima[king]) == king);
    kings
        .map(|king| {
            let stabiliser: Vec<_> =
                graph.symmetries().iter().filter(|g| usize::from(g[king]) == king).collect();
            let mut fixed = vec![0_u64; graph.points()];
            for g in &stabiliser {
                let counts = fixed_placements(g, king);
                fixed.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
            }
            fixed.iter().map(|n| n / stabiliser.len() as u64).collect()
        })
        .collect()
}

/// The number of placements beside the king that a symmetry maps to themselves:
/// a cycle of points is occupied or empty as a whole.
fn fixed_placements(symmetry: &[u8], king: usize) -> Vec<u64> {
    let mut counts = vec![0; symmetry.len()];
    counts[0] = 1;
    let mut seen = vec![false; symmetry.len()];
    seen[king] = true;
    for start in 0..symmetry.len() {
        let mut length = 0;
        let mut point = start;
        while !seen[point] {
            seen[point] = true;
            length += 1;
            point = usize::from(symmetry[point]);
        }
        if length > 0 {
            for n in (length..counts.len()).rev() {
                counts[n] += counts[n - length];
            }
        }
    }
    counts
}
