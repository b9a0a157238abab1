//! How fair a game is, for its designer: what the whole table says, and how games between equal
//! players end.
//!
//! A share of all positions tells little of the first player, since most positions never arise. So
//! games are played from the start by two (or three) equal players who see a few plies ahead and
//! choose by chance among moves that look alike to them. The same games are played every time.

use kanzen_core::{Outcome, Side};
use kanzen_games::opponent::{Opponent, verdict};
use kanzen_games::{Answer, AnySolved, GameError, Judgement, MoveAnswer, Report, Sheet};
use kanzen_solve::Progress;
use rayon::prelude::*;
use serde_json::json;

/// Games that are played.
const GAMES: u64 = 200;
/// Plies that the players see ahead.
const SIGHT: u16 = 3;
/// Plies after which a game is given to whom the table says.
const LONGEST: u32 = 100;

/// Finds what a game itself can find, and how fair any game is.
pub fn find(
    solved: &dyn AnySolved,
    what: &str,
    most: usize,
    progress: &dyn Progress,
) -> Result<Report, GameError> {
    match what {
        "played" => played(solved, progress),
        "fairness" => {
            let whole = match solved.find(what, most, progress) {
                Err(GameError::NoAnswer(_)) => summary(solved),
                answer => answer?,
            };
            let games = played(solved, progress)?;
            let mut json = whole.json;
            json["played"] = games.json;
            Ok(Report { json, sheets: [whole.sheets, games.sheets].concat() })
        }
        _ => solved.find(what, most, progress).map_err(|error| match error {
            GameError::NoAnswer(text) if text.starts_with("cannot find") => {
                GameError::NoAnswer(format!("{text}; and of every game: fairness, played"))
            }
            other => other,
        }),
    }
}

/// The shares of values, where a game has no survey of its moves.
fn summary(solved: &dyn AnySolved) -> Report {
    let Ok(summary) = solved.summary() else {
        return Report { json: json!({}), sheets: Vec::new() };
    };
    let share = |count: u64| count as f64 / summary.positions.max(1) as f64;
    let shares = [summary.wins, summary.draws, summary.losses].map(share);
    let mut sheet = Sheet::new("how fair, long and sharp the game is", &["what", "value"]);
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    for (what, cell) in [
        ("the start, for the side to move", summary.value.to_string()),
        ("positions won for the side to move", percent(shares[0])),
        ("drawn", percent(shares[1])),
        ("lost", percent(shares[2])),
        ("the longest", summary.longest.to_string()),
    ] {
        sheet.row([what.to_owned(), cell]);
    }
    let json = json!({
        "start": summary.value, "win_share": shares[0], "draw_share": shares[1],
        "loss_share": shares[2], "longest": summary.longest,
    });
    Report { json, sheets: vec![sheet] }
}

/// What happened in games.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// Games that the first player lost, drew and won.
    results: [u64; 3],
    plies: u64,
    longest: u64,
    /// Moves there were to choose from.
    moves: u64,
    /// Turns at which a single move of several kept a win or a draw.
    only: u64,
    /// Games that were given to whom the table says.
    given: u64,
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        let results = [0, 1, 2].map(|result| self.results[result] + other.results[result]);
        Tally {
            results,
            plies: self.plies + other.plies,
            longest: self.longest.max(other.longest),
            moves: self.moves + other.moves,
            only: self.only + other.only,
            given: self.given + other.given,
        }
    }
}

