//! A small winning strategy as a graph: every position is answered once, however often it arises.
//!
//! To find the smallest is hard; here is a good one with a bound below. Positions are gone through
//! by their distance, farthest first. When all lost positions (the loser to move) of more plies
//! are in the strategy, it is known which won positions of the next distance need an answer.
//! Some are answered for nothing, by a lost position that is in the strategy already and nearer to
//! the end than all the positions they arose from; the others by a cover: again and again the
//! best move that answers the most of them at the least estimated cost. As the distance falls with
//! every two plies, the strategy ends. A bound below is the closure of what cannot be avoided: all
//! moves of the loser, and the winner's moves where there is only one.

use crate::Atlas;
use kanzen_core::{Next, Value};
use kanzen_index::{Indexed, Place};
use kanzen_solve::Progress;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A winning strategy.
pub struct Strategy<G: Indexed> {
    /// The positions with the winner to move (unless it wins at once), and its moves.
    pub answers: HashMap<Place, (G::Position, G::Move)>,
    /// The positions with the loser to move.
    pub lost: HashSet<Place>,
    /// No strategy has fewer positions.
    pub least: u64,
}

impl<G: Indexed> Strategy<G> {
    /// The number of positions of both kinds.
    pub fn positions(&self) -> u64 {
        (self.answers.len() + self.lost.len()) as u64
    }
}

/// How much of the cost of the positions behind a move is counted: the shared ones cost nothing,
/// but which they are is not known. Each is tried, and the smallest strategy is kept.
const SHARES: [f32; 5] = [0.0, 0.2, 0.4, 0.6, 0.8];

/// Estimates that are kept; what is met after that is estimated by its own moves alone.
const MOST_COSTS: usize = 4_000_000;

impl<G: Indexed> Atlas<'_, G> {
    /// A small strategy for the winner of a position; none if it is neither won nor lost.
    pub fn strategy(&self, root: &G::Position, progress: &dyn Progress) -> Option<Strategy<G>> {
        if self.value(root) == Value::Open {
            return None;
        }
        progress.begin("looking for a small strategy", SHARES.len() as u64);
        let least = self.unavoidable(root);
        let tried = SHARES.iter().map(|&share| {
            let strategy = Planner::new(self, share).plan(root, least);
            progress.note(&format!("{} positions", strategy.positions()));
            progress.advance(1);
            strategy
        });
        let best = tried.min_by_key(Strategy::positions);
        progress.end();
        best
    }

    /// How many positions every strategy has.
    fn unavoidable(&self, root: &G::Position) -> u64 {
        let mut seen = HashSet::new();
        let mut open = vec![(*root, self.value(root))];
        while let Some((position, value)) = open.pop() {
            let Some(place) = self.decisive(&position, value) else { continue };
            if !seen.insert(place) {
                continue;
            }
            match value {
                Value::Win(_) => {
                    let mut places = HashMap::new();
                    self.lost_children(&position, |_, child, place, value| {
                        places.insert(place, (child, value));
                    });
                    if places.len() == 1 {
                        open.extend(places.into_values());
                    }
                }
                _ => self.game().successors(&position, |next| {
                    if let Next::Position(child) = next {
                        open.push((child, self.value(&child)));
                    }
                }),
            }
        }
        seen.len() as u64
    }

    /// The place of a position that belongs to a strategy: not one that wins at once or is over.
    fn decisive(&self, position: &G::Position, value: Value) -> Option<Place> {
        match value {
            Value::Open | Value::Win(1) | Value::Loss(0) => None,
            _ => self.place(position),
        }
    }

    /// Calls `each` with the moves that keep a win and go on to a position with a place.
    fn lost_children(
        &self,
        position: &G::Position,
        mut each: impl FnMut(G::Move, G::Position, Place, Value),
    ) {
        let game = self.game();
        game.moves(position, |mv| {
            if let Next::Position(child) = game.play(position, mv)
                && let value @ Value::Loss(_) = self.value(&child)
                && let Some(place) = self.place(&child)
            {
                each(mv, child, place, value);
            }
        });
    }
}

