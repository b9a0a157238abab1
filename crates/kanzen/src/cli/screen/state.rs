//! What is on the screen, and what a key makes of it. Nothing here knows of a terminal.
//!
//! A game is a row of stations, of which one is looked at; a move from an earlier one begins a new row
//! there. The three commands differ in who may move and in what is said of a move: see [`Mode`].

use super::keys::{Wish, wish};
use super::points;
use anyhow::Result;
use kanzen_core::{Kit, Language, Outcome, Side, Touch, Trace};
use kanzen_registry::opponent::Opponent;
use kanzen_registry::{AnySolved, MoveAnswer};
use kanzen_show::Speak;
use kanzen_study::puzzle::Puzzle;
use kanzen_study::station::{Station, kept};
use ratatui::crossterm::event::{KeyCode, KeyEvent};

/// Lines that a page of the list is taken to have.
const PAGE: usize = 10;

/// What the screen is about.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The name of the game.
    pub title: &'a str,
    /// What knows the values.
    pub solved: &'a dyn AnySolved,
    /// What the game is played with.
    pub kit: &'static Kit,
    /// Whether puzzles ask for the fastest win.
    pub fastest: bool,
    /// Whether boards have coordinates.
    pub coordinates: bool,
}

/// Which command the screen serves.
pub enum Mode {
    /// Every move has its value, and both sides are moved by hand.
    Probe,
    /// A game against an opponent.
    Play {
        /// The opponent.
        opponent: Opponent,
        /// The human's side.
        side: Side,
        /// What the opponent's chances depend on.
        seed: u64,
    },
    /// Puzzles, one after the other.
    Puzzles {
        /// All of them.
        all: Vec<Puzzle>,
        /// The place of the one that is looked at.
        number: usize,
    },
}

/// What keys go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The list of moves.
    #[default]
    Moves,
    /// The board.
    Board,
    /// The game so far.
    History,
}

/// How somebody has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// By a key.
    Quit,
    /// By Ctrl-C.
    Interrupted,
}

/// Everything that is on the screen.
pub struct Screen<'a> {
    /// What it is about.
    pub subject: Subject<'a>,
    /// Which command it serves.
    pub mode: Mode,
    /// The game so far.
    pub stations: Vec<Station>,
    /// The place of the station that is looked at.
    pub at: usize,
    /// What keys go to.
    pub pane: Pane,
    /// The place of the chosen move in [`moves`](Screen::moves).
    pub chosen: usize,
    /// What has been touched on the board.
    pub touched: Vec<Touch>,
    /// Where the cursor is on the board.
    pub cursor: Touch,
    /// How many hints were asked for here.
    pub hints: usize,
    /// Whether the board shows the hint and not the chosen move.
    pub hinted: bool,
    /// The beginning of a move's name that is being written.
    pub finding: Option<String>,
    /// What is said to the last key.
    pub note: String,
    /// Whether the page of help is shown.
    pub help: bool,
    /// Whether it is over, and how.
    pub left: Option<Left>,
}

