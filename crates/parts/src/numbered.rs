//! An index for games of equal men that are put down in turn and then step without captures.

use crate::{BoardGame, Position, Step, Turn};
use kanzen_core::{
    Drawing, Endless, Game, Gesture, Kit, Next, NotationError, Outcome, Side, Text, Trace,
};
use kanzen_index::{FirstLook, Indexed, PairIndex, Place, Tier};

/// A game in which both players have the same number of men and put them on the board one after the
/// other, X's man first; when all are there, the players move them in turn.
///
/// With all men on the board the rules must be the same for both players, and every step must have
/// a step back: un-moves are made of them. Before that, the number of men must tell who is to move.
/// Positions that [`Rules::check`](crate::Rules::check) refuses have no number.
#[derive(Clone)]
pub struct Numbered {
    game: BoardGame,
    tiers: Vec<Tier>,
    /// For each tier the index of the men, and who is to move: always X with all men on the board,
    /// where colours are exchanged if need be.
    indices: Vec<(PairIndex, Turn)>,
}

impl Numbered {
    /// The game with this many men a side.
    pub fn new(game: BoardGame, men: u32) -> Numbered {
        let (board, rules) = (game.board(), game.rules());
        let mut position = rules.start();
        let mut indices = Vec::new();
        for put in 0..2 * men {
            let index = PairIndex::new(board.group().clone(), put.div_ceil(2), put / 2);
            indices.push((index, position.turn));
            let mut first = None;
            rules.steps(board, &position, &mut |step| first = first.or(Some(step)));
            position = first.map_or(position, |step| rules.play(&position, step));
        }
        indices.push((PairIndex::new(board.group().clone(), men, men), Turn::X));
        let tier = |(put, (index, _)): (usize, &(PairIndex, Turn))| {
            index.tier(format!("{put} men"), put as u32 == 2 * men)
        };
        let tiers = indices.iter().enumerate().map(tier).rev().collect();
        indices.reverse();
        Numbered { game, tiers, indices }
    }

    /// Whether all men are on the board.
    #[inline]
    fn is_full(&self, position: &Position) -> bool {
        self.tier(position) == 0
    }

    /// The symmetries of the board alone.
    fn order(&self) -> usize {
        self.game.board().group().order()
    }
}

impl Indexed for Numbered {
    const INDEX_VERSION: u32 = 1;
    const UNMOVES: bool = true;

    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    #[inline]
    fn tier(&self, position: &Position) -> usize {
        self.tiers.len() - 1 - position.all().count_ones() as usize
    }

    fn tier_title(&self, tier: usize) -> Text {
        let name = &self.tiers[tier].name;
        Text::new(name, name.replace(" men", "個"))
    }

    #[inline]
    fn locate(&self, position: &Position) -> Place {
        let tier = self.tier(position);
        let (x, o) = match tier {
            0 => (position.mine(), position.theirs()),
            _ => (position.x, position.o),
        };
        Place { tier, index: self.indices[tier].0.index(x, o) }
    }

    #[inline]
    fn position(&self, place: Place) -> Option<Position> {
        let (index, turn) = self.indices.get(place.tier)?;
        let (x, o) = index.sets(place.index)?;
        let position = Position { turn: *turn, ..Position::new(x, o) };
        self.game.check(&position).is_ok().then_some(position)
    }

    #[inline]
    fn orbit(&self, position: &Position) -> u32 {
        let index = &self.indices[self.tier(position)].0;
        match self.is_full(position) {
            true => 2 * index.orbit(position.mine(), position.theirs()),
            false => index.orbit(position.x, position.o),
        }
    }

    /// No step leaves the full board.
    #[inline]
    fn first_look(&self, position: &Position) -> Option<FirstLook> {
        let (board, rules) = (self.game.board(), self.game.rules());
        let open = self.is_full(position)
            && self.game.decided(position).is_none()
            && !self.game.wins_at_once(position);
        let mut moves = 0;
        if open {
            rules.steps(board, position, &mut |_| moves += 1);
        }
        (moves > 0).then_some(FirstLook::Moves(moves))
    }

    #[inline]
    fn predecessors(&self, position: &Position, mut each: impl FnMut(Position)) {
        if !self.is_full(position) {
            return;
        }
        let (board, rules) = (self.game.board(), self.game.rules());
        let moved = position.passed();
        rules.steps(board, &moved, &mut |back| {
            let source = moved.after(back).passed();
            if rules.decided(&source).is_none() {
                each(source);
            }
        });
    }
}

impl Game for Numbered {
    type Position = Position;
    type Move = Step;

    fn start(&self) -> Position {
        self.game.start()
    }

    fn over(&self, position: &Position) -> Option<Outcome> {
        self.game.over(position)
    }

    fn moves(&self, position: &Position, each: impl FnMut(Step)) {
        self.game.moves(position, each);
    }

    fn play(&self, position: &Position, step: Step) -> Next<Position> {
        self.game.play(position, step)
    }

    fn wins_at_once(&self, position: &Position) -> bool {
        self.game.wins_at_once(position)
    }

    fn endless(&self) -> Endless {
        self.game.endless()
    }

    fn mover(&self, position: &Position) -> Side {
        self.game.mover(position)
    }

    fn takes_turns(&self) -> bool {
        self.game.takes_turns()
    }

    fn passed(&self, position: &Position) -> Option<Position> {
        self.game.passed(position)
    }

    fn symmetries(&self) -> usize {
        2 * self.order()
    }

    /// The second half exchanges colours where all men are on the board.
    fn image(&self, position: &Position, symmetry: usize) -> Position {
        let image = self.game.image(position, symmetry % self.order());
        let exchanges = symmetry >= self.order() && self.is_full(position);
        if exchanges { image.exchanged() } else { image }
    }

    fn parse(&self, text: &str) -> Result<Position, NotationError> {
        self.game.parse(text)
    }

    fn write(&self, position: &Position) -> String {
        self.game.write(position)
    }

    fn write_move(&self, position: &Position, step: Step) -> String {
        self.game.write_move(position, step)
    }

    fn draw(&self, position: &Position) -> Drawing {
        self.game.draw(position)
    }

    fn trace(&self, position: &Position, step: Step) -> Trace {
        self.game.trace(position, step)
    }

    fn gesture(&self, position: &Position, step: Step) -> Gesture {
        self.game.gesture(position, step)
    }

    fn kit(&self) -> &'static Kit {
        self.game.kit()
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        self.game.compose(drawing)
    }
}
