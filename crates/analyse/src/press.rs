//! Who presses in a draw, from the moves of all draws.
//!
//! In a drawn position let both sides keep the draw. Whoever first has to move where some move loses and
//! no more than `h` hold the draw is pressed, and the other side presses. So there is a game within the
//! draws for every `h`; it is solved like any other, backwards from the positions in which it ends, and
//! for each `h` only what a smaller one has left open. What is open in the end is a draw in which nobody
//! presses. With any number of holding moves this is the first draw level of GAMESMAN; small
//! numbers tell apart what is all the same there. `docs/draws.md` says more.
//!
//! Every position is settled once and every move is followed once, backwards. Moves to earlier tiers have
//! known ranks: the sharpest of those that press is due at its rank, and those by which one is pressed
//! hold one unit of the count of moves until the last of them is due.

use kanzen_core::Pressure;
use kanzen_solve::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Draws that a thread takes at a time.
const CHUNK: usize = 1 << 10;

/// The moves of a drawn position that do not win.
#[derive(Clone, Default)]
pub struct DrawMoves {
    loses: bool,
    keeping: u16,
    /// Keeping moves within the tier.
    inside: u16,
    /// Whether a keeping move leads to where nobody presses.
    free: bool,
    /// The best of the moves that press.
    takes: Option<Pressure>,
    /// The best of those by which one is pressed.
    holds: Option<Pressure>,
}

impl DrawMoves {
    /// Adds a move that loses.
    #[inline]
    pub fn lose(&mut self) {
        self.loses = true;
    }

    /// Adds a move that keeps the draw and leads to one of the same tier, whose rank is not known.
    #[inline]
    pub fn keep_inside(&mut self) {
        self.keeping = self.keeping.saturating_add(1);
        self.inside = self.inside.saturating_add(1);
    }

    /// Adds a move that keeps the draw, and after which the one who made it stands like this.
    #[inline]
    pub fn keep(&mut self, pressure: Option<Pressure>) {
        self.keeping = self.keeping.saturating_add(1);
        match pressure {
            None => self.free = true,
            Some(own) if own.own => {
                let first = |best: Pressure| if own.code() < best.code() { own } else { best };
                self.takes = Some(self.takes.map_or(own, first));
            }
            Some(borne) => {
                let last = |best: Pressure| if borne.code() > best.code() { borne } else { best };
                self.holds = Some(self.holds.map_or(borne, last));
            }
        }
    }

    /// How the position stands by itself: pressed at once, where some move loses.
    fn narrow(&self) -> Option<Pressure> {
        let most = u16::from(Pressure::MAX_HOLDING);
        let holding = self.keeping.clamp(1, most) as u8;
        self.loses.then_some(Pressure { own: false, holding, plies: 0 })
    }

    /// How the position stands by its moves, if all of them are known.
    pub fn rank(&self) -> Option<Pressure> {
        let by_moves = self.takes.or(if self.free { None } else { self.holds });
        match (self.narrow(), by_moves) {
            (Some(narrow), Some(moves)) if moves.code() > narrow.code() => Some(narrow),
            (Some(narrow), None) => Some(narrow),
            (_, moves) => moves,
        }
    }
}

/// What the moves of a tier's draws come to before those within the tier are known, in the order of the
/// draws' numbers.
#[derive(Default)]
pub struct Unsettled {
    /// How many moves hold the draw, where some move loses; else 0.
    holding: Vec<u8>,
    /// How many moves must turn out to be pressed before the position is.
    open: Vec<u16>,
    due: Vec<Due>,
}

/// What the moves to earlier tiers say of a position, and when: in the order of [`Pressure::code`].
type Due = (u16, u32);

impl Unsettled {
    /// Adds the next draw, whose number is given.
    pub fn add(&mut self, number: u32, moves: &DrawMoves) {
        let DrawMoves { inside, free, takes, holds, .. } = *moves;
        self.holding.push(moves.narrow().map_or(0, |narrow| narrow.holding));
        // What has no move that keeps the draw is no draw, and its table is wrong: it stays open.
        let held = u16::from(free) + u16::from(takes.is_some()) + u16::from(holds.is_some());
        self.open.push(inside.saturating_add(held).max(1));
        self.due.extend(takes.into_iter().chain(holds).map(|due| (due.code(), number)));
    }

