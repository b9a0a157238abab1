//! The pages.

pub mod annotate;
pub mod api;
pub mod drill;
pub mod explore;
pub mod facts;
pub mod learn;
pub mod page;
pub mod play;
pub mod puzzles;
pub mod setup;
pub mod start;
pub mod unsolved;
