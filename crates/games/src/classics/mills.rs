//! The rules of morris games in which a full line, a mill, takes a man.

use super::prelude::*;
use kanzen_core::{Kind, Kit, Side};

/// The rules. A position counts the plies until all men are placed.
#[derive(Clone, Debug)]
pub struct Mills {
    /// The lines.
    pub mills: Vec<u32>,
    /// The men of each player.
    pub men: u8,
    /// Whether the last three men of a player go to any empty point.
    pub fly: bool,
}

const KIT: Kit = Kit {
    kinds: &[
        Kind { in_hand: true, ..Kind::stone(Side::One, "1") },
        Kind { in_hand: true, ..Kind::stone(Side::Two, "2") },
    ],
    ..Kit::STONES
};

impl Mills {
    /// The men of a set that stand in mills.
    fn milled(&self, men: u32) -> u32 {
        let full = self.mills.iter().filter(|mill| men & *mill == **mill);
        full.fold(0, |set, mill| set | mill)
    }

    /// The empty points that a man on a point may go to.
    fn reach(&self, board: &Board, position: &Position) -> impl Fn(u8) -> u32 {
        let free = board.free(position);
        let flies = self.fly && position.x.count_ones() == 3;
        move |from| if flies { free } else { board.near(from) & free }
    }

    /// The men that the side to move and the other have in hand after so many plies.
    fn held(&self, count: u8) -> [u8; 2] {
        [self.men - count / 2, self.men - count.div_ceil(2)]
    }
}

impl Rules for Mills {
    fn turns(&self) -> Turns {
        Turns::Mine
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        let few = position.count == 2 * self.men && position.x.count_ones() < 3;
        few.then_some(Outcome::Loss)
    }

    /// Only who has three men left can be beaten by the next step, unless he is stuck.
    fn wins_at_once(&self, _: &Board, position: &Position) -> Option<bool> {
        (position.o.count_ones() > 3 || position.count + 1 < 2 * self.men).then_some(false)
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let (theirs, free) = (position.o, board.free(position));
        let loose = theirs & !self.milled(theirs);
        let taken = if loose == 0 { theirs } else { loose };
        let step = |step: Step| {
            let milled = self.milled(position.after(step).x);
            match step.to.is_some_and(|to| milled >> to & 1 == 1) && taken != 0 {
                true => points(taken).for_each(|take| each(Step { take: Some(take), ..step })),
                false => each(step),
            }
        };
        if position.count < 2 * self.men {
            return points(free).map(Step::put).for_each(step);
        }
        position.slides(self.reach(board, position), step);
    }

    fn has_step(&self, board: &Board, position: &Position) -> bool {
        position.count < 2 * self.men
            || points(position.x).map(self.reach(board, position)).any(|reach| reach != 0)
    }

    fn play(&self, position: &Position, step: Step) -> Position {
        Position { count: (position.count + 1).min(2 * self.men), ..position.after(step) }
    }

    fn men_at(&self, count: u8) -> Men {
        let [mine, theirs] = self.held(count).map(|held| u32::from(self.men - held));
        if count == 2 * self.men { [2..=mine, 3..=theirs] } else { [0..=mine, 0..=theirs] }
    }

    fn counts(&self) -> Option<u8> {
        Some(2 * self.men + 1)
    }

    fn write_count(&self, count: u8) -> String {
        self.held(count).map(|men| men.to_string()).join(" ")
    }

    fn hands(&self, position: &Position) -> Option<[u8; 2]> {
        Some(self.held(position.count))
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }
}
