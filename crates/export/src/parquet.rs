//! Rows as Parquet files.

use crate::ExportError;
use crate::column::{Column, outcome, plies};
use crate::write::{Shape, Sink};
use kanzen_registry::arrays::{Rows, place};
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows of a group.
const GROUP: usize = 1 << 18;
/// How hard zstd tries.
const LEVEL: i32 = 3;

/// A Parquet file. Rows are gathered until they make a group.
pub(crate) struct Parquet {
    path: PathBuf,
    writer: SerializedFileWriter<File>,
    shape: Shape,
    waiting: Rows,
}

impl Parquet {
    pub(crate) fn create(path: &Path, shape: &Shape) -> Result<Parquet, ExportError> {
        let wrong = ExportError::parquet(path);
        let fields = shape.columns.iter().map(|&column| field(column, shape.cells));
        let schema = format!("message positions {{ {} }}", fields.collect::<String>());
        let schema = Arc::new(parse_message_type(&schema).map_err(&wrong)?);
        let level = ZstdLevel::try_new(LEVEL).map_err(&wrong)?;
        let properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(level)).build();
        let file = File::create(path).map_err(ExportError::file(path))?;
        let writer =
            SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(&wrong)?;
        let waiting = Rows::default();
        Ok(Parquet { path: path.to_owned(), writer, shape: shape.clone(), waiting })
    }

    /// Writes a group of the rows that wait.
    fn group(&mut self) -> Result<(), ExportError> {
        let rows = std::mem::take(&mut self.waiting);
        let mut put = || {
            let mut group = self.writer.next_row_group()?;
            for &column in &self.shape.columns {
                let missing = || ParquetError::General("a column is missing".to_owned());
                let mut writer = group.next_column()?.ok_or_else(missing)?;
                write_column(&mut writer, column, &rows, &self.shape)?;
                writer.close()?;
            }
            group.close()?;
            Ok(())
        };
        put().map_err(ExportError::parquet(&self.path))
    }
}

impl Sink for Parquet {
    fn write(&mut self, rows: &Rows) -> Result<(), ExportError> {
        let start = self.waiting.text.len();
        self.waiting.numbers.extend(&rows.numbers);
        self.waiting.codes.extend(&rows.codes);
        self.waiting.orbits.extend(&rows.orbits);
        self.waiting.moves.extend(&rows.moves);
        self.waiting.best.extend(&rows.best);
        self.waiting.boards.extend(&rows.boards);
        self.waiting.text.push_str(&rows.text);
        self.waiting.ends.extend(rows.ends.iter().map(|end| start + end));
        if self.waiting.numbers.len() >= GROUP { self.group() } else { Ok(()) }
    }

    fn bytes(&self) -> u64 {
        self.writer.bytes_written() as u64
    }

    fn finish(mut self: Box<Self>) -> Result<(), ExportError> {
        if !self.waiting.numbers.is_empty() {
            self.group()?;
        }
        self.writer.close().map(|_| ()).map_err(ExportError::parquet(&self.path))
    }
}

/// A column, as the schema says it.
fn field(column: Column, cells: usize) -> String {
    let kind = match column {
        Column::Index => "REQUIRED INT64 index (INTEGER(64,false))".to_owned(),
        Column::Position => "REQUIRED BYTE_ARRAY position (STRING)".to_owned(),
        Column::Board => format!("REQUIRED FIXED_LEN_BYTE_ARRAY ({cells}) board"),
        Column::Outcome => "REQUIRED INT32 outcome (INTEGER(8,true))".to_owned(),
        Column::Plies => "OPTIONAL INT32 plies (INTEGER(16,true))".to_owned(),
        Column::Orbit => "REQUIRED INT32 orbit (INTEGER(32,false))".to_owned(),
        Column::Tier | Column::Moves | Column::Best => {
            format!("REQUIRED INT32 {} (INTEGER(16,false))", column.name())
        }
    };
    kind + "; "
}

fn write_column(
    writer: &mut SerializedColumnWriter<'_>,
    column: Column,
    rows: &Rows,
    shape: &Shape,
) -> Result<(), ParquetError> {
    let numbers: Vec<i32> = match column {
        Column::Tier => {
            let tier = |&number: &u64| place(&shape.tiers, number).map_or(0, |place| place.tier);
            rows.numbers.iter().map(|number| tier(number) as i32).collect()
        }
        Column::Outcome => rows.codes.iter().map(|&code| outcome(code).into()).collect(),
        Column::Plies => rows.codes.iter().filter_map(|&code| plies(code).map(i32::from)).collect(),
        Column::Orbit => rows.orbits.iter().map(|&orbit| orbit as i32).collect(),
        Column::Moves => rows.moves.iter().map(|&moves| moves.into()).collect(),
        Column::Best => rows.best.iter().map(|&best| best.into()).collect(),
        Column::Index | Column::Position | Column::Board => Vec::new(),
    };
    // Whether a value is there: only plies may be missing.
    let there: Option<Vec<i16>> = (column == Column::Plies)
        .then(|| rows.codes.iter().map(|&code| plies(code).is_some().into()).collect());
    match writer.untyped() {
        ColumnWriter::Int32ColumnWriter(writer) => {
            writer.write_batch(&numbers, there.as_deref(), None)?
        }
        ColumnWriter::Int64ColumnWriter(writer) => {
            let numbers: Vec<i64> = rows.numbers.iter().map(|&number| number as i64).collect();
            writer.write_batch(&numbers, None, None)?
        }
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let texts: Vec<ByteArray> = rows.texts().map(ByteArray::from).collect();
            writer.write_batch(&texts, None, None)?
        }
        ColumnWriter::FixedLenByteArrayColumnWriter(writer) => {
            let boards = rows.boards.chunks(shape.cells.max(1));
            let boards: Vec<FixedLenByteArray> =
                boards.map(|board| ByteArray::from(board.to_vec()).into()).collect();
            writer.write_batch(&boards, None, None)?
        }
        _ => return Err(ParquetError::General("a column has another type".to_owned())),
    };
    Ok(())
}
