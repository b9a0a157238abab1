//! What pages are made of.

pub mod cards;
pub mod graph;
pub mod icon;
pub mod table;
pub mod walk;
