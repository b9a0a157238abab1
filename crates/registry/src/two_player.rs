//! Any game for two players behind the common interface, whatever engine solves it.

use crate::any::{AnyGame, AnySolved, SolveReport, Store, Summary, VerifyReport, Whole};
use crate::store::{Files, Shelf};
use crate::{Answer, Arrays, Changes, Choice, GameError, Legal, Line, MoveAnswer, Options};
use kanzen_analyse::{Finding, Flaw, Kind, MoveValue, Random, Values};
use kanzen_core::{Drawing, Game, Kit, Next, Value, Verdict, fingerprint, perft};
use kanzen_solve::{Job, Plan, Progress, SolveError};
use kanzen_table::{Identity, Table};
use std::any::Any;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Solves a game and opens its tables.
pub trait Engine<G: Game>: Send + Sync + 'static {
    /// A solved game.
    type Solved: SolvedGame + 'static;

    /// What a solve will take.
    fn plan(&self, game: &G, threads: usize) -> Plan;

    /// How much of a solve can be stored; the first unless told otherwise.
    fn stores(&self) -> &'static [Store] {
        &[Store::Distance]
    }

    /// Whether several processes can solve a game together.
    fn spreads(&self) -> bool {
        false
    }

    /// The level of compression that pays for the game's table.
    fn level(&self) -> i32 {
        9
    }

    /// Solves the game and writes its table. Returns the table's length and the start's value.
    ///
    /// # Errors
    /// If the solve is stopped or cannot go on; what it has found is kept where that is possible.
    fn solve(
        &self,
        game: &G,
        files: &Files,
        store: Store,
        level: i32,
        job: &Job<'_>,
    ) -> Result<(u64, Value), GameError>;

    /// The game with a table of it.
    ///
    /// # Errors
    /// If the table does not hold what the engine needs.
    fn open(&self, game: G, table: Table) -> Result<Self::Solved, GameError>;

    /// Tests the game's own consistency.
    fn check(&self, game: &G, samples: u64, seed: u64) -> Vec<Flaw>;
}

/// What a solved game for two players tells, beside the values of its positions.
pub trait SolvedGame: Values {
    /// How much of the solve is stored.
    fn store(&self) -> Store {
        Store::Distance
    }

    /// The name of the move that the move before has barred, if the game knows such bars.
    fn barred(&self, position: &<Self::Game as Game>::Position) -> Option<String> {
        let _ = position;
        None
    }

    /// The census.
    fn stats(&self) -> Vec<Finding>;

    /// The kinds of things that can be found.
    fn kinds(&self) -> Vec<Kind>;

