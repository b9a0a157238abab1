//! The moves of a board at a glance: all pieces and directions by a few operations on sets.

use super::board::{ALL, Board, CELLS, Direction, SIDE, cells};
use super::lines::Kept;
use super::rules::Move;
use super::undo;
use kanzen_index::extract;

/// A run is a piece and up to four that it pushes.
const LONGEST: usize = 5;

/// What the moves of a board do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// For each number of pushed pieces and each direction: the pieces whose move removes the last
    /// of the run.
    removing: [[u32; 4]; LONGEST],
    /// For each direction: the pieces whose move can be undone, hence barred.
    barrable: [u32; 4],
    /// The directions of the hole's moves, a bit each.
    hole: u8,
    /// Whether a move removes a piece of the opponent.
    takes: bool,
}

impl Look {
    /// Looks at a board.
    #[inline(always)]
    #[must_use]
    pub fn at(board: &Board) -> Look {
        let (pieces, empty) = (board.pieces(), board.empty());
        let mut look = Look::default();
        // The cells from which a number of steps lead to a piece, to an empty cell, and (a step
        // less) to a piece of the opponent, which is the last of the run. The four directions are
        // the lanes of one vector.
        let (mut piece, mut free, mut theirs) = ([pieces; 4], [empty; 4], [board.theirs; 4]);
        let (mut run, mut takes) = ([board.mine; 4], [0; 4]);
        for removing in &mut look.removing {
            for d in 0..4 {
                piece[d] = step_back(d, piece[d]);
                free[d] = step_back(d, free[d]);
                removing[d] = run[d] & !piece[d] & !free[d];
                takes[d] |= removing[d] & theirs[d];
                look.barrable[d] |= run[d] & free[d] & theirs[d];
                theirs[d] = step_back(d, theirs[d]);
                run[d] &= piece[d];
            }
        }
        look.takes = takes != [0; 4];
        for (d, direction) in Direction::ALL.into_iter().enumerate() {
            look.hole |= u8::from(direction.shift(1 << board.hole) & empty != 0) << d;
        }
        look
    }

    /// Whether a move removes a piece of the opponent.
    #[inline(always)]
    #[must_use]
    pub fn takes(&self) -> bool {
        self.takes
    }

    /// The moves that remove nothing, if none of them loses at once.
    #[inline(always)]
    #[must_use]
    pub fn kept(&self, board: &Board) -> Kept {
        Kept { moves: self.quiet(board), barrable: self.barrable_sum(board), some_lost: false }
    }

    /// The number of moves that remove nothing.
    #[inline(always)]
    #[must_use]
    pub fn quiet(&self, board: &Board) -> u32 {
        let removing: u32 = self.removing.as_flattened().iter().map(|set| set.count_ones()).sum();
        4 * board.mine.count_ones() - removing + self.hole.count_ones()
    }

    /// Every move that can be barred.
    pub fn barrable(&self, board: &Board) -> impl Iterator<Item = Move> + use<> {
        let Look { barrable, hole: directions, .. } = *self;
        let hole = board.hole;
        let pieces = Direction::ALL.into_iter().flat_map(move |direction| {
            cells(barrable[direction as usize]).map(move |cell| Move { cell, direction })
        });
        let open = move |direction: &Direction| directions >> *direction as usize & 1 == 1;
        let hole =
            Direction::ALL.into_iter().filter(open).map(move |d| Move { cell: hole, direction: d });
        pieces.chain(hole)
    }

    /// The number of moves that can be barred.
    #[inline(always)]
    #[must_use]
    pub fn barrable_count(&self) -> u32 {
        self.barrable.iter().map(|set| set.count_ones()).sum::<u32>() + self.hole.count_ones()
    }

    /// The exclusive-or of the numbers of the moves that can be barred.
    #[inline(always)]
    #[must_use]
    pub fn barrable_sum(&self, board: &Board) -> u8 {
        let pieces = self.barrable.iter().zip(&SUMS).map(|(&set, sums)| {
            // The pieces in the order of cells.
            sums[extract(set, board.mine) as usize]
        });
        pieces.fold(HOLE_SUMS[usize::from(self.hole)], |sum, piece| sum ^ piece)
    }

    /// Calls `each` with the board after every move that removes a piece, still seen by its mover.
    #[inline(always)]
    pub fn removals(&self, board: &Board, mut each: impl FnMut(Board)) {
        for (pushed, directions) in self.removing.iter().enumerate() {
            for (d, &set) in directions.iter().enumerate() {
                let mut set = set;
                while set != 0 {
                    let cell = set.trailing_zeros();
                    set &= set - 1;
                    let run = RUNS[d][cell as usize][pushed];
                    // The last piece leaves; the others take the place of the next.
                    let stays = if pushed == 0 { 0 } else { RUNS[d][cell as usize][pushed - 1] };
                    let direction = Direction::ALL[d];
                    let after = |side: u32| side & !run | direction.shift(side & stays);
                    each(Board { mine: after(board.mine), theirs: after(board.theirs), ..*board });
                }
            }
        }
    }
}

