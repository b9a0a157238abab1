//! Sheets of numbers as bars.

use crate::html::escape;
use kanzen_games::Sheet;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 26.0;
const TOP: f64 = 24.0;
const COLOURS: [&str; 4] = ["#2f5d9b", "#c8503c", "#4c8a4a", "#b08900"];

/// The colour of a column: outcomes have theirs in every plot.
fn colour(column: usize, head: &str) -> &'static str {
    match head {
        "wins" | "勝ち" => "#2e8540",
        "draws" | "引き分け" => "#c9a100",
        "losses" | "負け" => "#c8503c",
        _ => COLOURS[column],
    }
}

/// Bars over the first column, on a logarithmic scale; nothing if the sheet is not all numbers.
pub fn plot(sheet: &Sheet) -> String {
    let number = |cell: &String| cell.parse::<f64>().ok();
    let rows: Option<Vec<Vec<f64>>> =
        sheet.rows.iter().map(|row| row.iter().map(number).collect()).collect();
    let series = sheet.head.len().saturating_sub(1);
    match rows {
        Some(rows) if rows.len() > 3 && (1..=COLOURS.len()).contains(&series) => bars(sheet, &rows),
        _ => String::new(),
    }
}

fn bars(sheet: &Sheet, rows: &[Vec<f64>]) -> String {
    let series = sheet.head.len() - 1;
    let most = rows.iter().flat_map(|row| &row[1..]).fold(1.0_f64, |most, &cell| most.max(cell));
    let decades = most.log10().ceil().max(1.0);
    let slot = (WIDTH - LEFT) / rows.len() as f64;
    let width = slot * 0.9 / series as f64;
    // A single position still has a bar to be seen.
    let height = |count: f64| (HEIGHT - BOTTOM - TOP) * (count.log10() + 0.2) / (decades + 0.2);
    let base = HEIGHT - BOTTOM;
    let mut out = format!(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-family=\"sans-serif\" font-size=\"11\"><title>{}</title>",
        escape(&sheet.caption)
    );
    for decade in 0..=decades as i32 {
        let y = base - height(10f64.powi(decade));
        let _ = write!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">10^{decade}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    let every = rows.len().div_ceil(16);
    for (place, row) in rows.iter().enumerate() {
        let left = LEFT + slot * place as f64;
        for (column, &count) in row[1..].iter().enumerate().filter(|(_, count)| **count > 0.0) {
            let (x, height) = (left + width * column as f64, height(count));
            let _ = write!(
                out,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{}\"/>",
                base - height,
                colour(column, &sheet.head[column + 1])
            );
        }
        if place.is_multiple_of(every) {
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{}</text>",
                left + slot / 2.0,
                HEIGHT - 10.0,
                row[0]
            );
        }
    }
    for (column, head) in sheet.head[1..].iter().enumerate() {
        let x = LEFT + 110.0 * column as f64;
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"6\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{}\" y=\"15\" fill=\"#333\">{}</text>",
            colour(column, &sheet.head[column + 1]),
            x + 15.0,
            escape(head)
        );
    }
    out + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_of_numbers_are_plotted_and_others_are_not() {
        let mut sheet = Sheet::new("by plies", &["plies", "wins"]);
        (0..5).for_each(|n| sheet.row([n.to_string(), (10 * n).to_string()]));
        let svg = plot(&sheet);
        assert_eq!(svg.matches("<rect").count(), 5, "four bars and a key: {svg}");
        assert_eq!(svg.matches("#2e8540").count(), 5, "wins are green: {svg}");
        sheet.row(["all".to_owned(), "100".to_owned()]);
        assert_eq!(plot(&sheet), "");
    }
}
