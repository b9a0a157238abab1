//! What a run on several processes will take, from a sample of the game's moves.
//!
//! Some hundred positions of each tier are opened and fire as they would in the run, which tells what
//! that costs and how many messages go to which worker. What is done to a message costs the same in all
//! games: those constants were measured, see docs/scale.md.

use crate::plan::Plan;
use crate::state::width;
use kanzen_core::Value;
use kanzen_index::Place;
use kanzen_solve::{Checkpoint, Event, Job, Machines, Opened, SETTLED, Sharded, SolveError};
use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Positions of a slice, and slices of a tier that are looked at.
const SLICE: u64 = 512;
const SLICES: u64 = 24;
/// Seconds of a thread for an event that is applied, in a tier that fits the cache, in a larger one, and to
/// cells of the game's own.
const EVENT: [f64; 3] = [6e-9, 14e-9, 22e-9];
/// For a value that is read, in a tier that fits the cache or in a larger one.
const READ: [f64; 2] = [5e-9, 60e-9];
/// Positions of a tier that fits the cache.
const CACHED: u64 = 1 << 19;
/// Seconds for an event that travels besides, for a question with its answer, for a position that is
/// kept, and for a round.
const TRAVEL: f64 = 30e-9;
const LINK: f64 = 350e-9;
const KEEP: f64 = 12e-9;
const ROUND: f64 = 0.25e-3;
/// Rounds of a tier, roughly: they cost little where tiers are large.
const ROUNDS: f64 = 16.0;
/// Bytes of an event, of one that names its move in a cell of the game's own, and of a question with its
/// answer.
const EVENT_BYTES: [f64; 2] = [3.5, 5.0];
const LINK_BYTES: f64 = 18.0;
/// Bytes of a process without any positions.
const FIXED: f64 = 40e6;

/// What each process takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Forecast {
    /// Processes.
    pub processes: usize,
    /// Positions of the game, at the most.
    pub positions: u64,
    /// Moves between positions of a tier, and those to other tiers whose values must be asked for.
    pub events: f64,
    /// See above.
    pub links: f64,
    /// The share of both that leads to another process.
    pub crossing: f64,
    /// Seconds of a process alone with as many threads as each of them.
    pub alone: f64,
    /// Seconds of each thread, without waiting for others or for the network.
    pub seconds: f64,
    /// Bytes of memory of each process.
    pub memory: f64,
    /// Bytes that each process sends.
    pub bytes: f64,
}

/// Processes that solve nothing, and tell what it would take.
pub struct Foresight {
    processes: usize,
    found: Mutex<Forecast>,
}

impl Foresight {
    /// For so many processes.
    pub fn new(processes: usize) -> Foresight {
        Foresight { processes, found: Mutex::default() }
    }

