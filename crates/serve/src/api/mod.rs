//! The JSON API, after the habits of the Lichess tablebase and in the words of `--json`.

pub mod endpoints;
pub mod openapi;

use crate::api::endpoints::Endpoint;
use crate::http::errors::Trouble;
use crate::http::limits;
use crate::pages::puzzles::{of_set, set_number};
use crate::parts::walk::walk;
use crate::state::patience;
use crate::state::site::Site;
use crate::state::solver::Solving;
use crate::state::tables::Variant;
use crate::url::query::{Query, short};
use crate::url::view::opponent;
use kanzen_core::{Language, Outcome, Words};
use kanzen_registry::{Answer, AnySolved, GameError, Line, MoveAnswer};
use kanzen_show::board::{Board, film, marked, plain};
use kanzen_solve::Silent;
use kanzen_study::annotate::{Annotated, Record, annotate};
use kanzen_study::explain::{Explained, explain};
use kanzen_study::lessons::Lesson;
use kanzen_study::puzzle::Puzzle;
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

/// The solves in the background that are not done.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolvesAnswer {
    /// All of them, in the order in which they were asked for.
    pub solves: Vec<Solving>,
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

/// What there is to ask for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndexAnswer {
    /// Every endpoint.
    pub endpoints: &'static [Endpoint],
}

/// What a newcomer has to know.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RulesAnswer {
    /// The game.
    pub game: String,
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// Its name for people, in English and Japanese.
    #[schema(value_type = BTreeMap<String, String>)]
    pub title: Words,
    /// The rules.
    #[schema(value_type = BTreeMap<String, String>)]
    pub rules: Words,
    /// How moves are written; empty if the moves of the start tell.
    #[schema(value_type = BTreeMap<String, String>)]
    pub moves: Words,
    /// How positions are written; empty if the start tells.
    #[schema(value_type = BTreeMap<String, String>)]
    pub positions: Words,
    /// The start position.
    pub start: String,
    /// Positions to play through.
    #[schema(value_type = Vec<LessonEntry>)]
    pub lessons: Vec<Lesson>,
}

/// A position with something to do.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it only carries the description")]
struct LessonEntry {
    /// The position.
    position: String,
    /// What to do, in English and Japanese.
    task: BTreeMap<String, String>,
    /// `move`, `win`, `take`, `guard`, `force` or `named`.
    goal: String,
    /// A move that does it.
    answer: String,
}

/// The position after some moves.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ApplyAnswer {
    /// The game.
    pub game: String,
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// The position; null if the last move ended the game and leads to none.
    pub position: Option<String>,
    /// The outcome for the player who is to move; null if the game goes on.
    #[schema(value_type = Option<String>, pattern = "^(win|draw|loss)$")]
    pub over: Option<Outcome>,
}

/// The move of an opponent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayAnswer {
    /// The game.
    pub game: String,
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// The position.
    pub position: String,
    /// The level of the opponent.
    pub level: &'static str,
    /// The move; null if there is none.
    pub played: Option<MoveAnswer>,
}

/// A set of puzzles.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PuzzlesAnswer {
    /// The number of the set.
    pub set: u64,
    /// Whether the set is made.
    pub ready: bool,
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
}

/// What was found, or what can be looked for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FindAnswer {
    /// The kinds there are, with what they find, in English and Japanese.
    pub kinds: BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>,
    /// Whether the search is done.
    pub ready: bool,
    /// The findings by name, as `kanzen find --json` prints them; null if none were asked for.
    #[schema(value_type = Option<BTreeMap<String, Vec<BTreeMap<String, serde_json::Value>>>>)]
    pub found: serde_json::Value,
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
            solving: site.solves.of(&variant),
            options: entry.options.iter().map(option).collect(),
        })
    };
    Ok(GamesAnswer {
        games: site.tables.registry().entries().map(game).collect::<Result<_, Trouble>>()?,
    })
}

/// `GET /api/v1/solves`
pub fn solves(site: &Site) -> SolvesAnswer {
    SolvesAnswer { solves: site.solves.all() }
}

/// `GET /api/v1/`
pub fn index() -> IndexAnswer {
    IndexAnswer { endpoints: endpoints::ENDPOINTS }
}

/// `GET /api/v1/GAME/explain?position=…`
pub fn explained(site: &Site, game: &str, query: &Query) -> Result<Explained, Trouble> {
    let solved = site.tables.variant(game, &query.all("o"))?.solved()?;
    Ok(explain(&*solved, &solved.probe(query.position()?)?)?)
}

/// `GET /api/v1/GAME/rules`
pub fn rules(site: &Site, game: &str, query: &Query) -> Result<RulesAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let entry = variant.entry;
    Ok(RulesAnswer {
        game: entry.name.to_owned(),
        options: options(&variant),
        title: entry.title,
        rules: entry.rules,
        moves: entry.learn.moves,
        positions: entry.learn.positions,
        start: variant.game.start(),
        lessons: variant.lessons().to_vec(),
    })
}

/// `GET /api/v1/GAME/moves?position=…`
pub fn moves(site: &Site, game: &str, query: &Query) -> Result<PositionAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let found = variant.game.look(query.position()?)?;
    Ok(answer(&variant, found))
}

/// `GET /api/v1/GAME/apply?position=…&line=…`
pub fn apply(site: &Site, game: &str, query: &Query) -> Result<ApplyAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let look = |position: Option<&str>| variant.game.look(position);
    let stations = walk(look, query.position()?, &query.line()?)?;
    let last = stations.last().ok_or(Trouble::Fault)?;
    Ok(ApplyAnswer {
        game: variant.entry.name.to_owned(),
        options: options(&variant),
        position: last.answer.as_ref().map(|answer| answer.position.clone()),
        over: last.outcome().filter(|_| last.is_over()),
    })
}

