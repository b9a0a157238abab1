//! Folders for web servers: the explorer as static files, tables by address; and tables from there.

use super::args::{Far, Folder, Game};
use super::commands::{CANCEL, directory, find_game};
use super::progress::Show;
use anyhow::{Context, Result, bail};
use kanzen_registry::{Registry, table_name};
use kanzen_remote::{Index, Listed, Remote, publish};
use kanzen_serve::publish::{Contents, Listed as Shown, files, version};
use kanzen_serve::{Site, Tables};
use kanzen_show::units;
use kanzen_solve::Progress;
use kanzen_table::Table;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Tables up to this length are fetched whole by browsers, and kept.
const WHOLE: u64 = 8 << 20;
/// The same for games by rules alone, which need all their keys to begin with.
const WHOLE_WITH_KEYS: u64 = 64 << 20;
/// The name of the program as WebAssembly.
const WASM: &str = "kanzen.wasm";

/// The folder on a server that `--from` names. What is read of it is kept beside the tables.
pub(super) fn remote(far: &Far, dir: &Path) -> Result<Option<Remote>> {
    let Some(address) = &far.from else { return Ok(None) };
    Ok(Some(Remote::open(address, Some(&dir.join("remote")))?))
}

/// Fetches a table.
pub(super) fn get(
    registry: &Registry,
    given: &Game,
    from: &str,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let (entry, game) = find_game(registry, given)?;
    let name = table_name(&game.identity());
    let dir = directory(&given.data)?;
    let path = Remote::open(from, None)?.get(&name, &dir, &CANCEL, &Show::new(entry.name))?;
    // What the game itself says of it: a table of other rules is of no use.
    if let Err(error) = game.open(&dir) {
        bail!("{} was fetched, but: {error}", path.display());
    }
    writeln!(out, "{} ({})", path.display(), units::bytes(path.metadata()?.len()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a folder.
pub(super) fn export(
    registry: &Registry,
    folder: &Folder,
    out: &mut impl Write,
) -> Result<ExitCode> {
    match folder {
        Folder::Tables { folder, games, data } => {
            let tables = tables(registry, &directory(data)?, games)?;
            let index = hashed(&tables, |done| publish(&tables, folder, done))?;
            let bytes: u64 = index.tables.iter().map(|table| table.bytes).sum();
            let (count, bytes) = (index.tables.len(), units::bytes(bytes));
            writeln!(out, "{}: {count} tables, {bytes}", folder.display())?;
            Ok(ExitCode::SUCCESS)
        }
        Folder::Site { folder, games, wasm, tables: address, data } => {
            let dir = directory(data)?;
            let wasm = program(wasm.as_deref(), &dir)?;
            let tables = tables(registry, &dir, games)?;
            let site = Export { registry, folder, games, dir: &dir, tables: &tables, wasm: &wasm };
            site.write(address.as_deref(), out)
        }
    }
}

/// The tables in a directory of some games, or of all that are known.
fn tables(registry: &Registry, dir: &Path, games: &[String]) -> Result<Vec<PathBuf>> {
    for game in games {
        registry.find(game)?;
    }
    let files = std::fs::read_dir(dir).with_context(|| dir.display().to_string())?;
    let mut found = Vec::new();
    for file in files {
        let path = file.with_context(|| dir.display().to_string())?.path();
        if path.extension().is_none_or(|ending| ending != "kanzen") {
            continue;
        }
        let identity = Table::open(&path)?.meta().identity.clone();
        let wanted = if games.is_empty() {
            registry.find(&identity.game).is_ok()
        } else {
            games.contains(&identity.game)
        };
        if wanted {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() {
        let games = if games.is_empty() { "any game".to_owned() } else { games.join(", ") };
        bail!("there is no table of {games} in {}: 'kanzen solve' makes one", dir.display());
    }
    Ok(found)
}

/// Reads tables with progress.
fn hashed<T, E>(
    tables: &[PathBuf],
    work: impl FnOnce(&mut dyn FnMut(u64)) -> Result<T, E>,
) -> Result<T, E> {
    let show = Show::new("tables");
    let bytes = tables.iter().filter_map(|path| Some(path.metadata().ok()?.len())).sum();
    show.begin("reading", bytes);
    let done = work(&mut |bytes| show.advance(bytes));
    show.end();
    done
}

/// The program as WebAssembly.
fn program(named: Option<&Path>, dir: &Path) -> Result<Vec<u8>> {
    let beside = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.join(WASM)));
    let places = match named {
        Some(path) => vec![path.to_owned()],
        None => beside
            .into_iter()
            .chain([Path::new("target/wasm").join(WASM), dir.join(WASM)])
            .collect(),
    };
    let Some(path) = places.iter().find(|path| path.exists()) else {
        let places: Vec<String> = places.iter().map(|path| path.display().to_string()).collect();
        bail!(
            "the program as WebAssembly is not there ({}): 'crates/wasm/build' in the source makes it, \
             --wasm FILE names it",
            places.join(", ")
        );
    };
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    if !bytes.starts_with(b"\0asm") {
        bail!("{} is not WebAssembly", path.display());
    }
    Ok(bytes)
}

/// A site to be written.
struct Export<'a> {
    registry: &'a Registry,
    folder: &'a Path,
    /// Those that were named; the rules of a game can be looked at without a table.
    games: &'a [String],
    dir: &'a Path,
    tables: &'a [PathBuf],
    wasm: &'a [u8],
}

impl Export<'_> {
    fn write(&self, address: Option<&str>, out: &mut impl Write) -> Result<ExitCode> {
        let listed: Vec<Listed> = hashed(self.tables, |done| match address {
            Some(_) => self.tables.iter().map(|path| Listed::of(path, &mut *done)).collect(),
            None => publish(self.tables, &self.folder.join("tables"), done)
                .map(|index: Index| index.tables),
        })?;
        let taken = |name: &str| {
            self.games.iter().any(|game| game == name)
                || listed.iter().any(|table| table.identity.game == name)
        };
        let games: Registry = self.registry.entries().filter(|entry| taken(entry.name)).collect();
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.wasm).update(version().as_bytes());
        let contents = Contents {
            games: games.entries().map(|entry| entry.name.to_owned()).collect(),
            address: match address {
                Some(address) => format!("{}/", address.trim_end_matches('/')),
                None => "tables/".to_owned(),
            },
            tables: self.shown(&listed)?,
            version: String::new(),
        };
        hasher.update(serde_json::to_string(&contents)?.as_bytes());
        let version = hasher.finalize().to_hex()[..16].to_owned();
        let contents = Contents { version, ..contents };
        let tables = Tables::new(games, self.dir.to_owned());
        let site = Arc::new(Site::at_once(tables, || 0));
        let mut bytes = self.put(WASM, self.wasm)?;
        bytes += self.put("site.json", serde_json::to_string_pretty(&contents)?.as_bytes())?;
        let files = files(&site, &contents);
        for file in &files {
            bytes += self.put(&file.path, &file.bytes)?;
        }
        if address.is_none() {
            bytes += listed.iter().map(|table| table.bytes).sum::<u64>();
        }
        let (games, tables) = (contents.games.len(), contents.tables.len());
        let folder = self.folder.display();
        writeln!(out, "{folder}: {games} games, {tables} tables, {}", units::bytes(bytes))?;
        Ok(ExitCode::SUCCESS)
    }

    fn shown(&self, listed: &[Listed]) -> Result<Vec<Shown>> {
        let shown = self.tables.iter().zip(listed).map(|(path, table)| {
            let keys = !Table::open(path)?.meta().sections.is_empty();
            Ok(Shown {
                name: table.name.clone(),
                bytes: table.bytes,
                blake3: table.blake3.clone(),
                whole: table.bytes <= if keys { WHOLE_WITH_KEYS } else { WHOLE },
            })
        });
        shown.collect()
    }

    fn put(&self, path: &str, bytes: &[u8]) -> Result<u64> {
        let path = self.folder.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        std::fs::write(&path, bytes).with_context(|| path.display().to_string())?;
        Ok(bytes.len() as u64)
    }
}
