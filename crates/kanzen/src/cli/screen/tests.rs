//! Keys are pressed and letters are read, without a terminal.

use super::draw::draw;
use super::state::{Left, Mode, Pane, Screen, Subject};
use super::theme::Theme;
use kanzen_core::{Outcome, Side, Touch};
use kanzen_graph::Graph;
use kanzen_registry::opponent::Opponent;
use kanzen_registry::{AnyGame, AnySolved, TwoPlayer};
use kanzen_solve::{Job, Silent};
use kanzen_study::puzzle::{Wanted, puzzles};
use kanzen_table::Identity;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Color, Modifier};
use std::sync::OnceLock;

/// A game with its table, which stays for all tests.
struct Solved {
    title: &'static str,
    game: Box<dyn AnyGame>,
    solved: Box<dyn AnySolved>,
    _dir: tempfile::TempDir,
}

impl Solved {
    fn new(name: &str, options: &[&str]) -> Solved {
        let dir = tempfile::tempdir().unwrap();
        let registry = kanzen_games::all();
        let entry = registry.find(name).unwrap();
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let game = entry.build(&options).unwrap();
        game.solve(dir.path(), None, &Job::default()).unwrap();
        let solved = game.open(dir.path()).unwrap();
        Solved { title: entry.title.en, game, solved, _dir: dir }
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            title: self.title,
            solved: &*self.solved,
            kit: self.game.kit(),
            fastest: false,
            coordinates: true,
        }
    }

    fn screen(&self, mode: Mode, position: Option<&str>) -> Screen<'_> {
        Screen::new(self.subject(), mode, position).unwrap()
    }

    fn probe(&self) -> Screen<'_> {
        self.screen(Mode::Probe, None)
    }

    fn play(&self, opponent: Opponent, side: u8) -> Screen<'_> {
        self.screen(Mode::Play { opponent, side: Side::of_number(side), seed: 0 }, None)
    }
}

fn tictactoe() -> &'static Solved {
    static GAME: OnceLock<Solved> = OnceLock::new();
    GAME.get_or_init(|| Solved::new("tictactoe", &[]))
}

fn simpei() -> &'static Solved {
    static GAME: OnceLock<Solved> = OnceLock::new();
    GAME.get_or_init(|| Solved::new("simpei", &["pieces=2"]))
}

/// Presses keys, named as on the keyboard, and lets the other side answer.
fn press(screen: &mut Screen<'_>, keys: &str) {
    for key in keys.split_whitespace() {
        let code = match key {
            "Up" => KeyCode::Up,
            "Down" => KeyCode::Down,
            "Left" => KeyCode::Left,
            "Right" => KeyCode::Right,
            "Enter" => KeyCode::Enter,
            "Tab" => KeyCode::Tab,
            "Esc" => KeyCode::Esc,
            "Home" => KeyCode::Home,
            "End" => KeyCode::End,
            "Erase" => KeyCode::Backspace,
            letter => KeyCode::Char(letter.chars().next().unwrap()),
        };
        screen.press(KeyEvent::from(code)).unwrap();
        while screen.due() {
            screen.answer().unwrap();
        }
    }
}

fn terminal(
    screen: &Screen<'_>,
    columns: u16,
    lines: u16,
    coloured: bool,
) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(columns, lines)).unwrap();
    terminal.draw(|frame| draw(screen, Theme { coloured }, frame)).unwrap();
    terminal
}

/// What is on the screen.
fn seen(screen: &Screen<'_>, columns: u16, lines: u16) -> String {
    terminal(screen, columns, lines, true).backend().to_string()
}

#[track_caller]
fn expect(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not on\n{text}");
    }
}

#[test]
fn a_probe_shows_values_and_both_sides_are_moved() {
    let mut screen = tictactoe().probe();
    let start = seen(&screen, 80, 24);
    expect(&start, &["every move with its value", "to move", "draw in 9", "9 moves", "q  quit"]);
    expect(&start, &["1 ", "a ", "game so far"]);
    press(&mut screen, "Down Enter");
    expect(&seen(&screen, 80, 24), &["8 moves", "  1. "]);
    let second = screen.here().answer.clone().unwrap().position;
    press(&mut screen, "Enter u u");
    assert_eq!((screen.at, screen.stations.len()), (0, 3), "going back keeps the game");
    press(&mut screen, "Right");
    assert_eq!(screen.here().answer.as_ref().unwrap().position, second);
    press(&mut screen, "Home End");
    assert_eq!(screen.at, 2);
    press(&mut screen, "u Down Enter");
    assert_eq!(screen.stations.len(), 3, "a move from an earlier position begins anew there");
    press(&mut screen, "Tab Tab Up Up");
    assert_eq!(
        (screen.pane, screen.at),
        (Pane::History, 0),
        "any earlier position can be looked at"
    );
}

