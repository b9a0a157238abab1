//! The data card: what a data set is, in words, beside its files.

use crate::{Column, Export, ExportError, Split, Written};
use kanzen_core::Cells;
use kanzen_index::Tier;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What is to be said of a data set.
pub struct Card<'a> {
    /// The game's name for people.
    pub title: &'a str,
    /// Its rules.
    pub rules: &'a str,
    /// The game, the options that change values, and the versions of index and rules.
    pub identity: String,
    /// The checksum of the table (CRC-32C), if it is known.
    pub checksum: Option<String>,
    /// What was asked for.
    pub export: &'a Export,
    /// The conditions in words.
    pub filter: &'a str,
    /// What was written.
    pub written: &'a Written,
    /// The tiers.
    pub tiers: &'a [Tier],
    /// What the bytes of a board mean.
    pub cells: &'a Cells,
}

impl Card<'_> {
    /// Writes the card beside the files: `README.md` in a directory, or `FILE.md` for a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, to: &Path) -> Result<PathBuf, ExportError> {
        let path = if to.is_dir() {
            to.join("README.md")
        } else {
            let name = to.file_name().unwrap_or_default().to_string_lossy();
            to.with_file_name(format!("{name}.md"))
        };
        std::fs::write(&path, self.text()).map_err(ExportError::file(&path))?;
        Ok(path)
    }

    /// The card as Markdown.
    pub fn text(&self) -> String {
        let mut text = format!("# {}: exact values of positions\n\n", self.title);
        let mut fact = |name: &str, value: &str| {
            if !value.is_empty() {
                text += &format!("- {name}: {value}\n");
            }
        };
        let Written { rows, positions, .. } = *self.written;
        fact("table", &self.identity);
        fact("checksum of the table (CRC-32C)", self.checksum.as_deref().unwrap_or_default());
        fact("rows", &format!("{rows}, one for each orbit: a position with all its images"));
        if positions > 0 {
            fact("positions that they stand for", &positions.to_string());
        }
        fact("only where", self.filter);
        if self.export.sample.is_some() {
            fact("sample", &format!("by chance, in a random order, seed {}", self.export.seed));
        }
        if let Some(split) = self.export.split {
            let sets = Split::NAMES.iter().zip(split.shares()).zip(self.written.sets);
            let sets = sets.map(|((name, share), rows)| format!("{name} {share} ({rows} rows)"));
            let sets: Vec<String> = sets.collect();
            let by = "by orbit, so that no test position is an image of a training one";
            fact("sets", &format!("{}; {by}; seed {}", sets.join(", "), self.export.seed));
        }
        fact("made by", concat!("Kanzen ", env!("CARGO_PKG_VERSION")));
        fact("licence", env!("CARGO_PKG_LICENSE"));
        text += &format!("\n## Rules\n{}\n\n## Columns\n", self.rules);
        text += "| column | meaning |\n| --- | --- |\n";
        let columns = self.export.columns();
        for column in columns {
            let _ = writeln!(text, "| `{}` | {} |", column.name(), column.about());
        }
        if columns.contains(&Column::Board) {
            let kinds = self.cells.kinds().enumerate();
            let kinds: Vec<String> = kinds
                .map(|(number, (side, label))| {
                    format!("{} = '{label}' of player {}", number + 1, side.number())
                })
                .collect();
            let names = self.cells.names().join(" ");
            let _ =
                write!(text, "\nCells of a board: {names}; 0 is empty, {}.\n", kinds.join(", "));
        }
        if columns.contains(&Column::Tier) {
            let names = self.tiers.iter().enumerate();
            let names: Vec<String> =
                names.map(|(number, tier)| format!("{number} = {}", tier.name)).collect();
            let _ = write!(text, "\nTiers: {}.\n", names.join(", "));
        }
        text
    }
}
