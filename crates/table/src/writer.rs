//! Writing a table.

use crate::block::Ranks;
use crate::contexts::{Model, Neighbours};
use crate::error::Problem;
use crate::format::{
    BLOCK, BLOCKS, Counted, Entry, HEADER, Header, Identity, MAX_SECTION_BLOCK, MODELS, Meta,
    Section, TierMeta,
};
use crate::{DONT_CARE, TableError};
use kanzen_machine::files;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use zstd::bulk::Compressor;

/// Pieces packed between two writes, so that memory stays small and threads have work.
const BATCH: u64 = 64;

/// Cells from which is learnt how to pack a tier by context, about.
const SAMPLE: u64 = 1 << 23;
/// A tier is packed by context if it has so many blocks: what was learnt takes room.
const LEAST_BLOCKS: u64 = 256;

/// Several processes that pack a table together: the pieces are dealt to them in turn, and the first one
/// writes all of them. What is packed does not depend on who packs it.
pub trait Packers: Send + Sync {
    /// How many there are.
    fn count(&self) -> u64;

    /// Which of them this is.
    fn index(&self) -> u64;

    /// Leaves packed blocks for the first one under a name.
    ///
    /// # Errors
    /// If they cannot be written.
    fn leave(&self, name: &str, blocks: Vec<Vec<u8>>) -> std::io::Result<()>;

    /// What one of them has left under a name, or will leave within some time; none if it does not.
    ///
    /// # Errors
    /// If what is there cannot be read.
    fn fetch(
        &self,
        from: u64,
        name: &str,
        patience: Duration,
    ) -> std::io::Result<Option<Vec<Vec<u8>>>>;
}

/// The least time for which a piece of another is waited for, and how much longer than the own ones took.
const PATIENCE: Duration = Duration::from_secs(10);
const PATIENCE_TIMES: u32 = 8;

/// A table on its way to disk. It has another name until [`finish`](TableWriter::finish) renames
/// it, and is removed if that does not happen.
///
/// ```
/// use kanzen_table::{Identity, Table, TableWriter};
///
/// let dir = tempfile::tempdir()?;
/// let path = dir.path().join("tiny.kanzen");
/// let identity = Identity { game: "tiny".into(), variant: Default::default(), index_version: 1, rules: None };
/// let mut writer = TableWriter::create(&path, identity, "plies", 9)?;
/// let codes = [4, 0, 4];
/// writer.tier("all", 3, &[(4, 2), (0, 1)], |range, out| {
///     out.copy_from_slice(&codes[range.start as usize..range.end as usize]);
/// }, |_| ())?;
/// writer.finish()?;
///
/// let table = Table::open(&path)?;
/// assert_eq!(table.code(0, 1)?, Some(0));
/// assert_eq!(table.code(0, 3)?, None, "there is no such cell");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableWriter {
    path: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<File>>,
    level: i32,
    meta: Meta,
    neighbours: Option<Neighbours>,
    /// How each tier is packed, as bytes; empty if by zstd.
    models: Vec<Vec<u8>>,
    entries: Vec<Entry>,
    offset: u64,
    packers: Option<Arc<dyn Packers>>,
    /// Pieces of the tiers so far.
    dealt: u64,
}

impl TableWriter {
    /// Begins a table, whose codes mean what `scheme` names. The level is that of zstd, 1 to 22.
    pub fn create(
        path: &Path,
        identity: Identity,
        scheme: &str,
        level: i32,
    ) -> Result<TableWriter, TableError> {
        let temporary = path.with_extension("new");
        let file = File::create(&temporary).map_err(|error| at(path, error.into()))?;
        let mut writer = TableWriter::new(path, identity, scheme, level);
        (writer.temporary, writer.file) = (temporary, Some(BufWriter::new(file)));
        // The header is written last, when all is known: until then, its place is kept.
        writer.write(&[0; HEADER])?;
        Ok(writer)
    }

    /// Packs a table together with others, of whom only the first writes it: for all others there is no
    /// file, and nothing to finish.
    ///
    /// # Errors
    /// As [`create`](TableWriter::create).
    pub fn together(
        path: &Path,
        identity: Identity,
        scheme: &str,
        level: i32,
        packers: Arc<dyn Packers>,
    ) -> Result<TableWriter, TableError> {
        let mut writer = match packers.index() {
            0 => TableWriter::create(path, identity, scheme, level)?,
            _ => TableWriter::new(path, identity, scheme, level),
        };
        writer.packers = Some(packers);
        Ok(writer)
    }

