//! What the screen looks like: the board on the left, what is said of it, the moves and the game so far
//! on the right, and the keys at the bottom.

use super::keys::{ALWAYS, Meaning, meanings};
use super::picture::{Marks, Picture};
use super::state::{Mode, Pane, Screen};
use super::theme::Theme;
use crate::cli::commands::{in_words, task};
use kanzen_core::{Drawing, Language, Trace};
use kanzen_registry::{Answer, MoveAnswer};
use kanzen_show::board::plain;
use kanzen_show::{Speak, move_words};
use kanzen_study::worth::shown_move;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, List, ListItem, ListState, Paragraph, Wrap};

/// The largest scale of boards.
const LARGEST: u16 = 3;
/// The columns that lists need beside the board.
const LISTS: u16 = 36;
/// A terminal of so many columns has room for the moves and the game so far side by side.
const BROAD: u16 = 110;
/// Lines around the board: the bar, two for notes, the keys, and a border above and below.
const AROUND: u16 = 6;
/// The least lines that lists can do with.
const LEAST: u16 = 10;

/// Draws the screen.
pub fn draw(screen: &Screen<'_>, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    let drawing = valued(screen);
    let (wide, high) = picture(screen, &drawing, theme, 1).size();
    let (columns, lines) = (wide + 4 + LISTS, high.max(LEAST) + AROUND);
    if area.width < columns || area.height < lines {
        let text = format!(
            "This terminal has {} columns and {} lines; {columns} and {lines} are needed. \
             Make it larger, or press q and add --plain.",
            area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    let [bar, main, notes, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(2),
        Constraint::Length(1),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(format!(" {}", heading(screen))).style(theme.bar()), bar);
    // The board is drawn as large as there is room for, and takes half or what it needs.
    let room = main.width - LISTS;
    let fits = |shown: &Picture<'_>| {
        let (wide, high) = shown.size();
        wide + 4 <= room && high + 2 <= main.height
    };
    let larger =
        (2..=LARGEST).rev().map(|scale| picture(screen, &drawing, theme, scale)).find(fits);
    let shown = larger.unwrap_or_else(|| picture(screen, &drawing, theme, 1));
    let needed = shown.size().0 + 4;
    let [left, right] = Layout::horizontal([
        Constraint::Length(needed.max(main.width / 2).min(room)),
        Constraint::Min(0),
    ])
    .areas(main);
    board(screen, &shown, theme, left, frame);
    let [facts, lists] = Layout::vertical([Constraint::Length(4), Constraint::Min(0)]).areas(right);
    frame.render_widget(
        Paragraph::new(status(screen, theme)).wrap(Wrap { trim: true }),
        Rect { x: facts.x + 1, width: facts.width - 1, ..facts },
    );
    let split = [Constraint::Fill(3), Constraint::Fill(2)];
    let [moves, history] = if area.width >= BROAD {
        Layout::horizontal(split).areas(lists)
    } else {
        Layout::vertical(split).areas(lists)
    };
    list_moves(screen, theme, moves, frame);
    list_history(screen, theme, history, frame);
    let note = Paragraph::new(note(screen, theme)).wrap(Wrap { trim: true });
    frame.render_widget(note, Rect { x: notes.x + 1, width: notes.width - 2, ..notes });
    frame.render_widget(Paragraph::new(key_line(screen, theme, keys.width)), keys);
    if screen.help {
        help(screen, theme, area, frame);
    }
}

/// The board, with the values of moves where they are shown.
fn valued(screen: &Screen<'_>) -> Drawing {
    let mut drawing = screen.here().drawing.clone();
    if let (true, Some(answer)) = (screen.shows_values(), &screen.here().answer) {
        drawing.mark_values(crate::cli::commands::judged(answer));
    }
    drawing
}

fn picture<'s>(
    screen: &'s Screen<'_>,
    drawing: &'s Drawing,
    theme: Theme,
    scale: u16,
) -> Picture<'s> {
    let here = screen.here();
    let chosen = screen.moves().get(screen.chosen).map(|mv| mv.trace.clone());
    let trace = match screen.hinted {
        true => {
            screen.hints.checked_sub(1).and_then(|step| Some(screen.steps().get(step)?.1.clone()))
        }
        false => chosen.filter(|_| screen.pane == Pane::Moves && screen.may_move()),
    };
    let marks = Marks {
        cursor: (screen.pane == Pane::Board).then(|| screen.cursor.clone()),
        touched: screen.touched.clone(),
        trace: trace.unwrap_or_default(),
        last: here.played.as_ref().map_or_else(Trace::default, |(_, trace)| trace.clone()),
    };
    Picture {
        drawing,
        kit: screen.subject.kit,
        exchanged: here.exchanged,
        coordinates: screen.subject.coordinates,
        marks,
        theme,
        scale,
    }
}

