//! The rules and the notation of hare and hounds.

use super::prelude::*;
use kanzen_core::{Colour, Kind, Kit, Party, Side};
use kanzen_parts::LETTERS;

/// The rules: the hounds are X, the hare is O.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The columns of the points.
    pub columns: Vec<u8>,
    /// Whether the hare has escaped when it is level with the last hound.
    pub level: bool,
    /// Who moves first.
    pub first: Turn,
    /// What endless play is worth.
    pub endless: Endless,
}

const KIT: Kit = Kit {
    parties: &[
        Party { side: Side::One, name: Words::new("Hounds", "猟犬"), colour: Colour::Brown },
        Party { side: Side::Two, name: Words::new("Hare", "野兎"), colour: Colour::Yellow },
    ],
    kinds: &[Kind::stone(Side::One, "d"), Kind::stone(Side::Two, "h")],
    ..LETTERS
};

impl Rules for Hunt {
    fn start(&self) -> Position {
        Position { turn: self.first, ..Position::of("X..X...OX..") }
    }

    fn endless(&self) -> Endless {
        self.endless
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        let least = |set| points(set).map(|point| self.columns[usize::from(point)]).min();
        let (hounds, hare) = (least(position.x), least(position.o));
        let escaped = hare < hounds || self.level && hare == hounds;
        escaped.then(|| won_by(Turn::O, position.turn))
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let column = |point: u8| self.columns[usize::from(point)];
        position.slides(
            |from| board.near(from) & board.free(position),
            |step| {
                // Hounds never go back.
                let back = step.to.map(column) < step.from.map(column);
                (position.turn == Turn::O || !back).then(|| each(step));
            },
        );
    }

    fn men(&self) -> Men {
        [3..=3, 1..=1]
    }

    fn write(&self, board: &Board, position: &Position) -> String {
        let names = |set| points(set).map(|point| board.name(point)).collect::<String>();
        let turn = if position.turn == Turn::X { 'd' } else { 'h' };
        format!("{} {} {turn}", names(position.x), names(position.o))
    }

    fn read(&self, board: &Board, text: &str) -> Result<Position, NotationError> {
        let shape = || NotationError::shape("hounds, hare and side to move, such as ADI H d", text);
        let [hounds, hare, turn] = text.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(shape());
        };
        let turn = match turn {
            "d" => Turn::X,
            "h" => Turn::O,
            _ => return Err(shape()),
        };
        // No point is named twice.
        let add = |set: Option<u32>, letter: char| {
            let named = |point: &u8| board.name(*point).starts_with(letter);
            let point = 1 << (0..board.points() as u8).find(named)?;
            set.filter(|set| set & point == 0).map(|set| set | point)
        };
        let x = hounds.chars().fold(Some(0), add).ok_or_else(shape)?;
        let all = hare.chars().fold(Some(x), add).ok_or_else(shape)?;
        Ok(Position { turn, ..Position::new(x, all & !x) })
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }
}
