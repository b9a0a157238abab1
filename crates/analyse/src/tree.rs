//! The smallest proof tree of a decided position.
//!
//! A proof tree has one move of the winner and all moves of the loser. Its size counts positions,
//! as often as they occur and mirror images too:
//! T(win in 1) = T(game over) = 1, T(win) = 1 + min over the moves that keep the win, T(loss) =
//! 1 + sum over all moves. The minimum is found depth first with a budget for each position, as in
//! proof-number search: what is known is a bound below, which grows with every look, until it is
//! the size. As every position costs one, the search ends even where moves go in circles.

use crate::notes::{Known, Notes};
use crate::{Atlas, ValueError};
use kanzen_core::{Best, Next, Value};
use kanzen_index::{Indexed, Place};
use kanzen_solve::Progress;
use std::collections::HashMap;

/// Room for the recursion, which goes as deep as a tree is high.
const STACK: usize = 1 << 30;

/// The size of a smallest proof tree, or what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeSize {
    /// It has this many positions.
    Exactly(u64),
    /// It has more than this: the search was given up.
    MoreThan(u64),
}

/// A smallest proof tree.
pub struct ProofTree<G: Indexed> {
    /// Its size.
    pub size: TreeSize,
    /// Positions that the search looked into.
    pub looks: u64,
    /// The winner's move in each position of the tree, if the size is known.
    pub moves: HashMap<Place, G::Move>,
}

impl<G: Indexed> Atlas<'_, G> {
    /// The smallest proof tree of a won or lost position; gives up after looking into `most`
    /// positions. None if the position is neither won nor lost.
    ///
    /// # Errors
    /// If a value on the way does not follow from those of its moves.
    pub fn proof_tree(
        &self,
        root: &G::Position,
        most: u64,
        progress: &dyn Progress,
    ) -> Result<Option<ProofTree<G>>, ValueError> {
        if matches!(self.value(root).forced(), Value::Draw(_)) {
            return Ok(None);
        }
        std::thread::scope(|scope| {
            let work = || {
                Prover { atlas: self, known: Notes::default(), looks: 0, most, wrong: None }
                    .prove(root, progress)
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            match thread.map(|thread| thread.join()) {
                Ok(Ok(proved)) => proved.map(Some),
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(_) => Ok(None),
            }
        })
    }
}

struct Prover<'a, 'g, G: Indexed> {
    atlas: &'a Atlas<'g, G>,
    known: Notes,
    looks: u64,
    most: u64,
    /// A position whose value is wrong: then nothing is looked into any more.
    wrong: Option<G::Position>,
}

/// A position after a move, up to symmetry.
struct Child<P> {
    position: P,
    place: Place,
    value: Value,
    /// How many moves lead to it.
    moves: u64,
    known: Known,
}

impl<G: Indexed> Prover<'_, '_, G> {
    fn prove(
        mut self,
        root: &G::Position,
        progress: &dyn Progress,
    ) -> Result<ProofTree<G>, ValueError> {
        let value = self.atlas.value(root);
        let mut budget = plies(value);
        progress.begin("searching for the smallest proof tree", 0);
        let size = loop {
            progress.note(&format!("trees of more than {budget} positions"));
            let known = self.look(root, value, budget);
            if known.exact {
                break TreeSize::Exactly(known.least);
            }
            if self.stops() {
                break TreeSize::MoreThan(known.least.saturating_sub(1));
            }
            budget = known.least.saturating_add(known.least / 4);
        };
        progress.end();
        if let Some(wrong) = self.wrong {
            return Err(ValueError::Contradiction(self.atlas.game().write(&wrong)));
        }
        let mut moves = HashMap::new();
        if matches!(size, TreeSize::Exactly(_)) {
            self.collect(root, value, &mut moves);
        }
        Ok(ProofTree { size, looks: self.looks, moves })
    }

    /// Whether to look no further.
    fn stops(&self) -> bool {
        self.looks > self.most || self.wrong.is_some()
    }

    /// Learns the size of a smallest tree, or that it exceeds the budget.
    fn look(&mut self, position: &G::Position, value: Value, budget: u64) -> Known {
        let place = self.atlas.place(position);
        let known = self.known(place, value);
        if known.exact || known.least > budget || self.stops() {
            return known;
        }
        self.looks += 1;
        let known = match value {
            Value::Win(_) => self.look_at_win(position, value, budget),
            _ => self.look_at_loss(position, value, budget),
        };
        if let Some(place) = place {
            self.known.insert(place, known);
        }
        known
    }

    /// What is known without a look: a tree is at least as high as the game takes.
    fn known(&self, place: Option<Place>, value: Value) -> Known {
        let exact = matches!(value, Value::Win(0 | 1) | Value::Loss(0));
        let known = place.and_then(|place| self.known.get(place));
        known.unwrap_or(Known { least: plies(value), exact })
    }

