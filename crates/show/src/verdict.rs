//! Values as they are shown: a colour, a sign and a number, never colour alone.

use crate::phrases::Speak;
use kanzen_core::{Language, Outcome, Tint, Verdict};
use maud::{Markup, html};

/// How a value is shown; none is a value that nobody knows.
pub trait Shown {
    /// The class of its colour.
    fn class(self) -> &'static str;
    /// The sign and the plies: `+21`, `=`, `−20`, `?`.
    fn badge(self) -> String;
    /// How strongly it is painted, from 0 to 1.
    fn strength(self) -> f32;
    /// In a few words.
    fn words(self, language: Language) -> String;
    /// A chip for texts and lists.
    fn chip(self, language: Language) -> Markup;
}

impl Shown for Option<Verdict> {
    fn class(self) -> &'static str {
        self.map_or("unknown", |verdict| verdict.value.word())
    }

    fn badge(self) -> String {
        let Some(verdict) = self else { return "?".to_owned() };
        let sign = match verdict.value {
            Outcome::Win => "+",
            Outcome::Draw => "=",
            Outcome::Loss => "−",
        };
        let plies = verdict.plies.map(|plies| plies.to_string());
        format!("{sign}{}", plies.unwrap_or_default())
    }

    fn strength(self) -> f32 {
        self.map_or(0.5, |verdict| Tint::Value(verdict).strength())
    }

    fn words(self, language: Language) -> String {
        match self {
            Some(verdict) => language.short(verdict),
            None => language.phrases().unknown.to_owned(),
        }
    }

    fn chip(self, language: Language) -> Markup {
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
