//! A small game as the programs know games: all that follows from its rules and its board.

use crate::keys::Keys;
use crate::{Board, Position, Rules, Step, Turn, Turns};
use kanzen_core::{
    Drawing, Endless, Game, Gesture, Hand, Kit, Next, NotationError, Outcome, Piece, Side, Trace,
};
use kanzen_index::Keyed;
use std::sync::Arc;

/// A game played by these rules.
///
/// One type for all of them: what programs do with a game is made once, not once for each.
#[derive(Clone)]
pub struct BoardGame {
    board: Board,
    rules: Arc<dyn Rules>,
    turns: Turns,
    takes_turns: bool,
    misere: bool,
    keys: Keys,
}

impl BoardGame {
    /// The game played by these rules on a board.
    pub fn new(board: Board, rules: impl Rules) -> BoardGame {
        BoardGame {
            keys: Keys::new(&rules, &board),
            board,
            turns: rules.turns(),
            takes_turns: rules.takes_turns(),
            misere: false,
            rules: Arc::new(rules),
        }
    }

    /// The same game, or the one in which whoever would win when the board decides it loses.
    #[must_use]
    pub fn misere(self, misere: bool) -> BoardGame {
        BoardGame { misere, ..self }
    }

    /// The outcome for the side to move, if the board decides the game.
    #[inline]
    pub(crate) fn decided(&self, position: &Position) -> Option<Outcome> {
        let outcome = self.rules.decided(position)?;
        Some(if self.misere { outcome.flip() } else { outcome })
    }

    /// The rules.
    pub fn rules(&self) -> &dyn Rules {
        &*self.rules
    }

    /// The board.
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// Whether a position makes sense.
    pub(crate) fn check(&self, position: &Position) -> Result<(), NotationError> {
        let [x, o] = self.rules.men_at(position.count);
        position.men(self.rules.letters().pieces, x, o)?;
        self.rules.check(position)
    }

    /// The label of a side's pieces.
    fn label(&self, side: Side) -> &'static str {
        let kind = self.rules.kit().kinds.iter().find(|kind| kind.side == side);
        kind.map_or("", |kind| kind.label)
    }

    /// The count as it is written, where no hands show it.
    fn caption(&self, position: &Position) -> String {
        let hidden = self.rules.counts().is_some_and(|counts| counts > 1)
            && self.rules.hands(position).is_none();
        if hidden { self.rules.write_count(position.count) } else { String::new() }
    }

    fn hands(&self, position: &Position) -> Vec<Hand> {
        let Some([first, second]) = self.rules.hands(position) else { return Vec::new() };
        let hand = |(side, men): (Side, u8)| Hand {
            side,
            pieces: vec![self.label(side).to_owned(); men.into()],
        };
        [(Side::Two, second), (Side::One, first)].map(hand).into()
    }
}

/// The number of pieces in all hands.
fn held(hands: &[Hand]) -> usize {
    hands.iter().map(|hand| hand.pieces.len()).sum()
}

impl Game for BoardGame {
    type Position = Position;
    type Move = Step;

    fn start(&self) -> Position {
        self.rules.start()
    }

    fn over(&self, position: &Position) -> Option<Outcome> {
        let stuck = || !self.rules.has_step(&self.board, position);
        self.decided(position).or_else(|| stuck().then(|| self.rules.stuck()))
    }

    fn moves(&self, position: &Position, mut each: impl FnMut(Step)) {
        if self.rules.decided(position).is_none() {
            self.rules.steps(&self.board, position, &mut each);
        }
    }

    fn play(&self, position: &Position, step: Step) -> Next<Position> {
        let next = self.rules.play(position, step);
        if self.turns == Turns::Mine && next.turn == Turn::O {
            Next::Position(next.exchanged())
        } else if !self.takes_turns && next.turn == position.turn {
            Next::Again(next)
        } else {
            Next::Position(next)
        }
    }

    fn endless(&self) -> Endless {
        self.rules.endless()
    }

    fn takes_turns(&self) -> bool {
        self.takes_turns
    }

    fn mover(&self, position: &Position) -> Side {
        position.turn.side()
    }

