//! The draws of a game in tables, ranked by who presses.

use crate::{Atlas, DrawMoves, MoveValue, Solved, TierCodes, Unsettled, ValueError, Values};
use kanzen_core::{Game, Next, Pressure, Value};
use kanzen_index::{Indexed, Keys, Place, with_fast_bits};
use kanzen_solve::{AGAIN, Edges, HOLE, Links, Progress};
use kanzen_table::{DONT_CARE, Identity, Table, TableError, TableWriter};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The scheme of tables whose codes are those of [`Pressure`].
pub const PRESSURE: &str = "pressure";

/// Indices that a thread takes at a time; whole words of a bit map.
const CHUNK: u64 = 1 << 14;

/// How the draws of a game stand.
pub struct DrawRanks(Vec<TierRanks>);

/// The draws of a tier, by the numbers of their indices.
struct TierRanks {
    drawn: Keys,
    codes: Vec<u16>,
}

impl TierRanks {
    /// Who presses at an index; none also where there is no draw that is not over.
    fn at(&self, index: u64) -> Option<Pressure> {
        let number = self.drawn.rank(index.into())?;
        Pressure::from_code(self.codes[number as usize])
    }
}

/// Whether a code is that of a draw in which the game is not over.
fn is_open_draw(code: u16) -> bool {
    code != HOLE && matches!(Value::from_code(code), Value::Draw(plies) if plies > 0)
}

/// The open draws of a tier.
fn drawn(codes: &TierCodes) -> Keys {
    let size = codes.len() as u64;
    let word = |word: u64| {
        let indices = 64 * word..size.min(64 * word + 64);
        indices.fold(0, |bits, index| {
            bits | u64::from(is_open_draw(codes.code(index))) << (index % 64)
        })
    };
    Keys::marked((0..size.div_ceil(64)).into_par_iter().map(word).collect())
}

/// What a keeping move leads to, for the side that makes it.
enum Leads {
    /// To a draw of the same tier, after which the same side may be to move again.
    Inside(u32, bool),
    /// To what is known.
    Known(Option<Pressure>),
}

