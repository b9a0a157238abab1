//! What people want to know about a solved game: books of winning strategies, puzzles, what a rule
//! changes, reports. All of it is said of [any game](kanzen_games::AnySolved), by its notation.

pub mod book;
pub mod claim;
pub mod compare;
pub mod fairness;
mod html;
pub mod japanese;
pub mod numbers;
mod plot;
pub mod puzzle;
pub mod report;
