//! What a game is played with: the players, and the kinds of pieces with their names and looks.
//!
//! Whoever shows a board or lets people set one up by hand needs no more than this and a
//! [`Drawing`](crate::Drawing).

use crate::{Side, Words};

/// The colour of a player's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Blue.
    Blue,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Brown.
    Brown,
    /// Black.
    Black,
    /// Yellow, as light wood.
    Yellow,
    /// Grey, for what belongs to nobody.
    Grey,
}

impl Colour {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Colour::Blue => "blue",
            Colour::Red => "red",
            Colour::Green => "green",
            Colour::Brown => "brown",
            Colour::Black => "black",
            Colour::Yellow => "yellow",
            Colour::Grey => "grey",
        }
    }
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    /// The side of a drawing that is this player's.
    pub side: Side,
    /// The player's name.
    pub name: Words,
    /// The colour of the pieces.
    pub colour: Colour,
}

/// The outline of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceShape {
    /// A round stone.
    Disc,
    /// A tile that points away from its owner.
    Tile,
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Whose it is.
    pub side: Side,
    /// The label that a drawing gives it.
    pub label: &'static str,
    /// What people call it.
    pub name: Words,
    /// Its picture, if it has one: elements of SVG in a square of 32 units around the origin, the
    /// piece facing up.
    pub art: &'static str,
    /// What is written on it; nothing if its colour says enough.
    pub glyph: &'static str,
    /// The directions in which it steps, as columns and rows, where the piece shows them.
    pub steps: &'static [(i8, i8)],
    /// Whether it may be held in hand.
    pub in_hand: bool,
}

impl Kind {
    /// A piece that is only told by its owner's colour.
    pub const fn stone(side: Side, label: &'static str) -> Kind {
        Kind {
            side,
            label,
            name: Words::new("piece", "駒"),
            art: "",
            glyph: "",
            steps: &[],
            in_hand: false,
        }
    }
}

/// Everything that a game is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kit {
    /// The players.
    pub parties: &'static [Party],
    /// The kinds of pieces.
    pub kinds: &'static [Kind],
    /// Their outline.
    pub shape: PieceShape,
    /// Whether the side to move is chosen when a board is set up; it follows from the pieces, or
    /// is always the first, if not.
    pub choose_turn: bool,
}

const BLUE: Party =
    Party { side: Side::One, name: Words::new("Blue", "青"), colour: Colour::Blue };
const RED: Party = Party { side: Side::Two, name: Words::new("Red", "赤"), colour: Colour::Red };
const HOLE: Party =
    Party { side: Side::Neutral, name: Words::new("Nobody", "なし"), colour: Colour::Grey };

impl Kit {
    /// Two colours of equal pieces, labelled `1` (the side to move) and `2`.
    pub const STONES: Kit = Kit {
        parties: &[BLUE, RED, HOLE],
        kinds: &[Kind::stone(Side::One, "1"), Kind::stone(Side::Two, "2")],
        shape: PieceShape::Disc,
        choose_turn: false,
    };

    /// The player of a side.
    ///
    /// ```
    /// use kanzen_core::{Kit, Side};
    /// assert_eq!(Kit::STONES.party(Side::Two).name.en, "Red");
    /// ```
    pub fn party(&self, side: Side) -> Party {
        let known = self.parties.iter().find(|party| party.side == side);
        known.copied().unwrap_or(Party { side, name: Words::same(""), colour: Colour::Grey })
    }

    /// The kind of a piece in a drawing.
    pub fn kind(&self, side: Side, label: &str) -> Option<&'static Kind> {
        self.kinds.iter().find(|kind| kind.side == side && kind.label == label)
    }
}
