//! A set of numbers with a bit for each, which all threads may change at once.

use crate::Map;
use std::io;
use std::ops::{Deref, DerefMut, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A set of numbers below some bound, in a vector or in a [`Map`].
#[derive(Debug)]
pub struct AtomicBits<S = Vec<AtomicU64>>(S);

impl AtomicBits {
    /// None of `size` numbers.
    pub fn new(size: impl Into<u64>) -> AtomicBits {
        AtomicBits((0..size.into().div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// All of `size` numbers.
    pub fn all(size: impl Into<u64>) -> AtomicBits {
        let size = size.into();
        let words = (0..size).step_by(64).map(|first| !0 >> (64 - (size - first).min(64)));
        AtomicBits(words.map(AtomicU64::new).collect())
    }
}

impl AtomicBits<Map<AtomicU64>> {
    /// None of so many numbers that small pages would be slow.
    ///
    /// # Errors
    /// If there is no memory left.
    pub fn mapped(size: impl Into<u64>) -> io::Result<AtomicBits<Map<AtomicU64>>> {
        Ok(AtomicBits(Map::new(size.into().div_ceil(64) as usize)?))
    }
}

impl<S: Deref<Target = [AtomicU64]>> AtomicBits<S> {
    /// The words with 64 bits each.
    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
        &self.0
    }

    /// Whether a number is in the set.
    #[inline(always)]
    pub fn get(&self, number: impl Into<u64>) -> bool {
        let number = number.into();
        self.0[number as usize / 64].load(Relaxed) >> (number % 64) & 1 == 1
    }

    /// Adds a number; true if this call did it.
    #[inline(always)]
    pub fn set(&self, number: impl Into<u64>) -> bool {
        let number = number.into();
        let (word, bit) = (&self.0[number as usize / 64], 1 << (number % 64));
        // Often it is there already, and to look is cheaper than to write.
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Takes a number out.
    pub fn unset(&self, number: impl Into<u64>) {
        let number = number.into();
        self.0[number as usize / 64].fetch_and(!(1 << (number % 64)), Relaxed);
    }

    /// Starts loading the cache line of a number.
    #[inline(always)]
    pub fn prefetch(&self, number: impl Into<u64>) {
        crate::prefetch(&self.0, number.into() as usize / 64);
    }

    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| word.load(Relaxed) == 0)
    }

    /// The numbers in a range that begins and ends with a word, in ascending order.
    pub fn numbers(&self, range: Range<u64>) -> impl Iterator<Item = u64> {
        let end = self.0.len().min(range.end.div_ceil(64) as usize);
        let words = range.start as usize / 64..end;
        words.flat_map(|place| {
            let found = crate::members(self.0[place].load(Relaxed));
            found.map(move |bit| 64 * place as u64 + u64::from(bit))
        })
    }
}

impl<S: DerefMut<Target = [AtomicU64]>> AtomicBits<S> {
    /// The words with 64 bits each, to be overwritten.
    pub fn words_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.0.iter_mut().map(AtomicU64::get_mut)
    }

    /// Takes all numbers out.
    pub fn clear(&mut self) {
        self.words_mut().for_each(|word| *word = 0);
    }

    /// Keeps those that another set has too.
    pub fn keep(&mut self, others: &AtomicBits<S>) {
        self.0.iter_mut().zip(others.words()).for_each(|(word, other)| {
            *word.get_mut() &= other.load(Relaxed);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_it_is_given() {
        let mut bits = AtomicBits::new(1000_u32);
        let given = [0_u64, 63, 64, 500, 999];
        assert!(bits.is_empty() && given.iter().all(|&number| bits.set(number)));
        assert!(!bits.set(500_u64) && bits.numbers(0..1000).eq(given));
        assert!(bits.numbers(64..512).eq([64, 500]));
        let others = AtomicBits::new(1000_u32);
        assert!([64_u64, 65, 999].iter().all(|&number| others.set(number)));
        bits.keep(&others);
        assert!(bits.numbers(0..1000).eq([64, 999]));
        assert_eq!((bits.count(), bits.get(64_u32), bits.get(65_u32)), (2, true, false));
        bits.unset(64_u32);
        assert!(bits.numbers(0..u64::MAX).eq([999]));
        bits.clear();
        assert_eq!(bits.count(), 0);
        assert!(AtomicBits::all(130_u64).numbers(0..130).eq(0..130));
        let mapped = AtomicBits::mapped(100_u32).unwrap();
        assert!(mapped.is_empty() && mapped.set(99_u32) && mapped.get(99_u32));
    }
}
