//! Puts a graph together, position by position.

use crate::game::{AGAIN, Ends, Labels, MOST};
use crate::{Graph, GraphError};
use kanzen_core::{Endless, Outcome, Side};

/// Who wins by endless play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forever {
    /// Nobody.
    #[default]
    Draw,
    /// The side that moves at the start.
    First,
    /// The other side.
    Second,
}

/// A position of a graph that a program makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<'a> {
    /// The game is over, with this outcome for the side to move.
    Over(Outcome),
    /// The positions that moves lead to, with [`Graph::AGAIN`] where the same side moves again.
    Moves(&'a [u32]),
}

impl Graph {
    /// Marks a move after which the same side moves again.
    pub const AGAIN: u32 = AGAIN;

    /// A graph of positions in the order of their numbers; it starts at the first one.
    ///
    /// ```
    /// use kanzen_core::Outcome;
    /// use kanzen_graph::{Forever, Graph, Node};
    /// let nodes = [Node::Moves(&[1]), Node::Over(Outcome::Loss)];
    /// assert!(Graph::of(nodes, Forever::Draw).is_ok());
    /// assert!(Graph::of([Node::Moves(&[7])], Forever::Draw).is_err());
    /// ```
    ///
    /// # Errors
    /// If a move leads nowhere, a position has no move, or there are too many positions.
    pub fn of<'a>(
        nodes: impl IntoIterator<Item = Node<'a>>,
        forever: Forever,
    ) -> Result<Graph, GraphError> {
        let mut builder = Builder::default();
        for node in nodes {
            match node {
                Node::Over(outcome) => builder.end(outcome),
                Node::Moves(moves) => {
                    builder.position(moves.iter().map(|&mv| (mv & !AGAIN, mv >= AGAIN)));
                }
            }
        }
        let most = builder.ends.len();
        match builder.moves.iter().find(|&&mv| (mv & !AGAIN) as usize >= most) {
            Some(mv) => {
                let what = format!("a move leads to {}, which is not there", mv & !AGAIN);
                Err(GraphError::Damaged(what))
            }
            None => builder.finish(Labels::default(), 0, forever),
        }
    }
}

/// A graph on its way.
#[derive(Default)]
pub(crate) struct Builder {
    starts: Vec<u64>,
    moves: Vec<u32>,
    ends: Vec<Ends>,
}

impl Builder {
    /// Adds a position whose game is over.
    pub(crate) fn end(&mut self, outcome: Outcome) {
        self.starts.push(self.moves.len() as u64);
        self.ends.push(Ends::Over(outcome));
    }

    /// Adds a position with moves; after those that come with `true` the same side moves again.
    pub(crate) fn position(&mut self, moves: impl Iterator<Item = (u32, bool)>) {
        self.starts.push(self.moves.len() as u64);
        self.ends.push(Ends::Open);
        self.moves.extend(moves.map(|(to, again)| if again { to | AGAIN } else { to }));
    }

    /// The graph, if it makes sense.
    pub(crate) fn finish(
        mut self,
        labels: Labels,
        start: u32,
        forever: Forever,
    ) -> Result<Graph, GraphError> {
        let found = self.ends.len() as u64;
        if !(1..=MOST).contains(&found) || u64::from(start) >= found {
            return Err(GraphError::Size { found, most: MOST });
        }
        self.starts.push(self.moves.len() as u64);
        let Builder { starts, moves, ends } = self;
        let mut graph = Graph::new(starts, moves, ends, labels, start);
        for position in 0..found as u32 {
            if graph.is_stuck(position) {
                return Err(GraphError::NoMove(graph.label(position)));
            }
        }
        if forever != Forever::Draw {
            let winner = if forever == Forever::First { Side::One } else { Side::Two };
            let sides = sides(&graph)?;
            graph.won_by(Endless::WonBy(winner), sides);
        }
        Ok(graph)
    }
}

/// The side to move in each position that can arise, the first at the start.
fn sides(graph: &Graph) -> Result<Vec<Side>, GraphError> {
    let mut sides = vec![Side::Neutral; graph.len() as usize];
    let mut waiting = vec![graph.first()];
    sides[graph.first() as usize] = Side::One;
    while let Some(from) = waiting.pop() {
        let mover = sides[from as usize];
        for &mv in graph.moves_of(from) {
            let to = mv & !AGAIN;
            let next = if mv >= AGAIN { mover } else { mover.other() };
            let side = &mut sides[to as usize];
            if *side == Side::Neutral {
                *side = next;
                waiting.push(to);
            } else if *side != next {
                return Err(GraphError::BothSides(graph.label(to)));
            }
        }
    }
    Ok(sides)
}
