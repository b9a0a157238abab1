//! The rules of Sixteen Musashi.

use super::board::Board;
use super::notation::KIT;
use kanzen_bitmap::plain::after_captures;
use kanzen_core::{Drawing, Endless, Game, Kit, Next, NotationError, Outcome, Side, Trace};

/// The two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Has the king, the only black piece.
    Black,
    /// Has the brown pieces, and moves first.
    Brown,
}

/// The pieces on the board and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The king's point.
    pub king: u8,
    /// The brown pieces: bit `p` is set if one stands on point `p`.
    pub brown: u64,
    /// The side to move.
    pub turn: Player,
}

impl Position {
    /// Whether nothing stands on a point.
    #[inline]
    #[must_use]
    pub fn is_empty(&self, point: u8) -> bool {
        point != self.king && self.brown >> point & 1 == 0
    }
}

/// A piece steps along a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The point it leaves.
    pub from: u8,
    /// The empty point it reaches.
    pub to: u8,
}

/// Sixteen Musashi on one of its boards.
///
/// ```
/// use kanzen_core::Game;
/// use kanzen_musashi::{Board, Musashi};
///
/// let game = Musashi::new(Board::board25());
/// assert_eq!(game.write(&game.start()), "ooooo/o...o/o.X.o/o...o/ooooo brown");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Musashi {
    board: &'static Board,
}

impl Musashi {
    /// The game on a board.
    #[must_use]
    pub fn new(board: &'static Board) -> Musashi {
        Musashi { board }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// The brown pieces that the king captures when it arrives at a point: both ends of every
    /// sandwich.
    #[must_use]
    pub fn captured(&self, brown: u64, king: u8) -> u64 {
        brown & !after_captures(self.board.graph(), king, brown)
    }
}

impl Game for Musashi {
    type Position = Position;
    type Move = Move;

    /// Brown stands on the rim of the square, the king in its centre.
    fn start(&self) -> Position {
        let rim = |&(column, row): &(u8, u8)| {
            column <= 4 && (column == 0 || column == 4 || row == 0 || row == 4)
        };
        let places = self.board.places().iter().enumerate();
        let brown = places.filter(|(_, place)| rim(place)).fold(0, |set, (p, _)| set | 1 << p);
        let king = self.board.point(2, 2).unwrap_or_default();
        Position { king, brown, turn: Player::Brown }
    }

    /// Who cannot move has lost.
    fn over(&self, position: &Position) -> Option<Outcome> {
        let mut stuck = true;
        self.moves(position, |_| stuck = false);
        stuck.then_some(Outcome::Loss)
    }

