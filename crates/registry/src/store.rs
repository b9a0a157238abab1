//! The directory in which tables, checkpoints and locks are kept.

use crate::GameError;
use kanzen_solve::{Lock, SolveError, files};
use kanzen_table::{Identity, Table, TableError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Where tables are: a directory, an address, memory.
pub trait Shelf: Send + Sync {
    /// Opens a table by the name of its file; none if there is none.
    ///
    /// # Errors
    /// If it cannot be read.
    fn find(&self, name: &str) -> Result<Option<Table>, TableError>;

    /// What tells one state of a table from another; none if there is no such table.
    fn stamp(&self, name: &str) -> Option<Stamp>;

    /// The directory, if it is one of this machine.
    fn dir(&self) -> Option<&Path> {
        None
    }

    /// Whether a table is at hand whole, and not read piece by piece from afar.
    fn whole(&self, name: &str) -> bool {
        let _ = name;
        true
    }
}

/// When a file was changed, and its length.
pub type Stamp = (Option<SystemTime>, u64);

impl Shelf for PathBuf {
    fn find(&self, name: &str) -> Result<Option<Table>, TableError> {
        let path = self.join(name);
        path.exists().then(|| Table::open(&path)).transpose()
    }

    fn stamp(&self, name: &str) -> Option<Stamp> {
        let facts = self.join(name).metadata().ok()?;
        Some((facts.modified().ok(), facts.len()))
    }

    fn dir(&self) -> Option<&Path> {
        Some(self)
    }
}

impl Shelf for Arc<dyn Shelf> {
    fn find(&self, name: &str) -> Result<Option<Table>, TableError> {
        (**self).find(name)
    }

    fn stamp(&self, name: &str) -> Option<Stamp> {
        (**self).stamp(name)
    }

    fn dir(&self) -> Option<&Path> {
        (**self).dir()
    }

    fn whole(&self, name: &str) -> bool {
        (**self).whole(name)
    }
}

/// The ending of tables of ranked draws.
const DRAWS: &str = "draws";

/// The files of a game in a directory.
///
/// ```
/// use kanzen_registry::Files;
/// use kanzen_table::Identity;
/// let variant = [("pieces".to_owned(), "3".to_owned())].into();
/// let identity = Identity { game: "simpei".to_owned(), variant, index_version: 1, rules: None };
/// let files = Files::new("tables".as_ref(), identity);
/// assert!(files.table().ends_with("simpei-pieces-3.kanzen"));
/// ```
#[derive(Clone, Debug)]
pub struct Files {
    dir: PathBuf,
    identity: Identity,
}

impl Files {
    /// The files of what an identity names.
    pub fn new(dir: &Path, identity: Identity) -> Files {
        Files { dir: dir.to_owned(), identity }
    }

    /// The files of a game without one of its options. Its rules are others, and not known here.
    pub fn without(&self, option: &str) -> Files {
        let mut other = self.clone();
        other.identity.variant.remove(option);
        other.identity.rules = None;
        other
    }

    /// The game, its options and the version of its index.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// A file with this ending, named after the game and the options that change values.
    pub fn path(&self, ending: &str) -> PathBuf {
        self.dir.join(file_name(&self.identity, ending))
    }

    /// Where the table is, or will be.
    pub fn table(&self) -> PathBuf {
        self.path("kanzen")
    }

    /// Where the table of ranked draws is, or will be.
    pub fn draws(&self) -> PathBuf {
        self.path(DRAWS)
    }

    /// The table of ranked draws, if there is one.
    ///
    /// # Errors
    /// If it is damaged or of something else.
    pub fn draws_from(&self, shelf: &dyn Shelf) -> Result<Option<Table>, TableError> {
        let table = shelf.find(&file_name(&self.identity, DRAWS))?;
        table.map(|table| table.expect(&self.identity).map(|()| table)).transpose()
    }

    /// Where the checkpoint is.
    pub fn checkpoint(&self) -> PathBuf {
        self.path("checkpoint")
    }

    /// The table of a solved game.
    ///
    /// # Errors
    /// If the game is not solved, or the table is damaged or of something else.
    pub fn open(&self) -> Result<Table, GameError> {
        self.open_from(&self.dir)
    }

    /// The same from another place.
    ///
    /// # Errors
    /// As [`open`](Files::open).
    pub fn open_from(&self, shelf: &dyn Shelf) -> Result<Table, GameError> {
        let found = shelf.find(&table_name(&self.identity))?;
        let table = found.ok_or_else(|| GameError::NotSolved {
            game: self.identity.game.clone(),
            options: self.identity.variant.clone(),
            dir: self.dir.clone(),
        })?;
        table.expect(&self.identity)?;
        Ok(table)
    }

    /// Names what an engine is solving: a checkpoint of anything else is refused. The engine's name
    /// has a version, which changes with what its checkpoints hold.
    pub fn key(&self, engine: &str) -> String {
        format!("{}, by {engine}", self.identity)
    }

    /// What an unfinished solve may leave, in the order in which it is removed. What says where the
    /// solve stands goes first: without it, the rest is never believed.
    fn leftovers(&self) -> [PathBuf; 6] {
        let checkpoint = self.checkpoint();
        let endings = ["checkpoint.new", "rounds", "new", "solve.json.new"];
        let [half, rounds, table, record] = endings.map(|ending| self.path(ending));
        [checkpoint.join("state.json"), checkpoint, half, rounds, table, record]
    }

    /// Whether something of an unfinished solve is there.
    pub fn has_leftovers(&self) -> bool {
        self.leftovers().iter().any(|path| path.exists())
    }

    /// Removes what an unfinished solve left, so that the next one begins anew.
    ///
    /// # Errors
    /// If somebody is at work on it, or the system refuses.
    pub fn discard_checkpoint(&self) -> Result<(), SolveError> {
        let _lock = self.lock()?;
        self.leftovers()
            .iter()
            .try_for_each(|path| files::remove(path).map_err(SolveError::io(path)))
    }

    /// Makes sure that the directory is there and that nobody else solves the game in it.
    ///
    /// # Errors
    /// If somebody does, or the directory cannot be made.
    pub fn lock(&self) -> Result<Lock, SolveError> {
        files::create_dir(&self.dir).map_err(SolveError::io(&self.dir))?;
        Lock::take(&self.path("lock"))
    }
}

fn file_name(identity: &Identity, ending: &str) -> String {
    let options = identity.variant.iter().map(|(option, value)| format!("-{option}-{value}"));
    format!("{}{}.{ending}", identity.game, options.collect::<String>())
}

/// The name of the file of a game's table.
pub fn table_name(identity: &Identity) -> String {
    file_name(identity, "kanzen")
}

/// Where a game's table is, or will be.
pub fn table_path(dir: &Path, identity: &Identity) -> PathBuf {
    Files::new(dir, identity.clone()).table()
}
