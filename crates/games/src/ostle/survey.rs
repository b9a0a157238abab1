//! One pass over all boards and the values of their moves: what they say of the game, and whether
//! the facts in the table follow from them.
//!
//! The facts of all boards are in memory, three bytes each. The moves of some boards are made
//! together, so that the memory has time to deliver what they lead to. Only the rules and the index
//! are used, not the engine.

use super::board::Board;
use super::rules::{Move, Ostle, State, Undo};
use super::solved::SolvedOstle;
use super::states::Space;
use super::table;
use super::undo;
use super::word::{Facts, Gather, Packed};
use crate::changes::Changes;
use kanzen_core::{Game, Next, Outcome};
use kanzen_index::{Work, run_with_fast_bits};
use kanzen_solve::{Progress, machine_memory, prefetch};
use kanzen_table::TableError;
use rayon::prelude::*;

/// A board has at most so many moves: four for each piece and for the hole.
pub const MOST_MOVES: usize = 24;
/// Boards whose moves are made together.
const BATCH: usize = 32;
/// Problems that are told.
const KEPT: usize = 10;

/// What a pass has found. Nothing is barred on the boards that are counted.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Boards that are lost, drawn and won, by the number of their moves.
    pub branching: [[u64; 3]; MOST_MOVES + 1],
    /// Boards that are drawn and won, of which a single move keeps that.
    pub only: [Sample; 2],
    /// Boards that are lost for whoever is to move.
    pub zugzwangs: Sample,
    /// Boards whose facts do not follow from their moves.
    pub wrong: u64,
    /// The first of them.
    pub problems: Vec<String>,
}

/// A number of boards, and some of them.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// How many there are.
    pub count: u64,
    /// Sample of them.
    pub examples: Vec<Board>,
}

impl Sample {
    fn add(&mut self, board: &Board, most: usize) {
        self.count += 1;
        if self.examples.len() < most {
            self.examples.push(*board);
        }
    }

    fn and(mut self, other: Sample, most: usize) -> Sample {
        self.count += other.count;
        self.examples.extend(other.examples);
        self.examples.truncate(most);
        self
    }
}

impl Survey {
    /// All boards.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.branching.as_flattened().iter().sum()
    }

    fn and(mut self, other: Survey, most: usize) -> Survey {
        let pairs = self.branching.as_flattened_mut().iter_mut();
        pairs.zip(other.branching.as_flattened()).for_each(|(sum, n)| *sum += n);
        self.problems.extend(other.problems);
        self.problems.truncate(KEPT);
        let [[draw, win], [other_draw, other_win]] = [self.only, other.only];
        Survey {
            only: [draw.and(other_draw, most), win.and(other_win, most)],
            zugzwangs: self.zugzwangs.and(other.zugzwangs, most),
            wrong: self.wrong + other.wrong,
            ..self
        }
    }
}

/// The memory that a survey takes, in bytes.
#[must_use]
pub fn memory(game: &Ostle) -> u64 {
    size_of::<Packed>() as u64 * game.boards()
}

/// Whether the machine has so much memory to spare.
#[must_use]
pub fn has_room(bytes: u64) -> bool {
    machine_memory().is_none_or(|memory| bytes < memory / 5 * 4)
}

/// Goes over all boards of a table, and keeps at most so many examples of each kind.
pub fn survey(
    solved: &SolvedOstle,
    most: usize,
    progress: &dyn Progress,
) -> Result<Survey, TableError> {
    let space = solved.game().space();
    let tiers = space.tiers.all();
    progress.begin("reading the table", solved.game().boards());
    let facts: Vec<Vec<Packed>> = (0..tiers.len())
        .map(|tier| table::read_tier(solved.table(), space, tier, |n| progress.advance(n)))
        .collect::<Result<_, TableError>>()?;
    progress.end();
    progress.begin("looking at every move", tiers.iter().map(|t| u64::from(t.blocks())).sum());
    let pass = Pass { game: solved.game(), space, facts: &facts, most };
    let mut all = Survey::default();
    for (tier, shape) in tiers.iter().enumerate() {
        let blocks = (0..shape.blocks()).into_par_iter().with_max_len(16);
        let found = blocks
            .fold(Survey::default, |survey, block| {
                progress.advance(1);
                run_with_fast_bits(OnBlock { pass: &pass, tier, block, survey })
            })
            .reduce(Survey::default, |a, b| a.and(b, most));
        all = all.and(found, most);
    }
    progress.end();
    Ok(all)
}

