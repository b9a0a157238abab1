//! Any game behind one interface, and the registry that lists games.
//!
//! A game is [`TwoPlayer`] with an [`Engine`], or an implementation of [`AnyGame`] of its own.
//! Programs see it through [`AnyGame`] and [`AnySolved`], and find it by name in a [`Registry`].

mod answer;
mod any;
pub mod arrays;
mod changes;
pub mod draws;
mod error;
mod explicit;
mod frontier;
pub mod kinds;
mod learn;
mod legal;
mod metrics;
mod nearest;
pub mod opponent;
mod options;
mod proof;
mod prove;
mod registry;
mod store;
mod two_player;

pub use answer::{Answer, BestPlay, Choice, Line, MoveAnswer, Pressing};
pub use any::{
    AnyGame, AnySolved, RankReport, SolveReport, Store, Summary, VerifiedShare, VerifyReport, Whole,
};
pub use arrays::Arrays;
pub use changes::{ByValue, Change, Changes};
pub use error::{GameError, Misread};
pub use explicit::ByRules;
pub use frontier::{Frontier, OwnKind, Search, Stored};
pub use learn::{Goal, Learn, Lesson};
pub use legal::{Legal, LegalMove};
pub use nearest::{did_you_mean, nearest};
pub use options::{OptionSpec, Options, Tables};
pub use proof::{Book, Chapter, Depth, Entry as BookEntry, Proof, Reply, StrategySize};
pub use registry::{Entry, QUICK_SECONDS, Registry};
pub use store::{Files, Shelf, Stamp, table_name, table_path};
pub use two_player::{Engine, Opened, SolvedGame, TwoPlayer};
