//! What the engine knows of a board, in 32 bits.
//!
//! | bits | content |
//! | --- | --- |
//! | 0-7 | the best value, 0 until it is known |
//! | 8-15 | the value without the best move; until it is known, a count of the moves not yet lost |
//! | 16-23 | the best that a move which removes a piece brings |
//! | 24-28 | the exclusive-or of the moves not yet lost that can be barred; then the best move |
//!
//! A value is a number of plies to the end of the game: odd for a win, even for a loss. Only moves
//! inside the tier are counted, and each loses or wins at most once. When one move is left, the
//! exclusive-or is that move, without a search; 0 stands for a move that cannot be barred. Such a
//! move, or a removal, leaves nothing to know beyond the best value.

use super::lines::Kept;

/// Marks a board that has begun, some of whose moves lose at once.
const SOME_LOST: u32 = 1 << 31;
/// Counts are told from values by their size.
const COUNT: u32 = 0xe0;
/// The most plies of a value.
pub const MAX_PLIES: u8 = COUNT as u8 - 2;
/// A removal after which nobody can force a win.
const DRAW: u8 = 0xfe;

/// The best that the removals of a board bring, for its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removals(u8);

impl Removals {
    /// There is no removal, or each loses at once.
    pub const NONE: Removals = Removals(0);

    /// A removal that leads to a board with this best value, 0 for a draw.
    #[inline(always)]
    #[must_use]
    pub fn to(best: u8) -> Removals {
        Removals(if best == 0 { DRAW } else { best + 1 })
    }

    /// The better of two for the mover: a fast win, a slow win, a draw, a slow loss, a fast loss.
    #[inline(always)]
    #[must_use]
    pub fn or(self, other: Removals) -> Removals {
        let score = |Removals(code): Removals| {
            let code = i32::from(code);
            if code % 2 == 1 { 512 - code } else { code }
        };
        if score(self) >= score(other) { self } else { other }
    }

    /// The plies to the end, if a side wins.
    #[inline(always)]
    #[must_use]
    pub fn plies(self) -> Option<u8> {
        (self.0 != 0 && self.0 != DRAW).then_some(self.0)
    }
}

/// What is known of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(pub u32);

/// Which of a board's states are settled in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Firing {
    /// All in which the best move is not barred.
    pub best: bool,
    /// The one in which the best move is barred.
    pub second: bool,
    /// The best move; 0 if that cannot be barred.
    pub best_move: u8,
}

impl Word {
    /// A number that stands for no board.
    pub const NOTHING: Word = Word(0xff);
    /// A board on which the mover wins at once.
    pub const WIN_AT_ONCE: Word = Word(1);

    /// A board with this many moves inside the tier, the exclusive-or of those that can be barred,
    /// and its removals.
    #[inline(always)]
    #[must_use]
    pub fn open(moves: u32, barrable: u8, removals: Removals) -> Word {
        debug_assert!(moves < 256 - COUNT);
        Word((COUNT + moves) << 8 | u32::from(removals.0) << 16 | u32::from(barrable) << 24)
    }

    /// A board whose removals are not known yet, with the moves inside the tier that do not lose at once.
    #[inline(always)]
    #[must_use]
    pub fn begun(kept: Kept, bar: bool) -> Word {
        let barrable = if bar { kept.barrable } else { 0 };
        let word = Word::open(kept.moves, barrable, Removals::NONE);
        Word(word.0 | if kept.some_lost { SOME_LOST } else { 0 })
    }

    /// The same board when its removals are known.
    #[inline(always)]
    #[must_use]
    pub fn completed(self, removals: Removals) -> Word {
        let word = Word(self.0 & !SOME_LOST | u32::from(removals.0) << 16);
        if self.0 & SOME_LOST != 0 { word.lost(2).0 } else { word }
    }

    /// What a move brings that is worth `plies`; tells whether a value became known.
    #[inline(always)]
    #[must_use]
    pub fn told(self, mv: u8, plies: u8) -> (Word, bool) {
        if plies.is_multiple_of(2) { self.lose(mv, plies) } else { (self.win(mv, plies), true) }
    }

