//! Doubutsu Shogi in writing and as a picture.
//!
//! A position is written `S/gle/-c-/-C-/ELG/-`: the side to move, the rows from the top, the pieces
//! in hand; capitals are Sente's, `R` is a hen. It is also read in the form of chess,
//! `gle/1c1/1C1/ELG[-] w`. Whatever is written is checked by [`Setup::state`] before it becomes a
//! position.

use super::game::{Side, State};
use super::kit::names;
use super::piece::{BOARD, Kind, Place, SQUARES, Sort, Square, squares};
use super::rules::{Move, PIECES, Position};
use kanzen_core::{Drawing, Hand, NotationError, Piece, Spot, SpotShape};

/// How positions and moves are written; both forms of a position are always read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Positions in the form of chess.
    pub fen: bool,
    /// Moves in Japanese.
    pub japanese: bool,
}

const LETTERS: &str = "L G E C R (or H) for Sente, small letters for Gote, - for nothing";
const SHAPE: &str = "a position like S/gle/-c-/-C-/ELG/- or gle/1c1/1C1/ELG[-] w";

/// What somebody has put on the board and in the hands, right or wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The player to move.
    pub turn: Side,
    /// The pieces on the squares as Sente sees them.
    pub board: [Option<(Kind, Side)>; SQUARES],
    /// The pieces in hand.
    pub hands: Vec<(Kind, Side)>,
}

impl Setup {
    /// The position, if the pieces are those of the game.
    pub fn state(&self) -> Result<State, NotationError> {
        let mut places: [Vec<Place>; 4] = Default::default();
        let mut lions = [Vec::new(), Vec::new()];
        for square in squares(BOARD) {
            let Some((kind, side)) = self.board[square.number() as usize] else { continue };
            let own = side == self.turn;
            let square = if self.turn == Side::Sente { square } else { square.turned() };
            let place = if own { Place::own(square) } else { Place::enemy(square) };
            match kind {
                Kind::Lion => lions[usize::from(!own)].push(place),
                Kind::Hen => places[Sort::Chick as usize].push(place.promoted()),
                _ => places[kind.sort() as usize].push(place),
            }
        }
        for &(kind, side) in &self.hands {
            let hand = if side == self.turn { Place::OWN_HAND } else { Place::ENEMY_HAND };
            match kind {
                Kind::Lion => return Err(NotationError::Illegal("a lion is in hand".to_owned())),
                _ => places[kind.sort() as usize].push(hand),
            }
        }
        let name = |own: bool| match self.turn == Side::Sente {
            sente if sente == own => "Sente's lions on the board",
            _ => "Gote's lions on the board",
        };
        let [own_lion] = expect(&lions[0], name(true))?;
        let [enemy_lion] = expect(&lions[1], name(false))?;
        let [g1, g2] =
            expect(&places[Sort::Giraffe as usize], "giraffes on the board and in hand")?;
        let [e1, e2] =
            expect(&places[Sort::Elephant as usize], "elephants on the board and in hand")?;
        let [c1, c2] =
            expect(&places[Sort::Chick as usize], "chicks and hens on the board and in hand")?;
        let position = Position::from_places([own_lion, enemy_lion, g1, g2, e1, e2, c1, c2]);
        Ok(State { turn: self.turn, position })
    }
}

/// The pieces of a kind, if there are as many as there must be.
fn expect<const N: usize>(found: &[Place], what: &str) -> Result<[Place; N], NotationError> {
    found.try_into().map_err(|_| NotationError::Count {
        what: what.to_owned(),
        expected: N.to_string(),
        found: found.len(),
    })
}

/// Reads a position in either form.
pub fn parse(text: &str) -> Result<State, NotationError> {
    let text = text.trim();
    match text.split('/').collect::<Vec<_>>()[..] {
        [side, a, b, c, d, hands] => {
            let rows = [a, b, c, d].map(|row| (offset(text, row), row));
            read(text, side, rows, (offset(text, hands), hands))
        }
        [a, b, c, rest] => {
            let shape = || NotationError::shape(SHAPE, text);
            let (d, rest) = rest.split_once('[').ok_or_else(shape)?;
            let (hands, side) = rest.split_once(']').ok_or_else(shape)?;
            let rows = [a, b, c, d].map(|row| (offset(text, row), row));
            read(text, side.trim(), rows, (offset(text, hands), hands))
        }
        _ => Err(NotationError::shape(SHAPE, text)),
    }
}

