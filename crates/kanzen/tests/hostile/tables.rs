//! Tables that are damaged, and tables that lie.

use crate::forge::{Pieces, change_header};
use crate::{CORPUS, SMALL, build, confined, damage, pick, scratch, solve, tries, try_all};
use kanzen::analyse::Random;
use kanzen::registry::{AnyGame, AnySolved, Depth, GameError};
use kanzen::solve::Silent;
use kanzen::study::puzzle::{Wanted, puzzles};
use kanzen::study::{compare, find};
use std::path::{Path, PathBuf};

/// A solved game, and what its table is like.
struct Subject {
    game: Box<dyn AnyGame>,
    solved: Box<dyn AnySolved>,
    path: PathBuf,
    bytes: Vec<u8>,
    pieces: Pieces,
    /// Where the other tables are.
    dir: tempfile::TempDir,
}

impl Subject {
    fn new(game: Box<dyn AnyGame>) -> Subject {
        let (dir, real) = (scratch(), scratch());
        let solved = solve(&*game, real.path());
        let name = |dir| kanzen::registry::table_path(dir, &game.identity());
        let bytes = std::fs::read(name(real.path())).unwrap();
        let path = name(dir.path());
        let pieces = Pieces::of(&bytes);
        Subject { game, solved, path, bytes, pieces, dir }
    }

    /// The game with another table.
    fn with(&self, table: &[u8]) -> Result<Box<dyn AnySolved>, GameError> {
        std::fs::write(&self.path, table).unwrap();
        self.game.open(self.dir.path())
    }
}

/// Asks a table for everything that the commands ask for, one of it at a time. What it says does not
/// matter; that it says something does.
fn ask(subject: &Subject, solved: &dyn AnySolved, random: &mut Random, questions: u64) {
    let _ = solved.probe(None);
    let sample = subject.solved.sample(random);
    let _ = solved.probe(sample.as_deref());
    for _ in 0..questions {
        match random.below(9) {
            0 => drop(solved.line(sample.as_deref())),
            1 => drop(solved.stats().map(|findings| kanzen::show::json(&findings))),
            2 | 3 => {
                let mut kinds = find::kinds(solved);
                // These take a minute of Simpei, whatever its table says.
                kinds.retain(|kind| {
                    kind.name != "metrics" || subject.game.identity().game != "simpei"
                });
                let kind = pick(random, &kinds).name;
                drop(find::find(solved, kind, 3, &Silent));
            }
            4 => drop(solved.summary()),
            5 => drop(solved.verify(&Silent)),
            6 => {
                let depth = Depth { most: 2000, look: 1 + random.below(3) as u16, book: true };
                let prove =
                    |position| solved.whole().map(|all| all.prove(position, depth, &Silent));
                drop(prove(if random.below(2) == 0 { None } else { sample.as_deref() }));
            }
            // Where there are none it takes long to know that.
            7 if random.below(200) == 0 => {
                drop(puzzles(
                    solved,
                    Wanted { count: 1, seed: random.bits(), fastest: false },
                    &Silent,
                ));
            }
            _ => drop(compare::compare(["a", "b"], [solved, &*subject.solved], 3, &Silent)),
        }
    }
}

#[test]
fn a_table_that_lies_does_no_harm() {
    if !confined("tables::a_table_that_lies_does_no_harm") {
        return;
    }
    let subjects: Vec<Subject> = SMALL.iter().map(|&game| Subject::new(build(game))).collect();
    for subject in &subjects {
        // The forger's own table is believed.
        let solved = subject.with(&subject.pieces.table()).unwrap();
        let start =
            |solved: &dyn AnySolved| serde_json::to_string(&solved.probe(None).unwrap()).unwrap();
        assert_eq!(start(&*solved), start(&*subject.solved));
    }
    // Forged tables that are kept: each is named after its game.
    for entry in std::fs::read_dir(Path::new(CORPUS).join("tables")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let subject =
            subjects.iter().find(|subject| name.starts_with(&subject.game.identity().game));
        if let Ok(solved) = subject.unwrap().with(&std::fs::read(&path).unwrap()) {
            ask(subject.unwrap(), &*solved, &mut Random::new(1), 200);
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
            ask(subject, &*solved, random, 2);
        }
    });
    eprintln!("{opened} of them were opened and asked");
    assert!(opened > 0);
}

#[test]
fn a_damaged_table_is_refused_or_right() {
    if !confined("tables::a_damaged_table_is_refused_or_right") {
        return;
    }
    let subjects: Vec<Subject> = SMALL.iter().map(|&game| Subject::new(build(game))).collect();
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
