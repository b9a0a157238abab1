//! Looking into solved games: probes, best lines, census, verification; and the check that tests a
//! game's own consistency.

mod census;
mod check;
mod completion;
mod find;
mod line;
mod probe;
mod random;
mod solved;
mod verify;

pub use census::{Census, TierCensus};
pub use check::{Finding, check};
pub use find::{Branching, Found};
pub use line::Step;
pub use probe::{MoveValue, Probe};
pub use random::Random;
pub use solved::{Solved, write_table};
pub use verify::{Disagreement, Verification};