    #[inline(always)]
    fn best(self) -> u8 {
        self.0 as u8
    }

    /// The second field: a count or a value.
    #[inline(always)]
    fn second(self) -> u32 {
        self.0 >> 8 & 0xff
    }

    #[inline(always)]
    fn removals(self) -> Removals {
        Removals((self.0 >> 16) as u8)
    }

    #[inline(always)]
    fn chosen(self) -> u32 {
        self.0 >> 24
    }

    #[inline(always)]
    fn with_best(self, plies: u8) -> Word {
        Word(self.0 & !0xff | u32::from(plies))
    }

    #[inline(always)]
    fn with_second(self, second: u32) -> Word {
        Word(self.0 & !0xff00 | second << 8)
    }

    #[inline(always)]
    fn with_chosen(self, chosen: u32) -> Word {
        Word(self.0 & 0x00ff_ffff | chosen << 24)
    }

    /// Whether the removals lose, and not later than in `plies`.
    #[inline(always)]
    fn removals_lose_by(self, plies: u8) -> bool {
        let removals = self.removals().0;
        removals.is_multiple_of(2) && removals <= plies
    }

    /// Whether nothing more can become known of the board.
    #[inline(always)]
    #[must_use]
    pub fn is_done(self) -> bool {
        self.best() != 0 && (self.chosen() == 0 || self.second() < COUNT)
    }

    /// A move loses, in `plies`. Tells whether a value became known.
    #[inline(always)]
    #[must_use]
    pub fn lose(self, mv: u8, plies: u8) -> (Word, bool) {
        if self.second() < COUNT {
            // The last move: without it, the board was lost already.
            return (self.with_best(plies), true);
        }
        // Only a message that is forged tells of a move too many.
        let left = (self.second() - COUNT).saturating_sub(1);
        let fewer = self.with_second(COUNT + left);
        if self.best() != 0 {
            // The best move wins, and is among those left.
            return match left == 1 && self.removals_lose_by(plies) {
                true => (self.with_second(plies.into()), true),
                false => (fewer, false),
            };
        }
        let rest = self.chosen() ^ u32::from(mv);
        fewer.with_chosen(rest).lost(plies)
    }

    /// Settles what the moves left bring, the others having lost, the last of them in `plies`. Tells
    /// whether a value became known.
    #[inline(always)]
    #[must_use]
    pub fn lost(self, plies: u8) -> (Word, bool) {
        match self.second() - COUNT {
            0 if self.removals_lose_by(plies) => (self.with_best(plies).with_chosen(0), true),
            1 if self.chosen() != 0 && self.removals_lose_by(plies) => {
                (self.with_second(plies.into()), true)
            }
            _ => (self, false),
        }
    }

    /// A move wins, in `plies`, which makes a value known.
    #[inline(always)]
    #[must_use]
    pub fn win(self, mv: u8, plies: u8) -> Word {
        if self.best() != 0 {
            self.with_second(plies.into())
        } else {
            self.with_best(plies).with_chosen(mv.into())
        }
    }

    /// Whether any field has the number of a round: only such a word can fire.
    #[inline(always)]
    #[must_use]
    pub fn mentions(self, plies: u8) -> bool {
        let differences = self.0 ^ (u32::from(plies) * 0x01_0101);
        differences.wrapping_sub(0x01_0101) & !differences & 0x80_8080 != 0
    }

    /// What the removals settle in their round.
    #[inline(always)]
    #[must_use]
    pub fn removals_at(self, plies: u8) -> Word {
        if self.removals().0 != plies || self.is_done() || self.second() < COUNT {
            return self;
        }
        let left = self.second() - COUNT;
        if plies % 2 == 1 {
            return match self.best() {
                0 => self.with_best(plies).with_chosen(0),
                _ => self.with_second(plies.into()),
            };
        }
        match (self.best(), left) {
            (0, 0) => self.with_best(plies).with_chosen(0),
            (_, 1) if self.chosen() != 0 => self.with_second(plies.into()),
            _ => self,
        }
    }

