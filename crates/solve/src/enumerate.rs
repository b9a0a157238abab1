//! Finding every position that can arise from the start, by the rules alone.
//!
//! Breadth first: the positions of a ply are expanded on all threads, and the keys that nobody has
//! seen are the next ply. Where keys are dense, a bit map knows which were seen; else they are in
//! sets of plain numbers. In the end the keys are sorted, so that the same game always gives
//! positions the same numbers, and packed.
//!
//! On the way the rules are looked over: a sample of the positions must be read back from their
//! keys and notation, have images with the same moves, and have a move or an end.

use crate::checkpoint::{Blocks, Checkpoint};
use crate::{Job, SolveError};
use kanzen_core::Next;
use kanzen_index::{KEY_BLOCK, Keyed, Keys, decode_keys, encode_keys};
use kanzen_machine::{AtomicBits, Ring};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Positions that a thread expands at a time.
const CHUNK: usize = 4096;
/// Positions that are expanded between two looks at the clock.
const SLICE: usize = 1 << 20;
/// Positions that are looked over, all of the first ones and then one in so many.
const LOOKED_OVER: u64 = 200;
const SAMPLED: u64 = 4096;
/// Sets of seen keys, each with a lock of its own.
const SHARDS: usize = 64;
/// Keys that wait for a set's lock together.
const BATCH: usize = 64;
/// The names of a checkpoint's files: what was found so far, and what there is.
const SEARCH: &str = "search";
const POSITIONS: &str = "positions";

/// The keys of all positions that can arise, one for each set of images.
///
/// # Errors
/// If the rules contradict themselves, the positions do not fit the memory, the search is stopped,
/// or its checkpoint cannot be used.
pub fn enumerate<G: Keyed>(
    game: &G,
    job: &Job<'_>,
    checkpoint: Option<&Checkpoint>,
) -> Result<Keys, SolveError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(job.threads)
        .build()?
        .install(|| start(game, job, checkpoint, u64::MAX).map(|found| found.keys))
}

/// What a search has found.
pub(crate) struct Found {
    pub(crate) keys: Keys,
    /// Whether that is all there is.
    pub(crate) complete: bool,
    /// The positions first seen after each number of plies.
    pub(crate) plies: Vec<u64>,
}

/// Finds positions until there are no more, or more than `most`.
pub(crate) fn start<G: Keyed>(
    game: &G,
    job: &Job<'_>,
    checkpoint: Option<&Checkpoint>,
    most: u64,
) -> Result<Found, SolveError> {
    let limit = game.key_limit();
    // A bit for each possible key may take a quarter of the memory, and half a gigabyte.
    let marked = limit <= 1 << 20 || limit / 8 <= u128::from(job.memory / 4) && limit <= 1 << 32;
    if marked && most == u64::MAX || limit <= 1 << 20 {
        let bits = AtomicBits::new(limit as u64);
        Search::<G, u64, _>::new(game, job, checkpoint, most, bits).run()
    } else if limit <= 1 << 64 {
        Search::<G, u64, _>::new(game, job, checkpoint, most, Shards::default()).run()
    } else {
        Search::<G, u128, _>::new(game, job, checkpoint, most, Shards::default()).run()
    }
}

/// A key as it is kept.
trait Word: Copy + Eq + Ord + Hash + Default + Send + Sync {
    fn of(key: u128) -> Self;
    fn key(self) -> u128;
}

impl Word for u64 {
    fn of(key: u128) -> u64 {
        key as u64
    }
    fn key(self) -> u128 {
        self.into()
    }
}

impl Word for u128 {
    fn of(key: u128) -> u128 {
        key
    }
    fn key(self) -> u128 {
        self
    }
}

/// The keys that were seen.
trait Seen<K>: Sync {
    /// Adds keys, and appends those that are new to `fresh`.
    fn add(&self, keys: impl Iterator<Item = K>, fresh: &mut Vec<K>);
    /// How many there are.
    fn len(&self) -> u64;
    /// Bytes that they take.
    fn bytes(&self) -> u64;
    /// All of them in rising order.
    fn sorted(&self) -> Vec<K>;
    /// All of them, packed.
    fn pack(self, limit: u128) -> Keys;
}

impl Seen<u64> for AtomicBits {
    fn add(&self, keys: impl Iterator<Item = u64>, fresh: &mut Vec<u64>) {
        let mut waiting: Ring<u64, 16> = Ring::new(0);
        let mut see = |key: u64| {
            if self.set(key) {
                fresh.push(key);
            }
        };
        for key in keys {
            self.prefetch(key);
            if let Some(key) = waiting.push(key) {
                see(key);
            }
        }
        waiting.drain().for_each(see);
    }

