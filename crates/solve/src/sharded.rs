//! A game as the workers of a cluster know it: some positions at a time, and no types of its own.
//!
//! The frontier engine of one machine reads and changes any cell at once. Where cells are spread over
//! many workers, a position's moves and un-moves become messages to those who own the cells; what is
//! asked of the game is the same.

use crate::opening::{Exits, Moves, known_at_once, unit};
use crate::{Checkpoint, Job, Solution, SolveError, cells, solve};
use kanzen_core::{Endless, Next, Outcome, Value};
use kanzen_index::{FirstLook, Indexed, Place, Tier, Work, run_with_fast_bits, with_fast_bits};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A cell that stands for no position, a count below this for an open one, or a settled value.
pub const SETTLED: u16 = cells::SETTLED;

/// A game whose positions are spread over workers.
pub trait Sharded: Send + Sync {
    /// The tiers in the order in which they are solved.
    fn tiers(&self) -> &[Tier];

    /// The tiers that moves from a tier lead to, but for itself.
    fn leads_to(&self, tier: usize) -> Vec<usize>;

    /// Whether the game tells predecessors. If not, links to positions of the same tier must be kept.
    fn has_unmoves(&self) -> bool;

    /// The most that one event takes from a count.
    fn largest_unit(&self) -> usize;

    /// Settles what the rules settle among some positions: before [`open`](Sharded::open) in games
    /// without un-moves.
    fn settle(&self, tier: usize, range: Range<u64>, cells: &mut [u16]);

    /// Looks at the moves of the positions that are not settled. `known` tells the values of positions
    /// of other tiers that need not be asked for.
    ///
    /// # Errors
    /// If the engine cannot solve this.
    fn open(
        &self,
        tier: usize,
        range: Range<u64>,
        cells: &mut [u16],
        known: &dyn Fn(Place) -> Option<Value>,
        opened: &mut Opened,
    ) -> Result<(), SolveError>;

    /// The events that settled positions, with their values, send to their predecessors.
    fn fire(&self, tier: usize, settled: &[(u64, Value)], events: &mut Vec<Event>);

    /// Whether the side to move of a position wins by endless play.
    fn is_lasting(&self, tier: usize, index: u64) -> bool;

    /// The value of a position from which play never ends.
    fn endless(&self, tier: usize, index: u64) -> Value;

    /// Adds the positions to which events lead when some positions have these values: workers own what has
    /// to do with one another. A sample is enough, and those who add none are dealt in turn.
    fn neighbours(&self, tier: usize, settled: &[(u64, Value)], ends: &mut Vec<u64>) {
        let mut events = Vec::new();
        if let Some(own) = self.own_cells() {
            let due = settled.iter().map(|&(index, value)| (index, own.settled(value)));
            let due: Vec<_> = due.collect();
            own.fire(tier, &due, 2, &mut events);
        } else if self.has_unmoves() {
            self.fire(tier, settled, &mut events);
        }
        ends.extend(events.iter().map(|event| event.target));
    }

    /// What the game's cells are, if they are not those of the frontier engine.
    fn own_cells(&self) -> Option<&dyn OwnCells> {
        None
    }
}

/// A cell of a game that keeps more of a position than a count or a value.
pub type OwnCell = [u16; 2];

/// How cells of a game's own change, where several states share a cell. [`Sharded::open`] begins them, and
/// [`Moves`] tells the moves out of the tier alone. An event is a move, by its units.
pub trait OwnCells {
    /// Completes a cell when the values of all moves out of the tier are known.
    fn complete(&self, cell: &mut OwnCell, exits: &Exits);

    /// A move leads to a state whose value is known, by which the move is worth `plies`. Tells whether that
    /// makes something known that the cell's predecessors must hear of.
    fn take(&self, cell: &mut OwnCell, units: u16, plies: u16) -> bool;

    /// Settles what moves out of the tier bring about in a round, and finds the cells that fire, which
    /// are all that it changes.
    fn due(&self, cells: &mut [OwnCell], plies: u16, due: &mut Vec<u32>);

    /// The events that cells send to their predecessors in a round.
    fn fire(&self, tier: usize, due: &[(u64, OwnCell)], plies: u16, events: &mut Vec<Event>);

    /// Makes cells what is kept of them.
    fn close(&self, cells: &mut [OwnCell]);

    /// The value of a position.
    fn value(&self, cell: OwnCell) -> Value;

    /// The cell of a position all of whose states have this value.
    fn settled(&self, value: Value) -> OwnCell;

    /// The most plies that a cell can tell.
    fn most_plies(&self) -> u16;
}

