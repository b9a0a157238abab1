//! Games whose rules are in Python: their positions are numbered there, and solved here.

use crate::errors::{error, of_game};
use crate::work::work;
use kanzen::core::Outcome;
use kanzen::graph::{Forever, Graph, Node};
use kanzen::registry::GameError;
use kanzen::solve::{Job, solve};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Solves a graph of positions. Those that are over have an outcome from 0, a loss, to 2, a win for
/// the side to move; others have 3, and their moves lead to the positions `moves[starts[n]:starts[n + 1]]`.
/// Returns the codes of all values.
#[pyfunction]
pub(crate) fn solve_graph<'py>(
    py: Python<'py>,
    ends: PyReadonlyArray1<'py, u8>,
    starts: PyReadonlyArray1<'py, u64>,
    moves: PyReadonlyArray1<'py, u32>,
    endless: &str,
    threads: usize,
    show: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    let (ends, starts, moves) = (ends.as_slice()?, starts.as_slice()?, moves.as_slice()?);
    let rising = starts.is_sorted() && starts.last().is_none_or(|&end| end <= moves.len() as u64);
    if starts.len() != ends.len() + 1 || !rising {
        return Err(PyValueError::new_err("the moves of positions must follow each other"));
    }
    let forever = match endless {
        "draw" => Forever::Draw,
        "first" => Forever::First,
        "second" => Forever::Second,
        _ => {
            let message = format!("endless play is 'draw', 'first' or 'second', not '{endless}'");
            return Err(error("RulesError", message));
        }
    };
    let node = |position: usize| match ends[position] {
        0 => Node::Over(Outcome::Loss),
        1 => Node::Over(Outcome::Draw),
        2 => Node::Over(Outcome::Win),
        _ => Node::Moves(&moves[starts[position] as usize..starts[position + 1] as usize]),
    };
    let codes = work(py, show.as_ref(), threads, |progress, cancel| {
        let graph = Graph::of((0..ends.len()).map(node), forever)
            .map_err(|error| GameError::NoAnswer(error.to_string()))?;
        let job = Job { threads, progress, cancel, ..Job::default() };
        let solution = solve(&graph, &job, None)?;
        Ok((0..ends.len() as u32).map(|at| solution.value(&graph, &at).code()).collect())
    })?;
    let codes: Vec<u16> = codes.map_err(|given| match given {
        GameError::NoAnswer(message) => error("RulesError", message),
        given => of_game(given),
    })?;
    Ok(PyArray1::from_vec(py, codes))
}
