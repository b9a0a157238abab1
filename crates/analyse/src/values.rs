//! What positions are worth, whoever knows it: the one thing that a solved game must tell.

use kanzen_core::{Best, Game, Next, Outcome, Pressure, Value};
use kanzen_table::{TableError, gathering};
use std::collections::HashSet;

/// Why a value is not known.
#[derive(Debug, thiserror::Error)]
pub enum ValueError {
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table has no place for the position, so that it is of other rules than the game.
    #[error("the table has no value for {0}: it belongs to other rules")]
    Missing(String),
    /// The table holds what can arise, and this cannot.
    #[error("{0} cannot arise from the start, and the table holds only what can")]
    Unreachable(String),
    /// The table is wrong about a position: its value does not follow from those of its moves.
    #[error("the table contradicts itself about {0}: `verify` tells more")]
    Contradiction(String),
    /// The table was written without values.
    #[error("the table holds only the census: solve again and store values or distances")]
    CensusOnly,
}

/// A move and what it is worth to the player who makes it.
pub struct MoveValue<G: Game> {
    /// The position before the move.
    pub from: G::Position,
    /// The move.
    pub mv: G::Move,
    /// What it leads to.
    pub next: Next<G::Position>,
    /// Its value for the mover.
    pub value: Value,
    /// Who presses after it, seen by the mover, if it is a draw whose rank is known.
    pub pressure: Option<Pressure>,
}

/// Why a line of best moves stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// A position comes back.
    Repeats,
    /// Nobody knows which move is best: there are no distances, or a search gave up.
    Unknown,
}

/// A line of best moves, and why it stops.
pub type BestLine<G> = (Vec<MoveValue<G>>, LineEnd);

/// Whoever knows the value of every position of a game.
pub trait Values: Send + Sync {
    /// The game.
    type Game: Game;

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// The value of a position.
    ///
    /// # Errors
    /// If it is not known.
    fn value(&self, position: &<Self::Game as Game>::Position) -> Result<Value, ValueError>;

    /// Who presses in a drawn position; none if nobody does, or its rank is not known.
    ///
    /// # Errors
    /// If the table of draws cannot be read.
    fn pressure(
        &self,
        position: &<Self::Game as Game>::Position,
    ) -> Result<Option<Pressure>, ValueError> {
        let _ = position;
        Ok(None)
    }

    /// Who presses after a move of this value, seen by its mover.
    ///
    /// # Errors
    /// If the table of draws cannot be read.
    fn move_pressure(
        &self,
        next: Next<<Self::Game as Game>::Position>,
        value: Value,
    ) -> Result<Option<Pressure>, ValueError> {
        let Some(child) = next.position().filter(|_| value.outcome() == Outcome::Draw) else {
            return Ok(None);
        };
        let before = self.pressure(&child)?.map(Pressure::before_move);
        Ok(if matches!(next, Next::Again(_)) { before.map(Pressure::flip) } else { before })
    }

    /// What a move that leads to `next` is worth to its mover.
    ///
    /// # Errors
    /// If it is not known.
    fn move_value(&self, next: Next<<Self::Game as Game>::Position>) -> Result<Value, ValueError> {
        let child = next.position().map(|child| self.value(&child)).transpose()?;
        Ok(next.value(|_| child.unwrap_or(Value::OPEN)))
    }

    /// Every legal move, the best first: of draws alike, those that press most.
    ///
    /// # Errors
    /// If the value of one is not known.
    fn moves(
        &self,
        position: &<Self::Game as Game>::Position,
    ) -> Result<Vec<MoveValue<Self::Game>>, ValueError> {
        let mut played = Vec::new();
        self.game().moves(position, |mv| played.push((mv, self.game().play(position, mv))));
        // All moves are looked up whatever comes, so that a table far away hears of all at once.
        let look = |&(_, next): &(_, Next<_>)| {
            let value = self.move_value(next)?;
            Ok((value, self.move_pressure(next, value)?))
        };
        let values: Vec<Result<_, ValueError>> = gathering(|| played.iter().map(look).collect());
        let valued = played.into_iter().zip(values).map(|((mv, next), known)| {
            let (value, pressure) = known?;
            Ok(MoveValue { from: *position, mv, next, value, pressure })
        });
        let mut moves = valued.collect::<Result<Vec<_>, ValueError>>()?;
        let order = Best::new(self.game(), position);
        moves.sort_by(|a, b| {
            let alike = || Pressure::compare(b.pressure, a.pressure);
            order.compare(b.value, a.value).then_with(alike)
        });
        Ok(moves)
    }

    /// Follows the best moves, the first of equals, to the end of the game or until a position
    /// comes back (which the last move leads to).
    ///
    /// # Errors
    /// If a value is not known.
    fn line(
        &self,
        from: &<Self::Game as Game>::Position,
    ) -> Result<BestLine<Self::Game>, ValueError> {
        let mut line = Vec::new();
        let mut seen = HashSet::from([*from]);
        let mut position = *from;
        let plies = self.value(from)?.plies();
        loop {
            if plies.is_some_and(|plies| line.len() > usize::from(plies)) {
                return Err(ValueError::Contradiction(self.game().write(&position)));
            }
            let Some(best) = self.moves(&position)?.into_iter().next() else {
                return Ok((line, LineEnd::Over));
            };
            if matches!(best.value, Value::Win(Value::UNKNOWN) | Value::Loss(Value::UNKNOWN)) {
                return Ok((line, LineEnd::Unknown));
            }
            let next = best.next;
            line.push(best);
            match next.position() {
                None => return Ok((line, LineEnd::Over)),
                Some(child) if !seen.insert(child) => return Ok((line, LineEnd::Repeats)),
                Some(child) => position = child,
            }
        }
    }
}
