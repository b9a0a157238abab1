//! What one pass over a tier tells of its moves: how many there are, and where a single one counts.

use crate::{Atlas, Found};
use kanzen_core::{Next, Trace, Value};
use kanzen_index::Indexed;
use kanzen_solve::Progress;

/// Losses, draws and wins.
pub type Outcomes = [u64; 3];

/// The moves of a tier's positions.
#[derive(Clone, Debug)]
pub struct Survey<P> {
    /// For each number of legal moves, the positions by value.
    pub branching: Vec<Outcomes>,
    /// The positions with the most legal moves.
    pub most_moves: Found<P>,
    /// The positions without a move, or with nothing but a pass.
    pub immobile: Found<P>,
    /// The draws that a single move of several keeps.
    pub only_draw: Found<P>,
    /// The wins that a single move of several keeps.
    pub only_win: Found<P>,
    /// Among those wins, the ones after whose move the other side has the most moves.
    pub hidden: Most<P>,
}

/// The positions that have the most of something.
#[derive(Clone, Debug)]
pub struct Most<P> {
    /// How many.
    pub number: u64,
    /// The positions.
    pub positions: Found<P>,
}

impl<P> Default for Most<P> {
    fn default() -> Most<P> {
        Most { number: 0, positions: Found::default() }
    }
}

impl<P: Copy> Most<P> {
    fn see(&mut self, number: u64, position: &P, keep: usize) {
        if number > self.number {
            *self = Most { number, positions: Found::default() };
        }
        if number == self.number {
            self.positions.see(position, keep);
        }
    }

    fn merge(self, other: Most<P>, keep: usize) -> Most<P> {
        match self.number.cmp(&other.number) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => {
                Most { number: self.number, positions: self.positions.merge(other.positions, keep) }
            }
        }
    }
}

impl<P> Default for Survey<P> {
    fn default() -> Survey<P> {
        Survey {
            branching: Vec::new(),
            most_moves: Found::default(),
            immobile: Found::default(),
            only_draw: Found::default(),
            only_win: Found::default(),
            hidden: Most::default(),
        }
    }
}

impl<P: Copy> Survey<P> {
    /// Joins two surveys; examples of this one come first.
    pub fn merge(mut self, mut other: Survey<P>, keep: usize) -> Survey<P> {
        let most_moves = match self.branching.len().cmp(&other.branching.len()) {
            std::cmp::Ordering::Less => other.most_moves,
            std::cmp::Ordering::Greater => self.most_moves,
            std::cmp::Ordering::Equal => self.most_moves.merge(other.most_moves, keep),
        };
        if self.branching.len() < other.branching.len() {
            std::mem::swap(&mut self.branching, &mut other.branching);
        }
        for (sum, row) in self.branching.iter_mut().zip(&other.branching) {
            (0..3).for_each(|column| sum[column] += row[column]);
        }
        Survey {
            branching: self.branching,
            most_moves,
            immobile: self.immobile.merge(other.immobile, keep),
            only_draw: self.only_draw.merge(other.only_draw, keep),
            only_win: self.only_win.merge(other.only_win, keep),
            hidden: self.hidden.merge(other.hidden, keep),
        }
    }

    /// Positions of the tier that are not over.
    pub fn positions(&self) -> u64 {
        self.branching.iter().skip(1).flatten().sum()
    }

    /// Moves a position that is not over, on average.
    pub fn mean_moves(&self) -> f64 {
        let rows = (0..).zip(&self.branching);
        let moves: u64 = rows.map(|(moves, row): (u64, _)| moves * row.iter().sum::<u64>()).sum();
        moves as f64 / self.positions().max(1) as f64
    }
}

impl<G: Indexed> Atlas<'_, G> {
    /// Surveys a tier; at most `keep` examples of each kind are returned.
    pub fn survey(&self, tier: usize, keep: usize, progress: &dyn Progress) -> Survey<G::Position> {
        let visit = |survey: &mut Survey<G::Position>, _, position: &G::Position, value| {
            self.survey_position(survey, position, value, keep);
        };
        let merge = |a: Survey<_>, b| a.merge(b, keep);
        self.pass(tier, "counting moves", progress, Survey::default, visit, merge)
    }

    fn survey_position(
        &self,
        survey: &mut Survey<G::Position>,
        position: &G::Position,
        value: Value,
        keep: usize,
    ) {
        let column = column(value);
        let (mut moves, mut keeping, mut only) = (0, 0, None);
        self.game().successors(position, |next| {
            moves += 1;
            // All moves of a loss keep it, and two that keep a value are enough to know.
            if column > 0 && keeping < 2 && self::column(self.move_value(next)) == column {
                keeping += 1;
                only = Some(next);
            }
        });
        if moves >= survey.branching.len() {
            survey.branching.resize(moves + 1, Outcomes::default());
            survey.most_moves = Found::default();
        }
        survey.branching[moves][column] += 1;
        if moves + 1 == survey.branching.len() {
            survey.most_moves.see(position, keep);
        }
        if moves < 2 {
            let mut passes = true;
            self.game().moves(position, |mv| {
                passes = self.game().trace(position, mv) == Trace::default();
            });
            if passes {
                survey.immobile.see(position, keep);
            }
            return;
        }
        if keeping != 1 {
            return;
        }
        if column == 1 {
            return survey.only_draw.see(position, keep);
        }
        survey.only_win.see(position, keep);
        if let Some(child) = only.and_then(Next::position) {
            let mut replies = 0;
            self.game().successors(&child, |_| replies += 1);
            survey.hidden.see(replies, position, keep);
        }
    }
}

/// Where a value is counted in [`Outcomes`].
fn column(value: Value) -> usize {
    value.outcome() as usize
}
