//! What can be found in every game whose positions are numbered.

use crate::metrics::metrics;
use crate::{GameError, draws};
use kanzen_analyse::{
    Atlas, Cell, Census, Column, Finding, Found, Kind, Reach, Solved, Survey, TierCensus, columns,
    row,
};
use kanzen_core::{Game, Outcome, Text, Value, Verdict, Words};
use kanzen_index::Indexed;
use kanzen_solve::Progress;
use std::cmp::Reverse;
use std::collections::HashSet;

/// The kinds.
pub const COMMON: &[Kind] = &[
    Kind::LONGEST,
    Kind::ONLY_MOVE,
    Kind::ZUGZWANG,
    Kind::CYCLES,
    Kind::BRANCHING,
    Kind::IMMOBILE,
    Kind::DRAWS,
    Kind::REACHABLE,
    Kind::FAIRNESS,
    Kind::SURVEY,
    Kind::METRICS,
];

/// All tiers together.
pub const ALL: Words = Words::new("all", "全体");
/// The plies of the longest win.
pub const LONGEST_WIN: Column = Column::new("longest_win", "longest win", "最長の勝ち");
/// The plies of the longest loss.
pub const LONGEST_LOSS: Column = Column::new("longest_loss", "longest loss", "最長の負け");
const SELF_SYMMETRIC_EXAMPLES: Column =
    Column::new("self_symmetric_examples", "self-symmetric, for example", "自己対称の例");
const PERIOD: Column = Column::new("period", "period", "周期");

/// The longest wins and losses, one row for each.
pub fn longest() -> Finding {
    Finding::new(
        "longest",
        Words::new("The longest wins and losses.", "最長の勝ちと負け。"),
        &[columns::TIER, columns::VALUE, columns::PLIES, columns::POSITIONS, columns::EXAMPLES],
    )
}

/// Single good moves, by what they keep.
pub fn only_moves() -> Finding {
    Finding::new(
        "only_moves",
        Words::new(
            "Positions in which a single move of several keeps the value.",
            "値を保つ手が一つだけの局面。",
        ),
        &[columns::TIER, columns::VALUE, columns::POSITIONS, columns::EXAMPLES],
    )
}

/// Zugzwangs.
pub fn zugzwangs() -> Finding {
    Finding::new(
        "zugzwangs",
        Words::new(
            "Zugzwangs: lost for whoever is to move. The self-symmetric ones are the same position for both sides.",
            "どちらの手番でも手番側が負けになる局面。自己対称はどちらの側から見ても同じ局面。",
        ),
        &[
            columns::TIER,
            columns::POSITIONS,
            columns::SELF_SYMMETRIC,
            columns::EXAMPLES,
            SELF_SYMMETRIC_EXAMPLES,
        ],
    )
}

/// Positions by number of moves and value; rows have losses, draws and wins.
pub fn by_moves<'a>(rows: impl IntoIterator<Item = &'a [u64; 3]>) -> Finding {
    let mut finding = Finding::new(
        "by_moves",
        Words::new("Positions by the number of legal moves.", "合法手の数別の局面数。"),
        &[columns::MOVES, columns::LOSSES, columns::DRAWS, columns::WINS, columns::POSITIONS],
    );
    for (moves, &[losses, draws, wins]) in rows.into_iter().enumerate() {
        // That no position is without a move is worth a line.
        if moves == 0 || losses + draws + wins > 0 {
            finding.add(row![moves, losses, draws, wins, losses + draws + wins]);
        }
    }
    finding
}

/// The mean number of moves.
pub fn mean_moves(positions: u64, mean: f64) -> Finding {
    let caption = Words::new("Moves to choose from, on average.", "合法手数の平均。");
    Finding::new("mean_moves", caption, &[columns::POSITIONS, columns::MEAN_MOVES])
        .with(row![positions, Cell::Number(mean)])
}

