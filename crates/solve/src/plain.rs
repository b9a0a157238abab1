//! The plain twin of the frontier engine, for tests: forward passes only.
//!
//! One pass a ply over all positions of all tiers: a position is won in `n` if a move ends the
//! game or leads to a loss in `n - 1`, and lost in `n` if every move leads to a win, the slowest
//! in `n - 1`. When a pass finds nothing, the draws by the rules follow in the same way. What is
//! left never ends.

use kanzen_core::{Endless, Game, Next, Outcome, Value};
use kanzen_index::{Indexed, Place, Sight};

/// The value of every position by tier and index; none where an index stands for nothing.
pub fn plain<G: Indexed>(game: &G) -> Vec<Vec<Option<Value>>> {
    let mut known: Vec<Vec<Option<Value>>> =
        game.tiers().iter().map(|tier| vec![None; tier.size as usize]).collect();
    let place = |tier: usize, index: usize| Place { tier, index: index as u64 };
    for outcomes in [Outcomes::Decided, Outcomes::Drawn] {
        for plies in 0.. {
            let mut found = Vec::new();
            for (tier, values) in known.iter().enumerate() {
                for (index, value) in values.iter().enumerate() {
                    if value.is_none()
                        && let Some(position) = game.position(place(tier, index))
                        && let Some(value) = value_at(game, &position, &known, outcomes, plies)
                    {
                        found.push((tier, index, value));
                    }
                }
            }
            // Values up to 2 plies may be known by the rules alone.
            if found.is_empty() && plies > 2 {
                break;
            }
            for (tier, index, value) in found {
                known[tier][index] = Some(value);
            }
        }
    }
    for (tier, values) in known.iter_mut().enumerate() {
        for (index, value) in values.iter_mut().enumerate() {
            if value.is_none()
                && let Some(position) = game.position(place(tier, index))
            {
                *value = Some(game.endless().value(game, &position));
            }
        }
    }
    known
}

/// What is looked for: wins and losses first, then draws by the rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcomes {
    Decided,
    Drawn,
}

/// The value of a position if it ends in exactly `plies`, all shorter values being known.
fn value_at<G: Indexed>(
    game: &G,
    position: &G::Position,
    known: &[Vec<Option<Value>>],
    outcomes: Outcomes,
    plies: u16,
) -> Option<Value> {
    let drawn = outcomes == Outcomes::Drawn;
    if let Some(outcome) = Game::over(game, position) {
        let value = Value::new(outcome, 0);
        return (plies == 0 && drawn == (outcome == Outcome::Draw)).then_some(value);
    }
    let mut moves: Vec<Option<Value>> = Vec::new();
    game.successors(position, |next| {
        let value = next.position().map(|child| match game.sight(&child) {
            Sight::Value(value) if !game.has_place(&child) => Some(value),
            _ => {
                let place = game.locate(&child);
                known[place.tier][place.index as usize]
            }
        });
        moves.push(match (next, value) {
            (Next::Over(outcome), _) => Some(Value::new(outcome, 1)),
            (Next::Again(_), Some(Some(Value::Win(plies)))) => Some(Value::Win(plies + 1)),
            (Next::Again(_), Some(Some(Value::Loss(plies)))) => Some(Value::Loss(plies + 1)),
            (_, value) => value.flatten().map(Value::before_move),
        });
    });
    let endless_wins = matches!(game.endless(), Endless::WonBy(s) if game.mover(position) == s);
    let (taken, held) = match drawn {
        false => (Value::Win(plies), Value::Loss(plies)),
        true if endless_wins => (Value::Win(plies), Value::Draw(plies)),
        true => (Value::Draw(plies), Value::Loss(plies)),
    };
    if moves.contains(&Some(taken)) {
        return Some(taken);
    }
    // Every move must be at least as bad as what is left, and the slowest of those be the last.
    let slowest = moves.into_iter().map(|value| match (value?, held) {
        (Value::Loss(_), Value::Draw(_)) => Some(0),
        (Value::Loss(plies), Value::Loss(_)) | (Value::Draw(plies), Value::Draw(_)) => Some(plies),
        _ => None,
    });
    let slowest = slowest.collect::<Option<Vec<u16>>>()?.into_iter().max()?;
    (slowest == plies).then_some(held)
}
