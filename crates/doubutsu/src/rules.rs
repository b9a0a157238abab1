//! The rules: positions, moves, and how the game ends.
//!
//! A position lists the places of the eight pieces as the player to move sees them, so there is
//! no side to move in it: to play a move is to change the place of one piece (or two, with a
//! capture) and to turn the board. As every piece moves a single step, nothing can be blocked or
//! pinned, and whether a lion can be captured is a matter of each attacker on its own.

use super::piece::{BOARD, ENEMY_CAMP, Kind, OWN_CAMP, Place, Sort, Square, squares};

/// The rules that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// May a chick be dropped on the last row, where it can never move?
    pub last_row_chick_drop: bool,
    /// May captured pieces be dropped at all?
    pub drops: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { last_row_chick_drop: true, drops: true }
    }
}

impl Options {
    /// The squares among the empty ones on which a piece of this sort may be dropped.
    #[inline(always)]
    pub fn drop_squares(&self, sort: Sort, empty: u32) -> u32 {
        if !self.drops {
            0
        } else if sort == Sort::Chick && !self.last_row_chick_drop {
            empty & !ENEMY_CAMP
        } else {
            empty
        }
    }
}

/// How a position is decided without another look than at itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The mover can capture the enemy's lion: won in 1 ply.
    WonAtOnce,
    /// The enemy's lion stands safely in the mover's camp: lost, 0 plies.
    LostAtOnce,
}

/// A move as the mover sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A piece steps from one square to another, and captures what stands there.
    Step {
        /// Where the piece stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A piece from the hand is put on an empty square.
    Drop {
        /// What is dropped: a giraffe, an elephant or a chick.
        kind: Kind,
        /// Where.
        to: Square,
    },
}

/// More than the moves of any position: a lion has at most 8, three kinds in hand 10 drops each, and
/// three other pieces 6 steps each.
pub const MOST_MOVES: usize = 64;

/// The sorts of the eight pieces in the order in which a position lists them: the mover's lion,
/// the enemy's lion, then two of each sort that can change hands.
pub const PIECES: [Sort; 8] = [
    Sort::Lion,
    Sort::Lion,
    Sort::Giraffe,
    Sort::Giraffe,
    Sort::Elephant,
    Sort::Elephant,
    Sort::Chick,
    Sort::Chick,
];

/// A position as the mover sees it: the places of the eight pieces in the order of [`PIECES`], the
/// first in the lowest byte.
#[derive(Clone, Copy, Debug)]
pub struct Position(u64);

/// Two pieces of one sort may change places: the position is the same.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.sorted() == other.sorted()
    }
}

impl Eq for Position {}

impl std::hash::Hash for Position {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.sorted().hash(state);
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Position) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Position {
    fn cmp(&self, other: &Position) -> std::cmp::Ordering {
        self.sorted().cmp(&other.sorted())
    }
}

impl Position {
    /// The position at the start of the game.
    pub fn start() -> Position {
        let own = |column, row| Place::own(Square::at(column, row).expect("on the board"));
        let enemy = |column, row| Place::enemy(Square::at(column, row).expect("on the board"));
        Position::from_places([
            own(1, 3),
            enemy(1, 0),
            own(2, 3),
            enemy(0, 0),
            own(0, 3),
            enemy(2, 0),
            own(1, 2),
            enemy(1, 1),
        ])
    }

    /// A position from the places of its pieces in the order of [`PIECES`]. The caller answers
    /// for the lions' being on the board, one for each player, no two pieces on one square, and
    /// only chicks promoted; [`super::notation`] has the checked way in.
    #[inline(always)]
    pub fn from_places(places: [Place; 8]) -> Position {
        debug_assert!(places[0].is_own() && !places[1].is_own() && !places[1].in_hand());
        Position(u64::from_le_bytes(places.map(Place::byte)))
    }

    /// The places of the pieces in the order of [`PIECES`].
    #[inline(always)]
    pub fn places(&self) -> [Place; 8] {
        self.0.to_le_bytes().map(Place::from_byte)
    }

    /// The place of one piece.
    #[inline(always)]
    pub fn place(&self, piece: usize) -> Place {
        Place::from_byte((self.0 >> (8 * piece)) as u8)
    }

