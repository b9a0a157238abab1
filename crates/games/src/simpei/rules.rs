//! The rules of Simpei.

use super::board::{ALL, BOARD, bits, subsets};
use kanzen_core::{Drawing, Game, Gesture, Next, NotationError, Outcome, Touch, Trace, stone_sets};
use kanzen_index::{Group, PairIndex, Tier};

/// The pieces on the board, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The holes of the side to move.
    pub mine: u32,
    /// The holes of the other side.
    pub theirs: u32,
}

impl Position {
    /// The holes with a piece.
    #[inline]
    pub fn occupied(self) -> u32 {
        self.mine | self.theirs
    }

    /// The holes without one.
    #[inline]
    pub fn empty(self) -> u32 {
        ALL & !self.occupied()
    }

    /// The number of pieces on the board.
    #[inline]
    pub fn pieces(self) -> u32 {
        self.occupied().count_ones()
    }

    /// The position for the other side after a turn that does not win.
    #[inline]
    fn after(self, mv: Move) -> Position {
        match mv {
            Move::Pass => Position { mine: self.theirs, theirs: self.mine },
            Move::Piece { from, to, caught, relocated } => {
                let left = from.map_or(0, |from| 1 << from);
                Position {
                    mine: self.theirs & !caught | relocated,
                    theirs: self.mine & !left | 1 << to,
                }
            }
        }
    }
}

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A piece is placed or steps, and what it sandwiches is relocated.
    Piece {
        /// The hole it steps from; none for a new piece.
        from: Option<u8>,
        /// The hole it reaches.
        to: u8,
        /// The sandwiched enemy pieces.
        caught: u32,
        /// The holes that they go to.
        relocated: u32,
    },
    /// No own piece can step.
    Pass,
}

/// The game, with its options.
///
/// ```
/// use kanzen_core::{Game, perft};
/// use kanzen_games::simpei::Simpei;
///
/// let game = Simpei::new(4, false);
/// assert_eq!(perft(&game, &game.start(), 1), 24, "the first piece is in its place");
/// ```
#[derive(Clone, Debug)]
pub struct Simpei {
    pub(super) pieces_a_side: u32,
    pub(super) free_first_move: bool,
    pub(super) group: Group,
    pub(super) tiers: Vec<Tier>,
    /// An index for each number of pieces on the board.
    pub(super) indices: Vec<PairIndex>,
}

impl Simpei {
    /// The most pieces a side.
    pub const PIECES: u32 = 4;

    /// How many pieces are on the board when steps begin.
    #[inline]
    pub(super) fn all_pieces(&self) -> u32 {
        2 * self.pieces_a_side
    }

    /// The holes in which a piece of the side to move would win, if it can get there.
    #[inline]
    fn winning_holes(&self, position: &Position) -> u32 {
        let holes = BOARD.completing(position.mine) & position.empty();
        if position.pieces() < self.all_pieces() {
            holes
        } else {
            // A step changes worlds, so the pieces of the three are never the one that steps.
            holes & BOARD.reach(position.mine)
        }
    }

    /// Calls `each` for every turn, with whether it wins.
    #[inline]
    fn turns(&self, position: &Position, mut each: impl FnMut(Move, bool)) {
        let wins = BOARD.completing(position.mine);
        let mut arrive = |from: Option<u8>, to: usize, mine: u32| {
            let won = wins >> to & 1 == 1;
            let mut piece = |caught, relocated| {
                each(Move::Piece { from, to: to as u8, caught, relocated }, won);
            };
            let caught = match won {
                true => 0,
                false => BOARD.caught(to, mine, position.theirs),
            };
            if caught == 0 {
                return piece(0, 0);
            }
            let empty = ALL & !(mine | 1 << to | position.theirs);
            subsets(empty, caught.count_ones(), &mut |relocated| {
                piece(caught, relocated);
            });
        };
        if position.pieces() < self.all_pieces() {
            for to in bits(position.empty()) {
                arrive(None, to, position.mine);
            }
            return;
        }
        for from in bits(position.mine) {
            for to in bits(BOARD.steps[from] & position.empty()) {
                arrive(Some(from as u8), to, position.mine & !(1 << from));
            }
        }
        if BOARD.reach(position.mine) & position.empty() == 0 {
            each(Move::Pass, false);
        }
    }
}

impl Game for Simpei {
    type Position = Position;
    type Move = Move;

    /// The official game begins with a piece on an upper centre hole, the other side to move.
    fn start(&self) -> Position {
        Position { mine: 0, theirs: if self.free_first_move { 0 } else { 1 << 5 } }
    }

    #[inline]
    fn moves(&self, position: &Position, mut each: impl FnMut(Move)) {
        self.turns(position, |mv, _| each(mv));
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Next<Position> {
        match mv {
            Move::Piece { to, .. } if BOARD.completing(position.mine) >> to & 1 == 1 => {
                Next::Over(Outcome::Win)
            }
            _ => Next::Position(position.after(mv)),
        }
    }

    #[inline]
    fn successors(&self, position: &Position, mut each: impl FnMut(Next<Position>)) {
        self.turns(position, |mv, wins| {
            each(match wins {
                true => Next::Over(Outcome::Win),
                false => Next::Position(position.after(mv)),
            });
        });
    }

    #[inline]
    fn wins_at_once(&self, position: &Position) -> bool {
        self.winning_holes(position) != 0
    }

    /// With an odd number of pieces it is clear whose turn it is.
    fn passed(&self, position: &Position) -> Option<Position> {
        let Position { mine, theirs } = *position;
        (mine.count_ones() == theirs.count_ones())
            .then_some(Position { mine: theirs, theirs: mine })
    }

    fn symmetries(&self) -> usize {
        self.group.order()
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        Position {
            mine: self.group.image(symmetry, position.mine),
            theirs: self.group.image(symmetry, position.theirs),
        }
    }

    fn parse(&self, text: &str) -> Result<Position, NotationError> {
        self.parse_position(text)
    }

    fn write(&self, position: &Position) -> String {
        self.write_position(position)
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        self.write_turn(mv)
    }

    fn draw(&self, position: &Position) -> Drawing {
        self.draw_position(position)
    }

    fn trace(&self, _: &Position, mv: Move) -> Trace {
        match mv {
            Move::Pass => Trace::default(),
            Move::Piece { from, to, caught, relocated } => Trace {
                from: from.map(usize::from),
                to: Some(to.into()),
                also: bits(caught | relocated).collect(),
            },
        }
    }

    /// The piece is put or moved, then the sandwiched ones go to their new holes.
    fn gesture(&self, _: &Position, mv: Move) -> Gesture {
        match mv {
            Move::Pass => Gesture::default(),
            Move::Piece { from, to, relocated, .. } => Gesture {
                touches: from
                    .into_iter()
                    .chain([to])
                    .map(|hole| Touch::Spot(hole.into()))
                    .collect(),
                then: bits(relocated).collect(),
            },
        }
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        let (mine, theirs) = stone_sets(drawing);
        Some(self.write_position(&Position { mine, theirs }))
    }

    fn sets(&self, position: &Position) -> Option<(u32, u32)> {
        Some((position.mine, position.theirs))
    }

    fn with_sets(&self, mine: u32, theirs: u32) -> Option<Result<Position, NotationError>> {
        Some(self.check(Position { mine, theirs }))
    }
}
