//! Which values need no storage, because they are seen from the position or from its moves.
//!
//! The rules tell a win in 1 (a capture, a safe step into the camp), a loss in 2 (no safe move) and a
//! win in 3 (a move after which the other player has no safe move). Beyond that, a value follows
//! from those of the moves. That may be used for some positions only, lest two of them wait for
//! each other: for those from which every safe move leads to a position with more safe moves. So a
//! chain of such positions ends, and soon, and they are the ones with few moves to look at, like
//! those where the lion is attacked. Together that is more than 60 % of the open positions.

use super::piece::ENEMY_CAMP;
use super::rules::{Ending, MOST_MOVES, Options, Position};
use super::safety::{SafeNexts, safe_moves};
use kanzen_core::Value;
use kanzen_index::{FirstLook, Sight};

/// How the value of a position is found.
#[inline(always)]
pub fn sight(options: &Options, position: &Position) -> Sight {
    match position.ending() {
        Some(Ending::WonAtOnce) => return Sight::Value(Value::Win(1)),
        Some(Ending::LostAtOnce) => return Sight::Value(Value::Loss(0)),
        None => {}
    }
    if position.lion_escapes() & ENEMY_CAMP != 0 {
        return Sight::Value(Value::Win(1));
    }
    let nexts = SafeNexts::new(options, position);
    let safe = nexts.left();
    if safe == 0 {
        let plies = if position.is_stuck(options) { 0 } else { 2 };
        return Sight::Value(Value::Loss(plies));
    }
    let mut fewest = MOST_MOVES as u32;
    let mut stuck = false;
    for next in nexts {
        let safe = safe_moves(options, &next);
        fewest = fewest.min(safe);
        stuck |= safe == 0 && next.is_stuck(options);
    }
    if fewest == 0 {
        return Sight::Value(Value::Win(if stuck { 1 } else { 3 }));
    }
    // With the lion in the enemy's camp there is no entry, nor is the next position such a one.
    let across = position.own_lion().bit() & ENEMY_CAMP != 0;
    if across || fewest > safe { Sight::Moves } else { Sight::Table }
}

/// Whether [`sight`] leaves the value of a position, which is known, to the table: most often a few of
/// its moves tell.
#[inline(always)]
pub fn is_stored(options: &Options, position: &Position, value: Value) -> bool {
    // Only such a position is over or wins at once.
    let at_once = matches!(value, Value::Loss(0) | Value::Win(1));
    if at_once || position.own_lion().bit() & ENEMY_CAMP != 0 {
        return false;
    }
    let nexts = SafeNexts::new(options, position);
    let safe = nexts.left();
    // Only where there is a win in 3 or less, the other player may have no safe move.
    let soon = matches!(value, Value::Win(..=3));
    let mut stored = false;
    for next in nexts {
        match safe_moves(options, &next) {
            0 => return false,
            there => stored |= there <= safe,
        }
        if stored && !soon {
            break;
        }
    }
    stored
}

/// What the engine's first pass finds in an open position: its value, if the lion can step safely
/// into the camp or has no safe move, or else the number of safe moves. After every other move the
/// lion is captured.
#[inline(always)]
pub fn first_look(options: &Options, position: &Position) -> FirstLook {
    if position.lion_escapes() & ENEMY_CAMP != 0 {
        return FirstLook::Value(Value::Win(1));
    }
    match safe_moves(options, position) {
        0 if position.is_stuck(options) => FirstLook::Value(Value::Loss(0)),
        0 => FirstLook::Value(Value::Loss(2)),
        moves => FirstLook::Moves(moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Domain, Index};
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static ALL: LazyLock<Index> = LazyLock::new(|| Index::new(Domain::All));
    static OPEN: LazyLock<Index> = LazyLock::new(|| Index::new(Domain::Open));

    fn check(options: &Options, position: &Position) {
        let stored = |value| is_stored(options, position, value);
        match sight(options, position) {
            Sight::Value(value) => assert!(!stored(value), "{position:?}"),
            // Whatever the value is, of those that it can have.
            sight => {
                let expected = sight == Sight::Table;
                let values = [Value::OPEN, Value::Win(3), Value::Win(5), Value::Loss(2)];
                assert!(values.into_iter().all(|value| stored(value) == expected), "{position:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn a_known_value_changes_nothing(
            open in 0..OPEN.len(), any in 0..ALL.len(), last_row_chick_drop: bool, drops: bool,
        ) {
            let options = Options { last_row_chick_drop, drops };
            check(&options, &OPEN.unrank(open));
            check(&options, &ALL.unrank(any));
        }
    }
}
