//! A flag for each tile of a map.

/// How many flags a word holds.
pub(crate) const FLAGS: usize = 64;

/// Whether the flag of a tile is set.
#[inline(always)]
pub(crate) fn get(flags: &[u64], tile: u32) -> bool {
    flags[tile as usize / FLAGS] >> (tile as usize % FLAGS) & 1 == 1
}

/// Sets the flag of a tile.
#[inline(always)]
pub(crate) fn set(flags: &mut [u64], tile: usize) {
    flags[tile / FLAGS] |= 1 << (tile % FLAGS);
}

/// How many flags are set.
pub(crate) fn count(flags: &[u64]) -> u64 {
    flags.iter().map(|w| u64::from(w.count_ones())).sum()
}
