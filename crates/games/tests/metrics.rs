//! Metrics against a plain twin that plays every game by itself: no symmetry, no merging of
//! positions, a search in place of the table.

use kanzen_analyse::metrics::{Games, Level, Limits, Played};
use kanzen_analyse::{Solved, write_table};
use kanzen_core::{Drawing, Game, Next, NotationError, Outcome, Trace, Value};
use kanzen_games::mutorere::MuTorere;
use kanzen_games::simpei::Simpei;
use kanzen_index::{Indexed, Place, Tier};
use kanzen_solve::{Job, Silent, solve};
use kanzen_table::Identity;
use std::cell::RefCell;
use std::collections::HashMap;

/// Solves a game and hands over its games within limits.
fn with_games<G: Indexed + Clone>(game: &G, limits: Limits, check: impl FnOnce(&Games<'_, '_, G>)) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("table.kanzen");
    let identity =
        Identity { game: "test".into(), variant: [].into(), index_version: 1, rules: None };
    let solution = solve(game, &Job { threads: 1, ..Job::default() }, None).unwrap();
    write_table(game, &solution, &path, identity.clone(), 3, &Silent).unwrap();
    let solved = Solved::open(game.clone(), &path, &identity).unwrap();
    let atlas = solved.atlas(&Silent).unwrap();
    check(&Games::new(&atlas, limits, &Silent));
}

/// One heap: take one to three stones, or turn an odd heap into a draw; who takes the last stone wins.
#[derive(Clone)]
struct Heap(Vec<Tier>);

impl Game for Heap {
    type Position = u8;
    type Move = u8;
    fn start(&self) -> u8 {
        13
    }
    fn moves(&self, heap: &u8, mut each: impl FnMut(u8)) {
        (1..=3.min(*heap)).for_each(&mut each);
        if *heap > 4 && *heap % 2 == 1 {
            each(0);
        }
    }
    fn play(&self, heap: &u8, taken: u8) -> Next<u8> {
        match taken {
            0 => Next::Over(Outcome::Draw),
            taken if taken == *heap => Next::Over(Outcome::Win),
            taken => Next::Position(heap - taken),
        }
    }
    fn parse(&self, text: &str) -> Result<u8, NotationError> {
        text.parse().map_err(|_| NotationError::shape("a number", text))
    }
    fn write(&self, heap: &u8) -> String {
        heap.to_string()
    }
    fn write_move(&self, _: &u8, taken: u8) -> String {
        taken.to_string()
    }
    fn draw(&self, _: &u8) -> Drawing {
        Drawing::default()
    }
    fn trace(&self, _: &u8, _: u8) -> Trace {
        Trace::default()
    }
}

impl Indexed for Heap {
    const INDEX_VERSION: u32 = 1;
    fn tiers(&self) -> &[Tier] {
        &self.0
    }
    fn locate(&self, heap: &u8) -> Place {
        Place { tier: 0, index: u64::from(*heap) - 1 }
    }
    fn position(&self, place: Place) -> Option<u8> {
        Some(place.index as u8 + 1)
    }
}

/// A ladder without end, or nearly: one or two rungs up, or by one of six other moves back to its foot.
#[derive(Clone)]
struct Ladder(Vec<Tier>);

impl Ladder {
    const RUNGS: u16 = 2000;
}

impl Game for Ladder {
    type Position = u16;
    type Move = u16;
    fn start(&self) -> u16 {
        0
    }
    fn moves(&self, _: &u16, each: impl FnMut(u16)) {
        (1..=8).for_each(each);
    }
    fn play(&self, rung: &u16, by: u16) -> Next<u16> {
        Next::Position(if by <= 2 && rung + by < Ladder::RUNGS { rung + by } else { 0 })
    }
    fn parse(&self, text: &str) -> Result<u16, NotationError> {
        text.parse().map_err(|_| NotationError::shape("a number", text))
    }
    fn write(&self, rung: &u16) -> String {
        rung.to_string()
    }
    fn write_move(&self, _: &u16, by: u16) -> String {
        by.to_string()
    }
    fn draw(&self, _: &u16) -> Drawing {
        Drawing::default()
    }
    fn trace(&self, _: &u16, _: u16) -> Trace {
        Trace::default()
    }
}

impl Indexed for Ladder {
    const INDEX_VERSION: u32 = 1;
    fn tiers(&self) -> &[Tier] {
        &self.0
    }
    fn locate(&self, rung: &u16) -> Place {
        Place { tier: 0, index: u64::from(*rung) }
    }
    fn position(&self, place: Place) -> Option<u16> {
        Some(place.index as u16)
    }
}

