//! The rules of a game for two players.

use crate::{Drawing, Gesture, Kit, NotationError, Outcome, Side, Trace, Value};
use std::fmt::Debug;
use std::hash::Hash;

/// What a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<P> {
    /// The game goes on: the position for the other side to move.
    Position(P),
    /// The game goes on with another move of the same side; see [`Game::takes_turns`].
    Again(P),
    /// The move ends the game, with this outcome for the player who made it.
    Over(Outcome),
}

impl<P> Next<P> {
    /// The position in which the game goes on, whoever is to move there.
    #[inline]
    pub fn position(self) -> Option<P> {
        match self {
            Next::Position(position) | Next::Again(position) => Some(position),
            Next::Over(_) => None,
        }
    }

    /// What a move that leads here is worth to its mover, if `of` tells the value of a position for
    /// the side to move there.
    #[inline]
    pub fn value(self, of: impl FnOnce(P) -> Value) -> Value {
        match self {
            Next::Position(position) => of(position).before_move(),
            Next::Again(position) => of(position).flip().before_move(),
            Next::Over(outcome) => Value::new(outcome, 1),
        }
    }
}

/// What play that never ends is worth.
///
/// In a game that some side wins by never ending it, positions must tell the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endless {
    /// It is a draw.
    #[default]
    Draw,
    /// This side wins by it.
    WonBy(Side),
}

impl Endless {
    /// The value of a position without a forced end for its side to move.
    #[inline]
    pub fn value<G: Game + ?Sized>(self, game: &G, position: &G::Position) -> Value {
        match self {
            Endless::Draw => Value::OPEN,
            Endless::WonBy(side) if game.mover(position) == side => Value::Win(Value::ENDLESS),
            Endless::WonBy(_) => Value::Loss(Value::ENDLESS),
        }
    }
}

/// The rules, notation and drawing of a two-player game of perfect information.
///
/// A position includes the side to move; games in which the sides have the same pieces and rights
/// usually see it from the mover's side ('mine' and 'theirs'), which halves their tables.
pub trait Game: Send + Sync {
    /// A position with the side to move.
    type Position: Copy + Eq + Ord + Hash + Debug + Send + Sync;
    /// A move, meaningful together with the position it is made from.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// The position in which the game starts.
    fn start(&self) -> Self::Position;

    /// The outcome for the side to move, if the game is over before it moves.
    fn over(&self, position: &Self::Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// Calls `each` for every legal move. A position that is not over has at least one (a pass,
    /// where the rules allow one); a position that is over has none.
    fn moves(&self, position: &Self::Position, each: impl FnMut(Self::Move));

    /// Makes a legal move.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Next<Self::Position>;

    /// Calls `each` with the result of every legal move; override it where that is quicker than
    /// [`moves`](Game::moves) and [`play`](Game::play).
    fn successors(&self, position: &Self::Position, mut each: impl FnMut(Next<Self::Position>)) {
        self.moves(position, |mv| each(self.play(position, mv)));
    }

    /// Whether some move wins at once. Positions with such a move are not stored in tables, so
    /// override it where the rules tell more quickly. It may also be said of moves to a position in
    /// which the other side has lost.
    fn wins_at_once(&self, position: &Self::Position) -> bool {
        let mut wins = false;
        self.successors(position, |next| {
            wins |= next == Next::Over(Outcome::Win);
        });
        wins
    }

    /// What play that never ends is worth.
    fn endless(&self) -> Endless {
        Endless::Draw
    }

    /// The side to move. Give it where [`endless`](Game::endless) play is won by somebody: to read
    /// it off the drawing, as is done by default, takes time.
    fn mover(&self, position: &Self::Position) -> Side {
        self.draw(position).turn.unwrap_or(Side::One)
    }

    /// Whether the sides always move in turn. If not, moves may lead to [`Next::Again`], tiers with
    /// loops may have no un-moves, and nothing is proved by strategies.
    fn takes_turns(&self) -> bool {
        true
    }

    /// The same board with the other side to move, if that is a position and the game has a use
    /// for it: zugzwangs and threats are told by it.
    fn passed(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// The number of symmetries of the game, the identity included.
    fn symmetries(&self) -> usize {
        1
    }

    /// The image of a position under a symmetry; number 0 is the identity.
    fn image(&self, position: &Self::Position, symmetry: usize) -> Self::Position {
        let _ = symmetry;
        *position
    }

    /// Reads a position.
    fn parse(&self, text: &str) -> Result<Self::Position, NotationError>;

    /// Writes a position so that [`parse`](Game::parse) reads it back.
    fn write(&self, position: &Self::Position) -> String;

    /// Positions as people may write them, one in each notation that [`parse`](Game::parse) reads.
    fn examples(&self) -> Vec<String> {
        vec![self.write(&self.start())]
    }

    /// Writes a move; the moves of one position have different names.
    fn write_move(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The board with its pieces.
    fn draw(&self, position: &Self::Position) -> Drawing;

    /// The spots of the drawing that a move leaves, reaches and changes.
    fn trace(&self, position: &Self::Position, mv: Self::Move) -> Trace;

    /// The board after a move that ends the game.
    fn draw_end(&self, position: &Self::Position, mv: Self::Move) -> Drawing {
        self.draw(position).after(&self.trace(position, mv))
    }

    /// How a move is made by hand: by default a touch where it leaves and one where it arrives.
    fn gesture(&self, position: &Self::Position, mv: Self::Move) -> Gesture {
        Gesture::from(&self.trace(position, mv))
    }

    /// What the game is played with.
    fn kit(&self) -> &'static Kit {
        &Kit::STONES
    }

    /// Writes what somebody has put on a board, right or wrong, as a position is written: for
    /// [`parse`](Game::parse) to judge. None if boards of this game are not set up by hand. What
    /// [`draw`](Game::draw) draws is written as by [`write`](Game::write).
    fn compose(&self, drawing: &Drawing) -> Option<String> {
        let _ = drawing;
        None
    }

    /// The spots of the mover's and of the other side's pieces as two sets, if positions are no more
    /// than that: arrays of boards are then written without a drawing.
    fn sets(&self, position: &Self::Position) -> Option<(u32, u32)> {
        let _ = position;
        None
    }

    /// The position of two [`sets`](Game::sets), judged as [`parse`](Game::parse) does; none if
    /// positions are more than that.
    fn with_sets(&self, mine: u32, theirs: u32) -> Option<Result<Self::Position, NotationError>> {
        let _ = (mine, theirs);
        None
    }
}
