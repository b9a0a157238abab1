//! Findings of numbers as pictures: curves for a few columns, a map of heat for many.

use crate::fit::width;
use crate::phrases::Speak;
use kanzen_analyse::{Cell, Finding};
use kanzen_core::Language;
use maud::{Markup, html};

const WIDTH: f32 = 720.0;
const HEIGHT: f32 = 260.0;
const LEFT: f32 = 74.0;
const BOTTOM: f32 = 46.0;
const TOP: f32 = 30.0;
/// Between two lines of names, which are twice as large on phones.
const NAMES: f32 = 24.0;
/// Findings with more columns than this are drawn as heat.
const CURVES: usize = 8;

/// A finding as numbers, with a head for each column.
struct Numbers {
    caption: String,
    head: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Numbers {
    /// None if something in it is no number.
    fn of(finding: &Finding, language: Language) -> Option<Numbers> {
        let number = |cell: &Cell| match cell {
            Cell::Count(count) => Some(vec![*count as f64]),
            Cell::Counts(counts) => Some(counts.iter().map(|&count| count as f64).collect()),
            _ => None,
        };
        let row = |row: &Vec<Cell>| -> Option<Vec<f64>> {
            Some(row.iter().map(number).collect::<Option<Vec<_>>>()?.concat())
        };
        let rows = finding.rows.iter().map(row).collect::<Option<Vec<_>>>()?;
        let mut head = Vec::new();
        for (column, cell) in finding.columns.iter().zip(finding.rows.first()?) {
            match cell {
                Cell::Counts(counts) => head.extend((0..counts.len()).map(|n| n.to_string())),
                _ => head.push(column.title.say(language).to_owned()),
            }
        }
        let whole = rows.iter().all(|row| row.len() == head.len());
        whole.then(|| Numbers { caption: finding.caption.say(language).to_owned(), head, rows })
    }
}

/// A finding of numbers that is drawn as curves, as they are: a head for each column, and the rows.
pub fn curve_points(finding: &Finding, language: Language) -> Option<(Vec<String>, Vec<Vec<f64>>)> {
    let numbers = Numbers::of(finding, language)?;
    let curves = numbers.rows.len() > 3 && (2..=CURVES + 1).contains(&numbers.head.len());
    curves.then_some((numbers.head, numbers.rows))
}

/// Draws a finding of numbers over its first column, if it has enough rows to be worth it.
pub fn plot(finding: &Finding, language: Language) -> Markup {
    match Numbers::of(finding, language) {
        Some(numbers) if numbers.rows.len() > 3 && numbers.head.len() > 1 => {
            match numbers.head.len() - 1 {
                ..=CURVES => curves(&numbers, language),
                _ => heat(&numbers, language),
            }
        }
        _ => html! {},
    }
}

fn largest(rows: &[Vec<f64>]) -> f64 {
    rows.iter().flat_map(|row| &row[1..]).fold(1.0, |most: f64, &cell| most.max(cell))
}

/// Where the name of each column but the first goes, with its line of names, from 0: one after the other as
/// far as they fit when they are as large as on phones.
fn names(head: &[String]) -> Vec<(f32, f32)> {
    let (mut left, mut line) = (LEFT, 0.0);
    let place = |head: &String| {
        let room = 24.0 + 12.5 * width(head) as f32;
        if left > LEFT && left + room > WIDTH {
            (left, line) = (LEFT, line + 1.0);
        }
        let at = (left, line);
        left += room + 16.0;
        at
    };
    head[1..].iter().map(place).collect()
}

/// A curve for each column over the first one, on a logarithmic scale.
fn curves(sheet: &Numbers, language: Language) -> Markup {
    let rows = &sheet.rows;
    let (first, last) = (rows[0][0], rows[rows.len() - 1][0].max(rows[0][0] + 1.0));
    let decades = largest(rows).log10().ceil().max(1.0);
    let x = |value: f64| LEFT + (WIDTH - LEFT - 16.0) * ((value - first) / (last - first)) as f32;
    let names = names(&sheet.head);
    let (top, height) = names.last().map_or((TOP, HEIGHT), |(_, line)| {
        let more = NAMES * line;
        (TOP + more, HEIGHT + more)
    });
    let bottom = height - BOTTOM;
    let y = |count: f64| bottom - (bottom - top) * (count.max(1.0).log10() / decades) as f32;
    let step = ((last - first) / 10.0).max(1.0).round();
    let ticks = (0..).map(|tick| first + step * f64::from(tick)).take_while(|tick| *tick <= last);
    let curve = |column: usize| {
        let points = rows.iter().filter(|row| row[column] > 0.0);
        let points = points.map(|row| format!("{:.1},{:.1}", x(row[0]), y(row[column])));
        points.collect::<Vec<_>>().join(" ")
    };
    html! {
        svg .plot viewBox=(format!("0 0 {WIDTH} {height}")) role="img"
            aria-label=(format!("{} ({})", sheet.caption, language.phrases().plot_log)) {
            @for decade in 0..=decades as u32 {
                @let level = y(10f64.powi(decade as i32));
                line .grid x1=(LEFT) x2=(WIDTH - 16.0) y1=(level) y2=(level) {}
                text .tick .right x=(LEFT - 8.0) y=(level + 4.0) { (power(decade)) }
            }
            @for tick in ticks {
                @let name = format!("{tick:.0}");
                // The last is whole on phones, too, where digits are 15 wide.
                @let middle = x(tick).min(WIDTH - 7.5 * name.len() as f32);
                text .tick .centred x=(middle) y=(bottom + 20.0) { (name) }
            }
            @for (column, head) in sheet.head.iter().enumerate().skip(1) {
                @let class = format!("series series{column}");
                g class=(class) {
                    polyline points=(curve(column)) {}
                    @for row in rows.iter().filter(|row| row[column] > 0.0) {
                        circle cx=(format!("{:.1}", x(row[0]))) cy=(format!("{:.1}", y(row[column]))) r="2" {}
                    }
                    @let (left, line) = names[column - 1];
                    @let down = 16.0 + NAMES * line;
                    line .key x1=(left) x2=(left + 18.0) y1=(down - 4.0) y2=(down - 4.0) {}
                    text .tick x=(left + 24.0) y=(down) { (head) }
                }
            }
            text .tick .right x=(WIDTH - 16.0) y=(height - 5.0) { (sheet.head[0]) }
        }
    }
}

fn power(decade: u32) -> String {
    match decade {
        0..=3 => 10u32.pow(decade).to_string(),
        4 | 5 => format!("{}k", 10u32.pow(decade - 3)),
        6..=8 => format!("{}M", 10u32.pow(decade - 6)),
        9..=11 => format!("{}G", 10u32.pow(decade - 9)),
        _ => format!("10^{decade}"),
    }
}

/// A square for each cell, the darker the greater the number, on a logarithmic scale.
fn heat(sheet: &Numbers, language: Language) -> Markup {
    let rows = &sheet.rows;
    let columns = sheet.head.len() - 1;
    let (width, height) = ((WIDTH - LEFT - 16.0) / columns as f32, 12.0);
    let most = largest(rows).ln().max(1.0);
    let bottom = TOP + height * rows.len() as f32;
    // Columns that are told by words have letters, which are explained below.
    let is_number = |head: &str| head.chars().all(|letter| letter.is_ascii_digit());
    let words: Vec<(usize, &String)> =
        sheet.head[1..].iter().enumerate().filter(|(_, head)| !is_number(head)).collect();
    let letter = |place: usize| char::from(b'a' + place as u8 % 26);
    let numbered = columns - words.len();
    let key = bottom + 26.0 + NAMES * words.len() as f32;
    html! {
        svg .plot viewBox=(format!("0 0 {WIDTH} {key}")) role="img"
            aria-label=(format!("{} ({})", sheet.caption, language.phrases().plot_log)) {
            @for (number, row) in rows.iter().enumerate() {
                @let top = TOP + height * number as f32;
                @let class = if number % 2 == 1 { "tick right odd" } else { "tick right" };
                text class=(class) x=(LEFT - 8.0) y=(top + 10.0) { (format!("{:.0}", row[0])) }
                @for (column, &count) in row[1..].iter().enumerate().filter(|(_, count)| **count > 0.0) {
                    rect .heat x=(format!("{:.1}", LEFT + width * column as f32)) y=(top)
                        width=(format!("{:.1}", width - 1.0)) height=(height - 1.0)
                        fill-opacity=(format!("{:.2}", 0.12 + 0.88 * (count.ln() / most))) {}
                }
            }
            @for (column, head) in sheet.head[1..].iter().enumerate().filter(|(_, head)| is_number(head)) {
                @if numbered < 8 || head.parse::<usize>().is_ok_and(|number| number % 4 == 0) {
                    text .tick .centred x=(LEFT + width * (column as f32 + 0.5)) y=(bottom + 16.0) { (head) }
                }
            }
            @for (place, &(column, head)) in words.iter().enumerate() {
                text .tick .centred x=(LEFT + width * (column as f32 + 0.5)) y=(TOP - 6.0) { (letter(place)) }
                text .tick x=(LEFT) y=(bottom + 16.0 + NAMES * (place + 1) as f32) { (letter(place)) ": " (head) }
            }
            text .tick x="4" y="18" { (sheet.head[0]) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_analyse::{Column, columns, row};
    use kanzen_core::Words;

    #[test]
    fn columns_of_a_map_of_heat_that_are_told_by_words_have_letters_and_a_key() {
        const STUCK: Column = Column::new("stuck", "nobody can move", "動けない");
        let heads = [columns::PLIES, columns::WINS, STUCK, columns::LONGEST];
        let mut finding = Finding::new("plies", Words::same("By plies."), &heads);
        (0..5_u64).for_each(|n| finding.add(row![n, 10 * n, n, Cell::Counts(vec![n; 12])]));
        let svg = plot(&finding, Language::English).into_string();
        assert!(svg.contains("class=\"heat\""), "{svg}");
        for text in [">a<", ">b<", ">a: wins<", ">b: nobody can move<", ">0<", ">4<", ">8<"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }

    #[test]
    fn findings_of_numbers_are_plotted_and_others_are_not() {
        let heads = [columns::PLIES, columns::WINS];
        let mut finding = Finding::new("plies", Words::same("By plies."), &heads);
        (0..5_u64).for_each(|n| finding.add(row![n, 10 * n]));
        let svg = plot(&finding, Language::English).into_string();
        assert_eq!(svg.matches("<circle").count(), 4, "a dot for each count but 0: {svg}");
        assert!(svg.contains("viewBox=\"0 0 720 260\""), "{svg}");
        finding.add(row![Words::same("all"), 100_u64]);
        assert_eq!(plot(&finding, Language::English).into_string(), "");
    }

    #[test]
    fn names_that_do_not_fit_a_line_go_on_below() {
        let head =
            ["plies", "wins of the first side", "wins of the second side", "wins of neither"];
        let places = names(&head.map(str::to_owned));
        assert_eq!(places, [(74.0, 0.0), (389.0, 0.0), (74.0, 1.0)]);
    }
}
