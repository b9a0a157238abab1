//! The games with their tables: opened when first asked for, and again when a file has changed.
//!
//! A table that is deleted while it is open goes on answering; one that is replaced is opened anew
//! within a second; one that is cut off or damaged gives an error that names it.

use crate::http::limits;
use crate::url::query::Address;
use kanzen_core::Language;
use kanzen_registry::{
    AnyGame, AnySolved, Entry, Files, GameError, Registry, Shelf, Stamp, Store, table_name,
};
use kanzen_solve::Plan;
use kanzen_study::lessons::{Lesson, lessons};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::UNIX_EPOCH;

/// All games that were asked for.
pub struct Tables {
    registry: Registry,
    shelf: Arc<dyn Shelf>,
    /// The variants in use, the latest last.
    variants: Mutex<Vec<Arc<Variant>>>,
    /// Counts the changes of files, so that nothing rendered before is shown after.
    generation: AtomicU64,
}

/// A game with options.
pub struct Variant {
    /// The game's entry in the registry.
    pub entry: &'static Entry,
    /// The value of every option of the game.
    pub options: Vec<(&'static str, &'static str)>,
    /// The rules.
    pub game: Box<dyn AnyGame>,
    shelf: Arc<dyn Shelf>,
    /// The name of the table's file.
    file: String,
    open: Mutex<Open>,
    plan: OnceLock<Plan>,
    lessons: OnceLock<Vec<Lesson>>,
}

