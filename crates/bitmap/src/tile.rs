//! A tile: the 4096 bits of a map whose high slots are the same, and what can
//! be done to all of them at once.
//!
//! Everything here is written for whole tiles in plain words, so that the
//! compiler turns it into the widest vectors of the machine it compiles for
//! (see [`Isa`](crate::Isa)). Slots 0 to 5 number the bits of a word, slots 6
//! to 11 the words of a tile.

use crate::layout::LOW;
use kanzen_machine::Plain;

/// The words of a tile.
pub const WORDS: usize = 1 << (LOW - 6);

/// The bits of a word whose slot `s` is occupied.
const OCCUPIED: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// The bits of a word by the number of occupied slots in their index.
const BY_WEIGHT: [u64; 7] = {
    let mut masks = [0; 7];
    let mut bit = 0_u32;
    while bit < 64 {
        masks[bit.count_ones() as usize] |= 1 << bit;
        bit += 1;
    }
    masks
};

/// Runs a statement with the distance of the words that differ in slot `p` as a
/// constant, so that the compiler knows how to shuffle vectors.
macro_rules! with_step {
    ($p:expr, $step:ident => $body:expr) => {
        with_step!(@ $p, $step, $body, 6: 1, 7: 2, 8: 4, 9: 8, 10: 16, 11: 32)
    };
    (@ $p:expr, $step:ident, $body:expr, $($slot:literal: $words:literal),*) => {
        match $p {
            $($slot => {
                const $step: usize = $words;
                $body
            })*
            _ => debug_assert!(false, "slot {} does not number words", $p),
        }
    };
}

/// Runs a statement for each word whose slot is empty, given the distance to the
/// word where it is occupied.
macro_rules! for_pairs {
    ($step:expr, $i:ident => $body:expr) => {
        for base in (0..WORDS).step_by(2 * $step) {
            for $i in base..base + $step {
                $body
            }
        }
    };
}

/// 4096 bits of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Tile(pub [u64; WORDS]);

// SAFETY: it is 64 words and nothing else, and aligned to less than a page.
unsafe impl Plain for Tile {}

impl Tile {
    /// The number of bits.
    pub const BITS: usize = 64 * WORDS;
    /// No bit set.
    pub const EMPTY: Self = Self([0; WORDS]);
    /// Every bit set.
    pub const FULL: Self = Self([!0; WORDS]);

    /// The bit of a low index.
    #[must_use]
    pub fn bit(&self, low: usize) -> bool {
        self.0[low / 64] >> (low % 64) & 1 == 1
    }

    /// Sets the bit of a low index.
    pub fn set(&mut self, low: usize) {
        self.0[low / 64] |= 1 << (low % 64);
    }

    /// The bits whose low index fulfils a condition.
    #[must_use]
    pub fn where_index(condition: impl Fn(usize) -> bool) -> Self {
        let mut tile = Self::EMPTY;
        for low in (0..1 << LOW).filter(|&low| condition(low)) {
            tile.set(low);
        }
        tile
    }

