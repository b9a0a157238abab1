//! The widest vectors of the machine, chosen when the program runs.
//!
//! The kernels are plain loops over words; here they are compiled once for each
//! instruction set, and the compiler makes vectors of the set's width of them.

use crate::known::Known;
use crate::lose::Lose;
use crate::region::Scratch;
use crate::tile::Tile;
use crate::win::Win;
use std::fmt;

/// An instruction set the kernels are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Isa {
    /// What every processor of the architecture has.
    Portable,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

impl Isa {
    /// The instruction sets of this machine, the widest last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut sets = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if avx2 {
                sets.push(Self::Avx2);
            }
            if avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq")
            {
                sets.push(Self::Avx512);
            }
        }
        sets
    }

    /// The widest instruction set of this machine.
    #[must_use]
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        })
    }
}

/// An instruction set that was found on this machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found(Isa);

impl Found {
    /// `isa`, or the widest set there is if this machine lacks it.
    pub(crate) fn new(isa: Isa) -> Self {
        Self(if Isa::available().contains(&isa) { isa } else { Isa::best() })
    }

    pub(crate) fn isa(self) -> Isa {
        self.0
    }
}

macro_rules! versions {
    ($($name:ident: $job:ty, ($($arg:ident: $ty:ty),*) $(-> $out:ty)?;)*) => {
        impl Found {
            $(
                /// Runs the kernel with this instruction set.
                #[expect(clippy::too_many_arguments, reason = "a kernel's whole working set")]
                pub(crate) fn $name(self, job: &$job, $($arg: $ty),*) $(-> $out)? {
                    #[cfg(target_arch = "x86_64")]
                    {
                        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                        fn avx2(job: &$job, $($arg: $ty),*) $(-> $out)? {
                            job.region($($arg),*)
                        }
                        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
                        fn avx512(job: &$job, $($arg: $ty),*) $(-> $out)? {
                            job.region($($arg),*)
                        }
                        match self.0 {
                            // SAFETY: a `Found` names only what this machine has.
                            Isa::Avx512 => return unsafe { avx512(job, $($arg),*) },
                            // SAFETY: as above.
                            Isa::Avx2 => return unsafe { avx2(job, $($arg),*) },
                            Isa::Portable => {}
                        }
                    }
                    job.region($($arg),*)
                }
            )*
        }
    };
}

versions! {
    lose: Lose<'_>, (first: u32, lost: &mut [Tile], flags: &mut [u64],
        known: &mut Known<'_>, scratch: &mut Scratch, gain: &mut [u64]);
    win: Win<'_>, (first: u32, won: &mut [Tile], changed: &mut [u64],
        scratch: &mut Scratch, gain: &mut [u64], news: Option<&mut [Tile]>) -> bool;
}
