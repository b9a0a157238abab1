//! Reading a table: single cells through a cache of blocks, or whole tiers.

use crate::block::{unpack, unpack_by};
use crate::contexts::Model;
use crate::error::Problem;
use crate::format::{
    BLOCKS, ENTRY, Entry, HEADER, Header, Identity, MAX_SECTION_BLOCK, MODELS, Meta, Section,
    TierMeta,
};
use crate::{Source, TableError};
use rayon::prelude::*;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{OnceLock, RwLock};

/// Unpacked bytes that a table keeps in memory.
static CACHE: AtomicUsize = AtomicUsize::new(256 << 20);

/// Lets every table that is opened from now on keep about so many unpacked bytes in memory.
pub fn keep_at_most(bytes: usize) {
    CACHE.store(bytes, Relaxed);
}

/// A block's number and its unpacked bytes, which are missing as long as it was asked once only.
type Block = (u64, Option<Vec<u8>>);

/// An open table.
pub struct Table {
    path: PathBuf,
    source: Box<dyn Source>,
    meta: Meta,
    directory: Directory,
    /// How each tier is packed by context, once that is known; none if by zstd. Empty if all are.
    models: Vec<OnceLock<Option<Model>>>,
    /// Unpacked blocks. A block has one slot that it may be in; with enough slots, its own.
    cache: Vec<RwLock<Option<Block>>>,
}

/// Where the blocks are.
enum Directory {
    /// All entries.
    Here(Vec<Entry>),
    /// Entries are read when they are needed, from this offset on.
    Far { offset: u64, blocks: u64 },
}

/// Entries of a directory that is far away which are read together.
const PAGE: u64 = 64;

impl Directory {
    fn blocks(&self) -> u64 {
        match self {
            Directory::Here(entries) => entries.len() as u64,
            Directory::Far { blocks, .. } => *blocks,
        }
    }

    /// The entry of a block; none if there is no such block. One that is far away is not covered by a
    /// checksum of its own, but it holds the one of its block.
    fn entry(&self, id: u64, source: &dyn Source) -> Result<Option<Entry>, Problem> {
        match self {
            Directory::Here(entries) => {
                Ok(usize::try_from(id).ok().and_then(|id| entries.get(id).copied()))
            }
            Directory::Far { blocks, .. } if id >= *blocks => Ok(None),
            Directory::Far { offset, blocks } => {
                let first = id - id % PAGE;
                let mut page = vec![0; ((blocks - first).min(PAGE)) as usize * ENTRY];
                source.read_at(&mut page, offset + first * ENTRY as u64)?;
                let at = (id - first) as usize * ENTRY;
                let entry = Entry::from_bytes(&page[at..at + ENTRY]);
                if entry.inside(*offset) { Ok(Some(entry)) } else { Err(outside()) }
            }
        }
    }
}

/// What errors call a block.
fn block_name(tier: &TierMeta, id: u64) -> String {
    format!("block {id} (tier '{}')", tier.name)
}

/// The rank of a cell of an unpacked block.
fn rank(tier: &TierMeta, block: &[u8], cell: usize) -> u16 {
    match tier.width() {
        1 => block[cell].into(),
        _ => u16::from_le_bytes([block[2 * cell], block[2 * cell + 1]]),
    }
}

fn outside() -> Problem {
    Problem::Malformed("a block lies outside of the file".to_owned())
}