/// A won position that needs an answer.
struct Need<P> {
    position: P,
    /// The fewest plies of the lost positions it arises from.
    limit: u16,
}

struct Planner<'a, 'g, G: Indexed> {
    atlas: &'a Atlas<'g, G>,
    share: f32,
    /// Lost positions in the strategy, with their plies.
    lost: HashMap<Place, u16>,
    /// Lost positions that are still to be gone through, by plies.
    fresh: BTreeMap<u16, Vec<G::Position>>,
    /// Won positions that need an answer, by plies.
    needs: BTreeMap<u16, HashMap<Place, Need<G::Position>>>,
    answers: HashMap<Place, (G::Position, G::Move)>,
    /// Estimated costs of lost positions.
    costs: HashMap<Place, f32>,
}

/// A lost position that would answer some needs.
struct Candidate<G: Indexed> {
    position: G::Position,
    plies: u16,
    answers: Vec<(Place, G::Move)>,
}

impl<'a, 'g, G: Indexed> Planner<'a, 'g, G> {
    fn new(atlas: &'a Atlas<'g, G>, share: f32) -> Planner<'a, 'g, G> {
        Planner {
            atlas,
            share,
            lost: HashMap::new(),
            fresh: BTreeMap::new(),
            needs: BTreeMap::new(),
            answers: HashMap::new(),
            costs: HashMap::new(),
        }
    }

    fn plan(mut self, root: &G::Position, least: u64) -> Strategy<G> {
        match self.atlas.value(root) {
            Value::Loss(plies) => self.take(root, plies),
            Value::Win(plies) => self.need(root, plies, u16::MAX),
            Value::Open => {}
        }
        loop {
            let lost = self.fresh.last_key_value().map(|(&plies, _)| plies);
            let won = self.needs.last_key_value().map(|(&plies, _)| plies);
            // A won position arises from lost ones of more plies.
            if lost.is_some() && lost >= won {
                let (plies, positions) = self.fresh.pop_last().expect("just seen");
                positions.iter().for_each(|position| self.go_through(position, plies));
            } else if let Some((_, needs)) = self.needs.pop_last() {
                self.answer(needs);
            } else {
                break;
            }
        }
        Strategy { answers: self.answers, lost: self.lost.into_keys().collect(), least }
    }

    /// Puts a lost position into the strategy.
    fn take(&mut self, position: &G::Position, plies: u16) {
        if let Some(place) = self.atlas.decisive(position, Value::Loss(plies))
            && self.lost.insert(place, plies).is_none()
        {
            self.fresh.entry(plies).or_default().push(*position);
        }
    }

    fn need(&mut self, position: &G::Position, plies: u16, limit: u16) {
        if let Some(place) = self.atlas.decisive(position, Value::Win(plies)) {
            let needs = self.needs.entry(plies).or_default();
            let need = needs.entry(place).or_insert(Need { position: *position, limit });
            need.limit = need.limit.min(limit);
        }
    }

    /// All moves of the loser need an answer.
    fn go_through(&mut self, position: &G::Position, plies: u16) {
        let atlas = self.atlas;
        atlas.game().successors(position, |next| {
            if let Next::Position(child) = next
                && let Value::Win(left) = atlas.value(&child)
            {
                self.need(&child, left, plies);
            }
        });
    }

    /// Answers the won positions of a distance.
    fn answer(&mut self, needs: HashMap<Place, Need<G::Position>>) {
        let mut candidates: BTreeMap<Place, Candidate<G>> = BTreeMap::new();
        let mut needs: Vec<(Place, Need<G::Position>)> = needs.into_iter().collect();
        needs.sort_unstable_by_key(|&(place, _)| place);
        let mut open = HashMap::new();
        for (place, need) in needs {
            let mut free = None;
            let mut best = Vec::new();
            self.atlas.lost_children(&need.position, |mv, child, at, value| {
                let Value::Loss(plies) = value else { return };
                if self.lost.get(&at).is_some_and(|&plies| plies < need.limit) {
                    free.get_or_insert(mv);
                }
                best.push((plies, at, child, mv));
            });
            if let Some(mv) = free {
                self.answers.insert(place, (need.position, mv));
                continue;
            }
            let fewest = best.iter().map(|&(plies, ..)| plies).min();
            for (plies, at, position, mv) in best {
                // Going over at once, a game may end in a position without a place.
                if Some(plies) == fewest {
                    let new = || Candidate { position, plies, answers: Vec::new() };
                    let candidate = candidates.entry(at).or_insert_with(new);
                    if candidate.answers.last().is_none_or(|&(last, _)| last != place) {
                        candidate.answers.push((place, mv));
                    }
                }
            }
            open.insert(place, need.position);
        }
        self.cover(candidates, open);
    }