/// How soon positions arise, with the sum of all.
pub fn reachable(by_ply: &[u64]) -> Vec<Finding> {
    let caption = Words::new(
        "Positions up to symmetry that can arise from the start, and after how many plies the last does.",
        "初期局面から到達できる局面数（対称を除く）と、最も遠い局面までの手数。",
    );
    let farthest = Column::new("farthest", "farthest", "最遠");
    let reach = Finding::new("reach", caption, &[columns::POSITIONS, farthest])
        .with(row![by_ply.iter().sum::<u64>(), by_ply.len().saturating_sub(1)]);
    let caption = Words::new(
        "Positions by the earliest ply at which they arise, up to symmetry.",
        "到達できる最短の手数別の局面数（対称を除く）。",
    );
    let mut plies = Finding::new("plies", caption, &[columns::PLY, columns::POSITIONS]);
    by_ply.iter().enumerate().for_each(|(ply, &count)| plies.add(row![ply, count]));
    vec![reach, plies]
}

/// How fair, long and sharp a game is.
pub struct Fairness {
    /// The value of the start.
    pub start: Verdict,
    /// The shares of wins, draws and losses.
    pub shares: [f64; 3],
    /// The mean distance of decided positions.
    pub mean_plies: Option<f64>,
    /// The longest distance.
    pub longest: u16,
    /// Moves to choose from, on average, and the most.
    pub moves: Option<(f64, u64)>,
    /// The share of wins and draws that a single move of several keeps.
    pub only_moves: Option<f64>,
}

impl Fairness {
    /// As a finding.
    pub fn finding(&self) -> Finding {
        let caption = Words::new("How fair, long and sharp the game is.", "公平さ・長さ・鋭さ。");
        let [wins, draws, losses] = self.shares.map(Cell::Share);
        Finding::new(
            "fairness",
            caption,
            &[
                Column::new("start", "the start, for the side to move", "初期局面（手番側）"),
                Column::new(
                    "win_share",
                    "positions won for the side to move",
                    "手番側の勝ちの割合",
                ),
                Column::new("draw_share", "drawn", "引き分けの割合"),
                Column::new("loss_share", "lost", "負けの割合"),
                Column::new(
                    "mean_plies",
                    "plies to the end of a decided position, on average",
                    "決着する局面の終局までの手数の平均",
                ),
                Column::new("longest", "the longest", "最長手数"),
                columns::MEAN_MOVES,
                Column::new("most_moves", "the most", "合法手数の最大"),
                Column::new(
                    "only_move_share",
                    "wins and draws that a single move of several keeps",
                    "勝ちと引き分けのうち唯一の手で保たれるものの割合",
                ),
            ],
        )
        .with(row![
            self.start,
            wins,
            draws,
            losses,
            self.mean_plies.map(Cell::Number),
            self.longest,
            self.moves.map(|(mean, _)| Cell::Number(mean)),
            self.moves.map(|(_, most)| most),
            self.only_moves.map(Cell::Share),
        ])
    }
}

/// Wins and losses by distance.
pub fn by_plies(total: &TierCensus) -> Finding {
    let caption = Words::new(
        "Positions by plies to the end of the game, where best play comes to one.",
        "終局までの手数別の局面数（最善で終局するもの）。",
    );
    let heads = [columns::PLIES, columns::WINS, columns::DRAWS, columns::LOSSES];
    let mut finding = Finding::new("plies", caption, &heads);
    let counts = [&total.wins_by_plies, &total.draws_by_plies, &total.losses_by_plies];
    let last = counts.iter().filter_map(|counts| counts.keys().last()).max();
    for plies in 0..=last.copied().unwrap_or(0) {
        let [wins, draws, losses] = counts.map(|counts| counts.get(&plies).copied().unwrap_or(0));
        if wins + draws + losses > 0 {
            finding.add(row![plies, wins, draws, losses]);
        }
    }
    finding
}

