//! The moves of a board at a glance: all pieces and directions by a few operations on sets.

use super::board::{Board, CELLS, Direction, cells};
use super::rules::Move;
use super::undo;

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
        for (d, direction) in Direction::ALL.into_iter().enumerate() {
            let back = direction.back();
            // The cells from which a number of steps lead to a piece, to an empty cell, and (a
            // step less) to a piece of the opponent, which is the last of the run.
            let (mut piece, mut free, mut theirs) = (pieces, empty, board.theirs);
            let mut run = board.mine;
            for removing in &mut look.removing {
                (piece, free) = (back.shift(piece), back.shift(free));
                removing[d] = run & !piece & !free;
                look.takes |= removing[d] & theirs != 0;
                look.barrable[d] |= run & free & theirs;
                theirs = back.shift(theirs);
                run &= piece;
            }
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
        let mut sum = 0;
        for (d, &set) in self.barrable.iter().enumerate() {
            let mut set = set;
            while set != 0 {
                let direction = Direction::ALL[d];
                sum ^= undo::number(board, Move { cell: set.trailing_zeros() as u8, direction });
                set &= set - 1;
            }
            if self.hole >> d & 1 == 1 {
                sum ^= undo::number(board, Move { cell: board.hole, direction: Direction::ALL[d] });
            }
        }
        sum
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
                Next::Position(next) => next,
            };
        }
    }
}
