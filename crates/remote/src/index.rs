//! The list of the tables in a folder: `index.json`.

use crate::RemoteError;
use kanzen_machine::files;
use kanzen_table::{Identity, Table};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The name of the list.
pub const INDEX: &str = "index.json";
/// The version of the list that this program reads and writes.
const VERSION: u32 = 1;
/// Bytes of a table's header.
pub(crate) const HEADER: usize = 64;

/// The tables of a folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Index {
    /// The version of this list.
    pub version: u32,
    /// The tables.
    pub tables: Vec<Listed>,
}

/// A table in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// The name of its file.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The BLAKE3 hash of all its bytes, in hexadecimal.
    pub blake3: String,
    /// Its first 64 bytes, in hexadecimal: they hold the checksums of what describes the rest.
    pub header: String,
    /// What it is of.
    pub identity: Identity,
}

impl Index {
    /// Reads a list, and refuses names that lead out of the folder.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Index, String> {
        let index: Index = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if index.version != VERSION {
            return Err(format!(
                "it has version {}, and this program reads {VERSION}",
                index.version
            ));
        }
        let plain = |name: &str| {
            let known = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            name.chars().all(known) && name.ends_with(".kanzen") && !name.starts_with('.')
        };
        let hex = |text: &str, bytes: usize| {
            text.len() == 2 * bytes && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        for table in &index.tables {
            if !plain(&table.name) {
                return Err(format!("'{}' is not the name of a table", table.name));
            }
            if !hex(&table.blake3, 32) || !hex(&table.header, HEADER) {
                return Err(format!("the hash or the header of {} is none", table.name));
            }
        }
        Ok(index)
    }

    /// The table of a name.
    pub fn find(&self, name: &str) -> Option<&Listed> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl Listed {
    /// Reads a table's length, hash, header and identity; `done` hears of bytes that were read.
    ///
    /// # Errors
    /// If it is not a table, or cannot be read.
    pub fn of(path: &Path, mut done: impl FnMut(u64)) -> Result<Listed, RemoteError> {
        let identity = Table::open(path)?.meta().identity.clone();
        let mut file = File::open(path).map_err(RemoteError::file(path))?;
        let (mut hasher, mut header, mut bytes) = (blake3::Hasher::new(), Vec::new(), 0);
        let mut buffer = vec![0; 1 << 20];
        loop {
            let read = file.read(&mut buffer).map_err(RemoteError::file(path))?;
            if read == 0 {
                break;
            }
            let missing = HEADER.saturating_sub(header.len());
            header.extend_from_slice(&buffer[..read.min(missing)]);
            hasher.update(&buffer[..read]);
            bytes += read as u64;
            done(read as u64);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (blake3, header) = (hasher.finalize().to_hex().to_string(), hexadecimal(&header));
        Ok(Listed { name, bytes, blake3, header, identity })
    }
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Copies tables into a folder and writes the list of them, for any web server to serve.
///
/// # Errors
/// If one is not a table, or the system refuses.
pub fn publish(
    tables: &[PathBuf],
    folder: &Path,
    mut done: impl FnMut(u64),
) -> Result<Index, RemoteError> {
    std::fs::create_dir_all(folder).map_err(RemoteError::file(folder))?;
    let mut index = Index { version: VERSION, tables: Vec::new() };
    for path in tables {
        let name = path.file_name().unwrap_or_default();
        let to = folder.join(name);
        // A table that is there already is read all the same: it may be another one.
        let same = std::fs::canonicalize(path).ok() == std::fs::canonicalize(&to).ok();
        if !same {
            let mut from = File::open(path).map_err(RemoteError::file(path))?;
            files::replace(&to, |to| std::io::copy(&mut from, to).map(drop))
                .map_err(RemoteError::file(&to))?;
        }
        index.tables.push(Listed::of(&to, &mut done)?);
    }
    let path = folder.join(INDEX);
    let text = serde_json::to_string_pretty(&index).unwrap_or_default();
    files::replace(&path, |file| writeln!(file, "{text}")).map_err(RemoteError::file(&path))?;
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_lead_elsewhere_are_refused() {
        let list = |name: &str, version: u32| {
            format!(
                r#"{{"version":{version},"tables":[{{"name":"{name}","bytes":1,"blake3":"{}","header":"{}",
                "identity":{{"game":"a","variant":{{}},"index_version":1}}}}]}}"#,
                "0".repeat(64),
                "0".repeat(128)
            )
        };
        assert!(Index::parse(list("a.kanzen", 1).as_bytes()).is_ok());
        for name in ["../a.kanzen", "/a.kanzen", "a.txt", ".kanzen", "a/b.kanzen", ""] {
            assert!(Index::parse(list(name, 1).as_bytes()).is_err(), "{name}");
        }
        assert!(Index::parse(list("a.kanzen", 2).as_bytes()).unwrap_err().contains("version 2"));
        assert!(Index::parse(b"<html>").is_err());
    }
}
