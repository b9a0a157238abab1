//! The command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use kanzen_registry::opponent::Opponent;
use kanzen_registry::{Store, did_you_mean, nearest};
use std::ffi::OsString;
use std::path::PathBuf;

/// Solves board games completely: the value of every position and the distance to the end.
#[derive(Debug, Parser)]
#[command(name = "kanzen", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the games with their options, size, needs, and whether they are solved
    Games {
        #[command(flatten)]
        data: Data,
        /// List what every table in the directory tells instead: values, census, digest
        #[arg(long)]
        values: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Explain a game: its rules, and how moves and positions are written
    Rules {
        #[command(flatten)]
        game: Game,
        /// The language
        #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = ["en", "ja"])]
        language: String,
    },
    /// Solve a game completely and store the result as a table
    ///
    /// An interrupted solve (Ctrl-C) keeps a checkpoint; the same command goes on from there. The
    /// game name `quick` solves every game that takes less than a minute.
    Solve(Solve),
    /// Solve a game together with other machines: run this once on each of them
    ///
    /// Every host has the same file of addresses and its own index; the directory (--dir) is one that
    /// all of them see. The host with index 0 shows the progress and writes the table. If a host is
    /// lost, all stop, and the same commands go on from the last round; there may be other hosts then.
    /// Nothing is encrypted: use a network that you trust, or a tunnel.
    Cluster(Cluster),
    /// Solve every combination of some options of a game, and compare them
    ///
    /// What is solved stays solved: stopped with Ctrl-C, the same command goes on where it was.
    Sweep(Sweep),
    /// Show the value of a position and of every move
    ///
    /// In a terminal it opens a screen on which both sides can be moved, every move with its value; `?`
    /// there lists the keys. Into a pipe, or with --plain, it prints the board and the moves.
    Probe {
        #[command(flatten)]
        game: Game,
        #[command(flatten)]
        far: Far,
        /// The position, `-` to read positions from standard input, a line each; the start if left out
        #[arg(allow_hyphen_values = true, value_parser = parse_position)]
        position: Option<String>,
        /// Show at most this many moves (all with --json)
        #[arg(long, value_name = "N", default_value_t = 20)]
        most: usize,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        look: Look,
    },
    /// Show a best line to the end of the game
    Line {
        #[command(flatten)]
        game: Game,
        #[command(flatten)]
        far: Far,
        /// The position to begin with; the start if left out
        #[arg(allow_hyphen_values = true, value_parser = parse_position)]
        position: Option<String>,
        /// Draw the board after every move
        #[arg(long, conflicts_with = "json")]
        boards: bool,
        /// Write a moving picture of the line to this file, an SVG document
        #[arg(long, value_name = "FILE")]
        film: Option<PathBuf>,
        #[command(flatten)]
        look: Look,
    },
    /// Show how many positions have which value
    Stats {
        #[command(flatten)]
        game: Game,
        /// Print comma-separated values
        #[arg(long, conflicts_with = "json")]
        csv: bool,
    },
    /// Find remarkable positions, such as the longest wins
    ///
    /// Kinds differ from game to game; without one, those that the game knows are listed.
    Find {
        #[command(flatten)]
        game: Game,
        /// What to look for; the kinds there are if left out
        kind: Option<String>,
        /// Show at most this many positions of a kind
        #[arg(long, value_name = "N", default_value_t = 5)]
        most: usize,
        /// Print comma-separated values
        #[arg(long, conflicts_with = "json")]
        csv: bool,
    },
    /// Prove a won or lost position: the smallest proof tree, and a small strategy
    ///
    /// The tree counts positions as often as they occur; the strategy merges them up to symmetry, and its
    /// size is the number of positions that the winner has to know an answer to.
    Prove {
        #[command(flatten)]
        game: Game,
        /// The position; the start if left out
        #[arg(allow_hyphen_values = true, value_parser = parse_position)]
        position: Option<String>,
        /// Give the smallest tree up after looking into this many positions
        #[arg(long, value_name = "N", default_value_t = 2_000_000)]
        most: u64,
        /// Leave positions out of the strategy that the winner can win within this many plies
        #[arg(long, value_name = "PLIES", default_value_t = 1,
              value_parser = clap::value_parser!(u16).range(1..))]
        look: u16,
        /// Write the strategy: .json, .dot for Graphviz, .html for a book with boards, in chapters and, if
        /// there are more than 300 boards, in several files
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
    },
    /// Judge every move of played games: a line a game, the moves as `probe` shows them
    ///
    /// A game that does not begin at the start has its position and a `|` before the moves.
    Annotate {
        #[command(flatten)]
        game: Game,
        /// The file with the games, `-` for standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Write a page with boards at the mistakes to this file
        #[arg(long, value_name = "FILE", conflicts_with = "json")]
        html: Option<PathBuf>,
        /// Print the positions of mistakes as puzzles instead: a line each, with the better move
        #[arg(long, conflicts_with = "html")]
        puzzles: bool,
        /// The language of the page
        #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = ["en", "ja"])]
        language: String,
        #[command(flatten)]
        look: Look,
    },
    /// Make puzzles: positions with a single good move, graded, with solutions
    ///
    /// In a terminal they are solved on a screen, with hints in steps; `?` there lists the keys. Into a
    /// pipe, or with --plain or --solutions, they are printed.
    Puzzles {
        #[command(flatten)]
        game: Game,
        /// How many
        #[arg(long, value_name = "N", default_value_t = 50,
              value_parser = clap::value_parser!(u16).range(1..=1000))]
        count: u16,
        /// Chooses other positions; the same seed gives the same puzzles
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Show the solutions too
        #[arg(long)]
        solutions: bool,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        look: Look,
    },
    /// Compare two rule sets of a game, or two games: `compare GAME -o A -- -o B`
    Compare {
        #[command(flatten)]
        game: Game,
        /// The options of the second rule set, after `--`; another game's name may come first
        #[arg(last = true, value_name = "OTHER")]
        other: Vec<String>,
        /// Show at most this many examples of each change
        #[arg(long, value_name = "N", default_value_t = 3)]
        most: usize,
    },
    /// Write a report, an article: the result, the paper's claims beside what was found here, tables,
    /// plots, boards
    Report {
        #[command(flatten)]
        game: Game,
        /// Write to this file, .html, .md or .tex (LuaLaTeX), instead of Markdown on standard output
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
        /// The explorer that boards link to: an address of `kanzen serve` or of `export site`
        #[arg(long, value_name = "ADDRESS", default_value = "http://127.0.0.1:8080")]
        site: String,
        /// The language
        #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = ["en", "ja"])]
        language: String,
    },
    /// Rank the draws of a solved game: who presses, where all drawing moves look alike
    ///
    /// A second table is written beside the first. Probes, pages and opponents use it; `verify` checks
    /// it, and `find GAME pressure` tells what is in it.
    Rank {
        #[command(flatten)]
        game: Game,
        /// Threads to use [default: all cores]
        #[arg(long, value_name = "N", default_value = "0", hide_default_value = true, value_parser = parse_threads)]
        threads: usize,
    },
    /// Check every entry of a table against the rules; exit with 1 if one is wrong
    ///
    /// Several machines check a share each: `--share 1/2 >one` here, `--share 2/2 >two` there, and
    /// `--sum one two` at last.
    Verify {
        #[command(flatten)]
        game: Game,
        /// Check on so many processes of this machine, which share the threads
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
        processes: u16,
        /// Check one share of so many, and print what is found for `--sum`
        #[arg(long, value_name = "I/N", conflicts_with = "processes")]
        share: Option<Share>,
        /// Add up what was found in all shares, from these files
        #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["processes", "share"])]
        sum: Vec<PathBuf>,
    },
    /// Write positions with their values as a data set: Parquet, CSV or NumPy files
    ///
    /// A row is a position up to symmetry and tells how many it stands for. A data card is written
    /// beside the files. `export site` and `export tables` write folders for web servers instead.
    Export(Exported),
    /// Fetch a game's table from a folder that `export tables` or `export site` wrote
    ///
    /// The table is checked against the folder's list. Interrupted, the same command goes on.
    Get {
        #[command(flatten)]
        game: Game,
        /// The address of the folder
        #[arg(long, value_name = "URL")]
        from: String,
    },
    /// Count the ways to play so many plies: the test of a move generator
    Perft {
        #[command(flatten)]
        game: Game,
        /// The number of plies, 500 at the most
        #[arg(value_parser = clap::value_parser!(u32).range(..=500))]
        depth: u32,
        /// The position to begin with; the start if left out
        #[arg(allow_hyphen_values = true, value_parser = parse_position)]
        position: Option<String>,
    },
    /// Test a game's own consistency on random positions; exit with 1 if something does not fit
    ///
    /// For authors of games: index against positions, successors against predecessors, symmetry,
    /// notation, tiers, drawing.
    Check {
        #[command(flatten)]
        game: Game,
        /// The number of positions
        #[arg(long, value_name = "N", default_value_t = 2000)]
        samples: u64,
        /// Chooses other random positions
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// Draw a position in the terminal or as SVG
    Draw {
        #[command(flatten)]
        game: Game,
        /// The position; the start if left out
        #[arg(allow_hyphen_values = true, value_parser = parse_position)]
        position: Option<String>,
        /// Print an SVG document
        #[arg(long)]
        svg: bool,
        /// Write a picture in pixels to this file
        #[arg(long, value_name = "FILE", conflicts_with = "svg")]
        png: Option<PathBuf>,
        /// Mark where moves lead with their values (needs a table)
        #[arg(long)]
        values: bool,
        /// Play this move first and mark it (a name as `probe` shows it; needs a table)
        #[arg(long = "move", value_name = "MOVE", allow_hyphen_values = true)]
        mv: Option<String>,
        #[command(flatten)]
        look: Look,
    },
    /// Open the explorer: every position, every move's value, play, and a JSON API, in a browser
    Serve(Serve),
    /// Play against an opponent in the terminal
    ///
    /// The screen shows the board, the moves and the game so far; `?` there lists the keys. With --plain,
    /// or if input or output is a pipe, moves are written line by line: by name, or by their number in
    /// the list of 'moves'. In a game with moves that are called by digits, such as Simpei, a number of
    /// the list has a mark, `#3`, so that a number alone is always a move's name.
    Play {
        #[command(flatten)]
        game: Game,
        #[command(flatten)]
        far: Far,
        /// The position to begin with; the start if left out
        #[arg(allow_hyphen_values = true, value_parser = parse_position)]
        position: Option<String>,
        /// beginner, casual, club, strong, master, perfect or trickster
        #[arg(long, value_name = "OPPONENT", default_value = "club", value_parser = parse_opponent)]
        against: Opponent,
        /// Play as this player
        #[arg(long, value_name = "N", default_value_t = 1,
              value_parser = clap::value_parser!(u8).range(1..=3))]
        side: u8,
        /// Lets the opponent take other chances
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        look: Look,
    },
    /// Measure this machine: memory, quick solves and probes, beside figures that were recorded
    ///
    /// It takes some ten seconds and 300 MB of memory; tables are made in a temporary directory.
    Bench(Bench),
    /// Make a crate for a game of your own, with a small game in it that runs
    New {
        /// The directory to make; its name is that of the game
        dir: PathBuf,
        /// Take Kanzen from this checkout instead of by its version
        #[arg(long, value_name = "DIR")]
        kanzen: Option<PathBuf>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a directory
    Man {
        /// The directory
        dir: PathBuf,
    },
}

