//! One pass over all boards and the values of their moves: what they say of the game, and whether
//! the facts in the table follow from them.
//!
//! The facts of a tier's boards are in memory, three bytes each, and the best values of the tier
//! before, to which removals lead: after those nothing is barred. A row of boards shares the hole
//! and the opponent's pieces. Most moves leave those where they are, so the values of all boards that
//! such moves lead to are looked up once for the row. The other moves of some boards are made
//! together, so that the memory has time to deliver what they lead to; and some rows are gone through
//! side by side, because boards next to each other in two rows lead to boards next to each other.
//! Only the rules and the index are used, not the engine. Under the published bar, the few boards on
//! which it differs from the rule as stated have all their moves made one by one.

use super::board::{Board, Direction, cells};
use super::index::{Ranks, Row};
use super::rules::{Move, Ostle, State, Step, Undo};
use super::solved::SolvedOstle;
use super::states::Space;
use super::symmetric::Concerned;
use super::table;
use super::tiers::Part;
use super::undo;
use super::word::{Facts, Gather, Packed};
use kanzen_analyse::Values;
use kanzen_core::{Game, Next, Outcome};
use kanzen_index::{Work, deposit, extract, run_with_fast_bits};
use kanzen_registry::Changes;
use kanzen_solve::{Progress, huge_pages, machine_memory, prefetch};
use kanzen_table::TableError;
use rayon::prelude::*;
use std::ops::Range;

/// A board has at most so many moves: four for each piece and for the hole.
pub const MOST_MOVES: usize = 24;
/// Boards of a row whose moves are made together.
const BATCH: u32 = 64;
/// Rows that are gone through side by side.
const SPAN: u32 = 8;
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
    /// Those that look the same to both players, up to symmetry.
    pub symmetric_zugzwangs: Sample,
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
            symmetric_zugzwangs: self.symmetric_zugzwangs.and(other.symmetric_zugzwangs, most),
            wrong: self.wrong + other.wrong,
            ..self
        }
    }
}

/// The memory that a survey takes, in bytes.
#[must_use]
pub fn memory(game: &Ostle) -> u64 {
    let boards = game.board_tiers().iter().map(|tier| u64::from(tier.size()));
    let facts = size_of::<Packed>() as u64;
    boards.fold((0, 0), |(most, before), now| (most.max(facts * now + before), now)).0
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
    let published = solved.game().undo() == Undo::Symmetric;
    let concerned = published.then(|| Concerned::find(space, progress));
    let mut all = Survey::default();
    let mut facts = Vec::new();
    for (tier, shape) in space.tiers.all().iter().enumerate() {
        let earlier = best_values(std::mem::take(&mut facts));
        progress.begin(&format!("reading {}", shape.name()), shape.size().into());
        facts = table::read_tier(solved.table(), space, tier, |n| progress.advance(n))?;
        progress.end();
        let game = solved.game();
        let odd = Odd::of(concerned.as_ref(), tier);
        let pass = Pass { game, space, tier, facts: &facts, earlier: &earlier, odd, most };
        all = all.and(pass.over_rows(progress), most);
    }
    Ok(all)
}

/// What is left of the facts of a tier for the next.
pub(super) fn best_values(facts: Vec<Packed>) -> Vec<u8> {
    let mut values = Vec::with_capacity(facts.len());
    huge_pages(values.spare_capacity_mut());
    values.par_extend(facts.into_par_iter().map(|facts| Facts::from(facts).best()));
    values
}

/// The few boards of a tier where the published bar differs from the one as stated, by their numbers in
/// ascending order: on others the same moves are barred.
#[derive(Default)]
struct Odd {
    /// Boards with moves after which another move is barred.
    before: Vec<u32>,
    /// Boards on which any move may be barred.
    at: Vec<u32>,
}

impl Odd {
    fn of(concerned: Option<&Concerned>, tier: usize) -> Odd {
        let Some(concerned) = concerned else { return Odd::default() };
        let [before, at] = [&concerned.before, &concerned.boards]
            .map(|places| places.range((tier, 0)..(tier + 1, 0)).map(|place| place.1).collect());
        Odd { before, at }
    }
}

