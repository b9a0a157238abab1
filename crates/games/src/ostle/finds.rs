//! Remarkable boards, and what a designer asks.

use super::board::Board;
use super::census::boards_by_hole;
use super::notation::{name, write_board};
use super::solved::{Counts, SolvedOstle};
use super::survey::{self, Survey};
use super::table::{self, TIERS};
use super::tiers::Tier;
use crate::GameError;
use crate::any::{AnySolved, Report, Sheet};
use kanzen_core::Value;
use kanzen_solve::Progress;
use kanzen_table::TableError;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Finds boards of a kind.
pub(super) fn find(
    solved: &SolvedOstle,
    what: &str,
    most: usize,
    progress: &dyn Progress,
) -> Result<Report, GameError> {
    match what {
        "boards" => Ok(solved.boards()),
        "longest" => solved.longest(most, progress),
        "reachable" => solved.reached(most, progress),
        "only-move" => Ok(only_moves(&solved.survey(most, progress)?)),
        "zugzwang" => Ok(zugzwangs(&solved.survey(most, progress)?)),
        "branching" => Ok(branching(&solved.survey(most, progress)?)),
        "fairness" => solved.fairness(&solved.survey(most, progress)?),
        "survey" => solved.all(&solved.survey(most, progress)?),
        _ => {
            let known =
                "boards, branching, fairness, longest, only-move, reachable, survey, zugzwang";
            Err(GameError::NoAnswer(format!("cannot find '{what}': allowed are {known}")))
        }
    }
}

/// Refuses what the machine has no memory for.
fn need(bytes: u64) -> Result<(), GameError> {
    match survey::has_room(bytes) {
        true => Ok(()),
        false => Err(GameError::NoAnswer(format!(
            "this needs {} MB of memory, more than four fifths of the machine's",
            bytes.div_ceil(1_000_000)
        ))),
    }
}

/// The longest wins of a tier.
struct Longest<'a> {
    tier: &'a Tier,
    plies: u16,
    count: u64,
    boards: Vec<Board>,
}

impl SolvedOstle {
    fn survey(&self, most: usize, progress: &dyn Progress) -> Result<Survey, GameError> {
        need(survey::memory(self.game()))?;
        Ok(survey::survey(self, most, progress)?)
    }

    /// All boards, by the numbers of pieces and the cell of the hole.
    fn boards(&self) -> Report {
        let mut sheet =
            Sheet::new("boards up to symmetry", &["mover against opponent", "hole", "boards"]);
        let mut counts: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        let tiers = self.game().board_tiers().iter().rev();
        for (mine, theirs, hole, n) in tiers.flat_map(boards_by_hole) {
            let (pieces, hole) = (format!("{mine} against {theirs}"), name(hole));
            sheet.row([pieces.clone(), hole.clone(), n.to_string()]);
            counts.entry(pieces).or_default().insert(hole, n);
        }
        Report { json: json!(counts), sheets: vec![sheet] }
    }

