//! The values of all positions in memory: a byte for each, if they are not too many kinds.
//!
//! A byte is the rank of a code in a list of those that occur. Tables carry such a list, so it is
//! known beforehand; a tier with more codes than a byte can tell has two bytes for each. Cells can
//! be changed while others look at them, so that what a table leaves out is put back in place.

use kanzen_core::Value;
use kanzen_solve::HOLE;
use kanzen_table::{Table, TableError};
use rayon::prelude::*;
use std::io;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

/// The codes of all positions, tier by tier.
pub type Codes = Vec<TierCodes>;

/// The codes of a tier's positions.
pub struct TierCodes(Cells);

enum Cells {
    Bytes { ranks: Vec<AtomicU8>, list: Box<List> },
    Words(Vec<AtomicU16>),
}

/// The code of a value that is still to be found from the moves.
pub(crate) const MISSING: u16 = HOLE - 1;

impl TierCodes {
    /// The codes of a table's tier; those it leaves out are anything.
    pub(crate) fn read(table: &Table, tier: usize) -> Result<TierCodes, TableError> {
        let Some(list) = List::new(&table.meta().tiers[tier].codes) else {
            return TierCodes::read_words(table, tier);
        };
        let size = table.meta().tiers[tier].size;
        let mut ranks: Vec<AtomicU8> = (0..size).map(|_| AtomicU8::new(0)).collect();
        let share = table.meta().block_cells as usize;
        table.fill(tier, &mut ranks, share, |codes, ranks| {
            for (rank, &code) in ranks.iter_mut().zip(codes) {
                *rank.get_mut() = list.rank(code).unwrap_or(0);
            }
        })?;
        Ok(TierCodes(Cells::Bytes { ranks, list: Box::new(list) }))
    }

    /// The same with room for any code.
    pub(crate) fn read_words(table: &Table, tier: usize) -> Result<TierCodes, TableError> {
        Ok(table.codes(tier)?.into())
    }

    /// The number of indices.
    pub fn len(&self) -> usize {
        match &self.0 {
            Cells::Bytes { ranks, .. } => ranks.len(),
            Cells::Words(codes) => codes.len(),
        }
    }

    /// Whether the tier has no indices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code at an index, [`HOLE`] where there is no position.
    #[inline(always)]
    pub fn code(&self, index: u64) -> u16 {
        match &self.0 {
            Cells::Bytes { ranks, list } => {
                list.codes[usize::from(ranks[index as usize].load(Relaxed))]
            }
            Cells::Words(codes) => codes[index as usize].load(Relaxed),
        }
    }

    /// The value of the position at an index that stands for one.
    #[inline(always)]
    pub fn value(&self, index: u64) -> Value {
        Value::from_code(self.code(index))
    }

    /// Changes the code at an index; false if there is no room for such a code.
    #[inline]
    pub(crate) fn set(&self, index: u64, code: u16) -> bool {
        match &self.0 {
            Cells::Bytes { ranks, list } => {
                let rank = list.rank(code);
                rank.inspect(|&rank| ranks[index as usize].store(rank, Relaxed)).is_some()
            }
            Cells::Words(codes) => {
                codes[index as usize].store(code, Relaxed);
                true
            }
        }
    }
}

impl From<Vec<u16>> for TierCodes {
    fn from(codes: Vec<u16>) -> TierCodes {
        TierCodes(Cells::Words(codes.into_iter().map(AtomicU16::new).collect()))
    }
}

/// A tier's codes for whoever goes through them once more, in much less room.
pub struct PackedCodes {
    len: usize,
    blocks: Vec<Box<[u8]>>,
}

impl PackedCodes {
    /// Codes that are packed together.
    const BLOCK: usize = 1 << 16;
    /// How hard zstd tries: there is no time to lose.
    const LEVEL: i32 = 1;