struct Pass<'a> {
    game: &'a Ostle,
    space: &'a Space,
    facts: &'a [Vec<Packed>],
    most: usize,
}

impl Pass<'_> {
    /// Where a move leads that leaves this board, and asks the memory for its facts.
    #[inline(always)]
    fn aim(&self, board: Board, barred: Option<Move>) -> After {
        let (tier, number, barred) = self.space.place(&State { board, barred });
        prefetch(&self.facts[tier], number as usize);
        After::State(tier, number, barred)
    }
}

/// Where a move leads.
enum After {
    /// To the end.
    End(Outcome),
    /// To a state: its tier, its board's number, and its barred move.
    State(usize, u32, u8),
}

/// The pass over a block.
struct OnBlock<'a> {
    pass: &'a Pass<'a>,
    tier: usize,
    block: u32,
    survey: Survey,
}

impl Work for OnBlock<'_> {
    type Output = Survey;

    #[inline(always)]
    fn run(mut self) -> Survey {
        let Pass { game, space, facts, .. } = *self.pass;
        let bar = game.undo() != Undo::Allowed;
        let boards = space.tiers.all()[self.tier].boards(self.block);
        // The moves of a board, and the same board for the other player.
        let mut moves: Vec<(u8, After)> = Vec::with_capacity(BATCH * (MOST_MOVES + 1));
        for boards in boards.chunks(BATCH) {
            let mut ends = [0; BATCH];
            for ((_, board), end) in boards.iter().zip(&mut ends) {
                for mv in Ostle::all_moves(board) {
                    let step = Ostle::step(board, mv);
                    let undoing = Ostle::undoing_step(board, mv, &step).filter(|_| bar);
                    let name = undoing.map_or(0, |_| undo::number(board, mv));
                    let after = match game.after_step(&step) {
                        Next::Over(outcome) => After::End(outcome),
                        Next::Position(next) => {
                            let barred = match game.undo() {
                                Undo::Symmetric => game.bar(board, mv, &next),
                                Undo::Exact | Undo::Allowed => undoing,
                            };
                            self.pass.aim(next, barred)
                        }
                    };
                    moves.push((name, after));
                }
                let Board { mine, theirs, hole } = *board;
                let other = Board { mine: theirs, theirs: mine, hole };
                moves.push((0, self.pass.aim(other, None)));
                *end = moves.len();
            }
            let mut begin = 0;
            for ((number, board), end) in boards.iter().zip(ends) {
                let stored = Facts::from(facts[self.tier][*number as usize]);
                let (other, moves) = moves[begin..end].split_last().expect("pushed above");
                self.board(board, stored, moves, &other.1);
                begin = end;
            }
            moves.clear();
        }
        self.survey
    }
}

impl OnBlock<'_> {
    #[inline(always)]
    fn board(&mut self, board: &Board, stored: Facts, moves: &[(u8, After)], other: &After) {
        let Pass { game, facts, most, .. } = *self.pass;
        let value = |after: &After| match *after {
            After::End(_) => 0,
            After::State(tier, number, barred) => {
                Facts::from(facts[tier][number as usize]).value(barred)
            }
        };
        let mut gather = Gather::default();
        let mut counts = [0; 3];
        for (name, after) in moves {
            match after {
                After::End(Outcome::Win) => {
                    gather.add(1, 0);
                    counts[2] += 1;
                }
                After::End(_) => counts[0] += 1,
                After::State(..) => {
                    let plies = match value(after) {
                        0 => 0,
                        plies => plies + 1,
                    };
                    gather.add(plies, *name);
                    counts[Changes::place(table::value(plies))] += 1;
                }
            }
        }
        let mut found = gather.facts();
        if found.best() == 1 {
            // What else could be done is not stored.
            found = Facts::new(1, 0, 0);
        }
        if found != stored {
            self.survey.wrong += 1;
            if self.survey.problems.len() < KEPT {
                let text = game.write(&State::free(*board));
                let problem = format!("{text}: the table says {stored:?}, its moves say {found:?}");
                self.survey.problems.push(problem);
            }
        }
        let outcome = Changes::place(table::value(stored.best()));
        self.survey.branching[moves.len()][outcome] += 1;
        if outcome > 0 && counts[outcome] == 1 {
            self.survey.only[outcome - 1].add(board, most);
        }
        if outcome == 0 && matches!(value(other), plies if plies != 0 && plies % 2 == 0) {
            self.survey.zugzwangs.add(board, most);
        }
    }
}
