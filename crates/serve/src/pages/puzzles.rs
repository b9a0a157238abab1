//! Puzzles: a set of each game, and the page on which one is solved.
//!
//! Sets are made in the background. A puzzle is an address like any other; which ones are solved is
//! kept in the browser.

use crate::http::errors::Trouble;
use crate::pages::drill;
use crate::pages::page::{Page, Reply};
use crate::pages::unsolved::unsolved;
use crate::parts::cards::controls;
use crate::parts::table::Table;
use crate::parts::walk::walk;
use crate::state::site::Site;
use crate::state::tables::Variant;
use crate::url::query::{Query, short};
use crate::url::view::{Of, View};
use kanzen_core::Language;
use kanzen_core::{Outcome, Trace};
use kanzen_show::Speak;
use kanzen_show::board::plain;
use kanzen_solve::Silent;
use kanzen_study::explain::reason;
use kanzen_study::puzzle::{Grade, Puzzle, Theme, Wanted, puzzles};
use kanzen_study::station::kept;
use maud::{Markup, html};
use std::sync::Arc;

/// Puzzles of a set.
const COUNT: usize = 12;
/// Seconds of a day.
const DAY: u64 = 24 * 60 * 60;
/// Sets of a game.
const SETS: u64 = 50;

/// The number of a set in an address.
pub fn set_number(query: &Query) -> Result<u64, Trouble> {
    let number = query.number("set")?.unwrap_or(1);
    if (1..=SETS).contains(&number) {
        Ok(number)
    } else {
        Err(Trouble::field("set", format!("there are sets 1 to {SETS}")))
    }
}

/// The puzzles of a set; none if they are being made.
pub fn of_set(
    site: &Site,
    variant: &Variant,
    number: u64,
) -> Result<Option<Arc<Vec<Puzzle>>>, Trouble> {
    let fastest = variant.entry.learn.fastest;
    Ok(match variant.solved_yet()? {
        Some(solved) if variant.whole() => {
            site.puzzles.get(variant, number, site.tables.generation(), move || {
                let wanted = Wanted { count: COUNT, seed: number, fastest };
                puzzles(&*solved, wanted, &Silent).unwrap_or_default()
            })
        }
        _ => Some(Arc::default()),
    })
}

/// Leads to the puzzle of the day: another game every day, and another puzzle.
pub fn daily(site: &Arc<Site>, _: &str, _: &Query, _: Language) -> Result<Reply, Trouble> {
    let day = (site.now)() / DAY;
    let entries = site.tables.registry().entries();
    let variants = entries.filter_map(|entry| site.tables.variant(entry.name, &[]).ok());
    let dated = variants.filter_map(|variant| Some((variant.dated()?, variant)));
    let mut dated: Vec<(u64, Arc<Variant>)> = dated.collect();
    // What is solved in the course of the day changes nothing: it counts from tomorrow. On the first day the
    // table that was there first does.
    if dated.iter().any(|(made, _)| *made < day * DAY) {
        dated.retain(|(made, _)| *made < day * DAY);
    } else if let Some(first) = dated.iter().map(|(made, _)| *made).min() {
        dated.retain(|(made, _)| *made == first);
    }
    let solved: Vec<Arc<Variant>> = dated.into_iter().map(|(_, variant)| variant).collect();
    // Games without puzzles are passed over.
    for turn in 0..solved.len() as u64 {
        let variant = &solved[((day + turn) % solved.len() as u64) as usize];
        let set = 1 + day / solved.len() as u64 % SETS;
        match of_set(site, variant, set)? {
            None => {
                let address = variant.address("/puzzles").with("set", &set.to_string());
                return Ok(Reply::Moved(address.text()));
            }
            Some(puzzles) if !puzzles.is_empty() => {
                let number = day as usize % puzzles.len();
                return Ok(Reply::Moved(address(variant, &puzzles[number], set, number + 1)));
            }
            Some(_) => {}
        }
    }
    Ok(Reply::Moved("/".to_owned()))
}

/// The address of a puzzle of a set.
fn address(variant: &Variant, puzzle: &Puzzle, set: u64, number: usize) -> String {
    let address = variant.address("/puzzle").with("position", &puzzle.position);
    address.with("set", &set.to_string()).with("n", &number.to_string()).text()
}

