//! A table of Ostle, and what it tells.

use super::look::Look;
use super::rules::{Ostle, State};
use super::table;
use super::{compare, draws, finds, survey, verify};
use kanzen_analyse::{Column, Finding, Kind, Random, TierCensus, ValueError, Values, columns, row};
use kanzen_core::{Game, Pressure, Text, Value, Words};
use kanzen_registry::{Arrays, Changes, Files, GameError, SolvedGame, VerifyReport, kinds};
use kanzen_solve::{Job, Progress};
use kanzen_table::Table;

/// The game together with its table.
pub struct SolvedOstle {
    game: Ostle,
    table: Table,
    draws: Option<Table>,
}

impl SolvedOstle {
    /// The game with a table that was written for it.
    #[must_use]
    pub fn new(game: Ostle, table: Table) -> SolvedOstle {
        SolvedOstle { game, table, draws: None }
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The table of its ranked draws, if there is one.
    pub(super) fn draws(&self) -> Option<&Table> {
        self.draws.as_ref()
    }

    /// The states that are lost, drawn and won.
    pub(super) fn outcomes(&self) -> [u64; 3] {
        let (states, _) = self.totals_of_both();
        [states.losses, states.draws, states.wins]
    }

    /// The counts of states and of boards, by tier, the one with most pieces first.
    pub(super) fn census(&self) -> impl Iterator<Item = (&str, TierCensus, TierCensus)> {
        let meta = self.table.meta();
        let of = TierCensus::of_counted;
        let pairs = meta.census.chunks_exact(2).map(move |pair| (of(&pair[0]), of(&pair[1])));
        meta.tiers.iter().zip(pairs).map(|(tier, (states, boards))| (&*tier.name, states, boards))
    }

    /// The counts of all states and of all boards.
    pub(super) fn totals_of_both(&self) -> (TierCensus, TierCensus) {
        let mut all = (TierCensus::default(), TierCensus::default());
        for (_, states, boards) in self.census() {
            all.0.merge(&states);
            all.1.merge(&boards);
        }
        all
    }
}

/// The name of a tier in both languages: `5 against 4 and 4 against 5`.
pub(super) fn tier_title(name: &str) -> Text {
    Text::new(name, name.replace(" against ", "対").replace(" and ", "と"))
}

impl Values for SolvedOstle {
    type Game = Ostle;

    fn game(&self) -> &Ostle {
        &self.game
    }

    fn value(&self, state: &State) -> Result<Value, ValueError> {
        let board = &state.board;
        if board.theirs.count_ones() == self.game.least() && Look::at(board).takes() {
            return Ok(Value::Win(1));
        }
        let value = table::state_value(&self.table, self.game.space(), state)?;
        value.ok_or_else(|| ValueError::Missing(self.game.write(state)))
    }

    fn pressure(&self, state: &State) -> Result<Option<Pressure>, ValueError> {
        let Some(draws) = &self.draws else { return Ok(None) };
        Ok(draws::pressure(draws, &self.game, state)?)
    }
}

impl SolvedGame for SolvedOstle {
    fn barred(&self, state: &State) -> Option<String> {
        state.barred.map(|mv| self.game.write_move(state, mv))
    }