    /// Whether no bit is set.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, w| all | w) == 0
    }

    /// How many bits are set.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether every bit is set.
    #[inline(always)]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.iter().fold(!0, |all, w| all & w) == !0
    }

    #[inline(always)]
    pub(crate) fn or(&mut self, other: &Self) {
        for i in 0..WORDS {
            self.0[i] |= other.0[i];
        }
    }

    #[inline(always)]
    pub(crate) fn and(&mut self, other: &Self) {
        for i in 0..WORDS {
            self.0[i] &= other.0[i];
        }
    }

    /// Adds every source, several at a time so that `self` is seldom loaded.
    #[inline(always)]
    pub(crate) fn or_all(&mut self, map: &[Self], sources: &[u32]) {
        let (eights, rest) = sources.as_chunks::<8>();
        for group in eights {
            self.or_some(group.map(|s| &map[s as usize]));
        }
        let (fours, rest) = rest.as_chunks::<4>();
        for group in fours {
            self.or_some(group.map(|s| &map[s as usize]));
        }
        for &source in rest {
            self.or(&map[source as usize]);
        }
    }

    #[inline(always)]
    fn or_some<const N: usize>(&mut self, sources: [&Self; N]) {
        for i in 0..WORDS {
            self.0[i] |= union(&sources, i);
        }
    }

    /// Adds the union of `down`, taken from where slot `p` is occupied to where
    /// it is empty, and the union of `up`, taken the other way.
    #[inline(always)]
    pub(crate) fn lift(&mut self, p: u8, down: &[&Self], up: &[&Self]) {
        match (down, up) {
            ([], []) => {}
            (&[a], &[]) => self.lift_some(p, [a], []),
            (&[a, b], &[]) => self.lift_some(p, [a, b], []),
            (&[a, b, c], &[]) => self.lift_some(p, [a, b, c], []),
            (&[], &[a]) => self.lift_some(p, [], [a]),
            (&[a], &[b]) => self.lift_some(p, [a], [b]),
            (&[a, b], &[c]) => self.lift_some(p, [a, b], [c]),
            (&[], &[a, b]) => self.lift_some(p, [], [a, b]),
            (&[a], &[b, c]) => self.lift_some(p, [a], [b, c]),
            (&[], &[a, b, c]) => self.lift_some(p, [], [a, b, c]),
            _ => {
                let (mut a, mut b) = (Self::EMPTY, Self::EMPTY);
                down.iter().for_each(|s| a.or(s));
                up.iter().for_each(|s| b.or(s));
                self.lift_some(p, [&a], [&b]);
            }
        }
    }

    #[inline(always)]
    fn lift_some<const D: usize, const U: usize>(
        &mut self,
        p: u8,
        down: [&Self; D],
        up: [&Self; U],
    ) {
        if p < 6 {
            let (shift, occupied) = (1_u32 << p, OCCUPIED[usize::from(p)]);
            for i in 0..WORDS {
                if D > 0 {
                    self.0[i] |= (union(&down, i) & occupied) >> shift;
                }
                if U > 0 {
                    self.0[i] |= (union(&up, i) << shift) & occupied;
                }
            }
        } else {
            with_step!(p, STEP => for_pairs!(STEP, i => {
                if D > 0 {
                    self.0[i] |= union(&down, i + STEP);
                }
                if U > 0 {
                    self.0[i + STEP] |= union(&up, i);
                }
            }));
        }
    }

    /// Adds the bits of `source` whose slots `p < q` differ, with the two
    /// slots exchanged.
    #[inline(always)]
    pub(crate) fn or_exchanged(&mut self, p: u8, q: u8, source: &Self) {
        debug_assert!(p < q);
        if q < 6 {
            let shift = (1_u32 << q) - (1 << p);
            let (p1, q1) = (OCCUPIED[usize::from(p)], OCCUPIED[usize::from(q)]);
            for i in 0..WORDS {
                let x = source.0[i];
                self.0[i] |= (x >> shift) & (p1 & !q1) | (x << shift) & (q1 & !p1);
            }
        } else if p < 6 {
            let (shift, p1) = (1_u32 << p, OCCUPIED[usize::from(p)]);
            with_step!(q, STEP => for_pairs!(STEP, i => {
                self.0[i] |= (source.0[i + STEP] << shift) & p1;
                self.0[i + STEP] |= (source.0[i] & p1) >> shift;
            }));
        } else {
            for_quarters(p, q, |i, p1, q1| {
                self.0[i + p1] |= source.0[i + q1];
                self.0[i + q1] |= source.0[i + p1];
            });
        }
    }

    /// Exchanges slots `p` and `q` in every index.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, p: u8, q: u8) {
        let (p, q) = (p.min(q), p.max(q));
        if q < 6 {
            let shift = (1_u32 << q) - (1 << p);
            let stay = OCCUPIED[usize::from(p)] & !OCCUPIED[usize::from(q)];
            for w in &mut self.0 {
                let change = ((*w >> shift) ^ *w) & stay;
                *w ^= change ^ (change << shift);
            }
        } else if p < 6 {
            let (shift, p1) = (1_u32 << p, OCCUPIED[usize::from(p)]);
            with_step!(q, STEP => for_pairs!(STEP, i => {
                let change = ((self.0[i] >> shift) ^ self.0[i + STEP]) & !p1;
                self.0[i + STEP] ^= change;
                self.0[i] ^= change << shift;
            }));
        } else {
            match (p, q) {
                // The compiler makes vectors of these.
                (6, 7) => for_quarters(6, 7, |i, p1, q1| self.0.swap(i + p1, i + q1)),
                (8, 9) => for_quarters(8, 9, |i, p1, q1| self.0.swap(i + p1, i + q1)),
                (10, 11) => for_quarters(10, 11, |i, p1, q1| self.0.swap(i + p1, i + q1)),
                _ => for_quarters(p, q, |i, p1, q1| self.0.swap(i + p1, i + q1)),
            }
        }
    }

    /// Keeps a bit whose slot `p` is empty if it is set in `empty`, and a bit
    /// whose slot is occupied if `occupied` has it with the slot empty.
    #[inline(always)]
    pub(crate) fn and_joined(&mut self, p: u8, empty: &Self, occupied: &Self) {
        if p < 6 {
            let (shift, p1) = (1_u32 << p, OCCUPIED[usize::from(p)]);
            for i in 0..WORDS {
                self.0[i] &= empty.0[i] & !p1 | (occupied.0[i] << shift) & p1;
            }
        } else {
            with_step!(p, STEP => for_pairs!(STEP, i => {
                self.0[i] &= empty.0[i];
                self.0[i + STEP] &= occupied.0[i];
            }));
        }
    }

    /// Writes the bits of `there`, but where slot `p` is occupied those of
    /// `gone` with the slot empty.
    #[inline(always)]
    pub(crate) fn write_joined(&mut self, p: u8, there: &Self, gone: &Self) {
        if p < 6 {
            let (shift, p1) = (1_u32 << p, OCCUPIED[usize::from(p)]);
            for i in 0..WORDS {
                self.0[i] = there.0[i] & !p1 | (gone.0[i] << shift) & p1;
            }
        } else {
            with_step!(p, STEP => for_pairs!(STEP, i => {
                self.0[i] = there.0[i];
                self.0[i + STEP] = gone.0[i];
            }));
        }
    }

    /// Where slots `p` and `q` are both occupied, copies the bits where both
    /// are empty.
    #[inline(always)]
    pub(crate) fn capture(&mut self, p: u8, q: u8) {
        let (p, q) = (p.min(q), p.max(q));
        if q < 6 {
            let shift = (1_u32 << q) + (1 << p);
            let both = OCCUPIED[usize::from(p)] & OCCUPIED[usize::from(q)];
            for w in &mut self.0 {
                *w = *w & !both | (*w << shift) & both;
            }
        } else if p < 6 {
            let (shift, p1) = (1_u32 << p, OCCUPIED[usize::from(p)]);
            with_step!(q, STEP => for_pairs!(STEP, i => {
                self.0[i + STEP] = self.0[i + STEP] & !p1 | (self.0[i] << shift) & p1;
            }));
        } else {
            for_quarters(p, q, |i, p1, q1| self.0[i + p1 + q1] = self.0[i]);
        }
    }

    /// Keeps the bits of `other`, and those whose slot `p` is occupied.
    #[inline(always)]
    pub(crate) fn and_where_empty(&mut self, p: u8, other: &Self) {
        if p < 6 {
            let p1 = OCCUPIED[usize::from(p)];
            for i in 0..WORDS {
                self.0[i] &= other.0[i] | p1;
            }
        } else {
            with_step!(p, STEP => for_pairs!(STEP, i => self.0[i] &= other.0[i]));
        }
    }

    /// Keeps the bits whose slot `p` is occupied, and of the others those that
    /// `other` has with the slot occupied.
    #[inline(always)]
    pub(crate) fn and_where_empty_if_occupied(&mut self, p: u8, other: &Self) {
        if p < 6 {
            let (shift, p1) = (1_u32 << p, OCCUPIED[usize::from(p)]);
            for i in 0..WORDS {
                self.0[i] &= (other.0[i] & p1) >> shift | p1;
            }
        } else {
            with_step!(p, STEP => for_pairs!(STEP, i => self.0[i] &= other.0[i + STEP]));
        }
    }

    /// Adds the number of set bits with `w` occupied slots to entry `w`.
    #[inline(always)]
    pub(crate) fn count_by_weight(&self, factor: u64, counts: &mut [u64; LOW + 1]) {
        // Words whose numbers have the same weight are added up first.
        let mut by_word = [[0_u32; 7]; 7];
        for (i, &word) in self.0.iter().enumerate() {
            let sums = &mut by_word[i.count_ones() as usize];
            for (sum, mask) in sums.iter_mut().zip(BY_WEIGHT) {
                *sum += (word & mask).count_ones();
            }
        }
        for (high, sums) in by_word.iter().enumerate() {
            for (low, &sum) in sums.iter().enumerate() {
                counts[high + low] += factor * u64::from(sum);
            }
        }
    }

    /// Adds three tiles bit by bit: `self` becomes the low digits of the sums,
    /// the high digits are returned.
    #[inline(always)]
    pub(crate) fn add_digits(&mut self, b: &Self, c: &Self) -> Self {
        let mut carry = Self::EMPTY;
        for i in 0..WORDS {
            let (x, y, z) = (self.0[i], b.0[i], c.0[i]);
            let half = x ^ y;
            self.0[i] = half ^ z;
            carry.0[i] = x & y | half & z;
        }
        carry
    }
}