fn played(solved: &dyn AnySolved, progress: &dyn Progress) -> Result<Report, GameError> {
    progress.begin("playing games", GAMES);
    let games = (0..GAMES).into_par_iter().map(|number| {
        let tally = game(solved, number);
        progress.advance(1);
        tally
    });
    let tally = games.try_reduce(Tally::default, |a, b| Ok(a.and(b)));
    progress.end();
    let tally = tally?;
    let [losses, draws, wins] = tally.results;
    let per_turn = |count: u64| count as f64 / tally.plies.max(1) as f64;
    let per_game = |count: u64| count as f64 / GAMES as f64;
    let json = json!({
        "games": GAMES, "sight": SIGHT, "wins": wins, "draws": draws, "losses": losses,
        "mean_plies": per_game(tally.plies), "longest": tally.longest,
        "mean_moves": per_turn(tally.moves), "only_move_share": per_turn(tally.only),
        "given": tally.given,
    });
    let caption =
        format!("{GAMES} games from the start between equals who see {SIGHT} plies ahead");
    let mut sheet = Sheet::new(&caption, &["what", "value"]);
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let number = |name: &str| format!("{:.2}", json[name].as_f64().unwrap_or(0.0));
    for (what, cell) in [
        ("won by the player to move at the start", percent(per_game(wins))),
        ("drawn", percent(per_game(draws))),
        ("lost", percent(per_game(losses))),
        ("plies of a game, on average", number("mean_plies")),
        ("the longest", tally.longest.to_string()),
        ("moves to choose from, on average", number("mean_moves")),
        (
            "turns at which a single move of several keeps a win or a draw",
            percent(per_turn(tally.only)),
        ),
        ("games broken off and given to whom the table says", tally.given.to_string()),
    ] {
        sheet.row([what.to_owned(), cell]);
    }
    Ok(Report { json, sheets: vec![sheet] })
}

/// Plays a game.
fn game(solved: &dyn AnySolved, number: u64) -> Result<Tally, GameError> {
    let mut tally = Tally::default();
    let mut answer = solved.probe(None)?;
    for ply in 0..LONGEST {
        let seed = number << 16 | u64::from(ply);
        let Some(mv) = chosen(solved, &answer, seed)? else {
            return Ok(tally.ended(&answer.value, ply));
        };
        tally.plies += 1;
        tally.longest += 1;
        tally.moves += answer.moves.len() as u64;
        tally.only += u64::from(matters(&answer));
        match &mv.position {
            Some(next) => answer = solved.probe(Some(next))?,
            None => return Ok(tally.ended(&mv.value, ply)),
        }
    }
    tally.given = 1;
    Ok(tally.ended(&answer.value, LONGEST))
}

impl Tally {
    /// The game ends with this value for the player whose ply it is.
    fn ended(mut self, value: &Judgement, ply: u32) -> Tally {
        let result = match verdict(value, Side::One).map(|verdict| verdict.value) {
            Some(Outcome::Loss) => 0,
            Some(Outcome::Win) => 2,
            _ => 1,
        };
        // The value of a game for three names a player, not the one to move.
        let turned = matches!(value, Judgement::Two(_)) && ply % 2 == 1;
        self.results[if turned { 2 - result } else { result }] += 1;
        self
    }
}

/// A win at once, or what somebody chooses who sees a few plies ahead.
fn chosen<'a>(
    solved: &dyn AnySolved,
    answer: &'a Answer,
    seed: u64,
) -> Result<Option<&'a MoveAnswer>, GameError> {
    let at_once = answer
        .moves
        .iter()
        .find(|mv| mv.position.is_none() && worth(answer, mv) == Some(Outcome::Win));
    match at_once {
        Some(mv) => Ok(Some(mv)),
        None => Opponent::Sees(SIGHT).choose(solved, answer, seed),
    }
}

/// What a move is worth to the player who makes it.
fn worth(answer: &Answer, mv: &MoveAnswer) -> Option<Outcome> {
    let mover = answer.drawing.turn.unwrap_or(Side::One);
    verdict(&mv.value, mover).map(|verdict| verdict.value)
}

/// Whether a single move of several keeps a win or a draw.
fn matters(answer: &Answer) -> bool {
    let worths = || answer.moves.iter().filter_map(|mv| worth(answer, mv));
    match worths().max() {
        None | Some(Outcome::Loss) => false,
        best => {
            answer.moves.len() > 1 && worths().filter(|&worth| Some(worth) == best).count() == 1
        }
    }
}
