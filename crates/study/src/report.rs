//! A report on a solved game: what the paper says beside what was found here, tables, plots, boards.

use crate::claim::{Claim, at, claims};
use crate::compare::compare;
use crate::find::find;
use kanzen_analyse::{Cell, Column, Finding, Kind, columns, row};
use kanzen_core::{Language, Text};
use kanzen_registry::{Answer, AnyGame, AnySolved, Depth, Entry, GameError, Options, Proof};
use kanzen_show::board::plain;
use kanzen_show::{Sheet, caption, json as findings_json, page, plot, units};
use kanzen_solve::Progress;
use maud::{Markup, html};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Opens the table of a game with the options given.
pub type Open<'a> = dyn Fn(&[String]) -> Result<Box<dyn AnySolved>, GameError> + 'a;

/// What a report is about.
pub struct Subject<'a> {
    /// What the game says of itself.
    pub entry: &'static Entry,
    /// The options chosen.
    pub options: &'a Options,
    /// The game.
    pub game: &'a dyn AnyGame,
    /// Its table.
    pub solved: &'a dyn AnySolved,
    /// Facts about the table and the program: names and values.
    pub made: Vec<(Text, String)>,
    /// Opens the table of the game with other options.
    pub other: &'a Open<'a>,
}

/// What every report asks for, if the game can answer it.
const ALWAYS: [&str; 5] =
    ["find longest", "find survey", "find zugzwang", "find cycles", "find played"];
/// Positions of each kind that are shown.
const EXAMPLES: usize = 3;
/// Rows of a table that are shown at once; the rest can be unfolded.
const ROWS: usize = 40;
/// Moves of a position that are shown.
const MOVES: usize = 10;
/// Positions that the search for a smallest proof tree looks into.
const DEPTH: Depth = Depth { most: 20_000_000, look: 1, book: false };

/// A report, ready to be written.
pub struct Report {
    language: Language,
    title: String,
    rules: String,
    paper: Option<String>,
    made: Vec<(String, String)>,
    /// The options that differ from the game's own.
    options: String,
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
    /// As its `--json` has it.
    json: Json,
    findings: Vec<Finding>,
    boards: Vec<Board>,
}

/// A position that is shown.
struct Board {
    position: String,
    /// What is remarkable about it.
    caption: String,
    svg: Markup,
}

