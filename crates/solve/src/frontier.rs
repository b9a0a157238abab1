//! The frontier engine: retrograde analysis by distance.
//!
//! A first pass counts every position's moves. Then, round after round, the positions settled at a
//! distance fire: a lost position makes its open predecessors won, a won one takes a move from
//! their counts, and whoever has none left is lost. Each edge is travelled once, backwards. Small
//! frontiers are kept as lists; a large one is found again by a scan, which is cheaper than the
//! list's memory.
//!
//! With symmetries, a position stands for its whole orbit. Counts are in units of one move of one
//! member of the orbit: a position counts `moves x orbit`, and an event subtracts the orbit of the
//! position that fires. That is exact for positions with symmetries of their own, too.
//!
//! Moves out of the tier, and in games without un-moves those to what the rules settle, have known
//! values. A win there is scheduled for its round; lost ones hold
//! one unit of the count until the round of the slowest; any other holds a unit for ever.
//!
//! When nothing more is won or lost, the draws by the rules spread in the same way over what is
//! left: whoever does not win by endless play takes the first draw there is, and who does goes on
//! until every move that is left leads to a draw. What then remains never ends.

use crate::Job;
use crate::cells::{Cells, MAX_COUNT, MAX_PLIES};
use crate::edges::{AGAIN, Edges, Links};
use crate::opening::{Due, Moves, Opening, Paged, known_at_once, unit};
use crate::{Progress, SolveError};
use kanzen_core::{Endless, Next, Outcome, Value};
use kanzen_index::{FirstLook, Indexed, Place, Work, run_with_fast_bits, with_fast_bits};
use kanzen_machine::{Ring, prefetch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Positions that a thread takes at a time.
const CHUNK: u64 = 4096;
/// Events between finding a predecessor and changing its cell, while its cache line is on the way.
const IN_FLIGHT: usize = 32;

/// The number of the first round of draws; those of wins and losses are all below.
const DRAWS: u16 = 0x4000;

/// A tier in the course of being solved.
pub(crate) struct Frontier<'g, G: Indexed> {
    game: &'g G,
    tier: usize,
    size: u64,
    cells: Cells,
    edges: Option<Edges>,
    schedule: Paged,
    drawn: bool,
    round: u16,
    fresh: Fresh,
}

/// The positions settled at the distance of the coming round.
enum Fresh {
    List(Vec<u64>),
    Scan,
}

