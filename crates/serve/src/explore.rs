//! The page of a position: the board, every move's value, the best line, the game so far.

use crate::board::{Board, hands, lasting};
use crate::errors::Trouble;
use crate::graph::graph;
use crate::language::Language;
use crate::limits;
use crate::page::Page;
use crate::query::Query;
use crate::site::Site;
use crate::view::{Map, View};
use crate::walk::{Station, walk};
use crate::worth::Worth;
use kanzen_core::{Drawing, Kit, Side, Touch, Trace};
use kanzen_games::{AnySolved, GameError, Judgement, Line, MoveAnswer};
use maud::{Markup, html};

/// Renders the page of a position.
pub fn explore(
    site: &Site,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Markup, Trouble> {
    let mut view = View::new(&site.tables, game, query)?;
    let solved = match view.variant.solved() {
        Ok(solved) => solved,
        Err(GameError::NotSolved { .. }) => return unsolved(site, &view, language),
        Err(error) => return Err(error.into()),
    };
    if let Some(plies) = query.number("best")? {
        follow_best_line(&mut view, &*solved, plies as usize)?;
    }
    let stations = walk(&*solved, view.root.as_deref(), &view.line)?;
    let here = &stations[view.ply];
    let line = match &here.answer {
        Some(answer) => Some(solved.line(Some(&answer.position))?),
        None => None,
    };
    let table = Table { view: &view, language, kit: view.variant.game.kit(), here, values: true };
    let (board, notice) = table.board(&*solved);
    let page = Page {
        title: language.name(view.variant.entry.title).to_owned(),
        language,
        here: view.here().text(),
        game: Some((&view.variant, "")),
        waits: false,
    };
    let words = language.words();
    Ok(page.render(html! {
        h1 { (language.name(view.variant.entry.title)) }
        div .columns {
            section .boardside aria-label=(words.position) {
                (table.status())
                div .boardframe { (board.svg()) }
                (notice)
                (controls(&view, language))
                (graph(&stations, view.ply, table.kit, language))
                (history(&view, language))
            }
            div .facts {
                (table.verdict())
                (table.moves())
                @if let Some(line) = &line { (best_line(&view, line, language)) }
                (table.map_card())
                (position_card(&view, here, language))
                (variants(&view, language))
                (text_card(&board, here, language))
            }
        }
    }))
}

/// Makes the best line from the current position the line of the view.
fn follow_best_line(view: &mut View, solved: &dyn AnySolved, plies: usize) -> Result<(), Trouble> {
    let made = view.made().to_vec();
    let stations = walk(solved, view.root.as_deref(), &made)?;
    let last = stations.last().and_then(|station| station.answer.as_ref());
    let best = match last {
        Some(answer) => solved.line(Some(&answer.position))?.moves,
        None => Vec::new(),
    };
    let room = limits::LINE.saturating_sub(made.len());
    view.ply = made.len() + plies.min(best.len()).min(room);
    view.line =
        made.into_iter().chain(best.into_iter().map(|mv| mv.name)).take(limits::LINE).collect();
    Ok(())
}

/// The page of a game that has no table.
fn unsolved(site: &Site, view: &View, language: Language) -> Result<Markup, Trouble> {
    let variant = &view.variant;
    let drawing = variant.game.draw(view.root.as_deref())?;
    let title = language.name(variant.entry.title).to_owned();
    let board = crate::board::plain(&drawing, variant.game.kit(), false, language, title.clone());
    let default = variant.chosen().next().is_none();
    let solving = site.solves.of(variant.entry.name).filter(|_| default);
    let page = Page {
        title: title.clone(),
        language,
        here: view.here().text(),
        game: Some((variant, "")),
        waits: true,
    };
    Ok(page.render(html! {
        h1 { (title) }
        div .columns {
            section .boardside { div .boardframe { (board.svg()) } }
            div .facts {
                @match &solving {
                    Some(solving) => (progress(variant.entry.name, solving, language)),
                    None => (how_to_solve(variant, language)),
                }
                (variants(view, language))
            }
        }
    }))
}

/// Where a solve is.
pub fn progress(game: &str, solving: &crate::solver::Solving, language: Language) -> Markup {
    let words = language.words();
    let heading = match solving.state {
        "waiting" => words.waiting,
        "failed" => words.solve_failed,
        _ => words.solving,
    };
    html! {
        section .card .solving data-solving=(game) aria-live="polite" {
            h2 { (heading) }
            @if solving.state == "running" {
                progress max="1" value=(format!("{:.3}", solving.share)) {}
            }
            p .what { (solving.what) }
        }
    }
}

/// The command that makes a table.
pub fn how_to_solve(variant: &crate::tables::Variant, language: Language) -> Markup {
    let words = language.words();
    let plan = variant.plan();
    html! {
        section .card {
            h2 { (words.no_table) }
            p { (words.how_to_solve) }
            pre .command { code { (variant.command()) } }
            @if plan.positions > 0 {
                p { (words.takes) " " (time(plan.seconds, language)) ", "
                    (memory(plan.memory)) " " (words.of_memory) }
            }
        }
    }
}

fn time(seconds: f64, language: Language) -> String {
    let words = language.words();
    match seconds {
        ..100.0 => format!("{:.0} {}", seconds.max(1.0), words.seconds),
        ..6000.0 => format!("{:.0} {}", seconds / 60.0, words.minutes),
        _ => format!("{:.1} {}", seconds / 3600.0, words.hours),
    }
}

fn memory(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// A position on the table: its board, and what is said about it.
pub struct Table<'a> {
    /// What is shown.
    pub view: &'a View,
    /// In which language.
    pub language: Language,
    /// What the game is played with.
    pub kit: &'static Kit,
    /// The position.
    pub here: &'a Station,
    /// Whether the values of moves are shown.
    pub values: bool,
}

impl Table<'_> {
    fn turn(&self) -> Side {
        self.here.drawing.turn.unwrap_or(Side::One)
    }

    fn worth(&self, mv: &MoveAnswer) -> Worth {
        Worth::new(&mv.value, self.turn())
    }

    /// Who is to move.
    pub fn status(&self) -> Markup {
        let party = self.kit.party(self.here.mover);
        let class = format!("turn {}", party.colour.word());
        html! {
            p class=(class) {
                span .swatch aria-hidden="true" {}
                @if self.here.is_over() { (self.language.words().game_over) }
                @else { (self.language.to_move(party.name)) }
            }
        }
    }

    /// The value in words.
    pub fn verdict(&self) -> Markup {
        let words = self.language.words();
        let worth = self.here.worth;
        let class = format!("card verdict {}", worth.class());
        let winner = |winner: u8| {
            let side =
                [Side::Neutral, Side::One, Side::Two, Side::Three][usize::from(winner.min(3))];
            match winner {
                0 => words.nobody_wins.to_owned(),
                _ => self.language.wins(self.kit.party(side).name),
            }
        };
        let value = self.here.answer.as_ref().map(|answer| &answer.value);
        let text = match value {
            Some(Judgement::Winner { winner: who, .. }) => winner(*who),
            Some(Judgement::Outcomes { outcomes, .. }) => {
                outcomes.iter().map(|who| winner(*who)).collect::<Vec<_>>().join(" / ")
            }
            Some(Judgement::Safe { safe: true, .. }) => words.safe.to_owned(),
            Some(Judgement::Safe { safe: false, .. }) => words.not_safe.to_owned(),
            Some(Judgement::Unknown { unknown, .. }) => format!("{}: {unknown}", words.unknown),
            Some(Judgement::Two(verdict)) => self.language.verdict(*verdict),
            None => {
                let lost = worth.outcome() == Some(kanzen_core::Outcome::Loss);
                let winner = if self.here.mover == Side::One { Side::Two } else { Side::One };
                match lost {
                    true => self.language.has_won(self.kit.party(winner).name),
                    false => words.drawn.to_owned(),
                }
            }
        };
        let meaning = match value {
            Some(
                Judgement::Winner { meaning, .. }
                | Judgement::Safe { meaning, .. }
                | Judgement::Outcomes { meaning, .. }
                | Judgement::Unknown { meaning, .. },
            ) => Some(meaning),
            _ => None,
        };
        html! {
            section class=(class) aria-live="polite" {
                span .sign aria-hidden="true" { (worth.badge()) }
                div {
                    p .words { (text) }
                    @if let Some(meaning) = meaning { p .fine { (words.meaning) ": " (meaning) } }
                }
            }
        }
    }

    /// The list of moves.
    pub fn moves(&self) -> Markup {
        let words = self.language.words();
        let Some(answer) = &self.here.answer else { return html! {} };
        let shown = if self.view.all { usize::MAX } else { limits::MOVES };
        html! {
            section .card .moves {
                h2 { (words.moves) }
                @if answer.moves.is_empty() { p { (words.no_moves) } }
                ol {
                    @for mv in answer.moves.iter().take(shown) {
                        li { a href=(self.view.after(&mv.name)) {
                            (self.worth(mv).chip(self.language)) span .name { (mv.name) }
                        } }
                    }
                }
                @if answer.moves.len() > shown {
                    p { a .button href=(self.view.here().with_flag("all", true).text()) {
                        (words.show_all) " (" (answer.moves.len()) ")"
                    } }
                }
            }
        }
    }

    /// The board with its marks and links, and what is to be done next.
    pub fn board(&self, solved: &dyn AnySolved) -> (BoardParts, Markup) {
        let moves = self.here.answer.as_ref().map_or(&[][..], |answer| &answer.moves);
        let fitting = |pick: &[Touch]| -> Vec<(&MoveAnswer, Vec<Touch>)> {
            let next = moves.iter().map(|mv| (mv, mv.gesture.next(pick)));
            next.filter_map(|(mv, next)| Some((mv, next?))).collect()
        };
        let mut pick = &self.view.pick[..];
        let mut open = fitting(pick);
        if open.is_empty() {
            pick = &[];
            open = fitting(pick);
        }
        let drawing = self.underway(pick, &open);
        let mut parts = self.parts(drawing);
        if self.view.map.is_some() {
            parts.marks = self.map(solved);
            return (parts, html! {});
        }
        if pick.is_empty() {
            self.mark_last_move(&mut parts);
        }
        // Another piece may be taken instead; the first one is put back.
        if !pick.is_empty() {
            for (_, next) in fitting(&[]) {
                for touch in next {
                    let fresh = View { pick: Vec::new(), ..self.view.clone() };
                    parts.mark(touch.clone(), |marked| marked.link = Some(fresh.touched(&touch)));
                }
            }
            for touch in pick {
                let back = self.view.here().text();
                parts.mark(touch.clone(), |marked| {
                    marked.picked = true;
                    marked.link = Some(back);
                });
            }
        }
        let finished: Vec<&MoveAnswer> =
            open.iter().filter(|(_, next)| next.is_empty()).map(|(mv, _)| *mv).collect();
        let mut offered: Vec<(Touch, Vec<&MoveAnswer>)> = Vec::new();
        for (mv, next) in &open {
            for touch in next {
                match offered.iter_mut().find(|(known, _)| known == touch) {
                    Some((_, moves)) => moves.push(mv),
                    None => offered.push((touch.clone(), vec![mv])),
                }
            }
        }
        let picking = View { pick: pick.to_vec(), ..self.view.clone() };
        for (touch, moves) in offered {
            let link = match moves[..] {
                [only] if self.finishes(only, pick, &touch) => self.view.after(&only.name),
                _ => picking.touched(&touch),
            };
            let worth = self.worth(moves[0]);
            parts.mark(touch, |marked| {
                marked.link = Some(link);
                marked.worth = self.values.then_some(worth);
            });
        }
        let words = self.language.words();
        let placing = !pick.is_empty()
            && open.iter().any(|(mv, _)| {
                !mv.gesture.then.is_empty() && pick.len() >= mv.gesture.touches.len()
            });
        let notice = html! {
            p .notice aria-live="polite" {
                @if placing { (words.put_next) } @else if !moves.is_empty() { (words.touch_hint) }
                @if !pick.is_empty() { " " a .button .cancel href=(self.view.here().text()) { (words.cancel) } }
            }
            @if !finished.is_empty() {
                p .choice role="group" aria-label=(words.choose_move) {
                    @for mv in finished {
                        a .button href=(self.view.after(&mv.name)) {
                            @if self.values { (self.worth(mv).chip(self.language)) " " } (mv.name)
                        }
                    }
                }
            }
        };
        (parts, notice)
    }

    /// The board with the last move marked, and nothing to touch.
    pub fn still_board(&self) -> BoardParts {
        let mut parts = self.parts(self.here.drawing.clone());
        self.mark_last_move(&mut parts);
        parts
    }

    fn parts(&self, drawing: Drawing) -> BoardParts {
        BoardParts {
            drawing,
            kit: self.kit,
            exchanged: self.here.exchanged,
            flip: self.view.flip,
            mirror: self.view.mirror,
            language: self.language,
            title: self.language.name(self.view.variant.entry.title).to_owned(),
            marks: Vec::new(),
        }
    }

    fn mark_last_move(&self, parts: &mut BoardParts) {
        let Some((_, trace)) = &self.here.played else { return };
        for &spot in trace.from.iter().chain(&trace.to).chain(&trace.also) {
            parts.mark(Touch::Spot(spot), |marked| marked.last = true);
        }
    }

    /// Whether a touch completes a move.
    fn finishes(&self, mv: &MoveAnswer, pick: &[Touch], touch: &Touch) -> bool {
        let made: Vec<Touch> = pick.iter().chain([touch]).cloned().collect();
        mv.gesture.next(&made).is_some_and(|left| left.is_empty())
    }

    /// The board with a move half made: the piece has arrived, and others wait to be put.
    fn underway(&self, pick: &[Touch], open: &[(&MoveAnswer, Vec<Touch>)]) -> Drawing {
        let drawing = &self.here.drawing;
        let Some((mv, _)) = open.first() else { return drawing.clone() };
        if mv.gesture.then.is_empty() || pick.len() < mv.gesture.touches.len() {
            return drawing.clone();
        }
        let arrived = Trace { also: Vec::new(), ..mv.trace.clone() };
        let mut drawing = drawing.after(&arrived);
        for touch in &pick[mv.gesture.touches.len()..] {
            let lifted = drawing
                .pieces
                .iter_mut()
                .find(|piece| mv.trace.also.contains(&piece.spot) && piece.side != self.turn());
            if let (Touch::Spot(spot), Some(piece)) = (touch, lifted) {
                piece.spot = *spot;
            }
        }
        drawing
    }

    /// What the position is worth with the chosen piece elsewhere.
    fn map(&self, solved: &dyn AnySolved) -> Vec<(Touch, crate::board::Marked)> {
        let drawing = &self.here.drawing;
        let mut marks = Vec::new();
        let mapped = |map| View { map: Some(map), ..self.view.clone() };
        for piece in &drawing.pieces {
            let link = map_address(&mapped(Map::Of(piece.spot)));
            let picked = self.view.map == Some(Map::Of(piece.spot));
            let marked = crate::board::Marked { link: Some(link), picked, ..Default::default() };
            marks.push((Touch::Spot(piece.spot), marked));
        }
        let Some(Map::Of(from)) = self.view.map else { return marks };
        if !drawing.pieces.iter().any(|piece| piece.spot == from) {
            return marks;
        }
        let free = (0..drawing.spots.len())
            .filter(|spot| !drawing.pieces.iter().any(|piece| piece.spot == *spot));
        for to in free {
            let mut moved = drawing.clone();
            moved.pieces.iter_mut().filter(|p| p.spot == from).for_each(|p| p.spot = to);
            let Some(text) = self.view.variant.game.compose(&moved) else { continue };
            let Ok(answer) = solved.probe(Some(&text)) else { continue };
            let worth = Worth::new(&answer.value, self.turn());
            let link = self.view.elsewhere("").with("position", &text).text();
            let marked =
                crate::board::Marked { link: Some(link), worth: Some(worth), ..Default::default() };
            marks.push((Touch::Spot(to), marked));
        }
        marks
    }

    fn map_card(&self) -> Markup {
        let words = self.language.words();
        if self.view.variant.game.compose(&self.here.drawing).is_none()
            || self.here.answer.is_none()
        {
            return html! {};
        }
        html! {
            section .card {
                h2 { (words.value_map) }
                p .fine { (words.value_map_help) }
                @match self.view.map {
                    Some(_) => a .button href=(self.view.here().text()) { (words.close_map) },
                    None => a .button href=(map_address(&View { map: Some(Map::Choose), ..self.view.clone() })) {
                        (words.choose)
                    },
                }
            }
        }
    }
}

