//! Many positions at once, without a word for each: what arrays and data sets are made of.
//!
//! Positions are known by *numbers*: the places of all tiers in a row, the first tier's first.

use crate::GameError;
use crate::two_player::{SolvedGame, parse};
use kanzen_core::{Cells, Game, NotationError, Value};
use kanzen_index::{Indexed, Place, Tier, with_fast_bits};
use kanzen_solve::HOLE;

/// A solved game whose positions are numbered.
pub trait Arrays: Send + Sync {
    /// The tiers, in the order of their numbers.
    fn tiers(&self) -> &[Tier];

    /// What the bytes of a board mean.
    fn cells(&self) -> Cells;

    /// Writes the codes of the values at some numbers, [`HOLE`] where a number stands for nothing.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn values(&self, numbers: &[u64], codes: &mut [u16]) -> Result<(), GameError>;

    /// The codes of the values of some positions.
    ///
    /// # Errors
    /// If a position cannot be read, or has no value.
    fn values_of(&self, positions: &Positions<'_>) -> Result<Vec<u16>, RowError>;

    /// The numbers of some positions.
    ///
    /// # Errors
    /// If a position cannot be read, or has no place in the table.
    fn locate(&self, positions: &Positions<'_>) -> Result<Vec<u64>, RowError>;

    /// What is wanted of the positions at some numbers; those that stand for nothing are left out.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn rows(
        &self,
        numbers: &mut dyn Iterator<Item = u64>,
        wanted: Wanted,
    ) -> Result<Rows, GameError>;
}

/// Positions that somebody gives.
#[derive(Clone, Copy, Debug)]
pub enum Positions<'a> {
    /// As the game writes them.
    Texts(&'a [String]),
    /// As bytes, one board after the other, as [`Cells`] says.
    Boards(&'a [u8]),
}

/// Why one of many positions was refused.
#[derive(Debug, thiserror::Error)]
#[error("row {row}: {error}")]
pub struct RowError {
    /// Its number among them, from 0.
    pub row: usize,
    /// Why.
    #[source]
    pub error: GameError,
}

/// What is wanted of each position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Its value.
    pub value: bool,
    /// The number of its images.
    pub orbit: bool,
    /// The number of its moves, and how many of them are best.
    pub moves: bool,
    /// Its notation.
    pub text: bool,
    /// Its board.
    pub board: bool,
}

/// Facts of some positions, column by column; columns that were not wanted are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Their numbers.
    pub numbers: Vec<u64>,
    /// The codes of their values.
    pub codes: Vec<u16>,
    /// How many images they have.
    pub orbits: Vec<u32>,
    /// How many moves they have.
    pub moves: Vec<u16>,
    /// How many of these are best.
    pub best: Vec<u16>,
    /// Their notation, one after the other.
    pub text: String,
    /// Where the notation of each ends.
    pub ends: Vec<usize>,
    /// Their boards, one after the other.
    pub boards: Vec<u8>,
}

impl Rows {
    /// The notation of each position.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.text[start..end])
    }
}

/// The tier and index of a number; none if there is none.
pub fn place(tiers: &[Tier], number: u64) -> Option<Place> {
    let mut index = number;
    let tier = tiers.iter().position(|tier| {
        let inside = index < tier.size;
        index -= if inside { 0 } else { tier.size };
        inside
    })?;
    Some(Place { tier, index })
}

/// The number of a place.
pub fn number(tiers: &[Tier], place: Place) -> u64 {
    tiers[..place.tier].iter().map(|tier| tier.size).sum::<u64>() + place.index
}

impl<S: SolvedGame> Arrays for S
where
    S::Game: Indexed,
{
    fn tiers(&self) -> &[Tier] {
        self.game().tiers()
    }

    fn cells(&self) -> Cells {
        let game = self.game();
        Cells::new(&game.draw(&game.start()), game.kit())
    }

    fn values(&self, numbers: &[u64], codes: &mut [u16]) -> Result<(), GameError> {
        let game = self.game();
        with_fast_bits(|| {
            for (&number, code) in numbers.iter().zip(codes) {
                let place = place(game.tiers(), number);
                *code = match place.and_then(|place| game.position(place)) {
                    Some(position) => self.value(&position)?.code(),
                    None => HOLE,
                };
            }
            Ok(())
        })
    }

    fn values_of(&self, positions: &Positions<'_>) -> Result<Vec<u16>, RowError> {
        each(self.game(), positions, |position| Ok(self.value(&position)?.code()))
    }

    fn locate(&self, positions: &Positions<'_>) -> Result<Vec<u64>, RowError> {
        let game = self.game();
        each(game, positions, |position| {
            if game.has_place(&position) {
                return Ok(number(game.tiers(), game.locate(&position)));
            }
            let text = game.write(&position);
            Err(GameError::NoAnswer(format!("{text} has no place in the table")))
        })
    }

    fn rows(
        &self,
        numbers: &mut dyn Iterator<Item = u64>,
        wanted: Wanted,
    ) -> Result<Rows, GameError> {
        let game = self.game();
        let cells = self.cells();
        let mut rows = Rows::default();
        with_fast_bits(|| {
            for number in numbers {
                let Some(position) =
                    place(game.tiers(), number).and_then(|place| game.position(place))
                else {
                    continue;
                };
                rows.numbers.push(number);
                if wanted.value {
                    rows.codes.push(self.value(&position)?.code());
                }
                if wanted.orbit {
                    rows.orbits.push(game.orbit(&position));
                }
                if wanted.moves {
                    let (all, best) = count_moves(self, &position)?;
                    rows.moves.push(all);
                    rows.best.push(best);
                }
                if wanted.text {
                    rows.text += &game.write(&position);
                    rows.ends.push(rows.text.len());
                }
                if wanted.board {
                    let start = rows.boards.len();
                    rows.boards.resize(start + cells.count(), 0);
                    write_board(game, &cells, &position, &mut rows.boards[start..]);
                }
            }
            Ok(rows)
        })
    }
}

