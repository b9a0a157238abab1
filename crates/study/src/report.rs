//! A report on a solved game, which is an article: the result, definitions, what the paper says beside
//! what was found here, tables, plots and boards, and how all of it was computed.

use crate::article::{Article, Board, Part, Plot, escaped};
use crate::claim::{Claim, Claims, at, claims};
use crate::compare::compare;
use crate::find::{find, kinds};
use crate::worth::{shown_answer, shown_move};
use kanzen_analyse::{Cell, Column, Finding, Kind, columns, row};
use kanzen_core::{Kit, Language, Outcome, Party, Side, Text, Verdict};
use kanzen_registry::{Answer, AnyGame, AnySolved, Depth, Entry, GameError, Options, Proof};
use kanzen_show::board::plain;
use kanzen_show::{
    Sheet, Speak, Worth, caption, curve_points, is_plural, json as findings_json, plot, text, units,
};
use kanzen_solve::Progress;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

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
    /// Whether only what is quick to find is asked for.
    pub quick: bool,
}

/// What every report asks for, if the game can answer it.
const ALWAYS: [&str; 5] =
    ["find longest", "find survey", "find zugzwang", "find cycles", "find played"];
/// Characters of a list of numbers that are shown where paper and table agree on it.
const LONG: usize = 60;
/// Positions of each kind that are shown.
const EXAMPLES: usize = 3;
/// Boards of a finding that are shown; its table names the positions of all rows.
const BOARDS: usize = 24;
/// Moves of a position that are shown.
const MOVES: usize = 10;
/// Positions that the search for a smallest proof tree looks into.
const DEPTH: Depth = Depth { most: 20_000_000, look: 1, book: false };

/// A report, ready to be written.
pub struct Report {
    /// What people read.
    pub article: Article,
    made: Vec<(String, String)>,
    claims: Vec<Checked>,
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
    /// The position that it is about; else those of the findings are shown.
    position: Option<String>,
}

/// Everything that a report tells, whatever its language: it takes a while to find, and is found once.
pub struct Gathered {
    known: Option<Claims>,
    sections: Vec<Section>,
    /// Why commands have no answer.
    unanswered: BTreeMap<String, GameError>,
}

impl Gathered {
    /// Gathers everything.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn new(subject: &Subject<'_>, progress: &dyn Progress) -> Result<Gathered, GameError> {
        let known = claims(subject.entry, subject.options).map_err(|error| {
            GameError::NoAnswer(format!("the claims about {}: {error}", subject.entry.name))
        })?;
        let claimed = known.iter().flat_map(|known| known.claims.iter().map(|c| &*c.source));
        let mut wanted: Vec<&str> = vec!["stats"];
        for source in ALWAYS.into_iter().chain(claimed) {
            if !wanted.contains(&source) && (!subject.quick || is_quick(source)) {
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
        let mut unanswered: BTreeMap<String, GameError> = BTreeMap::new();
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
            match section(subject, source, progress) {
                Ok(section) => sections.push(section),
                // A variant may have no answer to what is claimed of the game itself, and other
                // rules may not be solved.
                Err(error) if error.is_no_answer() => {
                    unanswered.insert(source.to_owned(), error);
                }
                Err(error) => return Err(error),
            }
        }
        drop(held);
        sections.sort_by_key(|section| wanted.iter().position(|source| *source == section.source));
        Ok(Gathered { known, sections, unanswered })
    }

    /// The report in a language.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn report(&self, subject: &Subject<'_>, language: Language) -> Result<Report, GameError> {
        let Gathered { known, sections, unanswered } = self;
        let checked = |claim: &Claim| {
            let section = sections.iter().find(|section| section.source == claim.source);
            let found =
                section.map(|section| at(&section.json, &claim.at).map(|it| it.into_owned()));
            let problem = unanswered.get(&claim.source).map(|error| why(error, language));
            let problem = problem.unwrap_or_else(|| {
                language
                    .pick("asked for by 'kanzen report' alone", "kanzen report でのみ調べます")
                    .to_owned()
            });
            Checked {
                text: claim.text.say(language).to_owned(),
                definition: claim.definition.as_ref().map(|text| text.say(language).to_owned()),
                agrees: found.as_ref().map(|found| found.as_ref() == Some(&claim.claimed)),
                claimed: shown(&claim.claimed, language),
                found: match found {
                    Some(found) => {
                        found.as_ref().map_or("–".to_owned(), |found| shown(found, language))
                    }
                    None => problem,
                },
                source: claim.source.clone(),
            }
        };
        let claims: Vec<Checked> =
            known.iter().flat_map(|known| known.claims.iter().map(checked)).collect();
        let made =
            subject.made.iter().map(|(name, it)| (name.say(language).to_owned(), it.clone()));
        let made: Vec<(String, String)> = made.collect();
        let paper = known.as_ref().map(|known| known.paper.say(language));
        let article = Writer { subject, language, claims: &claims, made: &made, paper };
        Ok(Report { article: article.write(sections)?, made, claims })
    }
}

