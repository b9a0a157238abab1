//! Solving a game tier by tier.

use crate::checkpoint::{Checkpoint, State};
use crate::frontier::Frontier;
use crate::{Plan, Progress, SolveError};
use kanzen_core::{Next, Value};
use kanzen_index::{Indexed, Place, with_fast_bits};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The code of an index that stands for no position.
pub const HOLE: u16 = u16::MAX;

/// How to solve.
pub struct Settings<'a> {
    /// The number of threads; 0 takes all cores.
    pub threads: usize,
    /// The most memory to use, in bytes.
    pub memory: u64,
    /// Where to keep checkpoints, if anywhere.
    pub checkpoint: Option<Checkpoint>,
    /// The least time between two checkpoints.
    pub interval: Duration,
    /// Set by somebody else when the solve should stop.
    pub cancel: &'a AtomicBool,
    /// Who hears of the progress.
    pub progress: &'a dyn Progress,
}

/// The value of every position of a game.
pub struct Solution {
    /// For each tier the code of each index's value, [`HOLE`] where there is no position.
    pub tiers: Vec<Vec<u16>>,
}

impl Solution {
    /// The value at a place, or none if it stands for nothing.
    pub fn value(&self, place: Place) -> Option<Value> {
        let code = *self.tiers.get(place.tier)?.get(place.index as usize)?;
        (code != HOLE).then(|| Value::from_code(code))
    }
}

/// Solves a game completely, going on from its checkpoint if there is one.
pub fn solve<G: Indexed>(game: &G, settings: &Settings<'_>) -> Result<Solution, SolveError> {
    let plan = Plan::new(game, settings.threads);
    if plan.memory > settings.memory {
        return Err(SolveError::Memory { needed: plan.memory, allowed: settings.memory });
    }
    for tier in game.tiers() {
        if tier.size > u32::MAX.into() {
            return Err(SolveError::TierTooLarge { tier: tier.name.clone(), size: tier.size });
        }
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .build()?
        .install(|| solve_tiers(game, settings))
}

fn solve_tiers<G: Indexed>(game: &G, settings: &Settings<'_>) -> Result<Solution, SolveError> {
    let mut keeper = Keeper { settings, last: Instant::now() };
    let state = match &settings.checkpoint {
        Some(checkpoint) => checkpoint.state()?,
        None => None,
    };
    let (first, mut round) = state.map_or((0, None), |State { tier, round, .. }| (tier, round));
    let mut solved: Vec<Vec<u16>> = Vec::new();
    if let Some(checkpoint) = &settings.checkpoint {
        for (tier, shape) in game.tiers().iter().enumerate().take(first) {
            solved.push(checkpoint.read_tier(tier, None, shape.size)?);
        }
    }
    for (tier, shape) in game.tiers().iter().enumerate().skip(first) {
        let codes = if shape.loops {
            solve_loops(game, tier, round.take(), &solved, &mut keeper)?
        } else {
            solve_once(game, tier, &solved, settings)?
        };
        keeper.tier_done(tier, &codes)?;
        solved.push(codes);
    }
    Ok(Solution { tiers: solved })
}

/// Solves a tier whose moves lead back into it, round by round.
fn solve_loops<G: Indexed>(
    game: &G,
    tier: usize,
    round: Option<u16>,
    solved: &[Vec<u16>],
    keeper: &mut Keeper<'_, '_>,
) -> Result<Vec<u16>, SolveError> {
    let settings = keeper.settings;
    let shape = &game.tiers()[tier];
    // Every position is looked at once, and fires once when it is settled.
    settings.progress.begin(&shape.name, 2 * shape.size);
    let mut frontier = Frontier::new(game, tier, solved, settings)?;
    if let (Some(round), Some(checkpoint)) = (round, &settings.checkpoint) {
        frontier.resume(checkpoint.read_tier(tier, Some(round), shape.size)?, round);
    }
    while frontier.round(settings.progress)? {
        keeper.round_done(tier, &frontier)?;
    }
    settings.progress.end();
    Ok(frontier.into_codes())
}

/// Solves a tier whose moves all lead to earlier tiers, in one pass.
fn solve_once<G: Indexed>(
    game: &G,
    tier: usize,
    solved: &[Vec<u16>],
    settings: &Settings<'_>,
) -> Result<Vec<u16>, SolveError> {
    const CHUNK: usize = 4096;
    let shape = &game.tiers()[tier];
    settings.progress.begin(&shape.name, shape.size);
    let mut codes = vec![HOLE; shape.size as usize];
    let losses = solved.iter().flatten().filter(|&&code| code % 2 == 1 && code != HOLE);
    let fastest = losses.min().map_or(Value::Open, |&code| Value::from_code(code));
    let best_possible = fastest.before_move();
    codes.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, codes)| {
        if settings.cancel.load(Relaxed) {
            return;
        }
        with_fast_bits(|| {
            for (offset, code) in codes.iter_mut().enumerate() {
                let index = (chunk * CHUNK + offset) as u64;
                if let Some(position) = game.position(Place { tier, index }) {
                    *code = value_now(game, &position, solved, best_possible).code();
                }
            }
        });
        settings.progress.advance(codes.len() as u64);
    });
    settings.progress.end();
    if settings.cancel.load(Relaxed) {
        return Err(SolveError::Cancelled);
    }
    Ok(codes)
}