/// Where a part of a text begins, in characters.
fn offset(text: &str, part: &str) -> usize {
    let bytes = part.as_ptr() as usize - text.as_ptr() as usize;
    text[..bytes].chars().count()
}

fn read(
    text: &str,
    side: &str,
    rows: [(usize, &str); 4],
    (hands_at, hands): (usize, &str),
) -> Result<State, NotationError> {
    let turn = match side {
        "S" | "s" | "w" => Side::Sente,
        "G" | "g" | "b" => Side::Gote,
        _ => return Err(NotationError::shape("S, G, w or b for the side to move", side)),
    };
    let mut board = [None; SQUARES];
    for (row, (at, letters)) in rows.into_iter().enumerate() {
        let mut column = 0;
        for (place, letter) in letters.chars().enumerate() {
            let (piece, width) = match letter {
                '-' => (None, 1),
                '1'..='3' => (None, letter as usize - '0' as usize),
                _ => (Some(piece(letter, at + place)?), 1),
            };
            if let Some(cell) = board.get_mut(3 * row + column).filter(|_| column < 3) {
                *cell = piece;
            }
            column += width;
        }
        if column != 3 {
            let expected = format!("3 squares in row {}", row + 1);
            return Err(NotationError::Shape { expected, found: format!("{column} in '{text}'") });
        }
    }
    let hands = hands.chars().enumerate().filter(|&(_, letter)| letter != '-');
    let hands =
        hands.map(|(place, letter)| piece(letter, hands_at + place)).collect::<Result<_, _>>()?;
    Setup { turn, board, hands }.state()
}

fn piece(letter: char, at: usize) -> Result<(Kind, Side), NotationError> {
    let kind = match letter.to_ascii_uppercase() {
        'L' => Kind::Lion,
        'G' => Kind::Giraffe,
        'E' => Kind::Elephant,
        'C' => Kind::Chick,
        'R' | 'H' => Kind::Hen,
        _ => return Err(NotationError::Letter { at: at + 1, found: letter, allowed: LETTERS }),
    };
    Ok((kind, if letter.is_ascii_uppercase() { Side::Sente } else { Side::Gote }))
}

/// The capital letter of a kind.
fn letter(kind: Kind) -> char {
    match kind {
        Kind::Lion => 'L',
        Kind::Giraffe => 'G',
        Kind::Elephant => 'E',
        Kind::Chick => 'C',
        Kind::Hen => 'R',
    }
}

pub(super) fn letter_of(kind: Kind, side: Side) -> char {
    match side {
        Side::Sente => letter(kind),
        Side::Gote => letter(kind).to_ascii_lowercase(),
    }
}

/// What stands on a square of the board as Sente sees it.
fn piece_on(state: &State, square: Square) -> Option<(Kind, Side)> {
    let (kind, own) = state.position.piece_on(state.on_board(square))?;
    Some((kind, if own { state.turn } else { state.turn.other() }))
}

/// The pieces in hand, Sente's first.
fn hands(state: &State) -> [Vec<Kind>; 2] {
    let mut hands = [Vec::new(), Vec::new()];
    for sort in [Sort::Giraffe, Sort::Elephant, Sort::Chick] {
        let [own, enemy] = state.position.hands(sort);
        let kind = sort.kind(Place::OWN_HAND);
        for (side, count) in [(state.turn, own), (state.turn.other(), enemy)] {
            hands[side as usize].extend(std::iter::repeat_n(kind, count));
        }
    }
    hands
}

