//! Sixteen Musashi in writing and as a picture.
//!
//! A position is its five rows from the top, joined by `/`, then the side to move: `.` is an empty
//! point, `o` a brown piece, `X` the king, and `_` stands where the board has no point. A point is
//! named by the letter of its column and the number of its row from the top; a move by the points
//! it leaves and reaches, and after `x` those of the captured pieces: `c3-d4xc4,e4`.

use super::board::ROWS;
use super::rules::{Move, Musashi, Player, Position};
use kanzen_core::{
    Colour, Drawing, Game, Kind, Kit, NotationError, Party, Piece, PieceShape, Side, Spot,
    SpotShape, Words,
};

/// Brown pieces, and the black king.
pub(super) const KIT: Kit = Kit {
    parties: &[
        Party { side: Side::One, name: Words::new("Brown", "茶"), colour: Colour::Brown },
        Party { side: Side::Two, name: Words::new("Black", "黒"), colour: Colour::Black },
    ],
    kinds: &[
        Kind::stone(Side::One, "o"),
        Kind { name: Words::new("king", "親"), glyph: "♚", ..Kind::stone(Side::Two, "X") },
    ],
    shape: PieceShape::Disc,
    choose_turn: true,
};

impl Musashi {
    pub(super) fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        let shape = |found: &str| NotationError::shape(self.expected(), found);
        let mut words = text.split_whitespace();
        let (Some(rows), Some(turn), None) = (words.next(), words.next(), words.next()) else {
            return Err(shape(text));
        };
        let turn = match turn {
            "black" => Player::Black,
            "brown" => Player::Brown,
            _ => {
                let expected = "the side to move, 'brown' or 'black'";
                return Err(NotationError::shape(expected, turn));
            }
        };
        let columns = usize::from(self.board().columns());
        let widths: Vec<usize> = rows.split('/').map(|row| row.chars().count()).collect();
        if widths != vec![columns; usize::from(ROWS)] {
            return Err(shape(rows));
        }
        let (mut kings, mut brown) = (Vec::new(), 0);
        for (at, found) in rows.chars().enumerate().filter(|&(_, found)| found != '/') {
            let (row, column) = (at / (columns + 1), at % (columns + 1));
            let letter = |allowed| NotationError::Letter { at: at + 1, found, allowed };
            match (self.board().point(column as u8, row as u8), found) {
                (Some(_), '.') | (None, '_') => {}
                (Some(point), 'o') => brown |= 1 << point,
                (Some(point), 'X') => kings.push(point),
                (Some(_), _) => return Err(letter(". (empty), o (brown), X (the king)")),
                (None, _) => return Err(letter("_ (no point here)")),
            }
        }
        match kings[..] {
            [king] => Ok(Position { king, brown, turn }),
            _ => Err(NotationError::Count {
                what: "kings (X)".to_owned(),
                expected: "1".to_owned(),
                found: kings.len(),
            }),
        }
    }

    fn expected(&self) -> String {
        let columns = self.board().columns();
        format!(
            "{ROWS} rows of {columns} characters joined by '/', a blank, and 'brown' or 'black'"
        )
    }

    pub(super) fn write_position(&self, position: &Position) -> String {
        let letter = |point| match point {
            point if point == position.king => 'X',
            point if position.is_empty(point) => '.',
            _ => 'o',
        };
        self.write_points(letter, position.turn)
    }

    /// Writes the pieces of a drawing, right or wrong.
    pub(super) fn compose_position(&self, drawing: &Drawing) -> String {
        let letter = |point: u8| {
            let piece = drawing.pieces.iter().find(|piece| piece.spot == usize::from(point));
            piece.and_then(|piece| piece.label.chars().next()).unwrap_or('.')
        };
        let black = drawing.turn == Some(Side::Two);
        self.write_points(letter, if black { Player::Black } else { Player::Brown })
    }

    fn write_points(&self, letter: impl Fn(u8) -> char, turn: Player) -> String {
        let letter = |column, row| self.board().point(column, row).map_or('_', &letter);
        let columns = self.board().columns();
        let rows: Vec<String> =
            (0..ROWS).map(|row| (0..columns).map(|column| letter(column, row)).collect()).collect();
        let turn = match turn {
            Player::Black => "black",
            Player::Brown => "brown",
        };
        format!("{} {turn}", rows.join("/"))
    }

    pub(super) fn name(&self, point: u8) -> String {
        let (column, row) = self.board().places()[usize::from(point)];
        format!("{}{}", char::from(b'a' + column), row + 1)
    }

    pub(super) fn write_step(&self, position: &Position, mv: Move) -> String {
        let captured = match position.turn {
            Player::Black => self.captured(position.brown, mv.to),
            Player::Brown => 0,
        };
        let points = 0..self.board().points() as u8;
        let names: Vec<String> =
            points.filter(|p| captured >> p & 1 == 1).map(|p| self.name(p)).collect();
        let step = format!("{}-{}", self.name(mv.from), self.name(mv.to));
        if names.is_empty() { step } else { format!("{step}x{}", names.join(",")) }
    }

    pub(super) fn draw_position(&self, position: &Position) -> Drawing {
        let board = self.board();
        let spots = board.places().iter().enumerate().map(|(point, &(column, row))| {
            Spot::new(column.into(), row.into(), SpotShape::Point, self.name(point as u8))
        });
        let lines = board.graph().lines().iter();
        let pieces = (0..board.points() as u8).filter(|&p| !position.is_empty(p)).map(|point| {
            let (side, label) =
                if point == position.king { (Side::Two, "X") } else { (Side::One, "o") };
            Piece::new(point.into(), side, label)
        });
        let turn = match position.turn {
            Player::Black => "black (X)",
            Player::Brown => "brown (o)",
        };
        Drawing {
            spots: spots.collect(),
            lines: lines.map(|&(a, b)| (a.into(), b.into())).collect(),
            pieces: pieces.collect(),
            caption: format!("{turn} to move, {}", brown_pieces(position.brown.count_ones())),
            turn: Some(self.mover(position)),
            ..Drawing::default()
        }
    }
}

