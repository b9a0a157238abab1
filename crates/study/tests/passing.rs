//! What cannot arise has no value in a table by rules alone: nothing else may fail for that.

use kanzen_solve::{Job, Silent};
use kanzen_study::explain::explain;
use kanzen_study::puzzle::{Wanted, puzzles};

#[test]
fn positions_that_cannot_be_passed_are_explained_and_make_puzzles() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["hexapawn", "dodgem"] {
        let game = kanzen_games::all().find(name).unwrap().build(&[]).unwrap();
        game.solve(dir.path(), None, &Job::default()).unwrap();
        let solved = game.open(dir.path()).unwrap();
        let start = solved.probe(None).unwrap();
        let passed = start.passed.as_deref().expect("a side to move is written");
        let error = solved.probe(Some(passed)).unwrap_err().to_string();
        assert!(error.contains("cannot arise"), "{error}");
        assert_eq!(explain(&*solved, &start).unwrap().threats.len(), 0);
        puzzles(&*solved, Wanted { count: 3, seed: 1, fastest: false }, &Silent).unwrap();
    }
}
