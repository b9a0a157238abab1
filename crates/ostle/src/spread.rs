//! The engine on several processes: its boards and rounds behind the seam of the cluster.
//!
//! A cell is a [`Word`], in two numbers of 16 bits, and what is kept of it are its [`Facts`], as in a
//! checkpoint of one machine. An event names the move that leads to a settled state.

use super::engine::first_look;
use super::fire;
use super::rules::{Ostle, Undo};
use super::table;
use super::word::{Facts, Firing, MAX_PLIES, Removals, Word};
use kanzen_core::Value;
use kanzen_index::{Place, Tier, Work, run_with_fast_bits};
use kanzen_solve::{Event, Exits, Link, Moves, Opened, OwnCell, OwnCells, Sharded, SolveError};
use std::ops::Range;

/// Words that are looked at together.
const GROUP: usize = 64;

/// A game, spread.
pub struct Spread {
    game: Ostle,
    tiers: Vec<Tier>,
    /// Whether moves can be barred.
    bar: bool,
}

impl Spread {
    /// A game whose bar is the one that is stated, or none.
    pub fn new(game: &Ostle) -> Spread {
        let tiers = game.space().tiers.all().iter();
        let tiers = tiers.map(|tier| Tier::new(tier.name(), tier.size().into(), true)).collect();
        Spread { game: game.clone(), tiers, bar: game.undo() != Undo::Allowed }
    }
}

/// The word in a cell.
fn word(cell: OwnCell) -> Word {
    Word(u32::from(cell[0]) | u32::from(cell[1]) << 16)
}

/// A cell with a word or with facts.
fn cell(bits: u32) -> OwnCell {
    [bits as u16, (bits >> 16) as u16]
}

impl Sharded for Spread {
    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    fn leads_to(&self, tier: usize) -> Vec<usize> {
        // A removal takes one piece.
        tier.checked_sub(1).into_iter().collect()
    }

    fn has_unmoves(&self) -> bool {
        true
    }

    fn largest_unit(&self) -> usize {
        1
    }

    fn settle(&self, _: usize, _: Range<u64>, _: &mut [u16]) {}

    fn open(
        &self,
        tier: usize,
        range: Range<u64>,
        cells: &mut [u16],
        known: &dyn Fn(Place) -> Option<Value>,
        opened: &mut Opened,
    ) -> Result<(), SolveError> {
        let cells = cells.as_chunks_mut().0;
        run_with_fast_bits(Open { spread: self, tier, range, cells, known, opened });
        Ok(())
    }

    fn fire(&self, _: usize, _: &[(u64, Value)], _: &mut Vec<Event>) {}

    fn is_lasting(&self, _: usize, _: u64) -> bool {
        false
    }

    fn endless(&self, _: usize, _: u64) -> Value {
        Value::OPEN
    }

    fn own_cells(&self) -> Option<&dyn OwnCells> {
        Some(self)
    }
}

impl OwnCells for Spread {
    fn complete(&self, at: &mut OwnCell, exits: &Exits) {
        let removals = match exits.best().map(table::plies) {
            None => Removals::NONE,
            Some(plies) => Removals::to(plies.saturating_sub(1)),
        };
        *at = cell(word(*at).completed(removals).0);
    }

    fn take(&self, at: &mut OwnCell, units: u16, plies: u16) -> bool {
        let before = word(*at);
        if before.is_done() {
            return false;
        }
        let (after, known) = before.told(units as u8, plies as u8);
        *at = cell(after.0);
        known
    }

    fn due(&self, cells: &mut [OwnCell], plies: u16, due: &mut Vec<u32>) {
        // Who wins at once has nothing to tell: moves to such boards are not counted.
        if plies >= 2 {
            run_with_fast_bits(Look { cells, plies: plies as u8, due });
        }
    }

    fn fire(&self, tier: usize, due: &[(u64, OwnCell)], plies: u16, events: &mut Vec<Event>) {
        run_with_fast_bits(Fire { spread: self, tier, due, plies: plies as u8, events });
    }

    fn close(&self, cells: &mut [OwnCell]) {
        cells.iter_mut().for_each(|at| *at = cell(word(*at).facts().0));
    }

    fn value(&self, cell: OwnCell) -> Value {
        table::value(cell[0] as u8)
    }

    fn settled(&self, value: Value) -> OwnCell {
        cell(Facts::new(table::plies(value), 0, 0).0)
    }

    fn most_plies(&self) -> u16 {
        MAX_PLIES.into()
    }
}

/// A first look at some boards.
struct Open<'a> {
    spread: &'a Spread,
    tier: usize,
    range: Range<u64>,
    cells: &'a mut [OwnCell],
    known: &'a dyn Fn(Place) -> Option<Value>,
    opened: &'a mut Opened,
}

