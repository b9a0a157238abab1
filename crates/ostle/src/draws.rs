//! Drawn states ranked by who presses.
//!
//! Three states in a hundred are drawn. The boards that have some are marked, and their drawn states
//! numbered one after the other, so that a rank takes two bytes a drawn state, and a link none at all:
//! what is settled tells the boards before it by un-moves. A board hears of a move for all its drawn
//! states but the one in which that move is barred. Of the tier before, only states with nothing barred
//! matter, because a removal cannot be undone.

use super::board::Board;
use super::look::Look;
use super::rules::{Move, Ostle, State, Undo};
use super::solved::SolvedOstle;
use super::states::least_number;
use super::survey::{self, best_values};
use super::table;
use super::tiers::Tier;
use super::undo::{self, STATES, unmoves};
use super::word::{Facts, Packed};
use kanzen_analyse::{Cell, DrawMoves, Finding, PRESSURE, Unsettled, Values};
use kanzen_core::{Game, Next, Outcome, Pressure, Value};
use kanzen_index::{Keys, deposit};
use kanzen_registry::{Files, GameError, draws};
use kanzen_solve::{Job, Progress, SolveError};
use kanzen_table::{DONT_CARE, Table, TableError, TableWriter};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Boards whose states share a block of the table: those with nothing barred, then those with the
/// first move barred, and so on.
const GROUP: u64 = 1 << 11;
/// The states of a board in the table, some of which there are not.
const PLANES: u64 = (STATES as u64).next_power_of_two();
/// Cells of a block.
const BLOCK: u64 = PLANES * GROUP;
/// Boards that a thread takes at a time.
const CHUNK: usize = 1 << 12;
/// Drawn states between two entries of the directory that leads to their boards.
const STRIDE: usize = 64;
/// Bytes that a drawn state takes in memory, at the most.
const BYTES: u64 = 24;

/// The drawn states of a tier.
struct Drawn {
    /// The boards that have some.
    boards: Keys,
    /// The numbers of these boards.
    numbers: Vec<u32>,
    /// Their drawn states: bit 0 if nothing is barred, and a bit for each move that may be.
    states: Vec<u32>,
    /// The number of the first drawn state of each of them, and of all.
    firsts: Vec<u32>,
    /// The place of the board of every so many drawn states.
    places: Vec<u32>,
}

impl Drawn {
    /// Numbers the drawn states of a tier; none if there are too many.
    fn new(game: &Ostle, tier: &Tier, facts: &[Packed]) -> Option<Drawn> {
        let is_drawn =
            |facts: Facts| facts.best() == 0 || facts.best_move() != 0 && facts.second() == 0;
        let word = |facts: &[Packed]| {
            let bits = facts.iter().enumerate();
            bits.fold(0, |word, (bit, &facts)| word | u64::from(is_drawn(facts.into())) << bit)
        };
        let words: Vec<u64> = facts.par_chunks(64).map(word).collect();
        let members = |(word, &bits): (usize, &u64)| {
            kanzen_machine::members(bits).map(move |bit| (64 * word) as u32 + bit)
        };
        let numbers: Vec<u32> = words.par_iter().enumerate().flat_map_iter(members).collect();
        let of = |&number: &u32| {
            let states = tier.board(number).map_or(0, |board| states(game, &board));
            let drawn =
                |barred: &u32| Facts::from(facts[number as usize]).value(*barred as u8) == 0;
            kanzen_machine::members(states).filter(drawn).fold(0, |set, barred| set | 1 << barred)
        };
        let states: Vec<u32> = numbers.par_iter().map(of).collect();
        let mut firsts = Vec::with_capacity(states.len() + 1);
        let mut places = Vec::new();
        let mut first = 0_u32;
        for (place, set) in (0..).zip(&states) {
            firsts.push(first);
            first = first.checked_add(set.count_ones())?;
            places.resize(first.div_ceil(STRIDE as u32) as usize, place);
        }
        firsts.push(first);
        Some(Drawn { boards: Keys::marked(words), numbers, states, firsts, places })
    }

    fn len(&self) -> u32 {
        self.firsts.last().copied().unwrap_or(0)
    }

    /// The drawn state with a number: the number of its board, and that of the barred move.
    fn state(&self, number: u32) -> (u32, u8) {
        let mut place = self.places[number as usize / STRIDE] as usize;
        while self.firsts[place + 1] <= number {
            place += 1;
        }
        let barred = deposit(1 << (number - self.firsts[place]), self.states[place]);
        (self.numbers[place], barred.trailing_zeros() as u8)
    }

