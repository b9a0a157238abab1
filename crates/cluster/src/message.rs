//! What workers send one another: blocks of packed records for one shard.

use crate::layout::Layout;
use kanzen_solve::{Link, SolveError};
use serde::{Deserialize, Serialize};

/// Bytes of a full block.
const BLOCK: usize = 16 << 10;
/// Bytes that a block of events begins with, so that it need not grow often.
const FIRST: usize = 1 << 10;
/// Marks a link after which the same side moves again.
const AGAIN: u32 = 1 << 31;
/// Marks an answer about a position of the tier that is solved.
const INSIDE: u16 = 1 << 15;

/// What the records of a block are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Cells with a move that is the best there can be.
    Take,
    /// The same, as a bit for each cell of the shard.
    TakeMap,
    /// Cells, and how much of their counts is of no use.
    Count,
    /// Cells whose value somebody asks for.
    Link,
    /// Cells, and the value of a move of theirs.
    Answer,
    /// The values of all cells of a shard of a small tier that is done.
    Codes,
    /// What a worker says at the end of a round.
    Report,
}

/// Records for a shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Block {
    /// The worker that it is for.
    pub(crate) to: u32,
    pub(crate) kind: Kind,
    pub(crate) tier: u32,
    /// The round of events.
    pub(crate) round: u16,
    pub(crate) shard: u32,
    #[serde(with = "serde_bytes")]
    pub(crate) body: Vec<u8>,
}

impl Block {
    /// Whether it is of events, which belong to a round.
    pub(crate) fn is_of_round(&self) -> bool {
        matches!(self.kind, Kind::Take | Kind::TakeMap | Kind::Count)
    }

    /// As a bit map, if it names cells and that is smaller.
    fn mapped(mut self, layout: &Layout) -> Block {
        let map = layout.cells(self.shard as usize).div_ceil(64) * 8;
        if self.kind == Kind::Take && self.body.len() > map {
            let mut bits = vec![0_u8; map];
            self.takes().for_each(|offset| bits[offset as usize / 8] |= 1 << (offset % 8));
            (self.kind, self.body) = (Kind::TakeMap, bits);
        }
        self
    }

    pub(crate) fn takes(&self) -> impl Iterator<Item = u32> + '_ {
        self.body.chunks_exact(4).map(word)
    }

    pub(crate) fn marked(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).step_by(64).zip(self.body.chunks_exact(8)).flat_map(|(first, bytes)| {
            let mut bits = u64::from(word(bytes)) | u64::from(word(&bytes[4..])) << 32;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| first + bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
                bit
            })
        })
    }

    pub(crate) fn counts(&self) -> impl Iterator<Item = (u32, u16)> + '_ {
        self.body.chunks_exact(5).map(|record| (word(record), record[4].into()))
    }

    /// The places that are asked for, and the shards, places and turns of those who ask.
    pub(crate) fn links(&self) -> impl Iterator<Item = (u32, usize, u32, bool)> + '_ {
        self.body.chunks_exact(12).map(|record| {
            let shard = word(&record[4..]);
            (word(record), (shard & !AGAIN) as usize, word(&record[8..]), shard >= AGAIN)
        })
    }

    /// Places, codes of values, and whether these are of the tier that is solved.
    pub(crate) fn answers(&self) -> impl Iterator<Item = (u32, u16, bool)> + '_ {
        self.body.chunks_exact(6).map(|record| {
            let code = u16::from_le_bytes([record[4], record[5]]);
            (word(record), code & !INSIDE, code & INSIDE != 0)
        })
    }

    pub(crate) fn codes(&self) -> impl Iterator<Item = u16> + '_ {
        self.body.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
    }
}

#[inline]
fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Records on their way into blocks: a heap for each kind, tier and shard.
pub(crate) struct Outbox {
    tier: usize,
    /// The layouts of the tiers that records are for.
    layouts: Vec<(usize, Layout)>,
    takes: Vec<Vec<u8>>,
    counts: Vec<Vec<u8>>,
    answers: Vec<Vec<u8>>,
    /// By the place of the tier in `layouts`.
    links: Vec<Vec<Vec<u8>>>,
    /// Whether it does not matter how often a cell is named by [`Kind::Take`].
    maps: bool,
    /// Blocks that are full.
    pub(crate) ready: Vec<Block>,
}

