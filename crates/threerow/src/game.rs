//! Three-row behind the common interface: plan, solve, perft, check.

use super::layers::{Counts, Layer, LayerError, MAX_CELLS, Progress, Solver};
use super::notation::cell_name;
use super::opened::{Opened, Whole};
use super::search::Meaning;
use super::symmetry::Symmetries;
use super::{Board, IllegalBoard, Shape};
use kanzen_analyse::{Flaw, Random};
use kanzen_core::{
    Colour, Drawing, Gesture, Kind, Kit, NotationError, Outcome, Party, Piece, PieceShape, Side,
    Spot, SpotShape, Trace, Words,
};
use kanzen_registry::{
    Answer, AnyGame, AnySolved, Files, GameError, Legal, LegalMove, Misread, MoveAnswer, Options,
    Shelf, SolveReport, Store,
};
use kanzen_solve::{Checkpoint, Job, Plan, SolveError, thread_count};
use kanzen_table::{Identity, TableWriter};
use std::path::Path;
use std::sync::Mutex;

/// Nanoseconds of a core for an index, the table included: measured.
const NANOSECONDS: f64 = 25.0;

/// The scheme of tables whose codes are the numbers of winners, 0 for nobody.
pub(super) const WINNER: &str = "winner";
/// Names the engine in its checkpoints, with the version of what they hold.
const ENGINE: &str = "layers 1";
/// The level of compression that pays.
const LEVEL: i32 = 9;

/// The game on a board of some shape, with a meaning of best play.
#[derive(Clone, Debug)]
pub struct ThreeRow {
    shape: Shape,
    meaning: Meaning,
    identity: Identity,
}

impl ThreeRow {
    /// The names of the meanings, the default first.
    pub const MEANINGS: &[&str] = &[
        "forced",
        "not-losing-1",
        "not-losing-2",
        "not-losing-3",
        "maxn-211",
        "maxn-212",
        "maxn-231",
        "maxn-232",
        "maxn-311",
        "maxn-312",
        "maxn-331",
        "maxn-332",
        "equilibria",
    ];

    /// The game with checked options.
    pub fn from_options(options: &Options) -> ThreeRow {
        let number = |name| options.number(name) as u8;
        ThreeRow {
            shape: Shape::new(number("rows"), number("columns"))
                .expect("the options allow only such sizes"),
            meaning: options.get("meaning").parse().expect("the options allow only such names"),
            identity: options.identity(1),
        }
    }

    /// A solver for the whole board, unless it is too large.
    fn solver(&self, threads: usize) -> Result<Solver, GameError> {
        Solver::new(self.shape, thread_count(threads)).map_err(|_| {
            GameError::NoAnswer(format!(
                "boards of more than {MAX_CELLS} cells cannot be solved whole; their positions are \
                 answered by search"
            ))
        })
    }

    fn files(&self, dir: &Path) -> Files {
        Files::new(dir, self.identity.clone())
    }

    fn parse(&self, position: Option<&str>) -> Result<Board, GameError> {
        match position {
            Some(text) => parse(self.shape, text),
            None => Ok(Board::empty(self.shape)),
        }
    }
}

/// Reads a board.
pub(super) fn parse(shape: Shape, text: &str) -> Result<Board, GameError> {
    Board::parse(shape, text).map_err(|error: IllegalBoard| {
        let error = NotationError::Illegal(error.to_string());
        let example = Board::empty(shape).to_string();
        GameError::Notation(Misread { error, examples: vec![example] })
    })
}

/// The side of a player in drawings.
fn side(player: u8) -> Side {
    match player {
        1 => Side::One,
        2 => Side::Two,
        _ => Side::Three,
    }
}

/// Stones of three players; whose turn it is follows from their numbers.
const KIT: Kit = Kit {
    parties: &[
        Party { side: Side::One, name: Words::new("Player 1", "1番"), colour: Colour::Blue },
        Party { side: Side::Two, name: Words::new("Player 2", "2番"), colour: Colour::Red },
        Party { side: Side::Three, name: Words::new("Player 3", "3番"), colour: Colour::Green },
    ],
    kinds: &[stone(Side::One, "1"), stone(Side::Two, "2"), stone(Side::Three, "3")],
    shape: PieceShape::Disc,
    choose_turn: false,
};

