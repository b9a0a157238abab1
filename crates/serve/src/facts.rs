//! The census of a game with plots, and a gallery of remarkable positions.
//!
//! The gallery takes a pass over the table, so it is made in the background.

use crate::board::plain;
use crate::errors::Trouble;
use crate::language::Language;
use crate::page::Page;
use crate::plot::plot;
use crate::query::{Address, Query};
use crate::site::Site;
use crate::tables::Variant;
use crate::unsolved::how_to_solve;
use crate::worth::Worth;
use kanzen_core::Side;
use kanzen_games::{AnySolved, GameError, Sheet};
use kanzen_solve::Silent;
use kanzen_study::japanese;
use maud::{Markup, html};
use std::borrow::Cow;
use std::sync::Arc;

/// Kinds of positions that a gallery looks for, where the game knows them.
const KINDS: [&str; 5] = ["longest", "only-move", "zugzwang", "draws", "branching"];
/// Games with more indices than this show their longest wins only.
const LARGE: u64 = 50_000_000;
/// Positions of each kind.
const EXAMPLES: usize = 3;
/// Rows of a table that are shown.
const ROWS: usize = 400;

/// A remarkable position.
pub struct Exhibit {
    /// What is remarkable about it: a row of a sheet, of which the position was the last cell.
    facts: Sheet,
    position: String,
}

impl Exhibit {
    fn caption(&self, language: Language) -> String {
        let sheet = in_language(&self.facts, language);
        let facts = sheet.head.iter().zip(sheet.rows.iter().flatten());
        let facts = facts.filter(|(_, fact)| !fact.is_empty());
        let facts: Vec<String> = facts.map(|(head, fact)| format!("{head} {fact}")).collect();
        format!("{}: {}", sheet.caption, facts.join(", "))
    }
}

fn in_language(sheet: &Sheet, language: Language) -> Cow<'_, Sheet> {
    match language {
        Language::English => Cow::Borrowed(sheet),
        Language::Japanese => Cow::Owned(japanese::sheet(sheet)),
    }
}

fn exhibits(variant: &Variant, solved: &dyn AnySolved) -> Vec<Exhibit> {
    let kinds = if variant.plan().positions > LARGE { &KINDS[..1] } else { &KINDS[..] };
    let mut exhibits = Vec::new();
    for kind in kinds {
        let Ok(report) = solved.find(kind, EXAMPLES, &Silent) else { continue };
        for sheet in &report.sheets {
            exhibits.extend(examples(variant, sheet));
        }
    }
    exhibits
}

/// The positions in a sheet: whatever can be read as one.
fn examples(variant: &Variant, sheet: &Sheet) -> Vec<Exhibit> {
    let rows = sheet.rows.iter().filter_map(|row| {
        let (position, facts) = row.split_last()?;
        variant.game.draw(Some(position)).ok()?;
        let facts = Sheet { rows: vec![facts.to_vec()], ..sheet.clone() };
        Some(Exhibit { facts, position: position.clone() })
    });
    rows.take(6 * EXAMPLES).collect()
}

/// Renders the facts of a game.
pub fn facts(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<(Markup, bool), Trouble> {
    let words = language.words();
    let variant = site.tables.variant(game, &query.all("o"))?;
    let title = language.name(variant.entry.title);
    let solved = variant.solved_yet()?;
    let census = match solved.as_ref().map(|solved| solved.stats()) {
        Some(Ok(report)) => Some(report),
        Some(Err(GameError::NoAnswer(_) | GameError::NotSolved { .. })) | None => None,
        Some(Err(error)) => return Err(error.into()),
    };
    let gallery = match &census {
        Some(_) => {
            let of = Arc::clone(&variant);
            site.galleries.get(&variant, 0, site.tables.generation(), move || {
                of.solved().map(|solved| exhibits(&of, &*solved)).unwrap_or_default()
            })
        }
        None => Some(Arc::default()),
    };
    let here =
        variant.chosen().fold(Address::new(format!("/{game}/facts")), |address, (name, value)| {
            address.with("o", &format!("{name}={value}"))
        });
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
                @for sheet in &report.sheets {
                    @let sheet = in_language(sheet, language);
                    figure .card .sheet {
                        figcaption { (sheet.caption) }
                        (plot(&sheet, language))
                        (rows(&sheet))
                    }
                }
            }
        }
    });
    Ok((page, done))
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
                    @let address = variant.chosen().fold(
                        Address::new(format!("/{}", variant.entry.name)),
                        |address, (name, value)| address.with("o", &format!("{name}={value}")),
                    );
                    li {
                        a .card .game href=(address.with("position", &exhibit.position).text()) {
                            div .picture aria-hidden="true" {
                                (plain(&answer.drawing, variant.game.kit(), false, language, String::new()).svg())
                            }
                            p { (Worth::new(&answer.value, answer.drawing.turn.unwrap_or(Side::One)).chip(language))
                                " " (exhibit.caption(language)) }
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
                table {
                    thead { tr { @for head in &sheet.head { th scope="col" { (head) } } } }
                    tbody {
                        @for row in sheet.rows.iter().take(ROWS) {
                            tr { @for cell in row { td { (cell) } } }
                        }
                    }
                }
            }
        }
    }
}
