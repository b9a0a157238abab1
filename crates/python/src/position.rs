//! Positions: a game and what it writes.

use crate::errors::{self, of_game};
use crate::game::Game;
use crate::value::outcome;
use kanzen::core::{Language, Trace};
use kanzen::registry::LegalMove;
use kanzen::show;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A position of a game. Notebooks show it as a board.
#[pyclass(frozen, module = "kanzen")]
pub(crate) struct Position {
    /// The game it is of.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
    pub(crate) text: String,
    /// The spots that the last move touched.
    pub(crate) last: Option<Trace>,
}

impl Position {
    pub(crate) fn new(game: &Py<Game>, py: Python<'_>, text: String) -> Position {
        Position { game: game.clone_ref(py), text, last: None }
    }

    fn moves_of(&self, py: Python<'_>) -> PyResult<Vec<LegalMove>> {
        let game = self.game.get();
        Ok(py.detach(|| game.game.legal(Some(&self.text))).map_err(of_game)?.moves)
    }

    fn find(&self, py: Python<'_>, name: &str) -> PyResult<LegalMove> {
        let moves = self.moves_of(py)?;
        let names: Vec<String> = moves.iter().take(30).map(|mv| mv.name.clone()).collect();
        moves.into_iter().find(|mv| mv.name == name).ok_or_else(|| {
            let names = if names.is_empty() { "none".to_owned() } else { names.join(" ") };
            let text = &self.text;
            errors::position(format!("'{name}' is not a move of {text}: there are {names}"))
        })
    }
}

#[pymethods]
impl Position {
    /// The names of all legal moves; none if the game is over.
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.moves_of(py)?.into_iter().map(|mv| mv.name).collect())
    }

    /// The position after a move, by its name; WIN, DRAW or LOSS for the player who makes it if it
    /// ends the game and leads to no position.
    fn play(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let mv = self.find(py, name)?;
        match (mv.position, mv.over) {
            (Some(text), _) => {
                let after =
                    Position { last: Some(mv.trace), ..Position::new(&self.game, py, text) };
                Ok(Py::new(py, after)?.into_any())
            }
            (None, Some(over)) => outcome(py, over),
            (None, None) => Err(errors::position(format!("'{name}' leads nowhere"))),
        }
    }

    /// Whether the same player moves again after a move.
    fn moves_again(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        Ok(self.find(py, name)?.again)
    }

    /// The number of the player to move: 1, 2 or 3.
    #[getter]
    fn mover(&self, py: Python<'_>) -> PyResult<u8> {
        let game = self.game.get();
        let drawing = py.detach(|| game.game.draw(Some(&self.text))).map_err(of_game)?;
        Ok(drawing.turn.map_or(1, |side| side.number()))
    }

    /// The outcome for the side to move if the game is over here; None if it goes on.
    #[getter]
    fn over(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let game = self.game.get();
        let legal = py.detach(|| game.game.legal(Some(&self.text))).map_err(of_game)?;
        legal.over.map(|over| outcome(py, over)).transpose()
    }

    /// The board as an SVG document.
    fn svg(&self) -> PyResult<String> {
        let game = self.game.get();
        let mut drawing = game.game.draw(Some(&self.text)).map_err(of_game)?;
        if let Some(last) = &self.last {
            drawing.mark_last_move(last);
        }
        Ok(show::svg(&drawing, game.game.kit(), Language::English))
    }

    /// The board as text.
    fn board(&self) -> PyResult<String> {
        let drawing = self.game.get().game.draw(Some(&self.text)).map_err(of_game)?;
        Ok(show::text(&drawing, true))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Position('{}', {})", self.text, self.game.get().label())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Position>() else { return false };
        let other = other.get();
        self.text == other.text && self.game.get().is(other.game.get())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.game.get().entry.name, &self.text).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let parse = self.game.bind(py).getattr("parse")?;
        Ok((parse, PyTuple::new(py, [&self.text])?))
    }
}
