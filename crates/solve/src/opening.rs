//! What the first pass finds in a position: its moves, and what those are worth that are known.

use kanzen_core::{Endless, Value};
use kanzen_index::Indexed;

/// How much a move of a position counts.
#[inline]
pub(crate) fn unit<G: Indexed>(game: &G, position: &G::Position) -> u32 {
    if G::UNMOVES { game.orbit(position) } else { 1 }
}

/// Whether the first pass sees that a position is won when it looks at the moves that lead there:
/// they are not counted, and the position has nothing to tell them.
#[inline]
pub(crate) fn known_at_once<G: Indexed>(game: &G, position: &G::Position) -> bool {
    G::UNMOVES && G::QUICK_WINS && game.wins_at_once(position)
}

/// The moves of a position whose values are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exits {
    /// The soonest win.
    win: Option<u16>,
    /// The latest loss.
    hold: Option<u16>,
    /// The soonest and the latest draw by the rules.
    draws: Option<(u16, u16)>,
    /// Whether play may never end.
    held: bool,
}

impl Exits {
    /// Adds a move to a position that is worth this to the other side.
    #[inline]
    pub fn add(&mut self, after: Value) {
        match after {
            endless if endless.is_endless() => self.held = true,
            Value::Loss(plies) => {
                self.win = Some(self.win.map_or(plies + 1, |win| win.min(plies + 1)));
            }
            Value::Win(plies) => self.hold = self.hold.max(Some(plies)),
            Value::Draw(plies) => {
                let (soonest, latest) = self.draws.unwrap_or((plies, plies));
                self.draws = Some((soonest.min(plies), latest.max(plies)));
            }
        }
    }

    /// The value of the best of them where a draw by the rules cannot arise, if there is any.
    pub fn best(&self) -> Option<Value> {
        let hold = || self.hold.map(|plies| Value::Loss(plies + 1));
        let held = || self.held.then_some(Value::OPEN);
        self.win.map(Value::Win).or_else(held).or_else(hold)
    }
}

/// The moves of an open position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moves {
    /// The moves whose values are known.
    pub exits: Exits,
    /// The moves to positions that are still open.
    pub inside: u32,
    /// How much each of them counts.
    pub(crate) unit: u32,
    /// Whether there are moves to positions that win at once, which are not counted.
    pub(crate) near: bool,
    /// Whether a move inside ends the game.
    pub(crate) nearer: bool,
    /// Whether the side to move wins by endless play, and takes a draw only if it must.
    pub(crate) lasting: bool,
}

impl Moves {
    /// None yet, of a position with a cell of its game's own.
    pub fn out() -> Moves {
        Moves { unit: 1, ..Moves::default() }
    }

    /// None yet.
    pub(crate) fn of<G: Indexed>(game: &G, position: &G::Position) -> Moves {
        let lasting =
            matches!(game.endless(), Endless::WonBy(side) if game.mover(position) == side);
        Moves { unit: unit(game, position), lasting, ..Moves::default() }
    }

    /// Whether anybody has looked at them.
    pub fn is_open(&self) -> bool {
        self.unit > 0
    }

    /// What they come to.
    pub fn opening(&self) -> Opening {
        let Exits { win, mut hold, draws, held } = self.exits;
        // With other moves inside, a loss takes as long as by these, or longer; unless they end the
        // game.
        if self.near && (self.inside == 0 || self.nearer) {
            hold = hold.max(Some(1));
        }
        let lasting = draws.is_some() && self.lasting;
        Opening {
            count: self.inside * self.unit
                + u32::from(hold.is_some())
                + u32::from(draws.is_some())
                + u32::from(held || win.is_some()),
            win,
            hold,
            draw: draws.map(|(soonest, latest)| if lasting { latest } else { soonest }),
            lasting,
        }
    }
}

/// What the moves of an open position come to.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// What its cell counts.
    pub count: u32,
    win: Option<u16>,
    hold: Option<u16>,
    draw: Option<u16>,
    lasting: bool,
}

/// The exits of all rounds, of positions with numbers of this type.
pub struct Schedule<I> {
    decided: Vec<Due<I>>,
    drawn: Vec<Due<I>>,
}

/// Exits of a round: what the moves out of the tier bring about.
pub struct Due<I> {
    /// Positions whose best exit this is: a win, or a draw.
    pub taken: Vec<I>,
    /// Positions whose slowest exit this is that they would rather not take.
    pub holds: Vec<I>,
}

impl<I> Default for Due<I> {
    fn default() -> Due<I> {
        Due { taken: Vec::new(), holds: Vec::new() }
    }
}

impl<I> Default for Schedule<I> {
    fn default() -> Schedule<I> {
        Schedule { decided: Vec::new(), drawn: Vec::new() }
    }
}

