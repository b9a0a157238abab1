//! Solving in the background: what somebody asks for on a page, and what is quick to solve. One solve
//! runs at a time, on a thread of its own; it can be paused, which keeps its checkpoint.

use crate::http::errors::Trouble;
use crate::state::site::Site;
use crate::state::tables::Variant;
use kanzen_core::Language;
use kanzen_registry::{GameError, QUICK_SECONDS};
use kanzen_show::units;
use kanzen_solve::{Job, Progress, SolveError};
use kanzen_study::record;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// Seconds of the longest solve that a page offers; what takes longer has a command.
const LONGEST: f64 = 86_400.0;

/// Who may begin and pause solves on pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solvers {
    /// Nobody.
    #[default]
    Nobody,
    /// Who asks for a local address, such as `localhost`.
    Local,
    /// Everybody who can open the pages.
    All,
}

/// The solves that were asked for.
#[derive(Default)]
pub struct Solves(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    works: Vec<Arc<Work>>,
    /// Whether there is a thread that works on them.
    at_work: bool,
    /// Whether the program is about to end.
    over: bool,
}

/// A solve.
pub struct Work {
    variant: Arc<Variant>,
    cancel: AtomicBool,
    now: Mutex<Now>,
    done: AtomicU64,
    total: AtomicU64,
}

/// Where a solve is.
struct Now {
    state: State,
    what: String,
    /// When this part of it was begun.
    part: Instant,
    /// When the solve was begun or went on, and how long it had worked before.
    begun: Instant,
    spent: Duration,
}

#[derive(Clone, PartialEq)]
enum State {
    Waiting,
    Running,
    Paused,
    Done,
    /// Why, in English and Japanese.
    Failed(String, String),
}

/// The state of a solve as it is shown.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Solving {
    /// The game.
    pub game: &'static str,
    /// The name of its table, which tells variants apart.
    pub table: String,
    /// `waiting`, `running`, `pausing`, `paused` or `failed`.
    pub state: &'static str,
    /// What is being done, or why it failed.
    pub what: String,
    /// The same in Japanese.
    pub japanese: String,
    /// The share of this part that is done, from 0 to 1.
    pub share: f64,
    /// Seconds that the whole may still take; null unless it is running.
    pub left: Option<f64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress for Work {
    fn begin(&self, what: &str, total: u64) {
        let mut now = lock(&self.now);
        what.clone_into(&mut now.what);
        now.part = Instant::now();
        self.done.store(0, Relaxed);
        self.total.store(total, Relaxed);
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Relaxed);
    }

    fn note(&self, text: &str) {
        let mut now = lock(&self.now);
        let begun = now.what.split(", ").next().unwrap_or_default().to_owned();
        now.what = format!("{begun}, {text}");
    }

    fn end(&self) {}
}

/// The threads of a solve: a core is left for those who look at what is solved already.
fn threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores.saturating_sub(1).max(1)
}

/// What an engine says of its work, in Japanese; the names of tiers have few words.
fn in_japanese(what: &str) -> String {
    let number = |text: &str| text.chars().all(|letter| letter.is_ascii_digit() || letter == ',');
    let step = |step: &str| match step.split(' ').collect::<Vec<_>>()[..] {
        ["writing", "the", "table"] => "表の書き込み".to_owned(),
        ["writing", "the", "keys"] => "局面の番号の書き込み".to_owned(),
        ["reading", "the", "table", ..] => "表の読み込み".to_owned(),
        ["finding", "positions"] => "局面の列挙".to_owned(),
        ["barring", "images"] => "対称な禁手の計算".to_owned(),
        ["solving"] => "計算".to_owned(),
        ["all"] => "全体".to_owned(),
        ["ply", plies] | [plies, "plies" | "ply"] if number(plies) => format!("{plies}手"),
        ["ply", plies, count, "fired" | "drawn"] => {
            format!("{}手：{count}局面", plies.trim_end_matches(':'))
        }
        ["about", left, "s", "left"] => format!("残り約{left}秒"),
        [count, "pieces" | "men"] if number(count) => format!("{count}個"),
        [found, "found", "of", "perhaps", all] => format!("約{all}のうち{found}"),
        _ => step.replace(" against ", "対").replace(" and ", "と"),
    };
    what.split(", ").map(step).collect::<Vec<_>>().join("、")
}

