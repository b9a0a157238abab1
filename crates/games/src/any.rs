//! Games as the programs see them: any game behind one interface, in words and numbers.

use crate::GameError;
use crate::changes::{self, Changes};
use kanzen_analyse::{Codes, Finding, Random, Reach};
use kanzen_core::{Drawing, Gesture, Kit, Trace, Verdict};
use kanzen_index::Place;
use kanzen_solve::{Plan, Progress};
use kanzen_table::Identity;
use serde::Serialize;
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A game with its options chosen.
pub trait AnyGame: Send + Sync {
    /// The game, the options that change values, and the version of the index.
    fn identity(&self) -> Identity;
    /// The start position in the game's notation.
    fn start(&self) -> String;
    /// What a solve will take.
    fn plan(&self, threads: usize) -> Plan;
    /// How much of a solve the game can store; the first is what it stores unless told otherwise.
    fn stores(&self) -> &'static [Store] {
        &[Store::Distance]
    }
    /// The level of compression that pays for the game's table.
    fn level(&self) -> i32 {
        9
    }
    /// Solves the game and writes its table.
    fn solve(&self, job: &SolveJob<'_>) -> Result<SolveReport, GameError>;
    /// Opens the game's table, or whatever else answers for its positions.
    fn open(&self, dir: &Path) -> Result<Box<dyn AnySolved>, GameError>;
    /// Counts the ways to play some plies from a position, or from the start.
    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, GameError>;
    /// Tests the game's own consistency.
    fn check(&self, samples: u64, seed: u64) -> Vec<Finding>;
    /// Draws a position, or the start.
    fn draw(&self, position: Option<&str>) -> Result<Drawing, GameError>;
    /// What the game is played with.
    fn kit(&self) -> &'static Kit {
        &Kit::STONES
    }
    /// Writes what somebody has put on a board, right or wrong; none if boards of this game are not
    /// set up by hand.
    fn compose(&self, drawing: &Drawing) -> Option<String> {
        let _ = drawing;
        None
    }
}

/// A solved game.
pub trait AnySolved: Any + Send + Sync {
    /// Gives up long searches early: somebody waits for every answer.
    fn hurry(&mut self) {}
    /// How much of the solve is stored.
    fn store(&self) -> Store {
        Store::Distance
    }
    /// The value of a position (or of the start) and of every move.
    fn probe(&self, position: Option<&str>) -> Result<Answer, GameError>;
    /// A best line from a position, or from the start.
    fn line(&self, position: Option<&str>) -> Result<Line, GameError>;
    /// The census.
    fn stats(&self) -> Result<Report, GameError>;
    /// Remarkable positions of a kind; the error for an unknown kind lists the known ones.
    fn find(&self, what: &str, most: usize, progress: &dyn Progress) -> Result<Report, GameError>;
    /// Proves that a position (or the start) is won or lost. The search for the smallest tree is
    /// given up after looking into `most` positions.
    fn prove(
        &self,
        position: Option<&str>,
        depth: Depth,
        progress: &dyn Progress,
    ) -> Result<Proof, GameError> {
        let _ = (position, depth, progress);
        Err(GameError::NoAnswer("this game has no proofs".to_owned()))
    }
    /// The values in short.
    fn summary(&self) -> Result<Summary, GameError> {
        Err(GameError::NoAnswer("this game has no summary of values".to_owned()))
    }
    /// A random position of the table, one of each set of images.
    fn sample(&self, random: &mut Random) -> Option<String> {
        let _ = random;
        None
    }
    /// The codes of all positions: two tables of a game have the same places. As long as they are
    /// held, analyses need not find them anew.
    fn codes(&self, progress: &dyn Progress) -> Result<Arc<Codes>, GameError> {
        let _ = progress;
        Err(GameError::NoAnswer("the values of this game do not fit in memory".to_owned()))
    }
    /// Whether [`find`](AnySolved::find) needs the codes of all positions for this kind.
    fn needs_codes(&self, what: &str) -> bool {
        let _ = what;
        true
    }
    /// The position at a place.
    fn position(&self, place: Place) -> Option<String> {
        let _ = place;
        None
    }
    /// What can arise from the start.
    fn reach(&self, progress: &dyn Progress) -> Result<Reach, GameError> {
        let _ = progress;
        Err(GameError::NoAnswer("what can arise is not known of this game".to_owned()))
    }
    /// What changes from this rule to that of another table of the game; none if their positions
    /// cannot be told to be the same.
    fn changes(
        &self,
        other: &dyn AnySolved,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Changes>, GameError> {
        changes::of_codes(self, other, most, progress)
    }
    /// Checks the table.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError>;
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

/// What to solve with.
pub struct SolveJob<'a> {
    /// Where tables and checkpoints are kept.
    pub dir: PathBuf,
    /// The number of threads; 0 takes all cores.
    pub threads: usize,
    /// The most memory in bytes.
    pub memory: u64,
    /// The level of compression, 1 to 22.
    pub level: i32,
    /// How much to store: one of the game's [`stores`](AnyGame::stores).
    pub store: Store,
    /// The least time between two checkpoints.
    pub interval: Duration,
    /// Set when the solve should stop.
    pub cancel: &'a AtomicBool,
    /// Who hears of the progress.
    pub progress: &'a dyn Progress,
}

/// What a solve has made.
#[derive(Clone, Debug, Serialize)]
pub struct SolveReport {
    /// The table.
    pub table: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// The value of the start, in words.
    pub start: String,
}

/// The value of a position with two players, or with more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Judgement {
    /// Win, draw or loss for the side to move.
    Two(Verdict),
    /// Who wins, under a stated meaning of best play.
    Winner {
        /// The meaning.
        meaning: String,
        /// The winner, 0 for nobody.
        winner: u8,
    },
    /// Whether a player, named by the meaning, can avoid a loss.
    Safe {
        /// The meaning.
        meaning: String,
        /// Whether it can.
        safe: bool,
    },
    /// What may happen, where the meaning does not decide it.
    Outcomes {
        /// The meaning.
        meaning: String,
        /// The possible winners, 0 for nobody.
        outcomes: Vec<u8>,
    },
    /// The search gave up.
    Unknown {
        /// The meaning.
        meaning: String,
        /// Why there is no answer.
        unknown: String,
    },
}

