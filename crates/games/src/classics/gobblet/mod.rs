//! Gobblet Gobblers: pieces of three sizes on three by three cells, large ones over small ones.

mod layer;
mod notation;
mod rules;

pub use rules::{Gobblet, Move, Position};

use super::choice;
use kanzen_core::Words;
use kanzen_registry::{Entry, Learn, Options, TwoPlayer};

/// The game with these options.
pub fn game(options: &Options) -> Gobblet {
    let mover_first = options.get("both") == "mover";
    Gobblet::new(options.number("sizes") as usize, options.number("pieces"), mover_first)
}

/// Gobblet Gobblers, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[
        choice(
            "both",
            &["opponent", "mover"],
            "who wins if both have a line after a move: the player who did not move, or the mover",
            "着手後に両者の列ができたときの勝者：相手、指した側",
        )
        .called(&[
            Words::new("the player who did not move", "相手"),
            Words::new("the mover", "指した側"),
        ]),
        choice("sizes", &["3", "2"], "how many sizes of pieces there are", "駒の大きさの種類の数"),
        choice(
            "pieces",
            &["2", "1"],
            "how many pieces of each size a player has",
            "各大きさの駒の数",
        ),
    ],
    learn: Learn {
        moves: Words::new(
            "s-b2 puts a small piece from the hand on b2, lc1-b1 moves the large piece from c1 to b1; m is a medium piece.",
            "s-b2は手の小駒をb2に置く手、lc1-b1は大駒をc1からb1へ動かす手です。mは中駒です。",
        ),
        positions: Words::new(
            "Nine cells joined by /, each with its pieces from bottom to top, - if there is none. Small letters are pieces of the side to move, capitals those of the other side.",
            "9つのマスを/で区切り、下の駒から順に書きます。-は空きマスです。小文字は手番側、大文字は相手の駒です。",
        ),
        known: Words::new(
            "Thierry Denoual's game, the small form of Gobblet. Several people have solved it by programs of their own, and agree on what can arise.",
            "ティエリー・ドヌアルの考案で、ゴブレットの小型版です。何人かがそれぞれのプログラムで解き、現れる局面の数は一致しています。",
        ),
        ..Learn::NONE
    },
    ..Entry::new(
        "gobblet",
        Words::new("Gobblet Gobblers", "ゴブレット・ゴブラーズ"),
        Words::new(
            "Three by three cells; each player has two small, two medium and two large pieces in hand. A turn puts a piece from the hand on a cell, or moves an own uncovered piece to another cell: an empty one, or over a smaller piece of either player. A covered piece stays and is seen again when the piece above it leaves. Three uncovered pieces of one player in a row win, also when the opponent uncovers them. Endless play is a draw.",
            "3×3のマス。各自が小・中・大の駒を2個ずつ手に持つ。手番では手の駒を1個置くか、覆われていない自分の駒を別のマスへ動かす。空いたマスか、どちらかの小さい駒の上に置ける。覆われた駒はその場に残り、上の駒が動けばまた見える。見えている自分の駒が縦横斜めに3個並べば勝ち（相手が動いて並んだときも）。千日手は引き分け。",
        ),
        |options| Box::new(TwoPlayer::explicit(game(options), options)),
    )
};
