//! The game behind the common interface: positions with the side to move, all moves (a capture of
//! the lion too), and the tables' index.

use super::index::{Domain, Index};
use super::kit::KIT;
use super::notation::{self, Style};
use super::piece::{BOARD, Square, squares};
use super::reach::Reach;
use super::rules::{Ending, Move, Options, PIECES, Position};
use super::scan::Team;
use super::sight::{first_look, is_stored, sight};
use super::unmoves::for_each_predecessor;
use kanzen_core::{
    Drawing, Game, Gesture, Kit, Next, NotationError, Outcome, Text, Touch, Trace, Value,
};
use kanzen_index::{FirstLook, Indexed, Place, Sight, Tier};
use std::io;
use std::sync::{Arc, LazyLock, OnceLock};

/// The two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The first player, at the bottom of the board; capital letters.
    Sente,
    /// The second player, at the top.
    Gote,
}

impl Side {
    /// The other player.
    pub fn other(self) -> Side {
        match self {
            Side::Sente => Side::Gote,
            Side::Gote => Side::Sente,
        }
    }
}

/// A position and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The player to move.
    pub turn: Side,
    /// The position as that player sees it.
    pub position: Position,
}

impl State {
    /// The square as Sente sees the board, which is how it is written.
    pub fn on_board(&self, square: Square) -> Square {
        match self.turn {
            Side::Sente => square,
            Side::Gote => square.turned(),
        }
    }
}

/// Doubutsu Shogi under its rules.
///
/// ```
/// use kanzen_core::{Game, perft};
/// use kanzen_doubutsu::{Doubutsu, Options};
///
/// let game = Doubutsu::new(Options { last_row_chick_drop: true, drops: true });
/// assert_eq!(game.write(&game.start()), "S/gle/-c-/-C-/ELG/-");
/// assert_eq!(perft(&game, &game.start(), 1), 4);
/// ```
#[derive(Clone)]
pub struct Doubutsu {
    options: Options,
    style: Style,
    index: Arc<Index>,
    tiers: [Tier; 1],
    /// What can arise from the start, once it was asked for.
    reach: Arc<OnceLock<Reach>>,
}

impl Doubutsu {
    /// The game with these rules.
    pub fn new(options: Options) -> Doubutsu {
        // It is the same under all rules.
        static INDEX: LazyLock<Arc<Index>> = LazyLock::new(|| Arc::new(Index::new(Domain::Open)));
        let index = Arc::clone(&INDEX);
        let tiers =
            [Tier { name: "open positions".to_owned(), size: index.len().into(), loops: true }];
        Doubutsu { options, style: Style::default(), index, tiers, reach: Arc::default() }
    }

    /// The same game written in another way.
    pub fn with_style(self, style: Style) -> Doubutsu {
        Doubutsu { style, ..self }
    }

    /// The rules.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The index over the open positions.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// What can arise from the start: searched once, and kept.
    pub fn reach(&self, team: Team<'_>) -> io::Result<&Reach> {
        match self.reach.get() {
            Some(reach) => Ok(reach),
            None => {
                let all = Index::new(Domain::All);
                let reach = Reach::new(&self.index, &all, &self.options, team)?;
                Ok(self.reach.get_or_init(|| reach))
            }
        }
    }
}

/// Symmetry 1 exchanges left and right, symmetry 2 the players, symmetry 3 both.
const MIRROR: usize = 1;
const EXCHANGE: usize = 2;

impl Game for Doubutsu {
    type Position = State;
    type Move = Move;

    fn start(&self) -> State {
        State { turn: Side::Sente, position: Position::start() }
    }

    /// The enemy's lion has reached the mover's camp and is safe; or the mover cannot move.
    #[inline]
    fn over(&self, state: &State) -> Option<Outcome> {
        let position = &state.position;
        let lost = match position.ending() {
            Some(Ending::WonAtOnce) => false,
            Some(Ending::LostAtOnce) => true,
            None => position.is_stuck(&self.options),
        };
        lost.then_some(Outcome::Loss)
    }

    #[inline]
    fn moves(&self, state: &State, mut each: impl FnMut(Move)) {
        if self.over(state).is_none() {
            lion_captures(&state.position, &mut each);
            state.position.for_each_move(&self.options, |played, _| each(played));
        }
    }

    fn play(&self, state: &State, played: Move) -> Next<State> {
        if matches!(played, Move::Step { to, .. } if to == state.position.enemy_lion()) {
            return Next::Over(Outcome::Win);
        }
        Next::Position(State { turn: state.turn.other(), position: state.position.after(played) })
    }

    #[inline]
    fn successors(&self, state: &State, mut each: impl FnMut(Next<State>)) {
        if self.over(state).is_none() {
            lion_captures(&state.position, |_| each(Next::Over(Outcome::Win)));
            let turn = state.turn.other();
            state.position.for_each_move(&self.options, |_, position| {
                each(Next::Position(State { turn, position }))
            });
        }
    }

    #[inline]
    fn wins_at_once(&self, state: &State) -> bool {
        state.position.ending() == Some(Ending::WonAtOnce)
    }

    fn passed(&self, state: &State) -> Option<State> {
        Some(State { turn: state.turn.other(), position: state.position.turned() })
    }