    /// What fires in a round.
    #[inline(always)]
    #[must_use]
    pub fn firing(self, plies: u8) -> Firing {
        Firing {
            best: self.best() == plies,
            second: self.second() == u32::from(plies) && self.chosen() != 0,
            best_move: self.chosen() as u8,
        }
    }

    /// What the removals bring, while that can still matter.
    #[must_use]
    pub fn waiting(self) -> Option<u8> {
        if self.is_done() { None } else { self.removals().plies() }
    }

    /// What is known in the end: what nobody can force is a draw.
    #[inline(always)]
    #[must_use]
    pub fn facts(self) -> Facts {
        let best = self.best();
        let second = match self.second() {
            second if second < COUNT => second as u8,
            _ => 0,
        };
        let single = self.chosen() != 0 && second != best && (best != 0 || self.second() < COUNT);
        Facts::new(
            best,
            if single { second } else { best },
            if single { self.chosen() as u8 } else { 0 },
        )
    }
}

/// The three facts of a solved board, in the low 24 bits: its best value, its value without the
/// best move, and that move. Values are plies to the end, 0 for a draw. Where no single move that
/// can be barred is better than all others, the last two are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts(pub u32);

impl Facts {
    /// Puts the facts together. The second value does not matter without a single best move.
    #[inline(always)]
    #[must_use]
    pub fn new(best: u8, second: u8, best_move: u8) -> Facts {
        let second = if best_move == 0 { 0 } else { second };
        Facts(u32::from(best) | u32::from(second) << 8 | u32::from(best_move) << 16)
    }

    /// The best value.
    #[inline(always)]
    #[must_use]
    pub fn best(self) -> u8 {
        self.0 as u8
    }

    /// The value if the single best move is barred.
    #[inline(always)]
    #[must_use]
    pub fn second(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The single best move, if it can be barred; else 0.
    #[inline(always)]
    #[must_use]
    pub fn best_move(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// The value with a move barred; 0 for none.
    #[inline(always)]
    #[must_use]
    pub fn value(self, barred: u8) -> u8 {
        if barred != 0 && barred == self.best_move() { self.second() } else { self.best() }
    }
}

/// The values of a board's moves, as they become known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gather {
    best: (i32, u8),
    second: (i32, u8),
    best_move: u8,
}

impl Gather {
    /// Adds a move: the plies to the end, 0 for a draw, and its number, 0 if it cannot be barred.
    #[inline(always)]
    pub fn add(&mut self, plies: u8, mv: u8) {
        let value = (score(plies), plies);
        if value.0 > self.best.0 {
            self.second = self.best;
            self.best = value;
            self.best_move = mv;
        } else if value.0 > self.second.0 {
            self.second = value;
        }
    }