/// Where tables are.
#[derive(Debug, Args)]
pub struct Data {
    /// The directory of tables and checkpoints [default: the platform's data directory]
    #[arg(long, env = "KANZEN_DIR", value_name = "DIR", hide_env_values = true)]
    pub dir: Option<PathBuf>,
}

/// The form of what is shown in a terminal.
#[derive(Clone, Copy, Debug, Args)]
pub struct Form {
    /// Print lines instead of opening a screen; so it is without a terminal, too
    #[arg(long)]
    pub plain: bool,
}

/// How boards look.
#[derive(Clone, Copy, Debug, Args)]
pub struct Look {
    /// Draw boards without coordinates
    #[arg(long)]
    pub no_coordinates: bool,
}

/// A game and how to answer.
#[derive(Debug, Args)]
pub struct Game {
    /// The game, as `kanzen games` lists it; or, for the file of a graph, `--graph FILE`
    #[arg(value_name = "GAME")]
    pub name: String,
    /// Choose a variant; may be given more than once
    #[arg(short = 'o', value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    #[command(flatten)]
    pub data: Data,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What to solve and with what.
#[derive(Debug, Args)]
pub struct Solve {
    #[command(flatten)]
    pub game: Game,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true, value_parser = parse_threads)]
    pub threads: usize,
    /// Memory to use at the most, such as 500M or 16G [default: four fifths of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// Only print what it would take
    #[arg(long)]
    pub estimate: bool,
    /// Solve again although there is a table
    #[arg(long)]
    pub again: bool,
    /// How hard to compress the table, 1 to 22 [default: what pays for the game]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=22))]
    pub level: Option<i32>,
    /// What the table holds: values with distances, values alone, or only the census [default:
    /// as much as the game can]
    #[arg(long, value_name = "WHAT", value_parser = store_parser())]
    pub store: Option<Store>,
    /// Seconds between checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub checkpoint: u64,
    /// Solve on so many processes of this machine, which share the threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub processes: u16,
}

