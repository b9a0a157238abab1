//! How results look on the terminal.

use anstyle::{AnsiColor, Color, Reset, Style};
use anyhow::{Context, Result, bail};
use kanzen_analyse::ValueError;
use kanzen_core::Outcome;
use kanzen_machine::files;
use kanzen_registry::GameError;
use kanzen_solve::SolveError;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// The exit status of an interrupted program, by the custom of shells.
pub const INTERRUPTED: u8 = 130;

/// The style of errors.
const ERROR: Style = Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::Red)));
/// Back to plain text.
const RESET: Reset = Reset;

/// Refuses a name that is not in a directory, or does not end in one of some ways, before there is
/// something to save.
pub fn may_save(path: &Path, endings: &[&str]) -> Result<()> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    if !ending.is_some_and(|ending| endings.contains(&ending)) {
        let (last, others) = endings.split_last().context("a file has a kind")?;
        let others = others.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>();
        let or = if others.is_empty() { "" } else { " or " };
        bail!("{}: the name must end in {}{or}.{last}", path.display(), others.join(", "));
    }
    match path.parent() {
        Some(parent) if parent != Path::new("") && !parent.is_dir() => {
            bail!("{}: there is no such directory", parent.display())
        }
        _ => Ok(()),
    }
}

/// Writes a file, whole or not at all; what is no file, such as a pipe, is written as it is.
pub fn save(path: &Path, text: &str) -> Result<()> {
    let put = || {
        if path.exists() && !path.is_file() {
            fs::write(path, text)
        } else {
            files::replace(path, |file| file.write_all(text.as_bytes()))
        }
    };
    put().with_context(|| path.display().to_string())
}

/// A value in its colour: green win, yellow draw, red loss.
pub fn coloured(value: Option<Outcome>, words: &str) -> String {
    let colour = match value {
        Some(Outcome::Win) => AnsiColor::Green,
        Some(Outcome::Draw) => AnsiColor::Yellow,
        Some(Outcome::Loss) => AnsiColor::Red,
        None => return words.to_owned(),
    };
    let style = Style::new().fg_color(Some(Color::Ansi(colour)));
    format!("{}{words}{}", style.render(), RESET.render())
}

/// Says what went wrong, and what helps, if that is known. Returns the status of the program.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    // Whoever reads the output has seen enough: that is no error.
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    if causes.any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let game = error.downcast_ref::<GameError>();
    let help = match game {
        Some(GameError::Solve(SolveError::Memory { .. })) => "; --memory allows more".to_owned(),
        Some(GameError::Solve(SolveError::Checkpoint { .. })) => {
            ": 'kanzen solve' with --again does".to_owned()
        }
        Some(GameError::Table(_) | GameError::Value(ValueError::Contradiction(_))) => {
            "; 'kanzen solve' with --again makes the table anew".to_owned()
        }
        Some(GameError::Value(ValueError::CensusOnly)) => {
            "; solve it with --again --store value or distance".to_owned()
        }
        Some(error) => match error.solve_arguments() {
            Some(arguments) => format!(": run 'kanzen solve {arguments}' first"),
            None => String::new(),
        },
        None => String::new(),
    };
    let (red, plain) = (ERROR.render(), RESET.render());
    let _ = writeln!(anstream::stderr(), "{red}error:{plain} {}{help}", told(error));
    match game {
        Some(GameError::Solve(SolveError::Cancelled)) => ExitCode::from(INTERRUPTED),
        _ => ExitCode::FAILURE,
    }
}

/// An error with its causes, but for those that it tells itself.
fn told(error: &anyhow::Error) -> String {
    let mut told = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !told.contains(&cause) {
            told += ": ";
            told += &cause;
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let cause = || anyhow::anyhow!("the file is empty");
        assert_eq!(told(&cause().context("games.txt")), "games.txt: the file is empty");
        let whole = "games.txt: the file is empty; write a line for each game";
        assert_eq!(told(&cause().context(whole)), whole);
    }

    #[test]
    fn files_are_saved_whole_and_only_where_they_can_be() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("report.html");
        save(&file, "old").unwrap();
        save(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        may_save(&file, &["html", "md"]).unwrap();
        may_save(Path::new("report.md"), &["html", "md"]).unwrap();
        let error = |path: &Path| may_save(path, &["html", "md"]).unwrap_err().to_string();
        assert!(error(Path::new("report.pdf")).ends_with("must end in .html or .md"));
        let nowhere = dir.path().join("nowhere").join("report.html");
        assert!(error(&nowhere).ends_with("nowhere: there is no such directory"));
        assert!(save(&nowhere, "new").unwrap_err().to_string().contains("nowhere"));
    }
}
