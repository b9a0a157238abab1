//! What is known of every game that has a table in a directory.

use crate::record;
use kanzen_registry::{AnySolved, GameError, Registry, Summary};
use kanzen_solve::Progress;
use kanzen_table::{Identity, Table};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A variant of a game that has a table.
#[derive(Clone, Debug, Serialize)]
pub struct Known {
    /// The game's name.
    pub game: &'static str,
    /// The options that its table differs by, as `name=value`.
    pub options: Vec<String>,
    /// The values in short; none for games in which they are not wins, draws and losses.
    #[serde(flatten)]
    pub summary: Option<Summary>,
    /// A digest of the values of all positions, whatever file holds them; none if
    /// they have no room in memory.
    pub digest: Option<String>,
    /// The checksum of the file (CRC-32C).
    pub checksum: Option<String>,
    /// The file.
    pub table: PathBuf,
}

/// The tables of a directory, in the order of their names.
pub fn tables(dir: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "kanzen"));
    paths.sort_unstable();
    paths
}

/// What a table of a directory tells of its variant.
///
/// # Errors
/// If the table is damaged, of a game that the registry does not know, or of another version of it.
pub fn known(
    registry: &Registry,
    dir: &Path,
    table: &Path,
    progress: &dyn Progress,
) -> Result<Known, GameError> {
    let Identity { game, variant, .. } = Table::open(table)?.meta().identity.clone();
    let entry = registry.find(&game)?;
    let options: Vec<String> =
        variant.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let solved = entry.build(&options)?.open(dir)?;
    Ok(Known {
        game: entry.name,
        options,
        summary: solved.summary()?,
        digest: digest(&*solved, progress)?,
        checksum: record::checksum(table),
        table: table.to_owned(),
    })
}

/// The CRC-32C of the values of all positions in the order of their index, tier by tier: a code of
/// two bytes each, the lower one first, `0xffff` where an index stands for nothing. It depends
/// neither on how the table is compressed nor on what it leaves out.
fn digest(solved: &dyn AnySolved, progress: &dyn Progress) -> Result<Option<String>, GameError> {
    let Some(whole) = solved.whole() else { return Ok(None) };
    let mut sum = 0;
    let mut bytes = Vec::with_capacity(1 << 17);
    for tier in whole.codes(progress)?.iter() {
        for start in (0..tier.len()).step_by(1 << 16) {
            bytes.clear();
            for index in start..tier.len().min(start + (1 << 16)) {
                bytes.extend(tier.code(index as u64).to_le_bytes());
            }
            sum = crc32c::crc32c_append(sum, &bytes);
        }
    }
    Ok(Some(format!("{sum:08x}")))
}