/// A search for what every game has.
pub(crate) struct Common<'a, G> {
    pub(crate) solved: &'a Solved<G>,
    /// Examples of each that are kept.
    pub(crate) most: usize,
    pub(crate) progress: &'a dyn Progress,
}

impl<G: Indexed> Common<'_, G> {
    /// Finds what is of one of the [`COMMON`] kinds.
    pub(crate) fn find(&self, kind: &str) -> Result<Vec<Finding>, GameError> {
        if kind == Kind::REACHABLE.name {
            return Ok(self.reachable());
        }
        let ranked = self.solved.draws().filter(|_| !cfg!(target_family = "wasm"));
        if let (Some(draws), "pressure") = (ranked, kind) {
            return draws::of_solved(self.solved, draws, self.most, self.progress);
        }
        let atlas = self.solved.atlas(self.progress)?;
        let search = Search { atlas: &atlas, most: self.most, progress: self.progress };
        let census = || Census::of(self.solved.table().meta());
        Ok(match kind {
            "longest" => vec![search.longest(&census())],
            "only-move" => search.only_moves(&search.surveys()),
            "zugzwang" => vec![search.zugzwangs()],
            "cycles" => vec![search.cycles()],
            "branching" => search.branching(&search.surveys()),
            "immobile" => vec![search.immobile(&search.surveys())],
            "fairness" => search.fairness(&census(), &search.surveys()),
            "metrics" => {
                if !self.solved.game().takes_turns() {
                    let reason = "games of players are counted where the sides move in turn";
                    return Err(GameError::NoAnswer(reason.to_owned()));
                }
                let survey = search.together(&search.surveys());
                metrics(&atlas, &census(), &survey, self.progress)
            }
            "survey" => {
                let surveys = search.surveys();
                let mut all = search.fairness(&census(), &surveys);
                all.extend(search.branching(&surveys));
                all.extend(search.only_moves(&surveys));
                all.push(search.immobile(&surveys));
                all
            }
            _ => vec![search.draws()],
        })
    }

    fn reachable(&self) -> Vec<Finding> {
        let game = self.solved.game();
        let reach = Reach::new(game, self.progress);
        let mut findings = reachable(&reach.by_ply);
        let caption =
            Words::new("Positions that can arise, by tier.", "到達できる局面数（段階別）。");
        let mut tiers = Finding::new("tiers", caption, &[columns::TIER, columns::POSITIONS]);
        for (tier, &count) in reach.by_tier.iter().enumerate() {
            tiers.add(row![game.tier_title(tier), count]);
        }
        findings.push(tiers);
        findings
    }
}

/// What is searched, and how many examples are kept.
struct Search<'a, 'g, G> {
    atlas: &'a Atlas<'g, G>,
    most: usize,
    progress: &'a dyn Progress,
}

impl<G: Indexed> Search<'_, '_, G> {
    fn tiers(&self) -> impl Iterator<Item = (usize, Text)> {
        let game = self.atlas.game();
        (0..game.tiers().len()).map(|number| (number, game.tier_title(number)))
    }

    fn written(&self, found: &Found<G::Position>) -> Cell {
        written(self.atlas.game(), found)
    }

    /// The moves of every tier.
    fn surveys(&self) -> Vec<Survey<G::Position>> {
        let survey = |(number, _)| self.atlas.survey(number, self.most, self.progress);
        self.tiers().map(survey).collect()
    }

    fn longest(&self, census: &Census) -> Finding {
        let mut finding = longest();
        for (number, name) in self.tiers() {
            let tier = &census.tiers[number];
            let ends = [
                (Outcome::Win, tier.longest_win.map(|plies| (plies, Value::Win(plies)))),
                (Outcome::Loss, tier.longest_loss.map(|plies| (plies, Value::Loss(plies)))),
            ];
            for (outcome, longest) in ends {
                if let Some((plies, value)) = longest {
                    let found = self.atlas.with_value(number, value, self.most);
                    let examples = self.written(&found);
                    finding.add(row![name.clone(), outcome, plies, found.count, examples]);
                }
            }
        }
        finding
    }

