//! Verification of a sample of a very large table, with the rules and the index alone, not with the
//! engine. In a table without distances, values are compared without their plies.

use super::rules::{Musashi, Player, Position};
use super::solved::{BLACK_WINS, SolvedMusashi};
use kanzen_analyse::Random;
use kanzen_analyse::Values;
use kanzen_bitmap::Place;
use kanzen_core::{Game, Value};
use kanzen_registry::{GameError, SolvedGame, Store, VerifyReport};
use kanzen_solve::Progress;
use kanzen_table::Table;
use rayon::prelude::*;
use std::mem::discriminant;

/// Positions that are checked.
const SAMPLE: u64 = 1 << 14;
/// Problems that are told.
const KEPT: usize = 10;

/// Reads every block, so that its checksum is checked, and checks positions at random.
pub(super) fn sample(
    solved: &SolvedMusashi,
    table: &Table,
    progress: &dyn Progress,
) -> Result<VerifyReport, GameError> {
    let game = solved.game();
    let index = game.board().index();
    let maps = index.kings().len();
    progress.begin("reading the table", maps as u64);
    for map in 0..maps {
        table.check(map)?;
        progress.advance(1);
    }
    progress.end();
    progress.begin("verifying a sample", SAMPLE);
    let mut random = Random::new(1);
    let places: Vec<Place> = (0..SAMPLE)
        .map(|_| Place {
            king: random.below(maps as u64) as usize,
            index: random.below(index.size()),
        })
        .collect();
    let checked: Vec<Option<String>> = places
        .into_par_iter()
        .filter_map(|place| {
            progress.advance(1);
            let position = canonical(game, place)?;
            let check = || {
                let expected = solved.moves(&position)?.first().map_or(BLACK_WINS, |mv| mv.value);
                Ok(compare(solved, &position, solved.value(&position)?, expected))
            };
            Some(check())
        })
        .collect::<Result<_, GameError>>()?;
    progress.end();
    let positions = checked.len() as u64;
    let mut problems: Vec<String> = checked.into_iter().flatten().collect();
    let wrong = problems.len() as u64;
    problems.truncate(KEPT);
    Ok(VerifyReport { passed: wrong == 0, positions, wrong, problems })
}

/// The position at a place with brown to move, unless another place stands for it.
fn canonical(game: &Musashi, place: Place) -> Option<Position> {
    let index = game.board().index();
    let (king, brown) = index.position(place)?;
    (index.locate(king, brown) == Some(place)).then_some(Position {
        king,
        brown,
        turn: Player::Brown,
    })
}

fn compare(
    solved: &SolvedMusashi,
    position: &Position,
    found: Value,
    expected: Value,
) -> Option<String> {
    let same = match solved.store() {
        Store::Distance => found == expected,
        _ => discriminant(&found) == discriminant(&expected),
    };
    (!same).then(|| {
        let position = solved.game().write(position);
        format!("{position}: the table says {found:?}, its moves say {expected:?}")
    })
}
