//! The 5x5 cells, sets of them, and the symmetries of the square.

use kanzen_machine::members;

/// The cells in a row or column.
pub const SIDE: u8 = 5;
/// The number of cells; cell = 5 row + column.
pub const CELLS: u8 = SIDE * SIDE;
/// All cells.
pub const ALL: u32 = (1 << CELLS) - 1;

const LEFT_EDGE: u32 = 0x0010_8421;
const RIGHT_EDGE: u32 = LEFT_EDGE << 4;
const CENTRE: u32 = 1 << (CELLS / 2);

/// The four directions, in the order in which moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column before.
    Left,
    /// To the column after.
    Right,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The way back.
    #[inline]
    #[must_use]
    pub fn back(self) -> Direction {
        Direction::ALL[self as usize ^ 1]
    }

    /// Moves a set of cells one step; what would leave the board vanishes.
    #[inline(always)]
    #[must_use]
    pub const fn shift(self, cells: u32) -> u32 {
        match self {
            Direction::Up => cells >> SIDE,
            Direction::Down => cells << SIDE & ALL,
            Direction::Left => (cells & !LEFT_EDGE) >> 1,
            Direction::Right => (cells & !RIGHT_EDGE) << 1,
        }
    }

    /// The neighbour of a cell, if it is on the board.
    #[must_use]
    pub fn step(self, cell: u8) -> Option<u8> {
        let next = self.shift(1 << cell);
        (next != 0).then(|| next.trailing_zeros() as u8)
    }
}

/// The cells of a set in rising order.
pub fn cells(set: u32) -> impl Iterator<Item = u8> {
    members(set).map(|cell| cell as u8)
}

/// What stands on the board, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// The mover's pieces: bit `c` is set if one stands on cell `c`.
    pub mine: u32,
    /// The opponent's pieces.
    pub theirs: u32,
    /// The cell of the hole.
    pub hole: u8,
}

impl Board {
    /// The cells with a piece.
    #[inline(always)]
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.mine | self.theirs
    }

    /// The cells with neither a piece nor the hole.
    #[inline(always)]
    #[must_use]
    pub fn empty(&self) -> u32 {
        ALL & !self.pieces() & !(1 << self.hole)
    }

    /// The image under a symmetry.
    #[inline(always)]
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Board {
        Board {
            mine: symmetry.set(self.mine),
            theirs: symmetry.set(self.theirs),
            hole: symmetry.cell(self.hole),
        }
    }

    /// Whether the board looks the same to both players, up to symmetry.
    #[must_use]
    pub fn is_self_symmetric(&self) -> bool {
        let turned = Board { mine: self.theirs, theirs: self.mine, hole: self.hole };
        Symmetry::all().any(|symmetry| self.image(symmetry) == turned)
    }

    /// The symmetries that do not change the board, the identity first.
    pub fn stabiliser(&self) -> impl Iterator<Item = Symmetry> + '_ {
        Symmetry::all().filter(|&symmetry| self.image(symmetry) == *self)
    }
}

/// One of the eight symmetries of the square; number 0 is the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

/// The number of symmetries.
pub const SYMMETRIES: usize = 8;
/// Bits of a set that are mapped at once.
const CHUNK: u32 = 9;
const CHUNKS: usize = 3;

/// Everything about the symmetries, in tables.
struct Symmetries {
    cells: [[u8; CELLS as usize]; SYMMETRIES],
    directions: [[Direction; 4]; SYMMETRIES],
    /// The image of each set of nine neighbouring cells: `[symmetry][chunk][bits]`.
    sets: [[[u32; 1 << CHUNK]; CHUNKS]; SYMMETRIES],
    /// `[first][second]`: the symmetry that does one after the other.
    compositions: [[Symmetry; SYMMETRIES]; SYMMETRIES],
}

static TABLES: Symmetries = Symmetries::new();

/// The image of a cell: bit 0 of the symmetry mirrors columns, then bit 1 rows, then bit 2
/// exchanges rows and columns.
const fn image(symmetry: usize, cell: u8) -> u8 {
    let (mut row, mut column) = (cell / SIDE, cell % SIDE);
    if symmetry & 1 != 0 {
        column = SIDE - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = SIDE - 1 - row;
    }
    if symmetry & 4 != 0 { SIDE * column + row } else { SIDE * row + column }
}

