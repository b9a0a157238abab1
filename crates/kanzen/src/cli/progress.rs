//! Progress on standard error: a bar on a terminal, a line every few seconds elsewhere.

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use kanzen_solve::Progress;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_secs(5);

/// Shows the progress of long work.
pub struct Show {
    bar: ProgressBar,
    /// What is being done, without a note.
    what: Mutex<String>,
    /// When the last line was printed, if lines are printed and not a bar.
    lines: Option<Mutex<Instant>>,
}

impl Show {
    /// Progress under a heading, such as the name of the game.
    pub fn new(heading: &str) -> Show {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let style = ProgressStyle::with_template(
            "{prefix}: {msg} [{bar:30}] {percent}% {per_sec} {eta} left",
        )
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
        let bar = ProgressBar::with_draw_target(Some(0), target).with_style(style);
        bar.set_prefix(heading.to_owned());
        let what = Mutex::default();
        Show { bar, what, lines: (!terminal).then(|| Mutex::new(Instant::now())) }
    }
}

impl Progress for Show {
    fn begin(&self, what: &str, total: u64) {
        self.bar.reset();
        self.bar.set_length(total);
        self.bar.set_message(what.to_owned());
        if let Ok(mut now) = self.what.lock() {
            what.clone_into(&mut now);
        }
    }

    fn advance(&self, units: u64) {
        self.bar.inc(units);
        let Some(Ok(mut last)) = self.lines.as_ref().map(Mutex::try_lock) else { return };
        if last.elapsed() >= EVERY {
            *last = Instant::now();
            let (heading, what) = (self.bar.prefix(), self.bar.message());
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0).max(1));
            if done == 0 {
                tell!("{heading}: {what}");
                return;
            }
            let speed = done as f64 / self.bar.elapsed().as_secs_f64().max(1e-3);
            tell!(
                "{heading}: {what} {}%, {} a second, {} s left",
                100 * done / total,
                HumanCount(speed as u64),
                (total.saturating_sub(done) as f64 / speed).ceil()
            );
        }
    }

    fn note(&self, text: &str) {
        if let Ok(what) = self.what.lock() {
            self.bar.set_message(format!("{what}, {text}"));
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
