//! A perfect index: a number for each position up to mirror, without gaps.
//!
//! The space is cut by the squares of the two lions, then by the places of the giraffes, then of
//! the elephants; a *block* is what is left, the places of the chicks. Lions come first because
//! all moves but the lion's keep them: the predecessors of a whole pair of lions lie in one other
//! pair (a few megabytes, which a cache holds) and a few steps of a lion away.
//!
//! Whether the mover can capture the enemy's lion is a matter of each piece on its own, as nothing
//! can be blocked. So the positions won at once are left out by leaving out places: a giraffe of
//! the mover has no place beside the enemy's lion, and so on. With the pairs of lions that need no
//! storage left out as well, only *open* positions are numbered; see [`Domain`].
//!
//! A number is put together from tables: places of the giraffes -> their rank, likewise the
//! elephants; both ranks -> the start of the block; squares taken -> the rank of the chicks (see
//! `chicks`). A *frame* has these tables for one pair of lions; a mirrored
//! pair has its own frame which leads to the same numbers, so nothing is ever mirrored to find
//! them. Only if both lions stand in the middle column do the giraffes and elephants decide which
//! of the two images counts, and if they are symmetric too, the chicks.

use super::chicks::{Chicks, View};
use super::piece::{BOARD, ENEMY_CAMP, OWN_CAMP, Place, Sort, Square, squares};
use super::rules::Position;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Which positions an index numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// All placements of the pieces.
    All,
    /// The positions whose values must be stored: not won or lost at once, and the mover's lion
    /// not in the enemy's camp. (If it is there, the game was over a move before; the value of
    /// such a position follows from a look at its moves.)
    Open,
}

impl Domain {
    fn has_lions(self, own: Square, enemy: Square) -> bool {
        match self {
            Domain::All => own != enemy,
            Domain::Open => {
                own != enemy
                    && own.bit() & ENEMY_CAMP == 0
                    && enemy.bit() & OWN_CAMP == 0
                    && Sort::Lion.attacks(Place::own(own)) & enemy.bit() == 0
            }
        }
    }

    /// May a piece be here, the squares of the lions apart?
    fn has_place(self, sort: Sort, place: Place, enemy_lion: Square) -> bool {
        match self {
            Domain::All => true,
            Domain::Open => sort.attacks(place) & BOARD & enemy_lion.bit() == 0,
        }
    }
}

/// Marks in the table of block starts, above every number of a position: the mirror image counts;
/// the chicks decide which image counts.
const MIRROR: u32 = 1 << 31;
const FOLD: u32 = 1 << 30;
const NUMBER: u32 = FOLD - 1;
const NO_RANK: u8 = u8::MAX;
const NO_FRAME: u8 = u8::MAX;

/// Two ranks below 256 make an index of block starts.
const STARTS: usize = 1 << 16;

/// The ranks of the places of two giraffes or two elephants.
type Ranks = [[u8; 32]; 32];

/// The tables of one pair of lions, seen upright or mirrored.
struct Frame {
    /// Which of the lion pairs of the index this is.
    pair: usize,
    mirrored: bool,
    giraffes: Ranks,
    elephants: Ranks,
    /// The start of the block for the ranks of giraffes and elephants, with marks; the same in
    /// both views of a pair.
    starts: Arc<[u32; STARTS]>,
    chicks: Arc<Chicks>,
}

/// What it takes to list the positions of one pair of lions, in the upright view.
struct Pair {
    own: Square,
    enemy: Square,
    /// Places of the two giraffes and of the two elephants by rank.
    giraffes: Vec<[Place; 2]>,
    elephants: Vec<[Place; 2]>,
    chicks: Arc<Chicks>,
    /// For symmetric blocks, by the squares taken.
    folds: HashMap<u32, Fold>,
}

/// The ranks of the chicks of a block that is symmetric but for them, with one of each two images
/// kept.
struct Fold {
    kept: Vec<u16>,
    rank: Vec<u16>,
}

/// A run of positions that differ only in the places of the chicks.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    pair: u8,
    giraffes: u8,
    elephants: u8,
    /// Are all pieces but the chicks symmetric?
    folded: bool,
}

/// A perfect index over a [`Domain`].
pub struct Index {
    /// The frame for the places of the mover's and of the enemy's lion.
    frame_of: [[u8; 32]; 16],
    /// The upright and the mirrored frame of each pair of lions.
    frames: Vec<Frame>,
    pairs: Vec<Pair>,
    blocks: Vec<Block>,
    len: u32,
}

