//! How far a solve is, and how long it will take.

use crate::solver::{Round, Sink, Solver};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The state of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The round that is being done, from 0.
    pub round: usize,
    /// The share of the round that is done.
    pub share: f64,
    /// The time since the solve was started or resumed.
    pub elapsed: Duration,
    /// The time it will take, guessed from how quickly the rounds find less and
    /// less; `None` while they still find more and more.
    pub left: Option<Duration>,
}

/// Looks on while a solver runs.
pub trait Watch {
    /// Called several times a round.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// Called after each round, when the solver can be saved; may stop it.
    fn after_round(&mut self, solver: &Solver, round: &Round) -> ControlFlow<()> {
        let _ = (solver, round);
        ControlFlow::Continue(())
    }
}

/// Looks at nothing.
impl Watch for () {}

impl Solver {
    /// Does rounds until all is known or `watch` stops; tells whether all is
    /// known.
    pub fn run(&mut self, sink: Option<&dyn Sink>, watch: &mut dyn Watch) -> bool {
        let start = Instant::now();
        let mut history: Vec<(Duration, u64)> = Vec::new();
        while !self.is_finished() {
            let begin = Instant::now();
            let number = self.rounds();
            let mut report = |share: f64| {
                let later = later_rounds(&history);
                let this = begin.elapsed().mul_f64((1.0 - share) / share.max(0.01));
                watch.progress(&Progress {
                    round: number,
                    share,
                    elapsed: start.elapsed(),
                    left: later.map(|later| later + this),
                });
            };
            let Some(round) = self.round(sink, &mut report) else { break };
            history.push((begin.elapsed(), round.won));
            if watch.after_round(self, &round).is_break() {
                break;
            }
        }
        self.is_finished()
    }
}

/// The time of the rounds after the one under way: the new positions of a round
/// shrink by a constant factor towards the end, and its time does not grow.
fn later_rounds(history: &[(Duration, u64)]) -> Option<Duration> {
    let &[.., (_, before), (time, last)] = history else { return None };
    if last == 0 || last >= before {
        return None;
    }
    let factor = last as f64 / before as f64;
    let rounds = (last as f64).ln() / -factor.ln();
    Some(time.mul_f64((rounds - 1.0).max(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_only_when_rounds_find_less() {
        let second = Duration::from_secs(1);
        assert_eq!(later_rounds(&[(second, 10)]), None);
        assert_eq!(later_rounds(&[(second, 10), (second, 20)]), None);
        let left = later_rounds(&[(second, 1000), (second, 100)]).map(|d| d.as_secs_f64().round());
        assert_eq!(left, Some(1.0));
    }
}
