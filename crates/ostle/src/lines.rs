//! Moves of a player who has the fewest pieces: those after which the opponent takes one lose.
//!
//! Whether a piece can be taken shows in each row and each column on its own. So a table tells for
//! every content of a line what happens on it if a piece or the hole leaves it, comes to it or steps
//! along it. A step changes one line along which it leads and two that it crosses: all steps of all
//! pieces are judged together, as sets of cells. Only pushes are judged one by one.

use super::board::{Board, Direction, SIDE};
use super::undo;

const LINE: usize = SIDE as usize;
const LINE_MASK: u32 = (1 << LINE) - 1;
/// The cells of the first column.
const COLUMN: u32 = 0x0010_8421;

/// The moves of a board that remove nothing and do not lose at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Their number.
    pub moves: u32,
    /// The exclusive-or of the numbers of those that can be barred.
    pub barrable: u8,
    /// Whether others lose at once.
    pub some_lost: bool,
}

/// What a line has on it: five bits of the mover's pieces, five of the opponent's, and the hole.
#[derive(Clone, Copy, Default)]
struct Content {
    pieces: u32,
    /// The cell of the hole, or 5.
    hole: u32,
}

impl Content {
    /// What can happen on it.
    #[inline(always)]
    fn fate(self) -> Fate {
        let code = TERNARY[self.pieces as usize % TERNARY.len()];
        Fate(FATES[self.hole as usize % HOLES][usize::from(code) % CONTENTS])
    }
}

/// What can happen on a line. The opponent can take a piece on it
///
/// | bits | if |
/// | --- | --- |
/// | 0 | nothing changes |
/// | 1-5 | a piece of the mover leaves this cell |
/// | 6-10 | a piece of the mover comes to this cell |
/// | 11-15 | a piece of the mover steps onward from this cell |
/// | 16-20 | a piece of the mover steps back from this cell |
/// | 21-25 | the hole comes to this cell |
/// | 26 | the hole leaves |
/// | 27, 28 | the hole steps onward, steps back |
///
/// and the mover can take one if bit 29 is set.
#[derive(Clone, Copy, Default)]
struct Fate(u32);

impl Fate {
    const LEAVES: u32 = 1;
    const COMES: u32 = 6;
    const ONWARD: u32 = 11;
    const BACK: u32 = 16;
    const HOLE_COMES: u32 = 21;
    const HOLE_LEAVES: u32 = 26;
    const HOLE_ONWARD: u32 = 27;
    const HOLE_BACK: u32 = 28;
    const WINS: u32 = 29;

    #[inline(always)]
    fn bit(self, bit: u32) -> u32 {
        self.0 >> bit & 1
    }

    #[inline(always)]
    fn cells(self, first: u32) -> u32 {
        self.0 >> first & LINE_MASK
    }
}

/// The rows, then the columns of a board.
pub struct Lines {
    contents: [[Content; LINE]; 2],
    fates: [[Fate; LINE]; 2],
    /// Those on which the opponent can take a piece, a bit each.
    taking: [u32; 2],
    wins: bool,
}

impl Lines {
    /// The lines of a board.
    #[inline(always)]
    #[must_use]
    pub fn of(board: &Board) -> Lines {
        let (row, column) = (usize::from(board.hole) / LINE, usize::from(board.hole) % LINE);
        let mut lines = Lines {
            contents: [[Content::default(); LINE]; 2],
            fates: [[Fate(0); LINE]; 2],
            taking: [0; 2],
            wins: false,
        };
        let mut wins = 0;
        for at in 0..LINE {
            let hole = |here: usize, cell: usize| if here == at { cell } else { LINE } as u32;
            let along = |set: u32| set >> (LINE * at) & LINE_MASK;
            let across = |set: u32| gather(set >> at);
            let contents = [
                Content {
                    pieces: along(board.mine) | along(board.theirs) << LINE,
                    hole: hole(row, column),
                },
                Content {
                    pieces: across(board.mine) | across(board.theirs) << LINE,
                    hole: hole(column, row),
                },
            ];
            for (way, content) in contents.into_iter().enumerate() {
                let fate = content.fate();
                lines.contents[way][at] = content;
                lines.fates[way][at] = fate;
                lines.taking[way] |= fate.bit(0) << at;
                wins |= fate.bit(Fate::WINS);
            }
        }
        lines.wins = wins != 0;
        lines
    }

    /// Whether the mover can take a piece.
    #[inline(always)]
    #[must_use]
    pub fn wins(&self) -> bool {
        self.wins
    }

