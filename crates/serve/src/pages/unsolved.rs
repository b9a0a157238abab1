//! What is shown of a game that has no table, or one without values: how to get one, or how far the
//! solve is.

use crate::state::site::Site;
use crate::state::solver::{Solvers, Solving, too_large};
use crate::state::tables::Variant;
use kanzen_core::Language;
use kanzen_show::{Speak, units};
use maud::{Markup, html};

/// What is said of a game whose values are not known here.
pub fn unsolved(site: &Site, variant: &Variant, language: Language) -> Markup {
    let words = language.phrases();
    html! {
        @if variant.has_table() {
            section .card {
                h2 { (words.census_only) }
                p { (words.census_only_help) }
                p .links { a .button href=(variant.address("/facts").text()) { (words.census) } }
            }
        } @else if let Some(solving) = site.solves.of(variant) {
            (progress(variant, &solving, may_solve(site), language))
        } @else {
            (how_to_solve(site, variant, language))
        }
    }
}

/// Whether pages offer to solve.
fn may_solve(site: &Site) -> bool {
    site.solvers != Solvers::Nobody && site.tables.dir().is_some()
}

/// A button that begins or pauses the solve.
fn button(variant: &Variant, action: &str, name: &str) -> Markup {
    html! {
        form .solve method="post" action=(variant.address("/solve").text()) {
            button .button .main[action == "begin"] name="do" value=(action) { (name) }
        }
    }
}

/// Where a solve is.
pub fn progress(variant: &Variant, solving: &Solving, buttons: bool, language: Language) -> Markup {
    let words = language.phrases();
    let heading = match solving.state {
        "waiting" => words.waiting,
        "pausing" => words.pausing,
        "paused" => words.paused,
        "failed" => words.solve_failed,
        _ => words.solving,
    };
    html! {
        section .card .solving data-solving=(solving.table) data-state=(solving.state) aria-live="polite" {
            h2 { (heading) }
            @if solving.state == "running" {
                progress max="1" value=(format!("{:.3}", solving.share)) aria-label=(heading) {}
            }
            p .what { (language.pick(&solving.what, &solving.japanese)) }
            @if let Some(left) = solving.left {
                p { (words.time_left) " " span .left data-language=(language.tag()) { (units::seconds(left, language)) } }
            }
            @if buttons {
                @match solving.state {
                    "waiting" | "running" => (button(variant, "pause", words.pause)),
                    "paused" | "failed" => (button(variant, "begin", words.go_on)),
                    _ => {},
                }
            }
        }
    }
}

/// What a solve takes, and how it is begun.
fn how_to_solve(site: &Site, variant: &Variant, language: Language) -> Markup {
    let words = language.phrases();
    let plan = variant.plan();
    let may = may_solve(site);
    let large = may.then(|| too_large(site, variant, language)).flatten();
    let begun = variant.is_begun();
    html! {
        section .card {
            h2 { (words.no_table) }
            @if plan.positions > 0 {
                @let (time, memory) = (units::seconds(plan.seconds, language), units::bytes(plan.memory));
                p { (match language {
                    Language::English => format!("It takes about {time}, {memory} of memory."),
                    Language::Japanese => format!("目安：{time}、メモリ{memory}。"),
                }) }
            }
            @if may && large.is_none() {
                @if begun { p { (words.is_begun) } }
                (button(variant, "begin", if begun { words.go_on } else { words.solve_now }))
            }
            @if let Some(why) = &large { p { (why) } }
            p { (if may { words.how_to_solve } else { words.cannot_solve }) }
            pre .command { code { (variant.command()) } }
        }
    }
}
