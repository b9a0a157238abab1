//! From bit maps to bytes: a small number for each placement, eight to a row.
//!
//! A row is a word. While maps are added, its byte `d` has binary digit `d` of
//! eight numbers, a bit for each, so that eight placements get their number by
//! one multiplication. In the end rows are transposed as 8x8 matrices of bits:
//! byte `i` becomes the number of placement `i`.

/// Placements in a row.
const ROW: usize = 8;

/// The numbers of some placements, all 0 at first.
#[derive(Debug, Clone, Default)]
pub struct Rows(Vec<u64>);

impl Rows {
    /// Makes room for the placements of a map of `bytes` bytes, and forgets what was added.
    pub fn clear(&mut self, bytes: usize) {
        self.0.clear();
        self.0.resize(bytes, 0);
    }

    /// Gives a number to the placements of a map, whose bits are in rising order; no placement may
    /// be part of two maps.
    pub fn add(&mut self, map: &[u8], number: u8) {
        let digits =
            (0..u8::BITS).filter(|d| number >> d & 1 == 1).fold(0, |sum, d| sum | 1 << (8 * d));
        let (rows, _) = self.0.as_chunks_mut::<8>();
        let (words, _) = map.as_chunks::<8>();
        for (rows, word) in rows.iter_mut().zip(words) {
            if *word == [0; 8] {
                continue;
            }
            for (row, &bits) in rows.iter_mut().zip(word) {
                *row |= u64::from(bits) * digits;
            }
        }
    }

    /// Writes a byte for each placement: its number, with the bits of `flip` exchanged.
    pub fn write(&self, flip: u8, out: &mut [u8]) {
        let flip = u64::from(flip) * (u64::MAX / 255);
        let (out, _) = out.as_chunks_mut::<ROW>();
        for (out, &row) in out.iter_mut().zip(&self.0) {
            *out = (transposed(row) ^ flip).to_le_bytes();
        }
    }
}

/// The transpose of an 8x8 matrix of bits: exchanges the off-diagonal quarters of
/// its 2x2, then of its 4x4 parts, then its own.
#[inline(always)]
fn transposed(mut m: u64) -> u64 {
    for (shift, upper) in
        [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)]
    {
        let differ = (m ^ m >> shift) & upper;
        m ^= differ ^ differ << shift;
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placement_gets_its_number() {
        const CELLS: usize = 256;
        let number = |cell: usize| (cell * cell * 37 + cell / 3) as u8;
        let mut rows = Rows::default();
        for flip in [0, 0xA5] {
            rows.clear(CELLS / 8);
            for n in 0..=255 {
                let mut map = [0; CELLS / 8];
                for cell in (0..CELLS).filter(|&cell| number(cell) == n) {
                    map[cell / 8] |= 1 << (cell % 8);
                }
                rows.add(&map, n);
            }
            let mut out = [0; CELLS];
            rows.write(flip, &mut out);
            assert!((0..CELLS).all(|cell| out[cell] == number(cell) ^ flip));
        }
    }
}
