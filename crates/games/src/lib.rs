//! The games that Kanzen knows: small ones in a file or folder here, large ones in crates of their own.

pub mod classics;
pub mod mutorere;
pub mod simpei;

pub use kanzen_doubutsu as doubutsu;
pub use kanzen_musashi as musashi;
pub use kanzen_ostle as ostle;
pub use kanzen_quixo as quixo;
pub use kanzen_threerow as threerow;

use kanzen_parts::BoardGame;
use kanzen_registry::{AnyGame, Options, Registry, TwoPlayer};

/// A game made of [parts](kanzen_parts) as the programs see it, solved by its rules alone.
///
/// What programs do with such a game is compiled here once, so that a change of its rules is built
/// in seconds.
pub fn by_rules(game: BoardGame, options: &Options) -> Box<dyn AnyGame> {
    Box::new(TwoPlayer::explicit(game, options))
}

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
        &quixo::ENTRY,
    ];
    own.into_iter().chain(classics::ALL.iter().copied()).collect()
}
