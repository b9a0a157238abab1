//! What Tanaka's paper counts, for the command `find`: each among the positions that can arise from
//! the start.

use super::census;
use super::game::{Doubutsu, Side, State};
use super::mates::{self, Reading};
use super::notation::write;
use super::probe::Probe;
use super::reach::Reach;
use super::rules::Position;
use super::scan::Team;
use kanzen_analyse::{Cell, Column, Finding, Kind, Solved, columns, row};
use kanzen_core::{Game, Next, Text, Words};
use kanzen_registry::{GameError, OwnKind, kinds};
use kanzen_solve::{Progress, SolveError};
use std::io;

/// The kinds of positions that this game knows.
pub const KINDS: &[OwnKind<Doubutsu>] = &[
    OwnKind { kind: Kind::REACHABLE, by_codes: false, run: reachable },
    OwnKind {
        kind: Kind::new(
            "legal-moves",
            "How many legal moves the positions have that can arise, by value.",
            "到達できる局面の合法手の数（値別）。",
        ),
        by_codes: true,
        run: legal_moves,
    },
    OwnKind { kind: Kind::ZUGZWANG, by_codes: true, run: zugzwangs },
    OwnKind {
        kind: Kind::new(
            "last-row-drops",
            "Positions in which only a chick dropped on the last row keeps the value.",
            "最終段へのひよこ打ちだけが値を保つ局面。",
        ),
        by_codes: true,
        run: last_row_drops,
    },
    OwnKind {
        kind: Kind::new(
            "mates",
            "Mates by an unbroken series of threats, and the longest with their lines.",
            "連続王手の詰みの数と、最長の詰みの手順。",
        ),
        by_codes: false,
        run: mates,
    },
];

/// What can arise, and who looks at it.
struct World<'s> {
    solved: &'s Solved<Doubutsu>,
    game: &'s Doubutsu,
    reach: &'s Reach,
    team: Team<'s>,
}

impl<'s> World<'s> {
    fn new(
        solved: &'s Solved<Doubutsu>,
        progress: &'s dyn Progress,
    ) -> Result<World<'s>, GameError> {
        let game = solved.game();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let team = Team { threads, progress };
        Ok(World { solved, game, reach: game.reach(team).map_err(memory)?, team })
    }

    /// What a count finds with the values of all positions.
    fn count<T>(&self, count: impl Fn(&Probe<'_>, &Reach, Team<'_>) -> T) -> Result<T, GameError> {
        let codes = self.solved.codes(self.team.progress)?;
        Ok(count(&Probe { game: self.game, codes: &codes[0] }, self.reach, self.team))
    }
}

fn memory(error: io::Error) -> GameError {
    SolveError::NoMemory(error).into()
}

/// The name of the positions that all of these are about.
const ARISING: Words = Words::new("positions that can arise", "到達できる局面");

