//! The strong solve: the forced winner on every open board.
//!
//! The boards are solved ply by ply, from the full board back; a ply needs
//! only the values of the ply after it. A value takes two bits: the number of
//! the player who can force a win against the other two, or 0. The
//! [`Tier`] of a ply numbers its boards; a [`Layer`] holds their values.
//!
//! Blocks of boards that share player 1's set are shared out to threads; each
//! is written to its own words, so the result does not depend on their number.

mod bitmap;
mod kernel;
mod tier;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use thiserror::Error;

use self::kernel::{Step, Tally};
use self::tier::Frame;
pub use self::tier::Tier;
use super::rules::Board;
use super::shape::Shape;

/// The most cells of a board that is solved as a whole.
pub const MAX_CELLS: u32 = 21;

/// Why there are no layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LayerError {
    /// The board has more than [`MAX_CELLS`] cells.
    #[error("a board of {cells} cells is too large to solve whole: at most {MAX_CELLS}")]
    TooLarge {
        /// The cells of the board.
        cells: u32,
    },
    /// Stored values of the wrong length for their ply.
    #[error("the values of ply {plies} take {expected} words, found {found}")]
    Length {
        /// The ply.
        plies: u32,
        /// The words its values take.
        expected: usize,
        /// The words given.
        found: usize,
    },
    /// A ply beyond the last.
    #[error("a board of {cells} cells has no ply {plies}")]
    NoPly {
        /// The ply asked for.
        plies: u32,
        /// The cells of the board.
        cells: u32,
    },
    /// The caller raised the flag to stop.
    #[error("the solve was cancelled")]
    Cancelled,
}

/// The values of one ply.
#[derive(Debug, Clone)]
pub struct Layer {
    tier: Tier,
    /// For each block the plane of the values' bits 0, then that of bits 1.
    words: Vec<u64>,
}

impl Layer {
    /// The index of the ply.
    pub fn tier(&self) -> &Tier {
        &self.tier
    }

    /// The packed values, as a checkpoint keeps them.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The value at an index: the number of the forced winner, or 0.
    ///
    /// # Panics
    /// If there is no such index.
    pub fn value(&self, index: u64) -> u8 {
        let place = index / 64 % self.tier.plane_words() as u64;
        let block = index / 64 / self.tier.plane_words() as u64;
        let word = 2 * block as usize * self.tier.plane_words() + place as usize;
        let bit = |word: usize| (self.words[word] >> (index % 64) & 1) as u8;
        bit(word) | bit(word + self.tier.plane_words()) << 1
    }

    /// All values in the order of their indices.
    pub fn values(&self) -> impl Iterator<Item = u8> {
        self.words.chunks(2 * self.tier.plane_words()).flat_map(|block| {
            let (low, high) = block.split_at(block.len() / 2);
            low.iter().zip(high).flat_map(|(&low, &high)| {
                (0..64).map(move |bit| (low >> bit & 1 | (high >> bit & 1) << 1) as u8)
            })
        })
    }
}

/// Open boards of one ply up to symmetry, by forced winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// The ply.
    pub plies: u32,
    /// Boards that nobody, player 1, 2 and 3 can force.
    pub winners: [u64; 4],
}

impl Counts {
    /// All open boards of the ply up to symmetry.
    pub fn open(&self) -> u64 {
        self.winners.iter().sum()
    }
}

/// How far a solve is, in indices over all plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The ply at work.
    pub plies: u32,
    /// Indices done.
    pub done: u64,
    /// Indices in all.
    pub total: u64,
}

/// What a solve will need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Indices over all plies.
    pub indices: u64,
    /// Indices of the largest ply.
    pub largest: u64,
    /// Bytes of the two neighbouring plies that take most.
    pub bytes: u64,
}

/// Solves every open board of a shape.
#[derive(Debug, Clone)]
pub struct Solver {
    frame: Frame,
    threads: usize,
}

impl Solver {
    /// A solver for boards of this shape on `threads` threads (at least one).
    pub fn new(shape: Shape, threads: usize) -> Result<Solver, LayerError> {
        if shape.cells() > MAX_CELLS {
            return Err(LayerError::TooLarge { cells: shape.cells() });
        }
        Ok(Solver { frame: Frame::new(shape), threads: threads.max(1) })
    }

