//! What keys mean, in one list: the line at the bottom and the page of help are made from it.

use super::state::Mode;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What somebody wants by a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Up, in the list, on the board or in the game so far.
    Up,
    /// Down.
    Down,
    /// To the left on the board, back elsewhere.
    Left,
    /// To the right on the board, forward elsewhere.
    Right,
    /// Up by a page.
    PageUp,
    /// Down by a page.
    PageDown,
    /// To the first position.
    First,
    /// To the last position.
    Last,
    /// To make the chosen move, or to touch what the cursor is on.
    Choose,
    /// To let go of what was touched.
    Cancel,
    /// To the next pane.
    Pane,
    /// To the position before.
    Back,
    /// To the position after.
    Forward,
    /// A hint, and the next after it.
    Hint,
    /// The solution.
    Solution,
    /// A new game, or the next puzzle.
    New,
    /// The puzzle before.
    Earlier,
    /// To write the name of a move.
    Find,
    /// The page of help.
    Help,
    /// The end.
    Quit,
    /// The end, by Ctrl-C.
    Interrupt,
}

/// What a key means.
pub fn wish(key: KeyEvent) -> Option<Wish> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(Wish::Interrupt);
    }
    Some(match key.code {
        KeyCode::Up | KeyCode::Char('k') => Wish::Up,
        KeyCode::Down | KeyCode::Char('j') => Wish::Down,
        KeyCode::Left => Wish::Left,
        KeyCode::Right => Wish::Right,
        KeyCode::PageUp => Wish::PageUp,
        KeyCode::PageDown => Wish::PageDown,
        KeyCode::Home => Wish::First,
        KeyCode::End => Wish::Last,
        KeyCode::Enter | KeyCode::Char(' ') => Wish::Choose,
        KeyCode::Esc => Wish::Cancel,
        KeyCode::Tab => Wish::Pane,
        KeyCode::Char('u') | KeyCode::Backspace => Wish::Back,
        KeyCode::Char('r') => Wish::Forward,
        KeyCode::Char('h') => Wish::Hint,
        KeyCode::Char('s') => Wish::Solution,
        KeyCode::Char('n') => Wish::New,
        KeyCode::Char('p') => Wish::Earlier,
        KeyCode::Char('/') => Wish::Find,
        KeyCode::Char('?') | KeyCode::F(1) => Wish::Help,
        KeyCode::Char('q') => Wish::Quit,
        _ => return None,
    })
}

/// A key with what it does: in short for the line at the bottom, and whole for the page of help.
pub struct Meaning {
    /// The key.
    pub key: &'static str,
    /// In a word; nothing if the line at the bottom can do without.
    pub short: &'static str,
    /// In a sentence.
    pub long: &'static str,
}

const fn key(key: &'static str, short: &'static str, long: &'static str) -> Meaning {
    Meaning { key, short, long }
}

/// So many of the keys with a word, the last ones, are said wherever there is room for a single one.
pub const ALWAYS: usize = 2;

/// The keys there are, the most important first.
pub fn meanings(mode: &Mode) -> Vec<Meaning> {
    let list = key("↑↓", "choose", "choose a move of the list; the board shows what it does");
    let make =
        key("Enter", "move", "make the chosen move; on the board: take a piece, then its place");
    let pane = key("Tab", "board", "from the list to the board, to the game so far, and back");
    let hint = key("h", "hint", "a hint in steps: the piece, the place, the reason");
    let back = key("u", "back", "one step back, as ←; Home goes to the first position");
    let mut all = vec![list, make];
    match mode {
        Mode::Probe => {
            all.extend([pane, back, key("h", "why", "why the best move is best, in steps")]);
        }
        Mode::Play { .. } => all.extend([pane, hint, back, key("n", "new", "a new game")]),
        Mode::Puzzles { .. } => {
            let solution = key("s", "solve", "the solution");
            let next = key("n", "next", "the next puzzle; p goes to the one before");
            all.extend([hint, solution, next, back, pane]);
        }
    }
    all.extend([
        key("?", "help", "this page"),
        key("q", "quit", "the end"),
        key("r", "", "one step forward, as →; End goes to the last position"),
        key("/", "", "find a move: write the beginning of its name, then Enter"),
        key("Esc", "", "let go of a piece that was taken"),
    ]);
    all
}
