//! Opponents of any strength, made from perfect values.
//!
//! A level is how far it sees: a win or a loss that takes more plies than that looks to it like any
//! other move, and among those it picks by chance. The trickster gives nothing away, but among moves
//! of equal value it picks the one after which a human is most likely to go wrong. In a draw
//! both it and the perfect one press as hard as they can.
//!
//! An opponent is a function of the position and a seed, so a game can be written down as a link.

use crate::{Answer, AnySolved, GameError, MoveAnswer};
use kanzen_core::{Outcome, Verdict, Words};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Who plays against you.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Sees this many plies ahead.
    Sees(u16),
    /// Sees everything, and wins as fast or loses as slowly as it can.
    Perfect,
    /// Sees everything, and sets traps.
    Trickster,
}

/// Moves that the trickster compares at the most.
const CANDIDATES: usize = 48;

impl Opponent {
    /// All of them by name, the weakest first.
    pub const ALL: [(&'static str, Opponent); 7] = [
        ("beginner", Opponent::Sees(1)),
        ("casual", Opponent::Sees(3)),
        ("club", Opponent::Sees(7)),
        ("strong", Opponent::Sees(15)),
        ("master", Opponent::Sees(31)),
        ("perfect", Opponent::Perfect),
        ("trickster", Opponent::Trickster),
    ];

    /// The opponent of a name.
    ///
    /// ```
    /// use kanzen_registry::opponent::Opponent;
    /// assert_eq!(Opponent::named("club"), Some(Opponent::Sees(7)));
    /// ```
    pub fn named(name: &str) -> Option<Opponent> {
        Opponent::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, opponent)| opponent)
    }

    /// What people call it.
    pub fn title(self) -> Words {
        match self {
            Opponent::Sees(..2) => Words::new("beginner", "入門"),
            Opponent::Sees(2..5) => Words::new("casual", "初級"),
            Opponent::Sees(5..10) => Words::new("club", "中級"),
            Opponent::Sees(10..20) => Words::new("strong", "上級"),
            Opponent::Sees(_) => Words::new("master", "名人"),
            Opponent::Perfect => Words::new("perfect", "完全"),
            Opponent::Trickster => Words::new("trickster", "わな師"),
        }
    }

    /// Chooses a move of the position; none if there is none.
    pub fn choose<'a>(
        self,
        solved: &dyn AnySolved,
        answer: &'a Answer,
        seed: u64,
    ) -> Result<Option<&'a MoveAnswer>, GameError> {
        let chance = |number: usize| {
            let mut hasher = DefaultHasher::new();
            (seed, &answer.position, number as u64).hash(&mut hasher);
            hasher.finish()
        };
        let numbered = answer.moves.iter().enumerate();
        // Who sees everything also sees which draws press.
        let ranked = match self {
            Opponent::Perfect | Opponent::Trickster if answer.value == Some(Outcome::Draw) => {
                solved.probe_ranked(Some(&answer.position))?.moves
            }
            _ => Vec::new(),
        };
        let pressed = |mv: &MoveAnswer| {
            let ranked = ranked.iter().find(|ranked| ranked.name == mv.name);
            ranked.and_then(|ranked| ranked.pressure)
        };
        let named = |best: &MoveAnswer| answer.moves.iter().find(|mv| mv.name == best.name);
        let first = ranked.first().and_then(named).or(answer.moves.first());
        match self {
            Opponent::Perfect => Ok(first),
            Opponent::Sees(plies) => Ok(numbered
                .max_by_key(|(number, mv)| (glance(mv.verdict(), plies), chance(*number)))
                .map(|(_, mv)| mv)),
            Opponent::Trickster => {
                let Some(best) = first else { return Ok(None) };
                // Of draws only those that press most will do.
                let alike = |mv: &&MoveAnswer| equal(best, mv) && pressed(mv) == pressed(best);
                let equals = answer.moves.iter().filter(alike);
                let mut trickiest = (best, f64::NEG_INFINITY);
                for mv in equals.take(CANDIDATES) {
                    let trap = match &mv.position {
                        Some(position) => trap(&solved.probe(Some(position))?),
                        None => 0.0,
                    };
                    if trap > trickiest.1 {
                        trickiest = (mv, trap);
                    }
                }
                Ok(Some(trickiest.0))
            }
        }
    }
}

/// How good a move looks to somebody who sees so many plies ahead.
fn glance(verdict: Option<Verdict>, sight: u16) -> i32 {
    match verdict {
        Some(Verdict { value: Outcome::Win, plies: Some(plies) }) if plies <= sight => {
            1000 - i32::from(plies)
        }
        Some(Verdict { value: Outcome::Loss, plies: Some(plies) }) if plies <= sight + 1 => {
            i32::from(plies) - 1000
        }
        _ => 0,
    }
}

/// Whether a move is as good as the best one: a win must be as fast, otherwise the outcome counts.
fn equal(best: &MoveAnswer, mv: &MoveAnswer) -> bool {
    match (best.verdict(), mv.verdict()) {
        (Some(a), Some(b)) if a.value == Outcome::Win => a == b,
        (Some(a), Some(b)) => a.value == b.value,
        (a, b) => a == b,
    }
}

/// How likely a human goes wrong here: a move that gives the value away is the more tempting the
/// farther its refutation is, and a safe move the easier to find the nearer its reward.
fn trap(answer: &Answer) -> f64 {
    let Some(best) = answer.moves.first().and_then(MoveAnswer::verdict) else { return 0.0 };
    let (mut safe, mut wrong) = (0.0, 0.0);
    for mv in &answer.moves {
        let Some(worth) = mv.verdict() else { continue };
        let plies = f64::from(worth.plies.unwrap_or(20));
        match worth.value == best.value {
            true if worth.value == Outcome::Win => safe += 0.5 + 4.0 / (plies + 4.0),
            true => safe += 1.0,
            false => wrong += plies / (plies + 4.0),
        }
    }
    // Where nothing can go wrong, at least the game shall be long.
    let long = f64::from(best.plies.unwrap_or(0)) * 1e-6;
    if safe + wrong > 0.0 { wrong / (safe + wrong) + long } else { long }
}
