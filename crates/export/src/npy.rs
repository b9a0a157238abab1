//! Rows as NumPy arrays: a file for each column.
//!
//! The header of such a file tells how many rows there are, so it is written again at the end; it is
//! padded to the same length.

use crate::ExportError;
use crate::column::{Column, outcome, plies};
use crate::write::{Shape, Sink};
use kanzen_registry::arrays::{Rows, place};
use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// Bytes of a header.
const HEADER: usize = 128;

/// A file for each column.
pub(crate) struct Npy {
    files: Vec<Part>,
    shape: Shape,
    rows: u64,
    bytes: u64,
}

struct Part {
    column: Column,
    path: PathBuf,
    file: BufWriter<File>,
}

impl Npy {
    /// Files named after the path and the columns: `path.npy` is `path-outcome.npy`, and so on.
    pub(crate) fn create(path: &Path, shape: &Shape) -> Result<Npy, ExportError> {
        if shape.columns.contains(&Column::Position) {
            return Err(ExportError::Words);
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let part = |&column: &Column| {
            let path = path.with_file_name(format!("{stem}-{}.npy", column.name()));
            let wrong = ExportError::file(&path);
            let mut file = BufWriter::new(File::create(&path).map_err(&wrong)?);
            file.write_all(&header(column, 0, shape.cells)).map_err(&wrong)?;
            Ok(Part { column, path, file })
        };
        let files = shape.columns.iter().map(part).collect::<Result<_, ExportError>>()?;
        Ok(Npy { files, shape: shape.clone(), rows: 0, bytes: 0 })
    }
}

impl Sink for Npy {
    fn write(&mut self, rows: &Rows) -> Result<(), ExportError> {
        for Part { column, path, file } in &mut self.files {
            let bytes: Vec<u8> = match column {
                Column::Index => flat(rows.numbers.iter().map(|number| number.to_le_bytes())),
                Column::Tier => flat(rows.numbers.iter().map(|&number| {
                    let place = place(&self.shape.tiers, number);
                    place.map_or(0, |place| place.tier as u16).to_le_bytes()
                })),
                Column::Board => rows.boards.clone(),
                Column::Outcome => flat(rows.codes.iter().map(|&code| outcome(code).to_le_bytes())),
                Column::Plies => flat(
                    rows.codes
                        .iter()
                        .map(|&code| plies(code).map_or(-1, |plies| plies as i16).to_le_bytes()),
                ),
                Column::Orbit => flat(rows.orbits.iter().map(|orbit| orbit.to_le_bytes())),
                Column::Moves => flat(rows.moves.iter().map(|moves| moves.to_le_bytes())),
                Column::Best => flat(rows.best.iter().map(|best| best.to_le_bytes())),
                Column::Position => return Err(ExportError::Words),
            };
            self.bytes += bytes.len() as u64;
            file.write_all(&bytes).map_err(ExportError::file(path))?;
        }
        self.rows += rows.numbers.len() as u64;
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn finish(mut self: Box<Self>) -> Result<(), ExportError> {
        for Part { column, path, file } in &mut self.files {
            let mut put = || {
                file.rewind()?;
                file.write_all(&header(*column, self.rows, self.shape.cells))?;
                file.flush()
            };
            put().map_err(ExportError::file(path))?;
        }
        Ok(())
    }
}

fn flat<const N: usize>(elements: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    elements.flatten().collect()
}

/// The beginning of a file (NumPy's format 1.0).
fn header(column: Column, rows: u64, cells: usize) -> Vec<u8> {
    let kind = match column {
        Column::Index => "<u8",
        Column::Orbit => "<u4",
        Column::Tier | Column::Moves | Column::Best => "<u2",
        Column::Plies => "<i2",
        Column::Outcome => "|i1",
        Column::Board | Column::Position => "|u1",
    };
    let shape = match column {
        Column::Board => format!("({rows}, {cells})"),
        _ => format!("({rows},)"),
    };
    let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let length = HEADER - 10;
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((length as u16).to_le_bytes());
    header.extend(format!("{text:<width$}\n", width = length - 1).as_bytes());
    header
}
