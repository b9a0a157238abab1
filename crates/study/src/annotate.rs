//! A played game with every move judged: what it kept, what it lost, and what would have been better.
//!
//! A record is a line: the moves as the game writes them, with or without numbers (`1.`). A game that
//! does not begin at the start has its first position and a `|` before the moves.

use kanzen_core::{Drawing, Kit, Language, Outcome, Side, Trace, Verdict};
use kanzen_registry::{Answer, AnySolved, GameError, MoveAnswer};
use kanzen_show::board::{lasting, plain};
use kanzen_show::{Speak, Worth, page};
use maud::{Markup, html};
use serde::Serialize;
use std::fmt::Write;
use utoipa::ToSchema;

use crate::worth::shown;

/// A record: where the game begins, and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The first position; none for the start.
    pub position: Option<String>,
    /// The names of the moves.
    pub moves: Vec<String>,
}

impl Record {
    /// Reads a line; none if it is empty or a comment, which begins with `#`.
    ///
    /// ```
    /// use kanzen_study::annotate::Record;
    /// let record = Record::read("1. 0-8 2. 5-0").unwrap();
    /// assert_eq!(record.moves, ["0-8", "5-0"]);
    /// let record = Record::read("ADI H d | A-B H-G").unwrap();
    /// assert_eq!((record.position.as_deref(), record.moves.len()), (Some("ADI H d"), 2));
    /// assert_eq!(Record::read("# a comment"), None);
    /// ```
    pub fn read(line: &str) -> Option<Record> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (position, moves) = match line.split_once('|') {
            Some((position, moves)) => (Some(position.trim().to_owned()), moves),
            None => (None, line),
        };
        let numbered = |word: &&str| {
            word.strip_suffix('.').is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
        };
        let words: Vec<&str> = moves.split_whitespace().filter(|word| !numbered(word)).collect();
        Some(Record { position, moves: words.into_iter().map(str::to_owned).collect() })
    }
}

/// What a move did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// It was the only move that keeps the value.
    Only,
    /// No move was better.
    Best,
    /// It kept the outcome, but a quicker win or a slower loss was there.
    Slow,
    /// It gave the outcome away.
    Mistake,
    /// Nobody knows.
    Unknown,
}

/// A move with what it did.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Note {
    /// The number of the move, from 1.
    pub ply: usize,
    /// The player who made it, as the first position numbers players.
    pub player: u8,
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// What it did.
    pub mark: Mark,
    /// The outcome for its player before it.
    #[schema(value_type = Option<String>)]
    pub before: Option<Outcome>,
    /// The outcome for its player after it.
    #[schema(value_type = Option<String>)]
    pub after: Option<Outcome>,
    /// Plies by which a win comes later or a loss sooner than it had to.
    pub costs: u16,
    /// A better move, if there was one.
    pub better: Option<String>,
    /// The position before it.
    pub position: String,
    /// How many moves there were, and how many keep the value.
    pub moves: usize,
    /// How many of them keep the value.
    pub keeping: usize,
    /// The board before the move, and what the better move touches.
    #[serde(skip)]
    pub drawing: Drawing,
    /// Whether sides one and two of the drawing have changed places since the first position.
    #[serde(skip)]
    pub exchanged: bool,
    /// What the better move touches.
    #[serde(skip)]
    pub trace: Option<Trace>,
}

/// The moves of a player in short.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
pub struct Tally {
    /// The player.
    pub player: u8,
    /// Moves.
    pub moves: usize,
    /// Moves that were the only ones to keep the value.
    pub only: usize,
    /// Moves that were not best, but kept the outcome.
    pub slow: usize,
    /// Moves that gave the outcome away.
    pub mistakes: usize,
    /// Plies that slow moves cost.
    pub costs: u32,
}

/// A game with every move judged.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Annotated {
    /// The first position.
    pub position: String,
    /// Its value for the player to move.
    #[schema(value_type = Option<String>)]
    pub value: Option<Outcome>,
    /// Plies to the end of the game.
    pub plies: Option<u16>,
    /// The moves.
    pub notes: Vec<Note>,
    /// Both players, or all three.
    pub players: Vec<Tally>,
}

