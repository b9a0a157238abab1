//! Verification of every position of a large table, a byte for each.
//!
//! For a king's point, an array has the plies to brown's win for every set of brown pieces, the
//! king's own bit left out. A brown move exchanges two bits of the number of a set, so that runs of
//! bytes are compared at once; a capture copies the part without the two pieces to the part with
//! them. The rules are used in this form alone, and neither the engine nor its order of bits.

use super::rules::{Player, Position};
use super::solved::{BLACK_WINS, SolvedMusashi};
use kanzen_analyse::Values;
use kanzen_bitmap::{Graph, Place};
use kanzen_core::{Game, Value};
use kanzen_registry::{GameError, SolvedGame, Store, VerifyReport};
use kanzen_solve::Progress;
use kanzen_table::{Table, TableError};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The most cells of a table that is checked as a whole, a king's point after the other.
pub(super) const ALL: u64 = 1 << 35;
/// Stands for the plies of a position that black wins.
const NEVER: u8 = u8::MAX;
/// Bytes that a thread works on at a time: they stay in its cache.
const CHUNK: usize = 1 << 17;
/// Arrays that are kept for the kings to come.
const KEPT: usize = 9;
/// Problems that are told.
const TOLD: usize = 10;

/// Checks every position with brown to move, and by them those with black to move, and the counts
/// of every map. Without distances that shows only that values fit each other.
pub(super) fn whole(
    solved: &SolvedMusashi,
    table: &Table,
    progress: &dyn Progress,
) -> Result<VerifyReport, GameError> {
    let game = solved.game();
    let graph = game.board().graph();
    let kings = game.board().index().kings();
    let exact = solved.store() == Store::Distance;
    let mut report = VerifyReport { passed: true, ..Default::default() };
    let mut kept: VecDeque<(u8, Vec<u8>)> = VecDeque::new();
    progress.begin("verifying every position", kings.len() as u64);
    for (map, &king) in kings.iter().enumerate() {
        let mut black = Black::new(graph, king);
        for to in graph.neighbours(king) {
            let known = kept.iter().position(|(known, _)| *known == to);
            let after = match known.and_then(|at| kept.remove(at)) {
                Some((_, after)) => after,
                None => captured(graph, to, read(solved, table, to)?.plies),
            };
            black.look(to, &after);
            kept.push_back((to, after));
            if kept.len() > KEPT {
                kept.pop_front();
            }
        }
        let stored = read(solved, table, king)?;
        let wrong: Vec<(usize, u8, u8)> = stored
            .plies
            .par_chunks(CHUNK)
            .enumerate()
            .flat_map_iter(|(chunk, plies)| {
                let first = chunk * CHUNK;
                let expected = brown(graph, king, &black.plies, first, plies.len());
                let both = plies.iter().copied().zip(expected).zip(first..);
                let wrong = both.filter(|((found, expected), _)| {
                    let same_outcome = (*found == NEVER) == (*expected == NEVER);
                    !same_outcome || exact && found != expected
                });
                wrong.map(|((found, expected), number)| (number, found, expected))
            })
            .collect();
        let room = TOLD.saturating_sub(report.problems.len());
        report.problems.extend(wrong.iter().take(room).map(|&(number, found, expected)| {
            let position =
                Position { king, brown: with_gap(number as u64, king), turn: Player::Brown };
            let position = game.write(&position);
            let [found, expected] = [found, expected].map(value);
            format!("{position}: the table says {found:?}, its moves say {expected:?}")
        }));
        report.wrong += wrong.len() as u64;
        report.positions += stored.counts.iter().sum::<u64>();
        let tier = &table.meta().tiers[map];
        let mut stated = [0; 256];
        for (&code, &count) in tier.codes.iter().zip(&tier.counts) {
            stated[usize::from(plies(solved.read(code)))] = count;
        }
        if stated != stored.counts {
            report.problems.push(format!("tier '{}': the census in the table is wrong", tier.name));
        }
        progress.advance(1);
    }
    progress.end();
    report.passed = report.problems.is_empty();
    Ok(report)
}

fn plies(value: Value) -> u8 {
    match value {
        Value::Win(Value::UNKNOWN) => 1,
        Value::Win(plies) => u8::try_from(plies).unwrap_or(NEVER - 1),
        _ => NEVER,
    }
}

fn value(plies: u8) -> Value {
    if plies == NEVER { BLACK_WINS } else { Value::Win(plies.into()) }
}

/// The number of a set of points with a bit left out.
fn without_gap(set: u64, gap: u8) -> u64 {
    let low = (1 << gap) - 1;
    set & low | set >> 1 & !low
}

/// The set that has this number.
fn with_gap(number: u64, gap: u8) -> u64 {
    let low = (1 << gap) - 1;
    number & low | (number & !low) << 1
}

