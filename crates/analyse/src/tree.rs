//! The smallest proof tree of a decided position.
//!
//! A proof tree has one move of the winner and all moves of the loser. Its size counts positions,
//! as often as they occur and mirror images too:
//! T(win in 1) = T(game over) = 1, T(win) = 1 + min over the moves that keep the win, T(loss) =
//! 1 + sum over all moves. The minimum is found by a search with a budget: a position is asked
//! whether it has a tree of at most so many positions, the rest of the budget goes to the next
//! one, and what is learnt (a size, or that it is larger) is kept. The budget of the root doubles
//! until it is enough; as every position costs one, the search ends even where moves go in circles.

use crate::Atlas;
use kanzen_core::{Next, Value};
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
    pub fn proof_tree(
        &self,
        root: &G::Position,
        most: u64,
        progress: &dyn Progress,
    ) -> Option<ProofTree<G>> {
        if self.value(root) == Value::Open {
            return None;
        }
        std::thread::scope(|scope| {
            let work = || {
                Prover { atlas: self, known: HashMap::new(), looks: 0, most }.prove(root, progress)
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            thread.ok()?.join().ok()
        })
    }
}

/// What is known of a position's tree.
#[derive(Clone, Copy)]
struct Known {
    /// It has at least this many positions.
    least: u64,
    /// It has just so many.
    exact: bool,
}

struct Prover<'a, 'g, G: Indexed> {
    atlas: &'a Atlas<'g, G>,
    known: HashMap<Place, Known>,
    looks: u64,
    most: u64,
}

/// A position after a move, up to symmetry.
struct Child<P> {
    position: P,
    place: Place,
    value: Value,
    /// How many moves lead to it.
    moves: u64,
    least: u64,
}

impl<G: Indexed> Prover<'_, '_, G> {
    fn prove(mut self, root: &G::Position, progress: &dyn Progress) -> ProofTree<G> {
        let value = self.atlas.value(root);
        let mut budget = plies(value).max(16);
        progress.begin("searching for the smallest proof tree", 0);
        let size = loop {
            progress.note(&format!("trees of at most {budget} positions"));
            match self.size(root, value, budget) {
                Some(size) => break TreeSize::Exactly(size),
                None if self.looks > self.most => break TreeSize::MoreThan(budget / 2),
                None => budget *= 2,
            }
        };
        progress.end();
        let mut moves = HashMap::new();
        if matches!(size, TreeSize::Exactly(_)) {
            self.collect(root, value, &mut moves);
        }
        ProofTree { size, looks: self.looks, moves }
    }

    /// The size of a smallest tree, if it is within the budget.
    fn size(&mut self, position: &G::Position, value: Value, budget: u64) -> Option<u64> {
        if let Value::Win(1) | Value::Loss(0) = value {
            return (budget >= 1).then_some(1);
        }
        let place = self.atlas.place(position);
        let known = self.known(place, value);
        if known.exact || known.least > budget {
            return Some(known.least).filter(|&size| size <= budget);
        }
        self.looks += 1;
        let size = match value {
            Value::Win(_) => self.of_win(position, budget),
            _ => self.of_loss(position, budget),
        };
        // A search that was given up has shown nothing.
        if self.looks > self.most {
            return None;
        }
        if let Some(place) = place {
            let known = match size {
                Some(size) => Known { least: size, exact: true },
                None => Known { least: budget + 1, exact: false },
            };
            self.known.insert(place, known);
        }
        size
    }

    /// A tree is at least as high as the game takes.
    fn known(&self, place: Option<Place>, value: Value) -> Known {
        let known = place.and_then(|place| self.known.get(&place).copied());
        known.unwrap_or(Known { least: plies(value), exact: false })
    }

    fn of_win(&mut self, position: &G::Position, budget: u64) -> Option<u64> {
        let (_, mut children) = self.children(position, |value| matches!(value, Value::Loss(_)));
        children.sort_by_key(|child| child.least);
        let (mut best, mut left) = (None, budget.checked_sub(1)?);
        for child in children {
            if let Some(size) = self.size(&child.position, child.value, left) {
                best = Some(1 + size);
                left = size - 1;
            }
        }
        best
    }

    fn of_loss(&mut self, position: &G::Position, budget: u64) -> Option<u64> {
        let (ended, mut children) = self.children(position, |_| true);
        children.sort_by_key(|child| std::cmp::Reverse(child.least));
        let mut size = 1 + ended + children.iter().map(|c| c.moves * c.least).sum::<u64>();
        for child in children {
            let spare = budget.checked_sub(size)?;
            let allowed = child.least + spare / child.moves;
            let found = self.size(&child.position, child.value, allowed)?;
            size += child.moves * (found - child.least);
        }
        (size <= budget).then_some(size)
    }

    /// The number of moves after which the game is over or won at once, and the positions after
    /// the others, if their value is wanted.
    fn children(
        &self,
        position: &G::Position,
        wanted: impl Fn(Value) -> bool,
    ) -> (u64, Vec<Child<G::Position>>) {
        let (mut ended, mut children) = (0, Vec::new());
        self.atlas.game().successors(position, |next| {
            let Next::Position(child) = next else {
                ended += 1;
                return;
            };
            let value = self.atlas.value(&child);
            if !wanted(value) {
                return;
            }
            match self.atlas.place(&child) {
                Some(place) if plies(value) > 1 => {
                    let least = self.known(Some(place), value).least;
                    children.push(Child { position: child, place, value, moves: 1, least });
                }
                _ => ended += 1,
            }
        });
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
        let known = |position: &G::Position, value| match value {
            Value::Win(1) | Value::Loss(0) => Known { least: 1, exact: true },
            _ => self.known(self.atlas.place(position), value),
        };
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
                let value = self.atlas.value(&child);
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
        Value::Open => 0,
    }
}
