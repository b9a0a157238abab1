//! Puzzles: positions with a single good move, chosen for quality and graded.
//!
//! Random positions of the table are looked into, from a seed, so that the same seed gives the
//! same set. A position is a puzzle if only one of its moves wins and the winner has a single
//! winning move at every turn of the line (any that ends the game will do at its end), or if a single
//! move saves a draw or an endless game that is as good as won. What makes it hard is counted: the
//! length, the number of moves to choose from, wrong moves that are refuted late, a quiet or a
//! sacrificing first move. Of all that are found, each grade gets its share: those that arise in games
//! between casual players first, then the best.

use crate::explain::passed;
use kanzen_analyse::Random;
use kanzen_core::{Drawing, Outcome, Side, Verdict, Words};
use kanzen_registry::opponent::Opponent;
use kanzen_registry::{Answer, AnySolved, GameError, MoveAnswer};
use kanzen_solve::Progress;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How many puzzles.
    pub count: usize,
    /// Chooses other positions.
    pub seed: u64,
    /// Whether a win counts only if it is the fastest.
    pub fastest: bool,
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// The first third of a set.
    Easy,
    /// The second.
    Medium,
    /// The last.
    Hard,
}

impl Grade {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Grade::Easy => "easy",
            Grade::Medium => "medium",
            Grade::Hard => "hard",
        }
    }
}

/// What a puzzle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// The first move neither takes anything nor threatens to win at once.
    Quiet,
    /// The solver is down on pieces after the first move and its answer.
    Sacrifice,
    /// After the first move the other side would hold if it could pass.
    Zugzwang,
    /// Every move of the solver but the last threatens to win at once.
    Threats,
    /// The first move is the only one that does not lose.
    Only,
}

impl Theme {
    /// All of them.
    pub const ALL: [Theme; 5] =
        [Theme::Quiet, Theme::Sacrifice, Theme::Zugzwang, Theme::Threats, Theme::Only];

    /// Its name in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Quiet => "quiet",
            Theme::Sacrifice => "sacrifice",
            Theme::Zugzwang => "zugzwang",
            Theme::Threats => "threats",
            Theme::Only => "only",
        }
    }

    /// What people call it.
    pub fn title(self) -> Words {
        match self {
            Theme::Quiet => Words::new("quiet move", "静かな手"),
            Theme::Sacrifice => Words::new("sacrifice", "捨て駒"),
            Theme::Zugzwang => Words::new("zugzwang", "ツークツワンク"),
            Theme::Threats => Words::new("win by threats", "攻めつづける"),
            Theme::Only => Words::new("only move", "唯一の手"),
        }
    }
}

/// A position to solve.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Puzzle {
    /// The position.
    pub position: String,
    /// What can be reached.
    #[serde(flatten)]
    #[schema(value_type = Goal)]
    pub goal: Verdict,
    /// How hard it is.
    pub grade: Grade,
    /// What the grade is made of.
    pub features: Features,
    /// What it is about.
    pub themes: Vec<Theme>,
    /// Whether it arises in games between casual players.
    pub arises: bool,
    /// The moves of both sides.
    pub solution: Vec<String>,
    /// The board; it is not written down.
    #[serde(skip)]
    pub drawing: Drawing,
}

/// What can be reached, as it is written.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it only carries the description")]
struct Goal {
    /// `win` or `draw`.
    value: String,
    /// Plies to the end of the game; null if it goes on for ever.
    plies: Option<u16>,
}

/// What makes a puzzle hard.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Features {
    /// Moves of the solver in the line.
    pub moves: u32,
    /// Moves to choose from at first.
    pub choices: u32,
    /// Those that lose.
    pub losing: u32,
    /// The most plies until a losing one is punished.
    pub latest_refutation: u16,
    /// Replies to the first move: few mean that it forces.
    pub replies: u32,
    /// Whether the solver is down on pieces after the first move and its answer.
    pub sacrifice: bool,
}

impl Features {
    /// A number that grows with the difficulty.
    pub fn score(&self) -> f64 {
        let quiet = f64::from(self.replies.min(16)) / 4.0;
        3.0 * f64::from(self.moves)
            + f64::from(self.choices.max(1)).log2()
            + f64::from(self.latest_refutation.min(60)) / 6.0
            + quiet
            + if self.sacrifice { 4.0 } else { 0.0 }
    }
}

/// Positions that a thread looks at in a row.
const BATCH: usize = 500;
/// Batches after which the search is given up.
const MOST_BATCHES: u64 = 800;
/// Batches between two looks at what has been found: fixed, so that the threads change nothing.
const ROUND: u64 = 16;
/// Candidates for each puzzle wanted, to choose from.
const CHOICE: usize = 6;
/// Games that a thread plays in a row.
const GAMES: usize = 10;
/// Plies of a game that is played in search of puzzles.
const PLIES: usize = 60;
/// Plies of the longest wins that are asked for.
const LONGEST: u16 = 31;

