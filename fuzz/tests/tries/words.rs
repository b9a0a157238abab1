//! Texts that people and programs send: positions, moves, options, graph files.

use crate::{confined, try_all};
use kanzen::analyse::Random;
use kanzen::graph::Graph;
use kanzen::registry::AnyGame;
use kanzen_fuzz::words::{build, games, read};
use kanzen_fuzz::{CORPUS, damage, graphs, pick, tries};
use std::path::Path;

/// Texts that are tried with every game, one in a line.
const KEPT: &str = include_str!("../../kept/positions.txt");

/// Letters that notations know, and some that they should not.
const LETTERS: [&str; 24] = [
    "0",
    "1",
    "2",
    "9",
    "-",
    "/",
    "_",
    ".",
    "x",
    "X",
    "o",
    "a",
    "z",
    " ",
    ",",
    "+",
    "(",
    "18446744073709551616",
    "\u{0}",
    "\u{1b}[2J",
    "é",
    "先",
    "\u{202e}",
    "\n",
];

/// Changes a text, letter by letter or byte by byte.
fn change(random: &mut Random, text: &str) -> String {
    if random.below(3) == 0 {
        let mut bytes = text.as_bytes().to_vec();
        damage(random, &mut bytes);
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let mut letters: Vec<String> = text.chars().map(String::from).collect();
    for _ in 0..=random.below(3) {
        let at = random.below(letters.len() as u64 + 1) as usize;
        let letter = (*pick(random, &LETTERS)).to_owned();
        match random.below(4) {
            0 => letters.insert(at, letter),
            1 if at < letters.len() => drop(letters.remove(at)),
            2 if at < letters.len() => letters.swap(at, 0),
            _ if at < letters.len() => letters[at] = letter,
            _ => letters.push(letter),
        }
    }
    letters.concat()
}

/// A position that random moves lead to.
fn walk(game: &dyn AnyGame, random: &mut Random) -> String {
    let mut position = game.start();
    for _ in 0..random.below(12) {
        let legal = game.legal(Some(&position)).unwrap();
        if legal.moves.is_empty() {
            break;
        }
        match &pick(random, &legal.moves).position {
            Some(next) => position = next.clone(),
            None => break,
        }
    }
    position
}

#[test]
fn no_position_and_no_option_is_too_strange() {
    if !confined("words::no_position_and_no_option_is_too_strange") {
        return;
    }
    let games = games();
    for (_, game) in &games {
        KEPT.lines().for_each(|text| read(&**game, &text.replace("\\e", "\u{1b}")));
    }
    try_all("positions", tries(30_000), |random| {
        let (_, game) = pick(random, &games);
        let position = walk(&**game, random);
        read(&**game, &change(random, &position));
    });
    try_all("options", tries(10_000), |random| {
        let (entry, _) = pick(random, &games);
        let given = entry.options.iter().map(|option| {
            let text = format!("{}={}", option.name, pick(random, option.values));
            if random.below(3) == 0 { change(random, &text) } else { text }
        });
        let given: Vec<String> = given.collect();
        build(entry, &given);
    });
}

#[test]
fn no_graph_is_too_strange() {
    if !confined("words::no_graph_is_too_strange") {
        return;
    }
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for entry in std::fs::read_dir(Path::new(CORPUS).join("graphs")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        if let Ok(graph) = Graph::read(&bytes) {
            kept.push(graph.pack());
        }
        kept.push(bytes);
    }
    kept.iter().for_each(|bytes| graphs::target(bytes));
    try_all("graph files", tries(20_000), |random| {
        let mut bytes = pick(random, &kept).clone();
        match std::str::from_utf8(&bytes) {
            Ok(text) if random.below(2) == 0 => bytes = change(random, text).into_bytes(),
            _ => damage(random, &mut bytes),
        }
        graphs::target(&bytes);
    });
}
