//! Graphs as text: a line for each position.

use crate::build::{Builder, Forever};
use crate::game::Labels;
use crate::{Graph, GraphError};
use kanzen_core::Outcome;
use std::collections::HashMap;

const LINE: &str =
    "LABEL -> LABEL …, LABEL = win|draw|loss, @start LABEL, @endless WHO or # a note";

impl Graph {
    /// Reads a graph, packed or as text.
    ///
    /// # Errors
    /// If the bytes are neither, or the graph makes no sense as a game.
    pub fn read(bytes: &[u8]) -> Result<Graph, GraphError> {
        if Graph::is_packed(bytes) { Graph::unpack(bytes) } else { read_text(bytes) }
    }
}

fn read_text(bytes: &[u8]) -> Result<Graph, GraphError> {
    let text = String::from_utf8_lossy(bytes);
    if !text.is_empty() && !text.ends_with('\n') {
        return Err(GraphError::CutOff { line: text.lines().count() });
    }
    let lines = || {
        let numbered = (1..).zip(text.lines().map(str::trim));
        numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    };
    // Moves lead to positions whose lines come later, so the labels are read first.
    let mut numbers: HashMap<&str, (u32, usize)> = HashMap::new();
    let mut labels = Labels::default();
    for (line, content) in lines().filter(|(_, content)| !content.starts_with('@')) {
        let label = content.split_whitespace().next().unwrap_or_default();
        let number = numbers.len() as u32;
        if let Some((_, first)) = numbers.insert(label, (number, line)) {
            return Err(GraphError::Twice { line, label: label.to_owned(), first });
        }
        labels.push(label);
    }
    let end = |line: usize, from: &str, to: &str| {
        numbers.get(to).map(|&(number, _)| number).ok_or_else(|| GraphError::UnknownEnd {
            line,
            from: from.to_owned(),
            to: to.to_owned(),
        })
    };
    let mut builder = Builder::default();
    let (mut start, mut forever) = (0, Forever::Draw);
    for (line, content) in lines() {
        let wrong =
            || GraphError::Line { line, expected: LINE, found: content.chars().take(60).collect() };
        let words: Vec<&str> = content.split_whitespace().collect();
        match words[..] {
            ["@start", label] => start = end(line, "@start", label)?,
            ["@endless", "draw"] => forever = Forever::Draw,
            ["@endless", "first"] => forever = Forever::First,
            ["@endless", "second"] => forever = Forever::Second,
            [from, ..] if from.starts_with('@') => return Err(wrong()),
            [_, "=", "win"] => builder.end(Outcome::Win),
            [_, "=", "draw"] => builder.end(Outcome::Draw),
            [_, "=", "loss"] => builder.end(Outcome::Loss),
            [from, "->", ref children @ ..] => {
                let child = |child: &&str| {
                    // A label may begin with a plus sign itself.
                    let again = child.strip_prefix('+').filter(|_| !numbers.contains_key(child));
                    Ok((end(line, from, again.unwrap_or(child))?, again.is_some()))
                };
                let children: Vec<(u32, bool)> =
                    children.iter().map(child).collect::<Result<_, GraphError>>()?;
                builder.position(children.into_iter());
            }
            _ => return Err(wrong()),
        }
    }
    builder.finish(labels.sorted(), start, forever)
}
