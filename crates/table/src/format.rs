//! The layout of a table file; `docs/format.md` says it in words.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::DONT_CARE;
use crate::error::Problem;

/// The newest version that this program reads. A table that needs nothing new is written as an
/// older version, which is the same but for that.
pub const FORMAT_VERSION: u32 = 4;

pub(crate) const MAGIC: [u8; 8] = *b"\x89KNZ\r\n\x1a\n";
/// Bytes of the header.
pub(crate) const HEADER: usize = 64;
/// Bytes of a directory entry.
pub(crate) const ENTRY: usize = 16;
/// Cells in a block, unless a table has other ones.
pub(crate) const BLOCK: u64 = 1 << 16;
/// The sizes of blocks that are believed; each is a power of two.
pub(crate) const BLOCKS: std::ops::RangeInclusive<u64> = 1 << 8..=1 << 24;
/// The section that tells how tiers are packed by context, a block for each tier.
pub(crate) const MODELS: &str = "models";
/// The most bytes of a section's block that are believed.
pub(crate) const MAX_SECTION_BLOCK: u64 = 1 << 24;
/// The longest description that is believed.
const MAX_META: u64 = 1 << 26;

/// Which game a table belongs to.
///
/// ```
/// use kanzen_table::Identity;
/// let variant = [("undo".to_owned(), "allowed".to_owned())].into();
/// let identity = Identity { game: "ostle".into(), variant, index_version: 1, rules: None };
/// assert_eq!(identity.to_string(), "ostle undo=allowed (index version 1)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The game's name.
    pub game: String,
    /// The options that change values.
    pub variant: BTreeMap<String, String>,
    /// The version of the game's index.
    pub index_version: u32,
    /// The fingerprint of the rules; none if nobody took it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<u32>,
}

impl Identity {
    /// Whether this may be the same game with the same rules: a fingerprint counts if both have one.
    pub fn agrees(&self, other: &Identity) -> bool {
        let known = |identity: &Identity| Identity {
            rules: identity.rules.filter(|_| self.rules.is_some() && other.rules.is_some()),
            ..identity.clone()
        };
        known(self) == known(other)
    }
}

impl std::fmt::Display for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.game)?;
        for (name, value) in &self.variant {
            write!(f, " {name}={value}")?;
        }
        write!(f, " (index version {}", self.index_version)?;
        if let Some(rules) = self.rules {
            write!(f, ", rules {rules:08x}")?;
        }
        f.write_str(")")
    }
}

/// A tier of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierMeta {
    /// Its name.
    pub name: String,
    /// The number of its indices.
    pub size: u64,
    /// Its first block; the others follow.
    pub first_block: u64,
    /// The codes that occur, the most frequent first: a cell holds a number into this list.
    pub codes: Vec<u16>,
    /// How many positions have each code, the ones that are not stored included.
    pub counts: Vec<u64>,
}

impl TierMeta {
    /// Bytes of a cell.
    pub(crate) fn width(&self) -> usize {
        if self.codes.len() <= 256 { 1 } else { 2 }
    }
}

/// The description that a table carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// The game.
    pub identity: Identity,
    /// The name of what the codes mean; only the game understands it.
    pub scheme: String,
    /// Cells in a block; the last block of a tier may have fewer.
    pub block_cells: u64,
    /// The tiers.
    pub tiers: Vec<TierMeta>,
    /// What was counted beside the cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub census: Vec<Counted>,
    /// What else the game keeps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
}

/// Bytes that only the game understands, in blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Its first block; the others follow.
    pub first_block: u64,
    /// The number of its blocks.
    pub blocks: u64,
    /// The most bytes that a block unpacks to.
    pub block_bytes: u64,
}

/// How many positions of a part of the game have which code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The part.
    pub name: String,
    /// The codes that occur, the most frequent first.
    pub codes: Vec<u16>,
    /// How many positions have each.
    pub counts: Vec<u64>,
}

impl Meta {
    /// The version of the format that it takes to say this.
    pub(crate) fn version(&self) -> u32 {
        if self.sections.iter().any(|section| section.name == MODELS) {
            4
        } else if self.identity.rules.is_some() || !self.sections.is_empty() {
            3
        } else if self.census.is_empty() {
            1
        } else {
            2
        }
    }

    /// Version 1 kept the census as tiers without cells that count positions all the same: makes it
    /// what it is in version 2.
    pub(crate) fn with_census_apart(mut self) -> Meta {
        let has_cells = |tier: &TierMeta| tier.size > 0 || tier.counts.is_empty();
        let (tiers, census): (Vec<_>, Vec<_>) = self.tiers.into_iter().partition(has_cells);
        let counted =
            |tier: TierMeta| Counted { name: tier.name, codes: tier.codes, counts: tier.counts };
        self.census.extend(census.into_iter().map(counted));
        Meta { tiers, ..self }
    }

