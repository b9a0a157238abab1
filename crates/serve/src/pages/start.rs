//! The first page: all games.

use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply};
use crate::pages::unsolved::progress;
use crate::state::site::Site;
use crate::url::query::Query;
use kanzen_core::Language;
use kanzen_show::Speak;
use kanzen_show::board::plain;
use kanzen_study::worth::shown_answer;
use maud::{Markup, html};
use std::sync::Arc;

/// Renders the list of games.
pub fn start(site: &Arc<Site>, _: &str, _: &Query, language: Language) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let page = Page {
        title: words.tagline.to_owned(),
        language,
        here: "/".to_owned(),
        game: None,
        waits: site.solves.busy(),
    };
    let page = page.render(html! {
        section .welcome {
            h1 { (words.tagline) }
            p { (words.intro) }
            p .links {
                a .button .main href="/daily" { (words.daily) } " "
                a .button href="/api" { (words.api) }
            }
        }
        ul .games {
            @for entry in site.tables.registry().entries() { li { (game(site, entry.name, language)?) } }
        }
    });
    Ok(Reply::page(page, site.solves.all().is_empty()))
}

fn game(site: &Site, name: &str, language: Language) -> Result<Markup, Trouble> {
    let words = language.phrases();
    let variant = site.tables.variant(name, &[])?;
    let title = variant.title(language);
    let drawing = variant.game.draw(None)?;
    let board = plain(&drawing, variant.game.kit(), false, language, title.clone());
    let start = if variant.has_table() {
        variant.solved().and_then(|solved| solved.probe(None)).ok()
    } else {
        None
    };
    let solving = site.solves.of(&variant).filter(|_| start.is_none());
    let unknown = if variant.has_table() { words.census_only } else { words.not_solved };
    Ok(html! {
        a .game .card href=(format!("/{name}")) {
            div .picture aria-hidden="true" { (board.svg()) }
            h2 { (title) }
            @match &start {
                Some(answer) => {
                    @let kit = variant.game.kit();
                    @let worth = shown_answer(kit, answer);
                    p { (worth.chip(language)) " " (words.start_value) ": " (worth.words(language)) }
                },
                None if solving.is_none() => p .fine { (unknown) },
                None => {},
            }
        }
        @if let Some(solving) = &solving { (progress(&variant, solving, false, language)) }
    })
}