#[derive(Default)]
struct Open {
    solved: Option<Arc<dyn AnySolved>>,
    stamp: Option<Stamp>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tables {
    /// The tables of these games in a directory, or wherever they are.
    pub fn new(registry: Registry, shelf: impl Shelf + 'static) -> Tables {
        let (shelf, generation) = (Arc::new(shelf), AtomicU64::new(0));
        Tables { registry, shelf, variants: Mutex::default(), generation }
    }

    /// The games.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The directory, if they are in one of this machine.
    pub fn dir(&self) -> Option<&Path> {
        self.shelf.dir()
    }

    /// The number of changes seen so far.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Forgets what was rendered.
    pub fn changed(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// A game by name, with options as `name=value`.
    pub fn variant(&self, name: &str, given: &[String]) -> Result<Arc<Variant>, GameError> {
        let entry = self.registry.find(name)?;
        let options: Vec<_> = entry.options(given)?.all().collect();
        let mut variants = lock(&self.variants);
        let known = variants
            .iter()
            .position(|variant| variant.entry.name == entry.name && variant.options == options);
        let variant = match known {
            Some(place) => variants.remove(place),
            None => {
                let game = entry.build(given)?;
                let file = table_name(&game.identity());
                Arc::new(Variant {
                    entry,
                    options,
                    game,
                    shelf: Arc::clone(&self.shelf),
                    file,
                    open: Mutex::default(),
                    plan: OnceLock::new(),
                    lessons: OnceLock::new(),
                })
            }
        };
        variants.push(Arc::clone(&variant));
        if variants.len() > limits::OPEN {
            variants.remove(0);
        }
        Ok(variant)
    }

    /// Opens the table of a game with options, for itself alone.
    pub fn open(&self, name: &str, given: &[String]) -> Result<Box<dyn AnySolved>, GameError> {
        self.registry.find(name)?.build(given)?.open_from(&*self.shelf)
    }

    /// Looks for files that have come, gone or changed.
    pub fn look(&self) {
        let variants = lock(&self.variants).clone();
        for variant in variants {
            let now = variant.shelf.stamp(&variant.file);
            let mut open = lock(&variant.open);
            if open.stamp != now {
                open.stamp = now;
                if now.is_some() {
                    open.solved = None;
                }
                self.changed();
            }
        }
    }
}

impl Variant {
    /// What answers for the game's positions.
    pub fn solved(&self) -> Result<Arc<dyn AnySolved>, GameError> {
        let mut open = lock(&self.open);
        if let Some(solved) = &open.solved {
            return Ok(Arc::clone(solved));
        }
        let found = self.shelf.stamp(&self.file);
        let mut solved = self.game.open_from(&*self.shelf)?;
        solved.hurry();
        let solved: Arc<dyn AnySolved> = Arc::from(solved);
        *open = Open { solved: Some(Arc::clone(&solved)), stamp: found };
        Ok(solved)
    }

    /// As [`Variant::solved`]; none if the game has not been solved yet.
    pub fn table_yet(&self) -> Result<Option<Arc<dyn AnySolved>>, GameError> {
        match self.solved() {
            Ok(solved) => Ok(Some(solved)),
            Err(GameError::NotSolved { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The same, for those who want the values of positions: a table may hold only the census.
    pub fn solved_yet(&self) -> Result<Option<Arc<dyn AnySolved>>, GameError> {
        Ok(self.table_yet()?.filter(|solved| solved.store() != Store::None))
    }

    /// The name of the table's file.
    pub fn table(&self) -> &str {
        &self.file
    }

    /// Where the table is on this machine, if it is.
    pub fn path(&self) -> Option<PathBuf> {
        self.shelf.dir().map(|dir| dir.join(&self.file))
    }

    /// Whether a solve was begun and left its checkpoint.
    pub fn is_begun(&self) -> bool {
        self.shelf.dir().is_some_and(|dir| Files::new(dir, self.game.identity()).has_leftovers())
    }

    /// Whether there is a table.
    pub fn has_table(&self) -> bool {
        self.shelf.stamp(&self.file).is_some()
    }

    /// When the table was made, in seconds since 1970, 0 where nobody knows; none if there is none.
    pub fn dated(&self) -> Option<u64> {
        let (made, _) = self.shelf.stamp(&self.file)?;
        let since = made.and_then(|made| made.duration_since(UNIX_EPOCH).ok());
        Some(since.map_or(0, |since| since.as_secs()))
    }

    /// Whether the whole table is at hand, so that it can be searched for puzzles and rarities.
    pub fn whole(&self) -> bool {
        self.shelf.whole(&self.file)
    }

    /// What a solve takes; nothing is known of that in a browser, which has no clock for it.
    pub fn plan(&self) -> Plan {
        if cfg!(target_family = "wasm") {
            return Plan::UNKNOWN;
        }
        *self.plan.get_or_init(|| self.game.plan(0))
    }

    /// Positions to play through.
    pub fn lessons(&self) -> &[Lesson] {
        self.lessons.get_or_init(|| lessons(self.entry, &*self.game))
    }

    /// The options that differ from the defaults, as `name=value`.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let defaults = self.entry.options.iter().map(|spec| spec.default());
        let pairs = self.options.iter().copied().zip(defaults);
        pairs.filter(|((_, value), default)| value != default).map(|(option, _)| option)
    }

    /// The same as options are given.
    pub fn given(&self) -> Vec<String> {
        self.chosen().map(|(name, value)| format!("{name}={value}")).collect()
    }

    /// What it is called on pages.
    pub fn title(&self, language: Language) -> String {
        match self.entry.options(&self.given()) {
            Ok(options) => self.entry.heading(&options, language),
            Err(_) => self.entry.title.say(language).to_owned(),
        }
    }

    /// The address of one of its pages, such as `/facts`.
    pub fn address(&self, page: &str) -> Address {
        let address = Address::new(format!("/{}{page}", self.entry.name));
        self.chosen()
            .fold(address, |address, (name, value)| address.with("o", &format!("{name}={value}")))
    }

    /// The command that solves it.
    pub fn command(&self) -> String {
        let variant = self.game.identity().variant;
        let options = variant.iter().map(|(name, value)| format!(" -o {name}={value}"));
        format!("kanzen solve {}{}", self.entry.name, options.collect::<String>())
    }
}
