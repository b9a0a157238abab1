//! Where a point's bit stands in a map's index.
//!
//! For every king point there is one map with a bit for each placement of the
//! equal pieces. The index of a placement has a *slot* (one bit) for each
//! point but one: the *spare* point, which takes the slot of the point the
//! king stands on. So a move of a piece is 'exchange two slots', and a king's
//! move from `k` to `q` is 'exchange slots `k` and `q`', too.
//!
//! The lowest [`LOW`] slots number the bits within a [tile](crate::tile), the
//! others number the tiles. Work on low slots costs shifts and masks, on high
//! slots only another address: so points with few lines go low. A symmetry of
//! the board must map low slots to low slots, for then a tile's mirror image
//! is a tile; and it must fix the spare point. Where the points do not allow
//! that, *phantom* points without lines fill the gap: they stay empty.

use crate::graph::Graph;
use crate::region::REGION_SLOTS;

/// The number of slots within a tile.
pub const LOW: usize = 12;

/// The slots of a board's points.
#[derive(Debug, Clone)]
pub struct Layout {
    points: usize,
    /// The slot of each point, `None` for the spare point.
    slots: Vec<Option<u8>>,
    /// The point of each slot, `None` for phantoms; it ends with the last high slot.
    owners: Vec<Option<u8>>,
    /// The spare point; without one, a phantom is the spare.
    spare: Option<u8>,
}

impl Layout {
    /// A layout in which every symmetry of the graph maps tiles to tiles.
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        let degree: Vec<usize> =
            (0..graph.points() as u8).map(|p| graph.neighbours(p).count()).collect();
        let spare = spare_point(graph, &degree);
        let orbits = orbits(graph, spare);
        let chosen = choose_low(&orbits, &degree);
        let (low, high): (Vec<_>, Vec<_>) = orbits.into_iter().zip(chosen).partition(|o| o.1);
        let points = |orbits: Vec<(Vec<u8>, bool)>| orbits.into_iter().map(|o| o.0);
        let mut low: Vec<u8> = points(low).flatten().collect();
        // Within the tile, too, the lowest slots are the dearest. A stable sort
        // keeps the points of an orbit together, which makes symmetries cheap.
        low.sort_by_key(|&p| degree[usize::from(p)]);
        let mut owners: Vec<Option<u8>> = low.iter().copied().map(Some).collect();
        owners.resize(LOW, None);
        let high = fill_region(peel(graph, &low, points(high).collect()));
        owners.extend(high.into_iter().flatten().map(Some));
        let mut slots = vec![None; graph.points()];
        for (slot, owner) in owners.iter().enumerate() {
            if let Some(point) = owner {
                slots[usize::from(*point)] = Some(slot as u8);
            }
        }
        Self { points: graph.points(), slots, owners, spare }
    }

    /// How many slots an index has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.owners.len()
    }

    /// How many tiles a map has.
    #[must_use]
    pub fn tiles(&self) -> usize {
        1 << (self.width() - LOW)
    }

    /// The slot of a point while the king stands on `king`; `None` for the
    /// king's own point.
    #[must_use]
    pub fn slot(&self, king: u8, point: u8) -> Option<u8> {
        if point == king {
            None
        } else {
            self.slots[usize::from(point)].or(self.slots[usize::from(king)])
        }
    }

    /// The slot that belongs to a point while the king is elsewhere; `None`
    /// for the spare point.
    #[must_use]
    pub fn own_slot(&self, point: u8) -> Option<u8> {
        self.slots[usize::from(point)]
    }

    /// The slots that must be empty while the king stands on `king`, as a mask:
    /// those of phantoms.
    #[must_use]
    pub fn phantoms(&self, king: u8) -> u64 {
        let mut mask = 0;
        for (slot, owner) in self.owners.iter().enumerate() {
            if owner.is_none() || (*owner == Some(king) && self.spare.is_none()) {
                mask |= 1 << slot;
            }
        }
        mask
    }

    /// The index of a placement: `pieces` has a bit for each point.
    #[must_use]
    pub fn index(&self, king: u8, pieces: u64) -> u64 {
        let mut index = 0;
        for point in 0..self.points as u8 {
            if pieces >> point & 1 == 1
                && let Some(slot) = self.slot(king, point)
            {
                index |= 1 << slot;
            }
        }
        index
    }

    /// The placement of an index.
    #[must_use]
    pub fn pieces(&self, king: u8, index: u64) -> u64 {
        (0..self.points as u8)
            .filter(|&p| self.slot(king, p).is_some_and(|slot| index >> slot & 1 == 1))
            .fold(0, |pieces, p| pieces | 1 << p)
    }

    /// What a symmetry does to the slots: entry `s` is where slot `s` goes.
    #[must_use]
    pub fn on_slots(&self, symmetry: &[u8]) -> Vec<u8> {
        self.owners
            .iter()
            .enumerate()
            .map(|(slot, owner)| match owner {
                Some(point) => {
                    self.slots[usize::from(symmetry[usize::from(*point)])].unwrap_or(slot as u8)
                }
                None => slot as u8,
            })
            .collect()
    }
}