/// A share of some work, such as 1/2.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Which one, from 0.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

impl std::str::FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let numbers = text.split_once('/').map(|(one, of)| (one.parse::<u64>(), of.parse::<u64>()));
        match numbers {
            Some((Ok(one), Ok(of))) if (1..=of).contains(&one) => Ok(Share { number: one - 1, of }),
            _ => Err("a share is such as 1/2 or 2/2".to_owned()),
        }
    }
}

/// What to solve together with others.
#[derive(Debug, Args)]
pub struct Cluster {
    #[command(flatten)]
    pub solve: Solve,
    /// The addresses of all hosts, one a line, such as 10.0.0.7:2100
    #[arg(long, value_name = "FILE")]
    pub hosts: PathBuf,
    /// Which of the hosts this is; the first is 0
    #[arg(long, value_name = "I")]
    pub index: usize,
    /// A file with the secret that all hosts know, of at least 16 characters
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// Seconds to wait for the other hosts to come
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub wait: u64,
    /// End when standard input ends
    #[arg(long, hide = true)]
    pub tied: bool,
}

/// What to vary and with what to solve it.
#[derive(Debug, Args)]
pub struct Sweep {
    /// The game, as `kanzen games` lists it; or, for the file of a graph, `--graph FILE`
    #[arg(value_name = "GAME")]
    pub name: String,
    /// Vary an option: several values (A,B), a range of numbers (2..4) or all values (*); may be
    /// given more than once; options that are not named have their default
    #[arg(short = 'o', value_name = "NAME=VALUES")]
    pub options: Vec<String>,
    #[command(flatten)]
    pub data: Data,
    /// Print JSON, a line a variant
    #[arg(long)]
    pub json: bool,
    /// Write the table to this file as comma-separated values
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a page with the table and pictures to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// The language of the page
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = ["en", "ja"])]
    pub language: String,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true, value_parser = parse_threads)]
    pub threads: usize,
    /// Memory to use at the most, such as 500M or 16G; variants that need more are left out
    /// [default: four fifths of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
}