impl Table {
    /// Opens a file and checks its header, directory and description. Blocks are checked when they
    /// are read.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let file = File::open(path).map_err(|error| TableError {
            path: path.to_owned(),
            problem: match error.kind() {
                std::io::ErrorKind::NotFound => Problem::Missing,
                _ => error.into(),
            },
        })?;
        Table::from_source(path, Box::new(file), CACHE.load(Relaxed))
    }

    /// Opens a table that is anything like a file, to be called `path` in errors, with a cache of
    /// about so many bytes.
    pub fn from_source(
        path: &Path,
        source: Box<dyn Source>,
        cache: usize,
    ) -> Result<Table, TableError> {
        let (meta, directory) = read_frame(&*source)
            .map_err(|problem| TableError { path: path.to_owned(), problem })?;
        let most = cache.div_ceil(meta.block_cells as usize);
        let slots = usize::try_from(directory.blocks()).map_or(most, |blocks| blocks.min(most));
        let by_context = meta.sections.iter().any(|section| section.name == MODELS);
        let models = if by_context { meta.tiers.len() } else { 0 };
        Ok(Table {
            path: path.to_owned(),
            source,
            models: (0..models).map(|_| OnceLock::new()).collect(),
            meta,
            directory,
            cache: (0..slots.max(1)).map(|_| RwLock::default()).collect(),
        })
    }

    /// Refuses the table if it is not of this game, variant and index version.
    pub fn expect(&self, identity: &Identity) -> Result<(), TableError> {
        let found = &self.meta.identity;
        if found.agrees(identity) {
            return Ok(());
        }
        let unruled = |identity: &Identity| Identity { rules: None, ..identity.clone() };
        if unruled(found) == unruled(identity) {
            return Err(self.error(Problem::OtherRules));
        }
        Err(self
            .error(Problem::OtherGame { found: found.to_string(), expected: identity.to_string() }))
    }

    /// Refuses the table unless its scheme is one of some, its tiers have these sizes, and it lists
    /// only codes that the game knows: what is read later can be relied upon then.
    pub fn expect_shape(
        &self,
        schemes: &[&str],
        sizes: &[u64],
        is_code: impl Fn(u16) -> bool,
    ) -> Result<(), TableError> {
        let other = |what: String, found: String, expected: String| {
            Err(self.error(Problem::OtherShape { what, found, expected }))
        };
        let Meta { scheme, tiers, .. } = &self.meta;
        if !schemes.contains(&&**scheme) {
            return other("its scheme".into(), format!("'{scheme}'"), schemes.join(" or "));
        }
        if tiers.len() != sizes.len() {
            let (found, expected) = (tiers.len().to_string(), sizes.len().to_string());
            return other("the number of its tiers".into(), found, expected);
        }
        for (tier, &size) in tiers.iter().zip(sizes) {
            if tier.size != size {
                let what = format!("the size of tier '{}'", tier.name);
                return other(what, tier.size.to_string(), size.to_string());
            }
            if let Some(code) = tier.codes.iter().find(|&&code| !is_code(code)) {
                let what = format!("a code of tier '{}'", tier.name);
                return other(what, code.to_string(), "one that the game knows".into());
            }
        }
        Ok(())
    }

    /// Reads every block and compares its checksum, on all cores, without unpacking it.
    pub fn check_blocks(&self) -> Result<(), TableError> {
        (0..self.directory.blocks())
            .into_par_iter()
            .try_for_each(|number| self.packed(number, || format!("block {number}")).map(|_| ()))
    }

    /// The description.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The code of a cell; none if the table has no such cell. A cell that was not stored gives
    /// any code.
    pub fn code(&self, tier: usize, index: u64) -> Result<Option<u16>, TableError> {
        let codes = self.codes_beside(tier, [index])?;
        Ok(codes.map(|[code]| code))
    }

    /// As [`code`](Self::code), for cells of one block.
    ///
    /// # Panics
    /// If they are of several blocks.
    pub fn codes_beside<const N: usize>(
        &self,
        tier: usize,
        indices: [u64; N],
    ) -> Result<Option<[u16; N]>, TableError> {
        let in_tier = |tier: &&TierMeta| indices.iter().all(|&index| index < tier.size);
        let Some(tier) = self.meta.tiers.get(tier).filter(in_tier) else {
            return Ok(None);
        };
        let number = indices.first().map_or(0, |first| first / self.meta.block_cells);
        let cells = indices.map(|index| {
            assert_eq!(index / self.meta.block_cells, number, "another block");
            (index % self.meta.block_cells) as usize
        });
        let ranks = self.ranks(tier, number, cells)?;
        let mut codes = [0; N];
        for (code, rank) in codes.iter_mut().zip(ranks) {
            *code = self.meaning(tier, rank)?;
        }
        Ok(Some(codes))
    }

    /// The codes of a whole tier, unpacked on all cores.
    pub fn codes(&self, tier: usize) -> Result<Vec<u16>, TableError> {
        let size = self.meta.tiers.get(tier).map_or(0, |tier| tier.size);
        let mut codes = vec![0; size as usize];
        let share = self.meta.block_cells as usize;
        self.fill(tier, &mut codes, share, |from, to| to.copy_from_slice(from))?;
        Ok(codes)
    }

    /// Fills `out` from a tier on all cores: `each` is given the codes of every block and the
    /// elements of `out` that are its own, `share` for a block.
    pub fn fill<T: Send>(
        &self,
        tier: usize,
        out: &mut [T],
        share: usize,
        each: impl Fn(&[u16], &mut [T]) + Sync,
    ) -> Result<(), TableError> {
        let blocks = out.par_chunks_mut(share).enumerate();
        blocks.try_for_each(|(number, out)| {
            each(&self.block(tier, number as u64)?, out);
            Ok(())
        })
    }

    /// Calls `each` with the first index and the codes of every block of a tier, on all cores and in
    /// no fixed order: for tiers that are too large to have in memory.
    pub fn scan(&self, tier: usize, each: impl Fn(u64, &[u16]) + Sync) -> Result<(), TableError> {
        let blocks = self.meta.tiers.get(tier).map_or(0, |tier| self.meta.blocks(tier));
        (0..blocks).into_par_iter().try_for_each(|number| {
            each(number * self.meta.block_cells, &self.block(tier, number)?);
            Ok(())
        })
    }

    /// The codes of a block of a tier; none if the table has no such block.
    pub fn block(&self, tier: usize, number: u64) -> Result<Vec<u16>, TableError> {
        let tier = self.meta.tiers.get(tier);
        let Some(tier) = tier.filter(|tier| number < self.meta.blocks(tier)) else {
            return Ok(Vec::new());
        };
        let block = self.read(tier, number)?;
        (0..block.len() / tier.width()).map(|cell| self.decode(tier, &block, cell)).collect()
    }

    /// Reads every block of a tier on all cores, and so checks it.
    pub fn check(&self, tier: usize) -> Result<(), TableError> {
        let Some(tier) = self.meta.tiers.get(tier) else {
            return Ok(());
        };
        let codes = tier.codes.len();
        (0..self.meta.blocks(tier)).into_par_iter().try_for_each(|number| {
            let block = self.read(tier, number)?;
            let greatest = match tier.width() {
                1 => block.iter().max().map(|&rank| usize::from(rank)),
                _ => {
                    let (ranks, _) = block.as_chunks::<2>();
                    ranks.iter().map(|&rank| usize::from(u16::from_le_bytes(rank))).max()
                }
            };
            match greatest {
                Some(rank) if rank >= codes.max(1) => Err(self.no_such_rank(tier, rank)),
                _ => Ok(()),
            }
        })
    }

    /// The indices of a tier's cells with a code, in rising order, found on all cores. Cells that
    /// were not stored may be among them.
    pub fn with_code(&self, tier: usize, code: u16) -> Result<Vec<u64>, TableError> {
        const CHUNK: usize = 64;
        let Some(tier) = self.meta.tiers.get(tier) else {
            return Ok(Vec::new());
        };
        let Some(rank) = tier.codes.iter().position(|&known| known == code) else {
            return Ok(Vec::new());
        };
        let width = tier.width();
        let found: Vec<Vec<u64>> = (0..self.meta.blocks(tier))
            .into_par_iter()
            .map(|number| {
                let block = self.read(tier, number)?;
                let rank = &(rank as u16).to_le_bytes()[..width];
                let mut found = Vec::new();
                for (chunk, bytes) in block.chunks(CHUNK * width).enumerate() {
                    // Most chunks have no such cell, which vectors see at a glance.
                    if !bytes.iter().fold(false, |any, &byte| any | (byte == rank[0])) {
                        continue;
                    }
                    let cells = bytes.chunks(width).enumerate().filter(|&(_, cell)| cell == rank);
                    let first = number * self.meta.block_cells + (chunk * CHUNK) as u64;
                    found.extend(cells.map(|(cell, _)| first + cell as u64));
                }
                Ok(found)
            })
            .collect::<Result<_, TableError>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The description of a section; none if the table has no such section.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.meta.sections.iter().find(|section| section.name == name)
    }

    /// The bytes of a block of a section.
    ///
    /// # Errors
    /// If the block is damaged, or there is none.
    pub fn section_block(&self, section: &Section, number: u64) -> Result<Vec<u8>, TableError> {
        let part = || format!("block {number} of section '{}'", section.name);
        let malformed = |what| self.error(Problem::Malformed(format!("{}: {what}", part())));
        let id = section.first_block.checked_add(number).filter(|_| number < section.blocks);
        let id = id.ok_or_else(|| malformed("there is none"))?;
        let packed = self.packed(id, part)?;
        zstd::bulk::decompress(&packed, section.block_bytes as usize)
            .map_err(|_| malformed("it does not unpack"))
    }

    fn decode(&self, tier: &TierMeta, block: &[u8], cell: usize) -> Result<u16, TableError> {
        self.meaning(tier, rank(tier, block, cell))
    }

    /// The code of a rank.
    fn meaning(&self, tier: &TierMeta, rank: u16) -> Result<u16, TableError> {
        // A tier in which nothing is stored has no codes.
        match tier.codes.get(usize::from(rank)) {
            Some(&code) => Ok(code),
            None if tier.codes.is_empty() => Ok(0),
            None => Err(self.no_such_rank(tier, rank.into())),
        }
    }

    fn no_such_rank(&self, tier: &TierMeta, rank: usize) -> TableError {
        let (name, codes) = (&tier.name, tier.codes.len());
        self.error(Problem::Malformed(format!("tier '{name}' holds rank {rank} of {codes}")))
    }

    /// The ranks of some cells of a block.
    fn ranks<const N: usize>(
        &self,
        tier: &TierMeta,
        number: u64,
        cells: [usize; N],
    ) -> Result<[u16; N], TableError> {
        let id = tier.first_block + number;
        let slot = &self.cache[(id % self.cache.len() as u64) as usize];
        let mut asked = false;
        if let Ok(kept) = slot.read()
            && let Some((kept_id, block)) = &*kept
            && *kept_id == id
        {
            match block {
                Some(block) => return Ok(cells.map(|cell| rank(tier, block, cell))),
                None => asked = true,
            }
        }
        let keep = |block| {
            if let Ok(mut kept) = slot.write() {
                *kept = Some((id, block));
            }
        };
        // Most blocks of a large table are asked once: it is enough then to unpack what is asked for. Those that
        // come from afar are kept at once.
        if !asked
            && matches!(self.directory, Directory::Here(_))
            && let Some(model) = self.model(tier)?
        {
            let packed = self.packed(id, || block_name(tier, id))?;
            let ranks = model.look(&packed, self.meta.block_cells as usize, cells);
            keep(None);
            return ranks.ok_or_else(|| self.does_not_unpack(tier, id));
        }
        let block = self.read(tier, number)?;
        let ranks = cells.map(|cell| rank(tier, &block, cell));
        keep(Some(block));
        Ok(ranks)
    }

    /// Reads, checks and unpacks a block of a tier.
    fn read(&self, tier: &TierMeta, number: u64) -> Result<Vec<u8>, TableError> {
        let id = tier.first_block + number;
        let packed = self.packed(id, || block_name(tier, id))?;
        let block = self.meta.block_cells;
        let cells = (tier.size - number * block).min(block) as usize;
        let unpacked = match self.model(tier)? {
            Some(model) => unpack_by(model, &packed, cells, block as usize, tier.width()),
            None => unpack(&packed, cells, tier.width()),
        };
        unpacked.ok_or_else(|| self.does_not_unpack(tier, id))
    }

    fn does_not_unpack(&self, tier: &TierMeta, id: u64) -> TableError {
        self.error(Problem::Malformed(format!("{} does not unpack", block_name(tier, id))))
    }

    /// How a tier is packed by context; none if it is packed by zstd.
    fn model(&self, tier: &TierMeta) -> Result<Option<&Model>, TableError> {
        let number = self.meta.tiers.iter().position(|other| std::ptr::eq(other, tier));
        let Some(number) = number.filter(|&number| number < self.models.len()) else {
            return Ok(None);
        };
        let cell = &self.models[number];
        if let Some(model) = cell.get() {
            return Ok(model.as_ref());
        }
        let malformed = || {
            let what = format!("how tier '{}' is packed", tier.name);
            self.error(Problem::Malformed(what))
        };
        let section = self.section(MODELS).ok_or_else(malformed)?;
        let bytes = self.section_block(section, number as u64)?;
        let model = match bytes.len() {
            0 => None,
            _ => {
                let block = self.meta.block_cells as usize;
                let model = Model::from_bytes(&bytes, tier.codes.len(), block);
                Some(model.ok_or_else(malformed)?)
            }
        };
        Ok(cell.get_or_init(|| model).as_ref())
    }

    /// Reads and checks the bytes of a block as they are in the file.
    fn packed(&self, id: u64, part: impl Fn() -> String) -> Result<Vec<u8>, TableError> {
        let entry = self.directory.entry(id, &*self.source).map_err(|error| self.error(error))?;
        let none = || self.error(Problem::Malformed(format!("{}: there is none", part())));
        let entry = entry.ok_or_else(none)?;
        let mut packed = vec![0; entry.length as usize];
        self.source.read_at(&mut packed, entry.offset).map_err(|error| self.error(error.into()))?;
        if crc32c::crc32c(&packed) != entry.checksum {
            return Err(self.error(Problem::Damaged { part: part() }));
        }
        Ok(packed)
    }

    fn error(&self, problem: Problem) -> TableError {
        TableError { path: self.path.clone(), problem }
    }
}

