//! The games that a program knows: a value, so that anybody can make one.

use crate::any::AnyGame;
use crate::{GameError, Learn, OptionSpec, Options};
use kanzen_core::{Language, Words};

/// A game that can be chosen by name, and what it says of itself.
pub struct Entry {
    /// The name used on the command line and in addresses.
    pub name: &'static str,
    /// The name for people.
    pub title: Words,
    /// The rules in short.
    pub rules: Words,
    /// What newcomers are told.
    pub learn: Learn,
    /// The options that choose a variant.
    pub options: &'static [OptionSpec],
    /// What the literature claims of a variant, as JSON, for reports; nothing if that is ''.
    pub claims: fn(&Options) -> &'static str,
    /// The game with its options chosen.
    pub build: fn(&Options) -> Box<dyn AnyGame>,
}

/// A game that takes less than this many seconds is quick to solve.
pub const QUICK_SECONDS: f64 = 60.0;

impl Entry {
    /// A game without options, of which nothing is claimed.
    ///
    /// ```
    /// use kanzen_core::Words;
    /// use kanzen_registry::{Entry, Registry};
    /// const RULES: Words = Words::new("Who takes the last stone wins.", "最後の石を取れば勝ち。");
    /// static GAME: Entry = Entry::new("nim", Words::same("Nim"), RULES, |_| unreachable!());
    /// assert_eq!(Registry::new([&GAME]).find("nim")?.title.en, "Nim");
    /// # Ok::<(), kanzen_registry::GameError>(())
    /// ```
    pub const fn new(
        name: &'static str,
        title: Words,
        rules: Words,
        build: fn(&Options) -> Box<dyn AnyGame>,
    ) -> Entry {
        Entry { name, title, rules, learn: Learn::NONE, options: &[], claims: |_| "", build }
    }

    /// The name for people, with the size of the board where that is an option.
    pub fn heading(&self, options: &Options, language: Language) -> String {
        let title = self.title.say(language);
        options.board().map_or_else(|| title.to_owned(), |size| format!("{title} {size}"))
    }

    /// Reads options given as `name=value`.
    ///
    /// # Errors
    /// If the game has no such option, or the option no such value.
    pub fn options(&self, given: &[String]) -> Result<Options, GameError> {
        Options::parse(self.name, self.options, given)
    }

    /// The game with options given as `name=value`.
    ///
    /// # Errors
    /// As for [`options`](Entry::options).
    pub fn build(&self, given: &[String]) -> Result<Box<dyn AnyGame>, GameError> {
        Ok((self.build)(&self.options(given)?))
    }
}

/// Games by name.
///
/// ```
/// let games = kanzen_registry::Registry::default();
/// let error = games.find("chess").err().unwrap();
/// assert!(error.to_string().starts_with("unknown game 'chess'"));
/// ```
#[derive(Clone, Default)]
pub struct Registry(Vec<&'static Entry>);

impl Registry {
    /// A registry of these games, in this order.
    pub fn new(entries: impl IntoIterator<Item = &'static Entry>) -> Registry {
        Registry(entries.into_iter().collect())
    }

    /// All games.
    pub fn entries(&self) -> impl Iterator<Item = &'static Entry> + '_ {
        self.0.iter().copied()
    }

    /// The game with this name.
    ///
    /// # Errors
    /// If there is none; the error lists those there are.
    pub fn find(&self, name: &str) -> Result<&'static Entry, GameError> {
        self.entries().find(|entry| entry.name == name).ok_or_else(|| GameError::UnknownGame {
            name: name.to_owned(),
            known: self.entries().map(|entry| entry.name).collect::<Vec<_>>().join(", "),
        })
    }
}

impl FromIterator<&'static Entry> for Registry {
    fn from_iter<T: IntoIterator<Item = &'static Entry>>(entries: T) -> Registry {
        Registry::new(entries)
    }
}
