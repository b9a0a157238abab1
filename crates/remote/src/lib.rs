//! Tables by address: on any web server, a folder with table files and an `index.json` beside them.
//!
//! [`Remote`] is a [`Shelf`](kanzen_registry::Shelf): tables on it are read by ranges, as much at once as
//! a probe needs, and what was read is kept on disk. [`Remote::get`] fetches a table whole.
//!
//! The index says the length, the hash and the header of every table. A header holds the checksums of
//! directory and description, and the directory those of all blocks; so a table that is not the one of
//! the index is refused, and never answers wrongly.

mod cache;
mod get;
mod http;
mod index;
mod remote;

pub use index::{INDEX, Index, Listed, publish};
pub use remote::Remote;

/// What can be wrong with a table by address.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The address is none.
    #[error("'{0}' is not an address that begins with http:// or https://")]
    Address(String),
    /// The server cannot be reached, or broke off.
    #[error("{url}: {why}")]
    Unreachable {
        /// What was asked for.
        url: String,
        /// What happened.
        why: String,
    },
    /// The server refuses.
    #[error("{url}: the server answers {status}")]
    Status {
        /// What was asked for.
        url: String,
        /// Its status.
        status: u16,
    },
    /// There is no index.
    #[error("{0} has no index.json: 'kanzen export tables' writes one")]
    NoIndex(String),
    /// The index cannot be read.
    #[error("{url}: not an index of tables ({why})")]
    Index {
        /// Its address.
        url: String,
        /// What is wrong.
        why: String,
    },
    /// The server sends whole files only.
    #[error(
        "{0}: the server does not answer requests for a part of a file: 'kanzen get' fetches it whole"
    )]
    NoRanges(String),
    /// The table is not the one of the index.
    #[error(
        "{url}: {what}; it is not the table that index.json lists: try again when it is complete"
    )]
    Changed {
        /// Its address.
        url: String,
        /// What is different.
        what: String,
    },
    /// There is no such table.
    #[error("there is no table {name} at {url}: it has {known}")]
    NoTable {
        /// What was asked for.
        name: String,
        /// Where.
        url: String,
        /// What there is.
        known: String,
    },
    /// A file of this machine.
    #[error("{path}: {error}")]
    File {
        /// Its name.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A table on this machine is wrong.
    #[error(transparent)]
    Table(#[from] kanzen_table::TableError),
    /// Somebody wants it to stop.
    #[error("stopped; the same command goes on from here")]
    Stopped,
}

impl RemoteError {
    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> RemoteError {
        let path = path.display().to_string();
        move |error| RemoteError::File { path, error }
    }
}