const fn stone(side: Side, label: &'static str) -> Kind {
    Kind { glyph: label, ..Kind::stone(side, label) }
}

/// Writes the stones of a drawing, right or wrong.
fn compose(shape: Shape, drawing: &Drawing) -> String {
    let digit = |cell: usize| {
        let owner = drawing.pieces.iter().find(|piece| piece.spot == cell);
        owner.map_or("0", |piece| &piece.label).to_owned()
    };
    let (rows, columns) = (usize::from(shape.rows()), usize::from(shape.columns()));
    let row = |row: usize| (0..columns).map(|column| digit(row * columns + column)).collect();
    (0..rows).map(row).collect::<Vec<String>>().join("/")
}

/// Draws a board.
pub(super) fn draw(board: &Board) -> Drawing {
    let columns = u32::from(board.shape().columns());
    let spot = |cell: u32| {
        let (x, y) = (cell % columns, cell / columns);
        Spot::new(x as f32, y as f32, SpotShape::Cell, format!("({},{})", x + 1, y + 1))
    };
    let piece = |cell: u32| {
        let owner = board.at(cell);
        (owner != 0).then(|| Piece::new(cell as usize, side(owner), owner))
    };
    let caption = match board.winner() {
        Some(winner) => format!("player {} has won", winner.number()),
        None if board.is_over() => "nobody has won".to_owned(),
        None => format!("player {} to move", board.mover().number()),
    };
    Drawing {
        spots: (0..board.shape().cells()).map(spot).collect(),
        pieces: (0..board.shape().cells()).filter_map(piece).collect(),
        caption,
        turn: Some(side(board.mover().number())),
        ..Drawing::default()
    }
}

impl From<LayerError> for GameError {
    fn from(error: LayerError) -> GameError {
        match error {
            LayerError::Cancelled => GameError::Solve(SolveError::Cancelled),
            error => GameError::NoAnswer(error.to_string()),
        }
    }
}

impl AnyGame for ThreeRow {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn start(&self) -> String {
        Board::empty(self.shape).to_string()
    }

    fn plan(&self, threads: usize) -> Plan {
        let Ok(solver) = self.solver(threads) else {
            return Plan { guessed: false, ..Plan::UNKNOWN };
        };
        let estimate = solver.estimate();
        Plan {
            positions: estimate.indices,
            memory: estimate.bytes + (64 << 20),
            least: estimate.bytes + (64 << 20),
            // Layers of the checkpoint, and the table that is made of them.
            disk: estimate.indices / 4,
            seconds: estimate.indices as f64 * NANOSECONDS * 1e-9 / solver.threads() as f64,
            guessed: false,
        }
    }

