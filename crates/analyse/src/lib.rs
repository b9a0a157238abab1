//! Looking into solved games: probes, best lines, census, verification; and the check that tests a
//! game's own consistency.

mod atlas;
mod bits;
mod census;
mod check;
mod codes;
mod completion;
mod cycles;
mod draws;
mod find;
mod finding;
mod kind;
pub mod metrics;
mod notes;
mod plain_draws;
mod press;
mod random;
mod reach;
mod solved;
mod strategy;
mod survey;
mod tree;
mod values;
mod verify;
mod zugzwang;

pub use atlas::Atlas;
pub use census::{Census, TierCensus};
pub use check::{Flaw, check, check_rules};
pub use codes::{Codes, PackedCodes, TierCodes};
pub use draws::{DrawRanks, PRESSURE, look_ahead};
pub use find::Found;
pub use finding::{Cell, Column, Finding, columns};
pub use kind::Kind;
pub use plain_draws::plain_draws;
pub use press::{DrawMoves, Unsettled};
pub use random::Random;
pub use reach::Reach;
pub use solved::{PLIES, Solved, table_writer, write_table, write_tiers};
pub use strategy::Strategy;
pub use survey::{Most, Outcomes, Survey};
pub use tree::{ProofTree, TreeSize};
pub use values::{BestLine, LineEnd, MoveValue, ValueError, Values};
pub use verify::{Disagreement, Verification};
pub use zugzwang::Zugzwangs;