/// What to export: a data set, or a folder for a web server.
#[derive(Debug)]
pub enum Exported {
    /// A data set.
    Set(Export),
    /// A folder for a web server.
    Folder(Folder),
}

// `export site` and `export tables` are commands of their own, any other word is a game.
impl Args for Exported {
    fn augment_args(command: clap::Command) -> clap::Command {
        Folder::augment_subcommands(Export::augment_args(command))
            .subcommand_required(false)
            .arg_required_else_help(false)
            .subcommand_negates_reqs(true)
            .args_conflicts_with_subcommands(true)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Exported::augment_args(command)
    }
}

impl FromArgMatches for Exported {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Exported, clap::Error> {
        if matches.subcommand_name().is_some() {
            Folder::from_arg_matches(matches).map(Exported::Folder)
        } else {
            Export::from_arg_matches(matches).map(Exported::Set)
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Exported::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A folder for a web server.
#[derive(Debug, Subcommand)]
pub enum Folder {
    /// Write the explorer as a site of static files, which needs no program on the server
    ///
    /// Pages are rendered in the browser by the program as WebAssembly (crates/wasm/build makes it). All
    /// tables of the games that are in the directory are taken along.
    Site {
        /// The folder to write
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// The games; all that have a table if left out
        #[arg(value_name = "GAME")]
        games: Vec<String>,
        /// The program as WebAssembly [default: kanzen.wasm beside this program, in target/wasm or in the
        /// directory of tables]
        #[arg(long, value_name = "FILE")]
        wasm: Option<PathBuf>,
        /// Leave the tables where they are: the address of a folder that `export tables` wrote
        #[arg(long, value_name = "URL")]
        tables: Option<String>,
        #[command(flatten)]
        data: Data,
    },
    /// Copy tables into a folder with a list of them (index.json), for `--from URL` and `get`
    Tables {
        /// The folder to write
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// The games; all that have a table if left out
        #[arg(value_name = "GAME")]
        games: Vec<String>,
        #[command(flatten)]
        data: Data,
    },
}

/// Where a table is read from.
#[derive(Debug, Args)]
pub struct Far {
    /// Read the table from a folder of a web server that `export tables` or `export site` wrote, only
    /// the parts that are needed
    #[arg(long, value_name = "URL")]
    pub from: Option<String>,
}

/// What to export and how.
#[derive(Debug, Args)]
pub struct Export {
    #[command(flatten)]
    pub game: Game,
    /// The file to write; or a directory, for sets and shards
    #[arg(long, value_name = "FILE|DIR")]
    pub to: PathBuf,
    /// parquet, csv or npy [default: as the file's name ends, or parquet]
    #[arg(long, value_name = "FORMAT", value_parser = ["parquet", "csv", "npy"])]
    pub format: Option<String>,
    /// The columns, such as position,board,outcome,plies [default: index,tier,position,outcome,
    /// plies,orbit]; there are also moves and best
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Only positions such as 'outcome = win and plies >= 20' or 'tier = 0'
    #[arg(
        long = "where",
        value_name = "CONDITIONS",
        default_value = "",
        hide_default_value = true
    )]
    pub filter: String,
    /// Only so many positions, by chance and in a random order
    #[arg(long, value_name = "N")]
    pub sample: Option<u64>,
    /// Makes other samples and sets
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Training, validation and test sets, such as 0.98,0.01,0.01
    #[arg(long, value_name = "SHARES", value_delimiter = ',')]
    pub split: Vec<f64>,
    /// Begin a new file after about so many bytes, such as 128M
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub shard_bytes: Option<u64>,
}

/// Where to serve.
#[derive(Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub far: Far,
    /// The port to listen at; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    pub port: u16,
    /// The address to listen at; 0.0.0.0 lets others in the network in
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,
    /// Solve in the background what takes less than a minute
    #[arg(long, value_name = "quick", value_parser = ["quick"])]
    pub solve: Option<String>,
    /// Who may begin and pause solves on pages: 'local' lets readers on this machine, as long as the
    /// server listens at a local address such as 127.0.0.1; 'all' lets everybody who can open the pages
    #[arg(long, value_name = "WHO", default_value = "local", value_parser = ["local", "all", "nobody"])]
    pub solvers: String,
    /// What to write to standard error: off, error, warn, info (every request) or debug
    #[arg(long, value_name = "LEVEL", default_value = "warn",
          value_parser = ["off", "error", "warn", "info", "debug"])]
    pub log: String,
    /// The most memory for tables, pages and work in the background, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
}