/// 'so many brown pieces'.
fn brown_pieces(count: u32) -> String {
    format!("{count} brown piece{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;
    use kanzen_core::Game;
    use proptest::prelude::*;

    #[test]
    fn starts_are_written_as_stated() {
        let start = |board| {
            let game = Musashi::new(board);
            game.write(&game.start())
        };
        let wide = "ooooo_./o...o../o.X.o../o...o../ooooo_. brown";
        assert_eq!(start(Board::standard()), wide);
        assert_eq!(start(Board::board31()), "ooooo_./o...o._/o.X.o../o...o._/ooooo_. brown");
        assert_eq!(start(Board::board25()), "ooooo/o...o/o.X.o/o...o/ooooo brown");
    }

    #[test]
    fn refuses_what_is_no_position() {
        let game = Musashi::new(Board::standard());
        let error = |text: &str| game.parse(text).unwrap_err().to_string();
        assert!(error("").starts_with("expected 5 rows of 7 characters"));
        assert!(error("ooooo_./o...o../o.X.o../o...o../ooooo_.").contains("'brown' or 'black'"));
        assert!(error("ooooo_./o...o../o.X.o../o...o../ooooo_. white").contains("found 'white'"));
        assert!(error("ooooo_./o...o../o.X.o../o...o../ooooo_. brown black").contains("5 rows"));
        assert!(error("ooooo/o...o/o.X.o/o...o/ooooo brown").contains("7 characters"));
        assert_eq!(
            error("ooooo_./o...o../o.X.o../o...o../ooooo__ brown"),
            "unknown character '_' at 39: allowed are . (empty), o (brown), X (the king)"
        );
        assert_eq!(
            error("ooooo.../o...o../o.X.o../o...o../ooooo_. brown"),
            error("ooooo.../o...o../o.X.o../o...o../ooooo_. black")
        );
        assert_eq!(
            error("ooooo../o...o../o.X.o../o...o../ooooo_. brown"),
            "unknown character '.' at 6: allowed are _ (no point here)"
        );
        assert_eq!(
            error("ooooo_./o...o../o...o../o...o../ooooo_. brown"),
            "kings (X): expected 1, found 0"
        );
        assert_eq!(
            error("ooooo_./o..Xo../o.X.o../o...o../ooooo_. brown"),
            "kings (X): expected 1, found 2"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(board in 0..3_usize, king in 0..25_u8, bits: u64, black: bool) {
            let board = [Board::standard(), Board::board31(), Board::board25()][board];
            let game = Musashi::new(board);
            let brown = bits & ((1 << board.points()) - 1) & !(1 << king);
            let turn = if black { Player::Black } else { Player::Brown };
            let position = Position { king, brown, turn };
            prop_assert_eq!(game.parse(&game.write(&position)), Ok(position));
        }

        #[test]
        fn any_text_is_answered(text in "[oX._/ a-z]{0,50}") {
            let game = Musashi::new(Board::standard());
            if let Ok(position) = game.parse(&text) {
                prop_assert_eq!(game.parse(&game.write(&position)), Ok(position));
            }
        }
    }
}