    fn len(&self) -> u64 {
        self.words().par_iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
    }

    fn bytes(&self) -> u64 {
        8 * self.words().len() as u64
    }

    fn sorted(&self) -> Vec<u64> {
        self.numbers(0..u64::MAX).collect()
    }

    fn pack(mut self, limit: u128) -> Keys {
        let len = self.len();
        if limit <= 64 * u128::from(len) {
            Keys::marked(self.words_mut().map(|word| *word).collect())
        } else {
            Keys::new(self.numbers(0..u64::MAX).map(u128::from), len, limit)
        }
    }
}

/// Keys in sets, by their hashes.
struct Shards<K>(Vec<Mutex<HashSet<K, FxBuildHasher>>>);

impl<K> Default for Shards<K> {
    fn default() -> Shards<K> {
        Shards((0..SHARDS).map(|_| Mutex::default()).collect())
    }
}

impl<K: Word> Shards<K> {
    fn put(&self, shard: usize, keys: &mut Vec<K>, fresh: &mut Vec<K>) {
        let mut set = self.0[shard].lock().unwrap_or_else(PoisonError::into_inner);
        fresh.extend(keys.drain(..).filter(|&key| set.insert(key)));
    }
}

impl<K: Word> Seen<K> for Shards<K> {
    fn add(&self, keys: impl Iterator<Item = K>, fresh: &mut Vec<K>) {
        let mut waiting: Vec<Vec<K>> = vec![Vec::new(); SHARDS];
        for key in keys {
            // The set itself uses the lower bits.
            let shard = (FxBuildHasher.hash_one(key) >> 50) as usize % SHARDS;
            waiting[shard].push(key);
            if waiting[shard].len() == BATCH {
                self.put(shard, &mut waiting[shard], fresh);
            }
        }
        (0..).zip(&mut waiting).for_each(|(shard, keys)| self.put(shard, keys, fresh));
    }

    fn len(&self) -> u64 {
        let len = |set: &Mutex<HashSet<K, _>>| match set.lock() {
            Ok(set) => set.len() as u64,
            Err(_) => 0,
        };
        self.0.iter().map(len).sum()
    }

    fn bytes(&self) -> u64 {
        let room = |set: &Mutex<HashSet<K, _>>| set.lock().map_or(0, |set| set.capacity() as u64);
        // A set that is as full as it may be has 8 places for 7 keys, each with a byte more.
        let places: u64 = self.0.iter().map(room).sum::<u64>() / 7 * 8;
        places * (size_of::<K>() as u64 + 1)
    }

    fn sorted(&self) -> Vec<K> {
        let mut all = Vec::with_capacity(self.len() as usize);
        for set in &self.0 {
            all.extend(set.lock().unwrap_or_else(PoisonError::into_inner).iter());
        }
        all.par_sort_unstable();
        all
    }

    fn pack(self, limit: u128) -> Keys {
        let mut all = Vec::with_capacity(self.len() as usize);
        for set in self.0 {
            all.extend(set.into_inner().unwrap_or_else(PoisonError::into_inner));
        }
        all.par_sort_unstable();
        Keys::new(all.iter().map(|word| word.key()), all.len() as u64, limit)
    }
}

/// A search on its way.
struct Search<'a, G, K, S> {
    game: &'a G,
    job: &'a Job<'a>,
    checkpoint: Option<&'a Checkpoint>,
    most: u64,
    seen: S,
    /// Positions that are still to be expanded.
    pending: Vec<K>,
    plies: Vec<u64>,
    looked_over: AtomicU64,
    saved: Instant,
}

impl<'a, G: Keyed, K: Word, S: Seen<K>> Search<'a, G, K, S> {
    fn new(
        game: &'a G,
        job: &'a Job<'a>,
        checkpoint: Option<&'a Checkpoint>,
        most: u64,
        seen: S,
    ) -> Self {
        Search {
            game,
            job,
            checkpoint,
            most,
            seen,
            pending: Vec::new(),
            plies: Vec::new(),
            looked_over: AtomicU64::new(0),
            saved: Instant::now(),
        }
    }

