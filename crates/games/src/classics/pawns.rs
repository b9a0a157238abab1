//! The games of pawns: men that only go ahead and take diagonally.

use super::won_by;
use kanzen_core::{NotationError, Outcome};
use kanzen_parts::{Board, Position, Rules, Step, Turn, legal, points};

/// The rules of such a game: X goes up, O goes down.
#[derive(Clone, Debug)]
pub struct Pawns {
    board: Board,
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
    pub fn new((columns, rows): (u8, u8), filled: u8, free: bool) -> Pawns {
        let width = usize::from(columns);
        let board = Board::grid(columns, rows).keeping(|from, to| from / width == to / width);
        let full = |rows: u8| (1u32 << (columns * rows)) - 1;
        let below = |rows_above: u8| full(rows) & !full(rows_above);
        Pawns {
            straight: [-1, 1].map(|down| board.toward(&[(0, down)])),
            diagonal: [-1, 1].map(|down| board.toward(&[(-1, down), (1, down)])),
            goals: [full(1), below(rows - 1)],
            start: Position::new(below(rows - filled), full(filled)),
            board,
            free,
        }
    }
}

impl Rules for Pawns {
    fn board(&self) -> &Board {
        &self.board
    }

    fn start(&self) -> Position {
        self.start
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        let Position { x, o, turn, .. } = *position;
        match (x & self.goals[0] != 0, o & self.goals[1] != 0) {
            (true, _) => Some(won_by(Turn::X, turn)),
            (_, true) => Some(won_by(Turn::O, turn)),
            _ => (self.free && position.mine() == 0).then_some(Outcome::Loss),
        }
    }

    fn steps(&self, position: &Position, mut each: impl FnMut(Step)) {
        let (side, empty) = (position.turn as usize, self.board.free(position));
        let sideways = if self.free { empty | position.theirs() } else { position.theirs() };
        for from in points(position.mine()) {
            let at = usize::from(from);
            let to = self.straight[side][at] & empty | self.diagonal[side][at] & sideways;
            points(to).for_each(|to| each(Step::go(from, to)));
        }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let most = self.start.x.count_ones();
        position.men(0..=most, 0..=most)?;
        legal(position.theirs() != 0, "the side that moved last has no man")
    }
}
