//! Learning a game: its rules, how it is written, and positions to play through. All of it comes from
//! the game itself; nothing here needs a table.

use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply};
use crate::parts::cards::{controls, sentence};
use crate::parts::table::Table;
use crate::parts::walk::walk;
use crate::state::site::Site;
use crate::state::tables::Variant;
use crate::url::query::Query;
use crate::url::view::View;
use kanzen_core::{Language, Side};
use kanzen_registry::{GameError, OptionSpec};
use kanzen_show::Speak;
use kanzen_show::board::plain;
use kanzen_show::move_words;
use kanzen_study::claim::{Claims, claims};
use kanzen_study::lessons::{Lesson, solves};
use kanzen_study::worth::{shown, shown_answer};
use maud::{Markup, html};
use std::sync::Arc;

/// Moves of the start that are shown as examples.
const EXAMPLES: usize = 4;

/// Renders the home of a game.
pub fn learn(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let variant = site.tables.variant(game, &query.all("o"))?;
    let (entry, kit) = (variant.entry, variant.game.kit());
    let title = variant.title(language);
    let start = variant.game.look(None)?;
    let board = plain(&start.drawing, kit, false, language, title.clone());
    let page = Page {
        title: format!("{title}: {}", words.learn),
        language,
        here: variant.address("/learn").text(),
        game: Some((&variant, "/learn")),
        waits: false,
    };
    let examples = start.moves.iter().take(EXAMPLES);
    Ok(Reply::Lasting(page.render(html! {
        h1 { (title) }
        div .columns .learn {
            section .boardside .start {
                div .boardframe { (board.svg()) }
                p .notice { (words.start_position) }
            }
            div .facts {
                section .card {
                    h2 { (words.rules) }
                    ul .sentences { @for sentence in sentences(entry.rules.say(language), language) { li { (sentence) } } }
                    @if let Some(chosen) = entry.options(&variant.given())?.said(language) { p { (chosen) } }
                }
                (known(&variant, language)?)
            }
        }
        section {
            h2 { (words.lessons) }
            ul .games .gallery {
                @for (number, lesson) in (1..).zip(variant.lessons()) {
                    li { (card(&variant, number, lesson, language)?) }
                }
            }
        }
        div .columns {
            section .card {
                h2 { (words.how_moves) }
                @if !entry.learn.moves.say(language).is_empty() { p { (entry.learn.moves.say(language)) } }
                p { (words.first_moves_are) }
                dl .options {
                    @for mv in examples {
                        dt { code { (mv.name) } }
                        dd { (move_words(&board, &mv.trace, &mv.gesture)) }
                    }
                }
            }
            div {
                section .card {
                    h2 { (words.how_positions) }
                    @if !entry.learn.positions.say(language).is_empty() { p { (entry.learn.positions.say(language)) } }
                    p { (words.the_start_is) " " code { (start.position) } }
                }
                @if !entry.options.is_empty() {
                    section .card {
                        h2 { (words.variants) }
                        dl .options {
                            @for option in entry.options {
                                dt { (sentence(option.asks(language))) }
                                dd { (values(option, language)) }
                            }
                        }
                    }
                }
            }
        }
    })))
}

/// The values of an option in words, from first to last where they are many numbers.
fn values(option: &OptionSpec, language: Language) -> String {
    let said = |value: &&'static str| option.say(value, language);
    let numbers = option.values.iter().all(|value| value.parse::<u32>().is_ok());
    match option.values {
        [first, .., last] if numbers && option.values.len() > 8 => format!("{first} … {last}"),
        values => values.iter().map(said).collect::<Vec<_>>().join(language.pick("; ", "／")),
    }
}

/// The sentences of a text.
fn sentences(text: &str, language: Language) -> impl Iterator<Item = &str> {
    let stop = language.pick(". ", "。");
    text.split_inclusive(stop).map(str::trim).filter(|sentence| !sentence.is_empty())
}