    /// Judges all moves that remove nothing.
    #[inline(always)]
    #[must_use]
    pub fn kept(&self, board: &Board) -> Kept {
        let mut kept = Kept::default();
        let [rows, columns] = self.taking.map(|taking| taking as usize);
        // Where a move may begin that crosses or follows all lines on which a piece can be taken.
        let in_row = SPREAD[ONE[rows] as usize];
        let in_column = u32::from(ONE[columns]) * COLUMN;
        let pair_of_rows = usize::from(PAIR[rows]);
        let pair_of_columns = u32::from(PAIR[columns]);
        let allowed = [
            in_column & SPREAD[pair_of_rows << 1 & LINE_MASK as usize],
            in_column & SPREAD[pair_of_rows],
            in_row & ((pair_of_columns << 1 & LINE_MASK) * COLUMN),
            in_row & (pair_of_columns * COLUMN),
        ];
        self.direction::<1, false>(board, Direction::Up, allowed[0], &mut kept);
        self.direction::<1, true>(board, Direction::Down, allowed[1], &mut kept);
        self.direction::<0, false>(board, Direction::Left, allowed[2], &mut kept);
        self.direction::<0, true>(board, Direction::Right, allowed[3], &mut kept);
        kept
    }

    /// The cells of the lines of a way of which a fate is told.
    #[inline(always)]
    fn cells<const COLUMNS: usize>(&self, first: u32) -> u32 {
        let mut cells = 0;
        for at in 0..LINE {
            let line = self.fates[COLUMNS][at].cells(first);
            cells |= match COLUMNS {
                0 => line << (LINE * at),
                _ => SPREAD_DOWN[line as usize] << at,
            };
        }
        cells
    }

    #[inline(always)]
    fn direction<const COLUMNS: usize, const ONWARD: bool>(
        &self,
        board: &Board,
        direction: Direction,
        allowed: u32,
        kept: &mut Kept,
    ) {
        let (pieces, empty, back) = (board.pieces(), board.empty(), direction.back());
        // Steps of all pieces.
        let alone = board.mine & back.shift(empty);
        let follows = self.cells::<COLUMNS>(if ONWARD { Fate::ONWARD } else { Fate::BACK });
        let (leaves, comes) = match COLUMNS {
            0 => (self.cells::<1>(Fate::LEAVES), self.cells::<1>(Fate::COMES)),
            _ => (self.cells::<0>(Fate::LEAVES), self.cells::<0>(Fate::COMES)),
        };
        let kept_alone = alone & allowed & !(follows | leaves | back.shift(comes));
        kept.moves += kept_alone.count_ones();
        kept.some_lost |= kept_alone != alone;
        // Pushes.
        let mut pushing = board.mine & back.shift(pieces);
        while pushing != 0 {
            let cell = pushing.trailing_zeros();
            pushing &= pushing - 1;
            if let Some((lost, pushes_back)) = self.push::<COLUMNS, ONWARD>(cell) {
                let piece = (board.mine & ((1 << cell) - 1)).count_ones();
                let number = if pushes_back { undo::number_of(piece, direction) } else { 0 };
                kept.add(lost, number);
            }
        }
        // The hole.
        let hole = usize::from(board.hole);
        if direction.shift(1 << hole) & empty != 0 {
            let (row, column) = (hole / LINE, hole % LINE);
            let (line, from) = if COLUMNS == 0 { (row, column) } else { (column, row) };
            let to = if ONWARD { from + 1 } else { from - 1 };
            let step = if ONWARD { Fate::HOLE_ONWARD } else { Fate::HOLE_BACK };
            let lost = self.fates[COLUMNS][line].bit(step)
                | self.fates[1 - COLUMNS][from].bit(Fate::HOLE_LEAVES)
                | self.fates[1 - COLUMNS][to].bit(Fate::HOLE_COMES + line as u32)
                | !allowed >> hole & 1;
            kept.add(lost != 0, undo::number_of(undo::MOST, direction));
        }
    }