impl Work for Open<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const ISA: usize>(self) {
        let Open { spread, tier, range, cells, known, opened } = self;
        let tiers = &spread.game.space().tiers;
        let numbers = range.start as u32..range.end as u32;
        let mut after = Vec::new();
        cells.fill(cell(Word::NOTHING.0));
        for (number, board) in tiers.all()[tier].boards_in(numbers.clone()) {
            let offset = number - numbers.start;
            let at = &mut cells[offset as usize];
            let Some(kept) = first_look(tiers, tier == 0, &board, &mut after) else {
                *at = cell(Word::WIN_AT_ONCE.0);
                continue;
            };
            *at = cell(Word::begun(kept, spread.bar).0);
            let mut removals = Moves::out();
            for after in after.drain(..) {
                let (tier, index) = tiers.place(&after);
                let end = Place { tier, index: index.into() };
                match known(end) {
                    Some(value) => removals.exits.add(value),
                    None => opened.links.push(Link { source: number.into(), end, again: false }),
                }
            }
            opened.moves.push((offset, removals));
        }
    }
}

/// Looks for the words that are due.
struct Look<'a> {
    cells: &'a mut [OwnCell],
    plies: u8,
    due: &'a mut Vec<u32>,
}

impl Work for Look<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const ISA: usize>(self) {
        let Look { cells, plies, due } = self;
        for (first, group) in (0..).step_by(GROUP).zip(cells.chunks_mut(GROUP)) {
            let mut mentioning = (0..).zip(&*group).fold(0_u64, |found, (bit, &at)| {
                found | u64::from(word(at).mentions(plies)) << bit
            });
            while mentioning != 0 {
                let bit = mentioning.trailing_zeros();
                mentioning &= mentioning - 1;
                let at = &mut group[bit as usize];
                let settled = word(*at).removals_at(plies);
                *at = cell(settled.0);
                let Firing { best, second, .. } = settled.firing(plies);
                if best || second {
                    due.push(first + bit);
                }
            }
        }
    }
}

/// Tells the boards before of some that are due.
struct Fire<'a> {
    spread: &'a Spread,
    tier: usize,
    due: &'a [(u64, OwnCell)],
    plies: u8,
    events: &'a mut Vec<Event>,
}

impl Work for Fire<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const ISA: usize>(self) {
        let Fire { spread, tier, due, plies, events } = self;
        let tier = &spread.game.space().tiers.all()[tier];
        let mut told = Vec::with_capacity(128);
        for &(number, at) in due {
            if let Some(board) = tier.board(number as u32) {
                let firing = word(at).firing(plies);
                fire::quick(tier, &board, firing, spread.bar, &mut told);
                events.extend(told.drain(..).map(|fire::Event { number, mv }| Event {
                    target: number.into(),
                    units: mv.into(),
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::solve_in_memory;
    use super::*;
    use kanzen_cluster::Cluster;
    use kanzen_solve::{Checkpoint, Job, Machines, Progress};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

    /// Asks for a stop after two rounds.
    struct Stop<'a> {
        rounds: AtomicU32,
        cancel: &'a AtomicBool,
    }

    impl Progress for Stop<'_> {
        fn begin(&self, _: &str, _: u64) {}
        fn advance(&self, _: u64) {}
        fn note(&self, _: &str) {
            if self.rounds.fetch_sub(1, Relaxed) == 1 {
                self.cancel.store(true, Relaxed);
            }
        }
        fn end(&self) {}
    }

    /// The facts of all tiers, solved by workers in this process; if they are to be stopped, it is after
    /// every few rounds, and another number of them goes on.
    fn solve_together(game: &Ostle, stop: bool) -> Vec<Vec<u32>> {
        let dir = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint::new(dir.path().join("checkpoint"), "a test".to_owned());
        let spread = Arc::new(Spread::new(game));
        let cluster = Cluster::new(vec!["127.0.0.1:1".to_owned()], 0, Vec::new()).unwrap();
        let ended = (1..4).cycle().take(200).any(|threads| {
            let cancel = AtomicBool::new(false);
            let rounds = AtomicU32::new(if stop { 2 } else { u32::MAX });
            let progress = Stop { rounds, cancel: &cancel };
            let job = Job { threads, cancel: &cancel, progress: &progress, ..Job::default() };
            match cluster.solve(spread.clone(), &job, &checkpoint) {
                Ok(()) => true,
                Err(SolveError::Cancelled) => false,
                Err(error) => panic!("{error}"),
            }
        });
        assert!(ended, "no progress");
        let read = |tier: usize| {
            let mut cells = Vec::new();
            let size = 2 * spread.tiers[tier].size;
            checkpoint.scan_tier(tier, None, size, |codes| cells.extend_from_slice(codes)).unwrap();
            cells.as_chunks().0.iter().map(|&cell| word(cell).0).collect()
        };
        (0..spread.tiers.len()).map(read).collect()
    }

    #[test]
    fn several_workers_find_the_same() {
        for (total, undo) in [(3, Undo::Exact), (4, Undo::Exact), (4, Undo::Allowed)] {
            let game = Ostle::new(1, total, undo);
            let alone = solve_in_memory(&game.space().tiers, undo == Undo::Exact).unwrap();
            let alone: Vec<Vec<u32>> = alone
                .into_iter()
                .map(|tier| tier.into_iter().map(|facts| facts.0).collect())
                .collect();
            for stop in [false, true] {
                assert!(solve_together(&game, stop) == alone, "{total} {undo:?} {stop}");
            }
        }
    }
}
