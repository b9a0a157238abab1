//! What people want to know about a solved game: books of winning strategies, puzzles, what a rule
//! changes, reports. All of it is said of [any game](kanzen_registry::AnySolved), by its notation.

pub mod annotate;
pub mod article;
pub mod book;
pub mod catalogue;
pub mod claim;
pub mod compare;
pub mod explain;
pub mod find;
pub mod kept;
pub mod lessons;
mod played;
pub mod puzzle;
pub mod record;
pub mod report;
pub mod station;
pub mod sweep;
pub mod worth;
