//! Six men's morris: two squares, sixteen points; a mill takes a man.

use super::{choice, entry_game};
use kanzen_core::{Kind, Kit, NotationError, Outcome, Side, Words};
use kanzen_parts::{Board, BoardGame, Position, Rules, Step, Turns, points};
use kanzen_registry::{Entry, Options};

/// Plies until all men are placed; a position counts the plies until then.
const PLACING: u8 = 12;

/// The rules.
#[derive(Clone, Debug)]
pub struct SixMensMorris {
    board: Board,
    near: Vec<u32>,
    mills: Vec<u32>,
    fly: bool,
}

const KIT: Kit = Kit {
    kinds: &[
        Kind { in_hand: true, ..Kind::stone(Side::One, "1") },
        Kind { in_hand: true, ..Kind::stone(Side::Two, "2") },
    ],
    ..Kit::STONES
};

impl SixMensMorris {
    /// The men of a set that stand in mills.
    fn milled(&self, men: u32) -> u32 {
        let full = self.mills.iter().filter(|mill| men & *mill == **mill);
        full.fold(0, |set, mill| set | mill)
    }
}

impl Rules for SixMensMorris {
    const TURNS: Turns = Turns::Mine;

    fn board(&self) -> &Board {
        &self.board
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        let few = position.count == PLACING && position.x.count_ones() < 3;
        few.then_some(Outcome::Loss)
    }

    fn steps(&self, position: &Position, mut each: impl FnMut(Step)) {
        let Position { x, o, count, .. } = *position;
        let free = self.board.free(position);
        let loose = o & !self.milled(o);
        let mut step = |step: Step| {
            let after = position.after(step).x;
            let closed = step.to.is_some_and(|to| self.milled(after) >> to & 1 == 1);
            let taken = if loose == 0 { o } else { loose };
            match closed && taken != 0 {
                true => points(taken).for_each(|take| each(Step { take: Some(take), ..step })),
                false => each(step),
            }
        };
        if count < PLACING {
            return points(free).for_each(|to| step(Step::put(to)));
        }
        let flies = self.fly && x.count_ones() == 3;
        for from in points(x) {
            let reach = if flies { free } else { self.near[usize::from(from)] & free };
            points(reach).for_each(|to| step(Step::go(from, to)));
        }
    }

    fn play(&self, position: &Position, step: Step) -> Position {
        Position { count: PLACING.min(position.count + 1), ..position.after(step) }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        if position.count == PLACING {
            return position.men(2..=6, 3..=6);
        }
        let placed = u32::from(position.count);
        position.men(0..=placed / 2, 0..=placed.div_ceil(2))
    }

    fn counts(&self) -> u8 {
        PLACING + 1
    }

    fn hands(&self, position: &Position) -> Option<[u8; 2]> {
        Some([6 - position.count / 2, 6 - position.count.div_ceil(2)])
    }

    fn write_count(&self, count: u8) -> String {
        format!("{} {}", 6 - count / 2, 6 - count.div_ceil(2))
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame<SixMensMorris> {
    let square = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];
    let place = |half: i8| square.map(|(x, y)| (f32::from(2 + half * x), f32::from(2 + half * y)));
    let side = |point: usize| (point, point / 8 * 8 + (point + 1) % 8);
    let edges: Vec<_> = (0..16).map(side).chain([1, 3, 5, 7].map(|at| (at, at + 8))).collect();
    let board = Board::graph(&[place(2), place(1)].concat(), &edges).also(|point| (point + 8) % 16);
    let mill = |corner: u32| 0b111u32 << corner | if corner == 6 { 1 } else { 0 };
    let outer = [0, 2, 4, 6].map(|corner| mill(corner) & 0xff);
    let mills = [outer, outer.map(|mill| mill << 8)].concat();
    BoardGame::new(SixMensMorris { near: board.near(), board, mills, fly: options.get("fly") == "yes" })
}

/// Six men's morris, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[choice("fly", &["no", "yes"], "Whether a player with three men may move a man to any empty point", "駒が3個になった側が任意の空点へ動けるか：否、可")],
    ..Entry::new(
        "six-mens-morris",
        Words::new("Six men's morris", "シックスメンズモリス"),
        Words::new(
            "Two squares, one in the other, of eight points each, joined at the middles of their sides; six men a side. The players put their men on empty points in turn; then they move one man a turn along a line to an empty point. Who fills a side of a square takes an enemy man: one that is in no full side, if there is one. After the placing, who has two men left or cannot move loses. Endless play is a draw.",
            "辺の中点どうしを結んだ二重の正方形、計16点。各6個の駒を交互に空いた点に置き、置き終えたら1個ずつ線に沿って隣の空いた点へ動かす。正方形の一辺を3個で埋めるたびに相手の駒を1個取る（完成した辺にない駒があればその中から）。置き終えた後、2個に減るか動けなければ負け。千日手は引き分け。",
        ),
        |options| entry_game(game(options), options),
    )
};
