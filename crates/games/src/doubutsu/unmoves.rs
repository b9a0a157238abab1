//! Moves taken back: the open positions from which a move leads to a given one.
//!
//! Reads like [`super::rules`], backwards: the player who moved last draws a piece back to an empty
//! square it may have come from, perhaps gives up a piece from the hand as the one captured there,
//! perhaps turns a hen back into a chick; or takes a piece off the board into the hand.
//!
//! Before the move the game was not over, so no piece of that player attacked the lion of the
//! other: if it is attacked now, then by the piece that moved, and by no other. And that
//! player's lion was not in the other's camp, where the game would have been over a move before.

use super::piece::{BOARD, ENEMY_CAMP, Place, Sort, Square, squares};
use super::rules::{Options, PIECES, Position};

/// Calls `visit` with every open position (see [`super::index::Domain::Open`]) that has a move to
/// `position`, itself open, as often as it has such moves, which is once.
#[inline(always)]
pub fn for_each_predecessor(position: &Position, options: &Options, mut visit: impl FnMut(Position)) {
    // Now the one who moved last is the mover.
    let now = position.turned();
    let places = now.places();
    let occupied = now.occupied();
    let empty = !(occupied | occupied >> 12) & BOARD;
    let lion = now.enemy_lion();
    let mut moved = 0b1111_1101;
    for (piece, &place) in places.iter().enumerate().skip(2) {
        if PIECES[piece].attacks(place) & lion.bit() != 0 {
            moved &= 1 << piece;
        }
    }
    for piece in [0, 2, 3, 4, 5, 6, 7] {
        let (sort, place) = (PIECES[piece], places[piece]);
        if moved >> piece & 1 == 0 || !place.is_own() {
            continue;
        }
        let to = Square::new(place.bit().trailing_zeros() as u8).expect("an own piece is on the board");
        let last_row = to.bit() & ENEMY_CAMP != 0;
        let promoted = place.is_promoted();
        let mut put_back = |before: Place| {
            let mut then = *places;
            then[piece] = before;
            visit(Position::from_places(then));
            for captured in [2, 4, 6] {
                // Of two in hand either may be the captured one.
                let held = if places[captured] == Place::OWN_HAND { captured } else { captured + 1 };
                if places[held] == Place::OWN_HAND {
                    let mut then = then;
                    then[held] = Place::enemy(to);
                    visit(Position::from_places(then));
                    if PIECES[held] == Sort::Chick {
                        then[held] = Place::enemy(to).promoted();
                        visit(Position::from_places(then));
                    }
                }
            }
        };
        // A chick that arrives on the last row is a hen.
        if sort != Sort::Chick || promoted || !last_row {
            let mut sources = sort.attackers(promoted, to) & empty & !sort.attackers(promoted, lion);
            if sort == Sort::Lion {
                sources &= !ENEMY_CAMP;
            }
            for from in squares(sources) {
                let before = Place::own(from);
                put_back(if promoted { before.promoted() } else { before });
            }
        }
        if promoted && last_row {
            for from in squares(sort.attackers(false, to) & empty) {
                put_back(Place::own(from));
            }
        }
        if sort != Sort::Lion && !promoted && options.drop_squares(sort, to.bit()) != 0 {
            let mut then = *places;
            then[piece] = Place::OWN_HAND;
            visit(Position::from_places(then));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doubutsu::index::{Domain, Index};
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static OPEN: LazyLock<Index> = LazyLock::new(|| Index::new(Domain::Open));

    fn options() -> impl Strategy<Value = Options> {
        (any::<bool>(), any::<bool>())
            .prop_map(|(last_row_chick_drop, drops)| Options { last_row_chick_drop, drops })
    }

    fn predecessors(position: &Position, options: &Options) -> Vec<Position> {
        let mut found = Vec::new();
        for_each_predecessor(position, options, |before| found.push(before));
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn every_move_can_be_taken_back(number in 0..OPEN.len(), options in options()) {
            let position = OPEN.unrank(number);
            for (_, next) in position.moves(&options) {
                if OPEN.rank(&next).is_some() {
                    let before = predecessors(&next, &options);
                    prop_assert_eq!(before.iter().filter(|&&p| p == position).count(), 1);
                }
            }
        }

        #[test]
        fn every_move_taken_back_can_be_played(number in 0..OPEN.len(), options in options()) {
            let position = OPEN.unrank(number);
            for before in predecessors(&position, &options) {
                prop_assert!(OPEN.rank(&before).is_some());
                let again = before.moves(&options);
                prop_assert_eq!(again.iter().filter(|(_, next)| *next == position).count(), 1);
            }
        }
    }
}