/// What to measure with.
#[derive(Debug, Args)]
pub struct Bench {
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true,
          value_parser = parse_threads)]
    pub threads: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Takes a position as it is. It may begin with a hyphen, so that a misspelt option would be taken for
/// one: that is told here.
fn parse_position(text: &str) -> Result<String, String> {
    let word = text.strip_prefix("--").filter(|word| word.starts_with(char::is_alphabetic));
    let Some(word) = word else { return Ok(text.to_owned()) };
    let word = word.split('=').next().unwrap_or(word);
    let commands = Cli::command();
    let options = commands.get_subcommands().flat_map(|command| command.get_arguments());
    let others = options.filter_map(|option| option.get_long()).filter(|option| *option != word);
    let near = nearest(word, others);
    let near = near.map(|near| format!("; did you mean '--{near}'?"));
    Err(format!("this command has no option '--{word}'{}", near.unwrap_or_default()))
}

/// The error about a misspelt option that was taken for a position, so that its value is one too many.
pub fn misspelt(arguments: &[OsString], error: &clap::Error) -> Option<clap::Error> {
    let one_too_many = error.get(ContextKind::InvalidArg).map(ContextValue::to_string)?;
    if error.kind() != ErrorKind::UnknownArgument || one_too_many.starts_with('-') {
        return None;
    }
    let words = || arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let commands = Cli::command();
    let command = words().find_map(|word| commands.find_subcommand(word))?;
    let known = |option: &str| command.get_arguments().any(|it| it.get_long() == Some(option));
    let options = words().take_while(|word| *word != "--").filter(|word| {
        let option = word.strip_prefix("--").and_then(|word| word.split('=').next());
        option.is_some_and(|option| !known(option))
    });
    let problem = options.into_iter().find_map(|option| parse_position(option).err())?;
    let mut command = command.clone().bin_name(format!("kanzen {}", command.get_name()));
    Some(command.error(ErrorKind::UnknownArgument, problem))
}

