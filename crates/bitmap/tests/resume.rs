//! A solve that is saved after any round and resumed gives the same result.

mod common;

use common::grid;
use kanzen_bitmap::{Isa, Options, Progress, ResumeError, Round, Solver, Watch};
use std::ops::ControlFlow;

/// Saves and stops after some round.
struct StopAfter {
    round: usize,
    saved: Vec<u8>,
    last: Option<Progress>,
}

impl Watch for StopAfter {
    fn progress(&mut self, progress: &Progress) {
        assert!(progress.share > 0.0 && progress.share <= 1.0);
        self.last = Some(*progress);
    }

    fn after_round(&mut self, solver: &Solver, round: &Round) -> ControlFlow<()> {
        if round.number < self.round {
            return ControlFlow::Continue(());
        }
        solver.save(&mut self.saved).unwrap();
        ControlFlow::Break(())
    }
}

#[test]
fn resumes_after_any_round() {
    let graph = grid(5, 3, true);
    let mut whole = Solver::new(&graph, Options::default()).unwrap();
    assert!(whole.run(None, &mut ()));
    for round in 0..whole.rounds() {
        let mut watch = StopAfter { round, saved: Vec::new(), last: None };
        let mut solver = Solver::new(&graph, Options::default()).unwrap();
        let finished = solver.run(None, &mut watch);
        assert_eq!(finished, round + 1 == whole.rounds());
        assert_eq!(watch.last.map(|p| (p.round, p.share)), Some((round, 1.0)));
        let other = Options { threads: 1, isa: Some(Isa::Portable) };
        let mut resumed = Solver::resume(&graph, other, &watch.saved[..]).unwrap();
        assert_eq!(resumed.rounds(), round + 1);
        assert!(resumed.run(None, &mut ()));
        assert_eq!(resumed.census(), whole.census());
        for king in 0..whole.kings().len() {
            assert!(resumed.won(king) == whole.won(king));
        }
    }
}

#[test]
fn refuses_what_is_not_its_checkpoint() {
    let graph = grid(4, 3, true);
    let mut solver = Solver::new(&graph, Options::default()).unwrap();
    solver.round(None, &mut |_| {});
    let mut saved = Vec::new();
    solver.save(&mut saved).unwrap();
    let other = grid(3, 3, true);
    let resume = |graph, bytes: &[u8]| Solver::resume(graph, Options::default(), bytes);
    assert!(matches!(resume(&other, &saved), Err(ResumeError::OtherBoard)));
    assert!(matches!(resume(&graph, b"anything else"), Err(ResumeError::Foreign)));
    for cut in [1, 10, saved.len() / 2] {
        assert!(resume(&graph, &saved[..saved.len() - cut]).is_err(), "cut by {cut}");
    }
    let middle = saved.len() / 2;
    saved[middle] ^= 0x10;
    assert!(resume(&graph, &saved).is_err());
}
