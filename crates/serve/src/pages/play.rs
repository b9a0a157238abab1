//! Playing: against a machine, between people at one board or by link, or machine against machine. The
//! whole game is in the address; a machine's answer is a redirect, and where machines play each other
//! its next move is a link, which a script follows at the speed that is wished for.

use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply};
use crate::pages::unsolved::unsolved;
use crate::parts::cards::{controls, copyable, history, variants};
use crate::parts::graph::graph;
use crate::parts::table::Table;
use crate::parts::walk::{Station, walk};
use crate::state::site::Site;
use crate::url::query::Query;
use crate::url::view::{Match, Players, View};
use kanzen_core::Language;
use kanzen_core::{Kit, Outcome, Side};
use kanzen_registry::opponent::Opponent;
use kanzen_show::{Speak, Worth};
use maud::{Markup, html};
use std::sync::Arc;

/// Shows the game, or lets a machine move first.
pub fn play(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let view = View::of_match(&site.tables, game, query)?;
    let Some(the_match) = view.play.clone() else { return Err(Trouble::Fault) };
    let solved = view.variant.solved_yet()?;
    let title = view.variant.title(language);
    let page = Page {
        title: format!("{title}: {}", words.play),
        language,
        here: view.here().text(),
        game: Some((&view.variant, "/play")),
        waits: false,
    };
    // People need no table; machines do.
    if solved.is_none() && the_match.players != Players::People {
        let play = Some(Match { players: Players::People, ..the_match });
        let people = View { play, line: Vec::new(), ply: 0, ..view.clone() };
        return Ok(Reply::Passing(page.render(html! {
            h1 { (title) }
            p .links { a .button .main href=(people.here().text()) { (words.two_people) } }
            (unsolved(site, &view.variant, language))
            (variants(&view, language))
        })));
    }
    let probe = |position: Option<&str>| match &solved {
        Some(solved) => solved.probe(position),
        None => view.variant.game.look(position),
    };
    let stations = walk(probe, view.root.as_deref(), &view.line)?;
    let here = &stations[view.ply];
    // A machine moves at the end of the line only: looking back changes nothing. A game that is not
    // begun yet waits for its settings.
    let begun = query.get("level").is_some();
    let machine = the_match.machine(here.mover).filter(|_| begun && view.ply == view.line.len());
    let reply = match (machine, &solved, &here.answer) {
        (Some(machine), Some(solved), Some(answer)) => {
            let mv = machine.choose(&**solved, answer, the_match.seed)?;
            mv.map(|mv| view.after(&mv.name))
        }
        _ => None,
    };
    if let (Some(reply), Players::You(_)) = (&reply, the_match.players) {
        return Ok(Reply::Moved(reply.clone()));
    }
    let kit = view.variant.game.kit();
    let yours = begun && the_match.machine(here.mover).is_none();
    let over = here.is_over();
    let hint = the_match.hint && solved.is_some();
    let asked = View { pick: if yours { view.pick.clone() } else { Vec::new() }, ..view.clone() };
    let table = Table { view: &asked, language, kit, here, values: hint, you: the_match.you() };
    let (board, notice) = if yours && !over {
        table.board(solved.as_deref())
    } else {
        (table.still_board(), html! {})
    };
    Ok(Reply::Passing(page.render(html! {
        h1 { (title) }
        div .columns {
            section .boardside {
                @if hint && !over { (table.verdict()) } @else { (table.status()) }
                (table.frame(&board))
                (notice)
                @if begun { (state(&view, &the_match, &stations, solved.is_some(), reply.as_deref(), language)) }
                (controls(&view, language))
                @if solved.is_some() && (over || hint) { (graph(&view, &stations, kit, language)) }
                (history(&view, language))
            }
            div .facts {
                @if over && solved.is_some() { (changes(&view, &stations, kit, language)) }
                @if hint && !over { (table.moves()) }
                (settings(&view, &the_match, solved.is_some(), kit, language))
                @if begun && the_match.players == Players::People { (link(&view, language)) }
                (results(&view, language))
                section .card { p .fine { (words.level_help) } }
                @if solved.is_none() { (unsolved(site, &view.variant, language)) }
            }
        }
    })))
}

