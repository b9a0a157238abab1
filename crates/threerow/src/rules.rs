//! Positions and moves.

use super::notation::{Fault, IllegalBoard};
use super::shape::{Shape, bits};

/// One of the three players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Moves first.
    One,
    /// Moves second.
    Two,
    /// Moves third.
    Three,
}

impl Player {
    /// All players in the order of their turns.
    pub const ALL: [Player; 3] = [Player::One, Player::Two, Player::Three];

    /// The player whose turn comes after this one's.
    #[inline]
    pub fn next(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::Three,
            Player::Three => Player::One,
        }
    }

    /// The number a player puts on the board: 1, 2 or 3.
    #[inline]
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The player of a number from 1 to 3.
    pub fn from_number(number: u8) -> Option<Player> {
        Player::ALL.into_iter().find(|player| player.number() == number)
    }

    /// The player whose turn it is after `plies` moves.
    pub fn to_move(plies: u32) -> Player {
        Player::ALL[plies as usize % 3]
    }
}

/// How many stones each player has after `plies` moves.
pub fn stones(plies: u32) -> [u32; 3] {
    [plies.div_ceil(3), (plies + 1) / 3, plies / 3]
}

/// A legal position: one that play can reach.
///
/// ```
/// use kanzen_threerow::{Board, Shape};
///
/// let shape = Shape::new(3, 3).unwrap();
/// let board = Board::parse(shape, "100/020/003").unwrap();
/// assert_eq!((board.plies(), board.mover().number()), (3, 1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    sets: [u64; 3],
}

impl Board {
    /// The empty board.
    pub fn empty(shape: Shape) -> Board {
        Board { shape, sets: [0; 3] }
    }

    /// The board with these cells taken by players 1, 2 and 3, if play can
    /// reach it; else everything that is wrong with it.
    ///
    /// A finished game is legal: the player who moved last has a line, and one
    /// cell lies on all its lines.
    pub fn new(shape: Shape, sets: [u64; 3]) -> Result<Board, IllegalBoard> {
        let mut faults = Vec::new();
        let outside = (sets[0] | sets[1] | sets[2]) & !shape.full();
        if outside != 0 {
            faults.push(Fault::Outside);
        }
        if sets[0] & sets[1] | (sets[0] | sets[1]) & sets[2] != 0 {
            faults.push(Fault::Overlap);
        }
        let counts = sets.map(u64::count_ones);
        let plies = counts.iter().sum();
        if counts != stones(plies) {
            faults.push(Fault::Counts { counts });
        } else if outside == 0 {
            let last = Player::to_move(plies + 2);
            for player in Player::ALL {
                let set = sets[player as usize];
                if player != last && shape.has_line(set) {
                    faults
                        .push(Fault::LineNotLast { player: player.number(), last: last.number() });
                }
            }
            let set = sets[last as usize];
            if shape.has_line(set) && bits(set).all(|cell| shape.has_line(set & !(1 << cell))) {
                faults.push(Fault::LinesApart { player: last.number() });
            }
        }
        if faults.is_empty() { Ok(Board { shape, sets }) } else { Err(IllegalBoard { faults }) }
    }

    /// The shape of the board.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The cells taken by each player.
    pub fn sets(&self) -> [u64; 3] {
        self.sets
    }

    /// The cells that nobody has taken.
    pub fn free(&self) -> u64 {
        self.shape.full() & !(self.sets[0] | self.sets[1] | self.sets[2])
    }

    /// The number of moves made.
    pub fn plies(&self) -> u32 {
        self.sets.iter().map(|set| set.count_ones()).sum()
    }

    /// The player whose turn it is, or would be if the game were not over.
    pub fn mover(&self) -> Player {
        Player::to_move(self.plies())
    }

    /// The player who has a line.
    pub fn winner(&self) -> Option<Player> {
        Player::ALL.into_iter().find(|player| self.shape.has_line(self.sets[*player as usize]))
    }

    /// Whether nobody has a line. Such a board may be full.
    pub fn is_open(&self) -> bool {
        self.winner().is_none()
    }

    /// Whether the game is at its end: a line, or no cell left.
    pub fn is_over(&self) -> bool {
        self.free() == 0 || !self.is_open()
    }

    /// The cells that the player to move may take.
    pub fn moves(&self) -> impl Iterator<Item = u32> {
        bits(if self.is_over() { 0 } else { self.free() })
    }

    /// The board after the player to move takes `cell`, if that is legal.
    pub fn play(&self, cell: u32) -> Option<Board> {
        let legal = cell < self.shape.cells() && self.free() >> cell & 1 == 1 && !self.is_over();
        legal.then(|| {
            let mut sets = self.sets;
            sets[self.mover() as usize] |= 1 << cell;
            Board { shape: self.shape, sets }
        })
    }
}
