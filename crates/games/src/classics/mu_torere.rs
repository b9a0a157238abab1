//! Mū tōrere with all rules of who may enter the centre: restricted always, at first, or never.

use super::prelude::*;

/// The rules: the plies for which the centre is restricted, which a position counts; or always.
pub struct MuTorere(u8, bool);

impl Rules for MuTorere {
    fn start(&self) -> Position {
        Position::of("XXXXOOOO.")
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let free = board.free(position);
        let restricted = free == 1 << 8 && (self.1 || position.count < self.0);
        let barred = |from| restricted && board.near(from) & position.theirs() == 0;
        position.slides(|from| if barred(from) { 0 } else { board.near(from) & free }, each);
    }

    fn play(&self, position: &Position, step: Step) -> Position {
        Position { count: self.0.min(position.count + 1), ..position.after(step) }
    }
    fn counts(&self) -> Option<u8> {
        Some(self.0 + 1)
    }
    fn men(&self) -> Men {
        [4..=4, 4..=4]
    }
    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let in_turn = position.count % 2 == position.turn as u8;
        legal(in_turn || position.count == self.0, "X moves after an even number of plies")
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let limits = [("first-two", 4), ("first-move", 2), ("free", 0)];
    let limit = limits.into_iter().find(|limit| limit.0 == options.get("restriction"));
    BoardGame::new(Board::ring(8), MuTorere(limit.map_or(0, |limit| limit.1), limit.is_none()))
}

/// Mū tōrere, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::MU_TORERE,
    options: &[choice(
        "restriction",
        &["always", "first-two", "first-move", "free"],
        "a man beside no enemy may not enter the centre: always, in each player's first two moves, in the first move, or never",
        "敵が隣にない駒は中央に入れない：常に、各自の最初の2手、最初の1手、制限なし",
    ).called(&[Words::new("always", "常に"), Words::new("in the first two moves", "各自の最初の2手"), Words::new("in the first move", "最初の1手"), Words::new("never", "制限なし")])],
    ..Entry::new(
        "mu-torere",
        Words::new("Mū tōrere (rule sets)", "ムー・トレレ（各ルール）"),
        Words::new(
            "Eight points on a ring and a centre; four men a side, X begins. A turn moves one man to the empty point: along the ring, out of the centre, or into it. A man may enter the centre only if an enemy is beside it on the ring, always or for the first moves. Who cannot move loses; endless play is a draw.",
            "8点の輪と中央。各4個の駒、Xから始める。空いた点へ駒を1個動かす。輪に沿うか、中央から出るか、中央へ入る。中央へ入れるのは輪の隣に敵がいる駒だけ（常に、または最初の数手）。動けなければ負け。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