/// How the game stands, and what can be done. `reply` is the next move of a machine.
fn state(
    view: &View,
    the_match: &Match,
    stations: &[Station],
    solved: bool,
    reply: Option<&str>,
    language: Language,
) -> Markup {
    let words = language.phrases();
    let here = &stations[view.ply];
    let kit = view.variant.game.kit();
    let players = kit.parties.iter().filter(|party| party.side != Side::Neutral).count();
    let three = players > 2 && here.drawing.turn.is_some();
    // The result for the one who plays.
    let result = the_match.you().filter(|_| here.is_over() && !three).map(|you| {
        match (here.outcome(), here.mover == you) {
            (Some(Outcome::Win), true) | (Some(Outcome::Loss), false) => Outcome::Win,
            (Some(Outcome::Draw) | None, _) => Outcome::Draw,
            _ => Outcome::Loss,
        }
    });
    let text = match (here.is_over(), result) {
        // In a game for three, somebody else may have won.
        (true, _) if three => here.drawing.caption.clone(),
        (true, Some(Outcome::Win)) => words.you_won.to_owned(),
        (true, Some(Outcome::Loss)) => words.you_lost.to_owned(),
        (true, Some(Outcome::Draw)) => words.drawn.to_owned(),
        (true, None) => match here.shown(kit) {
            Worth { winner: Some(party), .. } => language.wins_in(party.name, Some(0)),
            _ => words.drawn.to_owned(),
        },
        (false, _) if the_match.you() == Some(here.mover) => words.your_move.to_owned(),
        (false, _) => language.to_move(kit.party(here.mover).name),
    };
    let seen = |station: &Station| station.answer.as_ref().map(|answer| answer.position.clone());
    let now = seen(here);
    let before = stations[..view.ply].iter();
    let repeated = now.is_some() && before.rev().any(|station| seen(station) == now);
    let own = |ply: &usize| the_match.machine(stations[*ply].mover).is_none();
    let back = (0..view.ply).rev().find(own);
    let hinted =
        View { play: Some(Match { hint: !the_match.hint, ..the_match.clone() }), ..view.clone() };
    let slips =
        the_match.you().filter(|_| the_match.opponent.1 == Opponent::Trickster).map(|you| {
            changed(&stations[..=view.ply])
                .filter(|(_, mover, before, after)| *mover == you && after < before)
                .count()
        });
    let counted = result.filter(|_| !the_match.hint);
    html! {
        section .card .state aria-live="polite" data-game=(view.variant.entry.name) data-level=(the_match.opponent.0)
            data-result=[counted.map(outcome_word)] {
            h2 { (text) }
            @if repeated { p { (words.repeated) } }
            @if let Some(slips) = slips { p title=(words.slips_help) { (words.slips) ": " b .slips { (slips) } } }
            p .links {
                @if let Some(reply) = reply {
                    a .button .main .next-move href=(reply) { (words.next_move) }
                    button .button .scripted .pause type="button" hidden data-pause=(words.pause) data-go-on=(words.go_on) { (words.pause) }
                    label .scripted .speed hidden { (words.speed) " "
                        select { @for (wait, name) in [(2500, words.slow), (1200, words.normal), (400, words.fast)] {
                            option value=(wait) selected[wait == 1200] { (name) }
                        } }
                    }
                }
                @if let Some(ply) = back {
                    a .button href=(View { line: view.line[..ply].to_vec(), ply, ..view.clone() }.here().text()) {
                        (words.take_back)
                    }
                    " "
                }
                @if solved {
                    a .button href=(hinted.here().text()) {
                        (if the_match.hint { words.hide_hint } else { words.hint })
                    }
                    " "
                }
                a .button href=(View { play: None, ..view.clone() }.here().text()) { (words.look_back) }
            }
        }
    }
}

