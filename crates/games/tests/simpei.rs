//! Simpei against the paper (Tanaka 2006) and against the plain solver.

use kanzen_analyse::{
    Atlas, Census, LineEnd, Random, Solved, Strategy, TreeSize, Values, write_table,
};
use kanzen_core::{Game, Next, Outcome, Value, perft};
use kanzen_games::simpei::{Move, Position, Simpei};
use kanzen_index::{Indexed, Place};
use kanzen_solve::{HOLE, Job, Silent, Solution, plain, solve};
use kanzen_table::Identity;
use std::path::Path;
use std::sync::LazyLock;

fn solution(game: &Simpei, threads: usize) -> Solution {
    let job = Job { threads, memory: 300 << 20, ..Job::default() };
    solve(game, &job, None).unwrap()
}

fn table(game: Simpei, solution: &Solution, path: &Path) -> Solved<Simpei> {
    let identity = Identity {
        game: "simpei".to_owned(),
        variant: Default::default(),
        index_version: 1,
        rules: None,
    };
    write_table(&game, solution, path, identity.clone(), 3, &Silent).unwrap();
    Solved::open(game, path, &identity).unwrap()
}

/// The whole game, solved once for all tests.
static SIMPEI: LazyLock<(tempfile::TempDir, Solved<Simpei>)> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let game = Simpei::new(4, false);
    let solution = solution(&game, 0);
    let solved = table(game, &solution, &dir.path().join("simpei.kanzen"));
    (dir, solved)
});

#[test]
fn tables_1_and_2_come_out() {
    let census = Census::of(SIMPEI.1.table().meta());
    let expected = include_str!("data/simpei_values.csv");
    let mut rows = 0;
    for (line, tier) in expected.lines().skip(1).zip(census.tiers.iter().rev()) {
        let numbers: Vec<u64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let found = [tier.wins, tier.draws, tier.losses, tier.positions];
        assert_eq!(found, numbers[1..], "{line}");
        assert_eq!(tier.tier, format!("{} pieces", numbers[0]));
        rows += 1;
    }
    assert_eq!(rows, 9);
    assert_eq!(census.total().longest_win, Some(49));
}