impl Index {
    /// Builds the tables.
    pub fn new(domain: Domain) -> Index {
        let mut index = Index {
            frame_of: [[NO_FRAME; 32]; 16],
            frames: Vec::new(),
            pairs: Vec::new(),
            blocks: Vec::new(),
            len: 0,
        };
        let mut shared = HashMap::new();
        for own in squares(BOARD) {
            for enemy in squares(BOARD) {
                let upright = (own, enemy) <= (own.mirrored(), enemy.mirrored());
                if upright && domain.has_lions(own, enemy) {
                    // Where chicks may be depends on the enemy's lion at most.
                    let key = (domain == Domain::Open).then_some(enemy);
                    let chicks = shared.entry(key).or_insert_with(|| {
                        Arc::new(Chicks::new(|place| domain.has_place(Sort::Chick, place, enemy)))
                    });
                    index.add_pair(Pair::new(domain, own, enemy, chicks.clone()));
                }
            }
        }
        index
    }

    /// The number of positions.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Is there no position in it? (Never.)
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn add_pair(&mut self, mut pair: Pair) {
        let number = self.pairs.len();
        let starts = self.number_blocks(&mut pair);
        for mirrored in [true, false] {
            let view = |square: Square| if mirrored { square.mirrored() } else { square };
            let (own, enemy) = (Place::own(view(pair.own)), Place::enemy(view(pair.enemy)));
            self.frame_of[own.index()][enemy.index()] = self.frames.len() as u8;
            self.frames.push(Frame {
                pair: number,
                mirrored,
                giraffes: ranks(&pair.giraffes, mirrored),
                elephants: ranks(&pair.elephants, mirrored),
                starts: starts.clone(),
                chicks: pair.chicks.clone(),
            });
        }
        self.pairs.push(pair);
    }

    /// Gives every block of a pair its start.
    fn number_blocks(&mut self, pair: &mut Pair) -> Arc<[u32; STARTS]> {
        let mut starts = boxed(u32::MAX);
        let symmetric = pair.own == pair.own.mirrored() && pair.enemy == pair.enemy.mirrored();
        let (giraffe_images, elephant_images) =
            (ranks(&pair.giraffes, true), ranks(&pair.elephants, true));
        for (g, giraffes) in pair.giraffes.iter().enumerate() {
            for (e, elephants) in pair.elephants.iter().enumerate() {
                if taken_by(giraffes) & taken_by(elephants) != 0 {
                    continue;
                }
                let image =
                    |ranks: &Ranks, [a, b]: &[Place; 2]| usize::from(ranks[a.index()][b.index()]);
                let image = (image(&giraffe_images, giraffes), image(&elephant_images, elephants));
                if symmetric && image < (g, e) {
                    starts[g << 8 | e] = starts[image.0 << 8 | image.1] | MIRROR;
                    continue;
                }
                let folded = symmetric && image == (g, e);
                let taken = pair.lions() | taken_by(giraffes) | taken_by(elephants);
                starts[g << 8 | e] = self.len | if folded { FOLD } else { 0 };
                self.blocks.push(Block {
                    start: self.len,
                    pair: self.pairs.len() as u8,
                    giraffes: g as u8,
                    elephants: e as u8,
                    folded,
                });
                self.len += if folded {
                    let fold =
                        pair.folds.entry(taken).or_insert_with(|| Fold::new(&pair.chicks, taken));
                    fold.kept.len() as u32
                } else {
                    pair.chicks.places(taken).len() as u32
                };
            }
        }
        starts.into()
    }

    /// The number of a position, or nothing if it is outside the domain.
    #[inline(always)]
    pub fn rank(&self, position: &Position) -> Option<u32> {
        let p = position.places();
        let frame = self.frame_of[p[0].index() % 16][p[1].index() % 32];
        let frame = self.frames.get(frame as usize)?;
        let inside = frame.giraffes[p[2].index() % 32][p[3].index() % 32] != NO_RANK
            && frame.elephants[p[4].index() % 32][p[5].index() % 32] != NO_RANK
            && frame.view().has(p[6])
            && frame.view().has(p[7]);
        inside.then(|| self.rank_inside(position))
    }

    /// The number of a position known to be in the domain.
    ///
    /// # Panics
    /// Perhaps, for another position; or it gives any number.
    #[inline(always)]
    pub fn rank_inside(&self, position: &Position) -> u32 {
        let p = position.places();
        let frame = self.frame_of[p[0].index() % 16][p[1].index() % 32];
        let frame = &self.frames[frame as usize];
        let g = frame.giraffes[p[2].index() % 32][p[3].index() % 32];
        let e = frame.elephants[p[4].index() % 32][p[5].index() % 32];
        let start = frame.starts[usize::from(g) << 8 | usize::from(e)];
        let taken = p[..6].iter().fold(0, |set, place| set | place.bit());
        let taken = (taken | taken >> 12) & BOARD;
        if start <= NUMBER {
            return start + frame.view().rank(taken, p[6], p[7]);
        }
        self.rank_symmetric(frame, start, taken, p[6], p[7])
    }

