//! Counting bits by the number of pieces in their index.
//!
//! A popcount for each weight and word would cost as much as solving. Instead
//! the tiles whose numbers have the same weight are added up bit by bit, in
//! 'vertical' binary digits: two tiles wait at each level until a third turns
//! them into one tile of sums and one of carries. So a tile costs one full
//! adder on average, and only the few tiles of digits are counted in the end.

use crate::layout::LOW;
use crate::tile::Tile;

/// The digits of one weight.
#[derive(Debug, Clone, Default)]
struct Column {
    added: u32,
    /// For each level the digits summed up so far, and a tile that waits.
    levels: Vec<(Tile, Tile)>,
}

/// Counts of bits by weight.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    columns: Vec<Column>,
}

impl Tally {
    /// A tally for tiles with up to `weights - 1` pieces in their numbers.
    pub(crate) fn new(weights: usize) -> Self {
        Self { columns: vec![Column::default(); weights] }
    }

    /// Adds a tile with `weight` pieces in its number.
    #[inline(always)]
    pub(crate) fn add(&mut self, weight: usize, tile: &Tile) {
        let column = &mut self.columns[weight];
        let mut digit = *tile;
        let mut level = 0;
        while column.added >> level & 1 == 1 {
            let (sum, waiting) = &mut column.levels[level];
            digit = sum.add_digits(waiting, &digit);
            level += 1;
        }
        if level == column.levels.len() {
            column.levels.push((Tile::EMPTY, Tile::EMPTY));
        }
        column.levels[level].1 = digit;
        column.added += 1;
    }

    /// Adds the counts to `counts`, entry `w` for `w` pieces, and starts anew.
    #[inline(always)]
    pub(crate) fn drain(&mut self, counts: &mut [u64]) {
        for (weight, column) in self.columns.iter_mut().enumerate() {
            let mut low = [0; LOW + 1];
            for (level, (sum, waiting)) in column.levels.iter_mut().enumerate() {
                let added = column.added >> level;
                if added > 1 {
                    sum.count_by_weight(1 << level, &mut low);
                    *sum = Tile::EMPTY;
                }
                if added & 1 == 1 {
                    waiting.count_by_weight(1 << level, &mut low);
                }
            }
            column.added = 0;
            for (w, n) in low.into_iter().enumerate().filter(|&(_, n)| n > 0) {
                counts[weight + w] += n;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_direct_counting() {
        let mut tally = Tally::new(3);
        for rounds in [0, 1, 2, 3, 7, 100] {
            let mut expected = vec![0; LOW + 3];
            for i in 0..rounds {
                let tile = Tile::where_index(|low| (low * 7 + i * 13) % 5 < 2);
                tally.add(i % 3, &tile);
                let mut low = [0; LOW + 1];
                tile.count_by_weight(1, &mut low);
                (0..=LOW).for_each(|w| expected[i % 3 + w] += low[w]);
            }
            let mut counts = vec![0; LOW + 3];
            tally.drain(&mut counts);
            assert_eq!(counts, expected);
        }
    }
}
