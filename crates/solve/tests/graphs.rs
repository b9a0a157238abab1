//! The frontier engine against its plain twin on random hand-made graphs: loops, dead ends, exits
//! to other tiers, games that end by a move or before one.

use kanzen_analyse::{Solved, Values, plain_draws, write_table};
use kanzen_cluster::Cluster;
use kanzen_core::{Drawing, Endless, Game, Next, NotationError, Outcome, Side, Trace, Value};
use kanzen_index::{Indexed, Place, Tier};
use kanzen_solve::{Checkpoint, HOLE, Job, Plan, Progress, Silent, Solution, SolveError};
use kanzen_solve::{plain, solve, solve_anywhere};
use kanzen_table::{Identity, Table};
use proptest::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// A game that is a list of nodes; `UNMOVES` says whether it gives predecessors itself.
#[derive(Debug, Clone)]
struct Graph<const UNMOVES: bool> {
    tiers: Vec<Tier>,
    /// The first node of each tier.
    starts: Vec<u32>,
    nodes: Vec<Node>,
    endless: Endless,
}

#[derive(Debug, Clone)]
struct Node {
    /// False for an index that stands for nothing.
    real: bool,
    over: Option<Outcome>,
    moves: Vec<Next<u32>>,
}

impl<const UNMOVES: bool> Game for Graph<UNMOVES> {
    type Position = u32;
    type Move = usize;

    fn start(&self) -> u32 {
        0
    }
    fn over(&self, node: &u32) -> Option<Outcome> {
        self.nodes[*node as usize].over
    }
    fn moves(&self, node: &u32, each: impl FnMut(usize)) {
        let node = &self.nodes[*node as usize];
        let count = if node.over.is_some() { 0 } else { node.moves.len() };
        (0..count).for_each(each);
    }
    fn play(&self, node: &u32, mv: usize) -> Next<u32> {
        self.nodes[*node as usize].moves[mv]
    }
    fn endless(&self) -> Endless {
        self.endless
    }
    fn takes_turns(&self) -> bool {
        self.endless == Endless::Draw
    }
    fn mover(&self, node: &u32) -> Side {
        if node.is_multiple_of(2) { Side::One } else { Side::Two }
    }
    fn parse(&self, text: &str) -> Result<u32, NotationError> {
        text.parse().map_err(|_| NotationError::shape("a number", text))
    }
    fn write(&self, node: &u32) -> String {
        node.to_string()
    }
    fn write_move(&self, _: &u32, mv: usize) -> String {
        mv.to_string()
    }
    fn draw(&self, _: &u32) -> Drawing {
        Drawing::default()
    }
    fn trace(&self, _: &u32, _: usize) -> Trace {
        Trace::default()
    }
}

impl<const UNMOVES: bool> Indexed for Graph<UNMOVES> {
    const INDEX_VERSION: u32 = 1;
    const UNMOVES: bool = UNMOVES;
    const QUICK_WINS: bool = UNMOVES;

    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }
    fn locate(&self, node: &u32) -> Place {
        let tier = self.starts.iter().rposition(|start| start <= node).unwrap();
        Place { tier, index: u64::from(node - self.starts[tier]) }
    }
    fn position(&self, place: Place) -> Option<u32> {
        let node = self.starts[place.tier] + place.index as u32;
        self.nodes[node as usize].real.then_some(node)
    }
    fn predecessors(&self, node: &u32, mut each: impl FnMut(u32)) {
        let tier = self.locate(node).tier;
        for (source, other) in (0..).zip(&self.nodes) {
            if other.real && other.over.is_none() && self.locate(&source).tier == tier {
                let moves = other.moves.iter().filter(|mv| **mv == Next::Position(*node));
                moves.for_each(|_| each(source));
            }
        }
    }
}