/// What a table says of a king's point, brown to move.
struct Stored {
    plies: Vec<u8>,
    /// For each number of plies, the positions that stand for themselves in the table.
    counts: [u64; 256],
}

/// Reads the positions of a king's point, which may be the image of one that has a map.
fn read(solved: &SolvedMusashi, table: &Table, king: u8) -> Result<Stored, TableError> {
    let board = solved.game().board();
    let (graph, index) = (board.graph(), board.index());
    let number = |point| index.kings().binary_search(&point).ok();
    let symmetries = graph.symmetries().iter().filter(|g| number(g[usize::from(king)]).is_some());
    let images: Vec<Image> = symmetries.map(|g| Image::new(solved, king, g)).collect();
    let map = images.first().and_then(|image| number(image.king)).unwrap_or(0);
    let cells: Vec<AtomicU8> = (0..index.size()).map(|_| AtomicU8::new(NEVER)).collect();
    table.scan(map, |first, codes| {
        for (cell, &code) in cells[first as usize..].iter().zip(codes) {
            cell.store(plies(solved.read(code)), Relaxed);
        }
    })?;
    let own = number(king).is_some();
    let mut found = vec![NEVER; 1 << (graph.points() - 1)];
    let counts = found
        .par_chunks_mut(CHUNK)
        .enumerate()
        .map(|(chunk, plies)| {
            let mut counts = [0; 256];
            for (number, plies) in ((chunk * CHUNK) as u64..).zip(plies) {
                let places = images.iter().map(|image| image.place(number));
                let least = places.min().unwrap_or(0);
                *plies = cells[least as usize].load(Relaxed);
                if own && images[0].place(number) == least {
                    counts[usize::from(*plies)] += 1;
                }
            }
            counts
        })
        .reduce(
            || [0; 256],
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(sum, count)| *sum += count);
                a
            },
        );
    Ok(Stored { plies: found, counts })
}

/// Where the sets of a king's point stand in a map, by a symmetry: what each half of the bits adds
/// to the index.
struct Image {
    king: u8,
    low: Vec<u64>,
    high: Vec<u64>,
}

/// Bits of a number that are looked up at once.
const HALF: usize = 16;

impl Image {
    fn new(solved: &SolvedMusashi, king: u8, symmetry: &[u8]) -> Image {
        let board = solved.game().board();
        let index = board.index();
        let to = symmetry[usize::from(king)];
        let map = index.kings().binary_search(&to).unwrap_or(0);
        let mut slots = vec![0; board.graph().points()];
        for slot in (0..64).map(|slot| 1_u64 << slot).take_while(|&slot| slot < index.size()) {
            if let Some((_, pieces)) = index.position(Place { king: map, index: slot }) {
                slots[pieces.trailing_zeros() as usize] = slot;
            }
        }
        let bit = |number: usize| {
            let point = with_gap(1 << number, king).trailing_zeros() as usize;
            symmetry.get(point).map_or(0, |&to| slots[usize::from(to)])
        };
        let table = |first: usize| {
            let mut table = vec![0; 1 << HALF];
            for set in 1..table.len() {
                let lowest = set.trailing_zeros() as usize;
                table[set] = table[set & (set - 1)] | bit(first + lowest);
            }
            table
        };
        Image { king: to, low: table(0), high: table(HALF) }
    }

    fn place(&self, number: u64) -> u64 {
        self.low[number as usize & ((1 << HALF) - 1)] | self.high[number as usize >> HALF]
    }
}

/// The positions of a king's point as a king's move meets them: the pieces of each sandwich are
/// captured, so the sets that have them are worth what the sets without them are.
fn captured(graph: &Graph, king: u8, mut plies: Vec<u8>) -> Vec<u8> {
    for &[a, middle, b] in graph.sandwiches() {
        if middle != king {
            continue;
        }
        let pair = without_gap(1 << a | 1 << b, king) as usize;
        let run = 1 << pair.trailing_zeros();
        for start in (0..plies.len()).step_by(run).filter(|start| start & pair == pair) {
            plies.copy_within(start ^ pair..(start ^ pair) + run, start);
        }
    }
    plies
}

/// The positions of a king's point with black to move.
struct Black {
    king: u8,
    plies: Vec<u8>,
}

impl Black {
    /// Without a move black has lost.
    fn new(graph: &Graph, king: u8) -> Black {
        Black { king, plies: vec![0; 1 << (graph.points() - 1)] }
    }

    /// Takes a move into account, wherever its target is empty.
    fn look(&mut self, to: u8, after: &[u8]) {
        let king = self.king;
        let run = 1 << king.min(to);
        let target = without_gap(1 << to, king) as usize;
        self.plies.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, plies)| {
            for (at, plies) in plies.chunks_mut(run).enumerate() {
                let number = chunk * CHUNK + at * run;
                if number & target == 0 {
                    let from = without_gap(with_gap(number as u64, king), to) as usize;
                    for (longest, &plies) in plies.iter_mut().zip(&after[from..]) {
                        *longest = (*longest).max(plies.saturating_add(1));
                    }
                }
            }
        });
    }
}

