//! The rules of Quixo.

use crate::index::Tiers;
use kanzen_core::{
    Colour, Drawing, Game, Gesture, Kind, Kit, Next, NotationError, Outcome, Party, Piece,
    PieceShape, Side, Spot, SpotShape, Touch, Trace, Words, stone_sets,
};
use kanzen_index::Group;

/// The cubes that show the mark of the side to move, and those of the other side, as sets of cells:
/// row by row from the upper left.
pub type Position = (u32, u32);

/// A cube is taken from a cell of the border and pushed in at an end of its row or column.
#[derive(Clone, Copy, Debug)]
struct Push {
    from: usize,
    to: usize,
    /// The cells from one to the other.
    segment: u32,
    /// How far apart cells are along it.
    step: u32,
}

impl Push {
    /// A set when the cube is taken out and the others have closed up.
    #[inline]
    fn closed_up(self, set: u32) -> u32 {
        let moved = set & self.segment & !(1 << self.from);
        let moved = if self.from < self.to { moved >> self.step } else { moved << self.step };
        set & !self.segment | moved
    }

    /// A set as it was before, but for the cube that was pushed.
    #[inline]
    fn opened(self, set: u32) -> u32 {
        Push { from: self.to, to: self.from, ..self }.closed_up(set)
    }
}

/// The game on a board of so many rows and columns.
///
/// ```
/// use kanzen_core::{Game, perft};
/// use kanzen_quixo::Quixo;
///
/// let game = Quixo::new(5, 0);
/// assert_eq!(perft(&game, &game.start(), 1), 44);
/// ```
#[derive(Clone, Debug)]
pub struct Quixo {
    size: usize,
    pushes: Vec<Push>,
    pub(crate) tiers: Tiers,
}

impl Quixo {
    /// The boards with at least `from` marked cubes, of `size` rows and columns: 3, 4 or 5.
    pub fn new(size: u32, from: u32) -> Quixo {
        let size = size.clamp(3, 5) as usize;
        let last = size - 1;
        let cell = |row: usize, column: usize| row * size + column;
        let mut pushes = Vec::new();
        for from in 0..size * size {
            let (row, column) = (from / size, from % size);
            if ![row, column].iter().any(|&line| line == 0 || line == last) {
                continue;
            }
            let ends = [cell(row, 0), cell(row, last), cell(0, column), cell(last, column)];
            for (to, step) in ends.into_iter().zip([1, 1, size, size]) {
                if to != from {
                    let cells = (from.min(to)..=from.max(to)).step_by(step);
                    let segment = cells.fold(0, |set, cell| set | 1 << cell);
                    pushes.push(Push { from, to, segment, step: step as u32 });
                }
            }
        }
        let symmetry = |number: usize| -> Vec<usize> {
            let image = |at: usize| {
                let (row, column) = (at / size, at % size);
                let row = if number & 1 == 1 { last - row } else { row };
                let column = if number & 2 == 2 { last - column } else { column };
                if number & 4 == 4 { cell(column, row) } else { cell(row, column) }
            };
            (0..size * size).map(image).collect()
        };
        let group = Group::new(&(0..8).map(symmetry).collect::<Vec<_>>());
        Quixo { size, pushes, tiers: Tiers::new(group, from.min((size * size) as u32)) }
    }

    /// Whether a set has a whole row, column or diagonal.
    #[inline]
    fn has_line(&self, set: u32) -> bool {
        match self.size {
            3 => has_line::<3>(set),
            4 => has_line::<4>(set),
            _ => has_line::<5>(set),
        }
    }

    /// The pushes of the side to move, if the game is not over.
    #[inline]
    fn pushes(&self, position: &Position) -> impl Iterator<Item = (u8, Push)> + '_ {
        let over = self.over(position).is_some();
        let theirs = if over { u32::MAX } else { position.1 };
        let pushes = (0..).zip(self.pushes.iter().copied());
        pushes.filter(move |(_, push)| theirs >> push.from & 1 == 0)
    }

    /// The positions before the last move, if that was of a cube that showed the mover's mark.
    #[inline]
    pub(crate) fn before(&self, &(mine, theirs): &Position, mut each: impl FnMut(Position)) {
        for &push in self.pushes.iter().filter(|push| theirs >> push.to & 1 == 1) {
            let before = (push.opened(theirs) | 1 << push.from, push.opened(mine));
            if self.over(&before).is_none() {
                each(before);
            }
        }
    }

    fn name(&self, cell: usize) -> String {
        let column = char::from(b'a' + (cell % self.size) as u8);
        format!("{column}{}", self.size - cell / self.size)
    }
}

/// Whether a set of the cells of a square has a whole row, column or diagonal.
#[inline]
fn has_line<const SIZE: u32>(set: u32) -> bool {
    let whole = |step: u32| (1..SIZE).fold(set, |left, cell| left & set >> (cell * step));
    let first_column = (0..SIZE).fold(0, |cells, row| cells | 1 << (row * SIZE));
    let first_row = (1 << SIZE) - 1;
    let rows_and_columns = whole(1) & first_column | whole(SIZE) & first_row;
    // The diagonals begin in the corners of the first row.
    let diagonals = whole(SIZE + 1) & 1 | whole(SIZE - 1) & 1 << (SIZE - 1);
    rows_and_columns | diagonals != 0
}

