//! Gathering and scattering bits under a mask, by the machine's own instruction where it has one.

/// Collects the bits of `value` under `mask` in the low bits.
#[inline(always)]
pub fn extract(value: u32, mask: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has BMI2.
        return unsafe { std::arch::x86_64::_pext_u32(value, mask) };
    }
    extract_portable(value, mask)
}

/// Spreads the low bits of `value` over the bits of `mask`.
#[inline(always)]
pub fn deposit(value: u32, mask: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has BMI2.
        return unsafe { std::arch::x86_64::_pdep_u32(value, mask) };
    }
    deposit_portable(value, mask)
}

/// Runs a piece of work with the instructions of a recent processor, where this is one.
///
/// What the compiler inlines into the closure is compiled for them: counting bits is then one
/// instruction, and so are [`extract`] and [`deposit`]. Use it around a loop, not inside.
#[inline]
pub fn with_fast_bits<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn recent<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has all of these features.
            return unsafe { recent(work) };
        }
    }
    work()
}

/// A piece of work that is too large for the compiler to inline on its own.
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does it. Mark it, and what it calls in its inner loops, `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// As [`with_fast_bits`], for [`Work`]: a large closure stays a function of its own, which is
/// compiled for any processor.
#[inline]
pub fn run_with_fast_bits<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn recent<W: Work>(work: W) -> W::Output {
            work.run()
        }
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has all of these features.
            return unsafe { recent(work) };
        }
    }
    work.run()
}

fn extract_portable(value: u32, mut mask: u32) -> u32 {
    let mut out = 0;
    let mut bit = 1u32;
    while mask != 0 {
        if value & mask & mask.wrapping_neg() != 0 {
            out |= bit;
        }
        mask &= mask - 1;
        bit <<= 1;
    }
    out
}

fn deposit_portable(mut value: u32, mut mask: u32) -> u32 {
    let mut out = 0;
    while mask != 0 && value != 0 {
        if value & 1 != 0 {
            out |= mask & mask.wrapping_neg();
        }
        mask &= mask - 1;
        value >>= 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_and_portable_agree() {
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..100_000 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let (value, mask) = (x as u32, (x >> 32) as u32);
            assert_eq!(extract(value, mask), extract_portable(value, mask));
            assert_eq!(deposit(value, mask), deposit_portable(value, mask));
            assert_eq!(deposit(extract(value, mask), mask), value & mask);
        }
    }
}