impl Report {
    /// Gathers everything, and writes it in a language.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn new(
        subject: &Subject<'_>,
        language: Language,
        progress: &dyn Progress,
    ) -> Result<Report, GameError> {
        Gathered::new(subject, progress)?.report(subject, language)
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
        json!({ "title": self.article.title, "result": self.article.result, "made": made, "claims": claims })
    }
}

/// Whether a source is answered without a pass over all positions.
fn is_quick(source: &str) -> bool {
    matches!(source, "find longest") || source.starts_with("probe")
}

/// Why there is no answer, without the directories of this machine.
fn why(error: &GameError, language: Language) -> String {
    match error.solve_arguments() {
        Some(arguments) => language.pick(
            format!("'kanzen solve {arguments}' makes the table that answers it"),
            format!("kanzen solve {arguments} で表を作ると分かります"),
        ),
        None if matches!(error, GameError::Notation(_)) => language
            .pick("a position that these rules do not have", "このルールにはない局面です")
            .to_owned(),
        None => error.to_string(),
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
            (json!(answer), vec![probed(subject.game.kit(), &answer)], Some(answer.position))
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
    Ok(Section { source: source.to_owned(), json, findings, position })
}

/// The boards of what one command has found.
fn shown_boards(subject: &Subject<'_>, section: &Section, language: Language) -> Vec<Board> {
    let findings = &section.findings;
    match &section.position {
        Some(position) => {
            // The position stands behind the caption of its board.
            let caption = findings.first().map_or("", |finding| finding.caption.say(language));
            let caption =
                caption.trim_start_matches(&**position).trim_start_matches([':', '：', ' ']);
            let caption = sentence(caption);
            board(subject, position.clone(), caption, language).into_iter().collect()
        }
        None => findings.iter().flat_map(|finding| boards(subject, finding, language)).collect(),
    }
}

/// A text that begins with a capital.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().to_string() + letters.as_str())
}