fn map_address(view: &View) -> String {
    let map = match view.map {
        Some(Map::Of(spot)) => spot.to_string(),
        _ => "choose".to_owned(),
    };
    view.here().with("map", &map).text()
}

/// A board that owns its drawing.
pub struct BoardParts {
    drawing: Drawing,
    kit: &'static Kit,
    exchanged: bool,
    flip: bool,
    mirror: bool,
    language: Language,
    title: String,
    marks: Vec<(Touch, crate::board::Marked)>,
}

impl BoardParts {
    fn mark(&mut self, touch: Touch, change: impl FnOnce(&mut crate::board::Marked)) {
        match self.marks.iter_mut().find(|(known, _)| *known == touch) {
            Some((_, marked)) => change(marked),
            None => {
                let mut marked = crate::board::Marked::default();
                change(&mut marked);
                self.marks.push((touch, marked));
            }
        }
    }

    fn board(&self) -> Board<'_> {
        let mut board = Board {
            drawing: &self.drawing,
            kit: self.kit,
            exchanged: self.exchanged,
            flip: self.flip,
            mirror: self.mirror,
            language: self.language,
            spots: vec![Default::default(); self.drawing.spots.len()],
            hands: hands(&self.drawing),
            title: self.title.clone(),
        };
        for (touch, marked) in &self.marks {
            if let Some(place) = board.marked(touch) {
                *place = marked.clone();
            }
        }
        board
    }

    /// The board.
    pub fn svg(&self) -> Markup {
        self.board().svg()
    }

    /// The pieces in words.
    pub fn list(&self) -> Markup {
        self.board().list()
    }
}

