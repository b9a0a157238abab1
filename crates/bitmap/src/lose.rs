//! Black to move: a position is lost for the king when every move, with its
//! captures, leads to a position won by the pieces' side.
//!
//! For a tile of the king's map and each move, the tiles of the other map that
//! the move leads to are found from the tile's number; captures and exchanges
//! of high slots are only other numbers, those of low slots are done within
//! the tile.

use crate::flags;
use crate::known::Known;
use crate::layout::LOW;
use crate::plan::{Captures, KingPlan, Plan, Slot, Step, Term};
use crate::region::{REGION_WEIGHTS, Scratch, count};
use crate::tile::Tile;
use kanzen_machine::Work;

/// The computation of one king's lost positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lose<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) king: &'a KingPlan,
    /// The won positions with the pieces' side to move, a map for each king point.
    pub(crate) won: &'a [&'a [Tile]],
    /// For each map the tiles that changed in the last round.
    pub(crate) changed: &'a [Vec<u64>],
    /// Compute every tile, without a look at what changed.
    pub(crate) all: bool,
}

/// The work on a region: computes the tiles that may have changed and flags them.
pub(crate) struct LoseRegion<'a> {
    pub(crate) job: &'a Lose<'a>,
    /// The number of the first tile.
    pub(crate) first: u32,
    pub(crate) lost: &'a mut [Tile],
    pub(crate) flags: &'a mut [u64],
    pub(crate) known: Known<'a>,
    pub(crate) scratch: &'a mut Scratch,
    /// Grows by what is new, by weight.
    pub(crate) gain: &'a mut [u64],
}

impl Work for LoseRegion<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const ISA: usize>(self) {
        let LoseRegion { job, first, lost, flags, mut known, scratch, gain } = self;
        flags.fill(0);
        let mut flagged = 0;
        for tile in 0..lost.len() {
            if !flags::get(known.full, tile as u32) && job.may_change(first | tile as u32) {
                flags::set(flags, tile);
                flagged += 1;
            }
        }
        if flagged == 0 {
            return;
        }
        let mut counts = [0; REGION_WEIGHTS];
        if 2 * flagged > lost.len() {
            job.whole_region(first, lost, known.full, scratch, &mut counts);
            known.set_region(&mut counts);
        } else {
            let whole = !*known.fine;
            for (i, out) in lost.iter_mut().enumerate() {
                if !(whole || flags::get(flags, i as u32)) {
                    continue;
                }
                let number = first | i as u32;
                job.tile(number, scratch, out);
                if out.is_full() {
                    flags::set(known.full, i);
                }
                let mut low = [0; LOW + 1];
                count(job.plan, job.king, number, out, &mut low);
                known.set_tile(i, &low, &mut counts);
            }
            known.end_tiles(whole, &mut counts);
        }
        let base = first.count_ones() as usize;
        for (w, n) in counts.into_iter().enumerate().filter(|&(_, n)| n > 0) {
            gain[base + w] += n;
        }
    }
}

impl Lose<'_> {
    #[inline(always)]
    fn whole_region(
        &self,
        first: u32,
        lost: &mut [Tile],
        full: &mut [u64],
        scratch: &mut Scratch,
        counts: &mut [u64; REGION_WEIGHTS],
    ) {
        for (i, out) in lost.iter_mut().enumerate() {
            let number = first | i as u32;
            if flags::get(full, i as u32) {
                *out = Tile::FULL;
            } else {
                self.tile(number, scratch, out);
                if out.is_full() {
                    flags::set(full, i);
                }
            }
            scratch.tally(self.plan, self.king, number, i, out, counts);
        }
        scratch.tally.drain(counts);
    }

    #[inline(always)]
    fn may_change(&self, tile: u32) -> bool {
        if self.all {
            return true;
        }
        for group in &self.king.groups {
            let tile = group.symmetry.map_or(tile, |g| self.plan.symmetries[g].tile(tile));
            for term in &group.terms {
                let changed = &self.changed[term.map];
                let (first, second) = targets(&term.step, tile);
                for target in [first, second].into_iter().flatten() {
                    if any_source(changed, &term.captures, target) {
                        return true;
                    }
                }
            }
        }
        false
    }

    #[inline(always)]
    fn tile(&self, tile: u32, scratch: &mut Scratch, all: &mut Tile) {
        *all = Tile::FULL;
        for group in &self.king.groups {
            match group.symmetry {
                None => self.moves(&group.terms, tile, all, scratch),
                Some(g) => {
                    let symmetry = &self.plan.symmetries[g];
                    let mut image = Tile::FULL;
                    self.moves(&group.terms, symmetry.tile(tile), &mut image, scratch);
                    symmetry.undo(&mut image);
                    all.and(&image);
                }
            }
        }
    }

    /// Keeps the bits from which every one of the moves leads to a won position
    /// or is barred.
    #[inline(always)]
    fn moves(&self, terms: &[Term], tile: u32, all: &mut Tile, scratch: &mut Scratch) {
        for term in terms {
            let map = self.won[term.map];
            let (Some(target), other) = targets(&term.step, tile) else { continue };
            let [branches, more] = &mut scratch.branches;
            let won = after_captures(map, &term.captures, target, branches);
            match term.step {
                Step::Stay { empty: Slot::High(_) }
                | Step::Exchange { from: Slot::High(_), to: Slot::High(_) } => all.and(won),
                Step::Stay { empty: Slot::Low(p) } => all.and_where_empty(p, won),
                Step::Exchange { from: Slot::Low(p), to: Slot::High(_) } => {
                    let Some(other) = other else { continue };
                    all.and_joined(p, won, after_captures(map, &term.captures, other, more));
                }
                Step::Exchange { from: Slot::High(bit), to: Slot::Low(p) } => {
                    if tile & bit == 0 {
                        all.and_where_empty(p, won);
                    } else {
                        all.and_where_empty_if_occupied(p, won);
                    }
                }
                Step::Exchange { from: Slot::Low(p), to: Slot::Low(q) } => {
                    let mut won = *won;
                    won.exchange(p, q);
                    all.and_where_empty(q, &won);
                }
            }
        }
    }
}