    /// Whether a step decides the game. To see that the other side is stuck would take its steps.
    fn wins_at_once(&self, position: &Position) -> bool {
        if let (false, Some(wins)) = (self.misere, self.rules.wins_at_once(&self.board, position)) {
            return wins && self.rules.decided(position).is_none();
        }
        let mut wins = false;
        self.moves(position, |step| {
            if !wins {
                let next = self.rules.play(position, step);
                let outcome = self.decided(&next);
                let won = if next.turn == position.turn { Outcome::Win } else { Outcome::Loss };
                wins = outcome == Some(won);
            }
        });
        wins
    }

    /// Where the other side might be to move as well, and the game is not over.
    fn passed(&self, position: &Position) -> Option<Position> {
        let passed = match self.turns {
            Turns::Written => position.passed(),
            Turns::Mine => Position { turn: Turn::X, ..position.exchanged() },
            Turns::Counted => return None,
        };
        let sensible = self.check(&passed).is_ok() && self.over(position).is_none();
        sensible.then_some(passed)
    }

    fn symmetries(&self) -> usize {
        self.board.group().order() * if self.rules.alike_from().is_some() { 2 } else { 1 }
    }

    /// The second half, if there is one, exchanges colours where they are alike.
    fn image(&self, position: &Position, symmetry: usize) -> Position {
        let (group, order) = (self.board.group(), self.board.group().order());
        let image = |set| group.image(symmetry % order, set);
        let Position { x, o, neutral, .. } = *position;
        let image = Position { x: image(x), o: image(o), neutral: image(neutral), ..*position };
        let exchanges = symmetry >= order && self.keys.is_alike(position);
        if exchanges { image.exchanged() } else { image }
    }

    fn parse(&self, text: &str) -> Result<Position, NotationError> {
        let position = self.rules.read(&self.board, text)?;
        self.check(&position)?;
        Ok(position)
    }

    fn write(&self, position: &Position) -> String {
        self.rules.write(&self.board, position)
    }

    fn write_move(&self, _: &Position, step: Step) -> String {
        self.rules.write_step(&self.board, step)
    }

    fn draw(&self, position: &Position) -> Drawing {
        let board = &self.board;
        let sides =
            [(Side::One, position.x), (Side::Two, position.o), (Side::Neutral, position.neutral)];
        let piece = |point: usize| {
            let &(side, _) = sides.iter().find(|(_, set)| set >> point & 1 == 1)?;
            Some(Piece::new(point, side, self.label(side)))
        };
        Drawing {
            spots: board.spots().to_vec(),
            lines: board.edges().to_vec(),
            pieces: (0..board.points()).filter_map(piece).collect(),
            hands: self.hands(position),
            caption: self.caption(position),
            turn: (self.turns != Turns::Mine).then(|| position.turn.side()),
            ..Drawing::default()
        }
    }

    fn trace(&self, position: &Position, step: Step) -> Trace {
        self.rules.trace(&self.board, position, step)
    }

    fn gesture(&self, position: &Position, step: Step) -> Gesture {
        self.rules.gesture(&self.board, position, step)
    }

    fn kit(&self) -> &'static Kit {
        self.rules.kit()
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        let mut position = Position::default();
        for piece in &drawing.pieces {
            let bit = if piece.spot < self.board.points() { 1 << piece.spot } else { 0 };
            match piece.side {
                Side::One => position.x |= bit,
                Side::Two => position.o |= bit,
                _ => position.neutral |= bit,
            }
        }
        if drawing.turn == Some(Side::Two) {
            position.turn = Turn::O;
        }
        // What the count is can be seen from the hands or the caption; it is the last if not.
        let fits = |&count: &u8| {
            let counted = Position { count, ..position };
            held(&self.hands(&counted)) == held(&drawing.hands)
                && self.caption(&counted) == drawing.caption
        };
        let last = self.rules.counts().map_or(0, |counts| counts - 1);
        position.count = (0..last).find(fits).unwrap_or(last);
        Some(self.rules.write(&self.board, &self.turns.settle(position)))
    }
}

impl Keyed for BoardGame {
    const KEY_VERSION: u32 = 3;

    fn key_limit(&self) -> u128 {
        self.keys.limit().into()
    }

    fn key(&self, position: &Position) -> u128 {
        self.keys.key(position).into()
    }

    fn with_key(&self, key: u128) -> Option<Position> {
        let position = self.keys.position(u64::try_from(key).ok()?)?;
        self.check(&position).is_ok().then_some(position)
    }

    #[inline]
    fn least_key(&self, position: &Position) -> u128 {
        self.keys.least(position).into()
    }
}
