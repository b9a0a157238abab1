//! What can be wrong with a table file.

use std::path::PathBuf;

/// Why a table could not be written, opened or read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct TableError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// There is no such file.
    #[error("there is no such table")]
    Missing,
    /// The system refused.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file does not begin like a table.
    #[error("this is not a table of Kanzen")]
    Foreign,
    /// The file was written by a newer program.
    #[error("the table has format version {found}, and this program reads up to {supported}")]
    Newer {
        /// The file's version.
        found: u32,
        /// The newest known.
        supported: u32,
    },
    /// The file is shorter or longer than it says.
    #[error("the table should have {expected} bytes and has {found}: the copy is incomplete")]
    Length {
        /// The length in the header.
        expected: u64,
        /// The length on disk.
        found: u64,
    },
    /// A part of the file has changed since it was written.
    #[error("{part} is damaged (its checksum does not match)")]
    Damaged {
        /// The part: the header, the directory, or a block by number.
        part: String,
    },
    /// The contents contradict themselves although the checksums match.
    #[error("the table is malformed: {0}")]
    Malformed(String),
    /// The table belongs to something else.
    #[error("the table is of {found}, not of {expected}")]
    OtherGame {
        /// What the file holds.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// The table is not of the shape that its game has.
    #[error("the table does not fit its game: {what} is {found}, and should be {expected}")]
    OtherShape {
        /// What was compared.
        what: String,
        /// What the file holds.
        found: String,
        /// What the game has.
        expected: String,
    },
    /// The rules have changed since the table was made.
    #[error("the rules have changed since this table was made: solve the game again")]
    OtherRules,
    /// A value is not in the tier's list of values.
    #[error("tier '{tier}' holds the value {code}, which is not among those announced")]
    Unannounced {
        /// The tier.
        tier: String,
        /// The value's code.
        code: u16,
    },
}
