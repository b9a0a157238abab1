//! The coding of one block of cells.

use crate::DONT_CARE;
use crate::contexts::{ANY, Model};
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

    /// The ranks of codes, [`ANY`] for those that do not matter. The error is a code that is not in
    /// the list.
    pub(crate) fn of(&self, mut codes: Vec<u16>) -> Result<Vec<u16>, u16> {
        for code in &mut codes {
            *code = match *code {
                DONT_CARE => ANY,
                code => self.rank(code)?,
            };
        }
        Ok(codes)
    }

    pub(crate) fn rank(&self, code: u16) -> Result<u16, u16> {
        let rank = self.of.get(usize::from(code)).copied();
        rank.filter(|&rank| rank != Ranks::NONE).ok_or(code)
    }

    /// Writes the ranks of codes as bytes. The error is a code that is not in the list.
    pub(crate) fn write(&self, codes: &[u16], bytes: &mut [u8]) -> Result<(), u16> {
        // A cell that does not matter repeats the one before it, which lengthens runs.
        let first = codes.iter().find(|&&code| code != DONT_CARE);
        let mut last = first.map_or(Ok(0), |&code| self.rank(code))?;
        let mut next = |code: u16| {
            if code != DONT_CARE {
                last = self.rank(code)?;
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

/// As [`unpack`], for a block that was packed by context.
pub(crate) fn unpack_by(
    model: &Model,
    packed: &[u8],
    cells: usize,
    block: usize,
    width: usize,
) -> Option<Vec<u8>> {
    let mut bytes = vec![0; block * width];
    if width == 1 {
        // Ranks of a byte each are below 256, unless the block is damaged.
        let mut all = 0;
        model.unpack(packed, block, |cell, rank| {
            bytes[cell] = rank as u8;
            all |= rank;
            Some(())
        })?;
        if all > 255 {
            return None;
        }
    } else {
        let (pairs, _) = bytes.as_chunks_mut::<2>();
        model.unpack(packed, block, |cell, rank| {
            pairs[cell] = rank.to_le_bytes();
            Some(())
        })?;
    }
    bytes.truncate(cells * width);
    Some(bytes)
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