impl Outbox {
    /// For records of a tier and of those that it leads to; itself is the first.
    pub(crate) fn new(layouts: Vec<(usize, Layout)>) -> Outbox {
        let heaps = |layout: &Layout| vec![Vec::new(); layout.shards()];
        let own = layouts.first().map_or(Vec::new(), |(_, layout)| heaps(layout));
        Outbox {
            tier: layouts.first().map_or(0, |&(tier, _)| tier),
            takes: own.clone(),
            counts: own.clone(),
            answers: own,
            links: layouts.iter().map(|(_, layout)| heaps(layout)).collect(),
            layouts,
            maps: true,
            ready: Vec::new(),
        }
    }

    /// Counts each event, also of a game whose cells are its own.
    pub(crate) fn counting(self, counts: bool) -> Outbox {
        Outbox { maps: !counts, ..self }
    }

    /// Tells a cell of a move.
    #[inline]
    pub(crate) fn event(&mut self, shard: usize, offset: u32, units: u16) {
        let (heap, kind) = if units == 0 {
            (&mut self.takes[shard], Kind::Take)
        } else {
            (&mut self.counts[shard], Kind::Count)
        };
        if heap.capacity() == 0 {
            heap.reserve(FIRST);
        }
        heap.extend_from_slice(&offset.to_le_bytes());
        if units != 0 {
            heap.push(units as u8);
        }
        if heap.len() + 5 > BLOCK {
            let body = std::mem::replace(heap, Vec::with_capacity(BLOCK));
            let layout = &self.layouts[0].1;
            let block = packed(layout, self.tier, shard, kind, body);
            self.ready.push(if self.maps { block.mapped(layout) } else { block });
        }
    }

    /// Asks for the value at the end of a move.
    pub(crate) fn link(&mut self, link: &Link) -> Result<(), SolveError> {
        let slot = self.layouts.iter().position(|&(tier, _)| tier == link.end.tier);
        let Some(slot) = slot else {
            return Err(SolveError::Engine(format!(
                "a move leads from tier {} to tier {}, and leads_to() does not name it",
                self.tier, link.end.tier
            )));
        };
        let (tier, ref layout) = self.layouts[slot];
        let (shard, offset) = layout.place(link.end.index);
        let (source, at) = self.layouts[0].1.place(link.source);
        let Some(heap) = self.links[slot].get_mut(shard) else {
            return Err(SolveError::Engine(format!(
                "a move leads to place {} of tier {tier}, and there is none",
                link.end.index
            )));
        };
        let source = source as u32 | if link.again { AGAIN } else { 0 };
        [offset, source, at].iter().for_each(|word| heap.extend_from_slice(&word.to_le_bytes()));
        if heap.len() + 12 > BLOCK {
            let body = std::mem::replace(heap, Vec::with_capacity(BLOCK));
            self.ready.push(packed(layout, tier, shard, Kind::Link, body));
        }
        Ok(())
    }

    /// Answers a link.
    #[inline]
    pub(crate) fn answer(&mut self, shard: usize, offset: u32, code: u16, inside: bool) {
        let Some(heap) = self.answers.get_mut(shard) else { return };
        let code = code | if inside { INSIDE } else { 0 };
        heap.extend_from_slice(&offset.to_le_bytes());
        heap.extend_from_slice(&code.to_le_bytes());
        if heap.len() + 6 > BLOCK {
            let body = std::mem::replace(heap, Vec::with_capacity(BLOCK));
            self.ready.push(packed(&self.layouts[0].1, self.tier, shard, Kind::Answer, body));
        }
    }

    /// Makes blocks of all that waits.
    pub(crate) fn flush(&mut self) {
        let own = &self.layouts[0];
        let kinds = [
            (own, Kind::Take, &mut self.takes),
            (own, Kind::Count, &mut self.counts),
            (own, Kind::Answer, &mut self.answers),
        ];
        let links = self.layouts.iter().zip(&mut self.links);
        let links = links.map(|(layout, heaps)| (layout, Kind::Link, heaps));
        for (&(tier, ref layout), kind, heaps) in kinds.into_iter().chain(links) {
            for (shard, heap) in heaps.iter_mut().enumerate().filter(|(_, heap)| !heap.is_empty()) {
                let body = std::mem::take(heap);
                let block = packed(layout, tier, shard, kind, body);
                self.ready.push(if self.maps { block.mapped(layout) } else { block });
            }
        }
    }
}

/// A block for a worker; its round is known when it is sent.
pub(crate) fn block(to: usize, kind: Kind, tier: usize, shard: usize, body: Vec<u8>) -> Block {
    let (to, tier, shard) = (to as u32, tier as u32, shard as u32);
    Block { to, kind, tier, round: 0, shard, body }
}

/// A block for the owner of a shard.
fn packed(layout: &Layout, tier: usize, shard: usize, kind: Kind, body: Vec<u8>) -> Block {
    block(layout.owner(shard), kind, tier, shard, body)
}
