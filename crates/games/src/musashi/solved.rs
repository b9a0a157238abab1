//! A table of Musashi, and what it tells.

use super::rules::{Move, Musashi, Player, Position};
use super::verify;
use crate::GameError;
use crate::any::{Answer, AnySolved, Judgement, Line, MoveAnswer, Report, Sheet, VerifyReport};
use kanzen_bitmap::Place;
use kanzen_core::{Game, Next, Value, Verdict};
use kanzen_solve::Progress;
use kanzen_table::{Table, TableError, TierMeta};
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};

/// The game together with its table.
pub struct SolvedMusashi {
    game: Musashi,
    table: Table,
}

/// A move, where it leads, and what it is worth to its mover.
type Valued = (Move, Position, Value);

impl SolvedMusashi {
    /// The game with a table that was written for it.
    #[must_use]
    pub fn new(game: Musashi, table: Table) -> SolvedMusashi {
        SolvedMusashi { game, table }
    }

    /// The value for the side to move: stored if that is brown, else what the best move leads to.
    /// A position that black wins is open: it has no distance.
    pub fn value(&self, position: &Position) -> Result<Value, TableError> {
        match position.turn {
            Player::Brown => self.stored(position),
            Player::Black => Ok(self.moves(position)?.first().map_or(Value::Loss(0), |mv| mv.2)),
        }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Musashi {
        &self.game
    }

    fn stored(&self, position: &Position) -> Result<Value, TableError> {
        let place = self.game.board().index().locate(position.king, position.brown);
        let Some(Place { king, index }) = place else { return Ok(Value::Open) };
        Ok(Value::from_code(self.table.code(king, index)?.unwrap_or(Value::Open.code())))
    }

    /// Every move, the best first.
    pub(super) fn moves(&self, position: &Position) -> Result<Vec<Valued>, TableError> {
        let mut played = Vec::new();
        self.game.moves(position, |mv| {
            if let Next::Position(next) = self.game.play(position, mv) {
                played.push((mv, next));
            }
        });
        let mut moves: Vec<Valued> = played
            .into_iter()
            .map(|(mv, next)| Ok((mv, next, self.value(&next)?.before_move())))
            .collect::<Result<_, TableError>>()?;
        moves.sort_by_key(|mv| Reverse(mv.2));
        Ok(moves)
    }

    fn position(&self, text: Option<&str>) -> Result<Position, GameError> {
        Ok(match text {
            Some(text) => self.game.parse(text)?,
            None => self.game.start(),
        })
    }

    fn judge(&self, position: &Position, value: Value) -> Judgement {
        Judgement::Two(Verdict::new(value, self.game.endless(position)))
    }

    fn answer(&self, position: &Position, (mv, next, value): Valued) -> MoveAnswer {
        MoveAnswer {
            name: self.game.write_move(position, mv),
            position: Some(self.game.write(&next)),
            value: self.judge(position, value),
            trace: self.game.trace(position, mv),
            gesture: self.game.gesture(position, mv),
            end: None,
        }
    }

    /// The census: for each number of brown pieces the counts with black and with brown to move.
    fn census(&self) -> impl Iterator<Item = (Counts, Counts)> + '_ {
        let maps = self.game.board().index().kings().len();
        let rest = self.table.meta().tiers.get(maps..).unwrap_or_default();
        let (rows, _) = rest.as_chunks::<2>();
        rows.iter().map(|[black, brown]| (Counts::of(black), Counts::of(brown)))
    }

    /// The positions with brown to move that are won in `plies`, in the order of the index.
    fn won_in(&self, plies: u16, most: usize) -> Result<Vec<Position>, TableError> {
        let index = self.game.board().index();
        let wanted = Value::Win(plies).code();
        let mut all = Vec::new();
        for (king, tier) in self.table.meta().tiers.iter().take(index.kings().len()).enumerate() {
            if all.len() >= most || !tier.codes.contains(&wanted) {
                continue;
            }
            let found = Mutex::new(Vec::new());
            self.table.scan(king, |first, codes| {
                for (i, _) in (first..).zip(codes).filter(|&(_, &code)| code == wanted) {
                    let place = Place { king, index: i };
                    let Some((point, brown)) = index.position(place) else { continue };
                    if index.locate(point, brown) == Some(place) {
                        found.lock().unwrap_or_else(PoisonError::into_inner).push(i);
                    }
                }
            })?;
            let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
            found.sort_unstable();
            all.extend(found.into_iter().filter_map(|i| {
                let (king, brown) = index.position(Place { king, index: i })?;
                Some(Position { king, brown, turn: Player::Brown })
            }));
        }
        all.truncate(most);
        Ok(all)
    }
}