    /// Finds what is of one of the [`kinds`](SolvedGame::kinds), with at most so many examples.
    ///
    /// # Errors
    /// If the table cannot be read, or there is too little memory.
    fn find(
        &self,
        kind: &str,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Finding>, GameError>;

    /// The number of all positions, of the won, drawn and lost ones, and the longest distance.
    fn totals(&self) -> ([u64; 4], u16);

    /// A random position of the table.
    fn sample(&self, random: &mut Random) -> Option<<Self::Game as Game>::Position>;

    /// Many positions at once, by numbers.
    fn arrays(&self) -> Option<&dyn Arrays> {
        None
    }

    /// What can be done with all values in memory.
    fn whole(&self) -> Option<&dyn Whole> {
        None
    }

    /// What changes from this rule to another's table; none if that cannot be told.
    ///
    /// # Errors
    /// If a table cannot be read.
    fn changes(
        &self,
        other: &Self,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Changes>, GameError>;

    /// Checks the table.
    ///
    /// # Errors
    /// If it cannot be read.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError>;
}

/// A game for two players under its name, and the engine that solves it.
pub struct TwoPlayer<G, E> {
    game: G,
    identity: Identity,
    /// Whether tables are made for these options and no other, so that they tell the rules.
    own_tables: bool,
    engine: E,
}

impl<G: Game + Clone + 'static, E: Engine<G>> TwoPlayer<G, E> {
    /// A game, the options that chose it, and the version of the numbers that its tables give to
    /// positions.
    pub fn with_engine(
        game: G,
        engine: E,
        index_version: u32,
        options: &Options,
    ) -> TwoPlayer<G, E> {
        let (identity, own_tables) = (options.identity(index_version), !options.share_tables());
        TwoPlayer { game, identity, own_tables, engine }
    }

    /// A game whose tables are known by this identity.
    pub(crate) fn with_identity(game: G, engine: E, identity: Identity) -> TwoPlayer<G, E> {
        TwoPlayer { game, identity, own_tables: true, engine }
    }

    /// The files of the game, which know its rules.
    fn files(&self, dir: &Path) -> Files {
        let rules = self.own_tables.then(|| fingerprint(&self.game));
        Files::new(dir, Identity { rules, ..self.identity.clone() })
    }

    fn position(&self, text: Option<&str>) -> Result<G::Position, GameError> {
        parse_or_start(&self.game, text)
    }
}

/// Reads a position; the start if none is given.
pub(crate) fn parse_or_start<G: Game>(
    game: &G,
    text: Option<&str>,
) -> Result<G::Position, GameError> {
    match text {
        Some(text) => parse(game, text),
        None => Ok(game.start()),
    }
}

/// Reads a position; an error shows how positions are written.
pub(crate) fn parse<G: Game>(game: &G, text: &str) -> Result<G::Position, GameError> {
    game.parse(text).map_err(|error| GameError::misread(game, error))
}

impl<G: Game + Clone + 'static, E: Engine<G>> AnyGame for TwoPlayer<G, E> {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn start(&self) -> String {
        self.game.write(&self.game.start())
    }

    fn plan(&self, threads: usize) -> Plan {
        self.engine.plan(&self.game, threads)
    }

    fn stores(&self) -> &'static [Store] {
        self.engine.stores()
    }

    fn spreads(&self) -> bool {
        self.engine.spreads()
    }

    fn solve(
        &self,
        dir: &Path,
        store: Option<Store>,
        job: &Job<'_>,
    ) -> Result<SolveReport, GameError> {
        // Nothing is solved in a browser, which need not fetch the engines then.
        if cfg!(target_family = "wasm") {
            return Err(GameError::NoAnswer("nothing is solved here".to_owned()));
        }
        let store = Store::choose(self, store)?;
        if job.machines.is_none() {
            let plan = self.plan(job.threads);
            if plan.least > job.memory && !plan.guessed {
                return Err(SolveError::Memory { needed: plan.least, allowed: job.memory }.into());
            }
        }
        let files = self.files(dir);
        // The first of several processes holds the lock for all.
        let first = job.machines.is_none_or(|machines| machines.index() == 0);
        let _lock = first.then(|| files.lock()).transpose()?;
        let level = job.level.unwrap_or_else(|| self.engine.level());
        let (bytes, value) = self.engine.solve(&self.game, &files, store, level, job)?;
        Ok(SolveReport { table: files.table(), bytes, start: Verdict::from(value).to_string() })
    }

    fn open_from(&self, shelf: &dyn Shelf) -> Result<Box<dyn AnySolved>, GameError> {
        let table = self.files(shelf.dir().unwrap_or("".as_ref())).open_from(shelf)?;
        Ok(Box::new(Opened { solved: self.engine.open(self.game.clone(), table)?, recent: None }))
    }

    fn legal(&self, position: Option<&str>) -> Result<Legal, GameError> {
        Ok(Legal::new(&self.game, &self.position(position)?))
    }

    fn parse(&self, position: &str) -> Result<String, GameError> {
        Ok(self.game.write(&parse(&self.game, position)?))
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, GameError> {
        Ok(perft(&self.game, &self.position(position)?, depth))
    }

    fn check(&self, samples: u64, seed: u64) -> Vec<Flaw> {
        self.engine.check(&self.game, samples, seed)
    }

    fn look(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let (game, position) = (&self.game, self.position(position)?);
        let over = |position: &G::Position| game.over(position).map(|end| Value::new(end, 0));
        let mut moves = Vec::new();
        game.moves(&position, |mv| {
            let next = game.play(&position, mv);
            let value = match next {
                Next::Over(outcome) => Some(Value::new(outcome, 1)),
                Next::Position(child) => over(&child).map(Value::before_move),
                Next::Again(child) => over(&child).map(|value| value.flip().before_move()),
            };
            moves.push(answer(game, &position, mv, next, value));
        });
        Ok(describe(game, &position, over(&position), None, moves))
    }

    fn draw(&self, position: Option<&str>) -> Result<Drawing, GameError> {
        Ok(self.game.draw(&self.position(position)?))
    }

    fn kit(&self) -> &'static Kit {
        self.game.kit()
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        self.game.compose(drawing)
    }
}

/// A solved game in the words of its notation.
pub struct Opened<S> {
    solved: S,
    /// What was answered lately, where somebody waits: the positions of a game are asked for again
    /// after each of its moves.
    recent: Option<Recent>,
}

/// At most twice so many answers are kept.
const RECENT: usize = 512;

/// The latest answers by positions, and those before them.
#[derive(Default)]
struct Recent(Mutex<[HashMap<String, Answer>; 2]>);

impl Recent {
    fn get(&self, position: &str) -> Option<Answer> {
        let maps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        maps.iter().find_map(|map| map.get(position).cloned())
    }

    fn keep(&self, answer: &Answer) {
        let mut maps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if maps[0].len() == RECENT {
            maps.swap(0, 1);
            maps[0].clear();
        }
        maps[0].insert(answer.position.clone(), answer.clone());
    }
}

