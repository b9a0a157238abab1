//! Remarkable boards, and what a designer asks. Nothing is barred on the boards that are counted.

use super::board::Board;
use super::census::boards_by_hole;
use super::notation::{name, write_board};
use super::solved::{SolvedOstle, tier_title};
use super::survey::{self, Sample, Survey};
use super::table;
use super::tiers::Tier;
use kanzen_analyse::{Cell, Column, Finding, Kind, TierCensus, Values, columns, row};
use kanzen_core::{Game, Outcome, Value, Words};
use kanzen_registry::GameError;
use kanzen_registry::kinds::{self, Fairness};
use kanzen_solve::Progress;
use kanzen_table::TableError;
use std::sync::atomic::AtomicBool;

/// The kinds that can be asked for.
pub(super) const KINDS: &[Kind] = &[
    Kind::new(
        "boards",
        "How many boards there are, by pieces and the place of the hole.",
        "駒の数と穴の位置別の盤面数。",
    ),
    Kind::LONGEST,
    Kind::REACHABLE,
    Kind::ONLY_MOVE,
    Kind::ZUGZWANG,
    Kind::BRANCHING,
    Kind::FAIRNESS,
    Kind::SURVEY,
];

/// Finds boards of a kind.
pub(super) fn find(
    solved: &SolvedOstle,
    kind: &str,
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, GameError> {
    match kind {
        "boards" => return Ok(vec![solved.boards()]),
        "longest" => return Ok(vec![solved.longest(most, progress)?]),
        "reachable" => return solved.reached(most, progress),
        _ => need(survey::memory(solved.game()))?,
    }
    let survey = survey::survey(solved, most, progress)?;
    Ok(match kind {
        "only-move" => vec![only_moves(&survey)],
        "zugzwang" => vec![zugzwangs(&survey)],
        "branching" => branching(&survey).into(),
        "fairness" => vec![solved.fairness(&survey)?],
        _ => {
            let mut all = vec![solved.fairness(&survey)?];
            all.extend(branching(&survey));
            all.extend([only_moves(&survey), zugzwangs(&survey), follows(&survey)]);
            all
        }
    })
}

/// Refuses what the machine has no memory for.
fn need(bytes: u64) -> Result<(), GameError> {
    if survey::has_room(bytes) { Ok(()) } else { Err(GameError::Memory { bytes }) }
}

/// The longest wins of a tier.
struct Longest<'a> {
    tier: &'a Tier,
    plies: u16,
    count: u64,
    boards: Vec<Board>,
}

impl SolvedOstle {
    /// All boards, by the numbers of pieces and the cell of the hole.
    fn boards(&self) -> Finding {
        let heads = [columns::TIER, Column::new("hole", "hole", "穴"), columns::POSITIONS];
        let caption = Words::new("Boards up to symmetry.", "盤面数（対称を除く）。");
        let mut finding = Finding::new("boards", caption, &heads);
        let tiers = self.game().board_tiers().iter().rev();
        for (mine, theirs, hole, n) in tiers.flat_map(boards_by_hole) {
            let pieces = tier_title(&format!("{mine} against {theirs}"));
            finding.add(row![pieces, Cell::Name(name(hole)), n]);
        }
        finding
    }

