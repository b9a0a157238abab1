//! What the rules alone tell of a position, in words: no table is needed.

use kanzen_core::{Game, Next, Outcome, Trace};

/// A position and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legal {
    /// The position, in the game's notation.
    pub position: String,
    /// The number of the player to move.
    pub mover: u8,
    /// The outcome for that player, if the game is over.
    pub over: Option<Outcome>,
    /// Every move, in the game's order.
    pub moves: Vec<LegalMove>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    /// Its name.
    pub name: String,
    /// The position it leads to; none if it ends the game.
    pub position: Option<String>,
    /// The outcome for the player who makes it, if it ends the game.
    pub over: Option<Outcome>,
    /// Whether the same player moves again.
    pub again: bool,
    /// The spots it touches.
    pub trace: Trace,
}

impl Legal {
    /// What a game's rules tell of a position.
    pub fn new<G: Game>(game: &G, position: &G::Position) -> Legal {
        let mut moves = Vec::new();
        game.moves(position, |mv| {
            let next = game.play(position, mv);
            moves.push(LegalMove {
                name: game.write_move(position, mv),
                position: next.position().map(|child| game.write(&child)),
                over: match next {
                    Next::Over(outcome) => Some(outcome),
                    _ => None,
                },
                again: matches!(next, Next::Again(_)),
                trace: game.trace(position, mv),
            });
        });
        Legal {
            position: game.write(position),
            mover: game.mover(position).number(),
            over: game.over(position),
            moves,
        }
    }
}
