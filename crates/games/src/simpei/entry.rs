//! Simpei, for a registry.

use super::Simpei;
use kanzen_core::Words;
use kanzen_registry::{Entry, Goal, Learn, Lesson, OptionSpec, Tables, TwoPlayer};

/// Positions to play through.
const LESSONS: &[Lesson] = &[
    Lesson::new(
        Goal::Move,
        "0000-0200-0000-0000/000-000-000",
        "6",
        "The first piece stands on an upper centre hole. Put yours on any empty hole, in the upper or the lower world.",
        "最初の駒は上段の中央にあります。上段でも下段でも、空いた穴に自分の駒を置きましょう。",
    ),
    Lesson::new(
        Goal::Win,
        "1100-0200-0020-0000/000-000-000",
        "2",
        "Three in a line win, if the piece just put or moved is one of them and no fourth follows. Win at once.",
        "置いた駒か動かした駒を含めて、ちょうど三つ並べば勝ちです（四つでは勝ちになりません）。1手で勝ちましょう。",
    ),
    Lesson::new(
        Goal::Guard,
        "2200-0100-0001-0000/000-000-000",
        "2",
        "Red has two in a line and wins with a third. Do not let it happen.",
        "赤は二つ並び、三つ目で勝ちます。防ぎましょう。",
    ),
    Lesson::new(
        Goal::Take,
        "0000-1200-0000-0000/000-000-000",
        "6:5>24",
        "A piece between two of yours in a line is caught. Catch the red piece, and move it to a hole of your choice.",
        "自分の駒二つで直線にはさんだ相手の駒は、好きな空いた穴へ移します。赤の駒をはさみましょう。",
    ),
    Lesson::new(
        Goal::Win,
        "1100-0200-0020-2002/010-000-001",
        "17-2",
        "All eight pieces are down: now a piece steps along a line to the other world. Win with a step.",
        "八つの駒が置かれたら、駒は線に沿ってもう一つの世界へ1歩動きます。動いて勝ちましょう。",
    ),
    Lesson::new(
        Goal::Force,
        "0200-0001-0000-0200/000-001-000",
        "11",
        "Two threats at once cannot be met. Find the move after which you win whatever Red does.",
        "二つの狙いは同時に防げません。相手がどう指しても次に勝てる手を見つけましょう。",
    ),
];

/// What the game says of itself.
pub static ENTRY: Entry = Entry {
    name: "simpei",
    title: Words::new("Simpei (シンペイ)", "シンペイ"),
    rules: Words::new(
        "Two worlds of holes, 4x4 above and 3x3 below. Four pieces a side are put down in turn, then step between the worlds. Enemy pieces caught in a straight line between two own ones are moved to empty holes by the catcher. Who makes a line of exactly three with the piece just moved wins; endless play is a draw. The first piece goes to an upper centre hole.",
        "上段4×4と下段3×3の二つの世界。各4個の駒を交互に置き、置き終えたら上下の世界の間を1歩ずつ動く。はさんだ相手の駒は空いた穴へ移す。動かした駒でちょうど三つ並べれば勝ち。千日手は引き分け。初手は上段中央に限る。",
    ),
    learn: Learn {
        moves: Words::new(
            "9 puts a piece on hole 9; 5-16 steps from hole 5 to hole 16. What stands after a colon is caught: 9:5>3 puts a piece on 9, catches the piece on 5 and moves it to 3.",
            "9は穴9に置く手、5-16は穴5から穴16へ動く手です。コロンの後は、はさんだ駒とその行き先です。9:5>3は9に置き、5の駒をはさんで3へ移します。",
        ),
        positions: Words::new(
            "25 digits: the four rows of the upper world (holes 0 to 15), then the three rows of the lower world (16 to 24). 1 is a piece of the side to move, 2 one of the other side, 0 an empty hole.",
            "25個の数字です。上段の4行（穴0〜15）、下段の3行（16〜24）の順に、1は手番側の駒、2は相手の駒、0は空いた穴を表します。",
        ),
        lessons: LESSONS,
        ..Learn::NONE
    },
    options: &[
        OptionSpec {
            name: "first",
            values: &["centre", "free"],
            help: Words::new(
                "where the first piece goes: an upper centre hole, or anywhere",
                "最初の駒を置く場所：上段の中央、またはどこでも",
            ),
            called: &[
                Words::new("an upper centre hole", "上段の中央"),
                Words::new("anywhere", "どこでも"),
            ],
            tables: Tables::AreShared,
        },
        OptionSpec {
            name: "pieces",
            values: &["4", "3", "2"],
            help: Words::new("pieces a side", "各側の駒の数"),
            called: &[],
            tables: Tables::Differ,
        },
    ],
    claims: |_| include_str!("claims.json"),
    build: |options| {
        let game = Simpei::new(options.number("pieces"), options.get("first") == "free");
        Box::new(TwoPlayer::new(game, options))
    },
};
