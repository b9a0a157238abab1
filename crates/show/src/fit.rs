//! Texts and tables in so many columns of a terminal.

use crate::Sheet;
use crate::phrases::Speak;
use kanzen_core::Language;

/// The columns between two cells.
const BETWEEN: usize = 2;
/// A column of words is not made narrower than this.
const NARROW: usize = 14;

/// The columns that a text takes in a terminal: two for the characters of East Asia.
pub fn width(text: &str) -> usize {
    let wide = |c| matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{ffdc}');
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

/// A text in lines of at most so many columns. A word that is longer is broken.
///
/// ```
/// assert_eq!(kanzen_show::fold("to be or not to be", 8), "to be or\nnot to\nbe");
/// ```
pub fn fold(text: &str, columns: usize) -> String {
    let (mut folded, mut column) = (String::new(), 0);
    for word in text.split_inclusive([' ', '。', '、']) {
        // The blank behind the last word of a line may stick out.
        if column > 0 && column + width(word.trim_end()) > columns {
            folded.truncate(folded.trim_end().len());
            folded.push('\n');
            column = 0;
        }
        for letter in word.chars() {
            let wide = width(letter.encode_utf8(&mut [0; 4]));
            if column + wide > columns && letter != ' ' {
                folded.push('\n');
                column = 0;
            }
            folded.push(letter);
            column += wide;
        }
    }
    folded
}

impl Sheet {
    /// The same as [`text`](Sheet::text) in at most so many columns: texts are folded in their cells, and
    /// if that is not enough, columns that have no room stand in further tables below, each behind the
    /// first column.
    pub fn text_within(&self, language: Language, columns: usize) -> String {
        let caption = fold(&self.caption, columns);
        if self.rows.is_empty() {
            return fold(&format!("{} {}", self.caption, language.phrases().none), columns) + "\n";
        }
        let widths = self.narrowed(columns);
        let mut text = format!("{caption}\n");
        for (number, panel) in panels(&widths, columns).iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            for row in std::iter::once(&self.head).chain(&self.rows) {
                text += &self.row(row, panel, &widths);
            }
        }
        text
    }

    /// The widths of the columns, of which those with words are narrowed as far as is needed and can be.
    fn narrowed(&self, columns: usize) -> Vec<usize> {
        let cells = |column: usize| {
            std::iter::once(&self.head).chain(&self.rows).map(move |row| &*row[column])
        };
        let count = self.head.len();
        let mut widths: Vec<usize> =
            (0..count).map(|column| cells(column).map(width).max().unwrap_or(0)).collect();
        let least = |column: usize| {
            let words = cells(column).flat_map(|cell| cell.split([' ', '。', '、']));
            words.map(width).max().unwrap_or(0).max(NARROW)
        };
        while let excess @ 1.. = total(&widths).saturating_sub(columns) {
            let spare = |column: &usize| widths[*column].saturating_sub(least(*column));
            let words = (0..count).filter(|column| !self.numeric[*column] && spare(column) > 0);
            let Some(widest) = words.max_by_key(|column| widths[*column]) else { break };
            widths[widest] -= excess.min(spare(&widest));
        }
        if total(&widths) <= columns {
            return widths;
        }
        // What fits nowhere else is broken.
        let first = widths.first().copied().unwrap_or(0).min(columns / 2);
        let rest = columns - first - BETWEEN;
        for (column, wide) in widths.iter_mut().enumerate() {
            *wide = (*wide).min(match column {
                0 if count == 1 => columns,
                0 => columns / 2,
                _ => rest,
            });
        }
        widths
    }

    /// A row of a panel, in as many lines as its cells need.
    fn row(&self, row: &[String], panel: &[usize], widths: &[usize]) -> String {
        let folded: Vec<Vec<String>> = panel
            .iter()
            .map(|&column| {
                let lines = fold(&row[column], widths[column]);
                lines.split('\n').map(|line| line.trim_end().to_owned()).collect()
            })
            .collect();
        let mut text = String::new();
        for number in 0..folded.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::new();
            for (cell, &column) in folded.iter().zip(panel) {
                let cell = cell.get(number).map_or("", String::as_str);
                let space = " ".repeat(widths[column].saturating_sub(width(cell)));
                let (left, right) = match self.numeric[column] && column > 0 {
                    true => (&*space, ""),
                    false => ("", &*space),
                };
                line += &format!("{left}{cell}{right}{:BETWEEN$}", "");
            }
            // A further line of examples alone is no row of a panel without them.
            if !line.trim().is_empty() {
                text += line.trim_end();
                text.push('\n');
            }
        }
        text
    }
}

/// The columns that a table of columns of these widths takes.
fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + BETWEEN * widths.len().saturating_sub(1)
}

/// The columns of each table, one below the other: the first, and as many others as there is room for.
fn panels(widths: &[usize], columns: usize) -> Vec<Vec<usize>> {
    let mut panels = vec![vec![0]];
    for column in 1..widths.len() {
        let Some(panel) = panels.last_mut() else { break };
        let with: Vec<usize> =
            panel.iter().chain([&column]).map(|&column| widths[column]).collect();
        if total(&with) <= columns || panel.len() == 1 {
            panel.push(column);
        } else {
            panels.push(vec![0, column]);
        }
    }
    panels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(head: &[&str], rows: &[&[&str]], numeric: &[bool]) -> Sheet {
        let words = |row: &[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        Sheet {
            caption: "A table.".to_owned(),
            head: words(head),
            rows: rows.iter().map(|row| words(row)).collect(),
            numeric: numeric.to_vec(),
        }
    }

    #[test]
    fn a_table_that_fits_is_as_it_was() {
        let sheet = sheet(&["plies", "wins"], &[&["1", "1,200"], &["12", ""]], &[true, true]);
        let text = sheet.text(Language::English);
        assert_eq!(sheet.text_within(Language::English, 100), text);
        assert_eq!(sheet.text_within(Language::English, 12), text);
        let what = "the start if the second player may swap";
        let long = self::sheet(&["what", "found"], &[&[what, "draw"]], &[false, false]);
        assert_eq!(long.text_within(Language::English, 48), long.text(Language::English));
    }

    #[test]
    fn texts_are_folded_and_columns_stand_below() {
        let about = "a position in which the side to move would rather pass";
        let words = sheet(&["kind", "about"], &[&["zugzwang", about]], &[false, false]);
        let expected = "A table.\n\
                        kind      about\n\
                        zugzwang  a position in which\n\
                        \u{20}         the side to move\n\
                        \u{20}         would rather pass\n";
        assert_eq!(words.text_within(Language::English, 30), expected);
        let counts = sheet(&["by", "100", "200", "300"], &[&["x", "1", "2", "3"]], &[true; 4]);
        let expected = "A table.\nby  100  200\nx     1    2\n\nby  300\nx     3\n";
        assert_eq!(counts.text_within(Language::English, 14), expected);
    }

    #[test]
    fn nothing_is_wider_than_allowed() {
        let long = "0123456789".repeat(30);
        let wide = "局面の数を数えます。".repeat(20);
        let row: &[&str] = &[&long, "12", &wide, &long];
        let table = sheet(&["a", "b", "c", "d"], &[row, row], &[false, true, false, false]);
        for columns in [40, 80, 100] {
            for line in table.text_within(Language::English, columns).lines() {
                assert!(width(line) <= columns, "{} of {columns}: {line}", width(line));
            }
        }
    }
}
