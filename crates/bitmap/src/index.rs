//! Where a position stands in the maps, with no need of the maps themselves.

use crate::graph::{Graph, MAX_POINTS};
use crate::layout::{LOW, Layout};
use crate::region::{REGION, REGION_SLOTS};
use kanzen_index::Images;

/// The numbering of a board's positions: a map number for the king's point, and
/// an index within the map, which is cut into blocks of equal size.
///
/// Of the positions that symmetries map to each other one is canonical: its
/// king stands on a point that has a map, and its index is the least.
#[derive(Debug, Clone)]
pub struct Index {
    graph: Graph,
    layout: Layout,
    kings: Vec<u8>,
    /// Whether symmetries map blocks to blocks.
    closed: bool,
    /// For each symmetry where it takes pieces: to the slots of the points' images, or to [`SPARE`].
    images: Vec<Images<u64, { MAX_POINTS / 8 }>>,
}

/// Stands for a piece on the spare point, whose slot depends on the king.
const SPARE: u64 = 1 << 63;

/// The place of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The number of the king's map.
    pub king: usize,
    /// The index within the map.
    pub index: u64,
}

impl Index {
    /// The numbering of a board's positions.
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        let layout = Layout::new(graph);
        let minima = graph.orbit_minima();
        let kings = (0..graph.points() as u8).filter(|&p| minima[usize::from(p)] == p).collect();
        let border = LOW + REGION_SLOTS;
        let closed = graph.symmetries().iter().all(|g| {
            let to = layout.on_slots(g);
            to.iter().enumerate().all(|(s, &t)| (s < border) == (usize::from(t) < border))
        });
        let slot = |to: &u8| layout.own_slot(*to).map_or(SPARE, |slot| 1 << slot);
        let images = graph.symmetries().iter().map(|g| Images::new(|p| g.get(p).map_or(0, slot)));
        let images = images.collect();
        Self { graph: graph.clone(), layout, kings, closed, images }
    }

    /// The board.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The king points that have a map, by the map's number.
    #[must_use]
    pub fn kings(&self) -> &[u8] {
        &self.kings
    }

    /// How many placements a map has.
    #[must_use]
    pub fn size(&self) -> u64 {
        1 << self.layout.width()
    }

    /// How many blocks a map has.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.layout.tiles().div_ceil(REGION)
    }

    /// How many placements a block has.
    #[must_use]
    pub fn block_size(&self) -> usize {
        self.layout.tiles().min(REGION) << LOW
    }

    /// Whether some position of a block is canonical. The others need not be
    /// stored.
    #[must_use]
    pub fn has_canonical(&self, king: usize, block: usize) -> bool {
        self.block_images(king, block).all(|image| image >= block as u64)
    }

    /// How many blocks of the map have the same positions up to symmetry.
    pub(crate) fn block_orbit(&self, king: usize, block: usize) -> usize {
        let mut images: Vec<u64> = self.block_images(king, block).collect();
        images.sort_unstable();
        images.dedup();
        images.len()
    }

    /// The blocks that symmetries map a block to; only itself where they do not map blocks to
    /// blocks.
    fn block_images(&self, king: usize, block: usize) -> impl Iterator<Item = u64> {
        let border = LOW + REGION_SLOTS;
        let symmetries = self.stabiliser(self.kings[king]).filter(|_| self.closed);
        let first = (block as u64) << border;
        let image = move |g: &Vec<u8>| image(&self.layout.on_slots(g), first) >> border;
        symmetries.map(image).chain([block as u64])
    }

    /// The canonical place of a position: `pieces` has a bit for each point.
    #[must_use]
    pub fn locate(&self, king: u8, pieces: u64) -> Option<Place> {
        if usize::from(king) >= self.graph.points()
            || pieces >> self.graph.points() != 0
            || pieces >> king & 1 == 1
        {
            return None;
        }
        let mut least: Option<Place> = None;
        for (g, images) in self.graph.symmetries().iter().zip(&self.images) {
            let Ok(number) = self.kings.binary_search(&g[usize::from(king)]) else { continue };
            let mut index = images.of(pieces);
            if index & SPARE != 0 {
                let slot = self.layout.own_slot(self.kings[number]).unwrap_or(0);
                index = index & !SPARE | 1 << slot;
            }
            let place = Place { king: number, index };
            if least.is_none_or(|least| place < least) {
                least = Some(place);
            }
        }
        least
    }

    /// The position at a place: the king's point, and the pieces. `None` where
    /// there is no position.
    #[must_use]
    pub fn position(&self, place: Place) -> Option<(u8, u64)> {
        let king = *self.kings.get(place.king)?;
        let valid = place.index >> self.layout.width() == 0
            && place.index & self.layout.phantoms(king) == 0;
        valid.then(|| (king, self.layout.pieces(king, place.index)))
    }

    fn stabiliser(&self, king: u8) -> impl Iterator<Item = &Vec<u8>> {
        self.graph.symmetries().iter().filter(move |g| g[usize::from(king)] == king)
    }
}

/// Where a permutation takes a set.
fn image(to: &[u8], set: u64) -> u64 {
    to.iter().enumerate().fold(0, |image, (bit, &t)| image | (set >> bit & 1) << t)
}
