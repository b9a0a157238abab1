//! Simpei in writing and as a picture.

use super::board::{BOARD, HOLES, bits};
use super::rules::{Move, Position, Simpei};
use kanzen_core::{Drawing, NotationError, Piece, Side, Spot, SpotShape};

impl Simpei {
    pub(super) fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        let mut position = Position { mine: 0, theirs: 0 };
        let mut hole = 0;
        for (at, letter) in text.trim().chars().enumerate() {
            let set = match letter {
                '-' | '/' => continue,
                '0' => None,
                '1' => Some(&mut position.mine),
                '2' => Some(&mut position.theirs),
                found => {
                    return Err(NotationError::Letter {
                        at: at + 1,
                        found,
                        allowed: "0 (empty), 1 (side to move), 2 (other side), - and /",
                    });
                }
            };
            if let Some(set) = set.filter(|_| hole < HOLES) {
                *set |= 1 << hole;
            }
            hole += 1;
        }
        if hole != HOLES {
            return Err(NotationError::shape(
                "25 digits, upper world then lower world (0000-0000-0000-0000/000-000-000)",
                &format!("{hole} digits"),
            ));
        }
        self.check(position)
    }

    /// Checks the numbers of pieces: the mover has half of them, rounded down.
    fn check(&self, position: Position) -> Result<Position, NotationError> {
        let pieces = position.pieces();
        let count = |what: &str, expected: String, found: u32| NotationError::Count {
            what: what.to_owned(),
            expected,
            found: found as usize,
        };
        if pieces > self.all_pieces() {
            let expected = format!("at most {}", self.all_pieces());
            return Err(count("pieces on the board", expected, pieces));
        }
        let mine = position.mine.count_ones();
        if mine != pieces / 2 {
            let what = format!("pieces of the side to move, with {pieces} on the board");
            return Err(count(&what, (pieces / 2).to_string(), mine));
        }
        Ok(position)
    }

    pub(super) fn write_position(&self, position: &Position) -> String {
        let mut text = String::new();
        for hole in 0..HOLES {
            match hole {
                4 | 8 | 12 | 19 | 22 => text.push('-'),
                16 => text.push('/'),
                _ => {}
            }
            text.push(match (position.mine >> hole & 1, position.theirs >> hole & 1) {
                (1, _) => '1',
                (_, 1) => '2',
                _ => '0',
            });
        }
        text
    }

    /// `5` places a piece, `5-16` steps; `:17,20>3,4` relocates sandwiched pieces.
    pub(super) fn write_turn(&self, mv: Move) -> String {
        let Move::Piece {
            from,
            to,
            caught,
            relocated,
        } = mv
        else {
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
            Spot {
                x: x as f32,
                y: y as f32,
                shape,
                name: hole.to_string(),
            }
        });
        let side = |set, side, label: &str| {
            let label = label.to_owned();
            bits(set).map(move |spot| Piece {
                spot,
                side,
                label: label.clone(),
            })
        };
        Drawing {
            spots: spots.collect(),
            lines: (16..HOLES)
                .flat_map(|lower| bits(BOARD.steps[lower]).map(move |upper| (upper, lower)))
                .collect(),
            pieces: side(position.mine, Side::One, "1")
                .chain(side(position.theirs, Side::Two, "2"))
                .collect(),
            caption: format!(
                "upper world o, lower world . ; 1 to move, {} of {} pieces on the board",
                position.pieces(),
                self.all_pieces()
            ),
            ..Drawing::default()
        }
    }
}