/// A move in words; none is a value that nobody knows.
fn answer<G: Game>(
    game: &G,
    position: &G::Position,
    mv: G::Move,
    next: Next<G::Position>,
    value: Option<Value>,
) -> MoveAnswer {
    MoveAnswer {
        name: game.write_move(position, mv),
        position: next.position().map(|child| game.write(&child)),
        value: value.map(Value::outcome),
        plies: value.and_then(Value::plies),
        best_play: None,
        trace: game.trace(position, mv),
        gesture: game.gesture(position, mv),
        end: matches!(next, Next::Over(_)).then(|| game.draw_end(position, mv)),
    }
}

/// A position in words.
fn describe<G: Game>(
    game: &G,
    position: &G::Position,
    value: Option<Value>,
    barred: Option<String>,
    moves: Vec<MoveAnswer>,
) -> Answer {
    Answer {
        position: game.write(position),
        mover: game.mover(position).number(),
        value: value.map(Value::outcome),
        plies: value.and_then(Value::plies),
        best_play: None,
        barred,
        moves,
        passed: game.passed(position).map(|passed| game.write(&passed)),
        drawing: game.draw(position),
    }
}

impl<S: SolvedGame> Opened<S> {
    fn answer(&self, mv: MoveValue<S::Game>) -> MoveAnswer {
        answer(self.solved.game(), &mv.from, mv.mv, mv.next, Some(mv.value))
    }
}

impl<S: SolvedGame + 'static> AnySolved for Opened<S> {
    fn hurry(&mut self) {
        self.recent = Some(Recent::default());
    }

    fn store(&self) -> Store {
        self.solved.store()
    }

    fn probe(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let game = self.solved.game();
        let recent = self.recent.as_ref();
        if let Some(known) = recent.zip(position).and_then(|(recent, text)| recent.get(text)) {
            return Ok(known);
        }
        let position = parse_or_start(game, position)?;
        let value = self.solved.value(&position)?;
        let moves = self.solved.moves(&position)?.into_iter().map(|mv| self.answer(mv)).collect();
        let answer = describe(game, &position, Some(value), self.solved.barred(&position), moves);
        if let Some(recent) = recent {
            recent.keep(&answer);
        }
        Ok(answer)
    }

    fn choice(&self, position: &str) -> Result<Choice, GameError> {
        let game = self.solved.game();
        let position = parse(game, position)?;
        let value = self.solved.value(&position)?.outcome();
        let moves = self.solved.moves(&position)?;
        Ok(Choice {
            value,
            turn: game.draw(&position).turn,
            moves: moves.len(),
            keeping: moves.iter().filter(|mv| mv.value.outcome() == value).count(),
            best: moves.first().and_then(|mv| mv.next.position()).map(|next| game.write(&next)),
        })
    }

    fn value(&self, position: &str) -> Result<Verdict, GameError> {
        let position = parse(self.solved.game(), position)?;
        Ok(self.solved.value(&position)?.into())
    }

    fn arrays(&self) -> Option<&dyn Arrays> {
        self.solved.arrays()
    }

    fn line(&self, position: Option<&str>) -> Result<Line, GameError> {
        let game = self.solved.game();
        let position = parse_or_start(game, position)?;
        let value = self.solved.value(&position)?;
        let (moves, end) = self.solved.line(&position)?;
        Ok(Line {
            position: game.write(&position),
            mover: game.mover(&position).number(),
            value: Some(value.outcome()),
            plies: value.plies(),
            best_play: None,
            moves: moves.into_iter().map(|mv| self.answer(mv)).collect(),
            end,
        })
    }

    fn stats(&self) -> Result<Vec<Finding>, GameError> {
        Ok(self.solved.stats())
    }

    fn kinds(&self) -> Vec<Kind> {
        self.solved.kinds()
    }

    fn find(
        &self,
        kind: &str,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Finding>, GameError> {
        let kinds = self.solved.kinds();
        if kinds.iter().any(|known| known.name == kind) {
            self.solved.find(kind, most, progress)
        } else {
            Err(GameError::unknown_kind(kind, &kinds))
        }
    }

    fn summary(&self) -> Result<Option<Summary>, GameError> {
        let game = self.solved.game();
        let start = game.start();
        let ([positions, wins, draws, losses], longest) = self.solved.totals();
        Ok(Some(Summary {
            start: game.write(&start),
            value: self.solved.value(&start)?.into(),
            positions,
            wins,
            draws,
            losses,
            longest,
        }))
    }

    fn sample(&self, random: &mut Random) -> Option<String> {
        self.solved.sample(random).map(|position| self.solved.game().write(&position))
    }

    fn whole(&self) -> Option<&dyn Whole> {
        self.solved.whole()
    }

    fn changes(
        &self,
        other: &dyn AnySolved,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Changes>, GameError> {
        let other: &dyn Any = other;
        match other.downcast_ref::<Opened<S>>() {
            Some(other) => self.solved.changes(&other.solved, most, progress),
            None => Ok(None),
        }
    }

    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        self.solved.verify(progress)
    }
}