/// The twin: plays every game, one after the other, and adds up what happened in them.
struct Plain<'g, G: Game> {
    game: &'g G,
    players: [Level; 2],
    last: u32,
    /// What a search of so many plies has seen.
    searched: RefCell<HashMap<(G::Position, u16), Value>>,
    sums: RefCell<Sums>,
    /// Plies of a search that sees everything.
    deep: u16,
}

#[derive(Default)]
struct Sums {
    results: [f64; 3],
    unfinished: f64,
    plies: f64,
    mistakes: f64,
    turns: f64,
    choices: f64,
    drama: f64,
    settled: f64,
}

impl<G: Game> Plain<'_, G> {
    /// What a search of so many plies sees.
    fn search(&self, position: &G::Position, plies: u16) -> Value {
        if let Some(outcome) = self.game.over(position) {
            return ended(outcome, 0);
        }
        if plies == 0 {
            return Value::OPEN;
        }
        if let Some(known) = self.searched.borrow().get(&(*position, plies)) {
            return *known;
        }
        let values = self.moves(position, plies).into_iter().map(|(value, _)| value);
        let value = values.max().unwrap_or(Value::OPEN);
        self.searched.borrow_mut().insert((*position, plies), value);
        value
    }

    /// The moves of a position, with what a search of so many plies sees of them.
    fn moves(&self, position: &G::Position, plies: u16) -> Vec<(Value, Next<G::Position>)> {
        let mut moves = Vec::new();
        self.game.moves(position, |mv| moves.push(self.game.play(position, mv)));
        let seen = |next: Next<G::Position>| match next {
            _ if plies == 0 => Value::OPEN,
            Next::Over(outcome) => ended(outcome, 1),
            Next::Position(child) | Next::Again(child) => {
                self.search(&child, plies - 1).before_move()
            }
        };
        moves.into_iter().map(|next| (seen(next), next)).collect()
    }

    /// Plays on: `history` has the value for the first player of every position so far.
    fn play(&self, position: G::Position, weight: f64, history: &mut Vec<i32>) {
        let ply = history.len() as u32;
        let player = ply as usize % 2;
        if ply >= self.last {
            self.sums.borrow_mut().unfinished += weight;
            return;
        }
        if let Some(outcome) = self.game.over(&position) {
            return self.end(outcome, player, weight, history);
        }
        let sign = if player == 0 { 1 } else { -1 };
        let exact = self.moves(&position, self.deep);
        let here = exact.iter().map(|(value, _)| points(*value)).max().unwrap();
        let sight = match self.players[player] {
            Level::Sees(plies) => plies,
            Level::Perfect => self.deep,
        };
        let looks = self.moves(&position, sight);
        let best = looks.iter().map(|(value, _)| *value).max().unwrap();
        let chosen = looks.iter().filter(|(value, _)| *value == best).count() as f64;
        {
            let mut sums = self.sums.borrow_mut();
            sums.turns += weight;
            if exact.iter().any(|(value, _)| points(*value) != here) {
                sums.choices += weight;
            }
        }
        history.push(sign * here);
        for ((look, next), (value, _)) in looks.into_iter().zip(exact) {
            if look != best {
                continue;
            }
            let weight = weight / chosen;
            if points(value) != here {
                self.sums.borrow_mut().mistakes += weight;
            }
            match next {
                Next::Over(outcome) => self.end(outcome, player, weight, history),
                Next::Position(child) | Next::Again(child) => self.play(child, weight, history),
            }
        }
        history.pop();
    }

    fn end(&self, outcome: Outcome, player: usize, weight: f64, history: &[i32]) {
        let result = if player == 0 { outcome } else { outcome.flip() };
        let mut sums = self.sums.borrow_mut();
        sums.results[result as usize] += weight;
        sums.plies += weight * history.len() as f64;
        let sign = result as i32 - 1;
        if sign != 0 {
            let lost = history.iter().filter(|value| **value == -sign).count();
            sums.drama += weight * lost as f64 / history.len().max(1) as f64;
            // The last mistake led to the first of the positions that are won to the end.
            let won = history.iter().rev().take_while(|value| **value == sign).count();
            sums.settled += weight * won as f64;
        }
    }
}

/// The value of an ended game; all draws are as good.
fn ended(outcome: Outcome, plies: u16) -> Value {
    match outcome {
        Outcome::Draw => Value::OPEN,
        decided => Value::new(decided, plies),
    }
}

/// An outcome as a number.
fn points(value: Value) -> i32 {
    value.cmp(&Value::OPEN) as i32
}

