//! A worker: one thread with its shards, which solves a tier together with all others.
//!
//! Everything that is sent at a time of the dataflow has arrived and was answered when the probe has
//! passed that time: that is the barrier between rounds. Within a round, a worker goes on only if the
//! slowest is not far behind, so that what is on its way stays bounded.

use crate::layout::Layout;
use crate::message::{Block, Kind, Outbox, block};
use crate::news::Line;
use crate::plan::{Plan, SMALL};
use crate::report::{Report, Sum};
use crate::state::{AGAIN, Codes, Edges, PIECE, State, width};
use crate::store::{Point, Store};
use kanzen_core::Value;
use kanzen_index::Place;
use kanzen_solve::{
    Event, HOLE, MAX_COUNT, MAX_PLIES, Moves, Opened, OwnCell, OwnCells, Progress, SETTLED,
    Sharded, SolveError,
};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// Positions that are looked at or fire together.
const CHUNK: usize = 2048;
/// Chunks, after which a worker looks at what has come.
const STRIDE: u64 = 64;
/// Bytes that a worker may have sent since the time that the slowest has reached.
const AHEAD: u64 = 8 << 20;
/// Cells of shards that are opened together.
const SLICE: usize = 1 << 18;
/// Times of the dataflow in a phase.
const PHASE: u64 = 1 << 32;
/// The number of the first round of draws.
const DRAWS: u16 = 0x4000;
/// The least time between two rounds that are written down; longer ones all are, unless that takes
/// a sixteenth of the time.
const INTERVAL: Duration = Duration::from_secs(2);
/// How long a worker sleeps if there is nothing to do.
const NAP: Duration = Duration::from_millis(2);

type Builder = CapacityContainerBuilder<Vec<Block>>;

/// What fires together, in cells of either kind, and its events.
#[derive(Default)]
struct Buffers {
    settled: Vec<(u64, Value)>,
    due: Vec<(u64, OwnCell)>,
    events: Vec<Event>,
}

/// A worker on its way.
pub(crate) struct Hand<'a> {
    worker: &'a mut Worker,
    game: &'a dyn Sharded,
    plan: &'a Plan,
    line: &'a Line,
    store: &'a Store,
    input: InputHandle<u64, Builder>,
    probe: ProbeHandle<u64>,
    state: Rc<RefCell<State>>,
    outbox: Outbox,
    buffers: Buffers,
    /// The numbers of a cell.
    width: usize,
    time: u64,
    /// Times that others may not have reached, and the bytes that were sent before.
    ahead: VecDeque<(u64, u64)>,
    chunks: u64,
    reports: u64,
    sent: u64,
    bytes: u64,
    fired: u64,
    waited: Duration,
    /// Whether the coming round is written down.
    writes: bool,
    /// Whether this worker solves a tier alone, without a word to the others.
    alone: bool,
    /// Why the first worker cannot go on.
    problem: Option<String>,
    /// When a round was written last, and how long that took.
    written: Instant,
    cost: Duration,
}