impl<I: Copy> Schedule<I> {
    /// Adds the exits of a position.
    pub fn add(&mut self, index: I, opening: &Opening) {
        if let Some(plies) = opening.win {
            due(&mut self.decided, plies - 1).taken.push(index);
        } else if let Some(plies) = opening.hold {
            due(&mut self.decided, plies).holds.push(index);
        }
        if let Some(plies) = opening.draw {
            let due = due(&mut self.drawn, plies);
            if opening.lasting { &mut due.holds } else { &mut due.taken }.push(index);
        }
    }

    /// Adds the exits of other positions.
    pub fn join(&mut self, more: Schedule<I>) {
        for (all, more) in [(&mut self.decided, more.decided), (&mut self.drawn, more.drawn)] {
            for (round, more) in more.into_iter().enumerate() {
                let due = due(all, round as u16);
                due.taken.extend(more.taken);
                due.holds.extend(more.holds);
            }
        }
    }

    /// Whether there are draws by the rules.
    pub fn has_draws(&self) -> bool {
        !self.drawn.is_empty()
    }

    /// Takes the exits of a round out, and tells whether the last round with exits is not yet past.
    pub fn take(&mut self, drawing: bool, plies: u16) -> (Due<I>, bool) {
        let schedule = if drawing { &mut self.drawn } else { &mut self.decided };
        let due = schedule.get_mut(usize::from(plies)).map(std::mem::take).unwrap_or_default();
        (due, usize::from(plies) < schedule.len())
    }
}

/// The exits of a round, which is added to the schedule if need be.
fn due<I>(schedule: &mut Vec<Due<I>>, round: u16) -> &mut Due<I> {
    let round = usize::from(round);
    if schedule.len() <= round {
        schedule.resize_with(round + 1, Due::default);
    }
    &mut schedule[round]
}

/// The exits of all rounds of a tier of any size: a schedule for each page of it, whose positions have
/// numbers of 32 bits.
pub(crate) struct Paged {
    /// A page has 2 to the power of this positions.
    bits: u32,
    pages: Vec<Schedule<u32>>,
}

impl Default for Paged {
    fn default() -> Paged {
        Paged::new(u32::BITS)
    }
}

impl Paged {
    /// No exits, in pages of 2 to the power of this positions.
    pub(crate) fn new(bits: u32) -> Paged {
        Paged { bits, pages: vec![Schedule::default()] }
    }

    fn page(&mut self, page: usize) -> &mut Schedule<u32> {
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, Schedule::default);
        }
        &mut self.pages[page]
    }

    /// Adds the exits of a position.
    pub(crate) fn add(&mut self, index: u64, opening: &Opening) {
        let place = index & ((1 << self.bits) - 1);
        self.page((index >> self.bits) as usize).add(place as u32, opening);
    }

    /// Adds the exits of other positions.
    pub(crate) fn join(&mut self, more: Paged) {
        for (page, more) in more.pages.into_iter().enumerate() {
            self.page(page).join(more);
        }
    }

    /// Whether there are draws by the rules.
    pub(crate) fn has_draws(&self) -> bool {
        self.pages.iter().any(Schedule::has_draws)
    }

    /// Takes the exits of a round out, each page's after its first position, and tells whether the last
    /// round with exits is not yet past.
    pub(crate) fn take(&mut self, drawing: bool, plies: u16) -> (Vec<(u64, Due<u32>)>, bool) {
        let firsts = (0..).map(|page: u64| page << self.bits);
        let taken = firsts.zip(&mut self.pages).map(|(first, page)| {
            let (due, more) = page.take(drawing, plies);
            ((first, due), more)
        });
        let (due, more): (Vec<_>, Vec<bool>) = taken.unzip();
        (due, more.contains(&true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_do_not_change_a_schedule() {
        let opening = |index: u64| {
            let mut moves = Moves { unit: 1, lasting: index.is_multiple_of(3), ..Moves::default() };
            let plies = (index % 7) as u16;
            moves.exits.add(match index % 4 {
                0 => Value::Loss(plies),
                1 => Value::Win(plies + 1),
                _ => Value::Draw(plies),
            });
            moves.opening()
        };
        let all = |bits: u32| {
            let mut schedules = [Paged::new(bits), Paged::new(bits)];
            (0..5000_u64)
                .for_each(|index| schedules[index as usize / 2500].add(index, &opening(index)));
            let [mut all, more] = schedules;
            all.join(more);
            let mut found = vec![(Vec::new(), Vec::new(), all.has_draws())];
            for (drawing, plies) in (0..20).map(|round| (round >= 10, round % 10)) {
                let (due, more) = all.take(drawing, plies);
                let whole = |of: fn(&Due<u32>) -> &Vec<u32>| {
                    let page = |(first, due): &(u64, Due<u32>)| {
                        let first = *first;
                        of(due).iter().map(|&place| first + u64::from(place)).collect::<Vec<_>>()
                    };
                    due.iter().flat_map(page).collect::<Vec<u64>>()
                };
                found.push((whole(|due| &due.taken), whole(|due| &due.holds), more));
            }
            found
        };
        assert!(all(32) == all(10));
        assert_eq!(all(32).iter().map(|round| round.0.len() + round.1.len()).sum::<usize>(), 5000);
    }
}
