//! A folder of tables on a server.

use crate::RemoteError;
use crate::cache::Cache;
use crate::http::{Client, Distant};
use crate::index::{HEADER, INDEX, Index, Listed, hexadecimal};
use kanzen_registry::{Shelf, Stamp};
use kanzen_table::{Carrier, Far, Table, TableError};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Unpacked bytes kept in memory.
const MEMORY: usize = 256 << 20;

/// A folder of tables on a server.
pub struct Remote {
    client: Client,
    url: String,
    index: Index,
    cache: Option<PathBuf>,
}

impl Remote {
    /// Opens the folder at an address, or the one of a site at that address. What is read of its tables
    /// is kept in `cache`.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn open(address: &str, cache: Option<&Path>) -> Result<Remote, RemoteError> {
        let known = ["http://", "https://"].iter().any(|scheme| address.starts_with(scheme));
        if !known || address.chars().any(char::is_whitespace) {
            return Err(RemoteError::Address(address.to_owned()));
        }
        let address = address.trim_end_matches('/').trim_end_matches("/index.json");
        let client = Client::default();
        for url in [address.to_owned(), format!("{address}/tables")] {
            let list = format!("{url}/{INDEX}");
            if let Some(bytes) = client.list(&list)? {
                let index =
                    Index::parse(&bytes).map_err(|why| RemoteError::Index { url: list, why })?;
                return Ok(Remote { client, url, index, cache: cache.map(Path::to_owned) });
            }
        }
        Err(RemoteError::NoIndex(address.to_owned()))
    }

    /// The tables there are.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The table of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn listed(&self, name: &str) -> Result<&Listed, RemoteError> {
        self.index.find(name).ok_or_else(|| {
            let known: Vec<&str> = self.index.tables.iter().map(|table| &*table.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            RemoteError::NoTable { name: name.to_owned(), url: self.url.clone(), known }
        })
    }

    pub(crate) fn distant(&self, table: &Listed) -> Distant {
        let url = format!("{}/{}", self.url, table.name);
        Distant::new(self.client.clone(), url, table.bytes)
    }

    fn open_table(&self, listed: &Listed) -> Result<Table, TableError> {
        let distant = self.distant(listed);
        let url = distant.url.clone();
        let problem = |error: io::Error| TableError { path: (&url).into(), problem: error.into() };
        // Every time, so that what is kept belongs to what is there.
        let range = 0..HEADER as u64;
        let header = distant
            .ranges(std::slice::from_ref(&range))
            .map_err(|error| problem(io::Error::other(error)))?;
        let header = header.concat();
        if hexadecimal(&header) != listed.header.to_lowercase() {
            let what = "it begins differently".to_owned();
            let changed = RemoteError::Changed { url: url.clone(), what };
            return Err(problem(io::Error::other(changed)));
        }
        let folder = self.cache.as_ref().map(|cache| cache.join(&listed.blake3));
        let carrier = Kept { distant, cache: Cache::open(folder) };
        let far = Far::new(&*url, listed.bytes, Box::new(carrier));
        far.give(0, header);
        Table::from_source(Path::new(&url), Box::new(far), MEMORY)
    }
}

/// Brings what was brought before from disk.
struct Kept {
    distant: Distant,
    cache: Cache,
}

impl Carrier for Kept {
    fn bring(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let mut found: Vec<Option<Vec<u8>>> =
            ranges.iter().map(|range| self.cache.get(range)).collect();
        let missing: Vec<usize> = (0..ranges.len()).filter(|&at| found[at].is_none()).collect();
        if !missing.is_empty() {
            let wanted: Vec<Range<u64>> = missing.iter().map(|&at| ranges[at].clone()).collect();
            let brought = self.distant.ranges(&wanted).map_err(io::Error::other)?;
            for (at, bytes) in missing.into_iter().zip(brought) {
                self.cache.put(&ranges[at], &bytes);
                found[at] = Some(bytes);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }
}

impl Shelf for Remote {
    fn find(&self, name: &str) -> Result<Option<Table>, TableError> {
        self.index.find(name).map(|listed| self.open_table(listed)).transpose()
    }

    fn stamp(&self, name: &str) -> Option<Stamp> {
        self.index.find(name).map(|listed| (None, listed.bytes))
    }

    fn whole(&self, _: &str) -> bool {
        false
    }
}
