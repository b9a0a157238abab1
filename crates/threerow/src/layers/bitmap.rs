//! The bitmap of a unit: one place for every set of player 3.
//!
//! A place is a number with a bit for each of the cells that players 1 and 2
//! left; its low bits say which bit of a word, the others which word. The
//! places that stand for sets of the right size are known beforehand, word by
//! word, as a [`Plan`].

use crate::shape::bits;
use kanzen_machine::Bits;

/// Bits of a place within a word.
pub(super) const LOW: u32 = 6;

/// `CLEAR[q]`: the places of a word whose bit q is 0.
pub(super) const CLEAR: [u64; LOW as usize] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The values of 64 places: bits 0 and bits 1 of the winners' numbers.
pub(super) type Values = [u64; 2];

/// Where player 1, 2 or 3 wins among 64 places.
pub(super) type Wins = [u64; 3];

#[inline(always)]
pub(super) fn wins([low, high]: Values) -> Wins {
    [low & !high, high & !low, low & high]
}

/// The words of a bitmap over this many cells.
#[inline(always)]
pub(super) fn words(cells: u32) -> usize {
    1 << cells.saturating_sub(LOW)
}

/// The words of a unit that hold sets of a given size, and where.
pub(super) struct Plan {
    pub(super) words: Vec<(u32, u64)>,
}

impl Plan {
    /// For sets of `size` among `cells` cells.
    pub(super) fn new(cells: u32, size: u32) -> Plan {
        let places = if cells < LOW { (1 << (1 << cells)) - 1 } else { u64::MAX };
        let of_size = |size: u32| {
            let fits = |place: &u32| place.count_ones() == size;
            (0..64).filter(fits).fold(0, |mask: u64, place| mask | 1 << place) & places
        };
        let words = (0..words(cells) as u32)
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
pub(super) struct Writer<'a> {
    words: &'a mut [u64],
    word: usize,
    pending: u64,
    filled: u32,
}

impl<'a> Writer<'a> {
    pub(super) fn new(words: &'a mut [u64]) -> Writer<'a> {
        Writer { words, word: 0, pending: 0, filled: 0 }
    }

    /// Appends the lowest `count` bits of `run`, which has no others; `count`
    /// is below 64.
    #[inline(always)]
    pub(super) fn put(&mut self, run: u64, count: u32) {
        self.pending |= run << self.filled;
        self.filled += count;
        if self.filled >= 64 {
            self.words[self.word] = self.pending;
            self.word += 1;
            self.filled -= 64;
            self.pending = if self.filled == 0 { 0 } else { run >> (count - self.filled) };
        }
    }

    /// Appends `count` equal bits.
    pub(super) fn fill(&mut self, bit: bool, mut count: u64) {
        while count > 0 {
            let step = count.min(63) as u32;
            self.put(if bit { (1 << step) - 1 } else { 0 }, step);
            count -= u64::from(step);
        }
    }

    pub(super) fn finish(self) {
        self.words[self.word] = self.pending;
    }
}

/// Scatters a stored unit, which begins at bit `start` of both planes. The
/// places that mean nothing keep what they had, or become 0.
#[inline(always)]
pub(super) fn unpack(way: impl Bits, plan: &Plan, planes: &[u64], start: u64, unit: &mut [Values]) {
    let (first, second) = planes.split_at(planes.len() / 2);
    let mut lows = Reader { words: first, place: start };
    let mut highs = Reader { words: second, place: start };
    for &(word, mask) in &plan.words {
        let count = mask.count_ones();
        unit[word as usize] =
            [lows.take(count), highs.take(count)].map(|run| way.deposit(run, mask));
    }
}

/// Swaps bits `near < far` of every place of a unit; `near` is within a word.
#[inline(always)]
pub(super) fn swap_bits(unit: &mut [Values], near: u32, far: u32) {
    let shift = 1 << near;
    if far < LOW {
        let shift = (1 << far) - shift;
        let moved = CLEAR[far as usize] & !CLEAR[near as usize];
        for word in unit.as_flattened_mut() {
            let change = (*word >> shift ^ *word) & moved;
            *word ^= change ^ change << shift;
        }
    } else {
        let stays = CLEAR[near as usize];
        let half = 2 << (far - LOW);
        for pair in unit.as_flattened_mut().chunks_exact_mut(2 * half) {
            let (ones, others) = pair.split_at_mut(half);
            for (one, other) in ones.iter_mut().zip(others) {
                let change = (*one >> shift ^ *other) & stays;
                *one ^= change << shift;
                *other ^= change;
            }
        }
    }
}

/// The answers about a unit over the moves seen so far.
pub(super) struct Fold {
    /// For each player: the mover wins after some move, another after all.
    pub(super) wins: Vec<Wins>,
    /// The words with boards that no winning move has settled yet.
    open: Vec<u32>,
}

impl Fold {
    pub(super) fn new(cells: u32) -> Fold {
        Fold { wins: vec![[0; 3]; words(cells)], open: Vec::new() }
    }

    /// Starts anew with the moves that win at once: those to the free cells of
    /// the bits of `winning`. Often they settle whole words, or the unit;
    /// says whether anything is left.
    #[inline(always)]
    pub(super) fn begin<const MOVER: usize>(&mut self, plan: &Plan, winning: u32) -> bool {
        let within = bits(u64::from(winning & ((1 << LOW) - 1)));
        let places = within.fold(0, |places, cell| places | CLEAR[cell as usize]);
        self.open.clear();
        for &(word, mask) in &plan.words {
            let won = if winning >> LOW & !word != 0 { u64::MAX } else { places };
            let mut start = [!won; 3];
            start[MOVER] = won;
            self.wins[word as usize] = start;
            if mask & !won != 0 {
                self.open.push(word);
            }
        }
        !self.open.is_empty()
    }

    /// A move to the free cell of bit `cell` leads to `unit`, over the other
    /// cells; `order` says where its words stand.
    #[inline(always)]
    pub(super) fn add<const MOVER: usize>(
        &mut self,
        way: impl Bits,
        cell: u32,
        unit: &[Values],
        order: impl Fn(usize) -> usize,
    ) {
        if cell < LOW {
            let places = CLEAR[cell as usize];
            for &word in &self.open {
                let half =
                    unit[order((word / 2) as usize)].map(|values| values >> (32 * (word % 2)));
                let wins = wins(half.map(|values| way.deposit(values, places)));
                let fold = &mut self.wins[word as usize];
                fold[MOVER] |= wins[MOVER];
                fold[(MOVER + 1) % 3] &= wins[(MOVER + 1) % 3] | !places;
                fold[(MOVER + 2) % 3] &= wins[(MOVER + 2) % 3] | !places;
            }
        } else {
            let bit = cell - LOW;
            for &word in &self.open {
                if word >> bit & 1 == 0 {
                    let from = word & ((1 << bit) - 1) | word >> (bit + 1) << bit;
                    let wins = wins(unit[order(from as usize)]);
                    let fold = &mut self.wins[word as usize];
                    fold[MOVER] |= wins[MOVER];
                    fold[(MOVER + 1) % 3] &= wins[(MOVER + 1) % 3];
                    fold[(MOVER + 2) % 3] &= wins[(MOVER + 2) % 3];
                }
            }
        }
    }
}
