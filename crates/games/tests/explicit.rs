//! Games by their rules alone: stopped and resumed, on any number of threads, with damaged tables and
//! with rules that contradict themselves.

use kanzen_core::{Drawing, Endless, Game, Next, NotationError, Outcome, Side, Trace};
use kanzen_games::all;
use kanzen_index::Keyed;
use kanzen_registry::{AnyGame, Depth, GameError};
use kanzen_solve::{Job, Progress, Silent, SolveError, enumerate};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

fn game(name: &str, options: &[&str]) -> Box<dyn AnyGame> {
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    all().find(name).unwrap().build(&options).unwrap()
}

fn solve(game: &dyn AnyGame, dir: &Path, threads: usize) -> Vec<u8> {
    let report = game.solve(dir, None, &Job { threads, ..Job::default() }).unwrap();
    std::fs::read(report.table).unwrap()
}

/// Asks to stop after so many notes and steps.
struct StopAfter<'a>(AtomicU32, &'a AtomicBool);

impl StopAfter<'_> {
    fn tick(&self) {
        if self.0.fetch_sub(1, Relaxed) == 1 {
            self.1.store(true, Relaxed);
        }
    }
}

impl Progress for StopAfter<'_> {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {
        self.tick();
    }
    fn note(&self, _: &str) {
        self.tick();
    }
    fn end(&self) {}
}

#[test]
fn a_stopped_solve_goes_on_and_gives_the_same_bytes() {
    for (name, options) in
        [("picaria", &[][..]), ("dodgem", &["size=3"]), ("hexapawn", &["size=4x4"])]
    {
        let game = game(name, options);
        let whole = solve(&*game, tempfile::tempdir().unwrap().path(), 1);
        assert_eq!(whole, solve(&*game, tempfile::tempdir().unwrap().path(), 3), "{name}");
        let dir = tempfile::tempdir().unwrap();
        let mut stops = 0;
        let report = loop {
            let cancel = AtomicBool::new(false);
            let progress = StopAfter(AtomicU32::new(3 + 2 * stops), &cancel);
            let (cancel, progress) = (&cancel, &progress);
            let job =
                Job { threads: 2, interval: Duration::ZERO, cancel, progress, ..Job::default() };
            match game.solve(dir.path(), None, &job) {
                Ok(report) => break report,
                Err(GameError::Solve(SolveError::Cancelled)) => stops += 1,
                Err(error) => panic!("{name}: {error}"),
            }
            assert!(stops < 200, "{name}: no progress");
        };
        assert!(stops > 2, "{name}: stopped only {stops} times");
        assert_eq!(std::fs::read(report.table).unwrap(), whole, "{name}");
    }
}

#[test]
fn a_damaged_table_is_refused_or_right() {
    let game = game("hexapawn", &[]);
    let dir = tempfile::tempdir().unwrap();
    let whole = solve(&*game, dir.path(), 1);
    let path = dir.path().join("hexapawn.kanzen");
    for bit in (0..8 * whole.len()).step_by(17) {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, &bytes).unwrap();
        let refused = match game.open(dir.path()) {
            Ok(solved) => solved.verify(&Silent).map_or(true, |report| !report.passed),
            Err(_) => true,
        };
        assert!(refused, "bit {bit} of {}", 8 * whole.len());
    }
}

#[test]
fn what_cannot_arise_has_no_value_and_a_clear_error() {
    let dir = tempfile::tempdir().unwrap();
    let open = |name| {
        let game = game(name, &[]);
        solve(&*game, dir.path(), 1);
        game.open(dir.path()).unwrap()
    };
    assert_eq!(open("tictactoe").probe(None).unwrap().words(), "draw in 9");
    // Both sides come back to where they were in an even number of moves only.
    let error = open("dodgem").probe(Some("X../X../.OO O")).err().unwrap().to_string();
    assert!(error.contains("cannot arise from the start"), "{error}");
}

#[test]
fn a_game_that_is_won_by_having_no_move_is_proved() {
    let dir = tempfile::tempdir().unwrap();
    let game = game("dodgem", &[]);
    solve(&*game, dir.path(), 1);
    let solved = game.open(dir.path()).unwrap();
    let depth = Depth { most: 10_000_000, look: 0, book: true };
    let proof = solved.whole().unwrap().prove(None, depth, &Silent).unwrap();
    assert_eq!(proof.value.to_string(), "win in 19");
    assert!(proof.tree.is_some_and(|size| size > 19), "{:?}", proof.tree);
    assert!(proof.book.is_some_and(|book| book.entries.len() > 19));
}

