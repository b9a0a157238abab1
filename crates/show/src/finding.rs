//! Findings as people and programs read them: every form once, for every finding, in every language.

use crate::fit::width;
use crate::phrases::Speak;
use crate::units::{grouped, percent};
use kanzen_analyse::{Cell, Finding};
use kanzen_core::Language;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

/// Findings for programs: each by its name, as a list of rows, a row as an object with a field for
/// each column.
///
/// ```
/// use kanzen_analyse::{Finding, columns, row};
/// use kanzen_core::Words;
/// let caption = Words::new("Draws.", "引き分け。");
/// let draws = Finding::new("draws", caption, &[columns::POSITIONS]).with(row![5_u64]);
/// assert_eq!(kanzen_show::json(&[draws]).to_string(), r#"{"draws":[{"positions":5}]}"#);
/// ```
pub fn json(findings: &[Finding]) -> Json {
    let rows = |finding: &Finding| {
        let row = |row: &Vec<Cell>| {
            let cells = finding.columns.iter().zip(row);
            cells.map(|(column, cell)| (column.name.to_owned(), cell_json(cell))).collect()
        };
        finding.rows.iter().map(|cells| Json::Object(row(cells))).collect()
    };
    let named =
        findings.iter().map(|finding| (finding.name.to_owned(), Json::Array(rows(finding))));
    Json::Object(named.collect::<Map<String, Json>>())
}

fn cell_json(cell: &Cell) -> Json {
    match cell {
        Cell::Nothing => Json::Null,
        Cell::Count(count) => json!(count),
        Cell::Counts(counts) => json!(counts),
        Cell::Number(number) | Cell::Share(number) => json!(number),
        Cell::Outcome(outcome) => json!(outcome),
        Cell::Verdict(verdict) => json!(verdict),
        Cell::Word(text) => json!(text.en),
        Cell::Name(name) => json!(name),
        Cell::Names(names) | Cell::Positions(names) => json!(names),
    }
}

/// A finding in a language, as lines of cells.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sheet {
    /// What it shows.
    pub caption: String,
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The lines.
    pub rows: Vec<Vec<String>>,
    /// Whether a column holds numbers.
    pub numeric: Vec<bool>,
}

/// A finding of one row with more columns than this is shown as a list.
const LIST: usize = 4;

impl Sheet {
    /// A finding, for people: where there is one tier of all positions, it is not named.
    pub fn new(finding: &Finding, language: Language) -> Sheet {
        let mut sheet = Sheet::wide(finding, language, &|count| grouped(count));
        let tier = finding.columns.first().filter(|column| column.name == "tier");
        if tier.is_some()
            && finding.columns.len() > 1
            && finding.rows.iter().all(|row| is_all(&row[0]))
        {
            let cells = std::iter::once(&mut sheet.head).chain(&mut sheet.rows);
            cells.filter(|cells| !cells.is_empty()).for_each(|cells| drop(cells.remove(0)));
            sheet.numeric.remove(0);
        }
        match sheet.rows.len() {
            1 if sheet.head.len() > LIST => sheet.listed(language),
            _ => sheet,
        }
    }

