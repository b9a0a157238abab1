//! Tables from strangers, whose checksums are right.

use crate::forge::Pieces;
use crate::{PACKED_OSTLE, SMALL, SMALL_OSTLE, build, number, pick, scratch};
use kanzen::analyse::Random;
use kanzen::registry::{AnyGame, AnySolved, Depth, GameError, Registry, table_path};
use kanzen::solve::{Job, Silent};
use kanzen::study::puzzle::{Wanted, puzzles};
use kanzen::study::{compare, find};
use std::path::PathBuf;

/// A solved game, and what its table is like.
pub struct Subject {
    /// The game.
    pub game: Box<dyn AnyGame>,
    /// The game with its own table.
    pub solved: Box<dyn AnySolved>,
    /// That table.
    pub bytes: Vec<u8>,
    /// The same, taken apart.
    pub pieces: Pieces,
    /// Where the other tables are.
    path: PathBuf,
    dir: tempfile::TempDir,
}

impl Subject {
    /// Solves a game.
    ///
    /// # Panics
    /// If that fails.
    pub fn new(game: Box<dyn AnyGame>) -> Subject {
        Subject::of(game, Pieces::of)
    }

    /// A game whose table is packed by context, and not taken apart.
    ///
    /// # Panics
    /// If it cannot be solved.
    pub fn packed_by_context() -> Subject {
        let registry: Registry = [&PACKED_OSTLE].into_iter().collect();
        let game = registry.find(PACKED_OSTLE.name).unwrap().build(&[]).unwrap();
        Subject::of(game, |_| Pieces::default())
    }

    fn of(game: Box<dyn AnyGame>, pieces: impl Fn(&[u8]) -> Pieces) -> Subject {
        let (dir, real) = (scratch(), scratch());
        game.solve(real.path(), None, &Job { threads: 1, ..Job::default() }).unwrap();
        let solved = game.open(real.path()).unwrap();
        let name = |dir| table_path(dir, &game.identity());
        let bytes = std::fs::read(name(real.path())).unwrap();
        let path = name(dir.path());
        let pieces = pieces(&bytes);
        Subject { game, solved, bytes, pieces, path, dir }
    }

    /// A small game of every engine.
    pub fn all() -> Vec<Subject> {
        SMALL.iter().map(|&game| Subject::new(build(game))).collect()
    }

    /// The game with another table.
    ///
    /// # Errors
    /// If the table is refused.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn with(&self, table: &[u8]) -> Result<Box<dyn AnySolved>, GameError> {
        std::fs::write(&self.path, table).unwrap();
        self.game.open(self.dir.path())
    }

    /// Asks a table for everything that the commands ask for, one of it at a time. What it says does not
    /// matter; that it says something does.
    pub fn ask(&self, solved: &dyn AnySolved, random: &mut Random, questions: u64) {
        let _ = solved.probe(None);
        let sample = self.solved.sample(random);
        let _ = solved.probe(sample.as_deref());
        // Where there are no puzzles it takes long to know that, and a minute of Ostle.
        let rare = if self.game.identity().game == SMALL_OSTLE.name { 4000 } else { 200 };
        for _ in 0..questions {
            match random.below(9) {
                0 => drop(solved.line(sample.as_deref())),
                1 => drop(solved.stats().map(|findings| kanzen::show::json(&findings))),
                2 | 3 => {
                    let mut kinds = find::kinds(solved);
                    // These take a minute of Simpei, whatever its table says.
                    kinds.retain(|kind| {
                        kind.name != "metrics" || self.game.identity().game != "simpei"
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
                7 if random.below(rare) == 0 => {
                    let wanted = Wanted { count: 1, seed: random.bits(), fastest: false };
                    drop(puzzles(solved, wanted, &Silent));
                }
                _ => drop(compare::compare(["a", "b"], [solved, &*self.solved], 3, &Silent)),
            }
        }
    }
}

thread_local! {
    static SUBJECTS: Vec<Subject> = Subject::all();
}

/// Bytes for a game, for what is asked, and then what [`Pieces::from_bytes`] reads.
pub fn target(mut bytes: &[u8]) {
    SUBJECTS.with(|subjects| {
        let subject = &subjects[number(&mut bytes, 1) % subjects.len()];
        let mut random = Random::new(number(&mut bytes, 1) as u64);
        let Some(pieces) = subject.pieces.from_bytes(bytes) else { return };
        if let Ok(solved) = subject.with(&pieces.table()) {
            subject.ask(&*solved, &mut random, 1);
        }
    });
}