/// Reads the name of an opponent.
fn parse_opponent(text: &str) -> Result<Opponent, String> {
    Opponent::named(text).ok_or_else(|| {
        let names = Opponent::ALL.map(|(name, _)| name);
        format!("'{text}' is none of {}{}", names.join(", "), did_you_mean(text, names))
    })
}

/// Reads what a table holds, by its name.
fn store_parser() -> impl TypedValueParser<Value = Store> {
    PossibleValuesParser::new(Store::ALL.map(Store::name)).map(|name| {
        let named = Store::ALL.into_iter().find(|store| store.name() == name);
        named.unwrap_or(Store::Distance)
    })
}

/// The most threads that may be asked for.
const MOST_THREADS: usize = 1024;

/// A number of threads; 0 takes all cores.
fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if threads <= MOST_THREADS => Ok(threads),
        _ => Err(format!(
            "expected a number of threads from 1 to {MOST_THREADS}, or 0 for all cores"
        )),
    }
}

/// Reads a number of bytes such as `500M`.
fn parse_size(text: &str) -> Result<u64, String> {
    let error = || format!("'{text}' is not a size such as 500M or 16G");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB") {
        "" | "B" => 1u64,
        "K" | "KB" => 1 << 10,
        "M" | "MB" => 1 << 20,
        "G" | "GB" => 1 << 30,
        "T" | "TB" => 1 << 40,
        _ => return Err(error()),
    };
    let number: f64 = digits.parse().map_err(|_| error())?;
    if !(number >= 0.0 && number.is_finite()) {
        return Err(error());
    }
    Ok((number * unit as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_size("500M"), Ok(500 << 20));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("7"), Ok(7));
        for wrong in ["", "G", "5X", "-1G", "nan", "1e999"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