    fn only_moves(&self, surveys: &[Survey<G::Position>]) -> Vec<Finding> {
        let mut only = only_moves();
        let mut hidden = Finding::new(
            "most_replies",
            Words::new(
                "Only winning moves after which the other side has the most moves.",
                "唯一の勝つ手で、その後の相手の手が最も多いもの。",
            ),
            &[columns::TIER, columns::MOVES, columns::POSITIONS, columns::EXAMPLES],
        );
        for ((_, name), survey) in self.tiers().zip(surveys) {
            for (outcome, found) in
                [(Outcome::Win, &survey.only_win), (Outcome::Draw, &survey.only_draw)]
            {
                if found.count > 0 {
                    only.add(row![name.clone(), outcome, found.count, self.written(found)]);
                }
            }
            let found = &survey.hidden.positions;
            if found.count > 0 {
                hidden.add(row![name, survey.hidden.number, found.count, self.written(found)]);
            }
        }
        vec![only, hidden]
    }

    fn zugzwangs(&self) -> Finding {
        let mut finding = zugzwangs();
        for (number, name) in self.tiers() {
            let found = self.atlas.zugzwangs(number, self.most, self.progress);
            if found.all.count > 0 {
                finding.add(row![
                    name,
                    found.all.count,
                    found.symmetric.count,
                    self.written(&found.all),
                    self.written(&found.symmetric),
                ]);
            }
        }
        finding
    }

    fn cycles(&self) -> Finding {
        let mut finding = Finding::new(
            "cycles",
            Words::new(
                "Positions on cycles of forced drawing moves, by the period in plies.",
                "引き分けの手が一つずつの循環にある局面（周期別）。",
            ),
            &[columns::TIER, PERIOD, columns::POSITIONS, columns::EXAMPLES],
        );
        for (number, name) in self.tiers() {
            if self.atlas.game().tiers()[number].loops {
                for (period, found) in self.atlas.cycles(number, self.most, self.progress) {
                    if found.count > 0 {
                        let examples = self.written(&found);
                        finding.add(row![name.clone(), period, found.count, examples]);
                    }
                }
            }
        }
        finding
    }

    /// The table of values by number of legal moves, and the positions with the most.
    fn branching(&self, surveys: &[Survey<G::Position>]) -> Vec<Finding> {
        let mut most = Finding::new(
            "most_moves",
            Words::new("The most legal moves of a position.", "合法手が最も多い局面。"),
            &[columns::TIER, columns::MOVES, columns::POSITIONS, columns::EXAMPLES],
        );
        for ((_, name), survey) in self.tiers().zip(surveys) {
            let (moves, found) = (survey.branching.len().saturating_sub(1), &survey.most_moves);
            if found.count > 0 {
                most.add(row![name, moves, found.count, self.written(found)]);
            }
        }
        let all = self.together(surveys);
        let positions = all.branching.iter().flatten().sum();
        vec![most, by_moves(&all.branching), mean_moves(positions, all.mean_moves())]
    }

    fn immobile(&self, surveys: &[Survey<G::Position>]) -> Finding {
        let caption = Words::new(
            "Positions without a move, a pass apart, those that are over among them.",
            "パス以外に手のない局面（終局を含む）。",
        );
        let mut finding = by_tier("immobile", caption);
        for ((_, name), survey) in self.tiers().zip(surveys) {
            if survey.immobile.count > 0 {
                let examples = self.written(&survey.immobile);
                finding.add(row![name, survey.immobile.count, examples]);
            }
        }
        finding
    }

    /// The surveys of all tiers as one.
    fn together(&self, surveys: &[Survey<G::Position>]) -> Survey<G::Position> {
        let merge = |all: Survey<_>, survey: &Survey<_>| all.merge(survey.clone(), self.most);
        surveys.iter().fold(Survey::default(), merge)
    }

