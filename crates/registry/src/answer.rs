//! What is known of a position, in words and numbers: for the command line, the API and the pages.

use kanzen_analyse::LineEnd;
use kanzen_core::{Drawing, Gesture, Outcome, Pressure, Side, Trace, Verdict};
use serde::Serialize;
use utoipa::ToSchema;

/// What is known of a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Answer {
    /// The position, in the game's notation.
    pub position: String,
    /// The number of the player to move: 1, 2 or 3. A game that is written as the side to move sees
    /// it always says 1.
    pub mover: u8,
    /// The outcome for the player to move; null if a search gave up.
    #[schema(value_type = Option<String>, pattern = "^(win|draw|loss)$")]
    pub value: Option<Outcome>,
    /// Plies to the end of the game; null if it goes on for ever, or the distance is not known.
    pub plies: Option<u16>,
    /// Who presses, if this is a draw, somebody does, and the draws of the game are ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Pressing>,
    /// With three players: what best play means, and who wins by it.
    #[serde(flatten)]
    #[schema(value_type = BestPlay)]
    pub best_play: Option<BestPlay>,
    /// The move that the move before has barred, if the game knows such bars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barred: Option<String>,
    /// Every move, the best first.
    pub moves: Vec<MoveAnswer>,
    /// The position with the other side to move, where the game has a use for it.
    #[serde(skip)]
    pub passed: Option<String>,
    /// The board.
    #[serde(skip)]
    pub drawing: Drawing,
}

/// What a position leaves to choose.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The outcome for the player to move; a draw if a search gave up.
    pub value: Outcome,
    /// The side to move, where the drawing tells it.
    pub turn: Option<Side>,
    /// How many moves there are.
    pub moves: usize,
    /// How many of them keep the value.
    pub keeping: usize,
    /// Where the best one leads; none if it ends the game.
    pub best: Option<String>,
}

/// What is known of a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveAnswer {
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub name: String,
    /// The position it leads to; null if it ends the game.
    pub position: Option<String>,
    /// The outcome for the player who makes it; null if a search gave up.
    #[schema(value_type = Option<String>, pattern = "^(win|draw|loss)$")]
    pub value: Option<Outcome>,
    /// Plies to the end of the game; null if it goes on for ever, or the distance is not known.
    pub plies: Option<u16>,
    /// Who presses after it, if it is a draw, somebody does, and the draws of the game are ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Pressing>,
    /// With three players: what best play means, and who wins by it.
    #[serde(flatten)]
    #[schema(value_type = BestPlay)]
    pub best_play: Option<BestPlay>,
    /// The spots it touches.
    #[serde(skip)]
    pub trace: Trace,
    /// How it is made by hand.
    #[serde(skip)]
    pub gesture: Gesture,
    /// The board after it, if it leads to no position.
    #[serde(skip)]
    pub end: Option<Drawing>,
    /// Whether the same player moves again.
    #[serde(skip)]
    pub again: bool,
}

/// Who presses in a draw: it can lead the other side to a position in which some move loses and few
/// hold the draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Pressing {
    /// The number of the player who presses, as in `mover`.
    pub by: u8,
    /// How many moves hold the draw there, at the most.
    pub holding: u8,
    /// In how many plies.
    pub plies: u16,
    /// Whether the player for whom it is said presses.
    #[serde(skip)]
    pub own: bool,
}

impl Pressing {
    /// What is said of a draw, with the player from whose side it is said.
    pub(crate) fn new(pressure: Pressure, seen_by: Side) -> Pressing {
        let by = if pressure.own { seen_by } else { seen_by.other() };
        let Pressure { own, holding, plies } = pressure;
        Pressing { by: by.number(), holding, plies, own }
    }
}

