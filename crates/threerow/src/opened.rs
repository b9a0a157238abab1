//! Answers for positions of three-row: from the table where there is one, by search otherwise.

use super::game::{WINNER, draw, parse};
use super::layers::{Solver, Tier};
use super::notation::cell_name;
use super::search::{self, Meaning, SearchError, Searcher};
use super::symmetry::Symmetries;
use super::{Board, Outcomes, Player, Shape, census, claims};
use kanzen_analyse::{Cell, Column, Finding, Kind, LineEnd, Random, ValueError, columns, row};
use kanzen_core::{Gesture, Outcome, Trace, Words};
use kanzen_registry::{
    Answer, AnySolved, BestPlay, Changes, Files, GameError, Line, MoveAnswer, Store, Summary,
    VerifyReport, Whole as InMemory,
};
use kanzen_solve::Progress;
use kanzen_table::Table;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions that a search looks at before it gives up: for the position asked about, and for each
/// of its moves.
const LIMIT: u64 = 200_000_000;
const MOVE_LIMIT: u64 = 1_000_000;
/// The same where somebody waits: a second or so.
const HURRIED_LIMIT: u64 = 300_000;
const HURRIED_MOVE_LIMIT: u64 = 10_000;
/// Positions after which a hurried searcher begins anew: some hundred megabytes.
const REMEMBERED: u64 = 5_000_000;
/// Tables with more entries than this are verified by a sample of as many.
const VERIFIED: u64 = 100_000_000;

/// What the paper counts.
const THIRD_PLY: Kind = Kind::new(
    "third-ply",
    "The boards after three moves on which player 1 can force a win.",
    "3手後に1番が必勝の盤面。",
);

/// A cell, the board after taking it, and its value.
type Move = (u32, Board, Result<search::Answer, SearchError>);

/// A board shape and what answers for it.
pub(super) struct Opened {
    shape: Shape,
    meaning: Meaning,
    whole: Option<Whole>,
    searcher: Mutex<Searcher>,
    files: Files,
    limit: u64,
    move_limit: u64,
    /// Positions that the searcher has looked at.
    looked: AtomicU64,
}

impl Opened {
    pub(super) fn new(
        shape: Shape,
        meaning: Meaning,
        whole: Option<Whole>,
        files: Files,
    ) -> Opened {
        Opened {
            shape,
            meaning,
            whole,
            searcher: Mutex::new(Searcher::with_limit(shape, LIMIT)),
            files,
            limit: LIMIT,
            move_limit: MOVE_LIMIT,
            looked: AtomicU64::new(0),
        }
    }

    /// The table, or how to get one.
    fn whole(&self) -> Result<&Whole, GameError> {
        match &self.whole {
            Some(whole) => Ok(whole),
            None => Err(self.files.open().err().unwrap_or_else(|| {
                GameError::NoAnswer("boards of this size cannot be solved whole".to_owned())
            })),
        }
    }

    /// The value of a board, unless the search gives up after so many positions.
    fn value(
        &self,
        board: &Board,
        limit: u64,
    ) -> Result<Result<search::Answer, SearchError>, GameError> {
        if self.meaning == Meaning::Forced
            && let Some(whole) = &self.whole
        {
            let winner = Player::from_number(whole.forced(board)?);
            return Ok(Ok(search::Answer::Winner(winner)));
        }
        let mut searcher = self.searcher.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        searcher.set_limit(limit);
        let answer = searcher.answer(board, self.meaning);
        // Whoever answers for ever must forget now and then.
        let looked = self.looked.fetch_add(searcher.nodes(), Relaxed) + searcher.nodes();
        if self.limit == HURRIED_LIMIT && looked > REMEMBERED {
            self.looked.store(0, Relaxed);
            *searcher = Searcher::with_limit(self.shape, limit);
        }
        Ok(answer)
    }

