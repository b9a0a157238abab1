//! The engine: the value of every state of a tier, by distance.
//!
//! Round 0 counts the moves of every board inside its tier and looks up its removals in the earlier
//! tiers. It also finds who wins at once, and which moves let the opponent do so ([`Lines`]), so that
//! there is no round 1. Then, round by round, the boards of which something became known at that
//! distance fire to the boards before them ([`fire`]), along each move once and never again. A board
//! is a [`Word`]; one compare-and-swap changes it, so that threads need no locks, and the result does
//! not depend on their order. Words are found again by a scan of the groups in which something is
//! due; events wait in a ring while their cache lines are on the way. A round can stop after any
//! block.

use super::board::Board;
use super::fire::{self, Event};
use super::lines::{Kept, Lines};
use super::look::Look;
use super::tiers::{BLOCK, Tier, Tiers};
use super::word::{Facts, MAX_PLIES, Removals, Word};
use kanzen_machine::{AtomicBits, Ring, Work, filled, huge_pages, prefetch, run_with_fast_bits};
#[cfg(test)]
use kanzen_solve::Silent;
use kanzen_solve::{Progress, SolveError};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

/// Words that are scanned together.
const GROUP: u32 = 64;
/// Blocks that are fired together.
const SPAN: u32 = 8;
/// Boards that are fired together in each of the rows of a span: the boards before them are then
/// close to each other.
const WINDOW: u32 = 256;
/// No removal settles anything any more.
const NEVER: u8 = u8::MAX;

/// The best value of every board of a solved tier, by its number.
pub type Values = Vec<u8>;

/// No values yet, with room for so many: they are read in no order, which small pages make slow.
pub fn no_values(room: usize) -> Values {
    let mut values = Vec::with_capacity(room);
    huge_pages(values.spare_capacity_mut());
    values
}

/// A tier that is being solved.
pub struct Engine<'a> {
    tiers: &'a Tiers,
    tier: &'a Tier,
    /// The best values of the tiers before.
    earlier: &'a [Values],
    /// Whether moves can be barred.
    bar: bool,
    words: Vec<AtomicU32>,
    /// The blocks that this round has still to do, a bit each.
    todo: AtomicBits,
    /// The groups in which something is due in this round, a bit each.
    due: AtomicBits,
    /// The groups in which something is due in the next round.
    next: AtomicBits,
    /// For each group: the first round to come in which a removal may settle a board.
    removals: Vec<AtomicU8>,
    round: u8,
}

