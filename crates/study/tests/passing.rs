//! What cannot arise has no value in a table by rules alone: nothing else may fail for that.

use kanzen_solve::{Job, Silent};
use kanzen_study::explain::explain;
use kanzen_study::puzzle::{Grade, Wanted, puzzles};
use std::collections::HashSet;

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

#[test]
fn no_puzzle_is_an_image_of_another() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["mutorere", "tictactoe", "threerow"] {
        let game = kanzen_games::all().find(name).unwrap().build(&[]).unwrap();
        game.solve(dir.path(), None, &Job::default()).unwrap();
        let solved = game.open(dir.path()).unwrap();
        let wanted = Wanted { count: 12, seed: 1, fastest: false };
        let found = puzzles(&*solved, wanted, &Silent).unwrap();
        let images = found.iter().map(|puzzle| solved.canonical(&puzzle.position).unwrap());
        assert_eq!(images.collect::<HashSet<_>>().len(), found.len(), "{name}");
        assert_eq!(found.first().map(|puzzle| puzzle.grade), Some(Grade::Easy));
    }
}
