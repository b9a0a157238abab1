//! Ranks of the k-element subsets of a small set, in colexicographic order.

/// Bits looked up at once while ranking.
const CHUNK: u32 = 11;

/// The number of ways to choose `k` of `n`.
pub fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// All subsets with `k` members of a set with up to 32 members, as bit masks, numbered.
#[derive(Clone, Debug)]
pub struct Subsets {
    masks: Vec<u32>,
    chunks: usize,
    rows: usize,
    /// The rank is a sum of one entry for each chunk of bits: `[chunk][members below][bits]`. An
    /// entry has the chunk's number of members above the rank, so that the sum has it, too.
    entries: Vec<u32>,
}

/// The bits of an entry below the number of members.
const RANK_BITS: u32 = 26;

impl Subsets {
    /// Numbers the subsets with `k` members of a set with `n` members.
    ///
    /// # Panics
    /// If `n` is more than 32 or there are more than 2^24 such subsets: that is a table, not an
    /// index.
    pub fn new(n: u32, k: u32) -> Subsets {
        let count = binomial(n.into(), k.into());
        assert!(n <= 32 && count <= 1 << 24, "{k} of {n} is too many subsets");
        let chunks = n.div_ceil(CHUNK).max(1);
        let rows = k + 1;
        let entries = (0..chunks)
            .flat_map(|chunk| (0..rows).map(move |below| (chunk * CHUNK, below)))
            .flat_map(|(first, below)| {
                (0..1u32 << CHUNK).map(move |bits| entry(first, below, bits, k))
            })
            .collect();
        Subsets { masks: masks(n, k, count), chunks: chunks as usize, rows: rows as usize, entries }
    }

    /// How many subsets there are.
    pub fn count(&self) -> u64 {
        self.masks.len() as u64
    }

    /// The number of members of each.
    pub fn size(&self) -> u32 {
        self.rows as u32 - 1
    }

    /// The number of a subset. A mask of another size gives a meaningless number.
    #[inline]
    pub fn rank(&self, mask: u32) -> u32 {
        let (mut sum, mut rest) = (0u32, mask);
        for chunk in 0..self.chunks {
            let row = chunk * self.rows + (sum >> RANK_BITS) as usize;
            let bits = rest & ((1 << CHUNK) - 1);
            sum += self.entries[row << CHUNK | bits as usize];
            rest >>= CHUNK;
        }
        sum & ((1 << RANK_BITS) - 1)
    }

    /// The subset with this number.
    #[inline]
    pub fn mask(&self, rank: u32) -> u32 {
        self.masks[rank as usize]
    }

    /// All subsets in order.
    pub fn masks(&self) -> &[u32] {
        &self.masks
    }
}

/// What the members in a chunk of bits that starts at `first` add to the rank and to the number of
/// members. Chunks of sets with more than `k` members are never part of a subset: they add nothing.
fn entry(first: u32, below: u32, bits: u32, k: u32) -> u32 {
    let members = bits.count_ones();
    if below + members > k {
        return 0;
    }
    let rank: u64 = (0..CHUNK)
        .filter(|bit| bits >> bit & 1 == 1)
        .zip(below + 1..)
        .map(|(bit, member)| binomial((first + bit).into(), member.into()))
        .sum();
    members << RANK_BITS | rank as u32
}

/// The masks with `k` of `n` bits in rising order, which is the colexicographic one.
fn masks(n: u32, k: u32, count: u64) -> Vec<u32> {
    if k == 0 {
        return vec![0];
    }
    let mut mask = (1u64 << k) - 1;
    let mut masks = Vec::with_capacity(count as usize);
    while mask < 1 << n {
        masks.push(mask as u32);
        let lowest = mask & mask.wrapping_neg();
        let carried = mask + lowest;
        mask = carried | (((mask ^ carried) / lowest) >> 2);
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_number_the_masks() {
        for (n, k) in [(0, 0), (5, 0), (5, 5), (9, 4), (21, 4), (25, 4), (25, 3), (32, 2)] {
            let subsets = Subsets::new(n, k);
            assert_eq!(subsets.count(), binomial(n.into(), k.into()));
            for (rank, &mask) in subsets.masks().iter().enumerate() {
                assert_eq!(mask.count_ones(), k);
                assert_eq!(subsets.rank(mask), rank as u32, "{k} of {n}: {mask:b}");
            }
        }
    }
}
