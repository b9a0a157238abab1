//! A strategy as a book to print, or as a graph for Graphviz.

use kanzen_core::{Kit, Language};
use kanzen_registry::{Book, Proof, Reply};
use kanzen_show::board::plain;
use kanzen_show::page;
use maud::{Markup, html};
use std::fmt::Write;

/// The strategy as a page: an entry for each position, with what to play and where to go on.
pub fn html(proof: &Proof, book: &Book, title: &str, kit: &Kit) -> String {
    let heading = format!("{title}: a winning strategy");
    let rest = match proof.look {
        1 => "at once".to_owned(),
        look => format!("within {look} plies"),
    };
    let body = html! {
        h1 { (heading) }
        p {
            code { (proof.position) } " is a " (proof.value) ". The book has an answer for each of the "
            (proof.strategy.winner_to_move) " positions that can arise; after a move that is not listed \
            under an entry the game can be won " (rest) "."
        }
        @if !book.first.is_empty() { p { "At first: " (go_on(&book.first)) } }
        @for entry in &book.entries {
            section .entry id={ "e" (entry.number) } {
                @let mut board = plain(&entry.drawing, kit, false, Language::English, entry.position.clone());
                @for &spot in entry.trace.from.iter().chain(&entry.trace.to).chain(&entry.trace.also) {
                    @let () = board.spots[spot].last = true;
                }
                (board.svg())
                div {
                    h3 { (entry.number) }
                    p { "Play " b { (entry.answer) } ": " (entry.value) "." }
                    p { (go_on(&entry.replies)) }
                }
            }
        }
    };
    page(Language::English, &heading, &body)
}

/// Where to go on after each of the loser's moves.
fn go_on(replies: &[Reply]) -> Markup {
    let listed = replies.iter().filter_map(|reply| Some((reply, reply.entry?)));
    html! {
        @for (number, (reply, entry)) in listed.enumerate() {
            @if number > 0 { "; " }
            (reply.name) " → " a href={ "#e" (entry) } { (entry) }
            @if reply.image { " (turned or mirrored)" }
        }
    }
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
