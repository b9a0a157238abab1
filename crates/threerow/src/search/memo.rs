//! What a search remembers of positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A position up to symmetry: the cells of players 1 and 3, and of 2 and 3.
pub(super) type Key = [u64; 2];

/// The most positions kept; beyond it, all are forgotten. Answers do not
/// change, they only take longer.
const CAPACITY: usize = 1 << 24;

/// Mixes the two words of a key: its bits are far from random, but the table
/// needs no protection from chosen keys.
#[derive(Debug, Clone, Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_usize(&mut self, _length: usize) {}
}

/// A bounded map from positions to what is known of them.
#[derive(Debug, Clone)]
pub(super) struct Memo<T>(HashMap<Key, T, BuildHasherDefault<Mixer>>);

impl<T: Copy> Memo<T> {
    pub(super) fn new() -> Memo<T> {
        Memo(HashMap::default())
    }

    #[inline]
    pub(super) fn get(&self, key: &Key) -> Option<T> {
        self.0.get(key).copied()
    }

    #[inline]
    pub(super) fn set(&mut self, key: Key, known: T) {
        if self.0.len() >= CAPACITY {
            self.0.clear();
        }
        self.0.insert(key, known);
    }
}