#[test]
fn hare_and_hounds_counts_endless_play_as_the_hare_s() {
    let dir = tempfile::tempdir().unwrap();
    let counts = |options: &[&str]| {
        let game = game("hare-and-hounds", options);
        solve(&*game, dir.path(), 1);
        let summary = game.open(dir.path()).unwrap().summary().unwrap().unwrap();
        [summary.positions, summary.wins, summary.draws, summary.losses]
    };
    assert_eq!(counts(&[]), [1260, 572, 286, 402]);
    let [all, wins, draws, losses] = counts(&["endless=hare"]);
    assert_eq!((all, draws, wins + losses), (1260, 0, 1260));
    assert!(wins > 572 && losses > 402, "{wins} {losses}");
    // With the hare to move what was a draw is won, with the hounds to move it is lost.
    let game = game("hare-and-hounds", &["endless=hare"]);
    let solved = game.open(dir.path()).unwrap();
    let zugzwangs = solved.find("zugzwang", 5, &Silent).unwrap();
    assert!(!zugzwangs[0].rows.is_empty());
    assert!(solved.verify(&Silent).unwrap().passed);
}

/// A game that counts up to 20, wrong in one way or another.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    Stuck,
    Collision,
    NoKey,
    Symmetry,
    Notation,
    Limit,
    Endless,
}

#[derive(Clone)]
struct Count(Fault);

impl Game for Count {
    type Position = u32;
    type Move = u32;
    fn start(&self) -> u32 {
        0
    }
    fn over(&self, at: &u32) -> Option<Outcome> {
        (*at >= 20 && self.0 != Fault::Stuck && self.0 != Fault::Endless).then_some(Outcome::Loss)
    }
    fn moves(&self, at: &u32, mut each: impl FnMut(u32)) {
        if *at < 20 || self.0 == Fault::Endless {
            (1..=2).for_each(&mut each);
        }
    }
    fn play(&self, at: &u32, more: u32) -> Next<u32> {
        Next::Position(match self.0 {
            Fault::Endless => at.wrapping_mul(3).wrapping_add(more),
            _ => at + more,
        })
    }
    fn symmetries(&self) -> usize {
        if self.0 == Fault::Symmetry { 2 } else { 1 }
    }
    fn image(&self, at: &u32, symmetry: usize) -> u32 {
        if symmetry == 1 { 20 - at.min(&20) } else { *at }
    }
    fn parse(&self, text: &str) -> Result<u32, NotationError> {
        let number = text.parse().map_err(|_| NotationError::shape("a number", text))?;
        if self.0 == Fault::Notation && number > 9 {
            return Err(NotationError::Illegal("two digits".to_owned()));
        }
        Ok(number)
    }
    fn write(&self, at: &u32) -> String {
        at.to_string()
    }
    fn write_move(&self, _: &u32, more: u32) -> String {
        more.to_string()
    }
    fn draw(&self, _: &u32) -> Drawing {
        Drawing::cells(1, 1)
    }
    fn trace(&self, _: &u32, _: u32) -> Trace {
        Trace::default()
    }
    fn endless(&self) -> Endless {
        Endless::Draw
    }
    fn mover(&self, _: &u32) -> Side {
        Side::One
    }
}

impl Keyed for Count {
    fn key_limit(&self) -> u128 {
        match self.0 {
            Fault::Limit => 15,
            Fault::Endless => 1 << 100,
            _ => 30,
        }
    }
    fn key(&self, at: &u32) -> u128 {
        u128::from(if self.0 == Fault::Collision { at / 2 } else { *at })
    }
    fn with_key(&self, key: u128) -> Option<u32> {
        let at = u32::try_from(key).ok()?;
        match self.0 {
            Fault::Collision => Some(2 * at),
            Fault::NoKey if at > 12 => None,
            _ => Some(at),
        }
    }
}

#[test]
fn rules_that_contradict_themselves_are_named() {
    let job = Job { threads: 1, memory: 16 << 20, ..Job::default() };
    let found = |fault| enumerate(&Count(fault), &job, None).map_err(|error| error.to_string());
    assert_eq!(found(Fault::None).unwrap().len(), 22);
    for (fault, position, problem) in [
        (Fault::Stuck, "20", "there is no move, and the game is not over"),
        (Fault::Collision, "1", "keys collide"),
        (Fault::NoKey, "13", "no position"),
        (Fault::Symmetry, "0", "this is no symmetry"),
        (Fault::Notation, "10", "its notation is refused: illegal position: two digits"),
        (Fault::Limit, "15", "is not less than key_limit(), 15"),
    ] {
        let error = found(fault).unwrap_err();
        assert!(error.contains(position) && error.contains(problem), "{error}");
    }
    let error = found(Fault::Endless).unwrap_err();
    assert!(error.contains("new positions for ever"), "{error}");
}
