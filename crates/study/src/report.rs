//! A report on a solved game: what the paper says beside what was found here, tables, plots, boards.

use crate::claim::{Claim, Text, at, claims};
use crate::compare::compare;
use crate::html::{escape, page};
use crate::numbers::{grouped, grouped_sheet};
use crate::plot::plot;
use crate::{fairness, japanese};
use kanzen_core::svg;
use kanzen_games::{Answer, AnyGame, AnySolved, Depth, GameError, Proof, Report as Facts, Sheet};
use kanzen_solve::Progress;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
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

    /// A phrase of this program's.
    fn phrase(self, english: &str) -> String {
        match self {
            Language::English => english.to_owned(),
            Language::Japanese => japanese::phrase(english),
        }
    }

    fn sheet(self, english: &Sheet) -> Sheet {
        match self {
            Language::English => english.clone(),
            Language::Japanese => japanese::sheet(english),
        }
    }
}

/// Opens the table of a game with the options given.
pub type Open<'a> = dyn Fn(&[String]) -> Result<Box<dyn AnySolved>, GameError> + 'a;

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
    /// Opens the table of the game with other options.
    pub other: &'a Open<'a>,
}

/// What every report asks for, if the game can answer it.
const ALWAYS: [&str; 5] =
    ["find longest", "find survey", "find zugzwang", "find cycles", "find played"];
/// Positions of each kind that are shown.
const EXAMPLES: usize = 3;
/// Rows of a sheet that are shown at once; the rest can be unfolded.
const ROWS: usize = 40;
/// Moves of a position that are shown.
const MOVES: usize = 10;
/// Positions that the search for a smallest proof tree looks into.
const DEPTH: Depth = Depth { most: 20_000_000, look: 1, book: false };

/// A report, ready to be written.
pub struct Report {
    language: Language,
    title: String,
    paper: Option<(String, String)>,
    made: Vec<(String, String)>,
    /// The rules that differ from the game's own.
    options: Option<String>,
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
    /// Nothing if no answer could be found.
    agrees: Option<bool>,
}

impl Checked {
    fn sign(&self) -> &'static str {
        match self.agrees {
            Some(true) => "✓",
            Some(false) => "✗",
            None => "?",
        }
    }
}

/// What a part of a report needs, in the order in which parts are made: first those before all codes
/// are in memory, then those that share them, then those that need another table's, at last those that
/// look at single positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    Nothing,
    Codes,
    OtherCodes,
    Table,
}

/// What one command has found.
struct Section {
    source: String,
    sheets: Vec<Sheet>,
    boards: Vec<Board>,
}

/// A position that is shown.
struct Board {
    position: String,
    /// What is remarkable about it.
    facts: String,
    svg: String,
}

