//! What the solvers need of the machine.

pub mod files;
