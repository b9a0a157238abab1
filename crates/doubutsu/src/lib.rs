//! Doubutsu Shogi (どうぶつしょうぎ), shogi for children on a board of 3x4.
//!
//! [`piece`] and [`rules`] are the rule book, [`notation`] and [`game`] what programs see of it.
//! [`index`] numbers the positions, [`unmoves`] takes moves back, [`sight`] tells which values need
//! no storage. [`reach`] finds what can arise from the start, and [`census`] counts what Tanaka
//! counts in 「どうぶつしょうぎ」の完全解析 (2009).

mod cells;
pub mod census;
mod chicks;
mod entry;
mod finds;
pub mod game;
pub mod index;
mod kit;
pub mod mates;
pub mod notation;
pub mod piece;
pub mod probe;
pub mod reach;
pub mod rules;
pub mod safety;
pub mod scan;
pub mod sight;
pub mod unmoves;

pub use entry::ENTRY;
pub use finds::KINDS;
pub use game::Doubutsu;
pub use notation::Style;
pub use rules::Options;
