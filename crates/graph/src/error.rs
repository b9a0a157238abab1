//! What can be wrong with a graph file.

/// Why a file is no graph of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A line of the text means nothing.
    #[error("line {line}: expected {expected}, found '{found}'")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What may stand there.
        expected: &'static str,
        /// What stands there, shortened.
        found: String,
    },
    /// The text ends in the middle of a line.
    #[error("line {line} is cut off: the file does not end with a line break")]
    CutOff {
        /// The number of the line.
        line: usize,
    },
    /// A position has two lines.
    #[error("line {line}: '{label}' has a line already, {first}")]
    Twice {
        /// The number of the second line.
        line: usize,
        /// The position.
        label: String,
        /// The number of the first line.
        first: usize,
    },
    /// A move leads to a position that has no line.
    #[error("line {line}: '{from}' leads to '{to}', which has no line of its own")]
    UnknownEnd {
        /// The number of the line.
        line: usize,
        /// The position.
        from: String,
        /// Where it leads.
        to: String,
    },
    /// A position has neither a move nor an outcome.
    #[error("'{0}' has no move and no outcome: say '{0} = loss', 'draw' or 'win'")]
    NoMove(String),
    /// A side wins by endless play, but the sides do not take turns.
    #[error(
        "'{0}' is reached with either side to move, so that it cannot be told who wins by endless \
         play"
    )]
    BothSides(String),
    /// There are no positions, or too many.
    #[error("a graph has 1 to {most} positions; this one has {found}")]
    Size {
        /// How many there are.
        found: u64,
        /// How many there may be.
        most: u64,
    },
    /// The packed file contradicts itself, or its checksum.
    #[error("the packed graph is damaged: {0}")]
    Damaged(String),
}