impl Work {
    fn new(variant: Arc<Variant>) -> Work {
        let begun = Instant::now();
        let (state, what) = (State::Waiting, String::new());
        let now = Now { state, what, part: begun, begun, spent: Duration::ZERO };
        let (cancel, done, total) = Default::default();
        Work { variant, cancel, now: Mutex::new(now), done, total }
    }

    fn is(&self, state: &State) -> bool {
        lock(&self.now).state == *state
    }

    /// Where it is; none if it is done.
    fn shown(&self) -> Option<Solving> {
        let now = lock(&self.now);
        let total = self.total.load(Relaxed).max(1) as f64;
        let share = (self.done.load(Relaxed) as f64 / total).min(1.0);
        let at_it = || (now.what.clone(), in_japanese(&now.what));
        let (state, (what, japanese)) = match &now.state {
            State::Waiting => ("waiting", Default::default()),
            State::Running if self.cancel.load(Relaxed) => ("pausing", at_it()),
            State::Running => ("running", at_it()),
            State::Paused => ("paused", at_it()),
            State::Failed(why, japanese) => ("failed", (why.clone(), japanese.clone())),
            State::Done => return None,
        };
        // What the plan tells for the whole, and never less than this part's own pace.
        let left = (state == "running").then(|| {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let planned = self.variant.plan().seconds * cores as f64 / threads() as f64;
            let spent = now.spent + now.begun.elapsed();
            let pace = now.part.elapsed().as_secs_f64() * (1.0 - share) / share.max(0.01);
            (planned - spent.as_secs_f64()).max(pace).max(1.0)
        });
        let table = self.variant.table().to_owned();
        let game = self.variant.entry.name;
        Some(Solving { game, table, state, what, japanese, share, left })
    }

    /// Solves.
    fn run(&self, site: &Site) {
        let Some(dir) = site.tables.dir() else { return };
        {
            let mut now = lock(&self.now);
            (now.state, now.begun) = (State::Running, Instant::now());
        }
        let (threads, memory) = (threads(), site.room);
        let job = Job { threads, memory, cancel: &self.cancel, progress: self, ..Job::default() };
        let result = record::solve(&*self.variant.game, dir, None, &job);
        let game = self.variant.entry.name;
        let mut now = lock(&self.now);
        let worked = now.begun.elapsed();
        now.spent += worked;
        now.state = match result {
            Ok((_, seconds)) => {
                tracing::info!(game, seconds, "solved");
                State::Done
            }
            Err(GameError::Solve(SolveError::Cancelled)) => {
                tracing::info!(game, "paused");
                State::Paused
            }
            Err(error) => {
                tracing::warn!(game, %error, "not solved");
                let trouble = Trouble::Game(error);
                let why = trouble.to_string();
                State::Failed(why.clone(), trouble.in_japanese().unwrap_or(why))
            }
        };
    }
}

impl Solves {
    /// The solve of a game, if one was asked for and is not done.
    pub fn of(&self, variant: &Variant) -> Option<Solving> {
        let queue = lock(&self.0);
        queue.works.iter().find(|work| work.variant.table() == variant.table())?.shown()
    }

    /// All solves that are not done.
    pub fn all(&self) -> Vec<Solving> {
        lock(&self.0).works.iter().filter_map(|work| work.shown()).collect()
    }

    /// Whether a solve is at work now.
    pub fn running(&self) -> bool {
        lock(&self.0).works.iter().any(|work| work.is(&State::Running))
    }

    /// Whether something is still to be solved.
    pub fn busy(&self) -> bool {
        let waits = |work: &Arc<Work>| work.is(&State::Waiting) || work.is(&State::Running);
        lock(&self.0).works.iter().any(waits)
    }

    /// Stops all of them for good; they keep their checkpoints.
    pub fn stop(&self) {
        let mut queue = lock(&self.0);
        queue.over = true;
        queue.works.iter().for_each(|work| work.cancel.store(true, Relaxed));
    }

