//! Boards as text: the rows from the top joined by `/`, each cell `0` (empty)
//! or the number of its player, as in `0000/0100/0020/3000`. The player to
//! move follows from the count. A cell is written `(column,row)`, from 1 at
//! the top left.

use std::fmt;

use thiserror::Error;

use super::rules::{Board, Player};
use super::shape::Shape;

/// One thing that is wrong with a board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// Too many or too few rows.
    #[error("{found} rows, expected {expected}")]
    Rows {
        /// The rows of the board.
        expected: usize,
        /// The rows of the text.
        found: usize,
    },
    /// Too many or too few cells in a row.
    #[error("row {row} has {found} cells, expected {expected}")]
    RowLength {
        /// The row, from 1 at the top.
        row: usize,
        /// The columns of the board.
        expected: usize,
        /// The cells of the row in the text.
        found: usize,
    },
    /// A letter that stands for no cell.
    #[error("{letter:?} in row {row}, expected a digit from 0 to 3")]
    Letter {
        /// The letter.
        letter: char,
        /// The row, from 1 at the top.
        row: usize,
    },
    /// A set with a cell outside the board.
    #[error("a stone outside the board")]
    Outside,
    /// Two players on one cell.
    #[error("two stones on one cell")]
    Overlap,
    /// Numbers of stones that no sequence of turns gives.
    #[error("the players have {} / {} / {} stones: turns give each as many as the next or one more", counts[0], counts[1], counts[2])]
    Counts {
        /// The stones of each player.
        counts: [u32; 3],
    },
    /// A line of a player who did not move last.
    #[error("player {player} has a line, but player {last} moved last")]
    LineNotLast {
        /// The player with the line.
        player: u8,
        /// The player who moved last.
        last: u8,
    },
    /// Lines that one move cannot have completed together.
    #[error("the lines of player {player} have no common cell")]
    LinesApart {
        /// The player with the lines.
        player: u8,
    },
}

/// A board that play cannot reach, or a text that is no board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalBoard {
    /// What is wrong; at least one.
    pub faults: Vec<Fault>,
}

impl fmt::Display for IllegalBoard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.faults.iter().enumerate() {
            write!(formatter, "{}{fault}", if number == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for IllegalBoard {}

impl Board {
    /// Reads a board of this shape.
    pub fn parse(shape: Shape, text: &str) -> Result<Board, IllegalBoard> {
        let (rows, columns) = (usize::from(shape.rows()), usize::from(shape.columns()));
        let mut faults = Vec::new();
        let found = text.split('/').count();
        if found != rows {
            faults.push(Fault::Rows { expected: rows, found });
        }
        let mut sets = [0; 3];
        for (row, letters) in text.split('/').take(rows).enumerate() {
            let found = letters.chars().count();
            if found != columns {
                faults.push(Fault::RowLength { row: row + 1, expected: columns, found });
            }
            for (column, letter) in letters.chars().take(columns).enumerate() {
                match letter {
                    '0' => {}
                    '1'..='3' => {
                        sets[letter as usize - '1' as usize] |= 1 << (row * columns + column)
                    }
                    _ => faults.push(Fault::Letter { letter, row: row + 1 }),
                }
            }
        }
        if faults.is_empty() { Board::new(shape, sets) } else { Err(IllegalBoard { faults }) }
    }

    /// The number of the player on a cell, 0 for nobody.
    pub fn at(&self, cell: u32) -> u8 {
        let owner =
            Player::ALL.into_iter().find(|player| self.sets()[*player as usize] >> cell & 1 == 1);
        owner.map_or(0, Player::number)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.shape().rows() {
            if row > 0 {
                formatter.write_str("/")?;
            }
            for column in 0..self.shape().columns() {
                write!(formatter, "{}", self.at(self.shape().cell(row, column)))?;
            }
        }
        Ok(())
    }
}

/// The name of a cell: `(column,row)`, from 1 at the top left.
pub fn cell_name(shape: &Shape, cell: u32) -> String {
    let columns = u32::from(shape.columns());
    format!("({},{})", cell % columns + 1, cell / columns + 1)
}

/// The cell of a name.
pub fn parse_cell(shape: &Shape, name: &str) -> Option<u32> {
    let (column, row) = name.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    let (column, row): (u8, u8) = (column.trim().parse().ok()?, row.trim().parse().ok()?);
    let inside = (1..=shape.columns()).contains(&column) && (1..=shape.rows()).contains(&row);
    inside.then(|| shape.cell(row - 1, column - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Board, IllegalBoard> {
        Board::parse(Shape::new(4, 4).unwrap(), text)
    }

    #[test]
    fn names_every_fault() {
        let faults = |text: &str| parse(text).unwrap_err().faults;
        assert_eq!(
            faults(""),
            [
                Fault::Rows { expected: 4, found: 1 },
                Fault::RowLength { row: 1, expected: 4, found: 0 }
            ]
        );
        assert_eq!(
            faults("000x/00000/0000/0000/0000"),
            [
                Fault::Rows { expected: 4, found: 5 },
                Fault::Letter { letter: 'x', row: 1 },
                Fault::RowLength { row: 2, expected: 4, found: 5 }
            ]
        );
        assert_eq!(faults("0000/0020/0000/0000"), [Fault::Counts { counts: [0, 1, 0] }]);
        assert_eq!(faults("1110/2220/3300/0000"), [Fault::LineNotLast { player: 1, last: 2 }]);
        assert_eq!(
            faults("1110/2220/3330/0000"),
            [Fault::LineNotLast { player: 1, last: 3 }, Fault::LineNotLast { player: 2, last: 3 }]
        );
        assert_eq!(faults("1112/1113/2323/3232"), [Fault::LinesApart { player: 1 }]);
        let text = parse("0000/0020/0000/00").unwrap_err().to_string();
        assert_eq!(text, "row 4 has 2 cells, expected 4");
    }

    #[test]
    fn reads_what_it_writes() {
        for text in ["0000/0000/0000/0000", "0003/0100/0010/2000", "1110/2200/3300/0000"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        let over = parse("1110/2200/3300/0000").unwrap();
        assert!(
            over.is_over() && over.winner() == Some(Player::One) && over.moves().next().is_none()
        );
    }

    #[test]
    fn cells_have_names() {
        let shape = Shape::new(5, 4).unwrap();
        for cell in 0..shape.cells() {
            assert_eq!(parse_cell(&shape, &cell_name(&shape, cell)), Some(cell));
        }
        assert_eq!(cell_name(&shape, 13), "(2,4)");
        for name in ["", "(5,1)", "(1,6)", "(0,1)", "1,1", "(1,1", "(300,1)", "(1;1)"] {
            assert_eq!(parse_cell(&shape, name), None);
        }
    }
}
