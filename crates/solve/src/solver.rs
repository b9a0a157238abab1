//! Solving a game tier by tier.

use crate::checkpoint::{Checkpoint, State};
use crate::frontier::Frontier;
use crate::{Codes, Job, Plan, SolveError, Together};
use kanzen_core::{Best, Next, Value};
use kanzen_index::{Indexed, Place, with_fast_bits};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Names the engine in its checkpoints, with the version of what they hold.
pub const FRONTIER: &str = "frontier 1";

/// The code of an index that stands for no position.
pub const HOLE: u16 = u16::MAX;

/// The value of every position of a game.
pub struct Solution {
    /// For each tier the code of each index's value, [`HOLE`] where there is no position. A tier that
    /// did not fit the memory is empty here: [`codes`](Solution::codes) brings it back.
    pub tiers: Vec<Vec<u16>>,
    disk: Option<Checkpoint>,
    sizes: Vec<u64>,
    /// The processes that found it.
    pub(crate) together: Option<Together>,
}

impl Solution {
    /// Tiers of these sizes, those that are empty in a checkpoint.
    pub(crate) fn new<G: Indexed>(
        game: &G,
        tiers: Vec<Vec<u16>>,
        disk: Option<&Checkpoint>,
    ) -> Solution {
        let sizes = game.tiers().iter().map(|tier| tier.size).collect();
        Solution { tiers, disk: disk.cloned(), sizes, together: None }
    }

    /// The processes that found it, if it was not one alone.
    pub fn together(&self) -> Option<&Together> {
        self.together.as_ref()
    }

    /// The codes of a tier, which are read as they are needed if they are not in memory.
    pub fn window(&self, tier: usize) -> Codes<'_> {
        match (&self.tiers[tier], &self.disk) {
            (codes, Some(disk)) if codes.is_empty() => Codes::on_disk(disk, tier),
            (codes, _) => Codes::Memory(codes),
        }
    }

    /// The number of indices of a tier.
    pub fn size(&self, tier: usize) -> u64 {
        self.sizes[tier]
    }

    /// The number of tiers.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The codes of a tier, from the disk if they are not in memory.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn codes(&self, tier: usize) -> Result<Cow<'_, [u16]>, SolveError> {
        match (&self.tiers[tier], &self.disk) {
            (codes, Some(disk)) if codes.is_empty() => {
                Ok(disk.read_tier(tier, None, self.sizes[tier])?.into())
            }
            (codes, _) => Ok(codes.into()),
        }
    }

    /// The value at a place, or none if it stands for nothing.
    pub fn at(&self, place: Place) -> Option<Value> {
        if place.tier >= self.len() {
            return None;
        }
        if place.index >= self.sizes[place.tier] {
            return None;
        }
        let mut code = [HOLE];
        self.window(place.tier).read(place.index..place.index + 1, &mut code).ok()?;
        let [code] = code;
        (code != HOLE).then(|| Value::from_code(code))
    }

    /// The value of a position of the game that was solved.
    pub fn value<G: Indexed>(&self, game: &G, position: &G::Position) -> Value {
        let of_move = |next: Next<G::Position>| next.value(|child| self.value(game, &child));
        match game.over(position) {
            Some(outcome) => Value::new(outcome, 0),
            None if game.has_place(position) => {
                self.at(game.locate(position)).unwrap_or(Value::OPEN)
            }
            None => {
                let mut best = Best::new(game, position);
                game.successors(position, |next| best.see(of_move(next)));
                best.value().unwrap_or(Value::OPEN)
            }
        }
    }
}

/// Solves a game completely, going on from its checkpoint if there is one.
///
/// # Errors
/// If the plan does not fit the memory, the solve is stopped, or the checkpoint cannot be used.
pub fn solve<G: Indexed>(
    game: &G,
    job: &Job<'_>,
    checkpoint: Option<&Checkpoint>,
) -> Result<Solution, SolveError> {
    let plan = Plan::new(game, job.threads);
    // What is done can leave the memory only if it is kept elsewhere.
    let needed = if checkpoint.is_some() { plan.least } else { plan.memory };
    if needed > job.memory {
        return Err(SolveError::Memory { needed, allowed: job.memory });
    }
    let on_disk = plan.memory > job.memory;
    for tier in game.tiers() {
        // A side that moves again is marked by a bit of a number.
        let most = if game.takes_turns() { u32::MAX } else { u32::MAX >> 1 };
        // Only the moves of a game without un-moves are kept by numbers of 32 bits.
        if !G::UNMOVES && tier.loops && tier.size > most.into() {
            return Err(SolveError::TierTooLarge { tier: tier.name.clone(), size: tier.size });
        }
    }
    job.install(|| solve_tiers(game, job, checkpoint, on_disk))?
}

