//! The new positions of each round, kept in a file, and distances read from it.
//!
//! A solver keeps values only. What is new in a round is compressed region by
//! region and appended to a scratch file while the solve goes on; afterwards all
//! rounds of a region are brought together into a byte for each placement. So
//! distances of any board need no memory but the file's directory. Regions
//! without a canonical position are left out.

use crate::index::Index;
use crate::layout::LOW;
use crate::region::REGION;
use crate::rows::Rows;
use crate::solver::{Sink, Solver};
use crate::tile::{Tile, WORDS};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use zstd::bulk::{Compressor, Decompressor};

/// Where the new positions of a region and round are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    round: u8,
    bytes: u32,
    checksum: u32,
    offset: u64,
}

#[derive(Debug)]
struct Store {
    file: File,
    end: u64,
    /// The entries of each region of each king, rounds in rising order.
    entries: Vec<Vec<Entry>>,
    failure: Option<io::Error>,
}

/// A file of the new positions of each round.
pub struct Deltas {
    store: Mutex<Store>,
    kings: usize,
    regions: usize,
    tiles: usize,
    /// Whether the rounds of each region of each king are kept.
    kept: Vec<bool>,
    /// Working memory of threads that are not at work now.
    packers: Mutex<Vec<Packer>>,
    unpackers: Mutex<Vec<Unpacker>>,
}

/// What it takes to pack a region.
struct Packer {
    compressor: Compressor<'static>,
    bits: Vec<u8>,
    packed: Vec<u8>,
}

/// What it takes to unpack one.
struct Unpacker {
    decompressor: Decompressor<'static>,
    packed: Vec<u8>,
    bits: Vec<u8>,
    rows: Rows,
}

/// Scratch data is read again once and soon, so that speed counts most.
const LEVEL: i32 = 1;

/// The most rounds that can be kept.
const MAX_ROUNDS: usize = 254;

/// The number of the code that stands for 'won by the king's side'.
pub const KING_WINS: u8 = 0;

/// The distance a code stands for: plies to the pieces' win with the pieces'
/// side to move, or `None` if the king's side wins.
#[must_use]
pub fn distance(code: u8) -> Option<u16> {
    u16::from(code).checked_sub(1).map(|round| 2 * round + 1)
}

impl Deltas {
    /// Keeps the rounds of a solve in `file`, which is overwritten.
    #[must_use]
    pub fn new(solver: &Solver, file: File) -> Self {
        let all = solver.layout().tiles();
        let (kings, regions) = (solver.kings().len(), all.div_ceil(REGION));
        let entries = vec![Vec::new(); kings * regions];
        let store = Store { file, end: 0, entries, failure: None };
        let index = Index::new(solver.graph());
        let kept = (0..kings).flat_map(|king| (0..regions).map(move |region| (king, region)));
        Self {
            store: Mutex::new(store),
            kings,
            regions,
            tiles: all.min(REGION),
            kept: kept.map(|(king, region)| index.has_canonical(king, region)).collect(),
            packers: Mutex::default(),
            unpackers: Mutex::default(),
        }
    }

    /// Writes the directory, for [`resume`](Self::resume), after making sure
    /// that the file has everything it names.
    ///
    /// # Errors
    /// What the file and the writer return.
    pub fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let store = self.lock();
        store.file.sync_data()?;
        to.write_all(&store.end.to_le_bytes())?;
        for entries in &store.entries {
            to.write_all(&[entries.len() as u8])?;
            for entry in entries {
                to.write_all(&[entry.round])?;
                to.write_all(&entry.bytes.to_le_bytes())?;
                to.write_all(&entry.checksum.to_le_bytes())?;
                to.write_all(&entry.offset.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Goes on with a file whose directory was [saved](Self::save); what was
    /// added since then is cut off.
    ///
    /// # Errors
    /// If the file is shorter than it should be, or cannot be read.
    pub fn resume(solver: &Solver, file: File, from: &mut impl Read) -> io::Result<Self> {
        fn array<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
            let mut bytes = [0; N];
            from.read_exact(&mut bytes)?;
            Ok(bytes)
        }
        let mut deltas = Self::new(solver, file);
        let store = deltas.store.get_mut().unwrap_or_else(PoisonError::into_inner);
        store.end = u64::from_le_bytes(array(from)?);
        if store.file.metadata()?.len() < store.end {
            return Err(io::Error::other("the file of rounds is too short"));
        }
        store.file.set_len(store.end)?;
        for entries in &mut store.entries {
            let [count] = array(from)?;
            for _ in 0..count {
                let [round] = array(from)?;
                let [bytes, checksum] = [array(from)?, array(from)?].map(u32::from_le_bytes);
                let offset = u64::from_le_bytes(array(from)?);
                entries.push(Entry { round, bytes, checksum, offset });
            }
        }
        Ok(deltas)
    }

    /// How many kings have a map.
    #[must_use]
    pub fn kings(&self) -> usize {
        self.kings
    }

    /// How many blocks [`codes`](Self::codes) can be asked for, for each king.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.regions
    }

    /// How many placements a block has.
    #[must_use]
    pub fn block_size(&self) -> usize {
        self.tiles << LOW
    }

    /// The bytes of the file so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.lock().end
    }

