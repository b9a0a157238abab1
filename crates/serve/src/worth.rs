//! Values as they are shown: a colour, a sign and a number, never colour alone.

use crate::language::Language;
use kanzen_core::{Outcome, Side, Tint, Verdict};
use kanzen_games::{Judgement, opponent};
use maud::{Markup, html};

/// What a value is to somebody; none if nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth(pub Option<Verdict>);

impl Worth {
    /// What a value is to a player.
    pub fn new(value: &Judgement, player: Side) -> Worth {
        Worth(opponent::verdict(value, player))
    }

    /// The class of its colour.
    pub fn class(self) -> &'static str {
        self.0.map_or("unknown", |verdict| verdict.value.word())
    }

    /// The sign and the plies: `+21`, `=`, `−20`, `?`.
    pub fn badge(self) -> String {
        let Some(verdict) = self.0 else { return "?".to_owned() };
        let sign = match verdict.value {
            Outcome::Win => "+",
            Outcome::Draw => "=",
            Outcome::Loss => "−",
        };
        let plies = verdict.plies.map(|plies| plies.to_string());
        format!("{sign}{}", plies.unwrap_or_default())
    }

    /// How strongly it is painted, from 0 to 1.
    pub fn strength(self) -> f32 {
        self.0.map_or(0.5, |verdict| Tint::Value(verdict).strength())
    }

    /// The outcome alone.
    pub fn outcome(self) -> Option<Outcome> {
        self.0.map(|verdict| verdict.value)
    }

    /// In a few words.
    pub fn words(self, language: Language) -> String {
        match self.0 {
            Some(verdict) => language.short(verdict),
            None => language.words().unknown.to_owned(),
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
