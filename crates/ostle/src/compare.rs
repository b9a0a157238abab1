//! What a bar on undoing changes: two tables side by side, state by state.
//!
//! The states are those of the published table, under every bar. Where the facts of a board are the
//! same, so are the values of its states; the states of all other boards are looked at.

use super::board::Board;
use super::census::states;
use super::look::Look;
use super::rules::{State, Undo};
use super::solved::SolvedOstle;
use super::symmetric::{Concerned, published_states};
use super::table::{block_facts, boards, table_tier, value};
use super::undo::numbered;
use super::word::Facts;
use kanzen_analyse::Values;
use kanzen_core::Game;
use kanzen_registry::Changes;
use kanzen_solve::Progress;
use kanzen_table::TableError;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Two tables of the same boards.
struct Pair<'a> {
    solved: [&'a SolvedOstle; 2],
    /// The boards on which the two bars may forbid different moves.
    concerned: BTreeSet<(usize, u32)>,
    most: usize,
}

/// What was found on some boards.
#[derive(Default)]
struct Found {
    /// The states of these boards in the census, by outcome.
    census: [u64; 3],
    changes: Changes,
}

/// Compares two tables of the same boards.
pub fn changes(
    solved: [&SolvedOstle; 2],
    most: usize,
    progress: &dyn Progress,
) -> Result<Changes, TableError> {
    let space = solved[0].game().space();
    let undo = solved.map(|solved| solved.game().undo());
    let concerned = match undo[0] == undo[1] {
        true => BTreeSet::new(),
        false => Concerned::find(space, progress).boards,
    };
    let pair = Pair { solved, concerned, most };
    let mut all = Found::default();
    for (tier, shape) in space.tiers.all().iter().enumerate().rev() {
        progress.begin(&format!("comparing {}", shape.name()), shape.size().into());
        let share = boards(solved[0].table());
        let blocks = 0..u64::from(shape.size()).div_ceil(share);
        let found = blocks
            .into_par_iter()
            .map(|block| {
                progress.advance(share);
                pair.block(tier, block)
            })
            .try_reduce(Found::default, |a, b| Ok(a.and(b, most)))?;
        all = all.and(found, most);
        progress.end();
    }
    // Boards that were not looked at have states of the same values under both bars.
    for (outcome, count) in solved[pair.barred()].outcomes().into_iter().enumerate() {
        all.changes.by_value[outcome][outcome] += count.saturating_sub(all.census[outcome]);
    }
    Ok(all.changes)
}

impl Pair<'_> {
    /// The one of the two under which states are counted: under it moves are barred.
    fn barred(&self) -> usize {
        usize::from(self.solved[0].game().undo() == Undo::Allowed)
    }

    fn block(&self, tier: usize, block: u64) -> Result<Found, TableError> {
        let space = self.solved[0].game().space();
        let [first, second] =
            self.solved.map(|solved| solved.table().block(table_tier(space, tier), block));
        let (first, second) = (first?, second?);
        let mut found = Found::default();
        let numbers = (block * boards(self.solved[0].table())) as u32..;
        for ((number, a), b) in numbers.zip(block_facts(&first)).zip(block_facts(&second)) {
            if a == b {
                continue;
            }
            let Some(board) = space.tiers.all()[tier].board(number) else { continue };
            if board.theirs.count_ones() == space.tiers.least() && Look::at(&board).takes() {
                continue;
            }
            match self.concerned.contains(&(tier, number)) {
                true => self.concerned_board(&board, [a, b], &mut found),
                false => self.board(&board, [a, b], &mut found),
            }
        }
        Ok(found)
    }

    /// A board on which both bars forbid the same, or one of them nothing.
    fn board(&self, board: &Board, facts: [Facts; 2], found: &mut Found) {
        let bar = self.solved.iter().any(|solved| solved.game().undo() != Undo::Allowed);
        let (free, barred) = states(board, bar);
        let mut special = facts.map(Facts::best_move).to_vec();
        special.retain(|&mv| mv != 0);
        special.dedup();
        let plain = u64::from(free) + barred - special.len() as u64;
        let name = |mv: u8| {
            let state = State { board: *board, barred: numbered(board, mv) };
            self.solved[self.barred()].game().write(&state)
        };
        for (mv, count) in special.into_iter().map(|mv| (mv, 1)).chain([(0, plain)]) {
            let values = facts.map(|facts| value(facts.value(mv)));
            found.census[Changes::place(values[self.barred()])] += count;
            found.changes.count(values, count, self.most, || Some(name(mv)));
        }
    }

    /// A board on which the two rules may bar different moves.
    fn concerned_board(&self, board: &Board, facts: [Facts; 2], found: &mut Found) {
        let space = self.solved[0].game().space();
        let published = space.game(Undo::Symmetric);
        for bar in published_states(space, board) {
            let values = facts.map(|facts| value(facts.value(bar)));
            found.census[Changes::place(values[self.barred()])] += 1;
            let state = State { board: *board, barred: numbered(board, bar) };
            found.changes.count(values, 1, self.most, || Some(published.write(&state)));
        }
    }
}

impl Found {
    fn and(mut self, other: Found, most: usize) -> Found {
        self.census.iter_mut().zip(other.census).for_each(|(sum, n)| *sum += n);
        Found { changes: self.changes.and(other.changes, most), ..self }
    }
}
