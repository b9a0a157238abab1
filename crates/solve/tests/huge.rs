//! A tier of more than 2^32 positions, most of which stand for nothing: the values are the same as where the
//! same positions stand close together.

use kanzen_cluster::Cluster;
use kanzen_core::{Drawing, Game, Next, NotationError, Outcome, Side, Trace};
use kanzen_index::{Indexed, Place, Tier};
use kanzen_solve::{Checkpoint, HOLE, Job, Plan, Solution, plain, solve, solve_anywhere};

/// The number of positions, and of those that stand in a row.
const NODES: u64 = 1 << 17;
const ROW: u64 = 1 << 13;
/// An odd number and its inverse modulo 2^17.
const FACTOR: u64 = 0x1_2345;
const SHIFT: u64 = 4711;

/// From each position but the first one leads to a half of its number, and another anywhere.
#[derive(Clone)]
struct Sparse {
    tiers: Vec<Tier>,
    /// The distance of two rows.
    stride: u64,
    inverse: u64,
}

impl Sparse {
    fn new(stride: u64) -> Sparse {
        let size = (NODES / ROW - 1) * stride + ROW;
        // Newton: each step doubles the number of right bits.
        let inverse = (0..5).fold(FACTOR, |inverse, _| {
            inverse.wrapping_mul(2_u64.wrapping_sub(FACTOR.wrapping_mul(inverse)))
        });
        let tiers = vec![Tier::new("nothing", 1, false), Tier::new("all", size, true)];
        Sparse { tiers, stride, inverse }
    }

    fn far(node: u64) -> u64 {
        (node.wrapping_mul(FACTOR) + SHIFT) % NODES
    }

    fn index(&self, node: u64) -> u64 {
        node / ROW * self.stride + node % ROW
    }
}

impl Game for Sparse {
    type Position = u64;
    type Move = usize;

    fn start(&self) -> u64 {
        NODES - 1
    }
    fn over(&self, &node: &u64) -> Option<Outcome> {
        (node == 0).then_some(Outcome::Loss)
    }
    fn moves(&self, node: &u64, each: impl FnMut(usize)) {
        (0..if *node == 0 { 0 } else { 2 }).for_each(each);
    }
    fn play(&self, &node: &u64, mv: usize) -> Next<u64> {
        Next::Position(if mv == 0 { node / 2 } else { Sparse::far(node) })
    }
    fn mover(&self, _: &u64) -> Side {
        Side::One
    }
    fn parse(&self, text: &str) -> Result<u64, NotationError> {
        text.parse().map_err(|_| NotationError::shape("a number", text))
    }
    fn write(&self, node: &u64) -> String {
        node.to_string()
    }
    fn write_move(&self, _: &u64, mv: usize) -> String {
        mv.to_string()
    }
    fn draw(&self, _: &u64) -> Drawing {
        Drawing::default()
    }
    fn trace(&self, _: &u64, _: usize) -> Trace {
        Trace::default()
    }
}

impl Indexed for Sparse {
    const INDEX_VERSION: u32 = 1;
    const UNMOVES: bool = true;
    const QUICK_WINS: bool = false;

    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }
    fn leads_to(&self, _: usize) -> Vec<usize> {
        Vec::new()
    }
    fn tier(&self, _: &u64) -> usize {
        1
    }
    fn locate(&self, &node: &u64) -> Place {
        Place { tier: 1, index: self.index(node) }
    }
    fn position(&self, Place { tier, index }: Place) -> Option<u64> {
        let row = index / self.stride;
        let place = index - row * self.stride;
        (tier == 1 && place < ROW).then(|| row * ROW + place)
    }
    fn predecessors(&self, &node: &u64, mut each: impl FnMut(u64)) {
        let halves = [2 * node, 2 * node + 1].into_iter().filter(|&half| half < NODES);
        let far = (node + NODES - SHIFT).wrapping_mul(self.inverse) % NODES;
        halves.chain([far]).filter(|&source| source > 0).for_each(&mut each);
    }
}

/// The codes of all nodes.
fn codes(game: &Sparse, solution: &Solution) -> Vec<u16> {
    let window = solution.window(1);
    let mut codes = vec![HOLE; NODES as usize];
    for (row, codes) in codes.chunks_mut(ROW as usize).enumerate() {
        let first = game.index(row as u64 * ROW);
        window.read(first..first + ROW, codes).unwrap();
    }
    codes
}

/// The same game, spread out, has the same values.
fn spread_out(stride: u64) {
    let dense = Sparse::new(ROW);
    let job = Job { threads: 1, memory: u64::MAX, ..Job::default() };
    let right = codes(&dense, &solve(&dense, &job, None).unwrap());
    let twin = plain(&dense);
    let twin = |node: u64| twin[1][node as usize].map_or(HOLE, |value| value.code());
    assert!((0..NODES).all(|node| right[node as usize] == twin(node)));
    let [least, most] = [right.iter().min(), right.iter().max()];
    assert!(least < most && !right.contains(&HOLE));

    let game = Sparse::new(stride);
    let dir = tempfile::tempdir().unwrap();
    // As little memory as is enough: what is done waits on the disk.
    let plan = Plan::new(&game, 1);
    assert!(plan.least < plan.memory);
    let small = Job { threads: 2, memory: plan.least, ..Job::default() };
    let checkpoint = Checkpoint::new(dir.path().join("alone"), "sparse");
    let solution = solve(&game, &small, Some(&checkpoint)).unwrap();
    assert!(solution.tiers[1].is_empty());
    assert!(codes(&game, &solution) == right, "alone");
    checkpoint.remove().unwrap();

    let here = Cluster::new(vec!["127.0.0.1:1".to_owned()], 0, Vec::new()).unwrap();
    let checkpoint = Checkpoint::new(dir.path().join("workers"), "sparse");
    let job = Job { threads: 2, machines: Some(&here), ..Job::default() };
    let solution = solve_anywhere(&game, &job, &checkpoint).unwrap();
    assert!(codes(&game, &solution) == right, "workers");
}

#[test]
fn holes_between_positions_change_nothing() {
    // More than 2^24 cells, so that no worker keeps the values of all.
    spread_out((1 << 24) / (NODES / ROW) + 1_000_000);
}

#[test]
#[ignore = "long: a tier of more than 2^32 cells takes minutes"]
fn more_than_32_bits() {
    let game = Sparse::new((1 << 32) / (NODES / ROW - 1) + 12_345);
    assert!(game.tiers[1].size > 1 << 32);
    spread_out(game.stride);
}