    /// Packs a tier's codes on all cores.
    pub fn new(codes: &TierCodes) -> io::Result<PackedCodes> {
        let len = codes.len();
        let pack = |start: usize| {
            let indices = start..len.min(start + PackedCodes::BLOCK);
            let bytes: Vec<u8> =
                indices.flat_map(|index| codes.code(index as u64).to_le_bytes()).collect();
            // A boxed slice gives back what was to spare.
            zstd::bulk::compress(&bytes, PackedCodes::LEVEL).map(Vec::into_boxed_slice)
        };
        let blocks = (0..len).into_par_iter().step_by(PackedCodes::BLOCK).map(pack);
        Ok(PackedCodes { len, blocks: blocks.collect::<io::Result<_>>()? })
    }

    /// The number of indices.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the tier has no indices.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The codes again, block by block in the order of their indices.
    pub fn blocks(&self) -> impl Iterator<Item = io::Result<Vec<u16>>> {
        self.blocks.iter().map(|block| {
            let bytes = zstd::bulk::decompress(block, 2 * PackedCodes::BLOCK)?;
            Ok(bytes.as_chunks::<2>().0.iter().copied().map(u16::from_le_bytes).collect())
        })
    }
}

/// The codes that occur, by rank, and the ranks by code. The last two ranks are for [`MISSING`] and
/// [`HOLE`].
struct List {
    codes: [u16; 256],
    ranks: Vec<u8>,
}

impl List {
    const MISSING: u8 = u8::MAX - 1;
    const HOLE: u8 = u8::MAX;

    /// None if there are too many.
    fn new(known: &[u16]) -> Option<List> {
        if known.len() > usize::from(List::MISSING) {
            return None;
        }
        let mut codes = [HOLE; 256];
        codes[..known.len()].copy_from_slice(known);
        codes[usize::from(List::MISSING)] = MISSING;
        let room = known.iter().max().map_or(0, |&most| usize::from(most) + 1);
        // A code that is not known has the rank of a hole, which is no rank of a code.
        let mut ranks = vec![List::HOLE; room];
        for (rank, &code) in (0..).zip(known) {
            ranks[usize::from(code)] = rank;
        }
        Some(List { codes, ranks })
    }

    #[inline]
    fn rank(&self, code: u16) -> Option<u8> {
        match code {
            HOLE => Some(List::HOLE),
            MISSING => Some(List::MISSING),
            _ => self.ranks.get(usize::from(code)).copied().filter(|&rank| rank != List::HOLE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(known: &[u16], size: usize) -> Option<TierCodes> {
        let ranks = (0..size).map(|_| AtomicU8::new(List::HOLE)).collect();
        List::new(known).map(|list| TierCodes(Cells::Bytes { ranks, list: Box::new(list) }))
    }

    #[test]
    fn bytes_and_words_give_back_what_they_are_given() {
        let known = [348, 0, 7, 2];
        for codes in [bytes(&known, 6).unwrap(), vec![HOLE; 6].into()] {
            let given = [7, MISSING, 348, HOLE, 2, 0];
            assert!((0..).zip(given).all(|(index, code)| codes.set(index, code)));
            assert_eq!([0, 1, 2, 3, 4, 5].map(|index| codes.code(index)), given);
            assert_eq!((codes.len(), codes.value(2)), (6, Value::Win(173)));
        }
    }

    #[test]
    fn packed_codes_are_the_same() {
        let given: Vec<u16> = (0..150_000_u64).map(|index| ((index * index) >> 7) as u16).collect();
        let packed = PackedCodes::new(&given.clone().into()).unwrap();
        let found: Vec<Vec<u16>> = packed.blocks().collect::<io::Result<_>>().unwrap();
        assert_eq!((packed.len(), found.concat()), (given.len(), given));
    }

    #[test]
    fn bytes_have_room_for_what_is_listed() {
        let codes = bytes(&[4, 6], 1).unwrap();
        assert!(!codes.set(0, 5) && !codes.set(0, 1000) && codes.set(0, 6));
        assert_eq!(codes.code(0), 6);
        assert!(bytes(&Vec::from_iter(0..254), 1).is_some());
        assert!(bytes(&Vec::from_iter(0..255), 1).is_none());
    }
}