/// The text of the bar at the top.
fn heading(screen: &Screen<'_>) -> String {
    let title = screen.subject.title;
    match &screen.mode {
        Mode::Probe => format!("{title} · every move with its value"),
        Mode::Play { opponent, side, .. } => {
            let you = screen.subject.kit.party(*side).name.en;
            format!("{title} · you are {you} against {}", opponent.title().en)
        }
        Mode::Puzzles { all, number } => {
            format!("{title} · puzzle {} of {}", number + 1, all.len())
        }
    }
}

/// Whose turn it is and what the position is worth, as far as that is told.
fn status(screen: &Screen<'_>, theme: Theme) -> Vec<Line<'static>> {
    let (here, kit) = (screen.here(), screen.subject.kit);
    let best_play = here.answer.as_ref().and_then(|answer: &Answer| answer.best_play.as_ref());
    let worth = here.shown(kit);
    let value = Span::styled(in_words(worth, best_play), theme.outcome(here.outcome()));
    let party = kit.party(here.mover);
    let mut lines = Vec::new();
    if let Mode::Puzzles { all, number } = &screen.mode {
        lines.push(Line::styled(task(&all[*number]), Modifier::BOLD));
    }
    if here.is_over() {
        lines.push(Line::from(vec![Span::raw("the game is over: "), value]));
    } else {
        let turn = Language::English.to_move(party.name);
        let mut spans = vec![Span::styled(turn, theme.party(party.colour))];
        match &screen.mode {
            Mode::Probe => spans.extend([Span::raw(", "), value]),
            _ if screen.may_move() => spans.push(Span::raw(": your move")),
            _ => {}
        }
        lines.push(Line::from(spans));
    }
    let position = here.answer.as_ref().map_or(String::new(), |answer| answer.position.clone());
    lines.push(Line::styled(position, theme.faint()));
    lines
}

fn pane<'t>(title: &'t str, focused: bool, theme: Theme) -> Block<'t> {
    let block = Block::bordered().title(format!(" {title} "));
    match focused {
        true => block.border_type(BorderType::Thick).border_style(theme.accent()),
        false => block.border_type(BorderType::Rounded).border_style(theme.faint()),
    }
}

fn board(
    screen: &Screen<'_>,
    shown: &Picture<'_>,
    theme: Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) {
    let title = match screen.pane {
        Pane::Board => {
            format!("board: {}", super::points::name(&screen.here().drawing, &screen.cursor))
        }
        _ => "board".to_owned(),
    };
    let block = pane(&title, screen.pane == Pane::Board, theme);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let (wide, high) = shown.size();
    let middle = Rect {
        x: inner.x + inner.width.saturating_sub(wide) / 2,
        y: inner.y + inner.height.saturating_sub(high) / 2,
        width: wide.min(inner.width),
        height: high.min(inner.height),
    };
    frame.render_widget(Paragraph::new(shown.lines()), middle);
}

