//! Predecessors for games that give none: the moves that the first pass finds, sorted by their end.
//!
//! Moves are dealt into heaps by the upper bits of their end as they are found, so that sorting a heap
//! stays within the cache and needs no locks.

use rayon::prelude::*;

/// Marks the source of a move after which the same side moves again.
pub const AGAIN: u32 = 1 << 31;
/// Moves of a block of a heap.
const BLOCK: usize = 512;

/// Moves between positions of a tier, in a heap for every 65,536 ends.
pub struct Links(Vec<Vec<Block>>);

/// Some moves of a heap: the lower bits of their ends, and their sources.
struct Block {
    ends: Vec<u16>,
    sources: Vec<u32>,
}

impl Links {
    /// No moves yet in a tier of so many positions.
    pub fn new(size: u32) -> Links {
        Links((0..heaps(size)).map(|_| Vec::new()).collect())
    }

    /// Adds a move from a position, marked with [`AGAIN`] if need be, to another.
    #[inline]
    pub fn push(&mut self, source: u32, end: u32) {
        let heap = &mut self.0[(end >> 16) as usize];
        let full = heap.last().is_none_or(|block| block.ends.len() == BLOCK);
        if full {
            let (ends, sources) = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK));
            heap.push(Block { ends, sources });
        }
        if let Some(block) = heap.last_mut() {
            block.ends.push(end as u16);
            block.sources.push(source);
        }
    }
}

/// The number of heaps for so many positions.
fn heaps(size: u32) -> usize {
    size.div_ceil(1 << 16) as usize
}

/// For each position of a tier, the positions of the tier with a move to it, once for each move.
pub struct Edges(Vec<Sorted>);

/// A heap, sorted.
struct Sorted {
    /// Where the list of each end ends.
    ends: Vec<u32>,
    sources: Vec<u32>,
}

impl Edges {
    /// Sorts the moves of a tier of so many positions, which threads have found, by their ends.
    pub fn new(size: u32, found: impl IntoIterator<Item = Links>) -> Edges {
        let mut heaps: Vec<Vec<Block>> = (0..heaps(size)).map(|_| Vec::new()).collect();
        for links in found {
            heaps.iter_mut().zip(links.0).for_each(|(heap, more)| heap.extend(more));
        }
        Edges(heaps.into_par_iter().with_max_len(1).map(Sorted::new).collect())
    }

    /// The positions with a move to this one, with [`AGAIN`] where the same side moves again.
    #[inline]
    pub fn sources(&self, end: u32) -> &[u32] {
        let heap = &self.0[(end >> 16) as usize];
        let low = usize::from(end as u16);
        let start = if low == 0 { 0 } else { heap.ends[low - 1] };
        &heap.sources[start as usize..heap.ends[low] as usize]
    }
}

impl Sorted {
    fn new(heap: Vec<Block>) -> Sorted {
        let mut places = vec![0_u32; 1 << 16];
        for block in &heap {
            block.ends.iter().for_each(|&end| places[usize::from(end)] += 1);
        }
        let mut sum = 0;
        for place in &mut places {
            sum += std::mem::replace(place, sum);
        }
        let mut sources = vec![0; sum as usize];
        for Block { ends, sources: some } in heap {
            for (end, source) in ends.into_iter().zip(some) {
                let place = &mut places[usize::from(end)];
                sources[*place as usize] = source;
                *place += 1;
            }
        }
        // Filling has moved every start to the end of its list.
        Sorted { ends: places, sources }
    }
}
