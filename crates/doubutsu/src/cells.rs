//! A big array of bytes that threads share, in huge pages where the system has them.
//!
//! Eight bytes make an atomic word. All access is to whole words, so that a scan can look at eight
//! cells at once; a single cell is changed by arithmetic on its word.

use kanzen_machine::Map;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An array of bytes, zero at first.
pub struct Cells {
    words: Map<AtomicU64>,
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

impl Cells {
    /// An array of `len` zeros.
    pub fn new(len: usize) -> io::Result<Cells> {
        Ok(Cells { words: Map::new(len.div_ceil(8))? })
    }

    /// The words of eight cells each, the first cell in the lowest byte; a last word may be partly
    /// outside the array.
    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
        &self.words
    }

    /// The value of a cell.
    #[inline(always)]
    pub fn get(&self, cell: u32) -> u8 {
        (self.words()[cell as usize / 8].load(Relaxed) >> shift(cell)) as u8
    }

    /// Changes a cell from a value which it is known to have had; says whether this call did it.
    #[inline(always)]
    pub fn exchange(&self, cell: u32, from: u8, to: u8) -> bool {
        let word = &self.words()[cell as usize / 8];
        let change = u64::from(from ^ to) << shift(cell);
        let mut old = word.load(Relaxed);
        loop {
            if (old >> shift(cell)) as u8 != from {
                return false;
            }
            match word.compare_exchange_weak(old, old ^ change, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
    }
}

#[inline(always)]
fn shift(cell: u32) -> u32 {
    cell % 8 * 8
}

/// The highest bit of each byte of `word` that equals `value`.
#[inline(always)]
pub fn equal_bytes(word: u64, value: u8) -> u64 {
    let different = word ^ (LOW * u64::from(value));
    // A byte is zero if neither its highest bit is set nor adding 0x7f to the others sets it.
    !(((different & !HIGH) + !HIGH) | different) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_equal_bytes() {
        assert_eq!(equal_bytes(0x0100_ff01_8001_0201, 1), 0x8000_0080_0080_0080);
        assert_eq!(equal_bytes(0, 0), HIGH);
    }

    #[test]
    fn cells_change_alone() {
        let cells = Cells::new(21).unwrap();
        assert!(cells.exchange(9, 0, 3));
        assert!(!cells.exchange(9, 0, 4));
        assert!(cells.exchange(10, 0, 1));
        assert_eq!((8..12).map(|cell| cells.get(cell)).collect::<Vec<_>>(), [0, 3, 1, 0]);
    }
}
