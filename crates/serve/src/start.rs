//! The first page: all games.

use crate::board::plain;
use crate::errors::Trouble;
use crate::language::Language;
use crate::page::Page;
use crate::site::Site;
use crate::unsolved::progress;
use crate::worth::Worth;
use kanzen_core::Side;
use kanzen_games::GAMES;
use maud::{Markup, html};

/// Renders the list of games.
pub fn start(site: &Site, language: Language) -> Result<Markup, Trouble> {
    let words = language.words();
    let page = Page {
        title: words.tagline.to_owned(),
        language,
        here: "/".to_owned(),
        game: None,
        waits: site.solves.busy(),
    };
    Ok(page.render(html! {
        section .welcome {
            h1 { (words.tagline) }
            p { (words.intro) }
            p { a .button href="/api/v1/openapi.json" { (words.api) } }
        }
        ul .games {
            @for entry in GAMES { li { (game(site, entry.name, language)?) } }
        }
    }))
}

fn game(site: &Site, name: &str, language: Language) -> Result<Markup, Trouble> {
    let words = language.words();
    let variant = site.tables.variant(name, &[])?;
    let title = language.name(variant.entry.title);
    let drawing = variant.game.draw(None)?;
    let board = plain(&drawing, variant.game.kit(), false, language, title.to_owned());
    let start = match variant.has_table() {
        true => variant.solved().and_then(|solved| solved.probe(None)).ok(),
        false => None,
    };
    let solving = site.solves.of(name).filter(|_| start.is_none());
    Ok(html! {
        a .game .card href=(format!("/{name}")) {
            div .picture aria-hidden="true" { (board.svg()) }
            h2 { (title) }
            @match &start {
                Some(answer) => {
                    @let turn = answer.drawing.turn.unwrap_or(Side::One);
                    @let worth = Worth::new(&answer.value, turn);
                    p { (worth.chip(language)) " " (words.start_value) ": "
                        (language.name(variant.game.kit().party(turn).name)) ", " (worth.words(language)) }
                },
                None if solving.is_none() => p .fine { (words.not_solved) },
                None => {},
            }
        }
        @if let Some(solving) = &solving { (progress(name, solving, language)) }
    })
}
