//! Checkpoints: what a solve has found so far, in a directory of its own.
//!
//! `state.json` says where the solve stands and is written last; `tier-N-R` holds the cells of tier
//! N as they were before round R. A file is written under another name and renamed when it is
//! whole, and older files are removed after that, so that a crash at any time leaves a checkpoint
//! that is whole. A file of cells begins with what it is of, and each of its chunks has a checksum
//! of all before it, so that no damaged or foreign part is believed. If `state.json` is damaged, the
//! solve goes on from the newest file that is whole; without it, nothing else is believed.

use crate::SolveError;
use kanzen_machine::files;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use zstd::bulk::{Compressor, Decompressor};

/// The version of the files.
const VERSION: u32 = 4;

/// Cells in a compressed chunk, at the most.
pub const CHUNK: usize = 1 << 19;

/// Where a solve stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Names the game, its variant and the version of its index.
    pub key: String,
    /// The tier being solved; the ones before it are done.
    pub tier: usize,
    /// The next round of that tier; none if it has not begun.
    pub round: Option<u16>,
}

/// How a state is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    state: State,
    checksum: u32,
}

impl State {
    fn checksum(&self) -> u32 {
        crc32c::crc32c(format!("{} {} {:?}", self.key, self.tier, self.round).as_bytes())
    }
}

/// The blocks of a file, one after the other.
pub type Blocks = Box<dyn Iterator<Item = Result<Vec<u8>, SolveError>>>;

/// The cells of a tier, some at a time.
pub type Chunks = Box<dyn Iterator<Item = Result<Vec<u16>, SolveError>> + Send>;

/// A directory that holds the state of a solve.
///
/// ```
/// use kanzen_solve::Checkpoint;
///
/// let dir = tempfile::tempdir()?;
/// let checkpoint = Checkpoint::new(dir.path().join("nim"), "nim (index version 1)");
/// checkpoint.write_tier(0, None, [4, 0, 5].into_iter())?;
/// checkpoint.write_state(1, None)?;
/// assert_eq!(checkpoint.read_tier(0, None, 3)?, [4, 0, 5]);
/// checkpoint.remove()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoint {
    dir: PathBuf,
    key: String,
}

