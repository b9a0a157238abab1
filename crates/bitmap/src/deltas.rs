//! The new positions of each round, kept in a file, and distances read from it.
//!
//! A solver keeps values only. What is new in a round is compressed region by
//! region and appended to a scratch file while the solve goes on; afterwards all
//! rounds of a region are brought together into a byte for each placement. So
//! distances of any board need no memory but the file's directory.

use crate::layout::LOW;
use crate::region::REGION;
use crate::solver::{Sink, Solver};
use crate::tile::{Tile, WORDS};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where the new positions of a region and round are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    round: u8,
    bytes: u32,
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
#[derive(Debug)]
pub struct Deltas {
    store: Mutex<Store>,
    kings: usize,
    regions: usize,
    tiles: usize,
}

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
        Self { store: Mutex::new(store), kings, regions, tiles: all.min(REGION) }
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
                let bytes = u32::from_le_bytes(array(from)?);
                entries.push(Entry { round, bytes, offset: u64::from_le_bytes(array(from)?) });
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
        let mut bits = Vec::new();
        for (round, packed) in self.packed(king, block)? {
            bits.clear();
            zstd::stream::copy_decode(&packed[..], &mut bits)?;
            for (word, bytes) in bits.chunks_exact(8).enumerate() {
                let mut word_bits = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
                while word_bits != 0 {
                    codes[word * 64 + word_bits.trailing_zeros() as usize] = round + 1;
                    word_bits &= word_bits - 1;
                }
            }
        }
        Ok(codes)
    }

    fn packed(&self, king: usize, block: usize) -> io::Result<Vec<(u8, Vec<u8>)>> {
        let mut store = self.lock();
        let entries = store.entries[king * self.regions + block].clone();
        entries
            .into_iter()
            .map(|entry| {
                let mut packed = vec![0; entry.bytes as usize];
                store.file.seek(SeekFrom::Start(entry.offset))?;
                store.file.read_exact(&mut packed)?;
                Ok((entry.round, packed))
            })
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for Deltas {
    fn region(&self, round: usize, king: usize, region: usize, tiles: &[Tile]) {
        let mut bytes = Vec::with_capacity(tiles.len() * WORDS * 8);
        for word in tiles.iter().flat_map(|t| t.0) {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        let packed = if round < MAX_ROUNDS {
            zstd::bulk::compress(&bytes, 1)
        } else {
            Err(io::Error::other("too many rounds for a byte"))
        };
        let mut store = self.lock();
        let outcome = packed.and_then(|packed| {
            let offset = store.end;
            store.file.seek(SeekFrom::Start(offset))?;
            store.file.write_all(&packed)?;
            store.end += packed.len() as u64;
            let entry = Entry { round: round as u8, bytes: packed.len() as u32, offset };
            store.entries[king * self.regions + region].push(entry);
            Ok(())
        });
        if let Err(error) = outcome {
            store.failure.get_or_insert(error);
        }
    }
}