    /// The rules fix how long a game can last, and nobody is in a hurry.
    fn stores(&self) -> &'static [Store] {
        &[Store::Value]
    }

    fn solve(
        &self,
        dir: &Path,
        store: Option<Store>,
        job: &Job<'_>,
    ) -> Result<SolveReport, GameError> {
        Store::choose(self, store)?;
        let solver = self.solver(job.threads)?;
        let needed = self.plan(job.threads).memory;
        if needed > job.memory {
            return Err(SolveError::Memory { needed, allowed: job.memory }.into());
        }
        let files = self.files(dir);
        let _lock = files.lock()?;
        let checkpoint = Checkpoint::new(files.checkpoint(), files.key(ENGINE));
        let layers = Layers { solver: &solver, checkpoint };
        let done = Mutex::new(0);
        job.progress.begin("solving", solver.estimate().indices);
        let progress = |now: Progress| {
            if let Ok(mut done) = done.lock() {
                job.progress.advance(now.done.saturating_sub(*done));
                *done = now.done.max(*done);
            }
        };
        let resume = layers.last()?;
        solver.solve(resume, job.cancel, &progress, |layer, counts| {
            job.progress.note(&format!("ply {}", counts.plies));
            layers.keep(layer, counts)
        })?;
        job.progress.end();

        let path = files.table();
        let level = job.level.unwrap_or(LEVEL);
        let mut writer = TableWriter::create(&path, self.identity(), WINNER, level)?;
        job.progress.begin("writing the table", solver.estimate().indices);
        let mut start = 0;
        for plies in (0..=self.shape.cells()).rev() {
            let (layer, counts) = layers.read(plies)?;
            let size = layer.tier().len();
            let winners: Vec<(u16, u64)> = (0..).zip(counts.winners).collect();
            let fill = |range: std::ops::Range<u64>, out: &mut [u16]| {
                for (index, code) in range.zip(out) {
                    *code = layer.value(index).into();
                }
            };
            let advance = |cells| job.progress.advance(cells);
            writer.tier(&format!("ply {plies}"), size, &winners, fill, advance)?;
            start = (1..4).find(|&winner| counts.winners[winner] > 0).unwrap_or(0);
        }
        let bytes = writer.finish()?;
        job.progress.end();
        layers.checkpoint.remove()?;
        let start = match start {
            0 => "board on which nobody can force a win".to_owned(),
            winner => format!("forced win of player {winner}"),
        };
        Ok(SolveReport { table: path, bytes, start })
    }

    fn open_from(&self, shelf: &dyn Shelf) -> Result<Box<dyn AnySolved>, GameError> {
        let files = self.files(shelf.dir().unwrap_or("".as_ref()));
        let whole = match self.solver(1) {
            Ok(solver) => match files.open_from(shelf) {
                Ok(table) => Some(Whole::new(solver, table)?),
                Err(GameError::NotSolved { .. }) => None,
                Err(error) => return Err(error),
            },
            Err(_) => None,
        };
        Ok(Box::new(Opened::new(self.shape, self.meaning, whole, files)))
    }

    /// A move always leads to a board, also if the game is over there.
    fn legal(&self, position: Option<&str>) -> Result<Legal, GameError> {
        let board = self.parse(position)?;
        let moves = board.moves().filter_map(|cell| {
            Some(LegalMove {
                name: cell_name(&self.shape, cell),
                position: Some(board.play(cell)?.to_string()),
                over: None,
                again: false,
                trace: Trace { to: Some(cell as usize), ..Trace::default() },
            })
        });
        let over = board.is_over().then(|| match board.winner() {
            Some(winner) if winner == board.mover() => Outcome::Win,
            Some(_) => Outcome::Loss,
            None => Outcome::Draw,
        });
        let (position, mover) = (board.to_string(), board.mover().number());
        Ok(Legal { position, mover, over, moves: moves.collect() })
    }

    fn parse(&self, position: &str) -> Result<String, GameError> {
        Ok(ThreeRow::parse(self, Some(position))?.to_string())
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, GameError> {
        fn count(board: &Board, depth: u32) -> u64 {
            match depth {
                0 => 1,
                1 => board.moves().count() as u64,
                _ => {
                    let children = board.moves().filter_map(|cell| board.play(cell));
                    children.map(|child| count(&child, depth - 1)).sum()
                }
            }
        }
        Ok(count(&self.parse(position)?, depth))
    }

    fn check(&self, samples: u64, seed: u64) -> Vec<Flaw> {
        let mut flaws: Vec<Flaw> = Vec::new();
        let mut random = Random::new(seed);
        let symmetries = Symmetries::new(&self.shape);
        let solver = self.solver(1).ok();
        let mut board = Board::empty(self.shape);
        for _ in 0..samples {
            let mut expect = |holds: bool, test: &'static str, problem: String| {
                if !holds && !flaws.iter().any(|flaw| flaw.test == test) {
                    flaws.push(Flaw { test, position: board.to_string(), problem });
                }
            };
            let text = board.to_string();
            let read = Board::parse(self.shape, &text).ok();
            expect(read == Some(board), "notation", format!("'{text}' is read as {read:?}"));
            let images: Vec<Board> = symmetries
                .iter()
                .filter_map(|symmetry| {
                    let sets = board.sets().map(|set| symmetry.set(set));
                    Board::new(self.shape, sets).ok()
                })
                .collect();
            let same = |image: &Board| {
                image.winner() == board.winner() && image.moves().count() == board.moves().count()
            };
            let alike = images.len() == symmetries.count() && images.iter().all(same);
            expect(alike, "symmetry", "an image is another game".to_owned());
            if let Some(solver) = solver.as_ref().filter(|_| board.is_open())
                && let Ok(tier) = solver.tier(board.plies())
            {
                let index = solver.locate(&tier, &board);
                let home = index.and_then(|index| solver.board(&tier, index));
                let back = home.is_some_and(|home| images.contains(&home));
                expect(back, "index", format!("index {index:?} stands for {home:?}"));
            }
            let cells: Vec<u32> = board.moves().collect();
            board = match cells.len() as u64 {
                0 => Board::empty(self.shape),
                count => {
                    let cell = cells[random.below(count) as usize];
                    board.play(cell).unwrap_or(Board::empty(self.shape))
                }
            };
        }
        flaws
    }

    fn look(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let board = self.parse(position)?;
        let mover = board.mover();
        let end = |board: &Board| match board.winner() {
            Some(winner) if winner == mover => Some(Outcome::Win),
            Some(_) => Some(Outcome::Loss),
            None => board.is_over().then_some(Outcome::Draw),
        };
        let children = board.moves().filter_map(|cell| Some((cell, board.play(cell)?)));
        let moves = children.map(|(cell, child)| {
            let trace = Trace { from: None, to: Some(cell as usize), also: Vec::new() };
            let value = end(&child);
            MoveAnswer {
                name: cell_name(&self.shape, cell),
                position: Some(child.to_string()),
                value,
                plies: value.map(|_| 1),
                pressure: None,
                best_play: None,
                gesture: Gesture::from(&trace),
                end: None,
                again: false,
                trace,
            }
        });
        let value = end(&board);
        Ok(Answer {
            position: board.to_string(),
            mover: mover.number(),
            value,
            plies: value.map(|_| 0),
            pressure: None,
            best_play: None,
            barred: None,
            moves: moves.collect(),
            passed: None,
            drawing: draw(&board),
        })
    }

    fn draw(&self, position: Option<&str>) -> Result<Drawing, GameError> {
        Ok(draw(&self.parse(position)?))
    }

    fn kit(&self) -> &'static Kit {
        &KIT
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        Some(compose(self.shape, drawing))
    }
}

