//! The page of a position: the board, every move's value, the best line, the game so far.

use crate::http::errors::Trouble;
use crate::http::limits;
use crate::pages::page::{Page, Preview, Reply};
use crate::pages::unsolved::unsolved;
use crate::parts::cards::{
    best_line, controls, explained, history, position_card, share, text_card, variants,
};
use crate::parts::graph::graph;
use crate::parts::table::Table;
use crate::parts::walk::walk;
use crate::state::site::Site;
use crate::url::query::Query;
use crate::url::view::View;
use kanzen_core::Language;
use kanzen_registry::{AnySolved, Line};
use kanzen_show::Speak;
use kanzen_study::explain::explain;
use maud::html;
use std::sync::Arc;

/// Renders the page of a position. Without a table it shows what the rules tell.
pub fn explore(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let mut view = View::new(&site.tables, game, query)?;
    let solved = view.variant.solved_yet()?;
    let solved = solved.as_deref();
    if let (Some(plies), Some(solved)) = (query.number("best")?, solved) {
        follow_best_line(&mut view, solved, plies as usize)?;
    }
    let probe = |position: Option<&str>| match solved {
        Some(solved) => solved.probe(position),
        None => view.variant.game.look(position),
    };
    let mut stations = walk(probe, view.root.as_deref(), &view.line)?;
    let here = &mut stations[view.ply];
    // Draws are told apart where the table is at hand: that takes many probes.
    if let (Some(solved), Some(answer), true) = (solved, &here.answer, view.variant.whole()) {
        here.answer = Some(solved.probe_ranked(Some(&answer.position))?);
    }
    let here = &stations[view.ply];
    let values = solved.is_some();
    let kit = view.variant.game.kit();
    let table = Table { view: &view, language, kit, here, values, you: None };
    let (board, notice) = table.board(solved);
    let whole = View { embed: false, ..view.clone() };
    let page = Page {
        title: view.variant.title(language),
        language,
        here: whole.here().text(),
        game: Some((&view.variant, "")),
        waits: !values && site.tables.dir().is_some() && !view.variant.has_table(),
    };
    let words = language.phrases();
    if view.embed {
        return Ok(Reply::Framed(page.framed(html! {
            @if values { (table.verdict()) } @else { (table.status()) }
            (table.frame(&board))
            (notice)
        })));
    }
    let preview = Preview {
        about: match (values, &here.answer) {
            (true, Some(_)) => format!("{}: {}", page.title, here.shown(kit).words(language)),
            _ => view.variant.entry.rules.say(language).to_owned(),
        },
        picture: match &here.answer {
            Some(answer) if site.pictures => {
                let address = view.variant.address("/board.png").with("position", &answer.position);
                Some(format!("/api/v1{}", address.text()))
            }
            _ => None,
        },
    };
    let page = page.render_with(&preview, html! {
        h1 { (view.variant.title(language)) }
        div .columns {
            section .boardside aria-label=(words.position) {
                @if values { (table.verdict()) } @else { (table.status()) }
                (table.frame(&board))
                (notice)
                (controls(&view, language))
                @if values { (graph(&view, &stations, kit, language)) }
                (history(&view, language))
            }
            div .facts {
                p .links { a .button href=(view.elsewhere("/learn").text()) { (words.learn_first) } }
                @match (solved, &here.answer) {
                    (Some(solved), Some(answer)) => {
                        (table.moves())
                        (explained(&view, answer, &explain(solved, answer)?, language))
                        (best_line(&view, &best_moves(&view, solved, &answer.position)?, language))
                        (table.map_card())
                    },
                    (None, _) => {
                        (unsolved(site, &view.variant, language))
                        @if !view.variant.has_table() { p .fine { (words.by_rules) } }
                    },
                    _ => {},
                }
                (position_card(&view, here, language))
                (share(&view, here, language))
                (variants(&view, language))
                (text_card(&board, language))
            }
        }
    });
    Ok(Reply::page(page, values))
}

/// The best line from a position, which begins with the move that stands first in the list.
fn best_moves(view: &View, solved: &dyn AnySolved, position: &str) -> Result<Line, Trouble> {
    let ranked = view.variant.whole();
    Ok(if ranked { solved.line_ranked(Some(position)) } else { solved.line(Some(position)) }?)
}

/// Makes the best line from the current position the line of the view.
fn follow_best_line(view: &mut View, solved: &dyn AnySolved, plies: usize) -> Result<(), Trouble> {
    let made = view.made().to_vec();
    let stations = walk(|position| solved.probe(position), view.root.as_deref(), &made)?;
    let last = stations.last().and_then(|station| station.answer.as_ref());
    let best = match last {
        Some(answer) => best_moves(view, solved, &answer.position)?.moves,
        None => Vec::new(),
    };
    let room = limits::LINE.saturating_sub(made.len());
    view.ply = made.len() + plies.min(best.len()).min(room);
    view.line =
        made.into_iter().chain(best.into_iter().map(|mv| mv.name)).take(limits::LINE).collect();
    Ok(())
}
