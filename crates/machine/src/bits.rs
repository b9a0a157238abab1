//! The bits of words: going through them, and gathering and scattering them under a mask, by the
//! machine's own instruction where it has one.

/// The places of the bits of a word, lowest first.
#[inline(always)]
pub fn members(word: impl Into<u64>) -> impl Iterator<Item = u32> {
    let mut rest = word.into();
    std::iter::from_fn(move || {
        let place = (rest != 0).then_some(rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
        place
    })
}

/// A way to gather and scatter. An inner loop is generic over it, so that the choice is made once
/// outside; elsewhere [`extract`] and [`deposit`] are simpler.
pub trait Bits: Copy {
    /// Collects the bits of `word` under `mask` in the low bits.
    fn extract(self, word: u64, mask: u64) -> u64;
    /// Spreads the low bits of `word` over the bits of `mask`.
    fn deposit(self, word: u64, mask: u64) -> u64;
}

/// A loop over the bits, for any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Bits for Portable {
    fn extract(self, word: u64, mut mask: u64) -> u64 {
        let (mut out, mut bit) = (0, 1);
        while mask != 0 {
            if word & mask & mask.wrapping_neg() != 0 {
                out |= bit;
            }
            mask &= mask - 1;
            bit <<= 1;
        }
        out
    }

    fn deposit(self, mut word: u64, mut mask: u64) -> u64 {
        let mut out = 0;
        while mask != 0 && word != 0 {
            if word & 1 != 0 {
                out |= mask & mask.wrapping_neg();
            }
            mask &= mask - 1;
            word >>= 1;
        }
        out
    }
}

/// One instruction of a processor with BMI2: having this value proves that this is one.
#[derive(Clone, Copy, Debug)]
pub struct Fast(());

impl Fast {
    /// The proof, if there is one.
    #[inline(always)]
    #[must_use]
    pub fn find() -> Option<Fast> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("bmi2") {
            return Some(Fast(()));
        }
        None
    }
}

impl Bits for Fast {
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has BMI2, or there would be no `Fast`.
        return unsafe { std::arch::x86_64::_pext_u64(word, mask) };
        #[cfg(not(target_arch = "x86_64"))]
        Portable.extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        return unsafe { std::arch::x86_64::_pdep_u64(word, mask) };
        #[cfg(not(target_arch = "x86_64"))]
        Portable.deposit(word, mask)
    }
}

/// Collects the bits of `value` under `mask` in the low bits.
#[inline(always)]
pub fn extract(value: u32, mask: u32) -> u32 {
    match Fast::find() {
        Some(fast) => fast.extract(value.into(), mask.into()) as u32,
        None => Portable.extract(value.into(), mask.into()) as u32,
    }
}

/// Spreads the low bits of `value` over the bits of `mask`.
#[inline(always)]
pub fn deposit(value: u32, mask: u32) -> u32 {
    match Fast::find() {
        Some(fast) => fast.deposit(value.into(), mask.into()) as u32,
        None => Portable.deposit(value.into(), mask.into()) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree_and_are_inverse() {
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        };
        for _ in 0..100_000 {
            let (word, mask) = (next(), next() | next());
            let (gathered, spread) = (Portable.extract(word, mask), Portable.deposit(word, mask));
            assert_eq!(Portable.deposit(gathered, mask), word & mask);
            assert_eq!(Portable.extract(spread, mask), word & (u64::MAX >> mask.count_zeros()));
            if let Some(fast) = Fast::find() {
                assert_eq!(fast.extract(word, mask), gathered);
                assert_eq!(fast.deposit(word, mask), spread);
            }
            let (word, mask) = (word as u32, mask as u32);
            assert_eq!(deposit(extract(word, mask), mask), word & mask);
        }
    }
}
