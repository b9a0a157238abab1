//! Answers for positions of three-row: from the table where there is one, by search otherwise.

use super::game::{draw, parse};
use super::layers::{Solver, Tier};
use super::notation::cell_name;
use super::search::{self, Meaning, SearchError, Searcher};
use super::symmetry::Symmetries;
use super::{Board, Outcomes, Player, Shape, census, claims};
use crate::any::{
    Answer, AnySolved, Judgement, Line, MoveAnswer, Report, Sheet, Store, VerifyReport,
};
use crate::{GameError, store};
use kanzen_analyse::Random;
use kanzen_core::{Gesture, Trace};
use kanzen_solve::Progress;
use kanzen_table::{Identity, Table, TableError};
use rayon::prelude::*;
use serde_json::json;
use std::path::{Path, PathBuf};
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

/// A cell, the board after taking it, and its value.
type Move = (u32, Board, Result<search::Answer, SearchError>);

/// A board shape and what answers for it.
pub(super) struct Opened {
    shape: Shape,
    meaning: Meaning,
    whole: Option<Whole>,
    searcher: Mutex<Searcher>,
    identity: Identity,
    dir: PathBuf,
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
        identity: Identity,
        dir: &Path,
    ) -> Opened {
        Opened {
            shape,
            meaning,
            whole,
            searcher: Mutex::new(Searcher::with_limit(shape, LIMIT)),
            identity,
            dir: dir.to_owned(),
            limit: LIMIT,
            move_limit: MOVE_LIMIT,
            looked: AtomicU64::new(0),
        }
    }

    /// The table, or how to get one.
    fn whole(&self) -> Result<&Whole, GameError> {
        match &self.whole {
            Some(whole) => Ok(whole),
            None => {
                Err(store::existing_table(&self.dir, &self.identity).err().unwrap_or_else(|| {
                    GameError::NoAnswer("boards of this size cannot be solved whole".to_owned())
                }))
            }
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

    fn judge(&self, answer: Result<search::Answer, SearchError>) -> Judgement {
        let meaning = self.meaning.to_string();
        let number = |winner: Option<Player>| winner.map_or(0, Player::number);
        match answer {
            Ok(search::Answer::Winner(winner)) => {
                Judgement::Winner { meaning, winner: number(winner) }
            }
            Ok(search::Answer::Safe(safe)) => Judgement::Safe { meaning, safe },
            Ok(search::Answer::Outcomes(outcomes)) => {
                let outcomes = outcomes.winners().map(number).collect();
                Judgement::Outcomes { meaning, outcomes }
            }
            Err(error) => Judgement::Unknown { meaning, unknown: error.to_string() },
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

    fn answer(&self, (cell, child, value): &Move) -> MoveAnswer {
        let trace = Trace { from: None, to: Some(*cell as usize), also: Vec::new() };
        MoveAnswer {
            name: cell_name(&self.shape, *cell),
            position: Some(child.to_string()),
            value: self.judge(*value),
            gesture: Gesture::from(&trace),
            end: None,
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
        let tiers = plies.map(|plies| solver.tier(plies)).collect::<Result<_, _>>()?;
        Ok(Whole { solver, tiers, table })
    }

    /// The forced winner by the table, or by the board if the game is over.
    fn forced(&self, board: &Board) -> Result<u8, TableError> {
        if let Some(winner) = board.winner() {
            return Ok(winner.number());
        }
        let tier = &self.tiers[board.plies() as usize];
        let number = (self.solver.shape().cells() - board.plies()) as usize;
        let index = self.solver.locate(tier, board);
        let code = index.map(|index| self.table.code(number, index)).transpose()?.flatten();
        Ok(code.unwrap_or(0) as u8)
    }

    /// The forced winner as the moves of an open board make it.
    fn follows(&self, board: &Board) -> Result<u8, TableError> {
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
        let value = self.judge(self.value(&board, self.limit)?);
        let moves = self.moves(&board)?;
        Ok(Answer {
            position: board.to_string(),
            value,
            barred: None,
            moves: moves.iter().map(|mv| self.answer(mv)).collect(),
            drawing: draw(&board),
        })
    }

    fn line(&self, position: Option<&str>) -> Result<Line, GameError> {
        let start = self.board(position)?;
        let mut board = start;
        let mut moves = Vec::new();
        let mut end = "the game is over";
        while let Some(best) = self.moves(&board)?.first() {
            // Nobody knows what is best where the search gives up.
            if best.2.is_err() {
                end = "the search gives up";
                break;
            }
            moves.push(self.answer(best));
            board = best.1;
        }
        Ok(Line {
            position: start.to_string(),
            value: self.judge(self.value(&start, self.limit)?),
            moves,
            end,
        })
    }

    fn stats(&self) -> Result<Report, GameError> {
        let table = &self.whole()?.table;
        let mut sheet = Sheet::new(
            "boards by ply, and open boards up to symmetry by who can force a win",
            &["plies", "boards", "up to symmetry", "open", "nobody", "1", "2", "3"],
        );
        let mut rows = Vec::new();
        for (plies, tier) in (0..).zip(table.meta().tiers.iter().rev()) {
            let mut winners = [0; 4];
            for (&code, &count) in tier.codes.iter().zip(&tier.counts) {
                winners[usize::from(code) % 4] += count;
            }
            let boards = census::boards(&self.shape, plies) as u64;
            let up_to_symmetry = census::boards_up_to_symmetry(&self.shape, plies) as u64;
            let open: u64 = winners.iter().sum();
            let counts = [u64::from(plies), boards, up_to_symmetry, open].into_iter();
            sheet.row(counts.chain(winners).map(|count| count.to_string()));
            rows.push(json!({
                "plies": plies, "boards": boards, "boards_up_to_symmetry": up_to_symmetry,
                "open_states_up_to_symmetry": open, "winners": winners,
            }));
        }
        Ok(Report { json: json!({ "meaning": "forced", "rows": rows }), sheets: vec![sheet] })
    }

    fn find(&self, what: &str, _: usize, _: &dyn Progress) -> Result<Report, GameError> {
        if what != "third-ply" {
            let text = format!("cannot find '{what}': allowed is third-ply");
            return Err(GameError::NoAnswer(text));
        }
        let wins = claims::third_ply_wins(self.shape)
            .map_err(|error| GameError::NoAnswer(error.to_string()))?;
        let cells: Vec<String> = (0..self.shape.cells())
            .filter(|cell| wins.first_cells >> cell & 1 == 1)
            .map(|cell| cell_name(&self.shape, cell))
            .collect();
        let mut sheet = Sheet::new(
            "boards after three moves on which player 1 can force a win",
            &["counted as", "boards"],
        );
        let pairs = "two moves up to symmetry, and a third";
        sheet.row([pairs.to_owned(), wins.pairs.to_string()]);
        sheet.row(["boards up to symmetry".to_owned(), wins.up_to_symmetry.to_string()]);
        sheet.row(["cells of player 1".to_owned(), cells.join(" ")]);
        let json = json!({
            "pairs": wins.pairs, "up_to_symmetry": wins.up_to_symmetry, "first_cells": cells,
        });
        Ok(Report { json, sheets: vec![sheet] })
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
        let mut report =
            VerifyReport { passed: true, positions: 0, wrong: 0, problems: Vec::new() };
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
                .collect::<Result<_, TableError>>()?;
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
