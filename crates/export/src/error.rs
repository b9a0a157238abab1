//! What can go wrong with an export.

use crate::Column;
use kanzen_registry::GameError;
use std::path::{Path, PathBuf};

/// Why there is no data set.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The table does not answer.
    #[error(transparent)]
    Game(#[from] GameError),
    /// There is no such column.
    #[error("there is no column '{0}': allowed are {known}", known = Column::names())]
    Column(String),
    /// A condition means nothing.
    #[error(
        "'{0}' is not a condition such as 'outcome = win', 'plies >= 20' or 'tier = 0', joined by 'and'"
    )]
    Condition(String),
    /// The shares of a split make no sense.
    #[error("a split is three shares of the whole, such as 0.98, 0.01 and 0.01: they add up to 1")]
    Split,
    /// The ending of the file's name tells no format.
    #[error("{}: the name must end in .parquet, .csv or .npy, unless --format is given", .0.display())]
    Format(PathBuf),
    /// NumPy's files hold no words.
    #[error("NumPy's format has no room for the column 'position': take 'board' or 'index'")]
    Words,
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

impl ExportError {
    /// What the system says of a file.
    pub(crate) fn file(path: &Path) -> impl Fn(std::io::Error) -> ExportError + use<> {
        let path = path.to_owned();
        move |error| ExportError::File { path: path.clone(), error }
    }

    /// What the writer of Parquet files says of one.
    pub(crate) fn parquet(
        path: &Path,
    ) -> impl Fn(parquet::errors::ParquetError) -> ExportError + use<> {
        let file = ExportError::file(path);
        move |error| file(std::io::Error::other(error))
    }
}