    /// Who wins, in the words of the meaning; and what that is to a player.
    fn judge(
        &self,
        answer: &Result<search::Answer, SearchError>,
        player: Player,
    ) -> (Option<Outcome>, BestPlay) {
        let number = |winner: Option<Player>| winner.map_or(0, Player::number);
        let outcome = |winner: Option<Player>| match winner {
            None => Outcome::Draw,
            Some(winner) if winner == player => Outcome::Win,
            Some(_) => Outcome::Loss,
        };
        let meaning = self.meaning.to_string();
        let nothing = BestPlay { meaning, winner: None, winners: None, safe: None, unknown: None };
        match answer {
            Ok(search::Answer::Winner(winner)) => {
                let number = number(*winner);
                let (winner, winners) = (Some(number), Some(vec![number]));
                (
                    Some(outcome(Player::from_number(number))),
                    BestPlay { winner, winners, ..nothing },
                )
            }
            Ok(search::Answer::Safe(safe)) => {
                let own = matches!(self.meaning, Meaning::NotLosing(named) if named == player);
                let value = if own && !safe { Outcome::Loss } else { Outcome::Draw };
                (Some(value), BestPlay { safe: Some(*safe), ..nothing })
            }
            Ok(search::Answer::Outcomes(outcomes)) => {
                let winners: Vec<u8> = outcomes.winners().map(number).collect();
                let all = || outcomes.winners().map(outcome);
                let value = match winners[..] {
                    [_] => all().next().unwrap_or(Outcome::Draw),
                    _ if all().all(|value| value == Outcome::Loss) => Outcome::Loss,
                    _ => Outcome::Draw,
                };
                (Some(value), BestPlay { winners: Some(winners), ..nothing })
            }
            Err(error) => (None, BestPlay { unknown: Some(error.to_string()), ..nothing }),
        }
    }

    /// Every move with its value, the best for the player to move first.
    fn moves(&self, board: &Board) -> Result<Vec<Move>, GameError> {
        let children = board.moves().filter_map(|cell| Some((cell, board.play(cell)?)));
        let mut moves = children
            .map(|(cell, child)| Ok((cell, child, self.value(&child, self.move_limit)?)))
            .collect::<Result<Vec<_>, GameError>>()?;
        moves.sort_by_key(|(_, _, answer)| self.rank(board.mover(), answer));
        Ok(moves)
    }

    /// How good an answer is for a player: less is better.
    fn rank(&self, mover: Player, answer: &Result<search::Answer, SearchError>) -> u32 {
        let one = |winner: Option<Player>| match winner {
            Some(winner) if winner == mover => 0,
            None => 1,
            Some(winner) => match self.meaning {
                Meaning::MaxN(tie_break) if tie_break.preferred(mover) == winner => 2,
                _ => 3,
            },
        };
        match *answer {
            Err(_) => u32::MAX,
            Ok(search::Answer::Winner(winner)) => one(winner),
            Ok(search::Answer::Safe(safe)) => {
                let own = matches!(self.meaning, Meaning::NotLosing(player) if player == mover);
                u32::from(safe != own)
            }
            // The mean of what may happen.
            Ok(search::Answer::Outcomes(outcomes)) => {
                let ranks: Vec<u32> = outcomes.winners().map(one).collect();
                60 * ranks.iter().sum::<u32>() / ranks.len().max(1) as u32
            }
        }
    }

    fn answer(&self, (cell, child, value): &Move, mover: Player) -> MoveAnswer {
        let trace = Trace { from: None, to: Some(*cell as usize), also: Vec::new() };
        let (value, best_play) = self.judge(value, mover);
        MoveAnswer {
            name: cell_name(&self.shape, *cell),
            position: Some(child.to_string()),
            value,
            plies: None,
            pressure: None,
            best_play: Some(best_play),
            gesture: Gesture::from(&trace),
            end: None,
            again: false,
            trace,
        }
    }

    fn board(&self, position: Option<&str>) -> Result<Board, GameError> {
        match position {
            Some(text) => parse(self.shape, text),
            None => Ok(Board::empty(self.shape)),
        }
    }
}

/// A table with the index that reads it.
pub(super) struct Whole {
    solver: Solver,
    /// The index of each ply.
    tiers: Vec<Tier>,
    table: Table,
}

impl Whole {
    pub(super) fn new(solver: Solver, table: Table) -> Result<Whole, GameError> {
        let plies = 0..=solver.shape().cells();
        let tiers = plies.map(|plies| solver.tier(plies)).collect::<Result<Vec<_>, _>>()?;
        // The full board comes first.
        let sizes: Vec<u64> = tiers.iter().rev().map(Tier::len).collect();
        table.expect_shape(&[WINNER], &sizes, |code| code < 4)?;
        Ok(Whole { solver, tiers, table })
    }