    /// The longest wins of each tier, the one with most pieces first.
    fn longest_wins(&self) -> Result<Vec<Longest<'_>>, TableError> {
        let space = self.game().space();
        let mut longest = Vec::new();
        for (tier, shape) in space.tiers.all().iter().enumerate().rev() {
            let (_, _, boards) =
                self.census().nth(table::table_tier(space, tier)).unwrap_or_default();
            let Some((&plies, &count)) = boards.wins_by_plies.last_key_value() else { continue };
            let numbers = table::with_best(self.table(), space, tier, Value::Win(plies))?;
            let boards = numbers.into_iter().filter_map(|number| shape.board(number)).collect();
            longest.push(Longest { tier: shape, plies, count, boards });
        }
        Ok(longest)
    }

    fn longest(&self, most: usize, progress: &dyn Progress) -> Result<Finding, GameError> {
        progress.note("reading the table");
        let mut finding = kinds::longest();
        for Longest { tier, plies, count, boards } in self.longest_wins()? {
            let examples = written(boards.iter().take(most));
            finding.add(row![tier_title(&tier.name()), Outcome::Win, plies, count, examples]);
        }
        Ok(finding)
    }

    /// The distances of all states from the start, as the paper counts them. It needs a byte a board.
    fn reached(&self, most: usize, progress: &dyn Progress) -> Result<Vec<Finding>, GameError> {
        need(self.game().boards())?;
        let longest = self.longest_wins()?.into_iter().next();
        let longest: Vec<Board> = longest.map(|longest| longest.boards).unwrap_or_default();
        let reached = self.game().reach(&longest, progress, &AtomicBool::new(false))?;
        let mut findings = kinds::reachable(&reached.states);
        let caption = Words::new("Boards that cannot arise.", "初期盤面から到達できない盤面。");
        let heads = [columns::POSITIONS, columns::EXAMPLES];
        findings.push(
            Finding::new("unreachable", caption, &heads).with(row![
                reached.unreachable.len(),
                written(reached.unreachable.iter().take(most)),
            ]),
        );
        let caption = Words::new(
            "The longest wins, and how many plies from the start they arise.",
            "最長の勝ちの盤面と、初期盤面からの手数。",
        );
        let heads =
            [Column::new("plies", "plies from the start", "初期盤面からの手数"), columns::EXAMPLES];
        let mut wins = Finding::new("longest_wins", caption, &heads);
        for (board, &plies) in longest.iter().zip(&reached.plies) {
            wins.add(row![plies, written([board])]);
        }
        findings.push(wins);
        Ok(findings)
    }

    /// How fair the game is, of boards with nothing barred.
    fn fairness(&self, survey: &Survey) -> Result<Finding, GameError> {
        let (_, counts) = self.totals_of_both();
        let TierCensus { positions, wins, draws, losses, .. } = counts;
        let only: u64 = survey.only.iter().map(|found| found.count).sum();
        let most = survey.branching.iter().rposition(|row| row.iter().any(|&n| n > 0));
        let share = |part: u64, all: u64| part as f64 / all.max(1) as f64;
        let start = self.game().start();
        let fairness = Fairness {
            start: self.value(&start)?.into(),
            shares: [wins, draws, losses].map(|count| share(count, positions)),
            mean_plies: Some(counts.mean_plies()),
            longest: counts.longest().unwrap_or(0),
            moves: Some((mean_moves(survey), most.unwrap_or(0) as u64)),
            only_moves: Some(share(only, wins + draws)),
        };
        Ok(fairness.finding())
    }
}

fn written<'a>(boards: impl IntoIterator<Item = &'a Board>) -> Cell {
    Cell::Positions(boards.into_iter().map(write_board).collect())
}

fn only_moves(survey: &Survey) -> Finding {
    let mut finding = kinds::only_moves();
    for (value, Sample { count, examples }) in
        [Outcome::Draw, Outcome::Win].iter().zip(&survey.only)
    {
        finding.add(row![kinds::ALL, *value, *count, written(examples)]);
    }
    finding
}

fn zugzwangs(survey: &Survey) -> Finding {
    let (found, same) = (&survey.zugzwangs, &survey.symmetric_zugzwangs);
    let (examples, symmetric) = (written(&found.examples), written(&same.examples));
    kinds::zugzwangs().with(row![kinds::ALL, found.count, same.count, examples, symmetric])
}

/// The table of values by number of moves, and the mean number.
fn branching(survey: &Survey) -> [Finding; 2] {
    [kinds::by_moves(&survey.branching), kinds::mean_moves(survey.boards(), mean_moves(survey))]
}

fn mean_moves(survey: &Survey) -> f64 {
    let moves = survey.branching.iter().zip(0_u64..);
    let moves: u64 = moves.map(|(row, moves)| moves * row.iter().sum::<u64>()).sum();
    moves as f64 / survey.boards().max(1) as f64
}

/// Whether the table says what follows from the moves.
fn follows(survey: &Survey) -> Finding {
    let caption = Words::new(
        "Boards of which the table says what follows from their moves, and those of which it says something else.",
        "表の値が手から導かれる値と一致する盤面と、一致しない盤面。",
    );
    let heads = [Column::new("right", "right", "一致"), Column::new("wrong", "wrong", "不一致")];
    Finding::new("follows", caption, &heads)
        .with(row![survey.boards() - survey.wrong, survey.wrong])
}
