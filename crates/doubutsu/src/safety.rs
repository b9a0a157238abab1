//! Moves after which the mover's lion cannot be captured, counted without making them.
//!
//! Nothing can be pinned or blocked, so a look at the squares that the enemy attacks tells it all:
//! the lion steps where it is not attacked; and any other move will do as long as the lion is not
//! attacked where it stands, or captures its only attacker.

use super::piece::{BOARD, Place, Square};
use super::rules::{Options, PIECES, Position};

/// The number of safe moves. The position must be one where the enemy's lion cannot be captured.
#[inline(always)]
pub fn safe_moves(options: &Options, position: &Position) -> u32 {
    let lion = position.own_lion().bit();
    let occupied = position.occupied();
    let mut attackers = 0;
    let mut moves = position.lion_escapes().count_ones();
    let mut reached = [0; 8];
    for piece in 2..8 {
        let place = position.place(piece);
        let attacks = PIECES[piece].attacks(place);
        if attacks >> 12 & lion != 0 {
            attackers |= place.bit() >> 12;
        }
        reached[piece] = attacks & BOARD & !occupied;
    }
    if attackers == 0 {
        // Any move will do.
        let empty = !(occupied | occupied >> 12) & BOARD;
        for piece in 2..8 {
            let held = position.place(piece) == Place::OWN_HAND;
            let twice = piece % 2 == 1 && position.place(piece - 1) == Place::OWN_HAND;
            moves += reached[piece].count_ones();
            if held && !twice {
                moves += options.drop_squares(PIECES[piece], empty).count_ones();
            }
        }
    } else if attackers & (attackers - 1) == 0 {
        // The one attacker must be captured.
        for set in reached {
            moves += u32::from(set & attackers != 0);
        }
    }
    moves
}

/// The same moves one by one, as the positions after them: who stops early has made but a few.
pub struct SafeNexts {
    position: Position,
    turned: Position,
    /// For each piece the squares to which it can go, in 16 bits.
    targets: u128,
}

impl SafeNexts {
    /// Before the first move.
    #[inline(always)]
    pub fn new(options: &Options, position: &Position) -> SafeNexts {
        let lion = position.own_lion().bit();
        let occupied = position.occupied();
        let empty = !(occupied | occupied >> 12) & BOARD;
        let mut attackers = 0;
        let mut targets = [0; 8];
        targets[0] = position.lion_escapes();
        for piece in 2..8 {
            let place = position.place(piece);
            let attacks = PIECES[piece].attacks(place);
            if attacks >> 12 & lion != 0 {
                attackers |= place.bit() >> 12;
            }
            let held = place == Place::OWN_HAND;
            let twice = piece % 2 == 1 && position.place(piece - 1) == Place::OWN_HAND;
            let drops = if held && !twice { options.drop_squares(PIECES[piece], empty) } else { 0 };
            targets[piece] = attacks & BOARD & !occupied | drops;
        }
        // One attacker must be captured; of two, the lion can only run away.
        let others = match attackers {
            0 => BOARD,
            one if one & (one - 1) == 0 => one,
            _ => 0,
        };
        targets[2..].iter_mut().for_each(|set| *set &= others);
        let targets = (0..).step_by(16).zip(targets);
        let targets = targets.fold(0, |all, (shift, set)| all | u128::from(set) << shift);
        SafeNexts { position: *position, turned: position.turned(), targets }
    }

    /// How many are left.
    #[inline(always)]
    pub fn left(&self) -> u32 {
        self.targets.count_ones()
    }
}

impl Iterator for SafeNexts {
    type Item = Position;

    #[inline(always)]
    fn next(&mut self) -> Option<Position> {
        if self.targets == 0 {
            return None;
        }
        let bit = self.targets.trailing_zeros();
        self.targets &= self.targets - 1;
        let to = Square::new((bit % 16) as u8)?;
        Some(self.position.moved(self.turned, bit as usize / 16, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Domain, Index};
    use crate::rules::Ending;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static OPEN: LazyLock<Index> = LazyLock::new(|| Index::new(Domain::Open));

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn counts_agree_with_the_moves(number in 0..OPEN.len(), last_row_chick_drop in any::<bool>()) {
            let options = Options { last_row_chick_drop, drops: true };
            let position = OPEN.unrank(number);
            let (mut moves, mut safe) = (0, Vec::new());
            position.for_each_move(&options, |_, next| {
                moves += 1;
                if next.ending() != Some(Ending::WonAtOnce) {
                    safe.push(next);
                }
            });
            prop_assert_eq!(position.count_moves(&options), moves);
            prop_assert_eq!(safe_moves(&options, &position), safe.len() as u32);
            let nexts = SafeNexts::new(&options, &position);
            prop_assert_eq!(nexts.left(), safe.len() as u32);
            prop_assert_eq!(nexts.collect::<Vec<_>>(), safe);
        }
    }
}
