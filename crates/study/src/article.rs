//! An article in parts, and its three forms: a page, Markdown, and LaTeX. Sections, tables and figures
//! are numbered the same in all of them.

use kanzen_core::Language;
use kanzen_show::{Sheet, page};
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The most characters across a page of paper, in a printed table and in LaTeX.
const WIDTH: usize = 100;
/// See [`WIDTH`].
const TEX_WIDTH: usize = 80;
/// Rows of a table that are shown at once on a page; the rest can be unfolded, and is printed.
const ROWS: usize = 40;

/// An article.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Article {
    /// Its title.
    pub title: String,
    /// The result in a sentence.
    pub result: String,
    /// What it is about, in a paragraph.
    pub summary: String,
    /// The rest, in order.
    pub parts: Vec<Part>,
}

/// A part of an article.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Part {
    /// A section begins.
    Section(String),
    /// A part of a section begins, with the command that found what it tells.
    Topic(String, Option<String>),
    /// A paragraph.
    Text(String),
    /// Words and what they mean.
    Words(Vec<(String, String)>),
    /// A table.
    Table(Sheet),
    /// Numbers as curves.
    Plot(Plot),
    /// A position.
    Board(Board),
}

/// Numbers as a picture.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plot {
    /// What it shows, in a sentence.
    pub caption: String,
    /// The picture.
    pub svg: String,
    /// The names of the columns, the first of which is the way along.
    pub head: Vec<String>,
    /// The numbers.
    pub rows: Vec<Vec<f64>>,
}

/// A position that is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Board {
    /// What is remarkable about it, in a sentence.
    pub caption: String,
    /// How the game writes it.
    pub position: String,
    /// The board.
    pub svg: String,
    /// The board in plain characters.
    pub text: String,
    /// Where an explorer shows it, below its first page.
    pub link: String,
}

/// Counts what is numbered.
#[derive(Default)]
struct Numbers {
    section: usize,
    topic: usize,
    table: usize,
    figure: usize,
}

/// The words that articles share.
struct Phrases {
    summary: &'static str,
    contents: &'static str,
    table: &'static str,
    figure: &'static str,
    by: &'static str,
    rows: &'static str,
    none: &'static str,
    stop: &'static str,
}

fn phrases(language: Language) -> Phrases {
    let [summary, contents, table, figure, by, rows, none, stop] = language.pick(
        ["Abstract", "Contents", "Table", "Figure", "Found by", "rows", "None.", "."],
        ["要旨", "目次", "表", "図", "調べたコマンド：", "行", "なし。", "。"],
    );
    Phrases { summary, contents, table, figure, by, rows, none, stop }
}

impl Article {
    /// The article as a page that stands alone. `site` is the address of an explorer.
    pub fn html(&self, language: Language, site: &str) -> String {
        let words = phrases(language);
        let body = html! {
            article {
                h1 { (self.title) }
                p .result { (self.result) }
                h2 .plain { (words.summary) }
                p { (self.summary) }
                (self.contents(language))
                (self.body(language, site))
            }
        };
        page(language, &self.title, &body)
    }

    /// The sections with their numbers.
    fn sections(&self) -> impl Iterator<Item = (usize, &str)> {
        let titles = self.parts.iter().filter_map(|part| match part {
            Part::Section(title) => Some(&**title),
            _ => None,
        });
        (1..).zip(titles)
    }

    /// The sections as a list of links.
    pub fn contents(&self, language: Language) -> Markup {
        let words = phrases(language);
        html! {
            nav .contents aria-label=(words.contents) {
                h2 .plain { (words.contents) }
                ol { @for (number, title) in self.sections() {
                    li { a href={ "#s" (number) } { (title) } }
                } }
            }
        }
    }

    /// The sections alone, for a page around them.
    pub fn body(&self, language: Language, site: &str) -> Markup {
        let words = phrases(language);
        let mut numbers = Numbers::default();
        html! { @for part in &self.parts { (numbers.html(part, &words, site)) } }
    }

