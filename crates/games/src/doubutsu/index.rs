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
//! elephants; both ranks -> the start of the block; squares taken -> a row with the number of
//! chick places before each square. A *frame* has these tables for one pair of lions; a mirrored
//! pair has its own frame which leads to the same numbers, so nothing is ever mirrored to find
//! them. Only if both lions stand in the middle column do the giraffes and elephants decide which
//! of the two images counts, and if they are symmetric too, the chicks.

use super::piece::{BOARD, ENEMY_CAMP, OWN_CAMP, PLACES, Place, SQUARES, Sort, Square, squares};
use super::rules::Position;
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

    fn has_place(self, sort: Sort, place: Place, own: Square, enemy: Square) -> bool {
        let free = place.square().is_none_or(|square| square != own && square != enemy);
        match self {
            Domain::All => free,
            Domain::Open => free && sort.attacks(place) & BOARD & enemy.bit() == 0,
        }
    }
}

/// Marks in the table of block starts, above every index.
const MIRROR: u32 = 1 << 31;
const FOLD: u32 = 1 << 30;
const NUMBER: u32 = FOLD - 1;
const NO_RANK: u8 = u8::MAX;
const NO_FRAME: u8 = u8::MAX;

/// One row for each set of squares taken by lions, giraffes and elephants.
const ROWS: usize = 1 << SQUARES;

/// Two ranks below 256 make an index of block starts.
const STARTS: usize = 1 << 16;

/// For each square and then for the end of the board: how many places one chick has on the squares
/// before it (`single`), and how many two chicks have (`double`).
#[derive(Clone, Copy, Default)]
struct Before {
    single: u16,
    double: u16,
}

type Row = [Before; 16];

/// The tables of one pair of lions, seen upright or mirrored.
struct Frame {
    /// Which of the lion pairs of the index this is.
    pair: usize,
    giraffes: [[u8; 32]; 32],
    elephants: [[u8; 32]; 32],
    /// The rank of a chick's place among those on its square; [`NO_RANK`] if it has none.
    chick: [u8; PLACES],
    rows: Box<[Row; ROWS]>,
    /// The start of the block for the ranks of giraffes and elephants, with marks; the same in
    /// both views of a pair.
    starts: Arc<[u32; STARTS]>,
}

/// The tables of one pair of lions in the upright view.
struct Pair {
    own: Square,
    enemy: Square,
    /// Places of the two giraffes and of the two elephants by rank.
    giraffes: Vec<[Place; 2]>,
    elephants: Vec<[Place; 2]>,
    /// By the squares taken: where in `chicks` the places of a block begin.
    chick_lists: Vec<(u32, u32)>,
    chicks: Vec<[Place; 2]>,
    /// For the symmetric blocks of a symmetric pair: where in `folds` the row of ranks begins.
    folds: Vec<Fold>,
}

