//! The metrics of a game as findings: how fair, decisive, dramatic and deep it is.
//!
//! `docs/metrics.md` has every formula.

use kanzen_analyse::metrics::{Games, Level, Limits, Played};
use kanzen_analyse::{Atlas, Cell, Census, Column, Finding, Survey, TierCensus, columns, row};
use kanzen_core::{Outcome, Text, Value, Verdict, Words};
use kanzen_index::{Indexed, Place};
use kanzen_solve::Progress;
use std::cmp::Reverse;
use std::collections::HashSet;

/// How many plies the players see who go on after each first move.
const SIGHT: u16 = 3;

const LEVEL: Column = Column::new("level", "level", "レベル");
const SCORE: Column = Column::new("score", "score", "得点");
/// The standard error of a score, where games are played by chance.
const ERROR: Column = Column::new("error", "±", "±");

/// All metrics of a game.
pub(crate) fn metrics<G: Indexed>(
    atlas: &Atlas<'_, G>,
    census: &Census,
    survey: &Survey<G::Position>,
    progress: &dyn Progress,
) -> Vec<Finding> {
    let games = Games::new(atlas, Limits::default(), progress);
    let steps = Level::ALL.windows(2).flat_map(|pair| [[pair[1], pair[0]], [pair[0], pair[1]]]);
    let pairs: Vec<[Level; 2]> =
        Level::ALL.map(|level| [level; 2]).into_iter().chain(steps).collect();
    let played = games.play_all(&pairs, progress);
    let (equal, skill) = played.split_at(Level::ALL.len());
    let first_moves = FirstMove::all(atlas);
    let after: Vec<G::Position> = first_moves.iter().filter_map(|first| first.after).collect();
    let scores = games.scores(&after, Level::Sees(SIGHT), progress);
    let method = Method { limits: games.limits(), exact: games.positions().is_some() };
    vec![
        overview(atlas, census, survey, games.positions(), &first_moves),
        method.levels(equal),
        method.drama(equal),
        method.skill(skill),
        method.openings(&first_moves, &scores),
    ]
}

/// What holds whoever plays.
fn overview<G: Indexed>(
    atlas: &Atlas<'_, G>,
    census: &Census,
    survey: &Survey<G::Position>,
    arising: Option<usize>,
    first_moves: &[FirstMove<G::Position>],
) -> Finding {
    let start = atlas.game().start();
    let verdict = Verdict::from(atlas.value(&start));
    let TierCensus { positions, wins, draws, losses, .. } = census.total();
    let share = |count: u64, of: u64| Cell::Share(count as f64 / of.max(1) as f64);
    let only = survey.only_win.count + survey.only_draw.count;
    let [first_wins, first_draws, first_losses] = [Outcome::Win, Outcome::Draw, Outcome::Loss]
        .map(|outcome| first_moves.iter().filter(|first| first.verdict.value == outcome).count());
    // Who divides gets the worse half: only a drawn first move saves the one who plays it.
    let pie = if first_draws > 0 { Outcome::Draw } else { Outcome::Loss };
    let caption = Words::new(
        "The game whoever plays it: best play, positions, and first moves up to symmetry.",
        "誰が指しても変わらないこと：最善の進行、局面、初手（対称を除く）。",
    );
    let heads = [
        Column::new("start", "the start, for the first player", "初期局面（先手から見て）"),
        Column::new("best_play", "plies of best play", "最善の進行の手数"),
        columns::POSITIONS,
        Column::new("arising", "of them, those that can arise", "そのうち到達できる局面数"),
        Column::new("decided", "positions that are won or lost", "勝ちか負けの局面の割合"),
        Column::new("draw_share", "positions that are drawn", "引き分けの局面の割合"),
        Column::new("mean_plies", "plies to the end of those won or lost", "決着までの手数の平均"),
        columns::MEAN_MOVES,
        Column::new("most_moves", "the most", "合法手数の最大"),
        Column::new(
            "only_move_share",
            "wins and draws that a single move of several keeps",
            "勝ちと引き分けのうち唯一の手で保たれるものの割合",
        ),
        Column::new("first_wins", "first moves that win", "勝つ初手"),
        Column::new("first_draws", "first moves that draw", "引き分ける初手"),
        Column::new("first_losses", "first moves that lose", "負ける初手"),
        Column::new(
            "pie",
            "the start if the second player may swap sides (pie rule)",
            "後手が先後を交換できる場合の初期局面（パイルール）",
        ),
    ];
    Finding::new("overview", caption, &heads).with(row![
        verdict.value,
        verdict.plies,
        positions,
        arising,
        share(wins + losses, positions),
        share(draws, positions),
        Cell::Number(census.total().mean_plies()),
        Cell::Number(survey.mean_moves()),
        survey.branching.len().saturating_sub(1),
        share(only, wins + draws),
        first_wins,
        first_draws,
        first_losses,
        pie,
    ])
}