    /// The drawn states of a board with their numbers, if it has some.
    fn states(&self, board: u32) -> impl Iterator<Item = (u8, u32)> + use<> {
        let place = self.boards.rank(board.into()).map(|place| place as usize);
        let (states, first) = place.map_or((0, 0), |at| (self.states[at], self.firsts[at]));
        (first..)
            .zip(kanzen_machine::members(states))
            .map(|(number, barred)| (barred as u8, number))
    }

    /// The number of a drawn state, if it is one.
    fn number(&self, board: u32, barred: u8) -> Option<u32> {
        let place = self.boards.rank(board.into())? as usize;
        let states = self.states[place];
        let before = states & ((1 << barred) - 1);
        (states >> barred & 1 == 1).then(|| self.firsts[place] + before.count_ones())
    }

    /// The places of the boards whose numbers are in a range.
    fn places(&self, numbers: Range<u64>) -> Range<usize> {
        let [start, end] = [numbers.start, numbers.end]
            .map(|bound| self.numbers.partition_point(|&number| u64::from(number) < bound));
        start..end
    }
}

/// The states of a board: bit 0, and a bit for each move that may be barred, of those that symmetries
/// exchange only the first.
fn states(game: &Ostle, board: &Board) -> u32 {
    let barrable = Look::at(board).barrable(board).filter(|_| game.undo() != Undo::Allowed);
    barrable.fold(1, |set, mv| set | 1 << least_number(board, mv))
}

/// The ranks of a tier.
struct Ranks {
    drawn: Drawn,
    codes: Vec<u16>,
}

impl Ranks {
    fn pressure(&self, board: u32, barred: u8) -> Option<Pressure> {
        let number = self.drawn.number(board, barred)?;
        Pressure::from_code(self.codes[number as usize])
    }
}

/// A tier with its values, and what is known of the tier before.
struct Pass<'a> {
    game: &'a Ostle,
    tier: usize,
    facts: &'a [Packed],
    earlier: &'a [u8],
    ranks: Option<&'a Ranks>,
}

/// What a move leads to.
enum Leads {
    Win,
    Loss,
    /// To a drawn state of the tier: its board, and the barred move.
    Inside(u32, u8),
    /// To a draw whose rank is known, for the side that makes the move.
    Draw(Option<Pressure>),
}

impl Pass<'_> {
    /// All moves of a board with their numbers, and what they lead to.
    fn moves(&self, board: &Board, moves: &mut Vec<(u8, Leads)>) {
        moves.clear();
        let state = State::free(*board);
        for mv in Ostle::all_moves(board) {
            let leads = match self.game.play(&state, mv) {
                Next::Over(Outcome::Win) => Leads::Win,
                Next::Over(Outcome::Loss) => Leads::Loss,
                Next::Over(Outcome::Draw) => Leads::Draw(None),
                Next::Position(next) | Next::Again(next) => self.leads(&next),
            };
            moves.push((undo::number(board, mv), leads));
        }
    }

    fn leads(&self, next: &State) -> Leads {
        let (tier, number, barred) = self.game.space().place(next);
        let inside = tier == self.tier;
        let plies = match inside {
            true => Facts::from(self.facts[number as usize]).value(barred),
            false => self.earlier[number as usize],
        };
        let rank = || self.ranks.and_then(|ranks| ranks.pressure(number, 0));
        match table::value(plies) {
            Value::Win(_) => Leads::Loss,
            Value::Loss(_) => Leads::Win,
            Value::Draw(_) if inside => Leads::Inside(number, barred),
            Value::Draw(_) => Leads::Draw(rank().map(Pressure::before_move)),
        }
    }

    /// Calls `each` with every drawn state, its number, and its moves; `inside` tells the rank of a
    /// drawn state of the tier, if that is known. Boards are gone through on all cores, in their order.
    fn each_draw<T: Default + Send>(
        &self,
        drawn: &Drawn,
        inside: impl Fn(u32, u8) -> Option<Option<Pressure>> + Sync,
        each: impl Fn(&mut T, (Board, u8), u32, &DrawMoves) + Sync,
        progress: &dyn Progress,
    ) -> Vec<T> {
        let shape = &self.game.board_tiers()[self.tier];
        let over_chunk = |numbers: &[u32]| {
            let (mut found, mut moves) = (T::default(), Vec::new());
            for &number in numbers {
                let Some(board) = shape.board(number) else { continue };
                self.moves(&board, &mut moves);
                for (barred, number) in drawn.states(number) {
                    let mut of_state = DrawMoves::default();
                    for (_, leads) in moves.iter().filter(|(mv, _)| *mv != barred) {
                        match *leads {
                            Leads::Win => (),
                            Leads::Loss => of_state.lose(),
                            Leads::Draw(pressure) => of_state.keep(pressure),
                            Leads::Inside(board, barred) => match inside(board, barred) {
                                None => of_state.keep_inside(),
                                Some(known) => of_state.keep(known.map(Pressure::before_move)),
                            },
                        }
                    }
                    each(&mut found, (board, barred), number, &of_state);
                }
            }
            progress.advance(numbers.len() as u64);
            found
        };
        drawn.numbers.par_chunks(CHUNK).map(over_chunk).collect()
    }

    /// Ranks the drawn states.
    fn rank(&self, drawn: &Drawn, progress: &dyn Progress) -> Vec<u16> {
        let shape = &self.game.board_tiers()[self.tier];
        progress.begin(&format!("draws of {}", shape.name()), drawn.numbers.len() as u64);
        let add = |part: &mut Unsettled, _, number, moves: &DrawMoves| part.add(number, moves);
        let parts = self.each_draw(drawn, |_, _| None, add, progress);
        progress.end();
        progress.begin(&format!("ranking {}", shape.name()), drawn.len().into());
        let codes = Unsettled::join(parts).settle(progress, |number, each| {
            let (board, barred) = drawn.state(number);
            let Some(board) = shape.board(board) else { return };
            before(self.game, shape, &board, barred, |board, mv| {
                for (_, number) in drawn.states(board).filter(|&(barred, _)| barred != mv) {
                    each(number, false);
                }
            });
        });
        progress.end();
        codes
    }
}