impl<'a> Engine<'a> {
    /// Begins with a tier, given the best values of all tiers before it.
    pub fn new(tiers: &'a Tiers, tier: usize, earlier: &'a [Values], bar: bool) -> Engine<'a> {
        let tier = &tiers.all()[tier];
        let groups = tier.blocks() * (BLOCK / GROUP);
        Engine {
            tiers,
            tier,
            earlier,
            bar,
            words: filled(tier.size() as usize, || AtomicU32::new(Word::NOTHING.0)),
            todo: AtomicBits::all(tier.blocks()),
            due: AtomicBits::all(groups),
            next: AtomicBits::all(groups),
            removals: (0..groups).map(|_| AtomicU8::new(NEVER)).collect(),
            round: 0,
        }
    }

    /// Goes on with a tier where it was saved. `read` gives what [`saved`](Engine::saved) gave.
    pub fn resume(
        mut self,
        round: u8,
        read: impl FnOnce(&mut dyn FnMut(u32)) -> Result<(), SolveError>,
    ) -> Result<Engine<'a>, SolveError> {
        self.round = round;
        self.todo.clear();
        let mut at = 0;
        read(&mut |word| {
            match self.words.get_mut(at) {
                Some(place) => *place.get_mut() = word,
                None => {
                    let half = at - self.words.len();
                    if let Some(bits) = self.todo.words_mut().nth(half / 2) {
                        *bits |= u64::from(word) << (half % 2 * 32);
                    }
                }
            }
            at += 1;
        })?;
        // What this round has done already awaits the next.
        let groups = self.words.par_chunks(GROUP as usize).zip(&self.removals).enumerate();
        groups.for_each(|(group, (words, removals))| {
            let block = group as u32 / (BLOCK / GROUP);
            let round = round + u8::from(!self.todo.get(block));
            removals.store(first_removal(words, round), Relaxed);
        });
        Ok(self)
    }

    /// The round that it is in; 0 looks at every board for the first time.
    #[must_use]
    pub fn round(&self) -> u8 {
        self.round
    }

    /// How many numbers a tier gives to be [`saved`](Engine::saved).
    #[must_use]
    pub fn saved_size(tier: &Tier) -> u64 {
        u64::from(tier.size()) + 2 * u64::from(tier.blocks().div_ceil(64))
    }

    /// All words, then the blocks that this round has still to do, for a checkpoint.
    pub fn saved(&self) -> impl Iterator<Item = u32> + '_ {
        let todo = self.todo.words().iter().map(|bits| bits.load(Relaxed));
        let words = self.words.iter().map(|word| word.load(Relaxed));
        words.chain(todo.flat_map(|bits| [bits as u32, (bits >> 32) as u32]))
    }

    /// Goes on to the end of the round, or until it is told to `pause`. Returns whether there may be
    /// more to do.
    pub fn go_on(
        &mut self,
        progress: &dyn Progress,
        pause: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, SolveError> {
        let plies = self.round;
        if plies > MAX_PLIES {
            return Err(SolveError::TooManyPlies { limit: MAX_PLIES.into() });
        }
        let todo = (0..self.tier.blocks()).filter(|&block| self.todo.get(block));
        let todo: Vec<u32> = todo.collect();
        let spans: Vec<&[u32]> = todo.chunk_by(|a, b| a / SPAN == b / SPAN).collect();
        // Short pieces of work: a thread that is done cannot take over half of a long one.
        spans.into_par_iter().with_max_len(1).for_each(|blocks| {
            if pause() {
                return;
            }
            progress.advance(match plies {
                0 => run_with_fast_bits(FirstPass { engine: self, blocks }),
                _ => run_with_fast_bits(Fire { engine: self, blocks, plies }),
            });
            blocks.iter().for_each(|&block| self.todo.unset(block));
        });
        if !self.todo.is_empty() {
            return Ok(true);
        }
        self.round = (self.round + 1).max(2);
        std::mem::swap(&mut self.due, &mut self.next);
        self.next.clear();
        let mut more = false;
        for (group, removals) in (0_u32..).zip(&self.removals) {
            let removals = removals.load(Relaxed);
            more |= removals != NEVER;
            if removals == self.round {
                self.due.set(group);
            }
        }
        let per_block = (BLOCK / GROUP / 64) as usize;
        for (block, due) in (0_u32..).zip(self.due.words().chunks(per_block)) {
            if due.iter().any(|bits| bits.load(Relaxed) != 0) {
                self.todo.set(block);
                more = true;
            }
        }
        Ok(more)
    }

    /// Settles what is due to removals in a block, and adds the boards that fire: their window in
    /// their row, and their number.
    #[inline(always)]
    fn collect(&self, block: u32, plies: u8, found: &mut Vec<(u32, u32)>) {
        let part = self.tier.part(block * BLOCK);
        let columns = part.index.ranks().count();
        let groups = block * (BLOCK / GROUP)..(block + 1) * (BLOCK / GROUP);
        for group in groups.filter(|&group| self.due.get(group)) {
            let first = group * GROUP;
            let end = self.words.len().min((first + GROUP) as usize);
            let words = &self.words[(first as usize).min(end)..end];
            let mut mentioning = mentioning(words, plies);
            while mentioning != 0 {
                let offset = mentioning.trailing_zeros();
                mentioning &= mentioning - 1;
                let cell = &words[offset as usize];
                let word = settle_removals(cell, Word(cell.load(Relaxed)), plies);
                let firing = word.firing(plies);
                if firing.best || firing.second {
                    let number = first + offset;
                    found.push(((number - part.first) % columns / WINDOW, number));
                }
            }
            let removals = &self.removals[group as usize];
            if removals.load(Relaxed) == plies {
                removals.store(first_removal(words, plies + 1), Relaxed);
            }
        }
    }

    /// The facts of every board, by its number.
    #[must_use]
    pub fn into_facts(self) -> Vec<Facts> {
        self.words.par_iter().for_each(|word| {
            word.store(Word(word.load(Relaxed)).facts().0, Relaxed);
        });
        // The vector changes its type in place.
        self.words.into_iter().map(|word| Facts(word.into_inner())).collect()
    }
}

