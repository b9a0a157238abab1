//! The native half of the Python package `kanzen`: games, tables and arrays. What is made of these
//! in Python is in `python/kanzen`.

mod convert;
mod errors;
mod export;
mod game;
mod graph;
mod position;
mod table;
mod value;
mod work;

use pyo3::prelude::*;

/// Games, tables and arrays, for the package `kanzen`.
#[pymodule]
fn _kanzen(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<value::Value>()?;
    module.add_class::<value::Move>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<export::Batches>()?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(game::data_dir, module)?)?;
    module.add_function(wrap_pyfunction!(game::main, module)?)?;
    module.add_function(wrap_pyfunction!(table::game_of, module)?)?;
    module.add_function(wrap_pyfunction!(graph::solve_graph, module)?)?;
    Ok(())
}
