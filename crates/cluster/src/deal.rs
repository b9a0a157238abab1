//! Who owns which shards: those whose positions lead to one another belong to the same worker, as far as
//! all can have as many, and about as much to do in the first rounds and in the later ones.
//!
//! How much two shards have to do with each other is told by a sample of the moves between them, the
//! same on every host. Each worker in turn takes what has most to do with what it has, until it has its
//! number; then shards are exchanged by pairs as long as that leaves fewer moves between workers, or less
//! to wait for.

use kanzen_core::Value;
use kanzen_solve::{Opened, SETTLED, Sharded};
use std::cmp::Reverse;
use std::ops::Range;

/// Raised when shards are dealt otherwise: hosts that deal differently refuse to work together.
pub(crate) const VERSION: u32 = 2;
/// Shards of a tier that are dealt by their moves, at the most: others are dealt in turn.
const MOST: usize = 1024;
/// A position of so many is looked at, and so many of a shard at the most.
const EVERY: usize = 256;
const SAMPLE: usize = 64;
/// What a position costs besides its moves, each of which costs one.
const POSITION: i64 = 2;
/// What it costs that a worker has one to do more or less than others, where a move that travels costs two: much,
/// as all wait in each round, and who has more in all may have less in most.
const EVEN: i64 = 4;
/// Passes over all pairs of shards, at the most.
const PASSES: usize = 8;

/// The worker of each shard of a tier, whose shards have these indices; none if they may as well be dealt
/// in turn.
pub(crate) fn deal(
    game: &dyn Sharded,
    tier: usize,
    shards: &[Range<u64>],
    workers: usize,
) -> Option<Vec<usize>> {
    if workers == 1 || shards.len() > MOST || shards.len() <= workers {
        return None;
    }
    Sample::take(game, tier, shards).deal(workers)
}

/// The share of the moves between positions of a tier that lead to another host, if a sample of few shards
/// tells.
pub(crate) fn crossing(
    game: &dyn Sharded,
    tier: usize,
    shards: &[Range<u64>],
    host: impl Fn(usize) -> usize,
) -> Option<f64> {
    if shards.is_empty() || shards.len() > MOST {
        return None;
    }
    let sample = Sample::take(game, tier, shards);
    let hosts: Vec<usize> = (0..shards.len()).map(host).collect();
    // Each move was counted in both directions.
    let far = sample.far(&hosts) as f64 / 2.0;
    (sample.moves > 0).then(|| far / sample.moves as f64)
}

/// What was seen of the shards of a tier.
struct Sample {
    /// How many moves lead from one shard to another, in either direction.
    near: Vec<Vec<u32>>,
    /// How much there is to do for each: with positions that are settled at first sight, whose rounds come
    /// first, and with all others.
    work: Vec<[i64; 2]>,
    /// All moves that were seen.
    moves: usize,
}

impl Sample {
    fn take(game: &dyn Sharded, tier: usize, shards: &[Range<u64>]) -> Sample {
        let mut near = vec![vec![0; shards.len()]; shards.len()];
        let (mut work, mut moves) = (Vec::new(), 0);
        let size = shards[0].end - shards[0].start;
        for (from, range) in shards.iter().enumerate() {
            let cells = (range.end - range.start) as usize;
            let step = cells.div_ceil((cells / EVERY).clamp(1, SAMPLE));
            let of_kind = kinds(game, tier, range.clone().step_by(step));
            work.push(of_kind.map(|settled| {
                let mut ends = Vec::new();
                game.neighbours(tier, &settled, &mut ends);
                moves += ends.len();
                for to in ends.iter().map(|end| (end / size) as usize).filter(|&to| to != from) {
                    near[from][to] += 1;
                    near[to][from] += 1;
                }
                settled.len() as i64 * POSITION + ends.len() as i64
            }));
        }
        Sample { near, work, moves }
    }

    /// The worker of each shard; none if dealing them in turn is as good.
    fn deal(&self, workers: usize) -> Option<Vec<usize>> {
        let in_turn: Vec<usize> = (0..self.near.len()).map(|shard| shard % workers).collect();
        let mut owners = self.grow(workers);
        self.exchange(workers, &mut owners);
        let better = self.cost(workers, &owners) < self.cost(workers, &in_turn);
        better.then_some(owners)
    }

