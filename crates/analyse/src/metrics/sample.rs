//! Games played by chance, where there are too many to go through all: the same ones every time.

use super::level::Level;
use super::tally::{Story, Tally};
use super::turn::Turn;
use crate::{Atlas, Random};
use kanzen_core::Next;
use kanzen_index::Indexed;

/// Plays a game from a position that arises after `ply` plies, and gives it up after the ply `last`.
pub(super) fn play<G: Indexed>(
    atlas: &Atlas<'_, G>,
    (mut position, ply): (G::Position, u32),
    players: [Level; 2],
    last: u32,
    seed: u64,
) -> Tally {
    let mut random = Random::new(seed);
    let (mut tally, mut story) = (Tally::default(), Story::START);
    for ply in ply..last {
        let player = ply as usize % 2;
        let turn = Turn::new(atlas, &position);
        if turn.moves.is_empty() {
            tally.end(story, ply, player, turn.outcome);
            return tally;
        }
        let chosen = players[player].chosen(turn.moves.iter().map(|(value, _)| *value));
        let place = random.below(chosen as u64) as usize;
        let kept = place < turn.keeping;
        let choice = turn.keeping < turn.moves.len();
        tally.turn(&mut story, player, turn.outcome, choice, (kept.into(), 1));
        story = if kept { story.kept() } else { story.turned() };
        match turn.moves[place].1 {
            Next::Over(outcome) => {
                tally.end(story, ply + 1, player, outcome);
                return tally;
            }
            Next::Position(child) | Next::Again(child) => position = child,
        }
    }
    tally.give_up(story);
    tally
}