    /// The article as Markdown, with boards in plain characters.
    pub fn markdown(&self, language: Language, site: &str) -> String {
        let words = phrases(language);
        let mut out = format!("# {}\n\n**{}**\n", self.title, self.result);
        let mut put = |text: std::fmt::Arguments<'_>| {
            // A String takes any text.
            let _ = out.write_fmt(text);
        };
        put(format_args!("\n## {}\n{}\n\n## {}\n", words.summary, self.summary, words.contents));
        for (number, title) in self.sections() {
            put(format_args!("{number}. {title}\n"));
        }
        let mut numbers = Numbers::default();
        for part in &self.parts {
            numbers.count(part);
            let Numbers { section, topic, table, figure } = &numbers;
            match part {
                Part::Section(title) => put(format_args!("\n## {section}. {title}\n")),
                Part::Topic(title, by) => {
                    put(format_args!("\n### {section}.{topic} {title}\n"));
                    if let Some(by) = by {
                        put(format_args!("{} `{by}`{}\n", words.by, words.stop));
                    }
                }
                Part::Text(text) => put(format_args!("\n{text}\n")),
                Part::Words(list) => {
                    put(format_args!("\n"));
                    list.iter().for_each(|(word, text)| put(format_args!("- *{word}*: {text}\n")));
                }
                Part::Table(sheet) => {
                    let caption = format!("**{} {table}.** {}", words.table, sheet.caption);
                    let sheet = Sheet { caption, ..sheet.clone() };
                    put(format_args!("\n{}", sheet.markdown(language)));
                }
                Part::Plot(plot) => {
                    put(format_args!("\n**{} {figure}.** {}\n", words.figure, plot.caption));
                }
                Part::Board(Board { caption, position, text, link, .. }) => {
                    let heading = format!("**{} {figure}.** {caption}", words.figure);
                    let text = text.trim_end();
                    put(format_args!(
                        "\n```\n{text}\n```\n{heading} [`{position}`]({site}{link})\n"
                    ));
                }
            }
        }
        out
    }

    /// The article as a LaTeX document, for LuaLaTeX.
    pub fn latex(&self, language: Language, site: &str) -> String {
        let words = phrases(language);
        let class = language.pick("article", "ltjsarticle");
        let (tables, figures) = (words.table, words.figure);
        let mut out = format!(
            "% Typeset with LuaLaTeX.\n\\documentclass[a4paper]{{{class}}}\n\
             \\usepackage[margin=24mm]{{geometry}}\n\
             \\usepackage{{fontspec,booktabs,longtable,array,float,pgfplots,fancyvrb}}\n\
             \\usepackage[hidelinks]{{hyperref}}\n\
             \\pgfplotsset{{compat=1.16}}\n\\raggedbottom\n\\sloppy\n\
             \\setlength{{\\tabcolsep}}{{4pt}}\n\\setlength{{\\parindent}}{{0pt}}\n\
             \\setlength{{\\parskip}}{{4pt}}\n\\makeatletter\n\
             \\newcommand{{\\boardcaption}}[1]{{\\def\\@captype{{figure}}\\caption{{#1}}}}\n\
             \\makeatother\n\
             \\renewcommand{{\\tablename}}{{{tables}}}\n\\renewcommand{{\\figurename}}{{{figures}}}\n\
             \\title{{{}}}\n\\author{{}}\n\\begin{{document}}\n\\maketitle\n\
             \\noindent\\textbf{{{}}}\n\\begin{{abstract}}\n{}\n\\end{{abstract}}\n\
             \\tableofcontents\n",
            tex(&self.title),
            tex(&self.result),
            tex(&self.summary),
        );
        let mut put = |text: std::fmt::Arguments<'_>| {
            let _ = out.write_fmt(text);
        };
        for part in &self.parts {
            match part {
                Part::Section(title) => put(format_args!("\n\\section{{{}}}\n", tex(title))),
                Part::Topic(title, by) => {
                    put(format_args!("\n\\subsection{{{}}}\n", tex(title)));
                    if let Some(by) = by {
                        let (by, stop) = (tex(by), words.stop);
                        put(format_args!("{} \\texttt{{{by}}}{stop}\n", words.by));
                    }
                }
                Part::Text(text) => put(format_args!("\n{}\n", tex(text))),
                Part::Words(list) => {
                    put(format_args!("\\begin{{description}}\n"));
                    for (word, text) in list {
                        put(format_args!("\\item[{}] {}\n", tex(word), tex(text)));
                    }
                    put(format_args!("\\end{{description}}\n"));
                }
                Part::Table(sheet) => put(format_args!("{}", tex_table(sheet, words.none))),
                Part::Plot(plot) => put(format_args!("{}", tex_plot(plot))),
                Part::Board(Board { caption, position, text, link, .. }) => {
                    // Boards stand side by side, as many as fit.
                    let wide = text.lines().map(kanzen_show::width).max().unwrap_or(0) > 40;
                    let width = if wide { "" } else { "0.48" };
                    put(format_args!(
                        "\\begin{{minipage}}[t]{{{width}\\linewidth}}\\vspace{{1ex}}\\centering\n\
                         \\begin{{BVerbatim}}[fontsize=\\small]\n{}\n\\end{{BVerbatim}}\n\
                         \\boardcaption{{{} \\href{{{}}}{{\\texttt{{{}}}}}}}\n\
                         \\end{{minipage}}\\hskip 0.02\\linewidth\n",
                        text.trim_end(),
                        tex(caption),
                        tex(&format!("{site}{link}")),
                        tex(position),
                    ));
                }
            }
        }
        out + "\\end{document}\n"
    }
}