impl<'a> Hand<'a> {
    pub(crate) fn new(
        worker: &'a mut Worker,
        game: &'a Arc<dyn Sharded>,
        plan: &'a Plan,
        line: &'a Line,
        store: &'a Store,
    ) -> Hand<'a> {
        let state = State::new(game.clone(), worker.index(), worker.peers());
        let game = &**game;
        let state = Rc::new(RefCell::new(state));
        let mut input = InputHandle::new();
        let probe = ProbeHandle::new();
        let (asked, answered) = (state.clone(), state.clone());
        let to = || Exchange::new(|block: &Block| u64::from(block.to));
        worker.dataflow(|scope| {
            scope
                .input_from(&mut input)
                .unary(to(), "receive", move |_, _| {
                    move |input, output| {
                        input.for_each_time(|time, blocks| {
                            let mut state = asked.borrow_mut();
                            blocks.flatten().for_each(|block| state.receive(block));
                            state.answers.flush();
                            let mut session = output.session(&time);
                            let answers = std::mem::take(&mut state.answers.ready);
                            state.answered += answers.len() as u64;
                            answers.into_iter().for_each(|block| session.give(block));
                        });
                    }
                })
                .unary::<Builder, _, _, _>(to(), "answer", move |_, _| {
                    move |input, _| {
                        input.for_each_time(|_, blocks| {
                            let mut state = answered.borrow_mut();
                            blocks.flatten().for_each(|block| state.receive(block));
                        });
                    }
                })
                .probe_with(&probe);
        });
        let outbox = Outbox::new(vec![(0, Layout::new(0, worker.peers()))]);
        Hand {
            worker,
            game,
            plan,
            line,
            store,
            input,
            probe,
            state,
            outbox,
            buffers: Buffers::default(),
            width: width(game),
            time: 0,
            ahead: VecDeque::new(),
            chunks: 0,
            reports: 0,
            sent: 0,
            bytes: 0,
            fired: 0,
            waited: Duration::ZERO,
            writes: false,
            alone: false,
            problem: None,
            written: Instant::now(),
            cost: Duration::ZERO,
        }
    }

    /// Whether this is the first worker of all, which speaks for them.
    fn is_first(&self) -> bool {
        self.worker.index() == 0
    }

    fn size(&self, tier: usize) -> u64 {
        self.game.tiers()[tier].size
    }

    fn own_cells(&self) -> Option<&'a dyn OwnCells> {
        self.game.own_cells()
    }

    fn outbox(&self, layouts: Vec<(usize, Layout)>) -> Outbox {
        Outbox::new(layouts).counting(self.width > 1)
    }

    fn layout(&self, tier: usize) -> Layout {
        self.plan.layout(tier)
    }

    /// Solves all tiers that are not done yet.
    pub(crate) fn run(mut self) -> Result<(), SolveError> {
        let (mut tier, mut point) = self.store.begin()?;
        while tier < self.game.tiers().len() {
            let group = self.plan.group(tier);
            if group.is_empty() {
                self.fetch(tier..tier + 1)?;
                self.tier(tier, point.take())?;
                tier += 1;
            } else {
                tier = group.end;
                self.fetch(group.clone())?;
                self.apart(group)?;
            }
        }
        self.agree_kept()
    }

    /// Solves tiers that do not lead to one another, each by a worker alone.
    fn apart(&mut self, tiers: Range<usize>) -> Result<(), SolveError> {
        let (group, _) = self.plan.deal(tiers.clone());
        self.ready(group.clone())?;
        if self.is_first() {
            let size = tiers.clone().map(|tier| self.size(tier)).sum::<u64>();
            let names = [tiers.start, tiers.end - 1].map(|tier| &self.game.tiers()[tier].name);
            let name = match names {
                [first, last] if first != last => format!("{first} to {last}"),
                [name, _] => name.clone(),
            };
            self.line.begin(&name, 2 * size);
        }
        self.alone = true;
        let mut solved = Vec::new();
        for (tier, layout) in group {
            if layout.owner(0) == self.worker.index() {
                self.outbox = self.outbox(vec![(tier, layout.clone())]);
                self.state.borrow_mut().begin(tier, layout.clone());
                self.settle(tier, &layout, None)?;
                let shards = self.close(tier, &layout);
                solved.push((tier, layout, shards));
            }
        }
        self.alone = false;
        self.tell_all(tiers, solved)?;
        if self.is_first() {
            self.line.end();
        }
        Ok(())
    }

    /// Sees that all workers are ready for the same tiers. Nobody sends to one that is not, or goes on if
    /// the last tier could not be kept.
    fn ready(&mut self, group: Vec<(usize, Layout)>) -> Result<(), SolveError> {
        self.state.borrow_mut().told = group;
        self.writes = false;
        let problem = self.problem.take();
        if self.agree(Report { problem, ..Report::default() })?.stop {
            self.kept()?;
            return Err(SolveError::Cancelled);
        }
        Ok(())
    }

    /// Sees that the tiers that are done are on the disk before anybody reads or writes there.
    fn agree_kept(&mut self) -> Result<(), SolveError> {
        let problem = self.kept().err().map(|error| error.to_string());
        self.agree(Report { problem, ..Report::default() })?;
        Ok(())
    }

    /// Waits until the tiers that are done are on the disk.
    fn kept(&mut self) -> Result<(), SolveError> {
        let problem = self.problem.take();
        let kept = if self.is_first() { self.store.kept() } else { Ok(()) };
        kept.and(problem.map_or(Ok(()), |problem| Err(SolveError::Engine(problem))))
    }

    /// Sees that the own shards of the tiers that some tiers lead to are at hand, and no others.
    fn fetch(&mut self, tiers: Range<usize>) -> Result<(), SolveError> {
        let tier = tiers.start;
        let needed: BTreeSet<usize> = tiers.flat_map(|tier| self.game.leads_to(tier)).collect();
        let at_hand = |done: &usize| {
            let state = self.state.borrow();
            let whole = state.whole.get(*done).is_some_and(|codes| !codes.is_empty());
            whole || state.solved.contains_key(done)
        };
        if !needed.iter().all(at_hand) {
            // What is read from the disk must be there: all workers come here, or none.
            self.agree_kept()?;
        }
        let cells: u64 =
            (0..tier).filter(|&done| self.plan.is_small(done)).map(|done| self.size(done)).sum();
        let keep = |done: usize| self.plan.is_small(done) && cells <= SMALL;
        let state = &mut *self.state.borrow_mut();
        state.solved.retain(|done, _| needed.contains(done));
        let gone = |done: &usize| !needed.contains(done) && !keep(*done);
        (0..state.whole.len()).filter(gone).for_each(|done| state.whole[done] = Vec::new());
        for done in needed {
            let size = self.size(done) * self.width as u64;
            if self.plan.is_small(done) {
                let codes = state.whole_of(done);
                if codes.is_empty() {
                    self.store.scan_done(done, size, |some| codes.extend(some))?;
                }
                continue;
            }
            if state.solved.contains_key(&done) {
                continue;
            }
            let (layout, worker) = (self.layout(done), self.worker.index());
            let width = self.width as u64;
            let mut shards: Vec<Vec<u16>> = Vec::new();
            let mut at = 0;
            self.store.scan_done(done, size, |codes| {
                for &code in codes {
                    let (shard, offset) = layout.place(at / width);
                    if layout.local(shard, worker).is_some() {
                        if offset == 0 && at % width == 0 {
                            shards.push(Vec::with_capacity(layout.cells(shard) * width as usize));
                        }
                        shards.last_mut().into_iter().for_each(|shard| shard.push(code));
                    }
                    at += 1;
                }
            })?;
            state.solved.insert(done, Codes { layout, shards });
        }
        Ok(())
    }

    /// Solves a tier.
    fn tier(&mut self, tier: usize, point: Option<Point>) -> Result<(), SolveError> {
        let shape = &self.game.tiers()[tier];
        let layout = self.layout(tier);
        let mut layouts = vec![(tier, layout.clone())];
        layouts.extend(self.game.leads_to(tier).into_iter().map(|tier| (tier, self.layout(tier))));
        self.outbox = self.outbox(layouts);
        self.state.borrow_mut().begin(tier, layout.clone());
        self.ready(vec![(tier, layout.clone())])?;
        if self.is_first() {
            self.line.begin(&shape.name, 2 * shape.size);
        }
        self.settle(tier, &layout, point)?;
        self.finish(tier, layout)?;
        if self.is_first() {
            self.line.end();
        }
        Ok(())
    }

    /// Finds the values of a tier, in the own shards.
    fn settle(
        &mut self,
        tier: usize,
        layout: &Layout,
        point: Option<Point>,
    ) -> Result<(), SolveError> {
        let drawn = self.open_all(tier, layout)?;
        let mut round = 0;
        if let Some(point) = point {
            round = point.round;
            let mut state = self.state.borrow_mut();
            state.shards.iter_mut().for_each(|cells| cells.fill(0));
            self.store.read_rounds(tier, &point, |shard, first, cells| {
                if let Some(local) = layout.local(shard, self.worker.index()) {
                    let own = &mut state.shards[local];
                    if let Some(own) = own.get_mut(first..first + cells.len()) {
                        own.copy_from_slice(cells);
                    }
                }
            })?;
        }
        let mut scan = true;
        while self.round(tier, &mut round, &mut scan, drawn)? {}
        Ok(())
    }

    /// Looks at every own position once. Tells whether there are draws by the rules.
    fn open_all(&mut self, tier: usize, layout: &Layout) -> Result<bool, SolveError> {
        let shards = layout.own(self.worker.index());
        if !self.game.has_unmoves() {
            for (local, &shard) in shards.iter().enumerate() {
                let mut state = self.state.borrow_mut();
                self.game.settle(tier, layout.range(shard), &mut state.shards[local]);
            }
            self.agree(Report::default())?;
        }
        // The same for all workers, which come to the same times.
        let leads_to = self.game.leads_to(tier);
        let asks =
            !self.game.has_unmoves() || leads_to.into_iter().any(|to| !self.plan.is_small(to));
        let mut problem = None;
        let cells: Vec<usize> = shards.iter().map(|&shard| layout.cells(shard)).collect();
        for slice in slices(&cells) {
            for &(local, ref range) in &slice {
                if problem.is_none() {
                    let start = layout.range(shards[local]).start;
                    problem = self.open(tier, start, local, range.clone()).err();
                }
            }
            if asks {
                self.flush();
                self.pass(1)?;
                self.state.borrow_mut().complete_opened();
            }
        }
        let most = self.state.borrow().most;
        if most > MAX_COUNT {
            let unit = self.game.largest_unit() as u32;
            problem = problem.or(Some(SolveError::TooManyMoves {
                tier: self.game.tiers()[tier].name.clone(),
                moves: most / unit,
                limit: MAX_COUNT / unit,
            }));
        }
        if self.game.largest_unit() > usize::from(u8::MAX) {
            let text = "a game with more than 255 symmetries cannot be spread".to_owned();
            problem = problem.or(Some(SolveError::Engine(text)));
        }
        self.barrier()?;
        let drawn = {
            let mut state = self.state.borrow_mut();
            let cells: Vec<usize> = state.shards.iter().map(Vec::len).collect();
            if !self.game.has_unmoves() {
                if !state.edges.iter().all(Edges::fits) {
                    let text = "a shard has more than 2^32 moves".to_owned();
                    problem = problem.or(Some(SolveError::Engine(text)));
                } else {
                    state.edges.iter_mut().zip(cells).for_each(|(edges, cells)| edges.sort(cells));
                }
            }
            let draw = SETTLED | Value::Draw(0).code();
            let drawn = state.shards.iter().any(|cells| cells.contains(&draw));
            drawn || state.schedule.has_draws()
        };
        let problem = problem.map(|problem| problem.to_string());
        let sum = self.agree(Report { drawn, problem, ..Report::default() })?;
        if sum.stop { Err(SolveError::Cancelled) } else { Ok(sum.drawn) }
    }

    /// Looks at positions of an own shard, whose first one has this index.
    fn open(
        &mut self,
        tier: usize,
        start: u64,
        local: usize,
        places: Range<usize>,
    ) -> Result<(), SolveError> {
        let mut opened = Opened::default();
        let own = self.own_cells();
        for first in places.clone().step_by(CHUNK) {
            let end = places.end.min(first + CHUNK);
            let indices = start + first as u64..start + end as u64;
            {
                let state = &mut *self.state.borrow_mut();
                let State { worker, shards, whole, solved, .. } = state;
                let known = |end: Place| State::known(own, (whole, solved), *worker, end);
                let cells = &mut shards[local][first * self.width..end * self.width];
                self.game.open(tier, indices, cells, &known, &mut opened)?;
                let found = opened.moves.drain(..);
                if opened.links.is_empty() {
                    found.for_each(|(offset, moves)| {
                        state.complete(local, first as u32 + offset, &moves);
                    });
                } else {
                    // Answers will come.
                    let (_, all) = state.opened.entry(local).or_insert_with(|| {
                        (places.start as u32, vec![Moves::default(); places.len()])
                    });
                    let first = first - places.start;
                    found.for_each(|(offset, moves)| all[first + offset as usize] = moves);
                }
            }
            for link in opened.links.drain(..) {
                self.outbox.link(&link)?;
            }
            if self.is_first() {
                let workers = self.worker.peers() as u64;
                self.line.advance((end - first) as u64 * workers);
            }
            self.send()?;
        }
        Ok(())
    }

    /// Fires what is settled at the distance of a round; false when there is no more to do.
    fn round(
        &mut self,
        tier: usize,
        round: &mut u16,
        scan: &mut bool,
        drawn: bool,
    ) -> Result<bool, SolveError> {
        let drawing = *round >= DRAWS;
        let plies = *round & !DRAWS;
        let limit = self.own_cells().map_or(MAX_PLIES, OwnCells::most_plies);
        if plies >= limit {
            return Err(SolveError::TooManyPlies { limit });
        }
        let settled = match drawing {
            true => [Value::Draw(plies); 2],
            false => [Value::Win(plies), Value::Loss(plies)],
        };
        let values = match drawing {
            true => [Value::Draw(plies + 1); 2],
            false => [Value::Win(plies + 1), Value::Loss(plies + 1)],
        };
        let list = self.state.borrow_mut().begin_round(*round, values, plies + 1);
        let fired = match *scan {
            _ if self.width > 1 => self.fire_own(tier, plies)?,
            true => self.fire_scanned(tier, settled)?,
            false => self.fire_listed(tier, list)?,
        };
        self.fired += fired;
        self.flush();
        self.barrier()?;
        let report = {
            let mut state = self.state.borrow_mut();
            let scheduled = state.scheduled(drawing, plies);
            let (found, hash) = (state.found, state.hash);
            let problem = state.problem.take();
            Report { found, hash, fired, scheduled, problem, ..Report::default() }
        };
        let few = {
            let state = self.state.borrow();
            state.fresh.len() as u64 == state.found
        };
        let next = *round + 1;
        let writes = std::mem::take(&mut self.writes);
        let written = if writes { self.write_round(tier, next) } else { Ok(()) };
        let report = match written {
            Err(error) => Report { problem: Some(error.to_string()), ..report },
            Ok(()) => Report { due: !self.alone && self.is_due(), ..report },
        };
        let sum = self.agree(report)?;
        // Up to 2 plies positions were settled by the first pass: no list has them.
        *scan = plies <= 1 || !few;
        if *scan {
            self.state.borrow_mut().fresh.clear();
        }
        if self.is_first() && !self.alone {
            let what = if drawing { "drawn" } else { "fired" };
            self.line.note(&format!("ply {plies}: {} {what}", sum.fired));
            let workers = writes.then_some(self.worker.peers());
            self.store.round_done(tier, next, workers, (sum.found, sum.hash))?;
        }
        self.writes = sum.due;
        if sum.stop {
            if !writes {
                self.write_all_agree(tier, next, (sum.found, sum.hash))?;
            }
            return Err(SolveError::Cancelled);
        }
        *round = next;
        let more = sum.found > 0 || plies <= 1 || sum.scheduled;
        if !more && !drawing && drawn {
            *round = DRAWS;
            *scan = true;
            return Ok(true);
        }
        Ok(more)
    }

    /// Fires the own positions with these values.
    fn fire_scanned(&mut self, tier: usize, settled: [Value; 2]) -> Result<u64, SolveError> {
        let [one, other] = settled.map(|value| SETTLED | value.code());
        let shards = self.state.borrow().shards.len();
        let (mut list, mut fired): (Vec<u32>, u64) = (Vec::new(), 0);
        for local in 0..shards {
            let count;
            {
                let state = self.state.borrow();
                let cells = &state.shards[local];
                count = find(cells, [one, other], &mut list);
            }
            fired += count as u64;
            self.fire(tier, list[..count].iter().map(|&offset| (local as u32, offset)))?;
        }
        Ok(fired)
    }

    /// Fires the own positions of a list.
    fn fire_listed(&mut self, tier: usize, list: Vec<(u32, u32)>) -> Result<u64, SolveError> {
        let fired = list.len() as u64;
        self.fire(tier, list.into_iter())?;
        Ok(fired)
    }

    /// Fires the positions whose cells are the game's own and are due.
    fn fire_own(&mut self, tier: usize, plies: u16) -> Result<u64, SolveError> {
        let Some(own) = self.own_cells() else { return Ok(0) };
        let shards = self.state.borrow().shards.len();
        let Buffers { settled, mut due, mut events } = std::mem::take(&mut self.buffers);
        let mut fired = 0;
        for local in 0..shards {
            due.clear();
            self.state.borrow_mut().own_due(local, plies, &mut due);
            fired += due.len() as u64;
            for due in due.chunks(CHUNK) {
                own.fire(tier, due, plies, &mut events);
                self.deliver(due.len(), &mut events)?;
            }
        }
        self.buffers = Buffers { settled, due, events };
        Ok(fired)
    }

    /// Applies the events of some positions to own cells, and sends the others.
    fn deliver(&mut self, fired: usize, events: &mut Vec<Event>) -> Result<(), SolveError> {
        self.state.borrow_mut().deliver(events, &mut self.outbox);
        if self.is_first() {
            self.line.advance((fired * self.worker.peers()) as u64);
        }
        self.send()
    }

    fn fire(
        &mut self,
        tier: usize,
        cells: impl Iterator<Item = (u32, u32)>,
    ) -> Result<(), SolveError> {
        let Buffers { mut settled, due, mut events } = std::mem::take(&mut self.buffers);
        let mut cells = cells.peekable();
        while cells.peek().is_some() {
            settled.clear();
            {
                let state = self.state.borrow();
                for (local, offset) in cells.by_ref().take(CHUNK) {
                    let code = state.shards[local as usize][offset as usize] & !SETTLED;
                    let index = state.index(local as usize, offset);
                    settled.push((index, Value::from_code(code)));
                    if !self.game.has_unmoves() {
                        let won = matches!(Value::from_code(code), Value::Win(_));
                        let drawn = matches!(Value::from_code(code), Value::Draw(_));
                        for &source in state.edges[local as usize].sources(offset) {
                            let (source, again) = (source & !AGAIN, source >= AGAIN);
                            let units = match drawn {
                                true => u16::from(self.game.is_lasting(tier, source)),
                                // A move is of no use if it leads to the other side's win, or to
                                // one's own loss.
                                false => u16::from(won != again),
                            };
                            events.push(Event { target: source, units });
                        }
                    }
                }
            }
            if self.game.has_unmoves() {
                self.game.fire(tier, &settled, &mut events);
            }
            self.deliver(settled.len(), &mut events)?;
        }
        self.buffers = Buffers { settled, due, events };
        Ok(())
    }

    /// Sends the blocks that are full, and waits if others are behind and much is on its way to them.
    fn send(&mut self) -> Result<(), SolveError> {
        self.put();
        self.chunks += 1;
        if !self.alone && self.chunks.is_multiple_of(STRIDE) {
            self.time += 1;
            self.input.advance_to(self.time);
            self.worker.step();
            self.ahead.push_back((self.time, self.bytes));
            while let Some(&(time, bytes)) = self.ahead.front()
                && (self.bytes - bytes > AHEAD || !self.probe.less_than(&time))
            {
                self.wait_for(time)?;
                self.ahead.pop_front();
            }
        }
        Ok(())
    }

    fn put(&mut self) {
        let round = self.state.borrow().round.unwrap_or(0);
        for block in self.outbox.ready.drain(..) {
            self.sent += 1;
            if block.to as usize != self.worker.index() {
                self.bytes += block.body.len() as u64;
            }
            self.input.send(Block { round, ..block });
        }
    }

    fn flush(&mut self) {
        self.outbox.flush();
        self.put();
    }

    /// Goes on by some times, and waits until all has arrived that was sent before.
    fn pass(&mut self, times: u64) -> Result<(), SolveError> {
        if self.alone {
            return Ok(());
        }
        self.time += times;
        self.input.advance_to(self.time);
        self.wait_for(self.time)
    }

    /// Waits until all workers have ended the phase, and all has arrived.
    fn barrier(&mut self) -> Result<(), SolveError> {
        let next = (self.time / PHASE + 1) * PHASE;
        self.pass(next - self.time)
    }

    fn wait_for(&mut self, time: u64) -> Result<(), SolveError> {
        if !self.probe.less_than(&time) {
            return Ok(());
        }
        let since = Instant::now();
        while self.probe.less_than(&time) {
            self.worker.step_or_park(Some(NAP));
            self.line.alive()?;
        }
        self.waited += since.elapsed();
        Ok(())
    }

    /// Tells the others what happened, and hears the same from them.
    fn agree(&mut self, report: Report) -> Result<Sum, SolveError> {
        if self.alone {
            return Sum::of(&[report]).map_err(SolveError::Engine);
        }
        let (received, answered) = {
            let state = self.state.borrow();
            (state.received, state.answered)
        };
        let workers = self.worker.peers();
        self.reports += 1;
        let report = Report {
            worker: self.worker.index(),
            number: self.reports,
            sent: self.sent + answered,
            received,
            bytes: self.bytes,
            positions: self.fired,
            waited: self.waited.as_millis() as u64,
            stop: self.line.cancel.load(Relaxed),
            ..report
        };
        let body = serde_json::to_vec(&report).expect("a report is plain data");
        for to in 0..workers {
            self.input.send(block(to, Kind::Report, 0, 0, body.clone()));
        }
        // What was sent at a time goes on its way when the time is past.
        self.time += 1;
        self.input.advance_to(self.time);
        let since = Instant::now();
        // Somebody may have sent the next report already.
        let number = self.reports;
        let here = |report: &Report| report.number == number;
        while self.state.borrow().reports.iter().filter(|report| here(report)).count() < workers {
            self.worker.step_or_park(Some(NAP));
            self.line.alive()?;
        }
        self.waited += since.elapsed();
        let mut all: Vec<Report> =
            self.state.borrow_mut().reports.extract_if(.., |report| here(report)).collect();
        all.sort_by_key(|report| report.worker);
        let sum = Sum::of(&all).map_err(SolveError::Engine);
        if self.is_first() {
            self.line.keep(all);
        }
        sum
    }

    /// Writes a round down before the end, together with all others.
    fn write_all_agree(
        &mut self,
        tier: usize,
        round: u16,
        digest: (u64, u64),
    ) -> Result<(), SolveError> {
        self.agree_kept()?;
        let problem = self.write_round(tier, round).err().map(|error| error.to_string());
        self.agree(Report { problem, ..Report::default() })?;
        if self.is_first() {
            self.store.round_done(tier, round, Some(self.worker.peers()), digest)?;
        }
        Ok(())
    }

    /// Whether the first worker wants the next round to be written down.
    fn is_due(&self) -> bool {
        let interval = INTERVAL.min(self.line.interval).max(16 * self.cost);
        // A tier that is done clears the directory when it is kept.
        self.is_first() && self.written.elapsed() >= interval && self.store.is_kept()
    }

    /// Writes down what has changed in the own shards since the last round that was written.
    fn write_round(&mut self, tier: usize, round: u16) -> Result<(), SolveError> {
        let since = Instant::now();
        let state = &mut *self.state.borrow_mut();
        let worker = self.worker.index();
        let full = self.store.is_full();
        let mut pieces = Vec::new();
        for (local, changed) in state.changed.iter().enumerate() {
            let cells = &state.shards[local];
            let shard = state.own[local];
            for piece in 0..cells.len().div_ceil(1 << PIECE) {
                if full || changed[piece / 64] >> (piece % 64) & 1 == 1 {
                    let first = piece << PIECE;
                    let end = cells.len().min(first + (1 << PIECE));
                    pieces.push((shard, first, &cells[first..end]));
                }
            }
        }
        self.store.write_round(tier, round, (worker, self.worker.peers()), &pieces)?;
        state.changed.iter_mut().for_each(|changed| changed.fill(0));
        (self.written, self.cost) = (Instant::now(), since.elapsed());
        Ok(())
    }

    /// The codes of the own shards of a tier that is done.
    fn close(&mut self, tier: usize, layout: &Layout) -> Vec<Vec<u16>> {
        let mut shards = self.take_shards();
        for (shard, cells) in layout.own(self.worker.index()).into_iter().zip(&mut shards) {
            self.codes(tier, layout.range(shard).start, cells);
        }
        shards
    }

    /// Takes the cells of a tier that is done.
    fn take_shards(&mut self) -> Vec<Vec<u16>> {
        let state = &mut *self.state.borrow_mut();
        state.edges.clear();
        std::mem::take(&mut state.shards)
    }

    /// Makes codes of the cells of a shard that begins at an index.
    fn codes(&self, tier: usize, first: u64, cells: &mut [u16]) {
        if let Some(own) = self.own_cells() {
            return own.close(cells.as_chunks_mut().0);
        }
        for (index, cell) in (first..).zip(cells) {
            *cell = match *cell {
                0 => HOLE,
                cell if cell & SETTLED != 0 => cell & !SETTLED,
                _ => self.game.endless(tier, index).code(),
            };
        }
    }

    /// Keeps the values of the tier, on the disk too.
    fn finish(&mut self, tier: usize, layout: Layout) -> Result<(), SolveError> {
        if self.plan.is_small(tier) {
            let shards = self.close(tier, &layout);
            return self.tell_all(tier..tier + 1, vec![(tier, layout, shards)]);
        }
        self.agree_kept()?;
        let worker = self.worker.index();
        let mut later = tier + 1..self.game.tiers().len();
        let written = if later.any(|later| self.game.leads_to(later).contains(&tier)) {
            let shards = self.close(tier, &layout);
            let written = self.store.write_part(tier, worker, shards.iter().map(Vec::as_slice));
            let codes = Codes { layout: layout.clone(), shards };
            self.state.borrow_mut().solved.insert(tier, codes);
            written
        } else {
            // Nobody needs them any more: they leave the memory as they are written.
            let shards = self.take_shards();
            let codes = layout.own(worker).into_iter().zip(shards).map(|(shard, mut cells)| {
                self.codes(tier, layout.range(shard).start, &mut cells);
                cells
            });
            self.store.write_part(tier, worker, codes)
        };
        let problem = written.err().map(|error| error.to_string());
        self.agree(Report { problem, ..Report::default() })?;
        if self.is_first() {
            let of = |shard: usize| (layout.owner(shard), layout.cells(shard) * self.width);
            let parts = (0..layout.shards()).map(of);
            let joined = self.store.join_parts(tier, self.worker.peers(), parts);
            self.problem = joined.err().map(|error| error.to_string());
        }
        Ok(())
    }

    /// Tells all workers the values of small tiers; the first keeps them on the disk.
    fn tell_all(
        &mut self,
        tiers: Range<usize>,
        solved: Vec<(usize, Layout, Vec<Vec<u16>>)>,
    ) -> Result<(), SolveError> {
        let worker = self.worker.index();
        for (tier, layout, shards) in solved {
            for (shard, codes) in layout.own(worker).into_iter().zip(&shards) {
                let body: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
                let block = |to| block(to, Kind::Codes, tier, shard, body.clone());
                self.outbox.ready.extend((0..self.worker.peers()).map(block));
            }
        }
        self.put();
        self.barrier()?;
        if self.is_first() {
            let state = &mut *self.state.borrow_mut();
            let done = tiers.map(|tier| (tier, state.whole_of(tier).clone())).collect();
            let written = self.store.write_done(done);
            self.problem = written.err().map(|error| error.to_string());
        }
        Ok(())
    }
}

