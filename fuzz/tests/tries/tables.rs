//! Tables that are damaged, and tables that lie.

use crate::{confined, try_all};
use kanzen::analyse::Random;
use kanzen::registry::AnySolved;
use kanzen_fuzz::forge::{ByContext, change_header};
use kanzen_fuzz::tables::Subject;
use kanzen_fuzz::{damage, pick, tries};
use std::path::Path;

/// Forged tables that did harm once, each named after its game.
const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/kept/tables");

#[test]
fn a_table_that_lies_does_no_harm() {
    if !confined("tables::a_table_that_lies_does_no_harm") {
        return;
    }
    let subjects = Subject::all();
    for subject in &subjects {
        // The forger's own table is believed.
        let solved = subject.with(&subject.pieces.table()).unwrap();
        let start =
            |solved: &dyn AnySolved| serde_json::to_string(&solved.probe(None).unwrap()).unwrap();
        assert_eq!(start(&*solved), start(&*subject.solved));
    }
    for entry in std::fs::read_dir(Path::new(KEPT)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut of_game =
            subjects.iter().filter(|subject| name.starts_with(&subject.game.identity().game));
        let subject = of_game.next().unwrap();
        if let Ok(solved) = subject.with(&std::fs::read(&path).unwrap()) {
            subject.ask(&*solved, &mut Random::new(1), 200);
        }
    }
    let mut opened = 0;
    try_all("forged tables", tries(1000), |random| {
        let subject = pick(random, &subjects);
        let mut pieces = subject.pieces.clone();
        pieces.change(random);
        let mut table = pieces.table();
        if random.below(20) == 0 {
            change_header(random, &mut table);
        }
        if let Some(kept) = std::env::var_os("KANZEN_KEEP") {
            std::fs::write(kept, &table).unwrap();
        }
        if let Ok(solved) = subject.with(&table) {
            opened += 1;
            subject.ask(&*solved, random, 2);
        }
    });
    eprintln!("{opened} of them were opened and asked");
    assert!(opened > 0);
}

#[test]
fn a_table_packed_by_context_that_lies_does_no_harm() {
    if !confined("tables::a_table_packed_by_context_that_lies_does_no_harm") {
        return;
    }
    let subject = Subject::packed_by_context();
    let forger = ByContext::of(&subject.bytes);
    let (mut refused, mut asked) = (0, 0);
    try_all("forged tables packed by context", tries(300), |random| {
        let Ok(solved) = subject.with(&forger.changed(random)) else {
            refused += 1;
            return;
        };
        asked += 1;
        for _ in 0..20 {
            let sample = subject.solved.sample(random);
            let _ = solved.probe(sample.as_deref());
        }
        if random.below(50) == 0 {
            let _ = solved.stats();
            let _ = solved.line(None);
        }
    });
    eprintln!("{refused} were refused, {asked} were asked");
    assert!(asked > 0);
}

#[test]
fn a_damaged_table_is_refused_or_right() {
    if !confined("tables::a_damaged_table_is_refused_or_right") {
        return;
    }
    let subjects = Subject::all();
    let (mut refused, mut right) = (0, 0);
    try_all("damaged tables", tries(3000), |random| {
        let subject = pick(random, &subjects);
        let mut table = subject.bytes.clone();
        damage(random, &mut table);
        let answered = subject.with(&table).and_then(|solved| {
            let sample = subject.solved.sample(random);
            let answer = solved.probe(sample.as_deref())?;
            Ok((answer, subject.solved.probe(sample.as_deref())?))
        });
        match answered {
            Ok((answer, expected)) => {
                let text = |answer| serde_json::to_string(answer).unwrap();
                assert_eq!(text(&answer), text(&expected), "a wrong answer");
                right += 1;
            }
            Err(_) => refused += 1,
        }
    });
    eprintln!("{refused} were refused, {right} gave the right answer");
    assert!(refused > right);
}