impl Report {
    /// Gathers everything.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn new(
        subject: &Subject<'_>,
        language: Language,
        progress: &dyn Progress,
    ) -> Result<Report, GameError> {
        let known = claims(subject.entry, subject.options).map_err(|error| {
            GameError::NoAnswer(format!("the claims about {}: {error}", subject.entry.name))
        })?;
        let claimed = known.iter().flat_map(|known| known.claims.iter().map(|c| &*c.source));
        let mut wanted: Vec<&str> = vec!["stats"];
        for source in ALWAYS.into_iter().chain(claimed) {
            if !wanted.contains(&source) {
                wanted.push(source);
            }
        }
        let whole = subject.solved.whole();
        let needs = |source: &str| match source.split_once(' ') {
            Some(("find", kind)) if kind == Kind::PLAYED.name => Needs::Table,
            Some(("find", kind)) if whole.is_some_and(|whole| whole.needs_codes(kind)) => {
                Needs::Codes
            }
            Some(("find", _)) => Needs::Nothing,
            Some(("prove", _)) => Needs::Codes,
            Some(("compare", _)) => Needs::OtherCodes,
            _ => Needs::Table,
        };
        let mut order = wanted.clone();
        order.sort_by_key(|source| needs(source));
        let mut held = None;
        let mut sections: Vec<Section> = Vec::new();
        let mut unanswered: BTreeMap<String, String> = BTreeMap::new();
        for source in order {
            if sections.iter().any(|section| includes(section, source)) {
                continue;
            }
            match needs(source) {
                Needs::Nothing => {}
                Needs::Codes => {
                    held = held.or(whole.map(|whole| whole.codes(progress)).transpose()?);
                }
                Needs::OtherCodes | Needs::Table => held = None,
            }
            match section(subject, source, language, progress) {
                Ok(section) => sections.push(section),
                // A variant may have no answer to what is claimed of the game itself, and other
                // rules may not be solved.
                Err(error) if error.is_no_answer() => {
                    unanswered.insert(source.to_owned(), error.to_string());
                }
                Err(error) => return Err(error),
            }
        }
        drop(held);
        sections.sort_by_key(|section| wanted.iter().position(|source| *source == section.source));
        let checked = |claim: &Claim| {
            let section = sections.iter().find(|section| section.source == claim.source);
            let found =
                section.map(|section| at(&section.json, &claim.at).map(|it| it.into_owned()));
            let problem = unanswered.get(&claim.source).cloned().unwrap_or_default();
            Checked {
                text: claim.text.say(language).to_owned(),
                definition: claim.definition.as_ref().map(|text| text.say(language).to_owned()),
                agrees: found.as_ref().map(|found| found.as_ref() == Some(&claim.claimed)),
                claimed: shown(&claim.claimed),
                found: match found {
                    Some(found) => found.as_ref().map_or("–".to_owned(), shown),
                    None => problem,
                },
                source: claim.source.clone(),
            }
        };
        let options = subject.options.changed().map(|(name, value)| format!("{name}={value}"));
        Ok(Report {
            language,
            title: subject.entry.title.say(language).to_owned(),
            rules: subject.entry.rules.say(language).to_owned(),
            paper: known.as_ref().map(|known| known.paper.say(language).to_owned()),
            made: subject
                .made
                .iter()
                .map(|(name, it)| (name.say(language).to_owned(), it.clone()))
                .collect(),
            options: options.collect::<Vec<_>>().join(" "),
            claims: known.iter().flat_map(|known| known.claims.iter().map(checked)).collect(),
            sections,
        })
    }

    /// Says that the table is of other rules than the game's own.
    fn variant(&self) -> String {
        let note = self.language.pick(
            "The claims are about the game as published; this table is of:",
            "主張は論文のルールについてのもので、この表のルールは:",
        );
        match &*self.options {
            "" => String::new(),
            options => format!("{note} {options}"),
        }
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

    /// The headings that HTML and Markdown share: rules, how it was solved, claims.
    fn headings(&self) -> [&'static str; 3] {
        [
            self.language.pick("The rules in short", "ルールの概要"),
            self.language.pick("How it was solved", "解析の方法"),
            self.language.pick("The paper's claims", "論文の主張"),
        ]
    }

    fn claim_heads(&self) -> [&'static str; 5] {
        self.language
            .pick(["claim", "paper", "here", "", "by"], ["主張", "論文", "本解析", "", "根拠"])
    }

    /// The report as one page.
    pub fn html(&self) -> String {
        let language = self.language;
        let [rules, made, claims] = self.headings();
        let (all, agree) = self.score();
        let body = html! {
            h1 { (self.title) }
            h2 { (rules) }
            p { (self.rules) }
            @if let Some(paper) = &self.paper { p { (paper) } }
            h2 { (made) }
            table { @for (name, value) in &self.made { tr { td { (name) } td { (value) } } } }
            @if !self.claims.is_empty() {
                h2 { (claims) }
                p { (agree) " / " (all) }
                p { (self.variant()) }
                table .claims {
                    tr { @for head in self.claim_heads() { th { (head) } } }
                    @for claim in &self.claims { (self.claim(claim)) }
                }
            }
            @for section in &self.sections {
                h2 { code { (section.source) } }
                @for finding in &section.findings {
                    @let sheet = Sheet::new(finding, language);
                    h3 { (sheet.caption) }
                    (plot(finding, language))
                    (folded_table(&sheet, language))
                }
                @for board in &section.boards {
                    figure {
                        (board.svg)
                        figcaption { (board.caption) br; code { (board.position) } }
                    }
                }
            }
        };
        page(language, &self.title, &body)
    }

    fn claim(&self, claim: &Checked) -> Markup {
        let class = if claim.agrees == Some(true) { "yes" } else { "no" };
        html! {
            tr {
                td {
                    (claim.text)
                    @if let Some(text) = &claim.definition { br; small .faint { (text) } }
                }
                td { (folded(&claim.claimed, self.language)) }
                td { (folded(&claim.found, self.language)) }
                td class=(class) { (claim.sign()) }
                td { code { (claim.source) } }
            }
        }
    }

    /// The report as Markdown, without pictures.
    pub fn markdown(&self) -> String {
        let language = self.language;
        let [rules, made, claims] = self.headings();
        let mut out = format!("# {}\n\n## {rules}\n{}\n", self.title, self.rules);
        if let Some(paper) = &self.paper {
            let _ = write!(out, "\n{paper}\n");
        }
        let _ = write!(out, "\n## {made}\n");
        for (name, value) in &self.made {
            let _ = writeln!(out, "- {name}: {value}");
        }
        if !self.claims.is_empty() {
            let (all, agree) = self.score();
            let _ = write!(out, "\n## {claims}\n{agree} / {all}\n\n{}\n\n", self.variant());
            let line = |cells: [&str; 5]| {
                format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
            };
            out += &(line(self.claim_heads()) + &line(["---"; 5]));
            for claim in &self.claims {
                let definition = claim.definition.as_ref();
                let text = definition.map_or(claim.text.clone(), |definition| {
                    format!("{} ({definition})", claim.text)
                });
                let by = format!("`{}`", claim.source);
                out += &line([&text, &claim.claimed, &claim.found, claim.sign(), &by]);
            }
        }
        for section in &self.sections {
            let _ = write!(out, "\n## `{}`\n", section.source);
            for finding in &section.findings {
                let sheet = Sheet::new(finding, language);
                let _ = write!(out, "\n{}", sheet.markdown(language));
            }
        }
        out
    }
}

