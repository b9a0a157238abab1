//! The rules of the L game, and how its pieces are moved.

use super::prelude::*;
use kanzen_core::{Gesture, Kind, Kit, Side, Touch, Trace};
use kanzen_parts::LETTERS;

/// The rules: all ways to put an L. The mark of a step is the number of one, and its points are those
/// of a neutral piece.
#[derive(Clone, Debug)]
pub struct LGame(pub Vec<u32>);

const KIT: Kit = Kit {
    kinds: &[LETTERS.kinds[0], LETTERS.kinds[1], Kind::stone(Side::Neutral, "N")],
    ..LETTERS
};

/// The points of a neutral piece in a step: where it was and where it goes.
fn neutral(step: Step) -> impl Iterator<Item = u8> {
    step.from.into_iter().chain(step.to)
}

impl LGame {
    fn placing(&self, step: Step) -> u32 {
        self.0[usize::from(step.mark)]
    }
}

impl Rules for LGame {
    fn men(&self) -> Men {
        [4..=4, 4..=4]
    }

    fn neutral(&self) -> std::ops::RangeInclusive<u32> {
        2..=2
    }

    fn start(&self) -> Position {
        Position::of("NXX./.OX./.OX./.OON")
    }

    fn steps(&self, _: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let others = position.theirs() | position.neutral;
        for (mark, &placing) in (0..).zip(&self.0) {
            if placing & others != 0 || placing == position.mine() {
                continue;
            }
            each(Step { mark, ..Step::PASS });
            for from in points(position.neutral) {
                let free = points(0xffff & !(placing | others));
                free.for_each(|to| each(Step { mark, ..Step::go(from, to) }));
            }
        }
    }

    fn play(&self, position: &Position, step: Step) -> Position {
        let moved = neutral(step).fold(position.neutral, |set, point| set ^ 1 << point);
        let next = position.with(self.placing(step), position.theirs()).passed();
        Position { neutral: moved, ..next }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let shaped = [position.x, position.o].iter().all(|set| self.0.contains(set));
        let two = position.neutral.count_ones() == 2;
        legal(shaped && two, "there are two Ls and two neutral pieces")
    }

    fn write_step(&self, board: &Board, step: Step) -> String {
        let l: String = points(self.placing(step)).map(|point| board.name(point)).collect();
        let moved: Vec<&str> = neutral(step).map(|point| board.name(point)).collect();
        if moved.is_empty() { l } else { format!("{l},{}", moved.join("-")) }
    }

    fn trace(&self, _: &Board, position: &Position, step: Step) -> Trace {
        let (old, new) = (position.mine(), self.placing(step));
        let first = |set| points(set).map(usize::from).next();
        let also = points(old ^ new).chain(neutral(step)).map(usize::from).collect();
        Trace { from: first(old & !new), to: first(new & !old), also }
    }

    fn gesture(&self, _: &Board, _: &Position, step: Step) -> Gesture {
        let touches = neutral(step).map(|point| Touch::Spot(point.into())).collect();
        Gesture { touches, then: points(self.placing(step)).map(usize::from).collect() }
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }
}
