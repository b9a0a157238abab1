//! A game under many rules: every combination of some options, solved side by side where there are
//! threads and memory for it.
//!
//! What is solved stays solved: a variant with a table is only looked into, one that was interrupted
//! goes on from its checkpoint, so a sweep can be stopped and begun again at any time.

use crate::record;
use kanzen_analyse::{Cell, Column, Finding, Kind, columns, row};
use kanzen_core::{Language, Side, Text};
use kanzen_registry::{AnyGame, AnySolved, Entry, GameError, Summary, table_path};
use kanzen_show::{Bar, Sheet, Speak, bars, page, units};
use kanzen_solve::{Job, Progress, Silent, SolveError};
use maud::html;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;

/// A game with some of its options varied.
pub struct Sweep {
    entry: &'static Entry,
    /// The options that are varied, in the order given.
    names: Vec<&'static str>,
    /// Every combination, as `name=value`.
    combinations: Vec<Vec<String>>,
}

/// What variants share: memory, and tables that are the same for some of them.
struct Room {
    left: Mutex<Left>,
    given_back: Condvar,
}

/// The memory that is free, and the tables that somebody is at work on.
struct Left {
    bytes: u64,
    busy: BTreeSet<PathBuf>,
}

/// What a variant has taken, given back when it is done.
struct Taken<'r> {
    room: &'r Room,
    bytes: u64,
    table: &'r Path,
}

impl Room {
    fn new(bytes: u64) -> Room {
        let left = Mutex::new(Left { bytes, busy: BTreeSet::new() });
        Room { left, given_back: Condvar::new() }
    }

    /// Waits until so many bytes are free, which are no more than all, and nobody is at the table.
    fn take<'r>(&'r self, bytes: u64, table: &'r Path) -> Taken<'r> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |left: &mut Left| left.bytes < bytes || left.busy.contains(table);
        let left = self.given_back.wait_while(left, waits);
        let mut left = left.unwrap_or_else(PoisonError::into_inner);
        left.bytes -= bytes;
        left.busy.insert(table.to_owned());
        Taken { room: self, bytes, table }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut left = self.room.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.bytes += self.bytes;
        left.busy.remove(self.table);
        self.room.given_back.notify_all();
    }
}

/// What became of a variant.
pub enum Variant {
    /// It is solved.
    Solved(Box<Facts>),
    /// It does not fit the memory: bytes needed and allowed.
    TooLarge {
        /// Bytes that its solve needs.
        needed: u64,
        /// Bytes that it may take.
        allowed: u64,
    },
}

/// What is known of a solved variant.
pub struct Facts {
    /// Its values in short.
    pub summary: Summary,
    /// Legal moves, on average, where the game tells.
    pub moves: Option<f64>,
    /// The share of wins and draws that a single move of several keeps, where the game tells.
    pub only_moves: Option<f64>,
    /// The seconds that the solve took; none if there was a table.
    pub seconds: Option<f64>,
}

