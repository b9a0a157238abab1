//! Values with the names of those who win.

use kanzen_core::{Kit, Side, Verdict};
use kanzen_registry::{Answer, BestPlay, MoveAnswer, Pressing};
use kanzen_show::{Press, Worth};

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
            Worth { verdict, winner, three: true, press: None }
        }
        None => Worth::of_two(verdict, kit.party(mover), kit.party(mover.other())),
    }
}

/// The value of a position as it is shown, the side to move under its own name.
pub fn shown_answer(kit: &Kit, answer: &Answer) -> Worth {
    let worth = shown(kit, answer.turn(), answer.verdict(), answer.best_play.as_ref());
    Worth { press: press(kit, answer.turn(), answer.pressure), ..worth }
}

/// The value of a move as it is shown.
pub fn shown_move(kit: &Kit, mover: Side, mv: &MoveAnswer) -> Worth {
    let worth = shown(kit, mover, mv.verdict(), mv.best_play.as_ref());
    Worth { press: press(kit, mover, mv.pressure), ..worth }
}

/// Who presses, by name; the mover is the player for whom that is said.
pub fn press(kit: &Kit, mover: Side, pressing: Option<Pressing>) -> Option<Press> {
    let Pressing { own, holding, plies, .. } = pressing?;
    let by = kit.party(if own { mover } else { mover.other() });
    Some(Press { by, own, holding, plies })
}
