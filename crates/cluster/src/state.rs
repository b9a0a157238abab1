//! What a worker knows: the cells of its shards, and what came for them.

use crate::layout::Layout;
use crate::message::{Block, Kind, Outbox};
use crate::report::Report;
use kanzen_core::Value;
use kanzen_index::Place;
use kanzen_machine::{Ring, prefetch};
use kanzen_solve::{
    Due, Event, HOLE, MAX_COUNT, Moves, OwnCell, OwnCells, SETTLED, Schedule, Sharded,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Records between asking for a cell's cache line and changing the cell.
const AHEAD: usize = 16;
/// Cells of a piece of a shard that is written down if any of them has changed: 2 to the power of this.
pub(crate) const PIECE: u32 = 12;

/// The codes of a tier's own shards.
pub(crate) struct Codes {
    pub(crate) layout: Layout,
    pub(crate) shards: Vec<Vec<u16>>,
}

/// A worker's own part of the tier that is solved.
pub(crate) struct State {
    game: Arc<dyn Sharded>,
    /// The numbers of a cell: a single one, or two if the game's cells are its own.
    width: usize,
    pub(crate) worker: usize,
    pub(crate) tier: usize,
    pub(crate) layout: Layout,
    pub(crate) shards: Vec<Vec<u16>>,
    /// The own shards of the tier.
    pub(crate) own: Vec<usize>,
    /// The place of each shard of the tier among the own ones, if it is one.
    locals: Vec<Option<u32>>,
    /// A bit for each piece of a shard that has changed since it was written down.
    pub(crate) changed: Vec<Vec<u64>>,
    /// The moves of positions in shards that are being opened and wait for answers, from the place of the
    /// first on.
    pub(crate) opened: BTreeMap<usize, (u32, Vec<Moves>)>,
    /// The most that a cell counted when its position was opened.
    pub(crate) most: u32,
    pub(crate) schedule: Schedule<u64>,
    /// The last round in which moves out of the tier bring something about in cells of the game's own.
    pub(crate) last_exit: u16,
    /// For each own shard, the moves inside the tier that lead there: places, and who moves.
    pub(crate) edges: Vec<Edges>,
    /// All codes of the small tiers that are done, by tier.
    pub(crate) whole: Vec<Vec<u16>>,
    /// The tiers whose values workers tell one another, with their cells.
    pub(crate) told: Vec<(usize, Layout)>,
    /// The larger tiers that are done and may be asked for.
    pub(crate) solved: BTreeMap<usize, Codes>,
    /// The round that is on; none while a tier is opened.
    pub(crate) round: Option<u16>,
    /// Events of the next round, from workers that have begun it.
    early: Vec<Block>,
    /// What a cell is worth whose best move came, and one that has no other left.
    pub(crate) values: [Value; 2],
    /// The plies of both.
    plies: u16,
    /// Whether the round made something known of cells of the game's own.
    pub(crate) more: bool,
    /// Cells that the round has settled, as long as they are few.
    pub(crate) fresh: Vec<(u32, u32)>,
    pub(crate) limit: usize,
    pub(crate) found: u64,
    /// A hash of the cells that the round has settled, in any order.
    pub(crate) hash: u64,
    pub(crate) answers: Outbox,
    pub(crate) reports: Vec<Report>,
    /// Blocks that came, and blocks with answers that went, since the beginning.
    pub(crate) received: u64,
    pub(crate) answered: u64,
    pub(crate) problem: Option<String>,
    /// Places that are due, for a while.
    offsets: Vec<u32>,
}

/// Moves that lead to a shard, marked with [`AGAIN`] if the same side moves again.
#[derive(Default)]
pub(crate) struct Edges {
    found: Vec<(u32, u64)>,
    starts: Vec<u32>,
    sources: Vec<u64>,
}

/// Marks the source of a move after which the same side moves again.
pub(crate) const AGAIN: u64 = 1 << 63;

impl Edges {
    /// Whether numbers of 32 bits are enough for what was found.
    pub(crate) fn fits(&self) -> bool {
        self.found.len() <= u32::MAX as usize
    }

    /// Sorts what was found by where it leads.
    pub(crate) fn sort(&mut self, cells: usize) {
        let mut found = std::mem::take(&mut self.found);
        found.sort_unstable();
        self.starts = vec![0; cells + 1];
        found.iter().for_each(|&(end, _)| self.starts[end as usize + 1] += 1);
        for cell in 0..cells {
            self.starts[cell + 1] += self.starts[cell];
        }
        self.sources = found.into_iter().map(|(_, source)| source).collect();
    }

    /// Who moves to a cell.
    pub(crate) fn sources(&self, cell: u32) -> &[u64] {
        let [first, end] = [cell, cell + 1].map(|cell| self.starts[cell as usize] as usize);
        &self.sources[first..end]
    }
}

impl State {
    /// No tier yet.
    pub(crate) fn new(game: Arc<dyn Sharded>, worker: usize, workers: usize) -> State {
        let layout = Layout::new(0, workers);
        State {
            width: width(&*game),
            game,
            worker,
            tier: 0,
            layout: layout.clone(),
            shards: Vec::new(),
            own: Vec::new(),
            locals: Vec::new(),
            changed: Vec::new(),
            opened: BTreeMap::new(),
            most: 0,
            schedule: Schedule::default(),
            last_exit: 0,
            edges: Vec::new(),
            whole: Vec::new(),
            told: Vec::new(),
            solved: BTreeMap::new(),
            round: None,
            early: Vec::new(),
            values: [Value::OPEN; 2],
            plies: 0,
            more: false,
            fresh: Vec::new(),
            limit: 0,
            found: 0,
            hash: 0,
            answers: Outbox::new(vec![(0, layout)]),
            reports: Vec::new(),
            received: 0,
            answered: 0,
            problem: None,
            offsets: Vec::new(),
        }
    }

    /// Makes ready for a tier.
    pub(crate) fn begin(&mut self, tier: usize, layout: Layout) {
        (self.tier, self.round) = (tier, None);
        self.own = layout.own(self.worker);
        let cells = |&shard: &usize| vec![0; layout.cells(shard) * self.width];
        self.shards = self.own.iter().map(cells).collect();
        let local = |shard| layout.local(shard, self.worker).map(|local| local as u32);
        self.locals = (0..layout.shards()).map(local).collect();
        let pieces = |cells: &Vec<u16>| vec![u64::MAX; (cells.len() >> PIECE) / 64 + 1];
        self.changed = self.shards.iter().map(pieces).collect();
        self.edges = self.shards.iter().map(|_| Edges::default()).collect();
        (self.schedule, self.last_exit, self.most) = (Schedule::default(), 0, 0);
        self.answers = Outbox::new(vec![(tier, layout.clone())]);
        self.limit = self.shards.iter().map(Vec::len).sum::<usize>() / 512 + 1024;
        self.layout = layout;
    }

    /// Begins a round, which settles cells with these values, of so many plies. Returns what the last one
    /// has settled.
    pub(crate) fn begin_round(
        &mut self,
        round: u16,
        values: [Value; 2],
        plies: u16,
    ) -> Vec<(u32, u32)> {
        (self.round, self.values, self.plies) = (Some(round), values, plies);
        (self.found, self.hash, self.more) = (0, 0, false);
        let fresh = std::mem::take(&mut self.fresh);
        for block in std::mem::take(&mut self.early) {
            if block.round == round { self.take_in(&block) } else { self.wrong(&block) }
        }
        fresh
    }

    /// Takes a block in; answers wait in the outbox.
    pub(crate) fn receive(&mut self, block: &mut Block) {
        self.received += u64::from(block.kind != Kind::Report);
        if block.is_of_round() && self.round != Some(block.round) {
            let body = std::mem::take(&mut block.body);
            self.early.push(Block { body, ..*block });
        } else {
            self.take_in(block);
        }
    }

    fn take_in(&mut self, block: &Block) {
        if block.kind == Kind::Report {
            match serde_json::from_slice(&block.body) {
                Ok(report) => self.reports.push(report),
                Err(_) => self.wrong(block),
            }
            return;
        }
        let (tier, shard) = (block.tier as usize, block.shard as usize);
        if block.kind == Kind::Codes {
            return self.told(block);
        }
        let (layout, here) = match self.solved.get(&tier) {
            _ if tier == self.tier => (&self.layout, self.shards.len()),
            Some(codes) if block.kind == Kind::Link => (&codes.layout, codes.shards.len()),
            _ => return self.wrong(block),
        };
        let Some(local) = layout.local(shard, self.worker).filter(|&local| local < here) else {
            return self.wrong(block);
        };
        match block.kind {
            Kind::Take => self.events(local, block.takes().map(|offset| (offset, 0))),
            Kind::TakeMap => self.events(local, block.marked().map(|offset| (offset, 0))),
            Kind::Count => self.events(local, block.counts()),
            Kind::Link => self.asked(local, block),
            Kind::Answer => self.answered(local, block),
            Kind::Codes | Kind::Report => {}
        }
    }

    /// Keeps the values of another's shard of a small tier.
    fn told(&mut self, block: &Block) {
        let tier = block.tier as usize;
        let Some((_, layout)) = self.told.iter().find(|told| told.0 == tier).cloned() else {
            return self.wrong(block);
        };
        let width = self.width;
        let (codes, range) = (self.whole_of(tier), layout.range(block.shard as usize));
        codes.resize(layout.size() as usize * width, HOLE);
        match codes.get_mut(range.start as usize * width..range.end as usize * width) {
            Some(cells) if 2 * cells.len() == block.body.len() => {
                cells.iter_mut().zip(block.codes()).for_each(|(cell, code)| *cell = code);
            }
            _ => self.wrong(block),
        }
    }

    /// The codes of a small tier.
    pub(crate) fn whole_of(&mut self, tier: usize) -> &mut Vec<u16> {
        self.whole.resize(self.whole.len().max(tier + 1), Vec::new());
        &mut self.whole[tier]
    }

    /// The value of a position of a tier that is done, if this worker knows it.
    #[inline]
    pub(crate) fn known(
        own: Option<&dyn OwnCells>,
        (whole, solved): (&[Vec<u16>], &BTreeMap<usize, Codes>),
        worker: usize,
        end: Place,
    ) -> Option<Value> {
        if let Some(codes) = whole.get(end.tier).filter(|codes| !codes.is_empty()) {
            return value_at(own, codes, end.index);
        }
        let codes = solved.get(&end.tier)?;
        let (shard, offset) = codes.layout.place(end.index);
        value_at(own, codes.shards.get(codes.layout.local(shard, worker)?)?, offset.into())
    }

    fn wrong(&mut self, block: &Block) {
        self.problem = Some(format!(
            "a message of kind {:?} for shard {} of tier {} is wrong",
            block.kind, block.shard, block.tier
        ));
    }

    /// Applies events to a shard.
    #[inline]
    fn events(&mut self, local: usize, events: impl Iterator<Item = (u32, u16)>) {
        let mut waiting: Ring<(u32, u16), AHEAD> = Ring::new((0, 0));
        for event in events {
            prefetch(&self.shards[local], event.0 as usize * self.width);
            if let Some(event) = waiting.push(event) {
                self.event(local, event);
            }
        }
        waiting.drain().for_each(|event| self.event(local, event));
    }

    #[inline]
    pub(crate) fn event(&mut self, local: usize, (offset, units): (u32, u16)) {
        if self.width > 1 {
            return self.own_event(local, (offset, units));
        }
        let Some(cell) = self.shards[local].get_mut(offset as usize) else {
            self.problem = Some(format!("a message names cell {offset} of a shard without it"));
            return;
        };
        if *cell & SETTLED != 0 {
            return;
        }
        if units != 0 && *cell > units {
            *cell -= units;
            return self.change(local, offset);
        }
        let value = self.values[usize::from(units != 0)];
        *cell = SETTLED | value.code();
        self.change(local, offset);
        self.found += 1;
        if self.fresh.len() <= self.limit {
            self.fresh.push((local as u32, offset));
        }
        let index = self.index(local, offset);
        self.hash = self.hash.wrapping_add(mix(index, value.code()));
    }

    /// Applies an event to a cell of the game's own.
    fn own_event(&mut self, local: usize, (offset, units): (u32, u16)) {
        let Some(own) = self.game.own_cells() else { return };
        let cells = self.shards[local].as_chunks_mut().0;
        let Some(cell) = cells.get_mut(offset as usize) else {
            self.problem = Some(format!("a message names cell {offset} of a shard without it"));
            return;
        };
        self.more |= own.take(cell, units, self.plies);
        self.change(local, offset);
    }

    /// The cells of a shard of the game's own that fire in a round, with their numbers. Those whose value
    /// is of that round are counted.
    pub(crate) fn own_due(&mut self, local: usize, plies: u16, due: &mut Vec<(u64, OwnCell)>) {
        let Some(own) = self.game.own_cells() else { return };
        self.offsets.clear();
        let first = self.index(local, 0);
        let cells = self.shards[local].as_chunks_mut().0;
        own.due(cells, plies, &mut self.offsets);
        for &offset in &self.offsets {
            let (cell, index) = (cells[offset as usize], first + u64::from(offset));
            let value = own.value(cell);
            if value.plies() == Some(plies) {
                self.found += 1;
                self.hash = self.hash.wrapping_add(mix(index, value.code()));
            }
            due.push((index, cell));
        }
        for place in 0..self.offsets.len() {
            self.change(local, self.offsets[place]);
        }
    }

    #[inline]
    fn change(&mut self, local: usize, offset: u32) {
        let piece = (offset as usize * self.width) >> PIECE;
        self.changed[local][piece / 64] |= 1 << (piece % 64);
    }

    /// The index of a cell of an own shard.
    #[inline]
    pub(crate) fn index(&self, local: usize, offset: u32) -> u64 {
        self.layout.range(self.own[local]).start + u64::from(offset)
    }

    /// Answers links, or keeps those that lead to open positions of the tier.
    fn asked(&mut self, local: usize, block: &Block) {
        let tier = block.tier as usize;
        let inside = tier == self.tier;
        let own = self.game.own_cells();
        for (end, shard, offset, again) in block.links() {
            let shards = if inside { &self.shards } else { &self.solved[&tier].shards };
            let cell = match own {
                None => shards[local].get(end as usize).copied(),
                own => value_at(own, &shards[local], end.into()).map(Value::code),
            };
            let Some(cell) = cell else {
                self.problem = Some(format!("a move leads to cell {end} of a shard without it"));
                return;
            };
            let code = match inside {
                true if cell & SETTLED == 0 => {
                    let source = self.layout.range(shard).start + u64::from(offset);
                    let source = source | if again { AGAIN } else { 0 };
                    self.edges[local].found.push((end, source));
                    continue;
                }
                true => cell & !SETTLED,
                false => cell,
            };
            let value = Value::from_code(code);
            let code = if again { value.flip() } else { value }.code();
            self.answers.answer(shard, offset, code, inside);
        }
    }

    /// Applies events to own cells, and passes on those to others.
    pub(crate) fn deliver(&mut self, events: &mut Vec<Event>, outbox: &mut Outbox) {
        let mut waiting: Ring<(u32, u32, u16), AHEAD> = Ring::new((0, 0, 0));
        for Event { target, units } in events.drain(..) {
            let (shard, offset) = self.layout.place(target);
            let Some(local) = self.locals[shard] else {
                outbox.event(shard, offset, units);
                continue;
            };
            prefetch(&self.shards[local as usize], offset as usize * self.width);
            if let Some((local, offset, units)) = waiting.push((local, offset, units)) {
                self.event(local as usize, (offset, units));
            }
        }
        let rest: Vec<_> = waiting.drain().collect();
        rest.into_iter().for_each(|(local, offset, units)| {
            self.event(local as usize, (offset, units));
        });
    }

    /// Takes over the moves of an open position, all of which are known.
    pub(crate) fn complete(&mut self, local: usize, offset: u32, moves: &Moves) {
        if let Some(own) = self.game.own_cells() {
            own.complete(&mut self.shards[local].as_chunks_mut().0[offset as usize], &moves.exits);
            let plies = moves.exits.best().and_then(Value::plies);
            self.last_exit = self.last_exit.max(plies.unwrap_or(0));
            return;
        }
        let opening = moves.opening();
        self.most = self.most.max(opening.count);
        self.shards[local][offset as usize] = opening.count.clamp(1, MAX_COUNT) as u16;
        self.schedule.add(self.index(local, offset), &opening);
    }

    /// The same for all positions whose answers have come.
    pub(crate) fn complete_opened(&mut self) {
        for (local, (first, moves)) in std::mem::take(&mut self.opened) {
            for (offset, moves) in (first..).zip(&moves).filter(|(_, moves)| moves.is_open()) {
                self.complete(local, offset, moves);
            }
        }
    }

    /// Adds the values of moves to the positions that asked.
    fn answered(&mut self, local: usize, block: &Block) {
        let Some((first, moves)) = self.opened.get_mut(&local) else {
            self.problem = Some("an answer came that nobody asked for".to_owned());
            return;
        };
        for (offset, code, inside) in block.answers() {
            let place = offset.wrapping_sub(*first) as usize;
            if let Some(moves) = moves.get_mut(place) {
                moves.inside = moves.inside.saturating_sub(inside.into());
                moves.exits.add(Value::from_code(code));
            }
        }
    }

    /// Does what the exits of a round bring about. Tells whether those of later ones do more.
    pub(crate) fn scheduled(&mut self, drawing: bool, plies: u16) -> bool {
        if self.width > 1 {
            // The next round does it as it looks for what is due.
            return self.more || plies < self.last_exit;
        }
        let (Due { taken, holds }, more) = self.schedule.take(drawing, plies);
        let events = taken.into_iter().map(|index| (index, 0));
        for (index, units) in events.chain(holds.into_iter().map(|index| (index, 1))) {
            let (shard, offset) = self.layout.place(index);
            if let Some(local) = self.locals[shard] {
                self.event(local as usize, (offset, units));
            }
        }
        more
    }
}

/// The numbers of a cell.
pub(crate) fn width(game: &dyn Sharded) -> usize {
    if game.own_cells().is_some() { 2 } else { 1 }
}

/// The value of a position of a tier that is done, given its cells.
#[inline]
fn value_at(own: Option<&dyn OwnCells>, cells: &[u16], index: u64) -> Option<Value> {
    match own {
        None => cells.get(index as usize).map(|&code| Value::from_code(code)),
        Some(own) => cells.as_chunks().0.get(index as usize).map(|&cell| own.value(cell)),
    }
}

/// A hash of a cell and its value.
#[inline]
fn mix(index: u64, code: u16) -> u64 {
    let mixed = (index ^ u64::from(code) << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
