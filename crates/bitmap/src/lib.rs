//! Solves games of 'one king and a set of equal pieces on a graph' completely,
//! 64 to 512 positions an instruction.
#![warn(missing_docs)]

pub mod census;
pub mod checkpoint;
pub mod deltas;
mod flags;
pub mod graph;
pub mod index;
pub mod isa;
mod known;
pub mod layout;
mod lose;
mod map;
pub mod plain;
mod plan;
pub mod progress;
mod region;
mod schedule;
pub mod solver;
mod symmetry;
mod tally;
pub mod tile;
mod win;

pub use census::{Census, Row};
pub use deltas::Deltas;
pub use graph::{Graph, GraphError};
pub use checkpoint::ResumeError;
pub use index::{Index, Place};
pub use isa::Isa;
pub use progress::{Progress, Watch};
pub use layout::Layout;
pub use region::REGION;
pub use solver::{Options, Round, Sink, Solver, SolverError};
pub use tile::Tile;
