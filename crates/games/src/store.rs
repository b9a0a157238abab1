//! The directory in which tables, checkpoints and locks are kept.

use crate::GameError;
use kanzen_solve::{Lock, SolveError};
use kanzen_table::Identity;
use std::path::{Path, PathBuf};

/// The file name of a game's table without its ending: the game and the options that change values.
fn stem(identity: &Identity) -> String {
    let mut stem = identity.game.clone();
    for (name, value) in &identity.variant {
        stem += &format!("-{name}-{value}");
    }
    stem
}

/// Where a game's table is, or will be.
pub fn table_path(dir: &Path, identity: &Identity) -> PathBuf {
    dir.join(stem(identity) + ".kanzen")
}

/// Where a game's checkpoint is.
pub fn checkpoint_path(dir: &Path, identity: &Identity) -> PathBuf {
    dir.join(stem(identity) + ".checkpoint")
}

/// The table of a solved game; the error tells how to solve it.
pub fn existing_table(dir: &Path, identity: &Identity) -> Result<PathBuf, GameError> {
    let path = table_path(dir, identity);
    if path.exists() {
        return Ok(path);
    }
    let options = identity.variant.iter();
    let options: String = options.map(|(name, value)| format!(" -o {name}={value}")).collect();
    Err(GameError::NotSolved {
        game: identity.game.clone(),
        command: identity.game.clone() + &options,
        dir: dir.to_owned(),
    })
}

/// Makes sure that the directory is there and that nobody else solves the game in it.
pub fn lock(dir: &Path, identity: &Identity) -> Result<Lock, SolveError> {
    std::fs::create_dir_all(dir).map_err(SolveError::io(dir))?;
    Lock::take(&dir.join(stem(identity) + ".lock"))
}
