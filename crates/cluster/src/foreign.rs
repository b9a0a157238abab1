//! Messages from anybody: what is wrong is named or left out, and nothing panics.

use crate::layout::Layout;
use crate::message::{Block, Kind};
use crate::state::{Codes, State};
use kanzen_core::Value;
use kanzen_solve::Moves;

pub(crate) const KINDS: [Kind; 7] =
    [Kind::Take, Kind::TakeMap, Kind::Count, Kind::Link, Kind::Answer, Kind::Codes, Kind::Report];

/// A worker in the midst of a tier with so many cells, with a small and a large one that are done.
pub(crate) fn state(cells: u64, who: u64, phase: u64, mut cell: impl FnMut() -> u16) -> State {
    let workers = 1 + (who % 3) as usize;
    let worker = (who / 3) as usize % workers;
    let mut state = State::new(worker, workers);
    let layout = Layout::new(cells, workers);
    state.begin(2, layout);
    state.told = vec![(2, layout)];
    *state.whole_of(0) = vec![7; 50_000];
    let shards = layout.own(worker).map(|shard| vec![7; layout.cells(shard)]).collect();
    state.solved.insert(1, Codes { layout, shards });
    for local in 0..state.shards.len() {
        state.shards[local].iter_mut().for_each(|place| *place = cell());
        let moves = vec![Moves::default(); state.shards[local].len()];
        state.opened.insert(local, (0, moves));
    }
    match phase % 3 {
        // A tier that is opened, one in a round, one that is done.
        0 => {}
        1 => drop(state.begin_round(3, [Value::Win(4), Value::Loss(4)])),
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
    drop(state.begin_round(4, [Value::Win(5), Value::Loss(5)]));
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
