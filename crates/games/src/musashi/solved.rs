//! A table of Musashi, and what it tells.

use super::rules::{Move, Musashi, Player, Position};
use super::writer::WIN;
use super::{finds, verify, whole};
use crate::GameError;
use crate::any::{
    Answer, AnySolved, Judgement, Line, MoveAnswer, Report, Sheet, Store, Summary, VerifyReport,
};
use kanzen_analyse::Random;
use kanzen_bitmap::Place;
use kanzen_core::{Game, Next, Value, Verdict};
use kanzen_solve::Progress;
use kanzen_table::{Scheme, Table, TableError, TierMeta};
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// Stands for the plies of a win in a table without distances: more than any game lasts.
const UNKNOWN: u16 = Value::MAX_PLIES / 2;

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
    /// A position that black wins is open: it has no distance. A table without distances gives any
    /// large number of plies.
    ///
    /// # Errors
    /// If the table has no values, or cannot be read.
    pub fn value(&self, position: &Position) -> Result<Value, GameError> {
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

    /// What the table has.
    pub(super) fn has(&self) -> Store {
        let meta = self.table.meta();
        match meta.scheme {
            Scheme::Value => Store::Value,
            _ if meta.tiers.iter().all(|tier| tier.size == 0) => Store::None,
            _ => Store::Distance,
        }
    }

    /// What a code of the table is worth to brown, who is to move.
    pub(super) fn read(&self, code: u16) -> Value {
        match self.table.meta().scheme {
            Scheme::Value if code == WIN => Value::Win(UNKNOWN),
            Scheme::Value => Value::Open,
            _ => Value::from_code(code),
        }
    }

    fn stored(&self, position: &Position) -> Result<Value, GameError> {
        let place = self.game.board().index().locate(position.king, position.brown);
        let Some(Place { king, index }) = place else { return Ok(Value::Open) };
        match self.table.code(king, index)? {
            Some(code) => Ok(self.read(code)),
            None => Err(GameError::NoAnswer(
                "the table has only the census: solve again with --store value or distance"
                    .to_owned(),
            )),
        }
    }

    /// Every move, the best first.
    pub(super) fn moves(&self, position: &Position) -> Result<Vec<Valued>, GameError> {
        let mut played = Vec::new();
        self.game.moves(position, |mv| {
            if let Next::Position(next) = self.game.play(position, mv) {
                played.push((mv, next));
            }
        });
        let mut moves: Vec<Valued> = played
            .into_iter()
            .map(|(mv, next)| Ok((mv, next, self.value(&next)?.before_move())))
            .collect::<Result<_, GameError>>()?;
        moves.sort_by_key(|mv| Reverse(mv.2));
        Ok(moves)
    }

    fn position(&self, text: Option<&str>) -> Result<Position, GameError> {
        Ok(match text {
            Some(text) => self.game.parse(text)?,
            None => self.game.start(),
        })
    }

    fn verdict(&self, position: &Position, value: Value) -> Verdict {
        let verdict = Verdict::new(value, self.game.endless(position));
        let plies = verdict.plies.filter(|&plies| plies < UNKNOWN);
        Verdict { plies, ..verdict }
    }

    fn judge(&self, position: &Position, value: Value) -> Judgement {
        Judgement::Two(self.verdict(position, value))
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
    pub(super) fn census(&self) -> impl Iterator<Item = (Counts, Counts)> + '_ {
        let maps = self.game.board().index().kings().len();
        let rest = self.table.meta().tiers.get(maps..).unwrap_or_default();
        let (rows, _) = rest.as_chunks::<2>();
        rows.iter().map(|[black, brown]| (Counts::of(black), Counts::of(brown)))
    }

    /// The positions with brown to move that have a code in the table, by the king's point and in
    /// the order of the index.
    pub(super) fn with_code(&self, code: u16) -> Result<Vec<Position>, TableError> {
        let index = self.game.board().index();
        let mut all = Vec::new();
        for map in 0..index.kings().len() {
            all.extend(self.table.with_code(map, code)?.into_iter().filter_map(|i| {
                let place = Place { king: map, index: i };
                let (king, brown) = index.position(place)?;
                let canonical = index.locate(king, brown) == Some(place);
                canonical.then_some(Position { king, brown, turn: Player::Brown })
            }));
        }
        Ok(all)
    }
}