    fn moves(&self, position: &Position, mut each: impl FnMut(Move)) {
        for &(a, b) in self.board.graph().lines() {
            for (from, to) in [(a, b), (b, a)] {
                let own = match position.turn {
                    Player::Black => from == position.king,
                    Player::Brown => position.brown >> from & 1 == 1,
                };
                if own && position.is_empty(to) {
                    each(Move { from, to });
                }
            }
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Next<Position> {
        Next::Position(match position.turn {
            Player::Black => Position {
                king: mv.to,
                brown: after_captures(self.board.graph(), mv.to, position.brown),
                turn: Player::Brown,
            },
            Player::Brown => Position {
                brown: position.brown & !(1 << mv.from) | 1 << mv.to,
                turn: Player::Black,
                ..*position
            },
        })
    }

    /// Black wins when a position comes back.
    fn endless(&self) -> Endless {
        Endless::WonBy(Side::Two)
    }

    fn mover(&self, position: &Position) -> Side {
        match position.turn {
            Player::Black => Side::Two,
            Player::Brown => Side::One,
        }
    }

    fn symmetries(&self) -> usize {
        self.board.graph().symmetries().len()
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        let to = &self.board.graph().symmetries()[symmetry];
        let points = to.iter().enumerate();
        Position {
            king: to[usize::from(position.king)],
            brown: points.fold(0, |set, (p, &t)| set | (position.brown >> p & 1) << t),
            turn: position.turn,
        }
    }

    fn parse(&self, text: &str) -> Result<Position, NotationError> {
        self.parse_position(text)
    }

    fn write(&self, position: &Position) -> String {
        self.write_position(position)
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        self.write_step(position, mv)
    }

    fn draw(&self, position: &Position) -> Drawing {
        self.draw_position(position)
    }

    fn trace(&self, position: &Position, mv: Move) -> Trace {
        let captured = match position.turn {
            Player::Black => self.captured(position.brown, mv.to),
            Player::Brown => 0,
        };
        Trace {
            from: Some(mv.from.into()),
            to: Some(mv.to.into()),
            also: (0..self.board.points()).filter(|p| captured >> p & 1 == 1).collect(),
        }
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        Some(self.compose_position(drawing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::perft;

    fn position(game: &Musashi, text: &str) -> Position {
        game.parse(text).unwrap()
    }

    fn after(game: &Musashi, text: &str, name: &str) -> String {
        let position = position(game, text);
        let mut result = None;
        game.moves(&position, |mv| {
            if game.write_move(&position, mv) == name {
                result = Some(game.play(&position, mv));
            }
        });
        match result {
            Some(Next::Position(next)) => game.write(&next),
            _ => panic!("no move {name}"),
        }
    }

    #[test]
    fn the_king_captures_all_sandwiches_it_enters() {
        let game = Musashi::new(Board::board25());
        // Three pairs around the centre; the king comes from the fourth line.
        let text = ".ooo./.oXo./.o.o./.o.o./..... black";
        assert_eq!(
            after(&game, text, "c2-c3xb2,d2,b3,d3,b4,d4"),
            ".ooo./...../..X../...../..... brown"
        );
        // A sandwich around the old point, and one that brown makes, capture nothing.
        let text = "...../..o../.oXo./...../..... black";
        assert_eq!(after(&game, text, "c3-d4"), "...../..o../.o.o./...X./..... brown");
        let text = "..o../...../.oX../...o./..... brown";
        assert_eq!(after(&game, text, "d4-d3"), "..o../...../.oXo./...../..... black");
    }

    #[test]
    fn who_cannot_move_has_lost() {
        let game = Musashi::new(Board::board25());
        let stuck = position(&game, "Xo.../oo.../...../...../..... black");
        assert_eq!(game.over(&stuck), Some(Outcome::Loss));
        let full = position(&game, "Xoooo/ooooo/ooooo/ooooo/ooooo brown");
        assert_eq!(game.over(&full), Some(Outcome::Loss));
        assert_eq!(game.over(&game.start()), None);
        assert_eq!(game.endless(), Endless::WonBy(game.mover(&stuck)));
    }

    /// Expected are the counts of a program that shares nothing with this one but the list of
    /// lines and sandwiches in `tests/data/musashi_boards.json`.
    #[test]
    fn perft_from_the_start() {
        let count = |board| {
            let game = Musashi::new(board);
            [1, 2, 3, 4].map(|depth| perft(&game, &game.start(), depth))
        };
        assert_eq!(count(Board::board25()), [24, 168, 3688, 12480]);
        assert_eq!(count(Board::board31()), [23, 88, 1914, 4964]);
        assert_eq!(count(Board::standard()), [27, 192, 4640, 15899]);
    }

    #[test]
    fn symmetries_map_moves_to_moves() {
        for board in [Board::board25(), Board::board31(), Board::standard()] {
            let game = Musashi::new(board);
            let mut position = game.start();
            for ply in 0..40 {
                let mut next = Vec::new();
                game.successors(&position, |n| next.push(n));
                for symmetry in 0..game.symmetries() {
                    let image = |n: &Next<Position>| match n {
                        Next::Position(p) => game.image(p, symmetry),
                        _ => unreachable!("no move ends the game"),
                    };
                    let mut here: Vec<_> = next.iter().map(image).collect();
                    let mut there = Vec::new();
                    game.successors(&game.image(&position, symmetry), |n| {
                        if let Next::Position(p) = n {
                            there.push(p);
                        }
                    });
                    here.sort();
                    there.sort();
                    assert_eq!(here, there);
                }
                match next.get(ply * 7 % next.len().max(1)) {
                    Some(Next::Position(p)) => position = *p,
                    _ => break,
                }
            }
        }
    }
}
