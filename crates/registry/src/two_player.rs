//! Any game for two players behind the common interface, whatever engine solves it.

use crate::any::{
    AnyGame, AnySolved, RankReport, SolveReport, Store, Summary, VerifyReport, Whole,
};
use crate::store::{Files, Shelf};
use crate::{
    Answer, Arrays, Changes, Choice, GameError, Legal, Line, MoveAnswer, Options, Pressing,
};
use kanzen_analyse::{Finding, Flaw, Kind, LineEnd, MoveValue, Random, Values, look_ahead};
use kanzen_core::{
    Drawing, Endless, Game, Kit, Next, Outcome, Pressure, Value, Verdict, fingerprint, perft,
};
use kanzen_solve::files::remove;
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
    fn spreads(&self, _: &G) -> bool {
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

    /// Ranks the draws, and writes them as a table into a file. Returns its length.
    ///
    /// # Errors
    /// If that cannot be done for this game, or the table cannot be written.
    fn rank_draws(&self, files: &Files, level: i32, job: &Job<'_>) -> Result<u64, GameError> {
        let _ = (files, level, job);
        let reason = "draws are ranked in games that the frontier engine solves";
        Err(GameError::NoAnswer(reason.to_owned()))
    }

    /// Whether the draws are ranked.
    fn ranks_draws(&self) -> bool {
        false
    }

    /// Takes a table of ranked draws.
    ///
    /// # Errors
    /// If it is of something else.
    fn take_draws(&mut self, draws: Table) -> Result<(), GameError> {
        let _ = draws;
        Ok(())
    }

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
        self.engine.spreads(&self.game)
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
        // Ranks that are damaged or of other rules would keep the new table from being opened.
        if first && files.draws_from(&dir.to_owned()).is_err() {
            let draws = files.draws();
            remove(&draws).map_err(SolveError::io(&draws))?;
        }
        Ok(SolveReport { table: files.table(), bytes, start: Verdict::from(value).to_string() })
    }

    fn rank_draws(&self, dir: &Path, job: &Job<'_>) -> Result<RankReport, GameError> {
        if cfg!(target_family = "wasm") {
            return Err(GameError::NoAnswer("nothing is ranked here".to_owned()));
        }
        let files = self.files(dir);
        let solved = self.engine.open(self.game.clone(), files.open()?)?;
        if self.game.endless() != Endless::Draw {
            let reason =
                "draws are ranked where endless play is a draw, and here a side wins by it";
            return Err(GameError::NoAnswer(reason.to_owned()));
        }
        let _lock = files.lock()?;
        let level = job.level.unwrap_or_else(|| self.engine.level());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads).build();
        let pool = pool.map_err(SolveError::from)?;
        let bytes = pool.install(|| solved.rank_draws(&files, level, job))?;
        let ranked = files.draws_from(&dir.to_owned())?;
        let tiers = ranked.iter().flat_map(|table| &table.meta().tiers);
        let counts = tiers.flat_map(|tier| tier.codes.iter().copied().zip(&tier.counts));
        let mut report =
            RankReport { table: files.draws(), bytes, draws: 0, pressing: 0, pressed: 0 };
        for (code, count) in counts {
            report.draws += count;
            match Pressure::from_code(code) {
                Some(Pressure { own: true, .. }) => report.pressing += count,
                Some(_) => report.pressed += count,
                None => (),
            }
        }
        Ok(report)
    }

    fn open_from(&self, shelf: &dyn Shelf) -> Result<Box<dyn AnySolved>, GameError> {
        let files = self.files(shelf.dir().unwrap_or("".as_ref()));
        let mut solved = self.engine.open(self.game.clone(), files.open_from(shelf)?)?;
        // Sites of static files have no ranks.
        if !cfg!(target_family = "wasm")
            && let Some(draws) = files.draws_from(shelf)?
        {
            solved.take_draws(draws)?;
        }
        Ok(Box::new(Opened { solved, recent: None }))
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
        // Games are tested before they are put into a browser.
        if cfg!(target_family = "wasm") {
            return Vec::new();
        }
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
            moves.push(answer(game, &position, mv, next, value, None));
        });
        Ok(describe(game, &position, over(&position), moves))
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
    pressure: Option<Pressure>,
) -> MoveAnswer {
    MoveAnswer {
        name: game.write_move(position, mv),
        position: next.position().map(|child| game.write(&child)),
        value: value.map(Value::outcome),
        plies: value.and_then(Value::plies),
        pressure: pressure.map(|pressure| Pressing::new(pressure, game.mover(position))),
        best_play: None,
        trace: game.trace(position, mv),
        gesture: game.gesture(position, mv),
        end: matches!(next, Next::Over(_)).then(|| game.draw_end(position, mv)),
        again: matches!(next, Next::Again(_)),
    }
}

