//! One solve at a time in a directory.

use crate::SolveError;
use std::fs::{File, TryLockError};
use std::path::Path;

/// A lock that lasts as long as this value, or the process. Its empty file stays: removing it
/// would let two processes lock two files of one name.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, or says who else may hold it.
    pub fn take(path: &Path) -> Result<Lock, SolveError> {
        let file = File::create(path).map_err(SolveError::io(path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(SolveError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => Err(SolveError::io(path)(source)),
        }
    }
}