/// A first move; of those that lead to images of each other, one.
struct FirstMove<P> {
    name: String,
    value: Value,
    verdict: Verdict,
    /// The position after it, if the game goes on.
    after: Option<P>,
}

impl<P: Copy> FirstMove<P> {
    /// All there are, the best first.
    fn all<G: Indexed<Position = P>>(atlas: &Atlas<'_, G>) -> Vec<FirstMove<P>> {
        let (game, start) = (atlas.game(), atlas.game().start());
        let mut seen: HashSet<Place> = HashSet::new();
        let mut moves = Vec::new();
        game.moves(&start, |mv| {
            let next = game.play(&start, mv);
            let after = next.position();
            let place = after.filter(|child| game.has_place(child)).map(|it| game.locate(&it));
            if place.is_none_or(|place| seen.insert(place)) {
                let value = atlas.move_value(next);
                let verdict = Verdict::from(value);
                moves.push(FirstMove { name: game.write_move(&start, mv), value, verdict, after });
            }
        });
        moves.sort_by_key(|first| Reverse(first.value));
        moves
    }
}

/// How games were looked at.
struct Method {
    limits: Limits,
    /// Whether all of them were.
    exact: bool,
}

impl Method {
    /// Says it, in brackets at the end of a caption.
    fn said(&self, en: &str, ja: &str) -> Text {
        let Limits { games, plies, .. } = self.limits;
        if self.exact {
            return Text::new(
                format!("{en} (exact, up to {plies} plies)."),
                format!("{ja}（厳密、{plies}手まで）。"),
            );
        }
        Text::new(
            format!("{en} ({games} games by chance, up to {plies} plies)."),
            format!("{ja}（無作為の{games}局、{plies}手まで）。"),
        )
    }

    /// The columns, with one for the error of a score behind it where there is one.
    fn heads(&self, heads: &[Column]) -> Vec<Column> {
        let score = heads.iter().position(|head| *head == SCORE);
        let mut heads = heads.to_vec();
        if let Some(place) = score.filter(|_| !self.exact) {
            heads.insert(place + 1, ERROR);
        }
        heads
    }

    /// A score, with its standard error over so many times the games, where there is one.
    fn score(&self, score: f64, variance: f64) -> Vec<Cell> {
        let error = || (variance / self.limits.games as f64).sqrt();
        let error = (!self.exact).then(|| Cell::Share(error()));
        [Cell::Share(score)].into_iter().chain(error).collect()
    }

    /// How games of equal players end.
    fn levels(&self, equal: &[Played]) -> Finding {
        let caption = self.said(
            "Balance: games of equal players, by the plies they see",
            "公平さ：同じレベル（読みの手数）どうしの対局",
        );
        let heads = self.heads(&[
            LEVEL,
            SCORE,
            columns::WINS,
            columns::DRAWS,
            columns::LOSSES,
            Column::new("decided", "decided", "決着"),
            Column::new("unfinished", "unfinished", "打ち切り"),
            columns::PLIES,
        ]);
        let mut finding = Finding::new("levels", caption, &heads);
        for (level, played) in Level::ALL.into_iter().zip(equal) {
            let decided = played.wins + played.losses;
            let shares = [played.wins, played.draws, played.losses, decided, played.unfinished];
            let mut row = row![name(level)];
            row.extend(self.score(played.score, played.deviation.powi(2)));
            row.extend(shares.map(Cell::Share));
            row.extend(row![played.plies.map(Cell::Number)]);
            finding.add(row);
        }
        finding
    }

