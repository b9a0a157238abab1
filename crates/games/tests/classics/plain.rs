//! A plain solver: positions in a hash map, found by the rules alone, and as many passes over them as
//! the longest win has plies. It shares no code with the engines.

use kanzen_core::{Next, Value};
use kanzen_index::Keyed;
use std::collections::HashMap;

/// Positions with their values.
pub struct Solution<P> {
    positions: Vec<P>,
    values: Vec<Value>,
    ended: Vec<bool>,
    numbers: HashMap<u64, u32>,
}

impl<P: Copy> Solution<P> {
    /// The value of the position that has this number.
    pub fn value(&self, id: u128) -> Option<Value> {
        Some(self.values[*self.numbers.get(&(id as u64))? as usize])
    }

    /// All positions with values and whether they are ended.
    pub fn positions(&self) -> impl Iterator<Item = (P, Value, bool)> {
        let known = self.positions.iter().zip(&self.values).zip(&self.ended);
        known.map(|((&position, &value), &ended)| (position, value, ended))
    }
}

/// Solves all positions that can be reached from these. Two with the same `id` are taken for one.
pub fn solve<G: Keyed>(
    game: &G,
    seeds: impl Iterator<Item = G::Position>,
    id: impl Fn(&G::Position) -> u128,
) -> Solution<G::Position> {
    let mut positions: Vec<G::Position> = Vec::new();
    let mut numbers: HashMap<u64, u32> = HashMap::new();
    let mut number = |position: G::Position, positions: &mut Vec<G::Position>| {
        *numbers.entry(u64::try_from(id(&position)).unwrap()).or_insert_with(|| {
            positions.push(position);
            positions.len() as u32 - 1
        })
    };
    for seed in seeds {
        number(seed, &mut positions);
    }
    let (mut values, mut ended) = (Vec::new(), Vec::new());
    let (mut children, mut first) = (Vec::new(), vec![0]);
    while values.len() < positions.len() {
        let position = positions[values.len()];
        game.successors(&position, |next| match next {
            Next::Position(child) => children.push(number(child, &mut positions)),
            _ => panic!("the end of the game is a position"),
        });
        let over = game.over(&position);
        assert_eq!(over.is_some(), first[values.len()] == children.len(), "{position:?}");
        values.push(over.map_or(Value::OPEN, |outcome| Value::new(outcome, 0)));
        ended.push(over.is_some());
        first.push(children.len());
    }
    // A pass finds what is decided in so many plies by what was decided in fewer.
    for plies in 1.. {
        let mut found = false;
        for at in 0..values.len() {
            if ended[at] || values[at] != Value::OPEN {
                continue;
            }
            let next = children[first[at]..first[at + 1]].iter().map(|&to| values[to as usize]);
            let (mut win, mut loss) = (false, true);
            for value in next {
                win |= matches!(value, Value::Loss(fewer) if fewer < plies);
                loss &= matches!(value, Value::Win(fewer) if fewer < plies);
            }
            if win || loss {
                values[at] = if win { Value::Win(plies) } else { Value::Loss(plies) };
                found = true;
            }
        }
        if !found {
            break;
        }
    }
    Solution { positions, values, ended, numbers }
}