/// What a thread has found, and what it has looked into: a position and its images are one.
type Batch = (Vec<(String, Puzzle)>, HashSet<String>);

/// Finds puzzles.
///
/// ```
/// use kanzen_solve::{Job, Silent};
/// use kanzen_study::puzzle::{Wanted, puzzles};
///
/// let dir = tempfile::tempdir()?;
/// let game = kanzen_games::all().find("simpei")?.build(&["pieces=2".to_owned()])?;
/// game.solve(dir.path(), None, &Job::default())?;
/// let solved = game.open(dir.path())?;
/// let found = puzzles(&*solved, Wanted { count: 3, seed: 1, fastest: false }, &Silent)?;
/// assert!(found.iter().all(|puzzle| !puzzle.solution.is_empty()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn puzzles(
    solved: &dyn AnySolved,
    wanted: Wanted,
    progress: &dyn Progress,
) -> Result<Vec<Puzzle>, GameError> {
    if solved.sample(&mut Random::new(wanted.seed)).is_none() {
        return Err(GameError::NoAnswer("this game has no puzzles".to_owned()));
    }
    let enough = wanted.count * CHOICE;
    let mut found: Vec<Puzzle> = Vec::new();
    let mut seen = HashSet::new();
    // What was looked into in earlier rounds: a small game soon has nothing new.
    let mut tried: HashSet<String> = HashSet::new();
    progress.begin("looking for puzzles", enough as u64);
    for round in 0..MOST_BATCHES / ROUND {
        let batches = (round * ROUND..(round + 1) * ROUND).into_par_iter().map(|number| {
            let mut random = Random::new(wanted.seed.wrapping_mul(0x1_0001).wrapping_add(number));
            let (mut found, mut new) = (Vec::new(), HashSet::new());
            let mut look = |position: String, arises: bool| {
                let orbit = solved.canonical(&position)?;
                if tried.contains(&orbit) || new.contains(&orbit) {
                    return Ok(());
                }
                let puzzle = candidate(solved, &position, wanted.fastest)?;
                found.extend(puzzle.map(|puzzle| (orbit.clone(), Puzzle { arises, ..puzzle })));
                new.insert(orbit);
                Ok::<(), GameError>(())
            };
            for _ in 0..GAMES {
                for position in played(solved, &mut random)? {
                    look(position, true)?;
                }
            }
            let sample = || solved.sample(&mut random);
            for position in std::iter::repeat_with(sample).flatten().take(BATCH) {
                look(position, false)?;
            }
            Ok((found, new))
        });
        let batches: Vec<Result<Batch, GameError>> = batches.collect();
        let known = tried.len();
        for batch in batches {
            let (puzzles, new) = batch?;
            tried.extend(new);
            for (orbit, puzzle) in puzzles {
                if seen.insert(orbit) {
                    found.push(puzzle);
                    progress.advance(1);
                }
            }
        }
        if found.len() >= enough || tried.len() == known {
            break;
        }
    }
    progress.end();
    Ok(chosen(found, wanted.count))
}

/// The positions of a game between casual players.
fn played(solved: &dyn AnySolved, random: &mut Random) -> Result<Vec<String>, GameError> {
    let mut positions = Vec::new();
    let mut next = Some(solved.probe(None)?);
    while let Some(answer) = next.take().filter(|_| positions.len() < PLIES) {
        // A player who sees three plies ahead, and now and then moves by chance.
        let mv = if random.below(4) == 0 && !answer.moves.is_empty() {
            answer.moves.get(random.below(answer.moves.len() as u64) as usize)
        } else {
            Opponent::Sees(3).choose(solved, &answer, random.below(u64::MAX))?
        };
        if let Some(position) = mv.and_then(|mv| mv.position.as_deref()) {
            next = Some(solved.probe(Some(position))?);
        }
        positions.push(answer.position);
    }
    Ok(positions)
}

