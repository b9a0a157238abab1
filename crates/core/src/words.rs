//! Texts in the languages that Kanzen speaks.

use serde::{Deserialize, Serialize};

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// 日本語.
    Japanese,
}

impl Language {
    /// The language of a tag such as `ja-JP`.
    ///
    /// ```
    /// use kanzen_core::Language;
    /// assert_eq!(Language::of_tag("ja-JP"), Some(Language::Japanese));
    /// assert_eq!(Language::of_tag("fr"), None);
    /// ```
    pub fn of_tag(tag: &str) -> Option<Language> {
        match tag.trim().split(['-', '_']).next().unwrap_or_default() {
            "en" => Some(Language::English),
            "ja" => Some(Language::Japanese),
            _ => None,
        }
    }

    /// Its tag.
    pub fn tag(self) -> &'static str {
        self.pick("en", "ja")
    }

    /// One of two things: the first for English, the second for Japanese.
    pub fn pick<T>(self, english: T, japanese: T) -> T {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }
}

/// A text that a program carries, in every language.
///
/// ```
/// use kanzen_core::{Language, Words};
/// const WIN: Words = Words::new("win", "勝ち");
/// assert_eq!(WIN.say(Language::Japanese), "勝ち");
/// assert_eq!(Words::same("Nim").say(Language::Japanese), "Nim");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Words {
    /// English.
    pub en: &'static str,
    /// Japanese.
    pub ja: &'static str,
}

impl Words {
    /// A text in both languages.
    pub const fn new(en: &'static str, ja: &'static str) -> Words {
        Words { en, ja }
    }

    /// A name that is the same everywhere.
    pub const fn same(text: &'static str) -> Words {
        Words { en: text, ja: text }
    }

    /// The text in a language.
    pub fn say(self, language: Language) -> &'static str {
        language.pick(self.en, self.ja)
    }
}

/// A text that is made at run time, in every language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Text {
    /// English.
    pub en: String,
    /// Japanese.
    pub ja: String,
}

impl Text {
    /// A text in both languages.
    pub fn new(en: impl Into<String>, ja: impl Into<String>) -> Text {
        Text { en: en.into(), ja: ja.into() }
    }

    /// A name that is the same everywhere.
    pub fn same(text: impl Into<String>) -> Text {
        let text = text.into();
        Text { en: text.clone(), ja: text }
    }

    /// The text in a language.
    pub fn say(&self, language: Language) -> &str {
        language.pick(&self.en, &self.ja)
    }
}

impl From<Words> for Text {
    fn from(words: Words) -> Text {
        Text::new(words.en, words.ja)
    }
}