/// The letters of the pieces in hand, Sente's first, or `-`.
fn write_hands(state: &State) -> String {
    let [sente, gote] = hands(state);
    let sente = sente.into_iter().map(|kind| letter_of(kind, Side::Sente));
    let gote = gote.into_iter().map(|kind| letter_of(kind, Side::Gote));
    let letters: String = sente.chain(gote).collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

/// Writes a position as `S/gle/-c-/-C-/ELG/-`.
pub fn write(state: &State) -> String {
    let mut text = match state.turn {
        Side::Sente => "S".to_owned(),
        Side::Gote => "G".to_owned(),
    };
    for square in squares(BOARD) {
        if square.column() == 0 {
            text.push('/');
        }
        text.push(piece_on(state, square).map_or('-', |(kind, side)| letter_of(kind, side)));
    }
    format!("{text}/{}", write_hands(state))
}

/// Writes a position in the form of chess, `gle/1c1/1C1/ELG[-] w`.
pub fn write_fen(state: &State) -> String {
    let mut rows = [String::new(), String::new(), String::new(), String::new()];
    for square in squares(BOARD) {
        let row = &mut rows[square.row() as usize];
        match (piece_on(state, square), row.chars().last()) {
            (Some((kind, side)), _) => row.push(letter_of(kind, side)),
            (None, Some(digit @ '1'..='2')) => {
                row.pop();
                row.push((digit as u8 + 1) as char);
            }
            (None, _) => row.push('1'),
        }
    }
    let turn = if state.turn == Side::Sente { 'w' } else { 'b' };
    format!("{}[{}] {turn}", rows.join("/"), write_hands(state))
}

/// Writes a move as `Cb3xb2`, `Gc4-c3` or `C*b2`.
pub fn write_move(state: &State, played: Move) -> String {
    match played {
        Move::Step { from, to } => {
            let kind = state.position.piece_on(from).map_or('?', |(kind, _)| letter(kind));
            let sign = if state.position.piece_on(to).is_some() { 'x' } else { '-' };
            format!("{kind}{}{sign}{}", state.on_board(from), state.on_board(to))
        }
        Move::Drop { kind, to } => format!("{}*{}", letter(kind), state.on_board(to)),
    }
}

/// Writes a move as the paper does: `B2ひよこ`, a drop with `打`, and where another piece of the kind
/// could go there too, with the square it comes from.
pub fn write_move_in_japanese(state: &State, played: Move) -> String {
    let (kind, to) = match played {
        Move::Step { from, to } => (state.position.piece_on(from).map(|(kind, _)| kind), to),
        Move::Drop { kind, to } => (Some(kind), to),
    };
    let name = kind.map_or("？", |kind| names(kind).1.ja);
    let capital = |square: Square| state.on_board(square).to_string().to_uppercase();
    let text = format!("{}{name}", capital(to));
    let rivals = (0..PIECES.len()).filter(|&piece| {
        let place = state.position.place(piece);
        let reaches = PIECES[piece].attacks(place) & BOARD & to.bit() != 0;
        reaches && Some(PIECES[piece].kind(place)) == kind
    });
    match (played, rivals.count()) {
        (Move::Drop { .. }, 1..) => text + "打",
        (Move::Step { from, .. }, 2..) => format!("{text}({})", capital(from)),
        _ => text,
    }
}

/// The board as Sente sees it, Gote's hand first.
pub fn draw(state: &State) -> Drawing {
    let side = |side| match side {
        Side::Sente => kanzen_core::Side::One,
        Side::Gote => kanzen_core::Side::Two,
    };
    let spots = squares(BOARD).map(|square| Spot {
        x: square.column().into(),
        y: square.row().into(),
        shape: SpotShape::Cell,
        name: square.to_string(),
    });
    let pieces = squares(BOARD).filter_map(|square| {
        let (kind, owner) = piece_on(state, square)?;
        Some(Piece::new(square.number().into(), side(owner), letter_of(kind, owner)))
    });
    let hands = hands(state);
    let hand = |owner: Side| Hand {
        side: side(owner),
        pieces: hands[owner as usize].iter().map(|&kind| letter_of(kind, owner).into()).collect(),
    };
    Drawing {
        spots: spots.collect(),
        pieces: pieces.collect(),
        hands: vec![hand(Side::Gote), hand(Side::Sente)],
        turn: Some(side(state.turn)),
        caption: match state.turn {
            Side::Sente => "Sente to move (capital letters, upwards)".to_owned(),
            Side::Gote => "Gote to move (small letters, downwards)".to_owned(),
        },
        ..Drawing::default()
    }
}

/// Writes the pieces of a drawing, right or wrong.
pub fn compose(drawing: &Drawing) -> String {
    let mut text = if drawing.turn == Some(kanzen_core::Side::Two) { "G" } else { "S" }.to_owned();
    for square in squares(BOARD) {
        if square.column() == 0 {
            text.push('/');
        }
        let here = |piece: &&Piece| piece.spot == usize::from(square.number());
        text += drawing.pieces.iter().find(here).map_or("-", |piece| &piece.label);
    }
    // The hands of a drawing come from the top, those of a position Sente's first.
    let hands: String = drawing.hands.iter().rev().flat_map(|hand| hand.pieces.clone()).collect();
    format!("{text}/{}", if hands.is_empty() { "-" } else { &hands })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Domain, Index};
    use crate::kit::KIT;
    use crate::rules::Options;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static ALL: LazyLock<Index> = LazyLock::new(|| Index::new(Domain::All));

    fn state(text: &str) -> State {
        parse(text).unwrap()
    }

    #[test]
    fn both_forms_of_the_start() {
        let start = State { turn: Side::Sente, position: Position::start() };
        assert_eq!(state("S/gle/-c-/-C-/ELG/-"), start);
        assert_eq!(state("gle/1c1/1C1/ELG[-] w"), start);
        assert_eq!(write(&start), "S/gle/-c-/-C-/ELG/-");
        assert_eq!(write_fen(&start), "gle/1c1/1C1/ELG[-] w");
        assert_eq!(state("S/-l-/H--/---/-L-/GGeec"), state("1l1/R2/3/1L1[ceeGG] w"));
    }

    #[test]
    fn moves_have_names() {
        let mut state = state("S/gle/-c-/-C-/ELG/-");
        let names = |state: &State| {
            let moves = state.position.moves(&Options::default());
            let mut names: Vec<_> = moves.iter().map(|&(mv, _)| write_move(state, mv)).collect();
            names.sort();
            names
        };
        assert_eq!(names(&state), ["Cb3xb2", "Gc4-c3", "Lb4-a3", "Lb4-c3"]);
        let (taken, next) = state.position.moves(&Options::default())[3];
        assert_eq!(write_move_in_japanese(&state, taken), "B2ひよこ");
        state = State { turn: Side::Gote, position: next };
        assert_eq!(write(&state), "G/gle/-C-/---/ELG/C");
        assert_eq!(names(&state), ["Ec1xb2", "Ga1-a2", "Lb1-a2", "Lb1-c2", "Lb1xb2"]);
        let drop = super::parse("S/-l-/---/---/-L-/GGeecC").unwrap();
        assert!(names(&drop).contains(&"C*b2".to_owned()));
    }

    #[test]
    fn wrong_positions_are_explained() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(error("").contains("S/gle/-c-/-C-/ELG/-"));
        assert!(error("X/gle/-c-/-C-/ELG/-").contains("side to move"));
        assert!(error("S/gle/-c-/-C-/ELGG/-").contains("row 4"));
        assert!(error("S/gle/-c-/-C-/EL-/-").contains("giraffes"));
        assert!(error("S/g-e/-c-/-C-/ELG/-").contains("Gote's lions"));
        assert!(error("S/gle/-c-/-C-/E-G/L").contains("lion is in hand"));
        assert!(error("S/gxe/-c-/-C-/ELG/-").contains("'x' at 4"));
        assert!(error("gle/1c1/1C1/ELG w").contains("expected"));
        assert!(error("gle/1c1/1C1/EL2[-] w").contains("row 4"));
    }

    #[test]
    fn every_piece_has_a_picture_on_the_board_and_in_hand() {
        let drawing = draw(&state("S/g-e/-l-/-R-/-L-/CGE"));
        let board = drawing.pieces.iter().map(|piece| KIT.kind(piece.side, &piece.label).unwrap());
        let names: Vec<_> = board.map(|kind| kind.name.en).collect();
        assert_eq!(names, ["giraffe", "elephant", "lion", "hen", "lion"]);
        let held = drawing.hands[1].pieces.iter().map(|label| {
            let kind = KIT.kind(drawing.hands[1].side, label).unwrap();
            kind.name.ja
        });
        assert_eq!(held.collect::<Vec<_>>(), ["きりん", "ぞう", "ひよこ"]);
        let svg = kanzen_show::svg(&drawing, &KIT, kanzen_core::Language::English);
        assert_eq!(svg.matches("rotate(180)").count(), 3, "Gote's pieces face down");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn moves_have_different_names_in_japanese_too(number in 0..ALL.len()) {
            let state = State { turn: Side::Sente, position: ALL.unrank(number) };
            let moves = state.position.moves(&Options::default());
            let names: std::collections::HashSet<_> =
                moves.iter().map(|&(mv, _)| write_move_in_japanese(&state, mv)).collect();
            prop_assert_eq!(names.len(), moves.len());
        }

        #[test]
        fn what_is_written_is_read(number in 0..ALL.len(), gote in any::<bool>()) {
            let turn = if gote { Side::Gote } else { Side::Sente };
            let state = State { turn, position: ALL.unrank(number) };
            prop_assert_eq!(parse(&write(&state)), Ok(state));
            prop_assert_eq!(parse(&write_fen(&state)), Ok(state));
        }

        #[test]
        fn anything_is_read_without_panic(text in ".{0,30}", tail in "[-gleGLECRcrh1-4/\\[\\] SGwb]{0,30}") {
            let _ = parse(&text);
            let _ = parse(&tail);
            let _ = parse(&(text + &tail));
        }
    }
}