/// Those of some ascending numbers that are in a range.
fn within(numbers: &[u32], range: Range<u32>) -> &[u32] {
    let [first, end] =
        [range.start, range.end].map(|bound| numbers.partition_point(|&number| number < bound));
    &numbers[first..end]
}

/// The pass over a tier.
struct Pass<'a> {
    game: &'a Ostle,
    space: &'a Space,
    tier: usize,
    facts: &'a [Packed],
    /// The best values of the tier before.
    earlier: &'a [u8],
    odd: Odd,
    most: usize,
}

impl Pass<'_> {
    fn over_rows(&self, progress: &dyn Progress) -> Survey {
        let tier = &self.space.tiers.all()[self.tier];
        let rows = |part: &Part| part.index.rows().count();
        let count = tier.parts.iter().map(|part| u64::from(rows(part))).sum();
        progress.begin(&format!("looking at every move of {}", tier.name()), count);
        let mut all = Survey::default();
        for part in &tier.parts {
            let found = (0..rows(part).div_ceil(SPAN))
                .into_par_iter()
                .with_max_len(4)
                .fold(Survey::default, |survey, span| {
                    let rows = span * SPAN..rows(part).min((span + 1) * SPAN);
                    progress.advance(rows.len() as u64);
                    run_with_fast_bits(OnSpan { pass: self, part, rows, survey })
                })
                .reduce(Survey::default, |a, b| a.and(b, self.most));
            all = all.and(found, self.most);
        }
        progress.end();
        all
    }

    /// Where a state is, and asks the memory for what is known of its board.
    #[inline(always)]
    fn aim(&self, board: Board, barred: Option<Move>) -> Aim {
        let (tier, number, barred) = self.space.place(&State { board, barred });
        let removal = tier != self.tier;
        match removal {
            true => prefetch(self.earlier, number as usize),
            false => prefetch(self.facts, number as usize),
        }
        Aim { number, barred, removal }
    }

    /// The value of that state.
    #[inline(always)]
    fn value(&self, aim: &Aim) -> u8 {
        match aim.removal {
            true => self.earlier[aim.number as usize],
            false => Facts::from(self.facts[aim.number as usize]).value(aim.barred),
        }
    }

    /// For each row, the values of all boards on which its opponent is to move against a set of
    /// `ranks`.
    #[inline(always)]
    fn turned(&self, rows: &[&Row], ranks: &Ranks) -> Vec<Vec<u8>> {
        let mut values = vec![Vec::with_capacity(ranks.count() as usize); rows.len()];
        let mut aims = Vec::with_capacity(BATCH as usize);
        for batch in batches(ranks) {
            for (row, values) in rows.iter().zip(&mut values) {
                aims.extend(batch.clone().map(|rank| {
                    let theirs = deposit(ranks.mask(rank), row.free());
                    self.aim(Board { mine: row.set, theirs, hole: row.hole }, None)
                }));
                values.extend(aims.drain(..).map(|aim| self.value(&aim)));
            }
        }
        values
    }
}

/// The ranks in batches.
fn batches(ranks: &Ranks) -> impl Iterator<Item = Range<u32>> + use<> {
    let count = ranks.count();
    (0..count).step_by(BATCH as usize).map(move |first| first..count.min(first + BATCH))
}

/// A state: its board's number, its barred move, and whether a piece less than before is on it.
struct Aim {
    number: u32,
    barred: u8,
    removal: bool,
}

/// What the moves of a board lead to.
#[derive(Clone, Copy, Default)]
struct Moves {
    gather: Gather,
    /// How many of them lose, draw and win.
    counts: [u8; 3],
}

impl Moves {
    /// Adds a move to the end of the game.
    #[inline(always)]
    fn end(&mut self, won: bool) {
        if won {
            self.gather.add(1, 0);
        }
        self.counts[if won { 2 } else { 0 }] += 1;
    }

    /// Adds a move to a state with this value. It has this number if it can be barred, else 0.
    #[inline(always)]
    fn add(&mut self, value: u8, number: u8) {
        let plies = if value == 0 { 0 } else { value + 1 };
        self.gather.add(plies, number);
        self.counts[Changes::place(table::value(plies))] += 1;
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.counts.iter().map(|&n| usize::from(n)).sum()
    }

