//! Files that are whole or not there, and whose damage is noticed.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, Take, Write};
use std::path::{Path, PathBuf};

/// The bytes of a checksum at the end of a file.
const CHECKSUM: u64 = 4;

/// Writes a file whole or not at all: under another name, which it loses when everything is on the
/// disk. What stood there before stays until then, also if the power fails.
///
/// ```
/// let dir = tempfile::tempdir()?;
/// let path = dir.path().join("answer");
/// kanzen_machine::files::replace(&path, |file| std::io::Write::write_all(file, b"42"))?;
/// assert_eq!(std::fs::read(&path)?, b"42");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// What `write` and the system return; the other name is removed then.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = temporary_name(path);
    let outcome = (|| {
        let mut file = BufWriter::new(File::create(&temporary)?);
        write(&mut file)?;
        file.into_inner()?.sync_all()?;
        rename(&temporary, path)
    })();
    if outcome.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    outcome
}

/// Gives a file that is on the disk its name, so that the name is on the disk too.
///
/// # Errors
/// What the system returns.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_parent(to)
}

/// Makes a directory with all above it, unless it is there, and makes sure that its name is on the
/// disk: what is written into it later is lost otherwise when the power fails.
///
/// # Errors
/// What the system returns.
pub fn create_dir(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(path)?;
    sync_parent(path)
}

/// Removes a file or a directory with all in it, if it is there. What would be inside of a file is not.
///
/// # Errors
/// What the system returns.
pub fn remove(path: &Path) -> io::Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    use io::ErrorKind::{NotADirectory, NotFound};
    match removed {
        Err(error) if !matches!(error.kind(), NotFound | NotADirectory) => Err(error),
        _ => Ok(()),
    }
}

fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => sync_dir(dir),
        _ => sync_dir(Path::new(".")),
    }
}

/// Makes sure that the names in a directory are on the disk.
fn sync_dir(dir: &Path) -> io::Result<()> {
    // Only Unix opens directories as files; elsewhere a rename is on the disk when it returns.
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}

/// The name that a file has until it is whole.
fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    path.with_file_name(name)
}

/// A writer that ends what it writes with a checksum of all of it.
pub struct Checked<W> {
    to: W,
    checksum: u32,
}

impl<W: Write> Checked<W> {
    /// Begins to sum up what is written to `to`.
    pub fn new(to: W) -> Checked<W> {
        Checked { to, checksum: 0 }
    }

    /// Writes the checksum.
    ///
    /// # Errors
    /// What the writer returns.
    pub fn finish(mut self) -> io::Result<()> {
        self.to.write_all(&self.checksum.to_le_bytes())
    }
}

impl<W: Write> Write for Checked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.checksum = crc32c::crc32c_append(self.checksum, &bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Opens a file that [`Checked`] wrote, for reading without its checksum, after all of it was found
/// to be as it was written.
///
/// # Errors
/// If it is not so, or cannot be read.
pub fn open_checked(path: &Path) -> io::Result<Take<BufReader<File>>> {
    let mut file = File::open(path)?;
    let length = file
        .metadata()?
        .len()
        .checked_sub(CHECKSUM)
        .ok_or_else(|| io::Error::other("damaged: it is too short"))?;
    let mut buffer = vec![0; 1 << 20];
    let (mut left, mut checksum) = (length, 0);
    while left > 0 {
        let some = buffer.len().min(left.try_into().unwrap_or(usize::MAX));
        file.read_exact(&mut buffer[..some])?;
        checksum = crc32c::crc32c_append(checksum, &buffer[..some]);
        left -= some as u64;
    }
    let mut expected = [0; CHECKSUM as usize];
    file.read_exact(&mut expected)?;
    if u32::from_le_bytes(expected) != checksum {
        return Err(io::Error::other("damaged: its checksum is wrong"));
    }
    file.rewind()?;
    Ok(BufReader::new(file).take(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file.txt");
        replace(&path, |file| file.write_all(b"old")).unwrap();
        let failed = replace(&path, |file| {
            file.write_all(b"new")?;
            Err(io::Error::other("full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn what_is_not_there_is_removed_already() {
        let dir = tempfile::tempdir().unwrap();
        let (file, inner) = (dir.path().join("file"), dir.path().join("new/inner"));
        create_dir(&inner).unwrap();
        create_dir(&inner).unwrap();
        fs::write(&file, "x").unwrap();
        remove(&file.join("inside")).unwrap();
        for path in [&file, &dir.path().join("new"), &inner] {
            remove(path).unwrap();
            assert!(!path.exists());
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let written: Vec<u8> = (0..50).collect();
        replace(&path, |file| {
            let mut file = Checked::new(file);
            file.write_all(&written)?;
            file.finish()
        })
        .unwrap();
        let mut read = Vec::new();
        open_checked(&path).unwrap().read_to_end(&mut read).unwrap();
        assert_eq!(read, written);
        let whole = fs::read(&path).unwrap();
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, bytes).unwrap();
            assert!(open_checked(&path).is_err(), "bit {bit}");
        }
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(open_checked(&path).is_err(), "cut to {length}");
        }
    }
}
