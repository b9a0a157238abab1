//! One block of boards, solved from the ply after it.
//!
//! The idea: for fixed sets of players 1 and 2, the sets of player 3 are the
//! numbers below `2^m`, a bit for each of the `m` cells left. So a *unit* of
//! boards is a bitmap of `2^m` places for each question (is the forced winner
//! player 1? 2? 3?), 64 sets of player 3 to a word; only the places with the
//! right number of stones mean anything. Then
//!
//! - 'player 3 takes cell q' is the bitmap of the same unit, shifted by `2^q`;
//! - 'player 2 takes cell q' is the bitmap of another unit, over one cell
//!   fewer: a gap is opened at bit q of every place;
//! - 'player 1 takes cell q' likewise, after the bits of every place have been
//!   put in the order that the symmetry to the other block's set demands;
//!
//! and the rule of forced play is an OR over the moves of the mover's own
//! bitmaps and an AND of everyone else's. In store a unit keeps only the
//! places that mean something, in order: a word at a time they are gathered
//! and scattered under the masks of a plan.
//!
//! Boards with a line of player 2 or 3 carry that player's number, so a move
//! that wins needs no test of its own.

use super::bitmap::{CLEAR, Fold, LOW, Plan, Values, Wins, Writer, swap_bits, unpack, wins, words};
use super::tier::{Frame, Tier};
use crate::rules::Player;
use crate::shape::bits;
use kanzen_machine::{Bits, Fast, Portable, Work, run_with_fast_bits};

/// Open boards up to symmetry by forced winner, nobody first.
pub(super) type Tally = [u64; 4];

/// The step from one ply to the ply before it.
pub(super) struct Step<'a> {
    frame: &'a Frame,
    tier: &'a Tier,
    /// The ply after this one with its packed values; none for a full board.
    next: Option<(&'a Tier, &'a [u64])>,
    plan: Plan,
    next_plan: Plan,
    /// Cells left by players 1 and 2.
    left: u32,
}

/// What a worker needs besides; kept from block to block.
pub(super) struct Scratch {
    fold: Fold,
    /// The unit being read.
    unit: Vec<Values>,
    /// Who wins in it.
    wins: Vec<Wins>,
    /// All units of the next ply's block, when player 2 moves.
    units: Vec<Values>,
    /// Which of them have a line of player 2.
    unit_closed: Vec<bool>,
    /// Sets of player 3 with a line.
    closed: Vec<u64>,
    /// Where each word of a unit stands after its places were reordered.
    order: Vec<u32>,
}

