//! Data sets, and their rows for Arrow.

use crate::errors::{error, of_export};
use crate::value::of_code;
use kanzen::export::{Export, ExportError, Split};
use kanzen::registry::AnySolved;
use kanzen::registry::arrays::{Rows, place};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::Value as Json;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// Batches that wait for somebody to take them.
const WAITING: usize = 4;

/// What somebody asks for, written as JSON by the Python half; with the conditions in words.
pub(crate) fn described(asked: &str) -> PyResult<(Export, String)> {
    let wrong = || error("ExportError", format!("an export cannot be made of {asked}"));
    let asked: Json = serde_json::from_str(asked).map_err(|_| wrong())?;
    let filter = asked["where"].as_str().unwrap_or_default().to_owned();
    let columns = asked["columns"].as_array().into_iter().flatten().filter_map(Json::as_str);
    let split = match asked["split"].as_array() {
        None => None,
        Some(shares) => {
            let shares: Vec<f64> = shares.iter().filter_map(Json::as_f64).collect();
            let shares = shares.try_into().map_err(|_| of_export(ExportError::Split))?;
            Some(Split::new(shares).map_err(of_export)?)
        }
    };
    let export = Export {
        columns: columns.map(str::parse).collect::<Result<_, _>>().map_err(of_export)?,
        filter: filter.parse().map_err(of_export)?,
        sample: asked["sample"].as_u64(),
        seed: asked["seed"].as_u64().unwrap_or(1),
        split,
        shard_bytes: asked["shard_bytes"].as_u64(),
    };
    Ok((export, filter))
}

/// Rows, with the numbers of their tiers.
type Batch = Result<(Rows, Vec<u16>), ExportError>;

/// The rows of a data set, batch by batch: a thread looks them up while somebody uses those before.
#[pyclass(frozen, module = "kanzen._kanzen")]
pub(crate) struct Batches {
    rows: Mutex<Receiver<Batch>>,
}

impl Batches {
    pub(crate) fn start(solved: Arc<dyn AnySolved>, export: Export) -> Batches {
        let (sender, receiver) = sync_channel(WAITING);
        thread::spawn(move || {
            let Some(arrays) = solved.arrays() else { return };
            let look = || {
                for rows in export.batches(arrays) {
                    let with_tiers = rows.map(|rows| {
                        let tier = |&number: &u64| {
                            place(arrays.tiers(), number).map_or(0, |place| place.tier as u16)
                        };
                        let tiers = rows.numbers.iter().map(tier).collect();
                        (rows, tiers)
                    });
                    // Nobody takes the rest.
                    if sender.send(with_tiers).is_err() {
                        return;
                    }
                }
            };
            if let Ok(pool) = rayon::ThreadPoolBuilder::new().build() {
                pool.install(look);
            }
        });
        Batches { rows: Mutex::new(receiver) }
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// The columns of the next batch, by name; text as bytes with the offsets of its ends.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let next = py.detach(|| self.rows.lock().ok().and_then(|rows| rows.recv().ok()));
        let Some(rows) = next else { return Ok(None) };
        let (rows, tiers) = rows.map_err(of_export)?;
        let dict = PyDict::new(py);
        let (outcomes, plies): (Vec<i8>, Vec<i16>) =
            rows.codes.iter().map(|&code| of_code(code)).unzip();
        let offsets = std::iter::once(0).chain(rows.ends.iter().map(|&end| end as i32));
        dict.set_item("offsets", PyArray1::from_iter(py, offsets))?;
        dict.set_item("text", PyBytes::new(py, rows.text.as_bytes()))?;
        dict.set_item("index", PyArray1::from_vec(py, rows.numbers))?;
        dict.set_item("tier", PyArray1::from_vec(py, tiers))?;
        dict.set_item("outcome", PyArray1::from_vec(py, outcomes))?;
        dict.set_item("plies", PyArray1::from_vec(py, plies))?;
        dict.set_item("orbit", PyArray1::from_vec(py, rows.orbits))?;
        dict.set_item("moves", PyArray1::from_vec(py, rows.moves))?;
        dict.set_item("best", PyArray1::from_vec(py, rows.best))?;
        dict.set_item("board", PyArray1::from_vec(py, rows.boards))?;
        Ok(Some(dict))
    }
}
