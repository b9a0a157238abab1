//! What is shown of a game that has no table: how to get one, or how far the solve is.

use crate::language::Language;
use crate::solver::Solving;
use crate::tables::Variant;
use maud::{Markup, html};

/// Where a solve is.
pub fn progress(game: &str, solving: &Solving, language: Language) -> Markup {
    let words = language.words();
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
    let words = language.words();
    let plan = variant.plan();
    html! {
        section .card {
            h2 { (words.no_table) }
            p { (words.how_to_solve) }
            pre .command { code { (variant.command()) } }
            @if plan.positions > 0 {
                p { (words.takes) " " (time(plan.seconds, language)) ", "
                    (memory(plan.memory)) " " (words.of_memory) }
            }
        }
    }
}

fn time(seconds: f64, language: Language) -> String {
    let words = language.words();
    match seconds {
        ..100.0 => format!("{:.0} {}", seconds.max(1.0), words.seconds),
        ..6000.0 => format!("{:.0} {}", seconds / 60.0, words.minutes),
        _ => format!("{:.1} {}", seconds / 3600.0, words.hours),
    }
}

fn memory(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
