//! Predecessors for games that give none: a forward pass that sorts the edges by their end.

use kanzen_core::Next;
use kanzen_index::{Indexed, Place};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// For each position of a tier, the positions of the tier with a move to it, once for each move.
pub(crate) struct Edges {
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Edges {
    /// Finds the edges of a tier. Positions for which `skip` holds are settled: they have none.
    pub(crate) fn derive<G: Indexed>(
        game: &G,
        tier: usize,
        skip: impl Fn(u32) -> bool + Sync,
    ) -> Edges {
        let size = game.tiers()[tier].size as u32;
        let each_edge = |visit: &(dyn Fn(u32, u32) + Sync)| {
            (0..size).into_par_iter().filter(|&index| !skip(index)).for_each(|source| {
                let place = Place { tier, index: source.into() };
                let Some(position) = game.position(place) else { return };
                game.successors(&position, |next| {
                    if let Next::Position(child) = next {
                        let end = game.locate(&child);
                        if end.tier == tier {
                            visit(end.index as u32, source);
                        }
                    }
                });
            });
        };
        let mut counts: Vec<AtomicU32> = Vec::new();
        counts.resize_with(size as usize + 1, AtomicU32::default);
        each_edge(&|end, _| {
            counts[end as usize].fetch_add(1, Relaxed);
        });
        let mut total = 0;
        for count in &mut counts {
            total += std::mem::replace(count.get_mut(), total);
        }
        let mut sources: Vec<AtomicU32> = Vec::new();
        sources.resize_with(total as usize, AtomicU32::default);
        each_edge(&|end, source| {
            let place = counts[end as usize].fetch_add(1, Relaxed);
            sources[place as usize].store(source, Relaxed);
        });
        // Filling has moved every start to the start of the next list.
        let mut starts = vec![0];
        starts.extend(counts.into_iter().map(AtomicU32::into_inner));
        Edges { starts, sources: sources.into_iter().map(AtomicU32::into_inner).collect() }
    }

    /// The positions with a move to this one.
    pub(crate) fn sources(&self, end: u32) -> &[u32] {
        let end = end as usize;
        &self.sources[self.starts[end] as usize..self.starts[end + 1] as usize]
    }
}
