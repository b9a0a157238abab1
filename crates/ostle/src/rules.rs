//! The rules of Ostle.

use super::board::{Board, Direction, SIDE, SYMMETRIES, Symmetry, cells};
use super::notation::{KIT, compose};
use super::states::Space;
use super::tiers::Tier;
use kanzen_core::{Drawing, Game, Kit, Next, NotationError, Outcome, Trace};
use std::sync::{Arc, OnceLock};

/// Whether a move may bring back the board of one move before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Undo {
    /// It may not: the rule as stated.
    Exact,
    /// It may not, nor may the first move that brings back a mirror image or rotation of that
    /// board: as the table was published.
    Symmetric,
    /// It may.
    Allowed,
}

/// A piece or the hole goes one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The cell that the piece or the hole leaves.
    pub cell: u8,
    /// Where it goes.
    pub direction: Direction,
}

impl Move {
    /// The image under a symmetry.
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Move {
        Move { cell: symmetry.cell(self.cell), direction: symmetry.direction(self.direction) }
    }
}

/// What a step does to the board: the pieces of both sides after it, seen by the same player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The board after the step; its `mine` are the pieces of the player who made it.
    pub board: Board,
    /// The cells of the pieces that move, before the step.
    pub run: u32,
    /// The cell of the piece that leaves the game, before the step.
    pub out: Option<u8>,
}

/// A board, and the move that the bar on undoing forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The board.
    pub board: Board,
    /// The barred move, if there is one.
    pub barred: Option<Move>,
}

impl State {
    /// A board on which every move is allowed.
    #[must_use]
    pub fn free(board: Board) -> State {
        State { board, barred: None }
    }
}

/// Ostle, with any number of pieces and any bar on undoing.
///
/// ```
/// use kanzen_core::Game;
/// use kanzen_ostle::{Ostle, Undo};
///
/// let game = Ostle::new(4, 10, Undo::Exact);
/// let start = game.parse("11111-00000-00300-00000-22222").unwrap();
/// assert_eq!(start, game.start());
/// ```
#[derive(Clone, Debug)]
pub struct Ostle {
    least: u32,
    total: u32,
    undo: Undo,
    /// Made when it is first needed: it takes a moment.
    space: Arc<OnceLock<Space>>,
}

impl Ostle {
    /// The game in which a player who is down to fewer than `least` pieces has lost, on boards
    /// with at most `total` pieces: twice `least`, or one or two more. The game of the rule book
    /// is `new(4, 10, Undo::Exact)`.
    ///
    /// # Panics
    /// If there are not as many pieces as said.
    #[must_use]
    pub fn new(least: u32, total: u32, undo: Undo) -> Ostle {
        assert!((1..=4).contains(&least) && (2 * least..=2 * least + 2).contains(&total));
        Ostle { least, total, undo, space: Arc::default() }
    }

    /// The same game with another bar.
    #[must_use]
    pub fn with(&self, undo: Undo) -> Ostle {
        Ostle { undo, ..self.clone() }
    }

    /// The fewest pieces of a player who has not lost.
    #[must_use]
    pub fn least(&self) -> u32 {
        self.least
    }

    /// The most pieces on the board.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The bar on undoing.
    #[must_use]
    pub fn undo(&self) -> Undo {
        self.undo
    }

    /// The boards by numbers of pieces, fewest first.
    #[must_use]
    pub fn board_tiers(&self) -> &[Tier] {
        self.space().tiers.all()
    }