    /// Joins what was found of draws that follow one another.
    pub fn join(parts: Vec<Unsettled>) -> Unsettled {
        let draws = parts.iter().map(|part| part.holding.len()).sum();
        let mut all = Unsettled {
            holding: Vec::with_capacity(draws),
            open: Vec::with_capacity(draws),
            due: Vec::with_capacity(parts.iter().map(|part| part.due.len()).sum()),
        };
        for part in parts {
            all.holding.extend(part.holding);
            all.open.extend(part.open);
            all.due.extend(part.due);
        }
        all.due.par_sort_unstable();
        all
    }

    /// Settles all draws, the sharpest first, on all cores. `before` calls its second argument with the
    /// number of every draw that has a move to the one whose number it is given, once for each such move,
    /// and with whether the same side is to move again after it. Returns the codes of the draws.
    pub fn settle(
        self,
        progress: &dyn Progress,
        before: impl Fn(u32, &mut dyn FnMut(u32, bool)) + Sync,
    ) -> Vec<u16> {
        let Unsettled { holding, open, due } = self;
        let open = open.into_iter().map(AtomicU16::new).collect();
        let codes = holding.iter().map(|_| AtomicU16::new(0)).collect();
        let draws = Settling { codes, open };
        let most_due = due.last().map_or(0, |&(code, _)| (code >> 10) as u8);
        let mut due = due.into_iter().peekable();
        for most in 1..=holding.par_iter().copied().max().max(Some(most_due)).unwrap_or(0) {
            let tested = Pressure { own: false, holding: most, plies: 0 };
            let is_new =
                |number: &u32| holding[*number as usize] == most && draws.settle(*number, tested);
            let mut fresh: Vec<u32> =
                (0..holding.len() as u32).into_par_iter().filter(is_new).collect();
            for plies in 1.. {
                let rank =
                    |own| Pressure { own, holding: most, plies: Pressure::MAX_PLIES.min(plies) };
                progress.advance(fresh.len() as u64);
                let told = fresh.par_chunks(CHUNK).map(|chunk| {
                    let mut settled = Vec::new();
                    for &number in chunk {
                        let presses = draws.codes[number as usize].load(Relaxed) & 1 == 1;
                        before(number, &mut |source, again| {
                            if draws.hear(source, rank(presses == again)) {
                                settled.push(source);
                            }
                        });
                    }
                    settled
                });
                fresh = told.collect::<Vec<_>>().concat();
                let now = rank(true).code();
                while let Some((code, number)) = due.next_if(|&(code, _)| code <= now) {
                    if draws.hear(number, rank(code & 1 == 1)) {
                        fresh.push(number);
                    }
                }
                let more = due.peek().is_some_and(|&(code, _)| code >> 10 == u16::from(most));
                if fresh.is_empty() && !more {
                    break;
                }
            }
        }
        draws.codes.into_iter().map(AtomicU16::into_inner).collect()
    }
}

/// The draws of a tier on their way to be settled. What they hear in a ply settles them in the same way
/// in any order: a move that presses is never counted among those by which one is pressed.
struct Settling {
    codes: Vec<AtomicU16>,
    open: Vec<AtomicU16>,
}

impl Settling {
    /// Settles a draw for good, unless it is settled.
    fn settle(&self, number: u32, rank: Pressure) -> bool {
        let code = &self.codes[number as usize];
        code.compare_exchange(0, rank.code(), Relaxed, Relaxed).is_ok()
    }

    /// A move makes a draw what `rank` says, if it is to be made: a move that presses is, and one by which
    /// the mover is pressed only if there is no other left. Tells whether the draw is settled by it.
    fn hear(&self, number: u32, rank: Pressure) -> bool {
        if self.codes[number as usize].load(Relaxed) != 0 {
            return false;
        }
        let is_made = rank.own || self.open[number as usize].fetch_sub(1, Relaxed) == 1;
        is_made && self.settle(number, rank)
    }
}
