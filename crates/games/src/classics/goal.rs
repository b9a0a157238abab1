//! The rules of games in which men are put, also those of the other player, and then step; a goal of
//! all men of a player wins.

use super::prelude::*;
use kanzen_core::{Colour, Kind, Kit, Party, Side};
use kanzen_parts::{Goals, LETTERS, Letters};

/// Who chooses the point for a man that is put.
#[derive(Clone, Copy, Debug)]
pub struct Drops {
    /// Whether the opponent chooses for the first men of a player, or for the others.
    pub opponent_first: bool,
    /// How many men are the first.
    pub first: u32,
}

impl Drops {
    /// `standard`: the owner chooses; `alternate`: his opponent does. With `one-move-`, `two-move-` or
    /// `three-move-` before it, that holds for the first men only.
    pub fn named(name: &str) -> Drops {
        let first = match name.split('-').next() {
            Some("one") => 1,
            Some("two") => 2,
            Some("three") => 3,
            _ => u32::MAX,
        };
        Drops { opponent_first: name.ends_with("alternate"), first }
    }
}

/// The rules: Black is the first player, and Red the second.
#[derive(Clone, Debug)]
pub struct GoalRules {
    /// The goals, each of as many points as a player has men.
    pub goals: Goals,
    /// Who chooses points.
    pub drops: Drops,
}

const KIT: Kit = Kit {
    parties: &[
        Party { side: Side::One, name: Words::new("Black", "黒"), colour: Colour::Black },
        Party { side: Side::Two, name: Words::new("Red", "赤"), colour: Colour::Red },
    ],
    kinds: &[
        Kind { in_hand: true, ..Kind::stone(Side::One, "B") },
        Kind { in_hand: true, ..Kind::stone(Side::Two, "R") },
    ],
    ..LETTERS
};

impl GoalRules {
    fn all_men(&self) -> u32 {
        2 * self.goals.size()
    }

    /// Whose man is put when so many are on the board, and who chooses its point.
    fn put(&self, men: u32) -> (Turn, Turn) {
        let owner = if men.is_multiple_of(2) { Turn::X } else { Turn::O };
        let first = men / 2 < self.drops.first;
        let own = men == self.all_men() || first != self.drops.opponent_first;
        (owner, if own { owner } else { owner.other() })
    }
}

impl Rules for GoalRules {
    fn start(&self) -> Position {
        Position { turn: self.put(0).1, ..Position::default() }
    }

    fn takes_turns(&self) -> bool {
        (0..self.all_men()).all(|men| self.put(men).1 != self.put(men + 1).1)
    }

    fn alike_from(&self) -> Option<u32> {
        Some(self.all_men())
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        match [position.theirs(), position.mine()].map(|men| self.goals.has(men)) {
            [true, _] => Some(Outcome::Loss),
            [false, true] => Some(Outcome::Win),
            _ => None,
        }
    }

    fn wins_at_once(&self, board: &Board, position: &Position) -> Option<bool> {
        let (men, mine, free) =
            (position.all().count_ones(), position.mine(), board.free(position));
        Some(if men == self.all_men() {
            self.goals.by_step(mine) & free != 0
        } else {
            self.put(men).0 == position.turn && self.goals.by_put(mine, free)
        })
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let (men, free) = (position.all().count_ones(), board.free(position));
        if men == self.all_men() {
            return position.slides(|from| board.near(from) & free, each);
        }
        let (owner, chooser) = self.put(men);
        let whose = (owner != chooser).then_some(owner);
        points(free).for_each(|to| each(Step { whose, ..Step::put(to) }));
    }

    fn play(&self, position: &Position, step: Step) -> Position {
        let next = position.after(step);
        match step.from {
            Some(_) => next,
            None => Position { turn: self.put(next.all().count_ones()).1, ..next },
        }
    }

    fn men(&self) -> Men {
        [0..=self.goals.size(), 0..=self.goals.size()]
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let men = position.all().count_ones().min(self.all_men());
        let (x, o) = (men.div_ceil(2), men / 2);
        position.men(self.letters().pieces, x..=x, o..=o)?;
        let full = men == self.all_men();
        let turn = full || position.turn == self.put(men).1;
        legal(turn, "it is not this player who chooses where the next piece goes")?;
        let won = full && self.goals.has(position.mine());
        legal(!won, "the game ended before: the side to move has a goal")
    }

    fn hands(&self, position: &Position) -> Option<[u8; 2]> {
        Some(
            [position.x, position.o]
                .map(|men| self.goals.size().saturating_sub(men.count_ones()) as u8),
        )
    }

    fn letters(&self) -> &'static Letters {
        &Letters { pieces: ['B', 'R'], turns: ['b', 'r'], allowed: "., B, R and /" }
    }

    fn write_step(&self, board: &Board, step: Step) -> String {
        let to = step.to.map_or("", |to| board.name(to));
        match (step.from, step.whose) {
            (Some(from), _) => format!("{}-{to}", board.name(from)),
            (None, Some(Turn::X)) => format!("B@{to}"),
            (None, Some(Turn::O)) => format!("R@{to}"),
            (None, None) => to.to_owned(),
        }
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }
}