/// Who wins where there are three players, under a stated meaning of best play. With two players none
/// of these is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BestPlay {
    /// The meaning; not there with two players.
    #[schema(required = false)]
    pub meaning: String,
    /// The winner, 0 for nobody; not there if the meaning does not name a single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    /// Everybody who may win, 0 for nobody; not there if the meaning does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winners: Option<Vec<u8>>,
    /// Whether the player that the meaning names can avoid a loss, if that is the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safe: Option<bool>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// A best line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Line {
    /// Where it begins.
    pub position: String,
    /// The number of the player to move there.
    pub mover: u8,
    /// The outcome for that player; null if a search gave up.
    #[schema(value_type = Option<String>, pattern = "^(win|draw|loss)$")]
    pub value: Option<Outcome>,
    /// Plies to the end of the game; null if it goes on for ever, or the distance is not known.
    pub plies: Option<u16>,
    /// With three players: what best play means, and who wins by it.
    #[serde(flatten)]
    #[schema(value_type = BestPlay)]
    pub best_play: Option<BestPlay>,
    /// The moves, each with its value for the player who makes it.
    pub moves: Vec<MoveAnswer>,
    /// Why it stops: `over`, `repeats` or `unknown`.
    #[serde(serialize_with = "end_word")]
    #[schema(value_type = String, pattern = "^(over|repeats|unknown)$")]
    pub end: LineEnd,
}

fn end_word<S: serde::Serializer>(end: &LineEnd, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match end {
        LineEnd::Over => "over",
        LineEnd::Repeats => "repeats",
        LineEnd::Unknown => "unknown",
    })
}

impl Answer {
    /// The value for the player to move; none if nobody knows it.
    pub fn verdict(&self) -> Option<Verdict> {
        verdict(self.value, self.plies)
    }

    /// The side of the drawing that is to move.
    pub fn turn(&self) -> Side {
        self.drawing.turn.unwrap_or(Side::One)
    }

    /// What the position leaves to choose.
    pub fn choice(&self) -> Choice {
        let value = self.value.unwrap_or(Outcome::Draw);
        Choice {
            value,
            turn: self.drawing.turn,
            moves: self.moves.len(),
            keeping: self.moves.iter().filter(|mv| mv.value == Some(value)).count(),
            best: self.moves.first().and_then(|best| best.position.clone()),
        }
    }

    /// The value in words.
    pub fn words(&self) -> String {
        words(self.verdict(), self.best_play.as_ref())
    }
}

impl MoveAnswer {
    /// Whether sides one and two of the drawing after the move have changed places since the first position
    /// of a game, given whether those before it have: drawings that do not say whose turn it is call the
    /// side to move the first.
    pub fn exchanges(&self, before: bool, after: &Drawing) -> bool {
        after.turn.is_none() && before == self.again
    }

    /// The value for the player who makes the move; none if nobody knows it.
    pub fn verdict(&self) -> Option<Verdict> {
        verdict(self.value, self.plies)
    }

    /// The value in words.
    pub fn words(&self) -> String {
        words(self.verdict(), self.best_play.as_ref())
    }
}

impl Line {
    /// The value in words.
    pub fn words(&self) -> String {
        words(verdict(self.value, self.plies), self.best_play.as_ref())
    }
}

fn verdict(value: Option<Outcome>, plies: Option<u16>) -> Option<Verdict> {
    value.map(|value| Verdict { value, plies })
}

fn words(verdict: Option<Verdict>, best_play: Option<&BestPlay>) -> String {
    match (best_play, verdict) {
        (Some(best_play), _) => best_play.to_string(),
        (None, Some(verdict)) => verdict.to_string(),
        (None, None) => "unknown".to_owned(),
    }
}

impl std::fmt::Display for BestPlay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let winner = |winner: &u8| match winner {
            0 => "nobody wins".to_owned(),
            player => format!("player {player} wins"),
        };
        let meaning = &self.meaning;
        match (&self.unknown, self.safe, &self.winners) {
            (Some(unknown), ..) => write!(f, "unknown: {unknown} ({meaning})"),
            (_, Some(true), _) => write!(f, "yes ({meaning})"),
            (_, Some(false), _) => write!(f, "no ({meaning})"),
            (.., winners) => {
                let words: Vec<String> = winners.iter().flatten().map(winner).collect();
                write!(f, "{} ({meaning})", words.join(" or "))
            }
        }
    }
}