/// Renders a set of puzzles, and tells whether it is complete.
pub fn set(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let variant = site.tables.variant(game, &query.all("o"))?;
    let number = set_number(query)?;
    let theme = query.get("theme").map(|name| {
        Theme::ALL.into_iter().find(|theme| theme.name() == name).ok_or_else(|| {
            let names = Theme::ALL.map(Theme::name).join(", ");
            Trouble::field("theme", format!("'{}' is none of {names}", short(name)))
        })
    });
    let theme = theme.transpose()?;
    let made = of_set(site, &variant, number)?;
    let strategy = drill::is_offered(&variant)?;
    let page_of = |set: u64, theme: Option<Theme>| {
        let address = variant.address("/puzzles").with("set", &set.to_string());
        match theme {
            Some(theme) => address.with("theme", theme.name()).text(),
            None => address.text(),
        }
    };
    let title = variant.title(language);
    let page = Page {
        title: format!("{title}: {}", words.puzzles),
        language,
        here: page_of(number, theme),
        game: Some((&variant, "/puzzles")),
        waits: made.is_none(),
    };
    let solved = variant.solved_yet()?.is_some();
    let about = |puzzle: &Puzzle| theme.is_none_or(|theme| puzzle.themes.contains(&theme));
    let page = page.render(html! {
        h1 { (title) ": " (words.puzzles) }
        @match &made {
            None => p .card aria-live="polite" { (words.puzzles_wait) },
            Some(_) if !solved => (unsolved(site, &variant, language)),
            Some(puzzles) if puzzles.is_empty() => p .card { (words.no_puzzles) },
            Some(puzzles) => {
                (score(puzzles.len(), language))
                p .links role="group" aria-label=(words.theme) {
                    a .button href=(page_of(number, None)) aria-current=[theme.is_none().then_some("true")] { (words.all_themes) }
                    @for other in Theme::ALL {
                        @if puzzles.iter().any(|puzzle| puzzle.themes.contains(&other)) {
                            " " a .button href=(page_of(number, Some(other)))
                                aria-current=[(theme == Some(other)).then_some("true")] { (other.title().say(language)) }
                        }
                    }
                }
                ul .games .gallery .tight {
                    @for (place, puzzle) in (1..).zip(puzzles.iter()).filter(|(_, puzzle)| about(puzzle)) {
                        li { (card(&variant, puzzle, &address(&variant, puzzle, number, place), language)) }
                    }
                }
                p .links {
                    @if strategy { a .button href=(variant.address("/drill").text()) { (words.drill) } " " }
                    @if number > 1 { a .button href=(page_of(number - 1, theme)) { (words.earlier_set) } " " }
                    @if is_followed(number, puzzles) { a .button href=(page_of(number + 1, theme)) { (words.next_set) } }
                }
            },
        }
    });
    Ok(Reply::page(page, solved && made.is_some()))
}

/// Whether there is another set after this one: where a game has too few puzzles to fill one, it has the
/// same ones in all of them.
fn is_followed(set: u64, puzzles: &[Puzzle]) -> bool {
    set < SETS && puzzles.len() >= COUNT
}

/// What the browser remembers, filled in by the script.
pub(super) fn score(puzzles: usize, language: Language) -> Markup {
    let words = language.phrases();
    html! {
        p .score hidden {
            @if puzzles > 0 { span .solved-count { "0" } " / " (puzzles) " " (words.puzzles_solved) " · " }
            (words.rating) " " b .rating { } " · " (words.streak) " " b .streak { }
            " (" (words.longest_streak) " " span .longest { } ")"
        }
    }
}

fn card(variant: &Variant, puzzle: &Puzzle, address: &str, language: Language) -> Markup {
    let words = language.phrases();
    let grade = match puzzle.grade {
        Grade::Easy => words.easy,
        Grade::Medium => words.medium,
        Grade::Hard => words.hard,
    };
    let themes = puzzle.themes.iter().map(|theme| theme.title().say(language));
    html! {
        a .card .game href=(address) data-puzzle=(key(variant, &puzzle.position)) {
            @if let Ok(drawing) = variant.game.draw(Some(&puzzle.position)) {
                div .picture aria-hidden="true" {
                    (plain(&drawing, variant.game.kit(), false, language, String::new()).svg())
                }
            }
            p {
                b { (task(puzzle.goal.value, variant, language)) } " · " span .grade { (grade) }
                span .done hidden { " · ✓ " (words.solved_puzzle) }
                @for theme in themes { br; span .fine { (theme) } }
            }
        }
    }
}

