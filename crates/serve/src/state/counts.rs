//! What a watcher wants to know of the server, in the form of Prometheus.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Counts since the server was started.
#[derive(Default)]
pub struct Counts {
    /// Answers by the first digit of their status.
    answers: [AtomicU64; 6],
    microseconds: AtomicU64,
}

impl Counts {
    /// Counts an answer.
    pub fn add(&self, status: u16, took: Duration) {
        if let Some(answers) = self.answers.get(usize::from(status / 100)) {
            answers.fetch_add(1, Relaxed);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.fetch_add(micros, Relaxed);
    }

    /// The counts, and how much is at work or waits now.
    pub fn text(&self, at_work: usize) -> String {
        let mut text = String::from("# TYPE kanzen_answers_total counter\n");
        for (class, answers) in self.answers.iter().enumerate().skip(1) {
            let answers = answers.load(Relaxed);
            _ = writeln!(text, "kanzen_answers_total{{status=\"{class}xx\"}} {answers}");
        }
        let seconds = self.microseconds.load(Relaxed) as f64 / 1e6;
        _ = writeln!(text, "# TYPE kanzen_answer_seconds_total counter");
        _ = writeln!(text, "kanzen_answer_seconds_total {seconds}");
        _ = writeln!(text, "# TYPE kanzen_work gauge");
        _ = writeln!(text, "kanzen_work {at_work}");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_class() {
        let counts = Counts::default();
        counts.add(200, Duration::from_millis(1500));
        counts.add(204, Duration::ZERO);
        counts.add(503, Duration::ZERO);
        counts.add(999, Duration::ZERO);
        let text = counts.text(7);
        assert!(text.contains("kanzen_answers_total{status=\"2xx\"} 2\n"), "{text}");
        assert!(text.contains("{status=\"5xx\"} 1\n") && text.contains("kanzen_work 7\n"));
        assert!(text.contains("kanzen_answer_seconds_total 1.5\n"), "{text}");
    }
}
