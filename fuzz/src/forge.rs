//! A forger of tables: takes a real one apart, changes it, and puts it together with checksums that
//! are right.

use crate::{damage, pick, take};
use kanzen::analyse::Random;
use serde_json::{Value, json};

const HEADER: usize = 64;
const ENTRY: usize = 16;

/// A table in pieces.
#[derive(Clone, Default)]
pub struct Pieces {
    version: u32,
    meta: Value,
    /// The unpacked blocks.
    blocks: Vec<Vec<u8>>,
}

fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    bytes[at..at + length].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

impl Pieces {
    /// Takes a whole table apart.
    ///
    /// # Panics
    /// If it is none.
    pub fn of(table: &[u8]) -> Pieces {
        let [directory, blocks, meta] = [16, 24, 32].map(|at| number(table, at, 8) as usize);
        let entries = table[directory..].chunks(ENTRY).take(blocks);
        let unpack = |entry: &[u8]| {
            let (offset, length) = (number(entry, 0, 8) as usize, number(entry, 8, 4) as usize);
            zstd::bulk::decompress(&table[offset..offset + length], 1 << 24).unwrap()
        };
        Pieces {
            version: number(table, 8, 4) as u32,
            meta: serde_json::from_slice(&table[meta..]).unwrap(),
            blocks: entries.map(unpack).collect(),
        }
    }

    /// The pieces with another description, a line of JSON unless it is empty, and then other values from the first
    /// on. None if that is no JSON.
    #[must_use]
    pub fn from_bytes(&self, mut bytes: &[u8]) -> Option<Pieces> {
        let mut pieces = self.clone();
        let line = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let meta = take(&mut bytes, line);
        take(&mut bytes, 1);
        if !meta.is_empty() {
            pieces.meta = serde_json::from_slice(meta).ok()?;
        }
        for block in &mut pieces.blocks {
            let values = take(&mut bytes, block.len());
            block[..values.len()].copy_from_slice(values);
        }
        Some(pieces)
    }

    /// What [`Pieces::from_bytes`] reads as these pieces.
    ///
    /// # Panics
    /// If the description is no JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.meta).unwrap();
        bytes.push(b'\n');
        self.blocks.iter().for_each(|block| bytes.extend(block));
        bytes
    }

    /// A table of the pieces, every checksum right.
    ///
    /// # Panics
    /// If it is too large to be packed.
    pub fn table(&self) -> Vec<u8> {
        let packed = self.blocks.iter().map(|block| zstd::bulk::compress(block, 1).unwrap());
        assembled(self.version, &self.meta, packed)
    }

    /// Changes something: values, blocks, or what the description says.
    pub fn change(&mut self, random: &mut Random) {
        for _ in 0..=random.below(3) {
            match random.below(10) {
                // What a stranger's table may say without being found out at once.
                0..=4 => self.change_cells(random),
                5 => {
                    let block = random.below(self.blocks.len().max(1) as u64) as usize;
                    match self.blocks.get_mut(block) {
                        Some(block) if random.below(4) > 0 => damage(random, block),
                        Some(block) => *block = vec![0; 1 << (4 + random.below(20))],
                        None => self.blocks.push(Vec::new()),
                    }
                }
                6 if !self.blocks.is_empty() => {
                    let [one, other] =
                        [0, 1].map(|_| random.below(self.blocks.len() as u64) as usize);
                    self.blocks.swap(one, other);
                }
                7 => self.change_codes(random),
                8 => self.version = random.below(5) as u32,
                _ => {
                    let count = count(&self.meta);
                    change_nth(&mut self.meta, &mut random.below(count), random);
                }
            }
        }
    }

    /// Gives cells other ranks that their tier has: the table stays well-formed, and lies.
    fn change_cells(&mut self, random: &mut Random) {
        let tiers = self.meta["tiers"].as_array().cloned().unwrap_or_default();
        if tiers.is_empty() {
            return;
        }
        let tier = pick(random, &tiers);
        let codes = tier["codes"].as_array().map_or(0, Vec::len) as u64;
        let first = tier["first_block"].as_u64().unwrap_or(0) as usize;
        let many = random.below(3);
        let Some(block) = self.blocks.get_mut(first) else { return };
        let length = block.len() as u64;
        for _ in 0..[1, 20, length][many as usize].min(length) {
            block[random.below(length) as usize] = random.below(codes.max(1)) as u8;
        }
    }

    /// Gives codes another meaning, as no value of the table can be right then.
    fn change_codes(&mut self, random: &mut Random) {
        let tiers = self.meta.get_mut("tiers").and_then(Value::as_array_mut);
        let Some(tiers) = tiers.filter(|tiers| !tiers.is_empty()) else { return };
        let tier = random.below(tiers.len() as u64) as usize;
        let codes = tiers[tier].get_mut("codes").and_then(Value::as_array_mut);
        for code in codes.into_iter().flatten() {
            if random.below(2) == 0 {
                let most = *pick(random, &[4, 30, 600, 16_384, 24_575, 65_536]);
                *code = json!(random.below(most));
            }
        }
    }
}