    /// The forced winner by the table, or by the board if the game is over.
    fn forced(&self, board: &Board) -> Result<u8, ValueError> {
        if let Some(winner) = board.winner() {
            return Ok(winner.number());
        }
        let tier = &self.tiers[board.plies() as usize];
        let number = (self.solver.shape().cells() - board.plies()) as usize;
        let index = self.solver.locate(tier, board);
        let code = index.map(|index| self.table.code(number, index)).transpose()?.flatten();
        code.map(|code| code as u8).ok_or_else(|| ValueError::Missing(board.to_string()))
    }

    /// The forced winner as the moves of an open board make it.
    fn follows(&self, board: &Board) -> Result<u8, ValueError> {
        let mut outcomes = Outcomes::NONE;
        for child in board.moves().filter_map(|cell| board.play(cell)) {
            outcomes = outcomes.or(Outcomes::only(Player::from_number(self.forced(&child)?)));
        }
        if Outcomes::only(Some(board.mover())).within(outcomes) {
            return Ok(board.mover().number());
        }
        // Somebody else wins only if every move lets them.
        let sole = |player: &Player| outcomes == Outcomes::only(Some(*player));
        Ok(Player::ALL.into_iter().find(sole).map_or(0, Player::number))
    }
}

impl AnySolved for Opened {
    fn hurry(&mut self) {
        self.limit = HURRIED_LIMIT;
        self.move_limit = HURRIED_MOVE_LIMIT;
    }

    fn store(&self) -> Store {
        Store::Value
    }

    fn probe(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let board = self.board(position)?;
        let mover = board.mover();
        let (value, best_play) = self.judge(&self.value(&board, self.limit)?, mover);
        let moves = self.moves(&board)?;
        Ok(Answer {
            position: board.to_string(),
            mover: mover.number(),
            value,
            plies: None,
            pressure: None,
            best_play: Some(best_play),
            barred: None,
            moves: moves.iter().map(|mv| self.answer(mv, mover)).collect(),
            passed: None,
            drawing: draw(&board),
        })
    }

    fn canonical(&self, position: &str) -> Result<String, GameError> {
        let board = self.board(Some(position))?;
        let least = Symmetries::new(&self.shape).least(board.sets());
        Ok(Board::new(self.shape, least).unwrap_or(board).to_string())
    }

    fn line(&self, position: Option<&str>) -> Result<Line, GameError> {
        let start = self.board(position)?;
        let mut board = start;
        let mut moves = Vec::new();
        let mut end = LineEnd::Over;
        while let Some(best) = self.moves(&board)?.first() {
            // Nobody knows what is best where the search gives up.
            if best.2.is_err() {
                end = LineEnd::Unknown;
                break;
            }
            moves.push(self.answer(best, board.mover()));
            board = best.1;
        }
        let (value, best_play) = self.judge(&self.value(&start, self.limit)?, start.mover());
        Ok(Line {
            position: start.to_string(),
            mover: start.mover().number(),
            value,
            plies: None,
            best_play: Some(best_play),
            moves,
            end,
        })
    }

    fn stats(&self) -> Result<Vec<Finding>, GameError> {
        let table = &self.whole()?.table;
        let mut finding = Finding::new(
            "plies",
            Words::new(
                "Boards by ply, and open boards up to symmetry by who can force a win: nobody, 1, 2 or 3.",
                "手数別の盤面数と、対称を除いた未決着盤面の必勝者（なし・1・2・3）。",
            ),
            &[
                columns::PLIES,
                Column::new("boards", "boards", "盤面数"),
                Column::new("boards_up_to_symmetry", "up to symmetry", "対称を除く"),
                Column::new("open_states_up_to_symmetry", "open", "未決着"),
                Column::new("winners", "won by", "必勝者"),
            ],
        );
        for (plies, tier) in (0..).zip(table.meta().tiers.iter().rev()) {
            let mut winners = vec![0; 4];
            for (&code, &count) in tier.codes.iter().zip(&tier.counts) {
                winners[usize::from(code) % 4] += count;
            }
            let boards = census::boards(&self.shape, plies) as u64;
            let up_to_symmetry = census::boards_up_to_symmetry(&self.shape, plies) as u64;
            let open: u64 = winners.iter().sum();
            let plies = u64::from(plies);
            finding.add(row![plies, boards, up_to_symmetry, open, Cell::Counts(winners)]);
        }
        Ok(vec![finding])
    }

    fn kinds(&self) -> Vec<Kind> {
        vec![THIRD_PLY]
    }

