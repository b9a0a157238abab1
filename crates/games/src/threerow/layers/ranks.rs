//! Ranks of sets of equal size.
//!
//! Sets of the same number of cells are counted in the order of their words,
//! which is colexicographic order: the rank of a set is the sum of `C(c_i, i)`
//! over its members `c_1 < c_2 < ...`. The sum is looked up in two parts: the
//! low half of the word alone, the high half given the members of the low one.

/// The most cells of a ranked set.
pub(super) const MAX_CELLS: u32 = 22;

const HALF: u32 = MAX_CELLS / 2;

/// Binomial coefficients; 0 where `k > n`.
pub(super) fn choose(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    (0..u64::from(k)).fold(1, |product, i| product * (u64::from(n) - i) / (i + 1))
}

/// Look-up tables for the ranks of sets of up to [`MAX_CELLS`] cells.
#[derive(Debug, Clone)]
pub(super) struct Ranks {
    low: Vec<u32>,
    /// `high[k << HALF | word]`, with `k` members in the low half.
    high: Vec<u32>,
}

impl Ranks {
    pub(super) fn new() -> Ranks {
        let sum = |word: u32, first: u32, below: u32| {
            let members = (0..HALF).filter(|bit| word >> bit & 1 == 1);
            members.zip(below + 1..).map(|(bit, i)| choose(first + bit, i) as u32).sum()
        };
        let low = (0..1 << HALF).map(|word| sum(word, 0, 0)).collect();
        let high =
            (0..=HALF).flat_map(|k| (0..1 << HALF).map(move |word| sum(word, HALF, k))).collect();
        Ranks { low, high }
    }

    /// The rank of `set` among the sets of its size.
    #[inline]
    pub(super) fn rank(&self, set: u32) -> u32 {
        let low = set & ((1 << HALF) - 1);
        self.low[low as usize] + self.high[(low.count_ones() << HALF | set >> HALF) as usize]
    }
}

/// The set of `size` members with this rank; the inverse of [`Ranks::rank`].
pub(super) fn unrank(mut rank: u64, size: u32) -> u32 {
    let mut set = 0;
    for i in (1..=size).rev() {
        let mut cell = i - 1;
        while choose(cell + 1, i) <= rank {
            cell += 1;
        }
        rank -= choose(cell, i);
        set |= 1 << cell;
    }
    set
}

/// All sets of `size` among the first `cells` cells, by rank.
pub(super) fn subsets(cells: u32, size: u32) -> impl Iterator<Item = u32> {
    let mut next = Some((1u64 << size) - 1);
    std::iter::from_fn(move || {
        let set = next.filter(|set| set >> cells == 0)?;
        next = (set != 0).then(|| {
            let lowest = set & set.wrapping_neg();
            let carried = set + lowest;
            carried | (set ^ carried) >> (lowest.trailing_zeros() + 2)
        });
        Some(set as u32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_bijection_in_order() {
        let ranks = Ranks::new();
        for cells in 0..=14 {
            for size in 0..=cells {
                let mut count = 0;
                for set in subsets(cells, size) {
                    assert_eq!(set.count_ones(), size);
                    assert_eq!(u64::from(ranks.rank(set)), count);
                    assert_eq!(unrank(count, size), set);
                    count += 1;
                }
                assert_eq!(count, choose(cells, size));
            }
        }
        let last = ((1 << 7) - 1) << (MAX_CELLS - 7);
        assert_eq!(u64::from(ranks.rank(last)), choose(MAX_CELLS, 7) - 1);
        assert_eq!(unrank(choose(MAX_CELLS, 7) - 1, 7), last);
    }
}
