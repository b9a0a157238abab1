//! The games that Kanzen knows: small ones in a file or folder here, large ones in crates of their own.

pub mod classics;
pub mod mutorere;
pub mod simpei;

pub use kanzen_doubutsu as doubutsu;
pub use kanzen_musashi as musashi;
pub use kanzen_ostle as ostle;
pub use kanzen_threerow as threerow;

use kanzen_registry::Registry;

/// All games.
pub fn all() -> Registry {
    let own = [
        &simpei::ENTRY,
        &doubutsu::ENTRY,
        &ostle::ENTRY,
        &threerow::ENTRY,
        &musashi::BOARD33,
        &musashi::BOARD31,
        &musashi::BOARD25,
        &mutorere::ENTRY,
    ];
    own.into_iter().chain(classics::ALL.iter().copied()).collect()
}
