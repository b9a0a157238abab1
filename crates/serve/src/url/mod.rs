//! Addresses: what they ask for, and how they are made.

pub mod query;
pub mod view;