    /// A line for each row; further examples of a row stand in lines of their own.
    fn wide(finding: &Finding, language: Language, count: &dyn Fn(u64) -> String) -> Sheet {
        let mut head = Vec::new();
        let mut numeric = Vec::new();
        let mut widths = Vec::new();
        for (place, column) in finding.columns.iter().enumerate() {
            let cells = || finding.rows.iter().map(|row| &row[place]);
            let title = column.title.say(language);
            let numbers = cells().all(|cell| {
                matches!(
                    cell,
                    Cell::Count(_)
                        | Cell::Number(_)
                        | Cell::Share(_)
                        | Cell::Nothing
                        | Cell::Counts(_)
                )
            });
            let width = cells().filter_map(|cell| match cell {
                Cell::Counts(counts) => Some(counts.len()),
                _ => None,
            });
            match width.max() {
                Some(width) => {
                    let heads = (0..width).map(|number| match number {
                        0 => format!("{title} 0"),
                        number => number.to_string(),
                    });
                    head.extend(heads);
                    numeric.extend(std::iter::repeat_n(true, width));
                    widths.push(width);
                }
                None => {
                    head.push(title.to_owned());
                    numeric.push(numbers);
                    widths.push(1);
                }
            }
        }
        let mut rows = Vec::new();
        for row in &finding.rows {
            let lines = row.iter().map(|cell| match cell {
                Cell::Positions(positions) => positions.len(),
                _ => 1,
            });
            for line in 0..lines.max().unwrap_or(1).max(1) {
                let cells = row.iter().zip(&widths);
                rows.push(
                    cells
                        .flat_map(|(cell, &width)| written(cell, width, line, language, count))
                        .collect(),
                );
            }
        }
        Sheet { caption: finding.caption.say(language).to_owned(), head, rows, numeric }
    }

    /// A line for each column of the only row.
    fn listed(self, language: Language) -> Sheet {
        let cells = self.rows.into_iter().next().unwrap_or_default();
        let rows = self.head.into_iter().zip(cells).map(|(head, cell)| vec![head, cell]).collect();
        let head = [language.pick("what", "項目"), language.pick("found", "結果")];
        Sheet {
            caption: self.caption,
            head: head.map(str::to_owned).to_vec(),
            rows,
            numeric: vec![false, false],
        }
    }

    /// The same in parts that are at most so many characters wide, if it is one of numbers: each part
    /// begins with the first column.
    pub fn parts(&self, most: usize) -> Vec<Sheet> {
        let all = || std::iter::once(&self.head).chain(&self.rows);
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| all().map(|row| width(&row[column]) + 3).max().unwrap_or(0))
            .collect();
        if self.numeric.contains(&false) || widths.iter().sum::<usize>() <= most {
            return vec![self.clone()];
        }
        let mut parts = vec![vec![0]];
        let mut used = widths[0];
        for (column, width) in widths.iter().enumerate().skip(1) {
            if used + width > most {
                parts.push(vec![0]);
                used = widths[0];
            }
            used += width;
            parts.last_mut().expect("there is always a part").push(column);
        }
        let part = |columns: Vec<usize>| {
            let of =
                |row: &Vec<String>| columns.iter().map(|&column| row[column].clone()).collect();
            Sheet {
                caption: self.caption.clone(),
                head: of(&self.head),
                rows: self.rows.iter().map(of).collect(),
                numeric: vec![true; columns.len()],
            }
        };
        parts.into_iter().map(part).collect()
    }

    /// With aligned columns, for a terminal.
    pub fn text(&self, language: Language) -> String {
        if self.rows.is_empty() {
            return format!("{} {}\n", self.caption, language.phrases().none);
        }
        let all = || std::iter::once(&self.head).chain(&self.rows);
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| all().map(|row| width(&row[column])).max().unwrap_or(0))
            .collect();
        let mut text = format!("{}\n", self.caption);
        for row in all() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let space = " ".repeat(widths[column] - width(cell));
                line += &if self.numeric[column] && column > 0 {
                    format!("{space}{cell}  ")
                } else {
                    format!("{cell}{space}  ")
                };
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    /// As Markdown, with its caption.
    pub fn markdown(&self, language: Language) -> String {
        if self.rows.is_empty() {
            return format!("{} {}\n", self.caption, language.phrases().none);
        }
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = self.numeric.iter().map(|numeric| if *numeric { "---:" } else { "---" });
        let rule: Vec<String> = rule.map(str::to_owned).collect();
        let rows = self.rows.iter().map(|row| line(row));
        format!(
            "{}\n\n{}{}{}",
            self.caption,
            line(&self.head),
            line(&rule),
            rows.collect::<String>()
        )
    }

    /// As a table of a page, without its caption; of a long one only some rows.
    pub fn table(&self, most: usize) -> Markup {
        let class = |column: usize| if self.numeric[column] { "number" } else { "word" };
        html! {
            table {
                thead { tr { @for (column, head) in self.head.iter().enumerate() {
                    th scope="col" class=(class(column)) { (head) }
                } } }
                tbody { @for row in self.rows.iter().take(most) {
                    tr { @for (column, cell) in row.iter().enumerate() { td class=(class(column)) { (cell) } } }
                } }
            }
        }
    }
}

