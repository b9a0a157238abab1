//! Messages from anybody: what is wrong is named or left out, and nothing panics.

use crate::layout::Layout;
use crate::message::{Block, Kind};
use crate::state::{Codes, State};
use kanzen_core::Value;
use kanzen_index::{Place, Tier};
use kanzen_solve::{Event, Exits, Moves, Opened, OwnCell, OwnCells, Sharded, SolveError};
use std::ops::Range;
use std::sync::Arc;

pub(crate) const KINDS: [Kind; 7] =
    [Kind::Take, Kind::TakeMap, Kind::Count, Kind::Link, Kind::Answer, Kind::Codes, Kind::Report];

/// A game of which nothing is asked but what its cells are.
struct Unknown {
    own: bool,
}

impl Sharded for Unknown {
    fn tiers(&self) -> &[Tier] {
        &[]
    }

    fn leads_to(&self, _: usize) -> Vec<usize> {
        Vec::new()
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
        _: usize,
        _: Range<u64>,
        _: &mut [u16],
        _: &dyn Fn(Place) -> Option<Value>,
        _: &mut Opened,
    ) -> Result<(), SolveError> {
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
        self.own.then_some(self)
    }
}

/// A cell is a code and a number that events change.
impl OwnCells for Unknown {
    fn complete(&self, _: &mut OwnCell, _: &Exits) {}

    fn take(&self, cell: &mut OwnCell, units: u16, plies: u16) -> bool {
        *cell = [cell[0].wrapping_add(units), plies];
        units > 100
    }

    fn due(&self, cells: &mut [OwnCell], plies: u16, due: &mut Vec<u32>) {
        due.extend((0..).zip(cells).filter(|(_, cell)| cell[1] == plies).map(|(place, _)| place));
    }

    fn fire(&self, _: usize, _: &[(u64, OwnCell)], _: u16, _: &mut Vec<Event>) {}

    fn close(&self, _: &mut [OwnCell]) {}

    fn value(&self, cell: OwnCell) -> Value {
        Value::from_code(cell[0])
    }

    fn settled(&self, value: Value) -> OwnCell {
        [value.code(), 0]
    }

    fn most_plies(&self) -> u16 {
        200
    }
}

/// A worker in the midst of a tier with so many cells, with a small and a large one that are done.
pub(crate) fn state(cells: u64, who: u64, phase: u64, mut cell: impl FnMut() -> u16) -> State {
    let workers = 1 + (who % 3) as usize;
    let worker = (who / 3) as usize % workers;
    let own = phase / 3 % 2 == 1;
    let width = if own { 2 } else { 1 };
    let mut state = State::new(Arc::new(Unknown { own }), worker, workers);
    let layout = Layout::new(cells, workers);
    state.begin(2, layout.clone());
    state.told = vec![(2, layout.clone())];
    *state.whole_of(0) = vec![7; 50_000];
    let cells = |shard| vec![7; layout.cells(shard) * width];
    let shards = layout.own(worker).into_iter().map(cells).collect();
    state.solved.insert(1, Codes { layout, shards });
    for local in 0..state.shards.len() {
        state.shards[local].iter_mut().for_each(|place| *place = cell());
        let moves = vec![Moves::default(); state.shards[local].len() / width];
        state.opened.insert(local, (0, moves));
    }
    match phase % 3 {
        // A tier that is opened, one in a round, one that is done.
        0 => {}
        1 => drop(state.begin_round(3, [Value::Win(4), Value::Loss(4)], 4)),
        _ => {
            state.shards.clear();
            state.edges.clear();
        }
    }
    state
}

/// Gives a worker messages, and goes on with what they have made of it.
pub(crate) fn receive(mut state: State, blocks: impl Iterator<Item = Block>) {
    for mut block in blocks {
        state.receive(&mut block);
    }
    drop(state.begin_round(4, [Value::Win(5), Value::Loss(5)], 5));
    (0..state.shards.len()).for_each(|local| state.own_due(local, 4, &mut Vec::new()));
    state.scheduled(false, 4);
    for moves in state.opened.values().flat_map(|(_, moves)| moves) {
        let _ = moves.opening();
    }
}

/// Bytes for a worker and what it is doing, then messages: kind, tier, round, shard, length, body.
pub fn messages(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let mut next = || bytes.next().map(u64::from);
    let [Some(cells), Some(who), Some(phase)] = [(); 3].map(|()| next()) else { return };
    let state = state(16 * cells, who, phase, || 39);
    let blocks = std::iter::from_fn(|| {
        let kind = KINDS[next()? as usize % KINDS.len()];
        let [tier, round, shard, length] = [next()?, next()?, next()?, next()?];
        let body = (0..8 * length).map_while(|_| next().map(|byte| byte as u8)).collect();
        let (tier, shard) = (tier as u32, shard as u32);
        Some(Block { to: 0, kind, tier, round: round as u16, shard, body })
    });
    receive(state, blocks);
}
