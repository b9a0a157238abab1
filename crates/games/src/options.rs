//! Options that choose a variant of a game: `-o name=value`.

use crate::GameError;
use std::collections::BTreeMap;

/// An option that a game takes.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// The values it may have, the default first.
    pub values: &'static [&'static str],
    /// What it does.
    pub help: &'static str,
}

impl OptionSpec {
    /// The value it has if nothing is said.
    pub fn default(&self) -> &'static str {
        self.values[0]
    }
}

/// The value of every option of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options(BTreeMap<&'static str, &'static str>);

impl Options {
    /// Reads `name=value` pairs, and takes the default of every option that is not named.
    pub fn parse(specs: &[OptionSpec], given: &[String]) -> Result<Options, GameError> {
        let mut options: BTreeMap<_, _> =
            specs.iter().map(|spec| (spec.name, spec.default())).collect();
        for text in given {
            let (name, value) =
                text.split_once('=').ok_or_else(|| GameError::OptionShape(text.clone()))?;
            let spec = specs.iter().find(|spec| spec.name == name).ok_or_else(|| {
                GameError::UnknownOption { name: name.to_owned(), allowed: names(specs) }
            })?;
            let value = spec.values.iter().find(|allowed| **allowed == value).ok_or_else(|| {
                GameError::OptionValue {
                    name: spec.name,
                    value: value.to_owned(),
                    allowed: spec.values.join(", "),
                }
            })?;
            options.insert(spec.name, value);
        }
        Ok(Options(options))
    }

    /// The value of an option that the game has.
    pub fn get(&self, name: &str) -> &'static str {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// The value of an option whose values are numbers.
    pub fn number(&self, name: &str) -> u32 {
        self.get(name).parse().unwrap_or_default()
    }
}

fn names(specs: &[OptionSpec]) -> String {
    match specs {
        [] => "none".to_owned(),
        _ => specs.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", "),
    }
}
