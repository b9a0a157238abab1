//! Texts that people and programs send: positions, moves, options.

use crate::{number, registry};
use kanzen::registry::{AnyGame, Entry};
use std::sync::LazyLock;

/// A game, and how it is built.
pub type Built = (&'static Entry, Box<dyn AnyGame>);

/// Every game, with one value after the other of each option.
///
/// # Panics
/// If one cannot be built.
pub fn games() -> Vec<Built> {
    let mut games = Vec::new();
    for entry in registry().entries() {
        games.push((entry, entry.build(&[]).unwrap()));
        for option in entry.options {
            for value in option.values.iter().skip(1) {
                let given = [format!("{}={value}", option.name)];
                games.push((entry, entry.build(&given).unwrap()));
            }
        }
    }
    games
}

/// Reads a text as a position. What is read is written and read again as the same.
///
/// # Panics
/// If it is not the same.
pub fn read(game: &dyn AnyGame, text: &str) {
    let _ = game.look(Some(text));
    let _ = game.draw(Some(text));
    let Ok(written) = game.parse(text) else { return };
    assert_eq!(game.parse(&written).as_deref().ok(), Some(&*written), "'{text}'");
    let legal = game.legal(Some(&written)).unwrap();
    assert_eq!(legal.position, written);
    let drawing = game.draw(Some(&written)).unwrap();
    if let Some(composed) = game.compose(&drawing) {
        let _ = game.parse(&composed);
    }
}

/// Builds a game with options, one in a line, and lists its moves.
pub fn build(entry: &Entry, options: &[String]) {
    if let Ok(game) = entry.build(options) {
        let _ = game.legal(None);
    }
}

thread_local! {
    static GAMES: LazyLock<Vec<Built>> = const { LazyLock::new(games) };
}

/// A byte for a game, then a position.
pub fn positions(mut bytes: &[u8]) {
    GAMES.with(|games| {
        let (_, game) = &games[number(&mut bytes, 1) % games.len()];
        read(&**game, &String::from_utf8_lossy(bytes));
    });
}

/// A byte for a game, then its options, one in a line.
pub fn options(mut bytes: &[u8]) {
    let registry = registry();
    let entries: Vec<&Entry> = registry.entries().collect();
    let entry = entries[number(&mut bytes, 1) % entries.len()];
    let text = String::from_utf8_lossy(bytes);
    build(entry, &text.lines().map(str::to_owned).collect::<Vec<_>>());
}