    /// What was found.
    pub fn forecast(&self) -> Forecast {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Machines for Foresight {
    /// Not the first one: nobody writes a table.
    fn index(&self) -> usize {
        1
    }

    fn count(&self) -> usize {
        self.processes
    }

    fn solve(
        &self,
        game: Arc<dyn Sharded>,
        job: &Job<'_>,
        _: &Checkpoint,
    ) -> Result<(), SolveError> {
        let forecast = foresee(game, self.processes, job.thread_count())?;
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = forecast;
        Err(SolveError::Elsewhere)
    }
}

/// Fires positions of a slice, after the first pass: what is open will be won or lost, mostly. Returns how
/// long that took.
fn fire(
    game: &dyn Sharded,
    (tier, first): (usize, u64),
    cells: &[u16],
    opened: &Opened,
    events: &mut Vec<Event>,
) -> Duration {
    const LOST: Value = Value::Loss(2);
    let open = opened.moves.iter().map(|&(offset, _)| (first + u64::from(offset), LOST));
    if let Some(own) = game.own_cells() {
        let due: Vec<_> = open.map(|(index, value)| (index, own.settled(value))).collect();
        let since = Instant::now();
        own.fire(tier, &due, 2, events);
        return since.elapsed();
    }
    if !game.has_unmoves() {
        return Duration::ZERO;
    }
    let settled = (first..).zip(cells).filter(|(_, cell)| **cell & SETTLED != 0);
    let settled = settled.map(|(index, cell)| (index, Value::from_code(cell & !SETTLED)));
    let mut fires: Vec<(u64, Value)> = settled.chain(open).collect();
    fires.sort_unstable_by_key(|&(index, _)| index);
    let since = Instant::now();
    game.fire(tier, &fires, events);
    since.elapsed()
}

/// What was seen in slices of a tier, for each index.
#[derive(Default)]
struct Sample {
    seconds: f64,
    events: f64,
    links: f64,
    /// Events and links that lead to another process.
    crossing: [f64; 2],
    /// Positions with moves out of the tier, of which a note is kept.
    exits: f64,
}

/// Adds up what all tiers take.
fn foresee(
    shared: Arc<dyn Sharded>,
    processes: usize,
    threads: usize,
) -> Result<Forecast, SolveError> {
    let (game, workers) = (&*shared, processes * threads);
    let plan = Plan::new(shared.clone(), workers);
    // Bytes.
    let cell = 2.0 * width(game) as f64;
    let mut all = Forecast { processes, ..Forecast::default() };
    let (mut crossing, mut seconds) = ([0.0; 2], 0.0);
    // Tiers that are each solved by a worker alone, and the share of the one that has most to do.
    let (mut apart, mut apart_most) = (0..0, 0.0);
    for (tier, shape) in game.tiers().iter().enumerate() {
        if tier >= apart.end {
            apart = plan.group(tier);
            apart_most = plan.deal(apart.clone()).1;
        }
        let is_apart = apart.contains(&tier);
        let host = |place: Place| {
            let layout = plan.layout(place.tier);
            layout.owner(layout.place(place.index).0) / threads
        };
        let sample = match is_apart {
            true => Sample::take(game, tier, &plan, &|_| 0),
            false => Sample::take(game, tier, &plan, &host),
        }?;
        let size = shape.size as f64;
        let (events, links) = (sample.events * size, sample.links * size);
        // Slices are few, and lead to few shards.
        let crossing_share = if is_apart { None } else { plan.crossing(tier, threads) };
        let [far, asked] = sample.crossing.map(|share| share * size);
        let far = crossing_share.map_or(far, |share| share * events);
        let event = match width(game) {
            1 => EVENT[usize::from(shape.size > CACHED)],
            _ => EVENT[2],
        };
        let alone = (sample.seconds + KEEP) * size + event * events;
        let work = alone + TRAVEL * far + LINK * asked;
        all.alone += alone / threads as f64;
        // The largest share of the shards is what all wait for.
        let share = || {
            let layout = plan.layout(tier);
            let cells = |worker| layout.own(worker).into_iter().map(|shard| layout.cells(shard));
            let most = (0..workers).map(|worker| cells(worker).sum::<usize>()).max();
            (layout.shards() > 1, most.unwrap_or(0) as f64 / size.max(1.0))
        };
        let (in_rounds, most) = if is_apart { (false, apart_most) } else { share() };
        let rounds = if workers > 1 && in_rounds { ROUNDS * ROUND } else { 0.0 };
        seconds += work * most + rounds;
        crossing = [crossing[0] + far, crossing[1] + asked];
        let told = if plan.is_small(tier) { cell * size * (processes - 1) as f64 } else { 0.0 };
        all.bytes += EVENT_BYTES[width(game) - 1] * far + LINK_BYTES * asked + told;
        all.positions += shape.size;
        (all.events, all.links) = (all.events + events, all.links + links);
        let held = game.leads_to(tier).into_iter().map(|to| {
            let size = game.tiers()[to].size as f64;
            if plan.is_small(to) { size * threads as f64 } else { size / processes as f64 }
        });
        let inside = if game.has_unmoves() { 0.0 } else { 24.0 * events };
        // Of a game's own cells no note is kept.
        let note = if game.own_cells().is_some() { 0.0 } else { 9.0 };
        let own = (cell + note * sample.exits) * size + inside;
        let opened = 28.0 * (1 << 18).min(shape.size) as f64 * threads as f64;
        let memory = FIXED + opened + own * most * threads as f64 + cell * held.sum::<f64>();
        all.memory = all.memory.max(memory);
    }
    all.bytes /= processes as f64;
    all.crossing = (crossing[0] + crossing[1]) / (all.events + all.links).max(1.0);
    Ok(Forecast { seconds, ..all })
}

impl Sample {
    fn take(
        game: &dyn Sharded,
        tier: usize,
        plan: &Plan,
        host: &dyn Fn(Place) -> usize,
    ) -> Result<Sample, SolveError> {
        let size = game.tiers()[tier].size;
        let slices = size.div_ceil(SLICE).clamp(1, SLICES);
        let mut sample = Sample::default();
        let (mut looked, mut times) = (0_u64, Vec::new());
        let reads = Cell::new(0.0);
        let known = |end: Place| {
            reads.set(reads.get() + READ[usize::from(game.tiers()[end.tier].size > CACHED)]);
            plan.is_small(end.tier).then_some(Value::OPEN)
        };
        for slice in 0..slices {
            let first = size / slices * slice;
            let range = first..size.min(first + SLICE);
            let length = (range.end - range.start) as usize;
            looked += length as u64;
            let (mut opened, mut events) = (Opened::default(), vec![]);
            let mut cells = vec![0; length * width(game)];
            let since = Instant::now();
            if !game.has_unmoves() {
                game.settle(tier, range.clone(), &mut cells);
            }
            game.open(tier, range, &mut cells, &known, &mut opened)?;
            let mut seconds = since.elapsed();
            seconds += fire(game, (tier, first), &cells, &opened, &mut events);
            times.push(seconds.as_secs_f64() / length.max(1) as f64);
            let own = |index: u64| host(Place { tier, index });
            // The events of a slice go to few places, as those to it come from few.
            let far = events.iter().filter(|event| own(event.target) != own(first)).count();
            let inside = opened.links.iter().filter(|link| link.end.tier == tier);
            let asked = opened.links.iter().filter(|link| host(link.end) != own(link.source));
            let inside = inside.count();
            let leaves = !game.leads_to(tier).is_empty();
            sample.exits += if leaves { opened.moves.len() as f64 } else { 0.0 };
            sample.events += (events.len() + inside) as f64;
            sample.links += (opened.links.len() - inside) as f64;
            sample.crossing[0] += far as f64;
            sample.crossing[1] += asked.count() as f64;
        }
        // Slices during which the system did something else do not count.
        times.sort_unstable_by(f64::total_cmp);
        times.truncate(times.len().div_ceil(4) * 3);
        let looked = looked.max(1) as f64;
        Ok(Sample {
            seconds: times.iter().sum::<f64>() / times.len().max(1) as f64 + reads.get() / looked,
            events: sample.events / looked,
            links: sample.links / looked,
            crossing: sample.crossing.map(|count| count / looked),
            exits: sample.exits / looked,
        })
    }
}