    /// A writer without a file.
    fn new(path: &Path, identity: Identity, scheme: &str, level: i32) -> TableWriter {
        let meta = Meta {
            identity,
            scheme: scheme.to_owned(),
            block_cells: BLOCK,
            tiers: Vec::new(),
            census: Vec::new(),
            sections: Vec::new(),
        };
        TableWriter {
            path: path.to_owned(),
            temporary: PathBuf::new(),
            file: None,
            level,
            meta,
            neighbours: None,
            models: Vec::new(),
            entries: Vec::new(),
            offset: 0,
            packers: None,
            dealt: 0,
        }
    }

    /// Where the table will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes blocks of so many cells, a power of two: smaller ones are quicker to read at random,
    /// larger ones pack better. It is to be said before the first tier.
    pub fn blocks_of(mut self, cells: u64) -> TableWriter {
        debug_assert!(BLOCKS.contains(&cells) && cells.is_power_of_two());
        self.meta.block_cells = cells;
        self
    }

    /// Packs large tiers by context: each cell is guessed from such neighbours. That suits small
    /// blocks, in which zstd has nothing to learn from.
    pub fn by_context(mut self, neighbours: Neighbours) -> TableWriter {
        self.neighbours = Some(neighbours);
        self
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
        let tier = self.describe(name, size, counts);
        let ranks = Ranks::new(&tier.codes, tier.width());
        let codes = |range: Range<u64>| {
            let mut codes = vec![DONT_CARE; (range.end - range.start) as usize];
            fill(range, &mut codes);
            codes
        };
        if let Some(model) = self.learn(&tier, &ranks, codes)? {
            let packer = model.packer();
            let block = self.meta.block_cells as usize;
            let pack = |(): &mut (), range| {
                let ranks = ranks.of(codes(range)).map_err(|code| unannounced(name, code))?;
                Ok(vec![packer.pack(&ranks, block)])
            };
            self.models.resize(self.meta.tiers.len(), Vec::new());
            self.models.push(model.to_bytes());
            return self.pieces(tier, 1, pack, done);
        }
        let fill = |range: Range<u64>, bytes: &mut [u8]| {
            ranks.write(&codes(range), bytes).map_err(|code| unannounced(name, code))
        };
        self.filled(tier, 1, fill, done)
    }

    /// How to pack a tier by context, from blocks all over it; none if zstd is to pack it.
    fn learn(
        &self,
        tier: &TierMeta,
        ranks: &Ranks,
        codes: impl Fn(Range<u64>) -> Vec<u16> + Sync,
    ) -> Result<Option<Model>, TableError> {
        let block = self.meta.block_cells;
        let blocks = self.meta.blocks(tier);
        let Some(neighbours) = &self.neighbours else { return Ok(None) };
        if blocks < LEAST_BLOCKS {
            return Ok(None);
        }
        let step = tier.size.div_ceil(SAMPLE);
        let sample: Result<Vec<Vec<u16>>, u16> = (0..blocks.div_ceil(step))
            .into_par_iter()
            .map(|number| number * step * block)
            .map(|first| ranks.of(codes(first..tier.size.min(first + block))))
            .collect();
        let sample = sample.map_err(|code| at(&self.path, unannounced(&tier.name, code)))?;
        let unless = neighbours.unless.and_then(|code| ranks.rank(code).ok());
        let neighbours = Neighbours { unless, ..neighbours.clone() };
        Ok(Model::learn(&neighbours, tier.codes.len(), block as usize, &sample))
    }

    /// Writes down what was counted of a part of the game, beside the cells of tiers.
    pub fn count(&mut self, name: impl Into<String>, counts: &[(u16, u64)]) {
        let (codes, counts) = by_rank(counts).into_iter().unzip();
        self.meta.census.push(Counted { name: name.into(), codes, counts });
    }

    /// Writes bytes that only the game understands, after the last tier: `fill` gives those of a
    /// block, on all threads.
    pub fn section(
        &mut self,
        name: &str,
        blocks: u64,
        fill: impl Fn(u64) -> Vec<u8> + Sync,
        done: impl Fn(u64),
    ) -> Result<(), TableError> {
        let first_block = self.entries.len() as u64;
        let mut block_bytes = 0;
        let level = self.level;
        for first in (0..blocks).step_by(BATCH as usize) {
            let batch = first..blocks.min(first + BATCH);
            let packed: Vec<std::io::Result<(u64, Vec<u8>)>> = batch
                .clone()
                .into_par_iter()
                .map(|number| {
                    let bytes = fill(number);
                    Ok((bytes.len() as u64, zstd::bulk::compress(&bytes, level)?))
                })
                .collect();
            for block in packed {
                let (length, packed) = block.map_err(|error| at(&self.path, error.into()))?;
                if length > MAX_SECTION_BLOCK {
                    let problem = format!("a block of section '{name}' has {length} bytes");
                    return Err(at(&self.path, Problem::Malformed(problem)));
                }
                block_bytes = length.max(block_bytes);
                self.put(&packed)?;
            }
            done(batch.end - batch.start);
        }
        let name = name.to_owned();
        self.meta.sections.push(Section { name, first_block, blocks, block_bytes });
        Ok(())
    }

