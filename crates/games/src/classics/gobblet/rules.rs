//! The rules, and positions as numbers: the product of the numbers of the layers.

use super::layer::{CELLS, Layer, Layers, exchanged, mine, occupied, theirs};
use super::notation;
use kanzen_core::{Drawing, Game, Gesture, Kit, Next, NotationError, Outcome, Touch, Trace};
use kanzen_index::Keyed;
use kanzen_parts::points;

/// The layers from small to large, seen from the side to move.
pub type Position = [Layer; 3];

/// A piece of a size is put on a cell, from another cell or from the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The size: 0 is small.
    pub size: usize,
    /// Where it was.
    pub from: Option<u8>,
    /// Where it goes.
    pub to: u8,
}

/// The game.
#[derive(Clone, Debug)]
pub struct Gobblet {
    pub(super) layers: Layers,
    /// How many sizes there are.
    pub(super) sizes: usize,
    /// How many pieces of each size a player has.
    pub(super) pieces: u32,
    /// Whether the mover wins if both have a line after a move.
    mover_first: bool,
}

/// For each set of cells, those that make it fill a line; all if it does already.
static COMPLETING: [u32; 512] = {
    let lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut completing = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < 8 {
            let missing = lines[line] & !(set as u32);
            if missing & missing.wrapping_sub(1) == 0 {
                completing[set] |= if missing == 0 { 0x1ff } else { missing };
            }
            line += 1;
        }
        set += 1;
    }
    completing
};

fn completing(set: u32) -> u32 {
    COMPLETING[set as usize]
}

fn has_line(set: u32) -> bool {
    completing(set) == 0x1ff
}

/// The visible pieces of both sides.
fn visible(position: &Position) -> (u32, u32) {
    position.iter().fold((0, 0), |(own, other), &layer| {
        let uncovered = !occupied(layer);
        (own & uncovered | mine(layer), other & uncovered | theirs(layer))
    })
}

impl Gobblet {
    /// The game with so many sizes, and so many pieces of each size a player.
    pub fn new(sizes: usize, pieces: u32, mover_first: bool) -> Gobblet {
        Gobblet { layers: Layers::new(pieces), sizes, pieces, mover_first }
    }

    /// The cells where a piece of a size may be put: nothing as large is there.
    fn open(position: &Position, size: usize) -> u32 {
        0x1ff & !position[size..].iter().fold(0, |set, &layer| set | occupied(layer))
    }

    /// The cells with a visible piece of a size that the side to move owns.
    fn movable(position: &Position, size: usize) -> u32 {
        let covered = position[size + 1..].iter().fold(0, |set, &layer| set | occupied(layer));
        mine(position[size]) & !covered
    }

    fn in_hand(&self, position: &Position, size: usize) -> bool {
        mine(position[size]).count_ones() < self.pieces
    }

    /// Whether a line of the mover wins, after a move, on a board where the other side shows these.
    fn counts(&self, theirs: u32) -> bool {
        self.mover_first || !has_line(theirs)
    }
}

