//! What can be wrong with a written position.

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text has the wrong length or shape.
    #[error("expected {expected}, found {found}")]
    Shape {
        /// What a position looks like.
        expected: String,
        /// What was found instead.
        found: String,
    },
    /// A character that means nothing here.
    #[error("unknown character '{found}' at {at}: allowed are {allowed}")]
    Letter {
        /// The place of the character, counted from 1.
        at: usize,
        /// The character.
        found: char,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The pieces cannot stand on the board in these numbers.
    #[error("{what}: expected {expected}, found {found}")]
    Count {
        /// What was counted.
        what: String,
        /// How many there should be.
        expected: String,
        /// How many there are.
        found: usize,
    },
    /// The pieces are right, but the rules exclude the position.
    #[error("illegal position: {0}")]
    Illegal(String),
}

impl NotationError {
    /// A [`NotationError::Shape`] that quotes a shortened form of what was found.
    ///
    /// ```
    /// let error = kanzen_core::NotationError::shape("a digit", "x");
    /// assert_eq!(error.to_string(), "expected a digit, found 'x'");
    /// ```
    pub fn shape(expected: impl Into<String>, found: &str) -> NotationError {
        let mut quoted: String = found.chars().take(60).flat_map(char::escape_debug).collect();
        if found.chars().count() > 60 {
            quoted.push('…');
        }
        NotationError::Shape { expected: expected.into(), found: format!("'{quoted}'") }
    }
}
