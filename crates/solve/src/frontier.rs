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
//! Moves out of the tier have known values. A win there is scheduled for its round; lost ones hold
//! one unit of the count until the round of the slowest; a won or open one holds a unit for ever.

use crate::Job;
use crate::cells::{Cells, MAX_COUNT, MAX_PLIES};
use crate::edges::Edges;
use crate::{Progress, SolveError};
use kanzen_core::{Next, Outcome, Value};
use kanzen_index::{FirstLook, Indexed, with_fast_bits};
use kanzen_machine::{Ring, prefetch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// Positions that a thread takes at a time.
const CHUNK: u32 = 4096;
/// Events between finding a predecessor and changing its cell, while its cache line is on the way.
const IN_FLIGHT: usize = 32;

/// A tier in the course of being solved.
pub(crate) struct Frontier<'g, G: Indexed> {
    game: &'g G,
    tier: usize,
    size: u32,
    cells: Cells,
    edges: Option<Edges>,
    schedule: Vec<Due>,
    round: u16,
    fresh: Fresh,
}

/// Exits of a round: what the moves out of the tier bring about.
#[derive(Default)]
struct Due {
    /// Positions with a winning exit.
    wins: Vec<u32>,
    /// Positions whose slowest losing exit this is.
    holds: Vec<u32>,
}

/// The positions settled at the distance of the coming round.
enum Fresh {
    List(Vec<u32>),
    Scan,
}

/// What the first pass finds in a position.
struct Opening {
    count: u32,
    win: Option<u16>,
    hold: Option<u16>,
}

impl<'g, G: Indexed> Frontier<'g, G> {
    /// Looks at every position of the tier once.
    pub(crate) fn new(
        game: &'g G,
        tier: usize,
        solved: &[Vec<u16>],
        job: &Job<'_>,
    ) -> Result<Frontier<'g, G>, SolveError> {
        let size = game.tiers()[tier].size as u32;
        let cells = Cells::new(size as usize);
        let most_moves = AtomicU32::new(0);
        let schedule = (0..size.div_ceil(CHUNK))
            .into_par_iter()
            .fold(Vec::new, |mut schedule: Vec<Due>, chunk| {
                if job.cancel.load(Relaxed) {
                    return schedule;
                }
                let indices = chunk * CHUNK..size.min((chunk + 1).saturating_mul(CHUNK));
                job.progress.advance(indices.len() as u64);
                with_fast_bits(|| {
                    game.positions(tier, indices.map(u64::from), |index, position| {
                        let index = index as u32;
                        if let Some(look) = game.first_look(&position) {
                            match look {
                                FirstLook::Value(value) => cells.settle(index, value),
                                FirstLook::Moves(moves) => {
                                    let count = moves * unit(game, &position);
                                    most_moves.fetch_max(count, Relaxed);
                                    cells.open(index, count.clamp(1, MAX_COUNT));
                                }
                            }
                        } else if let Some(outcome) = game.over(&position) {
                            cells.settle(index, Value::ended(outcome, 0));
                        } else if game.wins_at_once(&position) {
                            cells.settle(index, Value::Win(1));
                        } else {
                            let opening = open(game, tier, &position, solved);
                            most_moves.fetch_max(opening.count, Relaxed);
                            cells.open(index, opening.count.clamp(1, MAX_COUNT));
                            if let Some(plies) = opening.win {
                                due(&mut schedule, plies - 1).wins.push(index);
                            } else if let Some(plies) = opening.hold {
                                due(&mut schedule, plies).holds.push(index);
                            }
                        }
                    });
                });
                schedule
            })
            .reduce(Vec::new, |mut all, schedule| {
                for (round, more) in schedule.into_iter().enumerate() {
                    let due = due(&mut all, round as u16);
                    due.wins.extend(more.wins);
                    due.holds.extend(more.holds);
                }
                all
            });
        if job.cancel.load(Relaxed) {
            return Err(SolveError::Cancelled);
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
        let edges =
            (!G::UNMOVES).then(|| Edges::derive(game, tier, |i| cells.settled(i).is_some()));
        Ok(Frontier { game, tier, size, cells, edges, schedule, round: 0, fresh: Fresh::Scan })
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

    /// The final values.
    pub(crate) fn into_codes(self) -> Vec<u16> {
        self.cells.into_codes()
    }

    /// Fires the positions settled at the distance of the round. False when there is no more to do.
    pub(crate) fn round(&mut self, progress: &dyn Progress) -> Result<bool, SolveError> {
        let plies = self.round;
        if plies >= MAX_PLIES {
            return Err(SolveError::TooManyPlies { limit: MAX_PLIES });
        }
        let harvest = Harvest::new(self.size as usize / 512 + 1024);
        let fired = AtomicUsize::new(0);
        let fire = |indices: &[u32]| {
            let mut events = Events::new(&self.cells, plies + 1);
            with_fast_bits(|| {
                match &self.edges {
                    Some(edges) => self.fire_along(edges, indices, &mut events),
                    None => self.fire(indices, &mut events),
                }
                events.flush();
            });
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
                (0..self.size.div_ceil(chunk)).into_par_iter().with_max_len(1).for_each(|number| {
                    let first = number * chunk;
                    let end = self.size.min(first.saturating_add(chunk));
                    fire(&self.cells.settled_at(first..end, plies));
                });
            }
        }
        let mut events = Events::new(&self.cells, plies + 1);
        if let Some(due) = self.schedule.get_mut(usize::from(plies)) {
            let Due { wins, holds } = std::mem::take(due);
            wins.into_iter().for_each(|index| events.win(index));
            holds.into_iter().for_each(|index| events.lose(index, 1));
        }
        harvest.add(&events.fresh);

        let found = harvest.found();
        progress.note(&format!("ply {plies}: {} fired", fired.into_inner()));
        self.round += 1;
        // Up to 2 plies positions were settled by the first pass: no list has them.
        self.fresh = match plies {
            0 | 1 => Fresh::Scan,
            _ => harvest.into_fresh(),
        };
        Ok(found > 0 || plies <= 1 || usize::from(plies) < self.schedule.len())
    }

