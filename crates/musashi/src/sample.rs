//! Verification of a very large table: the cells of every block are counted against the census, and in
//! every block some positions are compared with their moves by the rules and the index alone, so that a
//! block that is wrong or in another's place is found. In a table without distances, values are compared
//! without their plies.

use super::rules::{Musashi, Player, Position};
use super::solved::{BLACK_WINS, SolvedMusashi};
use kanzen_analyse::Random;
use kanzen_analyse::Values;
use kanzen_bitmap::{Index, Place, Recount};
use kanzen_core::{Game, Value};
use kanzen_registry::{GameError, SolvedGame, Store, VerifyReport};
use kanzen_solve::Progress;
use kanzen_table::{BLOCK_CELLS, Table, TableError};
use rayon::prelude::*;
use std::mem::discriminant;

/// Cells of a block that are tried until enough stand for positions.
const TRIES: usize = 256;
/// Positions of a block that are checked: so many that brown wins, and so many of the others.
const EACH: usize = 2;
/// Problems that are told.
const KEPT: usize = 10;

/// Counts every block, and checks positions of each.
pub(super) fn sample(
    solved: &SolvedMusashi,
    table: &Table,
    progress: &dyn Progress,
) -> Result<VerifyReport, GameError> {
    let game = solved.game();
    let index = game.board().index();
    let mut problems = miscounted(solved, table, progress)?;
    let cells = table.meta().block_cells.min(index.size());
    let is_stored = |map: usize, number: u64| {
        index.has_canonical(map, (number * cells / index.block_size() as u64) as usize)
    };
    let blocks: Vec<(usize, u64)> = (0..index.kings().len())
        .flat_map(|map| (0..index.size() / cells).map(move |number| (map, number)))
        .filter(|&(map, number)| is_stored(map, number))
        .collect();
    progress.begin("verifying positions of every block", blocks.len() as u64);
    let checked: Vec<Vec<Option<String>>> = blocks
        .into_par_iter()
        .map(|(king, block)| {
            progress.advance(1);
            let mut random = Random::new(king as u64 + block * index.kings().len() as u64);
            let (mut left, mut checked) = ([EACH; 2], Vec::new());
            for _ in 0..TRIES {
                let place = Place { king, index: block * cells + random.below(cells) };
                let Some(position) = canonical(game, place) else { continue };
                let found = solved.value(&position)?;
                let left = &mut left[usize::from(matches!(found, Value::Win(_)))];
                if *left > 0 {
                    *left -= 1;
                    let best = solved.moves(&position)?.first().map_or(BLACK_WINS, |mv| mv.value);
                    checked.push(compare(solved, &position, found, best));
                }
            }
            Ok(checked)
        })
        .collect::<Result<_, GameError>>()?;
    progress.end();
    let positions = checked.iter().map(|checked| checked.len() as u64).sum();
    let wrong: Vec<String> = checked.into_iter().flatten().flatten().collect();
    let (passed, count) = (problems.is_empty() && wrong.is_empty(), wrong.len() as u64);
    problems.extend(wrong);
    problems.truncate(KEPT);
    Ok(VerifyReport { passed, positions, draws: None, wrong: count, problems })
}

/// The maps whose cells are not those that the table's census counts, in words.
fn miscounted(
    solved: &SolvedMusashi,
    table: &Table,
    progress: &dyn Progress,
) -> Result<Vec<String>, TableError> {
    let index = solved.game().board().index();
    let tiers = &table.meta().tiers;
    let most = tiers.iter().map(|tier| tier.codes.len()).max().unwrap_or(0);
    progress.begin("counting every block", (tiers.len() * index.blocks()) as u64);
    let mut problems = Vec::new();
    for ((map, tier), recount) in tiers.iter().enumerate().zip(Recount::all(index, most)) {
        let lists_won: Vec<bool> =
            tier.codes.iter().map(|&code| matches!(solved.read(code), Value::Win(_))).collect();
        (0..index.blocks()).into_par_iter().try_for_each(|block| {
            progress.advance(1);
            let codes = block_codes(table, index, map, block)?;
            if !index.has_canonical(map, block) {
                return Ok(());
            }
            let mut maps: Vec<Vec<u8>> = vec![Vec::new(); tier.codes.len()];
            for (at, code) in codes.iter().enumerate() {
                // There are few codes, the most frequent first.
                let rank = tier.codes.iter().position(|known| known == code).unwrap_or(0);
                if lists_won[rank] {
                    let map = &mut maps[rank];
                    map.resize(codes.len() / 8, 0);
                    map[at / 8] |= 1 << (at % 8);
                }
            }
            for (rank, map) in maps.iter().enumerate().filter(|(_, map)| !map.is_empty()) {
                recount.add_bytes(rank, block, map);
            }
            Ok(())
        })?;
        let found = recount.counted();
        let wrong = |rank: usize| lists_won[rank] && found[rank] != tier.counts[rank];
        if (0..tier.codes.len()).any(wrong) {
            problems.push(format!(
                "tier '{}': its cells are not those that its census counts",
                tier.name
            ));
        }
    }
    progress.end();
    let in_tiers: u64 = tiers.iter().flat_map(|tier| &tier.counts).sum();
    if in_tiers != solved.census().map(|(_, brown)| brown.positions).sum::<u64>() {
        problems.push("the census is not that of the tiers".to_owned());
    }
    Ok(problems)
}

/// The codes of a block of the index, which may be one or several of the table.
fn block_codes(
    table: &Table,
    index: &Index,
    map: usize,
    block: usize,
) -> Result<Vec<u16>, TableError> {
    let size = index.block_size() as u64;
    let (first, end) = (block as u64 * size, (block as u64 + 1) * size);
    let cells = table.meta().block_cells;
    let mut codes = Vec::with_capacity(size.max(BLOCK_CELLS) as usize);
    for number in first / cells..end.div_ceil(cells) {
        codes.extend(table.block(map, number)?);
    }
    let skipped = (first % cells) as usize;
    codes.drain(..skipped);
    codes.truncate(size as usize);
    Ok(codes)
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
