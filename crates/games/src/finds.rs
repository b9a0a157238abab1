//! Remarkable positions that every indexed game for two players can be searched for.

use crate::any::{Report, Sheet};
use crate::{Changes, GameError};
use kanzen_analyse::{Atlas, Census, Found, Reach, Solved, Survey};
use kanzen_core::{Game, Next, Value, Verdict};
use kanzen_index::Indexed;
use kanzen_solve::Progress;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashSet};

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
    "survey",
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
    let census = || Census::of(solved.table().meta());
    Ok(match what {
        "longest" => search.longest(&census()),
        "only-move" => search.only_moves(&search.surveys()),
        "zugzwang" => search.zugzwangs(),
        "cycles" => search.cycles(),
        "branching" => search.branching(&search.surveys()),
        "immobile" => search.immobile(&search.surveys()),
        "fairness" => search.fairness(&census(), &search.surveys()),
        "survey" => search.all(&census(), &search.surveys()),
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

    /// The moves of every tier.
    fn surveys(&self) -> Vec<Survey<G::Position>> {
        let survey = |(number, _)| self.atlas.survey(number, self.most, self.progress);
        self.tiers().map(survey).collect()
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

    fn only_moves(&self, surveys: &[Survey<G::Position>]) -> Report {
        let mut only = Examples::new(
            "positions with a choice in which a single move keeps the value",
            &["tier", "value"],
        );
        let mut hidden = Examples::new(
            "only winning moves after which the other side has the most moves",
            &["tier", "moves"],
        );
        for ((_, name), survey) in self.tiers().zip(surveys) {
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
        let caption = "of these self-symmetric: the same position for both sides";
        let mut symmetric = Examples::new(caption, &["tier"]);
        for (number, name) in self.tiers() {
            let found = self.atlas.zugzwangs(number, self.most, self.progress);
            let facts = [json!(name), json!(found.symmetric.count)];
            examples.add(self.atlas.game(), facts, &found.all);
            symmetric.add(self.atlas.game(), [json!(name)], &found.symmetric);
        }
        for tier in &mut examples.json {
            let same = symmetric.json.iter().find(|other| other["tier"] == tier["tier"]);
            tier["self_symmetric_examples"] = same.map_or(json!([]), |it| it["examples"].clone());
        }
        Report { json: examples.json.into(), sheets: vec![examples.sheet, symmetric.sheet] }
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
    fn branching(&self, surveys: &[Survey<G::Position>]) -> Report {
        let mut most = Examples::new("most legal moves", &["tier", "moves"]);
        for ((_, name), survey) in self.tiers().zip(surveys) {
            let moves = survey.branching.len().saturating_sub(1);
            most.add(self.atlas.game(), [json!(name), json!(moves)], &survey.most_moves);
        }
        let all = self.together(surveys);
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

    fn immobile(&self, surveys: &[Survey<G::Position>]) -> Report {
        let mut examples = Examples::new("positions without a move, a pass apart", &["tier"]);
        for ((_, name), survey) in self.tiers().zip(surveys) {
            examples.add(self.atlas.game(), [json!(name)], &survey.immobile);
        }
        examples.report()
    }

    /// The surveys of all tiers as one.
    fn together(&self, surveys: &[Survey<G::Position>]) -> Survey<G::Position> {
        let merge = |all: Survey<_>, survey: &Survey<_>| all.merge(survey.clone(), self.most);
        surveys.iter().fold(Survey::default(), merge)
    }

    /// All that one survey tells.
    fn all(&self, census: &Census, surveys: &[Survey<G::Position>]) -> Report {
        let named = [
            ("fairness", self.fairness(census, surveys)),
            ("branching", self.branching(surveys)),
            ("only_move", self.only_moves(surveys)),
            ("immobile", self.immobile(surveys)),
        ];
        let mut all = Report { json: json!({}), sheets: Vec::new() };
        for (name, report) in named {
            all.json[name] = report.json;
            all.sheets.extend(report.sheets);
        }
        all
    }

    /// What the designer of a game asks first.
    fn fairness(&self, census: &Census, surveys: &[Survey<G::Position>]) -> Report {
        let game = self.atlas.game();
        let start = game.start();
        let value = Verdict::new(self.atlas.value(&start), game.endless(&start));
        let all = self.together(surveys);
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
        let (fair, opening) = (self.fair_starts().report(), self.first_moves());
        let mut facts = facts;
        facts["fair_starts"] = fair.json;
        facts["first_moves"] = opening.json;
        let sheets = [vec![sheet], opening.sheets, fair.sheets].concat();
        Report { json: facts, sheets }
    }

    /// The draws nearest to the start of the game, tier by tier from the last to be solved.
    fn fair_starts(&self) -> Examples {
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
        examples
    }

    /// The moves at the start, the best first; of those that lead to images of each other, one.
    fn first_moves(&self) -> Report {
        let (game, start) = (self.atlas.game(), self.atlas.game().start());
        let mut seen = HashSet::new();
        let mut moves = Vec::new();
        game.moves(&start, |mv| {
            let next = game.play(&start, mv);
            let place = match next {
                Next::Position(child) if game.has_place(&child) => Some(game.locate(&child)),
                _ => None,
            };
            if place.is_none_or(|place| seen.insert((place.tier, place.index))) {
                moves.push((self.atlas.move_value(next), game.write_move(&start, mv)));
            }
        });
        moves.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
        let mut sheet = Sheet::new("the first moves, up to symmetry", &["move", "value"]);
        let mut list = Vec::new();
        let mut counts = [0; 3];
        for (value, name) in moves {
            let verdict = Verdict::new(value, game.endless(&start));
            counts[Changes::place(value)] += 1;
            sheet.row([name.clone(), verdict.to_string()]);
            list.push(json!({ "move": name, "value": verdict.value, "plies": verdict.plies }));
        }
        let [losses, draws, wins] = counts;
        let json = json!({ "wins": wins, "draws": draws, "losses": losses, "moves": list });
        Report { json, sheets: vec![sheet] }
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