impl<G: Indexed> Atlas<'_, G> {
    /// Ranks all draws.
    ///
    /// # Errors
    /// If a tier has more draws than can be numbered: its name.
    pub fn rank_draws(&self, progress: &dyn Progress) -> Result<DrawRanks, String> {
        let mut ranks: Vec<TierRanks> = Vec::new();
        for (tier, shape) in self.game().tiers().iter().enumerate() {
            let drawn = drawn(&self.codes()[tier]);
            if drawn.len() >= AGAIN.into() {
                return Err(shape.name.clone());
            }
            let codes = self.rank_tier(tier, &drawn, &ranks, progress);
            ranks.push(TierRanks { drawn, codes });
        }
        Ok(DrawRanks(ranks))
    }

    fn rank_tier(
        &self,
        tier: usize,
        drawn: &Keys,
        earlier: &[TierRanks],
        progress: &dyn Progress,
    ) -> Vec<u16> {
        let size = drawn.len() as u32;
        let threads = rayon::current_num_threads();
        let links: Vec<Mutex<Links>> = (0..threads).map(|_| Mutex::new(Links::new(size))).collect();
        let name = &self.game().tiers()[tier].name;
        let parts = self.pass_draws(
            tier,
            drawn,
            &format!("draws of {name}"),
            progress,
            |part: &mut Unsettled, number, position| {
                let own = &links[rayon::current_thread_index().unwrap_or(0) % threads];
                let mut links = own.lock().unwrap_or_else(PoisonError::into_inner);
                let rank = |place: Place| match place.tier == tier {
                    true => None,
                    false => Some(earlier.get(place.tier).and_then(|tier| tier.at(place.index))),
                };
                let moves = self.draw_moves(
                    position,
                    |place, again| match rank(place) {
                        Some(known) => Leads::Known(known),
                        None => match drawn.rank(place.index.into()) {
                            Some(end) => Leads::Inside(end as u32, again),
                            None => Leads::Known(None),
                        },
                    },
                    |end, again| {
                        links.push(if again { number | AGAIN } else { number }, end);
                    },
                );
                part.add(number, &moves);
            },
        );
        let links = links
            .into_iter()
            .map(|links| links.into_inner().unwrap_or_else(PoisonError::into_inner));
        let edges = Edges::new(size, links);
        progress.begin(&format!("ranking {name}"), size.into());
        let codes = Unsettled::join(parts).settle(progress, |number, each| {
            for &source in edges.sources(number) {
                each(source & !AGAIN, source & AGAIN != 0);
            }
        });
        progress.end();
        codes
    }

    /// Looks at the moves of a drawn position; `lead` tells what is known of the draw at a place, and
    /// `inside` hears of the moves of which nothing is known yet.
    fn draw_moves(
        &self,
        position: &G::Position,
        lead: impl Fn(Place, bool) -> Leads,
        mut inside: impl FnMut(u32, bool),
    ) -> DrawMoves {
        let mut moves = DrawMoves::default();
        self.game().successors(position, |next| {
            let mut at = None;
            let value = next.value(|child| {
                let (value, place) = self.look(&child);
                at = place.filter(|_| matches!(value, Value::Draw(plies) if plies > 0));
                value
            });
            let again = matches!(next, Next::Again(_));
            match value {
                Value::Win(_) => (),
                Value::Loss(_) => moves.lose(),
                Value::Draw(_) => match at.map_or(Leads::Known(None), |place| lead(place, again)) {
                    Leads::Inside(end, again) => {
                        moves.keep_inside();
                        inside(end, again);
                    }
                    Leads::Known(pressure) => moves.keep(pressure.map(|child| {
                        let before = child.before_move();
                        if again { before.flip() } else { before }
                    })),
                },
            }
        });
        moves
    }

    /// Visits the draws of a tier on all cores, with their numbers.
    fn pass_draws<T: Default + Send>(
        &self,
        tier: usize,
        drawn: &Keys,
        what: &str,
        progress: &dyn Progress,
        visit: impl Fn(&mut T, u32, &G::Position) + Sync,
    ) -> Vec<T> {
        let codes = &self.codes()[tier];
        let size = codes.len() as u64;
        progress.begin(what, size);
        let chunks = (0..size.div_ceil(CHUNK)).into_par_iter().map(|chunk| {
            let range = chunk * CHUNK..size.min((chunk + 1) * CHUNK);
            let mut result = T::default();
            let places = range.clone().filter(|&index| is_open_draw(codes.code(index)));
            with_fast_bits(|| {
                self.game().positions(tier, places, |index, position| {
                    if let Some(number) = drawn.rank(index.into()) {
                        visit(&mut result, number as u32, &position);
                    }
                });
            });
            progress.advance(range.end - range.start);
            result
        });
        let results = chunks.collect();
        progress.end();
        results
    }
}

impl DrawRanks {
    /// Writes the table of a game's draws. Returns the length of the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write<G: Indexed>(
        &self,
        game: &G,
        path: &Path,
        identity: Identity,
        level: i32,
        progress: &dyn Progress,
    ) -> Result<u64, TableError> {
        let mut writer = TableWriter::create(path, identity, PRESSURE, level)?;
        progress.begin("writing the table", game.tiers().iter().map(|tier| tier.size).sum());
        for (shape, ranks) in game.tiers().iter().zip(&self.0) {
            let mut counts = BTreeMap::<u16, u64>::new();
            ranks.codes.iter().for_each(|&code| *counts.entry(code).or_default() += 1);
            let counts: Vec<(u16, u64)> = counts.into_iter().collect();
            let fill = |range: Range<u64>, out: &mut [u16]| {
                for (index, out) in range.zip(out) {
                    let number = ranks.drawn.rank(index.into());
                    *out = number.map_or(DONT_CARE, |number| ranks.codes[number as usize]);
                }
            };
            let done = |done| progress.advance(done);
            writer.tier(&shape.name, shape.size, &counts, fill, done)?;
        }
        progress.end();
        writer.finish()
    }
}

