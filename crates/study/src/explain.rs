//! What can be said of a position beside its values: threats, how hard it is to keep the value, and the
//! win that forgives most.

use kanzen_analyse::ValueError;
use kanzen_core::{Language, Outcome, Trace};
use kanzen_registry::{Answer, AnySolved, GameError, MoveAnswer};
use serde::Serialize;
use std::collections::HashSet;
use utoipa::ToSchema;

/// Plies of the longest win that is called a threat.
const THREAT: u16 = 3;
/// Plies of the best line that are looked into.
pub const FAR: usize = 40;
/// Winning moves, and replies to each, that are compared in search of the simplest.
const WIDE: usize = 8;

/// What can be said of a position.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Explained {
    /// Moves with which the other side would win within three plies if it were its turn.
    pub threats: Vec<Named>,
    /// How many moves keep the value.
    pub keeping: usize,
    /// Turns of the side that has something to keep in the best line, until a position comes back, in at
    /// most 40 plies.
    pub turns: usize,
    /// Those of them at which a single move keeps it.
    pub single: usize,
    /// Whether the best line goes on after those 40 plies.
    pub cut: bool,
    /// The win that forgives most: after the best replies to it, the most moves still win.
    pub simplest: Option<Simplest>,
}

/// A move and what it touches.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Named {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// The spots it touches.
    #[serde(skip)]
    pub trace: Trace,
}

/// A winning move that is easy to follow up.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Simplest {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// Plies to the end of the game; null if the distance is not known.
    pub plies: Option<u16>,
    /// How many moves win after the reply that leaves the fewest; null if the move ends the game.
    pub winning: Option<usize>,
}

/// The position with the other side to move; none if the game knows no such thing, or the table holds
/// only what can arise and this cannot.
pub(crate) fn passed(solved: &dyn AnySolved, answer: &Answer) -> Result<Option<Answer>, GameError> {
    let Some(passed) = &answer.passed else { return Ok(None) };
    match solved.probe(Some(passed)) {
        Err(GameError::Value(ValueError::Unreachable(_))) => Ok(None),
        found => found.map(Some),
    }
}

/// Explains a position.
///
/// # Errors
/// If the table cannot be read.
pub fn explain(solved: &dyn AnySolved, answer: &Answer) -> Result<Explained, GameError> {
    let Some(value) = answer.value else { return Ok(Explained::default()) };
    let near = |mv: &&MoveAnswer| {
        mv.value == Some(Outcome::Win) && mv.plies.is_some_and(|plies| plies <= THREAT)
    };
    let threats = match passed(solved, answer)? {
        Some(passed) => passed.moves.iter().filter(near).map(named).collect(),
        None => Vec::new(),
    };
    let mut here = answer.choice();
    let mut explained = Explained { threats, keeping: here.keeping, ..Explained::default() };
    // A lost position has nothing to keep: then the other side has.
    let mut keeper = value != Outcome::Loss;
    let mut seen = HashSet::from([answer.position.clone()]);
    for ply in 1..=FAR {
        if keeper {
            explained.turns += usize::from(here.moves > 1);
            explained.single += usize::from(here.moves > 1 && here.keeping == 1);
        }
        let Some(next) = here.best.take().filter(|next| seen.insert(next.clone())) else { break };
        let next = solved.choice(&next)?;
        keeper = if next.turn.is_some() { keeper == (next.turn == here.turn) } else { !keeper };
        here = next;
        explained.cut = ply == FAR && here.moves > 0;
    }
    if value == Outcome::Win && answer.best_play.is_none() {
        explained.simplest = simplest(solved, answer)?;
    }
    Ok(explained)
}

fn named(mv: &MoveAnswer) -> Named {
    Named { name: mv.name.clone(), trace: mv.trace.clone() }
}

/// The winning move after which the hardest reply leaves the most winning moves.
fn simplest(solved: &dyn AnySolved, answer: &Answer) -> Result<Option<Simplest>, GameError> {
    let mut best: Option<Simplest> = None;
    let wins = answer.moves.iter().filter(|mv| mv.value == Some(Outcome::Win));
    for mv in wins.take(WIDE) {
        let mut least: Option<usize> = None;
        if let Some(position) = &mv.position {
            for reply in solved.probe(Some(position))?.moves.iter().take(WIDE) {
                let Some(next) = &reply.position else { continue };
                let next = solved.choice(next)?;
                let winning = if next.value == Outcome::Win { next.keeping } else { 0 };
                least = Some(least.map_or(winning, |least| least.min(winning)));
            }
        }
        // A move that ends the game forgives everything.
        let rank = |winning: Option<usize>| winning.unwrap_or(usize::MAX);
        if best.as_ref().is_none_or(|best| rank(least) > rank(best.winning)) {
            best = Some(Simplest { name: mv.name.clone(), plies: mv.plies, winning: least });
        }
    }
    Ok(best)
}

/// Why the best move is right, where it is the only one that keeps the value; `fastest` if a win counts
/// only if it is the fastest.
pub fn reason(answer: &Answer, fastest: bool, language: Language) -> String {
    let value = answer.value;
    let best = answer.moves.first();
    let name = best.map_or("", |best| &best.name);
    let losing = answer.moves.iter().filter(|mv| mv.value == Some(Outcome::Loss)).count();
    let keeping = answer.moves.iter().filter(|mv| mv.value == value).count();
    let others = answer.moves.len() - keeping;
    let plies = best.and_then(|best| best.plies);
    let wins = value == Some(Outcome::Win);
    if value == Some(Outcome::Loss) {
        return language.pick(
            format!("{name} holds out longest; no move avoids the loss."),
            format!("{name}が最も長く粘れます。どの手でも負けです。"),
        );
    }
    if let (true, Some(plies)) = (fastest, plies) {
        return language.pick(
            format!("{name} wins in {plies}; every other move takes longer or does not win."),
            format!("{name}なら{plies}手で勝ちです。ほかの手ではより長くかかるか、勝てません。"),
        );
    }
    let english = match (others, losing) {
        (0, _) => String::new(),
        (1, 1) => "; the other move loses".to_owned(),
        _ if losing == others => format!("; the {others} other moves lose"),
        (1, _) => "; the other move does not".to_owned(),
        (_, 0) => format!("; none of the {others} other moves does"),
        (_, 1) => format!("; none of the {others} other moves does, and 1 of them loses"),
        _ => format!("; none of the {others} other moves does, and {losing} of them lose"),
    };
    let japanese = match losing {
        _ if others == 0 => String::new(),
        _ if losing == others => "ほかの手はどれも負けです。".to_owned(),
        0 => "ほかの手ではできません。".to_owned(),
        _ => format!("ほかの{others}手ではできず、うち{losing}手は負けです。"),
    };
    match plies.filter(|_| wins) {
        Some(plies) => language.pick(
            format!("{name} wins in {plies}{english}."),
            format!("{name}なら{plies}手で勝てます。{japanese}"),
        ),
        None => language.pick(
            format!("{name} keeps the result{english}."),
            format!("{name}なら結果を保てます。{japanese}"),
        ),
    }
}