/// Several processes that solve a game together.
pub trait Machines: Sync {
    /// The number of this process; the first one writes the table.
    fn index(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// How many of them are on this machine, and end when the game is solved: the first one may use their
    /// threads to pack.
    fn here(&self) -> usize {
        1
    }

    /// Solves a game, and leaves the tiers in the checkpoint.
    ///
    /// # Errors
    /// If a process cannot go on, is stopped, or is lost.
    fn solve(
        &self,
        game: Arc<dyn Sharded>,
        job: &Job<'_>,
        checkpoint: &Checkpoint,
    ) -> Result<(), SolveError>;
}

/// Solves a game on this machine, or on several if the job says so.
///
/// # Errors
/// As [`solve`].
pub fn solve_anywhere<G: Indexed + Clone + 'static>(
    game: &G,
    job: &Job<'_>,
    checkpoint: &Checkpoint,
) -> Result<Solution, SolveError> {
    let Some(machines) = job.machines else { return solve(game, job, Some(checkpoint)) };
    machines.solve(Arc::new(Spread(game.clone())), job, checkpoint)?;
    let tiers = vec![Vec::new(); game.tiers().len()];
    let (index, count) = (machines.index(), machines.count());
    let of = checkpoint.clone();
    let together =
        (count > 1).then_some(Together { index, count, checkpoint: of, gone: Arc::default() });
    let mut solution = Solution::new(game, tiers, Some(checkpoint));
    solution.together = together;
    Ok(solution)
}

/// Processes that have solved a game together, and leave things for one another in its checkpoint.
#[derive(Clone)]
pub struct Together {
    index: usize,
    count: usize,
    checkpoint: Checkpoint,
    /// Those from whom nothing is expected any more.
    gone: Arc<Mutex<Vec<usize>>>,
}

impl Together {
    /// Which of them this is.
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Leaves blocks under a name. If the first process has ended, nobody needs them.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn leave(&self, name: &str, blocks: Vec<Vec<u8>>) -> Result<(), SolveError> {
        self.checkpoint.leave_blocks(name, blocks.into_iter()).map(|_| ())
    }

    /// Whether the first process has ended, so that nothing more is to be done.
    pub fn is_over(&self) -> bool {
        self.index > 0 && !self.checkpoint.dir().exists()
    }

    /// What one of them has left, or leaves within some time; none if it does not, and then only what it
    /// has left already is taken from it.
    ///
    /// # Errors
    /// If what it has left cannot be read.
    pub fn fetch(
        &self,
        from: usize,
        name: &str,
        patience: Duration,
    ) -> Result<Option<Vec<Vec<u8>>>, SolveError> {
        let mut gone = self.gone.lock().unwrap_or_else(PoisonError::into_inner);
        let since = Instant::now();
        let mut nap = Duration::from_micros(200);
        loop {
            let left = self.checkpoint.take_blocks(name)?;
            if left.is_some() || gone.contains(&from) {
                return Ok(left);
            }
            if since.elapsed() > patience {
                gone.push(from);
                return Ok(None);
            }
            std::thread::sleep(nap);
            nap = (2 * nap).min(Duration::from_millis(5));
        }
    }
}

/// What the first pass found in some positions.
#[derive(Default)]
pub struct Opened {
    /// The moves of open positions, with their place in the range.
    pub moves: Vec<(u32, Moves)>,
    /// The moves whose ends must be asked for their value.
    pub links: Vec<Link>,
}

/// A move from a position of the tier that is solved.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The position that moves.
    pub source: u64,
    /// Where the move leads.
    pub end: Place,
    /// Whether the same side moves again.
    pub again: bool,
}

/// Word to a position that a move of it is settled.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The position.
    pub target: u64,
    /// How much of its count is of no use; 0 if the move is the best there can be.
    pub units: u16,
}

/// Any numbered game, spread.
pub struct Spread<G>(pub G);

impl<G: Indexed> Sharded for Spread<G> {
    fn tiers(&self) -> &[Tier] {
        self.0.tiers()
    }

    fn leads_to(&self, tier: usize) -> Vec<usize> {
        self.0.leads_to(tier)
    }

    fn has_unmoves(&self) -> bool {
        G::UNMOVES
    }

    fn largest_unit(&self) -> usize {
        if G::UNMOVES { self.0.symmetries() } else { 1 }
    }

    fn settle(&self, tier: usize, range: Range<u64>, cells: &mut [u16]) {
        let first = range.start;
        with_fast_bits(|| {
            self.0.positions(tier, range, |index, position| {
                if let Some(value) = by_rules(&self.0, &position) {
                    cells[(index - first) as usize] = SETTLED | value.code();
                }
            });
        });
    }

    fn open(
        &self,
        tier: usize,
        range: Range<u64>,
        cells: &mut [u16],
        known: &dyn Fn(Place) -> Option<Value>,
        opened: &mut Opened,
    ) -> Result<(), SolveError> {
        let open = Open { game: &self.0, tier, range, cells, known, opened };
        let moves_again = run_with_fast_bits(open);
        if moves_again {
            return Err(SolveError::moves_again(&self.0, tier));
        }
        Ok(())
    }

