//! Playing line by line, where there is no terminal for a screen.
//!
//! A move is written by its name or by its number in the list of moves. Where names may be numbers
//! themselves, a number of the list has a mark, `#3`, so that none means two things.

use super::commands::said;
use super::output;
use anyhow::Result;
use kanzen_core::{Drawing, Kit, Verdict};
use kanzen_registry::opponent::Opponent;
use kanzen_registry::{Answer, AnySolved, MoveAnswer};
use kanzen_show::board::{exchange, lasting};
use kanzen_show::text;
use kanzen_study::worth::shown;
use std::io::{BufRead, Write};

const HELP: &str = "write a move by name or number; also: moves, hint, back, new, quit";
const MARKED_HELP: &str =
    "write a move by name, or by its number in the list as #3; also: moves, hint, back, new, quit";

/// What comes before a number of the list where a number alone is a name.
const MARK: &str = "#";

/// A game between a human and an opponent.
pub struct Table<'a> {
    /// What knows the values.
    pub solved: &'a dyn AnySolved,
    /// What it is played with.
    pub kit: &'a Kit,
    /// The opponent.
    pub opponent: Opponent,
    /// The number of the human player.
    pub side: u8,
    /// What the opponent's chances depend on.
    pub seed: u64,
    /// Whether boards have coordinates.
    pub coordinates: bool,
}

/// What the human wants.
enum Wish<'a> {
    Move(&'a MoveAnswer),
    Back,
    New,
    Quit,
}

impl Table<'_> {
    /// Plays until the human has enough.
    pub fn play(
        &self,
        position: Option<&str>,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<()> {
        let first = self.solved.probe(position)?;
        let marked = has_digits(&first) || has_digits(&self.solved.probe(None)?);
        writeln!(out, "{}", help(marked))?;
        // The positions so far, each with whether the sides of its drawing have changed places since the
        // first; the last one is on the board.
        let mut game = vec![(first.position, false)];
        while let Some((position, exchanged)) = game.last() {
            let (answer, exchanged) = (self.solved.probe(Some(position))?, *exchanged);
            let mover = lasting(answer.turn(), exchanged);
            let yours = mover.number() == self.side;
            if answer.moves.is_empty() {
                write!(out, "{}", self.board(&answer.drawing, exchanged))?;
                let worth = shown(self.kit, mover, answer.verdict(), answer.best_play.as_ref());
                writeln!(out, "the game is over: {}", said(worth, answer.best_play.as_ref()))?;
                if !self.go_on(&mut game, input, out)? {
                    return Ok(());
                }
                continue;
            }
            let mv = if yours {
                write!(out, "{}", self.board(&answer.drawing, exchanged))?;
                match ask(&answer, marked || has_digits(&answer), input, out)? {
                    Wish::Move(mv) => mv,
                    Wish::Back => {
                        self.take_back(&mut game)?;
                        continue;
                    }
                    Wish::New => {
                        game.truncate(1);
                        continue;
                    }
                    Wish::Quit => return Ok(()),
                }
            } else {
                let Some(mv) = self.opponent.choose(self.solved, &answer, self.seed)? else {
                    return Ok(());
                };
                let name = self.kit.party(mover).name.en;
                writeln!(out, "{}. {name}: {}", game.len(), mv.name)?;
                mv
            };
            match &mv.position {
                Some(next) => {
                    let drawing = self.solved.probe(Some(next))?.drawing;
                    game.push((next.clone(), mv.exchanges(exchanged, &drawing)));
                }
                None => {
                    if let Some(end) = &mv.end {
                        write!(out, "{}", self.board(end, exchanged))?;
                    }
                    let verdict = mv.value.map(|value| Verdict { value, plies: Some(0) });
                    let worth = shown(self.kit, mover, verdict, mv.best_play.as_ref());
                    writeln!(out, "the game is over: {}", said(worth, mv.best_play.as_ref()))?;
                    if !self.go_on(&mut game, input, out)? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// A board of the game; players keep their colours.
    fn board(&self, drawing: &Drawing, exchanged: bool) -> String {
        let seen = exchanged.then(|| exchange(drawing, self.kit));
        text(seen.as_ref().unwrap_or(drawing), self.coordinates)
    }

    /// Takes back to the human's last choice.
    fn take_back(&self, game: &mut Vec<(String, bool)>) -> Result<()> {
        while game.len() > 1 {
            game.pop();
            let Some((position, exchanged)) = game.last() else { break };
            let answer = self.solved.probe(Some(position))?;
            if lasting(answer.turn(), *exchanged).number() == self.side {
                break;
            }
        }
        Ok(())
    }

    /// After the end: whether to go on, from an earlier position or from the first.
    fn go_on(
        &self,
        game: &mut Vec<(String, bool)>,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<bool> {
        loop {
            write!(out, "back, new or quit? ")?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(false);
            }
            match line.trim() {
                "back" => {
                    // A move that ended the game has left no position behind.
                    let Some((position, exchanged)) = game.last() else { return Ok(true) };
                    let answer = self.solved.probe(Some(position))?;
                    let mover = lasting(answer.turn(), *exchanged).number();
                    if mover != self.side || answer.moves.is_empty() {
                        self.take_back(game)?;
                    }
                    return Ok(true);
                }
                "new" => {
                    game.truncate(1);
                    return Ok(true);
                }
                "quit" => return Ok(false),
                _ => {}
            }
        }
    }
}

/// Whether some move is called by digits alone.
fn has_digits(answer: &Answer) -> bool {
    answer.moves.iter().any(|mv| mv.name.bytes().all(|letter| letter.is_ascii_digit()))
}

fn help(marked: bool) -> &'static str {
    if marked { MARKED_HELP } else { HELP }
}

/// The move that somebody has written: its name, or its number in the list, which needs its mark if
/// names may be numbers.
fn written<'m, 'a>(
    text: &str,
    marked: bool,
    moves: &'m [&'a MoveAnswer],
) -> Option<&'m &'a MoveAnswer> {
    let by_name = moves.iter().find(|mv| mv.name == text);
    let number = match text.strip_prefix(MARK) {
        None if marked => None,
        number => number.unwrap_or(text).parse::<usize>().ok(),
    };
    by_name.or_else(|| moves.get(number?.checked_sub(1)?))
}

/// Asks for a move until there is one.
fn ask<'a>(
    answer: &'a Answer,
    marked: bool,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<Wish<'a>> {
    loop {
        write!(out, "your move: ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Wish::Quit);
        }
        // Names in an order that gives nothing away.
        let mut moves: Vec<&MoveAnswer> = answer.moves.iter().collect();
        moves.sort_by(|a, b| a.name.cmp(&b.name));
        match line.trim() {
            "" => {}
            "quit" => return Ok(Wish::Quit),
            "back" => return Ok(Wish::Back),
            "new" => return Ok(Wish::New),
            "help" => writeln!(out, "{}", help(marked))?,
            "moves" => {
                for (number, mv) in (1..).zip(&moves) {
                    let number = format!("{}{number}", if marked { MARK } else { "" });
                    writeln!(out, "{number:>4}  {}", mv.name)?;
                }
            }
            "hint" => {
                for mv in answer.moves.iter().take(10) {
                    writeln!(out, "  {:<16} {}", mv.name, output::coloured(mv.value, &mv.words()))?;
                }
            }
            text => match written(text, marked, &moves) {
                Some(mv) => return Ok(Wish::Move(mv)),
                None => writeln!(out, "'{text}' is not a move here; 'moves' lists them")?,
            },
        }
    }
}
