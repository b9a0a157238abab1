//! What each king's map needs from the others, in the terms of tiles.
//!
//! Only one king point of every orbit has a map. A king's move to another
//! point of the orbit reads the map through a symmetry: the position after the
//! move is mapped so that the king stands on the orbit's chosen point.

use crate::graph::Graph;
use crate::layout::{LOW, Layout};
use crate::symmetry::TileSymmetry;
use crate::tile::Tile;

/// A slot, by where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A slot within the tile.
    Low(u8),
    /// A bit of the tile's number.
    High(u32),
}

impl Slot {
    fn new(slot: u8) -> Self {
        match usize::from(slot).checked_sub(LOW) {
            None => Self::Low(slot),
            Some(bit) => Self::High(1 << bit),
        }
    }
}

/// How a king's move changes the index: slots `from` and `to` are exchanged,
/// and `to` must be empty before. Where the spare point takes part, the index
/// stays as it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    /// Exchange the slots of the king's old and new points.
    Exchange {
        /// The slot of the point the king leaves.
        from: Slot,
        /// The slot of the point it goes to.
        to: Slot,
    },
    /// The king comes from or goes to the spare point.
    Stay {
        /// The slot that must be empty.
        empty: Slot,
    },
}

/// The sandwiches around a king's new point, by where their ends stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Captures {
    /// Both ends are bits of the tile's number.
    pub(crate) high: Vec<u32>,
    /// One end is within the tile, the other a bit of its number.
    pub(crate) mixed: Vec<(u8, u32)>,
    /// Both ends are within the tile.
    pub(crate) low: Vec<(u8, u8)>,
}

impl Captures {
    /// Removes the captured pairs that are part of the tile's number.
    #[inline(always)]
    pub(crate) fn clear_high(&self, mut tile: u32) -> u32 {
        for &pair in &self.high {
            if tile & pair == pair {
                tile ^= pair;
            }
        }
        tile
    }
}

/// A move of the king to a point that has a map.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    /// Which map the move leads to.
    pub(crate) map: usize,
    pub(crate) step: Step,
    pub(crate) captures: Captures,
}

/// The moves that are looked at through the same symmetry.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    /// The number of the symmetry; `None` is the identity.
    pub(crate) symmetry: Option<usize>,
    pub(crate) terms: Vec<Term>,
}

/// The lines from a slot within the tile to bits of its number.
#[derive(Debug, Clone)]
pub(crate) struct Lift {
    pub(crate) low: u8,
    pub(crate) high: Vec<u32>,
}

/// Everything about one king point that has a map.
#[derive(Debug, Clone)]
pub(crate) struct KingPlan {
    pub(crate) king: u8,
    /// Lines between two bits of the tile's number, as masks.
    pub(crate) pairs: Vec<u32>,
    pub(crate) lifts: Vec<Lift>,
    /// Lines between two slots within the tile, the smaller first.
    pub(crate) exchanges: Vec<(u8, u8)>,
    pub(crate) groups: Vec<Group>,
    /// The symmetries but the identity that leave the king in place.
    pub(crate) stabiliser: Vec<usize>,
    /// Tile numbers with one of these bits stand for no position.
    pub(crate) phantom_tiles: u32,
    /// The bits of the other tiles that stand for positions; `None` if all do.
    pub(crate) valid: Option<Tile>,
}

/// The plans of all king points that have a map, and the symmetries they name.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) layout: Layout,
    pub(crate) kings: Vec<KingPlan>,
    pub(crate) symmetries: Vec<TileSymmetry>,
}

impl Plan {
    pub(crate) fn new(graph: &Graph) -> Self {
        let layout = Layout::new(graph);
        let minima = graph.orbit_minima();
        let chosen: Vec<u8> =
            (0..graph.points() as u8).filter(|&p| minima[usize::from(p)] == p).collect();
        let kings = chosen.iter().map(|&k| king_plan(graph, &layout, &chosen, k)).collect();
        let symmetries = graph.symmetries().iter().map(|g| TileSymmetry::new(&layout, g)).collect();
        Self { layout, kings, symmetries }
    }
}