impl std::fmt::Display for Judgement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let winner = |winner: &u8| match winner {
            0 => "nobody wins".to_owned(),
            player => format!("player {player} wins"),
        };
        match self {
            Judgement::Two(verdict) => verdict.fmt(f),
            Judgement::Winner { meaning, winner: who } => write!(f, "{} ({meaning})", winner(who)),
            Judgement::Safe { meaning, safe: true } => write!(f, "yes ({meaning})"),
            Judgement::Safe { meaning, safe: false } => write!(f, "no ({meaning})"),
            Judgement::Outcomes { meaning, outcomes } => {
                let words: Vec<String> = outcomes.iter().map(winner).collect();
                write!(f, "{} ({meaning})", words.join(" or "))
            }
            Judgement::Unknown { meaning, unknown } => write!(f, "unknown: {unknown} ({meaning})"),
        }
    }
}

/// What is known of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The position.
    pub position: String,
    /// Its value.
    #[serde(flatten)]
    pub value: Judgement,
    /// The move that the move before has barred, if a game knows such bars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barred: Option<String>,
    /// Every move, the best first.
    pub moves: Vec<MoveAnswer>,
    /// The board.
    #[serde(skip)]
    pub drawing: Drawing,
}

/// What is known of a move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// The position it leads to; none if it ends the game.
    pub position: Option<String>,
    /// Its value for the mover.
    #[serde(flatten)]
    pub value: Judgement,
    /// The spots it touches.
    #[serde(skip)]
    pub trace: Trace,
    /// How it is made by hand.
    #[serde(skip)]
    pub gesture: Gesture,
    /// The board after it, if it leads to no position.
    #[serde(skip)]
    pub end: Option<Drawing>,
}

/// A best line.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Where it begins.
    pub position: String,
    /// The value there.
    #[serde(flatten)]
    pub value: Judgement,
    /// The moves.
    pub moves: Vec<MoveAnswer>,
    /// Why it stops there.
    pub end: &'static str,
}

/// Facts as JSON, and as sheets for people.
#[derive(Clone, Debug)]
pub struct Report {
    /// Everything, for programs.
    pub json: serde_json::Value,
    /// The same for people.
    pub sheets: Vec<Sheet>,
}

/// A small table.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// What it shows.
    pub caption: String,
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// An empty sheet with these columns.
    pub fn new(caption: &str, head: &[&str]) -> Sheet {
        Sheet {
            caption: caption.to_owned(),
            head: head.iter().map(|head| (*head).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

/// The result of a verification.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyReport {
    /// Whether everything fits.
    pub passed: bool,
    /// Positions checked.
    pub positions: u64,
    /// How many do not follow from their successors.
    pub wrong: u64,
    /// The first problems.
    pub problems: Vec<String>,
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

/// The proof that a position is won or lost.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    /// The position.
    pub position: String,
    /// Its value.
    #[serde(flatten)]
    pub value: Verdict,
    /// The size of the smallest proof tree, if it was found.
    pub tree: Option<u64>,
    /// A number of positions that the smallest proof tree exceeds, if it was not found.
    pub tree_exceeds: Option<u64>,
    /// The winner's positions that are won within so many plies are left out of the strategy.
    pub look: u16,
    /// The size of the strategy.
    pub strategy: StrategySize,
    /// The strategy, if it is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<Book>,
}

/// How far a proof goes.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// The smallest tree is given up after looking into so many positions.
    pub most: u64,
    /// Positions that the winner can win within so many plies need no answer; at least 1.
    pub look: u16,
    /// Whether the strategy is wanted as a book: its boards take much memory.
    pub book: bool,
}

/// The positions of a strategy, up to symmetry; those that need no answer are left out.
#[derive(Clone, Debug, Serialize)]
pub struct StrategySize {
    /// All of them.
    pub positions: u64,
    /// Those with the winner to move: the size that is as small as possible.
    pub winner_to_move: u64,
    /// Those with the loser to move.
    pub loser_to_move: u64,
    /// No strategy has fewer positions with the winner to move.
    pub at_least: u64,
}

/// A strategy as a book: 'if they play this, play that'.
#[derive(Clone, Debug, Serialize)]
pub struct Book {
    /// Where the answers to the loser's first moves stand, if the loser begins.
    pub first: Vec<Reply>,
    /// The positions in which the winner is to move, in the order in which they arise.
    pub entries: Vec<Entry>,
}

/// A position of a book, and the answer to it.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its number, from 1.
    pub number: usize,
    /// The position.
    pub position: String,
    /// Its value.
    #[serde(flatten)]
    pub value: Verdict,
    /// The winner's move.
    pub answer: String,
    /// What the loser may do then.
    pub replies: Vec<Reply>,
    /// The board.
    #[serde(skip)]
    pub drawing: Drawing,
    /// The spots that the answer touches.
    #[serde(skip)]
    pub trace: Trace,
}

/// A move of the loser.
#[derive(Clone, Debug, Serialize)]
pub struct Reply {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// The entry that answers it; none if the winner wins at once.
    pub entry: Option<usize>,
    /// Whether the entry shows the position turned or mirrored.
    pub image: bool,
}