/// The value of a position and of its moves.
fn probed(kit: &Kit, answer: &Answer) -> Finding {
    let heads = [columns::MOVE, columns::VALUE];
    let worth = shown_answer(kit, answer);
    let caption = Text::new(
        format!("{}: {}.", answer.position, worth.words(Language::English)),
        format!("{}：{}。", answer.position, worth.words(Language::Japanese)),
    );
    let mut finding = Finding::new("moves", caption, &heads);
    for mv in answer.moves.iter().take(MOVES) {
        let name = Cell::Name(mv.name.clone());
        let value = match mv.best_play {
            Some(_) => {
                let worth = shown_move(kit, answer.turn(), mv);
                let [en, ja] = [Language::English, Language::Japanese].map(|it| worth.words(it));
                Cell::Word(Text::new(en, ja))
            }
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
        format!("{}: {}.", proof.position, proof.value),
        format!("{}：{}。", proof.position, Language::Japanese.short(proof.value)),
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
fn shown(json: &Json, language: Language) -> String {
    match json {
        Json::String(text) => {
            let outcome = [Outcome::Win, Outcome::Draw, Outcome::Loss];
            let outcome = outcome.into_iter().find(|outcome| outcome.word() == text);
            outcome.map_or(text.as_str(), |outcome| language.outcome(outcome)).to_owned()
        }
        Json::Number(number) => number.as_u64().map_or_else(|| number.to_string(), units::grouped),
        Json::Array(all) => all.iter().map(|it| shown(it, language)).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
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
    all.truncate(BOARDS);
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
    let options = subject.options.changed();
    let options =
        options.map(|(name, value)| format!("o={}&", escaped(&format!("{name}={value}"))));
    let options: String = options.collect();
    let link = format!("/{}?{options}position={}", subject.entry.name, escaped(&position));
    Some(Board { position, caption, svg: svg.into_string(), text: text(&drawing, true), link })
}

/// What makes an article of what was found.
struct Writer<'a> {
    subject: &'a Subject<'a>,
    language: Language,
    claims: &'a [Checked],
    made: &'a [(String, String)],
    paper: Option<&'a str>,
}

impl Writer<'_> {
    fn write(&self, sections: &[Section]) -> Result<Article, GameError> {
        let (entry, language) = (self.subject.entry, self.language);
        let mut parts = vec![Part::Section(language.pick("The game", "ゲーム").to_owned())];
        parts.push(Part::Text(entry.rules.say(language).to_owned()));
        parts.extend(self.variant().map(Part::Text));
        let start = language.pick("The start position.", "初期局面。").to_owned();
        parts.extend(
            board(self.subject, self.subject.game.start(), start, language).map(Part::Board),
        );
        parts.push(Part::Section(language.pick("Definitions", "用語").to_owned()));
        let sides = self.subject.game.kit().parties.iter();
        let players = sides.filter(|party| party.side != Side::Neutral).count();
        parts.push(Part::Words(definitions(players, language)));
        if !self.claims.is_empty() {
            self.compared(&mut parts);
        }
        parts.push(Part::Section(language.pick("What was found", "結果").to_owned()));
        for section in sections {
            self.found(section, &mut parts);
        }
        parts.push(Part::Section(language.pick("How it was computed", "解析の方法").to_owned()));
        parts.push(Part::Text(how(language).to_owned()));
        let heads = language.pick(["what", "value"], ["項目", "値"]).map(str::to_owned).to_vec();
        let caption = language.pick("The table and its making.", "表とその作成。").to_owned();
        let rows = self.made.iter().map(|(name, value)| vec![name.clone(), value.clone()]);
        let numeric = vec![false, false];
        parts.push(Part::Table(Sheet { caption, head: heads, rows: rows.collect(), numeric }));
        parts.push(Part::Section(language.pick("References", "文献").to_owned()));
        parts.extend(self.paper.map(|paper| Part::Text(paper.to_owned())));
        parts.push(Part::Text(format!("Kanzen {}.", env!("CARGO_PKG_VERSION"))));
        Ok(Article {
            title: entry.heading(self.subject.options, language),
            result: self.result()?,
            summary: self.summary()?,
            parts,
        })
    }

    /// The result in a sentence.
    fn result(&self) -> Result<String, GameError> {
        let (language, subject) = (self.language, self.subject);
        let title = subject.entry.heading(subject.options, language);
        let answer = match subject.solved.probe(None) {
            Ok(answer) => answer,
            Err(error) if error.is_no_answer() => {
                return Ok(language.pick(
                    format!("Of {title}, this table tells how many positions have which value."),
                    format!("この表は{title}の値ごとの局面数を示します。"),
                ));
            }
            Err(error) => return Err(error),
        };
        let wins = |party: Party| if is_plural(party.name) { "win" } else { "wins" };
        Ok(match (shown_answer(subject.game.kit(), &answer), answer.verdict()) {
            (Worth { winner: Some(Party { side: Side::Neutral, .. }), .. }, _) => language.pick(
                format!("With best play, nobody can force a win of {title}."),
                format!("{title}では、全員が最善を尽くすとだれも勝ちを強制できません。"),
            ),
            (Worth { winner: Some(party), .. }, Some(Verdict { plies: Some(plies), .. })) => {
                language.pick(
                    format!(
                        "With best play, {} {} {title} in {plies} {}.",
                        party.name.en,
                        wins(party),
                        if plies == 1 { "ply" } else { "plies" }
                    ),
                    format!(
                        "{title}は、双方が最善を尽くすと{}手で{}の勝ちです。",
                        plies, party.name.ja
                    ),
                )
            }
            (Worth { winner: Some(party), .. }, _) => language.pick(
                format!("With best play, {} {} {title}.", party.name.en, wins(party)),
                format!("{title}は、双方が最善を尽くすと{}の勝ちです。", party.name.ja),
            ),
            (_, Some(Verdict { value: Outcome::Draw, .. })) => language.pick(
                format!("With best play, {title} is a draw."),
                format!("{title}は、双方が最善を尽くすと引き分けです。"),
            ),
            _ => language.pick(
                format!("{title} from the start: {}.", answer.words()),
                format!("{title}の初期局面：{}。", answer.words()),
            ),
        })
    }

    /// What the article is about, in a paragraph.
    fn summary(&self) -> Result<String, GameError> {
        let (language, n) = (self.language, units::grouped);
        let mut text = String::new();
        if let Some(summary) = self.subject.solved.summary()? {
            let [all, wins, draws, losses] =
                [summary.positions, summary.wins, summary.draws, summary.losses].map(n);
            let longest = summary.longest;
            let unit = if longest == 1 { "ply" } else { "plies" };
            text += &language.pick(
                format!(
                    "The value of every position was computed: of {all} positions up to symmetry the side to \
                     move wins {wins}, draws {draws} and loses {losses}, and the longest win or loss takes \
                     {longest} {unit}. "
                ),
                format!(
                    "全局面の値を計算しました。対称を除く{all}局面のうち、手番側の勝ち{wins}、引き分け{draws}、負け{losses}、最長は{longest}手です。"
                ),
            );
        }
        let [agree, refuted, open] = self.sorted().map(|claims| claims.len());
        let all = self.claims.len();
        if all > 0 && agree == all {
            text += &language.pick(
                format!("All {all} claims of the literature are confirmed. "),
                format!("文献の{all}個の主張はすべて確認されました。"),
            );
        } else if all > 0 {
            text += &language.pick(
                format!(
                    "Of {all} claims of the literature {agree} are confirmed, {refuted} refuted, and {open} \
                     cannot be answered with the tables at hand. "
                ),
                format!("文献の{all}個の主張のうち、{agree}個を確認、{refuted}個を否定し、{open}個は手元の表では答えられません。"),
            );
        }
        text += language.pick(
            "Every number below comes from the table of values, by the command that is named with it.",
            "以下の数はすべて、併記したコマンドで値の表から得たものです。",
        );
        Ok(text)
    }

    /// Says that the table is of other rules than the game's own.
    fn variant(&self) -> Option<String> {
        let language = self.language;
        let published = match self.paper {
            Some(_) => language.pick(
                " The literature is about the game as published.",
                "文献は公表されたルールについてのものです。",
            ),
            None => "",
        };
        self.subject.options.said(language).map(|said| said + published)
    }

    /// The claims that agree, those that do not, and those without an answer.
    fn sorted(&self) -> [Vec<&Checked>; 3] {
        let of = |agrees| self.claims.iter().filter(|claim| claim.agrees == agrees).collect();
        [of(Some(true)), of(Some(false)), of(None)]
    }

    /// What the paper says beside what was found here.
    fn compared(&self, parts: &mut Vec<Part>) {
        let language = self.language;
        let title = language.pick("What the paper says and what was found", "論文の主張と本解析");
        parts.push(Part::Section(title.to_owned()));
        let captions = language.pick(
            [
                "Claims that are confirmed.",
                "Claims that are refuted.",
                "Claims without an answer here.",
            ],
            ["確認された主張。", "否定された主張。", "ここでは答えられない主張。"],
        );
        let heads = language.pick(
            ["claim", "the paper says", "found here", "by"],
            ["主張", "論文", "本解析", "根拠"],
        );
        let none = language.pick("No claim is refuted.", "否定された主張はありません。");
        for (number, (claims, caption)) in self.sorted().into_iter().zip(captions).enumerate() {
            if claims.is_empty() {
                if number == 1 {
                    parts.push(Part::Text(none.to_owned()));
                }
                continue;
            }
            let row = |claim: &&Checked| {
                let definition = claim.definition.as_ref();
                let text =
                    definition.map_or(claim.text.clone(), |it| format!("{} ({it})", claim.text));
                // The whole list stands in the census.
                let value = |value: &String| match claim.agrees {
                    Some(true) => shortened(value, language),
                    _ => value.clone(),
                };
                vec![text, value(&claim.claimed), value(&claim.found), claim.source.clone()]
            };
            let rows: Vec<Vec<String>> = claims.iter().map(row).collect();
            let numbers = |column: usize| rows.iter().all(|row| is_number(&row[column]));
            let numeric = (0..4).map(numbers).collect();
            let head = heads.map(str::to_owned).to_vec();
            parts.push(Part::Table(Sheet { caption: caption.to_owned(), head, rows, numeric }));
        }
    }

    /// What one command has found.
    fn found(&self, section: &Section, parts: &mut Vec<Part>) {
        let language = self.language;
        let (command, rest) = section.source.split_once(' ').unwrap_or((&section.source, ""));
        let kind = kinds(self.subject.solved).into_iter().find(|kind| kind.name == rest);
        let start = language.pick("the start", "初期局面");
        let place = if rest.is_empty() { start } else { rest };
        let title = match (command, kind) {
            ("find", Some(kind)) => {
                kind.about.say(language).trim_end_matches(['.', '。']).to_owned()
            }
            ("probe", _) => language.pick(format!("The value of {place}"), format!("{place}の値")),
            ("prove", _) => language.pick(format!("A proof for {place}"), format!("{place}の証明")),
            ("compare", _) => {
                language.pick(format!("What changes with {rest}"), format!("{rest}による変化"))
            }
            _ => language.pick("The census", "全局面の統計").to_owned(),
        };
        let options = self.subject.options.changed();
        let options: String = options.map(|(name, value)| format!(" -o {name}={value}")).collect();
        let by = format!("kanzen {command} {}{options} {rest}", self.subject.entry.name);
        parts.push(Part::Topic(title, Some(by.trim_end().to_owned())));
        for finding in &section.findings {
            let sheet = Sheet::new(finding, language);
            let svg = plot(finding, language).into_string();
            if !svg.is_empty() {
                let (head, rows) = curve_points(finding, language).unwrap_or_default();
                let caption = language.pick(
                    format!("{} The scale is logarithmic.", sheet.caption),
                    format!("{}目盛りは対数です。", sheet.caption),
                );
                parts.push(Part::Plot(Plot { caption, svg, head, rows }));
            }
            parts.push(Part::Table(sheet));
        }
        let boards = shown_boards(self.subject, section, language);
        parts.extend(boards.into_iter().map(Part::Board));
    }
}

/// The beginning of a long list of numbers, and how many they are.
fn shortened(list: &str, language: Language) -> String {
    let separator = if list.contains("; ") { "; " } else { ", " };
    let numbers: Vec<&str> = list.split(separator).collect();
    if list.len() <= LONG || numbers.len() < 8 {
        return list.to_owned();
    }
    let (first, count) = (numbers[..4].join(separator), numbers.len());
    language.pick(
        format!("{first}{separator}… ({count} numbers)"),
        format!("{first}{separator}…（{count}個の数）"),
    )
}

/// Whether a cell holds a number and nothing else.
fn is_number(cell: &str) -> bool {
    cell.chars().all(|letter| letter.is_ascii_digit() || ",.–".contains(letter))
}

/// The words that an article uses, and what they mean, where there are so many players.
fn definitions(players: usize, language: Language) -> Vec<(String, String)> {
    let words = if players > 2 { OF_THREE } else { OF_TWO };
    let say = |(en, ja): (&str, &str)| language.pick(en, ja).to_owned();
    words.iter().map(|&(word, text)| (say(word), say(text))).collect()
}

/// A word and what it means, both in English and Japanese.
type Definition = ((&'static str, &'static str), (&'static str, &'static str));

const POSITION: Definition = (
    ("position", "局面"),
    (
        "a board with everything that matters for the rest of the game, the side to move included",
        "手番を含め、その後の対局を決めるすべて",
    ),
);
const PLY: Definition = (("ply", "1手"), ("one move of one player", "一人が一回指すこと"));
const SYMMETRY: Definition = (
    ("up to symmetry", "対称を除く"),
    ("positions that are images of each other count once", "互いに対称な局面を一つと数える"),
);

/// Those of games for three players.
const OF_THREE: &[Definition] = &[
    POSITION,
    PLY,
    (
        ("to force a win", "勝ちを強制する"),
        (
            "to win whatever the two others do, even if they help each other",
            "ほかの二人がどう指しても、たとえ協力しても勝つこと",
        ),
    ),
    (
        ("best play", "最善"),
        (
            "with three players it has several meanings; the one that is chosen is named with each answer",
            "三人では意味が一つに決まらないので、選んだ意味を答えに添える",
        ),
    ),
    SYMMETRY,
];

/// Those of games for two players.
const OF_TWO: &[Definition] = &[
    POSITION,
    PLY,
    (
        ("value", "値"),
        (
            "a win, a draw or a loss of the side to move when both sides play as well as they can",
            "双方が最善を尽くしたときの手番側の勝ち・引き分け・負け",
        ),
    ),
    (
        ("win in n", "n手で勝ち"),
        (
            "the winner can force the end of the game within n plies, and the loser can hold out that long",
            "勝つ側はn手以内に終わらせることができ、負ける側はそこまで粘れる",
        ),
    ),
    SYMMETRY,
    (
        ("zugzwang", "ツークツワンク"),
        ("a position that is lost for whoever is to move", "どちらの手番でも手番側が負ける局面"),
    ),
    (
        ("only move", "唯一の手"),
        ("a move that keeps the value when no other does", "その手だけが値を保つ手"),
    ),
];

/// How tables are made and checked.
fn how(language: Language) -> &'static str {
    language.pick(
        "The values were found by retrograde analysis: from the ends of the game backwards, a position is \
         settled as soon as enough of its successors are. 'kanzen verify' computes every entry of the table \
         again from the entries of its successors, by the rules alone, and counts the positions again.",
        "値は後退解析で求めました。終局から逆向きに、後続の局面が定まった順に値を決めます。kanzen verify は、ルールだけを用いて後続の値から表の全項目を計算し直し、局面数も数え直します。",
    )
}
