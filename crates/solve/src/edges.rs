//! Predecessors for games that give none: the moves that the first pass finds, sorted by their end.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Marks the source of a move after which the same side moves again.
pub(crate) const AGAIN: u32 = 1 << 31;
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

/// Moves between positions of a tier, by the position that they are made from.
#[derive(Default)]
pub(crate) struct Links {
    /// Positions, each with its number of moves.
    sources: Vec<(u32, u32)>,
    /// Where the moves lead, with [`AGAIN`] where the game has such moves.
    ends: Vec<u32>,
}

impl Links {
    /// Adds a move of the next position.
    pub(crate) fn push(&mut self, end: u32, again: bool) {
        self.ends.push(if again { end | AGAIN } else { end });
    }

    /// Says that the last moves, so many, are those of a position.
    pub(crate) fn close(&mut self, source: u32, moves: u32) {
        self.sources.push((source, moves));
    }

    /// Calls `each` with the end and the source of every move; marks go over to the source.
    fn each(&self, mark: u32, mut each: impl FnMut(u32, u32)) {
        let mut ends = self.ends.iter();
        for &(source, moves) in &self.sources {
            for &end in ends.by_ref().take(moves as usize) {
                each(end & !mark, source | end & mark);
            }
        }
    }
}

impl Edges {
    /// Sorts the moves of a tier of so many positions by their ends.
    pub(crate) fn new(size: u32, takes_turns: bool, links: Vec<Links>) -> Edges {
        let mark = if takes_turns { 0 } else { AGAIN };
        let mut counts: Vec<AtomicU32> = Vec::new();
        counts.resize_with(size as usize, AtomicU32::default);
        links.par_iter().for_each(|links| {
            links.each(mark, |end, _| {
                counts[end as usize].fetch_add(1, Relaxed);
            });
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
        links.into_par_iter().for_each(|links| {
            links.each(mark, |end, source| {
                let place = counts[end as usize].fetch_add(1, Relaxed);
                let first = groups[end as usize / GROUP] as usize;
                sources[first + place as usize].store(source, Relaxed);
            });
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
