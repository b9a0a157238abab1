//! A table of Ostle, and what it tells.

use super::look::Look;
use super::rules::{Move, Ostle, State, Undo};
use super::survey;
use super::table::{self, TIERS};
use super::verify;
use super::{compare, finds};
use crate::GameError;
use crate::any::{
    Answer, AnySolved, Judgement, Line, MoveAnswer, Report, Sheet, Summary, VerifyReport,
};
use crate::changes::Changes;
use kanzen_analyse::Random;
use kanzen_core::{Game, Next, Outcome, Value, Verdict};
use kanzen_solve::Progress;
use kanzen_table::{Table, TableError, TierMeta};
use serde_json::json;
use std::any::Any;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// The game together with its table.
pub struct SolvedOstle {
    game: Ostle,
    table: Table,
}

/// A move, where it leads, and what it is worth to its mover.
type Valued = (Move, Next<State>, Value);

impl SolvedOstle {
    /// The game with a table that was written for it.
    #[must_use]
    pub fn new(game: Ostle, table: Table) -> SolvedOstle {
        SolvedOstle { game, table }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Ostle {
        &self.game
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The value of a state for the side to move.
    pub fn value(&self, state: &State) -> Result<Value, TableError> {
        let board = &state.board;
        if board.theirs.count_ones() == self.game.least() && Look::at(board).takes() {
            return Ok(Value::Win(1));
        }
        table::state_value(&self.table, self.game.space(), state)
    }

    /// Every move that is not barred, the best first.
    pub fn moves(&self, state: &State) -> Result<Vec<Valued>, TableError> {
        let mut moves = Vec::new();
        self.game.moves(state, |mv| moves.push((mv, self.game.play(state, mv))));
        let mut moves: Vec<Valued> = moves
            .into_iter()
            .map(|(mv, next)| {
                let value = match &next {
                    Next::Over(outcome) => Value::ended(*outcome, 1),
                    Next::Position(next) => self.value(next)?.before_move(),
                };
                Ok((mv, next, value))
            })
            .collect::<Result<_, TableError>>()?;
        moves.sort_by_key(|mv| Reverse(mv.2));
        Ok(moves)
    }

    fn state(&self, text: Option<&str>) -> Result<State, GameError> {
        Ok(match text {
            Some(text) => self.game.parse(text)?,
            None => self.game.start(),
        })
    }

    fn answer(&self, state: &State, (mv, next, value): Valued) -> MoveAnswer {
        MoveAnswer {
            name: self.game.write_move(state, mv),
            position: match &next {
                Next::Over(_) => None,
                Next::Position(next) => Some(self.game.write(next)),
            },
            value: judge(value),
            trace: self.game.trace(state, mv),
            gesture: self.game.gesture(state, mv),
            end: match next {
                Next::Over(_) => Some(self.game.draw_end(state, mv)),
                Next::Position(_) => None,
            },
        }
    }

    /// The states that are lost, drawn and won.
    pub(super) fn outcomes(&self) -> [u64; 3] {
        let mut counts = Counts::default();
        self.census().for_each(|(_, states, _)| counts.add(&states));
        [counts.with_parity(0), counts.draws, counts.with_parity(1)]
    }

    /// The counts of states and of boards, by tier, the one with most pieces first.
    pub(super) fn census(&self) -> impl Iterator<Item = (&str, Counts, Counts)> {
        let tiers = self.table.meta().tiers.chunks_exact(TIERS);
        tiers.map(|tiers| (&*tiers[0].name, Counts::of(&tiers[1]), Counts::of(&tiers[2])))
    }
}

fn judge(value: Value) -> Judgement {
    Judgement::Two(Verdict::new(value, Outcome::Draw))
}

/// How many states or boards have which value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Draws.
    pub draws: u64,
    /// Wins (odd) and losses (even), by plies to the end.
    pub by_plies: BTreeMap<u16, u64>,
}

impl Counts {
    fn of(tier: &TierMeta) -> Counts {
        let mut counts = Counts::default();
        for (&code, &n) in tier.codes.iter().zip(&tier.counts) {
            match Value::from_code(code) {
                Value::Open => counts.draws += n,
                Value::Win(plies) | Value::Loss(plies) => {
                    *counts.by_plies.entry(plies).or_default() += n;
                }
            }
        }
        counts
    }

    pub(super) fn add(&mut self, other: &Counts) {
        self.draws += other.draws;
        for (&plies, n) in &other.by_plies {
            *self.by_plies.entry(plies).or_default() += n;
        }
    }

    fn with_parity(&self, parity: u16) -> u64 {
        self.by_plies.iter().filter(|(plies, _)| *plies % 2 == parity).map(|(_, n)| n).sum()
    }

    fn json(&self) -> serde_json::Value {
        let [all, wins, draws, losses, longest] = self.row();
        json!({
            "all": all, "wins": wins, "draws": draws, "losses": losses, "longest": longest,
            "by_plies": self.by_plies,
        })
    }

