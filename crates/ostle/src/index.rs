//! The perfect index: every board up to symmetry has a number, found without a search.
//!
//! The opponent's set decides the symmetry: a table over holes and sets tells its row (the orbit
//! of hole and set) and a symmetry that leads to the row's representative. The mover's set goes
//! along and is ranked in the cells left. Where the representative has symmetries of its own, the
//! least rank counts; the others stand for nothing (0.5 % of the numbers).
//!
//! The opponent's set comes first because of the un-moves: most of them leave the set of the
//! player to move alone, which is the opponent's set of the board before. So the predecessors of a
//! board share a row and a symmetry.

use super::board::{ALL, Board, CELLS, SYMMETRIES, Symmetry};
use kanzen_index::{Subsets, deposit, extract};
use std::sync::Arc;

/// The numbers of sets of cells of one size.
pub type Ranks = Subsets<u16>;

/// A row: a hole and a set of the opponent's, up to symmetry.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The hole of the representative.
    pub hole: u8,
    /// The set of the representative.
    pub set: u32,
    /// The symmetries that keep both: bit `s` is set for symmetry `s`.
    stabiliser: u8,
}

impl Row {
    /// The cells left for the mover.
    #[inline(always)]
    #[must_use]
    pub fn free(&self) -> u32 {
        ALL & !self.set & !(1 << self.hole)
    }

    /// Whether the representative has no symmetry of its own.
    #[inline(always)]
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.stabiliser == 1
    }

    /// The symmetries that keep the representative, the identity first.
    pub fn stabiliser(&self) -> impl Iterator<Item = Symmetry> + use<> {
        let bits = self.stabiliser;
        Symmetry::all().filter(move |symmetry| bits >> symmetry.number() & 1 == 1)
    }
}

/// Where a hole and a set belong: their row, and a symmetry that leads to its representative.
#[derive(Clone, Copy, Debug)]
pub struct Key(u32);

impl Key {
    const PLAIN: u32 = 1 << 31;

    fn new(row: usize, symmetry: Symmetry, plain: bool) -> Key {
        let plain = if plain { Key::PLAIN } else { 0 };
        Key((row * SYMMETRIES + symmetry.number()) as u32 | plain)
    }

    /// The number of the row.
    #[inline(always)]
    #[must_use]
    pub fn row(self) -> u32 {
        (self.0 & !Key::PLAIN) / SYMMETRIES as u32
    }

    /// The symmetry.
    #[inline(always)]
    #[must_use]
    pub fn symmetry(self) -> Symmetry {
        Symmetry::new(self.0 as usize % SYMMETRIES)
    }

    /// Whether the row's representative has no symmetry of its own.
    #[inline(always)]
    #[must_use]
    pub fn is_plain(self) -> bool {
        self.0 & Key::PLAIN != 0
    }
}

/// The rows for sets of one size.
#[derive(Clone, Debug)]
pub struct Rows {
    sets: Ranks,
    rows: Vec<Row>,
    /// `[hole][rank of the set]`.
    keys: Vec<Key>,
}

impl Rows {
    /// The rows of sets with `k` members. They are numbered by the hole of their representative,
    /// which is the least of its orbit, and then by its set in colexicographic order.
    #[must_use]
    pub fn new(k: u32) -> Rows {
        let sets = Ranks::new(CELLS.into(), k);
        let count = sets.count() as usize;
        let mut keys = vec![Key(u32::MAX); count * usize::from(CELLS)];
        let mut rows = Vec::new();
        for hole in 0..CELLS {
            if Symmetry::all().any(|symmetry| symmetry.cell(hole) < hole) {
                continue;
            }
            for &set in sets.masks() {
                let at = |hole: u8, set: u32| usize::from(hole) * count + sets.rank(set) as usize;
                if set >> hole & 1 == 1 || keys[at(hole, set)].0 != u32::MAX {
                    continue;
                }
                let keeps = |s: &Symmetry| s.cell(hole) == hole && s.set(set) == set;
                let stabiliser =
                    Symmetry::all().filter(keeps).fold(0, |bits, s| bits | 1 << s.number());
                let row = Row { hole, set, stabiliser };
                for symmetry in Symmetry::all() {
                    let key = Key::new(rows.len(), symmetry.inverse(), row.is_plain());
                    let image = &mut keys[at(symmetry.cell(hole), symmetry.set(set))];
                    if image.0 == u32::MAX {
                        *image = key;
                    }
                }
                rows.push(row);
            }
        }
        Rows { sets, rows, keys }
    }

    /// Where a hole and a set belong.
    #[inline(always)]
    #[must_use]
    pub fn key(&self, hole: u8, set: u32) -> Key {
        let at = u32::from(hole) * self.sets.count() + self.sets.rank(set);
        self.keys[at as usize]
    }

