//! Doubutsu Shogi, for a registry.

use super::{Doubutsu, KINDS, Options as Rules, Style};
use kanzen_core::Words;
use kanzen_registry::{Entry, OptionSpec, Tables, TwoPlayer};

/// What the game says of itself.
pub static ENTRY: Entry = Entry {
    name: "doubutsu",
    title: Words::new("Doubutsu Shogi (どうぶつしょうぎ)", "どうぶつしょうぎ"),
    rules: Words::new(
        "Shogi for children on 3x4 squares: lion, giraffe, elephant and chick move one step each; captured pieces are dropped again, a chick that reaches the last row becomes a hen. Who captures the lion wins, or who brings the own lion safely to the last row. Repetition is a draw.",
        "3×4の盤の子供向け将棋。ライオン・きりん・ぞう・ひよこは1歩ずつ動き、取った駒は打てる。ひよこは最奥段でにわとりに成る。ライオンを取るか、安全に最奥段へ入れば勝ち。千日手は引き分け。",
    ),
    options: &[
        OptionSpec {
            name: "last_row_chick_drop",
            values: &["allowed", "banned"],
            help: Words::new(
                "whether a chick may be dropped on the enemy's last row",
                "最終段にひよこを打てるか",
            ),
            tables: Tables::Differ,
        },
        OptionSpec {
            name: "drops",
            values: &["allowed", "none"],
            help: Words::new("whether captured pieces may be dropped", "取った駒を打てるか"),
            tables: Tables::Differ,
        },
        OptionSpec {
            name: "notation",
            values: &["plain", "fen"],
            help: Words::new(
                "how positions are written: S/gle/-c-/-C-/ELG/- or gle/1c1/1C1/ELG[-] w",
                "局面の書き方：S/gle/-c-/-C-/ELG/- または gle/1c1/1C1/ELG[-] w",
            ),
            tables: Tables::AreShared,
        },
        OptionSpec {
            name: "moves",
            values: &["letters", "japanese"],
            help: Words::new(
                "how moves are written: Cb3xb2 or B2ひよこ",
                "手の書き方：Cb3xb2 または B2ひよこ",
            ),
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