impl Sweep {
    /// Reads what to vary: `name=value` with one value, several (`44,58`), a range of numbers
    /// (`2..4`) or all (`*`).
    ///
    /// # Errors
    /// If the game has no such option, or the option no such value; or if the game is not for two.
    pub fn new(entry: &'static Entry, given: &[String]) -> Result<Sweep, GameError> {
        let mut names = Vec::new();
        let mut combinations = vec![Vec::new()];
        for text in given {
            let (name, wanted) =
                text.split_once('=').ok_or_else(|| GameError::OptionShape(text.clone()))?;
            let Some(spec) = entry.options.iter().find(|spec| spec.name == name) else {
                // The game says itself which options it has.
                entry.options(std::slice::from_ref(text))?;
                continue;
            };
            if names.contains(&spec.name) {
                return Err(GameError::NoAnswer(format!(
                    "option '{name}' is given twice: write {name}=A,B for several values"
                )));
            }
            names.push(spec.name);
            let mut values: Vec<&'static str> = Vec::new();
            for part in wanted.split(',') {
                let found = values_of(spec.values, part).ok_or_else(|| GameError::OptionValue {
                    name: spec.name,
                    value: part.to_owned(),
                    allowed: spec.values.join(", "),
                })?;
                for value in found {
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
            let extended = combinations.iter().flat_map(|known: &Vec<String>| {
                values.iter().map(move |value| {
                    known.iter().cloned().chain([format!("{name}={value}")]).collect()
                })
            });
            combinations = extended.collect();
        }
        let game = entry.build(&combinations[0])?;
        let players = game.kit().parties.iter().filter(|party| party.side != Side::Neutral);
        if players.count() > 2 {
            let problem =
                format!("{} is for three players: a sweep compares games for two", entry.name);
            return Err(GameError::NoAnswer(problem));
        }
        Ok(Sweep { entry, names, combinations })
    }

    /// The options of every variant, in order.
    pub fn variants(&self) -> impl Iterator<Item = &[String]> {
        self.combinations.iter().map(Vec::as_slice)
    }

    /// Solves the variants, unless they have tables or are too large, and looks into them: as many at
    /// a time as there are threads and as their memory allows. `each` gets them in order.
    ///
    /// # Errors
    /// If a solve is stopped or fails, or `each` does; what solves have found is kept.
    pub fn solve<E: From<GameError>>(
        &self,
        dir: &Path,
        job: &Job<'_>,
        mut each: impl FnMut(&[String], Variant) -> Result<(), E>,
    ) -> Result<(), E> {
        let count = self.combinations.len();
        let threads = match job.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let workers = threads.min(count.max(1));
        // One at a time shows its own progress; of several, it is told how many are done.
        let alone = workers == 1;
        if !alone {
            job.progress.begin("variants", count as u64);
        }
        let share = Job {
            threads: threads / workers,
            progress: if alone { job.progress } else { &Silent },
            ..*job
        };
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let room = Room::new(job.memory);
        let (send, receive) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..workers {
                let send = send.clone();
                let (next, stop, room, share) = (&next, &stop, &room, &share);
                scope.spawn(move || {
                    while !stop.load(Relaxed) {
                        let number = next.fetch_add(1, Relaxed);
                        let Some(options) = self.combinations.get(number) else { return };
                        let solved = self.solve_one(options, dir, share, threads, room);
                        stop.fetch_or(solved.is_err(), Relaxed);
                        if send.send((number, solved)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            let mut waiting: BTreeMap<usize, Variant> = BTreeMap::new();
            let mut wanted = 0;
            for (number, solved) in receive {
                waiting.insert(number, solved?);
                if !alone {
                    job.progress.advance(1);
                }
                while let Some(variant) = waiting.remove(&wanted) {
                    let done = each(&self.combinations[wanted], variant);
                    stop.fetch_or(done.is_err(), Relaxed);
                    done?;
                    wanted += 1;
                }
            }
            job.progress.end();
            Ok(())
        })
    }

    /// Solves a variant with its share of the threads, or with all if it takes most of the memory.
    fn solve_one(
        &self,
        options: &[String],
        dir: &Path,
        share: &Job<'_>,
        all_threads: usize,
        room: &Room,
    ) -> Result<Variant, GameError> {
        let game = self.entry.build(options)?;
        let mut seconds = None;
        let table = table_path(dir, &game.identity());
        let allowed = share.memory;
        let needed = if table.exists() { 0 } else { game.plan(share.threads).memory };
        if needed > allowed {
            return Ok(Variant::TooLarge { needed, allowed });
        }
        let _taken = room.take(needed, &table);
        if !table.exists() {
            let threads = if needed > allowed / 2 { all_threads } else { share.threads };
            let job = Job { threads, ..*share };
            if job.cancel.load(Relaxed) {
                return Err(SolveError::Cancelled.into());
            }
            seconds = Some(record::solve(&*game, dir, None, &job)?.1);
        }
        let facts = facts(self.entry, &*game, dir, seconds, share.progress)?;
        Ok(Variant::Solved(Box::new(facts)))
    }

    /// A finding without rows: a column for each option that is varied, then what is known.
    pub fn finding(&self) -> Finding {
        let caption = Text::new(
            format!("{}: the variants side by side.", self.entry.title.en),
            format!("{}：各ルールの比較。", self.entry.title.ja),
        );
        let known = [
            Column::new("value", "start", "初期局面"),
            columns::PLIES,
            columns::POSITIONS,
            Column::new("draw_share", "drawn", "引き分け"),
            Column::new("mean_moves", "moves", "手の数"),
            Column::new("only_move_share", "only move", "唯一の手"),
            columns::LONGEST,
        ];
        let heads: Vec<Column> =
            self.names.iter().map(|name| Column::new(name, name, name)).chain(known).collect();
        Finding::new("variants", caption, &heads)
    }

    /// The row of a variant in the [`finding`](Sweep::finding).
    pub fn row(&self, options: &[String], variant: &Variant) -> Vec<Cell> {
        let chosen = options.iter().map(|option| {
            let value = option.split_once('=').map_or("", |(_, value)| value);
            value.parse().map_or_else(|_| Cell::Name(value.to_owned()), Cell::Count)
        });
        let facts = match variant {
            Variant::Solved(facts) => {
                let summary = &facts.summary;
                row![
                    summary.value.value,
                    summary.value.plies,
                    summary.positions,
                    Cell::Share(facts.draw_share()),
                    facts.moves.map(Cell::Number),
                    facts.only_moves.map(Cell::Share),
                    summary.longest,
                ]
            }
            Variant::TooLarge { .. } => vec![Cell::Nothing; 7],
        };
        chosen.chain(facts).collect()
    }

    /// A variant for programs.
    pub fn json(&self, options: &[String], variant: &Variant) -> Json {
        let chosen = options.iter().filter_map(|option| option.split_once('='));
        let chosen: serde_json::Map<String, Json> =
            chosen.map(|(name, value)| (name.to_owned(), json!(value))).collect();
        match variant {
            Variant::TooLarge { needed, allowed } => json!({
                "game": self.entry.name, "options": chosen, "solved": false,
                "needed": needed, "allowed": allowed,
            }),
            Variant::Solved(facts) => {
                let Summary { value, positions, wins, draws, losses, longest, .. } = facts.summary;
                json!({
                    "game": self.entry.name, "options": chosen, "solved": true,
                    "start": facts.summary.start, "value": value.value, "plies": value.plies,
                    "positions": positions, "wins": wins, "draws": draws, "losses": losses,
                    "draw_share": facts.draw_share(), "mean_moves": facts.moves,
                    "only_move_share": facts.only_moves, "longest": longest,
                    "seconds": facts.seconds,
                })
            }
        }
    }

    /// The variants as a page: a table, and bars for every number.
    pub fn html(&self, finding: &Finding, language: Language) -> String {
        let sheet = Sheet::new(finding, language);
        let columns = finding.columns.iter().enumerate().skip(self.names.len());
        let pictures = columns.filter_map(|(place, column)| {
            // Numbers of positions differ by much: their digits are compared.
            let digits = column.name == columns::POSITIONS.name;
            let bar = |row: &Vec<Cell>| Bar {
                label: self.label(row, language),
                length: length(&row[place], digits),
                shown: shown(&row[place]),
            };
            let all: Vec<Bar> = finding.rows.iter().map(bar).collect();
            let mut title = column.title.say(language).to_owned();
            if digits {
                title += &format!(" ({})", language.phrases().plot_log);
            }
            all.iter().any(|bar| bar.length > 0.0).then(|| (bars(&title, &all), title))
        });
        let body = html! {
            h1 { (self.entry.title.say(language)) }
            p { (self.entry.rules.say(language)) }
            h2 { (sheet.caption) }
            (sheet.table(usize::MAX))
            @for (picture, title) in pictures { h3 { (title) } (picture) }
        };
        page(language, self.entry.title.say(language), &body)
    }

    /// The options of a row, in short.
    fn label(&self, row: &[Cell], language: Language) -> String {
        let options = self.names.iter().zip(row).map(|(name, cell)| match cell {
            Cell::Count(value) => format!("{name}={value}"),
            Cell::Name(value) => format!("{name}={value}"),
            _ => (*name).to_owned(),
        });
        let label = options.collect::<Vec<_>>().join(" ");
        if label.is_empty() { self.entry.title.say(language).to_owned() } else { label }
    }
}

impl Facts {
    /// The share of positions that are drawn.
    pub fn draw_share(&self) -> f64 {
        self.summary.draws as f64 / self.summary.positions.max(1) as f64
    }
}

/// The values of an option that a word stands for; none if it stands for none.
fn values_of(allowed: &[&'static str], word: &str) -> Option<Vec<&'static str>> {
    if word == "*" {
        return Some(allowed.to_vec());
    }
    if let Some((low, high)) = word.split_once("..") {
        let (low, high): (u64, u64) = (low.parse().ok()?, high.parse().ok()?);
        let inside = |value: &u64| (low..=high).contains(value);
        let numbered = allowed.iter().filter_map(|value| Some((value.parse().ok()?, *value)));
        let mut found: Vec<(u64, &str)> = numbered.filter(|(number, _)| inside(number)).collect();
        found.sort_unstable();
        return (!found.is_empty()).then(|| found.into_iter().map(|(_, value)| value).collect());
    }
    allowed.iter().find(|value| **value == word).map(|value| vec![*value])
}

/// Looks into a table.
fn facts(
    entry: &Entry,
    game: &dyn AnyGame,
    dir: &Path,
    seconds: Option<f64>,
    progress: &dyn Progress,
) -> Result<Facts, GameError> {
    let solved = game.open(dir)?;
    let summary = solved.summary()?.ok_or_else(|| {
        GameError::NoAnswer(format!("{}: its values are not wins, draws and losses", entry.name))
    })?;
    let [moves, only_moves] = choices(&*solved, progress)?;
    Ok(Facts { summary, moves, only_moves, seconds })
}

/// The mean number of moves and the share of only moves, where the game finds them.
fn choices(solved: &dyn AnySolved, progress: &dyn Progress) -> Result<[Option<f64>; 2], GameError> {
    if !solved.kinds().contains(&Kind::FAIRNESS) {
        return Ok([None; 2]);
    }
    let findings = solved.find(Kind::FAIRNESS.name, 0, progress)?;
    Ok([columns::MEAN_MOVES.name, "only_move_share"].map(|name| {
        let finding = findings.first()?;
        let place = finding.columns.iter().position(|column| column.name == name)?;
        match finding.rows.first()?[place] {
            Cell::Number(number) | Cell::Share(number) => Some(number),
            _ => None,
        }
    }))
}

/// A cell as the length of a bar: the number, or how many digits it has.
fn length(cell: &Cell, digits: bool) -> f64 {
    match cell {
        Cell::Count(count) if digits => (1.0 + *count as f64).log10(),
        Cell::Count(count) => *count as f64,
        Cell::Number(number) | Cell::Share(number) => *number,
        _ => 0.0,
    }
}

/// A cell beside its bar.
fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Count(count) => units::grouped(*count),
        Cell::Number(number) => format!("{number:.2}"),
        Cell::Share(share) => units::percent(*share),
        _ => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_values() {
        let allowed = ["4", "3", "2", "free"];
        assert_eq!(values_of(&allowed, "2..4"), Some(vec!["2", "3", "4"]));
        assert_eq!(values_of(&allowed, "3..9"), Some(vec!["3", "4"]));
        assert_eq!(values_of(&allowed, "*"), Some(allowed.to_vec()));
        assert_eq!(values_of(&allowed, "free"), Some(vec!["free"]));
        for wrong in ["5", "", "4..2", "a..b", "..", "7..9", "2..", "**"] {
            assert_eq!(values_of(&allowed, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_combination_comes_once() {
        let given =
            |texts: &[&str]| -> Vec<String> { texts.iter().map(|it| (*it).into()).collect() };
        let entry = kanzen_games::all().find("simpei").unwrap();
        let sweep = Sweep::new(entry, &given(&["first=*", "pieces=2..3,3"])).unwrap();
        let all: Vec<String> = sweep.variants().map(|options| options.join(" ")).collect();
        assert_eq!(
            all,
            [
                "first=centre pieces=2",
                "first=centre pieces=3",
                "first=free pieces=2",
                "first=free pieces=3",
            ]
        );
        assert_eq!(Sweep::new(entry, &[]).unwrap().variants().count(), 1);
        let error = |texts: &[&str]| Sweep::new(entry, &given(texts)).err().unwrap().to_string();
        assert!(error(&["pieces=5..9"]).contains("cannot be '5..9': allowed are 4, 3, 2"));
        assert!(error(&["size=3"]).contains("options are first, pieces"));
        assert!(error(&["pieces"]).contains("name=value"));
        assert!(error(&["pieces=2", "pieces=3"]).contains("given twice"));
    }
}
