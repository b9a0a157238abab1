//! What a solve will take, before it starts.

use crate::Job;
use crate::enumerate::{estimate, start};
use crate::opening::known_at_once;
use kanzen_index::{Explicit, FirstLook, Indexed, Keyed, Place};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Positions looked at for an estimate.
const SAMPLE: u64 = 2000;
/// Positions found for the estimate of a game by its rules alone.
const SEARCHED: u64 = 20_000;
/// Positions that are looked at in a row, and how often: the quickest time counts, for something else
/// may come between.
const ROW: u64 = 50;
const TRIES: usize = 3;
/// The most time that an estimate takes.
const TIME: Duration = Duration::from_millis(200);
/// The time of a whole solve, as a multiple of looking at every position once: measured.
const PASSES: f64 = 2.0;
/// The same for games without un-moves, whose edges are gathered and sorted.
const PASSES_WITH_EDGES: f64 = 2.5;
/// The same for finding the positions of a game by its rules alone, and solving it.
const SEARCH: f64 = 1.5;

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
            let share = shape.size as f64 / positions.max(1) as f64;
            let sample = Sample::take(game, tier, shape.size, TIME.mul_f64(share));
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
        let seconds = if G::UNMOVES { PASSES } else { PASSES_WITH_EDGES } * seconds;
        let (disk, least) = (2 * positions + (1 << 20), least.min(memory));
        Plan { positions, memory, least, disk, seconds, guessed: false }
    }
}

impl Plan {
    /// Plans the solve of a game by its rules alone: finds some of its positions, and tells from
    /// how they grow how many there may be.
    pub fn by_rules<G: Keyed + Clone>(game: &G, threads: usize) -> Plan {
        let job = Job { threads, ..Job::default() };
        // Rules that contradict themselves are told of when the game is solved.
        let Ok(found) = start(game, &job, None, SEARCHED) else {
            return Plan::UNKNOWN;
        };
        let known = found.keys.len();
        let plan = Plan::new(&Explicit::new(game.clone(), found.keys), threads);
        let plan = Plan { seconds: SEARCH * plan.seconds, ..plan };
        if found.complete {
            return plan;
        }
        let keys = game.key_limit() / game.symmetries().max(1) as u128;
        let most = u64::try_from(keys).unwrap_or(u64::MAX).max(known);
        let positions = estimate(&found.plies).clamp(known, most);
        let memory = (24 << 20) + 24 * positions;
        Plan {
            positions,
            memory,
            least: memory,
            disk: 6 * positions,
            seconds: plan.seconds * positions as f64 / known as f64,
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
    /// Looks at positions in short rows, as the engine does, for so long at the most.
    fn take<G: Indexed>(game: &G, tier: usize, size: u64, most: Duration) -> Sample {
        // What a game computes at its first use is no part of the work.
        game.successors(&game.start(), |_| ());
        let (mut seen, mut moves, mut exits, mut work) = (0, 0u64, false, Duration::ZERO);
        let start = Instant::now();
        for row in 0..(SAMPLE / ROW).min(size.div_ceil(ROW)) {
            if row > 0 && start.elapsed() > most {
                break;
            }
            // Rows that are far from each other, wherever the time ends.
            let place = (row as f64 * 0.618_034).fract();
            let first = (place * size.saturating_sub(ROW) as f64) as u64;
            let row = first..size.min(first + ROW);
            let quickest = (0..TRIES).map(|_| {
                let start = Instant::now();
                row.clone().for_each(|index| look(game, Place { tier, index }));
                start.elapsed()
            });
            work += quickest.min().unwrap_or_default();
            seen += row.end - row.start;
            for index in row {
                let (inside, leaves) = count(game, Place { tier, index });
                moves += inside;
                exits |= leaves;
            }
        }
        let seen = seen.max(1) as f64;
        Sample { moves: moves as f64 / seen, exits, seconds: work.as_secs_f64() / seen }
    }
}

/// What the engine does with a position: it counts its moves and, in a later round, takes moves back.
fn look<G: Indexed>(game: &G, place: Place) {
    let Some(position) = game.position(place) else { return };
    match game.first_look(&position) {
        Some(FirstLook::Value(_)) => return,
        Some(FirstLook::Moves(_)) => {}
        None if game.over(&position).is_some() || game.wins_at_once(&position) => return,
        None => game.successors(&position, |next| {
            if let Some(child) = next.position()
                && !known_at_once(game, &child)
                && game.has_place(&child)
            {
                black_box(game.locate(&child));
            }
        }),
    }
    if G::UNMOVES {
        game.predecessors(&position, |before| {
            if game.has_place(&before) {
                black_box(game.locate(&before));
            }
        });
    }
}

/// The moves of a position that stay in its tier, and whether there are others.
fn count<G: Indexed>(game: &G, place: Place) -> (u64, bool) {
    let (mut moves, mut exits) = (0, false);
    let Some(position) = game.position(place) else { return (0, false) };
    if game.over(&position).is_some() || game.wins_at_once(&position) {
        return (0, false);
    }
    game.successors(&position, |next| {
        let Some(child) = next.position() else {
            exits = true;
            return;
        };
        // Games without un-moves have edges only to what the rules do not settle.
        let settled = || game.over(&child).is_some() || game.wins_at_once(&child);
        if game.has_place(&child) && game.tier(&child) != place.tier || !G::UNMOVES && settled() {
            exits = true;
        } else {
            moves += 1;
        }
    });
    (moves, exits)
}