    /// The number where the lions do not say which image counts.
    #[inline(never)]
    fn rank_symmetric(&self, frame: &Frame, start: u32, taken: u32, a: Place, b: Place) -> u32 {
        if start & FOLD == 0 {
            return (start & NUMBER) + frame.other_view().rank(taken, a, b);
        }
        let rank = frame.view().rank(taken, a, b) as usize;
        (start & NUMBER) + u32::from(self.pairs[frame.pair].folds[&taken].rank[rank])
    }

    /// The position with a number, in the upright view.
    ///
    /// # Panics
    /// If the number is not below [`Index::len`].
    pub fn unrank(&self, number: u32) -> Position {
        assert!(number < self.len, "no position has the number {number}");
        let block = self.block_of(number);
        block.position((number - block.start) as usize)
    }

    /// Which block a position is in, by the position's number.
    pub fn block_number_of(&self, number: u32) -> usize {
        self.blocks.partition_point(|block| block.start <= number) - 1
    }

    /// The block a position is in, by the position's number.
    pub fn block_of(&self, number: u32) -> BlockView<'_> {
        self.block(self.block_number_of(number))
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// A block by its number.
    #[inline]
    pub fn block(&self, number: usize) -> BlockView<'_> {
        let Block { start, pair, giraffes, elephants, folded } = self.blocks[number];
        let pair = &self.pairs[pair as usize];
        let giraffes = pair.giraffes[giraffes as usize];
        let elephants = pair.elephants[elephants as usize];
        let taken = pair.lions() | taken_by(&giraffes) | taken_by(&elephants);
        let ([g1, g2], [e1, e2]) = (giraffes, elephants);
        let no_chicks = [Place::own(pair.own), Place::enemy(pair.enemy), g1, g2, e1, e2, g1, g1];
        BlockView {
            start,
            template: Position::from_places(no_chicks),
            chicks: pair.chicks.places(taken),
            kept: folded.then(|| pair.folds[&taken].kept.as_slice()),
        }
    }

    /// Which block a position is in, if it is likely that block `near` or one of the next: steps
    /// of growing length find it sooner than a search among all.
    #[inline]
    pub fn block_number_from(&self, near: usize, number: u32) -> usize {
        let starts_after = |block: &Block| block.start > number;
        let blocks = &self.blocks[near..];
        if starts_after(&blocks[0]) {
            return self.block_number_of(number);
        }
        let mut low = 0;
        let mut step = 1;
        while let Some(block) = blocks.get(low + step).filter(|block| !starts_after(block)) {
            debug_assert!(block.start <= number);
            low += step;
            step *= 2;
        }
        let high = blocks.len().min(low + step);
        near + low + blocks[low..high].partition_point(|block| !starts_after(block)) - 1
    }

    /// Calls `visit` with every position of a range: its number, its block and itself.
    #[inline(always)]
    pub fn for_each_position(
        &self,
        range: Range<u32>,
        mut visit: impl FnMut(u32, &BlockView<'_>, Position),
    ) {
        if range.is_empty() {
            return;
        }
        for block in
            (self.block_number_of(range.start)..self.blocks.len()).map(|number| self.block(number))
        {
            if block.start >= range.end {
                break;
            }
            let first = range.start.max(block.start);
            let end = range.end.min(block.start + block.len() as u32);
            for number in first..end {
                visit(number, &block, block.position((number - block.start) as usize));
            }
        }
    }
}

/// A run of positions that differ only in the places of the chicks.
#[derive(Clone, Copy)]
pub struct BlockView<'a> {
    /// The number of the first position.
    pub start: u32,
    /// A position of the block but for its chicks.
    template: Position,
    chicks: &'a [[Place; 2]],
    kept: Option<&'a [u16]>,
}

impl BlockView<'_> {
    /// The number of positions in the block.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "a block is never empty")]
    pub fn len(&self) -> usize {
        self.kept.map_or(self.chicks.len(), <[u16]>::len)
    }

    /// Is a position in the block, by its number?
    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        number >= self.start && number - self.start < self.len() as u32
    }

    /// May there be positions in the block that are their own mirror image?
    #[inline(always)]
    pub fn may_be_symmetric(&self) -> bool {
        self.kept.is_some()
    }

    /// A position of the block, counted from its start.
    #[inline]
    pub fn position(&self, offset: usize) -> Position {
        let [a, b] = self.chicks[self.kept.map_or(offset, |kept| kept[offset] as usize)];
        self.template.with(6, a).with(7, b)
    }
}