/// The value of a position all of whose moves lead to solved tiers.
///
/// No move of a position without a win at once is better than `best_possible`, so that the rest of
/// the moves need no look once it is found.
fn value_now<G: Indexed>(
    game: &G,
    position: &G::Position,
    solved: &[Vec<u16>],
    best_possible: Value,
) -> Value {
    if let Some(outcome) = game.over(position) {
        return Value::ended(outcome, 0);
    }
    if game.wins_at_once(position) {
        return Value::Win(1);
    }
    let mut best: Option<Value> = None;
    game.successors(position, |next| {
        if best >= Some(best_possible) {
            return;
        }
        let value = match next {
            Next::Over(outcome) => Value::ended(outcome, 1),
            Next::Position(child) if G::QUICK_WINS && game.wins_at_once(&child) => {
                Value::Win(1).before_move()
            }
            Next::Position(child) => {
                let place = game.locate(&child);
                Value::from_code(solved[place.tier][place.index as usize]).before_move()
            }
        };
        best = best.max(Some(value));
    });
    best.unwrap_or(Value::Open)
}

/// Keeps checkpoints at the right times.
struct Keeper<'s, 'a> {
    settings: &'s Settings<'a>,
    last: Instant,
}

impl Keeper<'_, '_> {
    /// Whether to write a checkpoint now.
    fn due(&self) -> bool {
        self.settings.cancel.load(Relaxed) || self.last.elapsed() >= self.settings.interval
    }

    fn round_done<G: Indexed>(
        &mut self,
        tier: usize,
        frontier: &Frontier<'_, G>,
    ) -> Result<(), SolveError> {
        if let Some(checkpoint) = self.settings.checkpoint.as_ref().filter(|_| self.due()) {
            let round = Some(frontier.next_round());
            checkpoint.write_tier(tier, round, frontier.cells())?;
            checkpoint.write_state(tier, round)?;
            self.last = Instant::now();
        }
        self.stop_if_asked()
    }

    fn tier_done(&mut self, tier: usize, codes: &[u16]) -> Result<(), SolveError> {
        if let Some(checkpoint) = &self.settings.checkpoint {
            checkpoint.write_tier(tier, None, codes.iter().copied())?;
            checkpoint.write_state(tier + 1, None)?;
            self.last = Instant::now();
        }
        self.stop_if_asked()
    }

    fn stop_if_asked(&self) -> Result<(), SolveError> {
        match self.settings.cancel.load(Relaxed) {
            true => Err(SolveError::Cancelled),
            false => Ok(()),
        }
    }
}
