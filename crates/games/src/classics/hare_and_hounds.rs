//! Hare and hounds: three hounds that never go back hunt a hare that wants to get past them.

use super::{choice, entry_game, won_by};
use kanzen_core::{Colour, Kind, Kit, NotationError, Outcome, Party, Side, Words};
use kanzen_parts::{Board, BoardGame, LETTERS, Position, Rules, Step, Turn, points};
use kanzen_registry::{Entry, Options};

/// The columns of the points A to K.
const COLUMNS: [u8; 11] = [1, 2, 3, 0, 1, 2, 3, 4, 1, 2, 3];

/// The rules: the hounds are X, the hare is O.
#[derive(Clone, Debug)]
pub struct Hunt {
    board: Board,
    /// Where a hound and the hare may go from each point.
    reach: [Vec<u32>; 2],
    level: bool,
    first: Turn,
}

const KIT: Kit = Kit {
    parties: &[
        Party { side: Side::One, name: Words::new("Hounds", "猟犬"), colour: Colour::Brown },
        Party { side: Side::Two, name: Words::new("Hare", "野兎"), colour: Colour::Yellow },
    ],
    kinds: &[Kind::stone(Side::One, "d"), Kind::stone(Side::Two, "h")],
    ..LETTERS
};

impl Rules for Hunt {
    fn board(&self) -> &Board {
        &self.board
    }

    fn start(&self) -> Position {
        Position { turn: self.first, ..Position::of("X..X...OX..") }
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        let column = |point: u8| COLUMNS[usize::from(point)];
        let last = points(position.x).map(column).min()?;
        let hare = points(position.o).map(column).min()?;
        let escaped = hare < last || self.level && hare == last;
        escaped.then(|| won_by(Turn::O, position.turn))
    }

    fn steps(&self, position: &Position, mut each: impl FnMut(Step)) {
        let free = self.board.free(position);
        for from in points(position.mine()) {
            let to = self.reach[position.turn as usize][usize::from(from)] & free;
            points(to).for_each(|to| each(Step::go(from, to)));
        }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        position.men(3..=3, 1..=1)
    }

    fn write(&self, position: &Position) -> String {
        let names = |set| points(set).map(|point| self.board.name(point)).collect::<String>();
        let turn = if position.turn == Turn::X { 'd' } else { 'h' };
        format!("{} {} {turn}", names(position.x), names(position.o))
    }

    fn read(&self, text: &str) -> Result<Position, NotationError> {
        let shape = || NotationError::shape("hounds, hare and side to move, such as ADI H d", text);
        let point = |set: Option<u32>, letter: char| {
            let point = u32::from(letter).checked_sub('A'.into()).filter(|point| *point < 11)?;
            set.filter(|set| set >> point & 1 == 0).map(|set| set | 1 << point)
        };
        let [hounds, hare, turn] = text.split_whitespace().collect::<Vec<_>>()[..] else { return Err(shape()) };
        let x = hounds.chars().fold(Some(0), point).ok_or_else(shape)?;
        let all = hare.chars().fold(Some(x), point).ok_or_else(shape)?;
        let turn = match turn {
            "d" => Turn::X,
            "h" => Turn::O,
            _ => return Err(shape()),
        };
        Ok(Position { turn, ..Position::new(x, all & !x) })
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame<Hunt> {
    const EDGES: &str = "DA DE DI AB BC AE AF BF CF CG CH EF FG GH EI FI FJ FK GK HK IJ JK";
    let edges = EDGES.split(' ').map(|edge| edge.as_bytes());
    let edges: Vec<_> = edges.map(|edge| [0, 1].map(|end: usize| usize::from(edge[end] - b'A')).into()).collect();
    let row = |point: usize| [0., 1., 2.][usize::from(point > 2) + usize::from(point > 7)];
    let places: Vec<_> = (0..11).map(|point| (COLUMNS[point].into(), row(point))).collect();
    let board = Board::graph(&places, &edges).named("ABCDEFGHIJK");
    let board = board.keeping(|from, to| COLUMNS[from] == COLUMNS[to]);
    let behind = |from: usize| (0..11).filter(|&to| COLUMNS[to] < COLUMNS[from]).fold(0, |set, to| set | 1 << to);
    let hare = board.near();
    let hounds = hare.iter().enumerate().map(|(from, near)| near & !behind(from)).collect();
    let first = if options.get("first") == "hare" { Turn::O } else { Turn::X };
    BoardGame::new(Hunt { board, reach: [hounds, hare], level: options.get("escape") == "level", first })
}

/// Hare and hounds, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[
        choice(
            "escape",
            &["strict", "level"],
            "The hare escapes when it is past all hounds, or as soon as it is level with the last",
            "兎の逃げ切り：全ての猟犬を通り過ぎたとき、最後の猟犬と同じ列に並んだとき",
        ),
        choice("first", &["hounds", "hare"], "Who moves first", "先手：猟犬、野兎"),
    ],
    ..Entry::new(
        "hare-and-hounds",
        Words::new("Hare and hounds", "野兎と猟犬"),
        Words::new(
            "Eleven points joined by lines; three hounds start on the left, a hare on the right. A turn moves one piece along a line to an empty point; hounds never go back to the left. The hounds win when the hare cannot move, the hare when it has got past all hounds. Endless play is a draw.",
            "線で結ばれた11点。左に猟犬3匹、右に野兎1匹。手番では1匹を線に沿って隣の空いた点へ動かす。猟犬は左へ戻れない。野兎が動けなくなれば猟犬の勝ち、野兎が全ての猟犬を通り過ぎれば野兎の勝ち。千日手は引き分け。",
        ),
        |options| entry_game(game(options), options),
    )
};
