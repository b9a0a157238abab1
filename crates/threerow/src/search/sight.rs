//! What threats decide, whatever 'best play' means.
//!
//! Let player i be to move, then j, then k; a *threat* of a player is an empty
//! cell that completes a line of its own. No stone of anybody else ever adds
//! to a player's threats. From the top:
//!
//! 1. i has a threat: i wins at once. A win is what i likes best, or, when i
//!    acts with another player against a third, what hurts the third.
//! 2. j has two threats: whatever i does, one is left, and by (1) j wins.
//! 3. j has one threat: i takes it, or by (1) j wins.
//! 4. j has none and k has three: whatever i and j do, one is left; j cannot
//!    win before; by (1) k wins.
//! 5. j has none and k has two: i takes one of them, or by (2) k wins.
//!
//! Each conclusion is the value of the position under every meaning: 'the
//! value is a win of w' says for forced play that w can force it, and for play
//! of w in a coalition against p that p loses. (In 2 and 4, w need not care
//! what the others do, so it holds even if one of them is w's victim or the
//! other's ally.) Hence a search may skip the moves that 3 and 5 leave out if
//! it treats them as one move to a position of value j or k.

use super::Outcomes;
use super::memo::Key;
use crate::rules::Player;
use crate::shape::{LARGEST, Shape, bits};
use crate::symmetry::Symmetries;

const MOST: usize = LARGEST as usize * LARGEST as usize;

/// What the sight of a position needs to know about its shape.
#[derive(Debug, Clone)]
pub(super) struct Table {
    shape: Shape,
    symmetries: Symmetries,
    /// The lines through each cell.
    lines: Vec<Vec<u64>>,
}

/// A position at a glance.
pub(super) enum Sight {
    /// Threats, or the lack of lines that anyone could still complete, decide.
    Decided(Outcomes),
    /// Only these moves matter.
    Open(Moves),
}

/// The moves that matter, the most promising for the mover first.
pub(super) struct Moves {
    cells: [u8; MOST],
    count: usize,
    /// The outcome of all other moves; none if there are no others.
    pub(super) rest: Outcomes,
    /// A draw, and the wins of those who can still complete a line.
    pub(super) possible: Outcomes,
}

impl Moves {
    pub(super) fn cells(&self) -> &[u8] {
        &self.cells[..self.count]
    }
}

/// The player to move.
#[inline]
pub(super) fn mover(sets: [u64; 3]) -> Player {
    Player::to_move(sets.iter().map(|set| set.count_ones()).sum())
}

/// The sets after the mover takes a cell.
#[inline]
pub(super) fn after(sets: [u64; 3], mover: Player, cell: u8) -> [u64; 3] {
    let mut sets = sets;
    sets[mover as usize] |= 1 << cell;
    sets
}

impl Table {
    pub(super) fn new(shape: Shape) -> Table {
        let lines = shape.lines();
        let through = |cell| lines.iter().copied().filter(|line| line >> cell & 1 == 1).collect();
        Table {
            shape,
            symmetries: Symmetries::new(&shape),
            lines: (0..shape.cells()).map(through).collect(),
        }
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The position up to symmetry.
    #[inline]
    pub(super) fn key(&self, [first, second, third]: [u64; 3]) -> Key {
        let key = [first | third, second | third];
        self.symmetries.iter().map(|symmetry| key.map(|set| symmetry.set(set))).min().unwrap_or(key)
    }

    /// Looks at an open position.
    #[inline]
    pub(super) fn look(&self, sets: [u64; 3]) -> Sight {
        let mover = mover(sets);
        let (next, third) = (mover.next(), mover.next().next());
        let free = self.shape.full() & !(sets[0] | sets[1] | sets[2]);
        let threats = |player: Player| self.shape.completing(sets[player as usize]) & free;
        let wins = |player: Player| Sight::Decided(Outcomes::only(Some(player)));
        if threats(mover) != 0 {
            return wins(mover);
        }
        let (of_next, of_third) = (threats(next), threats(third));
        if of_next.count_ones() >= 2 {
            return wins(next);
        }
        if of_next == 0 && of_third.count_ones() >= 3 {
            return wins(third);
        }
        let possible = Player::ALL.into_iter().fold(Outcomes::DRAW, |possible, player| {
            let can = self.shape.has_line(sets[player as usize] | free);
            if can { possible.or(Outcomes::only(Some(player))) } else { possible }
        });
        if possible == Outcomes::DRAW {
            return Sight::Decided(possible);
        }
        let (cells, loss) = if of_next != 0 {
            (of_next, Outcomes::only(Some(next)))
        } else if of_third.count_ones() == 2 {
            (of_third, Outcomes::only(Some(third)))
        } else {
            (free, Outcomes::NONE)
        };
        let rest = if cells == free { Outcomes::NONE } else { loss };
        let mut moves = Moves { cells: [0; MOST], count: 0, rest, possible };
        // Threats first, then cells on many lines free of the others.
        let mut scored = [(0, 0); MOST];
        for cell in bits(cells) {
            let own = sets[mover as usize] | 1 << cell;
            let new = (self.shape.completing(own) & free & !(1 << cell)).count_ones();
            let others = sets[next as usize] | sets[third as usize];
            let open = self.lines[cell as usize].iter().filter(|&&line| line & others == 0).count();
            scored[moves.count] = (-(100 * new as i32 + open as i32), cell as u8);
            moves.count += 1;
        }
        scored[..moves.count].sort_unstable();
        for (cell, (_, from)) in moves.cells.iter_mut().zip(&scored[..moves.count]) {
            *cell = *from;
        }
        Sight::Open(moves)
    }
}
