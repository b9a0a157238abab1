//! Writing a data set: one file, or a directory of shards and sets.

use crate::batches::select;
use crate::csv::Csv;
use crate::npy::Npy;
use crate::parquet::Parquet;
use crate::{Column, Export, ExportError, Split};
use kanzen_index::Tier;
use kanzen_registry::Arrays;
use kanzen_registry::arrays::Rows;
use kanzen_solve::Progress;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet, compressed with zstd.
    Parquet,
    /// Comma-separated values.
    Csv,
    /// NumPy arrays, a file for each column.
    Npy,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 3] = [Format::Parquet, Format::Csv, Format::Npy];

    /// Its name, which is also the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
            Format::Npy => "npy",
        }
    }

    /// The format of a file; Parquet for a directory.
    ///
    /// # Errors
    /// If the ending of the name tells none.
    pub fn of(path: &Path) -> Result<Format, ExportError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            None => Ok(Format::Parquet),
            Some(_) if path.is_dir() => Ok(Format::Parquet),
            Some(ending) => ending.parse().map_err(|()| ExportError::Format(path.to_owned())),
        }
    }
}

impl FromStr for Format {
    type Err = ();

    fn from_str(name: &str) -> Result<Format, ()> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or(())
    }
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// All rows.
    pub rows: u64,
    /// The positions that they stand for, as far as orbits were asked for.
    pub positions: u64,
    /// The rows of the training, validation and test sets, if there are such.
    pub sets: [u64; 3],
    /// The files.
    pub files: Vec<PathBuf>,
}

/// What the files of a data set have in common.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) columns: Vec<Column>,
    pub(crate) tiers: Vec<Tier>,
    /// Bytes of a board.
    pub(crate) cells: usize,
}

/// Whatever takes rows.
pub(crate) trait Sink {
    fn write(&mut self, rows: &Rows) -> Result<(), ExportError>;
    /// How many bytes were written so far.
    fn bytes(&self) -> u64;
    fn finish(self: Box<Self>) -> Result<(), ExportError>;
}

/// Writes a data set to a file, or to a directory if it has sets or shards or the name has no ending.
///
/// # Errors
/// If the table does not answer, or a file cannot be written.
pub fn write(
    arrays: &dyn Arrays,
    export: &Export,
    format: Format,
    to: &Path,
    progress: &dyn Progress,
) -> Result<Written, ExportError> {
    let columns = export.columns().to_vec();
    let (tiers, cells) = (arrays.tiers().to_vec(), arrays.cells().count());
    let shape = Shape { columns, tiers, cells };
    let many = export.split.is_some() || export.shard_bytes.is_some();
    let directory = many || to.is_dir() || to.extension().is_none();
    if directory {
        std::fs::create_dir_all(to).map_err(ExportError::file(to))?;
    }
    let names: &[&str] = if export.split.is_some() { &Split::NAMES } else { &["part"] };
    let mut sets: Vec<Set<'_>> =
        names.iter().map(|name| Set { name, open: None, files: Vec::new(), rows: 0 }).collect();
    let mut written = Written::default();
    let mut batches = export.batches(arrays);
    progress.begin("exporting", export.sample.unwrap_or(batches.size()));
    let mut seen = 0;
    while let Some(rows) = batches.next() {
        let rows = rows?;
        written.rows += rows.numbers.len() as u64;
        written.positions += rows.orbits.iter().map(|&orbit| u64::from(orbit)).sum::<u64>();
        progress.advance(match export.sample {
            Some(_) => rows.numbers.len() as u64,
            None => batches.seen() - seen,
        });
        seen = batches.seen();
        let next = |set: &Set<'_>| {
            if directory { set.path(to, format) } else { to.to_owned() }
        };
        match export.split {
            None => sets[0].write(&rows, &shape, format, export.shard_bytes, next)?,
            Some(split) => {
                let chosen: Vec<usize> =
                    rows.numbers.iter().map(|&number| split.set(number, export.seed)).collect();
                for (number, set) in sets.iter_mut().enumerate() {
                    let keep: Vec<bool> = chosen.iter().map(|&set| set == number).collect();
                    let rows = select(rows.clone(), cells, &keep);
                    set.write(&rows, &shape, format, export.shard_bytes, next)?;
                }
            }
        }
    }
    // A set without rows is a file all the same, with its columns.
    for (number, set) in sets.iter_mut().enumerate() {
        if set.files.is_empty() {
            let path = if directory { set.path(to, format) } else { to.to_owned() };
            set.write(&Rows::default(), &shape, format, None, |_| path.clone())?;
        }
        written.files.append(&mut set.files);
        written.sets[number] = set.rows;
        if let Some(sink) = set.open.take() {
            sink.finish()?;
        }
    }
    progress.end();
    Ok(written)
}

/// Rows that belong together, in one or more files.
struct Set<'n> {
    name: &'n str,
    open: Option<Box<dyn Sink>>,
    files: Vec<PathBuf>,
    rows: u64,
}

impl Set<'_> {
    /// The name of the next file in a directory.
    fn path(&self, dir: &Path, format: Format) -> PathBuf {
        dir.join(format!("{}-{:05}.{}", self.name, self.files.len(), format.name()))
    }

    fn write(
        &mut self,
        rows: &Rows,
        shape: &Shape,
        format: Format,
        shard_bytes: Option<u64>,
        next: impl Fn(&Self) -> PathBuf,
    ) -> Result<(), ExportError> {
        let sink = match &mut self.open {
            Some(sink) => sink,
            None => {
                let path = next(self);
                let sink: Box<dyn Sink> = match format {
                    Format::Parquet => Box::new(Parquet::create(&path, shape)?),
                    Format::Csv => Box::new(Csv::create(&path, shape)?),
                    Format::Npy => Box::new(Npy::create(&path, shape)?),
                };
                self.files.push(path);
                self.open.insert(sink)
            }
        };
        sink.write(rows)?;
        self.rows += rows.numbers.len() as u64;
        if shard_bytes.is_some_and(|most| sink.bytes() >= most)
            && let Some(full) = self.open.take()
        {
            full.finish()?;
        }
        Ok(())
    }
}
