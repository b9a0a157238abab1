//! Setting up a position by hand: anything goes, and what is wrong with it is said.
//!
//! The board is in the address as one character a spot, because a board that is not a position yet
//! has no notation.

use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply, told};
use crate::parts::cards::sentence;
use crate::state::site::Site;
use crate::state::tables::Variant;
use crate::url::query::Query;
use crate::url::view::side_of;
use kanzen_core::Language;
use kanzen_core::{Drawing, Kind, Kit, Piece, Side, Words};
use kanzen_show::Speak;
use kanzen_show::board::{InHand, Marked, plain};
use kanzen_study::worth::shown_answer;
use maud::{Markup, html};
use std::sync::Arc;

const ERASE: &str = "x";

/// A board that is being set up.
#[derive(Clone)]
struct Setup<'a> {
    variant: &'a Variant,
    kit: &'static Kit,
    drawing: Drawing,
    /// The kind of piece that a touch puts, or the eraser.
    brush: Option<usize>,
}

impl Setup<'_> {
    /// The character of a kind in addresses.
    fn letter(&self, side: Side, label: &str) -> char {
        let number = self.kit.kinds.iter().position(|k| k.side == side && k.label == label);
        number.and_then(|number| char::from_digit(number as u32, 36)).unwrap_or('.')
    }

    fn kind(&self, letter: char) -> Option<&'static Kind> {
        self.kit.kinds.get(letter.to_digit(36)? as usize)
    }

    /// Reads the board of an address over the start position.
    fn read(&mut self, query: &Query) -> Result<(), Trouble> {
        if let Some(board) = query.get("board") {
            if board.chars().count() != self.drawing.spots.len() {
                let message = format!("expected {} characters", self.drawing.spots.len());
                return Err(Trouble::field("board", message));
            }
            let pieces = board.chars().enumerate().filter_map(|(spot, letter)| {
                let kind = self.kind(letter)?;
                Some(Piece::new(spot, kind.side, kind.label))
            });
            self.drawing.pieces = pieces.collect();
            let letters = query.get("hands").unwrap_or("");
            let kinds: Vec<&Kind> = letters.chars().take(60).filter_map(|l| self.kind(l)).collect();
            for hand in &mut self.drawing.hands {
                let own = kinds.iter().filter(|kind| kind.side == hand.side);
                hand.pieces = own.map(|kind| kind.label.to_owned()).collect();
            }
        }
        if let (true, Some(turn)) = (self.kit.choose_turn, query.get("turn")) {
            self.drawing.turn = side_of(turn).or(self.drawing.turn);
        }
        self.brush = match query.get("brush") {
            Some(ERASE) => None,
            Some(text) => text.parse().ok().filter(|number| *number < self.kit.kinds.len()),
            None => Some(0),
        };
        Ok(())
    }

    fn address(&self) -> String {
        let board: String = (0..self.drawing.spots.len())
            .map(|spot| {
                let piece = self.drawing.pieces.iter().find(|piece| piece.spot == spot);
                piece.map_or('.', |piece| self.letter(piece.side, &piece.label))
            })
            .collect();
        let hands = self.drawing.hands.iter().flat_map(|hand| {
            hand.pieces.iter().map(|label| self.letter(hand.side, label)).collect::<Vec<_>>()
        });
        let hands: String = hands.collect();
        let mut address = self.variant.address("/setup").with("board", &board);
        if !hands.is_empty() {
            address = address.with("hands", &hands);
        }
        if let (true, Some(turn)) = (self.kit.choose_turn, self.drawing.turn) {
            address = address.with("turn", &turn.number().to_string());
        }
        let brush = self.brush.map_or(ERASE.to_owned(), |number| number.to_string());
        address.with("brush", &brush).text()
    }

    /// The address after a change.
    fn changed(&self, change: impl FnOnce(&mut Setup<'_>)) -> String {
        let mut changed = self.clone();
        change(&mut changed);
        changed.address()
    }

    /// The address after a touch of a spot: the piece is put there, or taken away if it is there.
    fn touched(&self, spot: usize) -> String {
        self.changed(|setup| {
            let kind = setup.brush.map(|number| setup.kit.kinds[number]);
            let there = setup.drawing.pieces.iter().find(|piece| piece.spot == spot);
            let same = there.is_some_and(|piece| {
                kind.is_some_and(|kind| kind.side == piece.side && kind.label == piece.label)
            });
            setup.drawing.pieces.retain(|piece| piece.spot != spot);
            if let (false, Some(kind)) = (same, kind) {
                setup.drawing.pieces.push(Piece::new(spot, kind.side, kind.label));
            }
        })
    }
}

