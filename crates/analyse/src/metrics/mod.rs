//! What the designer of a game wants to know of it: how games go between players of a level.
//!
//! Other programs estimate this by playing games with a search that may be wrong. Here the values
//! are known, so that a player who sees a few plies ahead is known exactly, and so are mistakes.
//! Where few enough positions can arise, all games are gone through at once (`graph.rs`) and the
//! numbers are exact; elsewhere some games are played (`sample.rs`), the same ones every time.
//! `docs/metrics.md` has the formulas.

mod graph;
mod level;
mod sample;
mod tally;
mod turn;

pub use level::Level;
pub use tally::Played;

use crate::Atlas;
use graph::Graph;
use kanzen_core::Outcome;
use kanzen_index::Indexed;
use kanzen_solve::Progress;
use rayon::prelude::*;
use tally::Tally;

/// Where games begin: a position, and the plies played before it. The first player moves at even plies.
pub type Beginning<P> = (P, u32);

/// How far games are gone through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The most positions that may arise for games to be gone through all.
    pub positions: usize,
    /// Games that are played if more can arise.
    pub games: u64,
    /// Plies after which a game is given up as unfinished.
    pub plies: u32,
    /// Games are given up later, after 1000 plies at the most, if all games of a pair can be gone
    /// through by looking at no more than this many moves.
    pub moves: u64,
    /// The share of games that may be left unfinished before that.
    pub tolerance: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { positions: 200_000, games: 4000, plies: 100, moves: 500_000_000, tolerance: 1e-6 }
    }
}

/// Games of a solved game, between players of any level.
pub struct Games<'a, 'g, G: Indexed> {
    atlas: &'a Atlas<'g, G>,
    limits: Limits,
    graph: Option<Graph<G::Position>>,
}

impl<'a, 'g, G: Indexed> Games<'a, 'g, G> {
    /// Gathers what can arise, if that is not too much.
    pub fn new(
        atlas: &'a Atlas<'g, G>,
        mut limits: Limits,
        progress: &dyn Progress,
    ) -> Games<'a, 'g, G> {
        let graph = Graph::new(atlas, limits.positions, progress);
        if let Some(graph) = &graph {
            let plies = (limits.moves / graph.moves().max(1)).min(1000);
            limits.plies = limits.plies.max(plies as u32);
        }
        Games { atlas, limits, graph }
    }

    /// How many positions can arise, if all games are gone through; else games are played by chance.
    pub fn positions(&self) -> Option<usize> {
        self.graph.as_ref().map(Graph::len)
    }

    /// How far games are gone through.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How games between two players go, the one who moves at even plies first.
    /// The progress advances by the most plies that are looked at.
    pub fn play(
        &self,
        from: Beginning<G::Position>,
        players: [Level; 2],
        progress: &dyn Progress,
    ) -> Played {
        let Limits { games, plies, tolerance, .. } = self.limits;
        let last = from.1 + plies;
        let mut tally = match &self.graph {
            Some(graph) => {
                let from = (&from.0, from.1);
                graph.play(self.atlas.game(), from, players, last, tolerance, progress)
            }
            None => {
                let game = |number| sample::play(self.atlas, from, players, last, number);
                let tallies: Vec<Tally> = (0..games).into_par_iter().map(game).collect();
                progress.advance(plies.into());
                // One after the other, so that the sum does not depend on the threads.
                tallies.into_iter().fold(Tally::default(), Tally::and)
            }
        };
        let for_first =
            |outcome: Outcome| if from.1.is_multiple_of(2) { outcome } else { outcome.flip() };
        let game = self.atlas.game();
        let endless = game.endless().value(game, &from.0).outcome();
        if players == [Level::Perfect; 2] {
            tally.finish(for_first(self.atlas.value(&from.0).outcome()));
        }
        tally.played(for_first(endless))
    }

    /// The same for many pairs of players, from the start.
    pub fn play_all(&self, pairs: &[[Level; 2]], progress: &dyn Progress) -> Vec<Played> {
        let start = (self.atlas.game().start(), 0);
        progress.begin("playing games", u64::from(self.limits.plies) * pairs.len() as u64);
        let pairs = pairs.par_iter();
        let played = pairs.map(|&players| self.play(start, players, progress)).collect();
        progress.end();
        played
    }

    /// What the side to move scores from positions that can arise, if two players of a level go on.
    pub fn scores(
        &self,
        positions: &[G::Position],
        level: Level,
        progress: &dyn Progress,
    ) -> Vec<f64> {
        let Limits { plies, tolerance, .. } = self.limits;
        progress.begin("playing on", u64::from(plies) * positions.len() as u64);
        let scores = match &self.graph {
            Some(graph) => graph.scores(self.atlas.game(), positions, level, plies, tolerance),
            None => {
                let play = |&position| self.play((position, 0), [level; 2], progress).score;
                positions.iter().map(play).collect()
            }
        };
        progress.end();
        scores
    }
}
