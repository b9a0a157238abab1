//! A table of Musashi, and what it tells.

use super::rules::{Musashi, Player, Position};
use super::writer::{VALUE, WIN};
use super::{finds, sample, whole};
use kanzen_analyse::{
    Cell, Column, Finding, Kind, Random, TierCensus, ValueError, Values, columns, row,
};
use kanzen_bitmap::Place;
use kanzen_core::{Game, Value, Words};
use kanzen_registry::{Arrays, Changes, GameError, SolvedGame, Store, VerifyReport};
use kanzen_solve::Progress;
use kanzen_table::{Table, TableError};

/// What a position that black wins is worth to brown: it has no end.
pub(super) const BLACK_WINS: Value = Value::Loss(Value::ENDLESS);

/// The game together with its table.
pub struct SolvedMusashi {
    game: Musashi,
    table: Table,
}

impl SolvedMusashi {
    /// The game with a table that was written for it.
    #[must_use]
    pub fn new(game: Musashi, table: Table) -> SolvedMusashi {
        SolvedMusashi { game, table }
    }

    /// What a code of the table is worth to brown, who is to move. A table without distances gives
    /// any large number of plies.
    pub(super) fn read(&self, code: u16) -> Value {
        match (&*self.table.meta().scheme, code) {
            (VALUE, WIN) => Value::Win(Value::UNKNOWN),
            (VALUE, _) => BLACK_WINS,
            _ => match Value::from_code(code) {
                Value::OPEN => BLACK_WINS,
                value => value,
            },
        }
    }

    fn stored(&self, position: &Position) -> Result<Value, ValueError> {
        let place = self.game.board().index().locate(position.king, position.brown);
        let Some(Place { king, index }) = place else {
            return Err(ValueError::Missing(self.game.write(position)));
        };
        match self.table.code(king, index)? {
            Some(code) => Ok(self.read(code)),
            None => Err(ValueError::CensusOnly),
        }
    }

    /// The census: for each number of brown pieces the counts with black and with brown to move.
    pub(super) fn census(&self) -> impl Iterator<Item = (TierCensus, TierCensus)> + '_ {
        let census = &self.table.meta().census;
        // An old table of the census alone counts the king's points first.
        let rows = 2 * self.game.board().points();
        let (pairs, _) = census[census.len().saturating_sub(rows)..].as_chunks::<2>();
        let of = TierCensus::of_counted;
        pairs.iter().map(move |[black, brown]| (of(black), of(brown)))
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

impl Values for SolvedMusashi {
    type Game = Musashi;

    fn game(&self) -> &Musashi {
        &self.game
    }

    /// Stored if brown is to move, else what the best move leads to. A position that black wins has
    /// no distance: black goes on for ever.
    fn value(&self, position: &Position) -> Result<Value, ValueError> {
        match position.turn {
            Player::Brown => self.stored(position),
            Player::Black => {
                Ok(self.moves(position)?.first().map_or(Value::Loss(0), |mv| mv.value))
            }
        }
    }
}

impl SolvedGame for SolvedMusashi {
    fn store(&self) -> Store {
        let meta = self.table.meta();
        match &*meta.scheme {
            VALUE => Store::Value,
            _ if meta.tiers.is_empty() => Store::None,
            _ => Store::Distance,
        }
    }

    fn stats(&self) -> Vec<Finding> {
        let rows: Vec<(TierCensus, TierCensus)> = self.census().collect();
        let longest = rows.iter().filter_map(|(black, brown)| black.longest().max(brown.longest()));
        let columns = longest.max().map_or(0..0, |longest| 0..longest + 1);
        let mut census = Finding::new(
            "census",
            Words::new(
                "Positions up to symmetry, by brown pieces and plies to brown's win.",
                "対称を除いた局面数（茶の数と茶の勝ちまでの手数別）。",
            ),
            &[
                finds::BROWN,
                Column::new(
                    "black_wins_black_to_move",
                    "black wins, black to move",
                    "黒勝ち（黒番）",
                ),
                Column::new(
                    "black_wins_brown_to_move",
                    "black wins, brown to move",
                    "黒勝ち（茶番）",
                ),
                Column::new("brown_wins", "brown wins in", "茶勝ち（手数）"),
            ],
        );
        let mut positions = 0;
        for (brown, (black_to_move, brown_to_move)) in rows.iter().enumerate() {
            let (lost, won) = (&black_to_move.losses_by_plies, &brown_to_move.wins_by_plies);
            let wins = columns.clone().map(|plies| {
                let counts = if plies % 2 == 0 { lost } else { won };
                counts.get(&plies).copied().unwrap_or(0)
            });
            positions += black_to_move.positions + brown_to_move.positions;
            census.add(row![
                brown,
                black_to_move.draws,
                brown_to_move.draws,
                Cell::Counts(wins.collect()),
            ]);
        }
        let caption = Words::new("All positions, up to symmetry.", "全局面数（対称を除く）。");
        let all = Finding::new("all", caption, &[columns::POSITIONS]).with(row![positions]);
        vec![all, census]
    }

    fn kinds(&self) -> Vec<Kind> {
        finds::KINDS.to_vec()
    }

    fn find(
        &self,
        kind: &str,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Finding>, GameError> {
        let finding = match kind {
            "longest" => finds::longest(self, most, progress)?,
            "most-brown" => finds::most_brown(self, most, progress)?,
            _ => finds::stuck(&self.game, most),
        };
        Ok(vec![finding])
    }

    fn totals(&self) -> ([u64; 4], u16) {
        let (mut wins, mut losses, mut longest) = (0, 0, 0);
        for (black, brown) in self.census() {
            // What is open is won by black.
            wins += black.draws + brown.wins;
            losses += brown.draws + black.losses;
            longest = longest.max(black.longest().max(brown.longest()).unwrap_or(0));
        }
        ([wins + losses, wins, 0, losses], longest)
    }

    /// Every number of brown pieces is as likely as any other: else few would have few.
    fn sample(&self, random: &mut Random) -> Option<Position> {
        if self.store() == Store::None {
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
        Some(Position { king, brown, turn })
    }

    fn arrays(&self) -> Option<&dyn Arrays> {
        Some(self)
    }

    /// The boards have no rules to choose from.
    fn changes(
        &self,
        _: &SolvedMusashi,
        _: usize,
        _: &dyn Progress,
    ) -> Result<Option<Changes>, GameError> {
        Ok(None)
    }

    /// Every position is checked; on the largest board every block and a sample.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        let index = self.game.board().index();
        let cells = index.kings().len() as u64 * index.size();
        match self.store() {
            Store::None => Err(ValueError::CensusOnly.into()),
            _ if cells <= whole::ALL => whole::whole(self, &self.table, progress),
            _ => sample::sample(self, &self.table, progress),
        }
    }
}