/// Makes a graph of tiers of these sizes from random numbers. The sides take turns, so that it
/// makes sense if one of them wins by endless play.
fn graph<const UNMOVES: bool>(
    sizes: &[u32],
    loops: &[bool],
    noise: &[u32],
    endless: Endless,
) -> Graph<UNMOVES> {
    let mut noise = noise.iter().cycle().copied().enumerate();
    let mut next = || {
        let (count, number) = noise.next().unwrap();
        number.wrapping_mul(2_654_435_761).rotate_left(count as u32 % 31) >> 3
    };
    let mut tiers = Vec::new();
    let mut starts = Vec::new();
    let mut nodes: Vec<Node> = Vec::new();
    for (number, (&size, &loops)) in sizes.iter().zip(loops).enumerate() {
        let start = nodes.len() as u32;
        let real: Vec<bool> = (0..size).map(|_| next() % 8 != 0).collect();
        let all_real: Vec<bool> =
            nodes.iter().map(|node: &Node| node.real).chain(real.iter().copied()).collect();
        let reach = if loops { start + size } else { start };
        for index in 0..size {
            let over = match next() % 10 {
                0 => Some(Outcome::Loss),
                1 if next() % 3 == 0 => Some(Outcome::Draw),
                2 if next() % 6 == 0 => Some(Outcome::Win),
                _ => None,
            };
            let mut moves = Vec::new();
            for _ in 0..1 + next() % 4 {
                let kind = next() % 20;
                // With un-moves, a side moves again only on the way to an earlier tier.
                let again = endless != Endless::Draw && next() % 5 == 0;
                let reach = if again && UNMOVES { start } else { reach };
                let side = (start + index + u32::from(!again)) % 2;
                let target = (next() % reach.max(1)) & !1 | side;
                if kind >= 3 && target < reach && all_real[target as usize] {
                    moves.push(if again { Next::Again(target) } else { Next::Position(target) });
                } else if kind == 0 {
                    moves.push(Next::Over(Outcome::Win));
                } else {
                    moves.push(Next::Over([Outcome::Loss, Outcome::Draw][(kind % 2) as usize]));
                }
            }
            nodes.push(Node { real: real[index as usize], over, moves });
        }
        tiers.push(Tier { name: number.to_string(), size: size.into(), loops });
        starts.push(start);
    }
    Graph { tiers, starts, nodes, endless }
}

fn any_endless() -> impl Strategy<Value = Endless> {
    let won = [Side::One, Side::Two].map(Endless::WonBy);
    prop_oneof![Just(Endless::Draw), Just(won[0]), Just(won[1])]
}

fn job<'a>(cancel: &'a AtomicBool, progress: &'a dyn Progress, threads: usize) -> Job<'a> {
    Job {
        threads,
        memory: u64::MAX,
        level: None,
        interval: Duration::MAX,
        cancel,
        progress,
        machines: None,
    }
}

fn solved<G: Indexed>(game: &G, threads: usize) -> Solution {
    solve(game, &job(&AtomicBool::new(false), &Silent, threads), None).unwrap()
}

fn values(solution: &Solution) -> Vec<Vec<Option<Value>>> {
    let value = |&code: &u16| (code != HOLE).then(|| Value::from_code(code));
    let tier = |tier| solution.codes(tier).unwrap().iter().map(value).collect();
    (0..solution.len()).map(tier).collect()
}

/// Cancels a solve when a given number of rounds is done.
struct StopAfter<'a> {
    rounds: AtomicU32,
    cancel: &'a AtomicBool,
}

impl Progress for StopAfter<'_> {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn note(&self, _: &str) {
        if self.rounds.fetch_sub(1, Relaxed) == 1 {
            self.cancel.store(true, Relaxed);
        }
    }
    fn end(&self) {}
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn frontier_and_plain_twin_agree(
        sizes in prop::collection::vec(1u32..60, 1..4),
        loops in prop::collection::vec(any::<bool>(), 3),
        noise in prop::collection::vec(any::<u32>(), 50..400),
        endless in any_endless(),
    ) {
        let derived = graph::<false>(&sizes, &loops, &noise, endless);
        let given = graph::<true>(&sizes, &loops, &noise, endless);
        let expected = plain(&derived);
        prop_assert_eq!(&values(&solved(&derived, 1)), &expected);
        prop_assert_eq!(&values(&solved(&given, 2)), &plain(&given));
    }
}

/// A game with its table, in a directory.
fn stored<G: Indexed + Clone>(game: &G, dir: &Path) -> Solved<G> {
    let variant = Default::default();
    let identity = Identity { game: "graph".into(), variant, index_version: 1, rules: None };
    let table = dir.join("graph.kanzen");
    write_table(game, &solved(game, 1), &table, identity.clone(), 1, &Silent).unwrap();
    let mut stored = Solved::open(game.clone(), &table, &identity).unwrap();
    let ranks = stored.atlas(&Silent).unwrap().rank_draws(&Silent).unwrap();
    let draws = dir.join("graph.draws");
    ranks.write(game, &draws, identity, 1, &Silent).unwrap();
    stored.take_draws(Table::open(&draws).unwrap()).unwrap();
    stored
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn draws_are_ranked_as_by_the_plain_twin(
        sizes in prop::collection::vec(1u32..80, 1..4),
        loops in prop::collection::vec(any::<bool>(), 3),
        noise in prop::collection::vec(any::<u32>(), 50..400),
        endless in any_endless(),
    ) {
        let game = graph::<false>(&sizes, &loops, &noise, endless);
        let dir = tempfile::tempdir().unwrap();
        let stored = stored(&game, dir.path());
        let values = plain(&game);
        for (tier, ranks) in plain_draws(&game, &values).into_iter().enumerate() {
            for (index, rank) in (0..).zip(ranks) {
                let node = game.position(Place { tier, index });
                if let Some(node) = node.filter(|_| matches!(values[tier][index as usize], Some(Value::Draw(_)))) {
                    prop_assert_eq!(stored.pressure(&node).unwrap(), rank, "node {}", node);
                }
            }
        }
        let (_, wrong) = stored.verify_draws(&Silent).unwrap().unwrap();
        prop_assert!(wrong.is_empty(), "{:?}", wrong);
    }
}