    fn fire(&self, tier: usize, settled: &[(u64, Value)], events: &mut Vec<Event>) {
        run_with_fast_bits(Fire { game: &self.0, tier, settled, events });
    }

    fn is_lasting(&self, tier: usize, index: u64) -> bool {
        self.0.position(Place { tier, index }).is_some_and(|position| lasts(&self.0, &position))
    }

    fn endless(&self, tier: usize, index: u64) -> Value {
        match self.0.endless() {
            Endless::Draw => Value::OPEN,
            won => {
                let position = self.0.position(Place { tier, index });
                position.map_or(Value::OPEN, |position| won.value(&self.0, &position))
            }
        }
    }
}

/// Looks at the moves of some positions. Tells whether a side moves again in a tier with un-moves.
struct Open<'a, G> {
    game: &'a G,
    tier: usize,
    range: Range<u64>,
    cells: &'a mut [u16],
    known: &'a dyn Fn(Place) -> Option<Value>,
    opened: &'a mut Opened,
}

impl<G: Indexed> Work for Open<'_, G> {
    type Output = bool;

    #[inline(always)]
    fn run<const ISA: usize>(self) -> bool {
        let Open { game, tier, range, cells, known, opened } = self;
        let first = range.start;
        let mut moves_again = false;
        game.positions(tier, range, |index, position| {
            let offset = (index - first) as usize;
            if let Some(look) = game.first_look(&position) {
                match look {
                    FirstLook::Value(value) => cells[offset] = SETTLED | value.code(),
                    FirstLook::Moves(moves) => {
                        let mut all = Moves::of(game, &position);
                        all.inside = moves;
                        opened.moves.push((offset as u32, all));
                    }
                }
                return;
            }
            if G::UNMOVES
                && let Some(value) = by_rules(game, &position)
            {
                cells[offset] = SETTLED | value.code();
            }
            if cells[offset] & SETTLED != 0 {
                return;
            }
            let mut all = Moves::of(game, &position);
            game.successors(&position, |next| {
                let again = matches!(next, Next::Again(_));
                match next {
                    Next::Over(outcome) => {
                        all.exits.add(Value::new(Outcome::flip(outcome), 0));
                    }
                    Next::Position(child) | Next::Again(child)
                        if !G::UNMOVES || game.tier(&child) != tier =>
                    {
                        let end = game.locate(&child);
                        let value = if end.tier == tier { None } else { known(end) };
                        match value {
                            Some(value) => all.exits.add(if again { value.flip() } else { value }),
                            None => {
                                all.inside += u32::from(end.tier == tier);
                                opened.links.push(Link { source: index, end, again });
                            }
                        }
                    }
                    Next::Again(_) => moves_again = true,
                    Next::Position(child) if known_at_once(game, &child) => all.near = true,
                    Next::Position(child) => {
                        all.inside += 1;
                        all.nearer |= G::QUICK_WINS && game.over(&child).is_some();
                    }
                }
            });
            opened.moves.push((offset as u32, all));
        });
        moves_again
    }
}

/// Tells the predecessors of settled positions.
struct Fire<'a, G> {
    game: &'a G,
    tier: usize,
    settled: &'a [(u64, Value)],
    events: &'a mut Vec<Event>,
}

impl<G: Indexed> Work for Fire<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<const ISA: usize>(self) {
        let Fire { game, tier, settled, events } = self;
        let mut values = settled.iter();
        let mut sources = Vec::new();
        let indices = settled.iter().map(|&(index, _)| index);
        game.positions(tier, indices, |index, position| {
            let value = values.by_ref().find(|&&(at, _)| at == index).map(|&(_, value)| value);
            let orbit = || unit(game, &position) as u16;
            let (units, drawn) = match value {
                Some(Value::Win(1)) if known_at_once(game, &position) => return,
                Some(Value::Win(_)) => (orbit(), false),
                Some(Value::Draw(_)) => (orbit(), true),
                _ => (0, false),
            };
            sources.clear();
            game.predecessors(&position, |source| sources.push(source));
            for source in &sources {
                let takes = drawn && !lasts(game, source);
                let units = if takes { 0 } else { units };
                events.push(Event { target: game.locate(source).index, units });
            }
        });
    }
}

/// What the rules settle.
#[inline]
fn by_rules<G: Indexed>(game: &G, position: &G::Position) -> Option<Value> {
    match game.over(position) {
        Some(outcome) => Some(Value::new(outcome, 0)),
        None => game.wins_at_once(position).then_some(Value::Win(1)),
    }
}

/// Whether the side to move wins by endless play.
fn lasts<G: Indexed>(game: &G, position: &G::Position) -> bool {
    matches!(game.endless(), Endless::WonBy(side) if game.mover(position) == side)
}
