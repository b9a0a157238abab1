//! Predecessors for games that give none: a forward pass that sorts the edges by their end.

use kanzen_core::Next;
use kanzen_index::Indexed;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Marks the source of a move after which the same side moves again.
pub(crate) const AGAIN: u32 = 1 << 31;
/// Positions that a thread takes at a time.
const CHUNK: u32 = 4096;
/// Positions whose edges are counted from the same place.
const GROUP: usize = 1 << 12;

/// For each position of a tier, the positions of the tier with a move to it, once for each move.
///
/// A tier may have more edges than 32 bits count: starts are counted from that of their group.
pub(crate) struct Edges {
    groups: Vec<u64>,
    /// Where the list of each position ends.
    ends: Vec<u32>,
    sources: Vec<u32>,
}

impl Edges {
    /// Finds the edges of a tier. Positions for which `skip` holds are settled: no edge begins or
    /// ends there.
    pub(crate) fn derive<G: Indexed>(
        game: &G,
        tier: usize,
        skip: impl Fn(u32) -> bool + Sync,
    ) -> Edges {
        let size = game.tiers()[tier].size as u32;
        let each_edge = |visit: &(dyn Fn(u32, u32) + Sync)| {
            (0..size.div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
                let indices = chunk * CHUNK..size.min((chunk + 1).saturating_mul(CHUNK));
                let open = indices.filter(|&index| !skip(index)).map(u64::from);
                game.positions(tier, open, |source, position| {
                    let source = source as u32;
                    game.successors(&position, |next| {
                        let again = if matches!(next, Next::Again(_)) { AGAIN } else { 0 };
                        if let Some(end) = next.position().map(|child| game.locate(&child))
                            && end.tier == tier
                            && !skip(end.index as u32)
                        {
                            visit(end.index as u32, source | again);
                        }
                    });
                });
            });
        };
        let mut counts: Vec<AtomicU32> = Vec::new();
        counts.resize_with(size as usize, AtomicU32::default);
        each_edge(&|end, _| {
            counts[end as usize].fetch_add(1, Relaxed);
        });
        let mut groups = Vec::new();
        let mut total = 0;
        for group in counts.chunks_mut(GROUP) {
            groups.push(total);
            let mut sum = 0_u32;
            for count in group {
                sum += std::mem::replace(count.get_mut(), sum);
            }
            total += u64::from(sum);
        }
        let mut sources: Vec<AtomicU32> = Vec::new();
        sources.resize_with(total as usize, AtomicU32::default);
        each_edge(&|end, source| {
            let place = counts[end as usize].fetch_add(1, Relaxed);
            let first = groups[end as usize / GROUP] as usize;
            sources[first + place as usize].store(source, Relaxed);
        });
        // Filling has moved every start to the end of its list.
        let plain = |cells: Vec<AtomicU32>| cells.into_iter().map(AtomicU32::into_inner).collect();
        Edges { groups, ends: plain(counts), sources: plain(sources) }
    }

    /// The positions with a move to this one, with [`AGAIN`] where the game has such moves.
    pub(crate) fn sources(&self, end: u32) -> &[u32] {
        let end = end as usize;
        let group = self.groups[end / GROUP] as usize;
        let start = if end.is_multiple_of(GROUP) { 0 } else { self.ends[end - 1] };
        &self.sources[group + start as usize..group + self.ends[end] as usize]
    }
}