/// `GET /api/v1/GAME/play?position=…&level=…`
pub fn play(site: &Site, game: &str, query: &Query) -> Result<PlayAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let (level, opponent) = opponent(query, "level")?;
    let solved = variant.solved()?;
    let found = solved.probe(query.position()?)?;
    let seed = query.number("seed")?.unwrap_or(0);
    Ok(PlayAnswer {
        game: variant.entry.name.to_owned(),
        options: options(&variant),
        level,
        played: opponent.choose(&*solved, &found, seed)?.cloned(),
        position: found.position,
    })
}

/// `GET /api/v1/GAME/annotate?line=…`
pub fn annotated(site: &Site, game: &str, query: &Query) -> Result<Annotated, Trouble> {
    let solved = site.tables.variant(game, &query.all("o"))?.solved()?;
    let position = query.position()?.map(str::to_owned);
    let record = Record { position, moves: query.line()? };
    annotate(&*solved, &record).map_err(|error| match error {
        GameError::NoAnswer(message) => Trouble::field("line", message),
        error => error.into(),
    })
}

/// `GET /api/v1/GAME/puzzles?set=…`
pub fn puzzles(site: &Site, game: &str, query: &Query) -> Result<PuzzlesAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    variant.solved()?;
    let set = set_number(query)?;
    let made = of_set(site, &variant, set)?;
    let ready = made.is_some();
    Ok(PuzzlesAnswer { set, ready, puzzles: made.map_or(Vec::new(), |made| made.to_vec()) })
}

/// `GET /api/v1/GAME/census`
pub fn census(site: &Site, game: &str, query: &Query) -> Result<serde_json::Value, Trouble> {
    let solved = site.tables.variant(game, &query.all("o"))?.solved()?;
    Ok(kanzen_show::json(&solved.stats()?))
}

/// `GET /api/v1/GAME/find?kind=…`
pub fn find(site: &Site, game: &str, query: &Query) -> Result<FindAnswer, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let solved = variant.solved()?;
    let kinds = kanzen_study::find::kinds(&*solved);
    let most = query.number("most")?.unwrap_or(5).min(100);
    let listed = kinds
        .iter()
        .map(|kind| (kind.name, BTreeMap::from([("en", kind.about.en), ("ja", kind.about.ja)])));
    let listed = listed.collect();
    let Some(asked) = query.get("kind") else {
        return Ok(FindAnswer { kinds: listed, ready: true, found: serde_json::Value::Null });
    };
    let Some(number) = kinds.iter().position(|kind| kind.name == asked) else {
        return Err(GameError::unknown_kind(&short(asked), &kinds).into());
    };
    let (kind, key) = (kinds[number].name, number as u64 * 1000 + most);
    // Two bytes a position, if all are needed.
    let bytes = 2 * variant.plan().positions;
    if bytes > site.room && solved.whole().is_some_and(|whole| whole.needs_codes(kind)) {
        return Err(GameError::Memory { bytes }.into());
    }
    let found = site.findings.get(&variant, key, site.tables.generation(), move || {
        let found = kanzen_study::find::find(&*solved, kind, most as usize, &Silent);
        found.map_or(serde_json::Value::Null, |found| kanzen_show::json(&found))
    });
    let ready = found.is_some();
    let found = found.map_or(serde_json::Value::Null, |found| (*found).clone());
    Ok(FindAnswer { kinds: listed, ready, found })
}

/// `GET /api/v1/GAME/board.svg?position=…`
pub fn board(site: &Site, game: &str, query: &Query) -> Result<String, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let drawing = variant.game.draw(query.position()?)?;
    let language = query.get("lang").and_then(Language::of_tag).unwrap_or_default();
    let board = marked(&drawing, variant.game.kit(), language);
    let coordinates = query.get("coordinates") != Some("0");
    Ok(Board { coordinates, ..board }.document().into_string())
}

/// `GET /api/v1/GAME/board.png?position=…`
#[cfg(feature = "http")]
pub fn picture(site: &Site, game: &str, query: &Query) -> Result<Vec<u8>, Trouble> {
    kanzen_picture::png(&board(site, game, query)?, limits::PICTURE)
        .map_err(|error| GameError::NoAnswer(error.to_string()).into())
}

/// `GET /api/v1/GAME/film.svg?line=…`
pub fn film_of_line(site: &Site, game: &str, query: &Query) -> Result<String, Trouble> {
    let variant = site.tables.variant(game, &query.all("o"))?;
    let line = query.line()?;
    if line.len() >= limits::FRAMES {
        let message = format!("longer than {} moves", limits::FRAMES - 1);
        return Err(Trouble::field("line", message));
    }
    let stations = walk(|position| variant.game.look(position), query.position()?, &line)?;
    let language = query.get("lang").and_then(Language::of_tag).unwrap_or_default();
    let kit = variant.game.kit();
    let boards = stations.iter().map(|station| {
        let board = plain(&station.drawing, kit, station.exchanged, language, String::new());
        let trace = station.played.as_ref().map(|(_, trace)| trace);
        let arrow = trace.and_then(|trace| Some((trace.from?, trace.to?)));
        Board { arrow: arrow.filter(|(from, to)| from != to), ..board }
    });
    Ok(film(&boards.collect::<Vec<_>>(), 1.0).into_string())
}