    fn symmetries(&self) -> usize {
        4
    }

    fn image(&self, state: &State, symmetry: usize) -> State {
        State {
            turn: if symmetry & EXCHANGE != 0 { state.turn.other() } else { state.turn },
            position: if symmetry & MIRROR != 0 {
                state.position.mirrored()
            } else {
                state.position
            },
        }
    }

    fn parse(&self, text: &str) -> Result<State, NotationError> {
        notation::parse(text)
    }

    fn write(&self, state: &State) -> String {
        match self.style.fen {
            true => notation::write_fen(state),
            false => notation::write(state),
        }
    }

    fn examples(&self) -> Vec<String> {
        let start = self.start();
        vec![notation::write(&start), notation::write_fen(&start)]
    }

    fn write_move(&self, state: &State, played: Move) -> String {
        match self.style.japanese {
            true => notation::write_move_in_japanese(state, played),
            false => notation::write_move(state, played),
        }
    }

    fn draw(&self, state: &State) -> Drawing {
        notation::draw(state)
    }

    fn trace(&self, state: &State, played: Move) -> Trace {
        let spot = |square| usize::from(state.on_board(square).number());
        match played {
            Move::Step { from, to } => {
                Trace { from: Some(spot(from)), to: Some(spot(to)), also: Vec::new() }
            }
            Move::Drop { to, .. } => Trace { from: None, to: Some(spot(to)), also: Vec::new() },
        }
    }

    /// A drop begins with the piece in hand.
    fn gesture(&self, state: &State, played: Move) -> Gesture {
        let mut gesture = Gesture::from(&self.trace(state, played));
        if let Move::Drop { kind, .. } = played {
            let hand = if state.turn == Side::Sente { 1 } else { 0 };
            let label = notation::letter_of(kind, state.turn).to_string();
            gesture.touches.insert(0, Touch::Hand { hand, label });
        }
        gesture
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        Some(notation::compose(drawing))
    }
}

/// Calls `each` with the moves that capture the lion.
#[inline]
fn lion_captures(position: &Position, mut each: impl FnMut(Move)) {
    let to = position.enemy_lion();
    for piece in [0, 2, 3, 4, 5, 6, 7] {
        let place = position.place(piece);
        if PIECES[piece].attacks(place) & BOARD & to.bit() != 0 {
            squares(place.bit()).for_each(|from| each(Move::Step { from, to }));
        }
    }
}

impl Indexed for Doubutsu {
    const INDEX_VERSION: u32 = 1;
    const UNMOVES: bool = true;
    const FAR_SIGHT: bool = true;

    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    #[inline]
    fn tier(&self, _: &State) -> usize {
        0
    }

    fn has_place(&self, state: &State) -> bool {
        self.index.rank(&state.position).is_some()
    }

    #[inline]
    fn tier_title(&self, tier: usize) -> Text {
        Text::new(self.tiers[tier].name.as_str(), "続く局面")
    }

    #[inline(always)]
    fn locate(&self, state: &State) -> Place {
        Place { tier: 0, index: self.index.rank_inside(&state.position).into() }
    }

    #[inline]
    fn position(&self, place: Place) -> Option<State> {
        let number = u32::try_from(place.index).ok().filter(|&number| number < self.index.len())?;
        Some(State { turn: Side::Sente, position: self.index.unrank(number) })
    }

    #[inline(always)]
    fn positions(
        &self,
        _: usize,
        indices: impl Iterator<Item = u64>,
        mut each: impl FnMut(u64, State),
    ) {
        let mut block = 0;
        let mut view = self.index.block(block);
        for index in indices {
            let number = index as u32;
            if !view.contains(number) {
                block = self.index.block_number_from(block, number);
                view = self.index.block(block);
            }
            let position = view.position((number - view.start) as usize);
            each(index, State { turn: Side::Sente, position });
        }
    }

    #[inline(always)]
    fn sight(&self, state: &State) -> Sight {
        sight(&self.options, &state.position)
    }

    #[inline(always)]
    fn is_stored(&self, state: &State, value: Value) -> bool {
        is_stored(&self.options, &state.position, value)
    }

    #[inline(always)]
    fn first_look(&self, state: &State) -> Option<FirstLook> {
        Some(first_look(&self.options, &state.position))
    }

    #[inline]
    fn orbit(&self, state: &State) -> u32 {
        let in_middle = |square: Square| square.column() == 1;
        let position = &state.position;
        let may_be_symmetric = in_middle(position.own_lion()) && in_middle(position.enemy_lion());
        if may_be_symmetric && position.is_symmetric() { 2 } else { 4 }
    }

    #[inline(always)]
    fn predecessors(&self, state: &State, mut each: impl FnMut(State)) {
        let turn = state.turn.other();
        for_each_predecessor(&state.position, &self.options, |position| {
            each(State { turn, position })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::perft;

    #[test]
    fn perft_from_the_start() {
        let game = Doubutsu::new(Options::default());
        let counts = [4, 17, 123, 976, 8_122, 71_677];
        for (depth, expected) in (1..).zip(counts) {
            assert_eq!(perft(&game, &game.start(), depth), expected, "depth {depth}");
        }
    }
}
