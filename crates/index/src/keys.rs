//! A sorted set of keys in little room, in which every key has a number and every number a key.
//!
//! Where the keys are dense, each possible one has a bit, and a count of the bits before every few
//! words tells a key's number at once. Else the upper bits of a key choose a bucket, and the lower
//! bits of the bucket's keys, packed one after the other, are searched by halves.

use kanzen_machine::deposit;

/// Words of the bit map between two counts.
const STRIDE: usize = 8;
/// Keys in a bucket, on average.
const BUCKET: u64 = 32;
/// Bits of the bit map for each key, at the most; else the keys are packed.
const SPARSE: u128 = 64;

/// A sorted set of keys.
///
/// ```
/// let keys = kanzen_index::Keys::new([3, 8, 1 << 70].into_iter(), 3, 1 << 80);
/// assert_eq!((keys.len(), keys.rank(8), keys.rank(9)), (3, Some(1), None));
/// assert_eq!(keys.get(2), Some(1 << 70));
/// ```
#[derive(Debug)]
pub struct Keys(Form);

#[derive(Debug)]
enum Form {
    Marked(Marked),
    Packed(Packed),
}

impl Keys {
    /// A set of so many keys below a limit, which come in rising order.
    pub fn new(keys: impl Iterator<Item = u128>, len: u64, limit: u128) -> Keys {
        if limit <= SPARSE * u128::from(len.max(1 << 12)) {
            let mut words = vec![0; (limit as usize).div_ceil(64)];
            keys.for_each(|key| words[key as usize / 64] |= 1 << (key % 64));
            Keys::marked(words)
        } else {
            Keys(Form::Packed(Packed::new(keys, len, limit)))
        }
    }

    /// The keys whose bits are set.
    pub fn marked(words: Vec<u64>) -> Keys {
        Keys(Form::Marked(Marked::new(words)))
    }

    /// How many keys there are.
    pub fn len(&self) -> u64 {
        match &self.0 {
            Form::Marked(marked) => marked.len,
            Form::Packed(packed) => packed.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        8 * match &self.0 {
            Form::Marked(marked) => marked.words.len() + marked.counts.len(),
            Form::Packed(packed) => packed.low.len() + packed.starts.len(),
        } as u64
    }

    /// The number of a key, if it is in the set.
    #[inline]
    pub fn rank(&self, key: u128) -> Option<u64> {
        match &self.0 {
            Form::Marked(marked) => marked.rank(key),
            Form::Packed(packed) => packed.rank(key),
        }
    }

    /// The key of a number.
    pub fn get(&self, number: u64) -> Option<u128> {
        (number < self.len()).then(|| self.cursor().get(number))
    }

    /// Reads keys whose numbers rise faster than one alone.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor { keys: self, at: 0 }
    }
}

/// Where somebody reads in a set of keys.
pub struct Cursor<'k> {
    keys: &'k Keys,
    /// The stride or bucket of the last key.
    at: usize,
}

impl Cursor<'_> {
    /// The key of a number that the set has.
    #[inline]
    pub fn get(&mut self, number: u64) -> u128 {
        let starts = match &self.keys.0 {
            Form::Marked(marked) => &marked.counts,
            Form::Packed(packed) => &packed.starts,
        };
        let inside = |at: usize| starts[at] <= number && number < starts[at + 1];
        if !inside(self.at) {
            let next = self.at + 1;
            self.at = if next + 1 < starts.len() && inside(next) {
                next
            } else {
                starts.partition_point(|&start| start <= number) - 1
            };
        }
        match &self.keys.0 {
            Form::Marked(marked) => marked.select(self.at, number).into(),
            Form::Packed(packed) => (self.at as u128) << packed.low_bits | packed.low(number),
        }
    }
}

/// A bit for every possible key.
#[derive(Debug)]
struct Marked {
    words: Vec<u64>,
    /// The bits before every stride of words, and of all.
    counts: Vec<u64>,
    len: u64,
}