    /// As [`tier`](Self::tier), for a tier with at most 256 codes whose ranks the caller knows:
    /// `fill` gives the rank that each cell's code has in [`by_rank`]. It is asked for `blocks`
    /// blocks at a time, so that what is dear to get is got once.
    pub fn tier_of_ranks(
        &mut self,
        name: &str,
        size: u64,
        counts: &[(u16, u64)],
        blocks: u64,
        fill: impl Fn(Range<u64>, &mut [u8]) -> std::io::Result<()> + Sync,
        done: impl Fn(u64),
    ) -> Result<(), TableError> {
        let tier = self.describe(name, size, counts);
        if tier.width() != 1 {
            let problem = format!("tier '{name}' has {} values, more than a byte", counts.len());
            return Err(at(&self.path, Problem::Malformed(problem)));
        }
        let codes = tier.codes.len();
        let fill = |range: Range<u64>, bytes: &mut [u8]| {
            fill(range, bytes)?;
            match bytes.iter().max() {
                Some(&rank) if usize::from(rank) >= codes => Err(unannounced(name, rank.into())),
                _ => Ok(()),
            }
        };
        self.filled(tier, blocks, fill, done)
    }

    fn describe(&self, name: &str, size: u64, counts: &[(u16, u64)]) -> TierMeta {
        let (codes, counts) = by_rank(counts).into_iter().unzip();
        let first_block = self.entries.len() as u64;
        TierMeta { name: name.to_owned(), size, first_block, codes, counts }
    }