/// Whether a section tells what another source would: Ostle's survey finds zugzwangs too.
fn includes(section: &Section, source: &str) -> bool {
    section.source == "find survey"
        && source == "find zugzwang"
        && section.findings.iter().any(|finding| finding.name == "zugzwangs")
}

/// What the command of a source finds.
fn section(
    subject: &Subject<'_>,
    source: &str,
    language: Language,
    progress: &dyn Progress,
) -> Result<Section, GameError> {
    let solved = subject.solved;
    let (command, rest) = source.split_once(' ').unwrap_or((source, ""));
    let (json, findings, position) = match command {
        "prove" => {
            let whole = solved.whole();
            let whole =
                whole.ok_or_else(|| GameError::NoAnswer("this game has no proofs".to_owned()))?;
            let proof = whole.prove(Some(rest), DEPTH, progress)?;
            (json!(proof), vec![proved(&proof)], Some(proof.position))
        }
        "probe" => {
            let answer = solved.probe(Some(rest).filter(|rest| !rest.is_empty()))?;
            (json!(answer), vec![probed(&answer)], Some(answer.position))
        }
        "compare" => {
            let options = rest.split("-o").map(|option| option.trim().to_owned());
            let options: Vec<String> = options.filter(|option| !option.is_empty()).collect();
            let other = (subject.other)(&options)?;
            let names = ["here", &options.join(" ")];
            let findings = compare(names, [solved, &*other], EXAMPLES, progress)?;
            (findings_json(&findings), findings, None)
        }
        "find" => {
            let findings = find(solved, rest, EXAMPLES, progress)?;
            (findings_json(&findings), findings, None)
        }
        _ => {
            let findings = solved.stats()?;
            (findings_json(&findings), findings, None)
        }
    };
    let boards = match position {
        Some(position) => board(subject, position, String::new(), language).into_iter().collect(),
        None => findings.iter().flat_map(|finding| boards(subject, finding, language)).collect(),
    };
    Ok(Section { source: source.to_owned(), json, findings, boards })
}