    /// What they make of the board.
    #[inline(always)]
    #[must_use]
    pub fn facts(self) -> Facts {
        let single = self.second.0 != self.best.0 && self.second.0 != 0;
        Facts::new(self.best.1, self.second.1, if single { self.best_move } else { 0 })
    }
}

/// What a number of plies to the end is worth to the player who has the choice: a fast win, a slow
/// win, a draw, a slow loss, a fast loss.
#[inline(always)]
fn score(plies: u8) -> i32 {
    match plies {
        0 => 256,
        _ if plies % 2 == 1 => 512 - i32::from(plies),
        _ => i32::from(plies),
    }
}

/// [`Facts`] in as little memory as they need, where those of all boards are in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed([u8; 3]);

impl From<Facts> for Packed {
    fn from(facts: Facts) -> Packed {
        let [best, second, best_move, _] = facts.0.to_le_bytes();
        Packed([best, second, best_move])
    }
}

impl From<Packed> for Facts {
    fn from(Packed([best, second, best_move]): Packed) -> Facts {
        Facts(u32::from_le_bytes([best, second, best_move, 0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lose_all(mut word: Word, moves: &[(u8, u8)]) -> Word {
        for &(mv, plies) in moves {
            word = word.lose(mv, plies).0;
        }
        word
    }

    #[test]
    fn the_last_move_is_known() {
        let word = Word::open(3, 4 ^ 9, Removals::NONE);
        let word = lose_all(word, &[(0, 2), (9, 6)]);
        assert_eq!(word.firing(6), Firing { best: false, second: true, best_move: 4 });
        assert_eq!(word.facts(), Facts::new(0, 6, 4), "a draw that hangs on one move");
        assert_eq!(word.lose(4, 8).0.facts(), Facts::new(8, 6, 4));
        assert_eq!(word.win(4, 9).facts(), Facts::new(9, 6, 4));
        // A last move that cannot be barred.
        let word = lose_all(Word::open(2, 4, Removals::NONE), &[(4, 6)]);
        assert_eq!(word.facts(), Facts::new(0, 0, 0));
        assert_eq!(word.lose(0, 8).0.facts(), Facts::new(8, 0, 0));
    }

    #[test]
    fn the_second_best_is_sought_only_where_it_matters() {
        let word = Word::open(3, 4 ^ 9, Removals::NONE);
        assert!(word.win(0, 3).is_done());
        let word = word.win(9, 3);
        assert!(!word.is_done());
        assert_eq!(word.facts(), Facts::new(3, 0, 9));
        assert_eq!(word.win(4, 5).facts(), Facts::new(3, 5, 9));
        assert_eq!(word.win(4, 3).facts(), Facts::new(3, 3, 0), "two best moves");
        let word = lose_all(word, &[(4, 4), (0, 6)]);
        assert_eq!(word.facts(), Facts::new(3, 6, 9));
        assert!(word.is_done());
    }

    #[test]
    fn removals_count_as_a_move_that_is_never_barred() {
        // A win by removal.
        let removals = Removals::to(4);
        let word = Word::open(2, 7, removals);
        assert_eq!(word.removals_at(3), word);
        assert_eq!(word.removals_at(5).facts(), Facts::new(5, 0, 0));
        let word = word.win(7, 3).removals_at(5);
        assert_eq!(word.facts(), Facts::new(3, 5, 7));
        // A draw by removal.
        let word = lose_all(Word::open(2, 7, Removals::to(0)), &[(0, 4)]);
        assert_eq!(word.facts(), Facts::new(0, 0, 0));
        assert_eq!(word.lose(7, 6).0.facts(), Facts::new(0, 0, 0));
        assert_eq!(word.win(7, 7).facts(), Facts::new(7, 0, 7));
        // A slow loss by removal.
        let word = lose_all(Word::open(2, 7, Removals::to(9)), &[(0, 4)]);
        assert_eq!(word.removals_at(10).facts(), Facts::new(0, 10, 7));
        assert_eq!(word.removals_at(10).lose(7, 12).0.facts(), Facts::new(12, 10, 7));
        let word = word.lose(7, 6).0;
        assert!(!word.is_done());
        assert_eq!(word.removals_at(10).facts(), Facts::new(10, 0, 0));
        // The better removal counts.
        let best_first = [4, 8, 0, 9, 3].map(Removals::to);
        for pair in best_first.windows(2) {
            assert_eq!(pair[0].or(pair[1]), pair[0]);
            assert_eq!(pair[1].or(pair[0]), pair[0]);
        }
        assert_eq!(Removals::NONE.or(best_first[4]), best_first[4]);
    }

    #[test]
    fn words_mention_their_rounds() {
        let word = Word::open(2, 7, Removals::to(8)).win(7, 3);
        let mentioned: Vec<u8> = (1..=MAX_PLIES).filter(|&n| word.mentions(n)).collect();
        assert!(mentioned.contains(&3) && mentioned.contains(&9));
        assert!((1..=MAX_PLIES).all(|n| !Word::NOTHING.mentions(n)));
    }
}
