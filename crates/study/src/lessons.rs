//! Lessons: positions with something to do, for people who see a game for the first time.
//!
//! A game brings lessons of its own. Where it has fewer than five, more are found by the rules: random
//! games are played from the start, and their positions looked at for a win, a capture, a threat to
//! parry and a win that cannot be parried. The same lessons are found every time.

use kanzen_analyse::Random;
use kanzen_core::{Drawing, Outcome, Side, Text};
use kanzen_registry::{Answer, AnyGame, Entry, GameError, Goal, MoveAnswer};
use serde::Serialize;

/// A position with something to do.
#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    /// The position.
    pub position: String,
    /// What to do.
    #[serde(serialize_with = "both")]
    pub task: Text,
    /// When it is done.
    pub goal: Goal,
    /// A move that does it.
    pub answer: String,
}

fn both<S: serde::Serializer>(text: &Text, to: S) -> Result<S::Ok, S::Error> {
    serde_json::json!({ "en": text.en, "ja": text.ja }).serialize(to)
}

/// The least number of lessons of a game, and the most.
const FEWEST: usize = 5;
const MOST: usize = 8;
/// Positions that are looked at in search of lessons.
const LOOKS: usize = 3000;
/// Plies of a random game.
const PLIES: usize = 60;
/// Moves of positions that are looked into move by move.
const WIDEST: usize = 24;

/// The lessons of a game: its own, and such as the rules give where it has few.
///
/// ```
/// use kanzen_study::lessons::{lessons, solves};
/// let entry = kanzen_games::all().find("tictactoe")?;
/// let game = entry.build(&[])?;
/// let all = lessons(entry, &*game);
/// assert!(all.len() >= 5);
/// assert!(all.iter().all(|it| solves(&*game, it, &it.answer) == Ok(true)));
/// # Ok::<(), kanzen_registry::GameError>(())
/// ```
pub fn lessons(entry: &Entry, game: &dyn AnyGame) -> Vec<Lesson> {
    let own = entry.learn.lessons.iter().map(|lesson| Lesson {
        position: lesson.position.to_owned(),
        task: lesson.task.into(),
        goal: lesson.goal,
        answer: lesson.answer.to_owned(),
    });
    // A variant may know other positions, or other moves.
    let own = own.filter(|lesson| solves(game, lesson, &lesson.answer) == Ok(true));
    let mut lessons: Vec<Lesson> = own.take(MOST).collect();
    if lessons.len() < FEWEST {
        let mut search = Search { game, left: LOOKS };
        let wanted = [Goal::Move, Goal::Take, Goal::Win, Goal::Guard, Goal::Force];
        let known: Vec<Goal> = lessons.iter().map(|lesson| lesson.goal).collect();
        let fresh = wanted.into_iter().filter(|goal| !known.contains(goal)).collect();
        lessons.extend(search.find(fresh, FEWEST - lessons.len(), &lessons));
        lessons
            .sort_by_key(|lesson| wanted.iter().position(|goal| *goal == lesson.goal).unwrap_or(0));
    }
    lessons
}

/// What becomes of a piece that leaves its spot to somebody else.
#[derive(Clone, Copy)]
enum Fate {
    /// It leaves the board.
    Taken,
    /// It lies under another.
    Covered,
    /// It stands elsewhere.
    Driven,
}

/// What a lesson that the rules give asks for.
fn task(goal: Goal, fate: Fate) -> Text {
    let (en, ja) = match goal {
        Goal::Move => ("Make a move. Any will do.", "好きな手を指してみましょう。"),
        Goal::Take => match fate {
            Fate::Taken => ("Take an enemy piece.", "相手の駒を取りましょう。"),
            Fate::Covered => ("Cover an enemy piece.", "相手の駒にかぶせましょう。"),
            Fate::Driven => ("Drive an enemy piece from its place.", "相手の駒をどかしましょう。"),
        },
        Goal::Win => ("Win with one move.", "1手で勝ちましょう。"),
        Goal::Guard => (
            "Take care: leave your opponent no way to win at once.",
            "相手に次の1手で勝たれないようにしましょう。",
        ),
        Goal::Force => (
            "Play so that you win with your next move, whatever the answer.",
            "相手がどう指しても次の手で勝てる手を見つけましょう。",
        ),
        Goal::Named => ("Find the move.", "手を見つけましょう。"),
    };
    Text::new(en, ja)
}

/// Whether a move does what a lesson asks for; an error if it is no move there.
pub fn solves(game: &dyn AnyGame, lesson: &Lesson, name: &str) -> Result<bool, NoMove> {
    let before = game.look(Some(&lesson.position)).map_err(|_| NoMove)?;
    let mv = before.moves.iter().find(|mv| mv.name == name).ok_or(NoMove)?;
    let done = match lesson.goal {
        Goal::Named => Ok(name == lesson.answer),
        goal => reaches(game, &before, mv, goal),
    };
    done.map_err(|_| NoMove)
}

/// The position of a lesson does not have this move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMove;

