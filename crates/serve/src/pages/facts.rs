//! The census of a game with plots, and a gallery of remarkable positions.
//!
//! The gallery takes a pass over the table, so it is made in the background.

use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply};
use crate::pages::unsolved::how_to_solve;
use crate::state::site::Site;
use crate::state::tables::Variant;
use crate::url::query::Query;
use kanzen_analyse::{Cell, Finding, Kind};
use kanzen_core::Language;
use kanzen_core::Text;
use kanzen_registry::AnySolved;
use kanzen_show::board::plain;
use kanzen_show::{Sheet, Speak, caption, plot};
use kanzen_solve::Silent;
use kanzen_study::worth::shown_answer;
use maud::{Markup, html};
use std::sync::Arc;

/// Kinds of positions that a gallery looks for, where the game knows them.
const KINDS: [Kind; 5] =
    [Kind::LONGEST, Kind::ONLY_MOVE, Kind::ZUGZWANG, Kind::DRAWS, Kind::BRANCHING];
/// Games with more positions than this show their longest wins only. A browser has a single thread, and
/// somebody waits for it.
const LARGE: u64 = if cfg!(target_family = "wasm") { 100_000 } else { 50_000_000 };
/// Positions of each kind.
const EXAMPLES: usize = 3;
/// Rows of a table that are shown.
const ROWS: usize = 400;

/// A remarkable position.
pub struct Exhibit {
    /// What is remarkable about it.
    caption: Text,
    position: String,
}

fn exhibits(variant: &Variant, solved: &dyn AnySolved) -> Vec<Exhibit> {
    let positions = match solved.summary() {
        Ok(Some(summary)) => summary.positions,
        _ => variant.plan().positions,
    };
    let kinds = if positions > LARGE { &KINDS[..1] } else { &KINDS[..] };
    let found = kinds.iter().filter_map(|kind| solved.find(kind.name, EXAMPLES, &Silent).ok());
    found.flatten().flat_map(|finding| examples(&finding)).collect()
}

/// The positions in a finding.
fn examples(finding: &Finding) -> Vec<Exhibit> {
    let rows = finding.rows.iter().flat_map(|row| {
        let say = |language| caption(finding, row, language);
        let caption = Text::new(say(Language::English), say(Language::Japanese));
        let positions = row.iter().filter_map(|cell| match cell {
            Cell::Positions(positions) => Some(positions),
            _ => None,
        });
        let exhibit = move |position: &String| Exhibit {
            caption: caption.clone(),
            position: position.clone(),
        };
        positions.flatten().map(exhibit).collect::<Vec<_>>()
    });
    rows.take(6 * EXAMPLES).collect()
}

/// Renders the facts of a game.
pub fn facts(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let variant = site.tables.variant(game, &query.all("o"))?;
    let title = variant.entry.title.say(language);
    let solved = variant.solved_yet()?;
    let census = match solved.as_ref().map(|solved| solved.stats()) {
        Some(Ok(report)) => Some(report),
        Some(Err(error)) if error.is_no_answer() => None,
        None => None,
        Some(Err(error)) => return Err(error.into()),
    };
    let gallery = match &census {
        Some(_) if variant.whole() => {
            let of = Arc::clone(&variant);
            site.galleries.get(&variant, 0, site.tables.generation(), move || {
                of.solved().map(|solved| exhibits(&of, &*solved)).unwrap_or_default()
            })
        }
        _ => Some(Arc::default()),
    };
    let here = variant.address("/facts");
    let page = Page {
        title: format!("{title}: {}", words.facts),
        language,
        here: here.text(),
        game: Some((&variant, "/facts")),
        waits: gallery.is_none(),
    };
    let done = gallery.is_some();
    let page = page.render(html! {
        h1 { (title) }
        @if census.is_none() { (how_to_solve(&variant, language)) }
        @if let Some(report) = &census {
            section {
                h2 { (words.gallery) }
                @match (&gallery, &solved) {
                    (Some(gallery), Some(solved)) => (exhibition(&variant, &**solved, gallery, language)),
                    _ => p .card aria-live="polite" { (words.gallery_wait) },
                }
            }
            section {
                h2 { (words.census) }
                @for finding in report {
                    @let sheet = Sheet::new(finding, language);
                    figure .card .sheet {
                        figcaption { (sheet.caption) }
                        (plot(finding, language))
                        (rows(&sheet))
                    }
                }
            }
        }
    });
    Ok(Reply::page(page, done))
}

fn exhibition(
    variant: &Variant,
    solved: &dyn AnySolved,
    gallery: &[Exhibit],
    language: Language,
) -> Markup {
    html! {
        ul .games .gallery {
            @for exhibit in gallery {
                @if let Ok(answer) = solved.probe(Some(&exhibit.position)) {
                    @let address = variant.address("");
                    li {
                        a .card .game href=(address.with("position", &exhibit.position).text()) {
                            div .picture aria-hidden="true" {
                                (plain(&answer.drawing, variant.game.kit(), false, language, String::new()).svg())
                            }
                            p { (shown_answer(variant.game.kit(), &answer).chip(language))
                                " " (exhibit.caption.say(language)) }
                        }
                    }
                }
            }
        }
    }
}

/// The sheet as a table, to be opened.
fn rows(sheet: &Sheet) -> Markup {
    html! {
        details {
            summary { (sheet.head.first().map_or("", String::as_str)) " × " (sheet.rows.len()) }
            div .scroll tabindex="0" {
                (sheet.table(ROWS))
            }
        }
    }
}