/// A table that holds and lists no value but draws: what the rules tell has no place in its list.
#[test]
fn a_table_that_lists_too_few_values_is_read_and_found_wrong() {
    let game = Simpei::new(3, false);
    let right = solution(&game, 1);
    let mut wrong = solution(&game, 1);
    for code in wrong.tiers.iter_mut().flatten().filter(|code| **code != HOLE) {
        *code = Value::OPEN.code();
    }
    let dir = tempfile::tempdir().unwrap();
    let solved = table(game, &wrong, &dir.path().join("simpei.kanzen"));
    let atlas = solved.atlas(&Silent).unwrap();
    let mut seen = 0;
    for (found, right) in atlas.codes().iter().zip(&right.tiers) {
        for (index, &right) in (0..).zip(right) {
            match found.code(index) {
                HOLE => assert_eq!(right, HOLE),
                found if Value::from_code(found) == Value::OPEN => {}
                found => {
                    assert_eq!(found, right);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 0, "the rules tell the value of some positions");
    let verification = solved.verify(&Silent).unwrap();
    assert!(verification.wrong > 0 && !verification.miscounted.is_empty());
}

#[test]
fn the_start_is_won_in_21_by_one_reply() {
    let solved = &SIMPEI.1;
    let game = solved.game();
    assert_eq!(solved.value(&game.start()).unwrap(), Value::Win(21));
    let moves = solved.moves(&game.start()).unwrap();
    let places = |wanted: fn(Value) -> bool| {
        let moves = moves.iter().filter(|mv| wanted(mv.value));
        let mut places: Vec<_> = moves
            .map(|mv| match mv.next {
                Next::Position(child) => game.locate(&child),
                _ => panic!("nobody wins with one piece"),
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    };
    assert_eq!(places(|value| matches!(value, Value::Win(_))), 1, "up to symmetry");
    assert_eq!(places(|value| value == Value::OPEN), 0);
    let (line, end) = solved.line(&game.start()).unwrap();
    assert_eq!((line.len(), end), (21, LineEnd::Over));
    for (left, step) in (1..=21).rev().zip(&line) {
        let value = if left % 2 == 1 { Value::Win(left) } else { Value::Loss(left) };
        assert_eq!(step.value, value);
    }
}

#[test]
fn a_free_first_move_wins_in_two_ways() {
    let free = Simpei::new(4, true);
    let moves = SIMPEI.1.moves(&free.start()).unwrap();
    let mut winning: Vec<_> = moves
        .iter()
        .filter(|mv| matches!(mv.value, Value::Win(_)))
        .map(|mv| match mv.next {
            Next::Position(child) => free.locate(&child),
            _ => panic!("nobody wins with one piece"),
        })
        .collect();
    winning.sort_unstable();
    winning.dedup();
    assert_eq!(winning.len(), 2);
}

/// The number of the tier with so many pieces.
fn tier(pieces: usize) -> usize {
    let name = format!("{pieces} pieces");
    SIMPEI.1.game().tiers().iter().position(|tier| tier.name == name).unwrap()
}

#[test]
fn most_legal_moves_and_fair_starts() {
    let atlas = SIMPEI.1.atlas(&Silent).unwrap();
    let survey = atlas.survey(tier(8), 1, &Silent);
    assert_eq!(survey.branching.len() - 1, 2403);
    let example = survey.most_moves.examples[0];
    assert!(matches!(atlas.value(&example), Value::Win(_)), "figure 10 is won");
    let mut moves = 0;
    atlas.game().moves(&example, |_| moves += 1);
    assert_eq!(moves, 2403);
    let census = &Census::of(SIMPEI.1.table().meta()).tiers[tier(8)];
    let total = |column: usize| survey.branching.iter().map(|row| row[column]).sum::<u64>();
    assert_eq!([total(0), total(1), total(2)], [census.losses, census.draws, census.wins]);
    let draws = atlas.with_value(tier(3), Value::OPEN, 10);
    assert_eq!((draws.count, draws.examples.len()), (5, 5));
}

/// The only winning move and the only drawing move of a survey are the only ones by probes too.
#[test]
fn only_moves_are_the_only_ones() {
    let solved = &SIMPEI.1;
    let survey = solved.atlas(&Silent).unwrap().survey(tier(7), 200, &Silent);
    let keeping = |position, wanted: fn(Value) -> bool| {
        let moves = solved.moves(position).unwrap();
        (moves.iter().filter(|mv| wanted(mv.value)).count(), moves.len())
    };
    assert_eq!(survey.only_win.examples.len(), 200);
    for position in &survey.only_win.examples {
        let (winning, all) = keeping(position, |value| matches!(value, Value::Win(_)));
        assert!(winning == 1 && all > 1);
    }
    for position in &survey.only_draw.examples {
        assert_eq!(keeping(position, |value| value >= Value::OPEN).0, 1);
    }
    let hidden = &survey.hidden.positions.examples[0];
    let best = &solved.moves(hidden).unwrap()[0];
    let Next::Position(child) = best.next else { panic!("the game goes on") };
    let mut replies = 0;
    solved.game().moves(&child, |_| replies += 1);
    assert_eq!(replies, survey.hidden.number);
}

#[test]
fn zugzwangs() {
    let atlas = SIMPEI.1.atlas(&Silent).unwrap();
    let counts = [0, 2, 4, 6, 8].map(|pieces| {
        let found = atlas.zugzwangs(tier(pieces), 0, &Silent);
        (found.all.count, found.symmetric.count)
    });
    assert_eq!(counts, [(0, 0), (0, 0), (1, 1), (139, 13), (975, 53)]);
}

#[test]
fn simple_cycles() {
    let cycles = SIMPEI.1.atlas(&Silent).unwrap().cycles(tier(8), 1, &Silent);
    let counts: Vec<_> = cycles.iter().map(|(&period, found)| (period, found.count)).collect();
    assert_eq!(counts, [(1, 1), (3, 9), (4, 1724)]);
}

#[test]
fn smallest_proof_trees() {
    let atlas = SIMPEI.1.atlas(&Silent).unwrap();
    let size = |position: &str| {
        let position = atlas.game().parse(position).unwrap();
        atlas.proof_tree(&position, u64::MAX, &Silent).unwrap().unwrap().size
    };
    assert_eq!(size("0000-0200-0000-0000/000-000-000"), TreeSize::Exactly(11_128));
    // The empty board is won by two first moves: the trees of the positions after them.
    let free = Simpei::new(4, true);
    let moves = SIMPEI.1.moves(&free.start()).unwrap();
    let winning = moves.iter().filter(|mv| matches!(mv.value, Value::Win(_)));
    let sizes = winning.map(|mv| match mv.next {
        Next::Position(child) => size(&free.write(&child)),
        _ => panic!("nobody wins with one piece"),
    });
    let exact = sizes.map(|size| match size {
        TreeSize::Exactly(size) => size,
        TreeSize::MoreThan(_) => panic!("given up"),
    });
    assert_eq!(exact.min(), Some(1081));
}

/// Follows a strategy against every defence and sees that it wins.
#[test]
fn a_strategy_answers_everything_and_ends() {
    let atlas = SIMPEI.1.atlas(&Silent).unwrap();
    let game = atlas.game();
    let strategy = atlas.strategy(&game.start(), 1, &Silent).unwrap();
    assert!(strategy.least <= strategy.answers.len() as u64);
    let mut depths = std::collections::HashMap::new();
    let depth = depth(game, &strategy, &game.start(), true, &mut depths);
    assert!(depth >= 21);
    let used = depths.keys().filter(|(_, winner)| *winner).count();
    assert_eq!(used, strategy.answers.len(), "nothing is in it that does not arise");
}

/// A position that is won at once needs no answers, and is not taken for an open one.
#[test]
fn a_win_at_once_has_an_empty_strategy() {
    let atlas = SIMPEI.1.atlas(&Silent).unwrap();
    let game = atlas.game();
    let mut position = game.start();
    while atlas.value(&position) != Value::Win(1) {
        let mut best = None;
        game.successors(&position, |next| {
            if let Next::Position(child) = next {
                let quicker =
                    |old| atlas.value(&child).before_move() > atlas.value(old).before_move();
                if best.as_ref().is_none_or(quicker) {
                    best = Some(child);
                }
            }
        });
        position = best.unwrap();
    }
    let strategy = atlas.strategy(&position, 1, &Silent).unwrap();
    assert_eq!((strategy.answers.len(), strategy.lost.len(), strategy.least), (0, 0, 0));
}

/// Where a strategy is said to be the smallest, trying all answers finds none that is smaller.
#[test]
fn no_strategy_is_smaller_than_the_smallest() {
    let atlas = SIMPEI.1.atlas(&Silent).unwrap();
    let game = atlas.game();
    let mut seen = 0;
    let mut random = Random::new(7);
    while seen < 12 {
        let index = random.below(game.tiers()[tier(8)].size);
        let place = Place { tier: tier(8), index };
        let Some(position) = game.position(place) else { continue };
        if !matches!(atlas.value(&position), Value::Win(5..=9)) {
            continue;
        }
        let strategy = atlas.strategy(&position, 1, &Silent).unwrap();
        let size = strategy.answers.len();
        if strategy.least < size as u64 || !(2..=6).contains(&size) {
            continue;
        }
        seen += 1;
        depth(game, &strategy, &position, true, &mut Default::default());
        assert!(!has_strategy(&atlas, &mut vec![place], 0, size - 1), "{}", game.write(&position));
    }
}

/// Whether the positions from the first without an answer on can be answered, in any way that needs
/// at most so many positions in all.
fn has_strategy(
    atlas: &Atlas<'_, Simpei>,
    needed: &mut Vec<Place>,
    answered: usize,
    most: usize,
) -> bool {
    let game = atlas.game();
    let Some(&place) = needed.get(answered) else { return true };
    if needed.len() > most {
        return false;
    }
    let before = needed.len();
    let mut answers = Vec::new();
    game.successors(&game.position(place).unwrap(), |next| {
        if let Next::Position(child) = next
            && matches!(atlas.value(&child), Value::Loss(_))
        {
            answers.push(child);
        }
    });
    answers.iter().any(|answer| {
        game.successors(answer, |next| {
            if let Next::Position(child) = next
                && atlas.value(&child) != Value::Win(1)
                && !needed.contains(&game.locate(&child))
                && needed.len() <= most
            {
                needed.push(game.locate(&child));
            }
        });
        let found = has_strategy(atlas, needed, answered + 1, most);
        needed.truncate(before);
        found
    })
}

type Depths = std::collections::HashMap<(Place, bool), Option<u32>>;

/// The plies to the end if the winner keeps to the strategy and the loser plays anything.
fn depth(
    game: &Simpei,
    strategy: &Strategy<Simpei>,
    position: &Position,
    winner: bool,
    depths: &mut Depths,
) -> u32 {
    if winner && game.wins_at_once(position) {
        return 1;
    }
    let place = game.locate(position);
    match depths.get(&(place, winner)) {
        Some(Some(depth)) => return *depth,
        Some(None) => panic!("the strategy goes in a circle"),
        None => {}
    }
    depths.insert((place, winner), None);
    let mut children = Vec::new();
    if winner {
        let (at, mv) = strategy.answers[&place];
        assert_eq!(game.locate(&at), place);
        children.push(game.play(&at, mv));
    } else {
        game.successors(position, |next| children.push(next));
    }
    let deepest = children.into_iter().map(|next| match next {
        Next::Position(child) => depth(game, strategy, &child, !winner, depths),
        _ => panic!("the loser has won"),
    });
    let deepest = 1 + deepest.max().unwrap();
    depths.insert((place, winner), Some(deepest));
    deepest
}

#[test]
fn every_entry_follows_from_its_successors() {
    let result = SIMPEI.1.verify(&Silent).unwrap();
    assert!(result.passed(), "{:?}", result.disagreements);
    assert_eq!(result.positions, 12_102_165);
}

/// Damages single values and sees that the verifier tells.
#[test]
fn the_verifier_finds_a_wrong_value() {
    let dir = tempfile::tempdir().unwrap();
    let game = Simpei::new(3, false);
    let mut wrong = solution(&game, 1);
    let lost = |&code: &u16| code != HOLE && matches!(Value::from_code(code), Value::Loss(4..));
    let index = wrong.tiers[0].iter().position(lost).unwrap();
    wrong.tiers[0][index] += 4;
    let solved = table(game, &wrong, &dir.path().join("wrong.kanzen"));
    let result = solved.verify(&Silent).unwrap();
    assert!(!result.passed());
    assert!(result.disagreements.iter().any(|wrong| wrong.place.index == index as u64));
}

#[test]
fn three_pieces_a_side_agree_with_the_plain_solver() {
    let game = Simpei::new(3, false);
    let expected = plain(&game);
    let solutions = [solution(&game, 1), solution(&game, 2)];
    assert_eq!(solutions[0].tiers, solutions[1].tiers, "whatever the number of threads");
    for (tier, values) in expected.iter().enumerate() {
        for (index, value) in values.iter().enumerate() {
            let code = solutions[0].tiers[tier][index];
            let found = (code != HOLE).then(|| Value::from_code(code));
            assert_eq!(found, *value, "tier {tier}, index {index}");
        }
    }
}

#[test]
fn the_table_has_the_same_bytes_for_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let bytes = [1, 2].map(|threads| {
        let game = Simpei::new(3, false);
        let path = dir.path().join(format!("{threads}.kanzen"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let solution = solution(&game, threads);
        pool.install(|| table(game, &solution, &path));
        std::fs::read(path).unwrap()
    });
    assert_eq!(bytes[0], bytes[1]);
}

/// `position; depth; nodes`, counted by an independent program: a plain array board, rays walked cell
/// by cell.
#[test]
fn perft_counts() {
    let game = Simpei::new(4, false);
    for line in include_str!("data/simpei_perft.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let position = game.parse(fields[0]).unwrap();
        let nodes = perft(&game, &position, fields[1].parse().unwrap());
        assert_eq!(nodes.to_string(), fields[2], "{line}");
    }
}

/// Each rule that is easy to get wrong, on a board made for it.
#[test]
fn rules_by_example() {
    let game = Simpei::new(4, false);
    let moves = |text: &str| {
        let position = game.parse(text).unwrap();
        let mut names = Vec::new();
        game.moves(&position, |mv| names.push(game.write_move(&position, mv)));
        names
    };
    let wins = |text: &str| game.wins_at_once(&game.parse(text).unwrap());
    assert!(wins("1100-0000-0000-0000/002-022-000"), "a third piece in a row");
    assert!(!wins("1101-0000-0000-0000/002-022-000"), "it would make four");
    assert!(!wins("1000-0000-0000-0000/100-002-002"), "the worlds do not mix");
    // A sandwich of one is relocated to any of the 20 holes that were empty after the placement.
    let relocations = moves("1200-0000-0000-0000/000-002-001");
    let caught = relocations.iter().filter(|name| name.starts_with("2:1>")).count();
    assert_eq!(caught, 20);
    assert!(!relocations.contains(&"2:1>1".to_owned()), "not to the hole it came from");
    // With all pieces on the board they step, and nobody who can step may pass.
    let steps = moves("1111-0000-0000-2222/000-000-000");
    assert_eq!(steps, ["0-16", "1-16", "1-17", "2-17", "2-18", "3-18"]);
    let stuck = "1001-0000-0000-1001/202-000-202";
    assert_eq!(moves(stuck), ["pass"]);
    let position = game.parse(stuck).unwrap();
    let Some(Move::Pass) = first_move(&game, &position) else { panic!("expected a pass") };
    assert_eq!(game.over(&position), None::<Outcome>);
}

fn first_move(game: &Simpei, position: &kanzen_games::simpei::Position) -> Option<Move> {
    let mut first = None;
    game.moves(position, |mv| {
        first.get_or_insert(mv);
    });
    first
}