    /// Writes a tier in pieces of some blocks, packed by zstd; `fill` gives the bytes of a piece's
    /// ranks.
    fn filled(
        &mut self,
        tier: TierMeta,
        blocks: u64,
        fill: impl Fn(Range<u64>, &mut [u8]) -> Result<(), Problem> + Sync,
        done: impl Fn(u64),
    ) -> Result<(), TableError> {
        let (level, width) = (self.level, tier.width());
        let block = self.meta.block_cells as usize * width;
        let pack = |(compressor, bytes): &mut (Option<Compressor<'static>>, Vec<u8>),
                    range: Range<u64>| {
            bytes.resize((range.end - range.start) as usize * width, 0);
            fill(range, bytes)?;
            let compressor = match compressor {
                Some(compressor) => compressor,
                none => none.insert(Compressor::new(level)?),
            };
            let blocks = bytes.chunks(block);
            Ok(blocks.map(|block| compressor.compress(block)).collect::<Result<Vec<_>, _>>()?)
        };
        self.pieces(tier, blocks, pack, done)
    }

    /// Writes a tier in pieces of some blocks; `pack` gives the packed blocks of a piece.
    fn pieces<S: Default>(
        &mut self,
        tier: TierMeta,
        blocks: u64,
        pack: impl Fn(&mut S, Range<u64>) -> Result<Vec<Vec<u8>>, Problem> + Sync,
        done: impl Fn(u64),
    ) -> Result<(), TableError> {
        let block = self.meta.block_cells;
        let cells = blocks * block;
        let range = |piece: u64| piece * cells..tier.size.min((piece + 1) * cells);
        let pieces = tier.size.div_ceil(cells);
        let pack = &|state: &mut S, piece: u64| pack(state, range(piece));
        let blocks = |piece: u64| (range(piece).end - range(piece).start).div_ceil(block);
        let batch = BATCH * BLOCK.div_ceil(block);
        for first in (0..pieces).step_by(batch as usize) {
            let last = pieces.min(first + batch);
            let packed = match &self.packers {
                Some(packers) => self.shared(&**packers, first..last, blocks, pack)?,
                None => self.packed(first..last, pack)?,
            };
            for block in packed {
                self.put(&block)?;
            }
            done(range(last - 1).end - range(first).start);
        }
        self.dealt += pieces;
        self.meta.tiers.push(tier);
        Ok(())
    }

    /// The packed blocks of some pieces, in their order.
    fn packed<S: Default>(
        &self,
        pieces: impl IntoParallelIterator<Item = u64>,
        pack: &(impl Fn(&mut S, u64) -> Result<Vec<Vec<u8>>, Problem> + Sync),
    ) -> Result<Vec<Vec<u8>>, TableError> {
        let packed: Vec<Result<Vec<Vec<u8>>, Problem>> =
            pieces.into_par_iter().map_init(S::default, pack).collect();
        let packed: Result<Vec<Vec<Vec<u8>>>, Problem> = packed.into_iter().collect();
        Ok(packed.map_err(|problem| at(&self.path, problem))?.into_iter().flatten().collect())
    }

    /// Packs the own share of some pieces, and leaves it for the first one, which gets the blocks of all.
    fn shared<T: Default>(
        &self,
        packers: &dyn Packers,
        pieces: Range<u64>,
        blocks: impl Fn(u64) -> u64,
        pack: &(impl Fn(&mut T, u64) -> Result<Vec<Vec<u8>>, Problem> + Sync),
    ) -> Result<Vec<Vec<u8>>, TableError> {
        let problem = |problem: Problem| at(&self.path, problem);
        let count = packers.count();
        let owner = |piece: u64| (self.dealt + piece) % count;
        let pack_for = |host: u64| -> Result<Vec<Vec<u8>>, TableError> {
            let own: Vec<u64> = pieces.clone().filter(|&piece| owner(piece) == host).collect();
            self.packed(own, pack)
        };
        let of = |host: u64| pieces.clone().filter(move |&piece| owner(piece) == host).map(&blocks);
        let tier = self.meta.tiers.len();
        let name = |host| format!("packed-{}-{tier}-{}-{host}", self.level, pieces.start);
        let since = Instant::now();
        let own = pack_for(packers.index())?;
        if packers.index() > 0 {
            if !own.is_empty() {
                let left = packers.leave(&name(packers.index()), own);
                left.map_err(|error| problem(error.into()))?;
            }
            return Ok(Vec::new());
        }
        let patience = PATIENCE + PATIENCE_TIMES * since.elapsed();
        let mut all = vec![own.into_iter()];
        for host in 1..count {
            let expected = of(host).sum::<u64>();
            let fetched = match expected {
                0 => Some(Vec::new()),
                _ => packers
                    .fetch(host, &name(host), patience)
                    .map_err(|error| problem(error.into()))?,
            };
            // Who is late or wrong is not waited for: the first one does it instead.
            let whole = fetched.filter(|blocks| blocks.len() as u64 == expected);
            all.push(whole.map_or_else(|| pack_for(host), Ok)?.into_iter());
        }
        let in_order = pieces.clone().flat_map(|piece| {
            { &mut all[owner(piece) as usize] }.take(blocks(piece) as usize).collect::<Vec<_>>()
        });
        Ok(in_order.collect())
    }

    /// Completes the file and gives it its name. Returns its length, 0 for who only helps to pack.
    pub fn finish(mut self) -> Result<u64, TableError> {
        if !self.models.is_empty() {
            let mut models = std::mem::take(&mut self.models);
            models.resize(self.meta.tiers.len(), Vec::new());
            self.section(
                MODELS,
                models.len() as u64,
                |tier| models[tier as usize].clone(),
                |_| (),
            )?;
        }
        let directory: Vec<u8> = self.entries.iter().flat_map(|entry| entry.to_bytes()).collect();
        let meta = serde_json::to_vec_pretty(&self.meta).expect("a description is plain data");
        let header = Header {
            version: self.meta.version(),
            directory: self.offset,
            blocks: self.entries.len() as u64,
            meta: self.offset + directory.len() as u64,
            meta_length: meta.len() as u64,
            directory_checksum: crc32c::crc32c(&directory),
            meta_checksum: crc32c::crc32c(&meta),
        };
        let Some(file) = self.file.take() else { return Ok(0) };
        complete(file, &directory, &meta, header)
            .and_then(|()| files::rename(&self.temporary, &self.path))
            .map_err(|error| at(&self.path, error.into()))?;
        Ok(header.file_length())
    }

    fn put(&mut self, block: &[u8]) -> Result<(), TableError> {
        self.entries.push(Entry {
            offset: self.offset,
            length: block.len() as u32,
            checksum: crc32c::crc32c(block),
        });
        self.write(block)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        let Some(file) = self.file.as_mut() else { return Ok(()) };
        file.write_all(bytes).map_err(|error| at(&self.path, error.into()))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}

impl Drop for TableWriter {
    fn drop(&mut self) {
        // After `finish` there is nothing left to remove, and who only helps has no file.
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

/// Codes with their counts in the order in which a tier lists them: the most frequent first, so that
/// a code's place is its rank.
///
/// ```
/// assert_eq!(kanzen_table::by_rank(&[(4, 1), (0, 5)]), [(0, 5), (4, 1)]);
/// ```
pub fn by_rank(counts: &[(u16, u64)]) -> Vec<(u16, u64)> {
    let mut counts = counts.to_vec();
    counts.sort_by_key(|&(code, count)| (std::cmp::Reverse(count), code));
    counts
}

fn unannounced(tier: &str, code: u16) -> Problem {
    Problem::Unannounced { tier: tier.to_owned(), code }
}

fn at(path: &Path, problem: Problem) -> TableError {
    TableError { path: path.to_owned(), problem }
}