/// A large array in its own memory, never on the stack.
pub(super) fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N].into_boxed_slice().try_into().ok().expect("the length is right")
}

/// The squares taken by two pieces.
fn taken_by(places: &[Place; 2]) -> u32 {
    let set = places[0].bit() | places[1].bit();
    (set | set >> 12) & BOARD
}

/// The ranks of couples of places, in whatever order the two are.
fn ranks(couples: &[[Place; 2]], mirrored: bool) -> Ranks {
    let view = |place: Place| if mirrored { place.mirrored() } else { place }.index();
    let mut ranks = [[NO_RANK; 32]; 32];
    for (rank, &[a, b]) in couples.iter().enumerate() {
        ranks[view(a)][view(b)] = rank as u8;
        ranks[view(b)][view(a)] = rank as u8;
    }
    ranks
}

impl Pair {
    fn new(domain: Domain, own: Square, enemy: Square, chicks: Arc<Chicks>) -> Pair {
        let couples = |sort: Sort| {
            let free = |place: &Place| {
                place.square().is_none_or(|square| square != own && square != enemy)
            };
            let places: Vec<Place> = Place::all(false)
                .filter(free)
                .filter(|&place| domain.has_place(sort, place, enemy))
                .collect();
            let mut couples = Vec::new();
            for (i, &a) in places.iter().enumerate() {
                couples.extend(
                    places[i..]
                        .iter()
                        .filter(|b| a.in_hand() || a.square() != b.square())
                        .map(|&b| [a, b]),
                );
            }
            couples
        };
        let (giraffes, elephants) = (couples(Sort::Giraffe), couples(Sort::Elephant));
        Pair { own, enemy, giraffes, elephants, chicks, folds: HashMap::new() }
    }

    fn lions(&self) -> u32 {
        self.own.bit() | self.enemy.bit()
    }
}

impl Frame {
    #[inline(always)]
    fn view(&self) -> &View {
        if self.mirrored { &self.chicks.mirrored } else { &self.chicks.upright }
    }

    #[inline(always)]
    fn other_view(&self) -> &View {
        if self.mirrored { &self.chicks.upright } else { &self.chicks.mirrored }
    }
}

impl Fold {
    /// Keeps of every two mirror images the one with the lower rank.
    fn new(chicks: &Chicks, taken: u32) -> Fold {
        let places = chicks.places(taken);
        let mut fold = Fold { kept: Vec::new(), rank: vec![0; places.len()] };
        for (rank, &[a, b]) in places.iter().enumerate() {
            let image = chicks.mirrored.rank(taken, a, b) as usize;
            if rank <= image {
                fold.rank[rank] = fold.kept.len() as u16;
                fold.rank[image] = fold.kept.len() as u16;
                fold.kept.push(rank as u16);
            }
        }
        fold
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ending;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static OPEN: LazyLock<Index> = LazyLock::new(|| Index::new(Domain::Open));
    static ALL: LazyLock<Index> = LazyLock::new(|| Index::new(Domain::All));

    #[test]
    fn the_index_has_no_gaps() {
        let mut next = 0;
        for block in (0..OPEN.blocks()).map(|number| OPEN.block(number)) {
            assert_eq!(block.start, next);
            next += block.len() as u32;
        }
        assert_eq!(next, OPEN.len());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn every_number_has_a_position_with_that_number(seed in any::<u32>()) {
            for (index, domain) in [(&*OPEN, Domain::Open), (&*ALL, Domain::All)] {
                let number = seed % index.len();
                let position = index.unrank(number);
                prop_assert_eq!(index.rank(&position), Some(number));
                prop_assert_eq!(index.rank(&position.mirrored()), Some(number));
                if domain == Domain::Open {
                    prop_assert_eq!(position.ending(), None);
                    prop_assert_eq!(position.own_lion().bit() & ENEMY_CAMP, 0);
                }
            }
        }

        #[test]
        fn open_positions_are_those_that_need_storage(seed in any::<u32>()) {
            let position = ALL.unrank(seed % ALL.len());
            let open = position.ending().is_none() && position.own_lion().bit() & ENEMY_CAMP == 0;
            prop_assert_eq!(OPEN.rank(&position).is_some(), open);
            if position.ending() == Some(Ending::WonAtOnce) {
                prop_assert_eq!(OPEN.rank(&position), None);
            }
            if let Some(number) = OPEN.rank(&position) {
                let back = OPEN.unrank(number);
                prop_assert!(back == position || back == position.mirrored());
            }
        }
    }
}
