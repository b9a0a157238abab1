//! Games as the programs see them: any game behind one interface, in words and numbers.

use crate::{Answer, Arrays, Changes, Choice, Depth, GameError, Legal, Line, Proof, Shelf};
use kanzen_analyse::{Codes, Finding, Flaw, Kind, Random, Reach, TierCensus, Verification};
use kanzen_core::{Drawing, Kit, Verdict};
use kanzen_index::Place;
use kanzen_solve::{Job, Plan, Progress};
use kanzen_table::Identity;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A game with its options chosen.
pub trait AnyGame: Send + Sync {
    /// The game, the options that change values, and the version of the index.
    fn identity(&self) -> Identity;
    /// The start position in the game's notation.
    fn start(&self) -> String;
    /// What a solve will take.
    fn plan(&self, threads: usize) -> Plan;
    /// How much of a solve the game can store; the first is what it stores unless told otherwise.
    fn stores(&self) -> &'static [Store];
    /// Whether several processes can solve it together.
    fn spreads(&self) -> bool {
        false
    }
    /// Solves the game and writes its table into a directory.
    fn solve(
        &self,
        dir: &Path,
        store: Option<Store>,
        job: &Job<'_>,
    ) -> Result<SolveReport, GameError>;
    /// Ranks the draws of the solved game, and writes them into a table beside its own.
    fn rank_draws(&self, dir: &Path, job: &Job<'_>) -> Result<RankReport, GameError> {
        let _ = (dir, job);
        Err(GameError::NoAnswer("draws are ranked in games for two players".to_owned()))
    }
    /// Opens the game's table in a directory, or whatever else answers for its positions.
    fn open(&self, dir: &Path) -> Result<Box<dyn AnySolved>, GameError> {
        self.open_from(&dir.to_owned())
    }
    /// The same, wherever the table is.
    fn open_from(&self, shelf: &dyn Shelf) -> Result<Box<dyn AnySolved>, GameError>;
    /// What the rules alone tell of a position, or of the start: whether it is over, and its moves.
    fn legal(&self, position: Option<&str>) -> Result<Legal, GameError>;
    /// A position as the game itself writes it.
    fn parse(&self, position: &str) -> Result<String, GameError>;
    /// Counts the ways to play some plies from a position, or from the start.
    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, GameError>;
    /// Tests the game's own consistency.
    fn check(&self, samples: u64, seed: u64) -> Vec<Flaw>;
    /// What the rules alone tell of a position, or of the start: its moves, and the values of those
    /// that end the game. All other values are unknown.
    fn look(&self, position: Option<&str>) -> Result<Answer, GameError>;
    /// Draws a position, or the start.
    fn draw(&self, position: Option<&str>) -> Result<Drawing, GameError>;
    /// What the game is played with.
    fn kit(&self) -> &'static Kit;
    /// Writes what somebody has put on a board, right or wrong; none if boards of this game are not
    /// set up by hand.
    fn compose(&self, drawing: &Drawing) -> Option<String>;
}

