//! The instructions of recent processors, chosen when the program runs.
//!
//! What the compiler inlines into a function that is compiled for an instruction set is compiled
//! for it, too: plain loops over words become vectors of its width, and counting bits becomes one
//! instruction. So a piece of work is written once, and compiled once for each set.

use std::fmt;

/// An instruction set that work is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Isa {
    /// What every processor of the architecture has.
    Portable,
    /// 256-bit vectors, and instructions for bits.
    Avx2,
    /// 512-bit vectors as well.
    Avx512,
}

impl Isa {
    /// The instruction sets of this machine, the widest last.
    #[must_use]
    pub fn available() -> Vec<Isa> {
        let all = [Isa::Portable, Isa::Avx2, Isa::Avx512];
        all.into_iter().filter(|isa| isa.is_available()).collect()
    }

    /// The widest instruction set of this machine.
    #[must_use]
    pub fn best() -> Isa {
        Isa::available().pop().unwrap_or(Isa::Portable)
    }

    /// Whether this machine has the instruction set.
    #[inline]
    #[must_use]
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use std::is_x86_feature_detected as has;
            let vectors = match self {
                Isa::Portable => return true,
                Isa::Avx2 => has!("avx2"),
                Isa::Avx512 => {
                    has!("avx2")
                        && has!("avx512f")
                        && has!("avx512bw")
                        && has!("avx512dq")
                        && has!("avx512vl")
                        && has!("avx512vpopcntdq")
                }
            };
            vectors && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self == Isa::Portable
        }
    }

    /// Does a piece of work with this instruction set, or with a narrower one where the machine
    /// does not have it.
    #[inline]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
            fn widest<W: Work>(work: W) -> W::Output {
                work.run::<{ Isa::Avx512 as usize }>()
            }
            if self == Isa::Avx512 && self.is_available() {
                // SAFETY: the processor has all of these features.
                return unsafe { widest(work) };
            }
        }
        match self {
            Isa::Portable => work.run::<{ Isa::Portable as usize }>(),
            Isa::Avx2 | Isa::Avx512 => run_with_fast_bits(work),
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Isa::Portable => "portable",
            Isa::Avx2 => "AVX2",
            Isa::Avx512 => "AVX-512",
        })
    }
}

/// A piece of work that is too large for the compiler to inline on its own.
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does it. Mark it, and what it calls in its inner loops, `#[inline(always)]`. By the number of the
    /// instruction set there is a `run` for each, and so are its closures, which otherwise would be
    /// compiled once, for any processor.
    fn run<const ISA: usize>(self) -> Self::Output;
}

/// Does a piece of work with [`Isa::Avx2`], where the machine has it. Use it around a loop, not
/// inside.
#[inline]
pub fn run_with_fast_bits<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn recent<W: Work>(work: W) -> W::Output {
            work.run::<{ Isa::Avx2 as usize }>()
        }
        if Isa::Avx2.is_available() {
            // SAFETY: the processor has all of these features.
            return unsafe { recent(work) };
        }
    }
    work.run::<{ Isa::Portable as usize }>()
}

/// As [`run_with_fast_bits`], for a closure. A large one stays a function of its own, which is
/// compiled for any processor: then [`Work`] is needed.
#[inline]
pub fn with_fast_bits<R>(work: impl FnOnce() -> R) -> R {
    struct Closure<F>(F);
    impl<R, F: FnOnce() -> R> Work for Closure<F> {
        type Output = R;
        #[inline(always)]
        fn run<const ISA: usize>(self) -> R {
            (self.0)()
        }
    }
    run_with_fast_bits(Closure(work))
}