impl<'a> Step<'a> {
    pub(super) fn new(
        frame: &'a Frame,
        tier: &'a Tier,
        next: Option<(&'a Tier, &'a [u64])>,
    ) -> Step<'a> {
        let cells = frame.shape.cells();
        let [first, second, third] = tier.stones();
        let left = cells - first - second;
        let (next_left, next_third) = next.map_or((left, third), |(tier, _)| {
            let [first, second, third] = tier.stones();
            (cells - first - second, third)
        });
        Step {
            frame,
            tier,
            next,
            plan: Plan::new(left, third),
            next_plan: Plan::new(next_left, next_third),
            left,
        }
    }

    pub(super) fn scratch(&self) -> Scratch {
        Scratch {
            fold: Fold::new(self.left),
            unit: vec![[0; 2]; words(self.left)],
            wins: vec![[0; 3]; words(self.left)],
            units: Vec::new(),
            unit_closed: Vec::new(),
            closed: vec![0; words(self.left)],
            order: Vec::new(),
        }
    }

    /// Solves a block into its two planes and counts its open boards.
    pub(super) fn block(&self, scratch: &mut Scratch, block: usize, planes: &mut [u64]) -> Tally {
        match Fast::find() {
            Some(way) => run_with_fast_bits(Block { step: self, way, scratch, block, planes }),
            None => self.block_with(Portable, scratch, block, planes),
        }
    }

    #[inline(always)]
    fn block_with(
        &self,
        way: impl Bits,
        scratch: &mut Scratch,
        block: usize,
        planes: &mut [u64],
    ) -> Tally {
        let first = self.tier.orbit_set(block);
        let rest = self.frame.shape.full() & !first;
        let rest_count = rest.count_ones();
        let mover = Player::to_move(self.tier.plies());
        // Lines that player 1 does not touch, in the coordinates of the rest.
        let lines: Vec<u32> = (self.frame.lines.iter().filter(|&&line| line & first == 0))
            .map(|&line| way.extract(line, rest) as u32)
            .collect();
        let stabiliser: Vec<usize> = (0..self.frame.symmetries.count())
            .filter(|&number| self.frame.symmetries.get(number).set(first) == first)
            .collect();
        if mover == Player::Two {
            self.unpack_block(way, scratch, block, &lines, rest_count);
        }

        let (low, high) = planes.split_at_mut(self.tier.plane_words());
        let (mut lows, mut highs) = (Writer::new(low), Writer::new(high));
        let mut tally = Tally::default();
        let everywhere = ((1u64 << rest_count) - 1) as u32;
        let second_sets = self.frame.sets(rest_count, self.tier.stones()[1]);
        for (unit, &places) in second_sets.iter().enumerate() {
            if lines.iter().any(|line| line & places == *line) {
                lows.fill(false, self.tier.unit_states());
                highs.fill(true, self.tier.unit_states());
                continue;
            }
            let free = everywhere & !places;
            self.mark_closed(way, scratch, &lines, free);
            match (self.next, mover) {
                (None, _) => scratch.fold.wins.fill([0; 3]),
                (Some((next, packed)), Player::Three) => {
                    self.third_moves(way, scratch, next, packed, block, unit as u64);
                }
                (Some(_), Player::Two) => self.second_moves(way, scratch, places, free),
                (Some((next, packed)), Player::One) => {
                    let second = way.deposit(u64::from(places), rest);
                    self.first_moves(way, scratch, next, packed, first, second);
                }
            }

            let second = way.deposit(u64::from(places), rest);
            let fixing = stabiliser[1..]
                .iter()
                .filter(|&&number| self.frame.symmetries.get(number).set(second) == second);
            let fixing: Vec<usize> = fixing.copied().collect();
            for &(word, mask) in &self.plan.words {
                let closed = scratch.closed[word as usize];
                let [one, two, three] = scratch.fold.wins[word as usize].map(|wins| wins & !closed);
                let count = mask.count_ones();
                lows.put(way.extract(one | three | closed, mask), count);
                highs.put(way.extract(two | three | closed, mask), count);
                let open = mask & !closed;
                let sets = [open & !(one | two | three), open & one, open & two, open & three];
                for (count, set) in tally.iter_mut().zip(sets) {
                    *count += u64::from(set.count_ones());
                }
                // Burnside: a board fixed by a symmetry counts once more for it.
                for &number in &fixing {
                    let symmetry = self.frame.symmetries.get(number);
                    for (count, set) in tally.iter_mut().zip(sets) {
                        let fixed = bits(set).filter(|place| {
                            let third = u64::from(word) << LOW | u64::from(*place);
                            let third = way.deposit(way.deposit(third, u64::from(free)), rest);
                            symmetry.set(third) == third
                        });
                        *count += fixed.count() as u64;
                    }
                }
            }
        }
        lows.finish();
        highs.finish();
        tally.map(|count| count / stabiliser.len() as u64)
    }

    /// Finds the sets of player 3 with a line.
    #[inline(always)]
    fn mark_closed(&self, way: impl Bits, scratch: &mut Scratch, lines: &[u32], free: u32) {
        scratch.closed.fill(0);
        if self.tier.stones()[2] < crate::shape::LENGTH {
            return;
        }
        for &line in lines.iter().filter(|&&line| line & free == line) {
            let line = way.extract(u64::from(line), u64::from(free)) as u32;
            let (within, above) = (line & ((1 << LOW) - 1), line >> LOW);
            let all = |places, bit: u32| {
                if within >> bit & 1 == 1 { places & !CLEAR[bit as usize] } else { places }
            };
            let places = (0..LOW).fold(u64::MAX, all);
            for &(word, _) in &self.plan.words {
                if word & above == above {
                    scratch.closed[word as usize] |= places;
                }
            }
        }
    }

    #[inline(always)]
    fn third_moves(
        &self,
        way: impl Bits,
        scratch: &mut Scratch,
        next: &Tier,
        packed: &[u64],
        block: usize,
        unit: u64,
    ) {
        let start = unit * next.unit_states();
        unpack(way, &self.next_plan, next.planes(packed, block), start, &mut scratch.unit);
        for &(word, _) in &self.next_plan.words {
            scratch.wins[word as usize] = wins(scratch.unit[word as usize]);
        }
        let within = self.left.min(LOW);
        for &(word, _) in &self.plan.words {
            let [one, two, three] = scratch.wins[word as usize];
            let [mut all_one, mut all_two, mut any_three] = [u64::MAX, u64::MAX, 0];
            for cell in 0..within {
                let (shift, clear) = (1 << cell, CLEAR[cell as usize]);
                all_one &= one >> shift | !clear;
                all_two &= two >> shift | !clear;
                any_three |= three >> shift & clear;
            }
            for bit in 0..self.left - within {
                if word >> bit & 1 == 0 {
                    let [one, two, three] = scratch.wins[(word | 1 << bit) as usize];
                    all_one &= one;
                    all_two &= two;
                    any_three |= three;
                }
            }
            scratch.fold.wins[word as usize] = [all_one, all_two, any_three];
        }
    }

    /// Scatters all units of the next ply's block: each is needed for every
    /// stone of player 2 in it.
    #[inline(always)]
    fn unpack_block(
        &self,
        way: impl Bits,
        scratch: &mut Scratch,
        block: usize,
        lines: &[u32],
        rest_count: u32,
    ) {
        let Some((next, packed)) = self.next else { return };
        let unit_words = words(self.left - 1);
        scratch.units.resize(unit_words * next.units() as usize, [0; 2]);
        scratch.unit_closed.clear();
        let planes = next.planes(packed, block);
        let units = scratch.units.chunks_exact_mut(unit_words);
        let sets = self.frame.sets(rest_count, next.stones()[1]);
        for ((number, &places), unit) in (0..).zip(sets).zip(units) {
            let closed = lines.iter().any(|line| line & places == *line);
            scratch.unit_closed.push(closed);
            if !closed {
                unpack(way, &self.next_plan, planes, number * next.unit_states(), unit);
            }
        }
    }

    #[inline(always)]
    fn second_moves(&self, way: impl Bits, scratch: &mut Scratch, places: u32, free: u32) {
        let unit_words = words(self.left - 1);
        let size = self.tier.stones()[1] + 1;
        let unit = |place: u32| self.frame.rank(places | 1 << place, size) as usize;
        let mut winning = 0;
        for (cell, place) in bits(u64::from(free)).enumerate() {
            winning |= u32::from(scratch.unit_closed[unit(place)]) << cell;
        }
        if !scratch.fold.begin::<1>(&self.plan, winning) {
            return;
        }
        for (cell, place) in bits(u64::from(free)).enumerate() {
            if winning >> cell & 1 == 0 {
                let start = unit(place) * unit_words;
                let unit = &scratch.units[start..][..unit_words];
                scratch.fold.add::<1>(way, cell as u32, unit, |word| word);
            }
        }
    }

    #[inline(always)]
    fn first_moves(
        &self,
        way: impl Bits,
        scratch: &mut Scratch,
        next: &Tier,
        packed: &[u64],
        first: u64,
        second: u64,
    ) {
        let full = self.frame.shape.full();
        let free = full & !first & !second;
        let winning = way.extract(self.frame.shape.completing(first), free) as u32;
        if !scratch.fold.begin::<0>(&self.plan, winning) {
            return;
        }
        for (bit, cell) in bits(free).enumerate() {
            // No home: the move wins.
            let Some((block, number)) = next.home(self.frame, first | 1 << cell) else {
                continue;
            };
            let symmetry = self.frame.symmetries.get(number);
            let (home, image) = (next.orbit_set(block), symmetry.set(second));
            let places = way.extract(image, full & !home) as u32;
            let unit = self.frame.rank(places, self.tier.stones()[1]);
            let start = u64::from(unit) * next.unit_states();
            let unit = &mut scratch.unit[..words(self.left - 1)];
            unpack(way, &self.next_plan, next.planes(packed, block), start, unit);
            if number == 0 {
                scratch.fold.add::<0>(way, bit as u32, unit, |word| word);
                continue;
            }
            // `at[i]`: the bit of a place that must become bit i.
            let left = (self.left - 1) as usize;
            let image_free = full & !home & !image;
            let mut at = [0u8; 32];
            let mut holds = [0u8; 32];
            for (i, cell) in bits(free & !(1 << cell)).enumerate() {
                let from = (image_free & ((1 << symmetry.cell(cell)) - 1)).count_ones() as u8;
                at[i] = from;
                holds[from as usize] = i as u8;
            }
            for i in 0..left.min(LOW as usize) {
                let from = at[i];
                if usize::from(from) != i {
                    swap_bits(unit, i as u32, u32::from(from));
                    let moved = holds[i];
                    at[usize::from(moved)] = from;
                    holds[usize::from(from)] = moved;
                }
            }
            // The bits above stay where they are: the words are read in order.
            scratch.order.clear();
            scratch.order.push(0);
            for &from in at.iter().take(left).skip(LOW as usize) {
                for word in 0..scratch.order.len() {
                    scratch.order.push(scratch.order[word] | 1 << (u32::from(from) - LOW));
                }
            }
            let order = &scratch.order;
            scratch.fold.add::<0>(way, bit as u32, unit, |word| order[word] as usize);
        }
    }
}

