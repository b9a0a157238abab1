//! What took a while to make of a table: kept in a file beside it, so that nobody has to wait for it
//! again. A file that is of another table, or of another version of the program, counts for nothing.

use kanzen_machine::files;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Results that a file keeps; the oldest give way.
const MOST: usize = 64;

/// What was made of a table.
///
/// ```
/// use kanzen_study::kept::Kept;
/// let dir = tempfile::tempdir()?;
/// let table = dir.path().join("game.kanzen");
/// std::fs::write(&table, b"a table")?;
/// Kept::beside(&table)?.write("answer", &42)?;
/// assert_eq!(Kept::beside(&table)?.read("answer"), Some(42));
/// std::fs::write(&table, b"another table")?;
/// assert_eq!(Kept::beside(&table)?.read::<u32>("answer"), None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Kept {
    path: PathBuf,
    /// What tells the table and the program from others.
    of: Value,
}

impl Kept {
    /// What is kept beside a table.
    ///
    /// # Errors
    /// If there is no such table.
    pub fn beside(table: &Path) -> io::Result<Kept> {
        let facts = table.metadata()?;
        let changed = facts.modified()?.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        let version = env!("CARGO_PKG_VERSION");
        let of = json!({
            "bytes": facts.len(), "changed": changed.as_nanos().to_string(), "version": version,
        });
        Ok(Kept { path: table.with_extension("made.json"), of })
    }

    fn all(&self) -> Map<String, Value> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        match serde_json::from_str(&text).unwrap_or_default() {
            Value::Object(mut all) if all.get("of") == Some(&self.of) => match all.remove("made") {
                Some(Value::Object(made)) => made,
                _ => Map::new(),
            },
            _ => Map::new(),
        }
    }

    /// What is kept under a name.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_value(self.all().remove(name)?).ok()
    }

    /// Keeps something under a name.
    ///
    /// # Errors
    /// What the system returns.
    pub fn write<T: Serialize>(&self, name: &str, made: &T) -> io::Result<()> {
        let mut all = self.all();
        all.shift_remove(name);
        while all.len() >= MOST {
            let oldest = all.keys().next().cloned().unwrap_or_default();
            all.shift_remove(&oldest);
        }
        all.insert(name.to_owned(), serde_json::to_value(made)?);
        let text = json!({ "of": self.of, "made": all });
        files::replace(&self.path, |file| write!(file, "{text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_what_is_new_and_no_more_than_it_should() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let table = dir.path().join("game.kanzen");
        std::fs::write(&table, b"a table")?;
        let kept = Kept::beside(&table)?;
        for number in 0..MOST + 2 {
            kept.write(&format!("puzzles {number}"), &number)?;
        }
        assert_eq!(kept.all().len(), MOST);
        assert_eq!(kept.read::<usize>("puzzles 1"), None);
        assert_eq!(kept.read("puzzles 2"), Some(2));
        std::fs::write(table.with_extension("made.json"), b"{\"of\": 1")?;
        assert_eq!(kept.read::<usize>("puzzles 2"), None, "a damaged file is none");
        Ok(())
    }
}