/// Moves a set of cells one step against a direction, in the same way for all directions.
#[inline(always)]
fn step_back(d: usize, cells: u32) -> u32 {
    /// For each direction: the cells that stay on the board, and the bits to shift left and right.
    const STAY: [u32; 4] = [
        Direction::Up.shift(ALL),
        Direction::Down.shift(ALL),
        Direction::Left.shift(ALL),
        Direction::Right.shift(ALL),
    ];
    const LEFT: [u32; 4] = [SIDE as u32, 0, 1, 0];
    const RIGHT: [u32; 4] = [0, SIDE as u32, 0, 1];
    (cells & STAY[d]) << LEFT[d] >> RIGHT[d]
}

/// The exclusive-or of the numbers of moves: `[direction][pieces in the order of cells]`.
static SUMS: [[u8; 1 << LONGEST]; 4] = sums();
/// The same for the moves of the hole, a bit for each direction.
static HOLE_SUMS: [u8; 1 << 4] = hole_sums();

const fn sums() -> [[u8; 1 << LONGEST]; 4] {
    let mut sums = [[0; 1 << LONGEST]; 4];
    let mut d = 0;
    while d < 4 {
        let mut set = 1_usize;
        while set < 1 << LONGEST {
            let number = undo::number_of(set.trailing_zeros(), Direction::ALL[d]);
            sums[d][set] = sums[d][set & (set - 1)] ^ number;
            set += 1;
        }
        d += 1;
    }
    sums
}

const fn hole_sums() -> [u8; 1 << 4] {
    let mut sums = [0; 1 << 4];
    let mut set = 1_usize;
    while set < 1 << 4 {
        let number = undo::number_of(undo::MOST, Direction::ALL[set.trailing_zeros() as usize]);
        sums[set] = sums[set & (set - 1)] ^ number;
        set += 1;
    }
    sums
}

/// The cells of a run: `[direction][first cell][pieces pushed]`.
pub static RUNS: [[[u32; LONGEST]; CELLS as usize]; 4] = runs();

const fn runs() -> [[[u32; LONGEST]; CELLS as usize]; 4] {
    let mut runs = [[[0; LONGEST]; CELLS as usize]; 4];
    let mut d = 0;
    while d < 4 {
        let mut cell = 0;
        while cell < CELLS as usize {
            let mut head = 1_u32 << cell;
            let mut run = 0;
            let mut pushed = 0;
            while pushed < LONGEST {
                run |= head;
                runs[d][cell][pushed] = run;
                head = Direction::ALL[d].shift(head);
                pushed += 1;
            }
            cell += 1;
        }
        d += 1;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Ostle, Undo};
    use super::*;
    use kanzen_analyse::Random;
    use kanzen_core::{Game, Next, Outcome};

    #[test]
    fn a_look_sees_what_the_rules_say() {
        let game = Ostle::new(4, 10, Undo::Exact);
        let mut random = Random::new(4);
        let mut state = game.start();
        for _ in 0..20_000 {
            let board = state.board;
            let look = Look::at(&board);
            let (mut removals, mut barrable, mut quiet) = (Vec::new(), Vec::new(), 0);
            for mv in Ostle::all_moves(&board) {
                let step = Ostle::step(&board, mv);
                match step.out {
                    Some(_) => removals.push(step.board),
                    None => quiet += 1,
                }
                if Ostle::undoing(&board, mv).is_some() {
                    barrable.push(mv);
                    let number = undo::number(&board, mv);
                    assert_eq!(undo::numbered(&board, number), Some(mv));
                }
            }
            assert_eq!(look.quiet(&board), quiet);
            let takes = removals.iter().any(|b| b.theirs.count_ones() < board.theirs.count_ones());
            assert_eq!(look.takes(), takes);
            let mut seen = Vec::new();
            look.removals(&board, |after| seen.push(after));
            seen.sort_unstable();
            removals.sort_unstable();
            assert_eq!(seen, removals);
            let mut seen: Vec<Move> = look.barrable(&board).collect();
            seen.sort_unstable();
            barrable.sort_unstable();
            assert_eq!(seen, barrable);
            assert_eq!(look.barrable_count() as usize, barrable.len());
            let sum = barrable.iter().fold(0, |sum, mv| sum ^ undo::number(&board, *mv));
            assert_eq!(look.barrable_sum(&board), sum);

            let mut moves = Vec::new();
            game.moves(&state, |mv| moves.push(mv));
            state = match game.play(&state, moves[random.below(moves.len() as u64) as usize]) {
                Next::Over(outcome) => {
                    assert!(outcome != Outcome::Draw);
                    game.start()
                }
                Next::Position(next) | Next::Again(next) => next,
            };
        }
    }
}
