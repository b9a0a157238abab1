//! Moves taken back: the open positions from which a move leads to a given one.
//!
//! Reads like [`super::rules`], backwards: the player who moved last draws a piece back to an empty
//! square it may have come from, perhaps gives up a piece from the hand as the one captured there,
//! perhaps turns a hen back into a chick; or takes a piece off the board into the hand.
//!
//! Before the move the game was not over, so no piece of that player attacked the lion of the
//! other: if it is attacked now, then by the piece that moved, and by no other. And that
//! player's lion was not in the other's camp, where the game would have been over a move before.

use super::piece::{BOARD, ENEMY_CAMP, PLACES, Place, SQUARES, Sort, Square};
use super::rules::{Options, PIECES, Position};

/// The most predecessors a position can have: with three kinds to un-capture, no more than a lion,
/// a giraffe, an elephant and a hen are left to draw back (22 steps, each with none of them, three
/// sorts or a hen captured; 3 drops), with fewer kinds fewer.
pub const MOST: usize = 128;

/// Calls `visit` with every open position (see [`super::index::Domain::Open`]) that has a move to
/// `position`, itself open, as often as it has such moves, which is once.
///
/// The squares to draw back to are gathered in one set for all pieces: a loop for each piece would
/// cost a mispredicted branch for each piece.
#[inline(always)]
pub fn for_each_predecessor(
    position: &Position,
    options: &Options,
    mut visit: impl FnMut(Position),
) {
    // Now the one who moved last is the mover.
    let now = position.turned();
    let occupied = now.occupied();
    let empty = !(occupied | occupied >> 12) & BOARD;
    let moved = may_have_moved(&now);
    let (captured, kinds) = captured(&now);
    let captured = &captured[..kinds];

    let back = |piece| u64::from(steps_back(&now, piece, moved, empty));
    let officers = back(0) | back(2) << 12 | back(3) << 24 | back(4) << 36 | back(5) << 48;
    let chicks = back(6) | back(7) << 12;
    for (first, mut steps) in [(1, officers), (6, chicks)] {
        while steps != 0 {
            let bit = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            // The lion comes first, but the piece before the giraffes is the enemy's lion.
            let piece = if first + bit / SQUARES == 1 { 0 } else { first + bit / SQUARES };
            let from = Place::from_byte((bit % SQUARES) as u8);
            let before = if now.place(piece).is_promoted() { from.promoted() } else { from };
            draw_back(&now, piece, before, captured, &mut visit);
        }
    }
    for piece in [6, 7] {
        let place = now.place(piece);
        let to = place.bit() & ENEMY_CAMP;
        if place.is_promoted() && moved >> piece & 1 != 0 && to << 3 & empty != 0 {
            let from = Place::from_byte((to << 3).trailing_zeros() as u8);
            draw_back(&now, piece, from, captured, &mut visit);
        }
    }
    let dropped = |piece| u32::from(was_dropped(&now, piece, moved, options)) << piece;
    let mut drops = dropped(2) | dropped(3) | dropped(4) | dropped(5) | dropped(6) | dropped(7);
    while drops != 0 {
        let piece = drops.trailing_zeros() as usize;
        drops &= drops - 1;
        visit(now.with(piece, Place::OWN_HAND));
    }
}

/// The empty squares from which a piece may have stepped.
#[inline(always)]
fn steps_back(now: &Position, piece: usize, moved: u32, empty: u32) -> u32 {
    let (sort, place) = (PIECES[piece], now.place(piece));
    let threats = sort.attackers(place.is_promoted(), now.enemy_lion());
    if moved >> piece & 1 != 0 { sources(sort, place) & empty & !threats } else { 0 }
}

/// May a piece have been dropped where it is?
#[inline(always)]
fn was_dropped(now: &Position, piece: usize, moved: u32, options: &Options) -> bool {
    let place = now.place(piece);
    let on = if place.is_promoted() { 0 } else { place.bit() & BOARD };
    moved >> piece & 1 != 0 && options.drop_squares(PIECES[piece], on) != 0
}

/// Puts a piece back to where it stood before its move: the square it moved to is left empty, or to
/// a captured piece.
#[inline(always)]
fn draw_back(
    now: &Position,
    piece: usize,
    before: Place,
    captured: &[(usize, Place)],
    visit: &mut impl FnMut(Position),
) {
    let to = now.place(piece).bit().trailing_zeros() as u8;
    let then = now.with(piece, before);
    visit(then);
    for &(held, enemy) in captured {
        visit(then.with(held, Place::from_byte(enemy.byte() + to)));
    }
}

/// The pieces that may have moved last, as bits: if the enemy's lion is attacked, only the attacker.
#[inline(always)]
fn may_have_moved(now: &Position) -> u32 {
    let lion = now.enemy_lion().bit();
    let mut moved = 0b1111_1101;
    for (piece, sort) in PIECES.into_iter().enumerate().skip(2) {
        let attacks = sort.attacks(now.place(piece)) & lion != 0;
        moved &= if attacks { 1 << piece } else { !0 };
    }
    moved
}

/// What may have been captured: the pieces in the mover's hand (of two equal ones, one), a chick
/// also as a hen, each with the place it would have on the square a1; and how many there are.
#[inline(always)]
fn captured(now: &Position) -> ([(usize, Place); 4], usize) {
    const A1: Place = Place::enemy(Square::new(0).unwrap());
    let mut captured = [(0, A1); 4];
    let mut kinds = 0;
    for piece in [2, 4, 6] {
        let held = if now.place(piece) == Place::OWN_HAND { piece } else { piece + 1 };
        if now.place(held) == Place::OWN_HAND {
            captured[kinds] = (held, A1);
            kinds += 1;
            if PIECES[held] == Sort::Chick {
                captured[kinds] = (held, A1.promoted());
                kinds += 1;
            }
        }
    }
    (captured, kinds)
}

/// The squares from which a piece may have stepped to its place, if it is the mover's.
#[inline(always)]
fn sources(sort: Sort, place: Place) -> u32 {
    SOURCES[sort as usize][place.index()].into()
}

const SOURCES: [[u16; PLACES]; 4] = {
    let mut table = [[0; PLACES]; 4];
    let mut sort = 0;
    while sort < 4 {
        let mut byte = 0;
        while byte < PLACES {
            let place = Place::from_byte(byte as u8);
            if let (true, Some(to)) = (place.is_own(), place.square()) {
                let from = Sort::ALL[sort].attackers(place.is_promoted(), to);
                table[sort][byte] = match Sort::ALL[sort] {
                    // In the enemy's camp the game would have been over.
                    Sort::Lion => from & !ENEMY_CAMP,
                    // A chick that arrives on the last row is a hen.
                    Sort::Chick if !place.is_promoted() && to.bit() & ENEMY_CAMP != 0 => 0,
                    _ => from,
                } as u16;
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
    use crate::index::{Domain, Index};
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
