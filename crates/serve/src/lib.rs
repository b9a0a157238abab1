//! The explorer in the browser, play, and the JSON API, for any game behind
//! [`AnyGame`](kanzen_games::AnyGame).
//!
//! Pages are rendered here, and their whole state is in the address: every position and every line
//! is a link, and everything works without scripts. A small script adds dragging, keys and progress.
//! Probing runs on threads of its own, with a limit of time, so that nobody waits for somebody else.

mod api;
mod assets;
mod background;
mod board;
mod cards;
mod errors;
mod explore;
mod facts;
mod graph;
mod icon;
mod language;
mod limits;
mod openapi;
mod page;
mod play;
mod plot;
mod puzzles;
mod query;
mod routes;
mod server;
mod setup;
mod site;
mod solver;
mod start;
mod table;
mod tables;
mod unsolved;
mod view;
mod walk;
mod worth;

pub use routes::router;
pub use server::{Config, run};
pub use site::Site;
pub use tables::Tables;
