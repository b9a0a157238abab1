//! Values as they are shown: a colour, a sign and a number, never colour alone.

use crate::phrases::Speak;
use kanzen_core::{Language, Outcome, Party, Pressure, Side, Tint, Verdict};
use maud::{Markup, html};

/// What a position or a move is worth, and who wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// The value for the player to move; none if nobody knows it.
    pub verdict: Option<Verdict>,
    /// Who wins, as far as that is known.
    pub winner: Option<Party>,
    /// Whether there are three players, so that a sign does not tell who wins.
    pub three: bool,
    /// Who presses, if it is a draw and that is known.
    pub press: Option<Press>,
}

/// Who presses in a draw, and where that leads the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// Who presses.
    pub by: Party,
    /// Whether that is the player for whom the value is told.
    pub own: bool,
    /// How many moves hold the draw there, at the most.
    pub holding: u8,
    /// In how many plies.
    pub plies: u16,
}

impl From<Option<Verdict>> for Worth {
    fn from(verdict: Option<Verdict>) -> Worth {
        Worth { verdict, ..Worth::default() }
    }
}

impl Worth {
    /// A value for the first of two players.
    pub fn of_two(verdict: Option<Verdict>, mover: Party, other: Party) -> Worth {
        let winner = match verdict.map(|verdict| verdict.value) {
            Some(Outcome::Win) => Some(mover),
            Some(Outcome::Loss) => Some(other),
            _ => None,
        };
        Worth { verdict, winner, ..Worth::default() }
    }

    /// The class of its colour.
    pub fn class(self) -> &'static str {
        self.verdict.map_or("unknown", |verdict| verdict.value.word())
    }

    /// The sign and the plies: `+21`, `=`, `−20`, `?`; of three players the one who wins.
    pub fn badge(self) -> String {
        let Some(verdict) = self.verdict else { return "?".to_owned() };
        if let (true, Some(winner)) = (self.three, self.winner) {
            return match winner.side {
                Side::Neutral => "=".to_owned(),
                side => side.number().to_string(),
            };
        }
        let sign = match verdict.value {
            Outcome::Win => "+",
            Outcome::Draw => "=",
            Outcome::Loss => "−",
        };
        // The end of the game is no number of plies away.
        let plies = verdict.plies.filter(|plies| *plies > 0);
        let plies = plies.map(|plies| plies.to_string()).unwrap_or_default();
        let press = self.press.map(|Press { own, holding, .. }| {
            let arrow = if own { '↑' } else { '↓' };
            let more = if holding >= Pressure::MAX_HOLDING { "+" } else { "" };
            format!("{arrow}{holding}{more}")
        });
        format!("{sign}{plies}{}", press.unwrap_or_default())
    }

    /// How strongly it is painted, from 0 to 1.
    pub fn strength(self) -> f32 {
        self.verdict.map_or(0.5, |verdict| Tint::Value(verdict).strength())
    }

    /// In a few words.
    pub fn words(self, language: Language) -> String {
        match (self.verdict, self.winner) {
            (
                Some(Verdict { value: Outcome::Draw, .. }) | None,
                Some(Party { side: Side::Neutral, .. }),
            ) => language.phrases().nobody_wins.to_owned(),
            (Some(verdict), Some(winner)) => language.wins_in(winner.name, verdict.plies),
            (Some(verdict), None) => {
                let press = self.press.map(|press| language.presses(press)).unwrap_or_default();
                language.short(verdict) + &press
            }
            (None, _) => language.phrases().unknown.to_owned(),
        }
    }

    /// A chip for texts and lists.
    pub fn chip(self, language: Language) -> Markup {
        let fade = (4.0 * (1.0 - self.strength()) / 0.6).round().clamp(0.0, 4.0) as u8;
        let class = format!("chip {} fade{fade}", self.class());
        html! {
            span class=(class) title=(self.words(language)) {
                span aria-hidden="true" { (self.badge()) }
                span .unseen { (self.words(language)) }
            }
        }
    }
}
