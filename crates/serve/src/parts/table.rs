//! A position with what can be done there: which spots can be touched, what each touch is worth, and
//! where it leads.

use crate::http::limits;
use crate::parts::cards::sentence;
use crate::parts::walk::Station;
use crate::url::view::{Map, View};
use kanzen_core::Language;
use kanzen_core::{Drawing, Kit, Outcome, Party, Side, Touch, Trace, Verdict};
use kanzen_registry::{AnySolved, BestPlay, MoveAnswer};
use kanzen_show::board::{Board, Marked, exchange, hands};
use kanzen_show::{Press, Speak, Worth, YOU, move_words};
use kanzen_study::worth::{shown, shown_move};
use maud::{Markup, html};

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
    /// The side of the one who looks at it, if that is somebody's.
    pub you: Option<Side>,
}

impl Table<'_> {
    fn turn(&self) -> Side {
        self.here.drawing.turn.unwrap_or(Side::One)
    }

    fn worth(&self, mv: &MoveAnswer) -> Worth {
        self.to(shown_move(self.kit, self.here.mover, mv))
    }

    /// A value said to the one who looks at it: 'You win'.
    fn to(&self, worth: Worth) -> Worth {
        let name = |party: Party| if Some(party.side) == self.you { YOU } else { party.name };
        let said = |party: Party| Party { name: name(party), ..party };
        let press = worth.press.map(|press| Press { by: said(press.by), ..press });
        Worth { winner: worth.winner.map(said), press, ..worth }
    }

    /// Who is to move.
    pub fn status(&self) -> Markup {
        let party = self.kit.party(self.here.mover);
        let class = format!("turn {}", party.colour.word());
        html! {
            p class=(class) {
                @if self.here.is_over() { (self.language.phrases().game_over) }
                @else { span .swatch aria-hidden="true" {} (self.language.to_move(party.name)) }
            }
        }
    }

    /// The value in words.
    pub fn verdict(&self) -> Markup {
        let words = self.language.phrases();
        let worth = self.to(self.here.shown(self.kit));
        let class = format!("card verdict {}", worth.class());
        let winner = |winner: &u8| match winner {
            0 => words.nobody_wins.to_owned(),
            winner => self.language.wins_in(self.kit.party(Side::of_number(*winner)).name, None),
        };
        let best_play = self.here.answer.as_ref().and_then(|answer| answer.best_play.as_ref());
        let text = match (best_play, worth.verdict) {
            (Some(BestPlay { unknown: Some(why), .. }), _) => format!("{}: {why}", words.unknown),
            (Some(BestPlay { safe: Some(true), .. }), _) => words.safe.to_owned(),
            (Some(BestPlay { safe: Some(false), .. }), _) => words.not_safe.to_owned(),
            (Some(BestPlay { winners, .. }), _) => {
                winners.iter().flatten().map(winner).collect::<Vec<_>>().join(" / ")
            }
            (None, Some(Verdict { value: Outcome::Draw, plies: None })) => {
                let press = worth.press.map(|press| self.language.presses(press));
                words.a_draw.to_owned() + &press.unwrap_or_default()
            }
            (None, Some(Verdict { value: Outcome::Draw, plies: Some(0) })) => {
                words.drawn.to_owned()
            }
            (None, _) => worth.words(self.language),
        };
        let meaning = best_play.map(|best_play| self.meaning(&best_play.meaning));
        html! {
            section class=(class) aria-live="polite" {
                span .sign aria-hidden="true" { (worth.badge()) }
                div {
                    (self.status())
                    p .words { (sentence(&text)) }
                    @if let Some(meaning) = meaning { p .fine { (words.meaning) ": " (meaning) } }
                }
            }
        }
    }

    /// What best play means, in words.
    fn meaning<'m>(&self, name: &'m str) -> &'m str {
        let mut options = self.view.variant.entry.options.iter();
        let said = options.find(|option| option.name == "meaning").and_then(|option| {
            let value = option.values.iter().find(|value| **value == name)?;
            Some(option.say(value, self.language))
        });
        said.unwrap_or(name)
    }

    /// The list of moves, those that win first, each with what it does and what refutes it.
    pub fn moves(&self) -> Markup {
        let words = self.language.phrases();
        let Some(answer) = &self.here.answer else { return html! {} };
        let shown = if self.view.all { usize::MAX } else { limits::MOVES };
        let groups = [
            (Some(Outcome::Win), words.wins),
            (Some(Outcome::Draw), words.draws),
            (Some(Outcome::Loss), words.losses),
            (None, words.others),
        ];
        let board = self.parts(self.here.drawing.clone());
        let board = board.board();
        html! {
            section .card .moves {
                h2 { (words.moves) }
                @if answer.moves.is_empty() { p { (words.no_moves) } }
                div .all {
                @for (value, heading) in groups {
                    @let of_value = answer.moves.iter().take(shown).filter(|mv| mv.value == value);
                    @let all = answer.moves.iter().filter(|mv| mv.value == value).count();
                    @if all > 0 {
                        h3 { (heading) " " span .fine { (all) } }
                        ol { @for mv in of_value { li { (self.listed(mv, &board)) } } }
                    }
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

    /// A move of the list.
    fn listed(&self, mv: &MoveAnswer, board: &Board<'_>) -> Markup {
        let words = self.language.phrases();
        let best = self.here.answer.as_ref().and_then(|answer| answer.value);
        let fails = mv.position.is_some() && mv.value.is_some() && mv.value != best;
        let after = self.view.after(&mv.name);
        html! {
            a .move href=(after) title=(move_words(board, &mv.trace, &mv.gesture))
                data-from=[mv.trace.from] data-to=[mv.trace.to] data-also=(spots(&mv.trace.also)) {
                (self.worth(mv).chip(self.language)) span .name { (mv.name) }
            }
            @if fails {
                a .why href={ (after) "&best=1" } title=(words.why_help) { (words.why) }
            }
        }
    }

    /// The board with its marks and links, and what is to be done next.
    pub fn board(&self, solved: Option<&dyn AnySolved>) -> (BoardParts, Markup) {
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
        if let (Some(_), Some(solved)) = (self.view.map, solved) {
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
        let words = self.language.phrases();
        let placing = !pick.is_empty()
            && open.iter().any(|(mv, _)| puts_others(mv) && pick.len() >= mv.gesture.touches.len());
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

    /// A board in its place on the page, with the move that led here for scripts to show.
    pub fn frame(&self, board: &BoardParts) -> Markup {
        let trace = self.here.played.as_ref().map(|(_, trace)| trace);
        html! {
            div .boardframe data-ply=(self.view.ply) data-from=[trace.and_then(|trace| trace.from)]
                data-to=[trace.and_then(|trace| trace.to)] { (board.svg()) }
        }
    }

    fn parts(&self, drawing: Drawing) -> BoardParts {
        BoardParts {
            drawing,
            kit: self.kit,
            exchanged: self.here.exchanged,
            flip: self.view.flip,
            mirror: self.view.mirror,
            coordinates: !self.view.unnamed,
            arrow: None,
            language: self.language,
            title: self.view.variant.title(self.language),
            marks: Vec::new(),
        }
    }

    fn mark_last_move(&self, parts: &mut BoardParts) {
        if let Some((_, trace)) = &self.here.played {
            parts.show(trace);
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
        if !puts_others(mv) || pick.len() < mv.gesture.touches.len() {
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
    fn map(&self, solved: &dyn AnySolved) -> Vec<(Touch, Marked)> {
        let drawing = &self.here.drawing;
        let mut marks = Vec::new();
        let mapped = |map| View { map: Some(map), ..self.view.clone() };
        for piece in &drawing.pieces {
            let link = map_address(&mapped(Map::Of(piece.spot)));
            let picked = self.view.map == Some(Map::Of(piece.spot));
            let marked = Marked { link: Some(link), picked, ..Default::default() };
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
            let worth =
                shown(self.kit, self.here.mover, answer.verdict(), answer.best_play.as_ref());
            let link = self.view.elsewhere("").with("position", &text).text();
            let marked = Marked { link: Some(link), worth: Some(worth), ..Default::default() };
            marks.push((Touch::Spot(to), marked));
        }
        marks
    }

    /// The way to the map of values, and back.
    pub fn map_card(&self) -> Markup {
        let words = self.language.phrases();
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

/// Numbers of spots, for scripts.
pub fn spots(spots: &[usize]) -> String {
    spots.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

/// Whether a move's piece arrives, and then others are put elsewhere.
fn puts_others(mv: &MoveAnswer) -> bool {
    let arrives = mv.trace.to.map(Touch::Spot);
    !mv.gesture.then.is_empty()
        && arrives.is_some()
        && mv.gesture.touches.last() == arrives.as_ref()
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
    coordinates: bool,
    arrow: Option<(usize, usize)>,
    language: Language,
    title: String,
    marks: Vec<(Touch, Marked)>,
}

impl BoardParts {
    /// Shows a move: its spots, and an arrow.
    pub fn show(&mut self, trace: &Trace) {
        for &spot in trace.from.iter().chain(&trace.to).chain(&trace.also) {
            self.mark(Touch::Spot(spot), |marked| marked.last = true);
        }
        self.arrow = trace.from.zip(trace.to);
    }

    /// The board in plain characters, with the players as they were at first.
    pub fn text(&self) -> String {
        let seen = self.exchanged.then(|| exchange(&self.drawing, self.kit));
        kanzen_show::text(seen.as_ref().unwrap_or(&self.drawing), self.coordinates)
    }

    fn mark(&mut self, touch: Touch, change: impl FnOnce(&mut Marked)) {
        match self.marks.iter_mut().find(|(known, _)| *known == touch) {
            Some((_, marked)) => change(marked),
            None => {
                let mut marked = Marked::default();
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
            coordinates: self.coordinates,
            arrow: self.arrow,
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
