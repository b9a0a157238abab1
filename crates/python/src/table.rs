//! Tables: values of positions, one by one and in arrays.

use crate::convert::{text, with_text};
use crate::errors::{self, of_export, of_game, of_row};
use crate::export::{Batches, described};
use crate::game::Game;
use crate::position::Position;
use crate::value::{Move, Value, of_code};
use crate::work::work;
use kanzen::analyse::ValueError;
use kanzen::core::Verdict;
use kanzen::export::{self as export_, Format};
use kanzen::registry::arrays::{Positions, RowError, Wanted, place};
use kanzen::registry::opponent::Opponent;
use kanzen::registry::{AnySolved, Arrays, Depth, GameError, MoveAnswer, table_path};
use kanzen::show;
use kanzen::solve::HOLE;
use kanzen::study::puzzle;
use kanzen::study::{compare, find};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, ToPyArray};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What an outcome is where a number stands for no position.
const NOTHING: i8 = -128;

/// A solved game.
#[pyclass(frozen, subclass, module = "kanzen._kanzen", name = "Table")]
pub(crate) struct Table {
    /// The game.
    #[pyo3(get)]
    game: Py<Game>,
    /// The file.
    #[pyo3(get)]
    path: PathBuf,
    pub(crate) solved: Arc<dyn AnySolved>,
}

impl Table {
    pub(crate) fn arrays(&self) -> PyResult<&dyn Arrays> {
        let none = || {
            let name = self.game.get().entry.name;
            errors::error("NoAnswerError", format!("positions of {name} have no numbers"))
        };
        self.solved.arrays().ok_or_else(none)
    }

    fn value_of(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
    ) -> PyResult<Result<Verdict, GameError>> {
        with_text(self.game.get(), given, |text| Ok(py.detach(|| self.solved.value(text))))
    }

    fn name_move(&self, py: Python<'_>, mv: MoveAnswer) -> PyResult<Py<Move>> {
        let unknown = || errors::error("NoAnswerError", format!("{}: {}", mv.name, mv.words()));
        let value = Value(mv.verdict().ok_or_else(unknown)?);
        let after = mv.position.map(|text| {
            let last = Some(mv.trace.clone());
            Py::new(py, Position { last, ..Position::new(&self.game, py, text) })
        });
        Py::new(py, Move { name: mv.name, value, position: after.transpose()? })
    }

    /// The numbers of an array, all of which are below the table's size.
    fn numbers(&self, given: &PyReadonlyArray1<'_, i64>) -> PyResult<Vec<u64>> {
        let size: u64 = self.arrays()?.tiers().iter().map(|tier| tier.size).sum();
        let number = |(row, &number): (usize, &i64)| match u64::try_from(number) {
            Ok(number) if number < size => Ok(number),
            _ => Err(PyIndexError::new_err(format!(
                "row {row}: {number} is no index: they run from 0 to {}",
                size.saturating_sub(1)
            ))),
        };
        given.as_slice()?.iter().enumerate().map(number).collect()
    }

    /// Does something with positions given as an array of boards or as a list of texts.
    fn with_positions<T: Send>(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
        what: impl FnOnce(&Positions<'_>) -> Result<T, RowError> + Send,
    ) -> PyResult<T> {
        if let Ok(boards) = given.cast::<PyArray2<u8>>() {
            let boards: PyReadonlyArray2<'_, u8> = boards.readonly();
            let cells = self.arrays()?.cells().count();
            let found = boards.as_array().shape()[1];
            if found != cells {
                let message = format!("a board of this game has {cells} cells, not {found}");
                return Err(errors::position(message));
            }
            let bytes = boards.as_slice()?;
            return py.detach(|| what(&Positions::Boards(bytes))).map_err(of_row);
        }
        let list = given.cast::<PyList>().map_err(|_| {
            PyTypeError::new_err("positions are a uint8 array of boards or a list of texts")
        })?;
        let texts = list
            .iter()
            .map(|position| with_text(self.game.get(), &position, |text| Ok(text.to_owned())));
        let texts = texts.collect::<PyResult<Vec<String>>>()?;
        py.detach(|| what(&Positions::Texts(&texts))).map_err(of_row)
    }
}

type Pair<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i16>>);

