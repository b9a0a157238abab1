//! What somebody may have meant by a word that is not known.

/// The known word that is nearest to another; none if no word is near. A third of the letters may be
/// wrong, left out, too many, or exchanged with a neighbour.
///
/// ```
/// use kanzen_registry::nearest;
/// assert_eq!(nearest("simpie", ["ostle", "simpei"]), Some("simpei"));
/// assert_eq!(nearest("Ostle", ["ostle", "simpei"]), Some("ostle"));
/// assert_eq!(nearest("chess", ["ostle", "simpei"]), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let letters = word.chars().count();
    let apart = |other: &str| strsim::damerau_levenshtein(&word, &other.to_lowercase());
    let all = known.into_iter().map(|other| (apart(other), other));
    let near = all.filter(|(apart, other)| {
        let most = letters.max(other.chars().count()) / 3;
        *apart <= most.max(usize::from(letters > 1))
    });
    near.min_by_key(|(apart, _)| *apart).map(|(_, other)| other)
}

/// The question for the end of an error, such as `; did you mean 'simpei'?`; nothing if no word is near.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = nearest(word, known);
    near.map_or(String::new(), |near| format!("; did you mean '{near}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_words_are_offered() {
        let known = ["tictactoe", "tapatan", "teeko", "three-mens-morris", "l-game"];
        for (word, meant) in [
            ("tic-tac-toe", Some("tictactoe")),
            ("tapatna", Some("tapatan")),
            ("tekko", Some("teeko")),
            ("three-men-morris", Some("three-mens-morris")),
            ("lgame", Some("l-game")),
            ("go", None),
            ("", None),
            ("connect", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(nearest("4", ["3", "5"]), None, "a digit is not a misspelt digit");
        assert_eq!(did_you_mean("teko", known), "; did you mean 'teeko'?");
        assert_eq!(did_you_mean("chess", known), "");
    }
}
