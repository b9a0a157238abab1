//! The solver against its plain twin, position by position, on small boards.

mod common;

use common::grid;
use kanzen_bitmap::deltas::distance;
use kanzen_bitmap::plain::{Plain, Turn, after_captures};
use kanzen_bitmap::{Deltas, Graph, Index, Isa, Options, Place, Recount, Solver};
use proptest::prelude::*;

/// Plies to the pieces' win with the king's side to move, from the codes of the positions its moves
/// lead to: the longest of them and one more, 0 without a move, none if the king's side wins one.
fn distance_king_to_move(
    index: &Index,
    king: u8,
    pieces: u64,
    code: impl Fn(Place) -> u8,
) -> Option<u16> {
    let free = index.graph().neighbours(king).filter(|to| pieces >> to & 1 == 0);
    let after = free.map(|to| {
        let left = after_captures(index.graph(), to, pieces);
        Some(distance(code(index.locate(to, left)?))? + 1)
    });
    Some(after.collect::<Option<Vec<u16>>>()?.into_iter().max().unwrap_or(0))
}

/// Solves a board both ways and compares every position and every count.
fn compare_with_plain(graph: &Graph, options: Options) {
    let plain = Plain::solve(graph);
    let mut solver = Solver::new(graph, options).unwrap();
    let deltas = Deltas::new(&solver, tempfile::tempfile().unwrap());
    assert!(solver.run(Some(&deltas), &mut ()));
    deltas.check().unwrap();
    let index = Index::new(graph);
    assert_eq!((deltas.blocks(), deltas.block_size()), (index.blocks(), index.block_size()));
    let codes: Vec<Vec<u8>> = (0..deltas.kings())
        .map(|king| {
            (0..deltas.blocks()).flat_map(|block| deltas.codes(king, block).unwrap()).collect()
        })
        .collect();
    let recounts = || Recount::all(&index, solver.rounds());
    for (king, (recount, missing)) in recounts().zip(recounts()).enumerate() {
        let mut out = vec![0; deltas.block_size()];
        for block in (0..deltas.blocks()).filter(|&block| index.has_canonical(king, block)) {
            let found = |round: u8, bits: &[u8]| {
                recount.add_bytes(round.into(), block, bits);
                // One position less in each round.
                let mut bits = bits.to_vec();
                if let Some(byte) = bits.iter_mut().find(|byte| **byte != 0) {
                    *byte &= *byte - 1;
                }
                missing.add_bytes(round.into(), block, &bits);
            };
            deltas.numbers(king, block, &[0; 256], &mut out, found).unwrap();
        }
        assert!(recount.agrees(solver.census()));
        let any = solver.census().won_in_map(king).sum::<u64>() > 0;
        assert!(missing.agrees(solver.census()) != any, "a missing position is noticed");
    }
    let points = graph.points();
    let mut counts = vec![vec![[0_u64; 2]; 2 * solver.rounds() + 1]; points];
    for king in 0..points as u8 {
        for pieces in (0..1_u64 << points).filter(|p| p >> king & 1 == 0) {
            let place = index.locate(king, pieces).unwrap();
            let code = |place: Place| codes[place.king][place.index as usize];
            let by_pieces = distance(code(place));
            let by_king = distance_king_to_move(&index, king, pieces, code);
            assert_eq!(by_pieces, plain.distance(king, pieces, Turn::Pieces), "{king} {pieces:b}");
            assert_eq!(by_king, plain.distance(king, pieces, Turn::King), "{king} {pieces:b}");
            assert!(index.has_canonical(place.king, place.index as usize / index.block_size()));
            if index.position(place) == Some((king, pieces)) {
                for (turn, d) in [by_king, by_pieces].into_iter().enumerate() {
                    let column = d.map_or(2 * solver.rounds(), usize::from);
                    counts[pieces.count_ones() as usize][column][turn] += 1;
                }
            }
        }
    }
    for (row, counts) in solver.census().rows().iter().zip(&counts) {
        let last = counts[2 * solver.rounds()];
        assert_eq!([row.king_wins_king_to_move, row.king_wins_pieces_to_move], last);
        for (d, &n) in row.pieces_win.iter().enumerate() {
            assert_eq!(n, counts[d][d % 2], "{} pieces, distance {d}", row.pieces);
        }
    }
}

#[test]
fn grids_with_and_without_symmetry() {
    for (columns, rows) in [(1, 1), (2, 1), (3, 3), (4, 2), (5, 2), (4, 3)] {
        for with_symmetries in [true, false] {
            let graph = grid(columns, rows, with_symmetries);
            compare_with_plain(&graph, Options::default());
        }
    }
}

/// More points than a tile has slots, in all instruction sets.
#[test]
fn boards_of_many_tiles_in_all_instruction_sets() {
    let sets = Isa::available();
    if !sets.contains(&Isa::Avx512) {
        eprintln!("AVX-512 is not tested: this processor lacks it");
    }
    for isa in sets {
        let options = Options { threads: 2, isa: Some(isa) };
        compare_with_plain(&grid(5, 3, true), options);
        compare_with_plain(&grid(7, 2, false), options);
        compare_with_plain(&grid(4, 4, true), options);
    }
}

/// A ring has no point that all symmetries fix: a phantom is the spare point.
#[test]
fn rings_without_a_fixed_point() {
    for points in [3_u8, 6, 14] {
        let next = |p: u8| (p + 1) % points;
        let lines: Vec<_> = (0..points).map(|p| (p, next(p))).collect();
        let sandwiches: Vec<_> = if points > 3 {
            (0..points).map(|p| [p, next(p), next(next(p))]).collect()
        } else {
            Vec::new()
        };
        let turn: Vec<u8> = (0..points).map(next).collect();
        let mirror: Vec<u8> = (0..points).map(|p| points - 1 - p).collect();
        let graph = Graph::new(points.into(), &lines, &sandwiches, &[turn, mirror]).unwrap();
        compare_with_plain(&graph, Options::default());
    }
}

/// A board of up to 14 points with any lines and sandwiches.
fn any_board(points: std::ops::Range<u8>) -> impl Strategy<Value = Graph> {
    points.prop_flat_map(|points| {
        let line = (0..points, 0..points).prop_filter("a loop", |(a, b)| a != b);
        let lines = prop::collection::vec(line, 0..3 * usize::from(points));
        let pairs = prop::collection::vec(any::<u8>(), usize::from(points));
        (lines, pairs).prop_map(move |(lines, pairs)| {
            let mut lines: Vec<_> =
                lines.into_iter().map(|(a, b): (u8, u8)| (a.min(b), a.max(b))).collect();
            lines.sort_unstable();
            lines.dedup();
            let plain = Graph::new(points.into(), &lines, &[], &[]).unwrap();
            let sandwiches: Vec<[u8; 3]> = (0..points)
                .flat_map(|middle| {
                    let mut ends: Vec<u8> = plain.neighbours(middle).collect();
                    let wanted = usize::from(pairs[usize::from(middle)]);
                    if !ends.is_empty() {
                        let by = wanted % ends.len();
                        ends.rotate_left(by);
                    }
                    ends.truncate(2 * (wanted % 5));
                    let pairs: Vec<_> =
                        ends.chunks_exact(2).map(|e| [e[0], middle, e[1]]).collect();
                    pairs
                })
                .collect();
            Graph::new(points.into(), &lines, &sandwiches, &[]).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_small_board(graph in any_board(2..11)) {
        compare_with_plain(&graph, Options::default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_board_of_several_tiles(graph in any_board(14..16)) {
        compare_with_plain(&graph, Options::default());
    }
}
