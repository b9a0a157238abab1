//! The games of lines: men are put on points in turn, then moved; who fills a line wins.

use super::prelude::*;

/// The rules of such a game.
#[derive(Clone, Debug)]
pub struct Morris {
    /// The men of each player.
    pub men: u32,
    /// The lines that win.
    pub lines: Vec<u32>,
    /// Whether men go to any empty point; along the lines of the board if not.
    pub flies: bool,
    /// Jumps over a man: from, over and to.
    pub jumps: Vec<[u8; 3]>,
    /// The points on which no man may be put.
    pub closed: u32,
    /// Whether a player who cannot move passes; he loses if not.
    pub passes: bool,
}

impl Morris {
    /// Three men each, moved along the lines of a board.
    pub fn new(lines: Vec<u32>) -> Morris {
        Morris { men: 3, lines, flies: false, jumps: Vec::new(), closed: 0, passes: false }
    }
}

/// Three by three points, with lines between neighbours in rows and columns, and these lines.
pub fn square(diagonals: &[(usize, usize)]) -> Board {
    let places: Vec<(f32, f32)> = (0..9u8).map(|p| ((p % 3).into(), (p / 3).into())).collect();
    let rows = [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)];
    let columns = [(0, 3), (3, 6), (1, 4), (4, 7), (2, 5), (5, 8)];
    Board::graph(&places, &[&rows, &columns, diagonals].concat())
}

/// Whether men may be put on the centre.
pub const CENTRE: OptionSpec = choice(
    "centre",
    &["allowed", "forbidden"],
    "whether men may be put on the centre",
    "中央の点に置くこと：可、不可",
)
.called(&[Words::new("allowed", "可"), Words::new("forbidden", "不可")]);

/// The option of what becomes of a player who cannot move.
pub const BLOCKED: OptionSpec = choice(
    "blocked",
    &["loses", "passes"],
    "a player who cannot move loses, or passes",
    "動けないとき：負け、パス",
)
.called(&[Words::new("loses", "負け"), Words::new("passes", "パス")]);

/// The lines from the corners of the square to its centre.
pub const CORNERS: [(usize, usize); 4] = [(0, 4), (2, 4), (6, 4), (8, 4)];

impl Rules for Morris {
    fn decided(&self, position: &Position) -> Option<Outcome> {
        match [position.theirs(), position.mine()].map(|men| has_line(&self.lines, men)) {
            [true, _] => Some(Outcome::Loss),
            [false, true] => Some(Outcome::Win),
            _ => None,
        }
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let free = board.free(position);
        if position.mine().count_ones() < self.men {
            return points(free & !self.closed).map(Step::put).for_each(each);
        }
        let mut stuck = true;
        let mut step = |step| {
            stuck = false;
            each(step);
        };
        let reach = |from| if self.flies { free } else { board.near(from) & free };
        position.slides(reach, &mut step);
        for &[from, over, to] in &self.jumps {
            let may = position.mine() >> from & position.all() >> over & free >> to & 1 == 1;
            may.then(|| step(Step::go(from, to)));
        }
        if stuck && self.passes {
            each(Step::PASS);
        }
    }

    fn men(&self) -> Men {
        [0..=self.men, 0..=self.men]
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let placed = position.x.count_ones().min(position.o.count_ones()) == self.men;
        legal(placed || position.in_turn(), "men are put in turn, X first")
    }
}