/// Outcomes and plies of codes, as arrays.
fn pair<'py>(py: Python<'py>, codes: &[u16]) -> Pair<'py> {
    let of = |code: u16| if code == HOLE { (NOTHING, -1) } else { of_code(code) };
    let outcomes: Vec<i8> = codes.iter().map(|&code| of(code).0).collect();
    let plies: Vec<i16> = codes.iter().map(|&code| of(code).1).collect();
    (PyArray1::from_vec(py, outcomes), PyArray1::from_vec(py, plies))
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, game: Py<Game>, dir: PathBuf) -> PyResult<Table> {
        let this = game.get();
        let path = table_path(&dir, &this.game.identity());
        let solved = py.detach(|| this.game.open(&dir)).map_err(of_game)?;
        Ok(Table { game, path, solved: solved.into() })
    }

    fn __getitem__(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Value> {
        self.value_of(py, position)?.map(Value).map_err(of_game)
    }

    /// The value of a position; `default` if it cannot arise and so has none.
    #[pyo3(signature = (position, default=None))]
    fn get(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        default: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        match self.value_of(py, position) {
            Ok(Ok(verdict)) => Ok(Py::new(py, Value(verdict))?.into_any()),
            Ok(Err(GameError::Value(ValueError::Unreachable(_)))) => {
                Ok(default.unwrap_or_else(|| py.None()))
            }
            Ok(Err(error)) => Err(of_game(error)),
            Err(error) => Err(error),
        }
    }

    /// The value of a position.
    fn probe(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Value> {
        self.__getitem__(py, position)
    }

    /// Every legal move with its value, the best first.
    #[pyo3(signature = (position=None))]
    fn moves(
        &self,
        py: Python<'_>,
        position: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Py<Move>>> {
        let text = text(self.game.get(), position)?;
        let answer = py.detach(|| self.solved.probe(text.as_deref())).map_err(of_game)?;
        answer.moves.into_iter().map(|mv| self.name_move(py, mv)).collect()
    }

    /// A best line: the moves to the end of the game, or until a position comes back.
    #[pyo3(signature = (position=None))]
    fn line(&self, py: Python<'_>, position: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Py<Move>>> {
        let text = text(self.game.get(), position)?;
        let line = py.detach(|| self.solved.line(text.as_deref())).map_err(of_game)?;
        line.moves.into_iter().map(|mv| self.name_move(py, mv)).collect()
    }

    /// The move that an opponent of a level chooses: beginner, casual, club, strong, master, perfect
    /// or trickster.
    #[pyo3(signature = (position, level, seed=0))]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        level: &str,
        seed: u64,
    ) -> PyResult<Option<String>> {
        let opponent = Opponent::named(level).ok_or_else(|| {
            let names = Opponent::ALL.map(|(name, _)| name).join(", ");
            errors::error("GameError", format!("there is no level '{level}': allowed are {names}"))
        })?;
        let text = text(self.game.get(), Some(position))?;
        let choose = || {
            let answer = self.solved.probe(text.as_deref())?;
            let mv = opponent.choose(&*self.solved, &answer, seed)?;
            Ok(mv.map(|mv| mv.name.clone()))
        };
        py.detach(choose).map_err(of_game)
    }

    /// How many numbers there are; a few of them stand for nothing.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.arrays()?.tiers().iter().map(|tier| tier.size as usize).sum())
    }

    /// The names and sizes of the tiers.
    #[getter]
    fn tiers(&self) -> PyResult<Vec<(String, u64)>> {
        Ok(self.arrays()?.tiers().iter().map(|tier| (tier.name.clone(), tier.size)).collect())
    }

    /// What the bytes of a board mean: the names of the cells.
    #[getter]
    fn cells(&self) -> PyResult<Vec<String>> {
        Ok(self.arrays()?.cells().names())
    }

    /// What the numbers from 1 mean on a spot: the player and the piece.
    #[getter]
    fn pieces(&self) -> PyResult<Vec<(u8, &'static str)>> {
        let cells = self.arrays()?.cells();
        Ok(cells.kinds().map(|(side, label)| (side.number(), label)).collect())
    }

    fn _locate<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let arrays = self.arrays()?;
        let numbers = self.with_positions(py, positions, |given| arrays.locate(given))?;
        let numbers: Vec<i64> = numbers.into_iter().map(|number| number as i64).collect();
        Ok(PyArray1::from_vec(py, numbers))
    }

    fn _values<'py>(
        &self,
        py: Python<'py>,
        numbers: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Pair<'py>> {
        let arrays = self.arrays()?;
        let numbers = self.numbers(&numbers)?;
        let mut codes = vec![0; numbers.len()];
        py.detach(|| arrays.values(&numbers, &mut codes)).map_err(of_game)?;
        Ok(pair(py, &codes))
    }

    fn _values_of<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Pair<'py>> {
        let arrays = self.arrays()?;
        let codes = self.with_positions(py, positions, |given| arrays.values_of(given))?;
        Ok(pair(py, &codes))
    }

    fn _boards<'py>(
        &self,
        py: Python<'py>,
        numbers: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let arrays = self.arrays()?;
        let numbers = self.numbers(&numbers)?;
        let wanted = Wanted { board: true, ..Wanted::default() };
        let found = py.detach(|| arrays.rows(&mut numbers.iter().copied(), wanted));
        let rows = found.map_err(of_game)?;
        all_there(&numbers, &rows.numbers)?;
        let shape = [numbers.len(), arrays.cells().count()];
        PyArray1::from_vec(py, rows.boards).reshape(shape)
    }

    fn _texts(&self, py: Python<'_>, numbers: PyReadonlyArray1<'_, i64>) -> PyResult<Vec<String>> {
        let arrays = self.arrays()?;
        let numbers = self.numbers(&numbers)?;
        let wanted = Wanted { text: true, ..Wanted::default() };
        let found = py.detach(|| arrays.rows(&mut numbers.iter().copied(), wanted));
        let rows = found.map_err(of_game)?;
        all_there(&numbers, &rows.numbers)?;
        Ok(rows.texts().map(str::to_owned).collect())
    }

    /// Boards of positions that are given as texts.
    fn _boards_of<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (game, cells) = (&self.game.get().game, self.arrays()?.cells());
        let mut bytes = vec![0; texts.len() * cells.count()];
        let boards = bytes.chunks_mut(cells.count().max(1));
        for (row, (text, board)) in texts.iter().zip(boards).enumerate() {
            let drawing = game.draw(Some(text)).map_err(|error| of_row(RowError { row, error }))?;
            cells.write(&drawing, board);
        }
        PyArray1::from_vec(py, bytes).reshape([texts.len(), cells.count()])
    }

    /// The codes of a whole tier.
    #[pyo3(signature = (tier, show=None))]
    fn _codes<'py>(
        &self,
        py: Python<'py>,
        tier: usize,
        show: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let arrays = self.arrays()?;
        let size = arrays.tiers().get(tier).map_or(0, |tier| tier.size);
        let first: u64 = arrays.tiers().iter().take(tier).map(|tier| tier.size).sum();
        let codes = work(py, show.as_ref(), 0, |progress, _| match self.solved.whole() {
            Some(whole) => {
                let codes = whole.codes(progress)?;
                Ok((0..size).map(|index| codes[tier].code(index)).collect())
            }
            None => {
                let numbers: Vec<u64> = (first..first + size).collect();
                let mut codes = vec![0; numbers.len()];
                arrays.values(&numbers, &mut codes).map(|()| codes)
            }
        })?;
        let codes: Vec<u16> = codes.map_err(of_game)?;
        Ok(codes.to_pyarray(py))
    }

    /// The tier and the index in it of a number.
    fn _place(&self, number: u64) -> PyResult<(usize, u64)> {
        let place = place(self.arrays()?.tiers(), number);
        let place = place.ok_or_else(|| PyIndexError::new_err(format!("{number} is no index")))?;
        Ok((place.tier, place.index))
    }

    /// The census, as JSON.
    fn _stats(&self, py: Python<'_>) -> PyResult<String> {
        let findings = py.detach(|| self.solved.stats()).map_err(of_game)?;
        Ok(show::json(&findings).to_string())
    }

    /// The kinds of things that can be found, with a sentence each.
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for kind in find::kinds(&*self.solved) {
            dict.set_item(kind.name, kind.about.en)?;
        }
        Ok(dict)
    }

    fn _find(
        &self,
        py: Python<'_>,
        kind: &str,
        most: usize,
        show: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let found = work(py, show.as_ref(), 0, |progress, _| {
            find::find(&*self.solved, kind, most, progress)
        })?;
        Ok(show::json(&found.map_err(of_game)?).to_string())
    }

    fn _puzzles(
        &self,
        py: Python<'_>,
        count: usize,
        seed: u64,
        show: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let fastest = self.game.get().entry.learn.fastest;
        let wanted = puzzle::Wanted { count, seed, fastest };
        let found = work(py, show.as_ref(), 0, |progress, _| {
            puzzle::puzzles(&*self.solved, wanted, progress)
        })?;
        Ok(json!(found.map_err(of_game)?).to_string())
    }

    fn _prove(
        &self,
        py: Python<'_>,
        position: Option<&Bound<'_, PyAny>>,
        most: u64,
        look: u16,
        show: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let text = text(self.game.get(), position)?;
        let proof = work(py, show.as_ref(), 0, |progress, _| {
            let none = || GameError::NoAnswer("this game has no proofs".to_owned());
            let whole = self.solved.whole().ok_or_else(none)?;
            whole.prove(text.as_deref(), Depth { most, look, book: false }, progress)
        })?;
        Ok(json!(proof.map_err(of_game)?).to_string())
    }

    fn _compare(
        &self,
        py: Python<'_>,
        other: &Table,
        most: usize,
        show: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let names = [self.game.get().label(), other.game.get().label()];
        let found = work(py, show.as_ref(), 0, |progress, _| {
            let solved = [&*self.solved, &*other.solved];
            compare::compare([&names[0], &names[1]], solved, most, progress)
        })?;
        Ok(show::json(&found.map_err(of_game)?).to_string())
    }

    fn _verify(&self, py: Python<'_>, show: Option<Py<PyAny>>) -> PyResult<String> {
        let report = work(py, show.as_ref(), 0, |progress, _| self.solved.verify(progress))?;
        Ok(json!(report.map_err(of_game)?).to_string())
    }

    /// Writes a data set and its card; returns facts of it as JSON.
    fn _export(
        &self,
        py: Python<'_>,
        to: PathBuf,
        format: Option<&str>,
        asked: &str,
        show: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let arrays = self.arrays()?;
        let (export, filter) = described(asked)?;
        let format = match format.map(str::parse::<Format>) {
            Some(Ok(format)) => format,
            Some(Err(())) => {
                let message = "a format is 'parquet', 'csv' or 'npy'";
                return Err(errors::error("ExportError", message));
            }
            None => Format::of(&to).map_err(of_export)?,
        };
        let game = self.game.get();
        let written = work(py, show.as_ref(), 0, |progress, _| {
            let written = export_::write(arrays, &export, format, &to, progress)?;
            let card = export_::Card {
                title: game.entry.title.en,
                rules: game.entry.rules.en,
                identity: game.game.identity().to_string(),
                checksum: kanzen::study::record::checksum(&self.path),
                export: &export,
                filter: &filter,
                written: &written,
                tiers: arrays.tiers(),
                cells: &arrays.cells(),
            };
            let card = card.save(&to)?;
            Ok((written, card))
        })?;
        let (written, card) = written.map_err(of_export)?;
        let facts = json!({
            "rows": written.rows, "positions": written.positions, "files": written.files,
            "card": card, "sets": written.sets,
        });
        Ok(facts.to_string())
    }

    /// The rows of a data set, batch by batch.
    fn _batches(&self, asked: &str) -> PyResult<Batches> {
        self.arrays()?;
        Ok(Batches::start(Arc::clone(&self.solved), described(asked)?.0))
    }

    fn __repr__(&self) -> String {
        format!("Table({})", self.game.get().label())
    }
}

