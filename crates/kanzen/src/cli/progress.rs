//! Progress on standard error: a bar on a terminal, elsewhere a line now and then. Either fits 80 columns.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use kanzen_core::Language;
use kanzen_show::units::{rounded, seconds};
use kanzen_solve::Progress;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use unicode_width::UnicodeWidthChar;

/// The shortest time between two lines.
const EVERY: Duration = Duration::from_secs(10);
/// The longer the work lasts, the rarer the lines: one whenever this part of the time has passed again.
const PART: u32 = 10;
/// The columns of what is being done, beside a bar and beside figures.
const BESIDE_BAR: usize = 33;
const BESIDE_FIGURES: usize = 44;

/// Shows the progress of long work.
pub struct Show {
    bar: ProgressBar,
    heading: String,
    /// What is being done, without and with a note.
    what: Mutex<[String; 2]>,
    /// When lines are printed, if they are printed and not a bar.
    lines: Option<Mutex<Lines>>,
}

/// When lines are due.
struct Lines {
    begun: Instant,
    last: Instant,
}

impl Lines {
    fn new(now: Instant) -> Lines {
        Lines { begun: now, last: now }
    }

    /// Whether a line is due; it counts as printed then.
    fn due(&mut self, now: Instant) -> bool {
        let wait = EVERY.max((self.last - self.begun) / PART);
        let due = now - self.last >= wait;
        if due {
            self.last = now;
        }
        due
    }
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
        let speed = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            if state.pos() > 0 {
                let _ = write!(out, "{}/s", rounded(state.per_sec()));
            }
        };
        let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            if state.pos() > 0 {
                let _ = out.write_str(&left(state.eta().as_secs_f64()));
            }
        };
        let style = ProgressStyle::with_template("{msg} [{bar:16}] {percent:>3}% {speed} {left}")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .with_key("speed", speed)
            .with_key("left", left)
            .progress_chars("=> ");
        let bar = ProgressBar::with_draw_target(Some(0), target).with_style(style);
        let lines = (!terminal).then(|| Mutex::new(Lines::new(Instant::now())));
        Show { bar, heading: heading.to_owned(), what: Mutex::default(), lines }
    }

    fn say(&self, what: String) {
        self.bar.set_message(cut(&format!("{}: {what}", self.heading), BESIDE_BAR));
        if let Ok(mut now) = self.what.lock() {
            now[1] = what;
        }
    }
}

impl Progress for Show {
    fn begin(&self, what: &str, total: u64) {
        self.bar.reset();
        self.bar.set_length(total);
        if let Ok(mut now) = self.what.lock() {
            what.clone_into(&mut now[0]);
        }
        self.say(what.to_owned());
    }

    fn advance(&self, units: u64) {
        self.bar.inc(units);
        let Some(Ok(mut lines)) = self.lines.as_ref().map(Mutex::try_lock) else { return };
        if lines.due(Instant::now()) {
            let what = self.what.lock().map(|what| what[1].clone()).unwrap_or_default();
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let elapsed = self.bar.elapsed();
            tell!("{}", line(&format!("{}: {what}", self.heading), done, total, elapsed));
        }
    }

    fn note(&self, text: &str) {
        let what = self.what.lock().map(|what| what[0].clone()).unwrap_or_default();
        self.say(format!("{what}, {text}"));
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line of progress.
fn line(what: &str, done: u64, total: u64, elapsed: Duration) -> String {
    let what = cut(what, BESIDE_FIGURES);
    if done == 0 {
        return what;
    }
    let speed = done as f64 / elapsed.as_secs_f64().max(1e-3);
    let percent = (100.0 * done as f64 / total.max(1) as f64).min(100.0).floor();
    let rest = left(total.saturating_sub(done) as f64 / speed);
    format!("{what} {percent}%, {}/s, {rest}", rounded(speed))
}

/// The time that is left, in words.
fn left(rest: f64) -> String {
    match rest {
        ..1.0 => "1 s left".to_owned(),
        _ => format!("{} left", seconds(rest.min(1e7).ceil(), Language::English)),
    }
}

/// A text in so many columns: what is too much is left out.
fn cut(text: &str, columns: usize) -> String {
    let wide = |text: &str| text.chars().map(|letter| letter.width().unwrap_or(0)).sum::<usize>();
    if wide(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        if wide(&short) + letter.width().unwrap_or(0) + 1 > columns {
            break;
        }
        short.push(letter);
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn lines_fit_80_columns_and_have_few_digits() {
        let hour = Duration::from_secs(3600);
        let plain = line("ostle: tier 2 of 3, round 14", 1_234_567_890, 5_000_000_000, hour);
        assert_eq!(plain, "ostle: tier 2 of 3, round 14 24%, 343 k/s, 3.1 h left");
        assert_eq!(line("simpei: packing", 0, 0, hour), "simpei: packing");
        let long = "どうぶつしょうぎ: ".repeat(9) + &"looking for what can arise ".repeat(9);
        for (done, total) in [(1, 1), (1, u64::MAX), (u64::MAX, u64::MAX), (u64::MAX, 1)] {
            for elapsed in [Duration::ZERO, Duration::from_millis(12_345), hour * 999] {
                let line = line(&long, done, total, elapsed);
                assert!(line.width() <= 80, "{} columns: {line}", line.width());
            }
        }
        let widest = BESIDE_BAR + " [================] 100% 9.99 M/s 1234.5 h left".width();
        assert!(widest <= 80, "{widest}");
    }

    #[test]
    fn what_is_cut_is_cut_by_columns() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "long…");
        assert_eq!(cut("完全解析", 5), "完全…");
    }

    #[test]
    fn lines_come_every_ten_seconds_at_the_most_and_rarely_after_hours() {
        let begun = Instant::now();
        let mut lines = Lines::new(begun);
        let mut count = |from: u64, to: u64| {
            (from..to).filter(|second| lines.due(begun + Duration::from_secs(*second))).count()
        };
        assert_eq!(count(0, 10), 0, "quick work is silent");
        assert_eq!(count(10, 100), 9);
        let rest = count(100, 36_000);
        assert!((40..=80).contains(&rest), "{rest} lines in ten hours");
    }
}