/// An outcome as scripts know it.
fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// The game so far, to be sent to the other player.
fn link(view: &View, language: Language) -> Markup {
    let words = language.phrases();
    html! {
        section .card .link {
            p { (words.send_link) }
            (copyable(&view.here().text(), words.link, language))
        }
    }
}

/// Wins, draws and losses against each level, which the script knows.
fn results(view: &View, language: Language) -> Markup {
    let words = language.phrases();
    html! {
        section .card .results .scripted hidden data-game=(view.variant.entry.name) {
            h2 { (words.your_results) }
            table {
                thead { tr { th {} th scope="col" { (words.wins) } th scope="col" { (words.draws) } th scope="col" { (words.losses) } } }
                tbody { @for (name, opponent) in Opponent::ALL {
                    tr data-level=(name) { th scope="row" { (opponent.title().say(language)) } td { "0" } td { "0" } td { "0" } }
                } }
            }
            p .fine { (words.results_help) }
        }
    }
}

/// The moves that changed the outcome: the ply, who moved, and the outcome for that side before and
/// after.
fn changed(stations: &[Station]) -> impl Iterator<Item = (usize, Side, Outcome, Outcome)> {
    let seen_by = |station: &Station, side: Side| match (station.outcome(), station.mover == side) {
        (Some(outcome), true) => Some(outcome),
        (Some(outcome), false) => Some(outcome.flip()),
        (None, _) => None,
    };
    stations.windows(2).enumerate().filter_map(move |(ply, pair)| {
        let mover = pair[0].mover;
        let (before, after) = (seen_by(&pair[0], mover)?, seen_by(&pair[1], mover)?);
        (before != after).then_some((ply, mover, before, after))
    })
}

/// The moves that changed the outcome, to be looked at.
fn changes(view: &View, stations: &[Station], kit: &Kit, language: Language) -> Markup {
    let words = language.phrases();
    let changed: Vec<_> = changed(stations).collect();
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
                        @if let Some(answer) = stations[ply].answer.as_ref().filter(|_| view.play.as_ref().is_some_and(|play| play.machine(mover).is_none())) {
                            " " a .button href=(view.elsewhere("/puzzle").with("position", &answer.position).text()) { (words.as_puzzle) }
                        }
                    }
                }
            }
        }
    }
}

/// The players, and a new game.
fn settings(view: &View, the_match: &Match, solved: bool, kit: &Kit, language: Language) -> Markup {
    let words = language.phrases();
    let sides = kit.parties.iter().filter(|party| party.side != Side::Neutral && solved);
    let sides = sides.map(|party| (Players::You(party.side), party.name.say(language)));
    let others = [(Players::People, words.two_people), (Players::Machines, words.machines)];
    let others = others.into_iter().filter(|(players, _)| solved || *players == Players::People);
    let levels = |name: &str, title: &str, chosen: &str| {
        html! {
            label { span { (title) }
                select name=(name) {
                    @for (name, opponent) in Opponent::ALL {
                        option value=(name) selected[name == chosen] {
                            (opponent.title().say(language))
                            @if let Opponent::Sees(plies) = opponent {
                                " (" (language.sees(plies)) ")"
                            }
                        }
                    }
                }
            }
        }
    };
    html! {
        section .card {
            form .options action=(view.path()) data-seed {
                @for (name, value) in view.variant.chosen() {
                    input type="hidden" name="o" value=(format!("{name}={value}"));
                }
                @if let Some(root) = &view.root { input type="hidden" name="position" value=(root); }
                input type="hidden" name="seed" value=(the_match.seed.wrapping_add(1));
                label { span { (words.you_play) }
                    select name="you" {
                        @for (players, name) in sides.chain(others) {
                            option value=(players.word()) selected[players == the_match.players] { (name) }
                        }
                    }
                }
                @if solved { (levels("level", words.opponent, the_match.opponent.0)) }
                @else { input type="hidden" name="level" value=(the_match.opponent.0); }
                @if the_match.players == Players::Machines {
                    (levels("second", words.second_machine, the_match.second.0))
                }
                button .button .main { (words.new_game) }
            }
        }
    }
}
