//! Doubutsu Shogi, for a registry.

use super::{Doubutsu, KINDS, Options as Rules, Style};
use kanzen_core::Words;
use kanzen_registry::{Entry, Goal, Learn, Lesson, OptionSpec, Tables, TwoPlayer};

/// Positions to play through.
const LESSONS: &[Lesson] = &[
    Lesson::new(
        Goal::Take,
        "S/gle/-c-/-C-/ELG/-",
        "Cb3xb2",
        "The dots on a piece show where it steps. Take the enemy chick with yours: it goes to your hand.",
        "駒の点は動ける方向を表します。ひよこで相手のひよこを取りましょう。取った駒は持ち駒になります。",
    ),
    Lesson::new(
        Goal::Named,
        "S/gle/---/---/ELG/Cc",
        "C*b2",
        "Instead of moving you may drop a piece from your hand on an empty square. Drop your chick in front of the enemy lion, on b2.",
        "駒を動かす代わりに、持ち駒を空いたマスに打てます。ひよこを相手のライオンの前、b2に打ちましょう。",
    ),
    Lesson::new(
        Goal::Win,
        "S/gle/-C-/---/ELG/C",
        "Cb2xb1",
        "Who takes the enemy lion wins. Take it.",
        "相手のライオンを取れば勝ちです。取りましょう。",
    ),
    Lesson::new(
        Goal::Guard,
        "S/gle/---/-c-/ELG/C",
        "Lb4xb3",
        "The enemy chick attacks your lion. Save it.",
        "相手のひよこがライオンを狙っています。ライオンを守りましょう。",
    ),
    Lesson::new(
        Goal::Named,
        "S/g-e/l-C/---/ELG/c",
        "Cc2xc1",
        "A chick that steps onto the last row becomes a hen, which steps almost anywhere. Let it.",
        "ひよこが一番奥の段に進むと、ほぼ全方向に動けるにわとりになります。進めましょう。",
    ),
    Lesson::new(
        Goal::Win,
        "S/--l/L--/---/---/GECgec",
        "La2-a1",
        "A lion that reaches the last row where nobody can take it wins as well. Go there.",
        "ライオンが取られずに一番奥の段に着いても勝ちです（トライ）。進みましょう。",
    ),
];

/// What the game says of itself.
pub static ENTRY: Entry = Entry {
    name: "doubutsu",
    title: Words::new("Doubutsu Shogi (どうぶつしょうぎ)", "どうぶつしょうぎ"),
    rules: Words::new(
        "Shogi for children on 3x4 squares: lion, giraffe, elephant and chick move one step each; captured pieces are dropped again, a chick that reaches the last row becomes a hen. Who captures the lion wins, or who brings the own lion safely to the last row. Repetition is a draw.",
        "3×4の盤の子供向け将棋。ライオン・きりん・ぞう・ひよこは1歩ずつ動き、取った駒は打てる。ひよこは最奥段でにわとりに成る。ライオンを取るか、安全に最奥段へ入れば勝ち。千日手は引き分け。",
    ),
    learn: Learn {
        moves: Words::new(
            "Gc4-c3 steps from c4 to c3, Cb3xb2 takes what stands on b2, C*b2 drops a chick on b2. L is the lion, G the giraffe, E the elephant, C the chick and R the hen.",
            "Gc4-c3はc4からc3へ動く手、Cb3xb2はb2の駒を取る手、C*b2はひよこをb2に打つ手です。Lはライオン、Gはきりん、Eはぞう、Cはひよこ、Rはにわとりです。",
        ),
        positions: Words::new(
            "The side to move, S or G; the four rows from the top; the pieces in hand. Capitals are the pieces of Sente, who begins at the bottom; - is an empty square, or empty hands.",
            "手番（SかG）、上の段から4段、持ち駒の順に書きます。大文字は下側の先手の駒、-は空きマスか、持ち駒なしを表します。",
        ),
        lessons: LESSONS,
        ..Learn::NONE
    },
    options: &[
        OptionSpec {
            name: "last_row_chick_drop",
            values: &["allowed", "banned"],
            help: Words::new(
                "whether a chick may be dropped on the enemy's last row",
                "最終段にひよこを打てるか",
            ),
            called: &[Words::new("it may", "打てる"), Words::new("it may not", "打てない")],
            tables: Tables::Differ,
        },
        OptionSpec {
            name: "drops",
            values: &["allowed", "none"],
            help: Words::new("whether captured pieces may be dropped", "取った駒を打てるか"),
            called: &[Words::new("they may", "打てる"), Words::new("no drops", "打てない")],
            tables: Tables::Differ,
        },
        OptionSpec {
            name: "notation",
            values: &["plain", "fen"],
            help: Words::new(
                "how positions are written: S/gle/-c-/-C-/ELG/- or gle/1c1/1C1/ELG[-] w",
                "局面の書き方：S/gle/-c-/-C-/ELG/- または gle/1c1/1C1/ELG[-] w",
            ),
            called: &[
                Words::new("this program's own", "このプログラムの書き方"),
                Words::new("FEN", "FEN"),
            ],
            tables: Tables::AreShared,
        },
        OptionSpec {
            name: "moves",
            values: &["letters", "japanese"],
            help: Words::new(
                "how moves are written: Cb3xb2 or B2ひよこ",
                "手の書き方：Cb3xb2 または B2ひよこ",
            ),
            called: &[Words::new("letters", "英字"), Words::new("Japanese", "日本語")],
            tables: Tables::AreShared,
        },
    ],
    claims: |_| include_str!("claims.json"),
    build: |options| {
        let rules = Rules {
            last_row_chick_drop: options.get("last_row_chick_drop") == "allowed",
            drops: options.get("drops") == "allowed",
        };
        let style = Style {
            fen: options.get("notation") == "fen",
            japanese: options.get("moves") == "japanese",
        };
        let game = Doubutsu::new(rules).with_style(style);
        Box::new(TwoPlayer::with_kinds(game, options, KINDS))
    },
};
