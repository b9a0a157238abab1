//! How games between equal players end.
//!
//! A share of all positions tells little of the first player, since most positions never arise. So
//! games are played from the start by two (or three) equal players who see a few plies ahead and
//! choose by chance among moves that look alike to them. The same games are played every time.

use kanzen_analyse::{Cell, Column, Finding, columns, row};
use kanzen_core::{Outcome, Text};
use kanzen_registry::opponent::Opponent;
use kanzen_registry::{Answer, AnySolved, BestPlay, GameError, MoveAnswer};
use kanzen_show::board::lasting;
use kanzen_solve::Progress;
use rayon::prelude::*;

/// Games that are played.
const GAMES: u64 = 200;
/// Plies that the players see ahead.
const SIGHT: u16 = 3;
/// Plies after which a game is given to whom the table says.
const LONGEST: u32 = 100;

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

/// Plays the games.
pub(crate) fn played(
    solved: &dyn AnySolved,
    progress: &dyn Progress,
) -> Result<Finding, GameError> {
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
    let caption = Text::new(
        format!("{GAMES} games from the start between equals who see {SIGHT} plies ahead."),
        format!("初期局面からの対局{GAMES}局（全員が{SIGHT}手先まで読む）。"),
    );
    let heads = [
        Column::new("games", "games", "対局数"),
        Column::new("sight", "plies that the players see ahead", "読みの手数"),
        Column::new("wins", "won by the player to move at the start", "先手の勝ち"),
        columns::DRAWS,
        columns::LOSSES,
        Column::new("mean_plies", "plies of a game, on average", "平均手数"),
        columns::LONGEST,
        columns::MEAN_MOVES,
        Column::new(
            "only_move_share",
            "turns at which a single move of several keeps a win or a draw",
            "唯一の手で勝ちか引き分けが保たれる手番の割合",
        ),
        Column::new(
            "given",
            "games broken off and given to whom the table says",
            "打ち切って表の値で判定した対局",
        ),
    ];
    Ok(Finding::new("played", caption, &heads).with(row![
        GAMES,
        u64::from(SIGHT),
        wins,
        draws,
        losses,
        Cell::Number(tally.plies as f64 / GAMES as f64),
        tally.longest,
        Cell::Number(per_turn(tally.moves)),
        Cell::Share(per_turn(tally.only)),
        tally.given,
    ]))
}

/// Plays a game.
fn game(solved: &dyn AnySolved, number: u64) -> Result<Tally, GameError> {
    let mut tally = Tally::default();
    let mut answer = solved.probe(None)?;
    let (first, mut exchanged) = (answer.turn(), false);
    let own = |answer: &Answer, exchanged| lasting(answer.turn(), exchanged) == first;
    for ply in 0..LONGEST {
        let seed = number << 16 | u64::from(ply);
        let Some(mv) = chosen(solved, &answer, seed)? else {
            return Ok(tally.ended(answer.value, &answer, own(&answer, exchanged)));
        };
        tally.plies += 1;
        tally.longest += 1;
        tally.moves += answer.moves.len() as u64;
        tally.only += u64::from(matters(&answer));
        match &mv.position {
            Some(next) => {
                let next = solved.probe(Some(next))?;
                exchanged = mv.exchanges(exchanged, &next.drawing);
                answer = next;
            }
            None => return Ok(tally.ended(mv.value, &answer, own(&answer, exchanged))),
        }
    }
    tally.given = 1;
    Ok(tally.ended(answer.value, &answer, own(&answer, exchanged)))
}

impl Tally {
    /// The game ends with this value for the player whose turn it is, the first of the game or not.
    fn ended(mut self, value: Option<Outcome>, answer: &Answer, first: bool) -> Tally {
        let value = match &answer.best_play {
            // The value of a game for three names players, not the one to move.
            Some(best_play) => first_player(best_play),
            None if first => value,
            None => value.map(Outcome::flip),
        };
        self.results[match value {
            Some(Outcome::Loss) => 0,
            Some(Outcome::Win) => 2,
            _ => 1,
        }] += 1;
        self
    }
}

/// What best play is to the first of three players; none if nobody knows.
fn first_player(best_play: &BestPlay) -> Option<Outcome> {
    if let Some(safe) = best_play.safe {
        let own = best_play.meaning == "not-losing-1";
        return Some(if own && !safe { Outcome::Loss } else { Outcome::Draw });
    }
    Some(match &best_play.winners.as_ref()?[..] {
        [1] => Outcome::Win,
        winners if winners.iter().all(|winner| *winner > 1) => Outcome::Loss,
        _ => Outcome::Draw,
    })
}

/// A win at once, or what somebody chooses who sees a few plies ahead.
fn chosen<'a>(
    solved: &dyn AnySolved,
    answer: &'a Answer,
    seed: u64,
) -> Result<Option<&'a MoveAnswer>, GameError> {
    let at_once =
        answer.moves.iter().find(|mv| mv.position.is_none() && mv.value == Some(Outcome::Win));
    match at_once {
        Some(mv) => Ok(Some(mv)),
        None => Opponent::Sees(SIGHT).choose(solved, answer, seed),
    }
}

/// Whether a single move of several keeps a win or a draw.
fn matters(answer: &Answer) -> bool {
    let values = || answer.moves.iter().filter_map(|mv| mv.value);
    match values().max() {
        None | Some(Outcome::Loss) => false,
        best => {
            answer.moves.len() > 1 && values().filter(|&value| Some(value) == best).count() == 1
        }
    }
}
