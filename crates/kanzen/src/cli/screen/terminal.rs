//! The terminal: it is taken, drawn on, listened to, and always given back, also after a panic.

use super::draw::draw;
use super::state::{Left, Screen};
use super::theme::Theme;
use crate::cli::commands::{CANCEL, stop_at_interrupt};
use crate::cli::output;
use anyhow::{Context, Result};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::io::IsTerminal;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// How often the wish to stop is looked at.
const LISTEN: Duration = Duration::from_millis(100);

/// Whether somebody sits in front of a terminal that can show a screen.
pub fn is_there() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !(cfg!(unix) && dumb)
}

/// Ends the program when its terminal is closed: nobody will press a key again, nobody may have said so by
/// a signal, and reading keys would go on for ever there.
fn end_with_terminal() {
    #[cfg(unix)]
    std::thread::spawn(|| {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let input = std::io::stdin();
        loop {
            let mut asked = [PollFd::new(&input, PollFlags::empty())];
            let told = poll(&mut asked, Some(&Timespec { tv_sec: 1, tv_nsec: 0 }));
            if told.is_ok() && asked[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
                std::process::exit(output::INTERRUPTED.into());
            }
        }
    });
}

/// Shows a screen until somebody leaves it.
pub fn show(screen: &mut Screen<'_>) -> Result<Left> {
    // Ctrl-C comes as a key; this is for signals from elsewhere.
    stop_at_interrupt()?;
    end_with_terminal();
    // This also lets a panic give the terminal back before it speaks.
    let mut terminal = ratatui::try_init().context("cannot use the terminal")?;
    let left = listen(screen, &mut terminal);
    ratatui::restore();
    left
}

fn listen(screen: &mut Screen<'_>, terminal: &mut DefaultTerminal) -> Result<Left> {
    let theme = Theme::of_environment();
    loop {
        terminal.draw(|frame| draw(screen, theme, frame)).context("cannot use the terminal")?;
        if screen.due() {
            screen.answer()?;
            continue;
        }
        while !event::poll(LISTEN).context("cannot read keys")? {
            if CANCEL.load(Relaxed) {
                return Ok(Left::Interrupted);
            }
        }
        if let Event::Key(key) = event::read().context("cannot read keys")?
            && key.kind != KeyEventKind::Release
        {
            screen.press(key)?;
        }
        if let Some(left) = screen.left {
            return Ok(left);
        }
    }
}