/// Renders the page on which a position is set up.
pub fn set_up(
    site: &Arc<Site>,
    game: &str,
    query: &Query,
    language: Language,
) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let variant = site.tables.variant(game, &query.all("o"))?;
    let kit = variant.game.kit();
    let start = variant.game.draw(None)?;
    // A position that cannot be read is shown as the start, with what is wrong.
    let given = query.position()?;
    let refused = given.and_then(|text| variant.game.draw(Some(text)).err());
    let drawing = match (given, &refused) {
        (Some(text), None) => variant.game.draw(Some(text))?,
        _ => start.clone(),
    };
    let mut setup = Setup { variant: &variant, kit, drawing, brush: Some(0) };
    setup.read(query)?;
    let composed = variant.game.compose(&setup.drawing);
    let title = format!("{}: {}", variant.title(language), words.set_up);
    let page = Page {
        title: title.clone(),
        language,
        here: setup.address(),
        game: Some((&variant, "/setup")),
        waits: false,
    };
    let clear = setup.changed(|setup| {
        setup.drawing.pieces.clear();
        setup.drawing.hands.iter_mut().for_each(|hand| hand.pieces.clear());
    });
    let from_start = setup.changed(|setup| {
        setup.drawing = Drawing { turn: start.turn, ..start.clone() };
    });
    Ok(Reply::Lasting(page.render(html! {
        h1 { (variant.title(language)) }
        div .columns {
            section .boardside {
                @if composed.is_some() {
                    (brushes(&setup, language))
                    div .boardframe { (board(&setup, language)) }
                    p .notice { (words.set_up_help) }
                    (hands(&setup, language))
                } @else {
                    p .notice { (words.no_set_up) }
                    div .boardframe { (plain(&start, kit, false, language, title.clone()).svg()) }
                }
            }
            div .facts {
                @if let (Some(text), None) = (&composed, &refused) { (judged(&variant, text, language)) }
                @if let Some(error) = refused {
                    section .card .trouble role="alert" { h2 { (words.illegal) } (told(&Trouble::Game(error), language)) }
                }
                @if composed.is_some() && kit.choose_turn { (turns(&setup, language)) }
                @if composed.is_some() {
                    section .card {
                        p .links {
                            a .button href=(from_start) { (words.start_position) } " "
                            a .button href=(clear) { (words.clear_board) }
                        }
                    }
                }
                section .card {
                    h2 { label for="position" { (words.write_it) } }
                    form .write action=(format!("/{}/setup", variant.entry.name)) {
                        @for (name, value) in variant.chosen() {
                            input type="hidden" name="o" value=(format!("{name}={value}"));
                        }
                        input #position name="position" spellcheck="false" autocomplete="off"
                            value=(given.map(str::to_owned).or(composed.clone()).unwrap_or_default());
                        button .button { (words.show_position) }
                    }
                }
            }
        }
    })))
}

/// Whether the board is a position: then its value and a link to it, else what is wrong.
fn judged(variant: &Variant, text: &str, language: Language) -> Markup {
    let words = language.phrases();
    if let Err(error) = variant.game.draw(Some(text)) {
        return html! {
            section .card .trouble role="alert" {
                h2 { (words.illegal) }
                (told(&Trouble::Game(error), language))
            }
        };
    }
    let answer = variant.solved().and_then(|solved| solved.probe(Some(text))).ok();
    let address = variant.address("").with("position", text);
    html! {
        section .card .legal aria-live="polite" {
            h2 { (words.legal) }
            @if let Some(answer) = &answer {
                @let worth = shown_answer(variant.game.kit(), answer);
                p { (worth.chip(language)) " " (sentence(&worth.words(language))) }
            }
            p .links { a .button .main href=(address.text()) { (words.look_at_it) } }
        }
    }
}

