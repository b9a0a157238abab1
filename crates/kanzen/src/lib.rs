//! Kanzen solves board games completely: the value of every position, and the distance to the end.
//!
//! This crate is the whole of it, as a library: the vocabulary of games ([`core`]), numbers for their
//! positions ([`index`]), engines ([`solve`]), table files ([`table`]), analyses ([`analyse`]), any
//! game behind one interface ([`registry`]), how it looks ([`show`]), and the program ([`main`]).
//!
//! Solve a game in memory and ask for a position:
//! ```
//! use kanzen::core::{Game, Value};
//! use kanzen::games::mutorere::MuTorere;
//! use kanzen::solve::{Job, solve};
//!
//! let game = MuTorere::default();
//! let solution = solve(&game, &Job::default(), None)?;
//! assert_eq!(solution.value(&game, &game.start()), Value::OPEN);
//! # Ok::<(), kanzen::solve::SolveError>(())
//! ```
//!
//! Write a table, open it, and probe it by name, as the program does:
//! ```
//! use kanzen::solve::Job;
//!
//! let dir = tempfile::tempdir()?;
//! let games = kanzen::games::all();
//! let game = games.find("simpei")?.build(&["pieces=2".to_owned()])?;
//! game.solve(dir.path(), None, &Job::default())?;
//! let solved = game.open(dir.path())?;
//! let answer = solved.probe(None)?;
//! println!("{}: {}", answer.position, answer.words());
//! assert_eq!(answer.mover, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Write an analysis of one's own: a function from positions to rows.
//! ```
//! use kanzen::analyse::{Finding, Solved, columns, row, write_table};
//! use kanzen::core::{Game, Language, Value, Words};
//! use kanzen::games::mutorere::MuTorere;
//! use kanzen::solve::{Job, Silent, solve};
//! use kanzen::table::Identity;
//!
//! let dir = tempfile::tempdir()?;
//! let path = dir.path().join("mutorere.kanzen");
//! let identity = Identity { game: "mutorere".into(), variant: Default::default(), index_version: 1, rules: None };
//! let game = MuTorere::default();
//! let solution = solve(&game, &Job::default(), None)?;
//! write_table(&game, &solution, &path, identity.clone(), 9, &Silent)?;
//! let solved = Solved::open(game, &path, &identity)?;
//!
//! let atlas = solved.atlas(&Silent)?;
//! let count = |sum: &mut u64, _, _: &_, value| *sum += u64::from(value == Value::OPEN);
//! let draws: u64 = atlas.pass(0, "counting draws", &Silent, || 0, count, |a, b| a + b);
//! let finding = Finding::new("draws", Words::new("Draws.", "引き分け。"), &[columns::POSITIONS])
//!     .with(row![draws]);
//! let sheet = kanzen::show::Sheet::new(&finding, Language::English);
//! print!("{}", sheet.text(Language::English));
//! assert_eq!(kanzen::show::json(&[finding])["draws"][0]["positions"], draws);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Give games of one's own the whole program: commands, explorer, API.
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     kanzen::main(kanzen::games::all())
//! }
//! ```

mod cli;

pub use kanzen_analyse as analyse;
pub use kanzen_core as core;
pub use kanzen_export as export;
pub use kanzen_games as games;
pub use kanzen_graph as graph;
pub use kanzen_index as index;
pub use kanzen_parts as parts;
pub use kanzen_registry as registry;
pub use kanzen_serve as serve;
pub use kanzen_show as show;
pub use kanzen_solve as solve;
pub use kanzen_study as study;
pub use kanzen_table as table;

/// What the author of a game needs: `use kanzen::prelude::*`.
pub mod prelude {
    pub use kanzen_core::{
        Drawing, Endless, Game, Gesture, Kit, Next, NotationError, Outcome, Piece, Side, Spot,
        SpotShape, Touch, Trace, Words,
    };
    pub use kanzen_games::by_rules;
    pub use kanzen_index::{Group, Indexed, Keyed, PairIndex, Place, Tier};
    pub use kanzen_parts::{
        Board, BoardGame, Men, Position, Rules, Step, Turn, Turns, grid_lines, has_line, legal,
        lines, points,
    };
    pub use kanzen_registry::{Entry, OptionSpec, Options, Registry, Tables, TwoPlayer};
}

use clap::Parser;
use kanzen_registry::Registry;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// The program, for the games of a registry: reads the command line and does what it says.
pub fn main(registry: Registry) -> ExitCode {
    run(&registry, std::env::args_os())
}

/// The program with these arguments, the first of which is its name.
pub fn run(registry: &Registry, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    kanzen_solve::give_back_freed_memory();
    let arguments = cli::graph::arguments(arguments.into_iter());
    let options = match cli::args::Cli::try_parse_from(&arguments) {
        Ok(options) => options,
        Err(error) => {
            let error = cli::args::misspelt(&arguments, &error).unwrap_or(error);
            // Whoever does not read this knows at least the status.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    match cli::commands::run(registry, options) {
        Ok(code) => code,
        Err(error) => cli::output::fail(&error),
    }
}

/// Where tables are kept unless somebody says otherwise; none if there is no home directory.
pub fn data_dir() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "kanzen")?;
    Some(dirs.data_dir().to_owned())
}
