//! Perft: the number of ways to play a given number of plies, the classic test of a move generator.

use crate::Game;

/// Counts the sequences of exactly `depth` moves from a position. A game that ends earlier counts
/// only if its last move is the last of the sequence.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.over(position).is_some() {
        return 0;
    }
    let mut nodes = 0;
    game.successors(position, |next| match next.position() {
        Some(child) if depth > 1 => nodes += perft(game, &child, depth - 1),
        _ => nodes += u64::from(depth == 1),
    });
    nodes
}