#[inline(always)]
fn union<const N: usize>(sources: &[&Tile; N], word: usize) -> u64 {
    let mut all = 0;
    for source in sources {
        all |= source.0[word];
    }
    all
}

/// Calls `each` with every word whose slots `p < q`, both numbering words, are
/// empty, and with the distances to the words where one of them is occupied.
#[inline(always)]
fn for_quarters(p: u8, q: u8, mut each: impl FnMut(usize, usize, usize)) {
    let (p1, q1) = (1 << (p - 6), 1 << (q - 6));
    for high in (0..WORDS).step_by(2 * q1) {
        for middle in (high..high + q1).step_by(2 * p1) {
            for i in middle..middle + p1 {
                each(i, p1, q1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits without any order (a multiplicative generator).
    fn noise(seed: u64) -> Tile {
        let mut x = seed;
        Tile(std::array::from_fn(|_| {
            x = x.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            x ^ x >> 29
        }))
    }

    fn has(index: usize, slot: u8) -> bool {
        index >> slot & 1 == 1
    }

    fn exchanged(index: usize, p: u8, q: u8) -> usize {
        if has(index, p) == has(index, q) { index } else { index ^ (1 << p) ^ (1 << q) }
    }

    #[test]
    fn operations_on_pairs_do_what_they_say() {
        let tile = noise(1);
        for p in 0..LOW as u8 {
            for q in p + 1..LOW as u8 {
                let mut swapped = tile;
                swapped.exchange(p, q);
                assert_eq!(swapped, Tile::where_index(|i| tile.bit(exchanged(i, p, q))));
                let mut moved = Tile::EMPTY;
                moved.or_exchanged(p, q, &tile);
                let differs = |i| has(i, p) != has(i, q);
                let expected = Tile::where_index(|i| differs(i) && tile.bit(exchanged(i, p, q)));
                assert_eq!(moved, expected);
                let mut captured = tile;
                captured.capture(p, q);
                let both = (1 << p) | (1 << q);
                let expected =
                    Tile::where_index(|i| tile.bit(if i & both == both { i ^ both } else { i }));
                assert_eq!(captured, expected);
            }
        }
    }

    #[test]
    fn operations_on_slots_do_what_they_say() {
        let (tile, other, third) = (noise(2), noise(3), noise(5));
        for p in 0..LOW as u8 {
            let bit = 1 << p;
            let (mut joined, mut kept) = (Tile::EMPTY, tile);
            joined.write_joined(p, &other, &third);
            let expected =
                Tile::where_index(|i| if has(i, p) { third.bit(i ^ bit) } else { other.bit(i) });
            assert_eq!(joined, expected);
            kept.and_joined(p, &other, &third);
            assert_eq!(kept, Tile::where_index(|i| tile.bit(i) && expected.bit(i)));
            let mut kept = tile;
            kept.and_where_empty(p, &other);
            let expected = Tile::where_index(|i| tile.bit(i) && (has(i, p) || other.bit(i)));
            assert_eq!(kept, expected);
            let mut kept = tile;
            kept.and_where_empty_if_occupied(p, &other);
            let expected = Tile::where_index(|i| tile.bit(i) && (has(i, p) || other.bit(i ^ bit)));
            assert_eq!(kept, expected);
        }
    }

    #[test]
    fn lifts_any_number_of_sources() {
        let tiles: Vec<Tile> = (10..18).map(noise).collect();
        for p in 0..LOW as u8 {
            for down in 0..4 {
                for up in 0..4 {
                    let downs: Vec<&Tile> = tiles[..down].iter().collect();
                    let ups: Vec<&Tile> = tiles[4..4 + up].iter().collect();
                    let mut lifted = Tile::EMPTY;
                    lifted.lift(p, &downs, &ups);
                    let expected = Tile::where_index(|i| {
                        let from = if has(i, p) { &ups } else { &downs };
                        from.iter().any(|t| t.bit(i ^ 1 << p))
                    });
                    assert_eq!(lifted, expected);
                }
            }
        }
    }

    #[test]
    fn counts_by_weight() {
        let tile = noise(4);
        let mut counts = [0; LOW + 1];
        tile.count_by_weight(3, &mut counts);
        for (weight, &count) in counts.iter().enumerate() {
            let bits =
                (0..1_usize << LOW).filter(|&i| i.count_ones() as usize == weight && tile.bit(i));
            assert_eq!(count, 3 * bits.count() as u64);
        }
    }

    #[test]
    fn unites_any_number_of_sources() {
        let map: Vec<Tile> = (20..40).map(noise).collect();
        for n in 0..map.len() as u32 {
            let sources: Vec<u32> = (0..n).collect();
            let mut all = Tile::EMPTY;
            all.or_all(&map, &sources);
            let expected = Tile::where_index(|i| map[..n as usize].iter().any(|t| t.bit(i)));
            assert_eq!(all, expected);
        }
    }
}
