//! All numbers below a bound in a random order, without a list of them.
//!
//! A Feistel network exchanges the numbers of an even number of bits among themselves; what falls
//! beyond the bound is exchanged again until it does not (cycle walking).

/// A random order of the numbers below a bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    bound: u64,
    /// Half of the bits of the network's numbers.
    half: u32,
    seed: u64,
}

impl Order {
    pub(crate) fn new(bound: u64, seed: u64) -> Order {
        let bits = u64::BITS - bound.saturating_sub(1).leading_zeros();
        Order { bound, half: bits.div_ceil(2).max(1), seed }
    }

    /// The number at a place of the order; both are below the bound.
    pub(crate) fn at(&self, place: u64) -> u64 {
        let mut number = self.exchange(place);
        while number >= self.bound {
            number = self.exchange(number);
        }
        number
    }

    fn exchange(&self, number: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let (mut left, mut right) = (number >> self.half, number & mask);
        for round in 0..4 {
            (left, right) = (right, left ^ mix(right ^ self.seed.rotate_left(16 * round)) & mask);
        }
        left << self.half | right
    }
}

/// A number that looks like chance (the end of SplitMix64).
pub(crate) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for bound in [1, 2, 3, 64, 65, 1000] {
            for seed in [0, 7] {
                let order = Order::new(bound, seed);
                let mut numbers: Vec<u64> = (0..bound).map(|place| order.at(place)).collect();
                assert!(bound < 64 || !numbers.is_sorted());
                numbers.sort_unstable();
                assert!(numbers.into_iter().eq(0..bound));
            }
        }
    }
}
