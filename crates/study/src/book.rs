//! A strategy as a book to print, or as a graph for Graphviz.

use crate::html::{escape, page};
use kanzen_core::{Kit, svg};
use kanzen_games::{Book, Proof, Reply};
use std::fmt::Write;

/// The strategy as a page: an entry for each position, with what to play and where to go on.
pub fn html(proof: &Proof, book: &Book, title: &str, kit: &Kit) -> String {
    let mut body = String::new();
    let heading = format!("{title}: a winning strategy");
    let size = &proof.strategy;
    put(&mut body, format_args!("<h1>{}</h1>", escape(&heading)));
    put(
        &mut body,
        format_args!(
            "<p><code>{}</code> is a {}. The book has an answer for each of the {} positions that \
             can arise; after a move that is not listed under an entry {}.</p>",
            escape(&proof.position),
            proof.value,
            size.winner_to_move,
            match proof.look {
                1 => "the game can be won at once".to_owned(),
                look => format!("the game can be won within {look} plies"),
            }
        ),
    );
    if !book.first.is_empty() {
        put(&mut body, format_args!("<p>At first: {}</p>", go_on(&book.first)));
    }
    for entry in &book.entries {
        let mut drawing = entry.drawing.clone();
        drawing.mark_last_move(&entry.trace);
        put(
            &mut body,
            format_args!(
                "<section class=\"entry\" id=\"e{}\">{}<div><h3>{}</h3><p>Play <b>{}</b>: {}.</p><p>{}</p></div></section>",
                entry.number,
                svg(&drawing, kit),
                entry.number,
                escape(&entry.answer),
                entry.value,
                go_on(&entry.replies)
            ),
        );
    }
    page("en", &heading, &body)
}

/// Where to go on after each of the loser's moves.
fn go_on(replies: &[Reply]) -> String {
    let links = replies.iter().filter_map(|reply| {
        let entry = reply.entry?;
        let image = if reply.image { " (turned or mirrored)" } else { "" };
        Some(format!("{} → <a href=\"#e{entry}\">{entry}</a>{image}", escape(&reply.name)))
    });
    links.collect::<Vec<_>>().join("; ")
}

/// The strategy as a directed graph: boxes are the winner's positions, an edge is an answer and a
/// reply to it.
pub fn dot(proof: &Proof, book: &Book) -> String {
    let mut out = String::from("digraph strategy {\n  node [shape=box, fontname=monospace];\n");
    if !book.first.is_empty() {
        put(&mut out, format_args!("  start [label=\"{}\", shape=ellipse];", proof.position));
        for reply in &book.first {
            if let Some(entry) = reply.entry {
                put(&mut out, format_args!("  start -> e{entry} [label=\"{}\"];", reply.name));
            }
        }
    }
    for entry in &book.entries {
        let number = entry.number;
        put(
            &mut out,
            format_args!("  e{number} [label=\"{}\\n{}\"];", entry.position, entry.answer),
        );
        for reply in &entry.replies {
            if let Some(next) = reply.entry {
                put(&mut out, format_args!("  e{number} -> e{next} [label=\"{}\"];", reply.name));
            }
        }
    }
    out.push_str("}\n");
    out
}

fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    out.write_fmt(line).expect("a String takes any text");
    out.push('\n');
}
