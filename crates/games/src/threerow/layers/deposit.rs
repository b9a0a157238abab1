//! Gathering and scattering the bits of a word under a mask.
//!
//! Processors with BMI2 have an instruction for each; others take a loop. The
//! solver is generic over the two, so that the choice is made once for a whole
//! block of boards.

/// Parallel deposit and extract.
pub(super) trait Deposit {
    /// Puts the low bits of `word` at the places of `mask`, in order.
    fn deposit(word: u64, mask: u64) -> u64;
    /// Gathers the bits of `word` at the places of `mask` to the low end.
    fn extract(word: u64, mask: u64) -> u64;
}

/// Works everywhere.
pub(super) struct Portable;

impl Deposit for Portable {
    #[inline]
    fn deposit(mut word: u64, mut mask: u64) -> u64 {
        let mut result = 0;
        while mask != 0 {
            let place = mask & mask.wrapping_neg();
            result |= place & (word & 1).wrapping_neg();
            word >>= 1;
            mask &= mask - 1;
        }
        result
    }

    #[inline]
    fn extract(word: u64, mut mask: u64) -> u64 {
        let (mut result, mut place) = (0, 1u64);
        while mask != 0 {
            if word & mask & mask.wrapping_neg() != 0 {
                result |= place;
            }
            place <<= 1;
            mask &= mask - 1;
        }
        result
    }
}

/// Needs BMI2: use it only inside a function that has the feature switched on.
#[cfg(target_arch = "x86_64")]
pub(super) struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl Deposit for Bmi2 {
    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        // SAFETY: the only caller checks for BMI2 before it enters.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }

    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: the only caller checks for BMI2 before it enters.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn deposit_and_extract_are_inverse(word: u64, mask: u64) {
            let count = mask.count_ones();
            let low = if count == 64 { word } else { word & ((1 << count) - 1) };
            prop_assert_eq!(Portable::extract(Portable::deposit(word, mask), mask), low);
            prop_assert_eq!(Portable::deposit(Portable::extract(word, mask), mask), word & mask);
        }

        #[test]
        #[cfg(target_arch = "x86_64")]
        fn instructions_agree_with_loops(word: u64, mask: u64) {
            if std::is_x86_feature_detected!("bmi2") {
                prop_assert_eq!(Bmi2::deposit(word, mask), Portable::deposit(word, mask));
                prop_assert_eq!(Bmi2::extract(word, mask), Portable::extract(word, mask));
            }
        }
    }
}