fn king_plan(graph: &Graph, layout: &Layout, chosen: &[u8], king: u8) -> KingPlan {
    let mut plan = KingPlan {
        king,
        pairs: Vec::new(),
        lifts: Vec::new(),
        exchanges: Vec::new(),
        groups: groups(graph, layout, chosen, king),
        stabiliser: (1..graph.symmetries().len())
            .filter(|&g| graph.symmetries()[g][usize::from(king)] == king)
            .collect(),
        phantom_tiles: (layout.phantoms(king) >> LOW) as u32,
        valid: Some(Tile::where_index(|low| low as u64 & layout.phantoms(king) == 0))
            .filter(|valid| !valid.is_full()),
    };
    for &(a, b) in graph.lines() {
        let (Some(a), Some(b)) = (layout.slot(king, a), layout.slot(king, b)) else { continue };
        match (Slot::new(a.min(b)), Slot::new(a.max(b))) {
            (Slot::Low(p), Slot::Low(q)) => plan.exchanges.push((p, q)),
            (Slot::High(p), Slot::High(q)) => plan.pairs.push(p | q),
            (Slot::Low(low), Slot::High(bit)) | (Slot::High(bit), Slot::Low(low)) => {
                match plan.lifts.iter_mut().find(|lift| lift.low == low) {
                    Some(lift) => lift.high.push(bit),
                    None => plan.lifts.push(Lift { low, high: vec![bit] }),
                }
            }
        }
    }
    plan
}

/// Shares the king's moves out among as few symmetries as a greedy choice
/// finds, the identity first.
fn groups(graph: &Graph, layout: &Layout, chosen: &[u8], king: u8) -> Vec<Group> {
    let mut left: Vec<u8> = graph.neighbours(king).collect();
    let mut groups = Vec::new();
    let mut symmetry = 0;
    while !left.is_empty() {
        let g = &graph.symmetries()[symmetry];
        let to = |p: u8| g[usize::from(p)];
        let (now, later) = left.iter().partition(|&&q| chosen.contains(&to(q)));
        let now: Vec<u8> = now;
        left = later;
        if !now.is_empty() {
            groups.push(Group {
                symmetry: (symmetry != 0).then_some(symmetry),
                terms: now
                    .into_iter()
                    .map(|q| term(graph, layout, chosen, to(king), to(q)))
                    .collect(),
            });
        }
        symmetry = (0..graph.symmetries().len())
            .max_by_key(|&g| {
                let g = &graph.symmetries()[g];
                left.iter().filter(|&&q| chosen.contains(&g[usize::from(q)])).count()
            })
            .unwrap_or(0);
    }
    groups
}

fn term(graph: &Graph, layout: &Layout, chosen: &[u8], from: u8, to: u8) -> Term {
    let step = match (layout.own_slot(from), layout.own_slot(to)) {
        (Some(from), Some(to)) => Step::Exchange { from: Slot::new(from), to: Slot::new(to) },
        (Some(slot), None) | (None, Some(slot)) => Step::Stay { empty: Slot::new(slot) },
        (None, None) => unreachable!("two points cannot both be the spare one"),
    };
    let mut captures = Captures::default();
    for (a, b) in graph.sandwiches_around(to) {
        let (Some(a), Some(b)) = (layout.slot(to, a), layout.slot(to, b)) else { continue };
        match (Slot::new(a), Slot::new(b)) {
            (Slot::High(a), Slot::High(b)) => captures.high.push(a | b),
            (Slot::Low(a), Slot::Low(b)) => captures.low.push((a, b)),
            (Slot::Low(low), Slot::High(bit)) | (Slot::High(bit), Slot::Low(low)) => {
                captures.mixed.push((low, bit));
            }
        }
    }
    let map = chosen.iter().position(|&c| c == to).unwrap_or(0);
    Term { map, step, captures }
}