/// The words of a group that mention a round, a bit each: only they can fire.
#[inline(always)]
fn mentioning(words: &[AtomicU32], plies: u8) -> u64 {
    let bits = words.iter().zip(0..);
    bits.fold(0, |found, (word, bit)| {
        found | u64::from(Word(word.load(Relaxed)).mentions(plies)) << bit
    })
}

/// The first round, not before `plies`, in which a removal may settle a board of a group.
fn first_removal(words: &[AtomicU32], plies: u8) -> u8 {
    let waiting = words.iter().filter_map(|word| Word(word.load(Relaxed)).waiting());
    waiting.filter(|&round| round >= plies).min().unwrap_or(NEVER)
}

/// Settles what is due to the removals of a board.
#[inline(always)]
fn settle_removals(cell: &AtomicU32, mut word: Word, plies: u8) -> Word {
    loop {
        let settled = word.removals_at(plies);
        if settled == word {
            return word;
        }
        match cell.compare_exchange_weak(word.0, settled.0, Relaxed, Relaxed) {
            Ok(_) => return settled,
            Err(now) => word = Word(now),
        }
    }
}

/// The events of a thread: a move to a state that is settled.
struct Events<'e, 'a> {
    engine: &'e Engine<'a>,
    /// The plies of what the events make known.
    plies: u8,
    ring: Ring<Event, 64>,
}

impl Events<'_, '_> {
    #[inline(always)]
    fn push(&mut self, event: Event) {
        prefetch(&self.engine.words, event.number as usize);
        if let Some(due) = self.ring.push(event) {
            self.apply(due);
        }
    }

    #[inline(always)]
    fn drain(&mut self) {
        self.ring.drain().for_each(|event| self.apply(event));
    }

    #[inline(always)]
    fn apply(&self, Event { number, mv }: Event) {
        let cell = &self.engine.words[number as usize];
        let mut word = Word(cell.load(Relaxed));
        while !word.is_done() {
            let (changed, known) = word.told(mv, self.plies);
            match cell.compare_exchange_weak(word.0, changed.0, Relaxed, Relaxed) {
                Ok(_) => {
                    if known {
                        self.engine.next.set(number / GROUP);
                    }
                    return;
                }
                Err(now) => word = Word(now),
            }
        }
    }
}

/// The work of a round on some blocks: fires all boards that are due. Returns how many got a best
/// value.
struct Fire<'e, 'a> {
    engine: &'e Engine<'a>,
    blocks: &'e [u32],
    plies: u8,
}

impl Work for Fire<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<const ISA: usize>(self) -> u64 {
        let Fire { engine, blocks, plies } = self;
        let mut due = Vec::new();
        for &block in blocks {
            engine.collect(block, plies, &mut due);
        }
        due.sort_unstable();
        let mut events =
            Events { engine, plies: plies + 1, ring: Ring::new(Event { number: 0, mv: 0 }) };
        let mut told = Vec::with_capacity(128);
        let mut known = 0;
        for (_, number) in due {
            let firing = Word(engine.words[number as usize].load(Relaxed)).firing(plies);
            known += u64::from(firing.best);
            let part = engine.tier.part(number);
            let columns = part.index.ranks().count();
            let index = number - part.first;
            let row = part.index.rows().row(index / columns);
            if let Some(board) = part.index.board_in(row, index % columns) {
                fire::quick(engine.tier, &board, firing, engine.bar, &mut told);
                for &event in &told {
                    events.push(event);
                }
                told.clear();
            }
        }
        events.drain();
        known
    }
}

