//! The JSON API, after the habits of the Lichess tablebase.

use crate::errors::Trouble;
use crate::limits;
use crate::query::Query;
use crate::site::Site;
use crate::solver::Solving;
use crate::tables::Variant;
use crate::worth::Worth;
use kanzen_core::{Outcome, Side};
use kanzen_games::{Answer, AnySolved, GAMES, Judgement, MoveAnswer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The outcome for the side to move; for a move, for the one who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Won.
    Win,
    /// Nobody wins.
    Draw,
    /// Lost.
    Loss,
    /// A search gave up: games for three players without a table only.
    Unknown,
}

/// What is known of a position or a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Value {
    /// The outcome.
    pub category: Category,
    /// Plies to the end of the game, negative for a loss; null for a draw, for a win that has no
    /// known distance, and with three players. A position that is lost at once has 0.
    pub plies: Option<i32>,
    /// With three players: what best play means here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    /// With three players: who may win, 0 for nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winners: Option<Vec<u8>>,
}

/// A move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveEntry {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub name: String,
    /// The position it leads to; null if it ends the game.
    pub position: Option<String>,
    /// Its value for the player who makes it.
    #[serde(flatten)]
    pub value: Value,
}

/// A position with its value and every move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PositionAnswer {
    /// The game.
    pub game: String,
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// The position, in the game's notation.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub value: Value,
    /// The move that the move before has barred, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barred: Option<String>,
    /// Every move, the best first.
    pub moves: Vec<MoveEntry>,
}

/// A best line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LineAnswer {
    /// The game.
    pub game: String,
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// Where the line begins.
    pub position: String,
    /// The value there for the side to move.
    #[serde(flatten)]
    pub value: Value,
    /// The moves, each with its value for the player who makes it.
    pub moves: Vec<MoveEntry>,
    /// Why it stops.
    pub end: String,
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
    /// Its name for people.
    pub title: &'static str,
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
    /// What it does.
    pub help: &'static str,
}

impl Value {
    fn new(judgement: &Judgement, mover: Side) -> Value {
        let verdict = Worth::new(judgement, mover).0;
        let category = match verdict.map(|verdict| verdict.value) {
            Some(Outcome::Win) => Category::Win,
            Some(Outcome::Draw) => Category::Draw,
            Some(Outcome::Loss) => Category::Loss,
            None => Category::Unknown,
        };
        let plies = verdict.and_then(|verdict| verdict.plies).map(i32::from);
        let (meaning, winners) = match judgement {
            Judgement::Two(_) => (None, None),
            Judgement::Winner { meaning, winner } => (Some(meaning.clone()), Some(vec![*winner])),
            Judgement::Outcomes { meaning, outcomes } => {
                (Some(meaning.clone()), Some(outcomes.clone()))
            }
            Judgement::Safe { meaning, .. } | Judgement::Unknown { meaning, .. } => {
                (Some(meaning.clone()), None)
            }
        };
        let plies = plies.map(|plies| if category == Category::Loss { -plies } else { plies });
        Value { category, plies, meaning, winners }
    }
}

fn entry(mv: &MoveAnswer, mover: Side) -> MoveEntry {
    MoveEntry {
        name: mv.name.clone(),
        position: mv.position.clone(),
        value: Value::new(&mv.value, mover),
    }
}

fn options(variant: &Variant) -> BTreeMap<String, String> {
    let options = variant.options.iter();
    options.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn answer(variant: &Variant, answer: &Answer) -> PositionAnswer {
    let mover = answer.drawing.turn.unwrap_or(Side::One);
    PositionAnswer {
        game: variant.entry.name.to_owned(),
        options: options(variant),
        position: answer.position.clone(),
        value: Value::new(&answer.value, mover),
        barred: answer.barred.clone(),
        moves: answer.moves.iter().map(|mv| entry(mv, mover)).collect(),
    }
}

/// `GET /api/v1/GAME?position=…`
pub fn position(site: &Site, game: &str, query: &Query) -> Result<PositionAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let found = variant.solved()?.probe(query.position()?)?;
    Ok(answer(&variant, &found))
}

/// `GET /api/v1/GAME/line?position=…`
pub fn line(site: &Site, game: &str, query: &Query) -> Result<LineAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let solved = variant.solved()?;
    let line = solved.line(query.position()?)?;
    // Who makes a move of the line is told by the position before it.
    let mut position = line.position.clone();
    let mover = |position: &str| {
        let drawing = variant.game.draw(Some(position))?;
        Ok::<Side, Trouble>(drawing.turn.unwrap_or(Side::One))
    };
    let first = mover(&position)?;
    let mut moves = Vec::new();
    for mv in &line.moves {
        moves.push(entry(mv, mover(&position)?));
        position = mv.position.clone().unwrap_or(position);
    }
    Ok(LineAnswer {
        game: variant.entry.name.to_owned(),
        options: options(&variant),
        position: line.position,
        value: Value::new(&line.value, first),
        moves,
        end: line.end.to_owned(),
    })
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
        match probe(&*solved, text) {
            Ok(found) => Ok(BatchEntry::Position(Box::new(answer(&variant, &found)))),
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
    let game = |entry: &'static kanzen_games::Entry| {
        let variant = site.tables.variant(entry.name, &[])?;
        let option = |spec: &kanzen_games::OptionSpec| OptionEntry {
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
    Ok(GamesAnswer { games: GAMES.iter().map(game).collect::<Result<_, Trouble>>()? })
}