/// The puzzle of a position, if it makes one.
fn candidate(
    solved: &dyn AnySolved,
    position: &str,
    fastest: bool,
) -> Result<Option<Puzzle>, GameError> {
    let answer = solved.probe(Some(position))?;
    let Some(goal) = answer.verdict() else { return Ok(None) };
    let Some(first) = single(&answer, goal.value, fastest) else { return Ok(None) };
    let worth_it = match (goal.value, goal.plies) {
        (Outcome::Win, Some(plies)) => (3..=LONGEST).contains(&plies),
        (Outcome::Win | Outcome::Draw, None) => answer.moves.len() > 3,
        _ => false,
    };
    if !worth_it {
        return Ok(None);
    }
    let Some(next) = &first.position else { return Ok(None) };
    let after = solved.probe(Some(next))?;
    let replies = after.moves.len() as u32;
    let takes = first.position.is_some()
        && others(&answer.drawing, answer.turn()) > others_after(&answer, first, &after);
    let quiet = !takes && !threatens(solved, &after)?.unwrap_or(replies < 8);
    let zugzwang = goal.value == Outcome::Win && holds_by_passing(solved, &after)?;
    let mut line =
        Line { solution: vec![first.name.clone()], moves: 1, sacrifice: false, threats: true };
    if goal.plies.is_some() && !line.follow(solved, after, own(&answer.drawing), fastest)? {
        return Ok(None);
    }
    let Line { solution, moves, sacrifice, threats } = line;
    let only = answer.moves.iter().filter(|mv| mv.value != Some(Outcome::Loss)).count() == 1;
    let themes = [quiet, sacrifice, zugzwang, threats && moves > 1, only];
    let themes = Theme::ALL.into_iter().zip(themes).filter(|(_, it)| *it).map(|(it, _)| it);
    let themes: Vec<Theme> = themes.collect();
    let losing = answer.moves.iter().filter_map(MoveAnswer::verdict);
    let losing: Vec<Verdict> = losing.filter(|verdict| verdict.value == Outcome::Loss).collect();
    let features = Features {
        moves,
        choices: answer.moves.len() as u32,
        losing: losing.len() as u32,
        latest_refutation: losing.iter().filter_map(|verdict| verdict.plies).max().unwrap_or(0),
        replies,
        sacrifice,
    };
    Ok(Some(Puzzle {
        position: answer.position,
        goal,
        grade: Grade::Easy,
        features,
        themes,
        arises: false,
        solution,
        drawing: answer.drawing,
    }))
}

/// The line of a puzzle that is to be won.
struct Line {
    solution: Vec<String>,
    moves: u32,
    sacrifice: bool,
    threats: bool,
}

impl Line {
    /// Follows the best replies to the end; false if the winner has a choice on the way, or if the end does
    /// not come in time, because the table is wrong. `pieces` is how many the winner had at first.
    fn follow(
        &mut self,
        solved: &dyn AnySolved,
        mut after: Answer,
        pieces: usize,
        fastest: bool,
    ) -> Result<bool, GameError> {
        while let Some((reply, here)) =
            after.moves.first().and_then(|best| Some((&best.name, best.position.as_ref()?)))
        {
            self.threats &= threatens(solved, &after)?.unwrap_or(false);
            self.solution.push(reply.clone());
            let turn = solved.probe(Some(here))?;
            self.sacrifice |= self.moves == 1 && own(&turn.drawing) < pieces;
            self.moves += 1;
            let at_once = turn.moves.first().filter(|best| best.plies == Some(1));
            let Some(mv) = at_once.or_else(|| single(&turn, Outcome::Win, fastest)) else {
                return Ok(false);
            };
            self.solution.push(mv.name.clone());
            let Some(next) = &mv.position else { break };
            if self.solution.len() > LONGEST.into() {
                return Ok(false);
            }
            after = solved.probe(Some(next))?;
        }
        Ok(true)
    }
}

/// Whether the side that has just moved threatens to win at once; none if the game cannot tell.
fn threatens(solved: &dyn AnySolved, after: &Answer) -> Result<Option<bool>, GameError> {
    let passed = passed(solved, after)?;
    Ok(passed.map(|passed| passed.value == Some(Outcome::Win) && passed.plies == Some(1)))
}

/// Whether the side to move, which loses, would not if it could pass.
fn holds_by_passing(solved: &dyn AnySolved, after: &Answer) -> Result<bool, GameError> {
    let passed = passed(solved, after)?;
    Ok(passed.is_some_and(|passed| passed.value != Some(Outcome::Win)))
}

/// The pieces that are not a side's.
fn others(drawing: &Drawing, side: Side) -> usize {
    let neutral = |side: Side| side == Side::Neutral;
    drawing.pieces.iter().filter(|piece| piece.side != side && !neutral(piece.side)).count()
}

/// The pieces of the other side after a move.
fn others_after(before: &Answer, mv: &MoveAnswer, after: &Answer) -> usize {
    let exchanged = mv.exchanges(false, &after.drawing);
    others(&after.drawing, if exchanged { before.turn().other() } else { before.turn() })
}