/// The finished layers of a solve, on disk until the table is made of them.
struct Layers<'s> {
    solver: &'s Solver,
    checkpoint: Checkpoint,
}

impl Layers<'_> {
    /// The number of a ply among the tiers: the full board comes first.
    fn tier(&self, plies: u32) -> usize {
        (self.solver.shape().cells() - plies) as usize
    }

    /// Keeps a layer: its words, then its counts.
    fn keep(&self, layer: &Layer, counts: &Counts) -> Result<(), GameError> {
        let tier = self.tier(counts.plies);
        let words = layer.words().iter().chain(&counts.winners);
        let cells = words.flat_map(|&word| (0..4).map(move |part| (word >> (16 * part)) as u16));
        self.checkpoint.write_tier(tier, None, cells)?;
        self.checkpoint.write_state(tier + 1, None)?;
        Ok(())
    }

    /// The layer of a ply that was kept.
    fn read(&self, plies: u32) -> Result<(Layer, Counts), GameError> {
        let size = self.solver.words(plies)? as u64 + 4;
        let cells = self.checkpoint.read_tier(self.tier(plies), None, 4 * size)?;
        let mut words: Vec<u64> = cells
            .chunks_exact(4)
            .map(|parts| parts.iter().rev().fold(0, |word, &part| word << 16 | u64::from(part)))
            .collect();
        let counts = words.split_off(words.len() - 4);
        let winners = std::array::from_fn(|winner| counts[winner]);
        Ok((self.solver.restore(plies, words)?, Counts { plies, winners }))
    }

    /// The last layer that was kept, to go on from.
    fn last(&self) -> Result<Option<Layer>, GameError> {
        let done = self.checkpoint.state()?.map_or(0, |state| state.tier as u32);
        let plies = (self.solver.shape().cells() + 1).saturating_sub(done);
        if done == 0 { Ok(None) } else { Ok(Some(self.read(plies)?.0)) }
    }
}
