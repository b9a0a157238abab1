//! Tables in Japanese.

use kanzen_games::Sheet;
use std::collections::HashMap;
use std::sync::LazyLock;

/// English phrases and their Japanese; `#` stands for a number.
static PHRASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("japanese.json"))
        .expect("the phrases are JSON, as a test says")
});

/// A table with its caption, heads and cells in Japanese, as far as there are words for them.
#[must_use]
pub fn sheet(sheet: &Sheet) -> Sheet {
    let all = |cells: &Vec<String>| cells.iter().map(|cell| phrase(cell)).collect();
    Sheet {
        caption: phrase(&sheet.caption),
        head: all(&sheet.head),
        rows: sheet.rows.iter().map(all).collect(),
    }
}

/// A phrase in Japanese, or as it is.
pub(crate) fn phrase(english: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit() || c == ',';
    let mut pattern = String::new();
    let mut numbers = Vec::new();
    for part in english.split_inclusive(|c| !is_digit(c)) {
        let rest = part.trim_start_matches(is_digit);
        let number = &part[..part.len() - rest.len()];
        if number.starts_with(|c: char| c.is_ascii_digit()) {
            pattern.push('#');
            numbers.push(number);
        } else {
            pattern += number;
        }
        pattern += rest;
    }
    let Some(japanese) = PHRASES.get(&*pattern) else { return english.to_owned() };
    let mut numbers = numbers.into_iter();
    japanese
        .chars()
        .map(|c| match c {
            '#' => numbers.next().unwrap_or_default().to_owned(),
            other => other.to_string(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_places() {
        let pairs = [
            ("5 against 4 and 4 against 5", "5対4と4対5"),
            ("111 boards cannot arise", "初期盤面から到達できない盤面: 111"),
            ("black wins, brown to move", "黒勝ち（茶番）"),
            ("1,234", "1,234"),
            ("11111-00000-00300-00000-22222", "11111-00000-00300-00000-22222"),
        ];
        for (english, japanese) in pairs {
            assert_eq!(phrase(english), japanese);
        }
    }

    #[test]
    fn each_phrase_keeps_its_numbers() {
        for (english, japanese) in PHRASES.iter() {
            assert_eq!(english.matches('#').count(), japanese.matches('#').count(), "{english}");
        }
    }
}
