//! The package's exceptions. They are classes of `kanzen.errors`, because each is also one of
//! Python's own.

use kanzen::analyse::ValueError;
use kanzen::export::ExportError;
use kanzen::registry::GameError;
use kanzen::registry::arrays::RowError;
use kanzen::solve::SolveError;
use kanzen::table::{Problem, TableError};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// An exception of a class of `kanzen.errors`.
pub(crate) fn error(class: &str, message: impl ToString) -> PyErr {
    Python::attach(|py| {
        let make = || py.import("kanzen.errors")?.getattr(class)?.call1((message.to_string(),));
        make().map_or_else(|error| error, PyErr::from_value)
    })
}

/// A position that cannot be used.
pub(crate) fn position(message: impl ToString) -> PyErr {
    error("PositionError", message)
}

/// What a game says as an exception.
pub(crate) fn of_game(given: GameError) -> PyErr {
    let class = match &given {
        GameError::UnknownGame { .. }
        | GameError::OptionShape(_)
        | GameError::UnknownOption { .. }
        | GameError::OptionValue { .. }
        | GameError::Store { .. }
        | GameError::UnknownKind { .. } => "GameError",
        GameError::Notation(_) | GameError::Value(ValueError::Unreachable(_)) => "PositionError",
        GameError::NotSolved { .. }
        | GameError::Table(TableError { problem: Problem::Missing, .. }) => "MissingTableError",
        GameError::Table(_) | GameError::Value(_) => "TableError",
        GameError::Solve(SolveError::Cancelled) => {
            return PyKeyboardInterrupt::new_err(
                "stopped; the same call goes on from its checkpoint",
            );
        }
        GameError::Solve(_) | GameError::Memory { .. } => "SolveError",
        GameError::NoAnswer(_) => "NoAnswerError",
    };
    error(class, given)
}

/// What is wrong with one of many positions.
pub(crate) fn of_row(given: RowError) -> PyErr {
    match given.error {
        GameError::Notation(_) | GameError::NoAnswer(_) | GameError::Value(_) => position(given),
        _ => of_game(given.error),
    }
}

/// What went wrong with a data set.
pub(crate) fn of_export(given: ExportError) -> PyErr {
    match given {
        ExportError::Game(error) => of_game(error),
        ExportError::File { .. } => pyo3::exceptions::PyOSError::new_err(given.to_string()),
        given => error("ExportError", given),
    }
}
