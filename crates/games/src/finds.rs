//! Remarkable positions that every indexed game for two players can be searched for.

use crate::GameError;
use crate::any::{Report, Sheet};
use kanzen_analyse::{Atlas, Census, Found, Reach, Solved, Survey};
use kanzen_core::{Game, Value, Verdict};
use kanzen_index::Indexed;
use kanzen_solve::Progress;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The kinds of remarkable positions.
pub const COMMON: &[&str] = &[
    "longest",
    "only-move",
    "zugzwang",
    "cycles",
    "branching",
    "immobile",
    "draws",
    "reachable",
    "fairness",
];

/// Finds positions of one of the kinds, with at most so many examples of each.
pub fn find<G: Indexed>(
    solved: &Solved<G>,
    what: &str,
    most: usize,
    progress: &dyn Progress,
) -> Result<Report, GameError> {
    if what == "reachable" {
        return Ok(reachable(solved.game(), progress));
    }
    let atlas = solved.atlas(progress)?;
    let search = Search { atlas: &atlas, most, progress };
    Ok(match what {
        "longest" => search.longest(&Census::of(solved.table().meta())),
        "only-move" => search.only_moves(),
        "zugzwang" => search.zugzwangs(),
        "cycles" => search.cycles(),
        "branching" => search.branching(),
        "immobile" => search.immobile(),
        "fairness" => search.fairness(&Census::of(solved.table().meta())),
        _ => search.draws(),
    })
}

/// What is searched, and how many examples are kept.
struct Search<'a, 'g, G> {
    atlas: &'a Atlas<'g, G>,
    most: usize,
    progress: &'a dyn Progress,
}

impl<G: Indexed> Search<'_, '_, G> {
    fn tiers(&self) -> impl Iterator<Item = (usize, &str)> {
        self.atlas.game().tiers().iter().enumerate().map(|(number, tier)| (number, &*tier.name))
    }

    fn longest(&self, census: &Census) -> Report {
        let mut examples = Examples::new("longest wins and losses", &["tier", "value", "plies"]);
        for (number, name) in self.tiers() {
            let tier = &census.tiers[number];
            let ends = [
                ("win", tier.longest_win, tier.longest_win.map(Value::Win)),
                ("loss", tier.longest_loss, tier.longest_loss.map(Value::Loss)),
            ];
            for (word, plies, value) in ends {
                if let (Some(plies), Some(value)) = (plies, value) {
                    let found = self.atlas.with_value(number, value, self.most);
                    let facts = [json!(name), json!(word), json!(plies)];
                    examples.add(self.atlas.game(), facts, &found);
                }
            }
        }
        examples.report()
    }

    fn only_moves(&self) -> Report {
        let mut only = Examples::new(
            "positions with a choice in which a single move keeps the value",
            &["tier", "value"],
        );
        let mut hidden = Examples::new(
            "only winning moves after which the other side has the most moves",
            &["tier", "moves"],
        );
        for (number, name) in self.tiers() {
            let survey = self.atlas.survey(number, self.most, self.progress);
            let game = self.atlas.game();
            only.add(game, [json!(name), json!("win")], &survey.only_win);
            only.add(game, [json!(name), json!("draw")], &survey.only_draw);
            let facts = [json!(name), json!(survey.hidden.number)];
            hidden.add(game, facts, &survey.hidden.positions);
        }
        Report {
            json: json!({ "only_moves": only.json, "most_replies": hidden.json }),
            sheets: vec![only.sheet, hidden.sheet],
        }
    }

    fn zugzwangs(&self) -> Report {
        let caption = "zugzwangs: lost for whoever is to move";
        let mut examples = Examples::new(caption, &["tier", "self_symmetric"]);
        for (number, name) in self.tiers() {
            let found = self.atlas.zugzwangs(number, self.most, self.progress);
            let facts = [json!(name), json!(found.symmetric.count)];
            examples.add(self.atlas.game(), facts, &found.all);
        }
        examples.report()
    }

