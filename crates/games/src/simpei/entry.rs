//! Simpei, for a registry.

use super::Simpei;
use kanzen_core::Words;
use kanzen_registry::{Entry, OptionSpec, Tables, TwoPlayer};

/// What the game says of itself.
pub static ENTRY: Entry = Entry {
    name: "simpei",
    title: Words::new("Simpei (シンペイ)", "シンペイ"),
    rules: Words::new(
        "Two worlds of holes, 4x4 above and 3x3 below. Four pieces a side are put down in turn, then step between the worlds. Enemy pieces caught in a straight line between two own ones are moved to empty holes by the catcher. Who makes a line of exactly three with the piece just moved wins; endless play is a draw. The first piece goes to an upper centre hole.",
        "上段4×4と下段3×3の二つの世界。各4個の駒を交互に置き、置き終えたら上下の世界の間を1歩ずつ動く。はさんだ相手の駒は空いた穴へ移す。動かした駒でちょうど三つ並べれば勝ち。千日手は引き分け。初手は上段中央に限る。",
    ),
    options: &[
        OptionSpec {
            name: "first",
            values: &["centre", "free"],
            help: Words::new(
                "where the first piece goes: an upper centre hole, or anywhere",
                "最初の駒を置く場所：上段の中央、またはどこでも",
            ),
            tables: Tables::AreShared,
        },
        OptionSpec {
            name: "pieces",
            values: &["4", "3", "2"],
            help: Words::new("pieces a side", "各側の駒の数"),
            tables: Tables::Differ,
        },
    ],
    claims: |_| include_str!("claims.json"),
    build: |options| {
        let game = Simpei::new(options.number("pieces"), options.get("first") == "free");
        Box::new(TwoPlayer::new(game, options))
    },
};
