//! Command lines, with tables from strangers where a command reads one.

use crate::forge::Pieces;
use crate::{number, registry, scratch, take};
use kanzen::registry::{Registry, table_path};
use kanzen::solve::Job;
use std::ffi::OsString;
use std::path::PathBuf;

/// The commands that read a table of this game or the words of a game, and write nothing but to standard output.
const COMMANDS: [&str; 15] = [
    "annotate", "check", "compare", "draw", "find", "line", "perft", "play", "probe", "prove",
    "puzzles", "report", "rules", "stats", "verify",
];

/// Options that name a file or another host, or ask for work without end.
const NOT_HERE: [&str; 11] = ["co", "di", "fi", "fr", "gr", "ht", "mo", "pn", "pr", "sa", "to"];

/// A directory with the table of a small game.
struct Place {
    registry: Registry,
    dir: tempfile::TempDir,
    path: PathBuf,
    pieces: Pieces,
}

impl Place {
    fn new() -> Place {
        let (registry, dir) = (registry(), scratch());
        let game = registry.find("tictactoe").unwrap().build(&[]).unwrap();
        game.solve(dir.path(), None, &Job { threads: 1, ..Job::default() }).unwrap();
        let path = table_path(dir.path(), &game.identity());
        let pieces = Pieces::of(&std::fs::read(&path).unwrap());
        Place { registry, dir, path, pieces }
    }
}

thread_local! {
    static PLACE: Place = Place::new();
}

/// A byte for a command and two for the length of what [`Pieces::from_bytes`] reads; then arguments, one in a line.
///
/// # Panics
/// If there is no room for the table.
pub fn target(mut bytes: &[u8]) {
    let command = COMMANDS[number(&mut bytes, 1) % COMMANDS.len()];
    let length = number(&mut bytes, 2);
    let table = take(&mut bytes, length);
    PLACE.with(|place| {
        let Some(pieces) = place.pieces.from_bytes(table) else { return };
        std::fs::write(&place.path, pieces.table()).unwrap();
        let text = String::from_utf8_lossy(bytes);
        let given = text.lines().filter(|line| {
            let long = line.trim_start_matches('-');
            let word = line.len() == long.len() || line.starts_with("-o");
            // A dash alone reads standard input, a number of plies takes as long as it says.
            let endless = command == "perft" && long.parse::<u32>().is_ok_and(|depth| depth > 4);
            *line != "-" && !endless && (word || !NOT_HERE.iter().any(|no| long.starts_with(no)))
        });
        let few: &[&str] = if command == "puzzles" { &["--count", "1"] } else { &[] };
        let fixed = ["kanzen", command, "tictactoe"].into_iter().chain(few.iter().copied());
        let words = fixed.chain(given).map(OsString::from);
        let dir = [OsString::from("--dir"), place.dir.path().into()];
        let mut words: Vec<OsString> =
            words.filter(|word| !word.as_encoded_bytes().contains(&0)).collect();
        words.splice(2..2, dir);
        kanzen::run(&place.registry, words);
    });
}
