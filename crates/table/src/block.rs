//! The coding of one block of cells.

use crate::DONT_CARE;
use std::cell::RefCell;
use zstd::bulk::Decompressor;

/// Turns codes into the ranks by which they are stored.
pub(crate) struct Ranks {
    of: Vec<u16>,
    width: usize,
}

impl Ranks {
    const NONE: u16 = u16::MAX;

    /// The ranks of a tier's list of codes.
    pub(crate) fn new(codes: &[u16], width: usize) -> Ranks {
        let mut of = vec![Ranks::NONE; codes.iter().max().map_or(0, |&max| max as usize + 1)];
        for (rank, &code) in codes.iter().enumerate() {
            of[code as usize] = rank as u16;
        }
        Ranks { of, width }
    }

    /// Writes the ranks of codes as bytes. The error is a code that is not in the list.
    pub(crate) fn write(&self, codes: &[u16], bytes: &mut [u8]) -> Result<(), u16> {
        let rank = |code: u16| match self.of.get(usize::from(code)) {
            Some(&rank) if rank != Ranks::NONE => Ok(rank),
            _ => Err(code),
        };
        // A cell that does not matter repeats the one before it, which lengthens runs.
        let first = codes.iter().find(|&&code| code != DONT_CARE);
        let mut last = first.map_or(Ok(0), |&code| rank(code))?;
        let mut next = |code: u16| {
            if code != DONT_CARE {
                last = rank(code)?;
            }
            Ok::<u16, u16>(last)
        };
        if self.width == 1 {
            for (byte, &code) in bytes.iter_mut().zip(codes) {
                *byte = next(code)? as u8;
            }
        } else {
            let (pairs, _) = bytes.as_chunks_mut::<2>();
            for (pair, &code) in pairs.iter_mut().zip(codes) {
                *pair = next(code)?.to_le_bytes();
            }
        }
        Ok(())
    }
}

/// Unpacks a block of `cells` cells to the bytes of their ranks; none if it does not hold them.
pub(crate) fn unpack(packed: &[u8], cells: usize, width: usize) -> Option<Vec<u8>> {
    thread_local! {
        // To make one takes longer than to unpack a small block.
        static UNPACKER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    let bytes = UNPACKER.with_borrow_mut(|unpacker| {
        if unpacker.is_none() {
            *unpacker = Some(Decompressor::new().ok()?);
        }
        unpacker.as_mut()?.decompress(packed, cells * width).ok()
    })?;
    (bytes.len() == cells * width).then_some(bytes)
}
