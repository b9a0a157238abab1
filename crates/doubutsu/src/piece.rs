//! Squares, pieces and the places a piece can be in, with the steps of each piece.
//!
//! Everything is seen by the player to move, the *mover*: row 1 is the enemy's camp, row 4 the
//! mover's own. A [`Place`] says in one byte where a piece is *and* whose it is, which makes a
//! position eight bytes long and turns the board by looking up each byte in a table.

use std::fmt;

/// Number of squares of the board.
pub const SQUARES: usize = 12;

/// The twelve squares as bits.
pub const BOARD: u32 = 0xfff;

/// Row 1, the camp of the enemy.
pub const ENEMY_CAMP: u32 = 0x007;

/// Row 4, the camp of the mover.
pub const OWN_CAMP: u32 = 0xe00;

/// A square, numbered from a1 = 0 along the rows to c4 = 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of a number below 12.
    pub const fn new(number: u8) -> Option<Square> {
        if (number as usize) < SQUARES { Some(Square(number)) } else { None }
    }

    /// The square in a column (0 = a) and a row (0 = row 1).
    pub const fn at(column: u8, row: u8) -> Option<Square> {
        if column < 3 { Square::new(row * 3 + column) } else { None }
    }

    /// The number of the square, below 12.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The column, 0 to 2.
    pub const fn column(self) -> u8 {
        self.0 % 3
    }

    /// The row, 0 (the enemy's camp) to 3 (the own camp).
    pub const fn row(self) -> u8 {
        self.0 / 3
    }

    /// The square as one bit of a set.
    pub const fn bit(self) -> u32 {
        1 << self.0
    }

    /// The same square seen by the other player.
    pub const fn turned(self) -> Square {
        Square(11 - self.0)
    }

    /// The square with left and right exchanged.
    pub const fn mirrored(self) -> Square {
        Square(self.0 + 2 - 2 * (self.0 % 3))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column()) as char, self.row() + 1)
    }
}

/// The squares of a set of bits, lowest first.
pub fn squares(set: u32) -> impl Iterator<Item = Square> {
    kanzen_machine::members(set & BOARD).map(|square| Square(square as u8))
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// ライオン: steps to all eight sides; the game is about it.
    Lion,
    /// きりん: steps straight.
    Giraffe,
    /// ぞう: steps diagonally.
    Elephant,
    /// ひよこ: steps forward.
    Chick,
    /// にわとり, the promoted chick: steps anywhere but diagonally backward.
    Hen,
}

impl Kind {
    /// The sort of piece it is.
    pub const fn sort(self) -> Sort {
        match self {
            Kind::Lion => Sort::Lion,
            Kind::Giraffe => Sort::Giraffe,
            Kind::Elephant => Sort::Elephant,
            Kind::Chick | Kind::Hen => Sort::Chick,
        }
    }

    /// The steps of this piece of the mover as (column, row) differences; forward is row - 1.
    pub(super) const fn steps(self) -> &'static [(i8, i8)] {
        match self {
            Kind::Lion => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
            Kind::Giraffe => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
            Kind::Elephant => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
            Kind::Chick => &[(0, -1)],
            Kind::Hen => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)],
        }
    }
}

/// Where a piece is and whose: on a square or in a hand, of the mover or the enemy. The place of
/// a promoted chick also says that it is promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u8);

/// Number of different bytes a [`Place`] fits in: the size of a table over places.
pub const PLACES: usize = 64;

/// 1 in each byte of a word.
const EACH: u64 = 0x0101_0101_0101_0101;

const ENEMY: u8 = 12;
const HAND: u8 = 24;
const PROMOTED: u8 = 32;

impl Place {
    /// In the hand of the mover.
    pub const OWN_HAND: Place = Place(HAND);
    /// In the hand of the enemy.
    pub const ENEMY_HAND: Place = Place(HAND + 1);

    /// A piece of the mover on a square.
    pub const fn own(square: Square) -> Place {
        Place(square.0)
    }

    /// A piece of the enemy on a square.
    pub const fn enemy(square: Square) -> Place {
        Place(ENEMY + square.0)
    }

    /// The same place, for a chick that is promoted.
    pub const fn promoted(self) -> Place {
        Place(self.0 | PROMOTED)
    }

    /// Is this the place of a promoted chick?
    pub const fn is_promoted(self) -> bool {
        self.0 & PROMOTED != 0
    }

    /// The place with a byte that [`Place::byte`] gave.
    #[inline(always)]
    pub(super) const fn from_byte(byte: u8) -> Place {
        Place(byte)
    }

