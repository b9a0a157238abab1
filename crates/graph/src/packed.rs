//! Graphs in few bytes: numbers of seven bits a byte, and a checksum at the end.

use crate::build::{Builder, Forever};
use crate::game::{AGAIN, Ends, Labels, MOST};
use crate::{Graph, GraphError};
use kanzen_core::{Endless, Outcome, Side};

const MAGIC: &[u8] = b"\x89KNG\r\n\x1a\n\x01";

impl Graph {
    /// Whether bytes begin as a packed graph does.
    pub(crate) fn is_packed(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC[..MAGIC.len() - 1])
    }

    /// The graph in few bytes. Labels are left out: positions are then called by their numbers.
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        put(&mut bytes, self.len());
        put(&mut bytes, self.first().into());
        bytes.push(match kanzen_core::Game::endless(self) {
            Endless::Draw => 0,
            Endless::WonBy(Side::One) => 1,
            Endless::WonBy(_) => 2,
        });
        for position in 0..self.len() as u32 {
            let moves = self.moves_of(position);
            put(&mut bytes, moves.len() as u64);
            match self.end_of(position) {
                Ends::Over(outcome) => bytes.push(outcome as u8),
                Ends::Open => {
                    for &mv in moves {
                        put(&mut bytes, u64::from(mv & !AGAIN) << 1 | u64::from(mv >= AGAIN));
                    }
                }
            }
        }
        let checksum = crc32c::crc32c(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    pub(crate) fn unpack(bytes: &[u8]) -> Result<Graph, GraphError> {
        let damaged = |what: &str| GraphError::Damaged(what.to_owned());
        let body = bytes.len().checked_sub(4).ok_or_else(|| damaged("it is cut off"))?;
        let (body, checksum) = bytes.split_at(body);
        if crc32c::crc32c(body).to_le_bytes() != checksum {
            return Err(damaged("its checksum does not match, or it is cut off"));
        }
        let mut body = body.strip_prefix(MAGIC).ok_or_else(|| damaged("its version"))?;
        let bytes = &mut body;
        let short = || damaged("a number is cut off or too large");
        let found = take(bytes).ok_or_else(short)?;
        if found > MOST {
            return Err(GraphError::Size { found, most: MOST });
        }
        let start = take(bytes).ok_or_else(short)?;
        let forever = match bytes.split_off_first() {
            Some(0) => Forever::Draw,
            Some(1) => Forever::First,
            Some(2) => Forever::Second,
            _ => return Err(damaged("who wins by endless play")),
        };
        let mut builder = Builder::default();
        for position in 0..found {
            let count = take(bytes).ok_or_else(short)?;
            if count == 0 {
                builder.end(match bytes.split_off_first() {
                    Some(0) => Outcome::Loss,
                    Some(1) => Outcome::Draw,
                    Some(2) => Outcome::Win,
                    _ => return Err(damaged(&format!("the outcome of position {position}"))),
                });
                continue;
            }
            // A move takes a byte at least.
            if count > bytes.len() as u64 {
                return Err(short());
            }
            let child = |_| {
                let number = take(bytes).ok_or_else(short)?;
                let (to, again) = (number >> 1, number & 1 == 1);
                if to >= found {
                    let what = format!("position {position} leads to {to}, which is not there");
                    return Err(damaged(&what));
                }
                Ok((to as u32, again))
            };
            let moves: Vec<(u32, bool)> = (0..count).map(child).collect::<Result<_, _>>()?;
            builder.position(moves.into_iter());
        }
        if !bytes.is_empty() {
            return Err(damaged("more follows after the last position"));
        }
        let start = u32::try_from(start).map_err(|_| damaged("the start"))?;
        builder.finish(Labels::default(), start, forever)
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0_u64, 0);
    loop {
        let byte = *bytes.split_off_first()?;
        if shift > 56 {
            return None;
        }
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return Some(number);
        }
    }
}
