//! The winning strategy of the start as a drill: its positions one by one, in the order in which they
//! arise. Which ones are known is kept in the browser, as with puzzles.

use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply};
use crate::pages::puzzles::{key, score};
use crate::pages::unsolved::unsolved;
use crate::state::site::Site;
use crate::state::tables::Variant;
use crate::url::query::Query;
use kanzen_core::{Language, Outcome};
use kanzen_registry::{AnySolved, Depth};
use kanzen_show::Speak;
use kanzen_show::board::plain;
use kanzen_solve::Silent;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A position of the strategy, and what to play there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Drilled {
    position: String,
    answer: String,
    plies: Option<u16>,
}

/// Positions of a page.
const PAGE: usize = 24;
/// Positions that are learnt at the most.
const MOST: usize = 600;
/// What the winner sees by itself: positions that are won within so many plies are left out.
const LOOK: u16 = 3;
/// Strategies of games with more positions are left to the command line.
const LARGE: u64 = if cfg!(target_family = "wasm") { 100_000 } else { 20_000_000 };

/// Whether a strategy can be learnt: of a game whose start is won or lost, if it is not too large.
pub(super) fn is_offered(variant: &Variant) -> Result<bool, Trouble> {
    let Some(solved) = variant.solved_yet()?.filter(|_| variant.whole()) else { return Ok(false) };
    let summary = solved.summary().ok().flatten();
    Ok(summary.is_some_and(|it| it.positions <= LARGE && it.value.value != Outcome::Draw))
}

/// The positions of the strategy; none while they are being found.
fn strategy(site: &Site, variant: &Variant) -> Result<Option<Arc<Vec<Drilled>>>, Trouble> {
    Ok(match variant.solved_yet()? {
        Some(solved) if is_offered(variant)? => {
            let make = move || find(&*solved).unwrap_or_default();
            site.drills.get(variant, 0, site.tables.generation(), make)
        }
        _ => Some(Arc::default()),
    })
}

/// The strategy of a game.
fn find(solved: &dyn AnySolved) -> Option<Vec<Drilled>> {
    let depth = Depth { most: 1, look: LOOK, book: true };
    let book = solved.whole()?.prove(None, depth, &Silent).ok()?.book?;
    let drilled = book.entries.into_iter().take(MOST).map(|entry| Drilled {
        position: entry.position,
        answer: entry.answer,
        plies: entry.value.plies,
    });
    Some(drilled.collect())
}

/// A position of the strategy by its number, from 1.
pub(super) fn entry(
    site: &Site,
    variant: &Variant,
    number: usize,
) -> Result<Option<Drilled>, Trouble> {
    let all = strategy(site, variant)?;
    Ok(all.and_then(|all| all.get(number.checked_sub(1)?).cloned()))
}

/// The address of the position after this one.
pub(super) fn next(
    site: &Site,
    variant: &Variant,
    number: usize,
) -> Result<Option<String>, Trouble> {
    let next = entry(site, variant, number + 1)?;
    Ok(next.map(|entry| address(variant, &entry, number + 1)))
}

fn address(variant: &Variant, entry: &Drilled, number: usize) -> String {
    let address = variant.address("/puzzle").with("position", &entry.position);
    address.with("drill", "1").with("n", &number.to_string()).text()
}

/// What the strategy plays, beside what was played.
pub(super) fn answer(entry: &Drilled, played: Option<&String>, language: Language) -> String {
    let Drilled { answer, plies, .. } = entry;
    let plies = plies.unwrap_or(0);
    match played {
        Some(other) if other != answer => language.pick(
            format!("{other} wins, too. The strategy plays {answer}, which wins in {plies} or a little later."),
            format!("{other}でも勝てます。必勝法の手は{answer}です（最短{plies}手）。"),
        ),
        _ => language.pick(
            format!("The strategy plays {answer}. The position is won in {plies} plies."),
            format!("必勝法の手は{answer}です。最短{plies}手で勝ちです。"),
        ),
    }
}

/// Renders a page of the strategy.
pub fn drill(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let variant = site.tables.variant(game, &query.all("o"))?;
    let found = strategy(site, &variant)?;
    let pages = found.as_ref().map_or(1, |all| all.len().div_ceil(PAGE).max(1)) as u64;
    let number = query.number("page")?.unwrap_or(1);
    if found.is_some() && !(1..=pages).contains(&number) {
        return Err(Trouble::field("page", format!("there are pages 1 to {pages}")));
    }
    let page_of = |page: u64| variant.address("/drill").with("page", &page.to_string()).text();
    let title = variant.title(language);
    let page = Page {
        title: format!("{title}: {}", words.drill),
        language,
        here: page_of(number),
        game: Some((&variant, "/puzzles")),
        waits: found.is_none(),
    };
    let solved = variant.solved_yet()?.is_some();
    let page = page.render(html! {
        h1 { (title) ": " (words.drill) }
        @match &found {
            None => p .card aria-live="polite" { (words.drill_wait) },
            Some(_) if !solved => (unsolved(site, &variant, language)),
            Some(all) if all.is_empty() => p .card { (words.drill_none) },
            Some(all) => {
                p { (introduction(all.len(), language)) }
                @let first = PAGE * (number as usize - 1);
                @let shown = &all[first..all.len().min(first + PAGE)];
                (score(shown.len(), language))
                p .links { a .button .main href=(address(&variant, &shown[0], first + 1)) { (words.drill_begin) } }
                ul .games .gallery .tight {
                    @for (place, entry) in (first + 1..).zip(shown) { li { (card(&variant, entry, place, language)) } }
                }
                p .links {
                    @if number > 1 { a .button href=(page_of(number - 1)) { (words.earlier_set) } " " }
                    @if number < pages { a .button href=(page_of(number + 1)) { (words.next_set) } }
                }
            },
        }
    });
    Ok(Reply::page(page, solved && found.is_some()))
}

fn introduction(count: usize, language: Language) -> String {
    let (en, ja) = match count {
        MOST => ("every position".to_owned(), "すべての局面".to_owned()),
        1 => ("the only position".to_owned(), "ただ一つの局面".to_owned()),
        _ => (format!("the {count} positions"), format!("全{count}局面")),
    };
    let (part_en, part_ja) = match count {
        MOST => (
            format!(" The first {MOST} are here."),
            format!("ここにあるのは最初の{MOST}局面です。"),
        ),
        _ => Default::default(),
    };
    language.pick(
        format!(
            "Whoever knows an answer to {en} of this strategy wins against everything.{part_en} Positions come \
             in the order in which they arise; what is won within {LOOK} plies is left out."
        ),
        format!(
            "この必勝法の{ja}の答えを覚えれば、相手が何を指しても勝てます。{part_ja}局面は現れる順に並び、{LOOK}手以内で勝てるものは省いてあります。"
        ),
    )
}

fn card(variant: &Variant, entry: &Drilled, number: usize, language: Language) -> Markup {
    let words = language.phrases();
    html! {
        a .card .game href=(address(variant, entry, number)) data-puzzle=(key(variant, &entry.position)) {
            @if let Ok(drawing) = variant.game.draw(Some(&entry.position)) {
                div .picture aria-hidden="true" {
                    (plain(&drawing, variant.game.kit(), false, language, String::new()).svg())
                }
            }
            p { b { (number) } span .done hidden { " · ✓ " (words.solved_puzzle) } }
        }
    }
}
