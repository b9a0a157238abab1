//! The explorer in the browser, play, and the JSON API, for any game behind
//! [`AnyGame`](kanzen_registry::AnyGame).
//!
//! Pages are rendered here, and their whole state is in the address: every position and every line
//! is a link, and everything works without scripts. A small script adds dragging, keys and progress.
//! Probing runs on threads of its own, with a limit of time, so that nobody waits for somebody else.
//!
//! `http` takes requests and answers them, `url` reads and writes addresses, `state` is what requests
//! share, `pages` and `parts` are what people see, `api` what programs see.

// What only the server needs.
#![cfg_attr(not(feature = "http"), allow(dead_code))]

mod answer;
mod api;
mod http;
mod pages;
mod parts;
pub mod publish;
mod state;
mod url;

pub use answer::{Answer, Request, answer, under};
pub use http::assets::{ASSETS, Asset, VERSION};
#[cfg(feature = "http")]
pub use http::routes::router;
#[cfg(feature = "http")]
pub use http::server::{Config, run};
pub use state::site::Site;
pub use state::solver::Solvers;
pub use state::tables::Tables;