/// The ranks of a block that is symmetric but for its chicks, with one of each two images kept.
#[derive(Clone, Default)]
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
    frames: Vec<Frame>,
    /// The frame with left and right exchanged.
    mirror_frame: Vec<u8>,
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
            mirror_frame: Vec::new(),
            pairs: Vec::new(),
            blocks: Vec::new(),
            len: 0,
        };
        for own in squares(BOARD) {
            for enemy in squares(BOARD) {
                let upright = (own, enemy) <= (own.mirrored(), enemy.mirrored());
                if upright && domain.has_lions(own, enemy) {
                    index.add_pair(domain, own, enemy);
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

    fn add_pair(&mut self, domain: Domain, own: Square, enemy: Square) {
        let number = self.pairs.len();
        let pair = Pair::new(domain, own, enemy);
        let upright = self.frames.len();
        self.frames.push(Frame::new(number, &pair, false));
        self.frames.push(Frame::new(number, &pair, true));
        self.mirror_frame.extend([upright as u8 + 1, upright as u8]);
        self.frame_of[Place::own(own.mirrored()).index()][Place::enemy(enemy.mirrored()).index()] = upright as u8 + 1;
        self.frame_of[Place::own(own).index()][Place::enemy(enemy).index()] = upright as u8;
        self.pairs.push(pair);
        self.number_blocks(number, upright);
    }

    /// Gives every block of a pair its start.
    fn number_blocks(&mut self, number: usize, upright: usize) {
        let pair = &mut self.pairs[number];
        let frame = &self.frames[upright];
        let mut starts = boxed(u32::MAX);
        let symmetric = pair.own == pair.own.mirrored() && pair.enemy == pair.enemy.mirrored();
        for (g, giraffes) in pair.giraffes.iter().enumerate() {
            for (e, elephants) in pair.elephants.iter().enumerate() {
                if taken(giraffes) & taken(elephants) != 0 {
                    continue;
                }
                let image = (
                    frame.giraffes[giraffes[0].mirrored().index()][giraffes[1].mirrored().index()] as usize,
                    frame.elephants[elephants[0].mirrored().index()][elephants[1].mirrored().index()] as usize,
                );
                if symmetric && image < (g, e) {
                    starts[g << 8 | e] = starts[image.0 << 8 | image.1] | MIRROR;
                    continue;
                }
                let mask = pair.lions() | taken(giraffes) | taken(elephants);
                self.blocks.push(Block {
                    start: self.len,
                    pair: number as u8,
                    giraffes: g as u8,
                    elephants: e as u8,
                    folded: symmetric && image == (g, e),
                });
                starts[g << 8 | e] = self.len;
                if symmetric && image == (g, e) {
                    starts[g << 8 | e] |= FOLD;
                    if pair.folds.is_empty() {
                        pair.folds.resize(ROWS, Fold::default());
                    }
                    if pair.folds[mask as usize].rank.is_empty() {
                        let (start, len) = pair.chick_lists[mask as usize];
                        let chicks = &pair.chicks[start as usize..(start + len) as usize];
                        pair.folds[mask as usize] = Fold::new(frame, mask, chicks);
                    }
                    self.len += pair.folds[mask as usize].kept.len() as u32;
                } else {
                    self.len += pair.chick_lists[mask as usize].1;
                }
            }
        }
        let starts: Arc<[u32; STARTS]> = starts.into();
        for frame in &mut self.frames[upright..] {
            frame.starts = starts.clone();
        }
    }

    /// The number of a position, or nothing if it is outside the domain.
    #[inline(always)]
    pub fn rank(&self, position: &Position) -> Option<u32> {
        let p = position.places();
        let frame_number = self.frame_of[p[0].index() % 16][p[1].index() % 32];
        if frame_number == NO_FRAME {
            return None;
        }
        let frame = &self.frames[frame_number as usize];
        let g = frame.giraffes[p[2].index() % 32][p[3].index() % 32];
        let e = frame.elephants[p[4].index() % 32][p[5].index() % 32];
        if g == NO_RANK || e == NO_RANK || frame.chick[p[6].index()] == NO_RANK || frame.chick[p[7].index()] == NO_RANK {
            return None;
        }
        let start = frame.starts[(g as usize) << 8 | e as usize];
        let taken = p[..6].iter().fold(0, |set, place| set | place.bit());
        let mask = (taken | taken >> 12) & BOARD;
        if start <= NUMBER {
            return Some(start + frame.chick_rank(mask, p[6], p[7]));
        }
        Some(self.rank_symmetric(frame_number, start, mask, p[6], p[7]))
    }

    /// The number where the lions do not say which image counts.
    #[inline(never)]
    fn rank_symmetric(&self, frame_number: u8, start: u32, mask: u32, a: Place, b: Place) -> u32 {
        let mirror = &self.frames[self.mirror_frame[frame_number as usize] as usize];
        if start & MIRROR != 0 && start & FOLD == 0 {
            return (start & NUMBER) + mirror.chick_rank(mask, a, b);
        }
        let rank = self.frames[frame_number as usize].chick_rank(mask, a, b);
        (start & NUMBER) + self.pairs[mirror.pair].folds[mask as usize].rank[rank as usize] as u32
    }

    /// The number of a position known to be in the domain; for another one, any number.
    #[inline(always)]
    pub fn rank_inside(&self, position: &Position) -> u32 {
        let p = position.places();
        let frame_number = self.frame_of[p[0].index() % 16][p[1].index() % 32];
        let frame = &self.frames[frame_number as usize];
        let g = frame.giraffes[p[2].index() % 32][p[3].index() % 32];
        let e = frame.elephants[p[4].index() % 32][p[5].index() % 32];
        let start = frame.starts[(g as usize) << 8 | e as usize];
        let taken = p[..6].iter().fold(0, |set, place| set | place.bit());
        let mask = (taken | taken >> 12) & BOARD;
        if start <= NUMBER {
            return start + frame.chick_rank(mask, p[6], p[7]);
        }
        self.rank_symmetric(frame_number, start, mask, p[6], p[7])
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

    /// Calls `visit` with every position of a range: its number, its block and itself.
    #[inline(always)]
    pub fn for_each_position(&self, range: Range<u32>, mut visit: impl FnMut(u32, &BlockView<'_>, Position)) {
        if range.is_empty() {
            return;
        }
        for block in (self.block_number_of(range.start)..self.blocks.len()).map(|number| self.block(number)) {
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

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// A block by its number.
    #[inline]
    pub fn block(&self, number: usize) -> BlockView<'_> {
        let Block { start, pair, giraffes, elephants, folded } = self.blocks[number];
        let pair = &self.pairs[pair as usize];
        let giraffes_at = pair.giraffes[giraffes as usize];
        let elephants_at = pair.elephants[elephants as usize];
        let mask = pair.lions() | taken(&giraffes_at) | taken(&elephants_at);
        let (first, len) = pair.chick_lists[mask as usize];
        let chicks = &pair.chicks[first as usize..(first + len) as usize];
        let kept = folded.then(|| pair.folds[mask as usize].kept.as_slice());
        let [g1, g2] = giraffes_at;
        let [e1, e2] = elephants_at;
        let no_chicks = [Place::own(pair.own), Place::enemy(pair.enemy), g1, g2, e1, e2, g1, g1];
        let template = Position::from_places(no_chicks);
        BlockView { start, template, chicks, kept }
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
fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N].into_boxed_slice().try_into().ok().expect("the length is right")
}

/// The squares taken by two pieces.
fn taken(places: &[Place; 2]) -> u32 {
    let set = places[0].bit() | places[1].bit();
    (set | set >> 12) & BOARD
}

impl Pair {
    fn new(domain: Domain, own: Square, enemy: Square) -> Pair {
        let couples = |sort: Sort| {
            let places: Vec<Place> =
                Place::all(false).filter(|&place| domain.has_place(sort, place, own, enemy)).collect();
            let mut couples = Vec::new();
            for (i, &a) in places.iter().enumerate() {
                for &b in &places[i..] {
                    if a.square().is_none() && b.square().is_none() || a.square() != b.square() {
                        couples.push([a, b]);
                    }
                }
            }
            couples
        };
        let (giraffes, elephants) = (couples(Sort::Giraffe), couples(Sort::Elephant));
        let mut pair = Pair {
            own,
            enemy,
            giraffes,
            elephants,
            chick_lists: vec![(0, 0); ROWS],
            chicks: Vec::new(),
            folds: Vec::new(),
        };
        let on_board: Vec<Vec<Place>> = (0..SQUARES as u8).map(|s| pair.chick_places(domain, s)).collect();
        for mask in 0..ROWS as u32 {
            if mask & pair.lions() == pair.lions() && mask.count_ones() <= 6 {
                pair.list_chicks(mask, &on_board);
            }
        }
        pair
    }

    fn lions(&self) -> u32 {
        self.own.bit() | self.enemy.bit()
    }

    /// The places a chick has on a square, by rank.
    fn chick_places(&self, domain: Domain, square: u8) -> Vec<Place> {
        Place::all(true)
            .filter(|place| place.square().map(Square::number) == Some(square))
            .filter(|&place| domain.has_place(Sort::Chick, place, self.own, self.enemy))
            .collect()
    }

    /// Lists the places of two chicks on the squares not taken: both on the board, then one, then
    /// none.
    fn list_chicks(&mut self, mask: u32, on_board: &[Vec<Place>]) {
        let first = self.chicks.len();
        let free: Vec<usize> = squares(!mask).map(|square| square.number() as usize).collect();
        for (i, &high) in free.iter().enumerate() {
            for &b in &on_board[high] {
                for &low in &free[..i] {
                    self.chicks.extend(on_board[low].iter().map(|&a| [a, b]));
                }
            }
        }
        for hand in [Place::OWN_HAND, Place::ENEMY_HAND] {
            for &square in &free {
                self.chicks.extend(on_board[square].iter().map(|&a| [a, hand]));
            }
        }
        self.chicks.extend(HANDS);
        self.chick_lists[mask as usize] = (first as u32, (self.chicks.len() - first) as u32);
    }
}

/// Both chicks in hand.
const HANDS: [[Place; 2]; 3] = [
    [Place::OWN_HAND, Place::OWN_HAND],
    [Place::OWN_HAND, Place::ENEMY_HAND],
    [Place::ENEMY_HAND, Place::ENEMY_HAND],
];

impl Frame {
    fn new(number: usize, pair: &Pair, mirrored: bool) -> Frame {
        let view = |place: Place| if mirrored { place.mirrored() } else { place };
        let ranks = |couples: &[[Place; 2]]| {
            let mut ranks = [[NO_RANK; 32]; 32];
            for (rank, &[a, b]) in couples.iter().enumerate() {
                ranks[view(a).index()][view(b).index()] = rank as u8;
                ranks[view(b).index()][view(a).index()] = rank as u8;
            }
            ranks
        };
        let mut frame = Frame {
            pair: number,
            giraffes: ranks(&pair.giraffes),
            elephants: ranks(&pair.elephants),
            chick: [NO_RANK; PLACES],
            rows: boxed(Row::default()),
            starts: Arc::new([0; STARTS]),
        };
        frame.chick[Place::OWN_HAND.index()] = 0;
        frame.chick[Place::ENEMY_HAND.index()] = 1;
        frame.fill_rows(pair, mirrored);
        frame
    }

    /// Counts the chick places before each square, going over the squares as the pair does.
    fn fill_rows(&mut self, pair: &Pair, mirrored: bool) {
        let view = |place: Place| if mirrored { place.mirrored() } else { place };
        // All places of one chick, with nothing but the lions on the board, stand in order between
        // those of two chicks and of none.
        let (first, len) = pair.chick_lists[pair.lions() as usize];
        let chicks = &pair.chicks[first as usize..(first + len) as usize];
        let mut on_square = [0u16; SQUARES];
        for &[a, _] in chicks.iter().filter(|&&[a, b]| !a.in_hand() && b == Place::OWN_HAND) {
            let square = a.square().expect("on the board").number() as usize;
            self.chick[view(a).index()] = on_square[square] as u8;
            on_square[square] += 1;
        }
        for mask in 0..ROWS as u32 {
            let image = squares(mask).fold(0, |set, s| set | if mirrored { s.mirrored() } else { s }.bit());
            let row = &mut self.rows[image as usize];
            let mut before = Before::default();
            for square in squares(!mask) {
                let seen = if mirrored { square.mirrored() } else { square };
                let here = on_square[square.number() as usize];
                row[seen.number() as usize] = before;
                before.double += here * before.single;
                before.single += here;
            }
            row[SQUARES] = before;
        }
    }

    /// The rank of the places of two chicks within a block.
    #[inline(always)]
    fn chick_rank(&self, mask: u32, a: Place, b: Place) -> u32 {
        let row = &self.rows[mask as usize % ROWS];
        let (rank_a, rank_b) = (self.chick[a.index()] as u32, self.chick[b.index()] as u32);
        let before_a = row[square_or_end(a)];
        let before_b = row[square_or_end(b)];
        let single = |before: Before, rank: u32| before.single as u32 + rank;
        let end = row[SQUARES];
        match (a.in_hand(), b.in_hand()) {
            (false, false) => {
                let ((high, rank_high), (low, rank_low)) = if before_a.single > before_b.single {
                    ((before_a, rank_a), (before_b, rank_b))
                } else {
                    ((before_b, rank_b), (before_a, rank_a))
                };
                high.double as u32 + rank_high * high.single as u32 + single(low, rank_low)
            }
            (false, true) => end.double as u32 + rank_b * end.single as u32 + single(before_a, rank_a),
            (true, false) => end.double as u32 + rank_a * end.single as u32 + single(before_b, rank_b),
            (true, true) => end.double as u32 + 2 * end.single as u32 + rank_a + rank_b,
        }
    }
}

/// The square as a number, 12 for a piece in hand.
#[inline(always)]
fn square_or_end(place: Place) -> usize {
    const TABLE: [u8; 32] = {
        let mut table = [SQUARES as u8; 32];
        let mut place = 0;
        while place < 24 {
            table[place] = place as u8 % SQUARES as u8;
            place += 1;
        }
        table
    };
    TABLE[place.index() % 32] as usize % 16
}

impl Fold {
    /// Keeps of every two mirror images the one with the lower rank.
    fn new(frame: &Frame, mask: u32, chicks: &[[Place; 2]]) -> Fold {
        let mut fold = Fold { kept: Vec::new(), rank: vec![0; chicks.len()] };
        for (rank, [a, b]) in chicks.iter().enumerate() {
            let image = frame.chick_rank(mask, a.mirrored(), b.mirrored()) as usize;
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
    use crate::doubutsu::rules::Ending;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static OPEN: LazyLock<Index> = LazyLock::new(|| Index::new(Domain::Open));
    static ALL: LazyLock<Index> = LazyLock::new(|| Index::new(Domain::All));

    #[test]
    fn sizes() {
        let t = std::time::Instant::now();
        println!("open {} blocks {} {:?}", OPEN.len(), OPEN.blocks(), t.elapsed());
        println!("all {} blocks {} {:?}", ALL.len(), ALL.blocks(), t.elapsed());
        for (p, n) in OPEN.pairs.iter().zip(1..) {
            println!("{n} {} {} {:?} {} {} {}", p.own, p.enemy, OPEN.blocks.iter().find(|b| b.pair as u32 == n - 1).map(|b| b.start), p.giraffes.len(), p.elephants.len(), p.chicks.len());
        }
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
