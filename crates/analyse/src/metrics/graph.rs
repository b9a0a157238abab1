//! All positions that can arise in a game, with moves that lead from one to the other: a small
//! game's whole tree of play, merged where positions are the same up to symmetry.
//!
//! The moves of a position stand from the best to the worst. What any player may choose, and what
//! keeps the value, are then the first so many of them.

use super::level::Level;
use super::tally::{Story, Tally, worth};
use super::turn::Turn;
use crate::Atlas;
use kanzen_core::{Next, Outcome};
use kanzen_index::{Indexed, Place};
use kanzen_solve::Progress;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A game's positions and moves.
pub(super) struct Graph<P> {
    numbers: FxHashMap<Key<P>, u32>,
    nodes: Vec<Node>,
    moves: Vec<Move>,
}

/// What a position is known by: its place, which all its images share, or itself.
#[derive(PartialEq, Eq, Hash)]
enum Key<P> {
    Place(Place),
    Position(P),
}

impl<P: Copy> Key<P> {
    fn new<G: Indexed<Position = P>>(game: &G, position: &P) -> Key<P> {
        match game.has_place(position) {
            true => Key::Place(game.locate(position)),
            false => Key::Position(*position),
        }
    }
}

struct Node {
    /// Where its moves begin.
    first: usize,
    moves: u32,
    keeping: u32,
    /// How many moves each of [`Level::ALL`] chooses from.
    chosen: [u32; Level::ALL.len()],
    outcome: Outcome,
    endless: Outcome,
}

/// What a move leads to: the number of a position, or from [`Move::OVER`] on the end of the game.
#[derive(Clone, Copy)]
struct Move(u32);

impl Move {
    const OVER: u32 = u32::MAX - 2;

    fn over(outcome: Outcome) -> Move {
        Move(Move::OVER + outcome as u32)
    }

    fn next(self) -> Next<usize> {
        match self.0.checked_sub(Move::OVER) {
            None => Next::Position(self.0 as usize),
            Some(0) => Next::Over(Outcome::Loss),
            Some(1) => Next::Over(Outcome::Draw),
            Some(_) => Next::Over(Outcome::Win),
        }
    }
}

impl<P: Copy + Eq + std::hash::Hash + Send + Sync> Graph<P> {
    /// Gathers the positions that arise from the start; none if there are more than `most`.
    pub(super) fn new<G: Indexed<Position = P>>(
        atlas: &Atlas<'_, G>,
        most: usize,
        progress: &dyn Progress,
    ) -> Option<Graph<P>> {
        let game = atlas.game();
        let start = game.start();
        let mut graph = Graph { numbers: FxHashMap::default(), nodes: vec![], moves: vec![] };
        graph.numbers.insert(Key::new(game, &start), 0);
        let mut frontier = vec![start];
        progress.begin("gathering positions", most as u64);
        while !frontier.is_empty() && graph.numbers.len() <= most {
            progress.advance(frontier.len() as u64);
            let turns: Vec<Turn<P>> =
                frontier.par_iter().map(|position| Turn::new(atlas, position)).collect();
            frontier.clear();
            for turn in turns {
                graph.push(game, turn, &mut frontier);
            }
        }
        progress.end();
        (graph.numbers.len() <= most).then_some(graph)
    }

    /// Adds the next position, and what arises from it for the first time to `new`.
    fn push<G: Indexed<Position = P>>(&mut self, game: &G, turn: Turn<P>, new: &mut Vec<P>) {
        let values = || turn.moves.iter().map(|(value, _)| *value);
        self.nodes.push(Node {
            first: self.moves.len(),
            moves: turn.moves.len() as u32,
            keeping: turn.keeping as u32,
            chosen: Level::ALL.map(|level| level.chosen(values()) as u32),
            outcome: turn.outcome,
            endless: turn.endless,
        });
        for (_, next) in turn.moves {
            self.moves.push(match next {
                Next::Over(outcome) => Move::over(outcome),
                Next::Position(child) | Next::Again(child) => {
                    let next = self.numbers.len() as u32;
                    let number = *self.numbers.entry(Key::new(game, &child)).or_insert_with(|| {
                        new.push(child);
                        next
                    });
                    Move(number)
                }
            });
        }
    }

    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many moves they have.
    pub(super) fn moves(&self) -> u64 {
        self.moves.len() as u64
    }

