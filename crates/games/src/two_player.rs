//! Any indexed game for two players behind the common interface.

use crate::any::{
    Answer, AnyGame, AnySolved, Judgement, Line, MoveAnswer, Report, Sheet, SolveJob, SolveReport,
    VerifyReport,
};
use crate::{GameError, store};
use kanzen_analyse::{Census, Finding, Solved, TierCensus, check, write_table};
use kanzen_core::{Drawing, Game, Next, Value, Verdict, perft};
use kanzen_index::Indexed;
use kanzen_solve::{Checkpoint, Plan, Progress, Settings, solve};
use kanzen_table::Identity;
use serde_json::json;
use std::path::Path;

/// A two-player game under its name, with the options that change values.
pub struct TwoPlayer<G> {
    game: G,
    identity: Identity,
}

impl<G: Indexed + Clone> TwoPlayer<G> {
    /// Gives a game its name. `variant` has the options that change values, unless they have
    /// their default.
    pub fn new(game: G, name: &str, variant: &[(&str, &str)]) -> TwoPlayer<G> {
        let variant = variant.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
        TwoPlayer {
            game,
            identity: Identity {
                game: name.to_owned(),
                variant: variant.collect(),
                index_version: G::INDEX_VERSION,
            },
        }
    }
}

impl<G: Indexed + Clone + 'static> AnyGame for TwoPlayer<G> {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn start(&self) -> String {
        self.game.write(&self.game.start())
    }

    fn plan(&self, threads: usize) -> Plan {
        Plan::new(&self.game, threads)
    }

    fn solve(&self, job: &SolveJob<'_>) -> Result<SolveReport, GameError> {
        let path = store::table_path(&job.dir, &self.identity);
        let _lock = store::lock(&job.dir, &self.identity)?;
        let checkpoint = Checkpoint::new(
            store::checkpoint_path(&job.dir, &self.identity),
            self.identity.to_string(),
        );
        let solution = solve(
            &self.game,
            &Settings {
                threads: job.threads,
                memory: job.memory,
                checkpoint: Some(checkpoint.clone()),
                interval: job.interval,
                cancel: job.cancel,
                progress: job.progress,
            },
        )?;
        let identity = self.identity.clone();
        let bytes = write_table(&self.game, &solution, &path, identity, job.level, job.progress)?;
        checkpoint.remove()?;
        let start = self.game.start();
        let value = solution.value(self.game.locate(&start)).unwrap_or(Value::Open);
        Ok(SolveReport {
            table: path,
            bytes,
            start: Verdict::new(value, self.game.endless(&start)).to_string(),
        })
    }

    fn open(&self, dir: &Path) -> Result<Box<dyn AnySolved>, GameError> {
        let path = store::existing_table(dir, &self.identity)?;
        let solved = Solved::open(self.game.clone(), &path, &self.identity)?;
        Ok(Box::new(solved))
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, GameError> {
        let position = parse_or_start(&self.game, position)?;
        Ok(perft(&self.game, &position, depth))
    }

    fn check(&self, samples: u64, seed: u64) -> Vec<Finding> {
        check(&self.game, samples, seed)
    }

    fn draw(&self, position: Option<&str>) -> Result<Drawing, GameError> {
        let position = parse_or_start(&self.game, position)?;
        Ok(self.game.draw(&position))
    }
}

fn parse_or_start<G: Game>(game: &G, text: Option<&str>) -> Result<G::Position, GameError> {
    Ok(match text {
        Some(text) => game.parse(text)?,
        None => game.start(),
    })
}

impl<G: Indexed + Clone> AnySolved for Solved<G> {
    fn probe(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let game = self.game();
        let position = parse_or_start(game, position)?;
        let probe = self.probe(&position)?;
        let moves = probe.moves.into_iter();
        Ok(Answer {
            position: game.write(&position),
            value: self.judge(&position, probe.value),
            moves: moves.map(|mv| self.answer(&position, mv.mv, mv.next, mv.value)).collect(),
            drawing: game.draw(&position),
        })
    }

    fn line(&self, position: Option<&str>) -> Result<Line, GameError> {
        let game = self.game();
        let position = parse_or_start(game, position)?;
        let steps = Solved::line(self, &position)?;
        let end = match steps.last().map(|step| step.next) {
            Some(Next::Position(last)) if game.over(&last).is_none() => "a position comes back",
            _ => "the game is over",
        };
        Ok(Line {
            position: game.write(&position),
            value: self.judge(&position, self.value(&position)?),
            moves: steps
                .into_iter()
                .map(|step| self.answer(&step.position, step.mv, step.next, step.value))
                .collect(),
            end,
        })
    }

    fn stats(&self) -> Result<Report, GameError> {
        let census = Census::of(self.table().meta());
        let total = census.total();
        let mut values = Sheet::new(
            "positions up to symmetry",
            &["tier", "positions", "wins", "draws", "losses", "longest win", "longest loss"],
        );
        for tier in census.tiers.iter().rev().chain([&total]) {
            let plies = |plies: Option<u16>| plies.map_or("-".to_owned(), |n| n.to_string());
            let counts = [tier.positions, tier.wins, tier.draws, tier.losses];
            let counts = counts.map(|count| count.to_string());
            values.row(
                [tier.tier.clone()]
                    .into_iter()
                    .chain(counts)
                    .chain([plies(tier.longest_win), plies(tier.longest_loss)]),
            );
        }
        Ok(Report {
            json: json!({ "tiers": census.tiers, "all": total }),
            sheets: vec![values, by_plies(&total)],
        })
    }