/// A finding as comma-separated values, under the names of its columns.
///
/// ```
/// use kanzen_analyse::{Finding, columns, row};
/// use kanzen_core::Words;
/// let heads = [columns::PLIES, columns::WINS];
/// let wins = Finding::new("wins", Words::same("Wins."), &heads).with(row![3_u64, 1200_u64]);
/// assert_eq!(kanzen_show::csv(&wins), "plies,wins\n3,1200\n");
/// ```
pub fn csv(finding: &Finding) -> String {
    let mut sheet = Sheet::wide(finding, Language::English, &|count| count.to_string());
    let plain = finding.columns.len() == sheet.head.len();
    if plain {
        sheet.head = finding.columns.iter().map(|column| column.name.to_owned()).collect();
    }
    let quoted = |cell: &String| {
        if cell.contains([',', '"', '\n']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    };
    let line = |cells: &Vec<String>| cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
    std::iter::once(&sheet.head).chain(&sheet.rows).map(line).collect()
}

/// Whether a cell names the tier of all positions.
fn is_all(cell: &Cell) -> bool {
    matches!(cell, Cell::Word(text) if text.en == "all")
}

/// What a cell says in one of the lines of its row.
fn written(
    cell: &Cell,
    width: usize,
    line: usize,
    language: Language,
    count: &dyn Fn(u64) -> String,
) -> Vec<String> {
    if let Cell::Positions(positions) = cell {
        return vec![positions.get(line).cloned().unwrap_or_default()];
    }
    if line > 0 {
        return vec![String::new(); width];
    }
    vec![match cell {
        Cell::Counts(counts) => {
            let cells =
                (0..width).map(|place| counts.get(place).map_or(String::new(), |n| count(*n)));
            return cells.collect();
        }
        Cell::Nothing => "–".to_owned(),
        Cell::Count(number) => count(*number),
        Cell::Number(number) => format!("{number:.2}"),
        Cell::Share(share) => percent(*share),
        Cell::Outcome(outcome) => language.outcome(*outcome).to_owned(),
        Cell::Verdict(verdict) => language.short(*verdict),
        Cell::Word(text) => of_one(text.say(language)),
        Cell::Name(name) => name.clone(),
        Cell::Names(names) => names.join(" "),
        Cell::Positions(_) => String::new(),
    }]
}

/// The name of a tier, which programs know by the plural whatever the number, with the singular of one.
fn of_one(text: &str) -> String {
    let plural = [(" pieces", " piece"), (" men", " man")];
    let one = plural.iter().find_map(|(many, one)| {
        let named = text.strip_suffix(many)?;
        (named.split(' ').next() == Some("1")).then(|| format!("{named}{one}"))
    });
    one.unwrap_or_else(|| text.to_owned())
}

/// What is remarkable about the positions of a row, in a sentence: the caption, then what the row
/// says of them.
pub fn caption(finding: &Finding, row: &[Cell], language: Language) -> String {
    let cells = finding.columns.iter().zip(row);
    // A value and its plies are one fact.
    let outcome = row.iter().find_map(|cell| match cell {
        Cell::Outcome(outcome) => Some(*outcome),
        _ => None,
    });
    let in_plies = finding.columns.iter().any(|column| column.name == "plies");
    let facts = cells.filter_map(|(column, cell)| {
        let title = column.title.say(language);
        match cell {
            Cell::Positions(_) | Cell::Nothing | Cell::Counts(_) => None,
            Cell::Names(names) if names.is_empty() => None,
            cell if column.name == "tier" && is_all(cell) => None,
            Cell::Outcome(_) if in_plies => None,
            Cell::Outcome(outcome) => {
                let word = language.outcome(*outcome);
                Some(language.pick(format!("a {word}"), word.to_owned()))
            }
            Cell::Count(n) if column.name == "plies" => {
                let (n, plies) = (grouped(*n), if *n == 1 { "ply" } else { "plies" });
                Some(match outcome.map(|outcome| language.outcome(outcome)) {
                    Some(word) => {
                        language.pick(format!("a {word} in {n} {plies}"), format!("{n}手で{word}"))
                    }
                    None => language.pick(format!("in {n} {plies}"), format!("{n}手")),
                })
            }
            Cell::Count(1) if column.name == "positions" => {
                Some(language.pick("the only one".to_owned(), "1局面のみ".to_owned()))
            }
            Cell::Count(n) if column.name == "positions" => Some(
                language
                    .pick(format!("one of {}", grouped(*n)), format!("{}局面の一つ", grouped(*n))),
            ),
            Cell::Count(0) if column.name == "self_symmetric" => None,
            Cell::Count(n) => {
                let n = grouped(*n);
                let en = match column.name {
                    "period" => format!("{title} {n}"),
                    "moves" if n == "1" => "1 move".to_owned(),
                    _ => format!("{n} {title}"),
                };
                Some(language.pick(en, format!("{title}{n}")))
            }
            cell => written(cell, 1, 0, language, &grouped).pop(),
        }
    });
    let facts = facts.collect::<Vec<_>>().join(language.pick(", ", "、"));
    // What the caption explains after its first sentence is of the table.
    let sentence = finding.caption.say(language);
    let sentence = sentence.split_once(language.pick(". ", "。")).map_or(sentence, |(it, _)| it);
    let sentence = sentence.trim_end_matches('.');
    let (colon, stop) = language.pick((": ", "."), ("：", "。"));
    if facts.is_empty() {
        format!("{sentence}{stop}")
    } else {
        format!("{sentence}{colon}{facts}{stop}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_analyse::{Column, columns, row};
    use kanzen_core::{Outcome, Words};

    fn longest() -> Finding {
        let heads =
            [columns::TIER, columns::VALUE, columns::PLIES, columns::POSITIONS, columns::EXAMPLES];
        let caption = Words::new("The longest wins and losses.", "最長の勝ちと負け。");
        let examples = Cell::Positions(vec!["11".to_owned(), "22".to_owned()]);
        Finding::new("longest", caption, &heads)
            .with(row![Words::new("8 pieces", "8個"), Outcome::Win, 49_u64, 1234_u64, examples])
            .with(row![
                Words::new("all", "全体"),
                Outcome::Loss,
                1_u64,
                1_u64,
                Cell::Positions(vec![])
            ])
    }

    #[test]
    fn one_is_a_piece_and_several_are_pieces() {
        for (name, shown) in [
            ("1 pieces", "1 piece"),
            ("1 brown pieces", "1 brown piece"),
            ("1 men", "1 man"),
            ("11 pieces", "11 pieces"),
            ("5 against 4", "5 against 4"),
        ] {
            assert_eq!(of_one(name), shown);
        }
    }

    #[test]
    fn the_same_finding_in_every_form() {
        let finding = longest();
        let sheet = Sheet::new(&finding, Language::English);
        let expected = "The longest wins and losses.\n\
                        tier      value  plies  positions  for example\n\
                        8 pieces  win       49      1,234  11\n\
                        \u{20}                                  22\n\
                        all       loss       1          1\n";
        assert_eq!(sheet.text(Language::English), expected);
        assert!(sheet.markdown(Language::English).contains("| 8 pieces | win | 49 | 1,234 | 11 |"));
        assert!(Sheet::new(&finding, Language::Japanese).rows[0].contains(&"勝ち".to_owned()));
        let csv = csv(&finding);
        assert!(
            csv.starts_with("tier,value,plies,positions,examples\n8 pieces,win,49,1234,11\n"),
            "{csv}"
        );
        assert_eq!(json(&[finding])["longest"][0]["examples"], json!(["11", "22"]));
    }

    #[test]
    fn captions_are_sentences() {
        let finding = longest();
        let caption = |row: usize, language| caption(&finding, &finding.rows[row], language);
        assert_eq!(
            caption(0, Language::English),
            "The longest wins and losses: 8 pieces, a win in 49 plies, one of 1,234."
        );
        assert_eq!(caption(1, Language::Japanese), "最長の勝ちと負け：1手で負け、1局面のみ。");
    }

    #[test]
    fn captions_tell_of_a_row_what_is_not_of_the_whole_table() {
        const PERIOD: Column = Column::new("period", "period", "周期");
        let heads = [PERIOD, columns::MOVES, columns::POSITIONS, columns::SELF_SYMMETRIC];
        let about = Words::new("Rows. The last column is explained.", "行。最後の列の説明。");
        let finding = Finding::new("rows", about, &heads).with(row![4_u64, 1_u64, 30_u64, 0_u64]);
        let caption = |language| caption(&finding, &finding.rows[0], language);
        assert_eq!(caption(Language::English), "Rows: period 4, 1 move, one of 30.");
        assert_eq!(caption(Language::Japanese), "行：周期4、手の数1、30局面の一つ。");
    }

    #[test]
    fn wide_tables_of_numbers_are_cut_into_parts() {
        let heads = [columns::PLIES, Column::new("by", "by", "別")];
        let counts = Finding::new("counts", Words::same("Counts."), &heads)
            .with(row![7_u64, Cell::Counts((1000..1020).collect())])
            .with(row![8_u64, Cell::Counts(vec![1])]);
        let sheet = Sheet::new(&counts, Language::English);
        let parts = sheet.parts(60);
        assert!(parts.len() > 1 && parts.iter().all(|part| part.rows[0][0] == "7"), "{parts:?}");
        let cells: usize = parts.iter().map(|part| part.head.len() - 1).sum();
        assert_eq!(cells, 20);
        assert!(
            parts.iter().all(|part| part.text(Language::English).lines().all(|it| it.len() <= 60))
        );
        assert_eq!(sheet.parts(1000).len(), 1);
    }

    #[test]
    fn a_single_long_row_is_a_list_and_counts_are_columns() {
        let heads: Vec<Column> = ["a", "b", "c", "d", "e"].map(|n| Column::new(n, n, n)).to_vec();
        let one = Finding::new("one", Words::same("One."), &heads).with(row![
            1_u64,
            2_u64,
            Cell::Share(0.5),
            Cell::Number(1.5),
            Cell::Nothing
        ]);
        let sheet = Sheet::new(&one, Language::English);
        assert_eq!(sheet.rows[2], ["c", "50.00 %"]);
        let heads = [columns::PLIES, Column::new("by", "by", "別")];
        let counts = Finding::new("counts", Words::same("Counts."), &heads)
            .with(row![0_u64, Cell::Counts(vec![1, 2000])]);
        let sheet = Sheet::new(&counts, Language::English);
        assert_eq!(
            (&sheet.head[1..], &sheet.rows[0][1..]),
            (&["by 0".to_owned(), "1".to_owned()][..], &["1".to_owned(), "2,000".to_owned()][..])
        );
        let none = Finding::new("none", Words::same("Zugzwangs."), &heads);
        assert_eq!(
            Sheet::new(&none, Language::English).text(Language::English),
            "Zugzwangs. None.\n"
        );
    }
}
