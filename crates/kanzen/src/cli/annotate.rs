//! Games that were played, with every move judged.

use super::output;
use anyhow::{Context, Result, bail};
use kanzen_core::{Kit, Language};
use kanzen_registry::AnySolved;
use kanzen_study::annotate::{Annotated, Record, annotate, html};
use serde_json::json;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// What is wanted of the games.
pub enum Form<'a> {
    /// Text for people, with coordinates or without.
    Text(bool),
    /// A line of JSON a game.
    Json,
    /// A page.
    Page(&'a Path, &'a str, Language),
    /// The positions of mistakes, with the better moves; as JSON or as text.
    Puzzles(bool),
}

/// Judges the games of a file; those that cannot be read are named, and the rest goes on.
pub fn run(
    solved: &dyn AnySolved,
    kit: &Kit,
    file: &Path,
    form: &Form<'_>,
    out: &mut impl Write,
) -> Result<ExitCode> {
    if let Form::Page(path, ..) = form {
        output::may_save(path, &["html"])?;
    }
    let mut text = String::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).context("standard input")?;
    } else {
        text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    }
    let mut code = ExitCode::SUCCESS;
    let mut games: Vec<Annotated> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(record) = Record::read(line) else { continue };
        match annotate(solved, &record) {
            Ok(game) => {
                match form {
                    Form::Text(coordinates) => writeln!(out, "{}", game.text(kit, *coordinates))?,
                    Form::Json => writeln!(out, "{}", serde_json::to_string(&game)?)?,
                    Form::Puzzles(as_json) => puzzles(&game, *as_json, out)?,
                    Form::Page(..) => {}
                }
                games.push(game);
            }
            Err(error) if matches!(form, Form::Json) => {
                writeln!(out, "{}", json!({ "line": number, "error": error.to_string() }))?;
                code = ExitCode::FAILURE;
            }
            Err(error) => {
                tell!("line {number}: {error}");
                code = ExitCode::FAILURE;
            }
        }
    }
    if games.is_empty() && code == ExitCode::SUCCESS {
        bail!("{}: there is no game in it", file.display());
    }
    if let Form::Page(path, title, language) = form {
        output::save(path, &html(&games, title, kit, *language))?;
    }
    Ok(code)
}

/// The positions before mistakes, and what would have been better.
fn puzzles(game: &Annotated, as_json: bool, out: &mut impl Write) -> Result<()> {
    for note in game.mistakes() {
        let better = note.better.as_deref().unwrap_or_default();
        if as_json {
            let facts = json!({
                "position": note.position, "value": note.before, "played": note.name, "solution": better,
            });
            writeln!(out, "{facts}")?;
        } else {
            writeln!(out, "{}\n   played {}; better {better}", note.position, note.name)?;
        }
    }
    Ok(())
}