impl Numbers {
    fn count(&mut self, part: &Part) {
        match part {
            Part::Section(_) => (self.section, self.topic) = (self.section + 1, 0),
            Part::Topic(..) => self.topic += 1,
            Part::Table(_) => self.table += 1,
            Part::Plot(_) | Part::Board(_) => self.figure += 1,
            Part::Text(_) | Part::Words(_) => {}
        }
    }

    fn html(&mut self, part: &Part, words: &Phrases, site: &str) -> Markup {
        self.count(part);
        let Numbers { section, topic, table, figure } = self;
        match part {
            Part::Section(title) => {
                html! { h2 id={ "s" (section) } { (section) ". " (title) } }
            }
            Part::Topic(title, by) => html! {
                h3 { (section) "." (topic) " " (title) }
                @if let Some(by) = by { p .faint .by { (words.by) " " code { (by) } } }
            },
            Part::Text(text) => html! { p { (text) } },
            Part::Words(list) => html! {
                dl { @for (word, text) in list { dt { (word) } dd { (text) } } }
            },
            Part::Table(sheet) => html! {
                figure .table id={ "t" (table) } {
                    figcaption { b { (words.table) " " (table) "." } " " (sheet.caption) }
                    @let tables = html! { @for part in sheet.parts(WIDTH) { (part.table(usize::MAX)) } };
                    @if sheet.rows.is_empty() { p { (words.none) } }
                    @else if sheet.rows.len() > ROWS {
                        details { summary { (sheet.rows.len()) " " (words.rows) } (tables) }
                    } @else { (tables) }
                }
            },
            Part::Plot(plot) => html! {
                figure .wide id={ "f" (figure) } {
                    (PreEscaped(&plot.svg))
                    figcaption { b { (words.figure) " " (figure) "." } " " (plot.caption) }
                }
            },
            Part::Board(Board { caption, position, svg, link, .. }) => html! {
                figure id={ "f" (figure) } {
                    a href={ (site) (link) } { (PreEscaped(svg)) }
                    figcaption {
                        b { (words.figure) " " (figure) "." } " " (caption) " "
                        a href={ (site) (link) } { code { (position) } }
                    }
                }
            },
        }
    }
}

/// A text in which nothing means anything to TeX.
fn tex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out
}