/// The work of the first pass on some blocks.
struct FirstPass<'e, 'a> {
    engine: &'e Engine<'a>,
    blocks: &'e [u32],
}

impl Work for FirstPass<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<const ISA: usize>(self) -> u64 {
        let mut first = First::default();
        for &block in self.blocks {
            first.block(self.engine, block);
        }
        self.blocks.len() as u64 * u64::from(BLOCK) + first.won
    }
}

/// The first pass over some boards: their removals are looked up together.
#[derive(Default)]
struct First {
    boards: Vec<Open>,
    /// The boards after the removals of a board.
    after: Vec<Board>,
    /// The place among the boards, the earlier tier and the number there.
    removals: Vec<(usize, usize, u32)>,
    /// The boards on which the mover wins at once.
    won: u64,
}

/// A board whose removals are on the way.
struct Open {
    number: u32,
    /// The moves that do not lose at once, and those of them that can be barred.
    kept: Kept,
    removals: Removals,
}

impl First {
    const BATCH: usize = 64;

    #[inline(always)]
    fn block(&mut self, engine: &Engine<'_>, block: u32) {
        for (number, board) in engine.tier.boards(block) {
            self.board(engine, number, &board);
        }
        self.finish(engine);
    }

    #[inline(always)]
    fn board(&mut self, engine: &Engine<'_>, number: u32, board: &Board) {
        let is_first = engine.earlier.is_empty();
        let Some(kept) = first_look(engine.tiers, is_first, board, &mut self.after) else {
            engine.words[number as usize].store(Word::WIN_AT_ONCE.0, Relaxed);
            self.won += 1;
            return;
        };
        for after in self.after.drain(..) {
            let (tier, number) = engine.tiers.place(&after);
            prefetch(&engine.earlier[tier], number as usize);
            self.removals.push((self.boards.len(), tier, number));
        }
        self.boards.push(Open { number, kept, removals: Removals::NONE });
        if self.boards.len() == First::BATCH {
            self.finish(engine);
        }
    }

    #[inline(always)]
    fn finish(&mut self, engine: &Engine<'_>) {
        for (place, tier, number) in self.removals.drain(..) {
            let removals = &mut self.boards[place].removals;
            *removals = removals.or(Removals::to(engine.earlier[tier][number as usize]));
        }
        for Open { number, kept, removals } in self.boards.drain(..) {
            let word = Word::begun(kept, engine.bar).completed(removals);
            engine.words[number as usize].store(word.0, Relaxed);
            if let Some(plies) = word.waiting() {
                engine.removals[(number / GROUP) as usize].fetch_min(plies, Relaxed);
            }
        }
    }
}

/// Looks at a board for the first time: none if its mover wins at once, else the moves to count, and the
/// boards after its removals that go on, as their mover sees them. From the first tier none does.
#[inline(always)]
pub fn first_look(
    tiers: &Tiers,
    is_first: bool,
    board: &Board,
    after: &mut Vec<Board>,
) -> Option<Kept> {
    let least = tiers.least();
    let lines = (board.mine.count_ones() == least).then(|| Lines::of(board));
    // The lines tell all there is to know where nobody can go on with a piece less.
    let alone = board.theirs.count_ones() == least && is_first;
    let look = if lines.is_some() && alone { Look::default() } else { Look::at(board) };
    let takes = lines.as_ref().map_or(look.takes(), Lines::wins);
    if takes && board.theirs.count_ones() == least {
        return None;
    }
    if !is_first {
        // What is called back is not compiled for fast bits: it only keeps the boards.
        look.removals(board, |board| after.push(board));
        after.retain_mut(|board| {
            std::mem::swap(&mut board.mine, &mut board.theirs);
            board.theirs.count_ones() >= least
        });
    }
    Some(match lines {
        Some(lines) => lines.kept(board),
        None => look.kept(board),
    })
}

