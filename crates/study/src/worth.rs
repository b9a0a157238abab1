//! Values with the names of those who win.

use kanzen_core::{Kit, Side, Verdict};
use kanzen_registry::{Answer, BestPlay};
use kanzen_show::Worth;

/// A value for a player as it is shown.
pub fn shown(
    kit: &Kit,
    mover: Side,
    verdict: Option<Verdict>,
    best_play: Option<&BestPlay>,
) -> Worth {
    match best_play {
        Some(BestPlay { winner, .. }) => {
            let winner = winner.map(|winner| kit.party(Side::of_number(winner)));
            Worth { verdict, winner, three: true }
        }
        None => Worth::of_two(verdict, kit.party(mover), kit.party(mover.other())),
    }
}

/// The value of a position as it is shown, the side to move under its own name.
pub fn shown_answer(kit: &Kit, answer: &Answer) -> Worth {
    shown(kit, answer.turn(), answer.verdict(), answer.best_play.as_ref())
}