    fn cycles(&self) -> Report {
        let caption = "positions on cycles of forced drawing moves, by period in plies";
        let mut examples = Examples::new(caption, &["tier", "period"]);
        for (number, name) in self.tiers() {
            if self.atlas.game().tiers()[number].loops {
                for (period, found) in self.atlas.cycles(number, self.most, self.progress) {
                    examples.add(self.atlas.game(), [json!(name), json!(period)], &found);
                }
            }
        }
        examples.report()
    }

    /// The table of values by number of legal moves, and the positions with the most.
    fn branching(&self) -> Report {
        let mut most = Examples::new("most legal moves", &["tier", "moves"]);
        let mut all = Survey::default();
        for (number, name) in self.tiers() {
            let survey = self.atlas.survey(number, self.most, self.progress);
            let moves = survey.branching.len().saturating_sub(1);
            most.add(self.atlas.game(), [json!(name), json!(moves)], &survey.most_moves);
            all = all.merge(survey, self.most);
        }
        let caption = "positions by the number of legal moves, all tiers";
        let mut sheet = Sheet::new(caption, &["moves", "losses", "draws", "wins"]);
        for (moves, row) in all.branching.iter().enumerate() {
            if row.iter().any(|&count| count > 0) {
                sheet.row([moves as u64].iter().chain(row).map(u64::to_string));
            }
        }
        Report {
            json: json!({
                "most": most.json, "mean": all.mean_moves(), "by_moves": all.branching,
            }),
            sheets: vec![most.sheet, sheet],
        }
    }

    fn immobile(&self) -> Report {
        let mut examples = Examples::new("positions without a move, a pass apart", &["tier"]);
        for (number, name) in self.tiers() {
            let survey = self.atlas.survey(number, self.most, self.progress);
            examples.add(self.atlas.game(), [json!(name)], &survey.immobile);
        }
        examples.report()
    }

    /// What the designer of a game asks first.
    fn fairness(&self, census: &Census) -> Report {
        let game = self.atlas.game();
        let start = game.start();
        let value = Verdict::new(self.atlas.value(&start), game.endless(&start));
        let all = self
            .tiers()
            .map(|(number, _)| self.atlas.survey(number, self.most, self.progress))
            .reduce(|all, survey| all.merge(survey, self.most))
            .unwrap_or_default();
        let total = census.total();
        let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
        let kept = all.only_win.count + all.only_draw.count;
        let weighted = |counts: &BTreeMap<u16, u64>| {
            counts.iter().map(|(&plies, &count)| u64::from(plies) * count).sum::<u64>()
        };
        let plies = weighted(&total.wins_by_plies) + weighted(&total.losses_by_plies);
        let facts = json!({
            "start": value,
            "win_share": share(total.wins, total.positions),
            "draw_share": share(total.draws, total.positions),
            "loss_share": share(total.losses, total.positions),
            "mean_plies": share(plies, total.wins + total.losses),
            "longest": total.longest_win.max(total.longest_loss),
            "mean_moves": all.mean_moves(),
            "most_moves": all.branching.len().saturating_sub(1),
            "only_move_share": share(kept, total.wins + total.draws),
        });
        let mut sheet = Sheet::new("how fair, long and sharp the game is", &["what", "value"]);
        let percent = |name: &str| format!("{:.2} %", 100.0 * facts[name].as_f64().unwrap_or(0.0));
        let number = |name: &str| format!("{:.2}", facts[name].as_f64().unwrap_or(0.0));
        for (what, cell) in [
            ("the start, for the side to move", value.to_string()),
            ("positions won for the side to move", percent("win_share")),
            ("drawn", percent("draw_share")),
            ("lost", percent("loss_share")),
            ("plies to the end of a decided position, on average", number("mean_plies")),
            ("the longest", facts["longest"].to_string()),
            ("moves to choose from, on average", number("mean_moves")),
            ("the most", facts["most_moves"].to_string()),
            ("wins and draws that a single move of several keeps", percent("only_move_share")),
        ] {
            sheet.row([what.to_owned(), cell]);
        }
        let (fair, opening) = self.fair_starts();
        let mut report = fair.report();
        let mut facts = facts;
        facts["fair_starts"] = report.json;
        facts["first_moves"] = json!(opening);
        report.sheets.insert(0, sheet);
        Report { json: facts, sheets: report.sheets }
    }