/// A position in words.
fn describe<G: Game>(
    game: &G,
    position: &G::Position,
    value: Option<Value>,
    moves: Vec<MoveAnswer>,
) -> Answer {
    Answer {
        position: game.write(position),
        mover: game.mover(position).number(),
        value: value.map(Value::outcome),
        plies: value.and_then(Value::plies),
        pressure: None,
        best_play: None,
        barred: None,
        moves,
        passed: game.passed(position).map(|passed| game.write(&passed)),
        drawing: game.draw(position),
    }
}

impl<S: SolvedGame> Opened<S> {
    fn answer(&self, mv: MoveValue<S::Game>) -> MoveAnswer {
        answer(self.solved.game(), &mv.from, mv.mv, mv.next, Some(mv.value), mv.pressure)
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
        let mut answer = describe(game, &position, Some(value), moves);
        answer.barred = self.solved.barred(&position);
        if value.outcome() == Outcome::Draw {
            let pressure = self.solved.pressure(&position)?;
            answer.pressure = pressure.map(|known| Pressing::new(known, game.mover(&position)));
        }
        if let Some(recent) = recent {
            recent.keep(&answer);
        }
        Ok(answer)
    }

    fn probe_ranked(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let answer = self.probe(position)?;
        if answer.value != Some(Outcome::Draw) || self.solved.ranks_draws() {
            return Ok(answer);
        }
        let game = self.solved.game();
        let position = parse_or_start(game, Some(&answer.position))?;
        let mut moves = self.solved.moves(&position)?;
        for mv in moves.iter_mut().filter(|mv| mv.value.outcome() == Outcome::Draw) {
            if let Some(child) = mv.next.position() {
                let before = look_ahead(&self.solved, &child, 0)?.map(Pressure::before_move);
                let again = matches!(mv.next, Next::Again(_));
                mv.pressure = if again { before.map(Pressure::flip) } else { before };
            }
        }
        // They are sorted by value.
        for alike in moves.chunk_by_mut(|one, other| one.value == other.value) {
            alike.sort_by(|one, other| Pressure::compare(other.pressure, one.pressure));
        }
        let pressure = look_ahead(&self.solved, &position, 1)?;
        let pressure = pressure.map(|known| Pressing::new(known, game.mover(&position)));
        let moves = moves.into_iter().map(|mv| self.answer(mv)).collect();
        Ok(Answer { moves, pressure, ..answer })
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

    fn line_ranked(&self, position: Option<&str>) -> Result<Line, GameError> {
        let line = self.line(position)?;
        if line.value != Some(Outcome::Draw) || self.solved.ranks_draws() {
            return Ok(line);
        }
        let best = self.probe_ranked(Some(&line.position))?.moves.into_iter().next();
        let Some(best) =
            best.filter(|best| line.moves.first().is_none_or(|mv| mv.name != best.name))
        else {
            return Ok(line);
        };
        let rest = best.position.as_deref().map(|next| self.line(Some(next))).transpose()?;
        let (rest, mut end) =
            rest.map_or((Vec::new(), LineEnd::Over), |rest| (rest.moves, rest.end));
        let mut moves = vec![best];
        for mv in rest {
            let comes_back = mv.position.as_ref() == Some(&line.position);
            moves.push(mv);
            if comes_back {
                end = LineEnd::Repeats;
                break;
            }
        }
        Ok(Line { moves, end, ..line })
    }

    fn canonical(&self, position: &str) -> Result<String, GameError> {
        let game = self.solved.game();
        let position = parse(game, position)?;
        let images = (0..game.symmetries()).map(|image| game.write(&game.image(&position, image)));
        Ok(images.min().unwrap_or_else(|| game.write(&position)))
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
