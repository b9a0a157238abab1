//! Moves backwards, among positions with all pieces on the board.
//!
//! The other side has just moved. One of its pieces stands on `to` and came from a neighbouring
//! hole. Either it sandwiched nothing; or it sandwiched whole runs that are empty now, and as many
//! of the mover's pieces stand where they were relocated to: every choice of runs and pieces is
//! tried, and kept if the move forwards sandwiches exactly those runs.

use super::board::{BOARD, Board, bits, subsets};
use super::rules::Position;

/// Calls `each` for every position and move of it that lead to `position` by a step, or by a pass.
#[inline]
pub fn steps_back(position: &Position, mut each: impl FnMut(Position)) {
    let board: &Board = &BOARD;
    let Position { mine, theirs } = *position;
    let empty = position.empty();
    if board.reach(theirs) & empty == 0 {
        each(Position { mine: theirs, theirs: mine });
    }
    let mut came_from = |from: u32, rest: u32, theirs: u32| {
        for hole in bits(from) {
            each(Position { mine: rest | 1 << hole, theirs });
        }
    };
    for to in bits(theirs) {
        let rest = theirs & !(1 << to);
        if board.completing(rest) >> to & 1 == 1 {
            continue; // The move would have won.
        }
        let steps = board.steps[to];
        if board.caught(to, rest, mine) == 0 {
            came_from(steps & empty, rest, mine);
        }
        let mut runs = [0; 8];
        let mut count = 0;
        for sandwich in &board.sandwiches[to] {
            if sandwich.run & !empty == 0 && rest & sandwich.closer != 0 {
                runs[count] = sandwich.run;
                count += 1;
            }
        }
        for choice in 1u32..1 << count {
            let caught = bits(choice).fold(0, |set, run| set | runs[run]);
            if caught.count_ones() > mine.count_ones() {
                continue;
            }
            subsets(mine, caught.count_ones(), &mut |relocated| {
                let before = mine & !relocated | caught;
                if board.caught(to, rest, before) == caught {
                    came_from(steps & !(rest | before), rest, before);
                }
            });
        }
    }
}
