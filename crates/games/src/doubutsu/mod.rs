//! Doubutsu Shogi (どうぶつしょうぎ).

pub mod cells;
pub mod census;
mod chicks;
pub mod game;
pub mod index;
pub mod notation;
pub mod piece;
pub mod probe;
pub mod reach;
pub mod ring;
pub mod rules;
pub mod safety;
pub mod scan;
pub mod sight;
pub mod solve;
pub mod unmoves;