impl Marked {
    fn new(words: Vec<u64>) -> Marked {
        let mut counts = Vec::with_capacity(words.len() / STRIDE + 2);
        let mut len = 0;
        counts.push(0);
        for stride in words.chunks(STRIDE) {
            len += stride.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            counts.push(len);
        }
        Marked { words, counts, len }
    }

    #[inline]
    fn rank(&self, key: u128) -> Option<u64> {
        let place = usize::try_from(key / 64).ok()?;
        let word = *self.words.get(place)?;
        let bit = 1_u64 << (key % 64);
        if word & bit == 0 {
            return None;
        }
        let first = place - place % STRIDE;
        let before = self.words[first..place].iter().map(|word| word.count_ones());
        let before: u32 = before.sum::<u32>() + (word & (bit - 1)).count_ones();
        Some(self.counts[place / STRIDE] + u64::from(before))
    }

    /// The key of a number in a stride.
    #[inline]
    fn select(&self, stride: usize, number: u64) -> u64 {
        let mut left = (number - self.counts[stride]) as u32;
        let mut place = 2 * stride * STRIDE;
        loop {
            let half = (self.words[place / 2] >> (32 * (place % 2))) as u32;
            let count = half.count_ones();
            if left < count {
                return 32 * place as u64 + u64::from(deposit(1 << left, half).trailing_zeros());
            }
            left -= count;
            place += 1;
        }
    }
}

/// Keys in buckets by their upper bits.
#[derive(Debug)]
struct Packed {
    /// The number of the first key of each bucket, and of all.
    starts: Vec<u64>,
    low_bits: u32,
    low: Vec<u64>,
}

impl Packed {
    fn new(keys: impl Iterator<Item = u128>, len: u64, limit: u128) -> Packed {
        let bits = u128::BITS - limit.saturating_sub(1).leading_zeros();
        let bucket_bits = (len / BUCKET).max(1).ilog2().min(bits);
        let low_bits = bits - bucket_bits;
        let words = (u128::from(len) * u128::from(low_bits)).div_ceil(64) as usize;
        // A word more, so that two can always be read.
        let mut packed = Packed { starts: Vec::new(), low_bits, low: vec![0; words + 2] };
        let mut number = 0;
        for key in keys {
            let bucket = (key >> low_bits) as usize;
            packed.starts.resize(packed.starts.len().max(bucket + 1), number);
            packed.put(number, key & low_mask(low_bits));
            number += 1;
        }
        packed.starts.resize((1 << bucket_bits) + 1, number);
        packed
    }

    fn len(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    fn put(&mut self, number: u64, low: u128) {
        let bit = number * u64::from(self.low_bits);
        let (place, shift) = ((bit / 64) as usize, bit % 64);
        self.low[place] |= (low << shift) as u64;
        let mut rest = low >> (64 - shift);
        let mut place = place + 1;
        while rest != 0 {
            self.low[place] |= rest as u64;
            rest = rest.checked_shr(64).unwrap_or(0);
            place += 1;
        }
    }

    #[inline]
    fn low(&self, number: u64) -> u128 {
        let bit = number * u64::from(self.low_bits);
        let (place, shift) = ((bit / 64) as usize, (bit % 64) as u32);
        let two = u128::from(self.low[place]) | u128::from(self.low[place + 1]) << 64;
        let mut low = two >> shift;
        if shift + self.low_bits > 128 {
            low |= u128::from(self.low[place + 2]) << (128 - shift);
        }
        low & low_mask(self.low_bits)
    }

    #[inline]
    fn rank(&self, key: u128) -> Option<u64> {
        let bucket = usize::try_from(key >> self.low_bits).ok()?;
        let (mut first, mut end) = (*self.starts.get(bucket)?, *self.starts.get(bucket + 1)?);
        let wanted = key & low_mask(self.low_bits);
        while first < end {
            let middle = first + (end - first) / 2;
            match self.low(middle).cmp(&wanted) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => first = middle + 1,
                std::cmp::Ordering::Greater => end = middle,
            }
        }
        None
    }
}

