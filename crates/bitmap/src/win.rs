//! Pieces' side to move: a position is won when some move of a piece leads to a
//! position lost for the king.
//!
//! A move exchanges an occupied and an empty slot. Between two high slots that
//! is another tile's number; between a low and a high one, a shift of another
//! tile; the sources that move the same low slot in the same direction are
//! united before they are shifted.

use crate::flags;
use crate::plan::{KingPlan, Plan};
use crate::region::{REGION_WEIGHTS, Scratch};
use crate::tile::Tile;
use kanzen_machine::Work;

/// The computation of one king's won positions from its lost ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Win<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) king: &'a KingPlan,
    /// The lost positions with the king's side to move.
    pub(crate) lost: &'a [Tile],
    /// The tiles of `lost` that may have changed; the others hold nothing of use.
    pub(crate) flags: &'a [u64],
    /// All tiles may have changed.
    pub(crate) dense: bool,
}

/// The work on a region: adds the new won positions, flags the tiles that
/// changed, and tells whether any did.
pub(crate) struct WinRegion<'a> {
    pub(crate) job: &'a Win<'a>,
    /// The number of the first tile.
    pub(crate) first: u32,
    pub(crate) won: &'a mut [Tile],
    pub(crate) changed: &'a mut [u64],
    pub(crate) scratch: &'a mut Scratch,
    /// Grows by the number of new positions, by weight.
    pub(crate) gain: &'a mut [u64],
    /// Gets the new bits, if asked for.
    pub(crate) news: Option<&'a mut [Tile]>,
}

impl Work for WinRegion<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const ISA: usize>(self) -> bool {
        let WinRegion { job, first, won, changed, scratch, gain, mut news } = self;
        changed.fill(0);
        let mut counts = [0; REGION_WEIGHTS];
        for (i, won) in won.iter_mut().enumerate() {
            let number = first | i as u32;
            if let Some(news) = &mut news {
                news[i] = Tile::EMPTY;
            }
            if won.is_full() {
                continue;
            }
            let mut new = if job.dense {
                job.tile::<true>(number, scratch)
            } else {
                job.tile::<false>(number, scratch)
            };
            for (new, won) in new.0.iter_mut().zip(&mut won.0) {
                *new &= !*won;
                *won |= *new;
            }
            if !new.is_empty() {
                flags::set(changed, i);
                scratch.tally(job.plan, job.king, number, i, &new, &mut counts);
                if let Some(news) = &mut news {
                    news[i] = new;
                }
            }
        }
        let any = changed.iter().any(|&w| w != 0);
        if any {
            scratch.tally.drain(&mut counts);
            let base = first.count_ones() as usize;
            for (w, n) in counts.into_iter().enumerate().filter(|&(_, n)| n > 0) {
                gain[base + w] += n;
            }
        }
        any
    }
}

impl Win<'_> {
    #[inline(always)]
    fn tile<const DENSE: bool>(&self, tile: u32, scratch: &mut Scratch) -> Tile {
        let mut any = Tile::EMPTY;
        let live = |source: u32| DENSE || flags::get(self.flags, source);
        let sources = &mut scratch.sources;
        let mut n = 0;
        for &pair in &self.king.pairs {
            let source = tile ^ pair;
            sources[n] = source;
            let differ = (tile & pair).count_ones() == 1;
            n += usize::from(differ && live(source));
        }
        any.or_all(self.lost, &sources[..n]);
        for lift in &self.king.lifts {
            let (mut down, mut up) = ([&Tile::EMPTY; MAX_LIFTS], [&Tile::EMPTY; MAX_LIFTS]);
            let (mut downs, mut ups) = (0, 0);
            for &bit in &lift.high {
                let source = tile ^ bit;
                if !live(source) {
                    continue;
                }
                let lost = &self.lost[source as usize];
                if tile & bit != 0 {
                    down[downs] = lost;
                    downs += 1;
                } else {
                    up[ups] = lost;
                    ups += 1;
                }
            }
            any.lift(lift.low, &down[..downs], &up[..ups]);
        }
        if live(tile) {
            for &(p, q) in &self.king.exchanges {
                any.or_exchanged(p, q, &self.lost[tile as usize]);
            }
        }
        any
    }
}

/// More high slots than a low one can be joined to.
const MAX_LIFTS: usize = crate::graph::MAX_POINTS;
