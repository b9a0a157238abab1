//! Verification of a table with the rules and the index alone, not with the engine.
//!
//! If every value of a state is what its best move makes of it, the table is right: wins and losses
//! by induction over their plies, and draws because nobody has a way out of them.

use super::look::Look;
use super::rules::State;
use super::solved::SolvedOstle;
use super::undo;
use kanzen_analyse::Random;
use kanzen_analyse::{ValueError, Values};
use kanzen_core::{Game, Value};
use kanzen_registry::{GameError, VerifyReport};
use kanzen_solve::Progress;
use rayon::prelude::*;

/// Boards that are checked.
const SAMPLE: u64 = 1 << 14;
/// Problems that are told.
const KEPT: usize = 10;

/// Reads every block, so that its checksum is checked, and checks all states of boards at random.
pub fn sample(solved: &SolvedOstle, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
    let table = solved.table();
    let tiers = table.meta().tiers.len();
    progress.begin("reading the table", tiers as u64);
    for tier in 0..tiers {
        table.check(tier)?;
        progress.advance(1);
    }
    progress.end();
    let shapes = solved.game().space().tiers.all();
    let mut random = Random::new(1);
    let places: Vec<(usize, u32)> = (0..SAMPLE)
        .map(|_| {
            let tier = random.below(shapes.len() as u64) as usize;
            (tier, random.below(shapes[tier].size().into()) as u32)
        })
        .collect();
    progress.begin("verifying a sample", SAMPLE);
    let checked: Vec<(u64, Vec<String>)> = places
        .into_par_iter()
        .map(|(tier, number)| {
            progress.advance(1);
            check_board(solved, tier, number)
        })
        .collect::<Result<_, ValueError>>()?;
    progress.end();
    let positions = checked.iter().map(|(states, _)| states).sum();
    let mut problems: Vec<String> = checked.into_iter().flat_map(|(_, p)| p).collect();
    let wrong = problems.len() as u64;
    problems.truncate(KEPT);
    Ok(VerifyReport { passed: wrong == 0, positions, draws: None, wrong, problems })
}

/// Checks every state of a board. Returns how many there are, and what is wrong.
fn check_board(
    solved: &SolvedOstle,
    tier: usize,
    number: u32,
) -> Result<(u64, Vec<String>), ValueError> {
    let game = solved.game();
    let Some(board) = game.space().tiers.all()[tier].board(number) else {
        return Ok((0, Vec::new()));
    };
    let mut states = vec![State::free(board)];
    let barrable = Look::at(&board).barrable(&board).map(|mv| State { board, barred: Some(mv) });
    states.extend(barrable.filter(|state| undo::before(game, state).is_some()));
    let mut problems = Vec::new();
    for state in &states {
        let found = solved.value(state)?;
        let expected = solved.moves(state)?.first().map_or(Value::Loss(0), |mv| mv.value);
        if found != expected {
            let text = game.write(state);
            problems.push(format!("{text}: the table says {found:?}, its moves say {expected:?}"));
        }
    }
    Ok((states.len() as u64, problems))
}
