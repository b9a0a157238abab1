//! A bit for each index of a tier, set by all threads at once.

use kanzen_index::{Indexed, with_fast_bits};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words that a thread takes at a time.
const CHUNK: usize = 256;

/// A set of indices.
pub(crate) struct Bits(Vec<AtomicU64>);

impl Bits {
    /// None of `size` indices.
    pub(crate) fn new(size: u64) -> Bits {
        Bits((0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    pub(crate) fn get(&self, index: u64) -> bool {
        self.0[index as usize / 64].load(Relaxed) >> (index % 64) & 1 == 1
    }

    /// Adds an index; true if it was not there before.
    pub(crate) fn set(&self, index: u64) -> bool {
        let bit = 1 << (index % 64);
        self.0[index as usize / 64].fetch_or(bit, Relaxed) & bit == 0
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
    }

    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    /// Keeps those that another set has too.
    pub(crate) fn keep(&mut self, others: &Bits) {
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word.get_mut() &= other.load(Relaxed);
        }
    }

    /// All there are, in ascending order.
    pub(crate) fn indices(&self) -> impl Iterator<Item = u64> {
        indices(&self.0, 0)
    }

    /// Calls `visit` with each index and its position, on all cores.
    pub(crate) fn visit<G: Indexed>(
        &self,
        game: &G,
        tier: usize,
        visit: impl Fn(u64, &G::Position) + Sync,
    ) {
        self.0.par_chunks(CHUNK).enumerate().for_each(|(chunk, words)| {
            let set = indices(words, (chunk * CHUNK * 64) as u64);
            with_fast_bits(|| {
                game.positions(tier, set, |index, position| visit(index, &position));
            });
        });
    }
}

/// The places of the bits that are set, from `first` on.
fn indices(words: &[AtomicU64], first: u64) -> impl Iterator<Item = u64> {
    (0..).zip(words).flat_map(move |(number, word)| {
        let mut word = word.load(Relaxed);
        std::iter::from_fn(move || {
            let bit = u64::from(word.trailing_zeros());
            let found = (word != 0).then_some(first + 64 * number + bit);
            word &= word.wrapping_sub(1);
            found
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_it_is_given() {
        let mut bits = Bits::new(1000);
        let given = [0, 63, 64, 500, 999];
        assert!(given.iter().all(|&index| bits.set(index)) && !bits.set(500));
        assert!(bits.indices().eq(given));
        let others = Bits::new(1000);
        assert!([64, 65, 999].iter().all(|&index| others.set(index)));
        bits.keep(&others);
        assert!(bits.indices().eq([64, 999]));
        assert_eq!((bits.count(), bits.get(64), bits.get(65)), (2, true, false));
        bits.clear();
        assert_eq!(bits.count(), 0);
    }
}
