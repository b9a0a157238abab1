//! Table files: one small number for each index of each tier, compressed in checked blocks.
//!
//! `docs/format.md` specifies the file to the byte. A table knows no game: it stores codes, and
//! the game's name and version so that nobody reads it with the wrong index. What can be seen from
//! the rules alone need not be stored: such cells are [`DONT_CARE`] and are filled so that they
//! compress to nothing.

mod block;
mod contexts;
mod error;
mod far;
mod format;
mod reader;
mod source;
mod writer;

pub use contexts::Neighbours;
pub use error::{Problem, TableError};
pub use far::{Carrier, Far, Lack, gather, gathering, lacking};
pub use format::{Counted, FORMAT_VERSION, Identity, Meta, Section, TierMeta};
pub use reader::{Table, keep_at_most};
pub use source::Source;
pub use writer::{Packers, TableWriter, by_rank};

/// Cells in a block.
pub const BLOCK_CELLS: u64 = format::BLOCK;

/// The code of a cell whose content does not matter.
pub const DONT_CARE: u16 = u16::MAX;