/// The only move of several that keeps an outcome or, where the fastest win counts, the distance too.
fn single(answer: &Answer, outcome: Outcome, fastest: bool) -> Option<&MoveAnswer> {
    let plies = answer.moves.first().and_then(|best| best.plies);
    let slow = |mv: &MoveAnswer| fastest && outcome == Outcome::Win && mv.plies != plies;
    let mut keeping = answer.moves.iter().filter(|mv| mv.value == Some(outcome) && !slow(mv));
    match (keeping.next(), keeping.next()) {
        (Some(only), None) if answer.moves.len() > 1 => Some(only),
        _ => None,
    }
}

/// The pieces of the side to move.
fn own(drawing: &Drawing) -> usize {
    let turn = drawing.turn.unwrap_or(Side::One);
    drawing.pieces.iter().filter(|piece| piece.side == turn).count()
}

/// A third of each grade. Candidates are sorted by difficulty and cut into three; the hardest of
/// each part are its best.
fn chosen(mut found: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    found.sort_by(|a, b| {
        let by_score = a.features.score().total_cmp(&b.features.score());
        by_score.then_with(|| a.position.cmp(&b.position))
    });
    let all = found.len();
    let mut chosen = Vec::new();
    for (part, grade) in [Grade::Easy, Grade::Medium, Grade::Hard].into_iter().enumerate() {
        // A single one is easy, two are easy and medium.
        let (begin, end) = ((all * part).div_ceil(3), (all * (part + 1)).div_ceil(3));
        let share = count * (part + 1) / 3 - count * part / 3;
        // Those that arise come last, so that they are taken first; the order is kept otherwise.
        let mut part: Vec<&Puzzle> = found[begin..end].iter().collect();
        part.sort_by_key(|puzzle| puzzle.arises);
        let best = &part[part.len().saturating_sub(share)..];
        chosen.extend(best.iter().map(|puzzle| Puzzle { grade, ..(*puzzle).clone() }));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_analyse::{Finding, Kind};
    use kanzen_registry::{Changes, Store, Summary, VerifyReport, Whole};
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// A table that lies: one of two positions is won in five by a single move, which leads to the other; that one is
    /// lost in four, and its best move leads back.
    struct Round {
        /// Some answer, for all that does not matter.
        like: Answer,
        probes: AtomicU32,
    }

    impl AnySolved for Round {
        fn probe(&self, position: Option<&str>) -> Result<Answer, GameError> {
            assert!(self.probes.fetch_add(1, Relaxed) < 1000, "the line is followed for ever");
            let wins = position == Some("won");
            let (value, plies) = if wins { (Outcome::Win, 5) } else { (Outcome::Loss, 4) };
            let leads_to = if wins { "lost" } else { "won" }.to_owned();
            let mut answer = self.like.clone();
            for (number, mv) in answer.moves.iter_mut().enumerate() {
                let best = number == 0;
                mv.value = Some(if best { value } else { Outcome::Loss });
                mv.plies = Some(if best { plies } else { 2 });
                mv.position = Some(leads_to.clone());
            }
            Ok(Answer { value: Some(value), plies: Some(plies), ..answer })
        }
        fn store(&self) -> Store {
            unimplemented!()
        }
        fn line(&self, _: Option<&str>) -> Result<kanzen_registry::Line, GameError> {
            unimplemented!()
        }
        fn stats(&self) -> Result<Vec<Finding>, GameError> {
            unimplemented!()
        }
        fn kinds(&self) -> Vec<Kind> {
            unimplemented!()
        }
        fn find(&self, _: &str, _: usize, _: &dyn Progress) -> Result<Vec<Finding>, GameError> {
            unimplemented!()
        }
        fn summary(&self) -> Result<Option<Summary>, GameError> {
            unimplemented!()
        }
        fn sample(&self, _: &mut Random) -> Option<String> {
            unimplemented!()
        }
        fn whole(&self) -> Option<&dyn Whole> {
            unimplemented!()
        }
        fn changes(
            &self,
            _: &dyn AnySolved,
            _: usize,
            _: &dyn Progress,
        ) -> Result<Option<Changes>, GameError> {
            unimplemented!()
        }
        fn verify(&self, _: &dyn Progress) -> Result<VerifyReport, GameError> {
            unimplemented!()
        }
    }

    #[test]
    fn a_line_that_goes_round_for_ever_is_no_puzzle() {
        let game = kanzen_games::all().find("tictactoe").unwrap().build(&[]).unwrap();
        let like = Answer { passed: None, ..game.look(None).unwrap() };
        let solved = Round { like, probes: AtomicU32::new(0) };
        assert!(candidate(&solved, "won", false).unwrap().is_none());
        assert!(solved.probes.into_inner() > u32::from(LONGEST), "the line was followed");
    }
}