fn solve_tiers<G: Indexed>(
    game: &G,
    job: &Job<'_>,
    checkpoint: Option<&Checkpoint>,
    on_disk: bool,
) -> Result<Solution, SolveError> {
    let mut keeper = Keeper { job, checkpoint, last: Instant::now() };
    let state = match checkpoint {
        Some(checkpoint) => checkpoint.state()?,
        None => None,
    };
    let (first, mut round) = state.map_or((0, None), |State { tier, round, .. }| (tier, round));
    let mut solved: Vec<Vec<u16>> = vec![Vec::new(); first];
    for (tier, shape) in game.tiers().iter().enumerate().skip(first) {
        let needed = game.leads_to(tier);
        for (done, codes) in solved.iter_mut().enumerate() {
            if on_disk && !needed.contains(&done) {
                *codes = Vec::new();
            } else if let Some(checkpoint) = checkpoint
                && codes.is_empty()
                && needed.contains(&done)
            {
                *codes = checkpoint.read_tier(done, None, game.tiers()[done].size)?;
            }
        }
        let last =
            || !(tier + 1..game.tiers().len()).any(|next| game.leads_to(next).contains(&tier));
        let codes = if shape.loops {
            let frontier = solve_loops(game, tier, round.take(), &solved, &mut keeper)?;
            if on_disk && last() {
                // Nobody needs it in memory.
                keeper.tier_done(tier, frontier.codes())?;
                solved.push(Vec::new());
                continue;
            }
            frontier.into_codes()
        } else {
            solve_once(game, tier, &solved, job)?
        };
        keeper.tier_done(tier, codes.iter().copied())?;
        solved.push(codes);
    }
    if let Some(checkpoint) = checkpoint.filter(|_| !on_disk) {
        // Tiers that were done before and that no later one leads to.
        for (tier, codes) in solved.iter_mut().enumerate().filter(|(_, codes)| codes.is_empty()) {
            *codes = checkpoint.read_tier(tier, None, game.tiers()[tier].size)?;
        }
    }
    Ok(Solution::new(game, solved, checkpoint))
}

/// Solves a tier whose moves lead back into it, round by round.
fn solve_loops<'g, G: Indexed>(
    game: &'g G,
    tier: usize,
    round: Option<u16>,
    solved: &[Vec<u16>],
    keeper: &mut Keeper<'_, '_>,
) -> Result<Frontier<'g, G>, SolveError> {
    let job = keeper.job;
    let shape = &game.tiers()[tier];
    // Every position is looked at once, and fires once when it is settled.
    job.progress.begin(&shape.name, 2 * shape.size);
    let mut frontier = Frontier::new(game, tier, solved, job)?;
    if let (Some(round), Some(checkpoint)) = (round, keeper.checkpoint) {
        frontier.resume(checkpoint.read_tier(tier, Some(round), shape.size)?, round);
    }
    while frontier.round(job.progress)? {
        keeper.round_done(tier, &frontier)?;
    }
    job.progress.end();
    Ok(frontier)
}

/// Solves a tier whose moves all lead to earlier tiers, in one pass.
fn solve_once<G: Indexed>(
    game: &G,
    tier: usize,
    solved: &[Vec<u16>],
    job: &Job<'_>,
) -> Result<Vec<u16>, SolveError> {
    const CHUNK: usize = 4096;
    let shape = &game.tiers()[tier];
    job.progress.begin(&shape.name, shape.size);
    let mut codes = vec![HOLE; shape.size as usize];
    let losses = solved.iter().flatten().filter_map(|&code| match Value::from_code(code) {
        Value::Loss(plies) if code != HOLE => Some(plies),
        _ => None,
    });
    let endless = Value::Win(Value::ENDLESS);
    let best_possible = match game.takes_turns() {
        true => losses.min().map_or(endless, |plies| Value::Loss(plies).before_move()),
        false => Value::Win(1),
    };
    codes.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, codes)| {
        if job.cancel.load(Relaxed) {
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
        job.progress.advance(codes.len() as u64);
    });
    job.progress.end();
    if job.cancel.load(Relaxed) {
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
        return Value::new(outcome, 0);
    }
    if game.wins_at_once(position) {
        return Value::Win(1);
    }
    let mut best = Best::new(game, position);
    game.successors(position, |next| {
        if best.value() >= Some(best_possible) {
            return;
        }
        best.see(next.value(|child| {
            if G::QUICK_WINS && game.wins_at_once(&child) {
                return Value::Win(1);
            }
            let place = game.locate(&child);
            Value::from_code(solved[place.tier][place.index as usize])
        }));
    });
    best.value().unwrap_or(Value::OPEN)
}

/// Keeps checkpoints at the right times.
struct Keeper<'s, 'a> {
    job: &'s Job<'a>,
    checkpoint: Option<&'s Checkpoint>,
    last: Instant,
}

impl Keeper<'_, '_> {
    /// Whether to write a checkpoint now.
    fn due(&self) -> bool {
        self.job.cancel.load(Relaxed) || self.last.elapsed() >= self.job.interval
    }

    fn round_done<G: Indexed>(
        &mut self,
        tier: usize,
        frontier: &Frontier<'_, G>,
    ) -> Result<(), SolveError> {
        if let Some(checkpoint) = self.checkpoint.filter(|_| self.due()) {
            let round = Some(frontier.next_round());
            checkpoint.write_tier(tier, round, frontier.cells())?;
            checkpoint.write_state(tier, round)?;
            self.last = Instant::now();
        }
        self.stop_if_asked()
    }

    fn tier_done(
        &mut self,
        tier: usize,
        codes: impl Iterator<Item = u16>,
    ) -> Result<(), SolveError> {
        if let Some(checkpoint) = self.checkpoint {
            checkpoint.write_tier(tier, None, codes)?;
            checkpoint.write_state(tier + 1, None)?;
            self.last = Instant::now();
        }
        self.stop_if_asked()
    }

    fn stop_if_asked(&self) -> Result<(), SolveError> {
        match self.job.cancel.load(Relaxed) {
            true => Err(SolveError::Cancelled),
            false => Ok(()),
        }
    }
}
