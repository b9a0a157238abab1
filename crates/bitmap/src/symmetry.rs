//! A symmetry of the board, as it acts on tiles and on the bits within a tile.

use crate::layout::{LOW, Layout};
use crate::tile::Tile;
use kanzen_index::Images;

/// A symmetry in the terms of a layout.
#[derive(Debug, Clone)]
pub(crate) struct TileSymmetry {
    /// Where the numbers of tiles go.
    high: Images<u32, 4>,
    /// Exchanges of low slots that undo the symmetry within a tile.
    undo: Vec<(u8, u8)>,
    /// The low indices that the symmetry maps to themselves.
    fixed: Tile,
}

impl TileSymmetry {
    pub(crate) fn new(layout: &Layout, symmetry: &[u8]) -> Self {
        let to = layout.on_slots(symmetry);
        let high =
            Images::new(|bit| to.get(LOW + bit).map_or(0, |slot| 1 << (usize::from(*slot) - LOW)));
        let fixed =
            Tile::where_index(|low| (0..LOW).all(|slot| low >> slot & 1 == low >> to[slot] & 1));
        Self { high, undo: exchanges(&to[..LOW]), fixed }
    }

    /// The tile that `tile` is mapped to.
    #[inline(always)]
    pub(crate) fn tile(&self, tile: u32) -> u32 {
        self.high.of(tile)
    }

    /// Takes a tile of the image back: the bit that the symmetry maps to `i`
    /// gets the value of bit `i`.
    #[inline(always)]
    pub(crate) fn undo(&self, tile: &mut Tile) {
        for &(p, q) in &self.undo {
            tile.exchange(p, q);
        }
    }

    /// The bits of a tile that the symmetry leaves in place, when it leaves the
    /// tile in place.
    #[inline(always)]
    pub(crate) fn fixed(&self) -> &Tile {
        &self.fixed
    }
}

/// Exchanges that put the content of slot `to[s]` into slot `s`, for every `s`.
fn exchanges(to: &[u8]) -> Vec<(u8, u8)> {
    let mut content: Vec<u8> = (0..to.len() as u8).collect();
    let mut list = Vec::new();
    for (slot, wanted) in to.iter().enumerate() {
        if let Some(at) = content.iter().position(|c| c == wanted)
            && at != slot
        {
            content.swap(at, slot);
            list.push((slot as u8, at as u8));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;

    #[test]
    fn undo_and_tile_follow_the_slots() {
        // Eight rays of two points around a centre: 16 slots, 12 of them low.
        let mut lines: Vec<(u8, u8)> = (1..9).map(|p| (0, p)).collect();
        lines.extend((1..9).map(|p| (p, p + 8)));
        let turn: Vec<u8> = (0..17)
            .map(|p| match p {
                0 => 0,
                4 | 8 | 12 | 16 => p - 3,
                _ => p + 1,
            })
            .collect();
        let graph = Graph::new(17, &lines, &[], std::slice::from_ref(&turn)).unwrap();
        let layout = Layout::new(&graph);
        let symmetry = TileSymmetry::new(&layout, &turn);
        let to = layout.on_slots(&turn);
        let image =
            |index: usize| (0..layout.width()).fold(0, |i, s| i | (index >> s & 1) << to[s]);
        let noise = Tile::where_index(|i| i.wrapping_mul(0x9E37_79B9) >> 7 & 3 == 0);
        let mut undone = noise;
        symmetry.undo(&mut undone);
        assert_eq!(undone, Tile::where_index(|i| noise.bit(image(i))));
        for tile in 0..layout.tiles() {
            assert_eq!(symmetry.tile(tile as u32) as usize, image(tile << LOW) >> LOW);
        }
        assert_eq!(*symmetry.fixed(), Tile::where_index(|i| image(i) == i));
    }
}