    /// A row.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, row: u32) -> &Row {
        &self.rows[row as usize]
    }

    /// The number of rows.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.rows.len() as u32
    }
}

/// The boards on which the mover has `mine` and the opponent `theirs` pieces.
#[derive(Clone, Debug)]
pub struct BoardIndex {
    mine: u32,
    theirs: u32,
    rows: Arc<Rows>,
    ranks: Ranks,
}

impl BoardIndex {
    /// The index for these numbers of pieces, given the rows for sets of the opponent's size.
    #[must_use]
    pub fn new(mine: u32, theirs: u32, rows: Arc<Rows>) -> BoardIndex {
        let ranks = Ranks::new(u32::from(CELLS) - 1 - theirs, mine);
        BoardIndex { mine, theirs, rows, ranks }
    }

    /// The number of the mover's pieces.
    #[must_use]
    pub fn mine(&self) -> u32 {
        self.mine
    }

    /// The number of the opponent's pieces.
    #[must_use]
    pub fn theirs(&self) -> u32 {
        self.theirs
    }

    /// The rows.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The ranks of the mover's sets in a row.
    #[inline(always)]
    #[must_use]
    pub fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// The number of numbers; they fit in 32 bits.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.rows.count() * self.ranks.count()
    }

    /// The number of a board.
    #[inline(always)]
    #[must_use]
    pub fn locate(&self, board: &Board) -> u32 {
        self.place(board).0
    }

    /// The number of a board, and a symmetry that leads to the board with this number.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, board: &Board) -> (u32, Symmetry) {
        let key = self.rows.key(board.hole, board.theirs);
        let row = self.rows.row(key.row());
        let first = key.row() * self.ranks.count();
        let rank = |mine: u32| self.ranks.rank(extract(mine, row.free()));
        if key.is_plain() {
            return (first + rank(key.symmetry().set(board.mine)), key.symmetry());
        }
        let places = row.stabiliser().map(|keep| {
            let symmetry = key.symmetry().then(keep);
            (first + rank(symmetry.set(board.mine)), symmetry)
        });
        places.min().unwrap_or((first, key.symmetry()))
    }

    /// The board with a number, or none if the number stands for nothing.
    #[inline(always)]
    #[must_use]
    pub fn board(&self, index: u32) -> Option<Board> {
        let (row, rank) = (index / self.ranks.count(), index % self.ranks.count());
        let row = self.rows.row(row);
        self.board_in(row, rank)
    }

    /// The board in a row with a rank, or none if another rank stands for it.
    #[inline(always)]
    #[must_use]
    pub fn board_in(&self, row: &Row, rank: u32) -> Option<Board> {
        let free = row.free();
        let mine = deposit(self.ranks.mask(rank), free);
        let is_least = row.is_plain()
            || row.stabiliser().all(|s| self.ranks.rank(extract(s.set(mine), free)) >= rank);
        is_least.then_some(Board { mine, theirs: row.set, hole: row.hole })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_analyse::Random;

    /// Every board of a small game, by brute force.
    #[test]
    fn small_boards_are_numbered_once() {
        for (mine, theirs) in [(1, 1), (2, 1), (1, 2)] {
            let index = BoardIndex::new(mine, theirs, Arc::new(Rows::new(theirs)));
            let mut numbered: Vec<Board> =
                (0..index.size()).filter_map(|i| index.board(i)).collect();
            numbered.sort_unstable();
            let mut all = Vec::new();
            for hole in 0..CELLS {
                let sets = index.rows().sets.masks().iter();
                for &opponent in sets.filter(|&set| set >> hole & 1 == 0) {
                    let free = ALL & !opponent & !(1 << hole);
                    for rank in 0..index.ranks().count() {
                        let mover = deposit(index.ranks().mask(rank), free);
                        let board = Board { mine: mover, theirs: opponent, hole };
                        let (place, symmetry) = index.place(&board);
                        let canonical = index.board(place).expect("a board's number has a board");
                        assert_eq!(board.image(symmetry), canonical);
                        all.push(canonical);
                    }
                }
            }
            all.sort_unstable();
            all.dedup();
            assert_eq!(numbered, all);
        }
    }

    #[test]
    fn images_have_the_same_number() {
        let mut random = Random::new(3);
        for (mine, theirs) in [(4, 4), (5, 4), (4, 5), (5, 5)] {
            let index = BoardIndex::new(mine, theirs, Arc::new(Rows::new(theirs)));
            for _ in 0..20_000 {
                let number = random.below(index.size().into()) as u32;
                let Some(board) = index.board(number) else { continue };
                for symmetry in Symmetry::all() {
                    let image = board.image(symmetry);
                    let (place, back) = index.place(&image);
                    assert_eq!(place, number);
                    assert_eq!(image.image(back), board);
                }
            }
        }
    }
}