/// Finds the cells that hold one of two words: how many there are, at the beginning of the list. Where they
/// are few, most runs of cells are passed over many at a time.
fn find(cells: &[u16], [one, other]: [u16; 2], list: &mut Vec<u32>) -> usize {
    const RUN: usize = 64;
    list.resize(list.len().max(cells.len()), 0);
    let mut count = 0;
    for (first, run) in (0..).step_by(RUN).zip(cells.chunks(RUN)) {
        let is_any =
            run.iter().fold(0, |any, &cell| any | u16::from((cell == one) | (cell == other)));
        if is_any == 0 {
            continue;
        }
        for (offset, &cell) in (first..).zip(run) {
            // Written in any case, and kept if it counts: the branch would be a gamble.
            list[count] = offset;
            count += usize::from((cell == one) | (cell == other));
        }
    }
    count
}

/// Deals the cells of shards into slices that are opened together: shards, and places there.
fn slices(shards: &[usize]) -> Vec<Vec<(usize, Range<usize>)>> {
    let mut slices = Vec::new();
    let mut slice = Vec::new();
    let mut room = SLICE;
    for (shard, &cells) in shards.iter().enumerate() {
        for first in (0..cells).step_by(SLICE) {
            let end = cells.min(first + SLICE);
            if end - first > room {
                slices.push(std::mem::take(&mut slice));
                room = SLICE;
            }
            room -= end - first;
            slice.push((shard, first..end));
        }
    }
    slices.push(slice);
    slices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_and_dealt_once_each() {
        let mut list = Vec::new();
        for (size, every) in [(0, 1), (1, 1), (64, 3), (1000, 1), (5000, 700), (4097, 4096)] {
            let cells: Vec<u16> = (0..size).map(|at: usize| (at % every) as u16).collect();
            let plain = (0..).zip(&cells).filter(|(_, cell)| [0, 2].contains(*cell));
            let plain: Vec<u32> = plain.map(|(offset, _)| offset).collect();
            let count = find(&cells, [0, 2], &mut list);
            assert_eq!(list[..count], plain);
        }
        let shards = [SLICE / 2, SLICE / 2, 3 * SLICE + 5, 1, 0, SLICE];
        let mut next = vec![0; shards.len()];
        for slice in slices(&shards) {
            assert!(slice.iter().map(|(_, range)| range.len()).sum::<usize>() <= SLICE);
            let mut seen = BTreeSet::new();
            for (shard, range) in slice {
                assert!(seen.insert(shard) && next[shard] == range.start);
                next[shard] = range.end;
            }
        }
        assert_eq!(next, shards);
    }
}
