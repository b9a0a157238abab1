//! Unfinished solves whose files are damaged: a refusal, or the same table as ever.

use crate::{confined, try_all};
use kanzen::analyse::Random;
use kanzen_fuzz::checkpoints::Subject;
use kanzen_fuzz::{build, damage, pick, tries};
use std::path::PathBuf;

/// Damages files of an unfinished solve, and goes on with it. Tells whether it was refused.
fn attempt(subject: &Subject, random: &mut Random) -> bool {
    let mut files = pick(random, &subject.left).clone();
    let names: Vec<PathBuf> = files.keys().cloned().collect();
    let name = pick(random, &names);
    match random.below(8) {
        // A file of another time, tier or place under this name; one that is missing.
        0 => drop(files.remove(name)),
        1 => drop(files.insert(name.clone(), files[pick(random, &names)].clone())),
        2 => {
            let other = pick(random, &subject.left).get(name).cloned();
            other.map(|bytes| files.insert(name.clone(), bytes));
        }
        _ => damage(random, files.get_mut(name).unwrap()),
    }
    subject.go_on(&files)
}

fn attempt_all(subjects: &[Subject], what: &str, count: u64) {
    for subject in subjects {
        for files in &subject.left {
            assert!(!subject.go_on(files), "undamaged, it goes on");
        }
    }
    let mut refused = 0;
    try_all(what, count, |random| {
        refused += u64::from(attempt(pick(random, subjects), random));
    });
    eprintln!("{refused} of them were refused, the others gave the same table");
    assert!(refused > 0);
}

#[test]
fn a_damaged_checkpoint_is_refused_or_gives_the_same_table() {
    if confined("checkpoints::a_damaged_checkpoint_is_refused_or_gives_the_same_table") {
        let subjects = Subject::all();
        attempt_all(&subjects, "damaged checkpoints", tries(400));
    }
}

/// The engine of Sixteen Musashi has files of its own, and its smallest board takes a while.
#[test]
fn damaged_rounds_are_refused_or_give_the_same_table() {
    if confined("checkpoints::damaged_rounds_are_refused_or_give_the_same_table") {
        let subjects = [Subject::new(build(("musashi25", &[])))];
        attempt_all(&subjects, "damaged rounds", tries(400).div_ceil(100));
    }
}
