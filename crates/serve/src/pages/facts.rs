//! The facts of a game: the article that `kanzen report` writes, with boards that lead to the explorer.
//!
//! It takes passes over the table, so it is made in the background; until then there is the census.

use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply};
use crate::pages::unsolved::unsolved;
use crate::state::site::Site;
use crate::state::tables::Variant;
use crate::url::query::Query;
use kanzen_analyse::Finding;
use kanzen_core::Language;
use kanzen_registry::{AnySolved, GameError};
use kanzen_show::{Sheet, Speak, plot};
use kanzen_solve::Silent;
use kanzen_study::article::Article;
use kanzen_study::record;
use kanzen_study::report::{Gathered, Subject};
use maud::{Markup, html};
use std::sync::Arc;

/// Of games with more positions than this only what is quick to find is asked for. A browser has a single
/// thread, and somebody waits for it.
const LARGE: u64 = if cfg!(target_family = "wasm") { 100_000 } else { 20_000_000 };
/// Rows of a table that are shown.
const ROWS: usize = 400;

/// The article about a game in English and Japanese, of one search through the table.
fn articles(
    site: &Site,
    variant: &Variant,
    solved: &dyn AnySolved,
) -> Result<(Article, Article), GameError> {
    let positions = match solved.summary() {
        Ok(Some(summary)) => summary.positions,
        _ => variant.plan().positions,
    };
    let other = |options: &[String]| site.tables.open(variant.entry.name, options);
    let subject = Subject {
        entry: variant.entry,
        options: &variant.entry.options(&variant.given())?,
        game: &*variant.game,
        solved,
        made: variant.path().map(|table| record::read(&table)).unwrap_or_default(),
        other: &other,
        quick: positions > LARGE,
    };
    let gathered = Gathered::new(&subject, &Silent)?;
    let article = |language| Ok::<_, GameError>(gathered.report(&subject, language)?.article);
    Ok((article(Language::English)?, article(Language::Japanese)?))
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
    let title = variant.title(language);
    let solved = variant.table_yet()?;
    let census = match solved.as_ref().map(|solved| solved.stats()) {
        Some(Ok(report)) => Some(report),
        Some(Err(error)) if error.is_no_answer() => None,
        None => None,
        Some(Err(error)) => return Err(error.into()),
    };
    let values = variant.solved_yet()?;
    let both = match &values {
        Some(solved) if variant.whole() => {
            let (site, of, solved) = (Arc::clone(site), Arc::clone(&variant), Arc::clone(solved));
            let asked = Arc::clone(&site);
            asked.articles.get(&variant, 0, asked.tables.generation(), move || {
                articles(&site, &of, &*solved).unwrap_or_default()
            })
        }
        _ => Some(Arc::default()),
    };
    let here = variant.address("/facts");
    let article = both.as_ref().map(|both| language.pick(&both.0, &both.1));
    let page = Page {
        title: format!("{title}: {}", words.facts),
        language,
        here: here.text(),
        game: Some((&variant, "/facts")),
        waits: article.is_none(),
    };
    let done = article.is_some() && census.is_some();
    let article = article.filter(|article| !article.parts.is_empty());
    let page = page.render(html! {
        h1 { (title) }
        @if values.is_none() { (unsolved(site, &variant, language)) }
        @match (&article, &census) {
            (Some(article), _) => article .report {
                p .result { (article.result) }
                p { (article.summary) }
                (article.contents(language))
                (article.body(language, ""))
            },
            (None, Some(census)) => {
                @if !done { p .card aria-live="polite" { (words.gallery_wait) } }
                h2 { (words.census) }
                @for finding in census { (sheet(finding, language)) }
            },
            (None, None) => {},
        }
    });
    Ok(Reply::page(page, done))
}

/// A finding with its plot, and its rows to be opened.
fn sheet(finding: &Finding, language: Language) -> Markup {
    let sheet = Sheet::new(finding, language);
    let rows = if sheet.rows.len() == 1 { "row" } else { "rows" };
    html! {
        figure .card .sheet {
            figcaption { (sheet.caption) }
            (plot(finding, language))
            details {
                summary { (sheet.rows.len()) " " (language.pick(rows, "行")) }
                div .scroll tabindex="0" { (sheet.table(ROWS)) }
            }
        }
    }
}
