//! Counting boards and states.
//!
//! A state that some move leads to is a board with nothing barred, if a piece of the opponent has
//! an empty cell beside it from which it may have come; or a board with one of its moves that can
//! be undone barred, since the undone move leads back. States of boards on which the mover wins at
//! once are trivial: the literature does not count them.

use super::board::{Board, Direction};
use super::look::Look;
use super::tiers::Tier;
use super::undo;
use super::word::Facts;
use kanzen_index::{Work, run_with_fast_bits};
use rayon::prelude::*;

/// The plies of a value: 0 is a draw.
pub const VALUES: usize = 256;

/// The boards and states of a tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// Boards up to symmetry, by their best value.
    pub boards: Vec<u64>,
    /// Non-trivial states up to symmetry, by their value.
    pub states: Vec<u64>,
    /// The boards with a single best move that can be barred, by the value without it.
    pub second: Vec<u64>,
    /// Those boards, by that move; the first counts all others that are not won at once.
    pub moves: Vec<u64>,
}

impl Default for Census {
    fn default() -> Census {
        let zeros = || vec![0; VALUES];
        Census { boards: zeros(), states: zeros(), second: zeros(), moves: zeros() }
    }
}

impl Census {
    /// Counts a solved tier. Without a `bar` a board has one state.
    #[must_use]
    pub fn of<F>(tier: &Tier, facts: &[F], bar: bool) -> Census
    where
        F: Copy + Into<Facts> + Sync,
    {
        let count = |census: Census, block: u32| {
            run_with_fast_bits(Count { census, tier, facts, bar, block })
        };
        let blocks = (0..tier.blocks()).into_par_iter();
        let blocks = blocks.with_min_len((tier.blocks() as usize / 256).max(1));
        blocks.fold(Census::default, count).reduce(Census::default, Census::sum)
    }

    #[inline(always)]
    fn add(&mut self, board: &Board, facts: Facts, bar: bool) {
        self.boards[usize::from(facts.best())] += 1;
        if facts.best() == 1 {
            return;
        }
        let (free, barred) = states(board, bar);
        let single = u64::from(facts.best_move() != 0);
        self.states[usize::from(facts.best())] += u64::from(free) + barred - single;
        self.states[usize::from(facts.second())] += single;
        self.second[usize::from(facts.second())] += single;
        self.moves[usize::from(facts.best_move())] += 1;
    }

    /// Both together.
    #[must_use]
    pub fn sum(mut self, other: Census) -> Census {
        let pairs = [
            (&mut self.boards, &other.boards),
            (&mut self.states, &other.states),
            (&mut self.second, &other.second),
            (&mut self.moves, &other.moves),
        ];
        for (sum, more) in pairs {
            sum.iter_mut().zip(more).for_each(|(sum, n)| *sum += n);
        }
        self
    }
}

/// The counting of a block.
struct Count<'a, F> {
    census: Census,
    tier: &'a Tier,
    facts: &'a [F],
    bar: bool,
    block: u32,
}

impl<F: Copy + Into<Facts>> Work for Count<'_, F> {
    type Output = Census;

    #[inline(always)]
    fn run<const ISA: usize>(mut self) -> Census {
        for (number, board) in self.tier.boards(self.block) {
            self.census.add(&board, self.facts[number as usize].into(), self.bar);
        }
        self.census
    }
}

/// Whether some move leads to a board with nothing barred on it, and the number of its states with
/// a barred move, up to symmetry. With three pieces or more a side, no board that goes on can arise
/// only by a piece that left on its own.
#[inline(always)]
#[must_use]
pub fn states(board: &Board, bar: bool) -> (bool, u64) {
    let empty = board.empty();
    let beside = Direction::ALL.iter().fold(0, |set, direction| set | direction.shift(empty));
    let came = beside & board.theirs != 0;
    if !bar {
        return (came || beside >> board.hole & 1 == 1, 0);
    }
    let look = Look::at(board);
    let count = match board.stabiliser().nth(1) {
        None => look.barrable_count().into(),
        Some(_) => {
            let mut orbits: Vec<u8> = look
                .barrable(board)
                .filter_map(|mv| board.stabiliser().map(|s| undo::number(board, mv.image(s))).min())
                .collect();
            orbits.sort_unstable();
            orbits.dedup();
            orbits.len() as u64
        }
    };
    (came, count)
}

/// The number of boards of a part by the hole of their representative: the paper's first table.
#[must_use]
pub fn boards_by_hole(tier: &Tier) -> Vec<(u32, u32, u8, u64)> {
    let mut counts: Vec<(u32, u32, u8, u64)> = Vec::new();
    for part in &tier.parts {
        let index = &part.index;
        for row in (0..index.rows().count()).map(|row| index.rows().row(row)) {
            let columns = index.ranks().count();
            let boards = match row.is_plain() {
                true => columns.into(),
                false => {
                    (0..columns).filter(|&rank| index.board_in(row, rank).is_some()).count() as u64
                }
            };
            match counts.last_mut() {
                Some((mine, _, hole, count)) if (*mine, *hole) == (index.mine(), row.hole) => {
                    *count += boards;
                }
                _ => counts.push((index.mine(), index.theirs(), row.hole, boards)),
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::engine::solve_in_memory;
    use super::super::rules::{Ostle, State, Undo};
    use super::*;
    use kanzen_core::{Game, Next};
    use std::collections::BTreeSet;

    /// Against a walk over all moves of all boards.
    #[test]
    fn states_are_what_moves_lead_to() {
        let game = Ostle::new(2, 4, Undo::Exact);
        let space = game.space();
        let mut reached = BTreeSet::new();
        for tier in space.tiers.all() {
            for board in (0..tier.size()).filter_map(|number| tier.board(number)) {
                game.successors(&State::free(board), |next| {
                    if let Next::Position(state) = next {
                        reached.insert(space.place(&state));
                    }
                });
            }
        }
        let solved = solve_in_memory(&space.tiers, true).unwrap();
        for (number, (tier, facts)) in space.tiers.all().iter().zip(&solved).enumerate() {
            let mut expected = vec![0; VALUES];
            let own = reached.iter().filter(|place| place.0 == number);
            for &(_, at, barred) in own {
                let facts = facts[at as usize];
                if facts.best() != 1 {
                    expected[usize::from(facts.value(barred))] += 1;
                }
            }
            assert_eq!(Census::of(tier, facts, true).states, expected, "{}", tier.name());
        }
    }
}