/// Judges every move of a game.
///
/// # Errors
/// If a position cannot be read, or a move cannot be made; the error names it.
pub fn annotate(solved: &dyn AnySolved, record: &Record) -> Result<Annotated, GameError> {
    let first = solved.probe(record.position.as_deref())?;
    let (position, value, plies) = (first.position.clone(), first.value, first.plies);
    let mut here = Some(first);
    let mut notes: Vec<Note> = Vec::new();
    let mut exchanged = false;
    for (number, name) in record.moves.iter().enumerate() {
        let wrong = |at: &str| {
            GameError::NoAnswer(format!("move {}, '{name}', cannot be made at {at}", number + 1))
        };
        let answer = here.take().ok_or_else(|| wrong("the end of the game"))?;
        let mv = answer.moves.iter().find(|mv| mv.name == *name);
        let mv = mv.ok_or_else(|| wrong(&answer.position))?;
        notes.push(note(&answer, mv, number, exchanged));
        here = match &mv.position {
            Some(next) => Some(solved.probe(Some(next))?),
            None => None,
        };
        exchanged = here.as_ref().is_some_and(|next| mv.exchanges(exchanged, &next.drawing));
    }
    let mut players: Vec<Tally> = Vec::new();
    for note in &notes {
        let place = players.iter().position(|tally| tally.player == note.player);
        let place = place.unwrap_or_else(|| {
            players.push(Tally { player: note.player, ..Tally::default() });
            players.len() - 1
        });
        let tally = &mut players[place];
        tally.moves += 1;
        tally.costs += u32::from(note.costs);
        match note.mark {
            Mark::Only => tally.only += 1,
            Mark::Slow => tally.slow += 1,
            Mark::Mistake => tally.mistakes += 1,
            Mark::Best | Mark::Unknown => {}
        }
    }
    players.sort_by_key(|tally| tally.player);
    Ok(Annotated { position, value, plies, notes, players })
}

fn note(answer: &Answer, mv: &MoveAnswer, number: usize, exchanged: bool) -> Note {
    let best = answer.moves.first();
    let keeping = answer.moves.iter().filter(|other| other.value == answer.value).count();
    let costs = match (best.and_then(MoveAnswer::verdict), mv.verdict()) {
        (Some(best), Some(made)) if best.value == made.value => {
            best.plies.unwrap_or(0).abs_diff(made.plies.unwrap_or(0))
        }
        _ => 0,
    };
    let mark = match (answer.value, mv.value) {
        (Some(before), Some(after)) if before != after => Mark::Mistake,
        (Some(_), Some(_)) if costs > 0 => Mark::Slow,
        (Some(_), Some(_)) if keeping == 1 && answer.moves.len() > 1 => Mark::Only,
        (Some(_), Some(_)) => Mark::Best,
        _ => Mark::Unknown,
    };
    let better = best.filter(|_| matches!(mark, Mark::Mistake | Mark::Slow));
    Note {
        ply: number + 1,
        player: lasting(answer.turn(), exchanged).number(),
        name: mv.name.clone(),
        mark,
        before: answer.value,
        after: mv.value,
        costs,
        better: better.map(|mv| mv.name.clone()),
        position: answer.position.clone(),
        moves: answer.moves.len(),
        keeping,
        drawing: answer.drawing.clone(),
        exchanged,
        trace: better.map(|mv| mv.trace.clone()),
    }
}

impl Note {
    /// What the move did, in words.
    pub fn words(&self, language: Language) -> String {
        let words = language.phrases();
        let outcome = |outcome: Option<Outcome>| outcome.map_or("?", |it| language.outcome(it));
        match self.mark {
            Mark::Only => words.only_move.to_owned(),
            Mark::Best => words.keeps_value.to_owned(),
            Mark::Unknown => words.unknown.to_owned(),
            Mark::Slow => {
                let costs = self.costs;
                language.pick(format!("costs {costs} plies"), format!("{costs}手の損"))
            }
            Mark::Mistake => format!("{} → {}", outcome(self.before), outcome(self.after)),
        }
    }

    /// The sign that stands for it: `!` the only move, `?!` slow, `?` a mistake.
    pub fn sign(&self) -> &'static str {
        match self.mark {
            Mark::Only => "!",
            Mark::Best => "",
            Mark::Slow => "?!",
            Mark::Mistake => "?",
            Mark::Unknown => "…",
        }
    }
}

impl Annotated {
    /// The moves that gave the outcome away.
    pub fn mistakes(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(|note| note.mark == Mark::Mistake)
    }

    /// The value of the first position.
    pub fn worth(&self, kit: &Kit) -> Worth {
        let mover = self.notes.first().map_or(1, |note| note.player);
        let verdict = self.value.map(|value| Verdict { value, plies: self.plies });
        shown(kit, Side::of_number(mover), verdict, None)
    }

