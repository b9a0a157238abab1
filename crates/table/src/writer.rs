//! Writing a table.

use crate::block::Ranks;
use crate::error::Problem;
use crate::format::{BLOCK, Entry, HEADER, Header, Identity, Meta, Scheme, TierMeta};
use crate::{DONT_CARE, TableError};
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Blocks packed between two writes, so that memory stays small and threads have work.
const BATCH: u64 = 64;

/// A table on its way to disk. It has another name until [`finish`](TableWriter::finish) renames
/// it, and is removed if that does not happen.
pub struct TableWriter {
    path: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<File>>,
    level: i32,
    meta: Meta,
    entries: Vec<Entry>,
    offset: u64,
}

impl TableWriter {
    /// Begins a table. The level is that of zstd, 1 to 22.
    pub fn create(
        path: &Path,
        identity: Identity,
        scheme: Scheme,
        level: i32,
    ) -> Result<TableWriter, TableError> {
        let temporary = path.with_extension("new");
        let file = File::create(&temporary).and_then(|mut file| {
            file.write_all(&[0; HEADER])?;
            Ok(file)
        });
        let file = file.map_err(|error| at(path, error.into()))?;
        Ok(TableWriter {
            path: path.to_owned(),
            temporary,
            file: Some(BufWriter::new(file)),
            level,
            meta: Meta { identity, scheme, block_cells: BLOCK, tiers: Vec::new() },
            entries: Vec::new(),
            offset: HEADER as u64,
        })
    }

    /// Writes a tier. `counts` tells how many positions have each code, in any order; `fill` gives
    /// the codes of a range of indices, [`DONT_CARE`] where they do not matter; `done` hears how
    /// many indices were written.
    pub fn tier(
        &mut self,
        name: &str,
        size: u64,
        counts: &[(u16, u64)],
        fill: impl Fn(Range<u64>, &mut [u16]) + Sync,
        done: impl Fn(u64),
    ) -> Result<(), TableError> {
        let mut counts = counts.to_vec();
        counts.sort_by_key(|&(code, count)| (std::cmp::Reverse(count), code));
        let (codes, counts) = counts.into_iter().unzip();
        let tier = TierMeta {
            name: name.to_owned(),
            size,
            first_block: self.entries.len() as u64,
            codes,
            counts,
        };
        let ranks = Ranks::new(&tier.codes, tier.width());
        let level = self.level;
        let pack = |block: u64| {
            let range = block * BLOCK..size.min((block + 1) * BLOCK);
            let mut codes = vec![DONT_CARE; (range.end - range.start) as usize];
            fill(range, &mut codes);
            ranks.pack(&codes, level)
        };
        for first in (0..tier.blocks()).step_by(BATCH as usize) {
            let last = tier.blocks().min(first + BATCH);
            let packed: Vec<Result<Vec<u8>, u16>> =
                (first..last).into_par_iter().map(pack).collect();
            for block in packed {
                let block = block.map_err(|code| {
                    let tier = name.to_owned();
                    at(&self.path, Problem::Unannounced { tier, code })
                })?;
                self.put(&block)?;
            }
            done(size.min(last * BLOCK) - first * BLOCK);
        }
        self.meta.tiers.push(tier);
        Ok(())
    }

    /// Completes the file and gives it its name. Returns its length.
    pub fn finish(mut self) -> Result<u64, TableError> {
        let directory: Vec<u8> = self.entries.iter().flat_map(|entry| entry.to_bytes()).collect();
        let meta = serde_json::to_vec_pretty(&self.meta).expect("a description is plain data");
        let header = Header {
            directory: self.offset,
            blocks: self.entries.len() as u64,
            meta: self.offset + directory.len() as u64,
            meta_length: meta.len() as u64,
            directory_checksum: crc32c::crc32c(&directory),
            meta_checksum: crc32c::crc32c(&meta),
        };
        let file = self.file.take().expect("the file is there until the end");
        complete(file, &directory, &meta, header)
            .and_then(|()| fs::rename(&self.temporary, &self.path))
            .map_err(|error| at(&self.path, error.into()))?;
        Ok(header.file_length())
    }

    fn put(&mut self, block: &[u8]) -> Result<(), TableError> {
        let file = self.file.as_mut().expect("the file is there until the end");
        file.write_all(block).map_err(|error| at(&self.path, error.into()))?;
        self.entries.push(Entry {
            offset: self.offset,
            length: block.len() as u32,
            checksum: crc32c::crc32c(block),
        });
        self.offset += block.len() as u64;
        Ok(())
    }
}

impl Drop for TableWriter {
    fn drop(&mut self) {
        // After `finish` there is nothing left to remove.
        let _ = fs::remove_file(&self.temporary);
    }
}

fn complete(
    mut file: BufWriter<File>,
    directory: &[u8],
    meta: &[u8],
    header: Header,
) -> std::io::Result<()> {
    file.write_all(directory)?;
    file.write_all(meta)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.to_bytes())?;
    file.into_inner()?.sync_all()
}

fn at(path: &Path, problem: Problem) -> TableError {
    TableError { path: path.to_owned(), problem }
}
