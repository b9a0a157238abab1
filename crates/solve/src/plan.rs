//! What a solve will take, before it starts.

use crate::Job;
use crate::enumerate::{estimate, start};
use kanzen_index::{Explicit, Indexed, Keyed, Place};
use std::time::{Duration, Instant};

/// Positions looked at for an estimate.
const SAMPLE: u64 = 2000;
/// Positions found for the estimate of a game by its rules alone.
const SEARCHED: u64 = 20_000;
/// The time of a whole solve, as a multiple of expanding every position once: measured.
const PASSES: f64 = 3.0;

/// The positions, memory, disk space and time that a solve needs.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Plan {
    /// Indices of all tiers, at least the number of positions up to symmetry.
    pub positions: u64,
    /// Bytes of memory at the most.
    pub memory: u64,
    /// Bytes of memory at the least: if there are fewer than at the most, tiers that are done wait on
    /// the disk until they are needed.
    pub least: u64,
    /// Bytes on disk at the most, the checkpoint included.
    pub disk: u64,
    /// Seconds, roughly.
    pub seconds: f64,
    /// Whether the positions are only guessed by how they grow: memory and disk are too, then.
    pub guessed: bool,
}

impl Plan {
    /// What nobody knows.
    pub const UNKNOWN: Plan =
        Plan { positions: 0, memory: 0, least: 0, disk: 0, seconds: 0.0, guessed: true };

    /// Plans the solve of a game by looking at a sample of its positions.
    pub fn new<G: Indexed>(game: &G, threads: usize) -> Plan {
        const FIXED: u64 = 24 << 20;
        let positions: u64 = game.tiers().iter().map(|tier| tier.size).sum();
        // Two bytes a position for the values; a value's bytes again while a table is written.
        let mut memory = FIXED + 3 * positions;
        let mut seconds = 0.0;
        let (mut extra, mut least) = (0, 0);
        for (tier, shape) in game.tiers().iter().enumerate() {
            let sample = Sample::take(game, tier, shape.size);
            seconds += sample.seconds * shape.size as f64 / kanzen_machine::threads(threads) as f64;
            let size = |tier: usize| game.tiers()[tier].size;
            let mut own =
                3 * shape.size + 2 * game.leads_to(tier).into_iter().map(size).sum::<u64>();
            if shape.loops {
                let lists = shape.size / 8 + (1 << 16);
                let edges = match G::UNMOVES {
                    true => 0,
                    // Each edge twice while they are sorted, and a word or two for each position.
                    false => (shape.size as f64 * (8.8 * sample.moves + 12.0)) as u64,
                };
                let schedule = if sample.exits { 5 * shape.size } else { 0 };
                extra = extra.max(lists + edges + schedule);
                own += lists + edges + schedule;
            }
            least = least.max(FIXED + own);
        }
        memory += extra;
        let seconds = PASSES * seconds;
        let (disk, least) = (2 * positions + (1 << 20), least.min(memory));
        Plan { positions, memory, least, disk, seconds, guessed: false }
    }
}

impl Plan {
    /// Plans the solve of a game by its rules alone: finds some of its positions, and tells from
    /// how they grow how many there may be.
    pub fn by_rules<G: Keyed + Clone>(game: &G, threads: usize) -> Plan {
        let job = Job { threads, ..Job::default() };
        let begin = Instant::now();
        // Rules that contradict themselves are told of when the game is solved.
        let Ok(found) = start(game, &job, None, SEARCHED) else {
            return Plan::UNKNOWN;
        };
        let seconds = begin.elapsed().as_secs_f64();
        let known = found.keys.len();
        if found.complete {
            let plan = Plan::new(&Explicit::new(game.clone(), found.keys), threads);
            return Plan { seconds: plan.seconds + seconds, ..plan };
        }
        let keys = game.key_limit() / game.symmetries().max(1) as u128;
        let most = u64::try_from(keys).unwrap_or(u64::MAX).max(known);
        let positions = estimate(&found.plies).clamp(known, most);
        let growth = positions as f64 / known as f64;
        let memory = (24 << 20) + 24 * positions;
        Plan {
            positions,
            memory,
            least: memory,
            disk: 6 * positions,
            seconds: (1.0 + PASSES) * seconds * growth,
            guessed: true,
        }
    }
}

/// Figures of a few positions spread over a tier.
struct Sample {
    moves: f64,
    exits: bool,
    seconds: f64,
}

impl Sample {
    fn take<G: Indexed>(game: &G, tier: usize, size: u64) -> Sample {
        // What a game computes at its first use is no part of the work.
        game.successors(&game.start(), |_| ());
        let step = (size / SAMPLE).max(1);
        let (mut seen, mut moves, mut exits) = (0u32, 0u64, false);
        let start = Instant::now();
        for index in (0..size).step_by(step as usize) {
            if seen > 0 && start.elapsed() > Duration::from_millis(50) {
                break;
            }
            seen += 1;
            let Some(position) = game.position(Place { tier, index }) else { continue };
            if game.over(&position).is_some() || game.wins_at_once(&position) {
                continue;
            }
            game.successors(&position, |next| {
                let Some(child) = next.position() else {
                    exits = true;
                    return;
                };
                // Games without un-moves have edges only to what the rules do not settle.
                let settled = || game.over(&child).is_some() || game.wins_at_once(&child);
                if game.has_place(&child) && game.tier(&child) != tier || !G::UNMOVES && settled() {
                    exits = true;
                } else {
                    moves += 1;
                }
            });
        }
        let seen = f64::from(seen.max(1));
        Sample { moves: moves as f64 / seen, exits, seconds: start.elapsed().as_secs_f64() / seen }
    }
}
