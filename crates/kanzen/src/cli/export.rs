//! Tables as data sets.

use super::args::Export as Given;
use super::commands::{directory, find_game};
use super::progress::Show;
use anyhow::{Result, bail};
use kanzen_export::{Card, Export, ExportError, Format, Split, write};
use kanzen_registry::{Registry, table_path};
use kanzen_show::units::grouped;
use kanzen_study::record;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// Writes a data set and its card.
pub fn run(registry: &Registry, given: &Given, out: &mut impl Write) -> Result<ExitCode> {
    let (entry, game) = find_game(registry, &given.game)?;
    let dir = directory(&given.game.data)?;
    let split = match given.split[..] {
        [] => None,
        [train, validation, test] => Some(Split::new([train, validation, test])?),
        _ => return Err(ExportError::Split.into()),
    };
    let export = Export {
        columns: given.columns.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
        filter: given.filter.parse()?,
        sample: given.sample,
        seed: given.seed,
        split,
        shard_bytes: given.shard_bytes,
    };
    let format = match given.format.as_deref().map(str::parse) {
        Some(Ok(format)) => format,
        _ => Format::of(&given.to)?,
    };
    let solved = game.open(&dir)?;
    let Some(arrays) = solved.arrays() else {
        bail!("positions of {} have no numbers", entry.name)
    };
    let written = write(arrays, &export, format, &given.to, &Show::new(entry.name))?;
    let identity = game.identity();
    let card = Card {
        title: entry.title.en,
        rules: entry.rules.en,
        checksum: record::checksum(&table_path(&dir, &identity)),
        identity: identity.to_string(),
        export: &export,
        filter: &given.filter,
        written: &written,
        tiers: arrays.tiers(),
        cells: &arrays.cells(),
    };
    let card = card.save(&given.to)?;
    if given.game.json {
        let facts = json!({
            "game": entry.name, "rows": written.rows, "positions": written.positions,
            "files": written.files, "card": card,
        });
        writeln!(out, "{facts}")?;
    } else {
        let files = match &written.files[..] {
            [file] => file.display().to_string(),
            files => format!("{} files of {}", files.len(), given.to.display()),
        };
        writeln!(
            out,
            "{}: {} rows in {files}, described in {}",
            entry.name,
            grouped(written.rows),
            card.display()
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
