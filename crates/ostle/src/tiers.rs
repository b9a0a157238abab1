//! Tiers by numbers of pieces: a removal leads to an earlier tier, every other move stays.
//!
//! A tier has a part for each way in which the pieces can be spread: where one side has more, the
//! sides take turns at being the mover. Parts begin at multiples of [`BLOCK`], so that a block of
//! numbers lies in one part.

use super::board::Board;
use super::index::{BoardIndex, Rows};
use std::ops::Range;
use std::sync::Arc;

/// Numbers that are worked on together.
pub const BLOCK: u32 = 1 << 13;

/// The boards with given numbers of pieces of the two sides.
#[derive(Clone, Debug)]
pub struct Part {
    /// Their index.
    pub index: BoardIndex,
    /// The first number in the tier.
    pub first: u32,
}

/// The boards with a number of pieces in all.
#[derive(Clone, Debug)]
pub struct Tier {
    /// Its parts: one, or that in which the mover has more pieces and that in which it has fewer.
    pub parts: Vec<Part>,
}

impl Tier {
    /// The name for people: the pieces of the mover and of the opponent.
    #[must_use]
    pub fn name(&self) -> String {
        let name = |part: &Part| format!("{} against {}", part.index.mine(), part.index.theirs());
        self.parts.iter().map(name).collect::<Vec<_>>().join(" and ")
    }

    /// The number of numbers, those between the parts included.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.parts.iter().map(|part| part.first + part.index.size()).max().unwrap_or(0)
    }

    /// The number of blocks.
    #[must_use]
    pub fn blocks(&self) -> u32 {
        self.size().div_ceil(BLOCK)
    }

    /// The part that a number lies in, or would lie in.
    #[must_use]
    pub fn part(&self, number: u32) -> &Part {
        let after = self.parts.partition_point(|part| part.first <= number);
        &self.parts[after - 1]
    }

    /// The part in which the mover has so many pieces.
    #[inline(always)]
    #[must_use]
    pub fn part_with(&self, mine: u32) -> &Part {
        match &self.parts[..] {
            [more, ..] if more.index.mine() == mine => more,
            parts => &parts[parts.len() - 1],
        }
    }

    /// The number of a board.
    #[inline(always)]
    #[must_use]
    pub fn locate(&self, board: &Board) -> u32 {
        let part = self.part_with(board.mine.count_ones());
        part.first + part.index.locate(board)
    }

    /// The board with a number, or none if the number stands for nothing.
    #[must_use]
    pub fn board(&self, number: u32) -> Option<Board> {
        let part = self.part(number);
        let index = number - part.first;
        if index < part.index.size() { part.index.board(index) } else { None }
    }

    /// The numbers of a block that have a board, and the boards.
    #[inline(always)]
    #[must_use]
    pub fn boards(&self, block: u32) -> Vec<(u32, Board)> {
        self.boards_in(block * BLOCK..(block + 1) * BLOCK)
    }

    /// The same for some numbers of a block.
    #[inline(always)]
    #[must_use]
    pub fn boards_in(&self, range: Range<u32>) -> Vec<(u32, Board)> {
        let part = self.part(range.start);
        let end = part.index.size().min(range.end - part.first);
        let columns = part.index.ranks().count();
        let mut index = range.start - part.first;
        let mut boards = Vec::with_capacity(range.len());
        while index < end {
            let row = part.index.rows().row(index / columns);
            let rank = index % columns;
            let here = (columns - rank).min(end - index);
            for offset in 0..here {
                if let Some(board) = part.index.board_in(row, rank + offset) {
                    boards.push((part.first + index + offset, board));
                }
            }
            index += here;
        }
        boards
    }
}

/// The tiers of a game, fewest pieces first.
#[derive(Clone, Debug)]
pub struct Tiers {
    least: u32,
    tiers: Vec<Tier>,
}

impl Tiers {
    /// The tiers with at least `least` pieces a side and at most `total` in all.
    #[must_use]
    pub fn new(least: u32, total: u32) -> Tiers {
        let rows = [least, least + 1].map(|k| Arc::new(Rows::new(k)));
        let part = |mine: u32, theirs: u32| {
            BoardIndex::new(mine, theirs, Arc::clone(&rows[(theirs - least) as usize]))
        };
        let tier = |pieces: u32| {
            let more = pieces - pieces / 2;
            let mut parts = vec![Part { index: part(more, pieces / 2), first: 0 }];
            if pieces % 2 == 1 {
                let first = parts[0].index.size().next_multiple_of(BLOCK);
                parts.push(Part { index: part(pieces / 2, more), first });
            }
            Tier { parts }
        };
        Tiers { least, tiers: (2 * least..=total).map(tier).collect() }
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Tier] {
        &self.tiers
    }

    /// The fewest pieces of a player who has not lost.
    #[must_use]
    pub fn least(&self) -> u32 {
        self.least
    }

    /// The tier of a board, and its number there.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, board: &Board) -> (usize, u32) {
        let tier = self.tier_of(board);
        (tier, self.all()[tier].locate(board))
    }

    /// The number of the tier of a board.
    #[inline(always)]
    #[must_use]
    pub fn tier_of(&self, board: &Board) -> usize {
        (board.pieces().count_ones() - 2 * self.least) as usize
    }
}
