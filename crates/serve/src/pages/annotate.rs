//! A played game with every move judged: written or pasted, with a link to every position.

use crate::http::errors::Trouble;
use crate::http::limits;
use crate::pages::page::{Page, Reply, told};
use crate::pages::unsolved::unsolved;
use crate::parts::walk::walk;
use crate::state::site::Site;
use crate::state::tables::Variant;
use crate::url::query::Query;
use kanzen_core::Language;
use kanzen_registry::AnySolved;
use kanzen_show::Speak;
use kanzen_study::annotate::{Annotated, Record, annotate as judge};
use maud::{Markup, html};
use std::sync::Arc;

/// Renders the games of a request.
pub fn annotate(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let variant = site.tables.variant(game, &query.all("o"))?;
    let text = query.get("record").unwrap_or("");
    let records: Vec<Record> = text.lines().filter_map(Record::read).collect();
    if records.iter().map(|record| record.moves.len()).sum::<usize>() > limits::LINE {
        let message = format!("longer than {} moves", limits::LINE);
        return Err(Trouble::field("record", message));
    }
    let solved = variant.solved_yet()?;
    let title = variant.title(language);
    let address = variant.address("/annotate");
    let page = Page {
        title: format!("{title}: {}", words.annotate),
        language,
        here: if text.is_empty() { address } else { address.with("record", text) }.text(),
        game: Some((&variant, "/annotate")),
        waits: false,
    };
    let page = page.render(html! {
        h1 { (title) ": " (words.annotate) }
        section .card {
            form .record action=(format!("/{}/annotate", variant.entry.name)) {
                @for (name, value) in variant.chosen() {
                    input type="hidden" name="o" value=(format!("{name}={value}"));
                }
                p { label for="record" { (words.annotate_help) } }
                textarea #record name="record" rows="4" spellcheck="false" { (text) }
                button .button .main { (words.show_position) }
            }
        }
        @match &solved {
            None => (unsolved(site, &variant, language)),
            Some(solved) => @for record in &records { (judged(&variant, &**solved, record, language)) },
        }
    });
    Ok(Reply::page(page, solved.is_some()))
}

/// A game, or why it cannot be read.
fn judged(
    variant: &Variant,
    solved: &dyn AnySolved,
    record: &Record,
    language: Language,
) -> Markup {
    let words = language.phrases();
    let kit = variant.game.kit();
    let game = match judge(solved, record) {
        Ok(game) => game,
        Err(error) => {
            let probe = |position: Option<&str>| solved.probe(position);
            // What cannot be walked is told in the language of the page.
            let trouble = match walk(probe, record.position.as_deref(), &record.moves) {
                Err(trouble) => trouble,
                Ok(_) => error.into(),
            };
            return html! { section .card .trouble role="alert" { (told(&trouble, language)) } };
        }
    };
    let link = |ply: usize| {
        let address = variant.address("");
        let address = match &record.position {
            Some(position) => address.with("position", position),
            None => address,
        };
        let line = record.moves.join(" ");
        Some(address.with("line", &line).with("ply", &ply.to_string()).text())
    };
    let mistakes: Vec<_> = game.mistakes().collect();
    html! {
        section .card {
            h2 { (words.annotated) }
            @for tally in &game.players { p { (Annotated::summary(tally, kit, language)) } }
            div .scroll tabindex="0" { (game.table(kit, language, link)) }
        }
        section {
            h2 { (words.mistakes) }
            @if mistakes.is_empty() { p { (words.no_mistakes) } }
            ul .games .gallery {
                @for note in mistakes {
                    @let puzzle = variant.address("/puzzle").with("position", &note.position);
                    li { div .card .game {
                        div .picture { (Annotated::board(note, kit, language)) }
                        p { (note.ply) ". " b { (note.name) (note.sign()) } " " (note.words(language))
                            @if let Some(better) = &note.better { "; " (words.better) ": " b { (better) } } }
                        p { a .button href=(puzzle.text()) { (words.as_puzzle) } }
                    } }
                }
            }
        }
    }
}
