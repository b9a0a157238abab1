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
//! and scattered under the masks of a [`Plan`].
//!
//! Boards with a line of player 2 or 3 carry that player's number, so a move
//! that wins needs no test of its own.

use super::deposit::Deposit;
use super::ranks::subsets;
use super::tier::{Frame, Tier};
use crate::threerow::rules::Player;
use crate::threerow::shape::bits;

/// Bits of a place within a word.
const LOW: u32 = 6;

/// `CLEAR[q]`: the places of a word whose bit q is 0.
const CLEAR: [u64; LOW as usize] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The words of a unit that hold sets of a given size, and where.
pub(super) struct Plan {
    words: Vec<(u32, u64)>,
}

impl Plan {
    /// For sets of `size` among `cells` cells.
    pub(super) fn new(cells: u32, size: u32) -> Plan {
        let places = if cells < LOW {
            (1 << (1 << cells)) - 1
        } else {
            u64::MAX
        };
        let of_size = |size: u32| {
            let fits = |place: &u32| place.count_ones() == size;
            (0..64)
                .filter(fits)
                .fold(0, |mask: u64, place| mask | 1 << place)
                & places
        };
        let words = (0..1u32 << cells.saturating_sub(LOW))
            .filter(|high| high.count_ones() <= size)
            .map(|high| (high, of_size(size - high.count_ones())))
            .filter(|&(_, mask)| mask != 0)
            .collect();
        Plan { words }
    }
}

/// Reads runs of bits.
struct Reader<'a> {
    words: &'a [u64],
    place: u64,
}

impl Reader<'_> {
    /// At least the next `count` bits, then moves on by `count`.
    #[inline(always)]
    fn take(&mut self, count: u32) -> u64 {
        let (word, shift) = ((self.place / 64) as usize, self.place % 64);
        self.place += u64::from(count);
        self.words[word] >> shift | (self.words[word + 1] << 1) << (63 - shift)
    }
}

/// Writes runs of bits, one after another.
struct Writer<'a> {
    words: &'a mut [u64],
    word: usize,
    pending: u64,
    filled: u32,
}

impl<'a> Writer<'a> {
    fn new(words: &'a mut [u64]) -> Writer<'a> {
        Writer {
            words,
            word: 0,
            pending: 0,
            filled: 0,
        }
    }

    /// Appends the lowest `count` bits of `run`, which has no others; `count`
    /// is below 64.
    #[inline(always)]
    fn put(&mut self, run: u64, count: u32) {
        self.pending |= run << self.filled;
        self.filled += count;
        if self.filled >= 64 {
            self.words[self.word] = self.pending;
            self.word += 1;
            self.filled -= 64;
            self.pending = if self.filled == 0 {
                0
            } else {
                run >> (count - self.filled)
            };
        }
    }

    /// Appends `count` equal bits.
    fn fill(&mut self, bit: bool, mut count: u64) {
        while count > 0 {
            let step = count.min(63) as u32;
            self.put(if bit { (1 << step) - 1 } else { 0 }, step);
            count -= u64::from(step);
        }
    }

    fn finish(self) {
        self.words[self.word] = self.pending;
    }
}

/// The values of a unit as two bitmaps: bit 0 and bit 1 of the winner's number.
#[derive(Default, Clone)]
struct Unit {
    low: Vec<u64>,
    high: Vec<u64>,
}

impl Unit {
    fn with_cells(cells: u32) -> Unit {
        let words = 1 << cells.saturating_sub(LOW);
        Unit {
            low: vec![0; words],
            high: vec![0; words],
        }
    }
}

/// Scatters a stored unit. The places that mean nothing keep what they had.
#[inline(always)]
fn unpack<D: Deposit>(
    plan: &Plan,
    planes: &[u64],
    plane_words: usize,
    place: u64,
    low: &mut [u64],
    high: &mut [u64],
) {
    let (first, second) = planes.split_at(plane_words);
    let mut lows = Reader {
        words: first,
        place,
    };
    let mut highs = Reader {
        words: second,
        place,
    };
    for &(word, mask) in &plan.words {
        let count = mask.count_ones();
        low[word as usize] = D::deposit(lows.take(count), mask);
        high[word as usize] = D::deposit(highs.take(count), mask);
    }
}

/// The bitmap, over the moves seen so far, of each question about a unit.
struct Fold {
    /// Some move leads to a win of the mover.
    any_mover: Vec<u64>,
    /// All moves lead to a win of the next player.
    all_next: Vec<u64>,
    /// All moves lead to a win of the player after that.
    all_third: Vec<u64>,
}

impl Fold {
    fn new(words: usize) -> Fold {
        Fold {
            any_mover: vec![0; words],
            all_next: vec![0; words],
            all_third: vec![0; words],
        }
    }

