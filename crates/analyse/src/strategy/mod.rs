//! A small winning strategy as a graph: every position is answered once, however often it arises.
//!
//! Its size is the number of positions that the winner has to know an answer to. The smallest is hard
//! to find. Where a strategy is small, all others are searched, and it is the smallest (`exact.rs`);
//! otherwise it is a good one with a bound below.
//!
//! It begins with all that can arise if the winner plays its quickest moves (`graph.rs`). The answers
//! are chosen so that positions which others need anyway are used again (`choice.rs`). Then all but
//! the strategy is forgotten, slower moves of the winner are added that bring few new positions, and
//! the answers are chosen anew.

mod choice;
mod exact;
mod graph;

use crate::Atlas;
use exact::Web;
use graph::Graph;
use kanzen_core::{Next, Value};
use kanzen_index::{Indexed, Place};
use kanzen_solve::Progress;
use rustc_hash::FxBuildHasher;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

/// A winning strategy.
pub struct Strategy<G: Indexed> {
    /// The positions with the winner to move (unless they are easily won), and its moves.
    pub answers: HashMap<Place, (G::Position, G::Move)>,
    /// The positions with the loser to move.
    pub lost: HashSet<Place>,
    /// No strategy has fewer answers.
    pub least: u64,
}

/// How often answers are chosen, each time but the first with slower moves.
const ROUNDS: usize = 3;

impl<G: Indexed> Atlas<'_, G> {
    /// A small strategy for the winner of a position; none if it is neither won nor lost. Positions
    /// that are won within `look` plies need no answer; `look` is at least 1.
    pub fn strategy(
        &self,
        root: &G::Position,
        look: u16,
        progress: &dyn Progress,
    ) -> Option<Strategy<G>> {
        let value = self.value(root);
        if matches!(value.forced(), Value::Draw(_)) {
            return None;
        }
        let field = Field { atlas: self, look };
        let mut answers = HashMap::new();
        if field.key(root, value).is_some() {
            progress.begin("looking for a small strategy", (ROUNDS * choice::TURNS) as u64);
            let mut graph = Graph::new(field, progress);
            graph.add_root(root);
            for round in 0..ROUNDS {
                if round > 0 {
                    graph.keep_only(answers.keys().chain(answers.values()).copied());
                    graph.add_slower_moves(round % 2 == 0);
                }
                graph.link();
                let chosen = choice::choose(&graph, progress);
                if round == 0 || chosen.len() < answers.len() {
                    answers = chosen;
                }
            }
            progress.end();
        }
        let mut web = Web::new(field, root);
        let mut least = web.least();
        if let Some(smallest) = web.smallest(answers.len()) {
            least = smallest.as_ref().map_or(answers.len(), HashMap::len);
            answers = smallest.unwrap_or(answers);
        }
        Some(field.strategy(&answers, root, least as u64))
    }
}

/// Answers: where each position of the winner leads to.
type Answers = HashMap<Key, Key>;

/// The positions that may be in a strategy.
struct Field<'a, 'g, G> {
    atlas: &'a Atlas<'g, G>,
    look: u16,
}

impl<G> Clone for Field<'_, '_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Field<'_, '_, G> {}

impl<G: Indexed> Field<'_, '_, G> {
    /// The key of a position that belongs to a strategy: not one that is easily won, or over.
    fn key(&self, position: &G::Position, value: Value) -> Option<Key> {
        match value.forced() {
            Value::Draw(_) | Value::Loss(0) => None,
            Value::Win(plies) if plies <= self.look => None,
            _ => self.atlas.place(position).map(Key::of),
        }
    }

    /// Calls `each` with the winner's moves as [`winning_moves`](Field::winning_moves) does, where it
    /// matters which is chosen: not if after the quickest nothing needs an answer.
    fn choices(&self, position: &G::Position, each: impl FnMut(G::Move, G::Position, Key, u16)) {
        let is_settled = |plies| plies <= self.look.saturating_add(2);
        if !matches!(self.atlas.value(position), Value::Win(plies) if is_settled(plies)) {
            self.winning_moves(position, each);
        }
    }

    /// Calls `each` with the winner's moves that keep the win and go on, with the positions and the
    /// plies that they lead to.
    fn winning_moves(
        &self,
        position: &G::Position,
        mut each: impl FnMut(G::Move, G::Position, Key, u16),
    ) {
        let game = self.atlas.game();
        game.moves(position, |mv| {
            if let Next::Position(child) = game.play(position, mv)
                && let value @ Value::Loss(plies) = self.atlas.value(&child)
                && let Some(key) = self.key(&child, value)
            {
                each(mv, child, key, plies);
            }
        });
    }

    /// Calls `each` with the positions that the loser's moves lead to and that need an answer.
    fn replies(&self, position: &G::Position, mut each: impl FnMut(G::Position, Key)) {
        self.atlas.game().successors(position, |next| {
            if let Next::Position(child) = next
                && let Some(key) = self.key(&child, self.atlas.value(&child))
            {
                each(child, key);
            }
        });
    }

    fn position(&self, key: Key) -> Option<G::Position> {
        self.atlas.game().position(key.place())
    }

    /// The strategy that answers make.
    fn strategy(&self, answers: &Answers, root: &G::Position, least: u64) -> Strategy<G> {
        let mut strategy = Strategy { answers: HashMap::new(), lost: HashSet::new(), least };
        for (&own, &answer) in answers {
            let Some(position) = self.position(own) else { continue };
            strategy.lost.insert(answer.place());
            self.winning_moves(&position, |mv, _, child, _| {
                if child == answer {
                    strategy.answers.insert(own.place(), (position, mv));
                }
            });
        }
        if let Value::Loss(1..) = self.atlas.value(root) {
            strategy.lost.extend(self.atlas.place(root));
        }
        strategy
    }
}

/// A place in 64 bits: there are many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key(u64);

impl Key {
    const TIERS: u64 = 1 << 16;

    fn hash(self) -> u64 {
        FxBuildHasher.hash_one(self)
    }

    fn of(place: Place) -> Key {
        Key(place.index * Key::TIERS + place.tier as u64)
    }

    fn place(self) -> Place {
        Place { tier: (self.0 % Key::TIERS) as usize, index: self.0 / Key::TIERS }
    }
}