impl<'g, G: Indexed> Frontier<'g, G> {
    /// Looks at every position of the tier once.
    pub(crate) fn new(
        game: &'g G,
        tier: usize,
        solved: &[Vec<u16>],
        job: &Job<'_>,
    ) -> Result<Frontier<'g, G>, SolveError> {
        let size = game.tiers()[tier].size;
        let cells = Cells::new(size as usize);
        let most_moves = AtomicU32::new(0);
        let drawn = AtomicBool::new(false);
        let again = AtomicBool::new(false);
        let settle = |index: u64, position: &G::Position| {
            let value = match game.over(position) {
                Some(outcome) => Value::new(outcome, 0),
                None if game.wins_at_once(position) => Value::Win(1),
                None => return false,
            };
            if value == Value::Draw(0) {
                drawn.store(true, Relaxed);
            }
            cells.settle(index, value);
            true
        };
        let count = |index: u64, count: u32| {
            most_moves.fetch_max(count, Relaxed);
            cells.open(index, count.clamp(1, MAX_COUNT));
        };
        let chunks = || {
            let wanted = |_: &u64| !job.cancel.load(Relaxed);
            (0..size.div_ceil(CHUNK)).into_par_iter().filter(wanted)
        };
        if !G::UNMOVES {
            // What the rules settle is known before the moves are counted, and needs no edges.
            chunks().for_each(|chunk| {
                each_position(game, tier, chunk, |index, position| {
                    settle(index, &position);
                });
            });
        }
        let threads = if G::UNMOVES { 0 } else { rayon::current_num_threads() };
        let links: Vec<Mutex<Links>> =
            (0..threads).map(|_| Mutex::new(Links::new(size as u32))).collect();
        let schedule = chunks()
            .fold(Paged::default, |mut schedule, chunk| {
                let mut inside = Inside::new(&links);
                each_position(game, tier, chunk, |index, position| {
                    if let Some(look) = game.first_look(&position) {
                        return match look {
                            FirstLook::Value(value) => cells.settle(index, value),
                            FirstLook::Moves(moves) => count(index, moves * unit(game, &position)),
                        };
                    }
                    let known = match G::UNMOVES {
                        true => settle(index, &position),
                        false => cells.settled(index).is_some(),
                    };
                    if !known {
                        let at = (index, &position);
                        match open(game, tier, at, &cells, solved, &mut inside) {
                            Some(opening) => {
                                count(index, opening.count);
                                schedule.add(index, &opening);
                            }
                            None => again.store(true, Relaxed),
                        }
                    }
                });
                job.progress.advance(CHUNK);
                schedule
            })
            .reduce(Paged::default, |mut all: Paged, schedule| {
                all.join(schedule);
                all
            });
        if job.cancel.load(Relaxed) {
            return Err(SolveError::Cancelled);
        }
        if again.into_inner() {
            return Err(SolveError::moves_again(game, tier));
        }
        let count = most_moves.into_inner();
        if count > MAX_COUNT {
            let unit = if G::UNMOVES { game.symmetries() as u32 } else { 1 };
            return Err(SolveError::TooManyMoves {
                tier: game.tiers()[tier].name.clone(),
                moves: count / unit,
                limit: MAX_COUNT / unit,
            });
        }
        let links = links
            .into_iter()
            .map(|links| links.into_inner().unwrap_or_else(PoisonError::into_inner));
        let edges = (!G::UNMOVES).then(|| Edges::new(size as u32, links));
        let drawn = drawn.into_inner() || schedule.has_draws();
        let (round, fresh) = (0, Fresh::Scan);
        Ok(Frontier { game, tier, size, cells, edges, schedule, drawn, round, fresh })
    }

    /// Goes on from cells as they were before a round.
    pub(crate) fn resume(&mut self, cells: Vec<u16>, round: u16) {
        self.cells = Cells::from_raw(cells);
        self.round = round;
        self.fresh = Fresh::Scan;
    }

    /// The round that comes next.
    pub(crate) fn next_round(&self) -> u16 {
        self.round
    }

    /// The bits of all cells, for a checkpoint.
    pub(crate) fn cells(&self) -> impl Iterator<Item = u16> {
        self.cells.raw()
    }

    /// The final values: what is still open never ends.
    pub(crate) fn into_codes(self) -> Vec<u16> {
        let Frontier { game, tier, cells, .. } = self;
        cells.into_codes(|index| endless(game, tier, index))
    }

    /// The same one after the other, for a tier that nobody needs in memory.
    pub(crate) fn codes(&self) -> impl Iterator<Item = u16> {
        let Frontier { game, tier, cells, .. } = self;
        cells.codes(|index| endless(*game, *tier, index))
    }

    /// Fires the positions settled at the distance of the round. False when there is no more to do.
    pub(crate) fn round(&mut self, progress: &dyn Progress) -> Result<bool, SolveError> {
        let drawing = self.round >= DRAWS;
        let plies = self.round & !DRAWS;
        if plies >= MAX_PLIES {
            return Err(SolveError::TooManyPlies { limit: MAX_PLIES });
        }
        let (settled, values) = if drawing {
            ([Value::Draw(plies); 2], [Value::Draw(plies + 1); 2])
        } else {
            let values = [Value::Win(plies + 1), Value::Loss(plies + 1)];
            ([Value::Win(plies), Value::Loss(plies)], values)
        };
        let harvest = Harvest::new(self.size as usize / 512 + 1024);
        let fired = AtomicUsize::new(0);
        let fire = |indices: &[u64]| {
            let mut events = Events::new(&self.cells, values);
            if drawing {
                self.fire_draws(indices, &mut events);
            } else if let Some(edges) = &self.edges {
                self.fire_along(edges, indices, &mut events);
            } else {
                run_with_fast_bits(Fire { frontier: self, indices, events: &mut events });
            }
            events.flush();
            progress.advance(indices.len() as u64);
            fired.fetch_add(indices.len(), Relaxed);
            harvest.add(&events.fresh);
        };
        match &self.fresh {
            Fresh::List(list) => {
                let chunk = (list.len() / 64).clamp(64, CHUNK as usize);
                list.par_chunks(chunk).with_max_len(1).for_each(fire);
            }
            Fresh::Scan => {
                let chunk = (self.size / 1024).clamp(CHUNK, 16 * CHUNK);
                let chunks = self.size.div_ceil(chunk) as usize;
                (0..chunks).into_par_iter().with_max_len(1).for_each(|number| {
                    let first = number as u64 * chunk;
                    let end = self.size.min(first + chunk);
                    fire(&self.cells.settled_at(first..end, settled));
                });
            }
        }
        let mut events = Events::new(&self.cells, values);
        let (due, scheduled) = self.schedule.take(drawing, plies);
        for (first, Due { taken, holds }) in due {
            let at = |place: u32| first + u64::from(place);
            taken.into_iter().for_each(|place| events.take(at(place)));
            holds.into_iter().for_each(|place| events.count_down(at(place), 1));
        }
        harvest.add(&events.fresh);

        let found = harvest.found();
        let what = if drawing { "drawn" } else { "fired" };
        progress.note(&format!("ply {plies}: {} {what}", fired.into_inner()));
        self.round += 1;
        // Up to 2 plies positions were settled by the first pass: no list has them.
        self.fresh = match plies {
            0 | 1 => Fresh::Scan,
            _ => harvest.into_fresh(),
        };
        let more = found > 0 || plies <= 1 || scheduled;
        if !more && !drawing && self.drawn {
            self.round = DRAWS;
            self.fresh = Fresh::Scan;
            return Ok(true);
        }
        Ok(more)
    }

    /// The source of an edge, and whether the same side moves again.
    #[inline]
    fn untag(&self, source: u32) -> (u32, bool) {
        if self.game.takes_turns() { (source, false) } else { (source & !AGAIN, source >= AGAIN) }
    }

    /// Tells the predecessors of settled positions which the edges name.
    fn fire_along(&self, edges: &Edges, indices: &[u64], events: &mut Events<'_>) {
        for &index in indices {
            let won = matches!(self.cells.settled(index), Some(Value::Win(_)));
            for &source in edges.sources(index as u32) {
                let (source, again) = self.untag(source);
                // A move is of no use if it leads to the other side's win, or to one's own loss.
                events.push(source.into(), u16::from(won != again));
            }
        }
    }
}

