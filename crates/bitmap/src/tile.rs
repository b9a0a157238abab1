//! A tile: the 4096 bits of a map whose high slots are the same, and what can
//! be done to all of them at once.
//!
//! Everything here is written for whole tiles in plain words, so that the
//! compiler turns it into the widest vectors of the machine it compiles for
//! (see [`isa`](crate::isa)). Slots 0 to 5 number the bits of a word, slots 6
//! to 11 the words of a tile.

use crate::layout::LOW;

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

/// 4096 bits of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Tile(pub [u64; WORDS]);

impl Tile {
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
            match p {
                6 => self.lift_words::<1, D, U>(down, up),
                7 => self.lift_words::<2, D, U>(down, up),
                8 => self.lift_words::<4, D, U>(down, up),
                9 => self.lift_words::<8, D, U>(down, up),
                10 => self.lift_words::<16, D, U>(down, up),
                _ => self.lift_words::<32, D, U>(down, up),
            }
        }
    }

    #[inline(always)]
    fn lift_words<const STEP: usize, const D: usize, const U: usize>(
        &mut self,
        down: [&Self; D],
        up: [&Self; U],
    ) {
        for base in (0..WORDS).step_by(2 * STEP) {
            for i in base..base + STEP {
                if D > 0 {
                    self.0[i] |= union(&down, i + STEP);
                }
                if U > 0 {
                    self.0[i + STEP] |= union(&up, i);
                }
            }
        }
    }

    /// Adds the bits of `source` whose slots `p < q` differ, with the two
    /// slots exchanged.
    #[inline(always)]
    pub(crate) fn or_exchanged(&mut self, p: u8, q: u8, source: &Self) {
        if q < 6 {
            let shift = (1_u32 << q) - (1 << p);
            let (p1, q1) = (OCCUPIED[usize::from(p)], OCCUPIED[usize::from(q)]);
            for i in 0..WORDS {
                let x = source.0[i];
                self.0[i] |= (x >> shift) & (p1 & !q1) | (x << shift) & (q1 & !p1);
            }
        } else if p < 6 {
            let (shift, p1, step) = (1_u32 << p, OCCUPIED[usize::from(p)], 1 << (q - 6));
            for base in (0..WORDS).step_by(2 * step) {
                for i in base..base + step {
                    self.0[i] |= (source.0[i + step] << shift) & p1;
                    self.0[i + step] |= (source.0[i] & p1) >> shift;
                }
            }
        } else {
            let (p1, q1) = (1 << (p - 6), 1 << (q - 6));
            for i in (0..WORDS).filter(|i| i & p1 == 0 && i & q1 == 0) {
                self.0[i | p1] |= source.0[i | q1];
                self.0[i | q1] |= source.0[i | p1];
            }
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
        } else {
            let mut out = *self;
            for i in 0..WORDS {
                out.0[i] &= !(occupied(p, i) ^ occupied(q, i));
            }
            out.or_exchanged(p, q, self);
            *self = out;
        }
    }

    /// Clears slot `p`: where it is occupied, the bits of `absent` with the slot
    /// empty take the place of the bits of `self`.
    #[inline(always)]
    pub(crate) fn replace_occupied(&mut self, p: u8, absent: &Self) {
        if p < 6 {
            let (shift, p1) = (1_u32 << p, OCCUPIED[usize::from(p)]);
            for i in 0..WORDS {
                self.0[i] = self.0[i] & !p1 | (absent.0[i] << shift) & p1;
            }
        } else {
            let step = 1 << (p - 6);
            for base in (0..WORDS).step_by(2 * step) {
                for i in base..base + step {
                    self.0[i + step] = absent.0[i];
                }
            }
        }
    }

    /// Where slots `p` and `q` are both occupied, copies the bits where both
    /// are empty.
    #[inline(always)]
    pub(crate) fn capture(&mut self, p: u8, q: u8) {
        let mut copy = *self;
        let plain = *self;
        copy.replace_occupied(p, &plain);
        let half = copy;
        copy.replace_occupied(q, &half);
        for i in 0..WORDS {
            let both = occupied(p, i) & occupied(q, i);
            self.0[i] = self.0[i] & !both | copy.0[i] & both;
        }
    }

    /// Sets the bits whose slot `p` is occupied.
    #[inline(always)]
    pub(crate) fn fill_occupied(&mut self, p: u8) {
        for i in 0..WORDS {
            self.0[i] |= occupied(p, i);
        }
    }

    /// Takes the bits with slot `p` occupied to where it is empty, and forgets
    /// the others.
    #[inline(always)]
    pub(crate) fn lowered(&self, p: u8) -> Self {
        let mut out = Self::EMPTY;
        out.lift(p, &[self], &[]);
        out
    }

    /// Adds the number of set bits with `w` occupied slots to entry `w`.
    #[inline(always)]
    pub(crate) fn count_by_weight(&self, factor: u64, counts: &mut [u64; LOW + 1]) {
        for (i, &word) in self.0.iter().enumerate() {
            for (w, mask) in BY_WEIGHT.iter().enumerate() {
                counts[i.count_ones() as usize + w] += factor * u64::from((word & mask).count_ones());
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

/// The bits of a tile's word whose slot `p` is occupied.
#[inline(always)]
fn occupied(p: u8, word: usize) -> u64 {
    if p < 6 {
        OCCUPIED[usize::from(p)]
    } else if word >> (p - 6) & 1 == 1 {
        !0
    } else {
        0
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
        let (tile, other) = (noise(2), noise(3));
        for p in 0..LOW as u8 {
            let bit = 1 << p;
            let mut replaced = tile;
            replaced.replace_occupied(p, &other);
            let expected = Tile::where_index(|i| {
                if has(i, p) { other.bit(i ^ bit) } else { tile.bit(i) }
            });
            assert_eq!(replaced, expected);
            let lowered = Tile::where_index(|i| !has(i, p) && tile.bit(i ^ bit));
            assert_eq!(tile.lowered(p), lowered);
            let mut filled = tile;
            filled.fill_occupied(p);
            assert_eq!(filled, Tile::where_index(|i| has(i, p) || tile.bit(i)));
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
            let expected =
                Tile::where_index(|i| map[..n as usize].iter().any(|t| t.bit(i)));
            assert_eq!(all, expected);
        }
    }
}
