//! Black to move: a position is lost for the king when every move, with its
//! captures, leads to a position won by the pieces' side.
//!
//! For a tile of the king's map and each move, the tiles of the other map that
//! the move leads to are found from the tile's number; captures and exchanges
//! of high slots are only other numbers, those of low slots are done within
//! the tile.

use crate::flags;
use crate::layout::LOW;
use crate::plan::{Captures, KingPlan, Plan, Slot, Step, Term};
use crate::region::{REGION_WEIGHTS, Scratch};
use crate::tile::Tile;

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
    pub(crate) dense: bool,
}

impl Lose<'_> {
    /// Computes the tiles of a region, if any of them may have changed; flags
    /// those that may have. `known` are the region's counts by weight, `gain`
    /// grows by what is new, with the region's own weight added.
    #[inline(always)]
    pub(crate) fn region(
        &self,
        first: u32,
        lost: &mut [Tile],
        flags: &mut [u64],
        known: &mut [u32; REGION_WEIGHTS],
        scratch: &mut Scratch,
        gain: &mut [u64],
    ) {
        flags.fill(if self.dense { !0 } else { 0 });
        if !self.dense {
            for tile in 0..lost.len() {
                if self.may_change(first | tile as u32) {
                    flags::set(flags, tile);
                }
            }
            if flags.iter().all(|&w| w == 0) {
                return;
            }
        }
        let mut counts = [0; REGION_WEIGHTS];
        for (i, out) in lost.iter_mut().enumerate() {
            let number = first | i as u32;
            *out = self.tile(number, scratch);
            scratch.census(self.plan, self.king, number, i, out, &mut counts);
        }
        scratch.tally.drain(&mut counts);
        let base = first.count_ones() as usize;
        for (w, (known, now)) in known.iter_mut().zip(counts).enumerate() {
            if now > u64::from(*known) {
                gain[base + w] += now - u64::from(*known);
                *known = now as u32;
            }
        }
    }

    #[inline(always)]
    fn may_change(&self, tile: u32) -> bool {
        self.king.groups.iter().any(|group| {
            let tile = group.symmetry.map_or(tile, |g| self.plan.symmetries[g].tile(tile));
            group.terms.iter().any(|term| {
                let (first, second) = targets(&term.step, tile);
                let changed = |t| any_source(&self.changed[term.map], &term.captures, t);
                first.is_some_and(changed) || second.is_some_and(changed)
            })
        })
    }

    #[inline(always)]
    fn tile(&self, tile: u32, scratch: &mut Scratch) -> Tile {
        let mut all = Tile::FULL;
        for group in &self.king.groups {
            match group.symmetry {
                None => self.moves(&group.terms, tile, &mut all, scratch),
                Some(g) => {
                    let symmetry = &self.plan.symmetries[g];
                    let mut image = Tile::FULL;
                    self.moves(&group.terms, symmetry.tile(tile), &mut image, scratch);
                    symmetry.undo(&mut image);
                    all.and(&image);
                }
            }
        }
        all
    }

    /// Keeps the bits from which every one of the moves leads to a won position
    /// or is barred.
    #[inline(always)]
    fn moves(&self, terms: &[Term], tile: u32, all: &mut Tile, scratch: &mut Scratch) {
        for term in terms {
            let map = self.won[term.map];
            match term.step {
                Step::Stay { empty: Slot::High(_) }
                | Step::Exchange { from: Slot::High(_), to: Slot::High(_) } => {
                    if let (Some(target), _) = targets(&term.step, tile) {
                        all.and(after_captures(map, &term.captures, target, &mut scratch.branches));
                    }
                }
                Step::Stay { empty: Slot::Low(p) } => {
                    let mut won =
                        *after_captures(map, &term.captures, tile, &mut scratch.branches);
                    won.fill_occupied(p);
                    all.and(&won);
                }
                Step::Exchange { from: Slot::Low(p), to: Slot::High(_) } => {
                    if let (Some(empty), Some(occupied)) = targets(&term.step, tile) {
                        let mut won =
                            *after_captures(map, &term.captures, empty, &mut scratch.branches);
                        let other =
                            after_captures(map, &term.captures, occupied, &mut scratch.branches);
                        won.replace_occupied(p, other);
                        all.and(&won);
                    }
                }
                Step::Exchange { from: Slot::High(bit), to: Slot::Low(p) } => {
                    let won =
                        after_captures(map, &term.captures, tile & !bit, &mut scratch.branches);
                    let mut won = if tile & bit == 0 { *won } else { won.lowered(p) };
                    won.fill_occupied(p);
                    all.and(&won);
                }
                Step::Exchange { from: Slot::Low(p), to: Slot::Low(q) } => {
                    let mut won =
                        *after_captures(map, &term.captures, tile, &mut scratch.branches);
                    won.exchange(p, q);
                    won.fill_occupied(q);
                    all.and(&won);
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
    let mut open = 0;
    for &(_, bit) in captures.mixed.iter().filter(|m| tile & m.1 != 0) {
        ends |= bit;
        open += 1;
    }
    if open == 0 && captures.low.is_empty() {
        return &map[tile as usize];
    }
    if open == 0 {
        branches[0] = map[tile as usize];
    }
    // Every subset of open sandwiches is a branch; each sandwich halves them.
    let mut size = 1 << open;
    let mut first = true;
    for &(low, bit) in captures.mixed.iter().filter(|m| tile & m.1 != 0) {
        size /= 2;
        ends ^= bit;
        if first {
            let mut taken = 0_u32;
            for branch in &mut branches[..size] {
                let there = tile ^ taken;
                *branch = map[there as usize];
                branch.replace_occupied(low, &map[(there ^ bit) as usize]);
                taken = taken.wrapping_sub(ends) & ends;
            }
            first = false;
        } else {
            // The lowest remaining bit varies fastest: neighbours differ in it.
            for i in 0..size {
                let (there, gone) = branch_pair(size, ends, bit, i);
                let other = branches[gone];
                branches[i] = branches[there];
                branches[i].replace_occupied(low, &other);
            }
        }
    }
    let out = &mut branches[0];
    for &(p, q) in &captures.low {
        out.capture(p, q);
    }
    out
}

/// Where the two branches stand that differ in `bit`, for branch `i` of the
/// `ends` that remain: branches are numbered by the subset of captured ends.
#[inline(always)]
fn branch_pair(size: usize, ends: u32, bit: u32, i: usize) -> (usize, usize) {
    let below = (ends & (bit - 1)).count_ones();
    let low = i & ((1 << below) - 1);
    let high = (i >> below) << (below + 1);
    debug_assert!(i < size);
    (high | low, high | low | 1 << below)
}

/// How many branches [`after_captures`] needs for `mixed` sandwiches.
pub(crate) fn branches_needed(mixed: usize) -> usize {
    (1 << mixed >> 1).max(1)
}

const _: () = assert!(LOW >= 6, "a tile has at least one word");