#[test]
fn the_board_shows_what_the_chosen_move_does_and_is_played_on() {
    let game = Solved::new("three-mens-morris", &[]);
    let mut screen = game.probe();
    // Until all men are on the board and are moved.
    while screen.moves()[0].trace.from.is_none() {
        press(&mut screen, "Enter");
    }
    let trace = screen.moves()[0].trace.clone();
    expect(&seen(&screen, 80, 24), &["(", ">"]);
    press(&mut screen, "Tab");
    let all = screen.moves().len();
    screen.cursor = Touch::Spot(trace.from.unwrap());
    press(&mut screen, "Enter");
    assert!(screen.moves().len() < all, "only moves of this piece are listed");
    expect(&seen(&screen, 80, 24), &["moves that go on so", "["]);
    press(&mut screen, "Esc");
    assert_eq!(screen.moves().len(), all);
    press(&mut screen, "Enter");
    let plies = screen.stations.len();
    screen.cursor = Touch::Spot(trace.to.unwrap());
    press(&mut screen, "Enter");
    assert_eq!(screen.stations.len(), plies + 1, "the second touch makes the move");
    assert_eq!(screen.here().played.as_ref().unwrap().1, trace);
    let empty =
        (0..9).find(|spot| screen.here().drawing.pieces.iter().all(|piece| piece.spot != *spot));
    screen.cursor = Touch::Spot(empty.unwrap());
    press(&mut screen, "Enter");
    assert!(screen.note.starts_with("no move begins at"), "{}", screen.note);
}

#[test]
fn a_game_is_played_to_its_end_and_begun_anew() {
    let mut screen = tictactoe().play(Opponent::Perfect, 1);
    expect(&seen(&screen, 80, 24), &["against perfect", "your move", "hint", "n  new"]);
    while !screen.here().is_over() {
        press(&mut screen, "Enter");
    }
    let end = seen(&screen, 80, 24);
    expect(&end, &["the game is over: ", "has won"]);
    let plies = screen.stations.len();
    press(&mut screen, "u");
    assert!(screen.may_move() && screen.stations.len() == plies, "back to the last choice");
    press(&mut screen, "n");
    assert_eq!((screen.stations.len(), screen.at), (1, 0));
    let mut second = tictactoe().play(Opponent::Trickster, 2);
    assert!(second.due(), "the opponent begins");
    press(&mut second, "?");
    assert_eq!(second.stations.len(), 2);
    expect(&seen(&second, 80, 24), &["keys and signs", "a hint in steps", "goes there"]);
    press(&mut second, "q");
    assert_eq!((second.left, second.help), (None, false), "any key closes the help");
}

#[test]
fn hints_come_in_steps_and_give_nothing_away_before() {
    let game = Solved::new("mutorere", &[]);
    let mut screen = game.play(Opponent::Sees(1), 1);
    let best = screen.here().answer.clone().unwrap().moves[0].clone();
    let steps = screen.steps();
    assert_eq!(steps.len(), 3);
    assert!(!steps[0].0.contains(&best.name) && !steps[1].0.contains(&best.name));
    press(&mut screen, "h");
    expect(&seen(&screen, 80, 24), &["Hint: which piece? Blue piece on"]);
    press(&mut screen, "h");
    expect(&seen(&screen, 80, 24), &["Hint: where to?"]);
    press(&mut screen, "h");
    expect(&seen(&screen, 80, 24), &["Hint: why? ", &best.name]);
    assert_eq!(
        screen.moves()[screen.chosen].name,
        best.name,
        "Enter makes the move of the last hint"
    );
    press(&mut screen, "Enter");
    assert_eq!(screen.stations[1].played.as_ref().unwrap().0, best.name);
    assert_eq!(screen.hints, 0);
}

