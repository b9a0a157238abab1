//! Games by name.

use crate::errors::of_game;
use crate::position::Position;
use crate::work::work;
use kanzen::registry::{AnyGame, Entry, Files, Registry, Store, table_path};
use kanzen::solve::Job;
use kanzen::study::record;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use serde_json::json;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// A game with its options chosen.
#[pyclass(frozen, subclass, module = "kanzen._kanzen")]
pub(crate) struct Game {
    pub(crate) entry: &'static Entry,
    /// The options that were given, as `name=value`.
    pub(crate) given: Vec<String>,
    pub(crate) game: Arc<dyn AnyGame>,
}

impl Game {
    pub(crate) fn build(name: &str, given: Vec<String>) -> PyResult<Game> {
        let entry = registry().find(name).map_err(of_game)?;
        let game = entry.build(&given).map_err(of_game)?;
        Ok(Game { entry, given, game: game.into() })
    }

    /// The game and its options, for people.
    pub(crate) fn label(&self) -> String {
        let options = self.given.iter().map(|option| format!(" {option}"));
        self.entry.name.to_owned() + &options.collect::<String>()
    }

    /// Whether this is the same game with the same options.
    pub(crate) fn is(&self, other: &Game) -> bool {
        std::ptr::eq(self, other) || self.chosen() == other.chosen()
    }

    fn chosen(&self) -> (&'static str, Vec<(&'static str, &'static str)>) {
        let options = self.entry.options(&self.given);
        (self.entry.name, options.map(|options| options.all().collect()).unwrap_or_default())
    }
}

fn registry() -> Registry {
    kanzen::games::all()
}

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str, options: Vec<String>) -> PyResult<Game> {
        Game::build(name, options)
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Its name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.entry.title.en
    }

    /// The rules in short.
    #[getter]
    fn rules(&self) -> &'static str {
        self.entry.rules.en
    }

    /// The value of every option.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.chosen().1 {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// The game, the options that change values, and the version of the index.
    #[getter]
    fn identity(&self) -> String {
        self.game.identity().to_string()
    }

    /// The position in which the game starts.
    fn start(slf: &Bound<'_, Self>) -> Position {
        let text = slf.get().game.start();
        Position::new(slf.as_unbound(), slf.py(), text)
    }

    /// Reads a position in the game's notation.
    fn parse(slf: &Bound<'_, Self>, text: &str) -> PyResult<Position> {
        let text = slf.get().game.parse(text).map_err(of_game)?;
        Ok(Position::new(slf.as_unbound(), slf.py(), text))
    }

    /// How many ways there are to play so many plies.
    #[pyo3(signature = (depth, position=None))]
    fn perft(&self, py: Python<'_>, depth: u32, position: Option<&Position>) -> PyResult<u64> {
        let text = position.map(|position| &*position.text);
        work(py, None, 0, |_, _| self.game.perft(text, depth))?.map_err(of_game)
    }

    /// What a solve will take, as JSON.
    fn _plan(&self, py: Python<'_>, threads: usize) -> PyResult<String> {
        let plan = work(py, None, threads, |_, _| self.game.plan(threads))?;
        Ok(json!(plan).to_string())
    }

    /// Solves the game unless it is solved; returns the table's path.
    fn _solve(
        &self,
        py: Python<'_>,
        dir: PathBuf,
        threads: usize,
        memory: Option<u64>,
        again: bool,
        show: Option<Py<PyAny>>,
    ) -> PyResult<PathBuf> {
        let path = table_path(&dir, &self.game.identity());
        if path.exists() && !again {
            return Ok(path);
        }
        let solve = |progress: &dyn kanzen::solve::Progress, cancel: &_| {
            if again {
                Files::new(&dir, self.game.identity()).discard_checkpoint()?;
            }
            let usual = Job::default();
            let memory = memory.unwrap_or(usual.memory);
            let job = Job { threads, memory, cancel, progress, ..usual };
            record::solve(&*self.game, &dir, None::<Store>, &job)
        };
        let solved = work(py, show.as_ref(), threads, solve)?;
        Ok(solved.map_err(of_game)?.0.table)
    }

    fn __repr__(&self) -> String {
        format!("Game({})", self.label())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| self.is(other.get()))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.chosen().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyType>, (&'static str, Vec<String>)) {
        let game = slf.get();
        (slf.get_type().unbind(), (game.entry.name, game.given.clone()))
    }
}

/// What there is to know of every game, as JSON.
#[pyfunction]
pub(crate) fn games(py: Python<'_>, dir: PathBuf) -> PyResult<String> {
    let list = || {
        let of = |entry: &'static Entry| {
            let game = entry.build(&[])?;
            let plan = game.plan(0);
            let options: serde_json::Map<String, serde_json::Value> = entry
                .options
                .iter()
                .map(|option| (option.name.into(), json!(option.values)))
                .collect();
            Ok(json!({
                "name": entry.name, "title": entry.title.en, "options": options,
                "positions": plan.positions, "guessed": plan.guessed, "memory": plan.memory,
                "seconds": plan.seconds,
                "solved": table_path(&dir, &game.identity()).exists(),
            }))
        };
        registry().entries().map(of).collect::<Result<Vec<_>, _>>()
    };
    Ok(json!(work(py, None, 0, |_, _| list())?.map_err(of_game)?).to_string())
}

/// Where tables are kept unless somebody says otherwise.
#[pyfunction]
pub(crate) fn data_dir() -> Option<PathBuf> {
    kanzen::data_dir()
}

/// The program with these arguments; returns its exit status.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| kanzen::run(&registry(), arguments));
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(1)
}