    fn run(mut self) -> Result<Found, SolveError> {
        let limit = self.game.key_limit();
        if let Some(keys) = self.finished()? {
            return Ok(Found { keys, complete: true, plies: Vec::new() });
        }
        if !self.resume()? {
            let start = self.game.start();
            let mut first = Vec::new();
            let key = self.key(&start, &start)?;
            self.seen.add([K::of(key)].into_iter(), &mut first);
            self.pending = first;
        }
        while !self.pending.is_empty() && self.seen.len() <= self.most {
            self.plies.push(self.pending.len() as u64);
            self.ply()?;
        }
        let complete = self.pending.is_empty();
        let keys = self.seen.pack(limit);
        if let Some(checkpoint) = self.checkpoint.filter(|_| complete) {
            let mut cursor = keys.cursor();
            let all = (0..keys.len()).map(|number| cursor.get(number));
            let count = blocks(std::iter::once(keys.len().into()));
            checkpoint.write_blocks(POSITIONS, count.chain(blocks(all)))?;
            checkpoint.remove_file(SEARCH)?;
        }
        Ok(Found { keys, complete, plies: self.plies })
    }

    /// Expands all pending positions; those that they lead to and nobody has seen are pending then.
    fn ply(&mut self) -> Result<(), SolveError> {
        let (ply, pending) = (self.plies.len() - 1, self.pending.len() as u64);
        let found = self.seen.len();
        let most = self.game.key_limit() / self.game.symmetries().max(1) as u128;
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        let about = estimate(&self.plies).min(most).max(found);
        self.job.progress.begin(&format!("finding positions, ply {ply}"), pending);
        self.job.progress.note(&format!("{found} found of perhaps {about}"));
        let mut fresh: Vec<K> = Vec::new();
        let mut all = std::mem::take(&mut self.pending);
        while !all.is_empty() {
            let slice = all.split_off(all.len().saturating_sub(SLICE));
            let parts: Vec<Vec<K>> = slice
                .par_chunks(CHUNK)
                .with_max_len(1)
                .map(|keys| self.expand(keys))
                .collect::<Result<_, _>>()?;
            parts.iter().for_each(|part| fresh.extend(part));
            self.job.progress.advance(slice.len() as u64);
            let stop = self.job.cancel.load(Relaxed);
            if let Some(checkpoint) = self.checkpoint
                && (stop || self.saved.elapsed() >= self.job.interval)
            {
                // A position that is expanded twice does no harm.
                let mut open = [&all[..], &fresh[..], if stop { &slice[..] } else { &[] }].concat();
                open.par_sort_unstable();
                open.dedup();
                self.save(checkpoint, &open)?;
            }
            if stop {
                return Err(SolveError::Cancelled);
            }
            self.room(all.len() + fresh.len())?;
            if self.seen.len() > self.most {
                fresh.extend(&all);
                break;
            }
        }
        self.job.progress.end();
        self.pending = fresh;
        Ok(())
    }

    /// The keys after the moves of some positions that nobody has seen.
    fn expand(&self, keys: &[K]) -> Result<Vec<K>, SolveError> {
        let mut fresh = Vec::new();
        if self.job.cancel.load(Relaxed) {
            return Ok(fresh);
        }
        let mut children: Vec<K> = Vec::with_capacity(32 * keys.len());
        let mut failed = None;
        for &key in keys {
            let Some(position) = self.game.with_key(key.key()) else {
                return Err(SolveError::Rules {
                    position: format!("key {}", key.key()),
                    problem: "with_key() gives no position for it".to_owned(),
                });
            };
            let mut moves = 0;
            self.game.successors(&position, |next| {
                moves += 1;
                if let Some(child) = next.position() {
                    match self.key(&position, &child) {
                        Ok(key) => children.push(K::of(key)),
                        Err(error) => failed = Some(error),
                    }
                }
            });
            if let Some(error) = failed.take() {
                return Err(error);
            }
            // A position that is over has no moves.
            if moves == 0 && self.game.over(&position).is_none() {
                let problem = "there is no move, and the game is not over".to_owned();
                return Err(SolveError::Rules { position: self.game.write(&position), problem });
            }
            let number = self.looked_over.fetch_add(1, Relaxed);
            let all = self.most == u64::MAX;
            if all && (number < LOOKED_OVER || number.is_multiple_of(SAMPLED)) {
                self.look_over(&position, key.key())?;
            }
        }
        self.seen.add(children.into_iter(), &mut fresh);
        Ok(fresh)
    }

    /// The least key of a position, which a move from another leads to.
    #[inline]
    fn key(&self, from: &G::Position, to: &G::Position) -> Result<u128, SolveError> {
        let key = self.game.least_key(to);
        if key < self.game.key_limit() {
            return Ok(key);
        }
        Err(SolveError::Rules {
            position: self.game.write(to),
            problem: format!(
                "its key {key} is not less than key_limit(), {}; a move from {} leads there",
                self.game.key_limit(),
                self.game.write(from)
            ),
        })
    }