#[test]
fn puzzles_are_solved_refuted_and_shown() {
    let wanted = Wanted { count: 30, seed: 1, fastest: false };
    let game = Solved::new("simpei", &["pieces=3"]);
    let mut all = puzzles(&*game.solved, wanted, &Silent).unwrap();
    all.retain(|puzzle| puzzle.goal.value == Outcome::Win && puzzle.goal.plies.is_some());
    all.truncate(3);
    let (solution, count) = (all[0].solution.clone(), all.len());
    let mut screen = game.screen(Mode::Puzzles { all, number: 0 }, None);
    let text = seen(&screen, 80, 24);
    expect(&text, &["puzzle 1 of 3", "win in", "s  solve", "n  next", "q  quit"]);
    assert!(!text.contains("wins in"), "nothing is given away");
    // A wrong move first.
    let wrong = screen.moves().iter().position(|mv| mv.name != solution[0]).unwrap();
    screen.chosen = wrong;
    press(&mut screen, "Enter");
    assert!(screen.wrong());
    assert_eq!(screen.stations.len(), 3, "the refutation is on the board");
    expect(&seen(&screen, 80, 24), &["That lets it slip. It is refuted by"]);
    press(&mut screen, "Enter");
    assert_eq!(screen.stations.len(), 3, "nothing can be played on from there");
    press(&mut screen, "s");
    expect(&seen(&screen, 80, 24), &[&format!("Solution: {}", solution.join(" "))]);
    assert_eq!(screen.at, 0);
    for name in solution.iter().step_by(2) {
        screen.chosen = screen.moves().iter().position(|mv| mv.name == *name).unwrap();
        press(&mut screen, "Enter");
        assert!(!screen.wrong());
    }
    assert!(screen.done());
    expect(&seen(&screen, 80, 24), &["Solved!"]);
    press(&mut screen, "n");
    expect(&seen(&screen, 80, 24), &["puzzle 2 of 3"]);
    press(&mut screen, "n n n");
    expect(&seen(&screen, 80, 24), &[&format!("puzzle {count} of"), "this is the last puzzle"]);
    press(&mut screen, "p");
    expect(&seen(&screen, 80, 24), &["puzzle 2 of 3"]);
}

#[test]
fn a_move_is_found_by_its_name() {
    let mut screen = simpei().play(Opponent::Perfect, 1);
    let name = screen.moves().last().unwrap().name.clone();
    let keys: String = name.chars().flat_map(|letter| [letter, ' ']).collect();
    press(&mut screen, "/");
    press(&mut screen, &keys);
    expect(&seen(&screen, 80, 24), &[&format!("find: {name}_")]);
    press(&mut screen, "q q Erase Erase");
    assert_eq!(screen.left, None, "letters are letters of the name");
    press(&mut screen, "Enter");
    assert_eq!(screen.stations[1].played.as_ref().unwrap().0, name);
    press(&mut screen, "q");
    assert_eq!(screen.left, Some(Left::Quit));
}

#[test]
fn three_players_keep_their_names() {
    let three = Solved::new("threerow", &["rows=3", "columns=3"]);
    let mut screen = three.play(Opponent::Sees(3), 2);
    press(&mut screen, "x");
    assert_eq!(screen.stations.len(), 2, "one opponent has moved");
    press(&mut screen, "Enter");
    assert_eq!(screen.here().mover, Side::Two, "then both of them have");
    assert_eq!(screen.stations.len(), 5);
    expect(&seen(&screen, 80, 24), &["Player 2 to move: your move", "Player 3 "]);
    press(&mut screen, "h h");
    expect(&seen(&screen, 80, 24), &["Hint: why?"]);
    press(&mut screen, "u");
    assert_eq!(screen.at, 1, "back to the choice before, past both opponents");
}

#[test]
fn small_terminals_are_told_so_and_large_ones_are_used() {
    let mut screen = tictactoe().probe();
    expect(&seen(&screen, 40, 10), &["This terminal has 40", "are needed"]);
    let (small, large) = (seen(&screen, 80, 24), seen(&screen, 120, 40));
    assert!(large.contains("│           │"), "cells are larger:\n{large}");
    expect(&small, &["? ", "quit"]);
    // No size does harm, with the help on top or not.
    for help in ["Tab", "?"] {
        press(&mut screen, help);
        for columns in (1..140).step_by(7) {
            for lines in 1..50 {
                seen(&screen, columns, lines);
            }
        }
    }
}

/// The style of a letter that is on the screen once.
fn style_of(terminal: &Terminal<TestBackend>, letter: &str) -> (Color, Modifier) {
    let cells = &terminal.backend().buffer().content;
    let cell = cells.iter().find(|cell| cell.symbol() == letter).unwrap();
    (cell.fg, cell.modifier)
}

#[test]
fn players_have_their_colours_unless_none_are_wanted() {
    let mut screen = simpei().probe();
    press(&mut screen, "Enter Enter");
    let coloured = terminal(&screen, 80, 24, true);
    assert_eq!(style_of(&coloured, "●").0, Color::LightBlue);
    assert_eq!(style_of(&coloured, "○").0, Color::LightRed);
    let plain = terminal(&screen, 80, 24, false);
    let coloured = plain.backend().buffer().content.iter().filter(|cell| cell.fg != Color::Reset);
    assert_eq!(coloured.count(), 0);
    assert!(style_of(&plain, "○").1.contains(Modifier::BOLD));
}

