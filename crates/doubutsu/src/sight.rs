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
use super::safety::safe_moves;
use kanzen_core::Value;
use kanzen_index::{FirstLook, Sight};

/// How the value of a position is found.
#[inline]
pub fn sight(options: &Options, position: &Position) -> Sight {
    match position.ending() {
        Some(Ending::WonAtOnce) => return Sight::Value(Value::Win(1)),
        Some(Ending::LostAtOnce) => return Sight::Value(Value::Loss(0)),
        None => {}
    }
    if position.lion_escapes() & ENEMY_CAMP != 0 {
        return Sight::Value(Value::Win(1));
    }
    let safe = safe_moves(options, position);
    if safe == 0 {
        let plies = if position.is_stuck(options) { 0 } else { 2 };
        return Sight::Value(Value::Loss(plies));
    }
    let mut fewest = MOST_MOVES as u32;
    let mut stuck = false;
    position.for_each_move(options, |_, next| {
        if next.attacked() & next.enemy_lion().bit() == 0 {
            let safe = safe_moves(options, &next);
            fewest = fewest.min(safe);
            stuck |= safe == 0 && next.is_stuck(options);
        }
    });
    if fewest == 0 {
        return Sight::Value(Value::Win(if stuck { 1 } else { 3 }));
    }
    // With the lion in the enemy's camp there is no entry, nor is the next position such a one.
    let across = position.own_lion().bit() & ENEMY_CAMP != 0;
    if across || fewest > safe { Sight::Moves } else { Sight::Table }
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