/// Back, forward, flip, mirror.
pub fn controls(view: &View, language: Language) -> Markup {
    let words = language.words();
    let step = |ply: Option<usize>, key: &str, sign: &str, name: &str| {
        let link =
            ply.filter(|ply| *ply <= view.line.len() && *ply != view.ply).map(|ply| view.at(ply));
        html! {
            @match link {
                Some(link) => a .button .icon href=(link) data-key=(key) aria-label=(name) title=(name) { (sign) },
                None => span .button .icon .off aria-hidden="true" { (sign) },
            }
        }
    };
    let flip = View { flip: !view.flip, ..view.clone() };
    let mirror = View { mirror: !view.mirror, ..view.clone() };
    html! {
        div .controls role="toolbar" aria-label=(words.game_so_far) title=(words.keys) {
            (step(Some(0), "Home", "⏮", words.to_start))
            (step(view.ply.checked_sub(1), "ArrowLeft", "◀", words.back))
            (step(Some(view.ply + 1), "ArrowRight", "▶", words.forward))
            (step(Some(view.line.len()), "End", "⏭", words.to_end))
            a .button .icon href=(flip.here().text()) data-key="f" aria-label=(words.flip) title=(words.flip)
                aria-pressed=(view.flip) role="button" { "⇅" }
            a .button .icon href=(mirror.here().text()) data-key="m" aria-label=(words.mirror) title=(words.mirror)
                aria-pressed=(view.mirror) role="button" { "⇄" }
        }
    }
}