impl Report {
    /// Gathers everything.
    pub fn new(
        subject: &Subject<'_>,
        language: Language,
        progress: &dyn Progress,
    ) -> Result<Report, GameError> {
        let known = claims(&subject.game.identity());
        let claimed = known.iter().flat_map(|known| known.claims.iter().map(|c| &*c.source));
        let mut wanted: Vec<&str> = Vec::new();
        for source in ALWAYS.into_iter().chain(claimed) {
            if !wanted.contains(&source) {
                wanted.push(source);
            }
        }
        let needs = |source: &str| match source.split_once(' ') {
            Some(("find", "played")) => Needs::Table,
            Some(("find", what)) if subject.solved.needs_codes(what) => Needs::Codes,
            Some(("find", _)) => Needs::Nothing,
            Some(("prove", _)) => Needs::Codes,
            Some(("compare", _)) => Needs::OtherCodes,
            _ => Needs::Table,
        };
        let mut order = wanted.clone();
        order.sort_by_key(|source| needs(source));
        let mut held = None;
        let mut sections: Vec<(String, Facts)> =
            vec![("stats".to_owned(), subject.solved.stats()?)];
        let mut unanswered: BTreeMap<String, String> = BTreeMap::new();
        for source in order {
            if source == "stats" || sections.iter().any(|section| includes(section, source)) {
                continue;
            }
            match needs(source) {
                Needs::Nothing => {}
                // Games that cannot hold them do without.
                Needs::Codes => {
                    held.get_or_insert_with(|| subject.solved.codes(progress));
                }
                Needs::OtherCodes | Needs::Table => held = None,
            }
            match answer(subject, source, progress) {
                Ok(facts) => sections.push((source.to_owned(), facts)),
                // A variant may have no answer to what is claimed of the game itself, and other
                // rules may not be solved.
                Err(
                    error @ (GameError::NoAnswer(_)
                    | GameError::Notation(_)
                    | GameError::NotSolved { .. }),
                ) => {
                    unanswered.insert(source.to_owned(), error.to_string());
                }
                Err(error) => return Err(error),
            }
        }
        drop(held);
        sections.sort_by_key(|section| wanted.iter().position(|source| *source == section.0));
        let checked = |claim: &Claim| {
            let facts = sections.iter().find(|(source, _)| *source == claim.source);
            let found =
                facts.map(|(_, facts)| at(&facts.json, &claim.at).map(|it| it.into_owned()));
            let problem = unanswered.get(&claim.source).cloned().unwrap_or_default();
            Checked {
                text: language.of(&claim.text).to_owned(),
                definition: claim.definition.as_ref().map(|text| language.of(text).to_owned()),
                agrees: found.as_ref().map(|found| found.as_ref() == Some(&claim.claimed)),
                claimed: shown(&claim.claimed),
                found: match found {
                    Some(found) => found.as_ref().map_or("–".to_owned(), shown),
                    None => problem,
                },
                source: claim.source.clone(),
            }
        };
        let claims = known.iter().flat_map(|known| known.claims.iter().map(checked)).collect();
        let section = |(source, facts): (String, Facts)| Section {
            boards: boards(subject, &source, &facts.json, language),
            sheets: facts.sheets,
            source,
        };
        Ok(Report {
            language,
            title: language.phrase(subject.title),
            paper: known
                .as_ref()
                .map(|k| (language.of(&k.paper).to_owned(), language.of(&k.rules).to_owned())),
            made: subject
                .made
                .iter()
                .map(|(name, it)| (language.phrase(name), it.clone()))
                .collect(),
            options: subject.made.iter().find(|(name, _)| name == "options").map(|it| it.1.clone()),
            claims,
            sections: sections.into_iter().map(section).collect(),
        })
    }

    /// Says that the table is of other rules than the game's own.
    fn variant(&self) -> String {
        let note = self.language.pick(
            "The claims are about the game as published; this table is of:",
            "主張は論文のルールについてのもので、この表のルールは:",
        );
        self.options.as_ref().map_or(String::new(), |options| format!("{note} {options}"))
    }

