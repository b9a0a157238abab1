//! Many variants of a game: a line for each as it is done, then a table of all.

use super::args::Sweep as Given;
use super::commands::{CANCEL, catch_interrupts, directory};
use super::output;
use super::progress::Show;
use anyhow::Result;
use kanzen_core::Language;
use kanzen_registry::Registry;
use kanzen_show::{Sheet, csv, units};
use kanzen_solve::Job;
use kanzen_study::sweep::{Sweep, Variant};
use std::io::Write;
use std::process::ExitCode;

/// Columns of a terminal that a line may take.
const WIDTH: usize = 100;

/// Solves and compares the variants.
pub fn run(registry: &Registry, given: &Given, out: &mut impl Write) -> Result<ExitCode> {
    let sweep = Sweep::new(registry.find(&given.name)?, &given.options)?;
    for (path, ending) in [(&given.csv, "csv"), (&given.html, "html")] {
        if let Some(path) = path {
            output::may_save(path, &[ending])?;
        }
    }
    let dir = directory(&given.data)?;
    catch_interrupts()?;
    let mut finding = sweep.finding();
    let usual = Job::default();
    let job = Job {
        threads: given.threads,
        memory: given.memory.unwrap_or(usual.memory),
        cancel: &CANCEL,
        progress: &Show::new(&given.name),
        ..usual
    };
    sweep.solve(&dir, &job, |options, variant| -> Result<()> {
        if given.json {
            writeln!(out, "{}", sweep.json(options, &variant))?;
        } else {
            writeln!(out, "{}", line(&given.name, options, &variant))?;
        }
        out.flush()?;
        finding.add(sweep.row(options, &variant));
        Ok(())
    })?;
    if let Some(path) = &given.csv {
        output::save(path, &csv(&finding))?;
    }
    if let Some(path) = &given.html {
        let language = Language::of_tag(&given.language).unwrap_or_default();
        output::save(path, &sweep.html(&finding, language))?;
    }
    if !given.json {
        let language = Language::English;
        write!(out, "\n{}", Sheet::new(&finding, language).text(language))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What became of a variant, in a line, or in two if one is too short.
fn line(game: &str, options: &[String], variant: &Variant) -> String {
    let name = if options.is_empty() { game.to_owned() } else { options.join(" ") };
    let facts = match variant {
        Variant::TooLarge { needed, allowed } => format!(
            "left out: it needs {} of memory and {} are allowed (--memory allows more)",
            units::bytes(*needed),
            units::bytes(*allowed)
        ),
        Variant::Solved(facts) => {
            let summary = &facts.summary;
            let moves = facts.moves.map(|moves| format!(", {moves:.1} moves"));
            let only = facts.only_moves.map(|share| format!(", {:.1} % only", 100.0 * share));
            // What was solved before took no time now.
            let seconds = facts.seconds.map(|seconds| format!("; {seconds:.1} s"));
            format!(
                "{}; {} positions, {:.1} % drawn{}{}, longest {}{}",
                summary.value,
                units::grouped(summary.positions),
                100.0 * facts.draw_share(),
                moves.unwrap_or_default(),
                only.unwrap_or_default(),
                summary.longest,
                seconds.unwrap_or_default(),
            )
        }
    };
    let short = name.chars().count() + 2 + facts.chars().count() <= WIDTH;
    format!("{name}:{}{facts}", if short { " " } else { "\n  " })
}
