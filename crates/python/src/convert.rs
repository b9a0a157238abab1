//! Between Python's objects and the words of games.

use crate::errors;
use crate::game::Game;
use crate::position::Position;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The notation of a position that is given as one, or as text.
pub(crate) fn with_text<T>(
    game: &Game,
    given: &Bound<'_, PyAny>,
    what: impl FnOnce(&str) -> PyResult<T>,
) -> PyResult<T> {
    if let Ok(position) = given.cast::<Position>() {
        let position = position.get();
        let own = position.game.get();
        if !game.is(own) {
            let message = format!("a position of {} in a table of {}", own.label(), game.label());
            return Err(errors::position(message));
        }
        return what(&position.text);
    }
    match given.cast::<PyString>() {
        Ok(text) => what(text.to_str()?),
        Err(_) => {
            let kind = given.get_type().name()?;
            Err(PyTypeError::new_err(format!("a Position or its text is expected, not {kind}")))
        }
    }
}

/// The notation of a position; none stands for the start.
pub(crate) fn text(game: &Game, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    given.map(|given| with_text(game, given, |text| Ok(text.to_owned()))).transpose()
}