    /// The longest wins of each tier, the one with most pieces first.
    fn longest_wins(&self) -> Result<Vec<Longest<'_>>, TableError> {
        let space = self.game().space();
        let mut longest = Vec::new();
        for (tier, shape) in space.tiers.all().iter().enumerate().rev() {
            let (_, _, boards) =
                self.census().nth(table::table_tier(space, tier) / TIERS).unwrap_or_default();
            let last = boards.by_plies.iter().rfind(|(plies, _)| *plies % 2 == 1);
            let Some((&plies, &count)) = last else { continue };
            let numbers = table::with_best(self.table(), space, tier, Value::Win(plies))?;
            let boards = numbers.into_iter().filter_map(|number| shape.board(number)).collect();
            longest.push(Longest { tier: shape, plies, count, boards });
        }
        Ok(longest)
    }

    fn longest(&self, most: usize, progress: &dyn Progress) -> Result<Report, GameError> {
        progress.note("reading the table");
        let mut sheet = Sheet::new("longest wins", &["tier", "plies", "boards", "example"]);
        let mut json = Vec::new();
        for Longest { tier, plies, count, boards } in self.longest_wins()? {
            let examples: Vec<String> = boards.iter().take(most).map(write_board).collect();
            for example in &examples {
                sheet.row([tier.name(), plies.to_string(), count.to_string(), example.clone()]);
            }
            json.push(json!({
                "tier": tier.name(), "plies": plies, "positions": count, "examples": examples,
            }));
        }
        Ok(Report { json: json!(json), sheets: vec![sheet] })
    }

    /// The distances of all states from the start, as the paper counts them. It needs a byte a board.
    fn reached(&self, most: usize, progress: &dyn Progress) -> Result<Report, GameError> {
        need(self.game().boards())?;
        let longest: Vec<Board> = self
            .longest_wins()?
            .into_iter()
            .next()
            .map(|longest| longest.boards)
            .unwrap_or_default();
        let reached = self.game().reach(&longest, progress, &AtomicBool::new(false))?;
        let mut states =
            Sheet::new("states up to symmetry by plies from the start", &["plies", "states"]);
        for (ply, count) in reached.states.iter().enumerate() {
            states.row([ply.to_string(), count.to_string()]);
        }
        let unreachable = reached.unreachable.len();
        let mut missing =
            Sheet::new(&format!("{unreachable} boards cannot arise"), &["for example"]);
        let examples = reached.unreachable.iter().take(most).map(write_board);
        let examples: Vec<String> = examples.collect();
        examples.iter().for_each(|board| missing.row([board.clone()]));
        let mut wins =
            Sheet::new("the longest wins, from the start", &["plies from the start", "board"]);
        let mut json_wins = Vec::new();
        for (board, plies) in longest.iter().zip(&reached.plies) {
            let (board, plies) = (write_board(board), *plies);
            let shown = plies.map_or("never".to_owned(), |plies| plies.to_string());
            wins.row([shown, board.clone()]);
            json_wins.push(json!({ "position": board, "plies": plies }));
        }
        let json = json!({
            "states": reached.states,
            "all_states": reached.states.iter().sum::<u64>(),
            "farthest": reached.states.len() - 1,
            "unreachable_boards": unreachable,
            "examples": examples,
            "longest_wins": json_wins,
        });
        Ok(Report { json, sheets: vec![states, missing, wins] })
    }

    /// How fair the game is, of boards with nothing barred.
    fn fairness(&self, survey: &Survey) -> Result<Report, GameError> {
        let summary = self.summary()?;
        let mut counts = Counts::default();
        self.census().for_each(|(_, _, boards)| counts.add(&boards));
        let [boards, wins, draws, losses, longest] = counts.row();
        let moves = survey.branching.iter().zip(0_u64..);
        let moves: u64 = moves.map(|(row, moves)| moves * row.iter().sum::<u64>()).sum();
        let decided = wins + losses;
        let plies: u64 = counts.by_plies.iter().map(|(&plies, n)| u64::from(plies) * n).sum();
        let only: u64 = survey.only.iter().map(|found| found.count).sum();
        let share = |part: u64, all: u64| part as f64 / all.max(1) as f64;
        let facts = [
            ("share won by the side to move", share(wins, boards)),
            ("share drawn", share(draws, boards)),
            ("share lost", share(losses, boards)),
            ("plies to the end, mean of won and lost boards", share(plies, decided)),
            ("moves, mean", share(moves, boards)),
            ("share of won and drawn boards with an only move", share(only, wins + draws)),
        ];
        let mut sheet = Sheet::new("for designers: boards with nothing barred", &["what", "found"]);
        sheet.row(["start".to_owned(), summary.value.to_string()]);
        sheet.row(["plies of the longest win or loss".to_owned(), longest.to_string()]);
        for (what, found) in facts {
            sheet.row([what.to_owned(), format!("{found:.4}")]);
        }
        let json = json!({
            "start": summary.value, "boards": boards, "wins": facts[0].1, "draws": facts[1].1,
            "losses": facts[2].1, "mean_plies": facts[3].1, "mean_moves": facts[4].1,
            "only_moves": facts[5].1, "longest": longest,
        });
        Ok(Report { json, sheets: vec![sheet] })
    }

    /// All that one pass over the boards tells.
    fn all(&self, survey: &Survey) -> Result<Report, GameError> {
        let named = [
            ("only_move", only_moves(survey)),
            ("zugzwang", zugzwangs(survey)),
            ("branching", branching(survey)),
            ("fairness", self.fairness(survey)?),
        ];
        let mut json = json!({ "boards": survey.boards(), "wrong": survey.wrong });
        let mut sheets = Vec::new();
        for (name, report) in named {
            json[name] = report.json;
            sheets.extend(report.sheets);
        }
        let mut sheet = Sheet::new("boards of which the table says", &["what", "boards"]);
        let wrong = survey.wrong;
        sheet.row([
            "what follows from their moves".to_owned(),
            (survey.boards() - wrong).to_string(),
        ]);
        sheet.row(["something else".to_owned(), wrong.to_string()]);
        sheets.push(sheet);
        Ok(Report { json, sheets })
    }
}

fn written(boards: &[Board]) -> Vec<String> {
    boards.iter().map(write_board).collect()
}

fn only_moves(survey: &Survey) -> Report {
    let mut sheet = Sheet::new(
        "boards on which a single move keeps the value, nothing barred",
        &["value", "boards", "example"],
    );
    let mut json = Vec::new();
    for (value, found) in ["draw", "win"].into_iter().zip(&survey.only) {
        let examples = written(&found.examples);
        for example in &examples {
            sheet.row([value.to_owned(), found.count.to_string(), example.clone()]);
        }
        json.push(json!({ "value": value, "positions": found.count, "examples": examples }));
    }
    Report { json: json!({ "only_moves": json }), sheets: vec![sheet] }
}

fn zugzwangs(survey: &Survey) -> Report {
    let found = &survey.zugzwangs;
    let caption = format!("{} boards are lost for whoever is to move", found.count);
    let mut sheet = Sheet::new(&caption, &["example", "self-symmetric"]);
    for board in &found.examples {
        let marked = if board.is_self_symmetric() { "yes" } else { "no" };
        sheet.row([write_board(board), marked.to_owned()]);
    }
    let symmetric = &survey.symmetric_zugzwangs;
    let caption = format!("{} of these are self-symmetric", symmetric.count);
    let mut same = Sheet::new(&caption, &["example"]);
    symmetric.examples.iter().for_each(|board| same.row([write_board(board)]));
    let json = json!({
        "positions": found.count, "self_symmetric": symmetric.count,
        "examples": written(&found.examples),
        "self_symmetric_examples": written(&symmetric.examples),
    });
    Report { json, sheets: vec![sheet, same] }
}

/// The table of values by number of moves.
fn branching(survey: &Survey) -> Report {
    let head = ["moves", "losses", "draws", "wins"];
    let mut sheet = Sheet::new("boards by the number of moves, nothing barred", &head);
    let mut json = Vec::new();
    for (moves, row) in survey.branching.iter().enumerate() {
        if row.iter().any(|&n| n > 0) {
            sheet.row([moves as u64].into_iter().chain(*row).map(|n| n.to_string()));
            let [losses, draws, wins] = row;
            json.push(json!({ "moves": moves, "losses": losses, "draws": draws, "wins": wins }));
        }
    }
    Report { json: json!({ "by_moves": json }), sheets: vec![sheet] }
}
