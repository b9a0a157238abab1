//! How results look on the terminal.

use anstyle::{AnsiColor, Color, Reset, Style};
use anyhow::{Context, Result, bail};
use kanzen_core::Outcome;
use kanzen_games::{Judgement, Sheet};
use kanzen_study::numbers::grouped_sheet;
use std::fs;
use std::path::Path;

/// The style of errors.
pub const ERROR: Style = Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::Red)));
/// Back to plain text.
pub const RESET: Reset = Reset;

/// Refuses a name that is not in a directory, or does not end in one of some ways, before there is
/// something to save.
pub fn may_save(path: &Path, endings: &[&str]) -> Result<()> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    if !ending.is_some_and(|ending| endings.contains(&ending)) {
        let (last, others) = endings.split_last().context("a file has a kind")?;
        let others =
            others.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
        bail!("{}: the name must end in {others} or .{last}", path.display());
    }
    match path.parent() {
        Some(parent) if parent != Path::new("") && !parent.is_dir() => {
            bail!("{}: there is no such directory", parent.display())
        }
        _ => Ok(()),
    }
}

/// Writes a file, whole or not at all; what is no file, such as a pipe, is written as it is.
pub fn save(path: &Path, text: &str) -> Result<()> {
    let put = || {
        if path.exists() && !path.is_file() {
            return fs::write(path, text);
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
        if written.is_err() {
            // The first error says what is wrong.
            let _ = fs::remove_file(&part);
        }
        written
    };
    put().with_context(|| path.display().to_string())
}

/// A value in its colour: green win, yellow draw, red loss.
pub fn coloured(value: &Judgement) -> String {
    let colour = match value {
        Judgement::Two(verdict) => match verdict.value {
            Outcome::Win => AnsiColor::Green,
            Outcome::Draw => AnsiColor::Yellow,
            Outcome::Loss => AnsiColor::Red,
        },
        _ => return value.to_string(),
    };
    let style = Style::new().fg_color(Some(Color::Ansi(colour)));
    format!("{}{value}{}", style.render(), RESET.render())
}

/// A sheet with aligned columns; numbers are set to the right and grouped.
pub fn aligned(sheet: &Sheet) -> String {
    if sheet.rows.is_empty() {
        let none = if sheet.head.is_empty() { "" } else { ": none" };
        return format!("{}{none}\n", sheet.caption);
    }
    let shown = grouped_sheet(sheet).rows;
    let width = |column: usize| {
        let cells = shown.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        widest.max(sheet.head[column].chars().count())
    };
    let widths: Vec<usize> = (0..sheet.head.len()).map(width).collect();
    let line = |cells: &[String], rows: &[Vec<String>]| {
        let mut line = String::new();
        for (column, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
            let numeric = rows.iter().all(|row| is_number(&row[column]));
            match numeric && column > 0 {
                true => line += &format!("{cell:>width$}  "),
                false => line += &format!("{cell:<width$}  "),
            }
        }
        line.trim_end().to_owned() + "\n"
    };
    let mut text = format!("{}\n", sheet.caption);
    text += &line(&sheet.head, &shown);
    for row in &shown {
        text += &line(row, &shown);
    }
    text
}

/// A sheet as comma-separated values.
pub fn csv(sheet: &Sheet) -> String {
    let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    let line = |cells: &Vec<String>| cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
    std::iter::once(&sheet.head).chain(&sheet.rows).map(line).collect()
}

fn is_number(cell: &str) -> bool {
    cell.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | '.'))
}

/// Bytes in a readable unit.
pub fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{count} B"),
        10_000..10_000_000 => format!("{} KB", count / 1000),
        10_000_000..10_000_000_000 => format!("{} MB", count / 1_000_000),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

/// Seconds in a readable unit.
pub fn seconds(count: f64) -> String {
    match count {
        ..1.0 => "under a second".to_owned(),
        ..100.0 => format!("{count:.0} s"),
        ..6000.0 => format!("{:.0} min", count / 60.0),
        _ => format!("{:.1} h", count / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_saved_whole_and_only_where_they_can_be() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("report.html");
        save(&file, "old").unwrap();
        save(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        may_save(&file, &["html", "md"]).unwrap();
        may_save(Path::new("report.md"), &["html", "md"]).unwrap();
        let error = |path: &Path| may_save(path, &["html", "md"]).unwrap_err().to_string();
        assert!(error(Path::new("report.pdf")).ends_with("must end in .html or .md"));
        let nowhere = dir.path().join("nowhere").join("report.html");
        assert!(error(&nowhere).ends_with("nowhere: there is no such directory"));
        assert!(save(&nowhere, "new").unwrap_err().to_string().contains("nowhere"));
    }

    #[test]
    fn sheets_are_aligned_and_quoted() {
        let mut sheet = Sheet::new("values", &["tier", "count"]);
        sheet.row(["a".to_owned(), "1234567".to_owned()]);
        sheet.row(["long, with a comma".to_owned(), "8".to_owned()]);
        let expected = "values\n\
                        tier                    count\n\
                        a                   1,234,567\n\
                        long, with a comma          8\n";
        assert_eq!(aligned(&sheet), expected);
        assert_eq!(aligned(&Sheet::new("zugzwangs", &["tier"])), "zugzwangs: none\n");
        assert_eq!(csv(&sheet), "tier,count\na,1234567\n\"long, with a comma\",8\n");
    }
}