    /// The winner's moves: the most promising one is looked into until another is more so.
    fn look_at_win(&mut self, position: &G::Position, value: Value, budget: u64) -> Known {
        let is_lost = |value| matches!(value, Value::Loss(_));
        let (_, mut children) = self.children(position, value, is_lost);
        for child in &mut children {
            if self.known.get(child.place).is_none() {
                child.known.least = child.known.least.max(1 + self.moves(&child.position));
                self.known.insert(child.place, child.known);
            }
        }
        loop {
            children.sort_by_key(|child| (child.known.least, !child.known.exact));
            let Some((best, others)) = children.split_first_mut() else {
                // Not so in a right table: a win has a move that keeps it.
                return Known { least: u64::MAX, exact: false };
            };
            let Known { least, exact } = best.known;
            if exact || least >= budget || self.stops() {
                return Known { least: least.saturating_add(1), exact };
            }
            let rival = others.first().map_or(budget, |other| other.known.least);
            let limit = rival.max(least + least / 4).min(budget - 1);
            best.known = self.look(&best.position, best.value, limit);
        }
    }

    /// All of the loser's moves: the smallest tree that is not known is looked into, a bit
    /// further each time, until all are known or they are too many.
    fn look_at_loss(&mut self, position: &G::Position, value: Value, budget: u64) -> Known {
        let (ended, mut children) = self.children(position, value, |_| true);
        loop {
            let size = children.iter().map(|child| child.moves.saturating_mul(child.known.least));
            let size = size.fold(1 + ended, u64::saturating_add);
            let next = children
                .iter_mut()
                .filter(|child| !child.known.exact)
                .min_by_key(|child| child.known.least);
            let Some(child) = next else { return Known { least: size, exact: true } };
            if size > budget || self.stops() {
                return Known { least: size, exact: false };
            }
            let spare = ((budget - size) / child.moves).min(child.known.least);
            let limit = child.known.least.saturating_add(spare);
            child.known = self.look(&child.position, child.value, limit);
        }
    }

    fn moves(&self, position: &G::Position) -> u64 {
        let mut moves = 0;
        self.atlas.game().successors(position, |_| moves += 1);
        moves
    }

    /// The number of moves after which the game is over or won at once, and the positions after
    /// the others, if their value is wanted.
    fn children(
        &mut self,
        position: &G::Position,
        value: Value,
        wanted: impl Fn(Value) -> bool,
    ) -> (u64, Vec<Child<G::Position>>) {
        let (mut ended, mut children) = (0, Vec::new());
        let mut best = Best::new(self.atlas.game(), position);
        self.atlas.game().successors(position, |next| {
            let mut of_child = Value::OPEN;
            best.see(next.value(|child| {
                of_child = self.atlas.value(&child);
                of_child
            }));
            let Next::Position(child) = next else {
                ended += 1;
                return;
            };
            let value = of_child.forced();
            if !wanted(value) {
                return;
            }
            match self.atlas.place(&child) {
                Some(place) if !matches!(value, Value::Win(0 | 1) | Value::Loss(0)) => {
                    let known = self.known(Some(place), value);
                    children.push(Child { position: child, place, value, moves: 1, known });
                }
                _ => ended += 1,
            }
        });
        if best.value().map(Value::forced) != Some(value.forced()) {
            self.wrong = Some(*position);
        }
        children.sort_by_key(|child| child.place);
        children.dedup_by(|next, kept| {
            let same = next.place == kept.place;
            kept.moves += if same { next.moves } else { 0 };
            same
        });
        (ended, children)
    }

    /// The winner's moves in the tree below a position whose size is known.
    fn collect(&self, position: &G::Position, value: Value, moves: &mut HashMap<Place, G::Move>) {
        let game = self.atlas.game();
        let known = |position: &G::Position, value| self.known(self.atlas.place(position), value);
        // Nothing was looked into below: a table that lies may have it go on in circles.
        if matches!(value, Value::Win(0) | Value::Loss(0)) {
            return;
        }
        if let Value::Loss(_) = value {
            game.successors(position, |next| {
                if let Next::Position(child) = next {
                    self.collect(&child, self.atlas.value(&child), moves);
                }
            });
            return;
        }
        let Some(place) = self.atlas.place(position).filter(|place| !moves.contains_key(place))
        else {
            return;
        };
        let size = known(position, value).least;
        let mut best = None;
        game.moves(position, |mv| match game.play(position, mv) {
            Next::Over(_) if value == Value::Win(1) && best.is_none() => best = Some((mv, None)),
            Next::Position(child) if best.is_none() => {
                let value = self.atlas.value(&child).forced();
                let tree = known(&child, value);
                if matches!(value, Value::Loss(_)) && tree.exact && tree.least + 1 == size {
                    best = Some((mv, Some((child, value))));
                }
            }
            _ => {}
        });
        if let Some((mv, next)) = best {
            moves.insert(place, mv);
            if let Some((child, value)) = next {
                self.collect(&child, value, moves);
            }
        }
    }
}

fn plies(value: Value) -> u64 {
    match value {
        Value::Win(plies) | Value::Loss(plies) => plies.max(1).into(),
        Value::Draw(_) => 0,
    }
}
