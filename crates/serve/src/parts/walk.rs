//! The positions of a game, from its first to the one that is shown.

use crate::http::errors::Trouble;
use crate::url::query::short;
use kanzen_core::{Drawing, Kit, Outcome, Side, Trace, Verdict};
use kanzen_registry::{Answer, GameError};
use kanzen_show::Worth;
use kanzen_show::board::lasting;
use kanzen_study::worth::{press, shown};

/// A position of the game, and the move that led to it.
pub struct Station {
    /// What is known of the position; none if the last move ended the game.
    pub answer: Option<Answer>,
    /// The board.
    pub drawing: Drawing,
    /// Whether sides one and two of the drawing have changed places since the first position.
    pub exchanged: bool,
    /// The side to move, as it was named in the first position.
    pub mover: Side,
    /// The value for that side.
    pub worth: Option<Verdict>,
    /// The move that led here and what it touched.
    pub played: Option<(String, Trace)>,
}

impl Station {
    fn new(answer: Answer, ply: usize, played: Option<(String, Trace)>) -> Station {
        let exchanged = answer.drawing.turn.is_none() && ply % 2 == 1;
        let turn = answer.turn();
        Station {
            drawing: answer.drawing.clone(),
            exchanged,
            mover: lasting(turn, exchanged),
            worth: answer.verdict(),
            answer: Some(answer),
            played,
        }
    }

    /// The outcome for the side to move; none if nobody knows it.
    pub fn outcome(&self) -> Option<Outcome> {
        self.worth.map(|verdict| verdict.value)
    }

    /// The value as it is shown, and who wins.
    pub fn shown(&self, kit: &Kit) -> Worth {
        let best_play = self.answer.as_ref().and_then(|answer| answer.best_play.as_ref());
        let pressing = self.answer.as_ref().and_then(|answer| answer.pressure);
        let worth = shown(kit, self.mover, self.worth, best_play);
        Worth { press: press(kit, self.mover, pressing), ..worth }
    }

    /// Whether the game is over here.
    pub fn is_over(&self) -> bool {
        self.answer.as_ref().is_none_or(|answer| answer.moves.is_empty())
    }
}

/// Follows a line of moves, of which `probe` knows what can be known.
pub fn walk(
    probe: impl Fn(Option<&str>) -> Result<Answer, GameError>,
    root: Option<&str>,
    line: &[String],
) -> Result<Vec<Station>, Trouble> {
    let mut stations = vec![Station::new(probe(root)?, 0, None)];
    for name in line {
        let ply = stations.len();
        let here = &stations[ply - 1];
        let answer = here.answer.as_ref();
        let mv = answer.and_then(|answer| answer.moves.iter().find(|mv| mv.name == *name));
        let Some(mv) = mv else {
            let at = answer.map_or("the end of the game", |answer| &answer.position);
            let message = format!("move {ply}, '{}', cannot be made at {at}", short(name));
            return Err(Trouble::field("line", message));
        };
        let played = Some((name.clone(), mv.trace.clone()));
        let next = match &mv.position {
            Some(position) => Station::new(probe(Some(position))?, ply, played),
            None => ended(here, mv, played),
        };
        stations.push(next);
    }
    Ok(stations)
}

/// The end of the game after a move that leads to no position.
fn ended(
    before: &Station,
    mv: &kanzen_registry::MoveAnswer,
    played: Option<(String, Trace)>,
) -> Station {
    let worth = mv.value.unwrap_or(Outcome::Draw).flip();
    Station {
        answer: None,
        drawing: mv.end.clone().unwrap_or_else(|| before.drawing.after(&mv.trace)),
        exchanged: before.exchanged,
        mover: before.mover.other(),
        worth: Some(Verdict { value: worth, plies: Some(0) }),
        played,
    }
}