    fn find(&self, what: &str, most: usize, progress: &dyn Progress) -> Result<Report, GameError> {
        match what {
            "longest" => self.longest(most),
            "branching" => self.branching(most, progress),
            "draws" => self.draws(most),
            _ => Err(GameError::NoAnswer(format!(
                "cannot find '{what}': allowed are longest, branching, draws"
            ))),
        }
    }

    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        let result = Solved::verify(self, progress)?;
        let wrong = result.disagreements.iter().map(|wrong| {
            format!(
                "{} (tier {}, index {}): the table says {:?}, its moves say {:?}",
                wrong.position, wrong.place.tier, wrong.place.index, wrong.found, wrong.expected
            )
        });
        let miscounted = result
            .miscounted
            .iter()
            .map(|tier| format!("tier '{tier}': the census in the table is wrong"));
        Ok(VerifyReport {
            passed: result.passed(),
            positions: result.positions,
            wrong: result.wrong,
            problems: wrong.chain(miscounted).collect(),
        })
    }
}

/// The parts of the interface that need more than one call.
trait Facts<G: Indexed> {
    fn judge(&self, position: &G::Position, value: Value) -> Judgement;
    fn answer(
        &self,
        position: &G::Position,
        mv: G::Move,
        next: Next<G::Position>,
        value: Value,
    ) -> MoveAnswer;
    fn longest(&self, most: usize) -> Result<Report, GameError>;
    fn branching(&self, most: usize, progress: &dyn Progress) -> Result<Report, GameError>;
    fn draws(&self, most: usize) -> Result<Report, GameError>;
}

impl<G: Indexed> Facts<G> for Solved<G> {
    fn judge(&self, position: &G::Position, value: Value) -> Judgement {
        Judgement::Two(Verdict::new(value, self.game().endless(position)))
    }

    fn answer(
        &self,
        position: &G::Position,
        mv: G::Move,
        next: Next<G::Position>,
        value: Value,
    ) -> MoveAnswer {
        let game = self.game();
        MoveAnswer {
            name: game.write_move(position, mv),
            position: match next {
                Next::Position(child) => Some(game.write(&child)),
                Next::Over(_) => None,
            },
            value: self.judge(position, value),
            trace: game.trace(position, mv),
        }
    }

    fn longest(&self, most: usize) -> Result<Report, GameError> {
        let census = Census::of(self.table().meta());
        let mut sheet = Sheet::new("longest wins", &["tier", "plies", "positions", "example"]);
        let mut json = Vec::new();
        for (tier, counts) in census.tiers.iter().enumerate() {
            let Some(plies) = counts.longest_win else { continue };
            let found = self.with_value(tier, Value::Win(plies), most)?;
            let examples: Vec<String> =
                found.examples.iter().map(|position| self.game().write(position)).collect();
            for (row, example) in examples.iter().enumerate() {
                let name = if row == 0 { counts.tier.clone() } else { String::new() };
                sheet.row([name, plies.to_string(), found.count.to_string(), example.clone()]);
            }
            json.push(json!({
                "tier": counts.tier, "plies": plies, "positions": found.count, "examples": examples,
            }));
        }
        Ok(Report { json: json!(json), sheets: vec![sheet] })
    }

    fn branching(&self, most: usize, progress: &dyn Progress) -> Result<Report, GameError> {
        let mut sheet = Sheet::new("most legal moves", &["tier", "moves", "positions", "example"]);
        let mut json = Vec::new();
        for (number, tier) in self.game().tiers().iter().enumerate() {
            let best = self.most_moves(number, most, progress);
            let examples: Vec<String> =
                best.positions.examples.iter().map(|p| self.game().write(p)).collect();
            for (row, example) in examples.iter().enumerate() {
                let name = if row == 0 { tier.name.clone() } else { String::new() };
                let count = best.positions.count.to_string();
                sheet.row([name, best.moves.to_string(), count, example.clone()]);
            }
            json.push(json!({
                "tier": tier.name, "moves": best.moves,
                "positions": best.positions.count, "examples": examples,
            }));
        }
        Ok(Report { json: json!(json), sheets: vec![sheet] })
    }

    fn draws(&self, most: usize) -> Result<Report, GameError> {
        let mut sheet = Sheet::new("draws", &["tier", "positions", "example"]);
        let mut json = Vec::new();
        for (number, tier) in self.game().tiers().iter().enumerate() {
            let found = self.with_value(number, Value::Open, most)?;
            let examples: Vec<String> =
                found.examples.iter().map(|position| self.game().write(position)).collect();
            for (row, example) in examples.iter().enumerate() {
                let name = if row == 0 { tier.name.clone() } else { String::new() };
                sheet.row([name, found.count.to_string(), example.clone()]);
            }
            json.push(json!({
                "tier": tier.name, "positions": found.count, "examples": examples,
            }));
        }
        Ok(Report { json: json!(json), sheets: vec![sheet] })
    }
}

/// Wins and losses by distance.
fn by_plies(total: &TierCensus) -> Sheet {
    let mut sheet = Sheet::new("by plies to the end, all tiers", &["plies", "wins", "losses"]);
    let last = total.longest_win.max(total.longest_loss);
    for plies in 0..=last.unwrap_or(0) {
        let count = |counts: &std::collections::BTreeMap<u16, u64>| {
            counts.get(&plies).copied().unwrap_or(0)
        };
        let (wins, losses) = (count(&total.wins_by_plies), count(&total.losses_by_plies));
        if wins + losses > 0 {
            sheet.row([plies.to_string(), wins.to_string(), losses.to_string()]);
        }
    }
    sheet
}