    /// The position with one piece elsewhere.
    #[inline(always)]
    pub fn with(&self, piece: usize, place: Place) -> Position {
        let shift = 8 * piece;
        Position(self.0 & !(0xff << shift) | u64::from(place.byte()) << shift)
    }

    /// The places with those of equal pieces in ascending order.
    fn sorted(&self) -> [Place; 8] {
        let mut sorted = self.places();
        for first in [2, 4, 6] {
            sorted[first..first + 2].sort_unstable();
        }
        sorted
    }

    /// The same position as the other player sees it; it is then the other player's turn.
    #[inline(always)]
    pub fn turned(&self) -> Position {
        let turned = Place::turn_all(self.0);
        // The lions change places in the list.
        Position(turned & !0xffff | turned >> 8 & 0xff | turned << 8 & 0xff00)
    }

    /// The position with left and right exchanged.
    #[inline(always)]
    pub fn mirrored(&self) -> Position {
        Position::from_places(self.places().map(Place::mirrored))
    }

    /// Is the position its own mirror image?
    pub fn is_symmetric(&self) -> bool {
        *self == self.mirrored()
    }

    /// The square of the mover's lion.
    #[inline(always)]
    pub fn own_lion(&self) -> Square {
        self.place(0).square().expect("a lion is on the board")
    }

    /// The square of the enemy's lion.
    #[inline(always)]
    pub fn enemy_lion(&self) -> Square {
        self.place(1).square().expect("a lion is on the board")
    }

    /// The squares taken by the mover in the bits 0 to 11 and by the enemy in the bits 12 to 23.
    #[inline(always)]
    pub fn occupied(&self) -> u32 {
        self.places().iter().fold(0, |set, place| set | place.bit()) & 0xff_ffff
    }

    /// The squares attacked by the mover in the bits 0 to 11 and by the enemy in 12 to 23.
    #[inline(always)]
    pub fn attacked(&self) -> u32 {
        (0..8).fold(0, |set, piece| set | PIECES[piece].attacks(self.place(piece)))
    }

    /// What stands on a square, and whether it is the mover's.
    pub fn piece_on(&self, square: Square) -> Option<(Kind, bool)> {
        let piece = self.index_on(square)?;
        let place = self.place(piece);
        Some((PIECES[piece].kind(place), place.is_own()))
    }

    fn index_on(&self, square: Square) -> Option<usize> {
        self.places().iter().position(|place| place.square() == Some(square))
    }

    /// How many pieces of a sort are in the mover's and in the enemy's hand.
    pub fn hands(&self, sort: Sort) -> [usize; 2] {
        let held = |hand| {
            (2..8).filter(|&piece| PIECES[piece] == sort && self.place(piece) == hand).count()
        };
        [held(Place::OWN_HAND), held(Place::ENEMY_HAND)]
    }

    /// Is the mover's lion attacked?
    pub fn in_check(&self) -> bool {
        self.attacked() >> 12 & self.own_lion().bit() != 0
    }

    /// Whether the game is over here, or as good as over.
    #[inline(always)]
    pub fn ending(&self) -> Option<Ending> {
        if self.attacked() & self.enemy_lion().bit() != 0 {
            Some(Ending::WonAtOnce)
        } else if self.enemy_lion().bit() & OWN_CAMP != 0 {
            Some(Ending::LostAtOnce)
        } else {
            None
        }
    }

    /// Calls `visit` with every move and the position after it (as the other player sees it).
    /// A kind held twice can be dropped once on each square. Capturing the lion is left out: a
    /// position where that can be done is over.
    #[inline(always)]
    pub fn for_each_move(&self, options: &Options, mut visit: impl FnMut(Move, Position)) {
        let turned = self.turned();
        let occupied = self.occupied();
        let own = occupied & BOARD;
        let empty = !(occupied | occupied >> 12) & BOARD;
        for piece in [0, 2, 3, 4, 5, 6, 7] {
            let place = self.place(piece);
            if let Some(from) = place.square().filter(|_| place.is_own()) {
                for to in squares(PIECES[piece].attacks(place) & !own) {
                    let mut next = turned;
                    if to.bit() & empty == 0 {
                        let Some(captured) = self.index_on(to).filter(|&captured| captured >= 2)
                        else {
                            continue;
                        };
                        next = next.with(captured, Place::ENEMY_HAND);
                    }
                    visit(
                        Move::Step { from, to },
                        next.with(listed(piece), self.arrival(piece, to)),
                    );
                }
            } else if place == Place::OWN_HAND && (piece % 2 == 0 || self.place(piece - 1) != place)
            {
                let sort = PIECES[piece];
                for to in squares(options.drop_squares(sort, empty)) {
                    let next = turned.with(piece, self.arrival(piece, to));
                    visit(Move::Drop { kind: sort.kind(place), to }, next);
                }
            }
        }
    }

