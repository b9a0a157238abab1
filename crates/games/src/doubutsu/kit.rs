//! The animals as people see them.

use super::piece::Kind;
use kanzen_core::{self as core, Colour, Kit, Party, PieceShape, Side};

/// Both players' animals.
pub const KIT: Kit = Kit {
    parties: &[
        Party { side: Side::One, name: "Sente", colour: Colour::Green },
        Party { side: Side::Two, name: "Gote", colour: Colour::Yellow },
    ],
    kinds: &[
        animal(Kind::Lion, Side::One, "L", "lion"),
        animal(Kind::Giraffe, Side::One, "G", "giraffe"),
        animal(Kind::Elephant, Side::One, "E", "elephant"),
        animal(Kind::Chick, Side::One, "C", "chick"),
        animal(Kind::Hen, Side::One, "R", "hen"),
        animal(Kind::Lion, Side::Two, "l", "lion"),
        animal(Kind::Giraffe, Side::Two, "g", "giraffe"),
        animal(Kind::Elephant, Side::Two, "e", "elephant"),
        animal(Kind::Chick, Side::Two, "c", "chick"),
        animal(Kind::Hen, Side::Two, "r", "hen"),
    ],
    shape: PieceShape::Tile,
    choose_turn: true,
};

const fn animal(kind: Kind, side: Side, label: &'static str, name: &'static str) -> core::Kind {
    let (glyph, in_hand) = match kind {
        Kind::Lion => ("L", false),
        Kind::Giraffe => ("G", true),
        Kind::Elephant => ("E", true),
        Kind::Chick => ("C", true),
        Kind::Hen => ("H", false),
    };
    core::Kind { side, label, name, glyph, steps: kind.steps(), in_hand }
}
