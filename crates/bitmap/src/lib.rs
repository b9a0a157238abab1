//! Solves games of 'one king and a set of equal pieces on a graph' completely: 64 to 512 positions
//! an instruction.
//!
//! The pieces' side moves a piece along a line to an empty point, the king's side its king; pieces
//! that the king sandwiches by its move are captured. A side without a move loses; a game without
//! end is won by the king's side. The solver finds for every placement, and either side to move,
//! whether the pieces' side wins, and in how many plies.
//!
//! For each point of the king there is a *map* with a bit for each placement of the pieces. In an
//! index of placements with a bit ('slot') for each point, a move of a piece exchanges two slots,
//! and so does a king's move, if one point shares the slot of the king's own ([`layout`]). So for
//! whole maps at once:
//!
//! - the pieces' side wins where some line's exchange leads to a loss: an OR over lines (`win`);
//! - the king's side loses where all moves lead to a win, a placement with a sandwich having the
//!   value of the one without it: an AND over the king's moves (`lose`).
//!
//! The work is done on [tiles](tile) of 4096 bits, most of it plain ORs and ANDs of tiles at other
//! addresses, the rest shifts within a tile; the compiler makes it vectors of any width ([`Isa`]).
//! A [solver] does round after round, looks only at tiles where something can be new, and tells a
//! [sink](Sink) what is, from which [`deltas`] makes distances. Symmetries of the board halve the
//! maps or better, and counts are up to symmetry. [`plain`] is the same thing in fifty lines.
#![warn(missing_docs)]

pub mod census;
pub mod checkpoint;
pub mod deltas;
mod flags;
pub mod graph;
pub mod index;
mod known;
pub mod layout;
mod lose;
pub mod plain;
mod plan;
pub mod progress;
pub mod recount;
mod region;
pub mod rows;
mod schedule;
pub mod solver;
mod symmetry;
mod tally;
pub mod tile;
mod win;

pub use census::{Census, Row};
pub use checkpoint::ResumeError;
pub use deltas::Deltas;
pub use graph::{Graph, GraphError};
pub use index::{Index, Place};
pub use kanzen_machine::Isa;
pub use layout::Layout;
pub use progress::{Progress, Watch};
pub use recount::Recount;
pub use region::REGION;
pub use rows::Rows;
pub use solver::{Options, Round, Sink, Solver, SolverError};
pub use tile::Tile;