#[inline]
fn low_mask(bits: u32) -> u128 {
    match bits {
        128 => u128::MAX,
        _ => (1 << bits) - 1,
    }
}

/// Keys of a block of a file.
pub const KEY_BLOCK: usize = 1 << 16;

/// Writes rising keys as bytes: the first, and the step to each that follows, seven bits a byte.
///
/// ```
/// use kanzen_index::{decode_keys, encode_keys};
/// let bytes = encode_keys([5, 6, 900].into_iter());
/// assert_eq!(bytes.len(), 4);
/// assert_eq!(decode_keys(&bytes), Some(vec![5, 6, 900]));
/// ```
pub fn encode_keys(keys: impl Iterator<Item = u128>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut next = 0;
    for key in keys {
        let mut step = key - next;
        while step >= 0x80 {
            bytes.push(step as u8 | 0x80);
            step >>= 7;
        }
        bytes.push(step as u8);
        next = key.wrapping_add(1);
    }
    bytes
}

/// Reads what [`encode_keys`] wrote; none if that is not what the bytes are.
pub fn decode_keys(bytes: &[u8]) -> Option<Vec<u128>> {
    let mut keys = Vec::with_capacity(bytes.len());
    let (mut next, mut step, mut shift) = (Some(0_u128), 0_u128, 0);
    for &byte in bytes {
        let bits = u128::from(byte & 0x7f);
        if shift >= 128 || bits << shift >> shift != bits {
            return None;
        }
        step |= bits << shift;
        shift += 7;
        if byte < 0x80 {
            let key = next?.checked_add(step)?;
            keys.push(key);
            next = key.checked_add(1);
            (step, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Sets that are dense, sparse, clustered, wide, tiny and empty.
    fn sets() -> Vec<(BTreeSet<u128>, u128)> {
        let mut noise = 1_u128;
        let mut next = || {
            noise = noise.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).wrapping_add(7);
            noise ^ noise >> 57
        };
        let mut sets = vec![(BTreeSet::new(), 10), (BTreeSet::from([0]), 1)];
        for limit in [1000_u128, 1 << 20, 1 << 40, 1 << 64, 1 << 90, u128::MAX] {
            sets.push(((0..700).map(|_| next() % limit).collect(), limit));
            let middle = limit / 2;
            let clustered = (0..90).flat_map(|_| {
                let base = middle + next() % (limit / 4);
                (0..next() % 9).map(move |more| (base + more).min(limit - 1))
            });
            sets.push((clustered.collect(), limit));
        }
        sets.push(((0..5000).map(|_| next() % 20_000).collect(), 20_000));
        sets
    }

    #[test]
    fn every_key_has_a_number_and_every_number_a_key() {
        for (set, limit) in sets() {
            let keys = Keys::new(set.iter().copied(), set.len() as u64, limit);
            assert_eq!(keys.len(), set.len() as u64);
            let mut cursor = keys.cursor();
            for (number, &key) in (0..).zip(&set) {
                assert_eq!((keys.rank(key), keys.get(number)), (Some(number), Some(key)));
                assert_eq!(cursor.get(number), key);
                let near = [key.wrapping_sub(1), key.saturating_add(1)];
                near.iter().filter(|key| !set.contains(key)).for_each(|&key| {
                    assert_eq!(keys.rank(key), None);
                });
            }
            assert_eq!((keys.get(keys.len()), keys.rank(u128::MAX / 3 * 2 + 1)), (None, None));
        }
    }

    #[test]
    fn bytes_give_back_the_keys_and_foreign_ones_are_refused() {
        for (set, _) in sets() {
            let bytes = encode_keys(set.iter().copied());
            assert_eq!(decode_keys(&bytes), Some(set.into_iter().collect()));
        }
        assert_eq!(decode_keys(&[0x80]), None, "cut off");
        assert_eq!(decode_keys(&[0xff; 30]), None, "too long");
        let most = encode_keys([u128::MAX].into_iter());
        assert_eq!(decode_keys(&[&most[..], &[0]].concat()), None, "beyond the last key");
    }
}
