//! Simpei in writing and as a picture.

use super::board::{BOARD, HOLES, bits};
use super::rules::{Move, Position, Simpei};
use kanzen_core::{Drawing, NotationError, Spot, SpotShape, parse_stones, stones, write_stones};

impl Simpei {
    pub(super) fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        let (mine, theirs) = parse_stones(text, HOLES)?;
        self.check(Position { mine, theirs })
    }

    /// Checks the numbers of pieces: the mover has half of them, rounded down.
    pub(super) fn check(&self, position: Position) -> Result<Position, NotationError> {
        let pieces = position.pieces();
        if pieces > self.all_pieces() {
            return Err(NotationError::Count {
                what: "pieces on the board".to_owned(),
                expected: format!("at most {}", self.all_pieces()),
                found: pieces as usize,
            });
        }
        self.index_for(&position).check((position.mine, position.theirs))?;
        Ok(position)
    }

    pub(super) fn write_position(&self, position: &Position) -> String {
        let digits = write_stones(position.mine, position.theirs, HOLES);
        let (upper, lower) = digits.split_at(16);
        let rows = |world: &str, side: usize| {
            let rows = world.as_bytes().chunks(side);
            rows.map(String::from_utf8_lossy).collect::<Vec<_>>().join("-")
        };
        format!("{}/{}", rows(upper, 4), rows(lower, 3))
    }

    /// `5` places a piece, `5-16` steps; `:17,20>3,4` relocates sandwiched pieces.
    pub(super) fn write_turn(&self, mv: Move) -> String {
        let Move::Piece { from, to, caught, relocated } = mv else {
            return "pass".to_owned();
        };
        let mut text = from.map_or(String::new(), |from| format!("{from}-"));
        text += &to.to_string();
        if caught != 0 {
            let list = |set| {
                let holes: Vec<String> = bits(set).map(|hole| hole.to_string()).collect();
                holes.join(",")
            };
            text += &format!(":{}>{}", list(caught), list(relocated));
        }
        text
    }

    pub(super) fn draw_position(&self, position: &Position) -> Drawing {
        let spots = (0..HOLES).map(|hole| {
            let (x, y, shape) = match hole {
                0..16 => (2 * (hole % 4), 2 * (hole / 4), SpotShape::Hole),
                _ => {
                    let lower = hole - 16;
                    (2 * (lower % 3) + 1, 2 * (lower / 3) + 1, SpotShape::SmallHole)
                }
            };
            Spot::new(x as f32, y as f32, shape, hole)
        });
        Drawing {
            spots: spots.collect(),
            lines: (16..HOLES)
                .flat_map(|lower| bits(BOARD.steps[lower]).map(move |upper| (upper, lower)))
                .collect(),
            pieces: stones(position.mine, position.theirs),
            caption: format!("{} of {} pieces on the board", position.pieces(), self.all_pieces()),
            ..Drawing::default()
        }
    }
}