    /// The draws nearest to the start of the game, tier by tier from the last to be solved; and the
    /// values of the first moves.
    fn fair_starts(&self) -> (Examples, Vec<Json>) {
        let game = self.atlas.game();
        let caption = "fair starts: draws of the first tier that has any";
        let mut examples = Examples::new(caption, &["tier"]);
        let tiers: Vec<(usize, &str)> = self.tiers().collect();
        for &(number, name) in tiers.iter().rev() {
            let found = self.atlas.with_value(number, Value::Open, self.most);
            if found.count > 0 {
                examples.add(game, [json!(name)], &found);
                break;
            }
        }
        let mut opening = Vec::new();
        let start = game.start();
        game.moves(&start, |mv| {
            let value = self.atlas.move_value(game.play(&start, mv));
            let verdict = Verdict::new(value, game.endless(&start));
            opening.push(json!({ "move": game.write_move(&start, mv), "value": verdict }));
        });
        (examples, opening)
    }

    fn draws(&self) -> Report {
        let mut examples = Examples::new("draws", &["tier"]);
        for (number, name) in self.tiers() {
            let found = self.atlas.with_value(number, Value::Open, self.most);
            examples.add(self.atlas.game(), [json!(name)], &found);
        }
        examples.report()
    }
}

/// How soon positions arise from the start.
fn reachable<G: Indexed>(game: &G, progress: &dyn Progress) -> Report {
    let reach = Reach::new(game, progress);
    let mut plies = Sheet::new(
        "positions by the earliest ply at which they arise, up to symmetry",
        &["ply", "positions"],
    );
    for (ply, count) in reach.by_ply.iter().enumerate() {
        plies.row([ply.to_string(), count.to_string()]);
    }
    plies.row(["all".to_owned(), reach.positions().to_string()]);
    let mut tiers = Sheet::new("by tier", &["tier", "positions"]);
    for (tier, count) in game.tiers().iter().zip(&reach.by_tier) {
        tiers.row([tier.name.clone(), count.to_string()]);
    }
    let json = json!({
        "reachable": reach.positions(), "by_ply": reach.by_ply, "by_tier": reach.by_tier,
    });
    Report { json, sheets: vec![plies, tiers] }
}

/// Positions that were found, with the facts that go with them.
struct Examples {
    sheet: Sheet,
    json: Vec<Json>,
    heads: Vec<&'static str>,
}

impl Examples {
    fn new(caption: &str, heads: &[&'static str]) -> Examples {
        let columns: Vec<String> = heads.iter().map(|head| head.replace('_', "-")).collect();
        let columns = columns.iter().map(|column| &**column).chain(["positions", "example"]);
        let columns: Vec<&str> = columns.collect();
        Examples { sheet: Sheet::new(caption, &columns), json: Vec::new(), heads: heads.to_vec() }
    }

    fn add<G: Game, const N: usize>(
        &mut self,
        game: &G,
        facts: [Json; N],
        found: &Found<G::Position>,
    ) {
        if found.count == 0 {
            return;
        }
        let positions: Vec<String> =
            found.examples.iter().map(|position| game.write(position)).collect();
        let cells: Vec<String> = facts
            .iter()
            .map(|fact| fact.as_str().map_or_else(|| fact.to_string(), str::to_owned))
            .chain([found.count.to_string()])
            .collect();
        for row in 0..positions.len().max(1) {
            let cells =
                cells.iter().map(|cell| if row == 0 { cell.clone() } else { String::new() });
            self.sheet.row(cells.chain([positions.get(row).cloned().unwrap_or_default()]));
        }
        let mut object: serde_json::Map<String, Json> =
            self.heads.iter().map(|head| (*head).to_owned()).zip(facts).collect();
        object.insert("positions".to_owned(), json!(found.count));
        object.insert("examples".to_owned(), json!(positions));
        self.json.push(object.into());
    }

    fn report(self) -> Report {
        Report { json: self.json.into(), sheets: vec![self.sheet] }
    }
}
