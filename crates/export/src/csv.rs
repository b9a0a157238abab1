//! Rows as comma-separated values.

use crate::column::{Column, outcome, plies};
use crate::write::Sink;
use crate::{ExportError, write::Shape};
use kanzen_registry::arrays::{Rows, place};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file of comma-separated values.
pub(crate) struct Csv {
    path: PathBuf,
    file: BufWriter<File>,
    shape: Shape,
    bytes: u64,
}

impl Csv {
    pub(crate) fn create(path: &Path, shape: &Shape) -> Result<Csv, ExportError> {
        let wrong = ExportError::file(path);
        let mut file = BufWriter::new(File::create(path).map_err(&wrong)?);
        let names: Vec<&str> = shape.columns.iter().map(|column| column.name()).collect();
        writeln!(file, "{}", names.join(",")).map_err(&wrong)?;
        Ok(Csv { path: path.to_owned(), file, shape: shape.clone(), bytes: 0 })
    }
}

impl Sink for Csv {
    fn write(&mut self, rows: &Rows) -> Result<(), ExportError> {
        let mut text = String::new();
        let mut positions = rows.texts();
        for row in 0..rows.numbers.len() {
            for (number, column) in self.shape.columns.iter().enumerate() {
                if number > 0 {
                    text.push(',');
                }
                // A string takes whatever is written to it.
                let _ = match column {
                    Column::Index => write!(text, "{}", rows.numbers[row]),
                    Column::Tier => {
                        let place = place(&self.shape.tiers, rows.numbers[row]);
                        write!(text, "{}", place.map_or(0, |place| place.tier))
                    }
                    Column::Position => {
                        text.push_str(&quoted(positions.next().unwrap_or_default()));
                        Ok(())
                    }
                    Column::Board => {
                        let cells = self.shape.cells;
                        let board = &rows.boards[row * cells..][..cells];
                        board.iter().try_for_each(|byte| write!(text, "{byte:02x}"))
                    }
                    Column::Outcome => write!(text, "{}", outcome(rows.codes[row])),
                    Column::Plies => match plies(rows.codes[row]) {
                        Some(plies) => write!(text, "{plies}"),
                        None => Ok(()),
                    },
                    Column::Orbit => write!(text, "{}", rows.orbits[row]),
                    Column::Moves => write!(text, "{}", rows.moves[row]),
                    Column::Best => write!(text, "{}", rows.best[row]),
                };
            }
            text.push('\n');
        }
        self.bytes += text.len() as u64;
        self.file.write_all(text.as_bytes()).map_err(ExportError::file(&self.path))
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn finish(mut self: Box<Self>) -> Result<(), ExportError> {
        self.file.flush().map_err(ExportError::file(&self.path))
    }
}

/// A word in quotes if it needs them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