/// Who presses in a drawn position, as far as somebody sees who looks so many plies ahead: for games
/// whose draws nobody has ranked. Of a longer way nothing is known.
///
/// # Errors
/// If a value is not known.
pub fn look_ahead<V: Values + ?Sized>(
    values: &V,
    position: &<V::Game as Game>::Position,
    plies: u16,
) -> Result<Option<Pressure>, ValueError> {
    let mut known = DrawMoves::default();
    for MoveValue { next, value, .. } in values.moves(position)? {
        match (value, next.position()) {
            (Value::Win(_), _) => (),
            (Value::Loss(_), _) => known.lose(),
            (Value::Draw(_), child) => {
                let after = match child {
                    Some(child) if plies > 0 => look_ahead(values, &child, plies - 1)?,
                    _ => None,
                };
                let before = after.map(Pressure::before_move);
                let again = matches!(next, Next::Again(_));
                known.keep(if again { before.map(Pressure::flip) } else { before });
            }
        }
    }
    Ok(known.rank())
}

impl<G: Indexed> Solved<G> {
    /// Takes the table of the game's draws, which is refused if it has not the shape of the game.
    ///
    /// # Errors
    /// If it is of something else.
    pub fn take_draws(&mut self, draws: Table) -> Result<(), TableError> {
        let sizes: Vec<u64> = self.game().tiers().iter().map(|tier| tier.size).collect();
        draws.expect_shape(&[PRESSURE], &sizes, Pressure::is_code)?;
        self.draws = Some(draws);
        Ok(())
    }

    /// The table of the game's draws, if there is one.
    pub fn draws(&self) -> Option<&Table> {
        self.draws.as_ref()
    }

    /// Compares the rank of every draw with what its moves say. Returns how many there are, and the
    /// first of those that are wrong; none at all if there is no table of draws.
    ///
    /// That every rank follows from those of its moves is enough: a rank is never sharper than the one
    /// it comes from, and later by a ply, so that all are right by induction; and who is not pressed has
    /// a move after which that is so again.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn verify_draws(
        &self,
        progress: &dyn Progress,
    ) -> Result<Option<(u64, Vec<String>)>, TableError> {
        let Some(table) = &self.draws else { return Ok(None) };
        let atlas = self.atlas(progress)?;
        let mut tiers: Vec<TierRanks> = Vec::new();
        let (mut count, mut wrong) = (0, Vec::new());
        for (tier, shape) in self.game().tiers().iter().enumerate() {
            let drawn = drawn(&atlas.codes()[tier]);
            let all = table.codes(tier)?;
            let mut cursor = drawn.cursor();
            let codes = (0..drawn.len()).map(|number| all[cursor.get(number) as usize]).collect();
            count += drawn.len();
            tiers.push(TierRanks { drawn, codes });
            let what = format!("verifying the draws of {}", shape.name);
            let found = atlas.pass_draws(tier, &tiers[tier].drawn, &what, progress, |wrong: &mut Vec<String>, number, position| {
                let lead = |place: Place, _| Leads::Known(tiers.get(place.tier).and_then(|tier| tier.at(place.index)));
                let expected = atlas.draw_moves(position, lead, |_, _| ()).rank();
                let found = Pressure::from_code(tiers[tier].codes[number as usize]);
                if found != expected {
                    let position = self.game().write(position);
                    wrong.push(format!("{position}: the table of draws says {found:?}, its moves say {expected:?}"));
                }
            });
            wrong.extend(found.into_iter().flatten());
        }
        Ok(Some((count, wrong)))
    }
}