    /// Goes through all games of two players at once, ply by ply. They begin at a position that
    /// arises, after `ply` plies; they are given up when no more than `tolerance` of them are
    /// unfinished, or after the ply `last`.
    pub(super) fn play<G: Indexed<Position = P>>(
        &self,
        game: &G,
        (position, ply): (&P, u32),
        players: [Level; 2],
        last: u32,
        tolerance: f64,
        progress: &dyn Progress,
    ) -> Tally {
        let mut tally = Tally::default();
        let columns = players.map(column);
        let mut stories = vec![Story::default(); self.nodes.len()];
        let mut next = stories.clone();
        let start = self.numbers[&Key::new(game, position)];
        stories[start as usize] = Story::START;
        let (mut here, mut there) = (vec![start], Vec::new());
        for ply in ply..last {
            let player = ply as usize % 2;
            let mut left = 0.0;
            for number in here.drain(..) {
                let mut story = std::mem::take(&mut stories[number as usize]);
                let node = &self.nodes[number as usize];
                if node.moves == 0 {
                    tally.end(story, ply, player, node.outcome);
                    continue;
                }
                let (chosen, keeping) = (node.chosen[columns[player]], node.keeping);
                let split = (keeping.min(chosen) as usize, chosen as usize);
                tally.turn(&mut story, player, node.outcome, keeping < node.moves, split);
                let part = story.part(split.1);
                let (kept, turned) = (part.kept(), part.turned());
                for (place, mv) in self.moves[node.first..][..split.1].iter().enumerate() {
                    let part = if place < split.0 { kept } else { turned };
                    match mv.next() {
                        Next::Over(outcome) => tally.end(part, ply + 1, player, outcome),
                        Next::Position(number) | Next::Again(number) => {
                            let story = &mut next[number];
                            // A part that is too small for a number is nowhere.
                            if story.games == 0.0 && part.games > 0.0 {
                                there.push(number as u32);
                            }
                            story.add(part);
                            left += part.games;
                        }
                    }
                }
            }
            std::mem::swap(&mut stories, &mut next);
            std::mem::swap(&mut here, &mut there);
            progress.advance(1);
            if left <= tolerance {
                progress.advance(u64::from(last - ply - 1));
                break;
            }
        }
        here.iter().for_each(|&number| tally.give_up(stories[number as usize]));
        tally
    }
}

impl<P: Copy + Eq + std::hash::Hash + Send + Sync> Graph<P> {
    /// What the side to move scores from these positions if two players of a level go on for so many
    /// plies at the most: the scores of all positions with no ply to go, with one, with two, and so on.
    pub(super) fn scores<G: Indexed<Position = P>>(
        &self,
        game: &G,
        positions: &[P],
        level: Level,
        plies: u32,
        tolerance: f64,
    ) -> Vec<f64> {
        let column = column(level);
        let mut scores: Vec<f64> = self.nodes.iter().map(|node| worth(node.endless)).collect();
        for _ in 0..plies {
            let score = |node: &Node| {
                if node.moves == 0 {
                    return worth(node.outcome);
                }
                let chosen = &self.moves[node.first..][..node.chosen[column] as usize];
                let after = chosen.iter().map(|mv| match mv.next() {
                    Next::Over(outcome) => worth(outcome),
                    Next::Position(number) | Next::Again(number) => 1.0 - scores[number],
                });
                after.sum::<f64>() / chosen.len() as f64
            };
            let next: Vec<f64> = self.nodes.par_iter().map(score).collect();
            let changes = scores.par_iter().zip(&next).map(|(old, new)| (old - new).abs());
            let most = changes.reduce(|| 0.0, f64::max);
            scores = next;
            if most <= tolerance {
                break;
            }
        }
        let number = |position: &P| self.numbers[&Key::new(game, position)] as usize;
        positions.iter().map(|position| scores[number(position)]).collect()
    }
}

/// Where a level stands in [`Level::ALL`].
fn column(level: Level) -> usize {
    Level::ALL.iter().position(|known| *known == level).unwrap_or(Level::ALL.len() - 1)
}
