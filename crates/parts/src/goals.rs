//! Goals: sets of points that win when all men of a side stand on one of them.

use crate::{Board, points};
use kanzen_index::Subsets;

/// Goals of equal size on a board of at most 26 points, with what steps along its lines lead to one.
///
/// ```
/// use kanzen_parts::{Board, Goals};
/// let goals = Goals::new(&Board::net(3, 1), &[0b011]);
/// assert!(goals.has(0b011) && !goals.has(0b110));
/// assert_eq!(goals.by_step(0b101), 0b010, "the third man steps to the middle");
/// ```
#[derive(Clone, Debug)]
pub struct Goals {
    sets: Subsets<u16>,
    /// For each set of men the points where a step makes a goal of them; all for a goal.
    ways: Vec<u32>,
}

/// The men stand on a goal.
const MADE: u32 = u32::MAX;

impl Goals {
    /// These goals.
    ///
    /// # Panics
    /// If there are none, or more than 65,535 sets of as many points.
    pub fn new(board: &Board, goals: &[u32]) -> Goals {
        let sets: Subsets<u16> = Subsets::new(board.points() as u32, goals[0].count_ones());
        let mut ways = vec![0; sets.count() as usize];
        for &goal in goals {
            for to in points(goal) {
                for from in points(board.near(to) & !goal) {
                    ways[sets.rank(goal ^ 1 << to ^ 1 << from) as usize] |= 1 << to;
                }
            }
        }
        goals.iter().for_each(|&goal| ways[sets.rank(goal) as usize] = MADE);
        Goals { sets, ways }
    }

    /// The number of points of a goal.
    pub fn size(&self) -> u32 {
        self.sets.size()
    }

    /// Whether these men, any number of them, stand on a goal.
    #[inline]
    pub fn has(&self, men: u32) -> bool {
        men.count_ones() == self.size() && self.by_step(men) == MADE
    }

    /// The points where a step makes a goal of men that are as many as its points; points with a man
    /// may be among them.
    #[inline]
    pub fn by_step(&self, men: u32) -> u32 {
        self.ways[self.sets.rank(men) as usize]
    }

    /// Whether one more man on one of the free points makes a goal.
    #[inline]
    pub fn by_put(&self, men: u32, free: u32) -> bool {
        men.count_ones() + 1 == self.size() && points(free).any(|to| self.has(men | 1 << to))
    }
}
