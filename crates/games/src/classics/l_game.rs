//! The L game, by Edward de Bono: one L a side, and two neutral pieces.

use super::l_pieces::LGame;
use super::prelude::*;

/// The game.
pub fn game(_: &Options) -> BoardGame {
    let board = Board::grid(4, 4);
    let group = board.group();
    // All images of the upright L, wherever it fits: three columns, two rows.
    let upright = [0, 1, 2, 4, 5, 6].map(|corner| 0b0011_0001_0001 << corner);
    let images = |l: u32| (0..group.order()).map(move |symmetry| group.image(symmetry, l));
    let placings = upright.into_iter().flat_map(images).collect();
    BoardGame::new(board, LGame(placings))
}

/// The L game, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::L_GAME,
    ..Entry::new(
        "l-game",
        Words::new("The L game", "Lゲーム"),
        Words::new(
            "Four by four cells; each player has one L of four cells, and there are two neutral pieces of one cell. X begins. A turn lifts the own L and puts it on other cells, turned or mirrored as one likes; then one neutral piece may be moved to an empty cell. Who cannot put the L anew loses; endless play is a draw.",
            "4×4のマス。各自に4マスのL字が1つ、中立の駒が2つ。Xから始める。手番では自分のLを持ち上げ、前と違う場所に置く（回転・裏返し自由）。その後、中立の駒1つを空いたマスへ動かしてもよい。Lを置き直せなければ負け。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