/// What is known of the game, and who found it.
fn known(variant: &Variant, language: Language) -> Result<Markup, Trouble> {
    let words = language.phrases();
    let start = match variant.solved_yet()? {
        Some(solved) => solved.probe(None).ok(),
        None => None,
    };
    let options = variant.entry.options(&variant.given())?;
    let papers = claims(variant.entry, &options).ok().flatten();
    // Where there is no table yet, others may have told what the start is worth.
    let claimed = match (&start, papers.as_ref().and_then(Claims::start)) {
        (None, Some(verdict)) => {
            let turn = variant.game.draw(None)?.turn.unwrap_or(Side::One);
            Some(shown(variant.game.kit(), turn, Some(verdict), None))
        }
        _ => None,
    };
    let said = variant.entry.learn.known.say(language);
    Ok(html! {
        section .card {
            h2 { (words.known) }
            @match &start {
                Some(answer) => {
                    @let worth = shown_answer(variant.game.kit(), answer);
                    p { (worth.chip(language)) " " (words.start_value) ": " (worth.words(language)) }
                },
                None => {
                    @if let Some(worth) = &claimed {
                        p { (worth.chip(language)) " " (words.start_value) ": " (worth.words(language)) }
                    }
                    p { (words.no_table) (language.pick(".", "。")) }
                },
            }
            @if !said.is_empty() { p { (said) } }
            @if let Some(papers) = papers { p { (words.literature) ": " (papers.paper.say(language)) } }
            p .links {
                a .button href=(variant.address("").text()) { (words.explore) } " "
                a .button href=(variant.address("/facts").text()) { (words.facts) }
            }
        }
    })
}

/// A lesson of the list.
fn card(
    variant: &Variant,
    number: usize,
    lesson: &Lesson,
    language: Language,
) -> Result<Markup, GameError> {
    let drawing = variant.game.draw(Some(&lesson.position))?;
    let board = plain(&drawing, variant.game.kit(), false, language, String::new());
    let address = variant.address("/lesson").with("n", &number.to_string());
    Ok(html! {
        a .card .game href=(address.text()) {
            div .picture aria-hidden="true" { (board.svg()) }
            p { span .step { (number) ". " } (lesson.task.say(language)) }
        }
    })
}

/// Shows a lesson, and whether a move has done what it asks for.
pub fn lesson(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let view = View::new(&site.tables, game, query)?;
    let variant = Arc::clone(&view.variant);
    let all = variant.lessons();
    let number = query.number("n")?.unwrap_or(1) as usize;
    let Some(lesson) = number.checked_sub(1).and_then(|number| all.get(number)) else {
        return Err(Trouble::field("n", format!("there are lessons 1 to {}", all.len())));
    };
    let view = View { lesson: Some(number), root: Some(lesson.position.clone()), ..view };
    let stations =
        walk(|position| variant.game.look(position), Some(&lesson.position), &view.line)?;
    let here = &stations[view.ply];
    let kit = variant.game.kit();
    let solver = stations[0].mover;
    let table = Table { view: &view, language, kit, here, values: false, you: Some(solver) };
    let done = view.made().first().map(|name| solves(&*variant.game, lesson, name) == Ok(true));
    let answer = query.flag("answer") && done.is_none();
    let (mut board, notice) =
        if done.is_none() { table.board(None) } else { (table.still_board(), html! {}) };
    let trace = stations[0].answer.as_ref().and_then(|first| {
        first.moves.iter().find(|mv| mv.name == lesson.answer).map(|mv| &mv.trace)
    });
    if let (true, Some(trace)) = (answer, trace) {
        board.show(trace);
    }
    let again = View { line: Vec::new(), ply: 0, ..view.clone() };
    let title = variant.title(language);
    let page = Page {
        title: format!("{title}: {}", words.learn),
        language,
        here: view.here().text(),
        game: Some((&variant, "/learn")),
        waits: false,
    };
    let next = View { lesson: Some(number + 1), ..again.clone() };
    Ok(Reply::Lasting(page.render(html! {
        h1 { (title) ": " span { (words.lesson) "\u{a0}" (number) "\u{a0}/\u{a0}" (all.len()) } }
        div .columns {
            section .boardside {
                p .turn { (lesson.task.say(language)) }
                (table.status())
                (table.frame(&board))
                (notice)
                (controls(&view, language))
            }
            div .facts {
                section .card .state .verdict .win[done == Some(true)] .loss[done == Some(false)] aria-live="polite" {
                    div {
                        @match done {
                            Some(true) => h2 { (words.lesson_right) },
                            Some(false) => h2 { (words.lesson_wrong) },
                            None => h2 { (words.your_move) },
                        }
                        @if answer { p { (words.the_answer) ": " b { (lesson.answer) } } }
                        @if done == Some(true) && number == all.len() { p { (words.lessons_done) } }
                        p .links {
                            @if done == Some(false) { a .button .main href=(again.here().text()) { (words.try_again) } }
                            @if done != Some(true) && !answer {
                                a .button href=(again.here().with_flag("answer", true).text()) { (words.show_answer) }
                            }
                            @if number < all.len() {
                                a .button .main[done == Some(true)] href=(next.here().text()) { (words.next) }
                            } @else {
                                a .button .main[done == Some(true)] href=(variant.address("/play").text()) { (words.play) }
                            }
                            a .button href=(variant.address("/learn").text()) { (words.rules) }
                        }
                    }
                }
            }
        }
    })))
}
