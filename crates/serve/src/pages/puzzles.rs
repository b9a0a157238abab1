//! Puzzles: a set of each game, and the page on which one is solved.
//!
//! Sets are made in the background. A puzzle is an address like any other; which ones are solved is
//! kept in the browser.

use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply};
use crate::pages::unsolved::how_to_solve;
use crate::parts::cards::controls;
use crate::parts::table::Table;
use crate::parts::walk::{Station, walk};
use crate::state::site::Site;
use crate::state::tables::Variant;
use crate::url::query::Query;
use crate::url::view::View;
use kanzen_core::Language;
use kanzen_core::Outcome;
use kanzen_show::Speak;
use kanzen_show::board::plain;
use kanzen_solve::Silent;
use kanzen_study::puzzle::{Grade, Puzzle, Wanted, puzzles};
use maud::{Markup, html};
use std::sync::Arc;

/// Puzzles of a set.
const COUNT: usize = 12;
/// Sets of a game.
const SETS: u64 = 50;

/// Renders a set of puzzles, and tells whether it is complete.
pub fn set(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let variant = site.tables.variant(game, &query.all("o"))?;
    let number = query.number("set")?.unwrap_or(1);
    if !(1..=SETS).contains(&number) {
        return Err(Trouble::field("set", format!("there are sets 1 to {SETS}")));
    }
    let made = match variant.solved_yet()? {
        Some(solved) => site.puzzles.get(&variant, number, site.tables.generation(), move || {
            let wanted = Wanted { count: COUNT, seed: number };
            puzzles(&*solved, wanted, &Silent).unwrap_or_default()
        }),
        None => Some(Arc::default()),
    };
    let address = |set: u64| variant.address("/puzzles").with("set", &set.to_string()).text();
    let title = variant.entry.title.say(language);
    let page = Page {
        title: format!("{title}: {}", words.puzzles),
        language,
        here: address(number),
        game: Some((&variant, "/puzzles")),
        waits: made.is_none(),
    };
    let done = made.is_some();
    let page = page.render(html! {
        h1 { (title) ": " (words.puzzles) }
        @match &made {
            None => p .card aria-live="polite" { (words.puzzles_wait) },
            Some(_) if !variant.has_table() => (how_to_solve(&variant, language)),
            Some(puzzles) if puzzles.is_empty() => p .card { (words.no_puzzles) },
            Some(puzzles) => {
                p .score hidden { span .solved-count { "0" } " / " (puzzles.len()) " " (words.puzzles_solved) }
                ul .games .gallery {
                    @for puzzle in puzzles.iter() { li { (card(&variant, puzzle, language)) } }
                }
                p .links {
                    @if number > 1 { a .button href=(address(number - 1)) { (words.earlier_set) } " " }
                    @if number < SETS { a .button href=(address(number + 1)) { (words.next_set) } }
                }
            },
        }
    });
    Ok(Reply::page(page, done))
}

fn card(variant: &Variant, puzzle: &Puzzle, language: Language) -> Markup {
    let words = language.phrases();
    let address = variant.address("/puzzle").with("position", &puzzle.position);
    let grade = match puzzle.grade {
        Grade::Easy => words.easy,
        Grade::Medium => words.medium,
        Grade::Hard => words.hard,
    };
    html! {
        a .card .game href=(address.text()) data-puzzle=(key(variant, &puzzle.position)) {
            div .picture aria-hidden="true" {
                (plain(&puzzle.drawing, variant.game.kit(), false, language, String::new()).svg())
            }
            p {
                b { (task(puzzle.goal.value, language)) } " · " (grade)
                span .done hidden { " · ✓ " (words.solved_puzzle) }
            }
        }
    }
}

/// What a solved puzzle is remembered under.
fn key(variant: &Variant, position: &str) -> String {
    let options: String =
        variant.chosen().map(|(name, value)| format!(",{name}={value}")).collect();
    format!("{}{options} {position}", variant.entry.name)
}

fn task(goal: Outcome, language: Language) -> &'static str {
    match goal {
        Outcome::Draw => language.phrases().task_draw,
        _ => language.phrases().task_win,
    }
}

/// Shows a puzzle, answers a right move, or says that a move was wrong.
pub fn puzzle(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let view = View { puzzle: true, ..View::new(&site.tables, game, query)? };
    let solved = view.variant.solved()?;
    let stations = walk(&*solved, view.root.as_deref(), &view.line)?;
    let first = &stations[0];
    let here = &stations[view.ply];
    let solver = first.mover;
    let goal = first.outcome();
    let kept = |station: &Station| {
        if station.mover == solver {
            station.outcome() == goal
        } else {
            station.outcome().map(Outcome::flip) == goal
        }
    };
    let wrong = !kept(here);
    // A game that is never brought to an end is solved by the first move.
    let endless = first.worth.is_some_and(|verdict| verdict.plies.is_none());
    let done = !wrong && view.ply > 0 && (here.is_over() || endless);
    if let (false, false, true, Some(answer)) =
        (wrong, done, here.mover != solver && view.ply == view.line.len(), &here.answer)
        && let Some(reply) = answer.moves.first()
    {
        return Ok(Reply::Moved(view.after(&reply.name)));
    }
    let table = Table { view: &view, language, kit: view.variant.game.kit(), here, values: false };
    let (board, notice) =
        if wrong || done { (table.still_board(), html! {}) } else { table.board(&*solved) };
    let back = (0..view.ply).rev().find(|ply| stations[*ply].mover == solver);
    let title = view.variant.entry.title.say(language);
    let page = Page {
        title: format!("{title}: {}", words.puzzles),
        language,
        here: view.here().text(),
        game: Some((&view.variant, "/puzzles")),
        waits: false,
    };
    let root = first.answer.as_ref().map_or(String::new(), |answer| answer.position.clone());
    let solved_key = done.then(|| key(&view.variant, &root));
    Ok(Reply::Passing(page.render(html! {
        h1 { (title) ": " (task(goal.unwrap_or(Outcome::Win), language)) }
        div .columns {
            section .boardside {
                (table.status())
                div .boardframe { (board.svg()) }
                (notice)
                (controls(&view, language))
            }
            div .facts {
                section .card .state aria-live="polite" data-solved=[solved_key] {
                    h2 { (if done { words.puzzle_done } else if wrong { words.puzzle_wrong } else { words.your_move }) }
                    p .links {
                        @if let Some(ply) = back.filter(|_| !done) {
                            a .button .main href=(View { line: view.line[..ply].to_vec(), ply, ..view.clone() }.here().text()) {
                                (words.try_again)
                            }
                        }
                        a .button href=(View { puzzle: false, ..view.clone() }.here().text()) { (words.show_solution) }
                        a .button href=(view.elsewhere("/puzzles").text()) { (words.more_puzzles) }
                    }
                }
            }
        }
    })))
}
