//! What can stop a solve.

use kanzen_index::Indexed;
use std::path::PathBuf;

/// Why a solve did not finish.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The plan does not fit the memory allowed.
    #[error(
        "this needs {} MB of memory and {} MB are allowed: allow more, or choose a smaller variant",
        needed.div_ceil(1_000_000),
        allowed / 1_000_000
    )]
    Memory {
        /// Bytes that the plan asks for.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A tier has more positions than the engine can number.
    #[error("tier '{tier}' has {size} indices; the engine takes at most {}", u32::MAX)]
    TierTooLarge {
        /// The tier's name.
        tier: String,
        /// Its size.
        size: u64,
    },
    /// The rules contradict themselves.
    #[error("the rules are wrong about {position}: {problem}")]
    Rules {
        /// A position where that is seen.
        position: String,
        /// What is expected, and what was found.
        problem: String,
    },
    /// The search for positions has filled the memory.
    #[error(
        "{found} positions were found, more than fit into the {} MB of memory allowed: allow more, \
         choose a smaller variant, or see that the rules cannot lead to new positions for ever",
        allowed / 1_000_000
    )]
    TooManyPositions {
        /// Positions found so far.
        found: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A position has more moves than its cell can count.
    #[error("a position of tier '{tier}' has {moves} moves; the engine counts up to {limit}")]
    TooManyMoves {
        /// The tier's name.
        tier: String,
        /// The number of moves.
        moves: u32,
        /// The most that can be counted.
        limit: u32,
    },
    /// A win takes longer than a value can say.
    #[error("a win takes more than {limit} plies, the most that a table holds")]
    TooManyPlies {
        /// The most plies.
        limit: u16,
    },
    /// The user asked to stop. What is in the checkpoint is kept.
    #[error("stopped; the same command goes on from the last checkpoint")]
    Cancelled,
    /// Another process is solving the same game in the same directory.
    #[error("another solve is at work on {}", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
    },
    /// A checkpoint belongs to another game, or is damaged.
    #[error("checkpoint {}: {problem}; remove it to begin anew", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system has no memory left.
    #[error("the system has no memory left: {0}")]
    NoMemory(std::io::Error),
    /// A process of several is not there any more.
    #[error("{who}; the same command goes on from the last round that all have written")]
    Lost {
        /// Who is missing, and how that was noticed.
        who: String,
    },
    /// Another process has the result.
    #[error("the first process writes the table")]
    Elsewhere,
    /// The engine cannot solve this.
    #[error("{0}")]
    Engine(String),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl SolveError {
    /// Says that a side moves again in a tier with un-moves.
    pub(crate) fn moves_again<G: Indexed>(game: &G, tier: usize) -> SolveError {
        SolveError::Rules {
            position: format!("tier '{}'", game.tiers()[tier].name),
            problem: "a side moves again within it, and un-moves do not tell that".to_owned(),
        }
    }

    /// Names the file that an input or output error belongs to.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> SolveError {
        let path = path.into();
        move |source| SolveError::Io { path, source }
    }
}
