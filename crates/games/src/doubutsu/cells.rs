//! A big array of bytes that threads share, in huge pages where the system has them.
//!
//! Eight bytes make an atomic word. All access is to whole words, so that a scan can look at eight
//! cells at once; a single cell is changed by arithmetic on its word.

use memmap2::MmapMut;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An array of bytes, zero at first.
pub struct Cells {
    map: MmapMut,
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

impl Cells {
    /// An array of `len` zeros.
    pub fn new(len: usize) -> io::Result<Cells> {
        let map = MmapMut::map_anon(len.next_multiple_of(8).max(8))?;
        #[cfg(target_os = "linux")]
        {
            // Without huge pages everything works as well, only slower.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Cells { map })
    }

    /// A bit map of `len` zeros.
    pub fn of_bits(len: u32) -> io::Result<Cells> {
        Cells::new(len.div_ceil(8) as usize)
    }

    /// The words of eight cells each, the first cell in the lowest byte; a last word may be partly
    /// outside the array.
    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
        let words = self.map.as_ptr().cast::<AtomicU64>();
        // SAFETY: the map is aligned to a page, its length is a multiple of 8, and its memory is
        // reached through these atomic words only. The map is private to the process and writable.
        unsafe { std::slice::from_raw_parts(words, self.map.len() / 8) }
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

    /// One bit, the cells taken as a bit map.
    #[inline(always)]
    pub fn bit(&self, bit: u32) -> bool {
        self.words()[bit as usize / 64].load(Relaxed) >> (bit % 64) & 1 == 1
    }

    /// Sets one bit, the cells taken as a bit map; says whether this call did it.
    #[inline(always)]
    pub fn set_bit(&self, bit: u32) -> bool {
        let word = &self.words()[bit as usize / 64];
        let mask = 1 << (bit % 64);
        word.load(Relaxed) & mask == 0 && word.fetch_or(mask, Relaxed) & mask == 0
    }

    /// Asks the processor to have a cell ready soon.
    #[inline(always)]
    pub fn prefetch(&self, cell: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch reads nothing, whatever the address.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(self.map.as_ptr().wrapping_add(cell as usize).cast())
            };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = cell;
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
        assert!(cells.set_bit(80));
        assert!(!cells.set_bit(80));
        assert!(cells.bit(80) && !cells.bit(81));
        assert_eq!((8..12).map(|cell| cells.get(cell)).collect::<Vec<_>>(), [0, 3, 1, 0]);
    }
}
