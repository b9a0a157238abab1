//! Graph files in place of games: `graph:FILE`, or `--graph FILE`.

use anyhow::{Context, Result};
use kanzen_core::Words;
use kanzen_graph::Graph;
use kanzen_registry::{AnyGame, Entry, TwoPlayer};
use kanzen_table::Identity;
use std::ffi::OsString;
use std::path::Path;

/// What the name of a game begins with that is a graph file.
const PREFIX: &str = "graph:";

/// What is said of a game that is only a graph.
pub(super) static ENTRY: Entry = Entry::new(
    "graph",
    Words::new("A graph", "グラフ"),
    Words::new("The positions and moves that a file lists.", "ファイルにある局面と手。"),
    |options| {
        let nothing = Graph::read(b"nothing = draw\n").expect("this is a graph");
        Box::new(TwoPlayer::new(nothing, options))
    },
);

/// Puts `graph:FILE` in the place of the game for `--graph FILE`.
pub fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut given: Vec<OsString> = given.collect();
    let end = given.iter().position(|argument| argument == "--").unwrap_or(given.len());
    let flag = given[..end].iter().position(|argument| {
        argument.to_str().is_some_and(|text| text == "--graph" || text.starts_with("--graph="))
    });
    // A file must follow, and a command stand before; else the usual error is the best.
    let Some(flag) = flag.filter(|&flag| flag >= 2) else { return given };
    let whole = given[flag].to_str().and_then(|text| text.strip_prefix("--graph="));
    let file = match whole.map(OsString::from) {
        Some(file) => {
            given.remove(flag);
            file
        }
        None if flag + 1 < given.len() => {
            given.remove(flag);
            given.remove(flag)
        }
        None => return given,
    };
    let mut name = OsString::from(PREFIX);
    name.push(file);
    given.insert(2, name);
    given
}

/// The game of a graph file, if the name is that of one.
pub(super) fn open(name: &str) -> Option<Result<Box<dyn AnyGame>>> {
    let path = Path::new(name.strip_prefix(PREFIX)?);
    Some((|| {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let graph = Graph::read(&bytes).with_context(|| path.display().to_string())?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        // The table of another file of the same name is another table.
        let sum = format!("{:08x}", crc32c::crc32c(&bytes));
        let variant = [("file".to_owned(), stem.unwrap_or_default()), ("sum".to_owned(), sum)];
        let identity = Identity {
            game: ENTRY.name.to_owned(),
            variant: variant.into(),
            index_version: 1,
            rules: None,
        };
        Ok(Box::new(TwoPlayer::named(graph, identity)) as Box<dyn AnyGame>)
    })())
}

#[cfg(test)]
mod tests {
    use super::arguments;
    use std::ffi::OsString;

    fn given(line: &str) -> String {
        let words = line.split(' ').map(OsString::from);
        let words: Vec<String> =
            arguments(words).into_iter().map(|word| word.into_string().unwrap()).collect();
        words.join(" ")
    }

    #[test]
    fn a_graph_stands_for_the_game() {
        assert_eq!(given("kanzen solve --graph a.txt --json"), "kanzen solve graph:a.txt --json");
        assert_eq!(given("kanzen probe --json --graph=a b"), "kanzen probe graph:a --json b");
        for line in ["kanzen solve simpei", "kanzen solve --graph", "kanzen --graph a"] {
            assert_eq!(given(line), line);
        }
    }
}