/// The value of a position and of its moves.
fn probed(answer: &Answer) -> Finding {
    let heads = [columns::MOVE, columns::VALUE];
    let value = answer.words();
    let caption = Text::new(
        format!("{}: {value}.", answer.position),
        format!("{}：{value}。", answer.position),
    );
    let mut finding = Finding::new("moves", caption, &heads);
    for mv in answer.moves.iter().take(MOVES) {
        let name = Cell::Name(mv.name.clone());
        let value = match mv.best_play {
            Some(_) => Cell::Name(mv.words()),
            None => Cell::from(mv.verdict()),
        };
        finding.add(vec![name, value]);
    }
    if answer.moves.len() > MOVES {
        finding.add(vec![Cell::Name("…".to_owned()), Cell::Name(String::new())]);
    }
    finding
}

/// The size of a proof.
fn proved(proof: &Proof) -> Finding {
    let caption = Text::new(
        format!("{} is a {}.", proof.position, proof.value),
        format!("{}：{}。", proof.position, proof.value),
    );
    let heads = [
        Column::new("tree", "positions of the smallest proof tree", "最小の証明木の局面数"),
        Column::new(
            "strategy",
            "positions of a strategy, up to symmetry",
            "必勝戦略の局面数（対称を除く）",
        ),
    ];
    Finding::new("proof", caption, &heads).with(row![proof.tree, proof.strategy.positions])
}

/// A number or a word as people read it.
fn shown(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.as_u64().map_or_else(|| number.to_string(), units::grouped),
        other => other.to_string(),
    }
}

/// A cell; a long list can be unfolded.
fn folded(cell: &str, language: Language) -> Markup {
    let numbers = 1 + cell.matches(',').count();
    html! {
        @if cell.starts_with('[') && numbers > 4 {
            details {
                summary { (numbers) " " (language.pick("numbers", "個の数")) }
                (cell.replace(',', ", "))
            }
        } @else { (cell) }
    }
}

/// A table; a long one can be unfolded.
fn folded_table(sheet: &Sheet, language: Language) -> Markup {
    html! {
        @if sheet.rows.is_empty() { p { (language.pick("None.", "なし。")) } }
        @else if sheet.rows.len() > ROWS {
            details {
                summary { (sheet.rows.len()) " " (language.pick("rows", "行")) }
                (sheet.table(usize::MAX))
            }
        } @else { (sheet.table(usize::MAX)) }
    }
}

/// The boards of the positions in a finding.
fn boards(subject: &Subject<'_>, finding: &Finding, language: Language) -> Vec<Board> {
    let mut all = Vec::new();
    for row in &finding.rows {
        let caption = caption(finding, row, language);
        for cell in row {
            if let Cell::Positions(positions) = cell {
                let shown = positions.iter().take(EXAMPLES);
                all.extend(shown.filter_map(|position| {
                    board(subject, position.clone(), caption.clone(), language)
                }));
            }
        }
    }
    all
}

fn board(
    subject: &Subject<'_>,
    position: String,
    caption: String,
    language: Language,
) -> Option<Board> {
    let drawing = subject.game.draw(Some(&position)).ok()?;
    let svg = plain(&drawing, subject.game.kit(), false, language, position.clone()).svg();
    Some(Board { position, caption, svg })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_can_be_unfolded() {
        let folded = |cell| folded(cell, Language::English).into_string();
        assert_eq!(folded("1,234"), "1,234");
        assert_eq!(folded("[1,2]"), "[1,2]");
        assert!(folded("[1,2,3,4,5]").contains("5 numbers"));
    }
}