fn reachable(
    solved: &Solved<Doubutsu>,
    _: usize,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, GameError> {
    let world = World::new(solved, progress)?;
    let by_ply = &world.reach.by_ply;
    let sums: Vec<u64> = by_ply.iter().map(|arising| arising.open + arising.over).collect();
    let mut findings = kinds::reachable(&sums);
    let mut open = Finding::new(
        "open",
        Words::new(
            "The positions that go on, and those that are won or lost at once, by ply.",
            "手数別の、続く局面と一手で決まる局面。",
        ),
        &[
            columns::PLY,
            Column::new("open", "open", "未決着"),
            Column::new("over", "won or lost at once", "一手で決着"),
        ],
    );
    for (ply, arising) in by_ply.iter().enumerate() {
        open.add(row![ply, arising.open, arising.over]);
    }
    findings.push(open);
    Ok(findings)
}

fn legal_moves(
    solved: &Solved<Doubutsu>,
    _: usize,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, GameError> {
    let world = World::new(solved, progress)?;
    let rows = world.count(census::legal_moves)?;
    let positions: u64 = rows.iter().flatten().sum();
    let moves: u64 = (0..).zip(&rows).map(|(moves, row)| moves * row.iter().sum::<u64>()).sum();
    let mean = (1e8 * moves as f64 / positions.max(1) as f64).round() / 1e8;
    let mut by_moves = kinds::by_moves(&rows);
    by_moves.caption = Text::new(
        "Open positions that can arise, by the number of legal moves.",
        "到達できる未決着局面の合法手の数別の局面数。",
    );
    Ok(vec![by_moves, kinds::mean_moves(positions, mean)])
}

fn zugzwangs(
    solved: &Solved<Doubutsu>,
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, GameError> {
    let world = World::new(solved, progress)?;
    let found = world.count(census::zugzwangs)?;
    let symmetric = || found.iter().filter(|zugzwang| zugzwang.is_symmetric);
    let others = found.iter().filter(|zugzwang| !zugzwang.is_symmetric);
    let written = |zugzwang: &census::Zugzwang| written(zugzwang.position);
    let finding = kinds::zugzwangs().with(row![
        ARISING,
        found.len(),
        symmetric().count(),
        Cell::Positions(others.take(most).map(written).collect()),
        Cell::Positions(symmetric().take(most).map(written).collect()),
    ]);
    Ok(vec![finding])
}

fn last_row_drops(
    solved: &Solved<Doubutsu>,
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, GameError> {
    let world = World::new(solved, progress)?;
    let found = world.count(census::last_row_drop_only)?;
    let caption = Words::new(
        "Positions in which only a chick dropped on the last row keeps the value.",
        "最終段へのひよこ打ちだけが値を保つ局面。",
    );
    let examples = found.iter().take(most).map(|&position| written(position)).collect();
    let heads = [columns::POSITIONS, columns::EXAMPLES];
    let finding = Finding::new("last_row_drops", caption, &heads);
    Ok(vec![finding.with(row![found.len(), Cell::Positions(examples)])])
}

fn mates(
    solved: &Solved<Doubutsu>,
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, GameError> {
    let world = World::new(solved, progress)?;
    let (index, options) = (world.game.index(), world.game.options());
    let count = |reading| {
        mates::mates(index, options, reading, world.reach, most, world.team).map_err(memory)
    };
    let (table, words) = (count(Reading::Table)?, count(Reading::Words)?);
    let mut mates = Finding::new(
        "mates",
        Words::new(
            "Mates by an unbroken series of threats, as the paper's table and as its words have it.",
            "連続王手の詰み（論文の表の数え方と本文の定義）。",
        ),
        &[
            columns::PLIES,
            Column::new("table", "as in the table", "表の数え方"),
            Column::new("words", "as in the words", "本文の定義"),
        ],
    );
    for row in 0..table.counts.len().max(words.counts.len()) {
        let cell = |counts: &[u64]| counts.get(row).copied().unwrap_or(0);
        mates.add(row![2 * row + 1, cell(&table.counts), cell(&words.counts)]);
    }
    let mut longest = Finding::new(
        "longest_mates",
        Words::new("The longest mates with their lines.", "最長の詰みとその手順。"),
        &[
            Column::new("reading", "as in the paper's", "論文の"),
            columns::EXAMPLES,
            Column::new("line", "line", "手順"),
        ],
    );
    let readings = [(Words::new("table", "表"), &table), (Words::new("words", "本文"), &words)];
    for (reading, found) in readings {
        for (position, line) in &found.longest {
            let mut state = State { turn: Side::Sente, position: *position };
            let mut moves = Vec::new();
            for &played in line {
                moves.push(world.game.write_move(&state, played));
                if let Next::Position(next) = world.game.play(&state, played) {
                    state = next;
                }
            }
            let shown = Cell::Positions(vec![written(*position)]);
            longest.add(row![reading, shown, Cell::Names(moves)]);
        }
    }
    Ok(vec![mates, longest])
}

/// A position seen by its mover, in writing.
fn written(position: Position) -> String {
    write(&State { turn: Side::Sente, position })
}