impl Symmetries {
    const fn new() -> Symmetries {
        let mut tables = Symmetries {
            cells: [[0; CELLS as usize]; SYMMETRIES],
            directions: [Direction::ALL; SYMMETRIES],
            sets: [[[0; 1 << CHUNK]; CHUNKS]; SYMMETRIES],
            compositions: [[Symmetry(0); SYMMETRIES]; SYMMETRIES],
        };
        let mut s = 0;
        while s < SYMMETRIES {
            let mut cell = 0;
            while cell < CELLS {
                tables.cells[s][cell as usize] = image(s, cell);
                cell += 1;
            }
            let mut d = 0;
            while d < Direction::ALL.len() {
                // A direction goes where the neighbour of the centre goes.
                let to = image(s, Direction::ALL[d].shift(CENTRE).trailing_zeros() as u8);
                let mut e = 0;
                while Direction::ALL[e].shift(CENTRE) != 1 << to {
                    e += 1;
                }
                tables.directions[s][d] = Direction::ALL[e];
                d += 1;
            }
            let mut chunk = 0;
            while chunk < CHUNKS {
                // Each set is the set without its lowest cell, and that cell.
                let mut bits = 1_usize;
                while bits < 1 << CHUNK {
                    let cell = bits.trailing_zeros() + CHUNK * chunk as u32;
                    if cell < CELLS as u32 {
                        tables.sets[s][chunk][bits] =
                            tables.sets[s][chunk][bits & (bits - 1)] | 1 << image(s, cell as u8);
                    }
                    bits += 1;
                }
                chunk += 1;
            }
            let mut next = 0;
            while next < SYMMETRIES {
                // Two cells that no symmetry but the identity fixes tell which one it is.
                let (a, b) = (image(next, image(s, 1)), image(next, image(s, 5)));
                let mut both = 0;
                while image(both, 1) != a || image(both, 5) != b {
                    both += 1;
                }
                tables.compositions[s][next] = Symmetry(both as u8);
                next += 1;
            }
            s += 1;
        }
        tables
    }
}

impl Symmetry {
    /// Changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All symmetries, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..SYMMETRIES as u8).map(Symmetry)
    }

    /// The symmetry with a number below 8.
    #[inline(always)]
    #[must_use]
    pub fn new(number: usize) -> Symmetry {
        Symmetry(number as u8 % SYMMETRIES as u8)
    }

    /// Its number.
    #[inline(always)]
    #[must_use]
    pub fn number(self) -> usize {
        usize::from(self.0) % SYMMETRIES
    }

    /// The image of a cell.
    #[inline(always)]
    #[must_use]
    pub fn cell(self, cell: u8) -> u8 {
        TABLES.cells[self.number()][usize::from(cell)]
    }

    /// The image of a direction.
    #[inline(always)]
    #[must_use]
    pub fn direction(self, direction: Direction) -> Direction {
        TABLES.directions[self.number()][direction as usize]
    }

    /// The image of a set of cells.
    #[inline(always)]
    #[must_use]
    pub fn set(self, set: u32) -> u32 {
        const MASK: usize = (1 << CHUNK) - 1;
        let [low, middle, high] = &TABLES.sets[self.number()];
        let set = set as usize;
        low[set & MASK]
            | middle[set >> CHUNK as usize & MASK]
            | high[set >> (2 * CHUNK) as usize & MASK]
    }

    /// This symmetry and then another.
    #[inline(always)]
    #[must_use]
    pub fn then(self, next: Symmetry) -> Symmetry {
        TABLES.compositions[self.number()][next.number()]
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Symmetry {
        Symmetry::all().find(|&other| self.then(other) == Symmetry::IDENTITY).unwrap_or(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_on_the_board() {
        assert_eq!(Direction::Up.step(3), None);
        assert_eq!(Direction::Up.step(12), Some(7));
        assert_eq!(Direction::Down.step(12), Some(17));
        assert_eq!(Direction::Down.step(22), None);
        assert_eq!(Direction::Left.step(10), None);
        assert_eq!(Direction::Left.step(11), Some(10));
        assert_eq!(Direction::Right.step(14), None);
        assert_eq!(Direction::Right.step(23), Some(24));
        for direction in Direction::ALL {
            let all: u32 = (0..CELLS).filter_map(|cell| direction.step(cell)).map(|c| 1 << c).sum();
            assert_eq!(direction.shift(ALL), all);
            assert_eq!(direction.back().back(), direction);
            let there = direction.step(12).unwrap();
            assert_eq!(direction.back().step(there), Some(12));
        }
    }

    #[test]
    fn symmetries_are_a_group_that_keeps_neighbours() {
        for symmetry in Symmetry::all() {
            assert_eq!(symmetry.then(symmetry.inverse()), Symmetry::IDENTITY);
            assert_eq!(symmetry.set(ALL), ALL);
            for cell in 0..CELLS {
                assert_eq!(symmetry.set(1 << cell), 1 << symmetry.cell(cell));
                for direction in Direction::ALL {
                    let image = direction.step(cell).map(|cell| symmetry.cell(cell));
                    assert_eq!(symmetry.direction(direction).step(symmetry.cell(cell)), image);
                }
                for next in Symmetry::all() {
                    assert_eq!(symmetry.then(next).cell(cell), next.cell(symmetry.cell(cell)));
                }
            }
        }
    }
}