    fn clear(&mut self) {
        self.any_mover.fill(0);
        self.all_next.fill(u64::MAX);
        self.all_third.fill(u64::MAX);
    }

    /// A move to the free cell of bit `cell` wins at once.
    #[inline(always)]
    fn win(&mut self, plan: &Plan, cell: u32) {
        for &(word, _) in &plan.words {
            let places = if cell < LOW {
                CLEAR[cell as usize]
            } else if word >> (cell - LOW) & 1 == 0 {
                u64::MAX
            } else {
                continue;
            };
            self.any_mover[word as usize] |= places;
            self.all_next[word as usize] &= !places;
            self.all_third[word as usize] &= !places;
        }
    }

    /// A move to the free cell of bit `cell` leads to the unit of `low` and
    /// `high`, over the other cells; `order` says where its words stand.
    #[inline(always)]
    fn add<D: Deposit, const MOVER: usize>(
        &mut self,
        plan: &Plan,
        cell: u32,
        low: &[u64],
        high: &[u64],
        order: impl Fn(usize) -> usize,
    ) {
        for &(word, _) in &plan.words {
            let (low, high, places) = if cell < LOW {
                let (from, shift) = (order((word / 2) as usize), 32 * (word % 2));
                let places = CLEAR[cell as usize];
                (
                    D::deposit(low[from] >> shift, places),
                    D::deposit(high[from] >> shift, places),
                    places,
                )
            } else {
                let bit = cell - LOW;
                if word >> bit & 1 == 1 {
                    continue;
                }
                let from = order((word & ((1 << bit) - 1) | word >> (bit + 1) << bit) as usize);
                (low[from], high[from], u64::MAX)
            };
            let wins = [low & !high, high & !low, low & high];
            self.any_mover[word as usize] |= wins[MOVER];
            self.all_next[word as usize] &= wins[(MOVER + 1) % 3] | !places;
            self.all_third[word as usize] &= wins[(MOVER + 2) % 3] | !places;
        }
    }
}

/// Swaps bits `near < far` of every place of a bitmap; `near` is within a word.
#[inline(always)]
fn swap_bits(plan: &Plan, near: u32, far: u32, bitmap: &mut [u64]) {
    let shift = 1 << near;
    if far < LOW {
        let shift = (1 << far) - shift;
        let moved = CLEAR[far as usize] & !CLEAR[near as usize];
        for &(word, _) in &plan.words {
            let bits = bitmap[word as usize];
            let change = (bits >> shift ^ bits) & moved;
            bitmap[word as usize] = bits ^ change ^ change << shift;
        }
    } else {
        let other = 1 << (far - LOW);
        for &(word, _) in &plan.words {
            if word & other == 0 {
                let (one, two) = (bitmap[word as usize], bitmap[(word | other) as usize]);
                let change = (one >> shift ^ two) & CLEAR[near as usize];
                bitmap[word as usize] = one ^ change << shift;
                bitmap[(word | other) as usize] = two ^ change;
            }
        }
    }
}

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
    unit: Unit,
    /// All units of the next ply's block, when player 2 moves.
    units: Unit,
    /// Which of them have a line of player 2.
    unit_closed: Vec<bool>,
    /// Sets of player 3 with a line.
    closed: Vec<u64>,
    order: Vec<u32>,
    winners: [Vec<u64>; 3],
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
        let words = 1 << self.left.saturating_sub(LOW);
        Scratch {
            fold: Fold::new(words),
            unit: Unit::with_cells(self.left),
            units: Unit::default(),
            unit_closed: Vec::new(),
            closed: vec![0; words],
            order: Vec::new(),
            winners: std::array::from_fn(|_| vec![0; words]),
        }
    }

    /// Solves a block into its two planes and counts its open boards.
    pub(super) fn block(&self, scratch: &mut Scratch, block: usize, planes: &mut [u64]) -> Tally {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("popcnt") {
            // SAFETY: the features were found just now.
            return unsafe { self.block_bmi2(scratch, block, planes) };
        }
        self.block_portable(scratch, block, planes)
    }

    /// # Safety
    /// The processor must have BMI2 and POPCNT.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn block_bmi2(&self, scratch: &mut Scratch, block: usize, planes: &mut [u64]) -> Tally {
        self.block_with::<super::deposit::Bmi2>(scratch, block, planes)
    }

    /// The same without any special instruction.
    pub(super) fn block_portable(
        &self,
        scratch: &mut Scratch,
        block: usize,
        planes: &mut [u64],
    ) -> Tally {
        self.block_with::<super::deposit::Portable>(scratch, block, planes)
    }

    #[inline(always)]
    fn block_with<D: Deposit>(
        &self,
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
            .map(|&line| D::extract(line, rest) as u32)
            .collect();
        let stabiliser: Vec<usize> = (0..self.frame.symmetries.count())
            .filter(|&number| self.frame.symmetries.get(number).set(first) == first)
            .collect();
        if let Some((next, words)) = self.next
            && mover == Player::Two
        {
            self.unpack_block::<D>(scratch, next, words, block, &lines, rest_count);
        }

        let (low, high) = planes.split_at_mut(self.tier.plane_words());
        let (mut lows, mut highs) = (Writer::new(low), Writer::new(high));
        let mut tally = Tally::default();
        let everywhere = ((1u64 << rest_count) - 1) as u32;
        for (unit, places) in subsets(rest_count, self.tier.stones()[1]).enumerate() {
            if lines.iter().any(|line| line & places == *line) {
                lows.fill(false, self.tier.unit_states());
                highs.fill(true, self.tier.unit_states());
                continue;
            }
            let free = everywhere & !places;
            self.mark_closed::<D>(scratch, &lines, free);
            match (self.next, mover) {
                (None, _) => {
                    scratch.fold.any_mover.fill(0);
                    scratch.fold.all_next.fill(0);
                    scratch.fold.all_third.fill(0);
                }
                (Some((next, words)), Player::Three) => {
                    self.third_moves::<D>(scratch, next, words, block, unit as u64);
                }
                (Some(_), Player::Two) => self.second_moves::<D>(scratch, places, free),
                (Some((next, words)), Player::One) => {
                    let second = D::deposit(u64::from(places), rest);
                    self.first_moves::<D>(scratch, next, words, first, second);
                }
            }

            let second = D::deposit(u64::from(places), rest);
            let fixing = stabiliser[1..]
                .iter()
                .filter(|&&number| self.frame.symmetries.get(number).set(second) == second);
            let fixing: Vec<usize> = fixing.copied().collect();
            let fold = &scratch.fold;
            let bitmaps = match mover {
                Player::One => [&fold.any_mover, &fold.all_next, &fold.all_third],
                Player::Two => [&fold.all_third, &fold.any_mover, &fold.all_next],
                Player::Three => [&fold.all_next, &fold.all_third, &fold.any_mover],
            };
            for &(word, mask) in &self.plan.words {
                let closed = scratch.closed[word as usize];
                let [one, two, three] = bitmaps.map(|bitmap| bitmap[word as usize] & !closed);
                let count = mask.count_ones();
                lows.put(D::extract(one | three | closed, mask), count);
                highs.put(D::extract(two | three | closed, mask), count);
                let open = mask & !closed;
                let sets = [
                    open & !(one | two | three),
                    open & one,
                    open & two,
                    open & three,
                ];
                for (count, set) in tally.iter_mut().zip(sets) {
                    *count += u64::from(set.count_ones());
                }
                // Burnside: a board fixed by a symmetry counts once more for it.
                for &number in &fixing {
                    let symmetry = self.frame.symmetries.get(number);
                    for (count, set) in tally.iter_mut().zip(sets) {
                        let fixed = bits(set).filter(|place| {
                            let third = u64::from(word) << LOW | u64::from(*place);
                            let third = D::deposit(D::deposit(third, u64::from(free)), rest);
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
    fn mark_closed<D: Deposit>(&self, scratch: &mut Scratch, lines: &[u32], free: u32) {
        scratch.closed.fill(0);
        if self.tier.stones()[2] < crate::threerow::shape::LENGTH {
            return;
        }
        for &line in lines.iter().filter(|&&line| line & free == line) {
            let line = D::extract(u64::from(line), u64::from(free)) as u32;
            let (within, above) = (line & ((1 << LOW) - 1), line >> LOW);
            let all = |places, bit: u32| {
                if within >> bit & 1 == 1 {
                    places & !CLEAR[bit as usize]
                } else {
                    places
                }
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
    fn third_moves<D: Deposit>(
        &self,
        scratch: &mut Scratch,
        next: &Tier,
        words: &[u64],
        block: usize,
        unit: u64,
    ) {
        let planes = &words[2 * block * next.plane_words()..][..2 * next.plane_words()];
        let Unit { low, high } = &mut scratch.unit;
        unpack::<D>(
            &self.next_plan,
            planes,
            next.plane_words(),
            unit * next.unit_states(),
            low,
            high,
        );
        let [ones, twos, threes] = &mut scratch.winners;
        for &(word, _) in &self.next_plan.words {
            let (low, high) = (low[word as usize], high[word as usize]);
            ones[word as usize] = low & !high;
            twos[word as usize] = high & !low;
            threes[word as usize] = low & high;
        }
        let within = self.left.min(LOW);
        for &(word, _) in &self.plan.words {
            let (one, two, three) = (
                ones[word as usize],
                twos[word as usize],
                threes[word as usize],
            );
            let (mut any_three, mut all_one, mut all_two) = (0, u64::MAX, u64::MAX);
            for cell in 0..within {
                let (shift, clear) = (1 << cell, CLEAR[cell as usize]);
                any_three |= three >> shift & clear;
                all_one &= one >> shift | !clear;
                all_two &= two >> shift | !clear;
            }
            for bit in 0..self.left - within {
                if word >> bit & 1 == 0 {
                    let with = (word | 1 << bit) as usize;
                    any_three |= threes[with];
                    all_one &= ones[with];
                    all_two &= twos[with];
                }
            }
            scratch.fold.any_mover[word as usize] = any_three;
            scratch.fold.all_next[word as usize] = all_one;
            scratch.fold.all_third[word as usize] = all_two;
        }
    }

    /// Scatters all units of the next ply's block: each is needed for every
    /// stone of player 2 in it.
    #[inline(always)]
    fn unpack_block<D: Deposit>(
        &self,
        scratch: &mut Scratch,
        next: &Tier,
        words: &[u64],
        block: usize,
        lines: &[u32],
        rest_count: u32,
    ) {
        let unit_words = 1usize << (self.left - 1).saturating_sub(LOW);
        let total = unit_words * next.units() as usize;
        scratch.units.low.resize(total, 0);
        scratch.units.high.resize(total, 0);
        scratch.unit_closed.clear();
        let planes = &words[2 * block * next.plane_words()..][..2 * next.plane_words()];
        for (unit, places) in subsets(rest_count, next.stones()[1]).enumerate() {
            let closed = lines.iter().any(|line| line & places == *line);
            scratch.unit_closed.push(closed);
            if !closed {
                let range = unit * unit_words..(unit + 1) * unit_words;
                let (low, high) = (
                    &mut scratch.units.low[range.clone()],
                    &mut scratch.units.high[range],
                );
                unpack::<D>(
                    &self.next_plan,
                    planes,
                    next.plane_words(),
                    unit as u64 * next.unit_states(),
                    low,
                    high,
                );
            }
        }
    }

    #[inline(always)]
    fn second_moves<D: Deposit>(&self, scratch: &mut Scratch, places: u32, free: u32) {
        let unit_words = 1usize << (self.left - 1).saturating_sub(LOW);
        scratch.fold.clear();
        for (cell, place) in bits(u64::from(free)).enumerate() {
            let unit = self.frame.ranks.rank(places | 1 << place) as usize;
            if scratch.unit_closed[unit] {
                scratch.fold.win(&self.plan, cell as u32);
            } else {
                let low = &scratch.units.low[unit * unit_words..][..unit_words];
                let high = &scratch.units.high[unit * unit_words..][..unit_words];
                scratch
                    .fold
                    .add::<D, 1>(&self.plan, cell as u32, low, high, |word| word);
            }
        }
    }

    #[inline(always)]
    fn first_moves<D: Deposit>(
        &self,
        scratch: &mut Scratch,
        next: &Tier,
        words: &[u64],
        first: u64,
        second: u64,
    ) {
        scratch.fold.clear();
        let full = self.frame.shape.full();
        let free = full & !first & !second;
        for (bit, cell) in bits(free).enumerate() {
            let Some((block, number)) = next.home(self.frame, first | 1 << cell) else {
                scratch.fold.win(&self.plan, bit as u32);
                continue;
            };
            let symmetry = self.frame.symmetries.get(number);
            let planes = &words[2 * block * next.plane_words()..][..2 * next.plane_words()];
            let (home, image) = (next.orbit_set(block), symmetry.set(second));
            let unit = self
                .frame
                .ranks
                .rank(D::extract(image, full & !home) as u32);
            let place = u64::from(unit) * next.unit_states();
            let Unit { low, high } = &mut scratch.unit;
            unpack::<D>(
                &self.next_plan,
                planes,
                next.plane_words(),
                place,
                low,
                high,
            );
            if number == 0 {
                scratch
                    .fold
                    .add::<D, 0>(&self.plan, bit as u32, low, high, |word| word);
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
                    swap_bits(&self.next_plan, i as u32, u32::from(from), low);
                    swap_bits(&self.next_plan, i as u32, u32::from(from), high);
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
                    scratch
                        .order
                        .push(scratch.order[word] | 1 << (u32::from(from) - LOW));
                }
            }
            let order = &scratch.order;
            scratch
                .fold
                .add::<D, 0>(&self.plan, bit as u32, low, high, |word| {
                    order[word] as usize
                });
        }
    }
}