/// The positions of a census tier.
struct Counts {
    /// Won by black.
    open: u64,
    /// Won by brown, by plies.
    by_plies: BTreeMap<u16, u64>,
}

impl Counts {
    fn of(tier: &TierMeta) -> Counts {
        let mut counts = Counts { open: 0, by_plies: BTreeMap::new() };
        for (&code, &n) in tier.codes.iter().zip(&tier.counts) {
            match Value::from_code(code) {
                Value::Open => counts.open += n,
                Value::Win(plies) | Value::Loss(plies) => {
                    *counts.by_plies.entry(plies).or_default() += n;
                }
            }
        }
        counts
    }
}

impl AnySolved for SolvedMusashi {
    fn probe(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let position = self.position(position)?;
        let moves = self.moves(&position)?.into_iter();
        Ok(Answer {
            position: self.game.write(&position),
            value: self.judge(&position, self.value(&position)?),
            moves: moves.map(|mv| self.answer(&position, mv)).collect(),
            drawing: self.game.draw(&position),
        })
    }

    fn line(&self, position: Option<&str>) -> Result<Line, GameError> {
        let first = self.position(position)?;
        let mut position = first;
        let mut seen = HashSet::from([position]);
        let mut moves = Vec::new();
        let end = loop {
            let Some(&best) = self.moves(&position)?.first() else { break "the game is over" };
            moves.push(self.answer(&position, best));
            if !seen.insert(best.1) {
                break "a position comes back";
            }
            position = best.1;
        };
        Ok(Line {
            position: self.game.write(&first),
            value: self.judge(&first, self.value(&first)?),
            moves,
            end,
        })
    }

    fn stats(&self) -> Result<Report, GameError> {
        let rows: Vec<(Counts, Counts)> = self.census().collect();
        let plies = rows
            .iter()
            .flat_map(|(black, brown)| [black, brown].into_iter().flat_map(|c| c.by_plies.iter()));
        let longest = plies.filter(|&(_, &n)| n > 0).map(|(&plies, _)| plies).max();
        let columns = longest.map_or(0..0, |longest| 0..longest + 1);
        let mut sheet = Sheet::new(
            "positions up to symmetry, by brown pieces and plies to brown's win",
            &["brown", "black wins, black to move", "black wins, brown to move"],
        );
        sheet.head.extend(columns.clone().map(|plies| plies.to_string()));
        let mut json_rows = Vec::new();
        for (brown, (black_to_move, brown_to_move)) in rows.iter().enumerate() {
            let wins: Vec<u64> = columns
                .clone()
                .map(|plies| {
                    let counts = if plies % 2 == 0 { black_to_move } else { brown_to_move };
                    counts.by_plies.get(&plies).copied().unwrap_or(0)
                })
                .collect();
            let first = [brown as u64, black_to_move.open, brown_to_move.open];
            sheet.row(first.iter().chain(&wins).map(u64::to_string));
            json_rows.push(json!({
                "brown": brown,
                "black_wins_black_to_move": black_to_move.open,
                "black_wins_brown_to_move": brown_to_move.open,
                "brown_wins": wins,
            }));
        }
        Ok(Report { json: json!({ "rows": json_rows }), sheets: vec![sheet] })
    }

    fn find(&self, what: &str, most: usize, progress: &dyn Progress) -> Result<Report, GameError> {
        if what != "longest" {
            return Err(GameError::NoAnswer(format!("cannot find '{what}': allowed is longest")));
        }
        let mut by_plies: BTreeMap<u16, u64> = BTreeMap::new();
        for (_, brown_to_move) in self.census() {
            for (plies, n) in brown_to_move.by_plies.into_iter().filter(|&(_, n)| n > 0) {
                *by_plies.entry(plies).or_default() += n;
            }
        }
        let mut sheet = Sheet::new("longest wins of brown", &["plies", "positions", "example"]);
        let Some((plies, count)) = by_plies.pop_last() else {
            return Ok(Report { json: json!([]), sheets: vec![sheet] });
        };
        progress.note("reading the table");
        let examples: Vec<String> =
            self.won_in(plies, most)?.iter().map(|p| self.game.write(p)).collect();
        for example in &examples {
            sheet.row([plies.to_string(), count.to_string(), example.clone()]);
        }
        let json = json!([{ "plies": plies, "positions": count, "examples": examples }]);
        Ok(Report { json, sheets: vec![sheet] })
    }

    /// On a small board every position is checked, on a large one every block and a sample.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        let index = self.game.board().index();
        let cells = index.kings().len() as u64 * index.size();
        Ok(if cells <= verify::ALL {
            verify::all(&self.game, &self.table, progress)?
        } else {
            verify::sample(self, &self.table, progress)?
        })
    }
}