    /// The position after a piece goes to a square, perhaps of an enemy's that it captures, given this
    /// position turned.
    #[inline(always)]
    pub(super) fn moved(&self, turned: Position, piece: usize, to: Square) -> Position {
        let next = turned.with(listed(piece), self.arrival(piece, to));
        match Place::find(self.0, Place::enemy(to)) {
            Some(captured) => next.with(captured, Place::ENEMY_HAND),
            None => next,
        }
    }

    /// Every move with the position after it; none where the game is over.
    pub fn moves(&self, options: &Options) -> Vec<(Move, Position)> {
        let mut moves = Vec::new();
        if self.ending().is_none() {
            self.for_each_move(options, |played, next| moves.push((played, next)));
        }
        moves
    }

    /// The position after a legal move other than the capture of the lion.
    pub fn after(&self, played: Move) -> Position {
        let (piece, to) = match played {
            Move::Step { from, to } => (self.index_on(from), to),
            Move::Drop { kind, to } => {
                let held = |&piece: &usize| {
                    PIECES[piece] == kind.sort() && self.place(piece) == Place::OWN_HAND
                };
                ((2..8).find(held), to)
            }
        };
        let captured = self.index_on(to).filter(|&captured| captured >= 2);
        let turned = self.turned();
        let next = captured.map_or(turned, |captured| turned.with(captured, Place::ENEMY_HAND));
        piece.map_or(next, |piece| next.with(listed(piece), self.arrival(piece, to)))
    }

    /// The place of an own piece once it has moved to a square, as the other player sees it.
    #[inline(always)]
    fn arrival(&self, piece: usize, to: Square) -> Place {
        let place = self.place(piece);
        let enters = to.bit() & ENEMY_CAMP != 0 && place != Place::OWN_HAND;
        let promotes = PIECES[piece] == Sort::Chick && (place.is_promoted() || enters);
        let arrived = Place::enemy(to.turned());
        if promotes { arrived.promoted() } else { arrived }
    }

    /// The number of legal moves.
    #[inline(always)]
    pub fn count_moves(&self, options: &Options) -> u32 {
        let occupied = self.occupied();
        let own = occupied & BOARD;
        let empty = !(occupied | occupied >> 12) & BOARD;
        let mut count = 0;
        for piece in [0, 2, 3, 4, 5, 6, 7] {
            let place = self.place(piece);
            if place == Place::OWN_HAND {
                if piece % 2 == 0 || self.place(piece - 1) != place {
                    count += options.drop_squares(PIECES[piece], empty).count_ones();
                }
            } else {
                count += (PIECES[piece].attacks(place) & BOARD & !own).count_ones();
            }
        }
        count
    }

    /// Has the mover no move? Most often a glance at the lion tells.
    #[inline(always)]
    pub fn is_stuck(&self, options: &Options) -> bool {
        let steps = Sort::Lion.attacks(self.place(0)) & !self.occupied() & BOARD;
        steps == 0 && self.count_moves(options) == 0
    }

    /// The squares to which the mover's lion can step without being captured there.
    #[inline(always)]
    pub fn lion_escapes(&self) -> u32 {
        Sort::Lion.attacks(self.place(0)) & !(self.attacked() >> 12) & !self.occupied() & BOARD
    }

    /// Can the mover's lion step into the enemy's camp and be safe there?
    pub fn has_try(&self) -> bool {
        self.ending().is_none() && self.lion_escapes() & ENEMY_CAMP != 0
    }
}

/// Where a piece is listed when the board is turned: the lions change places.
#[inline(always)]
const fn listed(piece: usize) -> usize {
    if piece == 0 { 1 } else { piece }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_four_moves() {
        let start = Position::start();
        assert_eq!(start.moves(&Options::default()).len(), 4);
        assert_eq!(start.count_moves(&Options::default()), 4);
        assert_eq!(start.turned(), start);
        assert_ne!(start.mirrored(), start);
        assert_eq!(start.ending(), None);
    }
}
