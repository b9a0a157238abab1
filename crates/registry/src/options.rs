//! Options that choose a variant of a game: `-o name=value`.

use crate::GameError;
use crate::error::NONE;
use kanzen_core::{Language, Words};
use kanzen_table::Identity;
use std::collections::BTreeMap;

/// An option that a game takes.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// The values it may have, the default first.
    pub values: &'static [&'static str],
    /// What it does.
    pub help: Words,
    /// What its values are called by people, in the order of the values; none if the values speak for
    /// themselves, as numbers do.
    pub called: &'static [Words],
    /// Whether tables differ by it.
    pub tables: Tables,
}

/// Whether the tables of a game differ by an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// They do: a table is named after the option, unless it has its default.
    Differ,
    /// They do, and the option is always part of the name.
    AreNamed,
    /// They do not: the option says where the game starts, how it is written, or what is asked.
    AreShared,
}

impl OptionSpec {
    /// The same with names for its values.
    pub const fn called(self, called: &'static [Words]) -> OptionSpec {
        OptionSpec { called, ..self }
    }

    /// What one of its values is called.
    pub fn say(&self, value: &'static str, language: Language) -> &'static str {
        let place = self.values.iter().position(|known| *known == value);
        let called = place.and_then(|place| self.called.get(place));
        called.map_or(value, |called| called.say(language))
    }

    /// What it chooses: where its values have names of their own, without those that its help lists after
    /// a colon.
    pub fn asks(&self, language: Language) -> &'static str {
        let help = self.help.say(language);
        match help.split_once(language.pick(": ", "：")) {
            Some((asks, _)) if !self.called.is_empty() => asks,
            _ => help,
        }
    }

    /// The value it has if nothing is said.
    pub fn default(&self) -> &'static str {
        self.values.first().copied().unwrap_or_default()
    }
}

/// The value of every option of a game.
#[derive(Clone, Debug)]
pub struct Options {
    game: &'static str,
    chosen: Vec<(&'static OptionSpec, &'static str)>,
}

impl Options {
    /// Reads `name=value` pairs, and takes the default of every option that is not named.
    pub(crate) fn parse(
        game: &'static str,
        specs: &'static [OptionSpec],
        given: &[String],
    ) -> Result<Options, GameError> {
        let mut chosen: Vec<_> = specs.iter().map(|spec| (spec, spec.default())).collect();
        for text in given {
            let (name, value) =
                text.split_once('=').ok_or_else(|| GameError::OptionShape(text.clone()))?;
            let (spec, place) =
                chosen.iter_mut().find(|(spec, _)| spec.name == name).ok_or_else(|| {
                    GameError::UnknownOption { name: name.to_owned(), allowed: names(specs) }
                })?;
            *place = spec.values.iter().find(|allowed| **allowed == value).ok_or_else(|| {
                GameError::OptionValue {
                    name: spec.name,
                    value: value.to_owned(),
                    allowed: spec.values.join(", "),
                }
            })?;
        }
        Ok(Options { game, chosen })
    }

    /// Every option with its value.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.chosen.iter().map(|(spec, value)| (spec.name, *value))
    }

    /// The options that do not have their default.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let changed = self.chosen.iter().filter(|(spec, value)| *value != spec.default());
        changed.map(|(spec, value)| (spec.name, *value))
    }

    /// The options that do not have their default, in words; nothing if all have it.
    pub fn said(&self, language: Language) -> Option<String> {
        let changed = self.chosen.iter().filter(|(spec, value)| *value != spec.default());
        let told = changed.map(|(spec, value)| {
            let (help, value) = (spec.asks(language), spec.say(value, language));
            language.pick(format!("{help}: {value}"), format!("{help} → {value}"))
        });
        let told = told.collect::<Vec<_>>().join(language.pick("; ", "；"));
        let said = language.pick(
            format!("The rules chosen here: {told}."),
            format!("ここで選んだルール：{told}。"),
        );
        (!told.is_empty()).then_some(said)
    }

    /// The size of the board, where that is an option: `4×4`.
    pub fn board(&self) -> Option<String> {
        let value = |name: &str| Some(self.get(name)).filter(|value| !value.is_empty());
        match (value("size"), value("rows"), value("columns")) {
            (Some(size), ..) if size.contains('x') => Some(size.replace('x', "×")),
            (Some(size), ..) => Some(format!("{size}×{size}")),
            (None, Some(rows), Some(columns)) => Some(format!("{columns}×{rows}")),
            _ => None,
        }
    }

    /// The value of an option that the game has.
    pub fn get(&self, name: &str) -> &'static str {
        self.all().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// The value of an option whose values are numbers.
    pub fn number(&self, name: &str) -> u32 {
        self.get(name).parse().unwrap_or_default()
    }

    /// Whether these options say what tables do not depend on.
    pub fn share_tables(&self) -> bool {
        let shared = |(spec, value): &(&OptionSpec, &str)| {
            spec.tables == Tables::AreShared && *value != spec.default()
        };
        self.chosen.iter().any(shared)
    }

    /// What the tables of the game with these options are known by.
    pub fn identity(&self, index_version: u32) -> Identity {
        let named = self.chosen.iter().filter(|(spec, value)| match spec.tables {
            Tables::Differ => *value != spec.default(),
            Tables::AreNamed => true,
            Tables::AreShared => false,
        });
        let variant: BTreeMap<String, String> =
            named.map(|(spec, value)| (spec.name.to_owned(), (*value).to_owned())).collect();
        Identity { game: self.game.to_owned(), variant, index_version, rules: None }
    }
}

fn names(specs: &[OptionSpec]) -> String {
    match specs {
        [] => NONE.to_owned(),
        _ => specs.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", "),
    }
}
