//! Any indexed game for two players behind the common interface.

use crate::any::{
    Answer, AnyGame, AnySolved, Depth, Judgement, Line, MoveAnswer, Proof, Report, Sheet, SolveJob,
    SolveReport, Summary, VerifyReport,
};
use crate::finds::{self, COMMON};
use crate::{GameError, prove, store};
use kanzen_analyse::{
    Census, Codes, Finding, Random, Reach, Solved, TierCensus, check, write_table,
};
use kanzen_core::{Drawing, Game, Kit, Next, Value, Verdict, perft};
use kanzen_index::{Indexed, Place};
use kanzen_solve::{Checkpoint, Plan, Progress, Settings, solve};
use kanzen_table::Identity;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// A two-player game under its name, with the options that change values.
pub struct TwoPlayer<G: 'static> {
    game: G,
    identity: Identity,
    finds: &'static [Find<G>],
}

/// A kind of remarkable positions that one game knows.
pub struct Find<G> {
    /// Its name.
    pub name: &'static str,
    /// Whether that takes the codes of all positions.
    pub by_codes: bool,
    /// Finds them.
    pub run: fn(&Solved<G>, &dyn Progress) -> Result<Report, GameError>,
}

/// A table of a two-player game.
struct Opened<G: 'static> {
    solved: Solved<G>,
    finds: &'static [Find<G>],
}

impl<G: Indexed + Clone + 'static> TwoPlayer<G> {
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
            finds: &[],
        }
    }

    /// Adds kinds of positions that only this game has.
    pub fn with_finds(self, finds: &'static [Find<G>]) -> TwoPlayer<G> {
        TwoPlayer { finds, ..self }
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
        Ok(Box::new(Opened { solved, finds: self.finds }))
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

    fn kit(&self) -> &'static Kit {
        self.game.kit()
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        self.game.compose(drawing)
    }
}

fn parse_or_start<G: Game>(game: &G, text: Option<&str>) -> Result<G::Position, GameError> {
    Ok(match text {
        Some(text) => game.parse(text)?,
        None => game.start(),
    })
}

impl<G: Indexed + Clone + 'static> AnySolved for Opened<G> {
    fn probe(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let game = self.solved.game();
        let position = parse_or_start(game, position)?;
        let probe = self.solved.probe(&position)?;
        let moves = probe.moves.into_iter();
        Ok(Answer {
            position: game.write(&position),
            value: self.judge(&position, probe.value),
            barred: None,
            moves: moves.map(|mv| self.answer(&position, mv.mv, mv.next, mv.value)).collect(),
            drawing: game.draw(&position),
        })
    }

    fn line(&self, position: Option<&str>) -> Result<Line, GameError> {
        let game = self.solved.game();
        let position = parse_or_start(game, position)?;
        let steps = self.solved.line(&position)?;
        let end = match steps.last().map(|step| step.next) {
            Some(Next::Position(last)) if game.over(&last).is_none() => "a position comes back",
            _ => "the game is over",
        };
        Ok(Line {
            position: game.write(&position),
            value: self.judge(&position, self.solved.value(&position)?),
            moves: steps
                .into_iter()
                .map(|step| self.answer(&step.position, step.mv, step.next, step.value))
                .collect(),
            end,
        })
    }

    fn stats(&self) -> Result<Report, GameError> {
        let census = Census::of(self.solved.table().meta());
        let total = census.total();
        let mut values = Sheet::new(
            "positions up to symmetry",
            &["tier", "positions", "wins", "draws", "losses", "longest win", "longest loss"],
        );
        // A single tier is its own sum.
        let sum = Some(&total).filter(|_| census.tiers.len() > 1);
        for tier in census.tiers.iter().rev().chain(sum) {
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
        if let Some(find) = self.finds.iter().find(|find| find.name == what) {
            return (find.run)(&self.solved, progress);
        }
        match COMMON.iter().find(|&&name| name == what) {
            Some(name) => finds::find(&self.solved, name, most, progress),
            None => {
                let mut known = COMMON.to_vec();
                known.extend(self.finds.iter().map(|find| find.name));
                known.sort_unstable();
                known.dedup();
                let known = known.join(", ");
                Err(GameError::NoAnswer(format!("cannot find '{what}': allowed are {known}")))
            }
        }
    }

    fn prove(
        &self,
        position: Option<&str>,
        depth: Depth,
        progress: &dyn Progress,
    ) -> Result<Proof, GameError> {
        let position = parse_or_start(self.solved.game(), position)?;
        prove::prove(&self.solved, &position, depth, progress)
    }

    fn summary(&self) -> Result<Summary, GameError> {
        let game = self.solved.game();
        let total = Census::of(self.solved.table().meta()).total();
        let start = game.start();
        Ok(Summary {
            start: game.write(&start),
            value: Verdict::new(self.solved.value(&start)?, game.endless(&start)),
            positions: total.positions,
            wins: total.wins,
            draws: total.draws,
            losses: total.losses,
            longest: total.longest_win.max(total.longest_loss).unwrap_or(0),
        })
    }

    fn sample(&self, random: &mut Random) -> Option<String> {
        let game = self.solved.game();
        let size = game.tiers().iter().map(|tier| tier.size).sum();
        loop {
            let mut index = random.below(size);
            let tier = game.tiers().iter().position(|tier| {
                let inside = index < tier.size;
                index -= if inside { 0 } else { tier.size };
                inside
            })?;
            if let Some(position) = game.position(Place { tier, index }) {
                return Some(game.write(&position));
            }
        }
    }

    fn codes(&self, progress: &dyn Progress) -> Result<Arc<Codes>, GameError> {
        Ok(self.solved.codes(progress)?)
    }

    fn needs_codes(&self, what: &str) -> bool {
        let own = self.finds.iter().find(|find| find.name == what);
        own.map_or(what != "reachable", |find| find.by_codes)
    }

    fn position(&self, place: Place) -> Option<String> {
        let game = self.solved.game();
        game.position(place).map(|position| game.write(&position))
    }

    fn reach(&self, progress: &dyn Progress) -> Result<Reach, GameError> {
        Ok(Reach::new(self.solved.game(), progress))
    }

    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        let result = self.solved.verify(progress)?;
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

impl<G: Indexed + 'static> Opened<G> {
    fn judge(&self, position: &G::Position, value: Value) -> Judgement {
        Judgement::Two(Verdict::new(value, self.solved.game().endless(position)))
    }

    fn answer(
        &self,
        position: &G::Position,
        mv: G::Move,
        next: Next<G::Position>,
        value: Value,
    ) -> MoveAnswer {
        let game = self.solved.game();
        MoveAnswer {
            name: game.write_move(position, mv),
            position: match next {
                Next::Position(child) => Some(game.write(&child)),
                Next::Over(_) => None,
            },
            value: self.judge(position, value),
            trace: game.trace(position, mv),
            gesture: game.gesture(position, mv),
            end: match next {
                Next::Position(_) => None,
                Next::Over(_) => Some(game.draw_end(position, mv)),
            },
        }
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