    /// What the designer of a game asks first.
    fn fairness(&self, census: &Census, surveys: &[Survey<G::Position>]) -> Vec<Finding> {
        let game = self.atlas.game();
        let start = game.start();
        let all = self.together(surveys);
        let total = census.total();
        let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
        let kept = all.only_win.count + all.only_draw.count;
        let fairness = Fairness {
            start: self.atlas.value(&start).into(),
            shares: [total.wins, total.draws, total.losses]
                .map(|count| share(count, total.positions)),
            mean_plies: Some(total.mean_plies()),
            longest: total.longest().unwrap_or(0),
            moves: Some((all.mean_moves(), all.branching.len().saturating_sub(1) as u64)),
            only_moves: Some(share(kept, total.wins + total.draws)),
        };
        let mut findings = vec![fairness.finding()];
        findings.extend(self.first_moves());
        findings.push(self.fair_starts());
        findings
    }

    /// The draws nearest to the start of the game, tier by tier from the last to be solved.
    fn fair_starts(&self) -> Finding {
        let caption = Words::new(
            "Fair starts: the draws of the first tier that has any.",
            "公平な開始局面：引き分けのある最初の段階の引き分け局面。",
        );
        let mut finding = by_tier("fair_starts", caption);
        let tiers: Vec<(usize, Text)> = self.tiers().collect();
        for (number, name) in tiers.into_iter().rev() {
            let found = self.atlas.draws(number, self.most);
            if found.count > 0 {
                finding.add(row![name, found.count, self.written(&found)]);
                break;
            }
        }
        finding
    }

    /// The moves at the start, the best first; of those that lead to images of each other, one.
    fn first_moves(&self) -> [Finding; 2] {
        let (game, start) = (self.atlas.game(), self.atlas.game().start());
        let mut seen = HashSet::new();
        let mut moves = Vec::new();
        game.moves(&start, |mv| {
            let next = game.play(&start, mv);
            let child = next.position().filter(|child| game.has_place(child));
            let place = child.map(|child| game.locate(&child));
            if place.is_none_or(|place| seen.insert(place)) {
                moves.push((self.atlas.move_value(next), game.write_move(&start, mv)));
            }
        });
        moves.sort_by_key(|(value, _)| Reverse(*value));
        let caption = Words::new(
            "How many first moves win, draw and lose, up to symmetry.",
            "初手の勝ち・引き分け・負けの数（対称を除く）。",
        );
        let heads = [columns::WINS, columns::DRAWS, columns::LOSSES];
        let count =
            |outcome: Outcome| moves.iter().filter(|(value, _)| value.outcome() == outcome).count();
        let counts = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(count).map(Cell::from);
        let counts = Finding::new("first_move_counts", caption, &heads).with(counts.to_vec());
        let caption = Words::new("The first moves, up to symmetry.", "初手（対称を除く）。");
        let heads = [columns::MOVE, columns::VALUE, columns::PLIES];
        let mut list = Finding::new("first_moves", caption, &heads);
        for (value, name) in moves {
            list.add(row![Cell::Name(name), value.outcome(), value.plies()]);
        }
        [list, counts]
    }

    fn draws(&self) -> Finding {
        let caption = Words::new("Drawn positions.", "引き分けの局面。");
        let mut finding = by_tier("draws", caption);
        for (number, name) in self.tiers() {
            let found = self.atlas.draws(number, self.most);
            if found.count > 0 {
                finding.add(row![name, found.count, self.written(&found)]);
            }
        }
        finding
    }
}

/// Positions of each tier, with examples.
fn by_tier(name: &'static str, caption: Words) -> Finding {
    Finding::new(name, caption, &[columns::TIER, columns::POSITIONS, columns::EXAMPLES])
}

/// Positions as the game writes them.
pub fn written<G: Game>(game: &G, found: &Found<G::Position>) -> Cell {
    Cell::Positions(found.examples.iter().map(|position| game.write(position)).collect())
}