/// Calls `each` with the number of every board, and of its move, that leads to a state.
fn before(game: &Ostle, tier: &Tier, board: &Board, barred: u8, mut each: impl FnMut(u32, u8)) {
    let part = tier.part_with(board.theirs.count_ones());
    let rows = part.index.rows();
    let is_plain = |hole, set| rows.key(hole, set).is_plain();
    let mut found: Vec<(u32, Move, u8)> = Vec::new();
    let mut plain = is_plain(board.hole, board.mine);
    let mut tell = |before: &Board, mv: Move| {
        let (number, symmetry) = part.index.place(before);
        let (number, board, mv) = (part.first + number, before.image(symmetry), mv.image(symmetry));
        if is_plain(before.hole, before.theirs) {
            return found.push((number, mv, undo::number(&board, mv)));
        }
        plain = false;
        for mv in board.stabiliser().map(|keep| mv.image(keep)) {
            found.push((number, mv, undo::number(&board, mv)));
        }
    };
    match undo::numbered(board, barred) {
        // The barred move brings back the board before, and no other board has it.
        Some(mv) if is_plain(board.hole, board.mine) => {
            if let Some(back) = Ostle::undoing(board, mv) {
                let Board { mine, theirs, hole } = Ostle::step(board, mv).board;
                tell(&Board { mine: theirs, theirs: mine, hole }, back);
            }
        }
        _ => unmoves(board, |unmove| {
            let bar = game.bar(&unmove.before, unmove.mv, board);
            if bar.map_or(0, |mv| least_number(board, mv)) == barred {
                tell(&unmove.before, unmove.mv);
            }
        }),
    }
    if !plain {
        // A symmetric board has each un-move and its images.
        found.sort_unstable();
        found.dedup();
    }
    found.into_iter().for_each(|(number, _, mv)| each(number, mv));
}