/// The number of moves of a position, and of those that are as good as the best.
fn count_moves<S: SolvedGame>(
    solved: &S,
    position: &<S::Game as Game>::Position,
) -> Result<(u16, u16), GameError> {
    let mut values: Vec<Value> = Vec::new();
    let mut failed = None;
    solved.game().successors(position, |next| match solved.move_value(next) {
        Ok(value) => values.push(value),
        Err(error) => failed = Some(error),
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let order = kanzen_core::Best::new(solved.game(), position);
    let best = values.iter().copied().max_by(|&a, &b| order.compare(a, b));
    let count = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let best = values.iter().filter(|&&value| Some(value) == best).count();
    Ok((count(values.len()), count(best)))
}

fn write_board<G: Game>(game: &G, cells: &Cells, position: &G::Position, bytes: &mut [u8]) {
    match game.sets(position) {
        Some((mine, theirs)) => {
            for (spot, byte) in bytes.iter_mut().enumerate() {
                *byte = (mine >> spot & 1 | (theirs >> spot & 1) << 1) as u8;
            }
        }
        None => cells.write(&game.draw(position), bytes),
    }
}

/// Does something with each of the positions.
fn each<G: Indexed, T>(
    game: &G,
    positions: &Positions<'_>,
    mut what: impl FnMut(G::Position) -> Result<T, GameError>,
) -> Result<Vec<T>, RowError> {
    let at = |row: usize| move |error: GameError| RowError { row, error };
    match positions {
        Positions::Texts(texts) => {
            let rows = texts.iter().enumerate();
            rows.map(|(row, text)| {
                let position = parse(game, text);
                position.and_then(&mut what).map_err(at(row))
            })
            .collect()
        }
        Positions::Boards(bytes) => {
            let cells = Cells::new(&game.draw(&game.start()), game.kit());
            let simple = game.with_sets(0, 0).is_some();
            let boards = bytes.chunks(cells.count().max(1)).enumerate();
            with_fast_bits(|| {
                boards
                    .map(|(row, board)| {
                        let position = if simple {
                            read_sets(game, &cells, board)
                        } else {
                            read_board(game, &cells, board)
                        };
                        position.and_then(&mut what).map_err(at(row))
                    })
                    .collect()
            })
        }
    }
}

/// The position of a board of two kinds of pieces: a bit for each spot, without a branch.
#[inline]
fn read_sets<G: Game>(game: &G, cells: &Cells, board: &[u8]) -> Result<G::Position, GameError> {
    let (mut mine, mut theirs, mut known) = (0, 0, board.len() == cells.count());
    for (spot, &byte) in board.iter().enumerate().take(32) {
        mine |= u32::from(byte & 1) << spot;
        theirs |= u32::from(byte >> 1 & 1) << spot;
        known &= byte < 3;
    }
    match game.with_sets(mine, theirs).filter(|_| known) {
        Some(position) => position.map_err(|error| GameError::misread(game, error)),
        None => Err(unreadable(game, board)),
    }
}

fn read_board<G: Game>(game: &G, cells: &Cells, board: &[u8]) -> Result<G::Position, GameError> {
    let drawing = cells.read(board).ok_or_else(|| unreadable(game, board))?;
    let text = game.compose(&drawing).ok_or_else(|| {
        GameError::NoAnswer("boards of this game cannot be read from bytes".to_owned())
    })?;
    parse(game, &text)
}

fn unreadable<G: Game>(game: &G, board: &[u8]) -> GameError {
    let error = NotationError::shape("a board of the game's cells", &format!("{board:?}"));
    GameError::misread(game, error)
}