    /// Refuses what no writer says: names that could do harm where they are shown, codes that stand
    /// for nothing or twice, and counts that are more than there is room for.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        let Identity { game, variant, .. } = &self.identity;
        let names = variant.iter().flat_map(|(name, value)| [name, value]);
        let names = names.chain([game, &self.scheme]);
        let names = names.chain(self.tiers.iter().map(|tier| &tier.name));
        let names = names.chain(self.census.iter().map(|part| &part.name));
        let mut names = names.chain(self.sections.iter().map(|section| &section.name));
        if let Some(name) = names.find(|name| !is_plain(name)) {
            return Err(Problem::Malformed(format!("the name {name:?}")));
        }
        // A quarter of all numbers, so that sums of a few have room.
        let mut left = u64::MAX / 4;
        let mut check = |name: &str, codes: &[u16], counts: &[u64], most: u64| {
            let malformed = |what: &str| Err(Problem::Malformed(format!("{what} of '{name}'")));
            let mut seen = codes.to_vec();
            seen.sort_unstable();
            let twice = seen.windows(2).any(|pair| pair[0] == pair[1]);
            if twice || seen.last() == Some(&DONT_CARE) {
                return malformed("the codes");
            }
            let sum = counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
            let sum = sum.filter(|&sum| sum <= most.min(left) && counts.len() == codes.len());
            let Some(sum) = sum else { return malformed("the counts") };
            left -= sum;
            Ok(())
        };
        let tiers = self.tiers.iter();
        let tiers = tiers.map(|tier| (&tier.name, &tier.codes, &tier.counts, tier.size));
        let census = self.census.iter();
        let census = census.map(|part| (&part.name, &part.codes, &part.counts, u64::MAX));
        let mut all = tiers.chain(census);
        all.try_for_each(|(name, codes, counts, most)| check(name, codes, counts, most))
    }

    /// The number of blocks of a tier.
    pub(crate) fn blocks(&self, tier: &TierMeta) -> u64 {
        tier.size.div_ceil(self.block_cells)
    }
}

/// Whether a name can be shown anywhere: no control characters, and none that turn the direction of
/// writing.
fn is_plain(name: &str) -> bool {
    let harmful = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    name.len() <= 1000 && !name.contains(harmful)
}

/// The fixed beginning of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) version: u32,
    pub(crate) directory: u64,
    pub(crate) blocks: u64,
    pub(crate) meta: u64,
    pub(crate) meta_length: u64,
    pub(crate) directory_checksum: u32,
    pub(crate) meta_checksum: u32,
}

impl Header {
    /// The length of the file: the description is its end.
    pub(crate) fn file_length(&self) -> u64 {
        self.meta.saturating_add(self.meta_length)
    }

    pub(crate) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&self.version.to_le_bytes());
        for (at, field) in
            [(16, self.directory), (24, self.blocks), (32, self.meta), (40, self.meta_length)]
        {
            bytes[at..at + 8].copy_from_slice(&field.to_le_bytes());
        }
        bytes[48..52].copy_from_slice(&self.directory_checksum.to_le_bytes());
        bytes[52..56].copy_from_slice(&self.meta_checksum.to_le_bytes());
        let checksum = crc32c::crc32c(&bytes[..HEADER - 4]);
        bytes[HEADER - 4..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; HEADER]) -> Result<Header, Problem> {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        if bytes[..8] != MAGIC {
            return Err(Problem::Foreign);
        }
        let found = word(8);
        if found == 0 {
            return Err(Problem::Malformed("format version 0 does not exist".to_owned()));
        }
        if found > FORMAT_VERSION {
            return Err(Problem::Newer { found, supported: FORMAT_VERSION });
        }
        if word(HEADER - 4) != crc32c::crc32c(&bytes[..HEADER - 4]) {
            return Err(Problem::Damaged { part: "the header".to_owned() });
        }
        let header = Header {
            version: found,
            directory: long(16),
            blocks: long(24),
            meta: long(32),
            meta_length: long(40),
            directory_checksum: word(48),
            meta_checksum: word(52),
        };
        let directory_end = header
            .blocks
            .checked_mul(ENTRY as u64)
            .and_then(|length| header.directory.checked_add(length));
        if directory_end != Some(header.meta) || header.meta_length > MAX_META {
            return Err(Problem::Malformed("its parts overlap".to_owned()));
        }
        Ok(header)
    }
}

/// Where a block is and what it must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) offset: u64,
    pub(crate) length: u32,
    pub(crate) checksum: u32,
}

impl Entry {
    pub(crate) fn to_bytes(self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    /// Whether the block lies between the header and the directory.
    pub(crate) fn inside(&self, directory: u64) -> bool {
        let end = self.offset.checked_add(self.length.into());
        self.offset >= HEADER as u64 && end.is_some_and(|end| end <= directory)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Entry {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        Entry {
            offset: u64::from(word(0)) | u64::from(word(4)) << 32,
            length: word(8),
            checksum: word(12),
        }
    }
}