/// Solves all tiers in memory.
#[cfg(test)]
pub fn solve_in_memory(tiers: &Tiers, bar: bool) -> Result<Vec<Vec<Facts>>, SolveError> {
    let (mut solved, mut values): (Vec<Vec<Facts>>, Vec<Values>) = Default::default();
    for tier in 0..tiers.all().len() {
        let mut engine = Engine::new(tiers, tier, &values, bar);
        while engine.go_on(&Silent, &|| false)? {}
        let facts = engine.into_facts();
        values.push(facts.par_iter().map(|facts| facts.best()).collect());
        solved.push(facts);
    }
    Ok(solved)
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Ostle, Undo};
    use super::super::undo::STATES;
    use super::*;
    use kanzen_core::Value;
    use kanzen_index::{Indexed, Place};
    use kanzen_solve::plain;

    /// Every state of small games, against the plain solver, which goes over states and knows
    /// neither facts nor un-moves.
    #[test]
    fn agrees_with_the_plain_solver() {
        for (least, total, undo) in [(1, 3, Undo::Exact), (1, 3, Undo::Allowed)] {
            let game = Ostle::new(least, total, undo);
            let expected = plain(&game);
            let found = solve_in_memory(&game.space().tiers, undo == Undo::Exact).unwrap();
            let mut barred_matters = 0;
            for (tier, (expected, found)) in expected.iter().zip(&found).enumerate() {
                for (index, &value) in (0..).zip(expected) {
                    let Some(value) = value else { continue };
                    let (number, barred) = (index / u64::from(STATES), index % u64::from(STATES));
                    let facts = found[number as usize];
                    let plies = facts.value(barred as u8);
                    let word = match plies {
                        0 => Value::OPEN,
                        _ if plies % 2 == 1 => Value::Win(plies.into()),
                        _ => Value::Loss(plies.into()),
                    };
                    let state = game.position(Place { tier, index });
                    assert_eq!(word, value, "{undo:?} {state:?} {facts:?}");
                    barred_matters += u32::from(facts.value(barred as u8) != facts.best());
                }
            }
            assert!(undo == Undo::Allowed || barred_matters > 0);
        }
    }

    /// Paused, saved and resumed again and again, in the middle of rounds, it finds the same.
    #[test]
    fn goes_on_where_it_was_saved() {
        let tiers = &Tiers::new(1, 4);
        let straight = solve_in_memory(tiers, true).unwrap();
        let best = |tier: &Vec<Facts>| tier.iter().map(|facts| facts.best()).collect::<Values>();
        let values: Vec<Values> = straight[..2].iter().map(best).collect();
        for stride in [2, 3, 7] {
            let mut engine = Engine::new(tiers, 2, &values, true);
            let calls = AtomicU32::new(0);
            // Not for ever, because the round after each time looks at all blocks.
            let often =
                || calls.fetch_add(1, Relaxed) < 400 && calls.load(Relaxed).is_multiple_of(stride);
            let (mut pauses, mut round) = (0, 0);
            while engine.go_on(&Silent, &often).unwrap() {
                if engine.round() != round {
                    round = engine.round();
                    continue;
                }
                pauses += 1;
                let saved: Vec<u32> = engine.saved().collect();
                assert_eq!(saved.len() as u64, Engine::saved_size(&tiers.all()[2]));
                let read = |each: &mut dyn FnMut(u32)| {
                    saved.iter().for_each(|&word| each(word));
                    Ok(())
                };
                engine = Engine::new(tiers, 2, &values, true).resume(round, read).unwrap();
            }
            assert!(pauses > 10, "{pauses}");
            assert_eq!(engine.into_facts(), straight[2]);
        }
    }
}