    /// Judges the push of a piece: whether it loses, and whether a piece of the opponent can push
    /// back; none if it removes a piece.
    #[inline(always)]
    fn push<const COLUMNS: usize, const ONWARD: bool>(&self, cell: u32) -> Option<(bool, bool)> {
        let (row, column) = (cell as usize / LINE, cell as usize % LINE);
        let (line, from) = if COLUMNS == 0 { (row, column) } else { (column, row) };
        let Content { pieces, hole } = self.contents[COLUMNS][line];
        let occupied = (pieces | pieces >> LINE) & LINE_MASK;
        let length = match ONWARD {
            true => (occupied >> from).trailing_ones(),
            false => (occupied << (31 - from)).leading_ones(),
        } as usize;
        let (run, head) = match ONWARD {
            true => (((1 << length) - 1) << from, 1 << (from + length)),
            false => (((1 << length) - 1) << (from + 1 - length), 1 << from >> length),
        };
        if head & LINE_MASK & !(1 << hole) == 0 {
            return None;
        }
        let runs = run | run << LINE;
        let moved = if ONWARD { (pieces & runs) << 1 } else { (pieces & runs) >> 1 };
        let after = pieces & !runs | moved;
        let mut changed = run | head;
        let mut lost = Content { pieces: after, hole }.fate().bit(0);
        lost |= u32::from(self.taking[COLUMNS] & !(1 << line) != 0);
        lost |= u32::from(self.taking[1 - COLUMNS] & !changed != 0);
        while changed != 0 {
            let at = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            let both = 1 | 1 << LINE;
            let Content { pieces, hole } = self.contents[1 - COLUMNS][at];
            let pieces = pieces & !(both << line) | (after >> at & both) << line;
            lost |= Content { pieces, hole }.fate().bit(0);
        }
        Some((lost != 0, after >> LINE & head != 0))
    }
}

impl Kept {
    #[inline(always)]
    fn add(&mut self, lost: bool, number: u8) {
        self.some_lost |= lost;
        self.moves += u32::from(!lost);
        self.barrable ^= if lost { 0 } else { number };
    }
}

/// For each set of lines: the cells of a line such that the set has no other number.
static ONE: [u8; 1 << LINE] = lines_with(1);
/// As [`ONE`], for a number and the next.
static PAIR: [u8; 1 << LINE] = lines_with(0b11);
/// For each set of rows: their cells.
static SPREAD: [u32; 1 << LINE] = spread(LINE_MASK);
/// For each set of rows: their cells in the first column.
static SPREAD_DOWN: [u32; 1 << LINE] = spread(1);

/// The rows of the cells of a set in the first column.
#[inline(always)]
fn gather(set: u32) -> u32 {
    // Row r is bit 5r; times bit 20 - 4r it comes to bit 20 + r, and no other product there.
    (set & COLUMN).wrapping_mul(0x0011_1110) >> 20 & LINE_MASK
}

const fn lines_with(pattern: usize) -> [u8; 1 << LINE] {
    let mut table = [0; 1 << LINE];
    let mut set = 0;
    while set < table.len() {
        let mut at = 0;
        while at < LINE {
            if set & !(pattern << at) == 0 {
                table[set] |= 1 << at;
            }
            at += 1;
        }
        set += 1;
    }
    table
}

/// For each set of rows: these cells of them, given as those of the first.
const fn spread(cells: u32) -> [u32; 1 << LINE] {
    let mut table = [0; 1 << LINE];
    let mut set = 0;
    while set < table.len() {
        let mut row = 0;
        while row < LINE {
            if set >> row & 1 == 1 {
                table[set] |= cells << (LINE * row);
            }
            row += 1;
        }
        set += 1;
    }
    table
}

/// Ways to put pieces of two players on a line.
const CONTENTS: usize = 3_usize.pow(LINE as u32);
/// Places of the hole on a line, none being the last.
const HOLES: usize = LINE + 1;

/// The number of each content of a line; pieces of both on one cell are not counted.
static TERNARY: [u8; 1 << (2 * LINE)] = ternary();
/// The fates, by the hole and the number of the content.
static FATES: [[u32; CONTENTS]; HOLES] = fates();

const fn ternary() -> [u8; 1 << (2 * LINE)] {
    let mut table = [0; 1 << (2 * LINE)];
    let mut code = 0;
    while code < CONTENTS {
        let (mine, theirs) = sets(code);
        table[mine | theirs << LINE] = code as u8;
        code += 1;
    }
    table
}

/// The pieces of the two players in a content, by its number.
const fn sets(mut code: usize) -> (usize, usize) {
    let (mut mine, mut theirs) = (0, 0);
    let mut at = 0;
    while at < LINE {
        match code % 3 {
            1 => mine |= 1 << at,
            2 => theirs |= 1 << at,
            _ => {}
        }
        code /= 3;
        at += 1;
    }
    (mine, theirs)
}