    /// What happens in the games of equal players.
    fn drama(&self, equal: &[Played]) -> Finding {
        let caption = self.said(
            "Drama: how these games turn, and how clear right moves are",
            "展開：その対局の形勢の変化と、正しい手の見つけやすさ",
        );
        let heads = [
            LEVEL,
            Column::new("lead_changes", "lead changes", "形勢の変化"),
            Column::new("drama", "drama", "逆転度"),
            Column::new("settled", "plies settled", "決着後の手数"),
            Column::new("choices", "turns with a choice", "選択のある手番"),
            Column::new("clarity", "clarity", "明快さ"),
        ];
        let mut finding = Finding::new("drama", caption, &heads);
        for (level, played) in Level::ALL.into_iter().zip(equal) {
            finding.add(row![
                name(level),
                Cell::Number(played.lead_changes),
                played.drama.map(Cell::Share),
                played.settled.map(Cell::Number),
                played.choices.map(Cell::Share),
                played.clarity.map(Cell::Share),
            ]);
        }
        finding
    }

    /// How often a level beats the one below; both play first as often.
    fn skill(&self, played: &[Played]) -> Finding {
        let caption = self.said(
            "Skill: a level against the one below, each first by turns",
            "腕前：一つ下のレベルに対する成績（先後半数ずつ）",
        );
        let heads = self.heads(&[
            LEVEL,
            Column::new("against", "against", "相手"),
            SCORE,
            columns::WINS,
            columns::DRAWS,
            columns::LOSSES,
            Column::new("unfinished", "unfinished", "打ち切り"),
        ]);
        let mut finding = Finding::new("skill", caption, &heads);
        for (levels, played) in Level::ALL.windows(2).zip(played.chunks(2)) {
            let [first, second] = [&played[0], &played[1]];
            let mut row = row![name(levels[1]), name(levels[0])];
            let variance = (first.deviation.powi(2) + second.deviation.powi(2)) / 4.0;
            row.extend(self.score((first.score + 1.0 - second.score) / 2.0, variance));
            let shares = [
                first.wins + second.losses,
                first.draws + second.draws,
                first.losses + second.wins,
                first.unfinished + second.unfinished,
            ];
            row.extend(shares.map(|sum| Cell::Share(sum / 2.0)));
            finding.add(row);
        }
        finding
    }

    /// The first moves, with what the first player scores after each; `scores` are the other player's.
    fn openings<P>(&self, first_moves: &[FirstMove<P>], scores: &[f64]) -> Finding {
        let caption = self.said(
            &format!("First moves, and the first player's score if both then see {SIGHT} plies"),
            &format!("初手と、その後双方が{SIGHT}手先まで読む場合の先手の得点"),
        );
        let heads = [columns::MOVE, columns::VALUE, columns::PLIES, SCORE];
        let mut finding = Finding::new("first_moves", caption, &heads);
        let mut scores = scores.iter();
        for first in first_moves {
            let score = match first.after {
                Some(_) => scores.next().map(|score| 1.0 - score),
                None => Some(0.5 * f64::from(first.verdict.value as u8)),
            };
            let Verdict { value, plies } = first.verdict;
            finding.add(row![Cell::Name(first.name.clone()), value, plies, score.map(Cell::Share)]);
        }
        finding
    }
}

/// What a level is called.
fn name(level: Level) -> Cell {
    match level {
        Level::Sees(plies) => Cell::Count(plies.into()),
        Level::Perfect => Words::new("perfect", "完全").into(),
    }
}