/// Reads and checks everything but the blocks.
fn read_frame(source: &dyn Source) -> Result<(Meta, Directory), Problem> {
    let found = source.length()?;
    let mut bytes = [0; HEADER];
    if found < HEADER as u64 {
        return Err(Problem::Foreign);
    }
    source.read_at(&mut bytes, 0)?;
    let header = Header::from_bytes(&bytes)?;
    if header.file_length() != found {
        return Err(Problem::Length { expected: header.file_length(), found });
    }
    let part = |offset: u64, length: u64, checksum: u32, name: &str| {
        let mut bytes = vec![0; length as usize];
        source.read_at(&mut bytes, offset)?;
        if crc32c::crc32c(&bytes) != checksum {
            return Err(Problem::Damaged { part: name.to_owned() });
        }
        Ok(bytes)
    };
    let meta = part(header.meta, header.meta_length, header.meta_checksum, "the description")?;
    let meta: Meta = serde_json::from_slice(&meta)
        .map_err(|error| Problem::Malformed(format!("its description: {error}")))?;
    let directory = if source.near() {
        let length = header.blocks * ENTRY as u64;
        let bytes = part(header.directory, length, header.directory_checksum, "the directory")?;
        Directory::Here(bytes.chunks_exact(ENTRY).map(Entry::from_bytes).collect())
    } else {
        Directory::Far { offset: header.directory, blocks: header.blocks }
    };

    let malformed = |what: &str| Err(Problem::Malformed(what.to_owned()));
    if !BLOCKS.contains(&meta.block_cells) || !meta.block_cells.is_power_of_two() {
        return malformed("the size of its blocks");
    }
    let mut next = 0;
    for tier in &meta.tiers {
        if tier.first_block != next {
            return malformed("its tiers do not follow each other");
        }
        next = meta.blocks(tier).saturating_add(next);
    }
    for section in &meta.sections {
        if section.first_block != next || section.block_bytes > MAX_SECTION_BLOCK {
            return malformed("its sections do not follow each other");
        }
        next = section.blocks.saturating_add(next);
    }
    if next != header.blocks {
        return malformed("its tiers do not fill its blocks");
    }
    if let Directory::Here(entries) = &directory {
        let mut end = HEADER as u64;
        for entry in entries {
            if entry.offset != end {
                return malformed("its blocks do not follow each other");
            }
            end = end.saturating_add(entry.length.into());
        }
        if end != header.directory {
            return malformed("its blocks do not end where its directory begins");
        }
    }
    let meta = meta.with_census_apart();
    meta.check()?;
    Ok((meta, directory))
}
