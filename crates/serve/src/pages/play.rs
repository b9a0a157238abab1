//! Playing against an opponent. The whole game is in the address; the opponent's answer is a redirect.

use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply};
use crate::pages::unsolved::how_to_solve;
use crate::parts::cards::{controls, history, variants};
use crate::parts::graph::graph;
use crate::parts::table::Table;
use crate::parts::walk::{Station, walk};
use crate::state::site::Site;
use crate::url::query::Query;
use crate::url::view::{Match, View};
use kanzen_core::Language;
use kanzen_core::{Kit, Outcome, Side};
use kanzen_registry::GameError;
use kanzen_registry::opponent::Opponent;
use kanzen_show::Speak;
use maud::{Markup, html};
use std::sync::Arc;

/// Shows the game, or lets the opponent move first.
pub fn play(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let view = View::of_match(&site.tables, game, query)?;
    let Some(the_match) = view.play.clone() else { return Err(Trouble::Fault) };
    let page = Page {
        title: format!("{}: {}", view.variant.entry.title.say(language), language.phrases().play),
        language,
        here: view.here().text(),
        game: Some((&view.variant, "/play")),
        waits: false,
    };
    let solved = match view.variant.solved() {
        Ok(solved) => solved,
        Err(GameError::NotSolved { .. }) => {
            return Ok(Reply::Passing(page.render(html! {
                h1 { (view.variant.entry.title.say(language)) }
                (how_to_solve(&view.variant, language))
                (variants(&view, language))
            })));
        }
        Err(error) => return Err(error.into()),
    };
    let stations = walk(|position| solved.probe(position), view.root.as_deref(), &view.line)?;
    let here = &stations[view.ply];
    // The opponent moves at the end of the line only: looking back changes nothing. A game that is
    // not begun yet waits for its settings.
    let begun = query.get("level").is_some();
    if let (true, true, Some(answer)) = (begun, view.ply == view.line.len(), &here.answer)
        && here.mover != the_match.you
        && let Some(mv) = the_match.opponent.1.choose(&*solved, answer, the_match.seed)?
    {
        return Ok(Reply::Moved(view.after(&mv.name)));
    }
    let kit = view.variant.game.kit();
    let yours = here.mover == the_match.you && begun;
    let over = here.is_over();
    let asked = View { pick: if yours { view.pick.clone() } else { Vec::new() }, ..view.clone() };
    let table = Table {
        view: &asked,
        language,
        kit,
        here,
        values: the_match.hint,
        you: Some(the_match.you),
    };
    let (board, notice) =
        if yours && !over { table.board(Some(&*solved)) } else { (table.still_board(), html! {}) };
    let words = language.phrases();
    Ok(Reply::Passing(page.render(html! {
        h1 { (view.variant.entry.title.say(language)) }
        div .columns {
            section .boardside {
                @if the_match.hint && !over { (table.verdict()) } @else { (table.status()) }
                div .boardframe { (board.svg()) }
                (notice)
                (controls(&view, language))
                @if over || the_match.hint { (graph(&view, &stations, kit, language)) }
                (history(&view, language))
            }
            div .facts {
                @if begun { (state(&view, &the_match, &stations, language)) }
                @if over { (changes(&view, &stations, kit, language)) }
                @if the_match.hint && !over { (table.moves()) }
                (settings(&view, &the_match, kit, language))
                section .card { p .fine { (words.level_help) } }
            }
        }
    })))
}