/// The tiles a king's move leads to, before captures: none when the point is
/// taken, two when the king leaves a slot within the tile for a high one.
#[inline(always)]
fn targets(step: &Step, tile: u32) -> (Option<u32>, Option<u32>) {
    match *step {
        Step::Stay { empty: Slot::High(bit) } => ((tile & bit == 0).then_some(tile), None),
        Step::Stay { empty: Slot::Low(_) } => (Some(tile), None),
        Step::Exchange { from, to: Slot::High(to) } => {
            if tile & to != 0 {
                return (None, None);
            }
            match from {
                Slot::High(from) if tile & from != 0 => (Some(tile ^ from ^ to), None),
                Slot::High(_) => (Some(tile), None),
                Slot::Low(_) => (Some(tile), Some(tile | to)),
            }
        }
        Step::Exchange { from: Slot::High(from), to: Slot::Low(_) } => (Some(tile & !from), None),
        Step::Exchange { from: Slot::Low(_), to: Slot::Low(_) } => (Some(tile), None),
    }
}

/// Whether any tile is flagged that `tile` looks like after captures.
#[inline(always)]
fn any_source(changed: &[u64], captures: &Captures, tile: u32) -> bool {
    let tile = captures.clear_high(tile);
    let ends = captures.mixed.iter().fold(0, |bits, m| bits | m.1) & tile;
    // All subsets of the captured ends, the empty one last.
    let mut taken = ends;
    loop {
        if flags::get(changed, tile ^ taken) {
            return true;
        }
        if taken == 0 {
            return false;
        }
        taken = (taken - 1) & ends;
    }
}

/// A tile of the map as it looks to a king that arrives: positions with a
/// sandwich have the value of those without the pieces captured.
#[inline(always)]
fn after_captures<'a>(
    map: &'a [Tile],
    captures: &Captures,
    tile: u32,
    branches: &'a mut [Tile],
) -> &'a Tile {
    let tile = captures.clear_high(tile);
    let mut ends = 0;
    for &(_, bit) in &captures.mixed {
        ends |= tile & bit;
    }
    if ends == 0 && captures.low.is_empty() {
        return &map[tile as usize];
    }
    let mut first = true;
    // Every subset of open sandwiches is a branch; each sandwich halves them.
    for &(low, bit) in &captures.mixed {
        if tile & bit == 0 {
            continue;
        }
        ends ^= bit;
        let size = 1 << ends.count_ones();
        if first {
            let mut taken = 0_u32;
            for branch in &mut branches[..size] {
                let there = tile ^ taken;
                branch.write_joined(low, &map[there as usize], &map[(there ^ bit) as usize]);
                taken = taken.wrapping_sub(ends) & ends;
            }
            first = false;
        } else {
            for i in 0..size {
                let (there, gone) = branch_pair(ends, bit, i);
                let (there, gone) = (branches[there], branches[gone]);
                branches[i].write_joined(low, &there, &gone);
            }
        }
    }
    let out = &mut branches[0];
    if first {
        *out = map[tile as usize];
    }
    for &(p, q) in &captures.low {
        out.capture(p, q);
    }
    out
}

/// Where the two branches stand that differ in `bit`, for branch `i` of the
/// `ends` that remain: branches are numbered by the subset of captured ends.
#[inline(always)]
fn branch_pair(ends: u32, bit: u32, i: usize) -> (usize, usize) {
    let below = (ends & (bit - 1)).count_ones();
    let low = i & ((1 << below) - 1);
    let high = (i >> below) << (below + 1);
    (high | low, high | low | 1 << below)
}

/// How many branches [`after_captures`] needs for `mixed` sandwiches.
pub(crate) fn branches_needed(mixed: usize) -> usize {
    (1 << mixed >> 1).max(1)
}
