//! The games of Kanzen.

pub mod threerow;
