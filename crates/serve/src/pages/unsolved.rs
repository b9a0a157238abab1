//! What is shown of a game that has no table: how to get one, or how far the solve is.

use crate::state::solver::Solving;
use crate::state::tables::Variant;
use kanzen_core::Language;
use kanzen_show::{Speak, units};
use maud::{Markup, html};

/// Where a solve is.
pub fn progress(game: &str, solving: &Solving, language: Language) -> Markup {
    let words = language.phrases();
    let heading = match solving.state {
        "waiting" => words.waiting,
        "failed" => words.solve_failed,
        _ => words.solving,
    };
    html! {
        section .card .solving data-solving=(game) aria-live="polite" {
            h2 { (heading) }
            @if solving.state == "running" {
                progress max="1" value=(format!("{:.3}", solving.share)) {}
            }
            p .what { (solving.what) }
        }
    }
}

/// The command that makes a table.
pub fn how_to_solve(variant: &Variant, language: Language) -> Markup {
    let words = language.phrases();
    let plan = variant.plan();
    html! {
        section .card {
            h2 { (words.no_table) }
            p { (words.how_to_solve) }
            pre .command { code { (variant.command()) } }
            @if plan.positions > 0 {
                p { (words.takes) " " (units::seconds(plan.seconds, language)) ", "
                    (units::bytes(plan.memory)) " " (words.of_memory) }
            }
        }
    }
}