/// What a solved puzzle is remembered under.
pub(super) fn key(variant: &Variant, position: &str) -> String {
    let options: String =
        variant.chosen().map(|(name, value)| format!(",{name}={value}")).collect();
    format!("{}{options} {position}", variant.entry.name)
}

fn task(goal: Outcome, variant: &Variant, language: Language) -> &'static str {
    match goal {
        Outcome::Draw => language.phrases().task_draw,
        Outcome::Win if variant.entry.learn.fastest => language.phrases().task_fastest,
        _ => language.phrases().task_win,
    }
}

/// How far a puzzle gives itself away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Help {
    None,
    Piece,
    Place,
    Reason,
    Solution,
}

impl Help {
    fn read(query: &Query) -> Result<Help, Trouble> {
        Ok(match query.number("hint")?.unwrap_or(0) {
            _ if query.flag("solution") => Help::Solution,
            0 => Help::None,
            1 => Help::Piece,
            2 => Help::Place,
            _ => Help::Reason,
        })
    }
}

/// Shows a puzzle, answers a right move, or says that a move was wrong and why.
pub fn puzzle(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let number = query.number("n")?.map(|number| number as usize).filter(|&number| number > 0);
    let set = query.number("set")?.filter(|set| (1..=SETS).contains(set));
    let of = match (number, set) {
        (Some(number), _) if query.flag("drill") => Some(Of::Drill(number)),
        (Some(number), Some(set)) => Some(Of::Set(set, number)),
        _ => None,
    };
    let view = View { puzzle: true, of, ..View::new(&site.tables, game, query)? };
    let solved = view.variant.solved()?;
    let stations = walk(|position| solved.probe(position), view.root.as_deref(), &view.line)?;
    let first = &stations[0];
    let here = &stations[view.ply];
    let solver = first.mover;
    let goal = first.outcome();
    let drills = matches!(view.of, Some(Of::Drill(_)));
    let fastest = view.variant.entry.learn.fastest && goal == Some(Outcome::Win) && !drills;
    let kept = |ply: usize| kept(&stations, ply, fastest);
    let wrong = !kept(view.ply);
    // A game that is never brought to an end is solved by the first move.
    let endless = first.worth.is_some_and(|verdict| verdict.plies.is_none());
    // So is a position of the strategy: those that follow have numbers of their own.
    let drilled = match view.of {
        Some(Of::Drill(number)) => drill::entry(site, &view.variant, number)?,
        _ => None,
    };
    let done = !wrong && view.ply > 0 && (here.is_over() || endless || drilled.is_some());
    if let (false, false, true, Some(answer)) =
        (wrong, done, here.mover != solver && view.ply == view.line.len(), &here.answer)
        && let Some(reply) = answer.moves.first()
    {
        return Ok(Reply::Moved(view.after(&reply.name)));
    }
    let help = Help::read(query)?;
    let kit = view.variant.game.kit();
    let table = Table { view: &view, language, kit, here, values: false, you: Some(solver) };
    let (mut board, notice) =
        if wrong || done { (table.still_board(), html! {}) } else { table.board(Some(&*solved)) };
    let best = here.answer.as_ref().and_then(|answer| answer.moves.first());
    if let Some(best) = best {
        let Trace { from, to, also } = best.trace.clone();
        match help {
            _ if wrong => board.show(&best.trace),
            Help::None => {}
            Help::Piece if from.is_some() => board.show(&Trace { from, ..Trace::default() }),
            Help::Piece => {}
            Help::Place => board.show(&Trace { from, to, also: Vec::new() }),
            Help::Reason | Help::Solution => board.show(&Trace { from, to, also }),
        }
    }
    // The last position of the solver in which nothing was lost yet.
    let good = (0..=view.ply).rev().find(|&ply| stations[ply].mover == solver && kept(ply));
    let good = good.unwrap_or(0);
    let again = View { line: view.line[..good].to_vec(), ply: good, ..view.clone() };
    let line = match (&stations[good].answer, help) {
        (Some(answer), Help::Solution) => {
            let mut line = solved.line(Some(&answer.position))?;
            // The first move solves a game that is never brought to an end.
            if endless {
                line.moves.truncate(1);
            }
            Some(line)
        }
        _ => None,
    };
    let title = view.variant.title(language);
    let page = Page {
        title: format!("{title}: {}", words.puzzles),
        language,
        here: view.here().text(),
        game: Some((&view.variant, "/puzzles")),
        waits: false,
    };
    let root = first.answer.as_ref().map_or(String::new(), |answer| answer.position.clone());
    let key = key(&view.variant, &root);
    let next = next(site, &view)?;
    let this = match view.of {
        Some(Of::Set(set, number)) => {
            let all = of_set(site, &view.variant, set)?;
            all.and_then(|all| all.get(number - 1).cloned())
        }
        _ => None,
    };
    let rating = this.map(|puzzle| 800.0 + 30.0 * puzzle.features.score()).unwrap_or(1200.0);
    let trickster = view.elsewhere("/play").with("position", &root).with("level", "trickster");
    let trickster = trickster.with("you", &solver.number().to_string()).text();
    let hint = |help: Help| again.here().with("hint", &(help as u8).to_string()).text();
    let missed = wrong || help > Help::None;
    Ok(Reply::Passing(page.render(html! {
        h1 { (title) ": " span { (task(goal.unwrap_or(Outcome::Win), &view.variant, language)) } }
        div .columns {
            section .boardside {
                (table.status())
                (table.frame(&board))
                (notice)
                section .card .state aria-live="polite" data-solved=[done.then_some(&key)]
                    data-missed=[missed.then_some(&key)] data-rating=(format!("{rating:.0}")) {
                    h2 { (if done { words.puzzle_done } else if wrong { words.puzzle_wrong }
                        else if view.ply > 0 { words.puzzle_right } else { words.your_move }) }
                    @if let (true, Some(reply)) = (wrong, best) {
                        p { (words.refuted_by) " " b { (reply.name) } " · "
                            a href={ (View { puzzle: false, ..view.clone() }.here().text()) "&best=1" } { (words.why) } }
                    }
                    @if let (true, Some(entry)) = (done || help == Help::Solution, &drilled) {
                        p { (drill::answer(entry, view.line.first(), language)) }
                    }
                    @if let (Help::Reason, Some(answer), false, false) = (help, &here.answer, wrong, done) {
                        p { (reason(answer, fastest, language)) }
                    }
                    @if let Some(line) = &line {
                        p .solution { (words.solution) ": " @for (number, mv) in line.moves.iter().enumerate() {
                            @if number > 0 { " " } b { (mv.name) }
                        } }
                    }
                    p .links {
                        @if wrong { a .button .main href=(again.here().text()) { (words.try_again) } }
                        @if done || wrong || help == Help::Solution {
                            @if let Some(next) = &next { a .button .main[done] href=(next) { (words.next_puzzle) } }
                        }
                        @if !wrong && !done {
                            @match help {
                                Help::None => a .button href=(hint(Help::Piece)) { (words.hint_piece) },
                                Help::Piece => a .button href=(hint(Help::Place)) { (words.hint_place) },
                                Help::Place => a .button href=(hint(Help::Reason)) { (words.hint_reason) },
                                _ => {},
                            }
                        }
                        @if !done && help != Help::Solution {
                            a .button href=(again.here().with_flag("solution", true).text()) { (words.show_solution) }
                        }
                        @if goal == Some(Outcome::Win) { a .button href=(trickster) { (words.against_trickster) } }
                        a .button href=(View { puzzle: false, ..again.clone() }.here().text()) { (words.explore) }
                        @if drilled.is_some() {
                            a .button href=(view.elsewhere("/drill").text()) { (words.drill) }
                        } @else {
                            a .button href=(view.elsewhere("/puzzles").text()) { (words.more_puzzles) }
                        }
                    }
                }
                (controls(&view, language))
            }
            div .facts {
                (score(0, language))
            }
        }
    })))
}

/// The address of the next puzzle: of the strategy, of the set, or the first of the next one.
fn next(site: &Site, view: &View) -> Result<Option<String>, Trouble> {
    let (set, number) = match view.of {
        None => return Ok(None),
        Some(Of::Drill(number)) => return drill::next(site, &view.variant, number),
        Some(Of::Set(set, number)) => (set, number),
    };
    let puzzles = of_set(site, &view.variant, set)?;
    let next = puzzles.as_ref().and_then(|puzzles| puzzles.get(number));
    Ok(Some(match next {
        Some(puzzle) => address(&view.variant, puzzle, set, number + 1),
        None => {
            let more = puzzles.as_ref().is_some_and(|puzzles| is_followed(set, puzzles));
            let set = if more { set + 1 } else { set };
            view.elsewhere("/puzzles").with("set", &set.to_string()).text()
        }
    }))
}
