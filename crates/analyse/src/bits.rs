//! Going through the positions of a set of indices.

use kanzen_index::{Indexed, with_fast_bits};
use kanzen_machine::AtomicBits;
use rayon::prelude::*;

/// Indices that a thread takes at a time.
const CHUNK: u64 = 1 << 14;

/// Calls `visit` with each index of a set and its position, on all cores.
pub(crate) fn visit<G: Indexed>(
    set: &AtomicBits,
    game: &G,
    tier: usize,
    visit: impl Fn(u64, &G::Position) + Sync,
) {
    let chunks = game.tiers()[tier].size.div_ceil(CHUNK);
    (0..chunks).into_par_iter().for_each(|chunk| {
        let indices = set.numbers(chunk * CHUNK..(chunk + 1) * CHUNK);
        with_fast_bits(|| {
            game.positions(tier, indices, |index, position| visit(index, &position));
        });
    });
}