impl<G: Indexed> Frontier<'_, G> {
    /// Tells the predecessors of drawn positions: who wins by endless play goes on as long as it can.
    fn fire_draws(&self, indices: &[u64], events: &mut Events<'_>) {
        let lasting = |source: &G::Position| match self.game.endless() {
            Endless::Draw => false,
            Endless::WonBy(side) => self.game.mover(source) == side,
        };
        let at = |index: u64| self.game.position(Place { tier: self.tier, index });
        for &index in indices {
            if let Some(edges) = &self.edges {
                for &source in edges.sources(index as u32) {
                    let source = u64::from(self.untag(source).0);
                    let moves = u16::from(at(source).as_ref().is_some_and(lasting));
                    events.push(source, moves);
                }
            } else if let Some(position) = at(index) {
                let orbit = self.game.orbit(&position) as u16;
                self.game.predecessors(&position, |source| {
                    let moves = if lasting(&source) { orbit } else { 0 };
                    events.push(self.game.locate(&source).index, moves);
                });
            }
        }
    }
}

/// The value of a position from which play never ends.
fn endless<G: Indexed>(game: &G, tier: usize, index: u64) -> Value {
    match game.endless() {
        Endless::Draw => Value::OPEN,
        won => {
            let position = game.position(Place { tier, index });
            position.map_or(Value::OPEN, |position| won.value(game, &position))
        }
    }
}

/// Tells the predecessors of settled positions.
struct Fire<'a, 'c, G: Indexed> {
    frontier: &'a Frontier<'a, G>,
    indices: &'a [u64],
    events: &'a mut Events<'c>,
}

impl<G: Indexed> Work for Fire<'_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<const ISA: usize>(self) {
        let Fire { frontier: Frontier { game, tier, cells, .. }, indices, events } = self;
        // The predecessors of a position are gathered before their places are found: two short
        // loops keep the processor busier than a long one.
        let mut sources = Vec::new();
        let numbers = indices.iter().copied();
        game.positions(*tier, numbers, |index, position| {
            let moves = match cells.settled(index) {
                Some(Value::Win(1)) if known_at_once(*game, &position) => return,
                Some(Value::Win(_)) => game.orbit(&position) as u16,
                _ => 0,
            };
            sources.clear();
            game.predecessors(&position, |source| sources.push(source));
            for source in &sources {
                events.push(game.locate(source).index, moves);
            }
        });
    }
}

/// Calls `each` with every position of a chunk of a tier.
#[inline]
fn each_position<G: Indexed>(
    game: &G,
    tier: usize,
    chunk: u64,
    each: impl FnMut(u64, G::Position),
) {
    let end = game.tiers()[tier].size.min((chunk + 1) * CHUNK);
    let indices = chunk * CHUNK..end;
    with_fast_bits(|| {
        game.positions(tier, indices, each);
    });
}