    /// The byte, below [`PLACES`].
    #[inline(always)]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The index into a table over places.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize % PLACES
    }

    /// Is it on the board, and the mover's?
    #[inline(always)]
    pub const fn is_own(self) -> bool {
        self.0 & (PROMOTED - 1) < ENEMY
    }

    /// Is it in either hand?
    #[inline(always)]
    pub const fn in_hand(self) -> bool {
        self.0 & HAND == HAND
    }

    /// The square, unless the piece is in a hand.
    pub const fn square(self) -> Option<Square> {
        match self.0 & (PROMOTED - 1) {
            own @ 0..ENEMY => Some(Square(own)),
            enemy @ ENEMY..HAND => Some(Square(enemy - ENEMY)),
            _ => None,
        }
    }

    /// A set of two halves of twelve bits, the squares of the mover and of the enemy, with this
    /// place in it; a piece in hand gives the bit 24 or 25.
    #[inline(always)]
    pub const fn bit(self) -> u32 {
        1 << (self.0 & (PROMOTED - 1))
    }

    /// The same place seen by the other player.
    #[inline(always)]
    pub const fn turned(self) -> Place {
        Place(Place::turn_all(self.0 as u64) as u8)
    }

    /// Turns the eight places in the bytes of a word.
    ///
    /// A square of the mover turned is 23 less the place, one of the enemy likewise. Taken from 31
    /// by flipping bits, the places on the board come out 8 too high, those in hand 18 too low.
    #[inline(always)]
    pub(super) const fn turn_all(places: u64) -> u64 {
        let promoted = places & (EACH * PROMOTED as u64);
        let flipped = !places & (EACH * (PROMOTED as u64 - 1));
        let in_hand = !(flipped >> 3 | flipped >> 4) & EACH;
        (flipped + in_hand * 26 - EACH * 8) | promoted
    }

    /// Which byte of a word is the place, promoted or not: the first, if there are several.
    #[inline(always)]
    pub(super) const fn find(places: u64, place: Place) -> Option<usize> {
        let others = (places & (EACH * (PROMOTED as u64 - 1))) ^ (EACH * place.0 as u64);
        // The lowest byte that is 0 is the first from which 1 cannot be taken.
        let found = others.wrapping_sub(EACH) & !others & (EACH << 7);
        if found == 0 { None } else { Some(found.trailing_zeros() as usize / 8) }
    }

    /// The place with left and right exchanged.
    #[inline(always)]
    pub const fn mirrored(self) -> Place {
        Place(MIRRORED[self.index()])
    }

    /// Every place of a piece; for a chick the promoted ones as well.
    pub fn all(chick: bool) -> impl Iterator<Item = Place> {
        let promoted = if chick { PROMOTED..PROMOTED + HAND } else { 0..0 };
        (0..HAND + 2).chain(promoted).map(Place)
    }
}

const MIRRORED: [u8; PLACES] = {
    let mut table = [0; PLACES];
    let mut place = 0;
    while place < PLACES as u8 {
        let base = place % PROMOTED;
        table[place as usize] = if base < HAND { place + 2 - 2 * (base % 3) } else { place };
        place += 1;
    }
    table
};

/// The four sorts of pieces a position lists: chicks and hens are one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Lions.
    Lion,
    /// Giraffes.
    Giraffe,
    /// Elephants.
    Elephant,
    /// Chicks, promoted or not.
    Chick,
}

impl Sort {
    /// All of them.
    pub const ALL: [Sort; 4] = [Sort::Lion, Sort::Giraffe, Sort::Elephant, Sort::Chick];

    /// What a piece of this sort at this place is.
    pub const fn kind(self, place: Place) -> Kind {
        match self {
            Sort::Lion => Kind::Lion,
            Sort::Giraffe => Kind::Giraffe,
            Sort::Elephant => Kind::Elephant,
            Sort::Chick if place.is_promoted() => Kind::Hen,
            Sort::Chick => Kind::Chick,
        }
    }

    /// The squares a piece attacks from its place: those of the mover in the bits 0 to 11, those
    /// of the enemy in the bits 12 to 23, none from a hand.
    #[inline(always)]
    pub const fn attacks(self, place: Place) -> u32 {
        ATTACKS[self as usize][place.index()]
    }

    /// The squares from which an own piece of this kind attacks a square.
    #[inline(always)]
    pub const fn attackers(self, promoted: bool, square: Square) -> u32 {
        // A piece of the enemy steps the other way round.
        let place = Place::enemy(square);
        let place = if promoted { place.promoted() } else { place };
        ATTACKS[self as usize][place.index()] >> ENEMY
    }
}

const ATTACKS: [[u32; PLACES]; 4] = {
    let mut table = [[0; PLACES]; 4];
    let mut sort = 0;
    while sort < 4 {
        let mut byte = 0;
        while byte < PLACES as u8 {
            let place = Place(byte);
            if let Some(square) = place.square() {
                let forward = if place.is_own() { 1 } else { -1 };
                let steps = Sort::ALL[sort].kind(place).steps();
                let mut step = 0;
                while step < steps.len() {
                    let column = square.column() as i8 + forward * steps[step].0;
                    let row = square.row() as i8 + forward * steps[step].1;
                    if column >= 0 && column < 3 && row >= 0 && row < 4 {
                        let bit = 1 << (row * 3 + column);
                        table[sort][byte as usize] |=
                            if place.is_own() { bit } else { bit << ENEMY };
                    }
                    step += 1;
                }
            }
            byte += 1;
        }
        sort += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_and_mirroring_twice_changes_nothing() {
        for place in Place::all(true) {
            assert_eq!(place.turned().turned(), place);
            assert_eq!(place.mirrored().mirrored(), place);
            assert_eq!(place.square().map(Square::turned), place.turned().square());
            assert_eq!(place.square().map(Square::mirrored), place.mirrored().square());
        }
        assert_eq!(Place::all(true).count(), 50);
    }

    #[test]
    fn attackers_are_the_inverse_of_attacks() {
        for sort in Sort::ALL {
            for place in Place::all(sort == Sort::Chick).filter(|place| place.is_own()) {
                let from = place.square().unwrap();
                for to in squares(BOARD) {
                    assert_eq!(
                        sort.attacks(place) & to.bit() != 0,
                        sort.attackers(place.is_promoted(), to) & from.bit() != 0
                    );
                }
            }
        }
    }
}
