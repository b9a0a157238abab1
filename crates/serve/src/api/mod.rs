//! The JSON API, after the habits of the Lichess tablebase and in the words of `--json`.

pub mod openapi;

use crate::http::errors::Trouble;
use crate::http::limits;
use crate::state::patience;
use crate::state::site::Site;
use crate::state::solver::Solving;
use crate::state::tables::Variant;
use crate::url::query::Query;
use kanzen_core::Words;
use kanzen_registry::{Answer, AnySolved, Line};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A position with its value and every move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PositionAnswer {
    /// The game.
    pub game: String,
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// The position.
    #[serde(flatten)]
    pub answer: Answer,
}

/// A best line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LineAnswer {
    /// The game.
    pub game: String,
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// The line.
    #[serde(flatten)]
    pub line: Line,
}

/// Positions to look up.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct BatchRequest {
    /// The positions, 1000 at the most.
    pub positions: Vec<String>,
}

/// An answer for each position, in the same order.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BatchAnswer {
    /// The answers.
    pub answers: Vec<BatchEntry>,
}

/// An answer of a batch: a position, or what is wrong with it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BatchEntry {
    /// The position.
    Position(Box<PositionAnswer>),
    /// It cannot be read.
    Wrong(PositionError),
}

/// A position that cannot be read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PositionError {
    /// What was sent.
    pub position: String,
    /// What is wrong.
    pub error: String,
    /// Always `position`.
    pub field: &'static str,
}

/// Why a request was refused.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorAnswer {
    /// What is wrong.
    pub error: String,
    /// The parameter that is to blame, or null.
    pub field: Option<&'static str>,
}

/// The games.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GamesAnswer {
    /// All of them.
    pub games: Vec<GameEntry>,
}

/// A game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameEntry {
    /// Its name in addresses.
    pub game: &'static str,
    /// Its name for people, in English and Japanese.
    #[schema(value_type = BTreeMap<String, String>)]
    pub title: Words,
    /// The start position.
    pub start: String,
    /// Whether its default variant has a table.
    pub solved: bool,
    /// The command that makes the table.
    pub command: String,
    /// The solve in the background, if there is one.
    pub solving: Option<Solving>,
    /// The options that choose a variant: `o=name=value`.
    pub options: Vec<OptionEntry>,
}

/// An option of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OptionEntry {
    /// Its name.
    pub name: &'static str,
    /// Its values, the default first.
    pub values: Vec<&'static str>,
    /// What it does, in English and Japanese.
    #[schema(value_type = BTreeMap<String, String>)]
    pub help: Words,
}

fn options(variant: &Variant) -> BTreeMap<String, String> {
    let options = variant.options.iter();
    options.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn answer(variant: &Variant, answer: Answer) -> PositionAnswer {
    PositionAnswer { game: variant.entry.name.to_owned(), options: options(variant), answer }
}

/// `GET /api/v1/GAME?position=…`
pub fn position(site: &Site, game: &str, query: &Query) -> Result<PositionAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let found = variant.solved()?.probe(query.position()?)?;
    Ok(answer(&variant, found))
}

/// `GET /api/v1/GAME/line?position=…`
pub fn line(site: &Site, game: &str, query: &Query) -> Result<LineAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let line = variant.solved()?.line(query.position()?)?;
    Ok(LineAnswer { game: variant.entry.name.to_owned(), options: options(&variant), line })
}

/// `POST /api/v1/GAME/batch`
pub fn batch(site: &Site, game: &str, query: &Query, body: &[u8]) -> Result<BatchAnswer, Trouble> {
    let request: BatchRequest = serde_json::from_slice(body).map_err(|error| {
        Trouble::field("body", format!("{error}; expected {{\"positions\": [\"…\"]}}"))
    })?;
    if request.positions.len() > limits::BATCH {
        let message =
            format!("{} positions, allowed are {}", request.positions.len(), limits::BATCH);
        return Err(Trouble::field("positions", message));
    }
    let variant = site.tables.variant(game, &query.all("o"))?;
    let solved = variant.solved()?;
    let look_up = |text: &String| -> Result<BatchEntry, Trouble> {
        patience::ask()?;
        match probe(&*solved, text) {
            Ok(found) => Ok(BatchEntry::Position(Box::new(answer(&variant, found)))),
            Err(trouble) if trouble.blamed() == Some("position") => {
                Ok(BatchEntry::Wrong(PositionError {
                    position: text.chars().take(limits::POSITION).collect(),
                    error: trouble.to_string(),
                    field: "position",
                }))
            }
            Err(trouble) => Err(trouble),
        }
    };
    Ok(BatchAnswer { answers: request.positions.iter().map(look_up).collect::<Result<_, _>>()? })
}

fn probe(solved: &dyn AnySolved, text: &str) -> Result<Answer, Trouble> {
    if text.len() > limits::POSITION {
        let message = format!("longer than {} bytes", limits::POSITION);
        return Err(Trouble::field("position", message));
    }
    Ok(solved.probe(Some(text))?)
}

/// `GET /api/v1/games`
pub fn games(site: &Site) -> Result<GamesAnswer, Trouble> {
    let game = |entry: &'static kanzen_registry::Entry| {
        let variant = site.tables.variant(entry.name, &[])?;
        let option = |spec: &kanzen_registry::OptionSpec| OptionEntry {
            name: spec.name,
            values: spec.values.to_vec(),
            help: spec.help,
        };
        Ok(GameEntry {
            game: entry.name,
            title: entry.title,
            start: variant.game.start(),
            solved: variant.has_table(),
            command: variant.command(),
            solving: site.solves.of(entry.name),
            options: entry.options.iter().map(option).collect(),
        })
    };
    Ok(GamesAnswer {
        games: site.tables.registry().entries().map(game).collect::<Result<_, Trouble>>()?,
    })
}