/// Compares the games of every pair of these levels.
fn compare<G: Indexed + Clone>(game: &G, levels: &[Level], plies: u32, deep: u16) {
    let limits = Limits { positions: 10_000, plies, moves: 0, tolerance: 0.0, ..Limits::default() };
    with_games(game, limits, |games| {
        assert!(games.positions().is_some());
        for first in levels {
            for second in levels {
                let players = [*first, *second];
                let found = games.play((game.start(), 0), players, &Silent);
                let plain = Plain {
                    game,
                    players,
                    last: plies,
                    searched: RefCell::default(),
                    sums: RefCell::default(),
                    deep,
                };
                plain.play(game.start(), 1.0, &mut Vec::new());
                same(&found, &plain.sums.borrow(), players);
            }
        }
    });
}

fn same(found: &Played, sums: &Sums, players: [Level; 2]) {
    let [losses, draws, wins] = sums.results;
    let both_perfect = players == [Level::Perfect; 2];
    let draws = if both_perfect { draws + sums.unfinished } else { draws };
    let unfinished = if both_perfect { 0.0 } else { sums.unfinished };
    let ended: f64 = sums.results.iter().sum();
    let mean = |sum: f64, of: f64| if of > 1e-12 { sum / of } else { 0.0 };
    let pairs = [
        ("score", found.score, wins + (draws + unfinished) / 2.0),
        ("wins", found.wins, wins),
        ("draws", found.draws, draws),
        ("losses", found.losses, losses),
        ("unfinished", found.unfinished, unfinished),
        ("plies", found.plies.unwrap_or(0.0), mean(sums.plies, ended)),
        ("changes", found.lead_changes, sums.mistakes),
        ("choices", found.choices.unwrap_or(0.0), mean(sums.choices, sums.turns)),
        ("clarity", found.clarity.unwrap_or(0.0), mean(sums.choices - sums.mistakes, sums.choices)),
        ("drama", found.drama.unwrap_or(0.0), mean(sums.drama, wins + losses)),
        ("settled", found.settled.unwrap_or(0.0), mean(sums.settled, wins + losses)),
    ];
    for (what, found, expected) in pairs {
        assert!((found - expected).abs() < 1e-9, "{what} of {players:?}: {found}, not {expected}");
    }
}

#[test]
fn a_game_without_loops_is_gone_through_to_its_end() {
    let heap = Heap(vec![Tier::new("all", 13, true)]);
    compare(&heap, &Level::ALL, 20, 20);
}

#[test]
fn a_game_with_loops_is_the_same_up_to_symmetry() {
    let levels = [Level::Sees(0), Level::Sees(1), Level::Sees(2), Level::Sees(4), Level::Perfect];
    compare(&MuTorere::default(), &levels, 12, 20);
}

/// The sample is of the games that are gone through elsewhere.
#[test]
fn a_sample_of_games_is_near_to_all_of_them() {
    let game = Simpei::new(2, false);
    let limits = Limits { plies: 30, moves: 0, ..Limits::default() };
    let contests = [[Level::Sees(0); 2], [Level::Sees(2), Level::Sees(1)], [Level::Sees(4); 2]];
    let mut exact = Vec::new();
    with_games(&game, limits, |games| {
        exact = games.play_all(&contests, &Silent);
        // Forwards from the start and backwards from all positions it is the same.
        let score = games.scores(&[game.start()], Level::Sees(4), &Silent)[0];
        assert!((score - exact[2].score).abs() < 1e-5, "{score} {exact:?}");
    });
    let none = Limits { positions: 0, ..limits };
    with_games(&game, none, |games| {
        assert!(games.positions().is_none());
        for (all, some) in exact.iter().zip(games.play_all(&contests, &Silent)) {
            let error = all.deviation / (limits.games as f64).sqrt();
            assert!((all.score - some.score).abs() <= 4.0 * error, "{all:?} {some:?}");
            assert!((all.plies.unwrap_or(0.0) - some.plies.unwrap_or(0.0)).abs() < 1.0);
            assert!((all.lead_changes - some.lead_changes).abs() < 0.2, "{all:?} {some:?}");
        }
    });
}

/// The share of games high up becomes too small for a number, which once made them countless.
#[test]
fn what_hardly_ever_happens_takes_no_memory() {
    let ladder = Ladder(vec![Tier::new("all", u64::from(Ladder::RUNGS), true)]);
    with_games(&ladder, Limits::default(), |games| {
        assert_eq!(games.limits().plies, 1000);
        let played = &games.play_all(&[[Level::Sees(0); 2]], &Silent)[0];
        assert_eq!(played.unfinished, 1.0);
    });
}
