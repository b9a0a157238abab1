//! Searching a solved game for remarkable positions.

use crate::Solved;
use kanzen_core::Value;
use kanzen_index::{Indexed, Place, with_fast_bits};
use kanzen_solve::Progress;
use kanzen_table::TableError;
use rayon::prelude::*;

/// Positions that share what was looked for.
#[derive(Clone, Debug)]
pub struct Found<P> {
    /// How many there are, up to symmetry.
    pub count: u64,
    /// The first of them in the order of the index.
    pub examples: Vec<P>,
}

impl<P> Default for Found<P> {
    fn default() -> Found<P> {
        Found { count: 0, examples: Vec::new() }
    }
}

/// Positions with the most legal moves.
#[derive(Clone, Debug)]
pub struct Branching<P> {
    /// The number of moves.
    pub moves: u64,
    /// The positions.
    pub positions: Found<P>,
}

impl<G: Indexed> Solved<G> {
    /// The positions of a tier with a given value; at most `keep` are returned.
    pub fn with_value(
        &self,
        tier: usize,
        wanted: Value,
        keep: usize,
    ) -> Result<Found<G::Position>, TableError> {
        let codes = &self.codes()?[tier];
        let wanted = wanted.code();
        let indices = (0..).zip(codes).filter(|&(_, &code)| code == wanted).map(|(index, _)| index);
        let mut found = Found::default();
        self.game().positions(tier, indices, |_, position| {
            found.count += 1;
            if found.examples.len() < keep {
                found.examples.push(position);
            }
        });
        Ok(found)
    }

    /// The positions of a tier with the most legal moves; at most `keep` are returned.
    pub fn most_moves(
        &self,
        tier: usize,
        keep: usize,
        progress: &dyn Progress,
    ) -> Branching<G::Position> {
        const CHUNK: u64 = 4096;
        let game = self.game();
        let size = game.tiers()[tier].size;
        let empty = || Branching { moves: 0, positions: Found::default() };
        progress.begin("counting moves", size);
        let best = (0..size.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut best = empty();
                let range = chunk * CHUNK..size.min((chunk + 1) * CHUNK);
                progress.advance(range.end - range.start);
                with_fast_bits(|| {
                    for index in range {
                        let Some(position) = game.position(Place { tier, index }) else {
                            continue;
                        };
                        let mut moves = 0;
                        game.moves(&position, |_| moves += 1);
                        best = more(
                            std::mem::replace(&mut best, empty()),
                            Branching {
                                moves,
                                positions: Found { count: 1, examples: vec![position] },
                            },
                            keep,
                        );
                    }
                });
                best
            })
            .reduce(empty, |a, b| more(a, b, keep));
        progress.end();
        best
    }
}

/// The one with more moves, or both together if they have as many.
fn more<P>(mut a: Branching<P>, b: Branching<P>, keep: usize) -> Branching<P> {
    match a.moves.cmp(&b.moves) {
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Equal => {
            a.positions.count += b.positions.count;
            a.positions.examples.extend(b.positions.examples);
            a.positions.examples.truncate(keep);
            a
        }
    }
}