    /// Tells the predecessors of settled positions.
    #[inline]
    fn fire(&self, indices: &[u32], events: &mut Events<'_>) {
        // The predecessors of a position are gathered before their places are found: two short
        // loops keep the processor busier than a long one.
        let mut sources = Vec::new();
        let numbers = indices.iter().map(|&index| u64::from(index));
        self.game.positions(self.tier, numbers, |index, position| {
            let moves = match self.cells.settled(index as u32) {
                Some(Value::Win(1)) if known_at_once(self.game, &position) => return,
                Some(Value::Win(_)) => self.game.orbit(&position) as u16,
                _ => 0,
            };
            sources.clear();
            self.game.predecessors(&position, |source| sources.push(source));
            for source in &sources {
                events.push(self.game.locate(source).index as u32, moves);
            }
        });
    }

    /// Tells the predecessors of settled positions which the edges name.
    fn fire_along(&self, edges: &Edges, indices: &[u32], events: &mut Events<'_>) {
        for &index in indices {
            let moves = u16::from(matches!(self.cells.settled(index), Some(Value::Win(_))));
            edges.sources(index).iter().for_each(|&source| events.push(source, moves));
        }
    }
}

/// How much a move of a position counts.
#[inline]
fn unit<G: Indexed>(game: &G, position: &G::Position) -> u32 {
    if G::UNMOVES { game.orbit(position) } else { 1 }
}

/// Whether the first pass sees that a position is won when it looks at the moves that lead there:
/// they are not counted, and the position has nothing to tell them.
#[inline]
fn known_at_once<G: Indexed>(game: &G, position: &G::Position) -> bool {
    G::UNMOVES && G::QUICK_WINS && game.wins_at_once(position)
}

/// What the moves of an open position come to.
fn open<G: Indexed>(game: &G, tier: usize, position: &G::Position, solved: &[Vec<u16>]) -> Opening {
    let (mut inside, mut held, mut near, mut nearer) = (0, false, false, false);
    let (mut win, mut hold): (Option<u16>, Option<u16>) = (None, None);
    game.successors(position, |next| {
        let after = match next {
            Next::Position(child) if game.tier(&child) == tier => {
                if known_at_once(game, &child) {
                    near = true;
                } else {
                    inside += 1;
                    nearer |= G::QUICK_WINS && game.over(&child).is_some();
                }
                return;
            }
            Next::Position(child) => {
                let place = game.locate(&child);
                Value::from_code(solved[place.tier][place.index as usize])
            }
            Next::Over(outcome) => Value::ended(Outcome::flip(outcome), 0),
        };
        match after {
            Value::Loss(plies) => win = Some(win.map_or(plies + 1, |w| w.min(plies + 1))),
            Value::Win(plies) => hold = hold.max(Some(plies)),
            Value::Open => held = true,
        }
    });
    // With other moves inside, a loss takes as long as by these, or longer; unless they end the game.
    if near && (inside == 0 || nearer) {
        hold = hold.max(Some(1));
    }
    Opening {
        count: inside * unit(game, position)
            + u32::from(hold.is_some())
            + u32::from(held || win.is_some()),
        win,
        hold,
    }
}

/// The exits of a round, which is added to the schedule if need be.
fn due(schedule: &mut Vec<Due>, round: u16) -> &mut Due {
    let round = usize::from(round);
    if schedule.len() <= round {
        schedule.resize_with(round + 1, Due::default);
    }
    &mut schedule[round]
}

/// Events on their way to cells: each waits until its cache line has had time to arrive.
struct Events<'c> {
    cells: &'c Cells,
    plies: u16,
    /// Position and number of moves lost; 0 stands for a move that wins.
    waiting: Ring<(u32, u16), IN_FLIGHT>,
    fresh: Vec<u32>,
}

impl<'c> Events<'c> {
    fn new(cells: &'c Cells, plies: u16) -> Events<'c> {
        Events { cells, plies, waiting: Ring::new((0, 0)), fresh: Vec::new() }
    }

    #[inline]
    fn push(&mut self, index: u32, moves: u16) {
        prefetch(self.cells.as_slice(), index as usize);
        if let Some((index, moves)) = self.waiting.push((index, moves)) {
            self.apply(index, moves);
        }
    }

    fn flush(&mut self) {
        self.waiting.drain().for_each(|(index, moves)| self.apply(index, moves));
    }

    #[inline]
    fn apply(&mut self, index: u32, moves: u16) {
        match moves {
            0 => self.win(index),
            _ => self.lose(index, moves),
        }
    }

    #[inline]
    fn win(&mut self, index: u32) {
        if self.cells.win(index, self.plies) {
            self.fresh.push(index);
        }
    }

    #[inline]
    fn lose(&mut self, index: u32, moves: u16) {
        if self.cells.lose(index, moves, self.plies) {
            self.fresh.push(index);
        }
    }
}

/// Collects the newly settled positions as long as they are few.
struct Harvest {
    limit: usize,
    found: AtomicUsize,
    list: std::sync::Mutex<Vec<u32>>,
}

impl Harvest {
    fn new(limit: usize) -> Harvest {
        Harvest { limit, found: AtomicUsize::new(0), list: Default::default() }
    }

    fn add(&self, fresh: &[u32]) {
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