impl SolvedOstle {
    /// Goes over the tiers, the one with fewest pieces first. `rank` gives the ranks of a tier's drawn
    /// states.
    fn each_tier(
        &self,
        progress: &dyn Progress,
        mut rank: impl FnMut(&Pass<'_>, &Drawn) -> Result<Vec<u16>, GameError>,
    ) -> Result<(), GameError> {
        let space = self.game().space();
        let mut facts = Vec::new();
        let mut ranks = None;
        for (tier, shape) in space.tiers.all().iter().enumerate() {
            let earlier = best_values(std::mem::take(&mut facts));
            progress.begin(&format!("reading {}", shape.name()), shape.size().into());
            facts = table::read_tier(self.table(), space, tier, |n| progress.advance(n))?;
            progress.end();
            let drawn = Drawn::new(self.game(), shape, &facts).ok_or_else(|| {
                let name = shape.name();
                GameError::NoAnswer(format!(
                    "tier '{name}' has more draws than can be ranked: 2^32"
                ))
            })?;
            let (facts, earlier, before) = (&facts[..], &earlier[..], ranks.as_ref());
            let pass = Pass { game: self.game(), tier, facts, earlier, ranks: before };
            let codes = rank(&pass, &drawn)?;
            ranks = Some(Ranks { drawn, codes });
        }
        Ok(())
    }

    /// The memory that it takes to go over all drawn states and their ranks, in bytes.
    pub(super) fn memory_of_ranks(&self) -> u64 {
        survey::memory(self.game()) + BYTES * self.outcomes()[1]
    }

    /// Ranks the draws, and writes them as a table. Returns its length.
    pub(super) fn write_draws(
        &self,
        files: &Files,
        level: i32,
        job: &Job<'_>,
    ) -> Result<u64, GameError> {
        if self.game().undo() == Undo::Symmetric {
            let reason = "draws are ranked by the rule as stated, and where undoing is allowed, \
                          not by the published bar";
            return Err(GameError::NoAnswer(reason.to_owned()));
        }
        // Nothing is ranked in a browser, which need not fetch what does it then.
        if cfg!(target_family = "wasm") {
            return Err(GameError::NoAnswer("nothing is ranked here".to_owned()));
        }
        let needed = self.memory_of_ranks();
        if needed > job.memory {
            return Err(SolveError::Memory { needed, allowed: job.memory }.into());
        }
        let identity = files.identity().clone();
        let mut writer = TableWriter::create(&files.draws(), identity, PRESSURE, level)?;
        writer = writer.blocks_of(BLOCK);
        self.each_tier(job.progress, |pass, drawn| {
            let codes = pass.rank(drawn, job.progress);
            let shape = &self.game().board_tiers()[pass.tier];
            write_tier(&mut writer, shape, drawn, &codes, job.progress)?;
            Ok(codes)
        })?;
        Ok(writer.finish()?)
    }

    /// Compares the rank of every drawn state with what its moves say. Returns how many there are, and
    /// the first of those that are wrong; none at all if draws are not ranked.
    pub(super) fn verify_draws(
        &self,
        progress: &dyn Progress,
    ) -> Result<Option<(u64, Vec<String>)>, GameError> {
        let Some(table) = self.draws() else { return Ok(None) };
        let (mut count, mut wrong) = (0, Vec::new());
        self.each_tier(progress, |pass, drawn| {
            let codes = read_tier(table, pass.tier, drawn)?;
            let name = self.game().board_tiers()[pass.tier].name();
            let at = |number: u32| Pressure::from_code(codes[number as usize]);
            let inside = |board, barred| Some(drawn.number(board, barred).and_then(at));
            let compare = |wrong: &mut Vec<String>, (board, barred), number, moves: &DrawMoves| {
                let (found, expected) = (at(number), moves.rank());
                if found != expected {
                    let barred = undo::numbered(&board, barred);
                    let state = self.game().write(&State { board, barred });
                    wrong.push(format!(
                        "{state}: the table of draws says {found:?}, its moves say {expected:?}"
                    ));
                }
            };
            let what = format!("verifying the draws of {name}");
            progress.begin(&what, drawn.numbers.len() as u64);
            wrong.extend(pass.each_draw(drawn, inside, compare, progress).into_iter().flatten());
            progress.end();
            count += u64::from(drawn.len());
            Ok(codes)
        })?;
        Ok(Some((count, wrong)))
    }

    /// What the table of ranked draws tells, with at most so many examples.
    pub(super) fn find_pressure(
        &self,
        table: &Table,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Finding>, GameError> {
        draws::pressure(table, |longest| {
            progress.note("reading the table of draws");
            let mut examples = BTreeMap::<u8, Vec<String>>::new();
            for (tier, shape) in self.game().board_tiers().iter().enumerate() {
                let places = Mutex::new(Vec::new());
                table.scan(tier, |first, cells| {
                    let is_longest = |&(_, &code): &(u64, &u16)| longest[usize::from(code)];
                    let found = (first..).zip(cells).filter(is_longest);
                    let found: Vec<_> = found.map(|(cell, &code)| (code, state_of(cell))).collect();
                    places.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
                })?;
                let mut places = places.into_inner().unwrap_or_else(PoisonError::into_inner);
                places.sort_unstable();
                for (code, (number, barred)) in places {
                    let found = examples.entry((code >> 10) as u8).or_default();
                    // A cell that does not matter repeats the one before it.
                    let board = shape.board(number).filter(|_| found.len() < most);
                    let Some(board) = board else { continue };
                    let state = State { board, barred: undo::numbered(&board, barred) };
                    let exists = states(self.game(), &board) >> barred & 1 == 1;
                    if exists && matches!(self.value(&state)?, Value::Draw(_)) {
                        found.push(self.game().write(&state));
                    }
                }
            }
            Ok(examples.into_iter().map(|(most, found)| (most, Cell::Positions(found))).collect())
        })
    }
}

/// The cell of a state in the table of draws.
fn cell(number: u32, barred: u8) -> u64 {
    let number = u64::from(number);
    number / GROUP * BLOCK + u64::from(barred) * GROUP + number % GROUP
}

/// The state of a cell.
fn state_of(cell: u64) -> (u32, u8) {
    let (group, at) = (cell / BLOCK, cell % BLOCK);
    ((group * GROUP + at % GROUP) as u32, (at / GROUP) as u8)
}

/// The cells of a tier.
fn cells(tier: &Tier) -> u64 {
    u64::from(tier.size()).div_ceil(GROUP) * BLOCK
}

fn write_tier(
    writer: &mut TableWriter,
    shape: &Tier,
    drawn: &Drawn,
    codes: &[u16],
    progress: &dyn Progress,
) -> Result<(), TableError> {
    let count = |codes: &[u16]| {
        let mut counts = BTreeMap::<u16, u64>::new();
        codes.iter().for_each(|&code| *counts.entry(code).or_default() += 1);
        counts
    };
    let counts = codes.par_chunks(1 << 16).map(count).reduce(BTreeMap::new, |mut all, more| {
        more.into_iter().for_each(|(code, count)| *all.entry(code).or_default() += count);
        all
    });
    let counts: Vec<(u16, u64)> = counts.into_iter().collect();
    let fill = |range: Range<u64>, out: &mut [u16]| {
        out.fill(DONT_CARE);
        let first = range.start / BLOCK * GROUP;
        for place in drawn.places(first..first + GROUP) {
            let barred = kanzen_machine::members(drawn.states[place]);
            for (number, barred) in (drawn.firsts[place]..).zip(barred) {
                let cell = cell(drawn.numbers[place], barred as u8) - range.start;
                out[cell as usize] = codes[number as usize];
            }
        }
    };
    progress.begin(&format!("writing {}", shape.name()), cells(shape));
    writer.tier(&shape.name(), cells(shape), &counts, fill, |done| progress.advance(done))?;
    progress.end();
    Ok(())
}

/// The codes of a tier's drawn states.
fn read_tier(table: &Table, tier: usize, drawn: &Drawn) -> Result<Vec<u16>, TableError> {
    let groups = table.meta().tiers[tier].size / BLOCK;
    let read = |group: u64| {
        let places = drawn.places(group * GROUP..(group + 1) * GROUP);
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let codes = table.block(tier, group)?;
        let states = places.flat_map(|place| {
            let number = drawn.numbers[place];
            kanzen_machine::members(drawn.states[place]).map(move |barred| (number, barred as u8))
        });
        Ok(states.map(|(number, barred)| codes[(cell(number, barred) % BLOCK) as usize]).collect())
    };
    let groups: Vec<Vec<u16>> =
        (0..groups).into_par_iter().map(read).collect::<Result<_, TableError>>()?;
    Ok(groups.concat())
}

/// Refuses a table of draws that has not the shape of the game.
pub(super) fn expect_shape(table: &Table, game: &Ostle) -> Result<(), TableError> {
    let sizes: Vec<u64> = game.board_tiers().iter().map(cells).collect();
    table.expect_shape(&[PRESSURE], &sizes, Pressure::is_code)
}

/// Who presses in a drawn state.
pub(super) fn pressure(
    table: &Table,
    game: &Ostle,
    state: &State,
) -> Result<Option<Pressure>, TableError> {
    let (tier, number, barred) = game.space().place(state);
    Ok(table.code(tier, cell(number, barred))?.and_then(Pressure::from_code))
}

#[cfg(test)]
mod tests {
    use super::super::solve::Barred;
    use super::*;
    use kanzen_analyse::plain_draws;
    use kanzen_index::{Indexed, Place};
    use kanzen_registry::{Engine, SolvedGame, Store};
    use kanzen_solve::Silent;
    use kanzen_table::Identity;

    /// The game solved, and its draws ranked.
    fn ranked(game: &Ostle, files: &Files) -> SolvedOstle {
        Barred.solve(game, files, Store::Distance, 1, &Job::default()).unwrap();
        let open = || Barred.open(game.clone(), files.open().unwrap()).unwrap();
        let mut solved = open();
        open().rank_draws(files, 1, &Job::default()).unwrap();
        solved.take_draws(Table::open(&files.draws()).unwrap()).unwrap();
        solved
    }

    fn files(dir: &std::path::Path) -> Files {
        let (game, variant) = ("ostle".to_owned(), BTreeMap::default());
        Files::new(dir, Identity { game, variant, index_version: 1, rules: None })
    }

    /// Every drawn state of small games, against forward passes over states that know neither boards
    /// nor un-moves.
    #[test]
    fn agrees_with_the_plain_twin() {
        for (least, total, undo) in
            [(1, 3, Undo::Exact), (1, 3, Undo::Allowed), (2, 4, Undo::Exact)]
        {
            let dir = tempfile::tempdir().unwrap();
            let game = Ostle::new(least, total, undo);
            let solved = ranked(&game, &files(dir.path()));
            let value = |place| game.position(place).map(|state| solved.value(&state).unwrap());
            let tier = |(tier, shape): (usize, &kanzen_index::Tier)| {
                (0..shape.size).map(|index| value(Place { tier, index })).collect()
            };
            let values: Vec<Vec<Option<Value>>> = (0..).zip(game.tiers()).map(tier).collect();
            let mut counts = [0_u64; 3];
            for (tier, ranks) in plain_draws(&game, &values).into_iter().enumerate() {
                for (index, rank) in (0..).zip(ranks) {
                    if let Some(Value::Draw(_)) = values[tier][index as usize] {
                        let state = game.position(Place { tier, index }).unwrap();
                        let found = solved.pressure(&state).unwrap();
                        assert_eq!(found, rank, "{undo:?} {}", game.write(&state));
                        counts[rank.map_or(2, |rank| usize::from(!rank.own))] += 1;
                    }
                }
            }
            assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
            let report = solved.verify(&Silent).unwrap();
            assert!(report.passed, "{:?}", report.problems);
            assert_eq!(report.draws, Some(counts.iter().sum()));
            let findings = solved.find("pressure", 2, &Silent).unwrap();
            assert_eq!(findings.len(), 2);
        }
    }

    #[test]
    fn ranks_that_are_not_so_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let (game, files) = (Ostle::new(1, 2, Undo::Exact), files(dir.path()));
        let mut solved = ranked(&game, &files);
        let codes = solved.draws().unwrap().codes(0).unwrap();
        let other = |code: u16| if code >> 1 & 0x1ff == 3 { code + 4 } else { code };
        let mut counts = BTreeMap::<u16, u64>::new();
        codes.iter().for_each(|&code| *counts.entry(other(code)).or_default() += 1);
        let counts: Vec<(u16, u64)> = counts.into_iter().collect();
        let identity = files.identity().clone();
        let mut writer = TableWriter::create(&files.draws(), identity, PRESSURE, 1).unwrap();
        let fill = |range: Range<u64>, out: &mut [u16]| {
            out.iter_mut().zip(range).for_each(|(out, cell)| *out = other(codes[cell as usize]));
        };
        let name = game.board_tiers()[0].name();
        writer.tier(&name, codes.len() as u64, &counts, fill, |_| ()).unwrap();
        writer.finish().unwrap();
        solved.take_draws(Table::open(&files.draws()).unwrap()).unwrap();
        let report = solved.verify(&Silent).unwrap();
        assert!(!report.passed && report.wrong > 0, "{report:?}");
        assert!(report.problems[0].contains("the table of draws says"), "{report:?}");

        let published = game.with(Undo::Symmetric);
        let refused = SolvedOstle::new(published, files.open().unwrap());
        let refused = refused.rank_draws(&files, 1, &Job::default()).unwrap_err().to_string();
        assert!(refused.contains("not by the published bar"), "{refused}");
        // Those of another game.
        let larger = ranked(&Ostle::new(1, 3, Undo::Exact), &files);
        assert!(solved.take_draws(Table::open(&files.draws()).unwrap()).is_err());
        assert!(larger.ranks_draws());
    }
}
