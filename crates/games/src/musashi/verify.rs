//! Verification of a table with the rules and the index alone, not with the engine.
//!
//! If every value of a position with brown to move is what the best move and the best answer make of
//! it, the table is right: wins by induction over their plies, and the others because brown has no
//! way to a win from them. In a table without distances, values are compared without their plies.

use super::rules::{Musashi, Player, Position};
use super::solved::SolvedMusashi;
use crate::GameError;
use crate::any::{Store, VerifyReport};
use kanzen_analyse::Random;
use kanzen_bitmap::Place;
use kanzen_core::{Game, Next, Value};
use kanzen_solve::Progress;
use kanzen_table::Table;
use rayon::prelude::*;
use std::mem::discriminant;

/// The most cells of a table that is checked as a whole.
pub(super) const ALL: u64 = 1 << 28;
/// Positions of a larger table that are checked.
const SAMPLE: u64 = 1 << 14;
/// Cells that are checked together.
const CHUNK: usize = 1 << 14;
/// Problems that are told.
const KEPT: usize = 10;

/// Checks every position and the counts of every map. All codes are in memory, also those of the
/// positions with black to move.
pub(super) fn all(
    solved: &SolvedMusashi,
    table: &Table,
    progress: &dyn Progress,
) -> Result<VerifyReport, GameError> {
    let game = solved.game();
    if solved.has() == Store::None {
        return Err(GameError::NoAnswer("the table has only the census: nothing to verify".into()));
    }
    let index = game.board().index();
    let maps = 0..index.kings().len();
    let brown: Vec<Vec<u16>> =
        maps.clone().map(|map| table.codes(map)).collect::<Result<_, _>>()?;
    progress.begin("verifying", 2 * maps.len() as u64 * index.size());
    let black: Vec<Vec<u16>> = maps
        .clone()
        .map(|map| {
            let mut codes = vec![0; brown[map].len()];
            codes.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, codes)| {
                for (i, code) in ((chunk * CHUNK) as u64..).zip(codes.iter_mut()) {
                    if let Some(position) =
                        canonical(game, Player::Black, Place { king: map, index: i })
                    {
                        let read = |code| solved.read(code);
                        let value = best(game, &position, &brown, read);
                        *code = value.unwrap_or(Value::Loss(0)).code();
                    }
                }
                progress.advance(codes.len() as u64);
            });
            codes
        })
        .collect();
    let mut report = VerifyReport { passed: true, positions: 0, wrong: 0, problems: Vec::new() };
    for map in maps {
        let (counts, problems) = brown[map]
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, codes)| {
                let mut counts = vec![0_u64; usize::from(u16::MAX) + 1];
                let mut problems = Vec::new();
                for (i, &code) in ((chunk * CHUNK) as u64..).zip(codes) {
                    let place = Place { king: map, index: i };
                    let Some(position) = canonical(game, Player::Brown, place) else { continue };
                    counts[usize::from(code)] += 1;
                    let expected = best(game, &position, &black, Value::from_code);
                    let expected = expected.unwrap_or(Value::Open);
                    problems.extend(compare(solved, &position, solved.read(code), expected));
                }
                progress.advance(codes.len() as u64);
                let used = counts.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1);
                counts.truncate(used);
                (counts, problems)
            })
            .reduce(Default::default, |(a, mut x), (b, y)| {
                x.extend(y);
                let (mut long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
                long.iter_mut().zip(short).for_each(|(sum, n)| *sum += n);
                (long, x)
            });
        report.positions += counts.iter().sum::<u64>();
        report.wrong += problems.len() as u64;
        let room = KEPT.saturating_sub(report.problems.len());
        report.problems.extend(problems.into_iter().take(room));
        let tier = &table.meta().tiers[map];
        let mut stated = vec![0; counts.len()];
        for (&code, &n) in tier.codes.iter().zip(&tier.counts) {
            stated.resize(stated.len().max(usize::from(code) + 1), 0);
            stated[usize::from(code)] = n;
        }
        if stated != counts {
            report.problems.push(format!("tier '{}': the census in the table is wrong", tier.name));
        }
    }
    progress.end();
    report.passed = report.problems.is_empty();
    Ok(report)
}

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
            let position = canonical(game, Player::Brown, place)?;
            let check = || {
                let expected = solved.moves(&position)?.first().map_or(Value::Open, |mv| mv.2);
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

/// The position at a place, unless another place stands for it.
fn canonical(game: &Musashi, turn: Player, place: Place) -> Option<Position> {
    let index = game.board().index();
    let (king, brown) = index.position(place)?;
    (index.locate(king, brown) == Some(place)).then_some(Position { king, brown, turn })
}

/// What the best move makes of a position, given the codes after it; none without a move.
fn best(
    game: &Musashi,
    position: &Position,
    codes: &[Vec<u16>],
    read: impl Fn(u16) -> Value,
) -> Option<Value> {
    let mut best = None;
    game.successors(position, |next| {
        if let Next::Position(next) = next
            && let Some(place) = game.board().index().locate(next.king, next.brown)
        {
            let value = read(codes[place.king][place.index as usize]);
            best = best.max(Some(value.before_move()));
        }
    });
    best
}

fn compare(
    solved: &SolvedMusashi,
    position: &Position,
    found: Value,
    expected: Value,
) -> Option<String> {
    let same = match solved.has() {
        Store::Distance => found == expected,
        _ => discriminant(&found) == discriminant(&expected),
    };
    (!same).then(|| {
        let position = solved.game().write(position);
        format!("{position}: the table says {found:?}, its moves say {expected:?}")
    })
}