/// The positions of a census tier.
pub(super) struct Counts {
    /// Won by black.
    pub(super) open: u64,
    /// Won by brown, by plies.
    pub(super) by_plies: BTreeMap<u16, u64>,
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
    fn store(&self) -> Store {
        self.has()
    }

    fn probe(&self, position: Option<&str>) -> Result<Answer, GameError> {
        let position = self.position(position)?;
        let moves = self.moves(&position)?.into_iter();
        Ok(Answer {
            position: self.game.write(&position),
            value: self.judge(&position, self.value(&position)?),
            barred: None,
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
            if matches!(best.2, Value::Win(UNKNOWN..) | Value::Loss(UNKNOWN..)) {
                break "brown wins, but the table has no distances to tell how";
            }
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
        let mut positions = 0;
        for (brown, (black_to_move, brown_to_move)) in rows.iter().enumerate() {
            let wins: Vec<u64> = columns
                .clone()
                .map(|plies| {
                    let counts = if plies % 2 == 0 { black_to_move } else { brown_to_move };
                    counts.by_plies.get(&plies).copied().unwrap_or(0)
                })
                .collect();
            positions += black_to_move.open + brown_to_move.open + wins.iter().sum::<u64>();
            let first = [brown as u64, black_to_move.open, brown_to_move.open];
            sheet.row(first.iter().chain(&wins).map(u64::to_string));
            json_rows.push(json!({
                "brown": brown,
                "black_wins_black_to_move": black_to_move.open,
                "black_wins_brown_to_move": brown_to_move.open,
                "brown_wins": wins,
            }));
        }
        let json = json!({ "positions": positions, "rows": json_rows });
        Ok(Report { json, sheets: vec![sheet] })
    }

    fn find(&self, what: &str, most: usize, progress: &dyn Progress) -> Result<Report, GameError> {
        finds::find(self, what, most, progress)
    }

    fn summary(&self) -> Result<Summary, GameError> {
        let start = self.game.start();
        let (mut wins, mut losses, mut longest) = (0, 0, 0);
        for (black, brown) in self.census() {
            let won = |counts: &Counts| counts.by_plies.values().sum::<u64>();
            wins += black.open + won(&brown);
            losses += brown.open + won(&black);
            let plies = black.by_plies.into_keys().chain(brown.by_plies.into_keys());
            longest = longest.max(plies.max().unwrap_or(0));
        }
        Ok(Summary {
            start: self.game.write(&start),
            value: self.verdict(&start, self.value(&start)?),
            positions: wins + losses,
            wins,
            draws: 0,
            losses,
            longest,
        })
    }

    /// Every number of brown pieces is as likely as any other: else few would have few.
    fn sample(&self, random: &mut Random) -> Option<String> {
        if self.has() == Store::None {
            return None;
        }
        let board = self.game.board();
        let points = board.graph().points() as u64;
        let king = random.below(points) as u8;
        let pieces = 1 + random.below(points - 2) as u32;
        let mut brown = 0_u64;
        while brown.count_ones() < pieces {
            brown |= 1 << random.below(points) & !(1 << king);
        }
        let (king, brown) = board.index().position(board.index().locate(king, brown)?)?;
        let turn = if random.below(2) == 0 { Player::Brown } else { Player::Black };
        Some(self.game.write(&Position { king, brown, turn }))
    }

    /// On small boards every position is checked, on the largest every block and a sample. Without
    /// distances that shows only that values fit each other.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        let index = self.game.board().index();
        let cells = index.kings().len() as u64 * index.size();
        if cells <= verify::ALL {
            verify::all(self, &self.table, progress)
        } else if cells <= whole::ALL && self.has() == Store::Distance {
            whole::whole(self, &self.table, progress)
        } else {
            verify::sample(self, &self.table, progress)
        }
    }
}
