//! Proofs of games for two players: the smallest tree, a small strategy, and the strategy as a
//! book of answers.

use crate::GameError;
use crate::proof::{Book, Depth, Entry, Proof, Reply, StrategySize};
use kanzen_analyse::{Atlas, Solved, Strategy, TreeSize};
use kanzen_core::{Next, Value, Verdict};
use kanzen_index::{Indexed, Place};
use kanzen_solve::Progress;
use std::collections::HashMap;

/// Proves a position.
pub fn prove<G: Indexed>(
    solved: &Solved<G>,
    position: &G::Position,
    depth: Depth,
    progress: &dyn Progress,
) -> Result<Proof, GameError> {
    let game = solved.game();
    if !game.takes_turns() {
        let reason = "strategies are found for games in which the sides always move in turn";
        return Err(GameError::NoAnswer(reason.to_owned()));
    }
    let atlas = solved.atlas(progress)?;
    let value = atlas.value(position);
    let open = || {
        let verdict = Verdict::from(value);
        let text = game.write(position);
        GameError::NoAnswer(format!("{text} is a {verdict}: only a forced end can be proved"))
    };
    let tree = atlas.proof_tree(position, depth.most, progress)?.ok_or_else(open)?;
    let strategy = atlas.strategy(position, depth.look, progress).ok_or_else(open)?;
    Ok(Proof {
        position: game.write(position),
        value: value.into(),
        tree: match tree.size {
            TreeSize::Exactly(size) => Some(size),
            TreeSize::MoreThan(_) => None,
        },
        tree_exceeds: match tree.size {
            TreeSize::Exactly(_) => None,
            TreeSize::MoreThan(size) => Some(size),
        },
        look: depth.look,
        strategy: StrategySize {
            positions: (strategy.answers.len() + strategy.lost.len()) as u64,
            winner_to_move: strategy.answers.len() as u64,
            loser_to_move: strategy.lost.len() as u64,
            at_least: strategy.least,
        },
        book: depth.book.then(|| {
            let (atlas, strategy, look) = (&atlas, &strategy, depth.look);
            Binder { atlas, strategy, look, numbers: HashMap::new(), open: Vec::new() }
                .bind(position)
        }),
    })
}

/// Numbers the positions of a strategy in the order in which they arise.
struct Binder<'a, 'g, G: Indexed> {
    atlas: &'a Atlas<'g, G>,
    strategy: &'a Strategy<G>,
    look: u16,
    numbers: HashMap<Place, usize>,
    /// The positions in the order of their numbers.
    open: Vec<G::Position>,
}

impl<G: Indexed> Binder<'_, '_, G> {
    fn bind(mut self, root: &G::Position) -> Book {
        let game = self.atlas.game();
        let first = match self.atlas.value(root) {
            Value::Win(plies) => {
                if plies > self.look {
                    self.number(root);
                }
                Vec::new()
            }
            _ => self.replies(root),
        };
        let mut entries = Vec::new();
        while let Some(&position) = self.open.get(entries.len()) {
            let Some(mv) = self.answer(&position) else { break };
            let next = game.play(&position, mv);
            entries.push(Entry {
                number: entries.len() + 1,
                position: game.write(&position),
                value: self.atlas.value(&position).into(),
                answer: game.write_move(&position, mv),
                replies: match next {
                    Next::Position(child) => self.replies(&child),
                    _ => Vec::new(),
                },
                drawing: game.draw(&position),
                trace: game.trace(&position, mv),
            });
        }
        Book::of(first, entries)
    }

    /// The answer to a position as it has arisen: the strategy knows one for an image of it.
    fn answer(&self, position: &G::Position) -> Option<G::Move> {
        let game = self.atlas.game();
        let (known, mv) = self.strategy.answers.get(&game.locate(position))?;
        let Next::Position(wanted) = game.play(known, *mv) else { return Some(*mv) };
        let mut found = None;
        game.moves(position, |mv| {
            if let Next::Position(child) = game.play(position, mv)
                && found.is_none()
                && (0..game.symmetries()).any(|symmetry| game.image(&child, symmetry) == wanted)
            {
                found = Some(mv);
            }
        });
        found
    }

    /// The number of a won position's entry, and whether the entry shows an image of it.
    fn number(&mut self, position: &G::Position) -> (usize, bool) {
        let game = self.atlas.game();
        let place = game.locate(position);
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.open.push(*position);
        }
        (number, self.open[number - 1] != *position)
    }

    /// Every move of the loser, and where its answer stands.
    fn replies(&mut self, position: &G::Position) -> Vec<Reply> {
        let game = self.atlas.game();
        let mut replies = Vec::new();
        game.moves(position, |mv| {
            let name = game.write_move(position, mv);
            let Next::Position(child) = game.play(position, mv) else { return };
            let reply = match self.atlas.value(&child) {
                Value::Win(plies) if plies <= self.look => {
                    Reply { name, entry: None, image: false }
                }
                _ => {
                    let (entry, image) = self.number(&child);
                    Reply { name, entry: Some(entry), image }
                }
            };
            replies.push(reply);
        });
        replies
    }
}
