//! The shelf of classics: small games that are no more than their rules, made of ready-made parts.

pub mod achi;
pub mod breakthrough;
pub mod connect_four;
pub mod dodgem;
pub mod goal;
pub mod gobblet;
pub mod hare_and_hounds;
pub mod hexapawn;
pub mod hunt;
pub mod l_game;
pub mod l_pieces;
mod learn;
pub mod mills;
pub mod morris;
pub mod mu_torere;
pub mod nine_holes;
pub mod pawns;
pub mod picaria;
pub mod pong_hau_ki;
pub mod six_mens_morris;
pub mod tapatan;
pub mod teeko;
pub mod three_mens_morris;
pub mod tictactoe;
pub mod tsoro_yematatu;

use prelude::*;

/// What the games are made of.
mod prelude {
    pub(super) use super::{GOAL, choice, is_misere, learn, size, won_by};
    pub use crate::by_rules;
    pub use kanzen_core::{Endless, NotationError, Outcome, Words};
    pub use kanzen_parts::{Board, BoardGame, Men, Position, Rules, Step, Turn, Turns};
    pub use kanzen_parts::{OUTSIDE, grid_lines, has_line, legal, lines, points};
    pub use kanzen_registry::{Entry, OptionSpec, Options};
}

/// All classics.
pub static ALL: &[&Entry] = &[
    &tictactoe::ENTRY,
    &three_mens_morris::ENTRY,
    &tapatan::ENTRY,
    &nine_holes::ENTRY,
    &achi::ENTRY,
    &picaria::ENTRY,
    &tsoro_yematatu::ENTRY,
    &six_mens_morris::ENTRY,
    &pong_hau_ki::ENTRY,
    &mu_torere::ENTRY,
    &hexapawn::ENTRY,
    &breakthrough::ENTRY,
    &dodgem::ENTRY,
    &hare_and_hounds::ENTRY,
    &l_game::ENTRY,
    &teeko::ENTRY,
    &connect_four::ENTRY,
    &gobblet::ENTRY,
];

/// An option that changes the values of positions; its default is the first value.
const fn choice(
    name: &'static str,
    values: &'static [&'static str],
    en: &'static str,
    ja: &'static str,
) -> OptionSpec {
    let (help, tables) = (Words::new(en, ja), kanzen_registry::Tables::Differ);
    OptionSpec { name, values, help, called: &[], tables }
}

/// The option of games in which a line wins: whether it loses.
const GOAL: OptionSpec =
    choice("goal", &["normal", "misere"], "a line wins, or loses", "並べた者：勝ち、負け").called(
        &[
            Words::new("a line wins", "並べた者の勝ち"),
            Words::new("a line loses", "並べた者の負け"),
        ],
    );

/// Whether a line loses.
fn is_misere(options: &Options) -> bool {
    options.get("goal") == "misere"
}

/// The columns and rows of the option `size`.
fn size(options: &Options) -> (u8, u8) {
    let (columns, rows) = options.get("size").split_once('x').unwrap_or_default();
    (columns.parse().unwrap_or(1), rows.parse().unwrap_or(1))
}

/// The outcome for the side to move if this player has won.
fn won_by(winner: Turn, mover: Turn) -> Outcome {
    if winner == mover { Outcome::Win } else { Outcome::Loss }
}