/// The board, each spot a link.
fn board(setup: &Setup<'_>, language: Language) -> Markup {
    let title = language.phrases().set_up.to_owned();
    let mut board = plain(&setup.drawing, setup.kit, false, language, title);
    for (spot, marked) in board.spots.iter_mut().enumerate() {
        *marked = Marked { link: Some(setup.touched(spot)), ..Marked::default() };
    }
    board.svg()
}

/// The pieces to choose from, and the eraser.
fn brushes(setup: &Setup<'_>, language: Language) -> Markup {
    let words = language.phrases();
    let board = plain(&setup.drawing, setup.kit, false, language, String::new());
    let current = |brush: Option<usize>| (setup.brush == brush).then_some("true");
    html! {
        div .brushes role="toolbar" aria-label=(words.put) {
            @for (number, kind) in setup.kit.kinds.iter().enumerate() {
                @let name = language.piece_of(setup.kit.party(kind.side).name, kind.name.say(language));
                a .brush href=(setup.changed(|setup| setup.brush = Some(number)))
                    aria-current=[current(Some(number))] aria-label=(name) title=(name) {
                    svg viewBox="0 0 72 72" aria-hidden="true" { (board.piece(kind.side, kind.label, 36.0, 36.0)) }
                }
            }
            a .brush .eraser href=(setup.changed(|setup| setup.brush = None))
                aria-current=[current(None)] { (words.erase) }
        }
    }
}

/// Whose pieces in hand follow.
fn in_hand(owner: Words, language: Language) -> String {
    language.pick(format!("In hand, {}:", owner.en), format!("{}の持ち駒：", owner.ja))
}

/// How many pieces of each kind are in hand.
fn hands(setup: &Setup<'_>, language: Language) -> Markup {
    let counted = kanzen_show::board::hands(&setup.drawing);
    let count = |hand: usize, label: &str| {
        let same = counted[hand].iter().find(|held: &&InHand| held.label == label);
        same.map_or(0, |held| held.count)
    };
    html! {
        @for (number, hand) in setup.drawing.hands.iter().enumerate() {
            @let kinds = setup.kit.kinds.iter().filter(|k| k.in_hand && k.side == hand.side);
            p .handset {
                span { (in_hand(setup.kit.party(hand.side).name, language)) }
                @for kind in kinds {
                    @let more = setup.changed(|s| s.drawing.hands[number].pieces.push(kind.label.to_owned()));
                    @let fewer = setup.changed(|s| {
                        let pieces = &mut s.drawing.hands[number].pieces;
                        if let Some(place) = pieces.iter().position(|label| label == kind.label) {
                            pieces.remove(place);
                        }
                    });
                    span .counter {
                        a .button .icon href=(fewer) aria-label={ (kind.name.say(language)) " −" } { "−" }
                        span { (kind.name.say(language)) " " (count(number, kind.label)) }
                        a .button .icon href=(more) aria-label={ (kind.name.say(language)) " +" } { "+" }
                    }
                }
            }
        }
    }
}

/// The choice of the side to move.
fn turns(setup: &Setup<'_>, language: Language) -> Markup {
    let words = language.phrases();
    html! {
        section .card {
            h2 { (words.side_to_move) }
            p .links {
                @for party in setup.kit.parties.iter().filter(|party| party.side != Side::Neutral) {
                    a .button href=(setup.changed(|setup| setup.drawing.turn = Some(party.side)))
                        aria-current=[(setup.drawing.turn == Some(party.side)).then_some("true")] {
                        (party.name.say(language))
                    }
                    " "
                }
            }
        }
    }
}
