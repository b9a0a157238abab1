//! A report on a solved game: what the paper says beside what was found here, tables, plots, boards.

use crate::claim::{Claim, Text, at, claims};
use crate::html::{escape, page};
use crate::japanese;
use crate::plot::plot;
use kanzen_core::svg;
use kanzen_games::{AnyGame, AnySolved, Depth, GameError, Report as Facts, Sheet};
use kanzen_solve::Progress;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;

/// The language of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    fn of(self, text: &Text) -> &str {
        match self {
            Language::English => &text.en,
            Language::Japanese => &text.ja,
        }
    }

    fn pick(self, english: &'static str, japanese: &'static str) -> &'static str {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    fn code(self) -> &'static str {
        self.pick("en", "ja")
    }
}

/// What a report is about.
pub struct Subject<'a> {
    /// The name for people.
    pub title: &'a str,
    /// The game.
    pub game: &'a dyn AnyGame,
    /// Its table.
    pub solved: &'a dyn AnySolved,
    /// Facts about the table and the program: names and values.
    pub made: Vec<(String, String)>,
}

/// Positions of each kind that are shown.
const EXAMPLES: usize = 3;
/// Rows of a sheet that are shown at once; the rest can be unfolded.
const ROWS: usize = 40;
/// Positions that the search for a smallest proof tree looks into.
const DEPTH: Depth = Depth { most: 20_000_000, look: 1 };

/// A report, ready to be written.
pub struct Report {
    language: Language,
    title: String,
    paper: Option<(String, String)>,
    made: Vec<(String, String)>,
    claims: Vec<Checked>,
    sections: Vec<Section>,
}

/// A claim beside what was found.
struct Checked {
    text: String,
    definition: Option<String>,
    claimed: String,
    found: String,
    source: String,
    agrees: bool,
}

/// What one command has found.
struct Section {
    source: String,
    sheets: Vec<Sheet>,
    boards: Vec<(String, String)>,
}