    /// Whether what the game says of a position and of what its moves lead to fits together.
    fn look_over(&self, position: &G::Position, key: u128) -> Result<(), SolveError> {
        let game = self.game;
        let fail = |position: &G::Position, problem: String| {
            Err(SolveError::Rules { position: game.write(position), problem })
        };
        let least = game.least_key(position);
        if least != key {
            return fail(position, format!("it was read from key {key}, yet its key is {least}"));
        }
        let reads_back = |position: &G::Position| {
            let (key, text) = (game.key(position), game.write(position));
            match (game.with_key(key), game.parse(&text)) {
                (Some(back), _) if back != *position => {
                    let other = game.write(&back);
                    fail(position, format!("its key {key} is that of {other}: keys collide"))
                }
                (None, _) => fail(position, format!("its key {key} stands for no position")),
                (_, Err(error)) => fail(position, format!("its notation is refused: {error}")),
                (_, Ok(back)) if back != *position => {
                    fail(position, format!("its notation is read as {back:?}, not {position:?}"))
                }
                _ => Ok(()),
            }
        };
        reads_back(position)?;
        if game.over(position).is_some() {
            return Ok(());
        }
        let children = |position: &G::Position| {
            let (mut found, mut ends) = (Vec::new(), Vec::new());
            game.successors(position, |next| match next {
                Next::Position(child) => found.push((false, game.least_key(&child), child)),
                Next::Again(child) => found.push((true, game.least_key(&child), child)),
                Next::Over(outcome) => ends.push(outcome),
            });
            found.sort_unstable();
            ends.sort_unstable();
            (found, ends)
        };
        let (own, own_ends) = children(position);
        for symmetry in 0..game.symmetries() {
            let image = game.image(position, symmetry);
            let (found, ends) = children(&image);
            let same = found.iter().map(|&(again, key, _)| (again, key));
            let same = same.eq(own.iter().map(|&(again, key, _)| (again, key)));
            if game.least_key(&image) != key || !same || ends != own_ends {
                let image = game.write(&image);
                return fail(
                    position,
                    format!(
                        "its image {image} under symmetry {symmetry} has other moves or another key: this is no symmetry"
                    ),
                );
            }
        }
        own.iter().try_for_each(|(_, _, child)| reads_back(child))
    }

    /// Makes sure that there is room for what was found and for what solving it takes.
    fn room(&self, pending: usize) -> Result<(), SolveError> {
        let found = self.seen.len();
        if found > u32::MAX.into() {
            return Err(SolveError::TierTooLarge { tier: "all".to_owned(), size: found });
        }
        let needed = self.seen.bytes() + (pending * size_of::<K>()) as u64;
        let allowed = self.job.memory;
        if needed > allowed {
            return Err(SolveError::TooManyPositions { found, allowed });
        }
        Ok(())
    }

    /// The keys of an earlier search that came to its end.
    fn finished(&self) -> Result<Option<Keys>, SolveError> {
        let Some(checkpoint) = self.checkpoint else { return Ok(None) };
        let Some(mut lists) = Lists::open(checkpoint, POSITIONS)? else { return Ok(None) };
        let len = lists.by_ref().map(|key| key as u64).last().unwrap_or(0);
        let limit = self.game.key_limit();
        let known = lists.by_ref().take(len as usize).filter(|&key| key < limit);
        let keys = Keys::new(known, len, limit);
        lists.end()?;
        if keys.len() != len {
            return Err(checkpoint.damaged(POSITIONS));
        }
        Ok(Some(keys))
    }

    /// Takes up an earlier search; false if there is none.
    fn resume(&mut self) -> Result<bool, SolveError> {
        let Some(checkpoint) = self.checkpoint else { return Ok(false) };
        let Some(mut lists) = Lists::open(checkpoint, SEARCH)? else { return Ok(false) };
        self.pending = lists.by_ref().map(K::of).collect();
        let mut fresh = Vec::new();
        self.seen.add(lists.by_ref().map(K::of), &mut fresh);
        lists.end()?;
        Ok(true)
    }

    /// Writes down what is pending, in rising order, and what was seen.
    fn save(&mut self, checkpoint: &Checkpoint, pending: &[K]) -> Result<(), SolveError> {
        let seen = self.seen.sorted();
        let [pending, seen] = [pending, &seen].map(|list| blocks(list.iter().map(|key| key.key())));
        checkpoint.write_blocks(SEARCH, pending.chain(seen))?;
        self.saved = Instant::now();
        Ok(())
    }
}