proptest! {
    // Each case writes many checkpoints, and waits for the disk every time.
    #![proptest_config(ProptestConfig { cases: 25, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_solve_that_is_stopped_again_and_again_ends_with_the_same_result(
        sizes in prop::collection::vec(1u32..60, 1..4),
        noise in prop::collection::vec(any::<u32>(), 50..400),
        endless in any_endless(),
    ) {
        let game = graph::<true>(&sizes, &[true; 3], &noise, endless);
        let dir = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint::new(dir.path().join("part"), "graph");
        let mut stops = 0;
        let solution = loop {
            let cancel = AtomicBool::new(false);
            let progress = StopAfter { rounds: AtomicU32::new(2), cancel: &cancel };
            match solve(&game, &job(&cancel, &progress, 1), Some(&checkpoint)) {
                Ok(solution) => break solution,
                Err(SolveError::Cancelled) => stops += 1,
                Err(error) => panic!("{error}"),
            }
            prop_assert!(stops < 200, "no progress");
        };
        prop_assert_eq!(values(&solution), plain(&game));
    }
}

/// Solves with several workers, stopped after every few rounds, with another number of workers each
/// time.
fn solved_by_workers<G: Indexed + Clone + 'static>(game: &G, stop: bool) -> Vec<Vec<u16>> {
    let dir = tempfile::tempdir().unwrap();
    let checkpoint = Checkpoint::new(dir.path().join("part"), "graph");
    let here = Cluster::new(vec!["127.0.0.1:1".to_owned()], 0, Vec::new()).unwrap();
    for threads in (1..4).cycle().take(200) {
        let cancel = AtomicBool::new(false);
        let rounds = AtomicU32::new(if stop { 2 } else { u32::MAX });
        let progress = StopAfter { rounds, cancel: &cancel };
        let job = Job { machines: Some(&here), ..job(&cancel, &progress, threads) };
        match solve_anywhere(game, &job, &checkpoint) {
            Ok(solution) => {
                let tier = |tier| solution.codes(tier).unwrap().into_owned();
                return (0..solution.len()).map(tier).collect();
            }
            Err(SolveError::Cancelled) => {}
            Err(error) => panic!("{error}"),
        }
    }
    panic!("no progress");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn workers_agree_with_one_machine(
        sizes in prop::collection::vec(prop_oneof![1u32..60, 2000..5000u32], 1..4),
        loops in prop::collection::vec(any::<bool>(), 3),
        noise in prop::collection::vec(any::<u32>(), 50..400),
        endless in any_endless(),
        stop in any::<bool>(),
    ) {
        let derived = graph::<false>(&sizes, &loops, &noise, endless);
        prop_assert_eq!(solved_by_workers(&derived, stop), solved(&derived, 1).tiers);
        let small: Vec<u32> = sizes.iter().map(|size| 1 + size % 99).collect();
        let given = graph::<true>(&small, &loops, &noise, endless);
        prop_assert_eq!(solved_by_workers(&given, stop), solved(&given, 1).tiers);
    }
}

