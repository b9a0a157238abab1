//! Solved games as data sets: a row for each position up to symmetry, in files that other programs
//! read.
//!
//! Rows come in batches, in the order of their numbers or in a random one, so that memory does not
//! grow with the table. Every row tells its orbit, how many positions it stands for; and as a row is
//! an orbit, no test position is an image of a training one.
//!
//! ```
//! use kanzen_export::{Export, Format, write};
//! use kanzen_solve::{Job, Silent};
//!
//! let dir = tempfile::tempdir()?;
//! let game = kanzen_games::all().find("mutorere")?.build(&[])?;
//! game.solve(dir.path(), None, &Job::default())?;
//! let solved = game.open(dir.path())?;
//! let arrays = solved.arrays().ok_or("no numbers")?;
//! let export = Export { filter: "outcome = win".parse()?, ..Export::default() };
//! let written = write(arrays, &export, Format::Csv, &dir.path().join("won.csv"), &Silent)?;
//! assert_eq!(written.rows, 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batches;
mod card;
mod column;
mod csv;
mod error;
mod filter;
mod npy;
mod order;
mod parquet;
mod write;

pub use batches::{Batches, Export, Split};
pub use card::Card;
pub use column::Column;
pub use error::ExportError;
pub use filter::Filter;
pub use write::{Format, Written, write};
