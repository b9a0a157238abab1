//! The claims of the papers, as data: what is claimed, and where Kanzen's own answer to it stands.
//!
//! A claim names a *source* (`stats`, `find zugzwang`, `prove POSITION`, `probe` of a position or the
//! start, `compare` with other rules) and a path into the JSON that the command of that name prints.
//! The number here is computed, the number claimed is only compared with it.

use kanzen_core::{Outcome, Text, Verdict};
use kanzen_registry::{Entry, Options};
use serde::Deserialize;
use serde_json::Value as Json;
use std::borrow::Cow;

/// What papers say of a game.
#[derive(Clone, Debug, Deserialize)]
pub struct Claims {
    /// The paper.
    pub paper: Text,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// A claim.
#[derive(Clone, Debug, Deserialize)]
pub struct Claim {
    /// What is claimed.
    #[serde(flatten)]
    pub text: Text,
    /// The definition that was used here, where the words leave a choice.
    pub definition: Option<Text>,
    /// What the paper says.
    pub claimed: Json,
    /// The command that answers it.
    pub source: String,
    /// Where in its JSON the answer stands.
    pub at: String,
}

impl Claims {
    /// What the paper says of the start, for the side to move there.
    pub fn start(&self) -> Option<Verdict> {
        let claimed = |at: &str| {
            let claim = self.claims.iter().find(|it| it.source == "probe" && it.at == at)?;
            Some(&claim.claimed)
        };
        let value = match claimed("value")?.as_str()? {
            "win" => Outcome::Win,
            "draw" => Outcome::Draw,
            "loss" => Outcome::Loss,
            _ => return None,
        };
        let plies = claimed("plies").and_then(Json::as_u64);
        Some(Verdict { value, plies: plies.and_then(|plies| plies.try_into().ok()) })
    }
}

/// The claims about a game with some options, if it brings any.
///
/// # Errors
/// If what the game brings cannot be read.
pub fn claims(entry: &Entry, options: &Options) -> Result<Option<Claims>, serde_json::Error> {
    match (entry.claims)(options) {
        "" => Ok(None),
        text => serde_json::from_str(text).map(Some),
    }
}

/// Follows a path such as `tiers/tier=8 pieces/wins`, for findings the name of a finding, a row and a
/// column: the name of a field, the number of an element, `name=value&other=value` for the first
/// element with these fields. At the end `#` is the number of
/// elements, `#name=value` the number of those with that field, `+name` the sum of a field of all.
///
/// ```
/// let json = serde_json::json!({ "tiers": [{ "tier": "8 pieces", "wins": 7 }] });
/// let found = kanzen_study::claim::at(&json, "tiers/tier=8 pieces/wins");
/// assert_eq!(found.as_deref(), Some(&serde_json::json!(7)));
/// ```
pub fn at<'j>(json: &'j Json, path: &str) -> Option<Cow<'j, Json>> {
    let mut here = json;
    for step in path.split('/') {
        here = match (step.split_once('='), here) {
            (_, Json::Array(elements)) if step == "#" => {
                return Some(Cow::Owned(elements.len().into()));
            }
            (_, Json::Array(elements)) if step.starts_with('+') => {
                let numbers = elements.iter().map(|element| at(element, &step[1..])?.as_u64());
                return Some(Cow::Owned(numbers.sum::<Option<u64>>()?.into()));
            }
            (Some((name, value)), Json::Array(elements)) if step.starts_with('#') => {
                let with = elements.iter().filter(|element| has(element, &name[1..], value));
                return Some(Cow::Owned(with.count().into()));
            }
            (Some(_), Json::Array(elements)) => {
                let all = |element: &&Json| {
                    let mut fields = step.split('&').map(|field| field.split_once('='));
                    fields.all(|field| field.is_some_and(|(name, value)| has(element, name, value)))
                };
                elements.iter().find(all)?
            }
            (None, Json::Array(elements)) => elements.get(step.parse::<usize>().ok()?)?,
            _ => here.get(step)?,
        };
    }
    Some(Cow::Borrowed(here))
}

/// Whether a field has a value, written as text.
fn has(element: &Json, field: &str, value: &str) -> bool {
    match &element[field] {
        Json::String(text) => text == value,
        other => other.as_u64().is_some_and(|number| value.parse() == Ok(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_are_followed() {
        let json = json!({ "rows": [{ "tier": "a", "n": 1 }, { "tier": 2, "n": [5, 6] }] });
        let found = |path: &str| at(&json, path).map(Cow::into_owned);
        assert_eq!(found("rows/tier=a/n"), Some(json!(1)));
        assert_eq!(found("rows/tier=2/n/1"), Some(json!(6)));
        assert_eq!(found("rows/tier=a&n=1/tier"), Some(json!("a")));
        assert_eq!(found("rows/tier=a&n=2/tier"), None);
        assert_eq!(found("rows/#"), Some(json!(2)));
        assert_eq!(found("rows/#tier=a"), Some(json!(1)));
        assert_eq!(found("rows/#tier=b"), Some(json!(0)));
        assert_eq!(found("rows/tier=b/n"), None);
        assert_eq!(found("rows/+n"), None, "an array is no number");
        assert_eq!(at(&json!([[1, 5], [2, 7]]), "+1").map(Cow::into_owned), Some(json!(12)));
        assert_eq!(found("rows/9"), None);
    }

    #[test]
    fn claims_can_be_read() {
        let games = kanzen_games::all();
        let read = |game: &str, given: &[&str]| {
            let given: Vec<String> = given.iter().map(|&option| option.to_owned()).collect();
            let entry = games.find(game).unwrap();
            claims(entry, &entry.options(&given).unwrap()).unwrap()
        };
        for game in ["simpei", "doubutsu", "musashi25", "musashi31", "musashi33", "ostle"] {
            assert!(!read(game, &[]).expect(game).claims.is_empty());
        }
        assert!(read("threerow", &[]).is_some());
        assert!(read("threerow", &["rows=5"]).is_some());
        assert!(read("threerow", &["rows=5", "columns=5"]).is_none());
        assert!(read("mutorere", &[]).unwrap().claims.is_empty());
        let start = |game: &str| read(game, &[]).unwrap().start();
        assert_eq!(start("ostle"), Some(Verdict { value: Outcome::Draw, plies: None }));
        assert_eq!(start("musashi33"), Some(Verdict { value: Outcome::Win, plies: Some(35) }));
        assert_eq!(start("mutorere"), None);
    }
}