/// How the game stands, and what can be done.
fn state(view: &View, the_match: &Match, stations: &[Station], language: Language) -> Markup {
    let words = language.phrases();
    let here = &stations[view.ply];
    let text = match (here.is_over(), here.outcome(), here.mover == the_match.you) {
        (false, ..) => words.your_move,
        (true, Some(Outcome::Win), true) | (true, Some(Outcome::Loss), false) => words.you_won,
        (true, Some(Outcome::Draw) | None, _) => words.drawn,
        _ => words.you_lost,
    };
    // In a game for three, somebody else may have won.
    let three = view.variant.game.kit().parties.len() > 2 && here.drawing.turn.is_some();
    let text = if three && here.is_over() { here.drawing.caption.clone() } else { text.to_owned() };
    let seen = |station: &Station| station.answer.as_ref().map(|answer| answer.position.clone());
    let now = seen(here);
    let before = stations[..view.ply].iter();
    let repeated = now.is_some() && before.rev().any(|station| seen(station) == now);
    let own = |ply: &usize| stations[*ply].mover == the_match.you;
    let back = (0..view.ply).rev().find(own);
    let hinted =
        View { play: Some(Match { hint: !the_match.hint, ..the_match.clone() }), ..view.clone() };
    html! {
        section .card .state aria-live="polite" {
            h2 { (text) }
            @if repeated { p { (words.repeated) } }
            p .links {
                @if let Some(ply) = back {
                    a .button href=(View { line: view.line[..ply].to_vec(), ply, ..view.clone() }.here().text()) {
                        (words.take_back)
                    }
                    " "
                }
                a .button href=(hinted.here().text()) {
                    (if the_match.hint { words.hide_hint } else { words.hint })
                }
                " "
                a .button href=(View { play: None, ..view.clone() }.here().text()) { (words.look_back) }
            }
        }
    }
}

/// The moves that changed the outcome.
fn changes(view: &View, stations: &[Station], kit: &Kit, language: Language) -> Markup {
    let words = language.phrases();
    // A value before and after a move, both seen by the one who made it.
    let seen_by = |station: &Station, side: Side| match (station.outcome(), station.mover == side) {
        (Some(outcome), true) => Some(outcome),
        (Some(outcome), false) => Some(outcome.flip()),
        (None, _) => None,
    };
    let changed: Vec<(usize, Side, Outcome, Outcome)> = stations
        .windows(2)
        .enumerate()
        .filter_map(|(ply, pair)| {
            let mover = pair[0].mover;
            let (before, after) = (seen_by(&pair[0], mover)?, seen_by(&pair[1], mover)?);
            (before != after).then_some((ply, mover, before, after))
        })
        .collect();
    let word = |outcome| match outcome {
        Outcome::Win => words.win,
        Outcome::Draw => words.draw,
        Outcome::Loss => words.loss,
    };
    let look = View { play: None, ..view.clone() };
    html! {
        section .card .changes {
            h2 { (words.changes) }
            @if changed.is_empty() { p { (words.no_changes) } }
            ol {
                @for (ply, mover, before, after) in changed {
                    li {
                        a href=(look.at(ply)) {
                            (ply + 1) ". " (kit.party(mover).name.say(language)) " " b { (view.line[ply]) } ": "
                            (word(before)) " " (words.from_to) " " (word(after))
                        }
                        @if let Some(answer) = stations[ply].answer.as_ref().filter(|_| view.play.as_ref().is_some_and(|play| play.you == mover)) {
                            " " a .button href=(view.elsewhere("/puzzle").with("position", &answer.position).text()) { (words.as_puzzle) }
                        }
                    }
                }
            }
        }
    }
}

/// The opponent, the side, and a new game.
fn settings(view: &View, the_match: &Match, kit: &Kit, language: Language) -> Markup {
    let words = language.phrases();
    html! {
        section .card {
            form .options action=(view.path()) data-seed {
                @for (name, value) in view.variant.chosen() {
                    input type="hidden" name="o" value=(format!("{name}={value}"));
                }
                @if let Some(root) = &view.root { input type="hidden" name="position" value=(root); }
                input type="hidden" name="seed" value=(the_match.seed.wrapping_add(1));
                label { span { (words.opponent) }
                    select name="level" {
                        @for (name, opponent) in Opponent::ALL {
                            option value=(name) selected[name == the_match.opponent.0] {
                                (opponent.title().say(language))
                                @if let Opponent::Sees(plies) = opponent {
                                    " (" (words.sees) " " (plies) " " (words.plies) ")"
                                }
                            }
                        }
                    }
                }
                label { span { (words.you_play) }
                    select name="you" {
                        @for party in kit.parties.iter().filter(|party| party.side != Side::Neutral) {
                            option value=(party.side.number()) selected[party.side == the_match.you] {
                                (party.name.say(language))
                            }
                        }
                    }
                }
                button .button .main { (words.new_game) }
            }
        }
    }
}