    /// Each worker takes one shard after another that has most to do with those that it has.
    fn grow(&self, workers: usize) -> Vec<usize> {
        let shards = self.near.len();
        let mut owners = vec![workers; shards];
        for worker in 0..workers {
            let room = (shards - worker).div_ceil(workers);
            let mut pull = vec![0; shards];
            for _ in 0..room {
                let free = (0..shards).filter(|&shard| owners[shard] == workers);
                let Some(next) = free.max_by_key(|&shard| (pull[shard], Reverse(shard))) else {
                    break;
                };
                owners[next] = worker;
                pull.iter_mut().zip(&self.near[next]).for_each(|(pull, moves)| *pull += moves);
            }
        }
        owners
    }

    /// Exchanges shards between workers as long as that costs less.
    fn exchange(&self, workers: usize, owners: &mut [usize]) {
        let Sample { near, work, .. } = self;
        let mut load = self.load(workers, owners);
        let mean = mean(&load);
        // By shard and worker.
        let mut pull = vec![vec![0_i64; workers]; near.len()];
        for (pull, near) in pull.iter_mut().zip(near) {
            owners.iter().zip(near).for_each(|(&owner, &moves)| pull[owner] += i64::from(moves));
        }
        for _ in 0..PASSES {
            let mut is_better = false;
            for one in 0..near.len() {
                for other in one + 1..near.len() {
                    let (a, b) = (owners[one], owners[other]);
                    let fewer = pull[one][b] - pull[one][a] + pull[other][a]
                        - pull[other][b]
                        - 2 * i64::from(near[one][other]);
                    let off = |load: i64, kind: usize| (load - mean[kind]).abs();
                    let more = |kind: usize| work[other][kind] - work[one][kind];
                    let evener = |kind: usize| {
                        let ([a, b], more) = ([a, b].map(|owner| load[owner][kind]), more(kind));
                        off(a, kind) + off(b, kind) - off(a + more, kind) - off(b - more, kind)
                    };
                    if a == b || 2 * fewer + EVEN * (evener(0) + evener(1)) <= 0 {
                        continue;
                    }
                    is_better = true;
                    owners.swap(one, other);
                    let more = [0, 1].map(more);
                    for (kind, more) in more.into_iter().enumerate() {
                        load[a][kind] += more;
                        load[b][kind] -= more;
                    }
                    for (pull, (first, second)) in
                        pull.iter_mut().zip(near[one].iter().zip(&near[other]))
                    {
                        let moved = i64::from(*first) - i64::from(*second);
                        pull[a] -= moved;
                        pull[b] += moved;
                    }
                }
            }
            if !is_better {
                return;
            }
        }
    }

    /// How much each worker has to do.
    fn load(&self, workers: usize, owners: &[usize]) -> Vec<[i64; 2]> {
        let mut load = vec![[0; 2]; workers];
        for (&owner, work) in owners.iter().zip(&self.work) {
            load[owner].iter_mut().zip(work).for_each(|(load, work)| *load += work);
        }
        load
    }

    /// How many moves lead from one owner to another, in either direction.
    fn far(&self, owners: &[usize]) -> i64 {
        let far = |one: usize| {
            let others = self.near[one].iter().zip(owners);
            let others = others.filter(move |(_, owner)| **owner != owners[one]);
            others.map(|(&moves, _)| i64::from(moves)).sum::<i64>()
        };
        (0..owners.len()).map(far).sum()
    }

    /// What is lost by moves from one worker to another, each of which counts twice, and by waiting for those
    /// that have more to do than the mean.
    fn cost(&self, workers: usize, owners: &[usize]) -> i64 {
        let load = self.load(workers, owners);
        let mean = mean(&load);
        let off = |load: &[i64; 2]| (load[0] - mean[0]).abs() + (load[1] - mean[1]).abs();
        self.far(owners) + EVEN * load.iter().map(off).sum::<i64>()
    }
}

