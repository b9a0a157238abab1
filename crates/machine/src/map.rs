//! A long array in memory of its own: zeros in huge pages where the system has them, which become
//! resident when they are first written.

use memmap2::{MmapMut, MmapRaw};
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

/// A type whose values are any bytes.
///
/// # Safety
/// Any bytes, zeros among them, must be a value, none of them padding; the type needs no alignment
/// beyond that of a page, and nothing is done when a value is dropped.
pub unsafe trait Plain {}

// SAFETY: a number of 64 bits.
unsafe impl Plain for AtomicU64 {}

/// An array of zeros at first.
#[derive(Debug)]
pub struct Map<T> {
    memory: MmapRaw,
    items: PhantomData<T>,
}

impl<T: Plain> Map<T> {
    /// Asks the system for memory.
    ///
    /// # Errors
    /// If it has none left.
    pub fn new(len: usize) -> io::Result<Map<T>> {
        let memory = MmapMut::map_anon((len * size_of::<T>()).max(1))?;
        // Random accesses to gigabytes would miss the TLB again and again on small pages. A system
        // without huge pages refuses, and small ones do.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Map { memory: memory.into(), items: PhantomData })
    }
}

impl<T: Plain> Deref for Map<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        let items = self.memory.len() / size_of::<T>();
        // SAFETY: the mapping starts at a page, so it is aligned; any bytes are a value; and the
        // borrow of `self` keeps it mapped. The pointer may be written through, as atomics need.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), items) }
    }
}

impl<T: Plain> DerefMut for Map<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        let items = self.memory.len() / size_of::<T>();
        // SAFETY: as in `deref`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), items) }
    }
}

/// What is [`Copy`] is not changed through a shared borrow: then the bytes may be borrowed, too.
impl<T: Plain + Copy> Map<T> {
    /// The content as bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the bytes are initialised and stay mapped, and nobody changes them.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr(), self.memory.len()) }
    }

    /// The content as bytes, to be overwritten.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`, and `self` is borrowed mutably; any bytes are values.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr(), self.memory.len()) }
    }
}
