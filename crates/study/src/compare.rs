//! What a rule changes: two tables of a game side by side.

use crate::numbers::grouped;
use kanzen_games::{AnySolved, ByValue, Changes, GameError, Report, Sheet, Summary};
use kanzen_solve::Progress;
use serde_json::json;

/// Compares two tables. Games with other positions are compared by their summaries alone.
pub fn compare(
    names: [&str; 2],
    solved: [&dyn AnySolved; 2],
    most: usize,
    progress: &dyn Progress,
) -> Result<Report, GameError> {
    let summaries = [solved[0].summary()?, solved[1].summary()?];
    let mut sheets = vec![side_by_side(names, &summaries)];
    let mut facts = json!({ "rules": names, "summaries": summaries });
    if let Some(changes) = solved[0].changes(solved[1], most, progress)? {
        sheets.push(matrix("all positions, by value under either rule", names, &changes.by_value));
        if let Some(arising) = &changes.arising_by_value {
            sheets.push(matrix("those that can arise under the first rule", names, arising));
        }
        let mut examples = Sheet::new("examples", &[names[0], names[1], "position"]);
        for change in &changes.examples {
            let (first, second) = (change.first.to_string(), change.second.to_string());
            examples.row([first, second, change.position.clone()]);
        }
        if !examples.rows.is_empty() {
            sheets.push(examples);
        }
        let mut lengths = Sheet::new("the same outcome after other plies", &["positions"]);
        lengths.row([changes.other_plies.to_string()]);
        sheets.push(lengths);
        facts["changed"] = json!(changes);
        facts["changed"]["all"] = json!(Changes::changed(&changes.by_value));
        facts["changed"]["arising"] =
            json!(changes.arising_by_value.as_ref().map(Changes::changed));
    } else {
        sheets.push(Sheet::new("position by position: they do not have the same positions", &[]));
    }
    Ok(Report { json: facts, sheets })
}

fn side_by_side(names: [&str; 2], summaries: &[Summary; 2]) -> Sheet {
    let mut sheet = Sheet::new("the games side by side", &["", names[0], names[1]]);
    let mut row = |name: &str, cell: fn(&Summary) -> String| {
        sheet.row([name.to_owned(), cell(&summaries[0]), cell(&summaries[1])]);
    };
    row("start", |summary| summary.value.to_string());
    row("positions", |summary| summary.positions.to_string());
    row("wins", |summary| share(summary.wins, summary));
    row("draws", |summary| share(summary.draws, summary));
    row("losses", |summary| share(summary.losses, summary));
    row("longest, in plies", |summary| summary.longest.to_string());
    sheet
}

fn share(count: u64, summary: &Summary) -> String {
    let percent = 100.0 * count as f64 / summary.positions.max(1) as f64;
    format!("{} ({percent:.2} %)", grouped(&count.to_string()))
}

fn matrix(caption: &str, names: [&str; 2], changes: &ByValue) -> Sheet {
    let changed = grouped(&Changes::changed(changes).to_string());
    let caption = format!("{caption}: {changed} change");
    let columns = Changes::OUTCOMES.map(|outcome| format!("{} with {}", outcome.word(), names[1]));
    let head = [names[0], &columns[0], &columns[1], &columns[2]];
    let mut sheet = Sheet::new(&caption, &head);
    for (outcome, row) in Changes::OUTCOMES.iter().zip(changes) {
        sheet
            .row([outcome.word().to_owned()].into_iter().chain(row.map(|count| count.to_string())));
    }
    sheet
}
