//! What can be said of all positions that can arise: the counts of Tanaka's paper.
//!
//! Each count is one pass over the index, shared out among threads.

use super::index::Index;
use super::piece::{ENEMY_CAMP, Kind, Sort};
use super::probe::Probe;
use super::reach::Reach;
use super::rules::{Move, Position};
use super::scan::Team;
use kanzen_core::Value;

/// Losses, draws and wins.
pub type Outcomes = [u64; 3];

/// Where a value is counted in [`Outcomes`].
fn column(value: Value) -> usize {
    value.outcome() as usize
}

/// The number of placements of all pieces by the number of pieces in hand, mirror images counted.
pub fn placements_by_hand(all: &Index) -> [u64; 7] {
    let mut counts = [0; 7];
    for block in (0..all.blocks()).map(|number| all.block(number)) {
        for offset in 0..block.len() {
            let position = block.position(offset);
            let held = position.places().iter().filter(|place| place.in_hand()).count();
            let symmetric = block.may_be_symmetric() && position.is_symmetric();
            counts[held] += if symmetric { 1 } else { 2 };
        }
    }
    counts
}

/// For each number of legal moves, the positions that can arise by their value.
pub fn legal_moves(probe: &Probe<'_>, reach: &Reach, team: Team<'_>) -> Vec<Outcomes> {
    let visit = |counts: &mut Vec<Outcomes>, number, position: Position| {
        if reach.contains(number) {
            let moves = position.count_moves(probe.game.options()) as usize;
            if counts.len() <= moves {
                counts.resize(moves + 1, Outcomes::default());
            }
            counts[moves][column(probe.stored(number))] += 1;
        }
    };
    let parts = team.collect("legal moves", probe.game.index(), visit);
    let rows = parts.iter().map(Vec::len).max().unwrap_or(0);
    let sum = |row, column| {
        parts.iter().filter_map(|part| part.get(row)).map(|row: &Outcomes| row[column]).sum()
    };
    (0..rows).map(|row| [0, 1, 2].map(|column| sum(row, column))).collect()
}

/// A zugzwang: lost, and lost for the other player too, were it that player's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zugzwang {
    /// The position.
    pub position: Position,
    /// Whether it looks the same to both players.
    pub is_symmetric: bool,
}

/// The zugzwangs among the positions that can arise, in the order of the index.
pub fn zugzwangs(probe: &Probe<'_>, reach: &Reach, team: Team<'_>) -> Vec<Zugzwang> {
    let lost = |number| reach.contains(number) && matches!(probe.stored(number), Value::Loss(_));
    let index = probe.game.index();
    let visit = |found: &mut Vec<(u32, Zugzwang)>, number, position: Position| {
        if lost(number)
            && let Some(passed) = index.rank(&position.turned()).filter(|&passed| lost(passed))
        {
            found.push((number, Zugzwang { position, is_symmetric: passed == number }));
        }
    };
    let mut found = team.collect("zugzwangs", index, visit).concat();
    found.sort_unstable_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, zugzwang)| zugzwang).collect()
}

/// The positions that can arise, are won or drawn, and keep their value only by the drop of a
/// chick on the last row.
pub fn last_row_drop_only(probe: &Probe<'_>, reach: &Reach, team: Team<'_>) -> Vec<Position> {
    let is_last_row_drop = |played: Move| matches!(played, Move::Drop { kind: Kind::Chick, to } if to.bit() & ENEMY_CAMP != 0);
    let visit = |found: &mut Vec<(u32, Position)>, number, position: Position| {
        if !reach.contains(number) || position.hands(Sort::Chick)[0] == 0 {
            return;
        }
        let value = column(probe.stored(number));
        if value == 0 {
            return;
        }
        let mut kept_otherwise = false;
        position.for_each_move(probe.game.options(), |played, next| {
            let keeps = || column(probe.value(&next).before_move()) == value;
            kept_otherwise |= !is_last_row_drop(played) && keeps();
        });
        if !kept_otherwise {
            found.push((number, position));
        }
    };
    let mut found = team.collect("drops on the last row", probe.game.index(), visit).concat();
    // Threads share out the work as it comes.
    found.sort_unstable_by_key(|&(number, _)| number);
    found.into_iter().map(|(_, position)| position).collect()
}

/// How many of the positions that can arise under the rules of one solution have another outcome
/// under those of another.
pub fn changed(probe: &Probe<'_>, other: &Probe<'_>, reach: &Reach, team: Team<'_>) -> u64 {
    let visit = |count: &mut u64, number, _| {
        let different = || column(probe.stored(number)) != column(other.stored(number));
        *count += u64::from(reach.contains(number) && different());
    };
    team.collect("changes", probe.game.index(), visit).iter().sum()
}

/// The longest distance among the positions that can arise, and the positions that have it.
pub fn longest(probe: &Probe<'_>, reach: &Reach, team: Team<'_>) -> (u16, Vec<Position>) {
    let visit = |longest: &mut (u16, Vec<Position>), number, position: Position| {
        let (Value::Win(plies) | Value::Loss(plies)) = probe.stored(number) else { return };
        if plies >= longest.0 && reach.contains(number) {
            if plies > longest.0 {
                *longest = (plies, Vec::new());
            }
            longest.1.push(position);
        }
    };
    let parts = team.collect("longest", probe.game.index(), visit);
    let most = parts.iter().map(|part| part.0).max().unwrap_or(0);
    (most, parts.into_iter().filter(|part| part.0 == most).flat_map(|part| part.1).collect())
}
