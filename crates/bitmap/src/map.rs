//! The memory of a map: zeroed tiles in huge pages where the system has them.

use crate::tile::Tile;
use memmap2::MmapMut;
use std::io;
use std::ops::{Deref, DerefMut};

/// A long array of tiles, all empty at first.
#[derive(Debug)]
pub(crate) struct Map {
    memory: MmapMut,
}

impl Map {
    /// Asks the system for memory; it becomes resident when it is first written.
    pub(crate) fn new(tiles: usize) -> io::Result<Self> {
        let memory = MmapMut::map_anon(tiles * size_of::<Tile>())?;
        // Random tiles of gigabytes would miss the TLB again and again on small
        // pages. A system without huge pages refuses, and small ones do.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self { memory })
    }

    /// The content as bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory
    }

    /// The content as bytes, to be overwritten.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory
    }
}

impl Deref for Map {
    type Target = [Tile];

    fn deref(&self) -> &[Tile] {
        let tiles = self.memory.len() / size_of::<Tile>();
        debug_assert!(self.memory.as_ptr().cast::<Tile>().is_aligned());
        // SAFETY: the mapping starts at a page, so it is aligned for a tile; its
        // bytes are initialised (by zeros), any bytes are a tile, and the
        // borrow of `self` keeps it mapped.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), tiles) }
    }
}

impl DerefMut for Map {
    fn deref_mut(&mut self) -> &mut [Tile] {
        let tiles = self.memory.len() / size_of::<Tile>();
        debug_assert!(self.memory.as_ptr().cast::<Tile>().is_aligned());
        // SAFETY: as in `deref`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), tiles) }
    }
}