impl Game for Gobblet {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        [0; 3]
    }

    fn over(&self, position: &Position) -> Option<Outcome> {
        let (own, other) = visible(position);
        match (has_line(own), has_line(other)) {
            (true, true) if self.mover_first => Some(Outcome::Loss),
            (true, _) => Some(Outcome::Win),
            (false, true) => Some(Outcome::Loss),
            (false, false) => None,
        }
    }

    fn moves(&self, position: &Position, mut each: impl FnMut(Move)) {
        if self.over(position).is_some() {
            return;
        }
        for size in 0..self.sizes {
            let open = Gobblet::open(position, size);
            if self.in_hand(position, size) {
                points(open).for_each(|to| each(Move { size, from: None, to }));
            }
            for from in points(Gobblet::movable(position, size)) {
                points(open).for_each(|to| each(Move { size, from: Some(from), to }));
            }
        }
    }

    fn play(&self, position: &Position, Move { size, from, to }: Move) -> Next<Position> {
        let mut next = *position;
        next[size] = next[size] & !from.map_or(0, |from| 1 << from) | 1 << to;
        Next::Position(next.map(exchanged))
    }

    fn successors(&self, position: &Position, mut each: impl FnMut(Next<Position>)) {
        if self.over(position).is_some() {
            return;
        }
        let seen = position.map(exchanged);
        for size in 0..self.sizes {
            let open = Gobblet::open(position, size);
            let mut all = |lifted: u32| {
                for to in points(open) {
                    let mut next = seen;
                    next[size] = next[size] & !(lifted << CELLS) | 1 << (CELLS + u32::from(to));
                    each(Next::Position(next));
                }
            };
            if self.in_hand(position, size) {
                all(0);
            }
            points(Gobblet::movable(position, size)).for_each(|from| all(1 << from));
        }
    }

    fn wins_at_once(&self, position: &Position) -> bool {
        if self.over(position).is_some() {
            return false;
        }
        let (own, _) = visible(position);
        let lifts = |size: usize| {
            points(Gobblet::movable(position, size)).any(|from| {
                let mut lifted = *position;
                lifted[size] &= !(1 << from);
                let (own, other) = visible(&lifted);
                let winning = Gobblet::open(position, size) & completing(own);
                points(winning).any(|to| self.counts(other & !(1 << to)))
            })
        };
        (0..self.sizes).rev().any(|size| {
            // A piece from the hand uncovers nothing.
            let put = || Gobblet::open(position, size) & completing(own) != 0;
            self.in_hand(position, size) && put() || lifts(size)
        })
    }

    fn passed(&self, position: &Position) -> Option<Position> {
        self.over(position).is_none().then(|| position.map(exchanged))
    }

    fn symmetries(&self) -> usize {
        self.layers.symmetries()
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        position.map(|layer| self.layers.image(layer, symmetry))
    }

    fn parse(&self, text: &str) -> Result<Position, NotationError> {
        notation::parse(self, text)
    }

    fn write(&self, position: &Position) -> String {
        notation::write(position)
    }

    fn write_move(&self, _: &Position, Move { size, from, to }: Move) -> String {
        let name = |cell| self.layers.board().name(cell);
        let from = from.map_or("", name);
        format!("{}{from}-{}", notation::SIZES[size].0, name(to))
    }

    fn draw(&self, position: &Position) -> Drawing {
        notation::draw(self, position)
    }

    fn trace(&self, _: &Position, Move { from, to, .. }: Move) -> Trace {
        Trace { from: from.map(usize::from), to: Some(to.into()), also: Vec::new() }
    }

    fn gesture(&self, _: &Position, Move { size, from, to }: Move) -> Gesture {
        let label = notation::SIZES[size].0.to_string();
        let from = from.map_or(Touch::Hand { hand: notation::OWN_HAND, label }, |from| {
            Touch::Spot(from.into())
        });
        Gesture { touches: vec![from, Touch::Spot(to.into())], then: Vec::new() }
    }

    fn kit(&self) -> &'static Kit {
        &notation::KIT
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        Some(notation::compose(drawing))
    }
}

impl Keyed for Gobblet {
    fn key_limit(&self) -> u128 {
        u128::from(self.layers.count()).pow(self.sizes as u32)
    }

    fn key(&self, position: &Position) -> u128 {
        let ranks = position[..self.sizes].iter().map(|&layer| self.layers.rank(layer));
        ranks.fold(0, |key, rank| key * self.layers.count() + u64::from(rank)).into()
    }

    fn with_key(&self, key: u128) -> Option<Position> {
        let mut left = u64::try_from(key).ok().filter(|_| key < self.key_limit())?;
        let mut position = [0; 3];
        for layer in position[..self.sizes].iter_mut().rev() {
            *layer = self.layers.layer((left % self.layers.count()) as usize);
            left /= self.layers.count();
        }
        Some(position)
    }

    fn least_key(&self, position: &Position) -> u128 {
        let ranks = position.map(|layer| self.layers.rank(layer));
        let key = |symmetry: u8| {
            let images = ranks[..self.sizes].iter();
            images.fold(0, |key, &rank| {
                key * self.layers.count() + u64::from(self.layers.image_rank(rank, symmetry))
            })
        };
        // Only symmetries that make the first layer least can make the whole least.
        points(self.layers.least(ranks[0])).map(key).min().unwrap_or_default().into()
    }
}