    /// The summary of a player: moves, mistakes, what slow moves cost.
    pub fn summary(tally: &Tally, kit: &Kit, language: Language) -> String {
        let name = kit.party(Side::of_number(tally.player)).name.say(language);
        let &Tally { moves, only, slow, mistakes, costs, .. } = tally;
        let count =
            |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
        let mut en = vec![count(moves, "move", "moves")];
        en.push(match mistakes {
            0 => "no mistake".to_owned(),
            _ => count(mistakes, "mistake", "mistakes"),
        });
        let mut ja = vec![format!("{moves}手"), format!("悪手{mistakes}")];
        if slow > 0 {
            let (slows, plies) =
                (count(slow, "slow move", "slow moves"), count(costs as usize, "ply", "plies"));
            en.push(format!("{slows} at the cost of {plies}"));
            ja.push(format!("緩手{slow}（計{costs}手の損）"));
        }
        if only > 0 {
            en.push(format!("{} found", count(only, "only move", "only moves")));
            ja.push(format!("唯一の手{only}"));
        }
        language.pick(format!("{name}: {}", en.join(", ")), format!("{name}：{}", ja.join("、")))
    }

    /// The game as text, a line a move, with boards at the mistakes.
    pub fn text(&self, kit: &Kit, coordinates: bool) -> String {
        let language = Language::English;
        let mut text = format!("{}: {}\n", self.position, self.worth(kit).words(language));
        for note in &self.notes {
            let name = kit.party(Side::of_number(note.player)).name.en;
            let better = note.better.as_ref().map(|mv| format!("; better {mv}"));
            let (move_, said) = (format!("{}{}", note.name, note.sign()), note.words(language));
            _ = writeln!(
                text,
                "{:>4}. {name} {move_:<16} {said}{}",
                note.ply,
                better.unwrap_or_default()
            );
        }
        for tally in &self.players {
            _ = writeln!(text, "{}", Annotated::summary(tally, kit, language));
        }
        for note in self.mistakes() {
            let seen = note.exchanged.then(|| kanzen_show::board::exchange(&note.drawing, kit));
            let drawing = seen.as_ref().unwrap_or(&note.drawing);
            let better = note.better.as_deref().unwrap_or_default();
            _ = write!(text, "\nbefore move {}, {}; better was {better}:\n", note.ply, note.name);
            text += &kanzen_show::text(drawing, coordinates);
        }
        text
    }

    /// The board before a move, with the better one drawn.
    pub fn board(note: &Note, kit: &Kit, language: Language) -> Markup {
        let title = format!("{}. {}", note.ply, note.name);
        let mut board = plain(&note.drawing, kit, note.exchanged, language, title);
        if let Some(trace) = &note.trace {
            for &spot in trace.from.iter().chain(&trace.to).chain(&trace.also) {
                if let Some(marked) = board.spots.get_mut(spot) {
                    marked.last = true;
                }
            }
            board.arrow = trace.from.zip(trace.to);
        }
        board.svg()
    }

    /// The moves as a table; `link` leads to the position after so many plies.
    pub fn table(
        &self,
        kit: &Kit,
        language: Language,
        link: impl Fn(usize) -> Option<String>,
    ) -> Markup {
        let words = language.phrases();
        html! {
            table .notes {
                thead { tr { th { (words.ply) } th { (words.player) } th { (words.a_move) } th { (words.judged) } th { (words.better_move) } } }
                tbody {
                    @for note in &self.notes {
                        tr class={ "note " (format!("{:?}", note.mark).to_lowercase()) } {
                            td .number { (note.ply) }
                            td { (kit.party(Side::of_number(note.player)).name.say(language)) }
                            td { @match link(note.ply) {
                                Some(link) => a href=(link) { (note.name) (note.sign()) },
                                None => { (note.name) (note.sign()) },
                            } }
                            td { (note.words(language)) }
                            td { (note.better.as_deref().unwrap_or("")) }
                        }
                    }
                }
            }
        }
    }
}

/// Games as a page that stands alone.
pub fn html(games: &[Annotated], title: &str, kit: &Kit, language: Language) -> String {
    let words = language.phrases();
    let heading = format!("{title}: {}", words.annotated);
    let body = html! {
        h1 { (heading) }
        @for (number, game) in (1..).zip(games) {
            section {
                @if games.len() > 1 { h2 { (number) } }
                p { code { (game.position) } ": " (game.worth(kit).words(language)) }
                @for tally in &game.players { p { (Annotated::summary(tally, kit, language)) } }
                (game.table(kit, language, |_| None))
                @for note in game.mistakes() {
                    figure {
                        (Annotated::board(note, kit, language))
                        figcaption {
                            (note.ply) ". " (note.name) (note.sign()) ": " (note.words(language))
                            @if let Some(better) = &note.better { "; " (words.better) ": " (better) }
                        }
                    }
                }
            }
        }
    };
    page(language, &heading, &body)
}
