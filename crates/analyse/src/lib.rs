//! Looking into solved games: probes, best lines, census, verification; and the check that tests a
//! game's own consistency.

mod atlas;
mod bits;
mod census;
mod check;
mod codes;
mod completion;
mod cycles;
mod find;
mod line;
mod notes;
mod probe;
mod random;
mod reach;
mod solved;
mod strategy;
mod survey;
mod tree;
mod verify;
mod zugzwang;

pub use atlas::Atlas;
pub use census::{Census, TierCensus};
pub use check::{Finding, check};
pub use codes::{Codes, PackedCodes, TierCodes};
pub use find::Found;
pub use line::Step;
pub use probe::{MoveValue, Probe};
pub use random::Random;
pub use reach::Reach;
pub use solved::{Solved, write_table};
pub use strategy::Strategy;
pub use survey::{Most, Outcomes, Survey};
pub use tree::{ProofTree, TreeSize};
pub use verify::{Disagreement, Verification};
pub use zugzwang::Zugzwangs;