impl<'a> Screen<'a> {
    /// A screen that begins at a position, or at the start.
    pub fn new(subject: Subject<'a>, mode: Mode, position: Option<&str>) -> Result<Screen<'a>> {
        let position = match &mode {
            Mode::Puzzles { all, number } => all.get(*number).map(|puzzle| &*puzzle.position),
            _ => position,
        };
        let first = Station::first(subject.solved.probe(position)?);
        let mut screen = Screen {
            subject,
            mode,
            stations: vec![first],
            at: 0,
            pane: Pane::default(),
            chosen: 0,
            touched: Vec::new(),
            cursor: Touch::Spot(0),
            hints: 0,
            hinted: false,
            finding: None,
            note: String::new(),
            help: false,
            left: None,
        };
        screen.cursor = points::first(&screen.here().drawing);
        Ok(screen)
    }

    /// The station that is looked at.
    pub fn here(&self) -> &Station {
        &self.stations[self.at]
    }

    /// The moves that are listed: with values the best first, otherwise by name, which gives nothing
    /// away. Of those that go on with what was touched.
    pub fn moves(&self) -> Vec<&MoveAnswer> {
        let all = self.here().answer.iter().flat_map(|answer| &answer.moves);
        let mut moves: Vec<&MoveAnswer> =
            all.filter(|mv| mv.gesture.next(&self.touched).is_some()).collect();
        if !self.shows_values() {
            // Names that are numbers in the order of numbers.
            moves.sort_by_cached_key(|mv| {
                let digits = mv.name.find(|c: char| !c.is_ascii_digit()).unwrap_or(mv.name.len());
                (mv.name[..digits].parse::<u32>().ok(), mv.name.clone())
            });
        }
        moves
    }

    /// Whether the values of moves are shown.
    pub fn shows_values(&self) -> bool {
        matches!(self.mode, Mode::Probe)
    }

    /// Whether a human may move here.
    pub fn may_move(&self) -> bool {
        !self.here().is_over()
            && match &self.mode {
                Mode::Probe => true,
                Mode::Play { side, .. } => self.here().mover == *side,
                Mode::Puzzles { .. } => {
                    self.here().mover == self.stations[0].mover && !self.wrong() && !self.done()
                }
            }
    }

    /// Whether the puzzle's goal was let slip.
    pub fn wrong(&self) -> bool {
        matches!(self.mode, Mode::Puzzles { .. })
            && !kept(&self.stations, self.at, self.subject.fastest)
    }

    /// Whether the puzzle is solved. A game that is never brought to an end is solved by the first move.
    pub fn done(&self) -> bool {
        let endless = self.stations[0].worth.is_some_and(|verdict| verdict.plies.is_none());
        matches!(self.mode, Mode::Puzzles { .. })
            && !self.wrong()
            && self.at > 0
            && (self.here().is_over() || endless)
    }

    /// Whether the other side is to answer now.
    pub fn due(&self) -> bool {
        let last = self.at + 1 == self.stations.len() && !self.here().is_over();
        last && match &self.mode {
            Mode::Probe => false,
            Mode::Play { side, .. } => self.here().mover != *side,
            Mode::Puzzles { .. } => self.here().mover != self.stations[0].mover && !self.done(),
        }
    }

    /// Lets the other side answer.
    pub fn answer(&mut self) -> Result<()> {
        let Some(answer) = &self.here().answer else { return Ok(()) };
        let mv = match &self.mode {
            Mode::Play { opponent, seed, .. } => {
                opponent.choose(self.subject.solved, answer, *seed)?
            }
            _ => answer.moves.first(),
        };
        let Some(mv) = mv.cloned() else { return Ok(()) };
        let wrong = self.wrong();
        let name = self.subject.kit.party(self.here().mover).name.en;
        let words = Language::English.phrases();
        let note = match self.mode {
            Mode::Puzzles { .. } if wrong => {
                format!(
                    "{}. {} {}. u: {}",
                    words.puzzle_wrong, words.refuted_by, mv.name, words.try_again
                )
            }
            Mode::Puzzles { .. } => format!("{} {name}: {}", words.puzzle_right, mv.name),
            _ => format!("{name}: {}", mv.name),
        };
        self.go(&mv)?;
        self.note = note;
        Ok(())
    }

    /// Answers a key.
    pub fn press(&mut self, key: KeyEvent) -> Result<()> {
        if self.finding.is_some() && self.write(key)? {
            return Ok(());
        }
        let wish = wish(key);
        if self.help && wish != Some(Wish::Interrupt) {
            self.help = false;
            return Ok(());
        }
        let Some(wish) = wish else { return Ok(()) };
        self.note.clear();
        match wish {
            Wish::Up | Wish::Down | Wish::Left | Wish::Right => self.arrow(wish),
            Wish::PageUp => self.choose(self.chosen.saturating_sub(PAGE)),
            Wish::PageDown => self.choose(self.chosen + PAGE),
            Wish::First => self.look_at(0),
            Wish::Last => self.look_at(self.stations.len() - 1),
            Wish::Choose if self.pane == Pane::Board => self.touch()?,
            Wish::Choose => {
                if let Some(mv) = self.moves().get(self.chosen).map(|mv| (*mv).clone()) {
                    self.make(&mv)?;
                }
            }
            Wish::Cancel => self.let_go(),
            Wish::Pane => {
                self.pane = match self.pane {
                    Pane::Moves => Pane::Board,
                    Pane::Board => Pane::History,
                    Pane::History => Pane::Moves,
                };
            }
            Wish::Back => self.back(),
            Wish::Forward => self.forward(),
            Wish::Hint => self.hint(),
            Wish::Solution => self.solve()?,
            Wish::New => self.renew(1)?,
            Wish::Earlier => self.renew(-1)?,
            Wish::Find => self.finding = Some(String::new()),
            Wish::Help => self.help = true,
            Wish::Quit => self.left = Some(Left::Quit),
            Wish::Interrupt => self.left = Some(Left::Interrupted),
        }
        Ok(())
    }

    /// Answers a key while a name is written; false if the key means something else.
    fn write(&mut self, key: KeyEvent) -> Result<bool> {
        let Some(text) = &mut self.finding else { return Ok(false) };
        match key.code {
            _ if wish(key) == Some(Wish::Interrupt) => return Ok(false),
            KeyCode::Char(letter) => text.push(letter),
            KeyCode::Backspace => {
                text.pop();
            }
            KeyCode::Enter => {
                self.finding = None;
                if let Some(mv) = self.moves().get(self.chosen).map(|mv| (*mv).clone()) {
                    self.make(&mv)?;
                }
                return Ok(true);
            }
            KeyCode::Esc => {
                self.finding = None;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        let text = text.clone();
        let moves = self.moves();
        let exact = moves.iter().position(|mv| mv.name == text);
        let found = exact.or_else(|| moves.iter().position(|mv| mv.name.starts_with(&text)));
        match found {
            Some(found) => self.choose(found),
            None => self.note = format!("no move here begins with '{text}'"),
        }
        Ok(true)
    }

    fn arrow(&mut self, wish: Wish) {
        match (self.pane, wish) {
            (Pane::Board, _) => {
                let drawing = &self.here().drawing;
                let possible = self.next_touches();
                self.cursor = points::beside(drawing, &possible, &self.cursor, wish);
            }
            (Pane::History, Wish::Up) => self.look_at(self.at.saturating_sub(1)),
            (Pane::History, Wish::Down) => self.look_at(self.at + 1),
            (Pane::Moves, Wish::Up) => self.choose(self.chosen.saturating_sub(1)),
            (Pane::Moves, Wish::Down) => self.choose(self.chosen + 1),
            (_, Wish::Left) => self.back(),
            _ => self.forward(),
        }
    }

    /// Chooses a move of the list.
    fn choose(&mut self, place: usize) {
        self.chosen = place.min(self.moves().len().saturating_sub(1));
        self.hinted = false;
    }

    /// What may be touched next.
    pub fn next_touches(&self) -> Vec<Touch> {
        let next = self.moves().into_iter().filter_map(|mv| mv.gesture.next(&self.touched));
        next.flatten().collect()
    }

    /// Touches what the cursor is on.
    fn touch(&mut self) -> Result<()> {
        if self.touched.last() == Some(&self.cursor) && !self.next_touches().contains(&self.cursor)
        {
            self.let_go();
            return Ok(());
        }
        if !self.next_touches().contains(&self.cursor) {
            let spot = points::name(&self.here().drawing, &self.cursor);
            self.note = match self.touched.is_empty() {
                true => format!("no move begins at {spot}"),
                false => format!("no such move goes on at {spot}; Esc lets go"),
            };
            return Ok(());
        }
        self.touched.push(self.cursor.clone());
        self.chosen = 0;
        self.hinted = false;
        let complete = |mv: &&MoveAnswer| mv.gesture.next(&self.touched) == Some(Vec::new());
        let moves = self.moves();
        match &moves[..] {
            [only] if complete(only) => {
                let mv = (*only).clone();
                self.make(&mv)?;
            }
            several if several.iter().any(complete) => {
                self.note = Language::English.phrases().choose_move.to_owned();
                self.pane = Pane::Moves;
            }
            _ => {}
        }
        Ok(())
    }

    fn let_go(&mut self) {
        self.touched.clear();
        self.choose(0);
    }

    /// Makes a move, if it is the human's turn.
    fn make(&mut self, mv: &MoveAnswer) -> Result<()> {
        if !self.may_move() {
            let name = self.subject.kit.party(self.here().mover).name.en;
            self.note = match (self.wrong(), self.done()) {
                (true, _) => "u goes back to where nothing was lost".to_owned(),
                (_, true) => "the puzzle is solved: n is the next one".to_owned(),
                _ => format!("it is the turn of {name} here; End goes to the last position"),
            };
            return Ok(());
        }
        self.go(mv)?;
        let words = Language::English.phrases();
        if self.done() {
            self.note = format!("{} n: {}", words.puzzle_done, words.next_puzzle);
        } else if self.wrong() {
            self.note = format!("{}. u: {}", words.puzzle_wrong, words.try_again);
        }
        Ok(())
    }

    fn go(&mut self, mv: &MoveAnswer) -> Result<()> {
        let solved = self.subject.solved;
        let next = self.here().after(mv, |position| solved.probe(position))?;
        self.stations.truncate(self.at + 1);
        self.stations.push(next);
        let pane = self.pane;
        self.look_at(self.at + 1);
        self.pane = pane;
        Ok(())
    }

    /// Looks at a station.
    fn look_at(&mut self, at: usize) {
        self.at = at.min(self.stations.len() - 1);
        self.touched.clear();
        self.hints = 0;
        self.note.clear();
        self.choose(0);
    }

    /// Whether a human chooses at a station.
    fn is_yours(&self, at: usize) -> bool {
        match &self.mode {
            Mode::Probe => true,
            Mode::Play { side, .. } => self.stations[at].mover == *side,
            Mode::Puzzles { .. } => {
                self.stations[at].mover == self.stations[0].mover
                    && kept(&self.stations, at, self.subject.fastest)
            }
        }
    }

    /// Back to the choice before.
    fn back(&mut self) {
        let before = (0..self.at).rev().find(|&at| self.is_yours(at));
        self.look_at(before.unwrap_or(0));
    }

    /// Forward to the next choice.
    fn forward(&mut self) {
        let after = (self.at + 1..self.stations.len()).find(|&at| self.is_yours(at));
        self.look_at(after.unwrap_or(self.stations.len() - 1));
    }

    /// A new game, or another puzzle.
    fn renew(&mut self, step: isize) -> Result<()> {
        match &mut self.mode {
            Mode::Puzzles { all, number } => {
                let last = all.len().saturating_sub(1);
                let other = number.saturating_add_signed(step).min(last);
                if other == *number {
                    let which = if step > 0 { "last" } else { "first" };
                    self.note = format!("this is the {which} puzzle");
                    return Ok(());
                }
                *number = other;
                let first = self.subject.solved.probe(Some(&all[other].position))?;
                self.stations = vec![Station::first(first)];
            }
            Mode::Play { .. } if step > 0 => self.stations.truncate(1),
            _ => return Ok(()),
        }
        self.look_at(0);
        Ok(())
    }

    /// The next hint.
    fn hint(&mut self) {
        let steps = self.steps();
        if !self.may_move() || steps.is_empty() {
            self.note = "there is nothing to choose here".to_owned();
            return;
        }
        self.hints = (self.hints + 1).min(steps.len());
        self.hinted = true;
        if self.hints == steps.len() {
            let best = self.here().answer.as_ref().and_then(|answer| answer.moves.first());
            let name = best.map(|best| best.name.clone());
            let place = self.moves().iter().position(|mv| Some(&mv.name) == name.as_ref());
            self.chosen = place.unwrap_or(self.chosen);
        }
    }

    /// What the hints say, one after the other, and what the board shows with each.
    pub fn steps(&self) -> Vec<(String, Trace)> {
        super::hints::steps(self.here(), self.subject.kit, self.subject.fastest)
    }

    /// Shows the solution of a puzzle from here, or from where nothing was lost yet.
    fn solve(&mut self) -> Result<()> {
        if !matches!(self.mode, Mode::Puzzles { .. }) || self.done() {
            return Ok(());
        }
        let good = (0..=self.at).rev().find(|&at| self.is_yours(at)).unwrap_or(0);
        if let Some(answer) = &self.stations[good].answer {
            let line = self.subject.solved.line(Some(&answer.position))?;
            let endless = line.value != Some(Outcome::Win) || line.plies.is_none();
            let most = if endless { 1 } else { line.moves.len() };
            let names = line.moves.iter().take(most).map(|mv| &*mv.name);
            let words = Language::English.phrases();
            let note = format!("{}: {}", words.solution, names.collect::<Vec<_>>().join(" "));
            if self.wrong() {
                self.look_at(good);
            }
            self.note = note;
        }
        Ok(())
    }
}