impl Checkpoint {
    /// The checkpoint of what `key` names: the game, its variant, the version of its index, and the
    /// engine with its version.
    pub fn new(dir: impl Into<PathBuf>, key: impl Into<String>) -> Checkpoint {
        Checkpoint { dir: dir.into(), key: key.into() }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What names the game.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Removes the checkpoint, if there is one: first what says where the solve stands, so that no
    /// rest of it is ever believed.
    pub fn remove(&self) -> Result<(), SolveError> {
        files::remove(&self.state_path())
            .and_then(|()| files::remove(&self.dir))
            .map_err(SolveError::io(&self.dir))
    }

    fn state_path(&self) -> PathBuf {
        self.dir.join("state.json")
    }

    /// Where the solve stands, if there is a checkpoint.
    pub fn state(&self) -> Result<Option<State>, SolveError> {
        let path = self.state_path();
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SolveError::io(path)(error)),
        };
        let Ok(Kept { state, checksum }) = serde_json::from_slice(&text) else {
            return Ok(self.newest());
        };
        if checksum != state.checksum() {
            return Ok(self.newest());
        }
        if state.key != self.key {
            let text = format!("it is of {}, not of {}", state.key, self.key);
            return Err(problem(&path, text));
        }
        Ok(Some(state))
    }

    /// Where the solve stands by the files that are whole; none if there are none.
    fn newest(&self) -> Option<State> {
        let is_whole = |tier: usize, round: Option<u16>| {
            read_cells(&self.tier_path(tier, round), &self.head(tier, round), |_| Ok(())).is_ok()
        };
        let tier = (0..).find(|&tier| !is_whole(tier, None))?;
        let prefix = format!("tier-{tier}-");
        let names = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let rounds = names.filter_map(|entry| {
            entry.file_name().to_str()?.strip_prefix(&prefix)?.parse::<u16>().ok()
        });
        let round = rounds.filter(|&round| is_whole(tier, Some(round))).max();
        let some = tier > 0 || round.is_some();
        some.then(|| State { key: self.key.clone(), tier, round })
    }

    /// Writes the cells of a tier as they are before a round; none if the tier is done.
    pub fn write_tier(
        &self,
        tier: usize,
        round: Option<u16>,
        cells: impl Iterator<Item = u16>,
    ) -> Result<(), SolveError> {
        files::create_dir(&self.dir).map_err(SolveError::io(&self.dir))?;
        let path = self.tier_path(tier, round);
        files::replace(&path, |file| write_cells(file, &self.head(tier, round), cells))
            .map_err(SolveError::io(&path))
    }

    /// Says where the solve stands, and drops the cells of older rounds.
    pub fn write_state(&self, tier: usize, round: Option<u16>) -> Result<(), SolveError> {
        let state = State { key: self.key.clone(), tier, round };
        let path = self.state_path();
        let kept = Kept { checksum: state.checksum(), state };
        let text = serde_json::to_string_pretty(&kept).expect("a state is plain data");
        files::create_dir(&self.dir)
            .and_then(|()| files::replace(&path, |file| file.write_all(text.as_bytes())))
            .map_err(SolveError::io(&path))?;
        let keep = |name: &str| {
            name == "state.json"
                || name == "positions"
                || (0..tier).any(|done| name == file_name(done, None))
                || round.is_some() && name == file_name(tier, round)
        };
        for entry in fs::read_dir(&self.dir).map_err(SolveError::io(&self.dir))? {
            let entry = entry.map_err(SolveError::io(&self.dir))?;
            if !entry.file_name().to_str().is_some_and(keep) {
                fs::remove_file(entry.path()).map_err(SolveError::io(entry.path()))?;
            }
        }
        Ok(())
    }

    /// Reads what [`write_tier`](Checkpoint::write_tier) wrote.
    pub fn read_tier(
        &self,
        tier: usize,
        round: Option<u16>,
        size: u64,
    ) -> Result<Vec<u16>, SolveError> {
        let mut cells = Vec::new();
        self.scan_tier(tier, round, size, |some| cells.extend(some))?;
        Ok(cells)
    }

    /// Calls `each` with what [`write_tier`](Checkpoint::write_tier) wrote, some cells at a time
    /// and in order: for tiers that are too large to have in memory twice.
    pub fn scan_tier(
        &self,
        tier: usize,
        round: Option<u16>,
        size: u64,
        mut each: impl FnMut(&[u16]),
    ) -> Result<(), SolveError> {
        let path = self.tier_path(tier, round);
        let mut found = 0;
        let count = |cells: &[u16]| {
            found += cells.len() as u64;
            if found > size {
                return Err(io::Error::other(format!("more than {size} cells")));
            }
            each(cells);
            Ok(())
        };
        read_cells(&path, &self.head(tier, round), count)
            .map_err(|error| problem(&path, error.to_string()))?;
        if found != size {
            return Err(problem(&path, format!("{found} cells instead of {size}")));
        }
        Ok(())
    }

    /// What [`write_tier`](Checkpoint::write_tier) wrote of a tier that is done, a chunk at a time.
    ///
    /// # Errors
    /// If there is no such file, or it is of something else.
    pub fn tier_chunks(&self, tier: usize) -> Result<Chunks, SolveError> {
        let path = self.tier_path(tier, None);
        let mut next = chunks(&path, &self.head(tier, None))
            .map_err(|error| problem(&path, error.to_string()))?;
        let next = move || next().map_err(|error| problem(&path, error.to_string())).transpose();
        Ok(Box::new(std::iter::from_fn(next)))
    }

    /// Writes blocks of bytes under a name of their own, if the directory is still there: tells whether
    /// it is. They are not forced to the disk: who reads them soon can do without them.
    pub fn leave_blocks(
        &self,
        name: &str,
        blocks: impl Iterator<Item = Vec<u8>>,
    ) -> Result<bool, SolveError> {
        let path = self.dir.join(name);
        let beside = self.dir.join(format!("{name}.new"));
        let write = || {
            let mut file = io::BufWriter::new(File::create(&beside)?);
            let mut chain = Chain::default();
            chain.write(&mut file, self.name_head(name).as_bytes())?;
            for block in blocks {
                chain.write(&mut file, &block)?;
            }
            chain.write(&mut file, b"end")?;
            file.into_inner()?;
            fs::rename(&beside, &path)
        };
        match write() {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(SolveError::io(&path)(error)),
        }
    }

    /// What somebody has [left](Checkpoint::leave_blocks), which is removed; none if it is not there.
    pub fn take_blocks(&self, name: &str) -> Result<Option<Vec<Vec<u8>>>, SolveError> {
        let path = self.dir.join(name);
        let mut file = match File::open(&path) {
            Ok(file) => BufReader::new(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SolveError::io(path)(error)),
        };
        let mut chain = Chain::default();
        let mut read = || {
            read_head(&mut chain, &mut file, &self.name_head(name))?;
            let mut blocks = Vec::new();
            loop {
                match chain.read(&mut file, MAX_BLOCK)?.ok_or_else(damaged)? {
                    end if end == b"end" => return Ok(blocks),
                    block => blocks.push(block),
                }
            }
        };
        let blocks = read().map_err(|error: io::Error| problem(&path, error.to_string()))?;
        self.remove_file(name)?;
        Ok(Some(blocks))
    }

    /// Writes blocks of bytes under a name of their own.
    pub fn write_blocks(
        &self,
        name: &str,
        blocks: impl Iterator<Item = Vec<u8>>,
    ) -> Result<(), SolveError> {
        files::create_dir(&self.dir).map_err(SolveError::io(&self.dir))?;
        let path = self.dir.join(name);
        let write = |file: &mut io::BufWriter<File>| {
            let (mut chain, mut compressor) = (Chain::default(), Compressor::new(1)?);
            chain.write(file, self.name_head(name).as_bytes())?;
            for block in blocks {
                chain.write(file, &compressor.compress(&block)?)?;
            }
            // Without its last piece, a file is cut off.
            chain.write(file, b"end")
        };
        files::replace(&path, write).map_err(SolveError::io(&path))
    }

    /// Reads what [`write_blocks`](Checkpoint::write_blocks) wrote; none if there is no such file.
    pub fn read_blocks(&self, name: &str) -> Result<Option<Blocks>, SolveError> {
        let Some(mut packed) = self.packed_blocks(name)? else { return Ok(None) };
        let path = self.dir.join(name);
        let mut decompressor = Decompressor::new().map_err(SolveError::io(&path))?;
        let mut next = move || {
            let packed = packed.next()?;
            let unpack = |packed: Vec<u8>| {
                let block = decompressor.decompress(&packed, MAX_BLOCK as usize);
                block.map_err(|error| problem(&path, error.to_string()))
            };
            Some(packed.and_then(unpack))
        };
        let mut over = false;
        Ok(Some(Box::new(std::iter::from_fn(move || {
            let block = if over { None } else { next() };
            over = !matches!(block, Some(Ok(_)));
            block
        }))))
    }

    /// The blocks of [`read_blocks`](Checkpoint::read_blocks) as they are in the file, compressed.
    fn packed_blocks(&self, name: &str) -> Result<Option<Blocks>, SolveError> {
        let path = self.dir.join(name);
        let mut file = match File::open(&path) {
            Ok(file) => BufReader::new(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SolveError::io(path)(error)),
        };
        let mut chain = Chain::default();
        read_head(&mut chain, &mut file, &self.name_head(name))
            .map_err(|error| problem(&path, error.to_string()))?;
        let mut next = move || {
            let piece = chain.read(&mut file, MAX_BLOCK)?.ok_or_else(damaged)?;
            Ok((piece != b"end").then_some(piece))
        };
        let mut over = false;
        Ok(Some(Box::new(std::iter::from_fn(move || {
            if over {
                return None;
            }
            let block = next().map_err(|error: io::Error| problem(&path, error.to_string()));
            over = !matches!(block, Ok(Some(_)));
            block.transpose()
        }))))
    }

    /// Makes the file of a tier that is done of [blocks](Checkpoint::write_blocks) of its cells, as
    /// [`bytes_of`] makes them of at most [`CHUNK`] cells: for each block the name of the file that has it
    /// next.
    pub fn join_tier<'a>(
        &self,
        tier: usize,
        names: &'a [String],
        order: impl Iterator<Item = usize> + 'a,
    ) -> Result<(), SolveError> {
        let missing = |name: &String| problem(&self.dir.join(name), "it is missing".to_owned());
        let open = |name: &String| self.packed_blocks(name)?.ok_or_else(|| missing(name));
        let mut parts: Vec<Blocks> = names.iter().map(open).collect::<Result<_, _>>()?;
        let path = self.tier_path(tier, None);
        let mut bad = None;
        let joined = files::replace(&path, |file| {
            let mut chain = Chain::default();
            chain.write(file, self.head(tier, None).as_bytes())?;
            for part in order {
                match parts[part].next().unwrap_or_else(|| Err(self.damaged(&names[part]))) {
                    Ok(block) => chain.write(file, &block)?,
                    Err(error) => {
                        bad = Some(error);
                        return Err(damaged());
                    }
                }
            }
            Ok(())
        });
        if let Some(error) = bad {
            return Err(error);
        }
        joined.map_err(SolveError::io(&path))?;
        match parts.iter_mut().position(|part| part.next().is_some()) {
            Some(part) => Err(self.damaged(&names[part])),
            None => Ok(()),
        }
    }

    /// Says that a file of blocks holds what it cannot.
    pub fn damaged(&self, name: &str) -> SolveError {
        problem(&self.dir.join(name), damaged().to_string())
    }

    /// Removes a file of blocks, if it is there.
    pub fn remove_file(&self, name: &str) -> Result<(), SolveError> {
        let path = self.dir.join(name);
        files::remove(&path).map_err(SolveError::io(&path))
    }

    fn name_head(&self, name: &str) -> String {
        format!("version {VERSION}, {}, {name}", self.key)
    }

    /// What a file of cells begins with.
    fn head(&self, tier: usize, round: Option<u16>) -> String {
        let round = round.map_or("done".to_owned(), |round| format!("before round {round}"));
        format!("version {VERSION}, {}, tier {tier}, {round}", self.key)
    }

    fn tier_path(&self, tier: usize, round: Option<u16>) -> PathBuf {
        self.dir.join(file_name(tier, round))
    }
}