/// A table of packed blocks, every checksum right.
fn assembled(version: u32, meta: &Value, packed: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut table = vec![0; HEADER];
    let mut directory = Vec::new();
    for packed in packed {
        directory.extend((table.len() as u64).to_le_bytes());
        directory.extend((packed.len() as u32).to_le_bytes());
        directory.extend(crc32c::crc32c(&packed).to_le_bytes());
        table.extend(packed);
    }
    let meta = serde_json::to_vec(meta).unwrap();
    let (at, blocks) = (table.len() as u64, directory.len() / ENTRY);
    let numbers = [at, blocks as u64, at + directory.len() as u64, meta.len() as u64];
    table[..8].copy_from_slice(b"\x89KNZ\r\n\x1a\n");
    table[8..12].copy_from_slice(&version.to_le_bytes());
    for (place, number) in numbers.into_iter().enumerate() {
        table[16 + 8 * place..24 + 8 * place].copy_from_slice(&number.to_le_bytes());
    }
    table[48..52].copy_from_slice(&crc32c::crc32c(&directory).to_le_bytes());
    table[52..56].copy_from_slice(&crc32c::crc32c(&meta).to_le_bytes());
    table.extend(directory);
    table.extend(meta);
    seal(&mut table);
    table
}

/// A table whose tiers are packed by context, with its blocks as they are packed.
pub struct ByContext {
    version: u32,
    meta: Value,
    packed: Vec<Vec<u8>>,
    /// The first block of the models, and how many there are.
    models: (usize, usize),
}

impl ByContext {
    /// Takes a table apart.
    ///
    /// # Panics
    /// If it has no models.
    pub fn of(table: &[u8]) -> ByContext {
        let [directory, blocks, meta] = [16, 24, 32].map(|at| number(table, at, 8) as usize);
        let entries = table[directory..].chunks(ENTRY).take(blocks);
        let packed = entries.map(|entry| {
            let (offset, length) = (number(entry, 0, 8) as usize, number(entry, 8, 4) as usize);
            table[offset..offset + length].to_vec()
        });
        let meta: Value = serde_json::from_slice(&table[meta..]).unwrap();
        let sections = meta["sections"].as_array().cloned().unwrap_or_default();
        let models = sections.iter().find(|section| section["name"] == "models");
        let models = models.expect("a table that is packed by context");
        let place = |key: &str| models[key].as_u64().unwrap() as usize;
        let models = (place("first_block"), place("blocks"));
        ByContext { version: number(table, 8, 4) as u32, meta, packed: packed.collect(), models }
    }

    /// The table with changes in a block or a model, every checksum right.
    ///
    /// # Panics
    /// If it is too large to be packed.
    pub fn changed(&self, random: &mut Random) -> Vec<u8> {
        let mut packed = self.packed.clone();
        let (first, models) = self.models;
        if random.below(2) == 0 {
            let block = &mut packed[random.below(first as u64) as usize];
            damage(random, block);
        } else {
            let block = &mut packed[first + random.below(models as u64) as usize];
            let mut model = zstd::bulk::decompress(block, 1 << 24).unwrap();
            damage(random, &mut model);
            *block = zstd::bulk::compress(&model, 1).unwrap();
        }
        assembled(self.version, &self.meta, packed.into_iter())
    }
}

/// Makes the checksum of a header right.
fn seal(table: &mut [u8]) {
    let checksum = crc32c::crc32c(&table[..HEADER - 4]);
    table[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
}

/// Changes the numbers of a header, and makes its checksum right.
pub fn change_header(random: &mut Random, table: &mut [u8]) {
    let at = 8 + 4 * random.below(12) as usize;
    let number = match random.below(3) {
        0 => random.bits() as u32,
        1 => *pick(random, &[0, 1, u32::MAX, 1 << 31]),
        _ => (number(table, at, 4) as u32).wrapping_add(random.below(5) as u32).wrapping_sub(2),
    };
    table[at..at + 4].copy_from_slice(&number.to_le_bytes());
    seal(table);
}

/// The number of values in a description.
fn count(value: &Value) -> u64 {
    1 + match value {
        Value::Array(all) => all.iter().map(count).sum(),
        Value::Object(all) => all.values().map(count).sum(),
        _ => 0,
    }
}

/// Changes the value with a number.
fn change_nth(value: &mut Value, nth: &mut u64, random: &mut Random) {
    if *nth == 0 {
        *nth = u64::MAX;
        return change_value(value, random);
    }
    *nth -= 1;
    let inner: Vec<&mut Value> = match value {
        Value::Array(all) => all.iter_mut().collect(),
        Value::Object(all) => all.values_mut().collect(),
        _ => return,
    };
    for value in inner {
        if *nth != u64::MAX {
            change_nth(value, nth, random);
        }
    }
}

fn change_value(value: &mut Value, random: &mut Random) {
    let numbers = [0, 1, 2, 255, 256, 65_534, 65_535, 65_536, 1 << 24, 1 << 40, 1 << 63, u64::MAX];
    let names =
        ["", "plies", "value", "barred", "winner", "keys", "\u{1b}[31mred", "a\nb", "\u{202e}x"];
    *value = match value.clone() {
        Value::Number(number) if random.below(2) == 0 => {
            let number = number.as_u64().unwrap_or(0);
            json!(number.wrapping_add(random.below(5)).wrapping_sub(2))
        }
        Value::Number(_) => json!(pick(random, &numbers)),
        Value::String(_) => json!(pick(random, &names)),
        Value::Array(mut all) if !all.is_empty() => {
            let at = random.below(all.len() as u64) as usize;
            match random.below(4) {
                0 => drop(all.remove(at)),
                1 => all.insert(at, all[at].clone()),
                2 => all.swap(at, 0),
                _ => all.clear(),
            }
            Value::Array(all)
        }
        Value::Object(mut all) if random.below(2) == 0 => {
            let name = all.keys().nth(random.below(all.len().max(1) as u64) as usize).cloned();
            name.map(|name| all.shift_remove(&name));
            Value::Object(all)
        }
        _ => pick(random, &[Value::Null, json!(-1), json!(1.5), json!([]), json!({}), json!("x")])
            .clone(),
    };
}
