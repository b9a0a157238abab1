//! Sixteen Musashi (十六むさし): a king against sixteen pieces, on three boards.
//!
//! Tetsurō Tanaka solved it in 2020, position by position. Here the bitmap engine
//! ([`kanzen_bitmap`]) does, which settles hundreds of positions with an instruction.

mod board;
mod checkpoint;
mod finds;
mod index;
mod notation;
mod rules;
mod sample;
mod solve;
mod solved;

mod whole;
mod writer;

pub use board::Board;
pub use rules::{Move, Musashi, Player, Position};
pub use solve::Bitmap;
pub use solved::SolvedMusashi;

use kanzen_core::Words;
use kanzen_index::Indexed;
use kanzen_registry::{AnyGame, Entry, Goal, Learn, Lesson, Options, TwoPlayer};

/// The rules, on every board.
const RULES: Words = Words::new(
    "One black king against brown pieces on points joined by lines; brown moves first. Each turn a piece goes along a line to an empty point. A king that has moved between two brown pieces on a straight line takes both. Brown wins if the king cannot move; black wins if brown cannot move or a position comes back.",
    "黒の親1個と茶の子。茶が先手。どちらも線に沿って隣の空点へ動く。親が動いた先で一直線に挟んだ子2個ずつを取る。親が動けなければ茶の勝ち、子が動けないか同一局面が現れれば黒の勝ち。",
);

/// What newcomers are told, with positions to play through.
const fn learn(lessons: &'static [Lesson]) -> Learn {
    Learn {
        moves: Words::new(
            "c1-c2 goes from c1 to c2; c3-c2xb2,d2 is a move of the king that takes the pieces on b2 and d2.",
            "c1-c2はc1からc2へ動く手、c3-c2xb2,d2は親が動いてb2とd2の子を取る手です。",
        ),
        positions: Words::new(
            "The five rows from the top: o is a brown piece, X the king, . an empty point, and _ no point at all; then the side to move, brown or black.",
            "上の行から5行を書きます。oは茶の子、Xは親、.は空いた点、_は点のない所です。最後に手番（brownかblack）を書きます。",
        ),
        lessons,
        fastest: true,
        ..Learn::NONE
    }
}

/// The tasks, the same on every board.
const TASKS: [Words; 5] = [
    Words::new(
        "Brown begins: move a brown piece along a line to an empty point.",
        "茶が先手です。茶の駒を線に沿って空いた点へ動かしましょう。",
    ),
    Words::new(
        "You play the king. Move it between two brown pieces on a straight line: it takes both.",
        "あなたは親です。一直線に並んだ2個の子の間に入ると、両方を取れます。",
    ),
    Words::new(
        "All pairs around the king are taken at once. Leave brown without a move.",
        "親のまわりの組はすべて同時に取れます。茶が動けないようにして勝ちましょう。",
    ),
    Words::new(
        "Brown wins if the king cannot move. Shut it in.",
        "親が動けなくなれば茶の勝ちです。閉じ込めましょう。",
    ),
    Words::new(
        "Brown is about to shut the king in. Get away.",
        "茶が親を閉じ込めようとしています。逃げましょう。",
    ),
];

const LESSONS33: &[Lesson] = &[
    Lesson {
        position: "ooooo_./o...o../o.X.o../o...o../ooooo_. brown",
        task: TASKS[0],
        goal: Goal::Move,
        answer: "c1-c2",
    },
    Lesson {
        position: "....._./.o.o.../..X..../......./o...._. black",
        task: TASKS[1],
        goal: Goal::Take,
        answer: "c3-c2xb2,d2",
    },
    Lesson {
        position: "...o._./..o.o../..Xo.../......./....._. black",
        task: TASKS[2],
        goal: Goal::Win,
        answer: "c3-d2xd1,c2,e2,d3",
    },
    Lesson {
        position: "X.o.._./oo...../......./......./....._. brown",
        task: TASKS[3],
        goal: Goal::Win,
        answer: "c1-b1",
    },
    Lesson {
        position: "ooX.o_./oo.oo../oo...../..oo.../oo.oo_. black",
        task: TASKS[4],
        goal: Goal::Guard,
        answer: "c1-c2xb2,d2",
    },
];

const LESSONS31: &[Lesson] = &[
    Lesson {
        position: "ooooo_./o...o._/o.X.o../o...o._/ooooo_. brown",
        task: TASKS[0],
        goal: Goal::Move,
        answer: "c1-c2",
    },
    Lesson {
        position: "....._./.o.o.._/..X..../......_/o...._. black",
        task: TASKS[1],
        goal: Goal::Take,
        answer: "c3-c2xb2,d2",
    },
    Lesson {
        position: "X.o.._./oo...._/......./......_/....._. brown",
        task: TASKS[3],
        goal: Goal::Win,
        answer: "c1-b1",
    },
    Lesson {
        position: "ooX.o_./oo.oo._/oo...../..oo.._/oo.oo_. black",
        task: TASKS[4],
        goal: Goal::Guard,
        answer: "c1-c2xb2,d2",
    },
];

const LESSONS25: &[Lesson] = &[
    Lesson {
        position: "ooooo/o...o/o.X.o/o...o/ooooo brown",
        task: TASKS[0],
        goal: Goal::Move,
        answer: "c1-c2",
    },
    Lesson {
        position: "...../.o.o./..X../...../o.... black",
        task: TASKS[1],
        goal: Goal::Take,
        answer: "c3-c2xb2,d2",
    },
    Lesson {
        position: "...o./..o.o/..Xo./...../..... black",
        task: TASKS[2],
        goal: Goal::Win,
        answer: "c3-d2xd1,c2,e2,d3",
    },
    Lesson {
        position: "X.o../oo.../...../...../..... brown",
        task: TASKS[3],
        goal: Goal::Win,
        answer: "c1-b1",
    },
    Lesson {
        position: "ooX.o/oo.oo/oo.../..oo./oo.oo black",
        task: TASKS[4],
        goal: Goal::Guard,
        answer: "c1-c2xb2,d2",
    },
];

/// The game on a board.
fn on(board: &'static Board, options: &Options) -> Box<dyn AnyGame> {
    let game = Musashi::new(board);
    Box::new(TwoPlayer::with_engine(game, Bitmap, Musashi::INDEX_VERSION, options))
}

/// The standard board of 33 points.
pub static BOARD33: Entry = Entry {
    name: "musashi33",
    title: Words::new(
        "Sixteen Musashi (十六むさし), the standard board of 33 points",
        "十六むさし（33点の標準盤）",
    ),
    rules: RULES,
    learn: learn(LESSONS33),
    options: &[],
    claims: |_| include_str!("claims/musashi33.json"),
    build: |options| on(Board::standard(), options),
};

/// The board of 31 points.
pub static BOARD31: Entry = Entry {
    name: "musashi31",
    title: Words::new("Sixteen Musashi, the board of 31 points", "十六むさし（31点の盤）"),
    rules: RULES,
    learn: learn(LESSONS31),
    options: &[],
    claims: |_| include_str!("claims/musashi31.json"),
    build: |options| on(Board::board31(), options),
};

/// The board of 25 points.
pub static BOARD25: Entry = Entry {
    name: "musashi25",
    title: Words::new("Sixteen Musashi, the board of 25 points (八道行成)", "八道行成（25点の盤）"),
    rules: RULES,
    learn: learn(LESSONS25),
    options: &[],
    claims: |_| include_str!("claims/musashi25.json"),
    build: |options| on(Board::board25(), options),
};
