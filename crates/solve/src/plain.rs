//! The plain twin of the frontier engine, for tests: forward passes only.
//!
//! One pass a ply over all positions of all tiers: a position is won in `n` if a move ends the
//! game or leads to a loss in `n - 1`, and lost in `n` if every move leads to a win, the slowest
//! in `n - 1`. What is left when a pass finds nothing is open.

use kanzen_core::{Game, Next, Value};
use kanzen_index::{Indexed, Place, Sight};

/// The value of every position by tier and index; none where an index stands for nothing.
pub fn plain<G: Indexed>(game: &G) -> Vec<Vec<Option<Value>>> {
    let mut known: Vec<Vec<Option<Value>>> =
        game.tiers().iter().map(|tier| vec![None; tier.size as usize]).collect();
    let place = |tier: usize, index: usize| Place { tier, index: index as u64 };
    for plies in 0.. {
        let mut found = Vec::new();
        for (tier, values) in known.iter().enumerate() {
            for (index, value) in values.iter().enumerate() {
                if value.is_none()
                    && let Some(position) = game.position(place(tier, index))
                    && let Some(value) = value_at(game, &position, &known, plies)
                {
                    found.push((tier, index, value));
                }
            }
        }
        if found.is_empty() && plies > 0 {
            break;
        }
        for (tier, index, value) in found {
            known[tier][index] = Some(value);
        }
    }
    for (tier, values) in known.iter_mut().enumerate() {
        for (index, value) in values.iter_mut().enumerate() {
            if value.is_none() && game.position(place(tier, index)).is_some() {
                *value = Some(Value::Open);
            }
        }
    }
    known
}

/// The value of a position if it ends in exactly `plies`, all shorter values being known.
fn value_at<G: Indexed>(
    game: &G,
    position: &G::Position,
    known: &[Vec<Option<Value>>],
    plies: u16,
) -> Option<Value> {
    if let Some(outcome) = Game::over(game, position) {
        let value = Value::ended(outcome, 0);
        return (plies == 0).then_some(value);
    }
    let mut moves: Vec<Option<Value>> = Vec::new();
    game.successors(position, |next| {
        moves.push(match next {
            Next::Over(outcome) => Some(Value::ended(outcome, 1)),
            Next::Position(child) => {
                let value = match game.sight(&child) {
                    Sight::Value(value) if !game.has_place(&child) => Some(value),
                    _ => {
                        let place = game.locate(&child);
                        known[place.tier][place.index as usize]
                    }
                };
                value.map(Value::before_move)
            }
        });
    });
    if moves.contains(&Some(Value::Win(plies))) {
        return Some(Value::Win(plies));
    }
    let slowest = moves.into_iter().map(|value| match value {
        Some(Value::Loss(plies)) => Some(plies),
        _ => None,
    });
    let slowest = slowest.collect::<Option<Vec<u16>>>()?.into_iter().max()?;
    (slowest == plies).then_some(Value::Loss(plies))
}