fn tex_table(sheet: &Sheet, none: &str) -> String {
    let caption = tex(&sheet.caption);
    if sheet.rows.is_empty() {
        return format!("\\begin{{table}}[H]\n\\caption{{{caption}}}\n{none}\n\\end{{table}}\n");
    }
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| tex(cell)).collect();
        format!("{} \\\\\n", cells.join(" & "))
    };
    // Words share what the numbers, which stay in one piece, leave of the page.
    let wordy = sheet.numeric.iter().filter(|numeric| !**numeric).count().max(1);
    let numbers = (0..sheet.head.len()).filter(|column| sheet.numeric[*column]);
    let widest = |column: usize| {
        let cells = std::iter::once(&sheet.head).chain(&sheet.rows);
        cells.map(|row| kanzen_show::width(&row[column]) + 2).max().unwrap_or(0)
    };
    let left = 0.96 - numbers.map(widest).sum::<usize>() as f64 / 96.0;
    let width = left.max(0.3) / wordy as f64 - 0.02;
    let column = |numeric: &bool| match numeric {
        true => "r".to_owned(),
        false => format!(">{{\\raggedright\\arraybackslash}}p{{{width:.2}\\linewidth}}"),
    };
    let mut caption = format!("\\caption{{{caption}}}\\\\\n");
    let mut tables = String::new();
    for part in sheet.parts(TEX_WIDTH) {
        let columns: String = part.numeric.iter().map(column).collect();
        let rows: String = part.rows.iter().map(|row| line(row)).collect();
        let head = line(&part.head);
        // Only the first part is counted.
        if caption.is_empty() {
            tables += "\\addtocounter{table}{-1}\n";
        }
        tables += &format!(
            "\\begin{{longtable}}{{{columns}}}\n{}\\toprule\n{head}\\midrule\n\\endhead\n{rows}\\bottomrule\n\
             \\end{{longtable}}\n",
            std::mem::take(&mut caption),
        );
    }
    format!("{{\\small\n{tables}}}\n")
}

fn tex_plot(plot: &Plot) -> String {
    // Squares of many columns stand in their table.
    if plot.rows.is_empty() {
        return "\\stepcounter{figure}\n".to_owned();
    }
    let along = tex(plot.head.first().map_or("", String::as_str));
    let mut curves = String::new();
    for (column, name) in plot.head.iter().enumerate().skip(1) {
        let points = plot.rows.iter().filter(|row| row[column] > 0.0);
        let points: String = points.map(|row| format!("({},{})", row[0], row[column])).collect();
        curves +=
            &format!("\\addplot coordinates {{{points}}}; \\addlegendentry{{{}}}\n", tex(name));
    }
    format!(
        "\\begin{{figure}}[H]\n\\centering\n\\begin{{tikzpicture}}\n\
         \\begin{{axis}}[ymode=log,width=\\linewidth,height=7cm,xlabel={{{along}}},legend style={{at={{(0.5,-0.2)}},anchor=north,legend columns=-1,draw=none}}]\n\
         {curves}\\end{{axis}}\n\\end{{tikzpicture}}\n\\caption{{{}}}\n\\end{{figure}}\n",
        tex(&plot.caption),
    )
}

/// A text as a part of an address.
pub(crate) fn escaped(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    let part = |byte: u8| match plain(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_analyse::{Finding, columns, row};
    use kanzen_core::Words;

    fn article() -> Article {
        let wins = Finding::new("wins", Words::same("Wins & losses."), &[columns::POSITIONS]);
        let sheet = Sheet::new(&wins.with(row![1_234_567_u64]), Language::English);
        let board = Board {
            caption: "The start.".to_owned(),
            position: "a_b/1".to_owned(),
            svg: "<svg></svg>".to_owned(),
            text: ". X\n".to_owned(),
            link: format!("/game?position={}", escaped("a_b/1")),
        };
        Article {
            title: "A game".to_owned(),
            result: "With best play it is a draw.".to_owned(),
            summary: "All of it.".to_owned(),
            parts: vec![
                Part::Section("Rules".to_owned()),
                Part::Board(board),
                Part::Section("Results".to_owned()),
                Part::Topic("The census".to_owned(), Some("kanzen stats game".to_owned())),
                Part::Table(sheet),
            ],
        }
    }

    #[test]
    fn the_three_forms_number_alike() {
        let (article, site) = (article(), "https://example.org");
        let page = article.html(Language::English, site);
        for part in [
            "<a href=\"#s2\">Results</a>",
            "<h2 id=\"s2\">2. Results</h2>",
            "<h3>2.1 The census</h3>",
            "<b>Table 1.</b> Wins &amp; losses.",
            "<b>Figure 1.</b> The start.",
            "href=\"https://example.org/game?position=a_b%2F1\"",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        let text = article.markdown(Language::English, site);
        for part in ["## 2. Results", "**Table 1.** Wins & losses.", "**Figure 1.** The start."] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let tex = article.latex(Language::English, site);
        for part in ["\\section{Results}", "\\caption{Wins \\& losses.}", "\\texttt{a\\_b/1}"] {
            assert!(tex.contains(part), "{part}: {tex}");
        }
        assert!(tex.contains("1,234,567 \\\\") && tex.trim_end().ends_with("\\end{document}"));
    }
}
