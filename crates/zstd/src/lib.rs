//! zstd, which packs blocks: its own C code where that builds, a decoder in Rust in WebAssembly, where
//! nothing is ever packed.
//!
//! Both have one interface, that of the crate `zstd`, so that nobody else asks which it is.

pub mod portable;

#[cfg(target_family = "wasm")]
pub use portable::*;
#[cfg(not(target_family = "wasm"))]
pub use zstd::*;