/// The work on a block.
struct Block<'a> {
    step: &'a Step<'a>,
    way: Fast,
    scratch: &'a mut Scratch,
    block: usize,
    planes: &'a mut [u64],
}

impl Work for Block<'_> {
    type Output = Tally;

    #[inline(always)]
    fn run<const ISA: usize>(self) -> Tally {
        self.step.block_with(self.way, self.scratch, self.block, self.planes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    /// The fast way and the portable way write the same words.
    #[test]
    fn both_ways_agree() {
        for (rows, columns) in [(3, 3), (3, 4), (3, 5)] {
            let frame = Frame::new(Shape::new(rows, columns).unwrap());
            let mut next: Option<(Tier, Vec<u64>)> = None;
            for plies in (0..=frame.shape.cells()).rev() {
                let tier = Tier::new(&frame, plies);
                let after = next.as_ref().map(|(tier, words)| (tier, &words[..]));
                let step = Step::new(&frame, &tier, after);
                let block_words = 2 * tier.plane_words();
                let mut fast = vec![0; tier.blocks() * block_words];
                let mut portable = fast.clone();
                let blocks = fast.chunks_mut(block_words).zip(portable.chunks_mut(block_words));
                for (block, (fast, portable)) in blocks.enumerate() {
                    let tally = step.block(&mut step.scratch(), block, fast);
                    assert_eq!(
                        tally,
                        step.block_with(Portable, &mut step.scratch(), block, portable)
                    );
                }
                assert!(fast == portable, "ply {plies}");
                next = Some((tier, fast));
            }
        }
    }
}
