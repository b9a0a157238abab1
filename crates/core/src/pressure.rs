//! Who presses in a draw: drawn positions ranked by who is nearer to a mistake.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// One side of a drawn position presses the other: if both keep the draw, it can lead the other to a
/// position in which some move loses and only a few hold the draw, before it comes to such a position
/// itself. `docs/draws.md` defines it.
///
/// ```
/// use kanzen_core::Pressure;
/// let mine = Pressure { own: true, holding: 1, plies: 5 };
/// assert_eq!(Pressure::from_code(mine.code()), Some(mine));
/// assert_eq!(Pressure::from_code(0), None, "nobody presses");
/// let sooner = Pressure { plies: 3, ..mine };
/// let borne = Pressure { own: false, ..mine };
/// assert!(Pressure::compare(Some(sooner), Some(mine)).is_gt());
/// assert!(Pressure::compare(None, Some(borne)).is_gt());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pressure {
    /// Whether the side to move presses; else it is pressed.
    pub own: bool,
    /// How many moves hold the draw, at the most, where the pressed side is led to.
    pub holding: u8,
    /// Plies until then; [`MAX_PLIES`](Pressure::MAX_PLIES) stands for these or more.
    pub plies: u16,
}

impl Pressure {
    /// The most moves that are told: where more hold the draw, this many are said to.
    pub const MAX_HOLDING: u8 = 62;
    /// The most plies that are told.
    pub const MAX_PLIES: u16 = 0x1ff;

    /// A small number for it; 0 is left for a draw in which nobody presses. Of two codes the lesser is
    /// that of the sharper pressure, whoever presses.
    #[inline]
    pub fn code(self) -> u16 {
        u16::from(self.holding) << 10 | self.plies << 1 | u16::from(self.own)
    }

    /// What a code means: none for 0, where nobody presses.
    #[inline]
    pub fn from_code(code: u16) -> Option<Pressure> {
        let (holding, plies) = ((code >> 10) as u8, code >> 1 & Pressure::MAX_PLIES);
        (code != 0).then_some(Pressure { own: code & 1 == 1, holding, plies })
    }

    /// Whether a number is a code.
    pub fn is_code(code: u16) -> bool {
        let holding = 1..=u16::from(Pressure::MAX_HOLDING);
        // Whoever presses has to lead the other somewhere first.
        code == 0 || holding.contains(&(code >> 10)) && code & (Pressure::MAX_PLIES << 1 | 1) != 1
    }

    /// The same a ply before, seen by the side that makes the move.
    #[inline]
    pub fn before_move(self) -> Pressure {
        let plies = (self.plies + 1).min(Pressure::MAX_PLIES);
        Pressure { own: !self.own, plies, ..self }
    }

    /// The same seen by the other side.
    #[inline]
    pub fn flip(self) -> Pressure {
        Pressure { own: !self.own, ..self }
    }

    /// Compares two drawn positions, of which the better one for the side to move is greater: it would
    /// rather press, the sharper and the sooner the better, than nobody, and rather nobody than be pressed.
    #[inline]
    pub fn compare(one: Option<Pressure>, other: Option<Pressure>) -> Ordering {
        let worth = |pressure: Option<Pressure>| match pressure {
            None => 0,
            Some(own) if own.own => 0x10000 - i32::from(own.code()),
            Some(borne) => i32::from(borne.code()) - 0x10000,
        };
        worth(one).cmp(&worth(other))
    }
}