    /// Takes candidates until all needs are answered, the ones of the best ratio first.
    fn cover(
        &mut self,
        mut candidates: BTreeMap<Place, Candidate<G>>,
        mut open: HashMap<Place, G::Position>,
    ) {
        let cost: HashMap<Place, f32> = candidates
            .iter()
            .map(|(&place, candidate)| (place, self.cost(&candidate.position, candidate.plies)))
            .collect();
        let ratio =
            |place: &Place, candidate: &Candidate<G>| candidate.answers.len() as f32 / cost[place];
        let mut queue: Vec<(f32, Place)> =
            candidates.iter().map(|(place, candidate)| (ratio(place, candidate), *place)).collect();
        let by_ratio = |a: &(f32, Place), b: &(f32, Place)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
        queue.sort_unstable_by(by_ratio);
        while let Some((promised, place)) = queue.pop() {
            let Some(candidate) = candidates.get_mut(&place) else { continue };
            candidate.answers.retain(|(need, _)| open.contains_key(need));
            if candidate.answers.is_empty() {
                continue;
            }
            let now = ratio(&place, candidate);
            if now < promised && queue.last().is_some_and(|next| now < next.0) {
                // Others have answered some of its needs: it has to wait for its turn.
                let at = queue.partition_point(|next| by_ratio(next, &(now, place)).is_lt());
                queue.insert(at, (now, place));
                continue;
            }
            let candidate = candidates.remove(&place).expect("just seen");
            for (need, mv) in candidate.answers {
                if let Some(position) = open.remove(&need) {
                    self.answers.insert(need, (position, mv));
                }
            }
            self.take(&candidate.position, candidate.plies);
        }
    }

    /// The estimated cost of a lost position: itself and what its moves lead to, unless that is in
    /// the strategy already.
    fn cost(&mut self, position: &G::Position, plies: u16) -> f32 {
        let Some(place) = self.atlas.decisive(position, Value::Loss(plies)) else { return 0.1 };
        if self.lost.contains_key(&place) {
            return 0.1;
        }
        if let Some(&cost) = self.costs.get(&place) {
            return cost;
        }
        let atlas = self.atlas;
        // In order, so that the sum is always the same.
        let mut won = BTreeMap::new();
        atlas.game().successors(position, |next| {
            if let Next::Position(child) = next
                && let value @ Value::Win(plies) = atlas.value(&child)
                && let Some(place) = atlas.decisive(&child, value)
            {
                let waits = self.needs.get(&plies).is_some_and(|needs| needs.contains_key(&place));
                if !waits && !self.answers.contains_key(&place) {
                    won.insert(place, child);
                }
            }
        });
        let mut cost = 1.0 + won.len() as f32;
        if self.share > 0.0 && self.costs.len() < MOST_COSTS {
            for child in won.into_values() {
                let mut best = Vec::new();
                atlas.lost_children(&child, |_, next, _, value| {
                    if let Value::Loss(left) = value {
                        best.push((left, next));
                    }
                });
                let fewest = best.iter().map(|&(left, _)| left).min().unwrap_or(0);
                best.retain(|&(left, _)| left == fewest && left < plies);
                let costs = best.into_iter().map(|(left, next)| self.cost(&next, left));
                let least = costs.reduce(f32::min).unwrap_or(0.0);
                cost += self.share * least;
            }
        }
        self.costs.insert(place, cost);
        cost
    }
}
