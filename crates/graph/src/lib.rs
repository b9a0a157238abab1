//! Games that another program writes down as positions and moves.
//!
//! A [`Graph`] is read from a file, as text or packed, and is then a game like any other: its
//! positions are numbered, so that it is solved, probed and verified. `docs/graph.md` specifies both
//! forms of the file.
//!
//! ```
//! use kanzen_graph::Graph;
//! use kanzen_solve::{Job, solve};
//!
//! let text = "two -> one none\none -> none\nnone = loss\n";
//! let graph = Graph::read(text.as_bytes())?;
//! let solution = solve(&graph, &Job::default(), None)?;
//! let two = kanzen_core::Game::parse(&graph, "two")?;
//! assert_eq!(solution.value(&graph, &two), kanzen_core::Value::Win(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod error;
mod game;
mod packed;
mod text;

pub use build::{Forever, Node};
pub use error::GraphError;
pub use game::Graph;