const fn fates() -> [[u32; CONTENTS]; HOLES] {
    let mut table = [[0; CONTENTS]; HOLES];
    let mut hole = 0;
    while hole < HOLES {
        let mut code = 0;
        while code < CONTENTS {
            let (mine, theirs) = sets(code);
            if (mine | theirs) >> hole & 1 == 0 {
                table[hole][code] = fate(mine, theirs, hole);
            }
            code += 1;
        }
        hole += 1;
    }
    table
}

const fn fate(mine: usize, theirs: usize, hole: usize) -> u32 {
    let empty = LINE_MASK as usize & !(mine | theirs | 1 << hole);
    let mut fate = is_taking(mine, theirs, hole) as u32
        | (is_taking(theirs, mine, hole) as u32) << Fate::WINS
        | (is_taking(mine, theirs, LINE) as u32) << Fate::HOLE_LEAVES;
    let mut at = 0;
    while at < LINE {
        let (here, next, last) = (1 << at, 1 << at << 1, 1 << at >> 1);
        if mine & here != 0 {
            fate |= (is_taking(mine ^ here, theirs, hole) as u32) << (Fate::LEAVES + at as u32);
            if empty & next != 0 {
                let after = mine ^ here ^ next;
                fate |= (is_taking(after, theirs, hole) as u32) << (Fate::ONWARD + at as u32);
            }
            if empty & last != 0 {
                let after = mine ^ here ^ last;
                fate |= (is_taking(after, theirs, hole) as u32) << (Fate::BACK + at as u32);
            }
        }
        if empty & here != 0 {
            fate |= (is_taking(mine ^ here, theirs, hole) as u32) << (Fate::COMES + at as u32);
            fate |= (is_taking(mine, theirs, at) as u32) << (Fate::HOLE_COMES + at as u32);
        }
        if at == hole {
            if empty & next != 0 {
                fate |= (is_taking(mine, theirs, at + 1) as u32) << Fate::HOLE_ONWARD;
            }
            if empty & last != 0 {
                fate |= (is_taking(mine, theirs, at - 1) as u32) << Fate::HOLE_BACK;
            }
        }
        at += 1;
    }
    fate
}

/// Whether a piece of the opponent pushes one of the mover off the line or into the hole.
const fn is_taking(mine: usize, theirs: usize, hole: usize) -> bool {
    // Between two cells that are no cells; the hole ends a line as well.
    let (mine, theirs) = (mine << 1, theirs << 1);
    let (pieces, ends) = (mine | theirs, 1 | 1 << (LINE + 1) | 1 << hole << 1);
    let mut from = 1;
    while from <= LINE {
        if theirs >> from & 1 == 1 {
            let (mut up, mut down) = (from, from);
            while pieces >> (up + 1) & 1 == 1 {
                up += 1;
            }
            while pieces >> (down - 1) & 1 == 1 {
                down -= 1;
            }
            if mine >> up & ends >> (up + 1) & 1 == 1 || mine >> down & ends >> (down - 1) & 1 == 1
            {
                return true;
            }
        }
        from += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::rules::Ostle;
    use super::*;
    use kanzen_analyse::Random;

    /// Whether the mover can take a piece, by the rules.
    fn takes(board: &Board) -> bool {
        let theirs = board.theirs.count_ones();
        Ostle::all_moves(board).any(|mv| Ostle::step(board, mv).board.theirs.count_ones() < theirs)
    }

    #[test]
    fn lines_see_what_the_rules_say() {
        let mut random = Random::new(5);
        for sizes in 0..100_000 {
            let mut cells: Vec<u8> = (0..25).collect();
            for at in 1..cells.len() {
                cells.swap(at, random.below(at as u64 + 1) as usize);
            }
            let set = |cells: &[u8]| cells.iter().fold(0, |set, cell| set | 1 << cell);
            let (mine, theirs) = (1 + sizes % 5, 1 + sizes / 5 % 5);
            let board = Board {
                mine: set(&cells[..mine]),
                theirs: set(&cells[mine..mine + theirs]),
                hole: cells[24],
            };
            let lines = Lines::of(&board);
            assert_eq!(lines.wins(), takes(&board), "{board:?}");
            let mut kept = Kept::default();
            for mv in Ostle::all_moves(&board) {
                let step = Ostle::step(&board, mv);
                if step.out.is_none() {
                    let Board { mine, theirs, hole } = step.board;
                    let lost = takes(&Board { mine: theirs, theirs: mine, hole });
                    let bars = Ostle::undoing(&board, mv).is_some();
                    kept.add(lost, if bars { undo::number(&board, mv) } else { 0 });
                }
            }
            assert_eq!(lines.kept(&board), kept, "{board:?}");
        }
    }
}