    /// The facts that follow from all moves.
    #[inline(always)]
    fn facts(&self) -> Facts {
        match self.gather.facts() {
            // What else could be done is not stored.
            facts if facts.best() == 1 => Facts::new(1, 0, 0),
            facts => facts,
        }
    }
}

/// The pass over some rows.
struct OnSpan<'a> {
    pass: &'a Pass<'a>,
    part: &'a Part,
    rows: Range<u32>,
    survey: Survey,
}

/// A row, and the values of the boards after moves that leave the opponent's pieces where they are:
/// those that keep all pieces of the mover, and those that lose one, unless that ends the game.
struct Turned<'a> {
    row: &'a Row,
    /// The number of its first board.
    first: u32,
    /// Its boards where the published bar differs: before such moves, and where they may be barred.
    odd: [&'a [u32]; 2],
    kept: (&'a Ranks, Vec<u8>),
    less: Option<(&'a Ranks, Vec<u8>)>,
}

impl Turned<'_> {
    /// The value of the board on which the opponent is to move against this set.
    #[inline(always)]
    fn value(&self, (ranks, values): &(&Ranks, Vec<u8>), set: u32) -> u8 {
        values[ranks.rank(extract(set, self.row.free())) as usize]
    }

    /// Adds a move that leaves all pieces on the board.
    #[inline(always)]
    fn keep(&self, set: u32, moves: &mut Moves) {
        moves.add(self.value(&self.kept, set), 0);
    }

    /// Adds a move that loses a piece.
    #[inline(always)]
    fn lose(&self, set: u32, moves: &mut Moves) {
        match &self.less {
            Some(less) => moves.add(self.value(less, set), 0),
            None => moves.end(false),
        }
    }
}

impl Work for OnSpan<'_> {
    type Output = Survey;

    #[inline(always)]
    fn run<const ISA: usize>(mut self) -> Survey {
        let index = &self.part.index;
        let rows = self.turned();
        let mut boards: Vec<(u32, Board, Moves, usize)> = Vec::with_capacity(BATCH as usize);
        let mut aims: Vec<(u8, Aim)> = Vec::with_capacity(BATCH as usize * MOST_MOVES);
        for batch in batches(index.ranks()) {
            for turned in &rows {
                for rank in batch.clone() {
                    if let Some(board) = index.board_in(turned.row, rank) {
                        let odd =
                            turned.odd.map(|odd| odd.binary_search(&(turned.first + rank)).is_ok());
                        let moves = self.look(&board, turned, odd, &mut aims);
                        boards.push((rank, board, moves, aims.len()));
                    }
                }
                let mut begin = 0;
                for (rank, board, mut moves, end) in boards.drain(..) {
                    for (number, aim) in &aims[begin..end] {
                        moves.add(self.pass.value(aim), *number);
                    }
                    let other = turned.kept.1[rank as usize];
                    let stored = self.pass.facts[(turned.first + rank) as usize];
                    self.count(&board, stored.into(), &moves, other);
                    begin = end;
                }
                aims.clear();
            }
        }
        self.survey
    }
}