/// A solved game.
pub trait AnySolved: Any + Send + Sync {
    /// Gives up long searches early, and keeps the latest answers: somebody waits for them.
    fn hurry(&mut self) {}
    /// How much of the solve is stored.
    fn store(&self) -> Store;
    /// The value of a position (or of the start) and of every move.
    fn probe(&self, position: Option<&str>) -> Result<Answer, GameError>;
    /// The same, with draws told apart by who presses at the next ply also where nobody has ranked them:
    /// that takes a probe for each of them.
    fn probe_ranked(&self, position: Option<&str>) -> Result<Answer, GameError> {
        self.probe(position)
    }
    /// The value of a position alone; override it where that is quicker than with all moves.
    fn value(&self, position: &str) -> Result<Verdict, GameError> {
        let answer = self.probe(Some(position))?;
        let unknown = || GameError::NoAnswer(format!("{position}: {}", answer.words()));
        answer.verdict().ok_or_else(unknown)
    }
    /// What a position leaves to choose; override it where that is quicker than all moves in words.
    fn choice(&self, position: &str) -> Result<Choice, GameError> {
        Ok(self.probe(Some(position))?.choice())
    }
    /// Many positions at once, by numbers; none if they have none.
    fn arrays(&self) -> Option<&dyn Arrays> {
        None
    }
    /// The same text for all images of a position under the game's symmetries; override it where there
    /// are any.
    fn canonical(&self, position: &str) -> Result<String, GameError> {
        Ok(position.to_owned())
    }
    /// A best line from a position, or from the start.
    fn line(&self, position: Option<&str>) -> Result<Line, GameError>;
    /// The same, beginning with the best move of [`probe_ranked`](AnySolved::probe_ranked).
    fn line_ranked(&self, position: Option<&str>) -> Result<Line, GameError> {
        self.line(position)
    }
    /// The census: how many positions have which value.
    fn stats(&self) -> Result<Vec<Finding>, GameError>;
    /// The kinds of things that can be found.
    fn kinds(&self) -> Vec<Kind>;
    /// Finds what is of a kind, with at most so many examples of each.
    fn find(
        &self,
        kind: &str,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Finding>, GameError>;
    /// The values in short; none for games in which they are not wins, draws and losses.
    fn summary(&self) -> Result<Option<Summary>, GameError>;
    /// A random position of the table, one of each set of images; none if there are no puzzles.
    fn sample(&self, random: &mut Random) -> Option<String>;
    /// What can be done with the values of all positions in memory; none if they have no room there.
    fn whole(&self) -> Option<&dyn Whole>;
    /// What changes from this rule to that of another table of the game; none if their positions
    /// cannot be told to be the same.
    fn changes(
        &self,
        other: &dyn AnySolved,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Changes>, GameError>;
    /// Checks the table.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError>;
}

/// A solved game whose values fit in memory, all of them.
pub trait Whole {
    /// The codes of all positions: two tables of a game have the same places. As long as they are
    /// held, analyses need not find them anew.
    fn codes(&self, progress: &dyn Progress) -> Result<Arc<Codes>, GameError>;
    /// Whether [`find`](AnySolved::find) needs the codes of all positions for this kind.
    fn needs_codes(&self, kind: &str) -> bool;
    /// The position at a place.
    fn position(&self, place: Place) -> Option<String>;
    /// Checks a share of the table, of so many.
    fn verify_share(
        &self,
        share: u64,
        of: u64,
        progress: &dyn Progress,
    ) -> Result<VerifiedShare, GameError>;
    /// Adds up what was found in all shares.
    fn sum_up(&self, shares: Vec<VerifiedShare>) -> VerifyReport;
    /// What can arise from the start.
    fn reach(&self, progress: &dyn Progress) -> Reach;
    /// Proves that a position (or the start) is won or lost.
    fn prove(
        &self,
        position: Option<&str>,
        depth: Depth,
        progress: &dyn Progress,
    ) -> Result<Proof, GameError>;
}

/// How much of a solve is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Store {
    /// The value of every position and its distance to the end.
    Distance,
    /// The value alone.
    Value,
    /// Only the census.
    None,
}

impl Store {
    /// All there are.
    pub const ALL: [Store; 3] = [Store::Distance, Store::Value, Store::None];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Store::Distance => "distance",
            Store::Value => "value",
            Store::None => "none",
        }
    }

    /// What a game stores if this is asked for.
    ///
    /// # Errors
    /// If the game cannot store that.
    pub fn choose(game: &dyn AnyGame, wanted: Option<Store>) -> Result<Store, GameError> {
        let stores = game.stores();
        let wanted = wanted.or(stores.first().copied()).unwrap_or(Store::Distance);
        if stores.contains(&wanted) {
            return Ok(wanted);
        }
        let names: Vec<&str> = stores.iter().map(|store| store.name()).collect();
        Err(GameError::Store {
            game: game.identity().game,
            wanted: wanted.name(),
            allowed: names.join(", "),
        })
    }
}

/// What a solve has made.
#[derive(Clone, Debug, Serialize)]
pub struct SolveReport {
    /// The table.
    pub table: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// What is known of the start, in words.
    pub start: String,
}

/// What the ranking of draws has made.
#[derive(Clone, Debug, Serialize)]
pub struct RankReport {
    /// The table.
    pub table: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// Drawn positions, up to symmetry, that are not over.
    pub draws: u64,
    /// Those in which the side to move presses.
    pub pressing: u64,
    /// Those in which it is pressed.
    pub pressed: u64,
}

/// The result of a verification.
#[derive(Clone, Debug, Default, Serialize)]
pub struct VerifyReport {
    /// Whether everything fits.
    pub passed: bool,
    /// Positions checked.
    pub positions: u64,
    /// Ranks of draws checked, where there is a table of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<u64>,
    /// How many do not follow from their successors.
    pub wrong: u64,
    /// The first problems.
    pub problems: Vec<String>,
}

impl VerifyReport {
    /// Adds what was found of ranked draws, if they are: how many there are, and which are wrong.
    #[must_use]
    pub fn with_draws(mut self, draws: Option<(u64, Vec<String>)>) -> VerifyReport {
        if let Some((draws, wrong)) = draws {
            self.draws = Some(draws);
            self.wrong += wrong.len() as u64;
            self.passed &= wrong.is_empty();
            self.problems.extend(wrong.into_iter().take(Verification::KEPT));
        }
        self
    }
}

/// What was found in a share of a table's entries.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VerifiedShare {
    /// The number of the share, from 0, and how many there are.
    pub share: (u64, u64),
    /// How many entries do not follow from their successors.
    pub wrong: u64,
    /// The first of them: tier, index, and what is wrong.
    pub problems: Vec<(usize, u64, String)>,
    /// What the tiers hold, by what was checked.
    pub tiers: Vec<TierCensus>,
}

/// The values of a game in short, up to symmetry, for the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The start position.
    pub start: String,
    /// Its value.
    pub value: Verdict,
    /// All positions.
    pub positions: u64,
    /// Won ones.
    pub wins: u64,
    /// Drawn ones.
    pub draws: u64,
    /// Lost ones.
    pub losses: u64,
    /// Plies of the longest win or loss.
    pub longest: u16,
}