#[test]
fn a_draw_by_the_rules_is_no_endless_play() {
    let end = |outcome| Node { real: true, over: None, moves: vec![Next::Over(outcome)] };
    let to = |node| Node { real: true, over: None, moves: vec![Next::Position(node)] };
    let both =
        Node { real: true, over: None, moves: vec![Next::Over(Outcome::Draw), Next::Position(1)] };
    // One move that ends in a draw; a way to it; a cycle; and a choice between both.
    let nodes = vec![end(Outcome::Draw), to(0), to(3), to(2), both.clone(), both];
    let tiers = vec![Tier::new("all", 6, true)];
    let value = |endless: Endless| {
        let (tiers, nodes) = (tiers.clone(), nodes.clone());
        let game = Graph::<false> { tiers, starts: vec![0], nodes, endless };
        let found = values(&solved(&game, 1)).concat();
        found.into_iter().map(Option::unwrap).collect::<Vec<Value>>()
    };
    let forever = Value::ENDLESS;
    let (win, loss) = (Value::Win(forever), Value::Loss(forever));
    let draws = [Value::Draw(1), Value::Draw(2)];
    assert_eq!(value(Endless::Draw)[..4], [draws[0], draws[1], Value::OPEN, Value::OPEN]);
    assert_eq!(value(Endless::Draw)[4..], [Value::Draw(1); 2]);
    // Who wins by endless play puts a draw off, and the other does not.
    let one = value(Endless::WonBy(Side::One));
    assert_eq!(one, [draws[0], draws[1], win, loss, Value::Draw(3), Value::Draw(1)]);
}

#[test]
fn too_little_memory_is_refused_before_the_work() {
    let game = graph::<true>(&[50], &[true], &[1, 2, 3], Endless::Draw);
    let cancel = AtomicBool::new(false);
    let job = Job { memory: 1000, ..job(&cancel, &Silent, 1) };
    let error = solve(&game, &job, None).err().unwrap();
    assert!(matches!(error, SolveError::Memory { allowed: 1000, .. }), "{error}");
    assert!(error.to_string().contains("allow more"), "{error}");
}

/// From every step some moves lead to the next one below; on the lowest, every third position is lost.
struct Stairs(Vec<Tier>);

impl Stairs {
    fn new(steps: usize, size: u64) -> Stairs {
        Stairs((0..steps).map(|step| Tier::new(step.to_string(), size, false)).collect())
    }
}

impl Game for Stairs {
    type Position = (usize, u64);
    type Move = u64;

    fn start(&self) -> (usize, u64) {
        (self.0.len() - 1, 0)
    }
    fn over(&self, &(step, index): &(usize, u64)) -> Option<Outcome> {
        let lost = if index.is_multiple_of(3) { Outcome::Loss } else { Outcome::Draw };
        (step == 0).then_some(lost)
    }
    fn moves(&self, &(step, _): &(usize, u64), each: impl FnMut(u64)) {
        (0..if step > 0 { 3 } else { 0 }).for_each(each);
    }
    fn play(&self, &(step, index): &(usize, u64), mv: u64) -> Next<(usize, u64)> {
        let size = self.0[step].size;
        Next::Position((step - 1, (index * 7 + mv * (index / 5 + 1) + step as u64) % size))
    }
    fn parse(&self, text: &str) -> Result<(usize, u64), NotationError> {
        Err(NotationError::shape("nothing", text))
    }
    fn write(&self, position: &(usize, u64)) -> String {
        format!("{position:?}")
    }
    fn write_move(&self, _: &(usize, u64), mv: u64) -> String {
        mv.to_string()
    }
    fn draw(&self, _: &(usize, u64)) -> Drawing {
        Drawing::default()
    }
    fn trace(&self, _: &(usize, u64), _: u64) -> Trace {
        Trace::default()
    }
}

impl Indexed for Stairs {
    const INDEX_VERSION: u32 = 1;

    fn tiers(&self) -> &[Tier] {
        &self.0
    }
    fn leads_to(&self, tier: usize) -> Vec<usize> {
        tier.checked_sub(1).into_iter().collect()
    }
    fn locate(&self, &(tier, index): &(usize, u64)) -> Place {
        Place { tier, index }
    }
    fn position(&self, Place { tier, index }: Place) -> Option<(usize, u64)> {
        Some((tier, index))
    }
}

#[test]
fn tiers_wait_on_the_disk_if_the_memory_is_small() {
    let game = Stairs::new(12, 1_000_000);
    let plan = Plan::new(&game, 1);
    assert!(plan.least < plan.memory / 3 * 2, "{plan:?}");
    let dir = tempfile::tempdir().unwrap();
    let checkpoint = Checkpoint::new(dir.path().join("part"), "chain");
    let cancel = AtomicBool::new(false);
    let job = Job { memory: plan.least, ..job(&cancel, &Silent, 2) };
    assert!(matches!(solve(&game, &job, None), Err(SolveError::Memory { .. })));
    let small = solve(&game, &job, Some(&checkpoint)).unwrap();
    assert!(small.tiers[0].is_empty() && !small.tiers[11].is_empty());
    let whole = solved(&game, 2);
    for tier in 0..12 {
        assert!(*small.codes(tier).unwrap() == whole.tiers[tier], "tier {tier}");
    }
    let place = Place { tier: 0, index: 7 };
    assert_eq!(small.at(place), whole.at(place));
}
