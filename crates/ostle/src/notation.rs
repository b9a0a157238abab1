//! Ostle in writing and as a picture.
//!
//! A board is 25 digits, row by row: `0` empty, `1` the mover's, `2` the opponent's, `3` the hole;
//! `-` is ignored. A state with a barred move names the board before, written from its own mover's
//! view: `BOARD after BOARD`. A cell is named by the letter of its column and the number of its row
//! from the top; a move by the cell it starts from and its direction (`^`, `v`, `<`, `>`), and
//! after `x` the cell of the piece that leaves the game: `a1>xe1`.

use super::board::{Board, CELLS, Direction, SIDE, cells};
use super::rules::{Move, Ostle, State};
use super::undo;
use kanzen_core::{
    Drawing, Kind, Kit, Next, NotationError, Piece, Side, Spot, SpotShape, Words, stones,
};

const BETWEEN: &str = "after";
/// The hole in a drawing.
const HOLE: &str = "o";

/// Equal pieces of two colours, and the hole, which belongs to nobody.
pub(super) const KIT: Kit = Kit {
    kinds: &[
        Kind::stone(Side::One, "1"),
        Kind::stone(Side::Two, "2"),
        Kind { name: Words::new("hole", "穴"), ..Kind::stone(Side::Neutral, HOLE) },
    ],
    ..Kit::STONES
};

impl Ostle {
    pub(super) fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [board] => Ok(State::free(self.parse_board(board)?)),
            [board, BETWEEN, before] => {
                let (board, before) = (self.parse_board(board)?, self.parse_board(before)?);
                let led = |mv: &Move| self.after(&before, *mv) == Next::Position(board);
                let mv = Ostle::all_moves(&before).find(led).ok_or_else(|| {
                    let before = write_board(&before);
                    NotationError::Illegal(format!(
                        "no move leads from {before} (1 is the side that moved) to {}",
                        write_board(&board)
                    ))
                })?;
                Ok(State { board, barred: self.bar(&before, mv, &board) })
            }
            _ => Err(NotationError::shape("'BOARD' or 'BOARD after BOARD'", text)),
        }
    }

    fn parse_board(&self, text: &str) -> Result<Board, NotationError> {
        let (mut mine, mut theirs, mut holes) = (0, 0, 0);
        let mut digits = 0;
        for (at, found) in text.chars().enumerate().filter(|&(_, found)| found != '-') {
            let cell = 1_u32.checked_shl(digits).unwrap_or(0);
            match found {
                '0' => {}
                '1' => mine |= cell,
                '2' => theirs |= cell,
                '3' => holes |= cell,
                _ => {
                    let allowed = "0 (empty), 1 (side to move), 2 (other side), 3 (hole) and -";
                    return Err(NotationError::Letter { at: at + 1, found, allowed });
                }
            }
            digits += 1;
        }
        if digits != u32::from(CELLS) {
            let expected = format!("{CELLS} digits");
            return Err(NotationError::Shape { expected, found: format!("{digits}") });
        }
        let count = |what: &str, expected: String, set: u32| {
            let found = set.count_ones() as usize;
            Err(NotationError::Count { what: what.to_owned(), expected, found })
        };
        let allowed = self.least()..=(self.least() + 1).min(self.total() - self.least());
        let range = match (allowed.start(), allowed.end()) {
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least} or {most}"),
        };
        for (what, set) in
            [("pieces of the side to move (1)", mine), ("of the other side (2)", theirs)]
        {
            if !allowed.contains(&set.count_ones()) {
                return count(what, range, set);
            }
        }
        if (mine | theirs).count_ones() > self.total() {
            return count("pieces", format!("at most {}", self.total()), mine | theirs);
        }
        if holes.count_ones() != 1 {
            return count("holes (3)", "1".to_owned(), holes);
        }
        Ok(Board { mine, theirs, hole: holes.trailing_zeros() as u8 })
    }

    pub(super) fn write_state(&self, state: &State) -> String {
        let board = write_board(&state.board);
        match undo::before(self, state) {
            Some(before) => format!("{board} {BETWEEN} {}", write_board(&before)),
            None => board,
        }
    }

    pub(super) fn write_step(board: &Board, mv: Move) -> String {
        let sign = match mv.direction {
            Direction::Up => '^',
            Direction::Down => 'v',
            Direction::Left => '<',
            Direction::Right => '>',
        };
        let out = Ostle::step(board, mv).out.map(|cell| format!("x{}", name(cell)));
        format!("{}{sign}{}", name(mv.cell), out.unwrap_or_default())
    }

    pub(super) fn draw_state(state: &State) -> Drawing {
        let spot = |cell: u8| {
            Spot::new((cell % SIDE).into(), (cell / SIDE).into(), SpotShape::Cell, name(cell))
        };
        let mut pieces = stones(state.board.mine, state.board.theirs);
        for piece in &mut pieces {
            piece.label = if piece.side == Side::One { "1" } else { "2" }.to_owned();
        }
        pieces.push(Piece::new(state.board.hole.into(), Side::Neutral, HOLE));
        let barred =
            state.barred.map(|mv| format!("barred: {}", Ostle::write_step(&state.board, mv)));
        Drawing {
            spots: (0..CELLS).map(spot).collect(),
            pieces,
            caption: barred.unwrap_or_default(),
            ..Drawing::default()
        }
    }
}

