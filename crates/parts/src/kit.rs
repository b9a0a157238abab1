//! The pieces of games whose players are called X and O.

use kanzen_core::{Colour, Kind, Kit, Party, PieceShape, Side, Words};

/// Two players, X and O, and nobody.
const PARTIES: &[Party] = &[
    Party { side: Side::One, name: Words::same("X"), colour: Colour::Blue },
    Party { side: Side::Two, name: Words::same("O"), colour: Colour::Red },
    Party { side: Side::Neutral, name: Words::new("Nobody", "なし"), colour: Colour::Grey },
];

/// Pieces marked `X` and `O`; the side to move is chosen when a board is set up.
pub const LETTERS: Kit = Kit {
    parties: PARTIES,
    kinds: &[
        Kind { glyph: "X", ..Kind::stone(Side::One, "X") },
        Kind { glyph: "O", ..Kind::stone(Side::Two, "O") },
    ],
    shape: PieceShape::Disc,
    choose_turn: true,
};

/// The same for games in which the side to move follows from the number of pieces.
pub const LETTERS_COUNTED: Kit = Kit { choose_turn: false, ..LETTERS };
