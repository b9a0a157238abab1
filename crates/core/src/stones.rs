//! Positions made of two sets of equal pieces, in writing and as a picture: what many games share.

use crate::{Drawing, NotationError, Piece, Side};

/// Reads a digit for each point: `0` empty, `1` the side to move, `2` the other side. `-` and `/`
/// may stand anywhere and mean nothing. Returns the two sets.
///
/// ```
/// use kanzen_core::{parse_stones, write_stones};
/// let (mine, theirs) = parse_stones("10/02", 4)?;
/// assert_eq!((mine, theirs), (0b0001, 0b1000));
/// assert_eq!(write_stones(mine, theirs, 4), "1002");
/// # Ok::<(), kanzen_core::NotationError>(())
/// ```
pub fn parse_stones(text: &str, points: usize) -> Result<(u32, u32), NotationError> {
    let mut sets = [0u32; 3];
    let mut point = 0;
    for (at, found) in text.trim().chars().enumerate() {
        let digit = match found {
            '-' | '/' => continue,
            '0' => 0,
            '1' => 1,
            '2' => 2,
            _ => {
                let allowed = "0 (empty), 1 (side to move), 2 (other side), - and /";
                return Err(NotationError::Letter { at: at + 1, found, allowed });
            }
        };
        if point < points {
            sets[digit] |= 1 << point;
        }
        point += 1;
    }
    if point != points {
        let expected = format!("{points} digits");
        return Err(NotationError::Shape { expected, found: format!("{point}") });
    }
    Ok((sets[1], sets[2]))
}

/// Writes two sets as [`parse_stones`] reads them, without separators.
pub fn write_stones(mine: u32, theirs: u32, points: usize) -> String {
    let digit = |point: usize| match (mine >> point & 1, theirs >> point & 1) {
        (1, _) => '1',
        (_, 1) => '2',
        _ => '0',
    };
    (0..points).map(digit).collect()
}

/// The pieces of two sets; the number of a point is that of its spot.
pub fn stones(mine: u32, theirs: u32) -> Vec<Piece> {
    let piece = |spot: usize| match (mine >> spot & 1, theirs >> spot & 1) {
        (1, _) => Some(Piece::new(spot, Side::One, 1)),
        (_, 1) => Some(Piece::new(spot, Side::Two, 2)),
        _ => None,
    };
    (0..32).filter_map(piece).collect()
}

/// The two sets of a drawing's pieces, the side to move first: [`stones`] backwards.
pub fn stone_sets(drawing: &Drawing) -> (u32, u32) {
    let set = |side| {
        let own = drawing.pieces.iter().filter(|piece| piece.side == side && piece.spot < 32);
        own.fold(0, |set, piece| set | 1 << piece.spot)
    };
    (set(Side::One), set(Side::Two))
}