    /// The number of their numbers, a few of which stand for no board.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.board_tiers().iter().map(|tier| u64::from(tier.size())).sum()
    }

    /// The numbering of its boards and states.
    pub(super) fn space(&self) -> &Space {
        self.space.get_or_init(|| Space::new(self.least, self.total))
    }

    /// Every move, barred or not: those of the pieces by cell, then those of the hole.
    pub fn all_moves(board: &Board) -> impl Iterator<Item = Move> + use<> {
        let (hole, empty) = (board.hole, board.empty());
        let each = |cell| Direction::ALL.map(|direction| Move { cell, direction });
        let hole_moves =
            each(hole).into_iter().filter(move |mv| mv.direction.shift(1 << hole) & empty != 0);
        cells(board.mine).flat_map(each).chain(hole_moves)
    }

    /// Makes a move without regard to its end: the run of pieces ahead moves along, and the last
    /// of them leaves the game at the edge or in the hole.
    #[must_use]
    pub fn step(board: &Board, mv: Move) -> Step {
        if mv.cell == board.hole {
            let hole = mv.direction.step(mv.cell).unwrap_or(mv.cell);
            return Step { board: Board { hole, ..*board }, run: 0, out: None };
        }
        let mut run = 1 << mv.cell;
        let mut head = run;
        loop {
            let next = mv.direction.shift(head);
            if next & board.pieces() == 0 {
                let out = (next & board.empty() == 0).then(|| head.trailing_zeros() as u8);
                let stays = if out.is_some() { !head } else { !0 };
                let pushed = |side: u32| side & !run | mv.direction.shift(side & run & stays);
                let board =
                    Board { mine: pushed(board.mine), theirs: pushed(board.theirs), ..*board };
                return Step { board, run, out };
            }
            head = next;
            run |= head;
        }
    }

    /// The board after a move that does not end the game, for the other player.
    #[must_use]
    pub fn after(&self, board: &Board, mv: Move) -> Next<Board> {
        self.after_step(&Ostle::step(board, mv))
    }

    /// The same, if what the move does is known.
    #[inline(always)]
    pub(super) fn after_step(&self, step: &Step) -> Next<Board> {
        let Board { mine, theirs, hole } = step.board;
        if theirs.count_ones() < self.least {
            Next::Over(Outcome::Win)
        } else if mine.count_ones() < self.least {
            Next::Over(Outcome::Loss)
        } else {
            Next::Position(Board { mine: theirs, theirs: mine, hole })
        }
    }

    /// The move that undoes a move, if there is one: a hole goes back, and a piece of the other
    /// side that was the last of a run pushes the run back.
    #[must_use]
    pub fn undoing(board: &Board, mv: Move) -> Option<Move> {
        Ostle::undoing_step(board, mv, &Ostle::step(board, mv))
    }

    /// The same, if what the move does is known.
    #[inline(always)]
    pub(super) fn undoing_step(board: &Board, mv: Move, step: &Step) -> Option<Move> {
        let direction = mv.direction.back();
        if mv.cell == board.hole {
            return Some(Move { cell: mv.direction.step(mv.cell)?, direction });
        }
        let ahead = mv.direction.shift(step.run) & !step.run;
        let pushes_back = step.out.is_none() && ahead & step.board.theirs != 0;
        pushes_back.then(|| Move { cell: ahead.trailing_zeros() as u8, direction })
    }

    /// The move that is barred on `board`, to which `mv` led from `before`.
    #[must_use]
    pub fn bar(&self, before: &Board, mv: Move, board: &Board) -> Option<Move> {
        match self.undo {
            Undo::Exact => Ostle::undoing(before, mv),
            Undo::Symmetric => SymmetricBars::new(self.least, board).after(before),
            Undo::Allowed => None,
        }
    }

    /// The least image of a board, by the mover's pieces, then the opponent's, then the hole, and
    /// a symmetry that leads there.
    #[must_use]
    pub fn least_image(board: &Board) -> (Board, Symmetry) {
        let images = Symmetry::all().map(|symmetry| (board.image(symmetry), symmetry));
        images.min().unwrap_or((*board, Symmetry::IDENTITY))
    }

    /// The pieces of a player in the start position.
    fn first_row(count: u32) -> u32 {
        [0b00000, 0b00100, 0b01010, 0b01110, 0b11011, 0b11111][count as usize]
    }
}

/// The moves that the published bar may forbid on a board.
pub struct SymmetricBars {
    /// The moves in their order on the least image of the board, and the least images of the boards
    /// they lead to.
    moves: Vec<(Move, Board)>,
}