/// What brown's moves make of some positions of a king's point, given those with black to move.
fn brown(graph: &Graph, king: u8, black: &[u8], first: usize, count: usize) -> Vec<u8> {
    let mut least = vec![NEVER; count];
    for &(a, b) in graph.lines() {
        if a == king || b == king {
            continue;
        }
        let pair = without_gap(1 << a | 1 << b, king) as usize;
        let run = (1 << pair.trailing_zeros()).min(count);
        for (at, least) in least.chunks_mut(run).enumerate() {
            let number = first + at * run;
            let standing = number & pair;
            if standing != 0 && standing != pair {
                let from = number ^ pair;
                for (least, &plies) in least.iter_mut().zip(&black[from..from + run]) {
                    *least = (*least).min(plies);
                }
            }
        }
    }
    least.iter_mut().for_each(|plies| *plies = plies.saturating_add(1));
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BOARD25, Board, Musashi, sample};
    use kanzen_registry::Store;
    use kanzen_solve::{Job, Silent};
    use kanzen_table::TableWriter;
    use std::path::Path;

    /// A copy of a table with other codes in a tier.
    fn spoil(table: &Table, path: &Path, tier: usize, change: impl Fn(&mut Vec<u16>)) {
        let meta = table.meta();
        let identity = meta.identity.clone();
        let mut writer = TableWriter::create(path, identity, &meta.scheme, 1).unwrap();
        for (number, shape) in meta.tiers.iter().enumerate() {
            let mut codes = table.codes(number).unwrap();
            if number == tier {
                change(&mut codes);
            }
            let counts: Vec<_> = shape.codes.iter().copied().zip(shape.counts.clone()).collect();
            let fill = |range: std::ops::Range<u64>, out: &mut [u16]| {
                out.copy_from_slice(&codes[range.start as usize..range.end as usize]);
            };
            writer.tier(&shape.name, shape.size, &counts, fill, |_| {}).unwrap();
        }
        for part in &meta.census {
            let counts: Vec<_> = part.codes.iter().copied().zip(part.counts.clone()).collect();
            writer.count(&*part.name, &counts);
        }
        writer.finish().unwrap();
    }

    #[test]
    fn a_right_table_passes_and_one_wrong_value_is_found() {
        // Without distances a wrong value is found, but no wrong number of plies.
        for (store, code) in [(Store::Distance, Value::Win(33).code()), (Store::Value, 0)] {
            let dir = tempfile::tempdir().unwrap();
            let game = Musashi::new(Board::board25());
            let job = Job { memory: 1 << 30, level: Some(1), ..Job::default() };
            let any = BOARD25.build(&[]).unwrap();
            let path = any.solve(dir.path(), Some(store), &job).unwrap().table;
            let open = |path: &Path| {
                let table = Table::open(path).unwrap();
                (SolvedMusashi::new(game, Table::open(path).unwrap()), table)
            };
            let (solved, table) = open(&path);
            let right = whole(&solved, &table, &Silent).unwrap();
            assert!(right.passed, "{:?}", right.problems);
            assert_eq!(2 * right.positions, 104_940_576, "both sides to move");

            let start = game.start();
            let place = game.board().index().locate(start.king, start.brown).unwrap();
            let spoilt = dir.path().join("spoilt.kanzen");
            spoil(&table, &spoilt, place.king, |codes| codes[place.index as usize] = code);
            let (solved, table) = open(&spoilt);
            let wrong = whole(&solved, &table, &Silent).unwrap();
            assert!(!wrong.passed && wrong.wrong > 0);
            let start = game.write(&start);
            assert!(
                wrong.problems.iter().any(|told| told.contains(&start)),
                "{:?}",
                wrong.problems
            );

            if store != Store::Distance {
                continue;
            }
            // What a table too large for this is looked at for: counts, and blocks in their places.
            let sampled = |path: &Path| {
                let (solved, table) = open(path);
                sample::sample(&solved, &table, &Silent).unwrap()
            };
            let right = sampled(&path);
            assert!(right.passed && right.positions > 100, "{right:?}");
            assert!(!sampled(&spoilt).passed, "one cell, by the counts");
            let (_, table) = open(&path);
            spoil(&table, &spoilt, place.king, |codes| {
                let size = kanzen_table::BLOCK_CELLS as usize;
                let (one, other) = codes.split_at_mut(200 * size);
                one[5 * size..6 * size].swap_with_slice(&mut other[..size]);
            });
            let swapped = sampled(&spoilt);
            assert!(!swapped.passed, "two blocks in each other's place");
        }
    }
}