impl<'a> OnSpan<'a> {
    #[inline(always)]
    fn turned(&self) -> Vec<Turned<'a>> {
        let OnSpan { pass, part, .. } = *self;
        let (index, tiers) = (&part.index, pass.space.tiers.all());
        let rows: Vec<&Row> = self.rows.clone().map(|row| index.rows().row(row)).collect();
        let kept = index.ranks();
        let less = (index.mine() > pass.game.least())
            .then(|| tiers[pass.tier - 1].part_with(index.mine() - 1).index.ranks());
        let mut all_less = less.map(|less| pass.turned(&rows, less)).into_iter().flatten();
        let all_kept = pass.turned(&rows, kept);
        let firsts = self.rows.clone().map(|row| part.first + row * kept.count());
        let rows = rows.iter().zip(firsts).zip(all_kept);
        rows.map(|((row, first), values)| Turned {
            row,
            first,
            odd: [&pass.odd.before, &pass.odd.at]
                .map(|odd| within(odd, first..first + kept.count())),
            kept: (kept, values),
            less: less.zip(all_less.next()),
        })
        .collect()
    }

    /// Adds up the moves that leave the opponent's pieces and the hole where they are, and notes
    /// the numbers and aims of the others; of all where the board is odd.
    #[inline(always)]
    fn look(
        &self,
        board: &Board,
        turned: &Turned,
        odd: [bool; 2],
        aims: &mut Vec<(u8, Aim)>,
    ) -> Moves {
        let mut moves = Moves::default();
        if odd != [false; 2] {
            for mv in Ostle::all_moves(board) {
                self.make(board, mv, &Ostle::step(board, mv), odd, &mut moves, aims);
            }
            return moves;
        }
        let (pieces, empty) = (board.pieces(), board.empty());
        for direction in Direction::ALL {
            let ahead = |set: u32| board.mine & direction.back().shift(set);
            let (steps, pushes) = (ahead(empty), ahead(pieces));
            for cell in cells(steps) {
                let piece = 1 << cell;
                turned.keep(board.mine ^ piece ^ direction.shift(piece), &mut moves);
            }
            for cell in cells(board.mine & !steps & !pushes) {
                turned.lose(board.mine ^ 1 << cell, &mut moves);
            }
            for cell in cells(pushes) {
                let mv = Move { cell, direction };
                let step = Ostle::step(board, mv);
                match step.out {
                    _ if step.run & board.theirs != 0 => {
                        self.make(board, mv, &step, odd, &mut moves, aims);
                    }
                    None => turned.keep(step.board.mine, &mut moves),
                    Some(_) => turned.lose(step.board.mine, &mut moves),
                }
            }
            if direction.shift(1 << board.hole) & empty != 0 {
                let mv = Move { cell: board.hole, direction };
                self.make(board, mv, &Ostle::step(board, mv), odd, &mut moves, aims);
            }
        }
        moves
    }

    /// Adds a move that ends the game, or notes where it leads.
    #[inline(always)]
    fn make(
        &self,
        board: &Board,
        mv: Move,
        step: &Step,
        [before, at]: [bool; 2],
        moves: &mut Moves,
        aims: &mut Vec<(u8, Aim)>,
    ) {
        let game = self.pass.game;
        let undoing = Ostle::undoing_step(board, mv, step).filter(|_| game.undo() != Undo::Allowed);
        match game.after_step(step) {
            Next::Over(outcome) => moves.end(outcome == Outcome::Win),
            Next::Position(next) | Next::Again(next) => {
                let barred = if before { game.bar(board, mv, &next) } else { undoing };
                let number = match at || undoing.is_some() {
                    true => undo::number(board, mv),
                    false => 0,
                };
                aims.push((number, self.pass.aim(next, barred)));
            }
        }
    }

    /// Counts a board with these facts and moves, and this value for the other player.
    #[inline(always)]
    fn count(&mut self, board: &Board, stored: Facts, moves: &Moves, other: u8) {
        let Pass { game, most, .. } = *self.pass;
        let found = moves.facts();
        if found != stored {
            self.survey.wrong += 1;
            if self.survey.problems.len() < KEPT {
                let text = game.write(&State::free(*board));
                let problem = format!("{text}: the table says {stored:?}, its moves say {found:?}");
                self.survey.problems.push(problem);
            }
        }
        let place = |plies: u8| Changes::place(table::value(plies));
        let outcome = place(stored.best());
        self.survey.branching[moves.count()][outcome] += 1;
        if outcome > 0 && moves.counts[outcome] == 1 {
            self.survey.only[outcome - 1].add(board, most);
        }
        if outcome == 0 && place(other) == 0 {
            self.survey.zugzwangs.add(board, most);
            if board.is_self_symmetric() {
                self.survey.symmetric_zugzwangs.add(board, most);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::solve_in_memory;
    use super::super::symmetric::propagate;
    use super::*;
    use kanzen_core::Value;
    use kanzen_index::Indexed;
    use kanzen_solve::{Silent, plain};

    fn solved(space: &Space, bar: bool) -> Vec<Vec<Packed>> {
        let pack = |facts: Vec<Facts>| facts.into_iter().map(Packed::from).collect();
        solve_in_memory(&space.tiers, bar).unwrap().into_iter().map(pack).collect()
    }

    fn surveyed(game: &Ostle, facts: &[Vec<Packed>], concerned: Option<&Concerned>) -> Survey {
        let mut all = Survey::default();
        let mut earlier = Vec::new();
        for (tier, facts) in facts.iter().enumerate() {
            let (space, odd) = (game.space(), Odd::of(concerned, tier));
            let pass = Pass { game, space, tier, facts, earlier: &earlier, odd, most: 3 };
            all = all.and(pass.over_rows(&Silent), 3);
            earlier = best_values(facts.clone());
        }
        all
    }

    /// Small games, against counts by the rules and the values of the plain solver.
    #[test]
    fn counts_what_the_rules_say() {
        for (total, undo) in [(3, Undo::Exact), (2, Undo::Allowed)] {
            let game = Ostle::new(1, total, undo);
            let values = plain(&game);
            let value = |state: &State| {
                let place = game.locate(state);
                values[place.tier][place.index as usize].expect("every state has a value")
            };
            let mut expected = Survey::default();
            for tier in game.board_tiers() {
                for board in (0..tier.size()).filter_map(|number| tier.board(number)) {
                    let state = State::free(board);
                    let mut counts = [0; 3];
                    game.successors(&state, |next| {
                        counts[Changes::place(next.value(|next| value(&next)))] += 1;
                    });
                    let outcome = Changes::place(value(&state));
                    expected.branching[counts.iter().sum::<usize>()][outcome] += 1;
                    if outcome > 0 {
                        expected.only[outcome - 1].count += u64::from(counts[outcome] == 1);
                    }
                    let other = Board { mine: board.theirs, theirs: board.mine, ..board };
                    let both = [value(&state), value(&State::free(other))];
                    let lost = both.iter().all(|value| matches!(value, Value::Loss(_)));
                    expected.zugzwangs.count += u64::from(lost);
                    let same = board.mine.count_ones() == board.theirs.count_ones()
                        && tier.locate(&board) == tier.locate(&other);
                    expected.symmetric_zugzwangs.count += u64::from(lost && same);
                }
            }
            let space = game.space();
            let mut facts = solved(space, undo == Undo::Exact);
            let found = surveyed(&game, &facts, None);
            assert_eq!(found.wrong, 0, "{:?}", found.problems);
            assert_eq!(found.branching, expected.branching);
            assert_eq!(found.only.map(|only| only.count), expected.only.map(|only| only.count));
            assert_eq!(found.zugzwangs.count, expected.zugzwangs.count);
            let symmetric = found.symmetric_zugzwangs.count;
            assert_eq!(symmetric, expected.symmetric_zugzwangs.count);

            let last = facts.last_mut().unwrap();
            // One against one with nothing barred, all wins are at once.
            let tier = game.board_tiers().last().unwrap();
            let is_won = |&number: &u32| {
                let best = Facts::from(last[number as usize]).best();
                tier.board(number).is_some() && best % 2 == 1
            };
            let won = (0..tier.size()).find(is_won).unwrap() as usize;
            last[won] = Facts::new(Facts::from(last[won]).best() + 2, 0, 0).into();
            assert!(surveyed(&game, &facts, None).wrong > 0);
        }
    }

    /// With fewer pieces the bars differ nowhere.
    #[test]
    fn facts_under_the_published_bar_follow_from_the_moves() {
        let game = Ostle::new(3, 6, Undo::Symmetric);
        let space = game.space();
        let mut facts = solved(space, true);
        let concerned = Concerned::find(space, &Silent);
        propagate(space, &concerned, &mut facts);
        let found = surveyed(&game, &facts, Some(&concerned));
        assert_eq!(found.wrong, 0, "{:?}", found.problems);
        assert!(surveyed(&game, &facts, None).wrong > 0, "the other bar is another rule");
    }
}