impl SymmetricBars {
    /// Looks at the moves of a board in a game in which players have at least so many pieces.
    #[must_use]
    pub fn new(least_pieces: u32, board: &Board) -> SymmetricBars {
        let (least, symmetry) = Ostle::least_image(board);
        let moves = Ostle::all_moves(&least).filter_map(|mv| {
            let Board { mine, theirs, hole } = Ostle::step(&least, mv).board;
            let goes_on = mine.count_ones().min(theirs.count_ones()) >= least_pieces;
            let next = Board { mine: theirs, theirs: mine, hole };
            goes_on.then(|| (mv.image(symmetry.inverse()), Ostle::least_image(&next).0))
        });
        SymmetricBars { moves: moves.collect() }
    }

    /// The move that is barred after a move from a board: the first that leads to an image of it.
    #[must_use]
    pub fn after(&self, before: &Board) -> Option<Move> {
        let (wanted, _) = Ostle::least_image(before);
        self.moves.iter().find(|(_, next)| *next == wanted).map(|&(mv, _)| mv)
    }
}

impl Game for Ostle {
    type Position = State;
    type Move = Move;

    /// Both sides on their first row, the hole in the centre. If the pieces are an odd number, the
    /// mover has one more.
    fn start(&self) -> State {
        State::free(Board {
            mine: Ostle::first_row(self.total.div_ceil(2)),
            theirs: Ostle::first_row(self.total / 2) << (SIDE * (SIDE - 1)),
            hole: SIDE * SIDE / 2,
        })
    }

    fn moves(&self, state: &State, each: impl FnMut(Move)) {
        Ostle::all_moves(&state.board).filter(|&mv| Some(mv) != state.barred).for_each(each);
    }

    fn play(&self, state: &State, mv: Move) -> Next<State> {
        match self.after(&state.board, mv) {
            Next::Over(outcome) => Next::Over(outcome),
            Next::Position(board) | Next::Again(board) => {
                Next::Position(State { board, barred: self.bar(&state.board, mv, &board) })
            }
        }
    }

    fn symmetries(&self) -> usize {
        SYMMETRIES
    }

    fn image(&self, state: &State, symmetry: usize) -> State {
        let symmetry = Symmetry::new(symmetry);
        State {
            board: state.board.image(symmetry),
            barred: state.barred.map(|mv| mv.image(symmetry)),
        }
    }

    fn parse(&self, text: &str) -> Result<State, NotationError> {
        self.parse_state(text)
    }

    fn write(&self, state: &State) -> String {
        self.write_state(state)
    }

    /// The start, and a state with a barred move.
    fn examples(&self) -> Vec<String> {
        let start = self.start();
        let mut examples = vec![self.write(&start)];
        self.successors(&start, |next| {
            let barred = next.position().filter(|state| state.barred.is_some());
            if let (1, Some(state)) = (examples.len(), barred) {
                examples.push(self.write(&state));
            }
        });
        examples
    }

    fn write_move(&self, state: &State, mv: Move) -> String {
        Ostle::write_step(&state.board, mv)
    }

    fn draw(&self, state: &State) -> Drawing {
        Ostle::draw_state(state)
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        Some(compose(drawing))
    }

    fn draw_end(&self, state: &State, mv: Move) -> Drawing {
        let board = Ostle::step(&state.board, mv).board;
        Drawing { caption: "the game is over".to_owned(), ..Ostle::draw_state(&State::free(board)) }
    }

