//! Ranks of the k-element subsets of a small set, in colexicographic order.

/// Members looked up at once: a rank is the sum of an entry for each half of the members.
const HALF: u32 = 13;
const ENTRIES: usize = 1 << HALF;
/// The most members.
const MOST: usize = 2 * HALF as usize;

/// The number of ways to choose `k` of `n`.
pub fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// All subsets with `k` members of a set with up to 26 members, as bit masks,
/// numbered. Entries of 16 bits do where there are few subsets, and leave more room in the cache.
///
/// The order is that of the masks: those of the first members come first, and have the same
/// numbers in every larger set. What the members of a mask in the upper half add to its rank
/// depends on how many are below them, and that is what they leave of `k`.
#[derive(Clone, Debug)]
pub struct Subsets<Entry = u32> {
    low: Box<[Entry; ENTRIES]>,
    high: Box<[Entry; ENTRIES]>,
    masks: Vec<u32>,
    size: u32,
}

impl<Entry: Copy + Default + TryFrom<u64> + Into<u32>> Subsets<Entry> {
    /// Numbers the subsets with `k` members of a set with `n` members.
    ///
    /// # Panics
    /// If `n` is more than 26 or there are more subsets than an entry has values.
    pub fn new(n: u32, k: u32) -> Subsets<Entry> {
        let count = binomial(n.into(), k.into());
        let fits = n as usize <= MOST && Entry::try_from(count).is_ok();
        assert!(fits, "{k} of {n} is too many subsets");
        let ways: [[u64; MOST]; MOST + 1] =
            std::array::from_fn(|k| std::array::from_fn(|n| binomial(n as u64, k as u64)));
        let entry = |first: usize, bits: usize| {
            // More than `k` members are never part of a subset.
            let below = k.checked_sub(bits.count_ones())?;
            let below = if first == 0 { 0 } else { below as usize };
            let members = (first..first + HALF as usize).filter(|at| bits << first >> at & 1 == 1);
            let ranks = members.zip(below + 1..).map(|(at, member)| Some(ways.get(member)?[at]));
            Entry::try_from(ranks.sum::<Option<u64>>()?).ok()
        };
        let half = |first| -> Box<[Entry; ENTRIES]> {
            let entries = (0..ENTRIES).map(|bits| entry(first, bits).unwrap_or_default());
            entries.collect::<Vec<_>>().try_into().ok().expect("there are so many")
        };
        Subsets { low: half(0), high: half(HALF as usize), masks: masks(n, k, count), size: k }
    }

    /// How many subsets there are.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.masks.len() as u32
    }

    /// The number of members of each.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The number of a subset. A mask of another size gives a meaningless number.
    #[inline(always)]
    pub fn rank(&self, mask: u32) -> u32 {
        let (low, high) = (mask as usize % ENTRIES, (mask >> HALF) as usize % ENTRIES);
        self.low[low].into() + self.high[high].into()
    }

    /// The subset with this number.
    #[inline(always)]
    pub fn mask(&self, rank: u32) -> u32 {
        self.masks[rank as usize]
    }

    /// All subsets in order.
    pub fn masks(&self) -> &[u32] {
        &self.masks
    }
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
        for (n, k) in [(0, 0), (5, 0), (5, 5), (9, 4), (19, 5), (21, 7), (25, 4), (26, 1)] {
            let subsets: Subsets = Subsets::new(n, k);
            assert_eq!(u64::from(subsets.count()), binomial(n.into(), k.into()));
            for (rank, &mask) in (0..).zip(subsets.masks()) {
                assert_eq!(mask.count_ones(), k);
                assert_eq!(subsets.rank(mask), rank, "{k} of {n}: {mask:b}");
            }
        }
        let short: Subsets<u16> = Subsets::new(25, 5);
        assert!((0..short.count()).all(|rank| short.rank(short.mask(rank)) == rank));
    }
}
