//! Mū tōrere with the rules by which men may enter the centre: always restricted, at first, or never.

use super::{choice, entry_game};
use kanzen_core::{NotationError, Words};
use kanzen_parts::{Board, BoardGame, Position, Rules, Step, Turn, legal, points};
use kanzen_registry::{Entry, Options};

/// The rules; the ring is 0-7, the centre 8.
#[derive(Clone, Debug)]
pub struct MuTorere {
    board: Board,
    near: Vec<u32>,
    /// The plies for which the centre is restricted, if not for ever.
    limit: Option<u8>,
}

impl Rules for MuTorere {
    fn board(&self) -> &Board {
        &self.board
    }

    fn start(&self) -> Position {
        Position::of("XXXXOOOO.")
    }

    fn steps(&self, position: &Position, mut each: impl FnMut(Step)) {
        let free = self.board.free(position);
        let restricted = self.limit.is_none_or(|limit| position.count < limit);
        for from in points(position.mine()) {
            let near = self.near[usize::from(from)];
            let barred = restricted && near & position.theirs() == 0 && free == 1 << 8;
            points(near & free).filter(|_| !barred).for_each(|to| each(Step::go(from, to)));
        }
    }

    fn play(&self, position: &Position, step: Step) -> Position {
        let count = (position.count + 1).min(self.counts() - 1);
        Position { count, ..position.after(step) }
    }

    fn counts(&self) -> u8 {
        self.limit.unwrap_or(0) + 1
    }

    fn write_count(&self, count: u8) -> String {
        count.to_string()
    }

    fn caption(&self, position: &Position) -> String {
        if self.counts() > 1 { format!("plies: {}", position.count) } else { String::new() }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        position.men(4..=4, 4..=4)?;
        let capped = position.count + 1 == self.counts();
        let odd = position.count % 2 == 1;
        legal(capped || odd == (position.turn == Turn::O), "X moves after an even number of plies")
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame<MuTorere> {
    let board = Board::ring(8);
    let limit = match options.get("restriction") {
        "first-two" => Some(4),
        "first-move" => Some(2),
        "free" => Some(0),
        _ => None,
    };
    BoardGame::new(MuTorere { near: board.near(), board, limit })
}

/// Mū tōrere, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[choice(
        "restriction",
        &["always", "first-two", "first-move", "free"],
        "A man beside no enemy may not enter the centre: always, in each player's first two moves, in the first move, or never",
        "敵が隣にない駒は中央に入れない：常に、各自の最初の2手、最初の1手、制限なし",
    )],
    ..Entry::new(
        "mu-torere",
        Words::new("Mū tōrere, its rule sets", "ムー・トレレ（各ルール）"),
        Words::new(
            "Eight points on a ring and a centre; four men a side, X begins. A turn moves one man to the empty point: along the ring, out of the centre, or into it. A man may enter the centre only if an enemy is beside it on the ring, always or for the first moves. Who cannot move loses; endless play is a draw.",
            "8点の輪と中央。各4個の駒、Xから始める。空いた点へ駒を1個動かす。輪に沿うか、中央から出るか、中央へ入る。中央へ入れるのは輪の隣に敵がいる駒だけ（常に、または最初の数手）。動けなければ負け。千日手は引き分け。",
        ),
        |options| entry_game(game(options), options),
    )
};
