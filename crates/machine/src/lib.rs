//! What the solvers need of the machine: instructions that only some processors have, memory in
//! huge pages, threads that share bits and wait for cache lines, and files that survive.
//!
//! Nearly all `unsafe` code of the project is here, behind functions that are safe to call.

mod atomic_bits;
mod bits;
pub mod files;
mod isa;
mod map;
mod memory;
mod prefetch;
mod ring;

pub use atomic_bits::AtomicBits;
pub use bits::{Bits, Fast, Portable, deposit, extract, members};
pub use isa::{Isa, Work, run_with_fast_bits, with_fast_bits};
pub use map::{Map, Plain};
pub use memory::{filled, give_back_freed_memory, huge_pages, machine_memory, zeros};
pub use prefetch::prefetch;
pub use ring::Ring;

/// The number of threads that somebody wants; 0 stands for as many as the machine has cores.
pub fn threads(wanted: usize) -> usize {
    match wanted {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        wanted => wanted,
    }
}