/// Writes what somebody has put on a board, right or wrong.
pub(super) fn compose(drawing: &Drawing) -> String {
    let digit = |cell: u8| match drawing.pieces.iter().find(|p| p.spot == usize::from(cell)) {
        None => '0',
        Some(Piece { side: Side::One, .. }) => '1',
        Some(Piece { side: Side::Two, .. }) => '2',
        Some(_) => '3',
    };
    let row = |row: u8| (0..SIDE).map(|column| digit(row * SIDE + column)).collect();
    (0..SIDE).map(row).collect::<Vec<String>>().join("-")
}

/// The name of a cell.
pub(super) fn name(cell: u8) -> String {
    format!("{}{}", char::from(b'a' + cell % SIDE), cell / SIDE + 1)
}

/// Writes a board with its rows apart.
pub(super) fn write_board(board: &Board) -> String {
    let mut digits = [b'0'; CELLS as usize];
    for (set, digit) in [(board.mine, b'1'), (board.theirs, b'2'), (1 << board.hole, b'3')] {
        cells(set).for_each(|cell| digits[usize::from(cell)] = digit);
    }
    let rows = digits.chunks(SIDE.into()).map(String::from_utf8_lossy);
    rows.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::super::rules::Undo;
    use super::*;
    use kanzen_core::Game;
    use proptest::prelude::*;

    const START: &str = "11111-00000-00300-00000-22222";

    fn game() -> Ostle {
        Ostle::new(4, 10, Undo::Exact)
    }

    #[test]
    fn reads_what_the_public_solver_reads() {
        let text = "00100-11200-00001-31022-20020 after 00000-22200-00102-32011-10010";
        let state = game().parse(text).unwrap();
        assert_eq!(
            state.barred.map(|mv| Ostle::write_step(&state.board, mv)).as_deref(),
            Some("c1v")
        );
        assert_eq!(game().write(&state), text);
        assert_eq!(game().write(&game().start()), START);
        assert_eq!(game().parse(&START.replace('-', "")), Ok(game().start()));
    }

    #[test]
    fn refuses_what_is_no_position() {
        let error = |text: &str| game().parse(text).unwrap_err().to_string();
        assert_eq!(error(""), "expected 'BOARD' or 'BOARD after BOARD', found ''");
        assert!(error(&format!("{START} before {START}")).contains("'BOARD after BOARD'"));
        assert_eq!(error("11111-00000-00300-00000-2222"), "expected 25 digits, found 24");
        assert_eq!(error("11111-00000-00300-00000-222222"), "expected 25 digits, found 26");
        assert_eq!(
            error("11111-00000-00400-00000-22222"),
            "unknown character '4' at 15: allowed are 0 (empty), 1 (side to move), 2 (other \
             side), 3 (hole) and -"
        );
        assert_eq!(
            error("11100-00000-00300-00000-22222"),
            "pieces of the side to move (1): expected 4 or 5, found 3"
        );
        assert_eq!(
            error("11111-20000-00300-00000-22222"),
            "of the other side (2): expected 4 or 5, found 6"
        );
        assert_eq!(error("11111-00000-00000-00000-22222"), "holes (3): expected 1, found 0");
        assert_eq!(error("11111-00000-00330-00000-22222"), "holes (3): expected 1, found 2");
        assert_eq!(
            error(&format!("{START} after {START}")),
            format!(
                "illegal position: no move leads from {START} (1 is the side that moved) to {START}"
            )
        );
        let eight = Ostle::new(4, 8, Undo::Exact);
        let error = eight.parse(START).unwrap_err().to_string();
        assert_eq!(error, "pieces of the side to move (1): expected 4, found 5");
        let nine = Ostle::new(4, 9, Undo::Exact);
        assert_eq!(
            nine.parse(START).unwrap_err().to_string(),
            "pieces: expected at most 9, found 10"
        );
    }

    #[test]
    fn pictures_show_the_hole_and_the_bar() {
        let text = "11111-00000-03000-00000-22222 after 22222-00000-00300-00000-11111";
        let drawing = game().draw(&game().parse(text).unwrap());
        assert_eq!(drawing.caption, "barred: b3>");
        assert_eq!(drawing.pieces.len(), 11);
        assert_eq!((drawing.pieces[10].spot, drawing.pieces[10].side), (11, Side::Neutral));
        assert_eq!(compose(&drawing), text[..29]);
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "[0-4aefrt -]{0,60}") {
            if let Ok(state) = game().parse(&text) {
                prop_assert_eq!(game().parse(&game().write(&state)), Ok(state));
            }
        }
    }
}
