//! The games of pawns: men that only go ahead and take diagonally.

use super::prelude::*;

/// The rules of such a game: X goes up, O goes down.
#[derive(Clone, Debug)]
pub struct Pawns {
    /// The cells straight ahead of each, for X and O.
    straight: [Vec<u32>; 2],
    /// The cells diagonally ahead of each, for X and O.
    diagonal: [Vec<u32>; 2],
    /// The home rows of O and X: the goals of X and O.
    goals: [u32; 2],
    start: Position,
    /// Whether men also move diagonally without taking, and a player without men has lost.
    free: bool,
}

impl Pawns {
    /// A board of columns and rows, of which each side fills some with men.
    pub fn game((columns, rows): (u8, u8), filled: u8, free: bool) -> BoardGame {
        let width = usize::from(columns);
        let board = Board::grid(columns, rows).keeping(|from, to| from / width == to / width);
        let full = |rows: u8| (1u32 << (columns * rows)) - 1;
        let below = |above: u8| full(rows) & !full(above);
        let rules = Pawns {
            straight: [-1, 1].map(|down| board.toward(&[(0, down)])),
            diagonal: [-1, 1].map(|down| board.toward(&[(-1, down), (1, down)])),
            goals: [full(1), below(rows - 1)],
            start: Position::new(below(rows - filled), full(filled)),
            free,
        };
        BoardGame::new(board, rules)
    }
}

impl Rules for Pawns {
    fn start(&self) -> Position {
        self.start
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        match [position.x & self.goals[0], position.o & self.goals[1]] {
            [0, 0] => (self.free && position.mine() == 0).then_some(Outcome::Loss),
            [0, _] => Some(won_by(Turn::O, position.turn)),
            _ => Some(won_by(Turn::X, position.turn)),
        }
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let (side, empty) = (position.turn as usize, board.free(position));
        let sideways = if self.free { empty | position.theirs() } else { position.theirs() };
        let [straight, diagonal] = [&self.straight[side], &self.diagonal[side]];
        let reach =
            |from| straight[usize::from(from)] & empty | diagonal[usize::from(from)] & sideways;
        position.slides(reach, each);
    }

    fn men(&self) -> Men {
        let most = self.start.x.count_ones();
        [0..=most, 0..=most]
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        legal(position.theirs() != 0, "the side that moved last has no man")
    }
}