    /// How many claims were checked, and how many agree.
    pub fn score(&self) -> (usize, usize) {
        (self.claims.len(), self.claims.iter().filter(|claim| claim.agrees == Some(true)).count())
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
                let plotted = plot(&language.sheet(sheet));
                put(format!("<h3>{}</h3>{plotted}", escape(&language.phrase(&sheet.caption))));
                put(table(&language.sheet(&grouped_sheet(sheet)), language));
            }
            for Board { position, facts, svg } in &section.boards {
                let (position, facts) = (escape(position), escape(facts));
                let caption =
                    format!("<figcaption>{facts}<br><code>{position}</code></figcaption>");
                put(format!("<figure>{svg}{caption}</figure>"));
            }
        }
        page(language.code(), &self.title, &body)
    }

    fn claims_html(&self) -> String {
        let language = self.language;
        let (all, agree) = self.score();
        let mut out = format!(
            "<h2>{}</h2><p>{agree} / {all}</p><p>{}</p><table class=\"claims\"><tr><th>{}</th><th>{}</th><th>{}</th><th></th><th class=\"text\">{}</th></tr>",
            language.pick("The paper's claims", "論文の主張"),
            escape(&self.variant()),
            language.pick("claim", "主張"),
            language.pick("paper", "論文"),
            language.pick("here", "本解析"),
            language.pick("by", "根拠"),
        );
        for claim in &self.claims {
            let class = if claim.agrees == Some(true) { "yes" } else { "no" };
            let sign = claim.sign();
            let definition = claim.definition.as_ref().map_or(String::new(), |text| {
                format!("<br><small class=\"faint\">{}</small>", escape(text))
            });
            let _ = write!(
                out,
                "<tr><td>{}{definition}</td><td>{}</td><td>{}</td><td class=\"{class}\">{sign}</td><td class=\"text\"><code>{}</code></td></tr>",
                escape(&claim.text),
                folded(&claim.claimed, language),
                folded(&claim.found, language),
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
            let _ = write!(out, "\n## {heading}\n{agree} / {all}\n\n{}\n\n", self.variant());
            let head = match language {
                Language::English => ["claim", "paper", "here", "", "by"],
                Language::Japanese => ["主張", "論文", "本解析", "", "根拠"],
            };
            let mut sheet = Sheet::new("", &head);
            for claim in &self.claims {
                let by = format!("`{}`", claim.source);
                let definition = claim.definition.as_ref();
                let text = definition.map_or(claim.text.clone(), |definition| {
                    format!("{} ({definition})", claim.text)
                });
                let sign = claim.sign().to_owned();
                sheet.row([text, claim.claimed.clone(), claim.found.clone(), sign, by]);
            }
            out += &markdown_table(&sheet);
        }
        for section in &self.sections {
            let _ = write!(out, "\n## `{}`\n", section.source);
            for sheet in &section.sheets {
                let sheet = language.sheet(&grouped_sheet(sheet));
                let text = match sheet.rows.is_empty() {
                    true => format!("{}\n", none(language)),
                    false => markdown_table(&sheet),
                };
                let _ = write!(out, "\n### {}\n{text}", sheet.caption);
            }
        }
        out
    }
}

/// Whether a section tells what another source would: Ostle's survey finds zugzwangs too.
fn includes((section, facts): &(String, Facts), source: &str) -> bool {
    section == "find survey" && source == "find zugzwang" && facts.json.get("zugzwang").is_some()
}

/// What the command of a source finds.
fn answer(
    subject: &Subject<'_>,
    source: &str,
    progress: &dyn Progress,
) -> Result<Facts, GameError> {
    let solved = subject.solved;
    let (command, rest) = source.split_once(' ').unwrap_or((source, ""));
    match command {
        "find" => fairness::find(solved, rest, EXAMPLES, progress),
        "prove" => Ok(proof(&solved.prove(Some(rest), DEPTH, progress)?)),
        "probe" => {
            let position = Some(rest).filter(|rest| !rest.is_empty());
            Ok(probed(&solved.probe(position)?))
        }
        "compare" => {
            let options = rest.split("-o").map(|option| option.trim().to_owned());
            let options: Vec<String> = options.filter(|option| !option.is_empty()).collect();
            let other = (subject.other)(&options)?;
            compare(["here", &options.join(" ")], [solved, &*other], EXAMPLES, progress)
        }
        _ => solved.stats(),
    }
}

/// The value of a position and of its moves.
fn probed(answer: &Answer) -> Facts {
    let mut sheet = Sheet::new(&format!("{}", answer.value), &["move", "value"]);
    for mv in answer.moves.iter().take(MOVES) {
        sheet.row([mv.name.clone(), mv.value.to_string()]);
    }
    if answer.moves.len() > MOVES {
        sheet.row(["…".to_owned(), String::new()]);
    }
    Facts { json: json!(answer), sheets: vec![sheet] }
}

/// The size of a proof.
fn proof(proof: &Proof) -> Facts {
    let mut sheet = Sheet::new(&format!("{}", proof.value), &["what", "positions"]);
    let tree = proof.tree.map_or("–".to_owned(), |size| size.to_string());
    sheet.row(["smallest proof tree".to_owned(), tree]);
    sheet.row(["a strategy, up to symmetry".to_owned(), proof.strategy.positions.to_string()]);
    let json =
        json!({ "position": proof.position, "tree": proof.tree, "strategy": proof.strategy });
    Facts { json, sheets: vec![sheet] }
}

