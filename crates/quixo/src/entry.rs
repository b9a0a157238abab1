//! Quixo, for a registry.

use crate::Quixo;
use kanzen_core::Words;
use kanzen_registry::{Entry, Learn, OptionSpec, Tables, TwoPlayer};

/// The numbers of marked cubes.
#[rustfmt::skip]
const FROM: &[&str] = &[
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
    "18", "19", "20", "21", "22", "23", "24", "25",
];

/// What the game says of itself.
pub static ENTRY: Entry = Entry {
    options: &[
        OptionSpec {
            name: "size",
            values: &["4", "3", "5"],
            help: Words::new("rows and columns of the board", "盤の行数と列数"),
            called: &[],
            tables: Tables::Differ,
        },
        OptionSpec {
            name: "from",
            values: FROM,
            help: Words::new(
                "only boards with at least so many marked cubes; there are no more than the board has",
                "印のあるキューブがこの数以上の盤面だけ（盤のキューブの数まで）",
            ),
            called: &[],
            tables: Tables::Differ,
        },
    ],
    learn: Learn {
        moves: Words::new(
            "a1-a4 takes the cube on a1 and pushes it in at a4; the cubes between move up.",
            "a1-a4はa1のキューブを取り、a4から押し込む手です。間のキューブはずれます。",
        ),
        positions: Words::new(
            "The rows from the top joined by /: O is the mark of the side to move, X that of the other side, . a blank cube.",
            "上の行から/で区切り、Oは手番側の印、Xは相手の印、.は無地です。",
        ),
        known: Words::new(
            "Thierry Chapeau invented it in 1995. Satoshi Tanaka, François Bonnet, Sébastien Tixeuil and Yasumasa Tamura solved the board of five by five in 2020: it is a draw.",
            "1995年にティエリー・シャポーが考えました。2020年にTanaka、Bonnet、Tixeuil、Tamuraが5×5の盤を解き、引き分けと示しました。",
        ),
        ..Learn::NONE
    },
    ..Entry::new(
        "quixo",
        Words::new("Quixo", "クイキシオ"),
        Words::new(
            "A square of blank cubes. A turn takes a cube from the border that is blank or shows the own mark, marks it, and pushes it in at another end of its row or column; the cubes between move up. Who gets a whole row, column or diagonal of the own mark wins; who makes one of the other's mark loses, even together with an own one. Endless play is a draw.",
            "無地のキューブを正方形に並べる。手番の者は、縁にある無地か自分の印のキューブを1個取り、自分の印にして、取った行か列の別の端から押し込む（間のキューブはずれる）。縦・横・斜めの一列を自分の印で揃えれば勝ち。相手の印の列を作ると、自分の列も同時にできても負け。千日手は引き分け。",
        ),
        |options| {
            let game = Quixo::new(options.number("size"), options.number("from"));
            Box::new(TwoPlayer::new(game, options))
        },
    )
};
