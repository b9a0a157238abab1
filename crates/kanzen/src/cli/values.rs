//! What every table of a directory tells, for people who look a value up or cite it.

use super::args::Data;
use super::commands::directory;
use super::progress::Show;
use anyhow::Result;
use kanzen_registry::Registry;
use kanzen_show::units::grouped;
use kanzen_study::catalogue::{self, Known};
use std::io::Write;
use std::process::ExitCode;

/// Lists them; a table that cannot be read is named on standard error.
pub fn list(
    registry: &Registry,
    data: &Data,
    json: bool,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let dir = directory(data)?;
    let mut code = ExitCode::SUCCESS;
    let tables = catalogue::tables(&dir);
    for path in &tables {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        match catalogue::known(registry, &dir, path, &Show::new(&name)) {
            Ok(known) if json => writeln!(out, "{}", serde_json::to_string(&known)?)?,
            Ok(known) => write!(out, "{}", text(&known))?,
            Err(error) => {
                tell!("{}: {error}", path.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    if tables.is_empty() && !json {
        writeln!(out, "there are no tables in {}", dir.display())?;
    }
    Ok(code)
}

/// A variant in a few lines.
fn text(known: &Known) -> String {
    let options = known.options.iter().map(|option| format!(" -o {option}"));
    let mut text = format!("{}{}\n", known.game, options.collect::<String>());
    match &known.summary {
        Some(it) => {
            text += &format!("  start      {}: {}\n", it.start, it.value);
            text += &format!("  positions  {}, up to symmetry\n", grouped(it.positions));
            text += &format!(
                "  values     {} wins, {} draws, {} losses; the longest takes {} plies\n",
                grouped(it.wins),
                grouped(it.draws),
                grouped(it.losses),
                it.longest
            );
        }
        None => text += "  values     not wins, draws and losses: see 'kanzen stats'\n",
    }
    if let Some(digest) = &known.digest {
        text += &format!("  digest     {digest} (CRC-32C of the values of all positions)\n");
    }
    if let Some(checksum) = &known.checksum {
        text += &format!("  file       {checksum} (CRC-32C), {}\n", known.table.display());
    }
    text
}