fn file_name(tier: usize, round: Option<u16>) -> String {
    match round {
        Some(round) => format!("tier-{tier}-{round}"),
        None => format!("tier-{tier}-done"),
    }
}

fn problem(path: &Path, problem: String) -> SolveError {
    SolveError::Checkpoint { path: path.to_owned(), problem }
}

/// The longest head that is believed.
const MAX_HEAD: u32 = 1 << 12;

/// The longest block of bytes that is believed, packed or not.
const MAX_BLOCK: u32 = 1 << 22;

/// Reads the head of a file, and refuses any other.
fn read_head(chain: &mut Chain, file: &mut impl Read, head: &str) -> io::Result<()> {
    let found = chain.read(file, MAX_HEAD)?.ok_or_else(damaged)?;
    if found != head.as_bytes() {
        let found = String::from_utf8_lossy(&found).into_owned();
        return Err(io::Error::other(format!("it is of '{found}', not of '{head}'")));
    }
    Ok(())
}

/// Writes a head, then compressed chunks, each with its length and a checksum of everything up to
/// its end. Some are compressed at a time, on all threads.
fn write_cells(
    file: &mut impl Write,
    head: &str,
    cells: impl Iterator<Item = u16>,
) -> io::Result<()> {
    const BATCH: usize = 16;
    let mut chain = Chain::default();
    chain.write(file, head.as_bytes())?;
    let mut cells = cells.peekable();
    while cells.peek().is_some() {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH && cells.peek().is_some() {
            let mut chunk = Vec::with_capacity(CHUNK);
            chunk.extend(cells.by_ref().take(CHUNK));
            batch.push(chunk);
        }
        let pack = |chunk: Vec<u16>| zstd::bulk::compress(&bytes_of(&chunk), 1);
        let packed: Vec<io::Result<Vec<u8>>> = batch.into_par_iter().map(pack).collect();
        for packed in packed {
            chain.write(file, &packed?)?;
        }
    }
    Ok(())
}

