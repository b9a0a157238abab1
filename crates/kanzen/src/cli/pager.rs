//! What is longer than a terminal is shown page by page, by `$PAGER` or `less`.

use super::commands::stop_at_interrupt;
use anyhow::Result;
use kanzen_show::fold;
use ratatui::crossterm::terminal;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

/// The pager if nobody names one; it lets colours through.
const USUAL: &str = "less -R";
/// Texts are not made narrower than this.
const NARROW: usize = 20;

/// The columns and lines of the terminal that the output goes to, if it goes to one.
fn terminal() -> Option<(u16, u16)> {
    if std::io::stdout().is_terminal() { terminal::size().ok() } else { None }
}

/// The columns of the terminal, at most so many, which are also those without a terminal.
pub fn columns(most: usize) -> usize {
    terminal().map_or(most, |(columns, _)| usize::from(columns).clamp(NARROW, most))
}

/// A text whose lines end with the terminal; all but the first are indented.
pub fn flow(text: &str, indent: usize) -> String {
    let columns = columns(usize::MAX).saturating_sub(indent).max(NARROW);
    fold(text, columns).replace('\n', &format!("\n{:indent$}", ""))
}

/// Prints a text; by a pager if it goes to a terminal of fewer lines and there is a pager.
pub fn print(text: &str, out: &mut impl Write) -> Result<()> {
    let long = terminal().is_some_and(|(_, lines)| text.lines().count() >= usize::from(lines));
    if !long || !page(text) {
        write!(out, "{text}")?;
    }
    Ok(())
}

/// Gives a text to the pager; false if there is none.
fn page(text: &str) -> bool {
    let named = std::env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty());
    let pager = named.unwrap_or_else(|| USUAL.to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return false };
    // Ctrl-C means something to a pager: the program must not end before it.
    let started = stop_at_interrupt()
        .ok()
        .and_then(|()| Command::new(program).args(words).stdin(Stdio::piped()).spawn().ok());
    let Some(mut pager) = started else { return false };
    if let Some(mut input) = pager.stdin.take() {
        // Whoever has seen enough closes the pager, which is no error.
        let _ = input.write_all(text.as_bytes());
    }
    let _ = pager.wait();
    true
}