    fn stats(&self) -> Vec<Finding> {
        let heads = [
            Column::new("tier", "mover against opponent", "手番側対相手側"),
            columns::POSITIONS,
            columns::WINS,
            columns::DRAWS,
            columns::LOSSES,
            columns::LONGEST,
        ];
        let caption =
            Words::new("Boards up to symmetry, nothing barred.", "対称を除いた盤面（禁手なし）。");
        let mut boards = Finding::new("boards", caption, &heads);
        let caption = Words::new(
            "States up to symmetry that a move leads to, without those won at once.",
            "手を指した後に現れる状態（対称を除き、一手で勝てるものを除く）。",
        );
        let mut states = Finding::new("states", caption, &heads);
        let add = |finding: &mut Finding, name: Text, counts: &TierCensus| {
            let TierCensus { positions, wins, draws, losses, .. } = *counts;
            finding.add(row![name, positions, wins, draws, losses, counts.longest()]);
        };
        for (name, of_states, of_boards) in self.census() {
            add(&mut states, tier_title(name), &of_states);
            add(&mut boards, tier_title(name), &of_boards);
        }
        let (all_states, all_boards) = self.totals_of_both();
        add(&mut states, kinds::ALL.into(), &all_states);
        add(&mut boards, kinds::ALL.into(), &all_boards);
        let caption = Words::new(
            "Decided boards and states by plies to the end of the game; odd numbers are wins.",
            "終局までの手数別の盤面数と状態数（奇数は勝ち）。",
        );
        let heads = [
            columns::PLIES,
            Column::new("boards", "boards", "盤面数"),
            Column::new("states", "states", "状態数"),
        ];
        let mut plies = Finding::new("plies", caption, &heads);
        let at = |census: &TierCensus, plies: u16| {
            let counts =
                if plies % 2 == 1 { &census.wins_by_plies } else { &census.losses_by_plies };
            counts.get(&plies).copied().unwrap_or(0)
        };
        let longest = all_boards.longest().max(all_states.longest());
        for number in 0..=longest.unwrap_or(0) {
            let [boards, states] = [&all_boards, &all_states].map(|census| at(census, number));
            if boards + states > 0 {
                plies.add(row![number, boards, states]);
            }
        }
        vec![boards, states, plies]
    }

    fn kinds(&self) -> Vec<Kind> {
        let ranked = self.draws.as_ref().map(|_| Kind::PRESSURE);
        finds::KINDS.iter().copied().chain(ranked).collect()
    }

    fn find(
        &self,
        kind: &str,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Finding>, GameError> {
        match &self.draws {
            Some(draws) if kind == Kind::PRESSURE.name && !cfg!(target_family = "wasm") => {
                self.find_pressure(draws, most, progress)
            }
            _ => finds::find(self, kind, most, progress),
        }
    }

    fn rank_draws(&self, files: &Files, level: i32, job: &Job<'_>) -> Result<u64, GameError> {
        self.write_draws(files, level, job)
    }

    fn ranks_draws(&self) -> bool {
        self.draws.is_some()
    }

    fn take_draws(&mut self, draws: Table) -> Result<(), GameError> {
        draws::expect_shape(&draws, &self.game)?;
        self.draws = Some(draws);
        Ok(())
    }

    /// Counts states, as the literature does.
    fn totals(&self) -> ([u64; 4], u16) {
        let (states, _) = self.totals_of_both();
        let TierCensus { positions, wins, draws, losses, .. } = states;
        ([positions, wins, draws, losses], states.longest().unwrap_or(0))
    }

    /// A board with nothing barred, of any tier.
    fn sample(&self, random: &mut Random) -> Option<State> {
        let tiers = self.game.board_tiers();
        let boards = std::iter::repeat_with(|| {
            let tier = &tiers[random.below(tiers.len() as u64) as usize];
            tier.board(random.below(tier.size().into()) as u32)
        });
        boards.take(100).flatten().next().map(State::free)
    }

    fn arrays(&self) -> Option<&dyn Arrays> {
        Some(self)
    }

    fn changes(
        &self,
        other: &SolvedOstle,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Changes>, GameError> {
        let same = other.game.total() == self.game.total()
            && table::boards(&other.table) == table::boards(&self.table);
        same.then(|| Ok(compare::changes([self, other], most, progress)?)).transpose()
    }

    /// Every board is compared with its moves, if its facts have room in memory; else a sample.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        // Nothing is checked in a browser, which need not fetch what does it then.
        if cfg!(target_family = "wasm") {
            return Err(GameError::NoAnswer("nothing is checked here".to_owned()));
        }
        let memory = match self.draws {
            Some(_) => self.memory_of_ranks(),
            None => survey::memory(&self.game),
        };
        if !survey::has_room(memory) {
            return verify::sample(self, progress);
        }
        let survey = survey::survey(self, 0, progress)?;
        let report = VerifyReport {
            passed: survey.wrong == 0,
            positions: survey.boards(),
            draws: None,
            wrong: survey.wrong,
            problems: survey.problems,
        };
        Ok(report.with_draws(self.verify_draws(progress)?))
    }
}
