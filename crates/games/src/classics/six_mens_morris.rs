//! Six men's morris: two squares, sixteen points; a mill takes a man.

use super::mills::Mills;
use super::prelude::*;

/// The game with these options: the outer square is 0-7 from the top left, the inner one 8-15.
pub fn game(options: &Options) -> BoardGame {
    let square = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];
    let place = |half: i8| square.map(|(x, y)| (f32::from(2 + half * x), f32::from(2 + half * y)));
    let side = |point: usize| (point, point / 8 * 8 + (point + 1) % 8);
    let edges: Vec<_> = (0..16).map(side).chain([1, 3, 5, 7].map(|at| (at, at + 8))).collect();
    let board = Board::graph(&[place(2), place(1)].concat(), &edges);
    let outer = lines(&[&[0, 1, 2], &[2, 3, 4], &[4, 5, 6], &[6, 7, 0]]);
    let inner: Vec<u32> = outer.iter().map(|mill| mill << 8).collect();
    let rules = Mills { mills: [outer, inner].concat(), men: 6, fly: options.get("fly") == "yes" };
    BoardGame::new(board.also(|point| (point + 8) % 16), rules)
}

/// Six men's morris, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[choice(
        "fly",
        &["no", "yes"],
        "whether a man may go to any empty point when three are left",
        "3個になったら任意の空点へ動けるか：否、可",
    )
    .called(&[Words::new("no", "否"), Words::new("yes", "可")])],
    learn: learn::SIX_MENS_MORRIS,
    ..Entry::new(
        "six-mens-morris",
        Words::new("Six men's morris", "シックスメンズモリス"),
        Words::new(
            "Two squares, one in the other, of eight points each, joined at the middles of their sides; six men a side. The players put their men on empty points in turn; then they move one man a turn along a line to an empty point. Who fills a side of a square takes an enemy man: one that is in no full side, if there is one. After the placing, who has two men left or cannot move loses. Endless play is a draw.",
            "辺の中点どうしを結んだ二重の正方形、計16点。各6個の駒を交互に空いた点に置き、置き終えたら1個ずつ線に沿って隣の空いた点へ動かす。正方形の一辺を3個で埋めるたびに相手の駒を1個取る（完成した辺にない駒があればその中から）。置き終えた後、2個に減るか動けなければ負け。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
