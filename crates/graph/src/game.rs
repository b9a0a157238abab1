//! A graph as a game whose positions are numbered.

use kanzen_core::{
    Drawing, Endless, Game, Next, NotationError, Outcome, Piece, Side, Spot, SpotShape, Trace,
};
use kanzen_index::{Indexed, Place, Tier};
use std::sync::Arc;

/// Marks a move after which the same side moves again.
pub(crate) const AGAIN: u32 = 1 << 31;
/// Positions at the most.
pub(crate) const MOST: u64 = AGAIN as u64 - 1;

/// Whether the game is over in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    Open,
    Over(Outcome),
}

/// A game as a graph of positions.
#[derive(Clone, Debug)]
pub struct Graph(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    /// Where the moves of each position begin, and where they end.
    starts: Vec<u64>,
    moves: Vec<u32>,
    ends: Vec<Ends>,
    labels: Labels,
    start: u32,
    endless: Endless,
    /// The side to move, where somebody wins by endless play.
    sides: Vec<Side>,
    takes_turns: bool,
    tiers: [Tier; 1],
}

impl Graph {
    pub(crate) fn new(
        starts: Vec<u64>,
        moves: Vec<u32>,
        ends: Vec<Ends>,
        labels: Labels,
        start: u32,
    ) -> Graph {
        let tiers = [Tier::new("all", ends.len() as u64, true)];
        let takes_turns = moves.iter().all(|&mv| mv < AGAIN);
        let (endless, sides) = (Endless::Draw, Vec::new());
        Graph(Arc::new(Parts {
            starts,
            moves,
            ends,
            labels,
            start,
            endless,
            sides,
            takes_turns,
            tiers,
        }))
    }

    /// Says who wins by endless play, with the side to move of every position.
    pub(crate) fn won_by(&mut self, endless: Endless, sides: Vec<Side>) {
        if let Some(parts) = Arc::get_mut(&mut self.0) {
            (parts.endless, parts.sides) = (endless, sides);
        }
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> u64 {
        self.0.ends.len() as u64
    }

    /// The position in which the game starts.
    pub(crate) fn first(&self) -> u32 {
        self.0.start
    }

    pub(crate) fn end_of(&self, position: u32) -> Ends {
        self.0.ends[position as usize]
    }

    /// Where the moves of a position lead, with [`AGAIN`].
    pub(crate) fn moves_of(&self, position: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|next| self.0.starts[position as usize + next] as usize);
        &self.0.moves[start..end]
    }

    /// Whether a position has neither a move nor an outcome.
    pub(crate) fn is_stuck(&self, position: u32) -> bool {
        self.end_of(position) == Ends::Open && self.moves_of(position).is_empty()
    }

    /// What a position is called.
    pub(crate) fn label(&self, position: u32) -> String {
        match self.0.labels.get(position) {
            Some(label) => label.to_owned(),
            None => position.to_string(),
        }
    }
}

impl Game for Graph {
    type Position = u32;
    /// The number of a move among those of its position.
    type Move = u32;

    fn start(&self) -> u32 {
        self.0.start
    }

    fn over(&self, position: &u32) -> Option<Outcome> {
        match self.end_of(*position) {
            Ends::Over(outcome) => Some(outcome),
            Ends::Open => None,
        }
    }

    fn moves(&self, position: &u32, each: impl FnMut(u32)) {
        (0..self.moves_of(*position).len() as u32).for_each(each);
    }

    fn play(&self, position: &u32, mv: u32) -> Next<u32> {
        match self.moves_of(*position)[mv as usize] {
            to if to < AGAIN => Next::Position(to),
            to => Next::Again(to & !AGAIN),
        }
    }

    fn wins_at_once(&self, position: &u32) -> bool {
        self.moves_of(*position).iter().any(|&mv| match self.end_of(mv & !AGAIN) {
            Ends::Over(Outcome::Loss) => mv < AGAIN,
            Ends::Over(Outcome::Win) => mv >= AGAIN,
            _ => false,
        })
    }

    fn endless(&self) -> Endless {
        self.0.endless
    }

    fn mover(&self, position: &u32) -> Side {
        self.0.sides.get(*position as usize).copied().unwrap_or(Side::One)
    }

    fn takes_turns(&self) -> bool {
        self.0.takes_turns
    }

    fn parse(&self, text: &str) -> Result<u32, NotationError> {
        let text = text.trim();
        let found = if self.0.labels.is_empty() {
            text.parse().ok().filter(|&number: &u32| u64::from(number) < self.len())
        } else {
            self.0.labels.find(text)
        };
        found.ok_or_else(|| {
            let some = [0, self.len() as u32 - 1].map(|position| self.label(position));
            NotationError::shape(
                format!("a position of the graph, '{}' to '{}'", some[0], some[1]),
                text,
            )
        })
    }

    fn write(&self, position: &u32) -> String {
        self.label(*position)
    }

    /// A move is called by the position that it leads to; by its number, too, if that is not enough.
    fn write_move(&self, position: &u32, mv: u32) -> String {
        let moves = self.moves_of(*position);
        let to = moves[mv as usize];
        let name = self.label(to & !AGAIN);
        let name = if to >= AGAIN { format!("+{name}") } else { name };
        let alike = moves[..mv as usize].iter().filter(|&&other| other == to).count();
        if alike == 0 { name } else { format!("{name}#{}", alike + 1) }
    }

    /// A graph has no board: its position's name is all there is to see.
    fn draw(&self, position: &u32) -> Drawing {
        let turn = self.0.sides.get(*position as usize).copied();
        Drawing {
            spots: vec![Spot::new(0.0, 0.0, SpotShape::Point, "")],
            pieces: vec![Piece::new(0, turn.unwrap_or(Side::One), "")],
            caption: self.label(*position),
            turn: turn.filter(|side| *side != Side::Neutral),
            ..Drawing::default()
        }
    }

    fn trace(&self, _: &u32, _: u32) -> Trace {
        Trace { to: Some(0), ..Trace::default() }
    }
}

impl Indexed for Graph {
    const INDEX_VERSION: u32 = 1;

    fn tiers(&self) -> &[Tier] {
        &self.0.tiers
    }

    fn locate(&self, position: &u32) -> Place {
        Place { tier: 0, index: (*position).into() }
    }

    fn tier(&self, _: &u32) -> usize {
        0
    }

    fn position(&self, place: Place) -> Option<u32> {
        (place.index < self.len()).then_some(place.index as u32)
    }
}

/// The names of positions, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    text: String,
    /// Where each label ends.
    ends: Vec<u64>,
    /// The positions in the order of their labels.
    sorted: Vec<u32>,
}

impl Labels {
    pub(crate) fn push(&mut self, label: &str) {
        self.text.push_str(label);
        self.ends.push(self.text.len() as u64);
    }

    /// Makes it possible to find labels.
    pub(crate) fn sorted(mut self) -> Labels {
        let mut sorted: Vec<u32> = (0..self.ends.len() as u32).collect();
        sorted.sort_unstable_by_key(|&position| self.get(position));
        self.sorted = sorted;
        self
    }

    fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn get(&self, position: u32) -> Option<&str> {
        let position = position as usize;
        let end = *self.ends.get(position)? as usize;
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }

    fn find(&self, label: &str) -> Option<u32> {
        let found = self.sorted.binary_search_by_key(&Some(label), |&position| self.get(position));
        found.ok().map(|place| self.sorted[place])
    }
}
