//! What a rule changes: two tables of a game side by side.

use kanzen_core::{Outcome, Value};
use kanzen_games::{AnySolved, GameError, Place, Report, Sheet, Summary};
use kanzen_solve::{HOLE, Progress};
use serde_json::json;

/// Losses, draws and wins of the first table (rows) and of the second (columns).
type Changes = [[u64; 3]; 3];

/// The outcomes in the order of the rows and columns.
const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

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
    let codes = match (solved[0].codes(), solved[1].codes()) {
        (Ok(first), Ok(second)) if same_places(&first, &second) => Some([first, second]),
        _ => None,
    };
    if let Some(codes) = codes {
        let reach = solved[0].reach(progress).ok();
        let contains = |place| reach.as_ref().is_some_and(|reach| reach.contains(place));
        let changes = count(&codes, most, contains);
        sheets.push(matrix("all positions, by value under either rule", names, &changes.all));
        if reach.is_some() {
            let caption = "those that can arise under the first rule";
            sheets.push(matrix(caption, names, &changes.arising));
        }
        let mut examples = Sheet::new("examples", &[names[0], names[1], "position"]);
        let mut listed = Vec::new();
        for &(place, from, to) in &changes.examples {
            let position = solved[0].position(place).unwrap_or_default();
            let (from, to) = (OUTCOMES[from].word(), OUTCOMES[to].word());
            listed.push(json!({ "position": position, "first": from, "second": to }));
            examples.row([from.to_owned(), to.to_owned(), position]);
        }
        if !changes.examples.is_empty() {
            sheets.push(examples);
        }
        facts["changed"] = json!({
            "all": changed(&changes.all), "by_value": changes.all,
            "arising": reach.is_some().then(|| changed(&changes.arising)),
            "arising_by_value": reach.is_some().then_some(changes.arising),
            "examples": listed,
        });
    }
    Ok(Report { json: facts, sheets })
}

fn same_places(first: &[Vec<u16>], second: &[Vec<u16>]) -> bool {
    let sizes = |codes: &[Vec<u16>]| codes.iter().map(Vec::len).collect::<Vec<_>>();
    sizes(first) == sizes(second)
}

fn changed(changes: &Changes) -> u64 {
    let cells = (0..3).flat_map(|from| (0..3).map(move |to| (from, to)));
    cells.filter(|(from, to)| from != to).map(|(from, to)| changes[from][to]).sum()
}

/// What has changed, with examples of each kind of change.
#[derive(Default)]
struct Counted {
    all: Changes,
    arising: Changes,
    examples: Vec<(Place, usize, usize)>,
}

fn count(codes: &[Vec<Vec<u16>>; 2], most: usize, arises: impl Fn(Place) -> bool) -> Counted {
    let mut counted = Counted::default();
    let mut kept = [[0; 3]; 3];
    for (tier, (first, second)) in codes[0].iter().zip(&codes[1]).enumerate() {
        for (index, (&a, &b)) in (0..).zip(first.iter().zip(second)) {
            if a == HOLE || b == HOLE {
                continue;
            }
            let place = Place { tier, index };
            let (from, to) = (column(a), column(b));
            let arising = arises(place);
            counted.all[from][to] += 1;
            counted.arising[from][to] += u64::from(arising);
            if from != to && arising && kept[from][to] < most {
                kept[from][to] += 1;
                counted.examples.push((place, from, to));
            }
        }
    }
    counted
}

fn column(code: u16) -> usize {
    match Value::from_code(code) {
        Value::Loss(_) => 0,
        Value::Open => 1,
        Value::Win(_) => 2,
    }
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
    format!("{count} ({:.2} %)", 100.0 * count as f64 / summary.positions.max(1) as f64)
}

fn matrix(caption: &str, names: [&str; 2], changes: &Changes) -> Sheet {
    let caption = format!("{caption}: {} change", changed(changes));
    let columns = OUTCOMES.map(|outcome| format!("{} with {}", outcome.word(), names[1]));
    let head = [names[0], &columns[0], &columns[1], &columns[2]];
    let mut sheet = Sheet::new(&caption, &head);
    for (outcome, row) in OUTCOMES.iter().zip(changes) {
        sheet
            .row([outcome.word().to_owned()].into_iter().chain(row.map(|count| count.to_string())));
    }
    sheet
}
