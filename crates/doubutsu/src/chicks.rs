//! Ranks for the places of the two chicks, given the squares that other pieces have taken.
//!
//! First come the places with both chicks on the board, by the square of the second and then of
//! the first, then those with one in the mover's hand, one in the enemy's, and both in hand. How
//! many places there are before a square depends on which squares are free and how many places a
//! chick has on each (its owner, promoted or not): a row of sums for each set of squares taken.

use super::piece::{PLACES, Place, SQUARES, Square, squares};

/// One row for each set of squares taken by lions, giraffes and elephants.
const ROWS: usize = 1 << SQUARES;

/// The most squares that lions, giraffes and elephants take.
const MOST_TAKEN: u32 = 6;

const NO_RANK: u8 = u8::MAX;

/// For a square, or for the end of the board: how many places one chick has on the squares before
/// it, and how many two chicks have.
#[derive(Clone, Copy, Default)]
struct Before {
    single: u16,
    double: u16,
}

/// The sums for the twelve squares, then for the end of the board.
type Row = [Before; 16];

/// The tables for one choice of places that a chick may have.
pub(super) struct Chicks {
    /// The ranks as they are, and as the mirror shows them.
    pub(super) upright: View,
    pub(super) mirrored: View,
    /// By the squares taken, where the places begin and how many there are.
    lists: Vec<(u32, u32)>,
    places: Vec<[Place; 2]>,
}

impl Chicks {
    /// The tables for chicks whose places on the board are those that `may` allows.
    pub(super) fn new(may: impl Fn(Place) -> bool) -> Chicks {
        let mut on_square: [Vec<Place>; SQUARES] = Default::default();
        for place in Place::all(true).filter(|&place| may(place)) {
            if let Some(square) = place.square() {
                on_square[square.number() as usize].push(place);
            }
        }
        let mut chicks = Chicks {
            upright: View::new(&on_square, false),
            mirrored: View::new(&on_square, true),
            lists: vec![(0, 0); ROWS],
            places: Vec::new(),
        };
        for taken in (0..ROWS as u32).filter(|taken| taken.count_ones() <= MOST_TAKEN) {
            chicks.list(taken, &on_square);
        }
        chicks
    }

    /// The places of two chicks by rank.
    #[inline]
    pub(super) fn places(&self, taken: u32) -> &[[Place; 2]] {
        let (start, len) = self.lists[taken as usize];
        &self.places[start as usize..(start + len) as usize]
    }

    fn list(&mut self, taken: u32, on_square: &[Vec<Place>; SQUARES]) {
        let start = self.places.len();
        let free: Vec<&Vec<Place>> =
            squares(!taken).map(|square| &on_square[square.number() as usize]).collect();
        for (second, places) in free.iter().enumerate() {
            for &b in places.iter() {
                self.places.extend(
                    free[..second].iter().flat_map(|places| places.iter()).map(|&a| [a, b]),
                );
            }
        }
        for hand in [Place::OWN_HAND, Place::ENEMY_HAND] {
            self.places.extend(free.iter().flat_map(|places| places.iter()).map(|&a| [a, hand]));
        }
        self.places.extend([
            [Place::OWN_HAND, Place::OWN_HAND],
            [Place::OWN_HAND, Place::ENEMY_HAND],
            [Place::ENEMY_HAND, Place::ENEMY_HAND],
        ]);
        self.lists[taken as usize] = (start as u32, (self.places.len() - start) as u32);
    }
}

/// The tables that give the rank of places.
pub(super) struct View {
    /// The rank of a place among those on its square; of a hand, 0 or 1.
    rank: [u8; PLACES],
    rows: Box<[Row; ROWS]>,
}

impl View {
    fn new(on_square: &[Vec<Place>; SQUARES], mirrored: bool) -> View {
        let view_place = |place: Place| if mirrored { place.mirrored() } else { place };
        let view = |square: Square| if mirrored { square.mirrored() } else { square };
        let mut rank = [NO_RANK; PLACES];
        for places in on_square {
            for (number, &place) in places.iter().enumerate() {
                rank[view_place(place).index()] = number as u8;
            }
        }
        rank[Place::OWN_HAND.index()] = 0;
        rank[Place::ENEMY_HAND.index()] = 1;
        let mut rows = super::index::boxed(Row::default());
        for taken in 0..ROWS as u32 {
            let seen = squares(taken).fold(0, |set, square| set | view(square).bit());
            let row: &mut Row = &mut rows[seen as usize];
            let mut before = Before::default();
            for square in squares(!taken) {
                row[view(square).number() as usize] = before;
                let here = on_square[square.number() as usize].len() as u16;
                before.double += here * before.single;
                before.single += here;
            }
            row[SQUARES] = before;
        }
        View { rank, rows }
    }

    /// May a chick be here?
    #[inline(always)]
    pub(super) fn has(&self, place: Place) -> bool {
        self.rank[place.index()] != NO_RANK
    }

    /// The rank of the places of two chicks.
    #[inline(always)]
    pub(super) fn rank(&self, taken: u32, a: Place, b: Place) -> u32 {
        let row = &self.rows[taken as usize % ROWS];
        let (rank_a, rank_b) = (u32::from(self.rank[a.index()]), u32::from(self.rank[b.index()]));
        let (before_a, before_b) = (row[square_or_end(a)], row[square_or_end(b)]);
        let single = |before: Before, rank: u32| u32::from(before.single) + rank;
        let double = |first: u32, before: Before, rank: u32| {
            u32::from(before.double) + rank * u32::from(before.single) + first
        };
        let end = row[SQUARES];
        match (a.in_hand(), b.in_hand()) {
            (false, false) if before_a.single > before_b.single => {
                double(single(before_b, rank_b), before_a, rank_a)
            }
            (false, false) => double(single(before_a, rank_a), before_b, rank_b),
            (false, true) => double(single(before_a, rank_a), end, rank_b),
            (true, false) => double(single(before_b, rank_b), end, rank_a),
            (true, true) => double(rank_a + rank_b, end, 2),
        }
    }
}

/// The number of the square, 12 for a piece in hand.
#[inline(always)]
fn square_or_end(place: Place) -> usize {
    const TABLE: [u8; 32] = {
        let mut table = [SQUARES as u8; 32];
        let mut place = 0;
        while place < 2 * SQUARES {
            table[place] = (place % SQUARES) as u8;
            place += 1;
        }
        table
    };
    TABLE[place.index() % 32] as usize % 16
}
