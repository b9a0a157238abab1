//! What was read of a table, on disk: a file for each range, with a checksum at its end.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

/// Bytes that are kept of a table; more, and all are forgotten.
const MOST: u64 = 512 << 20;

/// The pieces of a table.
pub struct Cache(Option<PathBuf>);

impl Cache {
    /// The pieces that are kept in a folder; none are kept without one.
    pub fn open(folder: Option<PathBuf>) -> Cache {
        if let Some(folder) = &folder {
            let files = fs::read_dir(folder).into_iter().flatten().flatten();
            let bytes: u64 = files.filter_map(|file| Some(file.metadata().ok()?.len())).sum();
            if bytes > MOST {
                _ = fs::remove_dir_all(folder);
            }
            _ = fs::create_dir_all(folder);
        }
        Cache(folder)
    }

    fn path(&self, range: &Range<u64>) -> Option<PathBuf> {
        Some(self.0.as_ref()?.join(format!("{}-{}", range.start, range.end)))
    }

    /// A piece, if it is here and whole.
    pub fn get(&self, range: &Range<u64>) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.path(range)?).ok()?;
        let at = bytes.len().checked_sub(4)?;
        let sum = u32::from_le_bytes(bytes[at..].try_into().ok()?);
        bytes.truncate(at);
        let whole = bytes.len() as u64 == range.end - range.start && crc32c::crc32c(&bytes) == sum;
        whole.then_some(bytes)
    }

    /// Keeps a piece, if there is room.
    pub fn put(&self, range: &Range<u64>, bytes: &[u8]) {
        let Some(path) = self.path(range) else { return };
        let sum = crc32c::crc32c(bytes).to_le_bytes();
        let part = path.with_extension(format!("part{}", std::process::id()));
        if fs::write(&part, [bytes, &sum].concat()).is_ok() {
            _ = fs::rename(&part, &path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_were_touched_are_not_believed() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(dir.path().join("a")));
        assert_eq!(cache.get(&(3..6)), None);
        cache.put(&(3..6), b"abc");
        assert_eq!(cache.get(&(3..6)), Some(b"abc".to_vec()));
        assert_eq!(cache.get(&(3..7)), None);
        let path = dir.path().join("a/3-6");
        let mut bytes = fs::read(&path).unwrap();
        bytes[1] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(cache.get(&(3..6)), None);
    }
}
