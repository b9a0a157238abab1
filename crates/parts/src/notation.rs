//! Positions and steps in writing.
//!
//! A letter for each point (`X`, `O`, `N` for neutral pieces, `.` for none), rows joined by `/`; then
//! the side to move, and what else there is to know. Where pieces stand on one another, a column is
//! written from the bottom without its empty cells, and `-` if it has no piece.

use crate::{Board, Position, Rules, Step, Turn, Turns};
use kanzen_core::NotationError;

/// The letters of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters {
    /// Those of their pieces.
    pub pieces: [char; 2],
    /// Those that tell who is to move.
    pub turns: [char; 2],
    /// All letters of a board, for people.
    pub allowed: &'static str,
}

impl Letters {
    /// `X` and `O`.
    pub const XO: Letters =
        Letters { pieces: ['X', 'O'], turns: ['X', 'O'], allowed: "., X, O, N and /" };

    fn turn(&self, turn: Turn) -> char {
        self.turns[usize::from(turn == Turn::O)]
    }
}

pub(crate) fn write<R: Rules + ?Sized>(rules: &R, board: &Board, position: &Position) -> String {
    let letters = rules.letters();
    let mut text = if board.is_stacks() {
        write_stacks(letters, board, position)
    } else {
        let letter = |point| letter(letters, position, point);
        let points: Vec<char> = (0..board.points()).map(letter).collect();
        let rows = points.chunks(board.row().min(points.len()));
        rows.map(String::from_iter).collect::<Vec<_>>().join("/")
    };
    if rules.turns() == Turns::Written {
        text.extend([' ', letters.turn(position.turn)]);
    }
    if rules.counts().is_some() {
        text = text + " " + &rules.write_count(position.count);
    }
    text
}

fn letter(letters: &Letters, position: &Position, point: usize) -> char {
    match [position.x, position.o, position.neutral].map(|set| set >> point & 1) {
        [1, _, _] => letters.pieces[0],
        [_, 1, _] => letters.pieces[1],
        [_, _, 1] => 'N',
        _ => '.',
    }
}

fn write_stacks(letters: &Letters, board: &Board, position: &Position) -> String {
    let height = board.row();
    let column = |first: usize| {
        let cells = (first..first + height).map(|point| letter(letters, position, point));
        let pieces: String = cells.filter(|letter| *letter != '.').collect();
        if pieces.is_empty() { "-".to_owned() } else { pieces }
    };
    (0..board.points()).step_by(height).map(column).collect::<Vec<_>>().join("/")
}

pub(crate) fn read<R: Rules + ?Sized>(
    rules: &R,
    board: &Board,
    text: &str,
) -> Result<Position, NotationError> {
    let example = || {
        let start = rules.write(board, &rules.start());
        NotationError::shape(format!("a position like {start}"), text)
    };
    let mut words = text.split_whitespace();
    let mut position = Position::default();
    let points = words.next().ok_or_else(example)?;
    if board.is_stacks() {
        read_stacks(rules.letters(), board, points, &mut position).ok_or_else(example)?;
    } else {
        read_points(rules, board, points, &mut position)?;
    }
    if rules.turns() == Turns::Written {
        let word = words.next().ok_or_else(example)?;
        let told = |turn: &Turn| word.chars().eq([rules.letters().turn(*turn)]);
        position.turn = [Turn::X, Turn::O].into_iter().find(told).ok_or_else(example)?;
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    position.count = match rules.counts() {
        Some(counts) => (0..counts).find(|&count| rules.write_count(count) == rest),
        None => rest.is_empty().then_some(0),
    }
    .ok_or_else(example)?;
    Ok(rules.turns().settle(position))
}

fn read_points<R: Rules + ?Sized>(
    rules: &R,
    board: &Board,
    points: &str,
    position: &mut Position,
) -> Result<(), NotationError> {
    let Letters { pieces: [x, o], allowed, .. } = *rules.letters();
    let mut point = 0;
    for (at, found) in points.chars().enumerate().filter(|(_, letter)| *letter != '/') {
        let bit = if point < board.points() { 1 << point } else { 0 };
        match found {
            '.' => (),
            _ if found == x => position.x |= bit,
            _ if found == o => position.o |= bit,
            'N' if *rules.neutral().end() > 0 => position.neutral |= bit,
            _ => return Err(NotationError::Letter { at: at + 1, found, allowed }),
        }
        point += 1;
    }
    if point == board.points() {
        return Ok(());
    }
    let expected = format!("{} points", board.points());
    Err(NotationError::Shape { expected, found: point.to_string() })
}

fn read_stacks(
    letters: &Letters,
    board: &Board,
    points: &str,
    position: &mut Position,
) -> Option<()> {
    let height = board.row();
    let columns: Vec<&str> = points.split('/').collect();
    if columns.len() * height != board.points() {
        return None;
    }
    for (first, column) in (0..).step_by(height).zip(columns) {
        let pieces = if column == "-" { "" } else { column };
        for (level, letter) in pieces.chars().enumerate() {
            let bit = if level < height { 1 << (first + level) } else { return None };
            match letters.pieces {
                [x, _] if letter == x => position.x |= bit,
                [_, o] if letter == o => position.o |= bit,
                _ => return None,
            }
        }
    }
    Some(())
}

pub(crate) fn write_step(board: &Board, step: Step) -> String {
    let name = |point: u8| board.name(point);
    let mut text = match (step.from, step.to) {
        (_, None) => "pass".to_owned(),
        (None, Some(to)) => name(to).to_owned(),
        (Some(from), Some(to)) => format!("{}-{}", name(from), name(to)),
    };
    if let Some(whose) = step.whose {
        text.insert(0, whose.letter());
    }
    if let Some(taken) = step.take {
        text = text + "x" + name(taken);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct Any;

    impl Rules for Any {
        fn steps(&self, _: &Board, _: &Position, _: &mut dyn FnMut(Step)) {}
    }

    #[test]
    fn what_is_wrong_with_a_text_is_said() {
        let board = Board::grid(2, 2);
        let error = |text| read(&Any, &board, text).unwrap_err().to_string();
        assert_eq!(read(&Any, &board, "X./.O O"), Ok(Position::new(1, 8).passed()));
        assert_eq!(error("X.?. X"), "unknown character '?' at 3: allowed are ., X, O, N and /");
        assert_eq!(error("X. X"), "expected 4 points, found 2");
        assert_eq!(error("...."), "expected a position like ../.. X, found '....'");
        assert_eq!(error(".... X 7"), "expected a position like ../.. X, found '.... X 7'");
    }

    #[test]
    fn columns_are_written_from_the_bottom() {
        let board = Board::stacks(3, 2);
        let position = Position::of("X...OX");
        assert_eq!(write(&Any, &board, &position), "X/-/OX X");
        assert_eq!(read(&Any, &board, "X/-/OX X"), Ok(position));
        assert!(read(&Any, &board, "X/-/OXO X").is_err(), "three stones do not fit");
    }
}
