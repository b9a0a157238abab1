//! The board as a drawing: one model for the terminal, for SVG and for the web.
//!
//! A game places its spots on a grid of units, says which are joined by lines and what stands on
//! them. Marks are added by whoever shows the board: the last move, the values of moves.

use crate::{Outcome, Verdict};

/// Who owns a piece, as a colour and a shape rather than a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side to move, or the first player.
    One,
    /// The other side, or the second player.
    Two,
    /// The third player.
    Three,
    /// Nobody: a neutral piece.
    Neutral,
}

impl Side {
    /// The number of the player: 1, 2 or 3; 0 for nobody.
    ///
    /// ```
    /// use kanzen_core::Side;
    /// assert_eq!(Side::of_number(Side::Two.number()), Side::Two);
    /// ```
    pub fn number(self) -> u8 {
        match self {
            Side::One => 1,
            Side::Two => 2,
            Side::Three => 3,
            Side::Neutral => 0,
        }
    }

    /// The other of two players; anybody else stays.
    pub fn other(self) -> Side {
        match self {
            Side::One => Side::Two,
            Side::Two => Side::One,
            other => other,
        }
    }

    /// The player of a number; nobody for any other.
    pub fn of_number(number: u8) -> Side {
        match number {
            1 => Side::One,
            2 => Side::Two,
            3 => Side::Three,
            _ => Side::Neutral,
        }
    }
}

/// The look of an empty spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpotShape {
    /// A square cell.
    Cell,
    /// A large round hole.
    Hole,
    /// A small round hole.
    SmallHole,
    /// A point where lines meet.
    Point,
    /// A place beyond the edge, seen only where a move leads to it.
    Outside,
}

/// A place for a piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Distance from the left edge, in units.
    pub x: f32,
    /// Distance from the top edge, in units.
    pub y: f32,
    /// Its look.
    pub shape: SpotShape,
    /// Its name in the notation of moves.
    pub name: String,
}

impl Spot {
    /// A spot at a place.
    pub fn new(x: f32, y: f32, shape: SpotShape, name: impl ToString) -> Spot {
        Spot { x, y, shape, name: name.to_string() }
    }
}

/// A piece on a spot.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The number of its spot.
    pub spot: usize,
    /// Its owner.
    pub side: Side,
    /// The letter or digit written on it.
    pub label: String,
}

impl Piece {
    /// A plain piece with a letter or digit.
    pub fn new(spot: usize, side: Side, label: impl ToString) -> Piece {
        Piece { spot, side, label: label.to_string() }
    }
}

/// Pieces that a player holds off the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// Whose they are.
    pub side: Side,
    /// Their labels.
    pub pieces: Vec<String>,
}

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tint {
    /// A spot touched by the last move.
    LastMove,
    /// The value of moving there, for the mover.
    Value(Verdict),
}

impl Tint {
    /// The sign that stands for the tint where colour does not: never colour alone.
    pub fn sign(self) -> &'static str {
        match self {
            Tint::LastMove => "*",
            Tint::Value(verdict) => match verdict.value {
                Outcome::Win => "+",
                Outcome::Draw => "=",
                Outcome::Loss => "-",
            },
        }
    }

    /// How strongly it is painted: fainter for a slower win and for a faster loss.
    pub fn strength(self) -> f32 {
        match self {
            Tint::LastMove => 1.0,
            Tint::Value(Verdict { value, plies }) => {
                let plies = f32::from(plies.unwrap_or(0).min(100)) / 100.0;
                match value {
                    Outcome::Win => 1.0 - 0.6 * plies,
                    Outcome::Draw => 1.0,
                    Outcome::Loss => 0.4 + 0.6 * plies,
                }
            }
        }
    }
}

/// A highlighted spot.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The number of the spot.
    pub spot: usize,
    /// What the mark means.
    pub tint: Tint,
}

/// The spots that a move leaves, reaches and changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Where the moved piece came from, if it was on the board.
    pub from: Option<usize>,
    /// Where it went, unless the move is a pass.
    pub to: Option<usize>,
    /// Other spots that change: captures, pushes, relocations.
    pub also: Vec<usize>,
}

impl Trace {
    /// A piece goes from one spot to another, and nothing else changes.
    pub fn step(from: usize, to: usize) -> Trace {
        Trace { from: Some(from), to: Some(to), also: Vec::new() }
    }
}

/// A board with everything on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// All places for pieces.
    pub spots: Vec<Spot>,
    /// Pairs of spots joined by a line.
    pub lines: Vec<(usize, usize)>,
    /// The pieces on the board; of those on one spot, the last is on top.
    pub pieces: Vec<Piece>,
    /// The pieces off the board, top first.
    pub hands: Vec<Hand>,
    /// Highlighted spots.
    pub marks: Vec<Mark>,
    /// A line of text below the board.
    pub caption: String,
    /// The side to move. None if the mover is always [`Side::One`], so that the sides change
    /// places with every ply.
    pub turn: Option<Side>,
}

impl Drawing {
    /// An empty board of square cells, row by row from the top left: `a1`, `b1`, …
    ///
    /// ```
    /// let board = kanzen_core::Drawing::cells(3, 4);
    /// assert_eq!((board.spots.len(), &*board.spots[5].name), (12, "c2"));
    /// ```
    pub fn cells(columns: u8, rows: u8) -> Drawing {
        let spot = |row: u8, column: u8| {
            let name = format!("{}{}", char::from(b'a' + column), row + 1);
            Spot::new(column.into(), row.into(), SpotShape::Cell, name)
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| spot(row, column)));
        Drawing { spots: cells.collect(), ..Drawing::default() }
    }

    /// Highlights the spots of the last move.
    pub fn mark_last_move(&mut self, trace: &Trace) {
        let spots = trace.from.iter().chain(&trace.to).chain(&trace.also);
        self.marks.extend(spots.map(|&spot| Mark { spot, tint: Tint::LastMove }));
    }

    /// The board after a move of the side to move, as far as its trace tells: for moves that end
    /// the game and lead to no position.
    ///
    /// ```
    /// use kanzen_core::{Drawing, Piece, Side, Trace};
    /// let mut board = Drawing::cells(2, 1);
    /// board.pieces.push(Piece::new(0, Side::One, 1));
    /// assert_eq!(board.after(&Trace::step(0, 1)).pieces[0].spot, 1);
    /// ```
    pub fn after(&self, trace: &Trace) -> Drawing {
        let mut after = self.clone();
        let Some(to) = trace.to else { return after };
        let mover = self.turn.unwrap_or(Side::One);
        after.pieces.retain(|piece| piece.spot != to);
        match trace.from {
            Some(from) => {
                let moved = after.pieces.iter_mut().filter(|piece| piece.spot == from);
                moved.for_each(|piece| piece.spot = to);
            }
            None => {
                let like = self.pieces.iter().find(|piece| piece.side == mover);
                let label = like.map_or("1".to_owned(), |piece| piece.label.clone());
                after.pieces.push(Piece::new(to, mover, label));
            }
        }
        after
    }

    /// Marks the target of each move with its value; the best value wins where moves share one.
    /// Moves are given best first.
    pub fn mark_values<'t>(&mut self, moves: impl IntoIterator<Item = (&'t Trace, Verdict)>) {
        for (trace, verdict) in moves {
            let Some(spot) = trace.to else { continue };
            let marked = |mark: &Mark| mark.spot == spot && mark.tint != Tint::LastMove;
            if !self.marks.iter().any(marked) {
                self.marks.push(Mark { spot, tint: Tint::Value(verdict) });
            }
        }
    }
}
