//! Games by their rules alone: what can arise is found, numbered by its keys, and solved by the
//! frontier engine. The table carries the keys.

use crate::any::Store;
use crate::frontier::{Stored, end_together};
use crate::store::Files;
use crate::two_player::{Engine, TwoPlayer};
use crate::{GameError, Options};
use kanzen_analyse::{Flaw, Solved, check_rules, table_writer, write_tiers};
use kanzen_core::Value;
use kanzen_index::{Explicit, KEY_BLOCK, Keyed, Keys, decode_keys, encode_keys};
use kanzen_solve::{Checkpoint, FRONTIER, Job, Plan, enumerate, solve_anywhere};
use kanzen_table::{Problem, Table, TableError, TableWriter};
use rayon::prelude::*;

/// The engine for games without an index.
pub struct ByRules;

/// The section of a table that holds the keys.
const KEYS: &str = "keys";
/// The most bytes that a key takes in a block: seven bits a byte.
const KEY_BYTES: u64 = 19;
/// The most bytes of memory that a key takes: eight of the bit map, or those of its bucket.
const KEY_ROOM: u64 = 17;
/// Blocks of keys that are unpacked at a time.
const BATCH: u64 = 64;

impl<G: Keyed + Clone + 'static> TwoPlayer<G, ByRules> {
    /// A game by its rules alone, with the options that chose it.
    pub fn explicit(game: G, options: &Options) -> TwoPlayer<G, ByRules> {
        TwoPlayer::with_engine(game, ByRules, G::KEY_VERSION, options)
    }
}

impl<G: Keyed + Clone + 'static> Engine<G> for ByRules {
    type Solved = Stored<Explicit<G>>;

    fn plan(&self, game: &G, threads: usize) -> Plan {
        Plan::by_rules(game, threads)
    }

    fn spreads(&self, _: &G) -> bool {
        true
    }

    fn solve(
        &self,
        game: &G,
        files: &Files,
        _: Store,
        level: i32,
        job: &Job<'_>,
    ) -> Result<(u64, Value), GameError> {
        let identity = files.identity().clone();
        let checkpoint = Checkpoint::new(files.checkpoint(), files.key(FRONTIER));
        // Each of several processes finds all positions; the first keeps them.
        let first = job.machines.is_none_or(|machines| machines.index() == 0);
        let keys = enumerate(game, job, Some(&checkpoint).filter(|_| first))?;
        let game = Explicit::new(game.clone(), keys);
        let solution = solve_anywhere(&game, job, &checkpoint)?;
        let helps = solution.together().is_some_and(|together| together.index() > 0);
        let write = || {
            let mut writer = table_writer(&solution, &files.table(), identity, level)?;
            write_tiers(&mut writer, &game, &solution, job.progress)?;
            if !helps {
                write_keys(&mut writer, game.keys(), job)?;
            }
            writer.finish()
        };
        let bytes = end_together(&solution, job.install(write)?)?;
        let start = solution.value(&game, &kanzen_core::Game::start(&game));
        checkpoint.remove()?;
        Ok((bytes, start))
    }

    fn open(&self, game: G, table: Table) -> Result<Stored<Explicit<G>>, GameError> {
        let keys = read_keys(&table, game.key_limit())?;
        Ok(Stored::new(Solved::new(Explicit::new(game, keys), table)?))
    }

    fn check(&self, game: &G, samples: u64, seed: u64) -> Vec<Flaw> {
        check_rules(game, samples, seed)
    }
}

fn write_keys(writer: &mut TableWriter, keys: &Keys, job: &Job<'_>) -> Result<(), TableError> {
    let blocks = keys.len().div_ceil(KEY_BLOCK as u64);
    job.progress.begin("writing the keys", blocks);
    let fill = |block: u64| {
        let first = block * KEY_BLOCK as u64;
        let mut cursor = keys.cursor();
        let numbers = first..keys.len().min(first + KEY_BLOCK as u64);
        encode_keys(numbers.map(|number| cursor.get(number)))
    };
    writer.section(KEYS, blocks, fill, |done| job.progress.advance(done))?;
    job.progress.end();
    Ok(())
}

/// Reads the keys of a table, and makes sure that there is one for each of its cells.
fn read_keys(table: &Table, limit: u128) -> Result<Keys, TableError> {
    let malformed = |what: &str| TableError {
        path: table.path().to_owned(),
        problem: Problem::Malformed(what.to_owned()),
    };
    let section = table.section(KEYS).ok_or_else(|| malformed("it has no keys"))?;
    let [tier] = &table.meta().tiers[..] else { return Err(malformed("it has several tiers")) };
    // What is not so is not read, and no room is made for it.
    if section.blocks != tier.size.div_ceil(KEY_BLOCK as u64)
        || section.block_bytes > KEY_BLOCK as u64 * KEY_BYTES
        || u128::from(tier.size) > limit
        || tier.size.saturating_mul(KEY_ROOM) > Job::default().memory
    {
        return Err(malformed("its keys are more than it can have"));
    }
    let (mut next, mut failed, mut batch) = (0, None, Vec::new().into_iter());
    // Blocks are unpacked on all threads and come in their order.
    let mut blocks = std::iter::from_fn(|| {
        if batch.len() == 0 {
            let numbers = next..section.blocks.min(next + BATCH);
            next = numbers.end;
            let read = |number| {
                let keys = decode_keys(&table.section_block(section, number)?);
                keys.ok_or_else(|| malformed("its keys are unreadable"))
            };
            let read: Result<Vec<Vec<u128>>, TableError> =
                numbers.into_par_iter().map(read).collect();
            match read {
                Ok(read) => batch = read.into_iter(),
                Err(error) => failed = Some(error),
            }
        }
        batch.next()
    });
    let (mut count, mut least) = (0, 0);
    let mut in_order = true;
    let rising = blocks.by_ref().flatten().take_while(|&key| {
        count += 1;
        in_order &= least <= key && key < limit && count <= tier.size;
        least = key.wrapping_add(1);
        in_order
    });
    let keys = Keys::new(rising, tier.size, limit);
    match failed {
        Some(error) => Err(error),
        None if !in_order || count != tier.size => {
            Err(malformed("its keys are not those of its cells"))
        }
        None => Ok(keys),
    }
}