const KIT: Kit = Kit {
    parties: &[
        Party { side: Side::One, name: Words::new("Blue", "青"), colour: Colour::Blue },
        Party { side: Side::Two, name: Words::new("Red", "赤"), colour: Colour::Red },
    ],
    kinds: &[Kind::stone(Side::One, "O"), Kind::stone(Side::Two, "X")],
    shape: PieceShape::Disc,
    choose_turn: false,
};

impl Game for Quixo {
    type Position = Position;
    type Move = u8; // The number of a push.

    /// The blank board; if boards have more marked cubes, the first one without a line.
    fn start(&self) -> Position {
        let marked = self.tiers.fewest();
        let all = ((1_u64 << marked) - 1) as u32;
        let boards = (0..=all).filter(|mine| mine.count_ones() == marked / 2);
        let board = boards.map(|mine| (mine, all & !mine)).find(|board| self.over(board).is_none());
        board.unwrap_or((0, all))
    }

    #[inline]
    fn over(&self, &(mine, theirs): &Position) -> Option<Outcome> {
        if self.has_line(mine) {
            Some(Outcome::Win)
        } else {
            self.has_line(theirs).then_some(Outcome::Loss)
        }
    }

    fn moves(&self, position: &Position, mut each: impl FnMut(u8)) {
        self.pushes(position).for_each(|(number, _)| each(number));
    }

    fn play(&self, &(mine, theirs): &Position, number: u8) -> Next<Position> {
        let push = self.pushes[usize::from(number)];
        Next::Position((push.closed_up(theirs), push.closed_up(mine) | 1 << push.to))
    }

    #[inline]
    fn wins_at_once(&self, position: &Position) -> bool {
        let &(mine, theirs) = position;
        self.pushes(position).any(|(_, push)| {
            self.has_line(push.closed_up(mine) | 1 << push.to)
                && !self.has_line(push.closed_up(theirs))
        })
    }

    fn passed(&self, &(mine, theirs): &Position) -> Option<Position> {
        self.over(&(mine, theirs)).is_none().then_some((theirs, mine))
    }

    fn symmetries(&self) -> usize {
        self.tiers.group().order()
    }

    fn image(&self, &(mine, theirs): &Position, symmetry: usize) -> Position {
        let group = self.tiers.group();
        (group.image(symmetry, mine), group.image(symmetry, theirs))
    }

    fn parse(&self, text: &str) -> Result<Position, NotationError> {
        let size = self.size;
        let (mut mine, mut theirs) = (0_u32, 0_u32);
        let rows: Vec<&str> = text.trim().split('/').collect();
        let shape =
            || NotationError::shape(format!("{size} rows of {size} cubes, joined by /"), text);
        if rows.len() != size || rows.iter().any(|row| row.chars().count() != size) {
            return Err(shape());
        }
        for (cell, found) in rows.concat().chars().enumerate() {
            match found {
                'O' => mine |= 1 << cell,
                'X' => theirs |= 1 << cell,
                '.' => {}
                _ => {
                    let (at, allowed) = (cell + cell / size + 1, "O (side to move), X, . and /");
                    return Err(NotationError::Letter { at, found, allowed });
                }
            }
        }
        let (marked, fewest) = ((mine | theirs).count_ones(), self.tiers.fewest());
        if marked < fewest {
            return Err(NotationError::Count {
                what: "marked cubes".to_owned(),
                expected: format!("at least {fewest}"),
                found: marked as usize,
            });
        }
        Ok((mine, theirs))
    }

    fn write(&self, &(mine, theirs): &Position) -> String {
        let letter = |cell: usize| match (mine >> cell & 1, theirs >> cell & 1) {
            (1, _) => 'O',
            (_, 1) => 'X',
            _ => '.',
        };
        let row =
            |row: usize| (0..self.size).map(|column| letter(row * self.size + column)).collect();
        (0..self.size).map(row).collect::<Vec<String>>().join("/")
    }

    fn write_move(&self, _: &Position, number: u8) -> String {
        let push = self.pushes[usize::from(number)];
        format!("{}-{}", self.name(push.from), self.name(push.to))
    }

    fn draw(&self, &(mine, theirs): &Position) -> Drawing {
        let size = self.size;
        let spot = |cell: usize| {
            let place = ((cell % size) as f32, (cell / size) as f32);
            Spot::new(place.0, place.1, SpotShape::Cell, self.name(cell))
        };
        let piece = |cell: usize| match (mine >> cell & 1, theirs >> cell & 1) {
            (1, _) => Some(Piece::new(cell, Side::One, "O")),
            (_, 1) => Some(Piece::new(cell, Side::Two, "X")),
            _ => None,
        };
        Drawing {
            spots: (0..size * size).map(spot).collect(),
            pieces: (0..size * size).filter_map(piece).collect(),
            ..Drawing::default()
        }
    }

    /// A blank cube is no piece that leaves its place.
    fn trace(&self, &(mine, _): &Position, number: u8) -> Trace {
        let push = self.pushes[usize::from(number)];
        let from = (mine >> push.from & 1 == 1).then_some(push.from);
        let also = push.segment & !(1 << push.to) & !from.map_or(0, |from| 1 << from);
        let cells = (0..self.size * self.size).filter(|cell| also >> cell & 1 == 1);
        Trace { from, to: Some(push.to), also: cells.collect() }
    }

    fn gesture(&self, _: &Position, number: u8) -> Gesture {
        let push = self.pushes[usize::from(number)];
        Gesture { touches: vec![Touch::Spot(push.from), Touch::Spot(push.to)], then: Vec::new() }
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        Some(self.write(&stone_sets(drawing)))
    }
}