/// A point that every symmetry fixes, of those the one with the fewest lines.
fn spare_point(graph: &Graph, degree: &[usize]) -> Option<u8> {
    (0..graph.points() as u8)
        .filter(|&p| graph.symmetries().iter().all(|g| g[usize::from(p)] == p))
        .min_by_key(|&p| degree[usize::from(p)])
}

fn orbits(graph: &Graph, spare: Option<u8>) -> Vec<Vec<u8>> {
    let minima = graph.orbit_minima();
    (0..graph.points() as u8)
        .filter(|&p| minima[usize::from(p)] == p && Some(p) != spare)
        .map(|least| {
            (0..graph.points() as u8).filter(|&p| minima[usize::from(p)] == least).collect()
        })
        .collect()
}

/// Chooses whole orbits, as many points as fit into the low slots, and of all
/// such choices one with the fewest lines.
fn choose_low(orbits: &[Vec<u8>], degree: &[usize]) -> Vec<bool> {
    let mut best: Vec<Option<(usize, Vec<bool>)>> = vec![None; LOW + 1];
    best[0] = Some((0, vec![false; orbits.len()]));
    for (i, orbit) in orbits.iter().enumerate() {
        let lines: usize = orbit.iter().map(|&p| degree[usize::from(p)]).sum();
        for size in (orbit.len()..=LOW).rev() {
            let Some((cost, chosen)) = &best[size - orbit.len()] else { continue };
            let cost = cost + lines;
            if best[size].as_ref().is_none_or(|b| cost < b.0) {
                let mut chosen = chosen.clone();
                chosen[i] = true;
                best[size] = Some((cost, chosen));
            }
        }
    }
    best.into_iter().rev().flatten().next().map_or_else(Vec::new, |(_, chosen)| chosen)
}

/// Orders the high points from near to far: a line that reaches a far slot
/// reads memory far away, so the farthest points are always those that add the
/// fewest lines to those that do already.
fn peel(graph: &Graph, low: &[u8], mut near: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut far = Vec::new();
    while let Some((i, _)) = near.iter().enumerate().min_by_key(|&(_, orbit)| {
        let is_near = |q: &u8| low.contains(q) || near.iter().any(|o| o.contains(q));
        let lines: usize = orbit.iter().map(|&p| graph.neighbours(p).filter(is_near).count()).sum();
        lines * graph.points() / orbit.len()
    }) {
        far.push(near.remove(i));
    }
    far.reverse();
    far
}

/// Moves whole orbits to the front that just fill the slots of a region, if
/// there are some: then symmetries map regions to regions.
fn fill_region(orbits: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut room = REGION_SLOTS;
    let (near, far): (Vec<_>, Vec<_>) = orbits.into_iter().partition(|orbit| {
        let fits = orbit.len() <= room;
        room -= if fits { orbit.len() } else { 0 };
        fits
    });
    near.into_iter().chain(far).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square_with_centre() -> Graph {
        let lines = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)];
        Graph::new(5, &lines, &[[0, 4, 2], [1, 4, 3]], &[vec![1, 2, 3, 0, 4]]).unwrap()
    }

    #[test]
    fn index_and_pieces_are_inverse() {
        let layout = Layout::new(&square_with_centre());
        for king in 0..5 {
            for pieces in (0..32_u64).filter(|p| p >> king & 1 == 0) {
                let index = layout.index(king, pieces);
                assert_eq!(layout.pieces(king, index), pieces);
                assert_eq!(index & layout.phantoms(king), 0);
                assert_eq!(index.count_ones(), pieces.count_ones());
            }
        }
    }

    #[test]
    fn the_fixed_point_is_spare() {
        let layout = Layout::new(&square_with_centre());
        assert_eq!(layout.own_slot(4), None);
        assert_eq!(layout.slot(0, 4), layout.own_slot(0));
        assert_eq!(layout.width(), LOW);
    }
}
