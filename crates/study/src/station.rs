//! The positions of a game that is being played, one after the other. Players keep their names, also
//! where a game is written as the side to move sees it.

use kanzen_core::{Drawing, Kit, Outcome, Side, Trace, Verdict};
use kanzen_registry::{Answer, GameError, MoveAnswer};
use kanzen_show::Worth;
use kanzen_show::board::lasting;

use crate::worth::{press, shown};

/// A position of the game, and the move that led to it.
#[derive(Clone, Debug)]
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
    /// The first position of a game.
    pub fn first(answer: Answer) -> Station {
        Station::new(answer, false, None)
    }

    /// What a move leads to; `probe` knows what can be known there.
    ///
    /// # Errors
    /// If `probe` fails.
    pub fn after(
        &self,
        mv: &MoveAnswer,
        probe: impl FnOnce(Option<&str>) -> Result<Answer, GameError>,
    ) -> Result<Station, GameError> {
        let played = Some((mv.name.clone(), mv.trace.clone()));
        Ok(match &mv.position {
            Some(position) => {
                let answer = probe(Some(position))?;
                let exchanged = mv.exchanges(self.exchanged, &answer.drawing);
                Station::new(answer, exchanged, played)
            }
            None => self.ended(mv, played),
        })
    }

    fn new(answer: Answer, exchanged: bool, played: Option<(String, Trace)>) -> Station {
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

    /// The end of the game after a move that leads to no position.
    fn ended(&self, mv: &MoveAnswer, played: Option<(String, Trace)>) -> Station {
        let worth = mv.value.unwrap_or(Outcome::Draw).flip();
        Station {
            answer: None,
            drawing: mv.end.clone().unwrap_or_else(|| self.drawing.after(&mv.trace)),
            exchanged: self.exchanged,
            mover: self.mover.other(),
            worth: Some(Verdict { value: worth, plies: Some(0) }),
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

/// Whether the side that was to move at first has kept what it had there, some plies later: the outcome,
/// and the distance if only the fastest win counts.
pub fn kept(stations: &[Station], ply: usize, fastest: bool) -> bool {
    let (first, here) = (&stations[0], &stations[ply]);
    let goal = first.outcome();
    let outcome = match here.mover == first.mover {
        true => here.outcome(),
        false => here.outcome().map(Outcome::flip),
    };
    let plies = |ply: usize| Some(stations[ply].worth?.plies? as usize + ply);
    let fastest = fastest && goal == Some(Outcome::Win);
    outcome == goal && (!fastest || plies(ply) == plies(0))
}
