//! A strategy as a book to print, or as a graph for Graphviz.

use kanzen_core::{Kit, Language};
use kanzen_registry::{Book, BookEntry as Entry, Proof, Reply};
use kanzen_show::board::plain;
use kanzen_show::{page, units};
use maud::{Markup, html};
use std::fmt::Write;

/// Boards of a page.
const BOARDS: usize = 300;

/// The strategy as pages: an entry for each position, with what to play and where to go on, in chapters
/// by the loser's first move, and an index. The first page has the contents and, if there are too many
/// boards, leads to the others; `name` tells how those are called, by their number.
pub fn html(
    proof: &Proof,
    book: &Book,
    title: &str,
    kit: &Kit,
    name: &dyn Fn(usize) -> String,
) -> Vec<String> {
    let heading = format!("{title}: a winning strategy");
    let binder = Binder { book, kit, name };
    let rest = match proof.look {
        1 => "at once".to_owned(),
        look => format!("within {look} plies"),
    };
    let front = html! {
        h1 { (heading) }
        p {
            code { (proof.position) } " is a " (proof.value) ". The book has an answer for each of the "
            (units::grouped(proof.strategy.winner_to_move)) " positions that can arise; after a move that is \
            not listed under an entry the game can be won " (rest) "."
        }
        @if !book.first.is_empty() { p { "At first: " (binder.go_on(&book.first, 0)) } }
        (binder.contents())
    };
    let pages = book.entries.len().div_ceil(BOARDS);
    let mut all = Vec::new();
    if pages <= 1 {
        let body = html! { (front) (binder.entries(&book.entries, 0)) (binder.index(0)) };
        return vec![page(Language::English, &heading, &body)];
    }
    all.push(page(Language::English, &heading, &html! { (front) (binder.index(0)) }));
    for (number, entries) in (1..).zip(book.entries.chunks(BOARDS)) {
        let body = html! {
            p { a href=(name(0)) { (heading) } }
            (binder.entries(entries, number))
            p {
                @if number > 1 { a href=(name(number - 1)) { "page " (number - 1) } " " }
                @if number < pages { a href=(name(number + 1)) { "page " (number + 1) } }
            }
        };
        all.push(page(Language::English, &format!("{heading}, {number} of {pages}"), &body));
    }
    all
}

/// What makes the pages.
struct Binder<'a> {
    book: &'a Book,
    kit: &'a Kit,
    name: &'a dyn Fn(usize) -> String,
}

impl Binder<'_> {
    /// The address of an entry, from a page.
    fn link(&self, entry: usize, from: usize) -> String {
        let page = match self.book.entries.len() {
            ..=BOARDS => 0,
            _ => 1 + (entry - 1) / BOARDS,
        };
        if page == from { format!("#e{entry}") } else { format!("{}#e{entry}", (self.name)(page)) }
    }

    fn contents(&self) -> Markup {
        html! {
            @if !self.book.chapters.is_empty() {
                h2 { "Chapters" }
                ol { @for chapter in &self.book.chapters {
                    li { a href=(self.link(chapter.first, 0)) { "After " (chapter.reply) } ": "
                        (units::grouped(chapter.entries as u64))
                        @if chapter.entries == 1 { " position" } @else { " positions" } }
                } }
            }
        }
    }

    fn entries(&self, entries: &[Entry], page: usize) -> Markup {
        html! {
            @for entry in entries {
                @if let Some(chapter) = self.book.chapters.iter().find(|chapter| chapter.first == entry.number) {
                    h2 { "After " (chapter.reply) }
                }
                section .entry id={ "e" (entry.number) } {
                    @let mut board = plain(&entry.drawing, self.kit, false, Language::English, entry.position.clone());
                    @for &spot in entry.trace.from.iter().chain(&entry.trace.to).chain(&entry.trace.also) {
                        @let () = board.spots[spot].last = true;
                    }
                    (board.svg())
                    div {
                        h3 { (entry.number) }
                        p { "Play " b { (entry.answer) } ": " (entry.value) "." }
                        p { (self.go_on(&entry.replies, page)) }
                    }
                }
            }
        }
    }

    /// Where to go on after each of the loser's moves.
    fn go_on(&self, replies: &[Reply], page: usize) -> Markup {
        let listed = replies.iter().filter_map(|reply| Some((reply, reply.entry?)));
        html! {
            @for (number, (reply, entry)) in listed.enumerate() {
                @if number > 0 { "; " }
                (reply.name) " → " a href=(self.link(entry, page)) { (entry) }
                @if reply.image { " (turned or mirrored)" }
            }
        }
    }

    /// Every position and where it stands.
    fn index(&self, page: usize) -> Markup {
        let mut entries: Vec<&Entry> = self.book.entries.iter().collect();
        entries.sort_by(|a, b| a.position.cmp(&b.position));
        html! {
            @if !entries.is_empty() {
                h2 { "Index" }
                ul .index { @for entry in entries {
                    li { code { (entry.position) } " " a href=(self.link(entry.number, page)) { (entry.number) } }
                } }
            }
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