#[test]
fn ctrl_c_leaves() {
    let mut screen = tictactoe().probe();
    press(&mut screen, "/");
    screen.press(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)).unwrap();
    assert_eq!(screen.left, Some(Left::Interrupted));
}

/// This test runs itself once more in a terminal, where it panics.
#[cfg(unix)]
#[test]
fn a_panic_gives_the_terminal_back_before_it_speaks() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};
    use std::fs::File;
    use std::io::Read;
    use std::process::{Command, Stdio};

    const PANICS: &str = "KANZEN_TEST_PANICS";
    if std::env::var_os(PANICS).is_some() {
        let mut screen = tictactoe().probe();
        // There is nothing that could be drawn.
        screen.stations.clear();
        super::terminal::show(&mut screen).unwrap();
        return;
    }
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&master, size).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let line = File::options().read(true).write(true).open(name).unwrap();
    let before = tcgetattr(&line).unwrap();
    let end = || Stdio::from(line.try_clone().unwrap());
    let this = "cli::screen::tests::a_panic_gives_the_terminal_back_before_it_speaks";
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", this, "--nocapture"]).env(PANICS, "1").env("TERM", "xterm-256color");
    let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    drop(command);
    let reader = std::thread::spawn(move || {
        let (mut shown, mut bytes) = (Vec::new(), [0; 4096]);
        let mut output = File::from(master);
        // Reading fails when nobody holds the other end any more.
        while let Ok(count @ 1..) = output.read(&mut bytes) {
            shown.extend_from_slice(&bytes[..count]);
        }
        String::from_utf8_lossy(&shown).into_owned()
    });
    assert!(!child.wait().unwrap().success());
    let after = tcgetattr(&line).unwrap();
    assert_eq!(after.local_modes, before.local_modes);
    assert_eq!(after.input_modes, before.input_modes);
    assert_eq!(after.output_modes, before.output_modes);
    drop(line);
    let shown = reader.join().unwrap();
    let place =
        |part: &str| shown.find(part).unwrap_or_else(|| panic!("{part:?} is not in {shown:?}"));
    assert!(place("\x1b[?1049h") < place("\x1b[?1049l"), "the screen is left");
    assert!(place("\x1b[?1049l") < place("panicked at"), "what went wrong is seen");
}

#[test]
fn a_side_that_moves_again_keeps_its_turn_and_its_name() {
    // The first side moves twice, then the second; whoever leaves the way loses at once.
    let graph = b"@start s\ns -> +a x\na -> c x\nc -> +e y\ne -> g y\ng -> z x\nx = win\ny = win\nz = loss\n";
    let identity = Identity {
        game: "again".to_owned(),
        variant: Default::default(),
        index_version: 1,
        rules: None,
    };
    let game: Box<dyn AnyGame> = Box::new(TwoPlayer::named(Graph::read(graph).unwrap(), identity));
    let dir = tempfile::tempdir().unwrap();
    game.solve(dir.path(), None, &Job::default()).unwrap();
    let solved = game.open(dir.path()).unwrap();
    let game = Solved { title: "again", game, solved, _dir: dir };
    let mut screen = game.play(Opponent::Perfect, 1);
    assert_eq!(screen.here().answer.as_ref().unwrap().value, Some(Outcome::Win));
    press(&mut screen, "/ + a Enter");
    assert_eq!((screen.at, screen.here().mover), (1, Side::One));
    expect(&seen(&screen, 80, 24), &["Blue to move: your move"]);
    press(&mut screen, "/ c Enter");
    // The opponent has moved twice.
    let movers: Vec<Side> = screen.stations.iter().map(|station| station.mover).collect();
    assert_eq!(movers, [Side::One, Side::One, Side::Two, Side::Two, Side::One]);
    for station in &screen.stations {
        let first = station.mover == Side::One;
        let value = if first { Outcome::Win } else { Outcome::Loss };
        assert_eq!(station.outcome(), Some(value), "the first side wins all the time");
    }
    assert!(screen.may_move());
    press(&mut screen, "u");
    assert_eq!(screen.at, 1, "back to the choice before, past both moves of the opponent");
    press(&mut screen, "End / z Enter");
    expect(&seen(&screen, 80, 24), &["the game is over: ", "Blue has won"]);
}
