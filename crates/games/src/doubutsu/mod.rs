//! Doubutsu Shogi (どうぶつしょうぎ).

pub mod index;
pub mod piece;
pub mod rules;
pub mod unmoves;