/// Calls `each` with the cells of one chunk after the other.
fn read_cells(
    path: &Path,
    head: &str,
    mut each: impl FnMut(&[u16]) -> io::Result<()>,
) -> io::Result<()> {
    let mut next = chunks(path, head)?;
    while let Some(cells) = next()? {
        each(&cells)?;
    }
    Ok(())
}

/// What reads the cells of one chunk after the other.
fn chunks(
    path: &Path,
    head: &str,
) -> io::Result<impl FnMut() -> io::Result<Option<Vec<u16>>> + use<>> {
    let mut file = BufReader::new(File::open(path)?);
    let mut chain = Chain::default();
    read_head(&mut chain, &mut file, head)?;
    let mut decompressor = Decompressor::new()?;
    Ok(move || {
        let Some(packed) = chain.read(&mut file, MAX_BLOCK)? else { return Ok(None) };
        let bytes = decompressor.decompress(&packed, 2 * CHUNK)?;
        Ok(Some(cells_of(&bytes)))
    })
}

/// The low bytes of cells, then the high ones: apart they are packed sooner, and smaller.
pub fn bytes_of(cells: &[u16]) -> Vec<u8> {
    let low = cells.iter().map(|&cell| cell as u8);
    low.chain(cells.iter().map(|&cell| (cell >> 8) as u8)).collect()
}

