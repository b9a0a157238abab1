//! The plain twin: every meaning of best play, straight from its definition,
//! for every open board, with no pruning and no symmetry.

use std::collections::HashMap;

use kanzen_threerow::{Board, Shape};

/// The value of a board under every meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Values {
    /// The player who can force a win, or 0.
    pub(crate) forced: u8,
    /// Whether each player can avoid a loss.
    pub(crate) safe: [bool; 3],
    /// The winner under each tie-break: bit p - 1 of its number is set where
    /// player p prefers the second player after it to the next.
    pub(crate) max_n: [u8; 8],
    /// Bit w for each winner w of an equilibrium.
    pub(crate) equilibria: u8,
}

impl Values {
    fn over(winner: u8) -> Values {
        Values {
            forced: winner,
            safe: [1, 2, 3].map(|player| winner == 0 || winner == player),
            max_n: [winner; 8],
            equilibria: 1 << winner,
        }
    }
}

/// All open boards of a shape.
pub(crate) struct Plain {
    shape: Shape,
    lines: Vec<u64>,
    values: HashMap<[u64; 3], Values>,
}

impl Plain {
    pub(crate) fn new(shape: Shape) -> Plain {
        Plain { shape, lines: shape.lines(), values: HashMap::new() }
    }

    /// Evaluates every open board.
    pub(crate) fn explore(&mut self) {
        self.value(Board::empty(self.shape).sets(), 0);
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = (&[u64; 3], &Values)> {
        self.values.iter()
    }

    fn value(&mut self, sets: [u64; 3], plies: u32) -> Values {
        if plies > 0 {
            let last = (plies - 1) as usize % 3;
            if self.lines.iter().any(|line| sets[last] & line == *line) {
                return Values::over(last as u8 + 1);
            }
        }
        if let Some(values) = self.values.get(&sets) {
            return *values;
        }
        let mover = plies as usize % 3;
        let own = mover as u8 + 1;
        let mut moves = Vec::new();
        for cell in 0..self.shape.cells() {
            if (sets[0] | sets[1] | sets[2]) >> cell & 1 == 0 {
                let mut child = sets;
                child[mover] |= 1 << cell;
                moves.push(self.value(child, plies + 1));
            }
        }
        let values = if moves.is_empty() { Values::over(0) } else { Plain::best(own, &moves) };
        self.values.insert(sets, values);
        values
    }

    fn best(own: u8, moves: &[Values]) -> Values {
        let first = moves[0].forced;
        let forced = if moves.iter().any(|child| child.forced == own) {
            own
        } else if moves.iter().all(|child| child.forced == first) {
            first
        } else {
            0
        };
        let safe = std::array::from_fn(|player| {
            let mut answers = moves.iter().map(|child| child.safe[player]);
            if player as u8 + 1 == own {
                answers.any(|safe| safe)
            } else {
                answers.all(|safe| safe)
            }
        });
        let max_n = std::array::from_fn(|number| {
            let (next, third) = (own % 3 + 1, (own + 1) % 3 + 1);
            let order = if number >> (own - 1) & 1 == 0 {
                [own, 0, next, third]
            } else {
                [own, 0, third, next]
            };
            let liked = order
                .into_iter()
                .find(|winner| moves.iter().any(|child| child.max_n[number] == *winner));
            liked.unwrap()
        });
        let worth = |winner: u8| {
            if winner == own { 2 } else { i32::from(winner == 0) }
        };
        let members = |set: u8| (0..4).filter(move |winner| set >> winner & 1 == 1);
        let floor = moves
            .iter()
            .map(|child| members(child.equilibria).map(worth).min().unwrap())
            .max()
            .unwrap();
        let all = moves.iter().fold(0, |set, child| set | child.equilibria);
        let equilibria =
            members(all).filter(|winner| worth(*winner) >= floor).map(|winner| 1 << winner).sum();
        Values { forced, safe, max_n, equilibria }
    }
}
