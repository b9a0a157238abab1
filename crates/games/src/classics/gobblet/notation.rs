//! Positions in writing and as a picture: stacks of pieces from bottom to top.

use super::layer::{Layer, mine, theirs};
use super::rules::{Gobblet, Position};
use kanzen_core::{Drawing, Hand, Kind, Kit, NotationError, Piece, Side, Words};

/// The letters of each size: of the side to move, and of the other.
pub const SIZES: [(char, char); 3] = [('s', 'S'), ('m', 'M'), ('l', 'L')];

/// The number of the hand of the side to move in a drawing.
pub const OWN_HAND: usize = 1;

const fn piece(side: Side, label: &'static str, glyph: &'static str, name: Words) -> Kind {
    Kind { glyph, name, in_hand: true, ..Kind::stone(side, label) }
}

const SMALL: Words = Words::new("small piece", "小");
const MEDIUM: Words = Words::new("medium piece", "中");
const LARGE: Words = Words::new("large piece", "大");

/// What the game is played with.
pub static KIT: Kit = Kit {
    kinds: &[
        piece(Side::One, "s", "S", SMALL),
        piece(Side::One, "m", "M", MEDIUM),
        piece(Side::One, "l", "L", LARGE),
        piece(Side::Two, "S", "S", SMALL),
        piece(Side::Two, "M", "M", MEDIUM),
        piece(Side::Two, "L", "L", LARGE),
    ],
    ..Kit::STONES
};

/// The pieces of a cell from bottom to top.
fn stack(position: &Position, cell: usize) -> impl Iterator<Item = char> {
    let pieces = SIZES
        .iter()
        .zip(position)
        .flat_map(move |(&(own, other), &layer)| [(mine(layer), own), (theirs(layer), other)]);
    pieces.filter(move |(set, _)| set >> cell & 1 == 1).map(|(_, letter)| letter)
}

pub fn write(position: &Position) -> String {
    let cell = |cell| match stack(position, cell).collect::<String>() {
        pieces if pieces.is_empty() => "-".to_owned(),
        pieces => pieces,
    };
    (0..9).map(cell).collect::<Vec<_>>().join("/")
}

/// The size and side of a letter, as the number of a layer and a place in it.
fn find(letter: char, cell: usize) -> Option<(usize, Layer)> {
    let size = SIZES.iter().position(|&(own, other)| letter == own || letter == other)?;
    Some((size, 1 << if letter == SIZES[size].0 { cell } else { 9 + cell }))
}

pub fn parse(game: &Gobblet, text: &str) -> Result<Position, NotationError> {
    let shape =
        || NotationError::shape("nine stacks joined by /, such as -/-/-/-/sM/-/-/-/l", text);
    let cells: Vec<&str> = text.trim().split('/').collect();
    if cells.len() != 9 {
        return Err(shape());
    }
    let mut position = [0; 3];
    for (cell, pieces) in cells.into_iter().enumerate() {
        let mut smallest = 0;
        for letter in pieces.chars().filter(|_| pieces != "-") {
            let (size, bit) = find(letter, cell).ok_or_else(shape)?;
            if size < smallest || size >= game.sizes {
                return Err(shape());
            }
            smallest = size + 1;
            position[size] |= bit;
        }
    }
    for (set, (own, other)) in position.iter().zip(SIZES) {
        for (letter, set) in [(own, mine(*set)), (other, theirs(*set))] {
            if set.count_ones() > game.pieces {
                let (what, expected) =
                    (format!("pieces {letter}"), format!("0 to {}", game.pieces));
                return Err(NotationError::Count {
                    what,
                    expected,
                    found: set.count_ones() as usize,
                });
            }
        }
    }
    Ok(position)
}

pub fn draw(game: &Gobblet, position: &Position) -> Drawing {
    let pieces = (0..9).flat_map(|cell| {
        stack(position, cell).map(move |letter| {
            let side = if letter.is_lowercase() { Side::One } else { Side::Two };
            Piece::new(cell, side, letter)
        })
    });
    let held = |own: bool| {
        let sizes = SIZES.iter().zip(position).take(game.sizes);
        let letters = sizes.flat_map(|(&(one, two), &layer)| {
            let (letter, set) = if own { (one, mine(layer)) } else { (two, theirs(layer)) };
            vec![letter.to_string(); (game.pieces - set.count_ones()) as usize]
        });
        letters.collect()
    };
    let mut drawing = Drawing::cells(3, 3);
    drawing.pieces = pieces.collect();
    drawing.hands = vec![
        Hand { side: Side::Two, pieces: held(false) },
        Hand { side: Side::One, pieces: held(true) },
    ];
    drawing
}

pub fn compose(drawing: &Drawing) -> String {
    let mut position = [0; 3];
    for piece in drawing.pieces.iter().filter(|piece| piece.spot < 9) {
        let letter = piece.label.chars().next().unwrap_or_default();
        if let Some((size, bit)) = find(letter, piece.spot) {
            position[size] |= bit;
        }
    }
    write(&position)
}