/// What the moves of an open position come to; none if the side moves again in a tier with un-moves,
/// which do not tell that.
fn open<G: Indexed>(
    game: &G,
    tier: usize,
    (index, position): (u64, &G::Position),
    cells: &Cells,
    solved: &[Vec<u16>],
    inside: &mut Inside<'_>,
) -> Option<Opening> {
    let mut all = Moves::of(game, position);
    let mut again = false;
    game.successors(position, |next| match next {
        Next::Over(outcome) => all.exits.add(Value::new(Outcome::flip(outcome), 0)),
        Next::Position(child) | Next::Again(child) if game.tier(&child) != tier => {
            let place = game.locate(&child);
            let value = Value::from_code(solved[place.tier][place.index as usize]);
            all.exits.add(if matches!(next, Next::Again(_)) { value.flip() } else { value });
        }
        Next::Position(child) | Next::Again(child) if !G::UNMOVES => {
            let end = game.locate(&child).index;
            prefetch(cells.as_slice(), end as usize);
            inside.ends.push((end, matches!(next, Next::Again(_))));
        }
        Next::Position(child) if known_at_once(game, &child) => all.near = true,
        Next::Position(child) => {
            all.inside += 1;
            all.nearer |= G::QUICK_WINS && game.over(&child).is_some();
        }
        Next::Again(_) => again = true,
    });
    for (end, again) in inside.ends.drain(..) {
        match cells.settled(end) {
            Some(value) => all.exits.add(if again { value.flip() } else { value }),
            None => {
                all.inside += 1;
                if let Some(links) = &mut inside.links {
                    // Such tiers have fewer than 2^32 positions.
                    let source = index as u32;
                    links.push(if again { source | AGAIN } else { source }, end as u32);
                }
            }
        }
    }
    if again { None } else { Some(all.opening()) }
}

/// The moves inside a tier of a game without un-moves, as a thread finds them.
struct Inside<'l> {
    links: Option<MutexGuard<'l, Links>>,
    /// Where the moves of a position lead, and whether the same side moves again.
    ends: Vec<(u64, bool)>,
}

impl<'l> Inside<'l> {
    /// Adds to the moves that this thread has found, if they are wanted.
    fn new(all: &'l [Mutex<Links>]) -> Inside<'l> {
        let own = all.get(rayon::current_thread_index().unwrap_or(0));
        let links = own.map(|own| own.lock().unwrap_or_else(PoisonError::into_inner));
        Inside { links, ends: Vec::new() }
    }
}

/// Events on their way to cells: each waits until its cache line has had time to arrive.
struct Events<'c> {
    cells: &'c Cells,
    /// What a position is worth whose best move this is, and one that has no other left.
    values: [Value; 2],
    /// Position and number of moves that are of no use; 0 stands for the best move there can be.
    waiting: Ring<(u64, u16), IN_FLIGHT>,
    fresh: Vec<u64>,
}

impl<'c> Events<'c> {
    fn new(cells: &'c Cells, values: [Value; 2]) -> Events<'c> {
        Events { cells, values, waiting: Ring::new((0, 0)), fresh: Vec::new() }
    }

    #[inline]
    fn push(&mut self, index: u64, moves: u16) {
        prefetch(self.cells.as_slice(), index as usize);
        if let Some((index, moves)) = self.waiting.push((index, moves)) {
            self.apply(index, moves);
        }
    }

    fn flush(&mut self) {
        self.waiting.drain().for_each(|(index, moves)| self.apply(index, moves));
    }

    #[inline]
    fn apply(&mut self, index: u64, moves: u16) {
        match moves {
            0 => self.take(index),
            _ => self.count_down(index, moves),
        }
    }

    #[inline]
    fn take(&mut self, index: u64) {
        if self.cells.take(index, self.values[0]) {
            self.fresh.push(index);
        }
    }

    #[inline]
    fn count_down(&mut self, index: u64, moves: u16) {
        if self.cells.count_down(index, moves, self.values[1]) {
            self.fresh.push(index);
        }
    }
}

/// Collects the newly settled positions as long as they are few.
struct Harvest {
    limit: usize,
    found: AtomicUsize,
    list: Mutex<Vec<u64>>,
}

impl Harvest {
    fn new(limit: usize) -> Harvest {
        Harvest { limit, found: AtomicUsize::new(0), list: Default::default() }
    }

    fn add(&self, fresh: &[u64]) {
        let before = self.found.fetch_add(fresh.len(), Relaxed);
        if before + fresh.len() <= self.limit
            && let Ok(mut list) = self.list.lock()
        {
            list.extend(fresh);
        }
    }

    fn found(&self) -> usize {
        self.found.load(Relaxed)
    }

    fn into_fresh(self) -> Fresh {
        let found = self.found();
        let list = self.list.into_inner().unwrap_or_default();
        if found == list.len() { Fresh::List(list) } else { Fresh::Scan }
    }
}