/// Whether a move reaches a goal.
fn reaches(
    game: &dyn AnyGame,
    before: &Answer,
    mv: &MoveAnswer,
    goal: Goal,
) -> Result<bool, GameError> {
    let won = |mv: &MoveAnswer| mv.value == Some(Outcome::Win);
    if matches!(goal, Goal::Move | Goal::Named) || goal != Goal::Take && won(mv) {
        return Ok(true);
    }
    let after = match &mv.position {
        Some(position) if goal != Goal::Win => game.look(Some(position))?,
        _ => return Ok(false),
    };
    Ok(match goal {
        Goal::Take => takes(before, &after),
        Goal::Guard => {
            mv.value.is_none_or(|value| value == Outcome::Draw) && !after.moves.iter().any(won)
        }
        _ => {
            let mut forced = !after.moves.is_empty();
            for reply in &after.moves {
                let again = match &reply.position {
                    Some(position) if reply.value.is_none() => game.look(Some(position))?,
                    _ => return Ok(false),
                };
                forced &= again.moves.iter().any(won);
            }
            forced
        }
    })
}

/// Whether a piece of somebody else has left its spot.
fn takes(before: &Answer, after: &Answer) -> bool {
    let mover = before.turn();
    // The sides change places where the side to move is always the first.
    let own = if after.drawing.turn.is_none() { mover.other() } else { mover };
    let others = |drawing: &Drawing, own: Side| -> Vec<usize> {
        let top = |spot: usize| drawing.pieces.iter().rfind(|piece| piece.spot == spot);
        let held = (0..drawing.spots.len()).filter(|spot| {
            top(*spot).is_some_and(|piece| piece.side != own && piece.side != Side::Neutral)
        });
        held.collect()
    };
    let left = others(&after.drawing, own);
    others(&before.drawing, mover).iter().any(|spot| !left.contains(spot))
}

/// What becomes of the pieces of others by a move.
fn fate(before: &Answer, after: &Answer) -> Fate {
    let mover = before.turn();
    let own = if after.drawing.turn.is_none() { mover.other() } else { mover };
    let others = |drawing: &Drawing, own: Side| -> Vec<usize> {
        let pieces = drawing.pieces.iter();
        let others = pieces.filter(|it| it.side != own && it.side != Side::Neutral);
        let mut spots: Vec<usize> = others.map(|piece| piece.spot).collect();
        spots.sort_unstable();
        spots
    };
    let (before, after) = (others(&before.drawing, mover), others(&after.drawing, own));
    match (after.len() < before.len(), after == before) {
        (true, _) => Fate::Taken,
        (_, true) => Fate::Covered,
        _ => Fate::Driven,
    }
}

/// Looks for lessons in random games.
struct Search<'g> {
    game: &'g dyn AnyGame,
    left: usize,
}

impl Search<'_> {
    fn find(&mut self, mut wanted: Vec<Goal>, count: usize, known: &[Lesson]) -> Vec<Lesson> {
        let mut found: Vec<Lesson> = Vec::new();
        // Goals that come up again, once every goal has been met.
        let mut spare: Vec<Lesson> = Vec::new();
        let mut random = Random::new(1);
        while self.left > 0 && !(found.len() >= count && wanted.is_empty()) {
            let mut position: Option<String> = None;
            for _ in 0..PLIES {
                let Ok(answer) = self.game.look(position.as_deref()) else { break };
                self.left = self.left.saturating_sub(1);
                if answer.moves.is_empty() || self.left == 0 {
                    break;
                }
                let fresh = |lesson: &Lesson| lesson.position != answer.position;
                if known.iter().chain(&found).chain(&spare).all(fresh) {
                    if let Some(place) = wanted.iter().position(|goal| self.fits(&answer, *goal)) {
                        found.extend(self.lesson(&answer, wanted.remove(place)));
                    } else if spare.len() < count && self.fits(&answer, Goal::Win) {
                        spare.extend(self.lesson(&answer, Goal::Win));
                    }
                }
                let mv = &answer.moves[random.below(answer.moves.len() as u64) as usize];
                match (&mv.position, mv.value) {
                    (Some(next), None) => position = Some(next.clone()),
                    _ => break,
                }
            }
        }
        // What is still missing is filled with more wins.
        found.extend(spare.into_iter().take(count.saturating_sub(found.len())));
        found
    }

    /// Whether a position makes a lesson: some of its moves reach the goal, others do not.
    fn fits(&mut self, answer: &Answer, goal: Goal) -> bool {
        if goal == Goal::Move {
            return true;
        }
        let wins = answer.moves.iter().any(|mv| mv.value == Some(Outcome::Win));
        if answer.moves.len() < 2
            || wins != (goal == Goal::Win)
            || answer.moves.len() > WIDEST && !wins
        {
            return false;
        }
        let mut done = 0;
        for mv in &answer.moves {
            if goal != Goal::Win {
                self.left = self.left.saturating_sub(1);
            }
            done += usize::from(reaches(self.game, answer, mv, goal).unwrap_or(false));
        }
        (1..=answer.moves.len() / 2).contains(&done)
    }

    fn lesson(&self, answer: &Answer, goal: Goal) -> Option<Lesson> {
        let right = |mv: &&MoveAnswer| reaches(self.game, answer, mv, goal).unwrap_or(false);
        let mv = answer.moves.iter().find(right)?;
        let after = mv.position.as_ref().and_then(|next| self.game.look(Some(next)).ok());
        Some(Lesson {
            position: answer.position.clone(),
            task: task(goal, after.map_or(Fate::Taken, |after| fate(answer, &after))),
            goal,
            answer: mv.name.clone(),
        })
    }
}