/// Refuses numbers of which one stands for nothing.
fn all_there(given: &[u64], found: &[u64]) -> PyResult<()> {
    if given.len() == found.len() {
        return Ok(());
    }
    let row = given.iter().zip(found).position(|(given, found)| given != found);
    let row = row.unwrap_or(found.len());
    Err(errors::position(format!("row {row}: index {} stands for no position", given[row])))
}

/// The name and the options of the game that a table file is of.
#[pyfunction]
pub(crate) fn game_of(py: Python<'_>, path: PathBuf) -> PyResult<(&'static str, Vec<String>)> {
    let open = |path: &Path| kanzen::table::Table::open(path).map_err(GameError::from);
    let identity = py.detach(|| open(&path)).map_err(of_game)?.meta().identity.clone();
    let options = identity.variant.iter().map(|(name, value)| format!("{name}={value}"));
    let game = Game::build(&identity.game, options.collect())?;
    let expected = table_path(path.parent().unwrap_or(Path::new("")), &game.game.identity());
    if expected.file_name() != path.file_name() {
        let name = expected.file_name().unwrap_or_default().to_string_lossy();
        let message = format!("{}: a table of this game is named {name}", path.display());
        return Err(errors::error("TableError", message));
    }
    Ok((game.entry.name, game.given))
}
