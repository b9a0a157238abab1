//! Values and moves.

use crate::position::Position;
use kanzen::core::{self, Outcome, Verdict};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

/// The classes of outcomes: `kanzen.WIN`, `DRAW` and `LOSS`.
static OUTCOMES: PyOnceLock<[Py<PyAny>; 3]> = PyOnceLock::new();

/// An outcome as the package's own constant.
pub(crate) fn outcome(py: Python<'_>, outcome: Outcome) -> PyResult<Py<PyAny>> {
    let known = OUTCOMES.get_or_try_init(py, || {
        let module = py.import("kanzen.outcome")?;
        let of = |name: &str| module.getattr(name).map(Bound::unbind);
        PyResult::Ok([of("LOSS")?, of("DRAW")?, of("WIN")?])
    })?;
    Ok(known[outcome as usize].clone_ref(py))
}

/// What a position is worth to the side to move: an outcome, and plies to the end of the game.
#[pyclass(frozen, module = "kanzen", eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value(pub(crate) Verdict);

#[pymethods]
impl Value {
    #[new]
    #[pyo3(signature = (outcome, plies=None))]
    fn new(outcome: i8, plies: Option<u16>) -> PyResult<Value> {
        let value = match outcome {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            -1 => Outcome::Loss,
            _ => {
                let message = format!("an outcome is 1, 0 or -1, not {outcome}");
                return Err(pyo3::exceptions::PyValueError::new_err(message));
            }
        };
        Ok(Value(Verdict { value, plies }))
    }

    /// WIN, DRAW or LOSS for the side to move.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        outcome(py, self.0.value)
    }

    /// Plies to the end of the game under best play; None if it never ends, or nobody kept them.
    #[getter]
    fn plies(&self) -> Option<u16> {
        self.0.plies
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let pair = PyTuple::new(py, [self.outcome(py)?, self.0.plies.into_pyobject(py)?.unbind()])?;
        Ok(pair.try_iter()?.into_any().unbind())
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyType>, (i8, Option<u16>)) {
        let outcome = self.0.value as i8 - 1;
        (py.get_type::<Value>().unbind(), (outcome, self.0.plies))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let plies = self.0.plies.map_or("None".to_owned(), |plies| plies.to_string());
        format!("Value({}, {plies})", self.0.value.word().to_uppercase())
    }
}

/// Makes values from the codes of tables.
pub(crate) fn of_code(code: u16) -> (i8, i16) {
    let value = core::Value::from_code(code);
    (value.outcome() as i8 - 1, value.plies().map_or(-1, |plies| plies as i16))
}

/// A move with its value for the player who makes it.
#[pyclass(frozen, module = "kanzen", get_all)]
pub(crate) struct Move {
    /// Its name in the game's notation.
    pub(crate) name: String,
    /// Its value for the player who makes it.
    pub(crate) value: Value,
    /// The position it leads to; None if it ends the game.
    pub(crate) position: Option<Py<Position>>,
}

#[pymethods]
impl Move {
    /// WIN, DRAW or LOSS for the player who makes it.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        outcome(py, self.value.0.value)
    }

    /// Plies to the end of the game after it, itself included.
    #[getter]
    fn plies(&self) -> Option<u16> {
        self.value.0.plies
    }

    fn __str__(&self) -> &str {
        &self.name
    }

    fn __repr__(&self) -> String {
        format!("Move('{}', {})", self.name, self.value.0)
    }
}