    fn find(&self, kind: &str, _: usize, _: &dyn Progress) -> Result<Vec<Finding>, GameError> {
        if kind != THIRD_PLY.name {
            return Err(GameError::unknown_kind(kind, &self.kinds()));
        }
        let wins = claims::third_ply_wins(self.shape)
            .map_err(|error| GameError::NoAnswer(error.to_string()))?;
        let cells: Vec<String> = (0..self.shape.cells())
            .filter(|cell| wins.first_cells >> cell & 1 == 1)
            .map(|cell| cell_name(&self.shape, cell))
            .collect();
        let finding = Finding::new(
            "third_ply",
            Words::new(
                "Boards after three moves on which player 1 can force a win.",
                "3手後に1番が必勝の盤面。",
            ),
            &[
                Column::new(
                    "pairs",
                    "two moves up to symmetry, and a third",
                    "最初の2手を対称を除いて数え、3手目を区別",
                ),
                Column::new("up_to_symmetry", "boards up to symmetry", "対称を除いた盤面数"),
                Column::new("first_cells", "cells of player 1", "1番のマス"),
            ],
        );
        let counts = [wins.pairs as u64, wins.up_to_symmetry as u64];
        Ok(vec![finding.with(row![counts[0], counts[1], Cell::Names(cells)])])
    }

    /// Nobody wins, draws or loses alone among three.
    fn summary(&self) -> Result<Option<Summary>, GameError> {
        Ok(None)
    }

    fn whole(&self) -> Option<&dyn InMemory> {
        None
    }

    fn changes(
        &self,
        _: &dyn AnySolved,
        _: usize,
        _: &dyn Progress,
    ) -> Result<Option<Changes>, GameError> {
        Ok(None)
    }

    /// An open board that random moves lead to; only under `forced`, by which a player who wins does so
    /// whatever the others do.
    fn sample(&self, random: &mut Random) -> Option<String> {
        const FEWEST: u64 = 3;
        if self.meaning != Meaning::Forced {
            return None;
        }
        let cells = u64::from(self.shape.cells());
        let symmetries = Symmetries::new(&self.shape);
        let boards = std::iter::repeat_with(|| {
            let plies = FEWEST + random.below(cells - FEWEST);
            (0..plies).try_fold(Board::empty(self.shape), |board, _| {
                let moves: Vec<u32> = board.moves().collect();
                let cell = moves.get(random.below(moves.len().max(1) as u64) as usize)?;
                board.play(*cell).filter(Board::is_open)
            })
        });
        let board = boards.take(100).flatten().next()?;
        let least = Board::new(self.shape, symmetries.least(board.sets()));
        Some(least.unwrap_or(board).to_string())
    }

    /// Every entry, or a sample of a very large table, against the boards after it.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        const CHUNK: u64 = 1 << 14;
        let whole = self.whole()?;
        let entries: u64 = whole.table.meta().tiers.iter().map(|tier| tier.size).sum();
        let share = (VERIFIED as f64 / entries as f64).min(1.0);
        progress.begin("verifying", (entries as f64 * share) as u64);
        let mut report = VerifyReport { passed: true, ..Default::default() };
        for plies in 0..=self.shape.cells() {
            let tier = &whole.tiers[plies as usize];
            let chunks = tier.len().div_ceil(CHUNK);
            let found: Vec<(u64, Vec<String>)> = (0..chunks)
                .into_par_iter()
                .map(|chunk| {
                    let range = chunk * CHUNK..tier.len().min((chunk + 1) * CHUNK);
                    let mut random = Random::new(chunk);
                    let (mut seen, mut wrong, mut looked) = (0, Vec::new(), 0);
                    for index in range {
                        if share < 1.0 && random.below(1 << 32) as f64 >= share * 2f64.powi(32) {
                            continue;
                        }
                        looked += 1;
                        // Duplicates are verified with the board that they are an image of.
                        let Some(board) = whole.solver.board(tier, index) else { continue };
                        seen += 1;
                        let said = whole.forced(&board)?;
                        let follows = whole.follows(&board)?;
                        if said != follows {
                            wrong.push(format!("{board}: {said}, its moves say {follows}"));
                        }
                    }
                    progress.advance(looked);
                    Ok((seen, wrong))
                })
                .collect::<Result<_, ValueError>>()?;
            for (seen, wrong) in found {
                report.positions += seen;
                report.wrong += wrong.len() as u64;
                let room = 10usize.saturating_sub(report.problems.len());
                report.problems.extend(wrong.into_iter().take(room));
            }
        }
        progress.end();
        report.passed = report.wrong == 0;
        Ok(report)
    }
}
