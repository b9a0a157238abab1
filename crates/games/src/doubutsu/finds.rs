//! What Tanaka's paper counts, for the command `find`: each among the positions that can arise from
//! the start.

use super::census;
use super::game::{Doubutsu, Side, State};
use super::mates::{self, Mates, Reading};
use super::notation::write;
use super::probe::Probe;
use super::reach::Reach;
use super::scan::Team;
use crate::any::{Report, Sheet};
use crate::{Find, GameError};
use kanzen_analyse::Solved;
use kanzen_core::{Game, Next};
use kanzen_solve::{Progress, SolveError};
use serde_json::json;
use std::io;

/// The kinds of positions that this game knows.
pub const FINDS: &[Find<Doubutsu>] = &[
    Find { name: "reachable", by_codes: false, run: reachable },
    Find { name: "legal-moves", by_codes: true, run: legal_moves },
    Find { name: "zugzwang", by_codes: true, run: zugzwangs },
    Find { name: "last-row-drops", by_codes: true, run: last_row_drops },
    Find { name: "mates", by_codes: false, run: mates },
];

/// The zugzwangs that are shown, of either kind.
const ZUGZWANGS: usize = 10;
/// The longest mates that are shown, for each reading.
const LONGEST_MATES: usize = 3;

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
    SolveError::io("memory")(error).into()
}

fn reachable(solved: &Solved<Doubutsu>, progress: &dyn Progress) -> Result<Report, GameError> {
    let world = World::new(solved, progress)?;
    let mut sheet = Sheet::new(
        "positions by the earliest ply at which they arise, up to symmetry",
        &["ply", "open", "won or lost at once"],
    );
    let (mut open, mut over) = (0, 0);
    for (ply, arising) in world.reach.by_ply.iter().enumerate() {
        open += arising.open;
        over += arising.over;
        sheet.row([ply.to_string(), arising.open.to_string(), arising.over.to_string()]);
    }
    sheet.row(["all".to_owned(), open.to_string(), over.to_string()]);
    let by_ply = world.reach.by_ply.iter();
    let by_ply: Vec<[u64; 2]> = by_ply.map(|arising| [arising.open, arising.over]).collect();
    let json = json!({ "reachable": open + over, "open": open, "by_ply": by_ply });
    Ok(Report { json, sheets: vec![sheet] })
}

fn legal_moves(solved: &Solved<Doubutsu>, progress: &dyn Progress) -> Result<Report, GameError> {
    let world = World::new(solved, progress)?;
    let rows = world.count(census::legal_moves)?;
    let mut sheet = Sheet::new(
        "reachable open positions by the number of legal moves",
        &["moves", "losses", "draws", "wins", "positions"],
    );
    for (moves, outcomes) in rows.iter().enumerate() {
        let counts = outcomes.iter().copied().chain([outcomes.iter().sum()]);
        sheet
            .row([moves.to_string()].into_iter().chain(counts.map(|count: u64| count.to_string())));
    }
    let positions: u64 = rows.iter().flatten().sum();
    let moves: u64 = (0..).zip(&rows).map(|(moves, row)| moves * row.iter().sum::<u64>()).sum();
    let mean = (1e8 * moves as f64 / positions.max(1) as f64).round() / 1e8;
    let mut average = Sheet::new("moves to choose from, on average", &["positions", "moves"]);
    average.row([positions.to_string(), mean.to_string()]);
    Ok(Report { json: json!({ "rows": rows, "mean": mean }), sheets: vec![sheet, average] })
}

fn zugzwangs(solved: &Solved<Doubutsu>, progress: &dyn Progress) -> Result<Report, GameError> {
    let world = World::new(solved, progress)?;
    let found = world.count(census::zugzwangs)?;
    let symmetric: Vec<_> = found.iter().filter(|zugzwang| zugzwang.is_symmetric).collect();
    let mut counts =
        Sheet::new("zugzwangs: lost for whoever is to move", &["positions", "self-symmetric"]);
    counts.row([found.len().to_string(), symmetric.len().to_string()]);
    let mut sheet = Sheet::new("examples", &["position", "self-symmetric"]);
    let others = found.iter().filter(|zugzwang| !zugzwang.is_symmetric);
    let mut examples = Vec::new();
    for zugzwang in others.take(ZUGZWANGS).chain(symmetric.iter().copied().take(ZUGZWANGS)) {
        let position = write(&State { turn: Side::Sente, position: zugzwang.position });
        let is_symmetric = if zugzwang.is_symmetric { "yes" } else { "no" };
        sheet.row([position.clone(), is_symmetric.to_owned()]);
        examples.push(json!({ "position": position, "self_symmetric": zugzwang.is_symmetric }));
    }
    let json = json!({
        "positions": found.len(), "self_symmetric": symmetric.len(), "examples": examples,
    });
    Ok(Report { json, sheets: vec![counts, sheet] })
}

fn last_row_drops(solved: &Solved<Doubutsu>, progress: &dyn Progress) -> Result<Report, GameError> {
    let world = World::new(solved, progress)?;
    let found = world.count(census::last_row_drop_only)?;
    let mut sheet =
        Sheet::new("only a chick dropped on the last row keeps the value", &["position"]);
    let positions: Vec<String> =
        found.into_iter().map(|position| write(&State { turn: Side::Sente, position })).collect();
    for position in &positions {
        sheet.row([position.clone()]);
    }
    Ok(Report { json: json!({ "positions": positions }), sheets: vec![sheet] })
}

fn mates(solved: &Solved<Doubutsu>, progress: &dyn Progress) -> Result<Report, GameError> {
    let world = World::new(solved, progress)?;
    let (index, options) = (world.game.index(), world.game.options());
    let count = |reading| {
        mates::mates(index, options, reading, world.reach, LONGEST_MATES, world.team)
            .map_err(memory)
    };
    let (table, words) = (count(Reading::Table)?, count(Reading::Words)?);
    let mut sheet = Sheet::new(
        "mates by an unbroken series of threats, as the paper's table and as its words have it",
        &["plies", "table", "words"],
    );
    for row in 0..table.counts.len().max(words.counts.len()) {
        let cell = |counts: &[u64]| counts.get(row).copied().unwrap_or(0).to_string();
        sheet.row([(2 * row + 1).to_string(), cell(&table.counts), cell(&words.counts)]);
    }
    let mut lines = Sheet::new("the longest mates", &["as in the paper's", "position", "line"]);
    let mut longest = |reading: &str, mates: &Mates| -> Vec<_> {
        let mates = mates.longest.iter().map(|(position, line)| {
            let mut state = State { turn: Side::Sente, position: *position };
            let (position, mut moves) = (write(&state), Vec::new());
            for &played in line {
                moves.push(world.game.write_move(&state, played));
                if let Next::Position(next) = world.game.play(&state, played) {
                    state = next;
                }
            }
            lines.row([reading.to_owned(), position.clone(), moves.join(" ")]);
            json!({ "position": position, "line": moves })
        });
        mates.collect()
    };
    let longest = json!({ "table": longest("table", &table), "words": longest("words", &words) });
    let json = json!({ "table": table.counts, "words": words.counts, "longest": longest });
    Ok(Report { json, sheets: vec![sheet, lines] })
}
