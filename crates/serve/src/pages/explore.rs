//! The page of a position: the board, every move's value, the best line, the game so far.

use crate::http::errors::Trouble;
use crate::http::limits;
use crate::pages::page::{Page, Reply};
use crate::pages::unsolved::{how_to_solve, progress};
use crate::parts::cards::{best_line, controls, history, position_card, text_card, variants};
use crate::parts::graph::graph;
use crate::parts::table::Table;
use crate::parts::walk::walk;
use crate::state::site::Site;
use crate::url::query::Query;
use crate::url::view::View;
use kanzen_core::Language;
use kanzen_registry::{AnySolved, GameError};
use kanzen_show::Speak;
use kanzen_show::board::plain;
use maud::html;
use std::sync::Arc;

/// Renders the page of a position.
pub fn explore(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let mut view = View::new(&site.tables, game, query)?;
    let solved = match view.variant.solved() {
        Ok(solved) => solved,
        Err(GameError::NotSolved { .. }) => return unsolved(site, &view, language),
        Err(error) => return Err(error.into()),
    };
    if let Some(plies) = query.number("best")? {
        follow_best_line(&mut view, &*solved, plies as usize)?;
    }
    let stations = walk(&*solved, view.root.as_deref(), &view.line)?;
    let here = &stations[view.ply];
    let line = match &here.answer {
        Some(answer) => Some(solved.line(Some(&answer.position))?),
        None => None,
    };
    let table = Table { view: &view, language, kit: view.variant.game.kit(), here, values: true };
    let (board, notice) = table.board(&*solved);
    let page = Page {
        title: view.variant.entry.title.say(language).to_owned(),
        language,
        here: view.here().text(),
        game: Some((&view.variant, "")),
        waits: false,
    };
    let words = language.phrases();
    let page = page.render(html! {
        h1 { (view.variant.entry.title.say(language)) }
        div .columns {
            section .boardside aria-label=(words.position) {
                (table.verdict())
                div .boardframe { (board.svg()) }
                (notice)
                (controls(&view, language))
                (graph(&stations, view.ply, table.kit, language))
                (history(&view, language))
            }
            div .facts {
                (table.moves())
                @if let Some(line) = &line { (best_line(&view, line, language)) }
                (table.map_card())
                (position_card(&view, here, language))
                (variants(&view, language))
                (text_card(&board, here, language))
            }
        }
    });
    Ok(Reply::page(page, !site.solves.busy()))
}

/// Makes the best line from the current position the line of the view.
fn follow_best_line(view: &mut View, solved: &dyn AnySolved, plies: usize) -> Result<(), Trouble> {
    let made = view.made().to_vec();
    let stations = walk(solved, view.root.as_deref(), &made)?;
    let last = stations.last().and_then(|station| station.answer.as_ref());
    let best = match last {
        Some(answer) => solved.line(Some(&answer.position))?.moves,
        None => Vec::new(),
    };
    let room = limits::LINE.saturating_sub(made.len());
    view.ply = made.len() + plies.min(best.len()).min(room);
    view.line =
        made.into_iter().chain(best.into_iter().map(|mv| mv.name)).take(limits::LINE).collect();
    Ok(())
}

/// The page of a game that has no table.
fn unsolved(site: &Site, view: &View, language: Language) -> Result<Reply, Trouble> {
    let variant = &view.variant;
    let drawing = variant.game.draw(view.root.as_deref())?;
    let title = variant.entry.title.say(language).to_owned();
    let board = plain(&drawing, variant.game.kit(), false, language, title.clone());
    let default = variant.chosen().next().is_none();
    let solving = site.solves.of(variant.entry.name).filter(|_| default);
    let page = Page {
        title: title.clone(),
        language,
        here: view.here().text(),
        game: Some((variant, "")),
        waits: true,
    };
    let page = page.render(html! {
        h1 { (title) }
        div .columns {
            section .boardside { div .boardframe { (board.svg()) } }
            div .facts {
                @match &solving {
                    Some(solving) => (progress(variant.entry.name, solving, language)),
                    None => (how_to_solve(variant, language)),
                }
                (variants(view, language))
            }
        }
    });
    Ok(Reply::page(page, !site.solves.busy()))
}
