//! The rounds of a solve.
//!
//! A round computes, for each king, the positions that are lost with the king's
//! side to move, given the positions won so far with the pieces' side to move;
//! then those that are won with one move more. What is new in round `r` has
//! distance `2 r` and `2 r + 1`. Only the won positions are kept: lost ones are
//! computed again where something they depend on has changed, and wait in a few
//! buffers (see `schedule.rs`) until the old won positions are
//! no longer needed.
//!
//! Sets only grow, so a tile of won positions needs a look only when a tile of
//! lost positions may have grown that a move leads to, and that only when a tile
//! it was computed from has grown in the last round. While much is new, the
//! bookkeeping costs more than it saves, and every tile is computed.

use crate::census::Census;
use crate::flags::{self, FLAGS};
use crate::graph::Graph;
use crate::known::KnownMap;
use crate::layout::{LOW, Layout};
use crate::lose::{Lose, LoseRegion};
use crate::plan::Plan;
use crate::region::{REGION, REGION_WEIGHTS, Scratch};
use crate::schedule::{Schedule, Task};
use crate::tile::Tile;
use crate::win::{Win, WinRegion};
use kanzen_machine::{Isa, Map};
use rayon::prelude::*;
use std::io;

/// Why a solver could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The system has no memory left.
    #[error("no memory for {bytes} bytes of bitmaps")]
    Memory {
        /// How much was asked for in all.
        bytes: u64,
        /// The system's answer.
        source: io::Error,
    },
    /// The threads could not be started.
    #[error("cannot start the worker threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The board has more points than a map's tiles can be numbered for.
    #[error("a board of {0} points needs more memory than any machine has")]
    TooLarge(usize),
}

/// How to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The number of threads; 0 takes as many as the machine has cores.
    pub threads: usize,
    /// The instruction set; `None` takes the widest.
    pub isa: Option<Isa>,
}

/// Gets the positions found new in each round, with the pieces' side to move.
pub trait Sink: Sync {
    /// The new positions of a region: `tiles` are the tiles from number
    /// `region * tiles.len()` of the map of king number `king`. Called from any
    /// thread, only for regions with something new, in no fixed order.
    fn region(&self, round: usize, king: usize, region: usize, tiles: &[Tile]);
}

/// What a round found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// The number of the round, from 0.
    pub number: usize,
    /// How many positions up to symmetry were found lost in `2 * number` plies.
    pub lost: u64,
    /// How many were found won in `2 * number + 1` plies.
    pub won: u64,
    /// The share of tiles that were computed.
    pub work: f64,
}

/// A solve, round by round.
#[derive(Debug)]
pub struct Solver {
    pub(crate) graph: Graph,
    pub(crate) plan: Plan,
    schedule: Schedule,
    isa: Isa,
    pool: rayon::ThreadPool,
    /// For each king the positions won with the pieces' side to move.
    pub(crate) won: Vec<Map<Tile>>,
    /// For each king the tiles of `won` that changed in the last round.
    pub(crate) changed: Vec<Vec<u64>>,
    /// For each king how many positions are known to be lost.
    pub(crate) known: Vec<KnownMap>,
    buffers: Vec<(Map<Tile>, Vec<u64>)>,
    pub(crate) census: Census,
    pub(crate) rounds: usize,
    pub(crate) finished: bool,
}

impl Solver {
    /// Plans a solve and reserves its memory.
    ///
    /// # Errors
    /// If there is too little memory or the threads do not start.
    pub fn new(graph: &Graph, options: Options) -> Result<Self, SolverError> {
        let plan = Plan::new(graph);
        if plan.layout.width() > LOW + 28 {
            return Err(SolverError::TooLarge(graph.points()));
        }
        let schedule = Schedule::new(&plan.kings);
        let tiles = plan.layout.tiles();
        let bytes = memory(&plan, &schedule);
        let map = || Map::new(tiles).map_err(|source| SolverError::Memory { bytes, source });
        let words = tiles.div_ceil(FLAGS);
        let kings = plan.kings.len();
        Ok(Self {
            graph: graph.clone(),
            isa: options.isa.filter(|isa| isa.is_available()).unwrap_or_else(Isa::best),
            pool: rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?,
            won: (0..kings).map(|_| map()).collect::<Result<_, _>>()?,
            changed: vec![vec![0; words]; kings],
            known: (0..kings).map(|_| KnownMap::new(tiles)).collect(),
            buffers: (0..schedule.buffers)
                .map(|_| Ok((map()?, vec![0; words])))
                .collect::<Result<_, SolverError>>()?,
            census: Census::new(graph),
            rounds: 0,
            finished: false,
            plan,
            schedule,
        })
    }

    /// The bytes of memory a solve of this board needs.
    #[must_use]
    pub fn memory(graph: &Graph) -> u64 {
        let plan = Plan::new(graph);
        memory(&plan, &Schedule::new(&plan.kings))
    }