    /// The spots of the pushed pieces count as changed.
    fn trace(&self, state: &State, mv: Move) -> Trace {
        let step = Ostle::step(&state.board, mv);
        let others = (step.run | mv.direction.shift(step.run)) & !(1 << mv.cell);
        let to = mv.direction.step(mv.cell);
        Trace {
            from: Some(mv.cell.into()),
            to: Some(to.unwrap_or(mv.cell).into()),
            also: cells(others)
                .filter(|&cell| Some(cell) != to && cell != state.board.hole)
                .map(usize::from)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_analyse::Random;
    use kanzen_core::perft;

    fn game(undo: Undo) -> Ostle {
        Ostle::new(4, 10, undo)
    }

    fn after(text: &str, name: &str) -> Next<String> {
        let game = game(Undo::Exact);
        let state = game.parse(text).unwrap();
        let named = |mv: &Move| game.write_move(&state, *mv) == name;
        let mv = Ostle::all_moves(&state.board).find(named).expect("there is such a move");
        match game.play(&state, mv) {
            Next::Over(outcome) => Next::Over(outcome),
            Next::Position(next) | Next::Again(next) => Next::Position(game.write(&next)),
        }
    }

    fn board(text: &str) -> Next<String> {
        Next::Position(text.to_owned())
    }

    #[test]
    fn pieces_push_and_leave() {
        // Alone, pushing out one's own piece, and stepping off the board.
        let text = "11111-00000-00300-00000-22222";
        assert_eq!(after(text, "a1v"), board("02222-20000-00300-00000-11111"));
        assert_eq!(after(text, "a1>xe1"), board("02222-00000-00300-00000-11111"));
        assert_eq!(after(text, "b1<xa1"), board("20222-00000-00300-00000-11111"));
        assert_eq!(after(text, "a1^xa1"), board("02222-00000-00300-00000-11111"));
        // Into the hole; what is behind it stays.
        let text = "00123-10120-00001-00000-00222";
        let pushed = "00023-20210-00002-00000-00111";
        assert_eq!(after(text, "c1>xd1"), board(pushed));
        let text = "12311-10000-02200-00000-10022";
        assert_eq!(after(text, "a1>xb1"), board("02322-20000-01100-00000-20011"));
        // A pushed piece of the other side pushes back: that is barred. An own one does not.
        let text = "12000-00001-00300-00000-11222";
        assert_eq!(
            after(text, "a1>"),
            board("02100-00002-00300-00000-22111 after 12000-00001-00300-00000-11222")
        );
        let text = "11000-00001-00300-00020-11222";
        assert_eq!(after(text, "a1>"), board("02200-00002-00300-00010-22111"));
        // The hole goes to empty cells only, and may come back later.
        assert_eq!(
            after("11111-00000-00300-00000-22222", "c3<"),
            board("22222-00000-03000-00000-11111 after 11111-00000-00300-00000-22222")
        );
        // The second piece ends the game.
        let text = "12000-10000-01300-02000-12020";
        assert_eq!(after(text, "a1^xa1"), Next::Over(Outcome::Loss));
        assert_eq!(after("21000-10000-01300-02000-10022", "b1<xa1"), Next::Over(Outcome::Win));
    }

    /// Expected are the counts of a program over grids of characters that shares nothing with
    /// this one.
    #[test]
    fn perft_as_counted_independently() {
        let count = |undo, text: &str| {
            let game = game(undo);
            let state = game.parse(text).unwrap();
            [1, 2, 3, 4].map(|depth| perft(&game, &state, depth))
        };
        let start = "11111-00000-00300-00000-22222";
        assert_eq!(count(Undo::Allowed, start), [24, 573, 12182, 195_580]);
        assert_eq!(count(Undo::Exact, start), [24, 569, 11997, 189_102]);
        let middle = "02100-01200-10300-00210-00122";
        assert_eq!(count(Undo::Allowed, middle), [22, 462, 9164, 170_764]);
        assert_eq!(count(Undo::Exact, middle), [22, 457, 8895, 163_170]);
    }

    #[test]
    fn undoing_brings_back_the_board_and_nothing_else_does() {
        let game = game(Undo::Exact);
        let mut random = Random::new(1);
        let mut state = game.start();
        for _ in 0..20_000 {
            let mut moves = Vec::new();
            game.moves(&state, |mv| moves.push(mv));
            let mv = moves[random.below(moves.len() as u64) as usize];
            state = match game.play(&state, mv) {
                Next::Over(_) => game.start(),
                Next::Position(next) | Next::Again(next) => {
                    let back =
                        |mv: &Move| game.after(&next.board, *mv) == Next::Position(state.board);
                    let undoing: Vec<Move> = Ostle::all_moves(&next.board).filter(back).collect();
                    assert_eq!(undoing, Vec::from_iter(next.barred));
                    next
                }
            };
        }
    }
}