/// The cells of [`bytes_of`].
pub fn cells_of(bytes: &[u8]) -> Vec<u16> {
    let (low, high) = bytes.split_at(bytes.len() / 2);
    low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high])).collect()
}

fn damaged() -> io::Error {
    io::Error::other("damaged")
}

/// The checksum of what was written or read so far.
#[derive(Default)]
struct Chain(u32);

impl Chain {
    /// Writes a piece after its length and checksum.
    fn write(&mut self, to: &mut impl Write, piece: &[u8]) -> io::Result<()> {
        let length = (piece.len() as u32).to_le_bytes();
        self.add(length, piece);
        to.write_all(&length)?;
        to.write_all(&self.0.to_le_bytes())?;
        to.write_all(piece)
    }

    /// Reads what [`write`](Chain::write) wrote, of at most so many bytes; none at the end.
    fn read(&mut self, from: &mut impl Read, most: u32) -> io::Result<Option<Vec<u8>>> {
        let (mut length, mut checksum) = ([0; 4], [0; 4]);
        match from.read(&mut length[..1])? {
            0 => return Ok(None),
            _ => from.read_exact(&mut length[1..])?,
        }
        from.read_exact(&mut checksum)?;
        let mut piece = Vec::new();
        let expected = u32::from_le_bytes(length);
        from.take(expected.min(most).into()).read_to_end(&mut piece)?;
        self.add(length, &piece);
        if piece.len() != expected as usize || self.0 != u32::from_le_bytes(checksum) {
            return Err(damaged());
        }
        Ok(Some(piece))
    }

    fn add(&mut self, length: [u8; 4], piece: &[u8]) {
        self.0 = crc32c::crc32c_append(crc32c::crc32c_append(self.0, &length), piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_survives_and_damage_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint::new(dir.path().join("part"), "game 1");
        assert_eq!(checkpoint.state().unwrap(), None);
        let cells: Vec<u16> = (0..CHUNK as u32 + 5).map(|i| i.wrapping_mul(i) as u16).collect();
        checkpoint.write_tier(0, Some(3), cells.iter().copied()).unwrap();
        checkpoint.write_state(0, Some(3)).unwrap();
        checkpoint.write_tier(0, Some(4), cells.iter().copied()).unwrap();
        checkpoint.write_state(0, Some(4)).unwrap();
        let size = cells.len() as u64;
        assert_eq!(checkpoint.state().unwrap().unwrap().round, Some(4));
        assert_eq!(checkpoint.read_tier(0, Some(4), size).unwrap(), cells);
        assert!(checkpoint.read_tier(0, Some(3), size).is_err(), "dropped");
        assert!(checkpoint.read_tier(0, Some(4), size + 1).is_err(), "wrong size");

        let other = Checkpoint::new(dir.path().join("part"), "game 2");
        assert!(other.state().unwrap_err().to_string().contains("game 1"));
        let path = dir.path().join("part").join("tier-0-4");
        let mut bytes = fs::read(&path).unwrap();
        bytes[100] ^= 1;
        fs::write(&path, bytes).unwrap();
        let error = checkpoint.read_tier(0, Some(4), size).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");

        // A file of another round, tier or game under the right name is not believed.
        checkpoint.write_tier(0, Some(3), cells.iter().copied()).unwrap();
        for name in ["tier-0-4", "tier-1-3"] {
            fs::copy(path.with_file_name("tier-0-3"), path.with_file_name(name)).unwrap();
        }
        for (tier, round) in [(0, 4), (1, 3)] {
            let error = checkpoint.read_tier(tier, Some(round), size).unwrap_err().to_string();
            assert!(error.contains("before round 3"), "{error}");
        }
        assert!(other.read_tier(0, Some(3), size).is_err(), "another game");
        checkpoint.remove().unwrap();
        checkpoint.remove().unwrap();
        assert_eq!(checkpoint.state().unwrap(), None);
    }
}