/// The moves, with their values or with what they do.
fn list_moves(screen: &Screen<'_>, theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let moves = screen.moves();
    let title = match (&screen.finding, screen.touched.is_empty()) {
        (Some(text), _) => format!("find: {text}_"),
        (None, false) => format!("{} moves that go on so", moves.len()),
        (None, true) => format!("{} moves", moves.len()),
    };
    let here = screen.here();
    let wide = moves.iter().map(|mv| mv.name.chars().count()).max().unwrap_or(0).min(20);
    let described =
        plain(&here.drawing, screen.subject.kit, here.exchanged, Language::English, String::new());
    let item = |mv: &&MoveAnswer| {
        let name = Span::raw(format!("{:<wide$}  ", mv.name));
        let rest = if screen.shows_values() {
            let kit = screen.subject.kit;
            let worth = shown_move(kit, here.mover, mv);
            let words = in_words(worth, mv.best_play.as_ref());
            Span::styled(words, theme.outcome(mv.value))
        } else {
            let words = move_words(&described, &mv.trace, &mv.gesture);
            Span::styled(words, theme.faint())
        };
        ListItem::new(Line::from(vec![name, rest]))
    };
    let block = pane(&title, screen.pane == Pane::Moves, theme);
    let list = List::new(moves.iter().map(item).collect::<Vec<_>>())
        .block(block)
        .highlight_symbol("▸ ")
        .highlight_style(theme.chosen());
    let chosen = (!moves.is_empty()).then_some(screen.chosen);
    let mut state = ListState::default().with_selected(chosen);
    frame.render_stateful_widget(list, area, &mut state);
}

/// The game so far.
fn list_history(screen: &Screen<'_>, theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let kit = screen.subject.kit;
    let stations = screen.stations.windows(2).zip(1..).map(|(pair, ply)| {
        let party = kit.party(pair[0].mover);
        let name = pair[1].played.as_ref().map_or("", |(name, _)| name);
        ListItem::new(Line::from(vec![
            Span::styled(format!("{ply:>3}. "), theme.faint()),
            Span::styled(party.name.en, theme.party(party.colour)),
            Span::raw(format!(" {name}")),
        ]))
    });
    let first = ListItem::new(Line::styled("  0. first position", theme.faint()));
    let list = List::new(std::iter::once(first).chain(stations).collect::<Vec<_>>())
        .block(pane("game so far", screen.pane == Pane::History, theme))
        .highlight_symbol("▸ ")
        .highlight_style(Style::new().add_modifier(Modifier::BOLD));
    let mut state = ListState::default().with_selected(Some(screen.at));
    frame.render_stateful_widget(list, area, &mut state);
}

/// What is said to the last key: the hint, or a note.
fn note(screen: &Screen<'_>, theme: Theme) -> Line<'static> {
    let step = screen.hints.checked_sub(1).filter(|_| screen.note.is_empty());
    match step.and_then(|step| screen.steps().get(step).cloned()) {
        Some((text, _)) => Line::styled(text, theme.trace()),
        None => Line::styled(screen.note.clone(), theme.accent()),
    }
}

/// The keys, as many as there is room for: how to get help and how to leave are always said.
fn key_line(screen: &Screen<'_>, theme: Theme, width: u16) -> Line<'static> {
    let mut keys = meanings(&screen.mode);
    keys.retain(|meaning| !meaning.short.is_empty());
    let line = |keys: &[Meaning]| {
        Line::from_iter(keys.iter().flat_map(|meaning| {
            let key = Span::styled(format!(" {} ", meaning.key), theme.chosen());
            [key, Span::raw(format!(" {} ", meaning.short))]
        }))
    };
    // The blank behind the last word needs no room.
    while line(&keys).width() > usize::from(width) + 1 && keys.len() > ALWAYS {
        keys.remove(keys.len() - ALWAYS - 1);
    }
    line(&keys)
}

/// The page of help, over everything else.
fn help(screen: &Screen<'_>, theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for meaning in meanings(&screen.mode) {
        lines.push(Line::from(vec![
            Span::styled(format!("{:>6}  ", meaning.key), theme.accent()),
            Span::raw(meaning.long),
        ]));
    }
    lines.push(Line::default());
    for (sign, words) in [
        ("(●)", "leaves this spot"),
        (">●<", "goes there"),
        ("~●~", "changes there"),
        ("[●]", "the cursor"),
        ("{●}", "taken in hand"),
    ] {
        lines.push(Line::from(vec![
            Span::styled(format!("{sign:>6}  "), theme.trace()),
            Span::raw(words),
        ]));
    }
    if screen.shows_values() {
        let signs = "a move to this spot wins, draws or loses";
        lines.push(Line::from(vec![Span::styled(" + = -  ", theme.trace()), Span::raw(signs)]));
    }
    let (width, height) = (area.width.min(78), area.height.min(lines.len() as u16 + 2));
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    let block =
        pane("keys and signs: any key closes this", true, theme).title_alignment(Alignment::Center);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}
