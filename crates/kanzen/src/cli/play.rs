//! Playing in the terminal.

use super::commands::said;
use super::output;
use anyhow::Result;
use kanzen_core::{Drawing, Kit, Side, Verdict};
use kanzen_registry::opponent::Opponent;
use kanzen_registry::{Answer, AnySolved, MoveAnswer};
use kanzen_show::board::exchange;
use kanzen_show::text;
use kanzen_study::worth::shown;
use std::io::{BufRead, Write};

const HELP: &str = "write a move by name or number; also: moves, hint, back, new, quit";

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
        writeln!(out, "{HELP}")?;
        let first = self.solved.probe(position)?.position;
        // The positions so far; the last one is on the board.
        let mut game = vec![first];
        while let Some(position) = game.last() {
            let answer = self.solved.probe(Some(position))?;
            let yours = self.mover(&answer, game.len() - 1) == self.side;
            let mover = Side::of_number(self.mover(&answer, game.len() - 1));
            if answer.moves.is_empty() {
                write!(out, "{}", self.board(&answer.drawing, game.len() - 1))?;
                let worth = shown(self.kit, mover, answer.verdict(), answer.best_play.as_ref());
                writeln!(out, "the game is over: {}", said(worth, answer.best_play.as_ref()))?;
                if !self.go_on(&mut game, input, out)? {
                    return Ok(());
                }
                continue;
            }
            let mv = if yours {
                write!(out, "{}", self.board(&answer.drawing, game.len() - 1))?;
                match ask(&answer, input, out)? {
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
                Some(next) => game.push(next.clone()),
                None => {
                    if let Some(end) = &mv.end {
                        write!(out, "{}", self.board(end, game.len() - 1))?;
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

    /// The board after some plies; players keep their colours.
    fn board(&self, drawing: &Drawing, ply: usize) -> String {
        let exchanged = drawing.turn.is_none() && ply % 2 == 1;
        let seen = exchanged.then(|| exchange(drawing, self.kit));
        text(seen.as_ref().unwrap_or(drawing), self.coordinates)
    }

    /// The number of the player to move.
    fn mover(&self, answer: &Answer, ply: usize) -> u8 {
        match answer.drawing.turn {
            Some(_) => answer.mover,
            None => 1 + (ply % 2) as u8,
        }
    }

    /// Takes back to the human's last choice.
    fn take_back(&self, game: &mut Vec<String>) -> Result<()> {
        while game.len() > 1 {
            game.pop();
            let Some(position) = game.last() else { break };
            let answer = self.solved.probe(Some(position))?;
            if self.mover(&answer, game.len() - 1) == self.side {
                break;
            }
        }
        Ok(())
    }

    /// After the end: whether to go on, from an earlier position or from the first.
    fn go_on(
        &self,
        game: &mut Vec<String>,
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
                    let answer = self.solved.probe(game.last().map(String::as_str))?;
                    if self.mover(&answer, game.len() - 1) != self.side || answer.moves.is_empty() {
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

/// Asks for a move until there is one.
fn ask<'a>(answer: &'a Answer, input: &mut impl BufRead, out: &mut impl Write) -> Result<Wish<'a>> {
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
            "help" => writeln!(out, "{HELP}")?,
            "moves" => {
                for (number, mv) in (1..).zip(&moves) {
                    writeln!(out, "{number:>4}  {}", mv.name)?;
                }
            }
            "hint" => {
                for mv in answer.moves.iter().take(10) {
                    writeln!(out, "  {:<16} {}", mv.name, output::coloured(mv.value, &mv.words()))?;
                }
            }
            text => {
                let by_number =
                    text.parse::<usize>().ok().and_then(|n| moves.get(n.wrapping_sub(1)));
                let by_name = moves.iter().find(|mv| mv.name == text);
                match by_name.or(by_number) {
                    Some(mv) => return Ok(Wish::Move(mv)),
                    None => writeln!(out, "'{text}' is not a move here; 'moves' lists them")?,
                }
            }
        }
    }
}
