//! Retrograde analysis: the value of every position and the distance to the end.
//!
//! [`solve`] plans its memory, works tier by tier with the frontier engine, reports progress,
//! writes checkpoints and resumes from them. [`plain`] is the engine's twin for tests: it uses
//! moves forwards only and shares no code with it.

mod cells;
mod checkpoint;
mod codes;
mod edges;
mod enumerate;
mod error;
mod frontier;
mod job;
mod lock;
mod opening;
mod plain;
mod plan;
mod progress;
mod sharded;
mod solver;

pub use cells::{MAX_COUNT, MAX_PLIES};
pub use checkpoint::{Blocks, CHUNK, Checkpoint, Chunks, State, bytes_of, cells_of};
pub use codes::Codes;
pub use edges::{AGAIN, Edges, Links};
pub use enumerate::enumerate;
pub use error::SolveError;
pub use job::Job;
pub use kanzen_machine::files;
pub use kanzen_machine::{
    give_back_freed_memory, huge_pages, machine_memory, prefetch, threads as thread_count,
};
pub use lock::Lock;
pub use opening::{Due, Exits, Moves, Opening, Schedule};
pub use plain::plain;
pub use plan::Plan;
pub use progress::{Progress, Silent};
pub use sharded::{
    Event, Link, Machines, Opened, OwnCell, OwnCells, SETTLED, Sharded, Spread, Together,
    solve_anywhere,
};
pub use solver::{FRONTIER, HOLE, Solution, solve};