/// What each of some workers would have to do if all had as much.
fn mean(load: &[[i64; 2]]) -> [i64; 2] {
    [0, 1].map(|kind| load.iter().map(|load| load[kind]).sum::<i64>() / load.len() as i64)
}

/// Those of some positions that are settled at first sight, and those that are not and will be won or lost,
/// with a value of that kind.
fn kinds(
    game: &dyn Sharded,
    tier: usize,
    indices: impl Iterator<Item = u64>,
) -> [Vec<(u64, Value)>; 2] {
    const LOST: Value = Value::Loss(2);
    let mut kinds = [Vec::new(), Vec::new()];
    for index in indices {
        if game.own_cells().is_some() {
            kinds[1].push((index, LOST));
            continue;
        }
        let (mut cell, mut opened) = ([0], Opened::default());
        let range = index..index + 1;
        if !game.has_unmoves() {
            game.settle(tier, range.clone(), &mut cell);
        }
        // What is elsewhere does not matter here. Who cannot open a position says so in the solve.
        let _ = game.open(tier, range, &mut cell, &|_| Some(Value::OPEN), &mut opened);
        if cell[0] & SETTLED != 0 {
            kinds[0].push((index, Value::from_code(cell[0] & !SETTLED)));
        } else if !opened.moves.is_empty() {
            kinds[1].push((index, LOST));
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves between shards: many if their numbers agree in the third bit, else few.
    fn blocks(shards: usize, few: u32) -> Sample {
        let near = |one: usize, other: usize| match one ^ other {
            0 => 0,
            differ if differ & 4 == 0 => 10,
            _ => few * u32::from((one * other).is_multiple_of(3)),
        };
        let near = |one| (0..shards).map(|other| near(one, other)).collect();
        Sample { near: (0..shards).map(near).collect(), work: vec![[0, 1]; shards], moves: 0 }
    }

    #[test]
    fn shards_that_lead_to_one_another_stay_together() {
        for few in [0, 1] {
            let sample = blocks(32, few);
            let owners = sample.deal(2).unwrap();
            assert!((0..32).all(|shard| owners[shard] == owners[shard & 4]), "{owners:?}");
            assert_eq!(owners, sample.deal(2).unwrap());
        }
        // Where all have as much to do with all, in turn is as good, unless some have more to do.
        let mut alike = Sample { near: vec![vec![1; 16]; 16], work: vec![[0, 1]; 16], moves: 0 };
        assert_eq!(alike.deal(2), None);
        (0..16).step_by(2).for_each(|shard| alike.work[shard] = [5, 0]);
        assert_eq!(alike.load(2, &alike.deal(2).unwrap()), [[20, 4]; 2]);
    }

    #[test]
    fn all_workers_get_as_many_and_exchanges_cost_less() {
        for (shards, workers) in [(7, 2), (64, 3), (50, 8), (9, 8)] {
            let mut seed = shards as u64;
            let mut random = || {
                seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
                (seed >> 60) as u32
            };
            let mut near = vec![vec![0; shards]; shards];
            for (one, other) in (0..shards).flat_map(|one| (0..one).map(move |other| (one, other)))
            {
                let moves = random();
                (near[one][other], near[other][one]) = (moves, moves);
            }
            let sample = Sample {
                near,
                moves: 0,
                work: (0..shards).map(|_| [(); 2].map(|()| random().into())).collect(),
            };
            let mut owners = sample.grow(workers);
            let grown = sample.cost(workers, &owners);
            let counts = |owners: &[usize]| -> Vec<usize> {
                let of = |worker| owners.iter().filter(|&&owner| owner == worker).count();
                (0..workers).map(of).collect()
            };
            let before = counts(&owners);
            assert!(before.iter().max().unwrap() - before.iter().min().unwrap() <= 1);
            sample.exchange(workers, &mut owners);
            assert_eq!(counts(&owners), before);
            let cost = sample.cost(workers, &owners);
            assert!(cost < grown);
            // No exchange of two is left that would do better.
            for (one, other) in (0..shards).flat_map(|one| (0..one).map(move |other| (one, other)))
            {
                let mut swapped = owners.clone();
                swapped.swap(one, other);
                assert!(sample.cost(workers, &swapped) >= cost);
            }
        }
    }
}