/// Rising keys as the blocks of a file; an empty one is the end of the list.
fn blocks(mut keys: impl Iterator<Item = u128>) -> impl Iterator<Item = Vec<u8>> {
    let mut last = false;
    std::iter::from_fn(move || {
        let block = encode_keys(keys.by_ref().take(KEY_BLOCK));
        let ended = std::mem::replace(&mut last, block.is_empty());
        (!ended).then_some(block)
    })
}

/// Reads the lists of keys in a file: the iterator ends with a list, and goes on with the next.
struct Lists {
    checkpoint: Checkpoint,
    name: &'static str,
    blocks: Blocks,
    block: std::vec::IntoIter<u128>,
    failed: Option<SolveError>,
}

impl Lists {
    /// None if there is no such file.
    fn open(checkpoint: &Checkpoint, name: &'static str) -> Result<Option<Lists>, SolveError> {
        let found = checkpoint.read_blocks(name)?;
        let (checkpoint, block) = (checkpoint.clone(), Vec::new().into_iter());
        Ok(found.map(|blocks| Lists { checkpoint, name, blocks, block, failed: None }))
    }

    /// What went wrong on the way.
    fn end(self) -> Result<(), SolveError> {
        self.failed.map_or(Ok(()), Err)
    }
}

impl Iterator for Lists {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        if let Some(key) = self.block.next() {
            return Some(key);
        }
        match self.blocks.next()? {
            Ok(bytes) => match decode_keys(&bytes) {
                Some(keys) => self.block = keys.into_iter(),
                None => self.failed = Some(self.checkpoint.damaged(self.name)),
            },
            Err(error) => self.failed = Some(error),
        }
        self.block.next()
    }
}

/// How many positions there may be, by how the plies grow: growth is taken to go on falling as it did
/// on average since it was greatest.
pub(crate) fn estimate(plies: &[u64]) -> u64 {
    let found: u64 = plies.iter().sum();
    let growth = plies.windows(2).map(|pair| pair[1] as f64 / pair[0].max(1) as f64);
    let growth: Vec<f64> = growth.collect();
    let peak = (0..growth.len()).max_by(|a, b| growth[*a].total_cmp(&growth[*b]));
    let (Some(peak), Some(last)) = (peak, growth.last()) else { return found };
    let steps = (growth.len() - 1 - peak).max(1) as f64;
    let change = (last / growth[peak]).powf(1.0 / steps).clamp(0.5, 0.9);
    let (mut rate, mut ply, mut total) =
        (*last, plies.last().copied().unwrap_or(0) as f64, found as f64);
    while ply >= 1.0 && total < 1e18 {
        rate *= change;
        ply *= rate;
        total += ply;
    }
    total as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_not_far_off() {
        // Tic-tac-toe up to symmetry.
        let plies = [1, 3, 12, 38, 108, 174, 228, 153, 57, 15];
        assert!((400..2000).contains(&estimate(&plies[..6])), "{}", estimate(&plies[..6]));
        assert!((780..900).contains(&estimate(&plies)), "{}", estimate(&plies));
        assert_eq!(estimate(&[1]), 1);
        // Breakthrough on 4x4 has 355,820.
        let plies = [1, 3, 20, 115, 573, 2248, 7396, 17_265];
        assert!((200_000..700_000).contains(&estimate(&plies)), "{}", estimate(&plies));
    }

    #[test]
    fn lists_come_back_from_their_blocks() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint::new(dir.path().join("part"), "game");
        assert!(Lists::open(&checkpoint, SEARCH).unwrap().is_none());
        let lists = [vec![], (0..200_000).map(|key| 3 * key).collect::<Vec<u128>>(), vec![7]];
        let all = lists.iter().flat_map(|list| blocks(list.iter().copied()));
        checkpoint.write_blocks(SEARCH, all).unwrap();
        let mut found = Lists::open(&checkpoint, SEARCH).unwrap().unwrap();
        for list in &lists {
            assert_eq!(&found.by_ref().collect::<Vec<_>>(), list);
        }
        found.end().unwrap();
        let path = dir.path().join("part").join(SEARCH);
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        std::fs::write(&path, bytes).unwrap();
        let mut found = Lists::open(&checkpoint, SEARCH).unwrap().unwrap();
        lists.iter().for_each(|_| found.by_ref().for_each(|_| ()));
        assert!(found.end().unwrap_err().to_string().contains("damaged"));
    }
}