/// A number or a word as people read it.
fn shown(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Number(number) if number.is_u64() => grouped(&number.to_string()),
        other => other.to_string(),
    }
}

/// A cell of HTML; a long list can be unfolded.
fn folded(cell: &str, language: Language) -> String {
    let numbers = 1 + cell.matches(',').count();
    match cell.starts_with('[') && numbers > 4 {
        true => format!(
            "<details><summary>{numbers} {}</summary>{}</details>",
            language.pick("numbers", "個の数"),
            escape(&cell.replace(',', ", "))
        ),
        false => escape(cell),
    }
}

fn none(language: Language) -> &'static str {
    language.pick("none", "なし")
}

/// The boards of all positions that stand in JSON as examples, or of the position in question.
fn boards(subject: &Subject<'_>, source: &str, json: &Json, language: Language) -> Vec<Board> {
    let mut positions = Vec::new();
    match source.starts_with("find") {
        true => examples(json, language, &mut positions),
        false => {
            let position = json["position"].as_str().map(str::to_owned);
            positions.extend(position.map(|position| (position, String::new())));
        }
    }
    let board = |(position, facts): (String, String)| {
        let drawing = subject.game.draw(Some(&position)).ok()?;
        Some(Board { position, facts, svg: svg(&drawing, subject.game.kit()) })
    };
    positions.into_iter().filter_map(board).collect()
}

/// Adds the positions in JSON, each with the facts that stand beside it.
fn examples(json: &Json, language: Language, out: &mut Vec<(String, String)>) {
    match json {
        Json::Array(elements) => {
            elements.iter().for_each(|element| examples(element, language, out))
        }
        Json::Object(fields) => {
            let facts = fields.iter().filter_map(|(name, field)| match field {
                Json::String(text) if name != "position" => Some(language.phrase(text)),
                Json::Number(number) if number.is_u64() => {
                    let name = language.phrase(&name.replace('_', "-"));
                    Some(format!("{name}: {}", grouped(&number.to_string())))
                }
                _ => None,
            });
            let facts = facts.collect::<Vec<_>>().join(", ");
            for (name, field) in fields {
                match field {
                    Json::Array(list) if list.iter().any(Json::is_string) && name != "line" => {
                        let same = language.phrase("self-symmetric");
                        let facts = match &**name {
                            "self_symmetric_examples" => format!("{same}; {facts}"),
                            _ => facts.clone(),
                        };
                        let texts = list.iter().filter_map(Json::as_str).take(EXAMPLES);
                        out.extend(texts.map(|text| (text.to_owned(), facts.clone())));
                    }
                    Json::String(text) if name == "position" => {
                        out.push((text.clone(), facts.clone()));
                    }
                    _ => examples(field, language, out),
                }
            }
        }
        _ => {}
    }
}

fn table(sheet: &Sheet, language: Language) -> String {
    if sheet.rows.is_empty() {
        return format!("<p>{}</p>", none(language));
    }
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
    fn positions_come_with_the_facts_beside_them() {
        let json = json!([
            { "plies": 1049, "tier": "8 pieces", "examples": ["a", "b"] },
            { "longest": [{ "position": "c", "line": ["m", "n"] }] },
        ]);
        let mut found = Vec::new();
        examples(&json, Language::English, &mut found);
        let facts = "plies: 1,049, 8 pieces";
        let expected = [("a", facts), ("b", facts), ("c", "")];
        assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn long_lists_can_be_unfolded() {
        assert_eq!(folded("1,234", Language::English), "1,234");
        assert_eq!(folded("[1,2]", Language::English), "[1,2]");
        assert!(folded("[1,2,3,4,5]", Language::English).contains("5 numbers"));
    }

    #[test]
    fn tables_in_markdown() {
        let mut sheet = Sheet::new("x", &["a", "b"]);
        sheet.row(["1|2".to_owned(), "3".to_owned()]);
        assert_eq!(markdown_table(&sheet), "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n");
    }
}
