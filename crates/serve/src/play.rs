//! Playing against an opponent. The whole game is in the address; the opponent's answer is a redirect.

use crate::cards::{controls, history, variants};
use crate::errors::Trouble;
use crate::graph::graph;
use crate::language::Language;
use crate::page::{Page, Reply};
use crate::query::Query;
use crate::site::Site;
use crate::table::Table;
use crate::unsolved::how_to_solve;
use crate::view::{Match, View, side_number};
use crate::walk::{Station, walk};
use kanzen_core::{Kit, Outcome, Side};
use kanzen_games::GameError;
use kanzen_games::opponent::Opponent;
use maud::{Markup, html};

/// Shows the game, or lets the opponent move first.
pub fn play(site: &Site, game: &str, query: &Query, language: Language) -> Result<Reply, Trouble> {
    let view = View::of_match(&site.tables, game, query)?;
    let Some(the_match) = view.play.clone() else { return Err(Trouble::Fault) };
    let page = Page {
        title: format!("{}: {}", language.name(view.variant.entry.title), language.words().play),
        language,
        here: view.here().text(),
        game: Some((&view.variant, "/play")),
        waits: false,
    };
    let solved = match view.variant.solved() {
        Ok(solved) => solved,
        Err(GameError::NotSolved { .. }) => {
            return Ok(Reply::Page(page.render(html! {
                h1 { (language.name(view.variant.entry.title)) }
                (how_to_solve(&view.variant, language))
                (variants(&view, language))
            })));
        }
        Err(error) => return Err(error.into()),
    };
    let stations = walk(&*solved, view.root.as_deref(), &view.line)?;
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
    let table = Table { view: &asked, language, kit, here, values: the_match.hint };
    let (board, notice) = match yours && !over {
        true => table.board(&*solved),
        false => (table.still_board(), html! {}),
    };
    let words = language.words();
    Ok(Reply::Page(page.render(html! {
        h1 { (language.name(view.variant.entry.title)) }
        div .columns {
            section .boardside {
                @if the_match.hint && !over { (table.verdict()) } @else { (table.status()) }
                div .boardframe { (board.svg()) }
                (notice)
                (controls(&view, language))
                @if over || the_match.hint { (graph(&stations, view.ply, kit, language)) }
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
    let words = language.words();
    let here = &stations[view.ply];
    let text = match (here.is_over(), here.worth.outcome(), here.mover == the_match.you) {
        (false, ..) => words.your_move,
        (true, Some(Outcome::Win), true) | (true, Some(Outcome::Loss), false) => words.you_won,
        (true, Some(Outcome::Draw) | None, _) => words.drawn,
        _ => words.you_lost,
    };
    // In a game for three, somebody else may have won.
    let three = view.variant.game.kit().parties.len() > 2 && here.drawing.turn.is_some();
    let text = match three && here.is_over() {
        true => here.drawing.caption.clone(),
        false => text.to_owned(),
    };
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
    let words = language.words();
    // A value before and after a move, both seen by the one who made it.
    let seen_by =
        |station: &Station, side: Side| match (station.worth.outcome(), station.mover == side) {
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
                            (ply + 1) ". " (language.name(kit.party(mover).name)) " " b { (view.line[ply]) } ": "
                            (word(before)) " " (words.from_to) " " (word(after))
                        }
                    }
                }
            }
        }
    }
}

/// The opponent, the side, and a new game.
fn settings(view: &View, the_match: &Match, kit: &Kit, language: Language) -> Markup {
    let words = language.words();
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
                                (language.name(name))
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
                            option value=(side_number(party.side)) selected[party.side == the_match.you] {
                                (language.name(party.name))
                            }
                        }
                    }
                }
                button .button .main { (words.new_game) }
            }
        }
    }
}