    pub(super) fn row(&self) -> [u64; 5] {
        let (wins, losses) = (self.with_parity(1), self.with_parity(0));
        let longest = self.by_plies.last_key_value().map_or(0, |(&plies, _)| plies);
        [wins + losses + self.draws, wins, self.draws, losses, longest.into()]
    }
}

impl AnySolved for SolvedOstle {
    fn probe(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let state = self.state(position)?;
        let moves = self.moves(&state)?.into_iter();
        Ok(Answer {
            position: self.game.write(&state),
            value: judge(self.value(&state)?),
            barred: state.barred.map(|mv| self.game.write_move(&state, mv)),
            moves: moves.map(|mv| self.answer(&state, mv)).collect(),
            drawing: self.game.draw(&state),
        })
    }

    fn line(&self, position: Option<&str>) -> Result<Line, GameError> {
        let first = self.state(position)?;
        let mut state = first;
        let mut seen = HashSet::from([state]);
        let mut moves = Vec::new();
        let end = loop {
            let Some(&best) = self.moves(&state)?.first() else { break "there is no move" };
            moves.push(self.answer(&state, best));
            match best.1 {
                Next::Over(_) => break "the game is over",
                Next::Position(next) if !seen.insert(next) => break "a position comes back",
                Next::Position(next) => state = next,
            }
        };
        Ok(Line {
            position: self.game.write(&first),
            value: judge(self.value(&first)?),
            moves,
            end,
        })
    }

    fn stats(&self) -> Result<Report, GameError> {
        let head = |what| [what, "all", "wins", "draws", "losses", "longest"];
        let mut boards =
            Sheet::new("boards up to symmetry, nothing barred", &head("mover against opponent"));
        let mut states = Sheet::new(
            "states up to symmetry that a move leads to, without those won at once",
            &head("mover against opponent"),
        );
        let (mut all_states, mut all_boards) = (Counts::default(), Counts::default());
        let mut json_tiers = Vec::new();
        let row = |name: &str, counts: &Counts| {
            [name.to_owned()].into_iter().chain(counts.row().map(|n| n.to_string()))
        };
        for (name, of_states, of_boards) in self.census() {
            states.row(row(name, &of_states));
            boards.row(row(name, &of_boards));
            all_states.add(&of_states);
            all_boards.add(&of_boards);
            json_tiers.push(json!({
                "tier": name, "boards": of_boards.json(), "states": of_states.json(),
            }));
        }
        states.row(row("all", &all_states));
        boards.row(row("all", &all_boards));
        let mut by_plies = Sheet::new(
            "by plies to the end of the game (odd: a win), all tiers",
            &["plies", "boards", "states"],
        );
        by_plies.row([
            "draw".to_owned(),
            all_boards.draws.to_string(),
            all_states.draws.to_string(),
        ]);
        for (plies, n) in &all_boards.by_plies {
            let states = all_states.by_plies.get(plies).copied().unwrap_or(0);
            by_plies.row([plies.to_string(), n.to_string(), states.to_string()]);
        }
        let all = json!({ "boards": all_boards.json(), "states": all_states.json() });
        let json = json!({ "all": all, "tiers": json_tiers });
        Ok(Report { json, sheets: vec![boards, states, by_plies] })
    }

    fn find(&self, what: &str, most: usize, progress: &dyn Progress) -> Result<Report, GameError> {
        finds::find(self, what, most, progress)
    }

    /// Counts states, as the literature does.
    fn summary(&self) -> Result<Summary, GameError> {
        let start = self.game.start();
        let mut counts = Counts::default();
        self.census().for_each(|(_, states, _)| counts.add(&states));
        let [positions, wins, draws, losses, longest] = counts.row();
        Ok(Summary {
            start: self.game.write(&start),
            value: Verdict::new(self.value(&start)?, Outcome::Draw),
            positions,
            wins,
            draws,
            losses,
            longest: longest as u16,
        })
    }

    /// A board with nothing barred, of any tier.
    fn sample(&self, random: &mut Random) -> Option<String> {
        let tiers = self.game.board_tiers();
        let boards = std::iter::repeat_with(|| {
            let tier = &tiers[random.below(tiers.len() as u64) as usize];
            tier.board(random.below(tier.size().into()) as u32)
        });
        let board = boards.take(100).flatten().next()?;
        Some(self.game.write(&State::free(board)))
    }

    fn changes(
        &self,
        other: &dyn AnySolved,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Changes>, GameError> {
        let other: &dyn Any = other;
        match other.downcast_ref::<SolvedOstle>() {
            Some(other)
                if other.game.total() == self.game.total()
                    && table::boards(&other.table) == table::boards(&self.table) =>
            {
                Ok(Some(compare::changes([self, other], most, progress)?))
            }
            _ => Ok(None),
        }
    }

    /// Every board is compared with its moves, if its facts have room in memory; else a sample, as
    /// under the published bar, which has exceptions.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        let room = survey::has_room(survey::memory(&self.game));
        if self.game.undo() == Undo::Symmetric || !room {
            return Ok(verify::sample(self, progress)?);
        }
        let survey = survey::survey(self, 0, progress)?;
        Ok(VerifyReport {
            passed: survey.wrong == 0,
            positions: survey.boards(),
            wrong: survey.wrong,
            problems: survey.problems,
        })
    }
}
