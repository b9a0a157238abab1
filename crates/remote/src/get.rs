//! Fetching a table whole.

use crate::{Remote, RemoteError};
use kanzen_machine::files;
use kanzen_solve::Progress;
use kanzen_table::Table;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

impl Remote {
    /// Fetches a table into a directory, checks it against the list, and returns its path. What an
    /// earlier try has brought is not fetched again.
    ///
    /// # Errors
    /// If the server does not send it, or what came is not the table of the list.
    pub fn get(
        &self,
        name: &str,
        dir: &Path,
        stop: &AtomicBool,
        progress: &dyn Progress,
    ) -> Result<PathBuf, RemoteError> {
        let listed = self.listed(name)?;
        let path = dir.join(name);
        // Named after its contents, so that the rest of another table is never added to it.
        let part = dir.join(format!("{name}.{}.part", &listed.blake3[..16]));
        fs::create_dir_all(dir).map_err(RemoteError::file(dir))?;
        let file = || RemoteError::file(&part);
        let mut to = File::options()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(&part)
            .map_err(file())?;
        let mut have = to.metadata().map_err(file())?.len();
        if have > listed.bytes {
            have = 0;
        }
        progress.begin("fetching the table", listed.bytes);
        if have < listed.bytes {
            let (begin, mut response) = self.distant(listed).rest(have)?;
            // A server that sends whole files only begins anew.
            if begin > have {
                return Err(RemoteError::Unreachable {
                    url: name.to_owned(),
                    why: "the server begins behind what was asked for".to_owned(),
                });
            }
            have = begin;
            to.set_len(have).map_err(file())?;
            to.seek(SeekFrom::Start(have)).map_err(file())?;
            progress.advance(have);
            let mut from = response.body_mut().as_reader();
            let mut buffer = vec![0; 1 << 18];
            loop {
                if stop.load(Relaxed) {
                    return Err(RemoteError::Stopped);
                }
                let read = from.read(&mut buffer).map_err(|error| RemoteError::Unreachable {
                    url: name.to_owned(),
                    why: format!("{error}; the same command goes on from here"),
                })?;
                if read == 0 {
                    break;
                }
                have += read as u64;
                to.write_all(&buffer[..read]).map_err(file())?;
                progress.advance(read as u64);
            }
        }
        progress.end();
        to.sync_all().map_err(file())?;
        let (url, bytes) = (self.distant(listed).url, listed.bytes);
        if have < bytes {
            let why =
                format!("only {have} of {bytes} bytes came; the same command goes on from here");
            return Err(RemoteError::Unreachable { url, why });
        }
        to.seek(SeekFrom::Start(0)).map_err(file())?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(&to).map_err(file())?;
        if hasher.finalize().to_hex().as_str() != listed.blake3.to_lowercase() {
            fs::remove_file(&part).map_err(file())?;
            return Err(RemoteError::Changed {
                url,
                what: "what came has another hash".to_owned(),
            });
        }
        Table::open(&part)?.expect(&listed.identity)?;
        files::rename(&part, &path).map_err(RemoteError::file(&path))?;
        Ok(path)
    }
}
