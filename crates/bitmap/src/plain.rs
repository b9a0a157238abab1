//! The plain twin of the solver: position by position, forward moves only, no
//! symmetry, no layout. It is slow and short, and tests compare the two bit for
//! bit on small boards.

use crate::graph::Graph;

/// The distances of all positions of a small board.
#[derive(Debug, Clone)]
pub struct Plain {
    points: usize,
    /// For each king point and placement: plies to the pieces' win with the
    /// king's side to move and with the pieces' side to move.
    distances: Vec<[Option<u16>; 2]>,
}

/// The side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The king's side.
    King,
    /// The pieces' side.
    Pieces,
}

impl Plain {
    /// Solves a board of few points: memory and time grow with two to their number.
    #[must_use]
    pub fn solve(graph: &Graph) -> Self {
        let points = graph.points();
        let mut plain = Self { points, distances: vec![[None; 2]; points << points] };
        for ply in 0.. {
            let turn = if ply % 2 == 0 { Turn::King } else { Turn::Pieces };
            let mut found = Vec::new();
            for king in 0..points as u8 {
                for pieces in (0..1_u64 << points).filter(|p| p >> king & 1 == 0) {
                    if plain.distance(king, pieces, turn).is_none()
                        && plain.is_won(graph, king, pieces, turn)
                    {
                        found.push((king, pieces));
                    }
                }
            }
            if found.is_empty() && turn == Turn::Pieces {
                break;
            }
            for (king, pieces) in found {
                let cell = plain.cell(king, pieces);
                plain.distances[cell][turn as usize] = Some(ply);
            }
        }
        plain
    }

    /// Plies to the pieces' win; `None` if the king's side wins.
    #[must_use]
    pub fn distance(&self, king: u8, pieces: u64, turn: Turn) -> Option<u16> {
        self.distances[self.cell(king, pieces)][turn as usize]
    }

    fn cell(&self, king: u8, pieces: u64) -> usize {
        usize::from(king) << self.points | pieces as usize
    }

    fn is_won(&self, graph: &Graph, king: u8, pieces: u64, turn: Turn) -> bool {
        let empty = |point: u8| point != king && pieces >> point & 1 == 0;
        match turn {
            Turn::King => graph.neighbours(king).filter(|&to| empty(to)).all(|to| {
                let left = after_captures(graph, to, pieces);
                self.distance(to, left, Turn::Pieces).is_some()
            }),
            Turn::Pieces => graph.lines().iter().any(|&(a, b)| {
                let moves = |from: u8, to: u8| {
                    pieces >> from & 1 == 1 && empty(to) && {
                        let moved = pieces & !(1 << from) | 1 << to;
                        self.distance(king, moved, Turn::King).is_some()
                    }
                };
                moves(a, b) || moves(b, a)
            }),
        }
    }
}

/// The pieces that are left when the king arrives at a point.
#[must_use]
pub fn after_captures(graph: &Graph, king: u8, pieces: u64) -> u64 {
    graph.sandwiches_around(king).fold(pieces, |left, (a, b)| {
        let pair = 1 << a | 1 << b;
        if pieces & pair == pair { left & !pair } else { left }
    })
}