    /// The shape of the boards.
    pub fn shape(&self) -> &Shape {
        &self.frame.shape
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The number of words that the values of a ply take.
    pub fn words(&self, plies: u32) -> Result<usize, LayerError> {
        let tier = self.tier(plies)?;
        Ok(2 * tier.blocks() * tier.plane_words())
    }

    /// The index of a ply.
    pub fn tier(&self, plies: u32) -> Result<Tier, LayerError> {
        let cells = self.frame.shape.cells();
        if plies > cells {
            Err(LayerError::NoPly { plies, cells })
        } else {
            Ok(Tier::new(&self.frame, plies))
        }
    }

    /// What a solve will need.
    pub fn estimate(&self) -> Estimate {
        let plies = 0..=self.frame.shape.cells();
        let sizes: Vec<u64> = plies.map(|plies| Tier::new(&self.frame, plies).len()).collect();
        let pairs = sizes.windows(2).map(|pair| pair[0] + pair[1]);
        Estimate {
            indices: sizes.iter().sum(),
            largest: sizes.iter().copied().max().unwrap_or(0),
            bytes: pairs.max().unwrap_or(0) / 4,
        }
    }

    /// The index of an open board within the tier of its ply.
    ///
    /// `None` if the board has another shape, another ply or a line.
    pub fn locate(&self, tier: &Tier, board: &Board) -> Option<u64> {
        let fits =
            *board.shape() == self.frame.shape && board.plies() == tier.plies() && board.is_open();
        if fits { tier.locate(&self.frame, board.sets()) } else { None }
    }

    /// The board of an index of a tier; `None` where it belongs to no open
    /// board. Several indices may stand for mirror images of one board.
    pub fn board(&self, tier: &Tier, index: u64) -> Option<Board> {
        tier.board(&self.frame, index)
    }

    /// A layer from values stored earlier, to resume from.
    pub fn restore(&self, plies: u32, words: Vec<u64>) -> Result<Layer, LayerError> {
        let tier = self.tier(plies)?;
        let expected = self.words(plies)?;
        if words.len() != expected {
            return Err(LayerError::Length { plies, expected, found: words.len() });
        }
        Ok(Layer { tier, words })
    }

    /// Solves the ply before `next`, or the full boards if there is none.
    ///
    /// `progress` gets the indices of this ply done so far, from any thread.
    pub fn step(
        &self,
        next: Option<&Layer>,
        cancel: &AtomicBool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Layer, Counts), LayerError> {
        let cells = self.frame.shape.cells();
        let plies = match next {
            None => cells,
            Some(layer) => match layer.tier.plies() {
                0 => return Err(LayerError::NoPly { plies: 0, cells }),
                plies => plies - 1,
            },
        };
        let tier = Tier::new(&self.frame, plies);
        let block_words = 2 * tier.plane_words();
        let mut words = vec![0; tier.blocks() * block_words];
        let step = Step::new(&self.frame, &tier, next.map(|layer| (&layer.tier, &layer.words[..])));
        let blocks = Mutex::new(words.chunks_mut(block_words).enumerate());
        let done = AtomicU64::new(0);
        let work = || {
            let mut scratch = step.scratch();
            let mut tally = Tally::default();
            while !cancel.load(Ordering::Relaxed) {
                // A worker that panicked took nothing half-way from the queue.
                let taken = blocks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
                let Some((block, planes)) = taken else { break };
                for (sum, count) in tally.iter_mut().zip(step.block(&mut scratch, block, planes)) {
                    *sum += count;
                }
                let indices = block_words as u64 * 32;
                progress(done.fetch_add(indices, Ordering::Relaxed) + indices);
            }
            tally
        };
        let tallies: Vec<Tally> = std::thread::scope(|scope| {
            let workers: Vec<_> = (1..self.threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others = workers.into_iter().map(|worker| match worker.join() {
                Ok(tally) => tally,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            others.chain([own]).collect()
        });
        if cancel.load(Ordering::Relaxed) {
            return Err(LayerError::Cancelled);
        }
        let winners = std::array::from_fn(|value| tallies.iter().map(|tally| tally[value]).sum());
        drop(step);
        Ok((Layer { tier, words }, Counts { plies, winners }))
    }

    /// Solves all plies down to the empty board, from the full boards or from
    /// the ply before `resume`.
    ///
    /// Each finished layer goes to `finished`, which may keep it as a
    /// checkpoint or write it to a table; an error of its own ends the solve.
    pub fn solve<E: From<LayerError>>(
        &self,
        resume: Option<Layer>,
        cancel: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
        mut finished: impl FnMut(&Layer, &Counts) -> Result<(), E>,
    ) -> Result<(), E> {
        let cells = self.frame.shape.cells();
        let sizes: Vec<u64> =
            (0..=cells).map(|plies| Tier::new(&self.frame, plies).len()).collect();
        let total = sizes.iter().sum();
        let mut next = resume;
        loop {
            let plies = match next.as_ref().map(|layer| layer.tier.plies()) {
                Some(0) => return Ok(()),
                Some(plies) => plies - 1,
                None => cells,
            };
            let before: u64 = sizes[plies as usize + 1..].iter().sum();
            let report = |done| progress(Progress { plies, done: before + done, total });
            let (layer, counts) = self.step(next.as_ref(), cancel, &report)?;
            finished(&layer, &counts)?;
            next = Some(layer);
        }
    }
}
