//! Boards as bytes, for arrays of many.

use crate::{Drawing, Hand, Kit, Piece, Side, SpotShape};

/// What the bytes of a board mean.
///
/// First comes a byte for each spot of the drawing: 0 for none, else the number of the kind of the
/// piece on top, from 1, as the game's [`Kit`] lists them. Then a byte for each kind that can be held
/// in hand: how many there are. Then the number of the side to move, unless the mover is always
/// [`Side::One`].
///
/// ```
/// use kanzen_core::{Cells, Drawing, Kit, Piece, Side};
/// let mut board = Drawing::cells(3, 1);
/// board.pieces.push(Piece::new(2, Side::Two, 2));
/// let cells = Cells::new(&board, &Kit::STONES);
/// let mut bytes = [9; 3];
/// cells.write(&board, &mut bytes);
/// assert_eq!(bytes, [0, 0, 2]);
/// assert_eq!(cells.read(&bytes).unwrap().pieces, board.pieces);
/// assert!(cells.read(&[0, 0, 7]).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Cells {
    /// The board without pieces.
    empty: Drawing,
    kit: &'static Kit,
    /// Spots that can hold a piece.
    spots: usize,
    /// The kinds that can be held in hand.
    held: Vec<&'static crate::Kind>,
}

impl Cells {
    /// The bytes of the boards of a game, any one of which is given.
    pub fn new(board: &Drawing, kit: &'static Kit) -> Cells {
        let hand = |hand: &Hand| Hand { side: hand.side, pieces: Vec::new() };
        let empty = Drawing {
            pieces: Vec::new(),
            hands: board.hands.iter().map(hand).collect(),
            marks: Vec::new(),
            ..board.clone()
        };
        let inside = board.spots.iter().take_while(|spot| spot.shape != SpotShape::Outside);
        let spots = inside.count();
        let has_hand = |side: Side| board.hands.iter().any(|hand| hand.side == side);
        let held = kit.kinds.iter().filter(|kind| kind.in_hand && has_hand(kind.side)).collect();
        Cells { empty, kit, spots, held }
    }

    /// How many bytes a board has.
    pub fn count(&self) -> usize {
        self.spots + self.held.len() + usize::from(self.empty.turn.is_some())
    }

    /// What each byte is called: the spot, the piece in hand, or `mover`.
    pub fn names(&self) -> Vec<String> {
        let spots = self.empty.spots[..self.spots].iter().map(|spot| spot.name.clone());
        let held = self.held.iter().map(|kind| format!("hand {}", kind.label));
        let mover = self.empty.turn.map(|_| "mover".to_owned());
        spots.chain(held).chain(mover).collect()
    }

    /// What the numbers from 1 mean on a spot: whose piece, and its label.
    pub fn kinds(&self) -> impl Iterator<Item = (Side, &'static str)> {
        self.kit.kinds.iter().map(|kind| (kind.side, kind.label))
    }

    /// Writes a board.
    pub fn write(&self, board: &Drawing, bytes: &mut [u8]) {
        bytes.fill(0);
        for piece in board.pieces.iter().filter(|piece| piece.spot < self.spots) {
            let is = |kind: &crate::Kind| kind.side == piece.side && kind.label == piece.label;
            let kind = self.kit.kinds.iter().position(is);
            bytes[piece.spot] = kind.map_or(u8::MAX, |kind| kind as u8 + 1);
        }
        for (kind, byte) in self.held.iter().zip(&mut bytes[self.spots..]) {
            let hands = board.hands.iter().filter(|hand| hand.side == kind.side);
            let pieces = hands.flat_map(|hand| &hand.pieces);
            *byte = pieces.filter(|label| *label == kind.label).count() as u8;
        }
        if let (Some(turn), Some(last)) = (board.turn, bytes.last_mut()) {
            *last = turn.number();
        }
    }

    /// The board of some bytes; none if they mean nothing.
    pub fn read(&self, bytes: &[u8]) -> Option<Drawing> {
        if bytes.len() != self.count() {
            return None;
        }
        let mut board = self.empty.clone();
        for (spot, &byte) in bytes[..self.spots].iter().enumerate().filter(|(_, byte)| **byte > 0) {
            let kind = self.kit.kinds.get(usize::from(byte) - 1)?;
            board.pieces.push(Piece::new(spot, kind.side, kind.label));
        }
        for (kind, &count) in self.held.iter().zip(&bytes[self.spots..]) {
            let hand = board.hands.iter_mut().find(|hand| hand.side == kind.side)?;
            hand.pieces.extend((0..count).map(|_| kind.label.to_owned()));
        }
        if board.turn.is_some() {
            let turn = Side::of_number(*bytes.last()?);
            board.turn = Some(turn).filter(|turn| *turn != Side::Neutral);
            board.turn?;
        }
        Some(board)
    }
}
