//! What a rule changes: two tables of a game side by side.

use kanzen_analyse::{Cell, Column, Finding, columns, row};
use kanzen_core::{Text, Words};
use kanzen_registry::{AnySolved, ByValue, Changes, GameError};
use kanzen_solve::Progress;

/// Compares two tables. Games with other positions are compared by their summaries alone.
///
/// # Errors
/// If a table cannot be read, or a game's values are not wins, draws and losses.
pub fn compare(
    names: [&str; 2],
    solved: [&dyn AnySolved; 2],
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, GameError> {
    let caption = Words::new("The games side by side.", "両ルールの比較。");
    let heads = [
        Column::new("rules", "rules", "ルール"),
        Column::new("value", "start", "初期局面"),
        columns::PLIES,
        columns::POSITIONS,
        columns::WINS,
        columns::DRAWS,
        columns::LOSSES,
        columns::LONGEST,
    ];
    let mut rules = Finding::new("rules", caption, &heads);
    for (name, solved) in names.into_iter().zip(solved) {
        let summary = solved.summary()?.ok_or_else(|| {
            GameError::NoAnswer(format!("{name}: games for three players cannot be compared"))
        })?;
        rules.add(row![
            Cell::Name(name.to_owned()),
            summary.value.value,
            summary.value.plies,
            summary.positions,
            summary.wins,
            summary.draws,
            summary.losses,
            summary.longest,
        ]);
    }
    let mut findings = vec![rules];
    let Some(changes) = solved[0].changes(solved[1], most, progress)? else {
        let caption = Words::new(
            "Position by position: they do not have the same positions.",
            "局面ごとの比較：局面が異なるため比較できません。",
        );
        findings.push(Finding::new("changed", caption, &[]));
        return Ok(findings);
    };
    let caption = Words::new(
        "How many positions have another outcome: of all, and of those that can arise under the first rule; and how many have the same outcome after other plies.",
        "結果が変わる局面数：全局面、最初のルールで到達できる局面、結果は同じで手数が変わる局面。",
    );
    let heads = [
        Column::new("all", "of all", "全局面"),
        Column::new("arising", "of those that can arise", "到達できる局面"),
        Column::new("other_plies", "after other plies", "手数だけ変化"),
    ];
    findings.push(Finding::new("changed", caption, &heads).with(row![
        Changes::changed(&changes.by_value),
        changes.arising_by_value.as_ref().map(Changes::changed),
        changes.other_plies,
    ]));
    let caption = Text::new("All positions, by outcome under either rule.", "全局面の結果の変化。");
    findings.push(matrix("by_value", caption, names, &changes.by_value));
    if let Some(arising) = &changes.arising_by_value {
        let caption = Text::new(
            "Those that can arise under the first rule.",
            "最初のルールで到達できる局面の結果の変化。",
        );
        findings.push(matrix("arising_by_value", caption, names, arising));
    }
    let caption = Words::new("Positions with another outcome.", "結果が変わる局面の例。");
    let heads = [
        Column::new("first", "under the first rule", "最初のルール"),
        Column::new("second", "under the second", "二番目のルール"),
        columns::EXAMPLES,
    ];
    let mut examples = Finding::new("examples", caption, &heads);
    for change in changes.examples {
        let position = Cell::Positions(vec![change.position]);
        examples.add(row![change.first, change.second, position]);
    }
    findings.push(examples);
    Ok(findings)
}

fn matrix(name: &'static str, caption: Text, names: [&str; 2], changes: &ByValue) -> Finding {
    let [first, second] = names;
    let caption = Text::new(
        format!("{} Rows: {first}; columns: {second}.", caption.en),
        format!("{}行：{first}、列：{second}。", caption.ja),
    );
    let heads = [
        Column::new("value", "value", "値"),
        Column::new("loss", "loss", "負け"),
        Column::new("draw", "draw", "引き分け"),
        Column::new("win", "win", "勝ち"),
    ];
    let mut finding = Finding::new(name, caption, &heads);
    for (outcome, &[loss, draw, win]) in Changes::OUTCOMES.into_iter().zip(changes) {
        finding.add(row![outcome, loss, draw, win]);
    }
    finding
}
