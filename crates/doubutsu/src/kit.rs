//! The animals as people see them: names, and our own drawings of them.

use super::piece::Kind;
use kanzen_core::{self as core, Colour, Kit, Party, PieceShape, Side, Words};

/// Both players' animals.
pub const KIT: Kit = Kit {
    parties: &[
        Party { side: Side::One, name: Words::new("Sente", "先手"), colour: Colour::Green },
        Party { side: Side::Two, name: Words::new("Gote", "後手"), colour: Colour::Yellow },
    ],
    kinds: &[
        animal(Kind::Lion, Side::One, "L"),
        animal(Kind::Giraffe, Side::One, "G"),
        animal(Kind::Elephant, Side::One, "E"),
        animal(Kind::Chick, Side::One, "C"),
        animal(Kind::Hen, Side::One, "R"),
        animal(Kind::Lion, Side::Two, "l"),
        animal(Kind::Giraffe, Side::Two, "g"),
        animal(Kind::Elephant, Side::Two, "e"),
        animal(Kind::Chick, Side::Two, "c"),
        animal(Kind::Hen, Side::Two, "r"),
    ],
    shape: PieceShape::Tile,
    choose_turn: true,
};

const fn animal(kind: Kind, side: Side, label: &'static str) -> core::Kind {
    let (glyph, name) = names(kind);
    let in_hand = matches!(kind, Kind::Giraffe | Kind::Elephant | Kind::Chick);
    let art = art(kind);
    core::Kind { side, label, name, art, glyph, steps: kind.steps(), in_hand }
}

/// The letter on a piece, and its names.
pub const fn names(kind: Kind) -> (&'static str, Words) {
    match kind {
        Kind::Lion => ("L", Words::new("lion", "ライオン")),
        Kind::Giraffe => ("G", Words::new("giraffe", "きりん")),
        Kind::Elephant => ("E", Words::new("elephant", "ぞう")),
        Kind::Chick => ("C", Words::new("chick", "ひよこ")),
        Kind::Hen => ("H", Words::new("hen", "にわとり")),
    }
}

/// The animal's picture.
const fn art(kind: Kind) -> &'static str {
    match kind {
        Kind::Lion => {
            r##"<g fill="#b5651d"><circle r="11"/><circle cy="-11" r="4"/><circle cx="8" cy="-8" r="4"/><circle cx="11" r="4"/><circle cx="8" cy="8" r="4"/><circle cy="11" r="4"/><circle cx="-8" cy="8" r="4"/><circle cx="-11" r="4"/><circle cx="-8" cy="-8" r="4"/></g><circle r="9" fill="#f6c667"/><circle cx="-3.5" cy="-2" r="1.4"/><circle cx="3.5" cy="-2" r="1.4"/><path d="M-2 2h4l-2 2.4z"/><path d="M0 4.4v1.6m-3.5 0q1.75 2 3.5 0q1.75 2 3.5 0" fill="none" stroke="#000"/>"##
        }
        Kind::Giraffe => {
            r##"<path d="M-3 -5h7l2.5 19h-12z" fill="#f2c14e"/><g fill="#8a5a1c"><circle cx="0" cy="3" r="1.8"/><circle cx="2.5" cy="7.5" r="1.7"/><circle cx="-2" cy="10.5" r="2"/></g><path d="M-3 -9v-5m5 5v-5" stroke="#8a5a1c" stroke-width="1.6"/><circle cx="-3" cy="-14" r="1.5" fill="#8a5a1c"/><circle cx="2" cy="-14" r="1.5" fill="#8a5a1c"/><ellipse cx="-1.5" cy="-6.5" rx="6.5" ry="4.2" fill="#f2c14e"/><ellipse cx="-6" cy="-5.2" rx="3.2" ry="2.6" fill="#e0a030"/><circle cx="-1" cy="-7.4" r="1.2"/><circle cx="-6.8" cy="-5.6" r=".7"/>"##
        }
        Kind::Elephant => {
            r##"<ellipse cx="-9.5" cy="-2" rx="5.5" ry="8" fill="#7d8ea3"/><ellipse cx="9.5" cy="-2" rx="5.5" ry="8" fill="#7d8ea3"/><circle cy="-3" r="8.5" fill="#9fb0c3"/><path d="M0 0v9q0 4 4 4q2.5 0 2.5 -2.5" fill="none" stroke="#9fb0c3" stroke-width="4.5" stroke-linecap="round"/><path d="M-2.2 6h4.4m-4.4 3h4.4" stroke="#7d8ea3"/><circle cx="-3.5" cy="-4" r="1.4"/><circle cx="3.5" cy="-4" r="1.4"/>"##
        }
        Kind::Chick => {
            r##"<path d="M0 -9l-1.5 -4m1.5 4l2 -4" stroke="#e0a030" stroke-width="1.4"/><circle cy="1" r="10" fill="#ffe066"/><circle cx="-3.6" cy="-1.5" r="1.4"/><circle cx="3.6" cy="-1.5" r="1.4"/><path d="M-2.6 2h5.2l-2.6 3.4z" fill="#e8590c"/><path d="M-9.6 3q3 3 5 1m14.2 -1q-3 3 -5 1" fill="none" stroke="#e0a030" stroke-width="1.3"/>"##
        }
        Kind::Hen => {
            r##"<g fill="#d6336c"><circle cx="-3.4" cy="-10" r="2.6"/><circle cy="-11.5" r="2.8"/><circle cx="3.4" cy="-10" r="2.6"/></g><circle cy="1" r="10" fill="#fff"/><circle cx="-3.6" cy="-1.5" r="1.4"/><circle cx="3.6" cy="-1.5" r="1.4"/><path d="M-2.6 2h5.2l-2.6 3.4z" fill="#e8590c"/><path d="M0 5.4q-2.6 2.2 0 4.6q2.6 -2.4 0 -4.6" fill="#d6336c"/>"##
        }
    }
}