    /// The instruction set in use.
    #[must_use]
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// The number of rounds done.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Whether a round found nothing new, so that all is known.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// What is known so far; everything, once the solve is finished.
    #[must_use]
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// The board.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The order of a map's bits.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.plan.layout
    }

    /// The king points that have a map, by their number.
    pub fn kings(&self) -> impl ExactSizeIterator<Item = u8> + '_ {
        self.plan.kings.iter().map(|k| k.king)
    }

    /// The map of the positions known to be won by the pieces' side, when it is
    /// to move, for a king by its number.
    #[must_use]
    pub fn won(&self, king: usize) -> &[Tile] {
        &self.won[king]
    }

    /// Does one round; `None` when all is known. `progress` is told the share
    /// of the round that is done.
    pub fn round(
        &mut self,
        sink: Option<&dyn Sink>,
        progress: &mut dyn FnMut(f64),
    ) -> Option<Round> {
        if self.finished {
            return None;
        }
        let weights = self.plan.layout.width() + 1;
        let (mut lost, mut won) = (vec![0; weights], vec![0; weights]);
        let mut won_by_map = vec![0; self.plan.kings.len()];
        let (mut computed, mut possible) = (0, 0);
        let tasks = std::mem::take(&mut self.schedule.tasks);
        for (i, &task) in tasks.iter().enumerate() {
            let (king, gain, sum) = match task {
                Task::Lose { king, buffer } => (king, self.lose(king, buffer), &mut lost),
                Task::Win { king, buffer } => {
                    computed += flags::count(&self.buffers[buffer].1);
                    possible += self.plan.layout.tiles() as u64;
                    (king, self.win(king, buffer, sink), &mut won)
                }
            };
            // Each position was counted once for each symmetry that leaves it
            // and its king in place.
            let order = self.plan.kings[king].stabiliser.len() as u64 + 1;
            for (sum, gain) in sum.iter_mut().zip(gain) {
                *sum += gain / order;
                if matches!(task, Task::Win { .. }) {
                    won_by_map[king] += gain / order;
                }
            }
            progress((i + 1) as f64 / tasks.len() as f64);
        }
        self.schedule.tasks = tasks;
        let round = Round {
            number: self.rounds,
            lost: lost.iter().sum(),
            won: won.iter().sum(),
            work: computed.min(possible) as f64 / possible.max(1) as f64,
        };
        self.census.push(lost, won, won_by_map);
        self.rounds += 1;
        self.finished = round.won == 0;
        Some(round)
    }

    fn lose(&mut self, king: usize, buffer: usize) -> Vec<u64> {
        let won: Vec<&[Tile]> = self.won.iter().map(|m| &m[..]).collect();
        let job = Lose {
            plan: &self.plan,
            king: &self.plan.kings[king],
            won: &won,
            changed: &self.changed,
            all: self.rounds == 0,
        };
        let (lost, flags) = &mut self.buffers[buffer];
        let known = &mut self.known[king];
        let region = lost.len().min(REGION);
        let weights = self.plan.layout.width() + 1;
        let (isa, plan) = (self.isa, &self.plan);
        self.pool.install(|| {
            lost.par_chunks_mut(region)
                .zip(flags.par_chunks_mut(region.div_ceil(FLAGS)))
                .zip(known.regions_mut())
                .enumerate()
                .map_init(
                    || Scratch::new(plan),
                    |scratch, (number, ((lost, flags), known))| {
                        let mut gain = vec![0; weights + REGION_WEIGHTS];
                        let first = (number * region) as u32;
                        let (job, sum) = (&job, &mut gain[..]);
                        isa.run(LoseRegion { job, first, lost, flags, known, scratch, gain: sum });
                        gain
                    },
                )
                .reduce(|| vec![0; weights + REGION_WEIGHTS], add)
        })
    }

    fn win(&mut self, king: usize, buffer: usize, sink: Option<&dyn Sink>) -> Vec<u64> {
        let (lost, flags) = &self.buffers[buffer];
        let all = self.plan.layout.tiles();
        let job = Win {
            plan: &self.plan,
            king: &self.plan.kings[king],
            lost,
            flags,
            dense: flags::count(flags) >= all as u64,
        };
        let won = &mut self.won[king];
        let changed = &mut self.changed[king];
        let region = all.min(REGION);
        let weights = self.plan.layout.width() + 1;
        let (isa, plan, round) = (self.isa, &self.plan, self.rounds);
        self.pool.install(|| {
            won.par_chunks_mut(region)
                .zip(changed.par_chunks_mut(region.div_ceil(FLAGS)))
                .enumerate()
                .map_init(
                    || Scratch::new(plan),
                    |scratch, (number, (won, changed))| {
                        let mut gain = vec![0; weights + REGION_WEIGHTS];
                        let first = (number * region) as u32;
                        let mut new = std::mem::take(&mut scratch.news);
                        let news = sink.map(|_| {
                            new.resize(region, Tile::EMPTY);
                            &mut new[..]
                        });
                        let (job, sum) = (&job, &mut gain[..]);
                        let work = WinRegion { job, first, won, changed, scratch, gain: sum, news };
                        if let (true, Some(sink)) = (isa.run(work), sink) {
                            sink.region(round, king, number, &new);
                        }
                        scratch.news = new;
                        gain
                    },
                )
                .reduce(|| vec![0; weights + REGION_WEIGHTS], add)
        })
    }
}

fn add(mut a: Vec<u64>, b: Vec<u64>) -> Vec<u64> {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    a
}

fn memory(plan: &Plan, schedule: &Schedule) -> u64 {
    let tiles = plan.layout.tiles() as u64;
    let kings = plan.kings.len() as u64;
    let maps = (kings + schedule.buffers as u64) * tiles * size_of::<Tile>() as u64;
    let known = kings * KnownMap::memory(tiles);
    maps + known + (kings + schedule.buffers as u64) * tiles.div_ceil(8)
}