impl Report {
    /// Gathers everything.
    pub fn new(
        subject: &Subject<'_>,
        language: Language,
        progress: &dyn Progress,
    ) -> Result<Report, GameError> {
        let known = claims(&subject.game.identity());
        let mut sources: BTreeMap<String, Facts> = BTreeMap::new();
        sources.insert("stats".to_owned(), subject.solved.stats()?);
        let mut wanted: Vec<String> = ["find longest"].map(str::to_owned).to_vec();
        wanted.extend(known.iter().flat_map(|known| known.claims.iter().map(|c| c.source.clone())));
        // What needs no codes comes first, while these take no memory. The others share them; games
        // that cannot hold them do without.
        let needs_codes = |source: &String| match source.split_once(' ') {
            Some(("find", what)) => subject.solved.needs_codes(what),
            Some(("prove", _)) => true,
            _ => false,
        };
        wanted.sort_by_key(needs_codes);
        let mut held = None;
        for source in wanted {
            let Entry::Vacant(vacant) = sources.entry(source) else { continue };
            if needs_codes(vacant.key()) {
                held.get_or_insert_with(|| subject.solved.codes(progress));
            }
            match answer(subject.solved, vacant.key(), progress) {
                Ok(facts) => {
                    vacant.insert(facts);
                }
                // A variant may have no answer to what is claimed of the game itself.
                Err(GameError::NoAnswer(_) | GameError::Notation(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let checked = |claim: &Claim| {
            let found = sources.get(&claim.source).and_then(|facts| at(&facts.json, &claim.at));
            let found = found.map(|found| found.into_owned());
            Checked {
                text: language.of(&claim.text).to_owned(),
                definition: claim.definition.as_ref().map(|text| language.of(text).to_owned()),
                agrees: found.as_ref() == Some(&claim.claimed),
                claimed: shown(&claim.claimed),
                found: found.as_ref().map_or("–".to_owned(), shown),
                source: claim.source.clone(),
            }
        };
        let claims = known.iter().flat_map(|known| known.claims.iter().map(checked)).collect();
        let section = |(source, facts): (String, Facts)| Section {
            boards: boards(subject, &facts.json),
            sheets: match language {
                Language::English => facts.sheets,
                Language::Japanese => facts.sheets.iter().map(japanese::sheet).collect(),
            },
            source,
        };
        Ok(Report {
            language,
            title: subject.title.to_owned(),
            paper: known
                .as_ref()
                .map(|k| (language.of(&k.paper).to_owned(), language.of(&k.rules).to_owned())),
            made: subject.made.clone(),
            claims,
            sections: sources.into_iter().map(section).collect(),
        })
    }

    /// How many claims were checked, and how many agree.
    pub fn score(&self) -> (usize, usize) {
        (self.claims.len(), self.claims.iter().filter(|claim| claim.agrees).count())
    }

    /// The claims and what was found, for programs.
    pub fn json(&self) -> Json {
        let claim = |claim: &Checked| {
            json!({
                "claim": claim.text, "definition": claim.definition, "paper": claim.claimed,
                "here": claim.found, "agrees": claim.agrees, "source": claim.source,
            })
        };
        let claims: Vec<Json> = self.claims.iter().map(claim).collect();
        let made: serde_json::Map<String, Json> =
            self.made.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({ "title": self.title, "made": made, "claims": claims })
    }

    /// The report as one page.
    pub fn html(&self) -> String {
        let language = self.language;
        let mut body = String::new();
        let mut put = |line: String| {
            body += &line;
            body.push('\n');
        };
        put(format!("<h1>{}</h1>", escape(&self.title)));
        if let Some((paper, rules)) = &self.paper {
            let heading = language.pick("The rules in short", "ルールの概要");
            put(format!("<h2>{heading}</h2><p>{}</p><p>{}</p>", escape(rules), escape(paper)));
        }
        put(format!("<h2>{}</h2><table>", language.pick("How it was solved", "解析の方法")));
        for (name, value) in &self.made {
            put(format!(
                "<tr><td>{}</td><td class=\"text\">{}</td></tr>",
                escape(name),
                escape(value)
            ));
        }
        put("</table>".to_owned());
        if !self.claims.is_empty() {
            put(self.claims_html());
        }
        for section in &self.sections {
            put(format!("<h2><code>{}</code></h2>", escape(&section.source)));
            for sheet in &section.sheets {
                put(format!("<h3>{}</h3>{}", escape(&sheet.caption), plot(sheet)));
                put(table(sheet, language));
            }
            for (position, board) in &section.boards {
                let caption = format!("<figcaption><code>{}</code></figcaption>", escape(position));
                put(format!("<figure>{board}{caption}</figure>"));
            }
        }
        page(language.code(), &self.title, &body)
    }

    fn claims_html(&self) -> String {
        let language = self.language;
        let (all, agree) = self.score();
        let mut out = format!(
            "<h2>{}</h2><p>{agree} / {all}</p><table><tr><th>{}</th><th>{}</th><th>{}</th><th></th><th class=\"text\">{}</th></tr>",
            language.pick("The paper's claims", "論文の主張"),
            language.pick("claim", "主張"),
            language.pick("paper", "論文"),
            language.pick("here", "本解析"),
            language.pick("by", "根拠"),
        );
        for claim in &self.claims {
            let (class, sign) = if claim.agrees { ("yes", "✓") } else { ("no", "✗") };
            let definition = claim.definition.as_ref().map_or(String::new(), |text| {
                format!("<br><small class=\"faint\">{}</small>", escape(text))
            });
            let _ = write!(
                out,
                "<tr><td>{}{definition}</td><td>{}</td><td>{}</td><td class=\"{class}\">{sign}</td><td class=\"text\"><code>{}</code></td></tr>",
                escape(&claim.text),
                escape(&claim.claimed),
                escape(&claim.found),
                escape(&claim.source)
            );
        }
        out + "</table>"
    }

    /// The report as Markdown, without pictures.
    pub fn markdown(&self) -> String {
        let language = self.language;
        let mut out = format!("# {}\n", self.title);
        if let Some((paper, rules)) = &self.paper {
            let heading = language.pick("The rules in short", "ルールの概要");
            let _ = write!(out, "\n## {heading}\n{rules}\n\n{paper}\n");
        }
        let heading = language.pick("How it was solved", "解析の方法");
        let _ = write!(out, "\n## {heading}\n");
        for (name, value) in &self.made {
            let _ = writeln!(out, "- {name}: {value}");
        }
        if !self.claims.is_empty() {
            let (all, agree) = self.score();
            let heading = language.pick("The paper's claims", "論文の主張");
            let _ = write!(out, "\n## {heading}\n{agree} / {all}\n\n");
            let head = match language {
                Language::English => ["claim", "paper", "here", "", "by"],
                Language::Japanese => ["主張", "論文", "本解析", "", "根拠"],
            };
            let mut sheet = Sheet::new("", &head);
            for claim in &self.claims {
                let sign = if claim.agrees { "✓" } else { "✗" }.to_owned();
                let by = format!("`{}`", claim.source);
                sheet.row([
                    claim.text.clone(),
                    claim.claimed.clone(),
                    claim.found.clone(),
                    sign,
                    by,
                ]);
            }
            out += &markdown_table(&sheet);
        }
        for section in &self.sections {
            let _ = write!(out, "\n## `{}`\n", section.source);
            for sheet in &section.sheets {
                let _ = write!(out, "\n### {}\n{}", sheet.caption, markdown_table(sheet));
            }
        }
        out
    }
}

/// What the command of a source finds.
fn answer(
    solved: &dyn AnySolved,
    source: &str,
    progress: &dyn Progress,
) -> Result<Facts, GameError> {
    let (command, rest) = source.split_once(' ').unwrap_or((source, ""));
    let plain = |json: Json| Facts { json, sheets: Vec::new() };
    match command {
        "find" => solved.find(rest, EXAMPLES, progress),
        "prove" => {
            let proof = solved.prove(Some(rest), DEPTH, progress)?;
            Ok(plain(
                json!({ "position": proof.position, "tree": proof.tree, "strategy": proof.strategy }),
            ))
        }
        "probe" => {
            let position = Some(rest).filter(|rest| !rest.is_empty());
            Ok(plain(json!(solved.probe(position)?)))
        }
        _ => solved.stats(),
    }
}

/// A number or a word as people read it.
fn shown(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Number(number) if number.is_u64() => grouped(number.as_u64().unwrap_or(0)),
        other => other.to_string(),
    }
}

/// A number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The boards of all positions that stand in JSON as examples.
fn boards(subject: &Subject<'_>, json: &Json) -> Vec<(String, String)> {
    let mut positions = Vec::new();
    examples(json, &mut positions);
    let board = |position: &String| {
        let drawing = subject.game.draw(Some(position)).ok()?;
        Some((position.clone(), svg(&drawing, subject.game.kit())))
    };
    positions.iter().filter_map(board).collect()
}

fn examples(json: &Json, out: &mut Vec<String>) {
    match json {
        Json::Array(elements) => elements.iter().for_each(|element| examples(element, out)),
        Json::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Json::Array(positions) if name == "examples" => {
                        let texts = positions.iter().filter_map(Json::as_str);
                        out.extend(texts.take(EXAMPLES).map(str::to_owned));
                    }
                    _ => examples(field, out),
                }
            }
        }
        _ => {}
    }
}

fn table(sheet: &Sheet, language: Language) -> String {
    let row = |cells: &[String], tag: &str| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let rows: String = sheet.rows.iter().map(|cells| row(cells, "td")).collect();
    let table = format!("<table>{}{rows}</table>", row(&sheet.head, "th"));
    match sheet.rows.len() > ROWS {
        true => {
            let summary = language.pick("rows", "行");
            format!("<details><summary>{} {summary}</summary>{table}</details>", sheet.rows.len())
        }
        false => table,
    }
}

fn markdown_table(sheet: &Sheet) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = vec!["---".to_owned(); sheet.head.len()];
    let rows = sheet.rows.iter().map(|row| line(row));
    line(&sheet.head) + &line(&rule) + &rows.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_groups() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn tables_in_markdown() {
        let mut sheet = Sheet::new("x", &["a", "b"]);
        sheet.row(["1|2".to_owned(), "3".to_owned()]);
        assert_eq!(markdown_table(&sheet), "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n");
    }
}
