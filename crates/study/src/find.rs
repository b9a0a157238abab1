//! What can be found in any game: what the game itself knows, and what is known by playing it.

use crate::played::played;
use kanzen_analyse::{Finding, Kind};
use kanzen_registry::kinds::Fairness;
use kanzen_registry::{AnySolved, GameError, Summary};
use kanzen_solve::Progress;

/// The kinds of things that can be found in a game, by name.
pub fn kinds(solved: &dyn AnySolved) -> Vec<Kind> {
    let mut kinds = solved.kinds();
    for kind in [Kind::FAIRNESS, Kind::PLAYED] {
        if !kinds.iter().any(|known| known.name == kind.name) {
            kinds.push(kind);
        }
    }
    kinds.sort_by_key(|kind| kind.name);
    kinds
}

/// Finds what is of a kind, with at most so many examples of each.
///
/// # Errors
/// If the game knows no such kind, or cannot answer.
pub fn find(
    solved: &dyn AnySolved,
    kind: &str,
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, GameError> {
    let kinds = kinds(solved);
    if !kinds.iter().any(|known| known.name == kind) {
        return Err(GameError::unknown_kind(kind, &kinds));
    }
    if kind == Kind::PLAYED.name {
        return Ok(vec![played(solved, progress)?]);
    }
    let own = solved.kinds().iter().any(|known| known.name == kind);
    let mut findings = if own {
        solved.find(kind, most, progress)?
    } else {
        solved.summary()?.map(|summary| fairness(&summary)).into_iter().collect()
    };
    if kind == Kind::FAIRNESS.name {
        findings.push(played(solved, progress)?);
    }
    Ok(findings)
}

/// The shares of values, where a game has no survey of its moves.
fn fairness(summary: &Summary) -> Finding {
    let share = |count: u64| count as f64 / summary.positions.max(1) as f64;
    let fairness = Fairness {
        start: summary.value,
        shares: [summary.wins, summary.draws, summary.losses].map(share),
        mean_plies: None,
        longest: summary.longest,
        moves: None,
        only_moves: None,
    };
    fairness.finding()
}
