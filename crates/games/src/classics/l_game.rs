//! The L game, by Edward de Bono: one L a side, and two neutral pieces.

use super::entry_game;
use kanzen_core::{Gesture, Kind, Kit, NotationError, Side, Touch, Trace, Words};
use kanzen_parts::{Board, BoardGame, LETTERS, Position, Rules, Step, legal, points};
use kanzen_registry::{Entry, Options};

/// The rules. A step's mark is where the L is put; its points are those of a neutral piece.
#[derive(Clone, Debug)]
pub struct LGame {
    board: Board,
    /// All ways to put an L.
    placings: Vec<u32>,
}

const KIT: Kit = Kit {
    kinds: &[LETTERS.kinds[0], LETTERS.kinds[1], Kind::stone(Side::Neutral, "N")],
    ..LETTERS
};

impl LGame {
    fn placing(&self, step: Step) -> u32 {
        self.placings[usize::from(step.mark)]
    }
}

impl Rules for LGame {
    const NEUTRAL: bool = true;

    fn board(&self) -> &Board {
        &self.board
    }

    fn start(&self) -> Position {
        Position::of("NXX./.OX./.OX./.OON")
    }

    fn steps(&self, position: &Position, mut each: impl FnMut(Step)) {
        let others = position.theirs() | position.neutral;
        for (mark, &placing) in (0..).zip(&self.placings) {
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
        let set = |point: Option<u8>| point.map_or(0, |point| 1 << point);
        let neutral = position.neutral & !set(step.from) | set(step.to);
        let next = position.with(self.placing(step), position.theirs()).passed();
        Position { neutral, ..next }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let shaped = [position.x, position.o].iter().all(|set| self.placings.contains(set));
        legal(shaped && position.neutral.count_ones() == 2, "there are two Ls and two neutral pieces")
    }

    fn write_step(&self, _: &Position, step: Step) -> String {
        let mut text: String = points(self.placing(step)).map(|at| self.board.name(at)).collect();
        if let (Some(from), Some(to)) = (step.from, step.to) {
            text += &format!(" {}-{}", self.board.name(from), self.board.name(to));
        }
        text
    }

    fn trace(&self, position: &Position, step: Step) -> Trace {
        let (old, new) = (position.mine(), self.placing(step));
        let first = |set| points(set).map(usize::from).next();
        let neutral = step.from.into_iter().chain(step.to);
        let also = points(old ^ new).chain(neutral).map(usize::from).collect();
        Trace { from: first(old & !new), to: first(new & !old), also }
    }

    fn gesture(&self, _: &Position, step: Step) -> Gesture {
        let neutral = step.from.into_iter().chain(step.to);
        let touches = neutral.map(|point| Touch::Spot(point.into())).collect();
        Gesture { touches, then: points(self.placing(step)).map(usize::from).collect() }
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }
}

/// The game.
pub fn game(_: &Options) -> BoardGame<LGame> {
    let board = Board::grid(4, 4);
    let group = board.group();
    // All images of the upright L, wherever it fits: three columns, two rows.
    let upright = [0, 1, 2, 4, 5, 6].map(|corner| 0b0011_0001_0001 << corner);
    let images = upright.iter().flat_map(|&l| (0..group.order()).map(move |turn| group.image(turn, l)));
    let mut placings: Vec<u32> = images.collect();
    placings.sort_unstable();
    BoardGame::new(LGame { placings, board })
}

/// The L game, for a registry.
pub static ENTRY: Entry = Entry::new(
    "l-game",
    Words::new("The L game", "Lゲーム"),
    Words::new(
        "Four by four cells; each player has one L of four cells, and there are two neutral pieces of one cell. X begins. A turn lifts the own L and puts it on other cells, turned or mirrored as one likes; then one neutral piece may be moved to an empty cell. Who cannot put the L anew loses; endless play is a draw.",
        "4×4のマス。各自に4マスのL字が1つ、中立の駒が2つ。Xから始める。手番では自分のLを持ち上げ、前と違う場所に置く（回転・裏返し自由）。その後、中立の駒1つを空いたマスへ動かしてもよい。Lを置き直せなければ負け。千日手は引き分け。",
    ),
    |options| entry_game(game(options), options),
);