fn hidden(fields: Vec<(&'static str, String)>) -> Markup {
    html! { @for (name, value) in fields { input type="hidden" name=(name) value=(value); } }
}

/// The moves of the game so far.
pub fn history(view: &View, language: Language) -> Markup {
    let words = language.words();
    if view.line.is_empty() {
        return html! {};
    }
    html! {
        form .history action=(view.path()) aria-label=(words.game_so_far) {
            (hidden(view.hidden()))
            ol {
                @for (number, name) in view.line.iter().enumerate() {
                    @let ply = number + 1;
                    li {
                        button name="ply" value=(ply)
                            aria-current=[(ply == view.ply).then_some("step")] { (name) }
                    }
                }
            }
        }
    }
}

/// The best line, to play and to copy.
fn best_line(view: &View, line: &Line, language: Language) -> Markup {
    let words = language.words();
    if line.moves.is_empty() {
        return html! {};
    }
    let made = View { line: view.made().to_vec(), ..view.clone() };
    let text = line.moves.iter().map(|mv| &*mv.name).collect::<Vec<_>>().join(" ");
    let end = match line.end {
        "a position comes back" => words.line_repeats,
        _ => words.line_ends,
    };
    html! {
        section .card .best {
            h2 { (words.best_line) }
            form .line action=(view.path()) {
                (hidden(made.hidden()))
                ol {
                    @for (number, mv) in line.moves.iter().enumerate() {
                        li { button name="best" value=(number + 1) { (mv.name) } }
                    }
                }
            }
            p .fine { (end) }
            (copyable(&text, words.best_line, language))
        }
    }
}

/// A text that can be copied: by hand, and with a button where there are scripts.
pub fn copyable(text: &str, label: &str, language: Language) -> Markup {
    let words = language.words();
    html! {
        div .copyable {
            input readonly aria-label=(label) value=(text);
            button .button .scripted type="button" hidden data-copied=(words.copied) { (words.copy) }
        }
    }
}

/// The position in writing, to change it or to go on elsewhere.
fn position_card(view: &View, here: &Station, language: Language) -> Markup {
    let words = language.words();
    let Some(answer) = &here.answer else { return html! {} };
    let play = view.elsewhere("/play").with("position", &answer.position).text();
    let set_up = view.elsewhere("/setup").with("position", &answer.position).text();
    let lasting_turn = lasting(here.drawing.turn.unwrap_or(Side::One), false);
    html! {
        section .card {
            h2 { label for="position" { (words.position) } }
            form .write action=(format!("/{}", view.variant.entry.name)) {
                @for (name, value) in view.variant.chosen() {
                    input type="hidden" name="o" value=(format!("{name}={value}"));
                }
                input #position name="position" value=(answer.position) spellcheck="false" autocomplete="off";
                button .button { (words.show_position) }
            }
            p .links {
                a .button href=(format!("{play}&you={}", crate::view::side_number(lasting_turn))) { (words.play_on) }
                " " a .button href=(set_up) { (words.set_up) }
            }
        }
    }
}

/// The options of the game.
pub fn variants(view: &View, language: Language) -> Markup {
    let words = language.words();
    let variant = &view.variant;
    if variant.entry.options.is_empty() {
        return html! {};
    }
    html! {
        details .card {
            summary { (words.variant) }
            form .options action=(view.path()) {
                @for (spec, (_, value)) in variant.entry.options.iter().zip(&variant.options) {
                    label { span { (spec.name) }
                        select name="o" title=(spec.help) {
                            @for allowed in spec.values {
                                option value=(format!("{}={allowed}", spec.name)) selected[allowed == value] { (allowed) }
                            }
                        }
                    }
                }
                button .button { (words.choose) }
            }
        }
    }
}

/// The board in plain characters and words.
fn text_card(board: &BoardParts, here: &Station, language: Language) -> Markup {
    html! {
        details .card .textboard {
            summary { (language.words().board_text) }
            pre { (kanzen_core::text(&here.drawing)) }
            (board.list())
        }
    }
}