    /// Pauses a solve.
    pub fn pause(&self, variant: &Variant) {
        let queue = lock(&self.0);
        let work = queue.works.iter().find(|work| work.variant.table() == variant.table());
        let Some(work) = work else { return };
        let mut now = lock(&work.now);
        match now.state {
            State::Waiting => now.state = State::Paused,
            State::Running => work.cancel.store(true, Relaxed),
            State::Paused | State::Done | State::Failed(..) => {}
        }
    }
}

/// Why a solve is too large to be begun on a page; none if it is not.
pub fn too_large(site: &Site, variant: &Variant, language: Language) -> Option<String> {
    let plan = variant.plan();
    if plan.least > site.room {
        let (needed, allowed) = (units::bytes(plan.least), units::bytes(site.room));
        Some(language.pick(
            format!("It needs {needed} of memory, and the server gives a solve {allowed}."),
            format!("{needed}のメモリが必要ですが、このサーバーの上限は{allowed}です。"),
        ))
    } else if plan.seconds > LONGEST {
        let time = |seconds| units::seconds(seconds, language);
        let (needed, allowed) = (time(plan.seconds), time(LONGEST));
        Some(language.pick(
            format!("It takes about {needed}, and a page begins nothing longer than {allowed}."),
            format!("約{needed}かかりますが、ページから始められるのは{allowed}までです。"),
        ))
    } else {
        None
    }
}

/// Begins to solve a game, or goes on.
///
/// # Errors
/// If it needs more memory or time than the server gives.
pub fn begin(site: &Arc<Site>, variant: &Arc<Variant>) -> Result<(), Trouble> {
    if variant.has_table() {
        return Ok(());
    }
    if let Some(why) = too_large(site, variant, Language::English) {
        return Err(Trouble::field("game", why));
    }
    ask_for(site, variant);
    Ok(())
}

/// Puts a solve into the queue, and sees that somebody works on it.
fn ask_for(site: &Arc<Site>, variant: &Arc<Variant>) {
    let mut queue = lock(&site.solves.0);
    match queue.works.iter().find(|work| work.variant.table() == variant.table()) {
        Some(work) => {
            let mut now = lock(&work.now);
            if now.state != State::Running {
                now.state = State::Waiting;
                work.cancel.store(false, Relaxed);
            }
        }
        None => queue.works.push(Arc::new(Work::new(Arc::clone(variant)))),
    }
    if !queue.at_work {
        queue.at_work = true;
        let site = Arc::clone(site);
        std::thread::spawn(move || while work(&site) {});
    }
}

/// Does what waits longest; false if nothing does.
fn work(site: &Site) -> bool {
    let next = {
        let mut queue = lock(&site.solves.0);
        let next = queue.works.iter().find(|work| work.is(&State::Waiting)).cloned();
        queue.at_work = next.is_some() && !queue.over;
        next.filter(|_| queue.at_work)
    };
    let Some(next) = next else { return false };
    next.run(site);
    site.tables.look();
    site.tables.changed();
    true
}

/// Solves every quick game that has no table, the quickest first.
pub fn solve_quick(site: &Arc<Site>) {
    let games = site.tables.registry().entries();
    let variants = games.filter_map(|entry| site.tables.variant(entry.name, &[]).ok());
    let quick =
        |variant: &Arc<Variant>| !variant.has_table() && variant.plan().seconds < QUICK_SECONDS;
    let mut quick: Vec<Arc<Variant>> = variants.filter(quick).collect();
    quick.sort_by(|a, b| a.plan().seconds.total_cmp(&b.plan().seconds));
    quick.iter().for_each(|variant| ask_for(site, variant));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_told_in_japanese() {
        for (english, japanese) in [
            ("writing the table", "表の書き込み"),
            (
                "finding positions, ply 12, 345 found of perhaps 6789",
                "局面の列挙、12手、約6789のうち345",
            ),
            ("5 against 4 and 4 against 5, ply 7", "5対4と4対5、7手"),
            ("8 pieces", "8個"),
            ("", ""),
        ] {
            assert_eq!(in_japanese(english), japanese);
        }
    }
}