    /// Tells whether everything was written so far; to be asked after each round.
    ///
    /// # Errors
    /// The first error since the last call.
    pub fn check(&self) -> io::Result<()> {
        self.lock().failure.take().map_or(Ok(()), Err)
    }

    /// The codes of a block's placements in the order of their index: see
    /// [`distance`]. Any thread may ask for any block.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn codes(&self, king: usize, block: usize) -> io::Result<Vec<u8>> {
        let mut codes = vec![KING_WINS; self.block_size()];
        self.numbers(king, block, &std::array::from_fn(|code| code as u8), &mut codes, |_, _| ())?;
        Ok(codes)
    }

    /// As [`codes`](Self::codes), but each code replaced by its entry in
    /// `number`. `found` is told the map of the positions that each round
    /// found won in the block.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn numbers(
        &self,
        king: usize,
        block: usize,
        number: &[u8; 256],
        out: &mut [u8],
        mut found: impl FnMut(u8, &[u8]),
    ) -> io::Result<()> {
        let mut unpacker = match take(&self.unpackers) {
            Some(unpacker) => unpacker,
            None => Unpacker {
                decompressor: Decompressor::new()?,
                packed: Vec::new(),
                bits: vec![0; self.block_size() / 8],
                rows: Rows::default(),
            },
        };
        let base = number[usize::from(KING_WINS)];
        unpacker.rows.clear(self.block_size() / 8);
        let entries = self.lock().entries[king * self.regions + block].clone();
        for entry in entries {
            unpacker.packed.resize(entry.bytes as usize, 0);
            {
                let file = &mut self.lock().file;
                file.seek(SeekFrom::Start(entry.offset))?;
                file.read_exact(&mut unpacker.packed)?;
            }
            if crc32c::crc32c(&unpacker.packed) != entry.checksum {
                return Err(io::Error::other("damaged: a checksum is wrong"));
            }
            unpacker.decompressor.decompress_to_buffer(&unpacker.packed, &mut unpacker.bits[..])?;
            found(entry.round, &unpacker.bits);
            unpacker.rows.add(&unpacker.bits, number[usize::from(entry.round) + 1] ^ base);
        }
        unpacker.rows.write(base, out);
        give(&self.unpackers, unpacker);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Packer {
    fn pack(&mut self, tiles: &[Tile]) -> io::Result<&[u8]> {
        self.bits.resize(tiles.len() * WORDS * 8, 0);
        let (words, _) = self.bits.as_chunks_mut::<8>();
        for (bytes, word) in words.iter_mut().zip(tiles.iter().flat_map(|tile| &tile.0)) {
            *bytes = word.to_le_bytes();
        }
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(self.bits.len()));
        self.compressor.compress_to_buffer(&self.bits, &mut self.packed)?;
        Ok(&self.packed)
    }
}

impl Sink for Deltas {
    fn region(&self, round: usize, king: usize, region: usize, tiles: &[Tile]) {
        let number = king * self.regions + region;
        if !self.kept[number] {
            return;
        }
        let outcome = (|| {
            if round >= MAX_ROUNDS {
                return Err(io::Error::other("too many rounds for a byte"));
            }
            let mut packer = match take(&self.packers) {
                Some(packer) => packer,
                None => Packer {
                    compressor: Compressor::new(LEVEL)?,
                    bits: Vec::new(),
                    packed: Vec::new(),
                },
            };
            let packed = packer.pack(tiles)?;
            let checksum = crc32c::crc32c(packed);
            let mut store = self.lock();
            let offset = store.end;
            store.file.seek(SeekFrom::Start(offset))?;
            store.file.write_all(packed)?;
            store.end += packed.len() as u64;
            let (round, bytes) = (round as u8, packed.len() as u32);
            store.entries[number].push(Entry { round, bytes, checksum, offset });
            drop(store);
            give(&self.packers, packer);
            Ok(())
        })();
        if let Err(error) = outcome {
            self.lock().failure.get_or_insert(error);
        }
    }
}

/// Takes something out of a pool.
fn take<T>(pool: &Mutex<Vec<T>>) -> Option<T> {
    pool.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

/// Puts it back.
fn give<T>(pool: &Mutex<Vec<T>>, thing: T) {
    pool.lock().unwrap_or_else(PoisonError::into_inner).push(thing);
}
