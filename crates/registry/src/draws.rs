//! What the table of ranked draws tells.

use crate::GameError;
use kanzen_analyse::{Cell, Column, Finding, Found, Solved, columns, row};
use kanzen_core::{Pressure, Value, Words};
use kanzen_index::{Indexed, Place};
use kanzen_solve::Progress;
use kanzen_table::Table;
use std::collections::BTreeMap;

const HOLDING: Column = Column::new("holding", "moves that hold", "保てる手の数");
const PRESSING: Column = Column::new("pressing", "mover presses", "手番側が押す");
const PRESSED: Column = Column::new("pressed", "mover is pressed", "手番側が押される");
const NOBODY: Column = Column::new("nobody", "nobody presses", "どちらも押していない");

/// The draws in which the side to move presses and is pressed, in how many plies at the most.
#[derive(Default)]
struct Row {
    pressing: u64,
    pressed: u64,
    longest: u16,
}

impl Row {
    fn add(&mut self, pressure: Pressure, count: u64) {
        *(if pressure.own { &mut self.pressing } else { &mut self.pressed }) += count;
        self.longest = self.longest.max(pressure.plies);
    }
}

/// Who presses in the draws: all together, and by how few moves hold where the pressed side is led to.
/// `examples` gives, for numbers of such moves, positions with the longest way: it is told of every code whether it
/// is that of one.
///
/// # Errors
/// Those of `examples`.
pub fn pressure(
    draws: &Table,
    examples: impl FnOnce(&[bool]) -> Result<BTreeMap<u8, Cell>, GameError>,
) -> Result<Vec<Finding>, GameError> {
    let (mut all, mut nobody, mut rows) = (Row::default(), 0, BTreeMap::<u8, Row>::new());
    for tier in &draws.meta().tiers {
        for (&code, &count) in tier.codes.iter().zip(&tier.counts) {
            match Pressure::from_code(code) {
                None => nobody += count,
                Some(pressure) => {
                    all.add(pressure, count);
                    rows.entry(pressure.holding).or_default().add(pressure, count);
                }
            }
        }
    }
    let caption = Words::new(
        "Draws by who presses: who can lead the other side, if both keep the draw, to a position in which some move loses, before it comes to one itself.",
        "引き分けの局面数（押している側別）。両者が引き分けを保つとき、負ける手のある局面へ相手を先に導ける側を、押している側という。",
    );
    let heads = [columns::DRAWS, PRESSING, PRESSED, NOBODY];
    let standing = Finding::new("standing", caption, &heads).with(row![
        all.pressing + all.pressed + nobody,
        all.pressing,
        all.pressed,
        nobody
    ]);
    let caption = Words::new(
        "The same by how many moves hold the draw there, at the most, with the plies of the longest way and positions that have it.",
        "導かれた先で引き分けを保てる手の数（最大）別の局面数。最長手数とその局面の例。",
    );
    let heads = [HOLDING, PRESSING, PRESSED, columns::LONGEST, columns::EXAMPLES];
    let mut by_holding = Finding::new("by_holding", caption, &heads);
    let is_longest = |code: u16| {
        let Some(Pressure { holding, plies, .. }) = Pressure::from_code(code) else { return false };
        rows.get(&holding).is_some_and(|row| row.longest == plies)
    };
    let longest: Vec<bool> = (0..=u16::MAX).map(is_longest).collect();
    let mut examples = examples(&longest)?;
    for (holding, Row { pressing, pressed, longest }) in rows {
        let found = examples.remove(&holding).unwrap_or(Cell::Positions(Vec::new()));
        by_holding.add(row![u64::from(holding), pressing, pressed, longest, found]);
    }
    Ok(vec![standing, by_holding])
}

/// As [`pressure`], for the table of a game in tables.
pub(crate) fn of_solved<G: Indexed>(
    solved: &Solved<G>,
    draws: &Table,
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, GameError> {
    pressure(draws, |longest| {
        let values = solved.codes(progress)?;
        let mut found = BTreeMap::<u8, Found<G::Position>>::new();
        for (tier, values) in values.iter().enumerate() {
            for (index, code) in (0..).zip(draws.codes(tier)?) {
                // What is no draw has any code.
                if longest[usize::from(code)]
                    && matches!(values.value(index), Value::Draw(1..))
                    && let Some(position) = solved.game().position(Place { tier, index })
                {
                    found.entry((code >> 10) as u8).or_default().see(&position, most);
                }
            }
        }
        let written = |found| crate::kinds::written(solved.game(), &found);
        Ok(found.into_iter().map(|(holding, found)| (holding, written(found))).collect())
    })
}
